/*! A glossary: the texts of a title's cards, and of everything else that has a text.

A title lists them once ([`Texts::glossary`](crate::title::Texts::glossary)); `ringmail card`, help by letter
and the letters look them up here, by any spelling.
*/

use crate::name::{self, Name};
use serde::Serialize;

/// A thing with a text.
#[derive(Clone, Debug)]
pub struct Gloss {
    pub name: Name,
    /// What it is: `Character card of the Free Peoples`.
    pub kind: String,
    /// What it says, part by part.
    pub parts: Vec<Part>,
}

/// A part of a text, under its heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// `Event`, `Requires`, `Rulings`.
    pub heading: String,
    /// Whole sentences: one paragraph, or several points.
    pub points: Vec<String>,
}

impl Part {
    /// A part of one paragraph.
    pub fn new(heading: &str, text: &str) -> Part {
        Part { heading: heading.to_string(), points: vec![text.trim().to_string()] }
    }
}

/// The least likeness (of 1000) for a name to be suggested.
const LIKE: u32 = 600;

/// No thing has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Titles that may have been meant, the likeliest first; at most three.
    pub nearest: Vec<String>,
}

/// Everything whose full name the text is; if there is none, everything whose name begins with the text.
pub fn look_up<'a>(glossary: &'a [Gloss], text: &str) -> Result<Vec<&'a Gloss>, Unknown> {
    let words = name::words(text);
    let spelled = |count: usize| count == words.len() && count > 0;
    let whole: Vec<&Gloss> = glossary.iter().filter(|gloss| spelled(gloss.name.spelled_by(&words))).collect();
    if !whole.is_empty() {
        return Ok(whole);
    }
    let begun: Vec<&Gloss> = glossary.iter().filter(|gloss| spelled(gloss.name.begun_by(&words))).collect();
    if !begun.is_empty() {
        return Ok(begun);
    }
    let said = words.iter().map(|word| &*word.text).collect::<Vec<_>>().join(" ");
    let mut like: Vec<(u32, &Gloss)> = glossary.iter().map(|gloss| (gloss.name.likeness(&said), gloss)).collect();
    like.retain(|(likeness, _)| *likeness >= LIKE);
    like.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
    Err(Unknown { nearest: like.iter().take(3).map(|(_, gloss)| gloss.name.title().to_string()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glossary() -> Vec<Gloss> {
        let gloss = |id: &str, title: &str| Gloss {
            name: Name::new(id, title, &[]),
            kind: "card".to_string(),
            parts: vec![Part::new("Event", "It happens.")],
        };
        vec![gloss("shadows-gather", "Shadows Gather"), gloss("shadows-on-the-hills", "Shadows on the Hills")]
    }

    #[track_caller]
    fn case(text: &str, expected: &[&str]) {
        let glossary = glossary();
        let found = look_up(&glossary, text).map_or_else(
            |unknown| unknown.nearest.iter().map(|title| format!("? {title}")).collect(),
            |found| found.iter().map(|gloss| gloss.name.title().to_string()).collect::<Vec<_>>(),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn things_are_found_by_spelling_beginning_and_likeness() {
        case("SHADOWS gather!", &["Shadows Gather"]);
        case("shadows", &["Shadows Gather", "Shadows on the Hills"]);
        case("shadows gathr", &["? Shadows Gather"]);
        case("", &[]);
        case("lembas", &[]);
    }
}
