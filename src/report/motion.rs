//! A motion that waits for votes, as letters tell it.

use crate::entry_words::purpose;
use record::fold::Fold;
use record::fold::council::Moved;
use serde::Serialize;

/// A motion that waits for votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MotionStatus {
    pub seq: u64,
    pub mover: String,
    /// What it would do, to follow the word `to`.
    pub purpose: String,
    pub text: String,
    /// The seats with a vote that have not voted.
    pub waits_for: Vec<String>,
}

impl MotionStatus {
    /// A motion, as letters tell it.
    pub(super) fn of(fold: &Fold, moved: &Moved) -> MotionStatus {
        let plan = fold.plan();
        let proposal = &moved.proposal;
        let of = proposal.of.map(|seat| plan.word(seat));
        MotionStatus {
            seq: moved.seq,
            mover: plan.word(moved.mover).to_owned(),
            purpose: purpose(proposal.what, proposal.to, of, proposal.rules.as_deref()),
            text: proposal.text.clone(),
            waits_for: moved.silent().map(|seat| plan.word(seat).to_owned()).collect(),
        }
    }
}
