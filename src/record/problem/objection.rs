/*! What is wrong with a motion, a vote, a concession or a text that a seat puts on record, as facts: the log words
them in one way, and the post office in another for the player who asked.
*/

use super::rule::Rule;
use ground::stamp::Stamp;
use std::fmt;

/// Why a record on an agreement of the table is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// A pause is proposed, but the game is paused already.
    Paused,
    NotPaused,
    /// A deadline is to be moved, but none is running.
    NoDeadline,
    /// The new deadline is not after the record.
    DeadlinePassed,
    TooManyMotions {
        most: usize,
    },
    /// The seat has given up, so it cannot propose anything.
    CannotMove {
        seat: String,
    },
    /// The seat has no vote on this.
    CannotVote {
        seat: String,
    },
    /// The seat concedes, but the game is over for it already.
    OutOfTheGame {
        seat: String,
    },
    NoMotion {
        motion: u64,
    },
    MotionLapsed {
        motion: u64,
        moved: Stamp,
        days: i64,
    },
    VotedBefore,
    /// The game cannot be put back to what it was after this record.
    OutOfReach {
        to: u64,
    },
    NoSuchRules {
        rules: String,
    },
    Length {
        key: &'static str,
        characters: usize,
        most: usize,
    },
    /// A character that ends the line, controls a terminal or turns the direction of writing.
    Character {
        key: &'static str,
        found: char,
    },
}

impl Objection {
    /// The rule that is broken.
    pub fn rule(&self) -> Rule {
        match self {
            Objection::Paused | Objection::NotPaused => Rule::ChangePause,
            Objection::NoDeadline => Rule::ChangeDeadline,
            Objection::DeadlinePassed => Rule::ChangeUntil,
            Objection::TooManyMotions { .. } => Rule::MotionMany,
            Objection::CannotMove { .. } => Rule::MotionSay,
            Objection::CannotVote { .. } => Rule::VoteSay,
            Objection::OutOfTheGame { .. } => Rule::ConcedeOver,
            Objection::NoMotion { .. } | Objection::MotionLapsed { .. } => Rule::VoteMotion,
            Objection::VotedBefore => Rule::VoteAgain,
            Objection::OutOfReach { .. } => Rule::ChangeUndo,
            Objection::NoSuchRules { .. } => Rule::ChangeRules,
            Objection::Length { .. } => Rule::TextLength,
            Objection::Character { .. } => Rule::TextCharacter,
        }
    }

    /// The key of the record that is wrong, what should stand there, and what does.
    pub fn value(&self) -> (&'static str, String, String) {
        let plain = |key, expected: &str, found: &str| (key, expected.to_string(), found.to_string());
        match self {
            Objection::Paused => plain("what", "no pause in a pause", "pause"),
            Objection::NotPaused => plain("what", "a pause before", "resume"),
            Objection::NoDeadline => plain("what", "what can be moved", "a deadline where there is none"),
            Objection::DeadlinePassed => plain("until", "a time after the record", "none"),
            Objection::TooManyMotions { most } => {
                plain("type", &format!("at most {most} open motions of a seat"), "one more")
            }
            Objection::CannotMove { seat } => plain("seat", "a seat that has not given up", seat),
            Objection::CannotVote { seat } => plain("seat", "a seat that has a say in it", seat),
            Objection::OutOfTheGame { seat } => plain("seat", "a seat that is still playing", seat),
            Objection::NoMotion { motion } => plain("motion", "a motion that is open", &motion.to_string()),
            Objection::MotionLapsed { moved, days, .. } => {
                plain("motion", &format!("a motion of the last {days} days"), moved.as_str())
            }
            Objection::VotedBefore => plain("says", "a vote that was not given before", "yes, once more"),
            Objection::OutOfReach { to } => {
                plain("to", "a played record not too long ago, and after the last deck was laid", &to.to_string())
            }
            Objection::NoSuchRules { rules } => plain("rules", "another edition by which the game can go on", rules),
            Objection::Length { key, characters, most } => {
                plain(key, &format!("1 to {most} characters, not only blanks"), &format!("{characters} characters"))
            }
            Objection::Character { key, found } => {
                let code = format!("U+{:04X}", u32::from(*found));
                plain(key, "a text without control characters, ends of lines and turns of the direction", &code)
            }
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, expected, found) = self.value();
        write!(f, "`{key}` should be {expected}, not {found}")
    }
}

impl std::error::Error for Objection {}
