/*! A letter that is begun again, because the program stopped before it was done. */

use super::{Case, Desk, Received};
use crate::book::fault::PostError;
use crate::book::{Book, Event};
use ground::hash::Hash;
use ground::stamp::Stamp;

/// A letter that was begun again this often in a row, and never finished, stops the program: it is refused.
const RESUMED_MAX: u32 = 4;

/// Whether a letter that was begun again `times` times in a row is not played any more.
pub(super) fn is_poison(times: u32) -> bool {
    times >= RESUMED_MAX
}

impl Desk {
    /// Resets the count: a disk that fails is not the fault of the letter. If not even this can be written, the next
    /// attempt cannot be noted either.
    pub(super) fn does_not_count(&self, raw: Hash) {
        if let Ok(mut book) = Book::open(self.table.drawer()) {
            let _ = book.append(Event::Resumed { raw, times: 0 });
        }
    }

    /// Refuses such a letter, whatever it is: it must not keep the game from everybody else.
    pub(super) fn refuse_poison(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let why = "the program stopped whenever it read this letter, which is its fault and not yours; the rest of it \
                   is not played. Write what is left anew, in other words";
        self.with_turn(case, at, |turn| turn.refuse_whole(why))
    }
}
