//! How a book is opened: to go on with it, or to look at it while somebody else does.

use super::Book;
use super::book_error::BookError;
use super::document::{self, whole_documents};
use ground::files::BOOK;
use std::collections::BTreeMap;
use store::drawer::Drawer;
use store::home::{Appender, Begin};

impl Book {
    /// Opens the book in a drawer, or begins it.
    pub fn open(drawer: impl Into<Drawer>) -> Result<Book, BookError> {
        let drawer = drawer.into();
        let file = drawer.place(BOOK);
        let read_error = |error| BookError::Read { file: file.clone(), error };
        let mut handle = drawer.appender(BOOK, Begin::Privately).map_err(read_error)?;
        let bytes = drawer.read(BOOK).map_err(read_error)?;
        let whole = whole_documents(&bytes);
        if whole < bytes.len() {
            handle.truncate(whole as u64).map_err(|error| BookError::Write { file: file.clone(), error })?;
        }
        Book::empty(drawer, Some(handle), whole as u64).filled(&bytes[..whole])
    }

    /// Reads the book in a drawer without a lock, while another process may be writing into it: an incomplete
    /// document at its end is left out. Nothing can be appended to it. `None` if there is no book yet.
    pub fn look(drawer: impl Into<Drawer>) -> Result<Option<Book>, BookError> {
        let drawer = drawer.into();
        let read_error = |error| BookError::Read { file: drawer.place(BOOK), error };
        let Some(bytes) = drawer.read_if_there(BOOK).map_err(read_error)? else { return Ok(None) };
        let whole = whole_documents(&bytes);
        Book::empty(drawer, None, whole as u64).filled(&bytes[..whole]).map(Some)
    }

    fn empty(drawer: Drawer, handle: Option<Box<dyn Appender>>, length: u64) -> Book {
        Book {
            drawer,
            handle,
            length,
            noted: String::new(),
            has_failed: false,
            rests: None,
            letters_in: BTreeMap::new(),
            letters_out: BTreeMap::new(),
            order_out: Vec::new(),
            by_key: BTreeMap::new(),
            strays: BTreeMap::new(),
            by_seat: BTreeMap::new(),
            dropped: Vec::new(),
            guests: BTreeMap::new(),
            handed: BTreeMap::new(),
            settings: BTreeMap::new(),
            returned: Vec::new(),
            confirmed: BTreeMap::new(),
            press: Vec::new(),
        }
    }

    /// The book with what these whole documents say.
    fn filled(mut self, bytes: &[u8]) -> Result<Book, BookError> {
        let text = String::from_utf8_lossy(bytes);
        for (index, document) in text.split("\n...\n").filter(|document| !document.is_empty()).enumerate() {
            let unread = |error| BookError::NotUnderstood { file: self.file(), document: index + 1, error };
            let event = document::read(document).map_err(unread)?;
            self.remember(event);
        }
        Ok(self)
    }
}
