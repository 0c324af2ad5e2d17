//! What becomes of the lines of a letter.

use engine::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// One line of a letter that came in, or that was left for later, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answered {
    pub line: String,
    pub fate: Fate,
}

/// What became of a line of a letter. The post book stores it in this form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", from = "WrittenFate")]
pub enum Fate {
    /// It was done, in these words, as this entry of the log. A dry run makes no entry.
    Done { said: String, seq: Option<u64> },
    /// It waits for a question that may still come.
    Kept { why: String },
    /// It was not played. The bytes of the line that were wrong are underlined.
    Refused {
        at: Option<Range<usize>>,
        #[serde(skip_serializing_if = "RefusedAs::is_not_played")]
        kind: RefusedAs,
        /// The rule of the game that forbids it, as it is cited.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        why: String,
    },
    /// It was no sentence at all, or came after one that was refused.
    Ignored { why: String },
    /// It was read as a part of something else, or not as it looks.
    Noted { how: String },
}

/// The kind of a refusal. The log may say it, because it quotes nothing of the letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusedAs {
    NotUnderstood,
    NotAllowed,
    /// For another reason than its words.
    #[default]
    NotPlayed,
}

impl RefusedAs {
    fn is_not_played(&self) -> bool {
        *self == RefusedAs::NotPlayed
    }
}

impl fmt::Display for RefusedAs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            RefusedAs::NotUnderstood => "not understood",
            RefusedAs::NotAllowed => "not allowed",
            RefusedAs::NotPlayed => "not played",
        })
    }
}

impl Fate {
    /// Refused for another reason than its words.
    pub fn refused(why: impl Into<String>) -> Fate {
        Fate::Refused { at: None, kind: RefusedAs::NotPlayed, rule: None, why: why.into() }
    }

    pub fn ignored(why: impl Into<String>) -> Fate {
        Fate::Ignored { why: why.into() }
    }
}

impl From<&Refusal> for Fate {
    fn from(refusal: &Refusal) -> Fate {
        let kind = match refusal {
            Refusal::NotUnderstood { .. } | Refusal::Ambiguous { .. } => RefusedAs::NotUnderstood,
            Refusal::NotAllowed { .. } => RefusedAs::NotAllowed,
            Refusal::NotAsked { .. } => RefusedAs::NotPlayed,
        };
        let rule = refusal.cited().filter(|rule| !rule.is_empty()).map(str::to_owned);
        Fate::Refused { at: refusal.at(), kind, rule, why: refusal.to_string() }
    }
}

/// A fate as a book may hold it. Older books store the two ends of the underlined part separately, and no kind.
#[derive(Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
enum WrittenFate {
    Done {
        said: String,
        seq: Option<u64>,
    },
    Kept {
        why: String,
    },
    Refused {
        #[serde(default)]
        at: Option<Range<usize>>,
        #[serde(default)]
        from: Option<usize>,
        #[serde(default)]
        to: Option<usize>,
        #[serde(default)]
        kind: RefusedAs,
        #[serde(default)]
        rule: Option<String>,
        why: String,
    },
    Ignored {
        why: String,
    },
    Noted {
        how: String,
    },
}

impl From<WrittenFate> for Fate {
    fn from(written: WrittenFate) -> Fate {
        match written {
            WrittenFate::Done { said, seq } => Fate::Done { said, seq },
            WrittenFate::Kept { why } => Fate::Kept { why },
            WrittenFate::Refused { at, from, to, kind, rule, why } => {
                Fate::Refused { at: at.or(from.zip(to).map(|(from, to)| from..to)), kind, rule, why }
            }
            WrittenFate::Ignored { why } => Fate::Ignored { why },
            WrittenFate::Noted { how } => Fate::Noted { how },
        }
    }
}
