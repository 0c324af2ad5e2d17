/*! Lines ahead (log 9.1): what a seat has written before it is asked, in the words in which its order book keeps them.

A line ahead is an order that answers once, in its order, until the turn ends: `ahead say LINE`. Its question is the
one that reads it, or the one it names (`when asked QUESTION`). `then` lets it wait for the line left before it, and
`since RECORD` says from where on its guards look at what has happened. [`super::lines`] finds the line that is due.
*/

use crate::entry::body::Signed;
use engine::order::held::Held;
use engine::refusal::Refusal;
use ground::hash::Hash;
use std::fmt;

/// A line of a letter: the hash of the letter, and the number of the line.
pub type Line = (Hash, usize);

/// A line ahead, as a book has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineAhead {
    /// It waits for the line left before it.
    pub follows: bool,
    /// The last record that its writer had seen: its guards look at what was played after it. Without one, no guard
    /// holds it back.
    pub since: Option<u64>,
    /// The question that it answers, if its words would fit others as well.
    pub question: Option<String>,
    pub line: String,
}

/// How a line ahead begins.
const AHEAD: &str = "ahead";

impl LineAhead {
    /// Reads a line as a book has it; `None` if it is none, or is written otherwise.
    pub fn read(text: &str) -> Option<LineAhead> {
        let (head, line) = text.strip_prefix(AHEAD)?.split_once(" say ")?;
        let (follows, head) = head.strip_prefix(" then").map_or((false, head), |head| (true, head));
        let (since, head) = match head.strip_prefix(" since ") {
            Some(head) => {
                let end = head.find(' ').unwrap_or(head.len());
                (Some(head[..end].parse().ok()?), &head[end..])
            }
            None => (None, head),
        };
        let question = head.strip_prefix(" when asked ").map(str::to_string);
        let ahead = LineAhead { follows, since, question, line: line.to_string() };
        (ahead.to_string() == text && ahead.is_right()).then_some(ahead)
    }

    /// Whether its line and its question can stand in a book.
    fn is_right(&self) -> bool {
        let words = |text: &str| text.split(' ').all(|word| !word.is_empty() && !word.contains(char::is_whitespace));
        words(&self.line) && self.question.as_ref().is_none_or(|question| words(question) && !question.contains(' '))
    }

    /// The line that a seat has signed in these words.
    pub fn line_of_signed(words: &str) -> String {
        words.split_whitespace().collect::<Vec<&str>>().join(" ").to_lowercase()
    }

    /// Whether it is a line of a plan, and not the answer to one question.
    pub fn is_of_plan(&self) -> bool {
        self.question.is_none()
    }

    /// Whether a question of this id is the one that it is for. A single word behind another line fits many questions,
    /// and is meant for the seat's own turn.
    pub fn is_for(&self, id: &str, own_turn: &[&str]) -> bool {
        match &self.question {
            Some(question) => question == id,
            None => !self.follows || self.line.contains(' ') || own_turn.is_empty() || own_turn.contains(&id),
        }
    }
}

impl fmt::Display for LineAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(AHEAD)?;
        if self.follows {
            f.write_str(" then")?;
        }
        if let Some(since) = self.since {
            write!(f, " since {since}")?;
        }
        if let Some(question) = &self.question {
            write!(f, " when asked {question}")?;
        }
        write!(f, " say {}", self.line)
    }
}

/// A line ahead in the book of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingLine {
    pub number: u32,
    pub ahead: LineAhead,
    /// What the seat had seen when it signed the line, and what it signed.
    pub signed: Option<(u64, Signed)>,
    /// The line of a letter that brought it; only the host knows it.
    pub came: Option<Line>,
    /// The first record that commits to it; and, once it is taken back, the first that no longer does.
    pub(super) since: u64,
    pub(super) until: Option<u64>,
    /// The turn in which it was left, and may be said.
    pub turn: String,
    pub state: LineState,
}

/// What has become of a line ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineState {
    Waits,
    /// Its plan has stopped.
    Stopped(HeldBack),
    /// It was said in this record, in these words.
    Said {
        seq: u64,
        said: String,
    },
    /// It named its question, and a rule forbade it then.
    Refused(Box<Refusal>),
    /// Another line of its seat was refused.
    Lost,
    /// The game was put back since it was left.
    Undone,
}

/// Why a line is held back although its question has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldBack {
    /// Its writer wished to be asked if this holds.
    Wished(String),
    Touched(Held),
    /// It was written before the records that are remembered.
    LongAgo,
    Forbidden(Box<Refusal>),
}

impl fmt::Display for HeldBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeldBack::Wished(condition) => write!(f, "you wished to be asked if {condition}"),
            HeldBack::Touched(held) => held.fmt(f),
            HeldBack::LongAgo => f.write_str("so much has happened since it was written that nobody looks through it"),
            HeldBack::Forbidden(refusal) => refusal.fmt(f),
        }
    }
}

impl StandingLine {
    /// Why its plan has stopped, if it has.
    pub fn stopped(&self) -> Option<&HeldBack> {
        if let LineState::Stopped(why) = &self.state { Some(why) } else { None }
    }

    /// Whether it waits, perhaps with a plan that has stopped, in this turn.
    pub fn stands(&self, turn: &str) -> bool {
        self.turn == turn && matches!(self.state, LineState::Waits | LineState::Stopped(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str) -> LineAhead {
        LineAhead::read(text).expect(text)
    }

    #[test]
    fn a_line_is_written_in_one_way() {
        let plain = reads("ahead say attack moria; stop if card");
        assert_eq!((plain.follows, plain.since, &plain.question), (false, None, &None));
        assert_eq!(plain.line, "attack moria; stop if card");
        let whole = reads("ahead then since 417 when asked losses say lose 1 regular say");
        assert_eq!((whole.follows, whole.since, whole.question.as_deref()), (true, Some(417), Some("losses")));
        for wrong in [
            "ahead pass",
            "ahead say ",
            "ahead say a  b",
            "ahead since 007 say pass",
            "ahead since 4 then say pass",
            "ahead when asked a b say pass",
            "ahead then  say pass",
            "aheadsay pass",
            "when asked a say pass",
        ] {
            assert_eq!(LineAhead::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn one_word_behind_a_line_is_for_the_own_turn() {
        assert!(!reads("ahead then say pass").is_for("defence", &["action"]));
        assert!(reads("ahead then say pass").is_for("action", &["action"]));
        assert!(reads("ahead say pass").is_for("defence", &["action"]));
        assert!(reads("ahead then say roll 2").is_for("defence", &["action"]));
        assert!(!reads("ahead when asked defence say roll 2").is_for("action", &["action"]));
    }
}
