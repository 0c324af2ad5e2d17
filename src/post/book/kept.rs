//! What a seat has written ahead, as the book keeps it until its question comes.

use crate::order::sentences::Rest;
use engine::order::held::Fought;
use ground::hash::Hash;
use record::entry::body::Auth;
use record::file::secrets::SignatureInClear;
use serde::{Deserialize, Serialize};

/// A sentence kept for later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptSentence {
    /// The letter and the line it came with.
    pub raw: Hash,
    pub line: usize,
    pub seat: String,
    pub words: String,
    /// The lines below it that may belong to it (P4); whether they do is decided when it is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<Rest>,
    /// The turn in which it may be said.
    pub turn: String,
    /// The last record that its letter had seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
    /// How well we know its author, if at all (A5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// The signature of its seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<SignatureInClear>,
    /// The question it answers, if its words would fit other questions as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// It ends what its letter says above it, and waits for a question of the seat's own turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// The length of the log when it was written, and whose battle was fought then: its guards look at what came
    /// since. `None` for a line without guards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fought: Option<Fought>,
    /// Why its plan has stopped, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl KeptSentence {
    /// Whether it is a line of a plan, and not an answer to one question.
    pub fn is_of_plan(&self) -> bool {
        self.question.is_none()
    }
}
