//! A seat that has joined, and has opened its first code or not.

use super::possible::HadSeen;
use crate::commit::pool::Contribution;
use crate::entry::body::CodeGiven;
use ground::hash::Hash;

/// What a seat did before the start.
#[derive(Clone, Debug)]
pub struct Joined {
    /// What it contributed when it joined.
    pub contribution: Contribution,
    /// The record by which it joined.
    pub seq: u64,
    /// What the letter by which it joined had seen.
    seen: HadSeen,
    /// Its first code, opened when everybody had joined, and what that letter had seen.
    ready: Option<(CodeGiven, HadSeen)>,
}

impl Joined {
    pub(super) fn new(contribution: Contribution, seq: u64, seen: HadSeen) -> Joined {
        Joined { contribution, seq, seen, ready: None }
    }

    /// It opens its first code.
    pub(super) fn opens(&mut self, code: CodeGiven, seen: HadSeen) {
        self.ready = Some((code, seen));
    }

    pub(super) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// Whether it keeps codes and must still open its first.
    pub(super) fn is_waited_for(&self) -> bool {
        self.contribution.has_codes() && !self.is_ready()
    }

    /// What its letters had seen that brought something into the dice.
    pub(super) fn brought(&self) -> impl Iterator<Item = HadSeen> {
        let has_chosen = self.contribution.message != Hash::ZERO || !self.contribution.phrase.is_empty();
        let ready = self.ready.as_ref().map(|(_, seen)| *seen);
        has_chosen.then_some(self.seen).into_iter().chain(ready)
    }

    /// Its first code.
    pub(super) fn code(&self) -> Option<CodeGiven> {
        self.ready.as_ref().map(|(code, _)| code.clone())
    }
}
