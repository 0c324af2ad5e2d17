/*! The files that come with the letters of a desk: the records that their reader has not got yet, and with the last
of them the whole game as a page. Beside records comes what vouches for the end of the log (log 10.6): saved beside all
parts together, it is what `verify` looks for.

Nothing is added to a log that is closed. What is made of a closed log is the same for every reader, so it is made
once for all their letters.
*/

use super::Desk;
use crate::book::fault::PostError;
use mail::draft::{File, FileKind};
use record::fold::Phase;
use record::table::table_error::TableError;
use report::closing::Closing;
use report::html::Pictures;
use report::occasion::{Occasion, WholeGame, WhyLeftOut};
use report::page;
use std::io::Read;

/// The largest page that comes with a letter, in bytes. Most mail servers take letters of 10 MB.
const PAGE_BYTES_MAX: usize = 5_000_000;

impl Desk {
    /// What goes with a letter to a seat or to an observer.
    pub(super) fn files(&mut self, reader: &str) -> Result<Vec<File>, PostError> {
        let mut files: Vec<File> = self.log_part(reader)?.into_iter().collect();
        if !files.is_empty() && self.table.secrets().host_key.is_some() {
            let (name, bytes) = (format!("{}.check", self.name()), self.checkpoint().to_string().into_bytes());
            files.push(File { kind: FileKind::Check, name, bytes });
        }
        if let Some(WholeGame::Attached { file }) = self.whole_game(reader)? {
            let page = self.page_of_game()?.unwrap_or_default();
            files.push(File { kind: FileKind::Page, name: file, bytes: page.as_bytes().to_vec() });
        }
        Ok(files)
    }

    /// The records that a reader has not been sent yet, from the log's own bytes.
    fn log_part(&mut self, reader: &str) -> Result<Option<File>, PostError> {
        // Nobody gets a report before the start, so 0 says that there was no letter yet.
        let (first, start) = match self.book.told(reader) {
            0 => (0, 0),
            told => (told + 1, self.minutes.of(&mut self.table).entry(told).map_or(0, |entry| entry.end)),
        };
        let head = self.table.fold().head().seq;
        if head < first {
            return Ok(None);
        }
        let name = format!("{}-{first:06}-{head:06}.yaml", self.name());
        Ok(Some(File { kind: FileKind::Records, name, bytes: self.bytes_after(start)? }))
    }

    fn bytes_after(&self, start: u64) -> Result<Vec<u8>, PostError> {
        let log = self.table.log();
        let mut bytes = Vec::new();
        let read = log.bytes_after(start).and_then(|mut records| records.read_to_end(&mut bytes));
        read.map_err(|error| TableError::from(log.unread(error)))?;
        Ok(bytes)
    }

    /// Once the log is closed, adds to a letter the result of checking the log, and whether the page comes with it.
    pub(super) fn check_closed(&mut self, occasion: &mut Occasion, reader: &str) -> Result<(), PostError> {
        if self.table.fold().phase() != Phase::Ended {
            return Ok(());
        }
        let checked = match self.closed.checked.take() {
            Some(checked) => checked,
            None => Closing::check(self.table.log(), self.titles).map_err(TableError::from)?,
        };
        occasion.closing = Some(checked.clone());
        self.closed.checked = Some(checked);
        occasion.whole_game = self.whole_game(reader)?;
        Ok(())
    }

    /// Whether the page of the game comes with the letter to a reader that is being written: it comes with the letter
    /// that brings the last record.
    fn whole_game(&mut self, reader: &str) -> Result<Option<WholeGame>, PostError> {
        let fold = self.table.fold();
        if fold.phase() != Phase::Ended || self.book.told(reader) >= fold.head().seq {
            return Ok(None);
        }
        if self.book.settings(reader).look(self.look).pictures == Pictures::Off {
            return Ok(Some(WholeGame::LeftOut { why: WhyLeftOut::NoPictures }));
        }
        let file = format!("{}.html", self.name());
        Ok(self.page_of_game()?.map(|page| {
            if page.len() > PAGE_BYTES_MAX {
                WholeGame::LeftOut { why: WhyLeftOut::TooLarge }
            } else {
                WholeGame::Attached { file }
            }
        }))
    }

    /// The page of the game, as everybody may read it. There is none for a title without a map, nor for a log that
    /// does not verify, which the letter reports.
    fn page_of_game(&mut self) -> Result<Option<&str>, PostError> {
        if self.closed.page.is_none() {
            let log = self.bytes_after(0)?;
            self.closed.page = Some(page::for_everybody(&log, self.titles).ok().flatten());
        }
        Ok(self.closed.page.as_ref().and_then(Option::as_deref))
    }
}
