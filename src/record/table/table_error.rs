/*! Why something could not be done at a table. Nothing has changed then. */

use super::timekeeping::ClockRefused;
use crate::engine::refusal::Refusal;
use crate::record::charter::CharterError;
use crate::record::commit::chain::CodeRefused;
use crate::record::file::log::LogError;
use crate::record::file::reading::NotFollowed;
use crate::record::file::secrets::SecretsError;
use crate::record::fold::standing::NotAnOrder;
use crate::record::problem::Problem;
use crate::record::value::stamp::Stamp;
use std::fmt;

/// Why something could not be done.
#[derive(Debug)]
pub enum TableError {
    Charter(CharterError),
    Log(LogError),
    /// The log that was opened cannot be read or does not verify.
    Reading(NotFollowed),
    Secrets(SecretsError),
    Random(getrandom::Error),
    /// The sentence was not played.
    Refused(Refusal),
    /// The answer is kept until its code comes.
    Held(CodeRefused),
    Order(NotAnOrder),
    /// Something about time that cannot be.
    Clock(ClockRefused),
    NoSuchOrder {
        standing: u64,
    },
    /// No question that a standing order could answer has this name.
    NoSuchQuestion {
        found: String,
        asked: Vec<&'static str>,
    },
    NotJoined {
        missing: Vec<String>,
    },
    NotNow {
        why: &'static str,
    },
    TooFarBack {
        to: u64,
    },
    TimeRunsBack {
        before: Stamp,
        at: Stamp,
    },
    /// The host's chain has no link left.
    NoLinks,
    /// `host.yaml` belongs to another game.
    OtherSecrets,
    /// Standing orders answer one another without end.
    Restless,
    /// The record that was to be written would not verify.
    Unsound(Vec<Problem>),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Charter(error) => write!(f, "{error}"),
            TableError::Log(error) => write!(f, "{error}"),
            TableError::Reading(error) => write!(f, "{error}"),
            TableError::Secrets(error) => write!(f, "{error}"),
            TableError::Random(error) => write!(f, "the system gives no random bytes: {error}"),
            TableError::Refused(refusal) => write!(f, "{refusal}"),
            TableError::Held(refused) => write!(f, "{refused}. The answer is kept until then; nothing has changed"),
            TableError::Order(error) => write!(f, "{error}"),
            TableError::Clock(refused) => write!(f, "{refused}"),
            TableError::NoSuchOrder { standing } => write!(f, "no standing order {standing} of yours stands"),
            TableError::NoSuchQuestion { found, asked } => {
                write!(f, "the game never asks `{found}`; it asks: {}", asked.join(", "))
            }
            TableError::NotJoined { missing } => write!(f, "not yet joined: {}", missing.join(", ")),
            TableError::NotNow { why } => write!(f, "not now: {why}"),
            TableError::TooFarBack { to } => {
                write!(f, "record {to} cannot be gone back to: it is too long ago, or a deck was laid since")
            }
            TableError::TimeRunsBack { before, at } => {
                write!(f, "the last record is of {before}, and the clock says {at}: set the clock right")
            }
            TableError::NoLinks => write!(
                f,
                "the host's chain has no link left; the new one takes effect when every seat with codes has answered"
            ),
            TableError::OtherSecrets => write!(f, "the host.yaml in this folder belongs to another game"),
            TableError::Restless => write!(f, "the standing orders answer one another without end"),
            TableError::Unsound(problems) => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                write!(f, "the record would not verify, and was not written: {first}")
            }
        }
    }
}

impl std::error::Error for TableError {}

macro_rules! from {
    ($($variant:ident($error:ty),)+) => { $(
        impl From<$error> for TableError {
            fn from(error: $error) -> TableError {
                TableError::$variant(error)
            }
        }
    )+ };
}

from! {
    Charter(CharterError),
    Log(LogError),
    Reading(NotFollowed),
    Secrets(SecretsError),
    Refused(Refusal),
    Order(NotAnOrder),
    Clock(ClockRefused),
}
