//! A book that is left to others for a while: what was read of it is remembered, and held against its file.

use super::{BOOK, Book};

impl Book {
    /// Notes how the file looks, before others may write into it. `false` if something is not written yet.
    pub fn rest(&mut self) -> bool {
        self.rests = self.drawer.look(BOOK).ok().filter(|_| self.noted.is_empty() && !self.has_failed);
        self.rests.is_some()
    }

    /// Whether nobody has written into the book since [`Book::rest`]; otherwise it is to be opened again.
    pub fn is_as_it_was(&self) -> bool {
        self.rests.is_some_and(|seen| self.drawer.look(BOOK).is_ok_and(|now| now == seen))
    }
}
