/*! The times of a log, held against the time at which the reader's own provider received the letters that brought its
records: a clock that the host does not set.

That a record was received says that it is not later. How much earlier it is, is known of the newest record of a letter
alone, and only if the letter did not wait.
*/

use ground::stamp::Stamp;
use jiff::SignedDuration;

/// By how much two clocks, and a letter on its way, may differ.
pub const SPAN: SignedDuration = SignedDuration::from_hours(1);

/// How the times of the records agree with those of the letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Records that were received within the span.
    pub confirmed: usize,
    /// Records that came later, with newer ones: they are known to be no later than that.
    pub no_later: usize,
    /// Records in letters that do not say when they were received.
    pub unknown: usize,
    pub differing: Vec<Differing>,
}

/// A record whose time differs by more than the span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub seq: u64,
    pub at: Stamp,
    pub received: Stamp,
    /// The first letter that brought it.
    pub letter: usize,
}

impl Differing {
    /// Whether the record was there before the time that it gives itself.
    pub fn is_dated_ahead(&self) -> bool {
        self.at > self.received
    }
}

impl Times {
    /// Holds a record against the first letter that brought it, of which it is the newest record or not.
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
