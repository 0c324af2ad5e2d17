/*! The letters of a game, shown in a dispute or at its end: what their mail domains have signed, held against the log.

The bytes are private, so the log has only their hashes; a verifier who is given them checks that they are
those letters, that the domain signed them, and that they contain the sentence of the record.
*/

use crate::record::value::hash::Hash;
use std::collections::BTreeSet;

/// Letters as their host keeps them.
pub trait Letters: Sync {
    /// What is shown of the letter of this hash; `keys` are the keys of domains that the log has dated by now.
    fn show(&self, raw: &Hash, keys: &BTreeSet<Hash>) -> Shown;
}

/// A letter, held against what the log says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It was not given.
    Missing,
    /// It is not what the log says, or proves nothing.
    Unproven { why: String },
    /// The domain signed it, and these are its lines that may be sentences.
    Proven { domain: String, sentences: Vec<String> },
}

/// How many answers of letters that a domain signed were held against those letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LettersSummary {
    pub proven: usize,
    pub missing: usize,
    pub domains: BTreeSet<String>,
}
