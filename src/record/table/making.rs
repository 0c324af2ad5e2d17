/*! How a record is made: dealt and checked on a copy of the fold, then appended; then the copy becomes the table's
fold. The records are kept for a desk that makes notes of them.
*/

use super::made::Made;
use super::table_error::TableError;
use super::{Heard, Table};
use crate::entry::body::{Correction, Kind, Say, Text, Via};
use crate::entry::{Body, Entry, Head, Written};
use crate::file::reading::Followed;
use crate::fold::Fold;
use crate::fold::chance::Dealt;
use crate::problem::Problem;
use engine::game::Understood;
use ground::stamp::Stamp;

/// A record that passes all checks, and the fold after it.
pub(crate) struct Checked<'a> {
    entry: Entry<'a>,
    written: Written,
    next: Fold,
}

impl Table {
    /// Keeps the records made from now on until they are taken. Each holds the game before it, so take them after
    /// every act.
    pub fn keep_made(&mut self) {
        self.made.get_or_insert_default();
    }

    /// Shows the records made since they were last taken, the oldest first, as a reader of the log sees them.
    pub fn take_made(&mut self, mut each: impl FnMut(&Followed<'_>)) {
        let made = self.made.as_mut().map(std::mem::take).unwrap_or_default();
        for (index, Made { text, end, before }) in made.iter().enumerate() {
            let fold = made.get(index + 1).map_or(&self.fold, |next| &next.before);
            let entry = Entry::read(text.as_bytes()).expect("the log has read it back");
            let (hash, end, asked_before) = (fold.head().hash, *end, before.asked());
            each(&Followed { entry: &entry, hash, end, asked_before, fold });
        }
    }

    /// Makes the next record, checks it as every reader will, appends it, and moves the table on.
    pub(crate) fn add(&mut self, seat: String, via: Option<Via>, body: Body, at: Stamp) -> Result<Head, TableError> {
        let checked = self.checked(seat, via, body, None, at)?;
        self.append(checked)
    }

    /// Like [`Table::add`], for an answer that was read already.
    pub(crate) fn add_answer(
        &mut self,
        heard: Heard,
        via: Option<Via>,
        say: Say,
        at: Stamp,
    ) -> Result<Head, TableError> {
        let checked = self.checked(self.word(heard.seat), via, Body::Say(say), Some(heard.understood), at)?;
        self.append(checked)
    }

    fn append(&mut self, Checked { entry, written, next }: Checked<'_>) -> Result<Head, TableError> {
        self.keep_orders_of(&entry)?;
        if let Some(set_aside) = self.log.append_written(&entry, &written)? {
            self.set_aside.push(set_aside);
        }
        self.orders_are_committed(&entry);
        let before = std::mem::replace(&mut self.fold, next);
        if let Some(made) = &mut self.made {
            made.push(Made { text: written.text, end: self.log.length(), before });
        }
        Ok(self.fold.head())
    }

    /// Makes the next record and the game after it, and checks both as every reader will. Nothing changes: all of it
    /// happens on a copy of the fold, so a record that fails leaves no trace.
    pub(crate) fn checked<'a>(
        &self,
        seat: String,
        via: Option<Via>,
        body: Body<'a>,
        understood: Option<Understood>,
        at: Stamp,
    ) -> Result<Checked<'a>, TableError> {
        let head = self.fold.head();
        let mut entry = Entry {
            seq: head.seq + 1,
            prev: head.hash,
            at: self.not_before_the_last(at),
            seat: Text::from(seat),
            via,
            books: None,
            body,
            outcome: None,
            digest: None,
        };
        self.can_be_dealt(&entry)?;
        let mut next = self.fold.clone();
        if next.bears_books(&entry) {
            next.expect_changes(self.pending_changes(&entry));
        }
        if let Body::End(end) = &mut entry.body {
            end.digest = next.digest_of_facts();
        }
        if entry.kind() == Kind::End {
            let closing = entry.closing();
            if let Body::End(end) = &mut entry.body {
                end.closing = closing;
            }
        }
        next.game_mut().forget_news();
        let mut problems = Vec::new();
        let dealt = Dealt::new(&self.secrets.root, &self.chain, understood);
        let written = next.make(&mut entry, dealt, &mut problems);
        match problems.iter().find_map(not_dealt) {
            Some(error) => Err(error),
            None if problems.is_empty() => Ok(Checked { entry, written, next }),
            None => Err(TableError::Unsound(problems)),
        }
    }

    /// The time of a record made now. If the clock was wrong for a moment, the last record may be dated in the
    /// future. The next records then have that time too, until the clock has caught up, and the game goes on.
    pub(super) fn not_before_the_last(&self, at: Stamp) -> Stamp {
        at.max(self.fold.at())
    }

    /// Whether a record of this kind can be dealt at this point of the game.
    fn can_be_dealt(&self, entry: &Entry) -> Result<(), TableError> {
        let starts = entry.kind() == Kind::Start && self.fold.contributions().is_some();
        if entry.kind().is_played() && self.fold.ledger().is_none() && !starts {
            return Err(TableError::NotNow { why: "the game has not started" });
        }
        match &entry.body {
            Body::Correction(Correction { to: Some(to), .. }) if !self.fold.reaches_back(*to) => {
                Err(TableError::TooFarBack { to: *to })
            }
            _ => Ok(()),
        }
    }
}

/// Whether a problem means that nothing could be dealt, and the error for that.
fn not_dealt(problem: &Problem) -> Option<TableError> {
    match problem {
        Problem::RollMissing { .. } => Some(TableError::NoLinks),
        Problem::Link { .. } => Some(TableError::OtherSecrets),
        _ => None,
    }
}
