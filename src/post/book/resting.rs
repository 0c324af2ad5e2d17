/*! A book that is left to others for a while: what was read of it is remembered, and held against its file. Others
write behind what it has, so of a long book no more is read again than what was added.
*/

use super::document::{self, whole_documents};
use super::{Book, Event};
use crate::disk::seen::Seen;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes at the end of the book that must still stand there when more stand behind them.
const TAIL: u64 = 16 * 1024;

/// How the file looked, and its last bytes, before others might begin to write into it.
#[derive(Debug)]
pub(super) struct Rest {
    seen: Seen,
    tail: Vec<u8>,
}

impl Book {
    /// Notes how the file looks, before others may write into it. `false` if something is not written yet.
    pub fn rest(&mut self) -> bool {
        let is_whole = self.noted.is_empty() && !self.has_failed;
        self.rests = is_whole.then(|| self.looks().ok()).flatten();
        self.rests.is_some()
    }

    fn looks(&mut self) -> io::Result<Rest> {
        let seen = Seen::of(&self.file)?;
        let tail = self.from(self.length.saturating_sub(TAIL))?;
        Ok(Rest { seen, tail })
    }

    /// The bytes of the file from here on.
    fn from(&mut self, start: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.handle.seek(SeekFrom::Start(start))?;
        self.handle.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Takes the book up again after [`Book::rest`], and reads what others have written behind it, if all of that is of
    /// a kind that they `may` write. `false` if the book is to be opened again instead: it is of no use any more then.
    pub fn wake(&mut self, may: impl Fn(&Event) -> bool) -> bool {
        let Some(Rest { seen, tail }) = self.rests.take() else { return false };
        let Ok(now) = Seen::of(&self.file) else { return false };
        if now == seen {
            return true;
        }
        let Some(start) = self.length.checked_sub(tail.len() as u64).filter(|_| now.is_longer(&seen)) else {
            return false;
        };
        let Ok(bytes) = self.from(start) else { return false };
        let Some(added) = bytes.strip_prefix(&*tail).filter(|added| whole_documents(added) == added.len()) else {
            return false;
        };
        let Ok(text) = std::str::from_utf8(added) else { return false };
        for document in text.split("\n...\n").filter(|document| !document.is_empty()) {
            match document::read(document) {
                Ok(event) if may(&event) => self.remember(event),
                _ => return false,
            }
        }
        self.length += added.len() as u64;
        true
    }
}

impl Event {
    /// Whether it says what became of a letter that was to be sent.
    pub fn is_of_sending(&self) -> bool {
        matches!(self, Event::Sent { .. } | Event::Tried { .. } | Event::Dead { .. })
    }
}
