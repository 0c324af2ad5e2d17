/*! The table of requests: what may be asked of the post itself, besides the sentences of a game (post.md 1.7).

Each request is defined once, in [`VERBS`]: its word and other spellings, what follows it, who may make it, and a line
of help. Reading, refusing, HELP and the lists in letters follow from there. A request stands at the left margin of the
sender's own text; a word that the question being asked knows is the game's, and no request.
*/

use super::spelling;
use std::fmt;

/// A request that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Help,
    Status,
    Menu,
    Standing,
    Check,
    Map,
    History,
    Why,
    Dispute,
}

impl Verb {
    /// Whether it only tells something, and changes nothing.
    #[must_use]
    pub fn only_reads(self) -> bool {
        match self {
            Verb::Help | Verb::Status | Verb::Menu | Verb::Standing | Verb::Check => true,
            Verb::Map | Verb::History | Verb::Why => true,
            Verb::Dispute => false,
        }
    }
}

/// Who may make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Whoever holds a seat.
    Player,
    /// Whoever gets letters of the game: players, guests and observers.
    Reader,
}

/// One request, defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    pub verb: Verb,
    pub word: &'static str,
    /// Other words for it.
    pub spellings: &'static [&'static str],
    /// What follows the word, as help prints it.
    pub arguments: &'static str,
    pub who: Who,
    /// What it does, in a sentence without a capital letter and a full stop.
    pub help: &'static str,
}

/// Every request, in the order in which help lists them.
pub const VERBS: &[Definition] = &[
    Definition {
        verb: Verb::Help,
        word: "help",
        spellings: &["hilfe", "aide", "?"],
        arguments: "[topic]",
        who: Who::Reader,
        help: "explains how to answer, or a request, a question or a card of the game",
    },
    Definition {
        verb: Verb::Status,
        word: "status",
        spellings: &["state"],
        arguments: "",
        who: Who::Reader,
        help: "tells who is waited for and since when, and what is proposed",
    },
    Definition {
        verb: Verb::Menu,
        word: "menu",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        help: "shows again what you may say",
    },
    Definition {
        verb: Verb::Map,
        word: "map",
        spellings: &["table"],
        arguments: "[entry]",
        who: Who::Reader,
        help: "shows the table, or the table as it was after an entry",
    },
    Definition {
        verb: Verb::History,
        word: "history",
        spellings: &["log"],
        arguments: "[from [to]]",
        who: Who::Reader,
        help: "tells the game entry by entry; without numbers, its last entries",
    },
    Definition {
        verb: Verb::Why,
        word: "why",
        spellings: &["explain"],
        arguments: "entry",
        who: Who::Reader,
        help: "explains an entry to the last die",
    },
    Definition {
        verb: Verb::Dispute,
        word: "dispute",
        spellings: &[],
        arguments: "entry: text",
        who: Who::Player,
        help: "puts your objection to an entry on record, and tells the host and all players",
    },
    Definition {
        verb: Verb::Standing,
        word: "standing",
        spellings: &["orders"],
        arguments: "",
        who: Who::Player,
        help: "lists your standing orders",
    },
    Definition {
        verb: Verb::Check,
        word: "check",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        help: "alone in a line: the whole letter is tried, and not played",
    },
];

/// A request that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Help { topic: Option<String> },
    Status,
    Menu,
    Standing,
    Check,
    Map { at: Option<u64> },
    History { from: Option<u64>, to: Option<u64> },
    Why { seq: u64 },
    Dispute { about: u64, text: String },
}

impl fmt::Display for Request {
    /// The request in the words of the table, without the text that it puts on record.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |verb: Verb| {
            let definition = VERBS.iter().find(|definition| definition.verb == verb);
            definition.expect("every request is in the table").word
        };
        match self {
            Request::Help { topic: None } => formatter.write_str(word(Verb::Help)),
            Request::Help { topic: Some(topic) } => write!(formatter, "{} {topic}", word(Verb::Help)),
            Request::Status => formatter.write_str(word(Verb::Status)),
            Request::Menu => formatter.write_str(word(Verb::Menu)),
            Request::Standing => formatter.write_str(word(Verb::Standing)),
            Request::Check => formatter.write_str(word(Verb::Check)),
            Request::Map { at: None } => formatter.write_str(word(Verb::Map)),
            Request::Map { at: Some(at) } => write!(formatter, "{} {at}", word(Verb::Map)),
            Request::History { from, to } => {
                formatter.write_str(word(Verb::History))?;
                [from, to].into_iter().flatten().try_for_each(|number| write!(formatter, " {number}"))
            }
            Request::Why { seq } => write!(formatter, "{} {seq}", word(Verb::Why)),
            Request::Dispute { about, .. } => write!(formatter, "{} {about}", word(Verb::Dispute)),
        }
    }
}

/// A line that begins with the word of a request and goes wrong behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    pub definition: &'static Definition,
    pub why: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not understood: {}. It is written `{}`", self.why, self.definition.usage())
    }
}

impl Definition {
    /// The request as it is written: `history [from [to]]`.
    #[must_use]
    pub fn usage(&self) -> String {
        match self.arguments {
            "" => self.word.to_owned(),
            arguments => format!("{} {arguments}", self.word),
        }
    }
}

/// The request that a line begins with. `words` is the line as it is read.
#[must_use]
pub fn find(words: &str) -> Option<&'static Definition> {
    let first = words.split([' ', ':']).next().filter(|first| !first.is_empty())?;
    let bare = first.strip_suffix('?').filter(|bare| !bare.is_empty()).unwrap_or(first);
    VERBS.iter().find(|definition| definition.word == bare || definition.spellings.contains(&bare))
}

/// Reads a line; `None` if it does not begin with the word of a request. `original` is the line as it was written:
/// what is to be told to others is taken from there.
///
/// # Errors
/// [`Misread`]: what is wrong behind the word.
#[must_use]
pub fn read(words: &str, original: &str) -> Option<Result<Request, Misread>> {
    let definition = find(words)?;
    let line = Line { definition, behind: behind_the_word(words), original };
    Some(line.request(definition.verb))
}

/// Whether a line is a whole request, and so never the rest of the line above it.
#[must_use]
pub fn is_whole(words: &str) -> bool {
    matches!(read(words, words), Some(Ok(_)))
}

/// A line whose request is known.
struct Line<'a> {
    definition: &'static Definition,
    /// What stands behind the word, as it is read.
    behind: &'a str,
    original: &'a str,
}

impl Line<'_> {
    fn request(&self, verb: Verb) -> Result<Request, Misread> {
        match verb {
            Verb::Help => {
                let topic = self.behind.trim_end_matches('?').trim();
                Ok(Request::Help { topic: (!topic.is_empty()).then(|| topic.to_owned()) })
            }
            Verb::Status => self.alone(Request::Status),
            Verb::Menu => self.alone(Request::Menu),
            Verb::Standing => self.alone(Request::Standing),
            Verb::Check => self.alone(Request::Check),
            Verb::Map => Ok(Request::Map { at: self.numbers(1)?.first().copied() }),
            Verb::History => {
                let numbers = self.numbers(2)?;
                Ok(Request::History { from: numbers.first().copied(), to: numbers.get(1).copied() })
            }
            Verb::Why => match self.numbers(1)?.first() {
                Some(seq) => Ok(Request::Why { seq: *seq }),
                None => Err(self.misread("the number of the entry is missing")),
            },
            Verb::Dispute => {
                let (number, _) = self.behind.split_once([' ', ':']).unwrap_or((self.behind, ""));
                let about = self.number(number)?;
                Ok(Request::Dispute { about, text: self.text(2)? })
            }
        }
    }

    fn alone(&self, request: Request) -> Result<Request, Misread> {
        match self.behind {
            "" => Ok(request),
            behind => Err(self.misread(format!("nothing follows `{}`, but `{behind}` stands there", self.word()))),
        }
    }

    fn word(&self) -> &'static str {
        self.definition.word
    }

    fn misread(&self, why: impl Into<String>) -> Misread {
        Misread { definition: self.definition, why: why.into() }
    }

    fn number(&self, word: &str) -> Result<u64, Misread> {
        let digits = word.trim_start_matches('#').trim_end_matches('?');
        let number = digits.parse().ok().filter(|_| digits.len() <= 15);
        number.ok_or_else(|| self.misread(format!("`{word}` is not the number of an entry")))
    }

    /// At most so many numbers, however they are parted: `3 9`, `3-9`, `#3 to #9`.
    fn numbers(&self, most: usize) -> Result<Vec<u64>, Misread> {
        let words = self.behind.split([' ', '-', ',']).filter(|word| !matches!(*word, "" | "from" | "to"));
        let numbers = words.map(|word| self.number(word)).collect::<Result<Vec<u64>, Misread>>()?;
        match numbers.get(most) {
            None => Ok(numbers),
            Some(more) => Err(self.misread(format!("`{more}` is one number too many"))),
        }
    }

    /// The text behind the first so many words of the line, as it was written.
    fn text(&self, words: usize) -> Result<String, Misread> {
        let mut rest = self.original.trim();
        for _ in 0..words {
            rest = rest.split_once([' ', '\t', '\u{a0}', ':']).map_or("", |(_, rest)| rest.trim_start());
        }
        let text = tidy(rest.trim_start_matches([':', '\u{ff1a}']));
        match text.is_empty() {
            true => Err(self.misread("the text is missing")),
            false => Ok(text),
        }
    }
}

fn behind_the_word(words: &str) -> &str {
    words.split_once([' ', ':']).map_or("", |(_, behind)| behind.trim_start_matches([':', ' ']).trim())
}

/// A text on one line, with single blanks and nothing invisible, in the letters in which it was written.
#[must_use]
pub fn tidy(text: &str) -> String {
    let visible = text.chars().filter(|c| !spelling::is_invisible(*c));
    visible.collect::<String>().split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_means_one_request() {
        let mut known = BTreeSet::new();
        for definition in VERBS {
            for word in definition.spellings.iter().chain([&definition.word]) {
                assert!(known.insert(*word), "`{word}` means two things");
                assert_eq!(find(word).map(|found| found.verb), Some(definition.verb));
            }
            assert!(!definition.help.ends_with('.') && !definition.help.is_empty());
        }
    }

    #[track_caller]
    fn case(line: &str, expected: Request) {
        assert_eq!(read(&spelling::plain(line), line), Some(Ok(expected)));
    }

    #[test]
    fn requests_are_read_as_people_write_them() {
        case("HELP", Request::Help { topic: None });
        case("help  Athelas?", Request::Help { topic: Some("athelas".to_owned()) });
        case("Status?", Request::Status);
        case("history", Request::History { from: None, to: None });
        case("History 3\u{2013}9", Request::History { from: Some(3), to: Some(9) });
        case("history from #3 to #9", Request::History { from: Some(3), to: Some(9) });
        case("why 57?", Request::Why { seq: 57 });
        case("map", Request::Map { at: None });
        let text = "Bree was MINE, see #54".to_owned();
        case("Dispute 57: Bree was  MINE, see #54", Request::Dispute { about: 57, text: text.clone() });
        case("dispute #57 Bree was MINE, see #54", Request::Dispute { about: 57, text });
    }

    #[track_caller]
    fn wrong(line: &str, expected: &str) {
        assert_eq!(read(&spelling::plain(line), line).unwrap().unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_goes_wrong_is_told_with_what_would_have_been_right() {
        wrong("why", "not understood: the number of the entry is missing. It is written `why entry`");
        wrong("why not", "not understood: `not` is not the number of an entry. It is written `why entry`");
        wrong("history 1 2 3", "not understood: `3` is one number too many. It is written `history [from [to]]`");
        wrong("dispute 57", "not understood: the text is missing. It is written `dispute entry: text`");
        wrong("menu please", "not understood: nothing follows `menu`, but `please` stands there. It is written `menu`");
        assert_eq!(read("helping hand", "helping hand"), None);
        assert_eq!(read("", ""), None);
    }
}
