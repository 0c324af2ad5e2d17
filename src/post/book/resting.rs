//! A book that others may write into for a while: it keeps what it has read, and later looks whether its file
//! changed.

use super::Book;
use ground::files::BOOK;

impl Book {
    /// Notes how the file looks, before others may write into it. `false` if a write failed or is still to come.
    pub fn rest(&mut self) -> bool {
        self.rests = self.drawer.look(BOOK).ok().filter(|_| self.noted.is_empty() && !self.has_failed);
        self.rests.is_some()
    }

    /// Whether nobody has written into the book since [`Book::rest`]; if somebody has, it must be opened again.
    pub fn is_as_it_was(&self) -> bool {
        self.rests.is_some_and(|seen| self.drawer.look(BOOK).is_ok_and(|now| now == seen))
    }
}
