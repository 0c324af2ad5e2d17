//! A letter of one player to others, composed anew from its words.

use crate::columns::{self, LETTER};
use crate::frame::HEAD_SHOWN;
use crate::letter::{Letter, tag_of};
use crate::templates;
use record::fold::Fold;
use serde::Serialize;
use serde_json::json;

/// A letter that one player gets from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// The seat that wrote it, and its player; `None` if the letter is anonymous.
    pub from: Option<String>,
    pub player: Option<String>,
    /// The seats it goes to.
    pub to: Vec<String>,
    /// Whether these are all other seats.
    pub everybody: bool,
    /// The seat that reads this one.
    pub reader: String,
    /// Its words, line by line; an empty line separates paragraphs.
    pub lines: Vec<String>,
}

/// The letter to one seat.
pub fn letter(fold: &Fold, heard: &Heard) -> Letter {
    let plan = fold.plan();
    let (seq, hash) = (fold.head().seq, fold.head().hash.to_string());
    let mark = &hash[..HEAD_SHOWN];
    let title = plan.title.name.split(':').next().unwrap_or(plan.title.name);
    let who = heard.from.as_deref().unwrap_or("somebody");
    let subject = format!("{} {title}: a letter from {who}", tag_of(fold));
    let context = json!({ "heard": heard, "game": plan.name, "seq": seq, "mark": mark, "columns": LETTER });
    Letter::of_text(columns::ruly(&subject), templates::page("press.txt", &templates::context(&context)))
}
