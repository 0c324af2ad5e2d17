//! How a book is opened: to go on with it, or to look at it while somebody else does.

use super::book_error::BookError;
use super::document::{self, whole_documents};
use super::{BOOK, Book};
use crate::disk::place::{give_to_owner, sync_folder};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

impl Book {
    /// Opens the book in a folder, or begins it.
    ///
    /// # Errors
    /// It cannot be read, written or understood.
    pub fn open(folder: &Path) -> Result<Book, BookError> {
        let file = folder.join(BOOK);
        let read_error = |error| BookError::Read { file: file.clone(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut handle = options.open(&file).map_err(read_error)?;
        give_to_owner(&handle, folder);
        sync_folder(folder).map_err(read_error)?;
        let mut bytes = Vec::new();
        handle.read_to_end(&mut bytes).map_err(read_error)?;
        let whole = whole_documents(&bytes);
        if whole < bytes.len() {
            let write_error = |error| BookError::Write { file: file.clone(), error };
            handle.set_len(whole as u64).map_err(write_error)?;
            handle.seek(SeekFrom::End(0)).map_err(write_error)?;
        }
        Book::empty(file, handle, whole as u64).filled(&bytes[..whole])
    }

    /// Reads the book in a folder without a lock, while somebody may be writing into it: what is not whole yet is left
    /// out. Nothing can be written into it. `None` if there is no book yet.
    ///
    /// # Errors
    /// It cannot be read or understood.
    pub fn look(folder: &Path) -> Result<Option<Book>, BookError> {
        let file = folder.join(BOOK);
        let read_error = |error| BookError::Read { file: file.clone(), error };
        let mut handle = match File::open(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(read_error)?,
        };
        let mut bytes = Vec::new();
        handle.read_to_end(&mut bytes).map_err(read_error)?;
        let whole = whole_documents(&bytes);
        let book = Book { has_failed: true, ..Book::empty(file, handle, whole as u64) };
        book.filled(&bytes[..whole]).map(Some)
    }

    fn empty(file: PathBuf, handle: File, length: u64) -> Book {
        Book {
            file,
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
            kept: Vec::new(),
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
            let unread = |error| BookError::NotUnderstood { file: self.file.clone(), document: index + 1, error };
            let event = document::read(document).map_err(unread)?;
            self.remember(event);
        }
        Ok(self)
    }
}
