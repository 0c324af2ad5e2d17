//! A seat that has joined.

use super::possible::HadSeen;
use crate::commit::seed::Contribution;

/// What a seat did before the start.
#[derive(Clone, Debug)]
pub struct Joined {
    /// What it contributed when it joined.
    pub contribution: Contribution,
    /// The record by which it joined.
    pub seq: u64,
    /// What the letter by which it joined had seen.
    pub(super) seen: HadSeen,
}
