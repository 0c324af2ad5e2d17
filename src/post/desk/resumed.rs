/*! A letter that is taken up again, because something stopped before it was done with. */

use super::{Case, Desk, Received};
use crate::book::fault::PostError;
use crate::book::{Book, Event};
use ground::hash::Hash;
use ground::stamp::Stamp;

/// A letter that was taken up so often in a row, and never finished, stops the program: it is refused.
const RESUMED_MAX: u32 = 4;

/// Whether a letter that was taken up so often is not played any more.
pub(super) fn is_poison(times: u32) -> bool {
    times >= RESUMED_MAX
}

impl Desk {
    /// A disk that fails does not stop the program: it is no fault of the letter. Where not even that can be written,
    /// the next attempt cannot be noted either.
    pub(super) fn does_not_count(&self, raw: Hash) {
        if let Ok(mut book) = Book::open(self.table.drawer()) {
            let _ = book.append(Event::Resumed { raw, times: 0 });
        }
    }

    /// Whatever it is, it must not keep the game from everybody else.
    pub(super) fn refuse_poison(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let why = "the program stopped whenever it read this letter, which is its fault and not yours; the rest of it \
                   is not played. Write what is left anew, in other words";
        self.with_turn(case, at, |turn| turn.refuse_whole(why))
    }
}
