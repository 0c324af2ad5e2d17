//! What a page plots of a game: numbers of the table after each record, what events counted, and the pace.

use record::entry::Entry;
use serde_json::{Value, json};

/// The lines of a plot by their names, each with its number; `None` if the table shows none.
type Lines = Vec<(String, Option<i64>)>;

/// Numbers that belong in one plot, a line for each.
pub struct Plot {
    pub name: &'static str,
    lines: fn(&Value) -> Lines,
}

/// The plots of a title, made from its public view.
pub fn plots(title: &str) -> &'static [Plot] {
    match title {
        "wotr" => &[
            Plot { name: "Victory points", lines: |view| of_all(view, "sides", "/points") },
            Plot { name: "Corruption and progress of the Fellowship", lines: fellowship },
        ],
        "risk" => &[
            Plot { name: "Points", lines: |view| of_all(view, "seats", "/points/total") },
            Plot { name: "Territories", lines: |view| of_all(view, "seats", "/territories") },
            Plot { name: "Battalions", lines: |view| of_all(view, "seats", "/battalions") },
        ],
        _ => &[],
    }
}

impl Plot {
    /// The names of its lines, and their numbers in this view.
    pub fn lines(&self, view: &Value) -> Lines {
        (self.lines)(view)
    }
}

/// One number for each seat of a list.
fn of_all(view: &Value, list: &str, number: &str) -> Lines {
    let seats = view[list].as_array().into_iter().flatten();
    let word = |seat: &Value| seat["seat"].as_str().unwrap_or("").to_owned();
    seats.map(|seat| (word(seat), seat.pointer(number).and_then(Value::as_i64))).collect()
}

fn fellowship(view: &Value) -> Lines {
    let number = |what: &str| (what.to_owned(), view["fellowship"][what].as_i64());
    vec![number("corruption"), number("progress")]
}

/// What the news of a record are about, each topic once, and what they count.
pub fn counted(news: &[Value]) -> (Vec<&str>, Vec<&Value>) {
    let mut topics: Vec<&str> = news.iter().filter_map(|told| told["topic"].as_str()).collect();
    topics.sort_unstable();
    topics.dedup();
    (topics, news.iter().filter_map(|told| told["counted"].as_array()).flatten().collect())
}

/// The dice of a record: what they were rolled for, their sides, their faces.
pub fn dice(entry: &Entry<'_>) -> Vec<Value> {
    let roll = entry.outcome.as_ref().and_then(|outcome| outcome.roll.as_ref());
    let dice = roll.into_iter().flat_map(|roll| &roll.dice);
    dice.map(|dice| json!([dice.label, dice.sides, dice.faces])).collect()
}
