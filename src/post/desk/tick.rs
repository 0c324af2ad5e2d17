/*! One game by the clock: what happens at its desk because time has passed and nobody wrote.

A tick reminds a player who is late, sends a letter again that came back once, records a deadline that was missed and
does what the schedule says about it, stops the clock of a player whom no letter reaches, and writes the letters that
had to wait. Nothing is done twice: the same tick again changes nothing, and the next tick finishes one that a crash
cut off.
*/

use super::go_on::{go_on, stand_in};
use super::outage::Outage;
use super::pause::Paused;
use super::reach::Asking;
use super::reminder::{self, Reminder};
use super::{Desk, Recovered, reach};
use crate::book::Event;
use crate::book::fault::PostError;
use crate::book::outgoing::{Outgoing, Thread};
use crate::order::settings::{Change, Settings};
use engine::seat::Seat;
use ground::files::{BOOK, LOG, NEXT_TICK};
use ground::span::Span;
use ground::stamp::Stamp;
use record::entry::body::Silence;
use record::fold::clock::Countdown;
use record::fold::{Fold, Phase};
use record::table::clock_acts::by_deadline;
use std::io;
use store::Store;
use store::home::Surveyed;

/// A letter that leaves later than this after its question has cost its player time.
const LATE: Span = Span::hours(1);

/// The most deadlines of one game that one tick handles. Each new one starts at its own time, so there is one, seldom
/// two.
const LAPSES_MAX: usize = 16;

/// What a tick did in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ticked {
    /// The entries that were added.
    pub entries: Vec<u64>,
    /// The letters that were put into the outbox.
    pub letters: Vec<String>,
    /// When something may happen next without a letter.
    pub next: Option<Stamp>,
}

impl Desk {
    /// Lets time pass in this game.
    ///
    /// # Errors
    /// Something cannot be written; the next tick goes on from there.
    pub fn tick(&mut self, now: Stamp) -> Result<Ticked, PostError> {
        self.tick_after(None, now)
    }

    /// The same, with the outage if nobody served for some time.
    ///
    /// # Errors
    /// Something cannot be written; the next tick goes on from there.
    pub fn tick_after(&mut self, outage: Option<Outage>, now: Stamp) -> Result<Ticked, PostError> {
        let head = self.table.fold().head().seq;
        let recovered = self.recovered.take().unwrap_or(Recovered { head, letters: Vec::new() });
        let mut ticked = Ticked { letters: recovered.letters, ..Ticked::default() };
        if self.table.fold().phase() == Phase::Joining {
            ticked.letters.extend(self.play_rounds(now)?);
        }
        if self.table.fold().phase() == Phase::Playing {
            ticked.letters.extend(self.play_rounds(now)?);
            self.mind_unreachable(now)?;
        }
        let is_paused = self.mind_pause(now)?;
        if self.table.fold().phase() == Phase::Playing && !is_paused {
            if let Some(outage) = outage {
                go_on(&mut self.table, &mut self.book, now)?;
                self.make_up_for(outage, now)?;
            }
            if self.is_asked(now)? {
                self.let_lapse(now)?;
            }
        }
        ticked.letters.extend(self.report(now)?);
        if !is_paused {
            ticked.letters.extend(self.remind(now)?);
        }
        ticked.letters.extend(self.relay(now)?);
        self.book.settle()?;
        ticked.letters.extend(reach::send_again(self, now)?);
        ticked.entries = (recovered.head + 1..=self.table.fold().head().seq).collect();
        ticked.next = self.next_tick(now);
        self.note_next(ticked.next);
        Ok(ticked)
    }

    /// L4, S6: stops the clock of a player whom no letter reaches.
    fn mind_unreachable(&mut self, now: Stamp) -> Result<(), PostError> {
        let lost: Vec<String> = reach::lost(self).into_iter().map(|lost| lost.seat).collect();
        for (index, place) in self.places().into_iter().enumerate() {
            let seat = Seat::at(index);
            if lost.contains(&place.seat) {
                self.table.unreachable(seat, "they come back", now)?
            } else {
                self.table.reachable(seat, now)?
            };
        }
        Ok(())
    }

    /// S6: the time of a question begins when a server has taken the letter that asks it. Until then nobody is late.
    /// If that was long after the question, the deadline is moved by the delay, with a record that says why.
    fn is_asked(&mut self, now: Stamp) -> Result<bool, PostError> {
        let fold = self.table.fold();
        let (Some(open), Some(schedule)) = (fold.clock().open(), &fold.plan().schedule) else { return Ok(true) };
        let Some(Countdown::Until { due, .. }) = fold.countdown() else { return Ok(true) };
        match reach::asking(self, &self.table.word(open.seat), open.seq) {
            Asking::Failed => Ok(false),
            Asking::Taken(taken) if taken > open.since().later(LATE) => {
                let calendar = fold.calendar_of(open).expect("the game has a schedule");
                let until = calendar.after(taken, schedule.answer);
                if until > due && until > now {
                    let why = format!("the letter that asks could not be sent before {taken}");
                    self.table.move_deadline(until, &why, now)?;
                }
                Ok(true)
            }
            Asking::Taken(_) | Asking::Unknown => Ok(true),
        }
    }

    /// Records the missed deadlines, and does what the schedule says about them.
    fn let_lapse(&mut self, now: Stamp) -> Result<(), PostError> {
        for _ in 0..LAPSES_MAX {
            go_on(&mut self.table, &mut self.book, now)?;
            let fold = self.table.fold();
            let Some(open) = fold.clock().open().filter(|_| fold.phase() == Phase::Playing) else { return Ok(()) };
            let seat = open.seat;
            // A player who has answered, or left an order that answers, is not late while the answer waits for its
            // round.
            if fold.receipts().waits_for(seat) || self.table.has_order_due(seat, now) {
                return Ok(());
            }
            if open.lapsed() == Some(Silence::Forfeit) && !fold.council().has_conceded(seat) {
                self.table.concede(seat, Some("no answer in time"), Some(by_deadline()), now)?;
                continue;
            }
            match fold.countdown() {
                Some(Countdown::Until { due, closing }) if closing <= now => drop(self.table.lapse(due, now)?),
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// S5: reminds the asked player, if it is time and this reminder has not been sent yet.
    fn remind(&mut self, now: Stamp) -> Result<Vec<String>, PostError> {
        let Some(reminder) = self.reminder(now) else { return Ok(Vec::new()) };
        let place = self.places().swap_remove(reminder.seat.index());
        let Some(to) = self.addresses(&place.seat).into_iter().next() else { return Ok(Vec::new()) };
        let Reminder { seat, at, of, key } = reminder;
        let mut occasion = self.occasion(seat, self.book.told(&place.seat), &[])?;
        if let Some(deadline) = &mut occasion.deadline {
            deadline.reminds = Some(of);
        }
        let thread = Thread::Follows(self.thread(&place.seat));
        let page = self.looking(&occasion, seat, None);
        let letters = self.post(vec![Outgoing { thread, ..self.outgoing(key, to, page, at) }])?;
        self.book.settle()?;
        Ok(letters)
    }

    /// The reminder to send now.
    fn reminder(&self, now: Stamp) -> Option<Reminder> {
        let fold = self.table.fold();
        let open = fold.clock().open().filter(|_| fold.phase() == Phase::Playing)?;
        if fold.receipts().waits_for(open.seat) {
            return None;
        }
        let reminder = reminder::due(fold, &self.book.settings(&self.table.word(open.seat)), now)?;
        self.book.letter_of(&reminder.key).is_none().then_some(reminder)
    }

    /// How the player of a seat wants his letters.
    pub fn settings(&self, seat: &str) -> Settings {
        self.book.settings(seat)
    }

    /// Changes how the player of a seat wants his letters.
    pub fn change_settings(&mut self, seat: &str, change: Change, at: Stamp) -> Result<(), PostError> {
        Ok(self.book.append(Event::Set { at: at.to_string(), seat: seat.to_owned(), change })?)
    }

    /// When something may happen next without a letter.
    fn next_tick(&mut self, now: Stamp) -> Option<Stamp> {
        let letters = self.next_letter(now);
        // If the note of a pause cannot be read, a tick looks again: the next one is due as if there were no pause.
        let paused = Paused::read(self.table.drawer()).ok().flatten();
        let (is_paused, resumes) = (paused.is_some(), paused.and_then(|paused| paused.until));
        let fold = self.table.fold();
        let open = fold.clock().open().filter(|_| fold.phase() == Phase::Playing);
        let deadline = open.and_then(|open| {
            if fold.receipts().waits_for(open.seat) {
                return None;
            }
            if stand_in(fold).is_some() {
                return Some(now);
            }
            if is_paused {
                return resumes;
            }
            let settings = self.book.settings(&self.table.word(open.seat));
            let closing = match fold.countdown() {
                Some(Countdown::Until { closing, .. }) => Some(closing),
                Some(Countdown::Stands(_) | Countdown::Over { .. }) | None => None,
            };
            [reminder::next(fold, &settings, now), closing].into_iter().flatten().min()
        });
        // A game that is over is closed once nothing can be undone any more.
        let undo = fold.may_be_undone_until(now).filter(|_| fold.phase() == Phase::Playing);
        let round = fold.next_round().map(|(_, time)| time);
        [letters, deadline, undo, round, self.next_relay(), reach::next_again(self)].into_iter().flatten().min()
    }

    /// Notes the next tick, so that the game need not be opened to know it.
    fn note_next(&self, next: Option<Stamp>) {
        let drawer = self.table.drawer();
        let lengths = [LOG, BOOK].map(|file| drawer.look(file).ok().map(|seen| seen.length));
        if let Some(state) = state(lengths) {
            let next = next.map_or("never".to_owned(), |next| next.to_string());
            // Without this note the game is opened once more than necessary.
            let standing = word(self.table.fold());
            let _ = drawer.replace_loosely(NEXT_TICK, format!("{state} {standing} {next}\n").as_bytes());
        }
    }
}

/// What must be surveyed of all games so that [`rests`] and [`standing`] can tell how each of them stands.
pub fn survey(store: &Store) -> io::Result<Vec<Surveyed>> {
    store.survey(NEXT_TICK, [LOG, BOOK])
}

/// Whether nothing can happen in a game until a letter comes, or a time that is still ahead.
pub fn rests(game: &Surveyed, now: Stamp) -> bool {
    let Some((noted, next)) = game.note.as_deref().and_then(|noted| noted.strip_suffix('\n')?.rsplit_once(' ')) else {
        return false;
    };
    let Some((noted, _)) = noted.rsplit_once(' ') else { return false };
    let is_later = next == "never" || Stamp::parse(next).is_some_and(|next| next > now);
    is_later && state(game.lengths).as_deref() == Some(noted)
}

/// How a game stands, for counting games.
const STANDINGS: [&str; 4] = ["joining", "asking", "resting", "over"];

fn word(fold: &Fold) -> &'static str {
    let [joining, asking, resting, over] = STANDINGS;
    match fold.phase() {
        Phase::Joining => joining,
        Phase::Playing if fold.asked().is_some() && !fold.is_paused() => asking,
        Phase::Playing => resting,
        Phase::Revealed | Phase::Ended => over,
    }
}

/// How a game stood when the clock last looked at it: `joining`, `asking`, `resting`, `over`.
pub fn standing(game: &Surveyed) -> Option<&'static str> {
    let word = game.note.as_deref()?.trim_end().rsplit(' ').nth(1)?;
    STANDINGS.into_iter().find(|standing| *standing == word)
}

/// Changes with every entry and every event of the book: the lengths of both files.
fn state(lengths: [Option<u64>; 2]) -> Option<String> {
    let [log, book] = lengths;
    Some(format!("log {} book {}", log?, book?))
}
