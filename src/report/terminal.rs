//! Texts for a terminal: the table, the menu, the final sheet. The command line adds the colours.

use crate::frame::Frame;
use crate::occasion::Occasion;
use crate::templates;
use engine::glossary::Gloss;
use serde_json::{Value, json};

/// The table as the reader sees it, with his hand and what the game waits for.
pub fn show(occasion: &Occasion, columns: usize) -> String {
    page("show.txt", occasion, columns)
}

/// What the reader may say now.
pub fn menu(occasion: &Occasion, columns: usize) -> String {
    page("menu.txt", occasion, columns)
}

/// What a reader sees of a game that he plays at the terminal: what happened, the table or the part of it that the
/// question is about, and what he may say.
pub fn turn(occasion: &Occasion, columns: usize) -> String {
    page("turn.txt", occasion, columns)
}

/// The final sheet of a game that is over; the score so far of a running game.
pub fn result(occasion: &Occasion, columns: usize) -> String {
    page("result.txt", occasion, columns)
}

/// What became of the lines of a letter, without the letter around it.
pub fn answers(occasion: &Occasion, columns: usize) -> String {
    page("reply.txt", occasion, columns)
}

/// The texts of cards, one after the other.
pub fn card(glosses: &[&Gloss], columns: usize) -> String {
    templates::page("card.txt", &templates::context(&json!({ "glosses": self::glosses(glosses), "columns": columns })))
}

/// The same as plain data.
pub fn glosses(glosses: &[&Gloss]) -> Value {
    let one = |gloss: &&Gloss| json!({"title": gloss.name.title(), "kind": gloss.kind, "parts": gloss.parts});
    glosses.iter().map(one).collect()
}

fn page(template: &str, occasion: &Occasion, columns: usize) -> String {
    templates::page(template, &templates::context(&Frame::of(occasion, columns)))
}
