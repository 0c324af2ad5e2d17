//! The clerk has a letter before him: he does what was decided for each of its lines, and nobody else writes anything
//! while a letter is played.

use super::docket::{Before, Cover, Docket};
use super::doubt::{HeldLetter, Released};
use super::ear::Ear;
use super::minutes::Minutes;
use super::position::Position;
use crate::book::Book;
use engine::seat::Seat;
use record::table::{Heard, Table};
use std::collections::VecDeque;

/// A letter in hand, and everything that it may change.
pub(super) struct Clerk<'a> {
    pub(super) table: &'a mut Table,
    pub(super) book: &'a mut Book,
    pub(super) minutes: &'a mut Minutes,
    pub(super) cover: Cover<'a>,
    /// The entries that this letter had caused before a crash, and that the book does not know.
    pub(super) before: VecDeque<Before>,
    pub(super) docket: Docket,
    pub(super) ear: Ear<Heard>,
    /// The held letter that this one releases, and what became of it.
    pub(super) held: Option<HeldLetter>,
    pub(super) released: Option<Released>,
}

impl Clerk<'_> {
    /// The position as it is now.
    pub(super) fn position(&mut self) -> Position<'_> {
        let minutes = self.minutes.of(self.table);
        self.ear.is_at(self.table.fold().head());
        Position {
            table: self.table,
            book: self.book,
            minutes,
            cover: &self.cover,
            docket: &self.docket,
            ear: &self.ear,
        }
    }

    /// The seat that the letter speaks for.
    pub(super) fn seat(&self) -> Seat {
        self.cover.seat()
    }
}
