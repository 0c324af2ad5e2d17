/*! Requests: what a letter may ask of the post office itself, besides the sentences of a game.

[`table`] has one row for each request, [`parsers`] reads what follows its word. To add a request, add a variant to
[`Request`], a row to the table with its parser, and one arm where it is done: in `desk::enclosure` if it only asks for
something to read, in `desk::requests` otherwise. Its help, the lists in letters, the check of who may make it and of
the entry it names, and the questions for a code follow from the row.
*/

pub(crate) mod parsers;
pub mod table;

use self::parsers::Line;
use self::table::{Definition, REQUESTS};
use super::friendly;
use super::settings::Change;
use crate::reply::vocabulary::words_of;
use engine::name::Word;
use ground::span::Span;
use mail::letter::mailbox::Mailbox;
use mail::letter::spelling;
use record::commit::signature::PublicKey;
use record::entry::body::{Auth, Ballot, Correcting};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A request that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Help {
        topic: Option<String>,
    },
    Status,
    Menu,
    Standing,
    /// The whole letter is tried and not played.
    Check,
    /// The table, as it was after an entry; or a part of the map, by the name of a place or of that part.
    Map {
        at: Option<u64>,
        around: Option<String>,
    },
    History {
        from: Option<u64>,
        to: Option<u64>,
    },
    Why {
        seq: u64,
    },
    /// A rule of the game, by its number or by words that stand in it.
    Rule {
        asked: String,
    },
    Press(Press),
    Propose(Proposed),
    Vote {
        motion: Option<u64>,
        says: Ballot,
    },
    Concede {
        text: Option<String>,
    },
    Dispute {
        about: u64,
        text: String,
    },
    /// The player agrees that another host goes on with the game. The words go into the dice.
    Consent {
        words: String,
    },
    /// Takes back the sentences that wait for a question.
    Clear,
    /// The letter that is held is played, without the lines in doubt; or it is taken back.
    Release {
        plays: bool,
    },
    /// `written` is the address as it stands in the letter.
    Delegate {
        to: Mailbox,
        written: String,
        name: Option<String>,
    },
    Address {
        to: Mailbox,
    },
    Key {
        key: PublicKey,
    },
    /// These days do not count for the seat: dates such as `2026-12-24`.
    Absence {
        from: String,
        to: String,
    },
    Back,
    Extend {
        by: Span,
    },
    Zone {
        name: String,
    },
    /// How the player wants the letters to come.
    Letters(Change),
    /// The seats that the guest would like, the best one first; empty if any will do.
    Join {
        seats: Vec<String>,
    },
    Ready,
    Observe,
    /// An invitation is declined, or the letters of a game that is watched end.
    Leave,
    Name {
        name: String,
    },
    Phrase {
        phrase: String,
    },
}

/// A letter to other players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The words of the seats it goes to; empty for everybody.
    pub to: Vec<String>,
    pub sender: Sender,
    /// `None` if the text is in the lines below.
    pub text: Option<String>,
}

/// Whether a letter says who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sender {
    Named,
    Anonymous,
}

/// What a seat proposes, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    pub what: Correcting,
    pub to: Option<u64>,
    /// The word of a seat.
    pub of: Option<String>,
    /// The key with which the seat is to sign.
    pub key: Option<PublicKey>,
    pub rules: Option<String>,
    /// `3d`, or a day.
    pub until: Option<String>,
    pub text: Option<String>,
}

impl Request {
    /// What it puts on record, or sends to others, in the writer's own words.
    pub fn text(&self) -> Option<&str> {
        match self {
            Request::Press(Press { text, .. }) | Request::Propose(Proposed { text, .. }) => text.as_deref(),
            Request::Concede { text } => text.as_deref(),
            Request::Dispute { text, .. } | Request::Consent { words: text } => Some(text),
            _ => None,
        }
    }
}

impl Request {
    /// Whether it makes an entry of the log that a seat signs in words of its own (log 10.4).
    pub fn is_act(&self) -> bool {
        match self {
            Request::Propose(_)
            | Request::Vote { .. }
            | Request::Concede { .. }
            | Request::Dispute { .. }
            | Request::Consent { .. }
            | Request::Key { .. } => true,
            Request::Help { .. }
            | Request::Status
            | Request::Menu
            | Request::Standing
            | Request::Check
            | Request::Map { .. }
            | Request::History { .. }
            | Request::Why { .. }
            | Request::Rule { .. }
            | Request::Press(_)
            | Request::Clear
            | Request::Release { .. }
            | Request::Delegate { .. }
            | Request::Address { .. }
            | Request::Absence { .. }
            | Request::Back
            | Request::Extend { .. }
            | Request::Zone { .. }
            | Request::Letters(_)
            | Request::Join { .. }
            | Request::Ready
            | Request::Observe
            | Request::Leave
            | Request::Name { .. }
            | Request::Phrase { .. } => false,
        }
    }
}

/// A line that is a request, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub definition: &'static Definition,
    pub request: Request,
    /// The request in the words of the table, without the text that it puts on record.
    pub said: String,
    /// The entry of the log that it names.
    pub entry: Option<u64>,
    /// The line as it was read, without the code: the code is bound to these words.
    pub words: String,
    /// The code behind it, if there is one: `concede confirm K7Q2M4XA`.
    pub code: Option<String>,
}

/// A line that begins with the word of a request and goes wrong behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    pub definition: &'static Definition,
    /// How it is written.
    pub usage: String,
    pub why: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not understood: {}. It is written `{}`", self.why, self.usage)
    }
}

/// The request that a line begins with. `words` is the line as it is read.
pub fn find(words: &str) -> Option<&'static Definition> {
    let whole = &*friendly::plainly(words.trim_end_matches(['.', '!']));
    if let Some(definition) =
        REQUESTS.iter().find(|definition| definition.word.contains(' ') && definition.word == whole)
    {
        return Some(definition);
    }
    let first = first(words)?;
    REQUESTS.iter().find(|definition| definition.words().any(|word| word == first))
}

/// The first word of a line, without a question mark.
fn first(words: &str) -> Option<&str> {
    let first = words.split([' ', ':']).next().filter(|first| !first.is_empty())?;
    Some(first.strip_suffix('?').filter(|bare| !bare.is_empty()).unwrap_or(first))
}

/// Reads a line; `None` if it does not begin with the word of a request. `words` is the line in plain spelling.
/// `original` is the line as it was written: what others are to read is taken from there.
///
/// # Errors
/// [`Misread`]: what is wrong behind the word.
pub fn read(words: &str, original: &str) -> Option<Result<Asked, Misread>> {
    let definition = find(words)?;
    let (words, code) = without_code(words);
    let original = if code.is_some() { without_code(original).0 } else { original };
    let subject = definition.subject(words);
    let (read, head, usage, mut line) = match subject {
        Some((subject, words)) => (
            subject.read,
            format!("{} {}", definition.word, subject.word),
            definition.usage_about(subject),
            Line::new(subject.word, words, original),
        ),
        None => (
            definition.read,
            definition.word.to_owned(),
            definition.usage(),
            Line::new(definition.word, words, original),
        ),
    };
    let (request, behind) = match read(&mut line) {
        Ok(read) => read,
        Err(why) => return Some(Err(Misread { definition, usage, why })),
    };
    let words = match &request {
        // A key is longer than a line of ours, and may come back in pieces.
        Request::Key { key } => format!("{} {key}", definition.word).to_lowercase(),
        _ => words.to_owned(),
    };
    let said = if behind.is_empty() { head } else { format!("{head} {behind}") };
    Some(Ok(Asked { definition, request, said, entry: line.entry, words, code: code.map(str::to_owned) }))
}

/// A line without the code that confirms it, and the code.
fn without_code(line: &str) -> (&str, Option<&str>) {
    let found = line.trim_end().rsplit_once(' ').and_then(|(rest, code)| {
        let (words, confirm) = rest.trim_end().rsplit_once([' ', ':'])?;
        let is_code = code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_code && confirm.eq_ignore_ascii_case("confirm")).then_some((words.trim_end(), code))
    });
    found.map_or((line, None), |(words, code)| (words, Some(code)))
}

/// The arguments of requests that a line about something else does not contain.
const ARGUMENTS: [&str; 24] = [
    "all", "on", "off", "yes", "no", "daily", "print", "html", "text", "order", "orders", "asked", "say", "when",
    "entry", "move", "turn", "rule", "table", "menu", "help", "vote", "extend", "press",
];

/// Whether a line begins with the word of a minor request and cannot be one: `Map looks good`. A line that others are
/// to read, or that has grave effects, is never passed over.
pub fn is_small(words: &str) -> bool {
    let asked = match read(words, words) {
        Some(Ok(asked)) if matches!(asked.request, Request::Map { around: Some(_), .. }) => asked.definition,
        Some(Err(misread)) => misread.definition,
        Some(Ok(_)) | None => return false,
    };
    let behind = words_of(words);
    let Some(behind) = behind.get(1..).filter(|behind| behind.len() > 1) else { return false };
    let is_argument = |word: &Word<'_>| {
        ARGUMENTS.contains(&&*word.text) || asked.subjects.iter().any(|subject| subject.word == word.text)
    };
    let is_minor = asked.least == Auth::Token && !matches!(asked.word, "press" | "dispute");
    is_minor && !words.contains(':') && !behind.iter().any(is_argument)
}

/// Whether a line is a whole request, and so never the rest of the line above it.
pub fn is_whole(words: &str) -> bool {
    matches!(read(words, words), Some(Ok(asked)) if !asked.takes_lines_below())
}

/// Whether a line ends the text of a request that takes the lines below it.
pub(super) fn ends_lines_below(words: &str) -> bool {
    matches!(words.trim_end_matches(['.', '!']), "end press" | "endpress")
}

impl Asked {
    /// Whether the text of the request is in the lines below it.
    pub(super) fn takes_lines_below(&self) -> bool {
        matches!(self.request, Request::Press(Press { text: None, .. }))
    }
}

/// A text on one line, with single blanks and nothing invisible, in the letters in which it was written.
pub fn tidy(text: &str) -> String {
    let visible = text.chars().filter(|c| !spelling::is_invisible(*c));
    visible.collect::<String>().split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
