/*! Why a sentence cannot be played: it was not understood, or it is not allowed. The two are never mixed.

A refusal carries facts; its words are made here and nowhere else. A refusal changes nothing.
*/

use crate::seat::Seat;
use std::fmt;
use std::ops::Range;

/// Why a sentence was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game waits for another seat, or it is over.
    NotAsked { waits_for: Option<(Seat, &'static str)> },
    /// A word could not be read.
    NotUnderstood {
        /// The bytes of the line that could not be read; empty at its end when words are missing.
        at: Range<usize>,
        found: String,
        /// Everything that is accepted at this place.
        expected: Vec<String>,
        /// The kind of thing expected, if all expected words are of one kind.
        kind: Option<Box<Expected>>,
        /// What the player probably meant.
        nearest: Option<String>,
    },
    /// A word can be read in more than one way.
    Ambiguous { at: Range<usize>, found: String, could_be: Vec<String> },
    /// The sentence was understood, and a rule forbids it.
    NotAllowed {
        at: Range<usize>,
        said: String,
        barred: Barred,
        /// What would have been right instead.
        instead: Vec<String>,
    },
}

/// A kind of thing that is expected: its noun, and an accepted example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub noun: &'static str,
    pub example: String,
}

/// The rule that forbids something, and the reason, in a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barred {
    /// Empty if the reason needs no rule of the game, e.g. a thing named twice.
    pub rule: &'static str,
    pub why: String,
}

/// `Ok` if something may be said.
pub type Allowed = Result<(), Barred>;

/// Not allowed, by this rule and for this reason.
pub fn barred(rule: &'static str, why: impl Into<String>) -> Allowed {
    Err(Barred { rule, why: why.into() })
}

/// Allowed if the condition holds; otherwise barred by this rule.
pub fn allowed_if(condition: bool, rule: &'static str, why: impl FnOnce() -> String) -> Allowed {
    if condition { Ok(()) } else { Err(Barred { rule, why: why() }) }
}

impl Refusal {
    /// The bytes of the line that the refusal is about.
    pub fn at(&self) -> Option<Range<usize>> {
        match self {
            Refusal::NotAsked { .. } => None,
            Refusal::NotUnderstood { at, .. } | Refusal::Ambiguous { at, .. } | Refusal::NotAllowed { at, .. } => {
                Some(at.clone())
            }
        }
    }

    /// The same refusal for a line in which the refused part begins `bytes` later.
    pub fn behind(mut self, bytes: usize) -> Refusal {
        match &mut self {
            Refusal::NotAsked { .. } => {}
            Refusal::NotUnderstood { at, .. } | Refusal::Ambiguous { at, .. } | Refusal::NotAllowed { at, .. } => {
                *at = at.start + bytes..at.end + bytes;
            }
        }
        self
    }

    /// The same refusal, about these bytes of a line.
    pub fn about(mut self, bytes: Range<usize>) -> Refusal {
        match &mut self {
            Refusal::NotAsked { .. } => {}
            Refusal::NotUnderstood { at, .. } | Refusal::Ambiguous { at, .. } | Refusal::NotAllowed { at, .. } => {
                *at = bytes;
            }
        }
        self
    }

    /// The condition of a sentence does not hold.
    pub fn untrue(at: Range<usize>, said: String) -> Refusal {
        let barred = Barred { rule: "", why: "that is not so now".to_string() };
        Refusal::NotAllowed { at, said, barred, instead: Vec::new() }
    }

    /// The rule that forbids it, as it is cited: `9.24`, `6.18 to 6.24`, `▲35`.
    pub fn cited(&self) -> Option<&'static str> {
        match self {
            Refusal::NotAllowed { barred, .. } => Some(barred.rule),
            Refusal::NotAsked { .. } | Refusal::NotUnderstood { .. } | Refusal::Ambiguous { .. } => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotAsked { waits_for: None } => write!(f, "not asked: the game is over"),
            Refusal::NotAsked { waits_for: Some((_, question)) } => {
                write!(f, "not asked: the game waits for another seat ({question})")
            }
            Refusal::NotUnderstood { found, expected, kind, nearest, .. } => {
                match found.as_str() {
                    "" => write!(f, "not understood: the sentence ends too early")?,
                    found => write!(f, "not understood: `{found}`")?,
                }
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?")?,
                    None if expected.is_empty() => {}
                    None => f.write_str(".")?,
                }
                match kind.as_deref() {
                    _ if expected.is_empty() => Ok(()),
                    // If many are expected, one example is enough: the letter's menu names all of them.
                    Some(kind) if expected.len() > SHOWN_MAX => {
                        let Expected { noun, example } = kind;
                        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" };
                        write!(f, " {article} {noun} is expected, e.g. {example}")
                    }
                    _ => write!(f, " Expected: {}", one_of(expected)),
                }
            }
            Refusal::Ambiguous { found, could_be, .. } => {
                write!(f, "not understood: `{found}` could be {}", one_of(could_be))
            }
            Refusal::NotAllowed { said, barred, instead, .. } => {
                write!(f, "not allowed: `{said}`: {}", barred.why)?;
                if !barred.rule.is_empty() {
                    write!(f, " (rule {})", barred.rule)?;
                }
                if !instead.is_empty() {
                    write!(f, ". Allowed: {}", one_of(instead))?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Refusal {}

const SHOWN_MAX: usize = 12;

fn one_of(things: &[String]) -> String {
    let shown = things.iter().take(SHOWN_MAX).map(|thing| legible(thing)).collect::<Vec<_>>().join(", ");
    match things.len().saturating_sub(SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The word for a thing in a list with commas: an expected comma is written as words.
fn legible(thing: &str) -> &str {
    match thing.trim_start_matches(", ") {
        "," => "a comma",
        thing => thing,
    }
}
