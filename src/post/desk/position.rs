//! What a line is heard and decided by when it has its turn: the game as it stands, the book, and the docket of its
//! letter. Nothing is written here, so an act is known before anything is done.

use super::docket::{Cover, Docket};
use super::ear::Ear;
use super::minutes::Noted;
use crate::book::Book;
use crate::order::wrapped;
use engine::refusal::Refusal;
use engine::seat::Seat;
use record::table::{Heard, Table};

/// The position at which a line is heard.
#[derive(Clone, Copy)]
pub(super) struct Position<'p> {
    pub(super) table: &'p Table,
    pub(super) book: &'p Book,
    pub(super) minutes: &'p Noted,
    pub(super) cover: &'p Cover<'p>,
    pub(super) docket: &'p Docket,
    pub(super) ear: &'p Ear<Heard>,
}

impl Position<'_> {
    pub(super) fn seat(&self) -> Seat {
        self.cover.seat()
    }

    pub(super) fn is_player(&self) -> bool {
        self.cover.is_player()
    }

    /// Reads words against the menu of the open question: once at each position.
    pub(super) fn read(&self, words: &str) -> Result<(), Refusal> {
        self.ear.hear(words, |words| self.table.read(self.seat(), words))
    }

    /// Whether the question that is asked could take some words for the beginning of a sentence.
    pub(super) fn begins_a_sentence(&self, words: &str) -> bool {
        wrapped::begins_a_sentence(words, |words| self.read(words))
    }
}
