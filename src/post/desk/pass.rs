//! Which turn of a letter is taken, where acts wait for rounds of a beacon (log 7.10), and which lines are fixed in it.

use std::collections::BTreeMap;

/// Which turn a letter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pass {
    /// Its only one.
    #[default]
    Only,
    /// Its sentences are fixed, and wait for their round.
    Fixed,
    /// Its sentences cannot be fixed: another act waits for its round.
    Busy,
    /// Its round is there, and its sentences are played.
    Second,
    /// Its sentences were fixed, and the table was put back before their round.
    Void,
}

/// Where acts wait for rounds of a beacon: what of the letter is fixed.
#[derive(Debug, Default)]
pub(super) struct Fixing {
    pub(super) pass: Pass,
    /// The lines that wait for the round.
    pub(super) waiting: Vec<usize>,
    /// The lines that the receipt of the letter is to fix.
    pub(super) fixed: BTreeMap<usize, String>,
}

impl Fixing {
    /// Whether the line that is being looked at waits for the round.
    pub(super) fn waits_now(&self, line: usize) -> bool {
        self.waiting.last() == Some(&line)
    }
}

/// What the answer says of a line that may be the rest of a waiting line.
pub(super) const FIXED_WITH: &str = "fixed with the line above, to which it may belong";
