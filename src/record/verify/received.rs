/*! Compares the times of a log with the times at which the reader's own provider received the letters that brought
its records: a clock that the host does not set.

The receipt of a letter shows that its records are no later. How much earlier a record is, it shows only for the
newest record of a letter, and only if the letter did not wait.
*/

use ground::stamp::Stamp;
use jiff::SignedDuration;

/// How far the time of a record and that of its receipt may differ: two clocks, and the way of the letter.
pub const SPAN: SignedDuration = SignedDuration::from_hours(1);

/// How the times of the records agree with those of the letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Records that were received within [`SPAN`] of their time.
    pub confirmed: usize,
    /// Records that were received later, in a letter with newer ones: they are only known to be no later than that.
    pub no_later: usize,
    /// Records whose letters do not say when they were received.
    pub unknown: usize,
    pub differing: Vec<Differing>,
}

/// A record whose time differs by more than [`SPAN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub seq: u64,
    pub at: Stamp,
    pub received: Stamp,
    /// The first letter that brought it.
    pub letter: usize,
}

impl Differing {
    /// Whether the record was received before the time that it states.
    pub fn is_dated_ahead(&self) -> bool {
        self.at > self.received
    }
}

impl Times {
    /// Compares the time of a record with the first letter that brought it. `is_newest` says that it is the newest
    /// record of that letter.
    pub(super) fn hold(&mut self, seq: u64, at: Stamp, first: Option<(Stamp, usize)>, is_newest: bool) {
        let Some((received, letter)) = first else {
            self.unknown += 1;
            return;
        };
        let late = received.since(at);
        if late >= -SPAN && late <= SPAN {
            self.confirmed += 1;
        } else if late > SPAN && !is_newest {
            self.no_later += 1;
        } else {
            self.differing.push(Differing { seq, at, received, letter });
        }
    }
}
