//! What somebody asks for: a rule, several rules, a chapter, or words.

use crate::columns::{cut, ruly};
use crate::rulebook::Shelf;
use crate::rulebook::book::{Book, Paragraph, Part};
use crate::rulebook::number::{Number, NumberKind};
use crate::rulebook::search::{self, Hit};
use std::fmt;

/// The longest question that is read, in characters.
pub const ASKED_MAX: usize = 200;
/// How many paragraphs of a book one answer shows at most.
pub const SHOWN_MAX: usize = 20;

/// What was found.
pub struct Answer<'b> {
    pub found: Vec<Found<'b>>,
    /// The ids of the titles whose books both have it.
    pub both: Vec<&'static str>,
    /// How many more paragraphs were asked for: too many to show.
    pub more: usize,
}

/// One thing that was found.
pub enum Found<'b> {
    Rule {
        shelf: &'b Shelf,
        book: &'b Book,
        paragraph: &'b Paragraph,
    },
    /// A chapter, by its heading.
    Chapter {
        shelf: &'b Shelf,
        book: &'b Book,
        heading: &'b str,
    },
    /// Paragraphs that have the words, the best first.
    Hits {
        shelf: &'b Shelf,
        hits: Vec<Hit<'b>>,
        more: usize,
    },
}

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Nothing was asked.
    Nothing,
    TooLong {
        length: usize,
    },
    /// A number that no paragraph has.
    NoSuchNumber {
        asked: String,
        /// What there is, a phrase for each book.
        has: Vec<String>,
    },
    NoSuchWords {
        asked: String,
        nearest: Vec<String>,
    },
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Nothing => f.write_str("Say which rule: a number such as 9.24, or a word such as retreat."),
            Unanswered::TooLong { length } => {
                write!(f, "A rule is asked for in {ASKED_MAX} characters at most, not in {length}.")
            }
            Unanswered::NoSuchNumber { asked, has } => {
                write!(f, "There is no rule {asked}.")?;
                has.iter().try_for_each(|has| write!(f, " {has}."))
            }
            Unanswered::NoSuchWords { asked, nearest } => {
                write!(f, "No rule speaks of `{asked}`.")?;
                if nearest.is_empty() { Ok(()) } else { write!(f, " Did you mean: {}?", nearest.join(", ")) }
            }
        }
    }
}

impl std::error::Error for Unanswered {}

/// One number of a question, or a range, or a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Paragraphs(Number, Number),
    /// The chapter `9`, or `C2`.
    Chapter(NumberKind, u16),
}

/// What the books say about a question.
pub fn ask<'b>(shelves: &[&'b Shelf], asked: &str) -> Result<Answer<'b>, Unanswered> {
    let asked = asked.trim();
    let length = asked.chars().count();
    if asked.is_empty() {
        return Err(Unanswered::Nothing);
    }
    if length > ASKED_MAX {
        return Err(Unanswered::TooLong { length });
    }
    match numbers(asked) {
        Numbers::All(wanted) => by_number(shelves, &wanted),
        Numbers::Wrong(word) => Err(Unanswered::NoSuchNumber { asked: shown(&word), has: Vec::new() }),
        Numbers::None => by_words(shelves, asked),
    }
}

/// What was asked, as it may be shown again.
fn shown(asked: &str) -> String {
    cut(&ruly(asked), 40)
}

/// Whether a question consists of numbers.
#[derive(Debug, PartialEq, Eq)]
enum Numbers {
    /// It does: these.
    All(Vec<Wanted>),
    /// It should, but this part is not a number.
    Wrong(String),
    None,
}

fn numbers(asked: &str) -> Numbers {
    let spaced = asked.replace(['-', '–', '—'], " to ").replace([',', ';', '(', ')'], " ");
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut is_range = false;
    let mut ruling = false;
    for word in spaced.split_whitespace() {
        match word.to_lowercase().as_str() {
            "rule" | "rules" | "paragraph" | "chapter" | "scenario" | "and" => continue,
            "ruling" => ruling = true,
            "to" => is_range = true,
            _ => {
                let word = word.trim_end_matches('.');
                let Some(one) = one(word, std::mem::take(&mut ruling)) else {
                    let is_count = word.chars().all(|c| c.is_ascii_digit() || c == '.') && !word.is_empty();
                    return if is_count { Numbers::Wrong(word.to_string()) } else { Numbers::None };
                };
                match (std::mem::take(&mut is_range), wanted.last_mut(), one) {
                    (true, Some(Wanted::Paragraphs(first, last)), Wanted::Paragraphs(to, _)) if to >= *first => {
                        *last = to;
                    }
                    _ => wanted.push(one),
                }
            }
        }
    }
    if wanted.is_empty() { Numbers::None } else { Numbers::All(wanted) }
}

fn one(word: &str, is_ruling: bool) -> Option<Wanted> {
    if is_ruling {
        let number = Number::read(&format!("▲{}", word.trim_start_matches('▲')))?;
        return Some(Wanted::Paragraphs(number, number));
    }
    if let Some(number) = Number::read(word) {
        return Some(Wanted::Paragraphs(number, number));
    }
    let (kind, count) = match word.strip_prefix(['C', 'c']) {
        Some(count) => (NumberKind::Card, count),
        None => (NumberKind::Rule, word),
    };
    let is_count = (1..=3).contains(&count.len()) && count.chars().all(|c| c.is_ascii_digit());
    Some(Wanted::Chapter(kind, is_count.then(|| count.parse().ok())??))
}

fn by_number<'b>(shelves: &[&'b Shelf], wanted: &[Wanted]) -> Result<Answer<'b>, Unanswered> {
    let mut answer = Answer { found: Vec::new(), both: Vec::new(), more: 0 };
    for shelf in shelves {
        let before = answer.found.len();
        for wanted in wanted {
            gather(shelf, *wanted, &mut answer);
        }
        if answer.found.len() > before {
            answer.both.push(shelf.title.id);
        }
    }
    if answer.both.len() < 2 {
        answer.both.clear();
    }
    if answer.found.is_empty() {
        let has = shelves.iter().filter_map(|shelf| nearby(shelf, wanted[0])).collect();
        return Err(Unanswered::NoSuchNumber { asked: worded(wanted[0]), has });
    }
    Ok(answer)
}

fn gather<'b>(shelf: &'b Shelf, wanted: Wanted, answer: &mut Answer<'b>) {
    match wanted {
        Wanted::Chapter(kind, count) => {
            for book in &shelf.books {
                let heading = book.parts.iter().find_map(|part| match part {
                    Part::Heading { level: 2, text } if is_chapter(text, kind, count) => Some(text.as_str()),
                    _ => None,
                });
                answer.found.extend(heading.map(|heading| Found::Chapter { shelf, book, heading }));
            }
        }
        Wanted::Paragraphs(first, last) => {
            let all = shelf.books.iter().flat_map(|book| book.paragraphs().map(move |paragraph| (book, paragraph)));
            let within = |paragraph: &Paragraph| {
                paragraph.number.kind == first.kind && paragraph.number <= last && paragraph.last >= first
            };
            for (shown, (book, paragraph)) in all.filter(|(_, paragraph)| within(paragraph)).enumerate() {
                if shown < SHOWN_MAX {
                    answer.found.push(Found::Rule { shelf, book, paragraph })
                } else {
                    answer.more += 1
                }
            }
        }
    }
}

/// Whether this is the heading of the chapter: `9. Battles`, `C2. Character cards`.
fn is_chapter(heading: &str, kind: NumberKind, count: u16) -> bool {
    let mark = if kind == NumberKind::Card { "C" } else { "" };
    heading.starts_with(&format!("{mark}{count}. "))
}

fn worded(wanted: Wanted) -> String {
    match wanted {
        Wanted::Paragraphs(first, last) if first == last => first.to_string(),
        Wanted::Paragraphs(first, last) => format!("{first} to {last}"),
        Wanted::Chapter(NumberKind::Card, count) => format!("C{count}"),
        Wanted::Chapter(_, count) => count.to_string(),
    }
}

/// What a book has instead of a number that it lacks: `War of the Ring has 9.1 to 9.53`.
fn nearby(shelf: &Shelf, wanted: Wanted) -> Option<String> {
    let (kind, chapter) = match wanted {
        Wanted::Paragraphs(first, _) => (first.kind, Some(first.chapter)),
        Wanted::Chapter(kind, _) => (kind, None),
    };
    let alike = |chapter: Option<u16>| {
        let all = shelf.books.iter().flat_map(Book::paragraphs).map(|paragraph| (paragraph.number, paragraph.last));
        let mut alike =
            all.filter(|(number, _)| number.kind == kind && chapter.is_none_or(|chapter| number.chapter == chapter));
        let first = alike.next()?;
        Some((first.0, alike.last().unwrap_or(first).1))
    };
    let (first, last) = alike(chapter).or_else(|| alike(None))?;
    Some(format!("{} has {first} to {last}", shelf.title.name))
}

fn by_words<'b>(shelves: &[&'b Shelf], asked: &str) -> Result<Answer<'b>, Unanswered> {
    let mut answer = Answer { found: Vec::new(), both: Vec::new(), more: 0 };
    for shelf in shelves {
        let (hits, more) = search::hits(shelf, asked);
        if !hits.is_empty() {
            answer.found.push(Found::Hits { shelf, hits, more });
        }
    }
    if answer.found.is_empty() {
        return Err(Unanswered::NoSuchWords { asked: shown(asked), nearest: search::nearest(shelves, asked) });
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(asked: &str, expected: &[&str]) {
        let Numbers::All(wanted) = numbers(asked) else { panic!("{asked}: {:?}", numbers(asked)) };
        assert_eq!(wanted.into_iter().map(worded).collect::<Vec<_>>(), expected, "{asked}");
    }

    #[test]
    fn numbers_are_told_from_words() {
        case("9.24", &["9.24"]);
        case("rule 9.24, 8.2", &["9.24", "8.2"]);
        case("6.18 to 6.24", &["6.18 to 6.24"]);
        case("6.18-6.24", &["6.18 to 6.24"]);
        case("ruling 35", &["▲35"]);
        case("chapter 9", &["9"]);
        case("c2 S155", &["C2", "S155"]);
        assert_eq!(numbers("9.24.1"), Numbers::Wrong("9.24.1".to_string()));
        assert_eq!(numbers("99999999999999999999"), Numbers::Wrong("99999999999999999999".to_string()));
        assert_eq!(numbers("retreat"), Numbers::None);
        assert_eq!(numbers("../../x"), Numbers::None);
        assert_eq!(numbers("to"), Numbers::None);
    }
}
