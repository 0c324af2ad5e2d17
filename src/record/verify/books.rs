/*! Reading a log a second time, when it has published the order books and the lines at which receipts stopped: now
every answer by a standing order is held against the book of its seat as it was then, and every other answer too, for an
order may have been passed over; and the rules must have refused each of the lines.
*/

use crate::record::charter::plan::Titles;
use crate::record::entry::Entry;
use crate::record::file::stream::{Records, StreamError};
use crate::record::fold::Fold;
use crate::record::fold::bookkeeping::Published;
use crate::record::problem::Problem;
use crate::record::value::hash::{Hash, sha256};
use std::collections::BTreeMap;
use std::io::{self, Read};

/// Opens the log once more, from its beginning.
pub type Again<'a> = dyn FnMut() -> io::Result<Box<dyn Read + Send + 'a>> + 'a;

/// What is wrong with an answer or a book, and where.
pub(super) struct Passed {
    pub(super) seq: u64,
    pub(super) line: u64,
    pub(super) said: String,
    pub(super) problem: Problem,
}

/// Follows a log that verifies by itself, with the books and lines it has published, and gives what does not fit them:
/// the first of it, or all.
///
/// # Errors
/// The log cannot be read again, or is no longer the one that was read.
pub(super) fn hold(
    source: impl Read,
    titles: Titles,
    published: &Published,
    texts: &BTreeMap<(u64, u32), String>,
    head: Hash,
    only_first: bool,
) -> Result<Vec<Passed>, io::Error> {
    let mut records = Records::new(source);
    let (mut reached, mut passed, mut problems): (Option<Fold>, _, _) = (None, Vec::new(), Vec::new());
    let other = || io::Error::other("the log was changed while it was read");
    while let Some(record) = records.next().map_err(of_stream)? {
        let entry = Entry::read(record.bytes).map_err(|_| other())?;
        let last = sha256(record.bytes);
        match &mut reached {
            Some(fold) => {
                fold.fold(&entry, last, &mut problems);
                fold.game_mut().forget_news();
            }
            None => {
                let begun = Fold::begin(&entry, last, titles, Some(published.root), &mut problems);
                let fold = reached.insert(begun.map_err(|_| other())?);
                fold.know_books(published.changes.clone(), Some(published.since));
                fold.know_stops(texts.clone());
            }
        }
        let said = super::said(&entry);
        let found = |problem| Passed { seq: entry.seq, line: record.line, said: said.clone(), problem };
        passed.extend(problems.drain(..).map(found));
        // What has been added since was not read before.
        if last == head || (only_first && !passed.is_empty()) {
            return Ok(passed);
        }
    }
    Err(other())
}

fn of_stream(error: StreamError) -> io::Error {
    match error {
        StreamError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
