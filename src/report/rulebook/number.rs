//! The number of a paragraph: `9.24`, `C2.18`, `▲35`, `S155`.

use std::fmt;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberKind {
    /// A paragraph of the rules: `9.24`.
    Rule,
    /// A ruling where the sources are silent or disagree: `▲35`.
    Ruling,
    /// A small position in which a rule decides something: `S155`.
    Scenario,
    /// A ruling on cards: `C2.18`.
    Card,
}

/// The number of a paragraph, in the order of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    pub kind: NumberKind,
    /// The chapter; 0 where the numbers run through.
    pub chapter: u16,
    pub place: u16,
}

/// The most digits that a part of a number has.
const DIGITS_MAX: usize = 3;

impl Number {
    /// Reads a text that is a number and nothing else, however it is typed: `s155`, `^35` for `▲35`.
    pub fn read(text: &str) -> Option<Number> {
        let (number, rest) = Number::begins(text)?;
        rest.is_empty().then_some(number)
    }

    /// The number with which the text begins, and what follows it.
    pub fn begins(text: &str) -> Option<(Number, &str)> {
        let first = text.chars().next()?;
        match first {
            '▲' | '^' => {
                let (place, rest) = digits(&text[first.len_utf8()..])?;
                Some((Number { kind: NumberKind::Ruling, chapter: 0, place }, rest))
            }
            'S' | 's' => {
                let (place, rest) = digits(&text[1..])?;
                (text.len() - rest.len() == 4)
                    .then_some((Number { kind: NumberKind::Scenario, chapter: 0, place }, rest))
            }
            'C' | 'c' => dotted(&text[1..], NumberKind::Card),
            _ => dotted(text, NumberKind::Rule),
        }
    }
}

fn dotted(text: &str, kind: NumberKind) -> Option<(Number, &str)> {
    let (chapter, rest) = digits(text)?;
    let (place, rest) = digits(rest.strip_prefix('.')?)?;
    Some((Number { kind, chapter, place }, rest))
}

/// The whole number with which the text begins; `None` if it has more digits than any paragraph.
fn digits(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = (1..=DIGITS_MAX).contains(&end).then(|| text[..end].parse().ok())??;
    Some((number, &text[end..]))
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            NumberKind::Rule => write!(f, "{}.{}", self.chapter, self.place),
            NumberKind::Card => write!(f, "C{}.{}", self.chapter, self.place),
            NumberKind::Ruling => write!(f, "▲{}", self.place),
            NumberKind::Scenario => write!(f, "S{:03}", self.place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: Option<&str>) {
        assert_eq!(Number::read(text).map(|number| number.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn numbers_are_read_however_they_are_typed() {
        case("9.24", Some("9.24"));
        case("c2.18", Some("C2.18"));
        case("^35", Some("▲35"));
        case("▲35", Some("▲35"));
        case("s007", Some("S007"));
        case("S7", None);
        case("9", None);
        case("9.", None);
        case("9.24.1", None);
        case("9999999999.1", None);
        case("sortie", None);
        case("", None);
    }
}
