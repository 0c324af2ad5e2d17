/*! Reading a log a second time, when it has published the order books and the lines at which receipts stopped: now
every answer by a standing order is held against the book of its seat as it was then, and every other answer too, for an
order may have been passed over; and the rules must have refused each of the lines.
*/

use crate::record::charter::plan::Titles;
use crate::record::file::stream::StreamError;
use crate::record::fold::Fold;
use crate::record::fold::bookkeeping::Published;
use crate::record::problem::Problem;
use crate::record::value::hash::Hash;
use crate::record::verify::ahead::{Looked, read_ahead};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::ControlFlow;

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
    source: impl Read + Send,
    titles: Titles,
    published: &Published,
    texts: &BTreeMap<(u64, u32), String>,
    head: Hash,
    only_first: bool,
) -> Result<Vec<Passed>, io::Error> {
    let mut holding = Holding { titles, published, texts, fold: None, passed: Vec::new(), is_other: false };
    let mut is_whole = false;
    let reached = read_ahead(source, |looked| {
        holding.record(looked);
        // What has been added since was not read before.
        is_whole = looked.hash == head || (only_first && !holding.passed.is_empty());
        if is_whole || holding.is_other { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match reached.error {
        _ if is_whole && !holding.is_other => Ok(holding.passed),
        Some(error) if !holding.is_other => Err(of_stream(error)),
        _ => Err(io::Error::other("the log was changed while it was read")),
    }
}

/// How far the log has been held against its books.
struct Holding<'p> {
    titles: Titles,
    published: &'p Published,
    /// The lines at which receipts stopped, by the record and their number.
    texts: &'p BTreeMap<(u64, u32), String>,
    fold: Option<Fold>,
    passed: Vec<Passed>,
    /// It is no longer the log that was read before.
    is_other: bool,
}

impl Holding<'_> {
    fn record(&mut self, looked: &Looked<'_>) {
        let Ok(entry) = &looked.entry else {
            self.is_other = true;
            return;
        };
        let mut problems = Vec::new();
        match &mut self.fold {
            Some(fold) => {
                fold.fold(entry, looked.hash, &mut problems);
                fold.game_mut().forget_news();
            }
            None => match Fold::begin(entry, looked.hash, self.titles, Some(self.published.root), &mut problems) {
                Ok(mut fold) => {
                    fold.know_books(self.published.changes.clone(), Some(self.published.since));
                    fold.know_stops(self.texts.clone());
                    // They were compared at the first reading, which is a good part of the work.
                    fold.facts_are_known = true;
                    self.fold = Some(fold);
                }
                Err(_) => self.is_other = true,
            },
        }
        let found = |problem| Passed { seq: entry.seq, line: looked.raw.line, said: super::said(entry), problem };
        self.passed.extend(problems.into_iter().map(found));
    }
}

fn of_stream(error: StreamError) -> io::Error {
    match error {
        StreamError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
