//! Requests that were understood: what is asked of the post itself, and how it is printed.

use super::guest_request::GuestRequest;
use super::time_request::TimeRequest;
use super::verb::{VERBS, Verb};
use crate::record::commit::signature::PublicKey;
use crate::record::entry::body::{Ballot, Correcting};
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
    Check,
    Map {
        at: Option<u64>,
    },
    History {
        from: Option<u64>,
        to: Option<u64>,
    },
    Why {
        seq: u64,
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
    /// To another host, with words of the player's own.
    Consent {
        words: String,
    },
    Clear,
    Time(TimeRequest),
    /// To an address and a name as they were written.
    Delegate {
        to: String,
        name: Option<String>,
    },
    /// As it was written.
    Address {
        to: String,
    },
    Key {
        key: PublicKey,
    },
    Guest(GuestRequest),
}

/// A letter to other players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The words of the seats it goes to; none for everybody.
    pub to: Vec<String>,
    pub sender: Sender,
    /// Nothing where the text stands in the lines below.
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
    pub rules: Option<String>,
    /// `3d`, or a day.
    pub until: Option<String>,
    pub text: Option<String>,
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
            Request::Press(press) => {
                let to = if press.to.is_empty() { "all".to_owned() } else { press.to.join(", ") };
                let sender = if press.sender == Sender::Anonymous { "anonymous " } else { "" };
                write!(formatter, "{} {sender}{to}", word(Verb::Press))
            }
            Request::Propose(proposed) => write!(formatter, "{} {}", word(Verb::Propose), aim(proposed)),
            Request::Vote { motion, says } => {
                write!(formatter, "{} {}", word(Verb::Vote), says.word())?;
                motion.iter().try_for_each(|motion| write!(formatter, " {motion}"))
            }
            Request::Concede { .. } => formatter.write_str(word(Verb::Concede)),
            Request::Dispute { about, .. } => write!(formatter, "{} {about}", word(Verb::Dispute)),
            Request::Consent { .. } => formatter.write_str(word(Verb::Consent)),
            Request::Clear => formatter.write_str(word(Verb::Clear)),
            Request::Time(request) => request.fmt(formatter),
            Request::Guest(request) => request.fmt(formatter),
            Request::Delegate { .. } => formatter.write_str(word(Verb::Delegate)),
            Request::Address { .. } => formatter.write_str(word(Verb::Address)),
            Request::Key { .. } => formatter.write_str(word(Verb::Key)),
        }
    }
}

impl Request {
    /// What it puts on record or sends to others in the writer's own words.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Request::Press(Press { text, .. }) | Request::Propose(Proposed { text, .. }) => text.as_deref(),
            Request::Concede { text } => text.as_deref(),
            Request::Dispute { text, .. } => Some(text),
            Request::Consent { words } => Some(words),
            Request::Help { .. }
            | Request::Status
            | Request::Menu
            | Request::Standing
            | Request::Check
            | Request::Map { .. }
            | Request::History { .. }
            | Request::Why { .. }
            | Request::Vote { .. }
            | Request::Clear
            | Request::Time(_)
            | Request::Delegate { .. }
            | Request::Address { .. }
            | Request::Key { .. }
            | Request::Guest(_) => None,
        }
    }
}

/// What a proposal is about, as it can be written.
fn aim(proposed: &Proposed) -> String {
    let Proposed { what, to, of, rules, until, .. } = proposed;
    match what {
        Correcting::Ruling => "ruling".to_owned(),
        Correcting::Undo => format!("undo to {}", to.unwrap_or(0)),
        Correcting::Deadline => format!("deadline {}", until.as_deref().unwrap_or("")),
        Correcting::Seat => format!("replacement of {}", of.as_deref().unwrap_or("nobody")),
        Correcting::Pause => "pause".to_owned(),
        Correcting::Resume => "resume".to_owned(),
        Correcting::Draw => "draw".to_owned(),
        Correcting::Rules => format!("rules {}", rules.as_deref().unwrap_or("")),
    }
}
