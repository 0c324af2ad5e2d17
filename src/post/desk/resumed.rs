/*! A letter that is begun again, because the program stopped before it was done. */

use super::case::Case;
use super::{Desk, Received, seen};
use crate::book::fault::PostError;
use crate::book::outgoing;
use crate::book::{Book, Event, LetterIn};
use crate::names::address::Place;
use ground::hash::Hash;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use record::fold::Phase;

/// A letter that was begun again this often in a row, and never finished, stops the program: it is refused.
const RESUMED_MAX: u32 = 4;

/// Whether a letter that was begun again `times` times in a row is not played any more.
fn is_poison(times: u32) -> bool {
    times >= RESUMED_MAX
}

impl Desk {
    /// Finishes what a crash left: entries that need no letter, letters half played, letters not written.
    pub fn recover(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        self.go_on_after_restore(at)?;
        self.mind_pause(at)?;
        if self.table.fold().phase() == Phase::Playing {
            self.table.settle(at)?;
        }
        let mut letters = Vec::new();
        if self.table.fold().phase() == Phase::Joining && self.table.fold().receipts().may_start() {
            self.table.start(at)?;
        }
        // The run in play comes before everything else.
        letters.extend(self.play_run(at)?);
        let unfinished: Vec<LetterIn> = self.book.unfinished().cloned().collect();
        for letter_in in unfinished {
            // A held letter is played by the one that releases it.
            let is_done = self.book.letter_in(&letter_in.raw).is_some_and(|letter| letter.done.is_some());
            if is_done || self.waits(&letter_in.raw) || self.book.is_in_release(&letter_in) {
                continue;
            }
            let (hash, times) = (letter_in.raw, letter_in.resumed);
            self.book.append(Event::Resumed { raw: hash, times: times + 1 })?;
            let raw = self.vault.read(&letter_in.raw).inspect_err(|_| self.does_not_count(hash))?;
            let letter = Letter::open(&raw, &Limits::ORDINARY);
            let authored = self.authored(&raw, &letter, letter_in);
            let letter_in = authored.inspect_err(|_| self.does_not_count(hash))?;
            let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
            let seen = seen(&letter, &self.ours, &place, &self.table);
            let before = self.before(&letter_in);
            let case = Case { letter: &letter, place: &place, seen, letter_in, before };
            let played = if is_poison(times) { self.refuse_poison(case, at) } else { self.play(case, at) };
            if played.is_err() {
                self.does_not_count(hash);
            }
            letters.extend(played?.letters);
        }
        letters.extend(self.settle_guests(at)?);
        letters.extend(self.report(at)?);
        outgoing::note_strays(&self.outbox, &mut self.book, self.table.fold().at())?;
        Ok(letters)
    }

    /// Resets the count: a disk that fails is not the fault of the letter. If not even this can be written, the next
    /// attempt cannot be noted either.
    pub(super) fn does_not_count(&self, raw: Hash) {
        if let Ok(mut book) = Book::open(self.table.drawer()) {
            let _ = book.append(Event::Resumed { raw, times: 0 });
        }
    }

    /// Refuses such a letter, whatever it is: it must not keep the game from everybody else.
    pub(super) fn refuse_poison(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let why = "the program stopped whenever it read this letter, which is its fault and not yours; the rest of it \
                   is not played. Write what is left anew, in other words";
        self.with_clerk(case, at, |clerk| clerk.refuse_whole(why))
    }
}
