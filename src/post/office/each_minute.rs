/*! What the service does once a minute: it looks at the clock, lets time pass in the games, and looks through all
outboxes. It counts what it finds, as a [`minute`](super::minute).
*/

use super::minute::Minute;
use super::notice::Notice;
use super::service::{Bulletin, CLOCK, GAMES, Service, Whose, with_advice};
use super::shared::{self, SENDING};
use super::tick;
use crate::book::fault::PostError;
use crate::book::outbox::put_at;
use crate::book::{Book, State};
use crate::desk::outage::{self, Doubt, MachineClock, Outage};
use crate::desk::tick::standing;
use ground::span::Span;
use ground::stamp::Stamp;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;
use store::home::{Lock, Surveyed};

/// The source named for trouble with ways that other workers may serve.
const OTHERS: &str = "the other ways";
/// The lock of the counter under which one of several workers lets the clock tick.
const TICKS: &str = "ticks.lock";

/// If a letter is older than this when it is first seen, its book says whether the host holds it.
const OLD: Span = Span::minutes(10);

impl Service<'_> {
    /// Once a minute: lets time pass, finds letters that others have put into an outbox, and tries again what has to
    /// wait.
    pub fn minute(&mut self) -> Result<(), PostError> {
        let at = (self.outside.now)();
        self.office.home()?;
        // A player must not be late because we cannot read his letter, or because ours does not reach him.
        let games = self.office.survey()?;
        self.look_at_the_clock(at)?;
        if self.failures == 0 && self.outside.jobs.is_some() {
            self.note_way(SENDING);
        }
        if self.unread.is_empty() && self.failures == 0 && self.outside.part.plays && self.all_ways_work(at)? {
            self.tick(&games, at)?;
        }
        match self.doubt {
            Some(doubt) => self.tell_of_the_clock(doubt),
            None => self.well(CLOCK),
        }
        self.sitting.age()?;
        self.rest = self.rest.saturating_sub(1);
        self.all_are_due();
        self.rounds.clear();
        self.held_up.clear();
        let doubted = self.doubt.map(|doubt| doubt.gap.back);
        let queued = self.office.store().shared().and_then(|shared| shared.queue_in().ok());
        let queued = queued.map(|queue| (queue.waiting, queue.oldest.and_then(Stamp::of)));
        let mut minute = Minute { games: census(&games), doubted, queued, ..Minute::default() };
        let mut waiting = BTreeMap::new();
        for (whose, found) in self.office.all_waiting()? {
            waiting.insert((whose.clone(), found.name.clone()), put_at(&found).unwrap_or(at));
            self.enqueue(whose, vec![found.name]);
        }
        self.count(&waiting, &mut minute, at);
        minute.standing = self.tell_what_stands(at);
        (self.outside.tell)(&Bulletin::Minute(&minute));
        if self.rounds.is_empty() && self.under_way.is_none() {
            // Another process has sent what could not be sent.
            self.failures = 0;
        }
        Ok(())
    }

    /// Looks whether the clock may be wrong. As long as it may, the beacon is asked.
    fn look_at_the_clock(&mut self, at: Stamp) -> Result<(), PostError> {
        let home = self.office.home()?;
        match self.ticked {
            None => self.doubt = outage::doubted(&home, at)?,
            Some(gone) if outage::is_a_jump(gone, at) => {
                let gap = Outage { gone, back: at };
                self.doubt = self.doubt.or(Some(Doubt { gap, contradicted: None }));
            }
            Some(_) => {}
        }
        // The clock may have jumped back.
        self.doubt = self.doubt.filter(|doubt| doubt.gap.back <= at);
        self.ticked = Some(at);
        self.doubt = match self.doubt {
            Some(doubt) => tick::settled(self.office.beacon(), &home, doubt, at)?,
            None => None,
        };
        Ok(())
    }

    /// Whether all ways in and out of the office work, no matter which worker serves them.
    fn all_ways_work(&mut self, at: Stamp) -> Result<bool, PostError> {
        let silent = shared::silent(&self.office.home()?, &self.outside.part.ways, at)?;
        match silent {
            None => self.well(OTHERS),
            Some(way) => {
                let words = format!("{way} has not worked for a while, on any machine: until it does, no time passes");
                self.trouble(OTHERS, &words);
            }
        }
        Ok(silent.is_none())
    }

    fn tell_of_the_clock(&mut self, doubt: Doubt) {
        let words = match doubt.contradicted {
            Some(_) => format!("it shows {}, and is fast, says the beacon. Nothing is written by it", doubt.gap.back),
            None => format!(
                "it shows {}, days after it last ticked: is it right? It is believed as soon as a letter comes that a \
                 mail server has dated like this, or at {}. Until then nothing is written",
                doubt.gap.back,
                doubt.believed()
            ),
        };
        self.trouble(CLOCK, &words);
        // The letter about a doubtful clock must not be dated by it.
        self.notice_at(&Notice::of_clock(&doubt), doubt.gap.gone);
    }

    /// The clock of the games ticks. If it has not ticked for long, the deadlines of that time move.
    fn tick(&mut self, games: &[Surveyed], at: Stamp) -> Result<(), PostError> {
        // One worker at a time lets the clock tick.
        let Some(_ticks) = self.ticks_alone()? else { return Ok(()) };
        // If this process watched the clock all the time, a gap is an outage, for example because a mailbox could not
        // be read.
        let outage = match outage::attend(&self.office.home()?, at)? {
            MachineClock::Goes(outage) => outage,
            MachineClock::Jumped(doubt) => Some(doubt.gap),
        };
        if self.doubt.is_some() {
            return Ok(());
        }
        for (game, ticked) in tick::tick_after(&mut self.sitting, games, outage, at) {
            match ticked {
                // Its players were asked, and its host was told.
                Err(error) if error.is_in_doubt() => self.trouble(&game, &error.to_string()),
                Err(error) if !error.is_busy() => self.stands(&game, &error),
                Ok(looked) => {
                    self.goes_on(&game);
                    looked.notices.iter().for_each(|notice| self.notice(notice));
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The lock under which one of several workers lets the clock tick; `None` if another worker has it. An office of
    /// one process needs no lock.
    fn ticks_alone(&self) -> Result<Option<Option<Lock>>, PostError> {
        if self.office.store().shared().is_none() {
            return Ok(Some(None));
        }
        match self.office.home()?.lock(TICKS, Duration::ZERO) {
            Ok(lock) => Ok(Some(Some(lock))),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(PostError::NoGames(error)),
        }
    }

    /// As [`Service::minute`]. If the folder of the games cannot be read, its disk may come back: nothing is done
    /// until then.
    pub(super) fn watch_the_games(&mut self) {
        match self.minute() {
            Ok(()) => self.well(GAMES),
            Err(error) => self.trouble(GAMES, &with_advice(&error)),
        }
    }

    fn is_held(&self, (whose, name): &(Whose, String)) -> bool {
        // If the book cannot be read, the code that needs it reports that.
        let book = Book::look(self.office.drawer(whose.as_deref())).ok().flatten();
        book.is_some_and(|book| book.letter_out(name).is_some_and(|out| matches!(out.state, State::Held { .. })))
    }

    /// Counts the letters that wait. A new one counts as waiting since it was put into its outbox.
    fn count(&mut self, waiting: &BTreeMap<(Whose, String), Stamp>, minute: &mut Minute, at: Stamp) {
        self.ready.retain(|letter, _| waiting.contains_key(letter));
        minute.waiting = waiting.len();
        for (letter, put) in waiting {
            let put = (*put).min(at);
            minute.oldest = Some(minute.oldest.map_or(put, |oldest| oldest.min(put)));
            if !self.ready.contains_key(letter) {
                // Only now is it looked up: a letter that its host holds is not waiting for us.
                let is_held = put.later(OLD) < at && self.is_held(letter);
                self.ready.insert(letter.clone(), if is_held { at } else { put });
            }
        }
        minute.ready_since = self.outside.jobs.as_ref().and_then(|_| self.ready.values().min().copied());
    }
}

/// The number of games in each state.
fn census(games: &[Surveyed]) -> BTreeMap<&'static str, usize> {
    let mut census = BTreeMap::new();
    for game in games {
        *census.entry(standing(game).unwrap_or("unknown")).or_default() += 1;
    }
    census
}
