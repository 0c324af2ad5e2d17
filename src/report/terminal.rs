//! The same words for a terminal: the table, the menu, the final sheet. No colours: whoever prints adds them.

use crate::report::letter::Frame;
use crate::report::occasion::Occasion;
use crate::report::templates;

/// The table as the reader sees it: his hand and what is waited for included.
pub fn show(occasion: &Occasion, columns: usize) -> String {
    page("show.txt", occasion, columns)
}

/// What the reader may say now.
pub fn menu(occasion: &Occasion, columns: usize) -> String {
    page("menu.txt", occasion, columns)
}

/// The final sheet of a game that is over; of a running game, how it stands.
pub fn result(occasion: &Occasion, columns: usize) -> String {
    page("result.txt", occasion, columns)
}

/// What became of the lines of a letter, without the letter around it.
pub fn answers(occasion: &Occasion, columns: usize) -> String {
    page("reply.txt", occasion, columns)
}

fn page(template: &str, occasion: &Occasion, columns: usize) -> String {
    templates::page(template, &templates::context(&Frame::of(occasion, columns)))
}
