/*! The log for people: each entry in a short paragraph, and any entry explained in full. */

use crate::occasion::EntryNews;
use crate::telling::tellings;
use crate::templates;
use engine::facts::Facts;
use serde::Serialize;
use serde_json::{Value, json};

/// An entry of the log, as the chronicle tells it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chronicled {
    pub seq: u64,
    /// When, as the log has it: `2026-11-24T07:12:09Z`.
    pub at: String,
    /// The type of the entry: `say`, `join`.
    pub kind: String,
    /// Who: a seat, or `host`.
    pub seat: String,
    /// How wide the column of the seats is: as the longest word of a seat, or as most games need it.
    pub seat_columns: usize,
    /// The sentence that was said, or what else the entry says, in a line.
    pub said: String,
    /// How it came: `letter, dkim`, `standing order 12`, `keyboard`.
    pub via: Option<String>,
    /// What followed from it.
    pub news: EntryNews,
    /// Where the game stood afterwards.
    pub moment: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    pub told: Chronicled,
    /// What the program thought to gain, if it gave the answer.
    pub thought: Option<String>,
    pub roll: Option<Roll>,
    /// Cards that the entry showed.
    pub opened: Vec<Opened>,
    pub changes: Vec<Change>,
    /// What the game waited for before and after, in words.
    pub asked: Option<String>,
    pub asks: Option<String>,
    pub digest: Option<String>,
    pub head: String,
}

/// Where the dice of an entry came from. All values are in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// The link of the last throw.
    pub link: String,
    pub mix: String,
    /// Each throw in a line: `attack, 3 × d6`, `6 4 4`.
    pub throws: Vec<Throw>,
}

/// One throw, draw or shuffle of a roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Throw {
    /// Its number in the game.
    pub n: u32,
    pub seed: String,
    /// What was thrown: `attack, 3 × d6`.
    pub what: String,
    /// What came out: `6 4 4`.
    pub gave: String,
}

/// A face-down card that was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opened {
    pub slot: String,
    pub card: String,
}

/// A fact that has changed. A value that did not exist before, or no longer exists, is `-`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub fact: String,
    pub before: String,
    pub after: String,
}

/// The facts that differ, in their order. A title writes the same keys at every moment, so lines pair up.
pub fn changes(before: &Facts, after: &Facts) -> Vec<Change> {
    let parts = |line: &str| {
        let (key, value) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), "-"));
        (key.to_string(), value.to_string())
    };
    let (mut old, mut new) = (before.text().lines().map(parts), after.text().lines().map(parts));
    let mut changes = Vec::new();
    loop {
        match (old.next(), new.next()) {
            (None, None) => return changes,
            (Some((fact, before)), Some((key, after))) if fact == key => {
                if before != after {
                    changes.push(Change { fact, before, after });
                }
            }
            (gone, come) => {
                changes.extend(gone.map(|(fact, before)| Change { fact, before, after: "-".to_string() }));
                changes.extend(come.map(|(fact, after)| Change { fact, before: "-".to_string(), after }));
            }
        }
    }
}

/// An entry as a paragraph of the chronicle.
pub fn paragraph(entry: &Chronicled, columns: usize) -> String {
    let tellings = tellings(std::slice::from_ref(&entry.news));
    page("chronicle.txt", json!({ "entry": entry, "tellings": tellings, "columns": columns }))
}

/// An entry explained: the sentence, the question it answers, the dice and where they came from, what changed, what
/// followed.
pub fn why(entry: &Explained, columns: usize) -> String {
    let tellings = tellings(std::slice::from_ref(&entry.told.news));
    page("why.txt", json!({ "entry": entry, "tellings": tellings, "columns": columns }))
}

fn page(template: &str, context: Value) -> String {
    templates::page(template, &templates::context(&context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_that_differ_are_paired() {
        let facts = |lines: &[(&str, &str)]| {
            let mut facts = Facts::default();
            lines.iter().for_each(|(key, word)| facts.line(key, word));
            facts
        };
        let before = facts(&[("moria", "red 3"), ("bree", "yellow 1"), ("turn", "4")]);
        let after = facts(&[("moria", "yellow 2"), ("bree", "yellow 1"), ("turn", "4")]);
        let change = Change { fact: "moria".into(), before: "red 3".into(), after: "yellow 2".into() };
        assert_eq!(changes(&before, &after), [change]);
    }
}
