/*! The letters that leave while the service works: one after the other, each noted before the next is handed over.

While a letter is on its way, its outbox is locked, but not its game: a slow server holds up no move.
*/

use super::sending::{self, Became, Ready};
use super::service::{Bulletin, Job, Service, THE_COUNTER, Whose};
use super::unnoted::{TOLD_AFTER, Unnoted};
use crate::book::Book;
use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::desk::restored;
use ground::stamp::Stamp;
use mail::wire::carrier::NotCarried;
use record::file::log;
use record::table::table_error::TableError;
use std::collections::VecDeque;

/// Ticks until sending is tried again after the server could not be used: more ticks each time.
const REST: [u32; 4] = [1, 2, 5, 15];

impl Service<'_> {
    pub(super) fn enqueue(&mut self, whose: Whose, mut names: Vec<String>) {
        // A letter that is on its way still lies in its outbox.
        names.retain(|name| self.under_way.as_ref().is_none_or(|(of, under_way)| (of, under_way) != (&whose, name)));
        if names.is_empty() || self.outside.jobs.is_none() {
            return;
        }
        match self.rounds.iter_mut().find(|(other, _)| *other == whose) {
            Some((_, waiting)) => {
                for name in names {
                    if !waiting.contains(&name) {
                        waiting.push_back(name);
                    }
                }
            }
            None => self.rounds.push_back((whose, names.into())),
        }
    }

    /// Gives the carrier the next letter, if it has none in hand.
    pub(super) fn send_next(&mut self) {
        if self.under_way.is_some() {
            return;
        }
        self.note_again();
        self.sending = None;
        if self.rest > 0 || self.outside.jobs.is_none() {
            return;
        }
        for (whose, names) in std::mem::take(&mut self.held_up) {
            self.enqueue(whose, names.into());
        }
        while let Some((whose, mut names)) = self.next_round() {
            // A clock that may be wrong must not date a letter to a player. The next tick finds the letter again.
            if self.doubt.is_some() && whose.is_some() {
                continue;
            }
            match self.office.lock_outbox(whose.as_deref()) {
                // Another process is sending these, or has just tried to lock the outbox, as we did.
                Err(error) if error.is_busy() => {
                    self.held_up.push((whose, names));
                    continue;
                }
                Err(error) => {
                    self.stands(whose.as_deref().unwrap_or(THE_COUNTER), &error);
                    continue;
                }
                Ok(lock) => self.sending = Some(lock),
            }
            while let Some(name) = names.pop_front() {
                match self.ready(whose.as_deref(), &name) {
                    Ok(Ready::Carry { cover, bytes }) => {
                        let jobs = self.outside.jobs.as_ref().expect("letters are sent by this process");
                        if jobs.send(Job { name: name.clone(), cover, bytes }).is_ok() {
                            self.under_way = Some((whose.clone(), name));
                            self.rounds.push_front((whose, names));
                            return;
                        }
                    }
                    Ok(Ready::NoLetter) => {
                        self.became(&whose, &name, Err(sending::no_letter()));
                        if self.is_unnoted(whose.as_deref()) {
                            self.rounds.push_front((whose, names));
                            break;
                        }
                    }
                    Ok(Ready::Rests) => self.is_not_due(&whose, &name),
                    Ok(Ready::Filed) => drop(self.ready.remove(&(whose.clone(), name))),
                    Err(error) if error.is_busy() => {
                        names.push_front(name);
                        self.held_up.push((whose.clone(), std::mem::take(&mut names)));
                        break;
                    }
                    Err(error) => {
                        self.stands(whose.as_deref().unwrap_or(THE_COUNTER), &error);
                        break;
                    }
                }
            }
        }
        self.sending = None;
    }

    /// Whether letters wait for a lock of another process, and nothing under way will wake us.
    pub(super) fn is_held_up(&self) -> bool {
        let is_free = self.under_way.is_none() && self.rest == 0 && self.outside.jobs.is_some();
        is_free && (!self.held_up.is_empty() || self.unnoted.iter().any(|unnoted| unnoted.is_due))
    }

    fn ready(&mut self, whose: Option<&str>, name: &str) -> Result<Ready, PostError> {
        let now = (self.outside.now)();
        self.at_outbox(whose, now, |outbox, book| sending::ready(name, outbox, book, now))
    }

    /// Does something with an outbox and its book. If a game waits for what its players have seen, nothing else is
    /// done at its desk, but the letters that ask them must leave: so its desk is not opened then.
    fn at_outbox<T>(
        &mut self,
        whose: Option<&str>,
        now: Stamp,
        act: impl FnOnce(&Outbox, &mut Book) -> Result<T, PostError>,
    ) -> Result<T, PostError> {
        let Some(game) = whose else {
            return self.sitting.at_counter(|counter| act(&counter.outbox, &mut counter.book));
        };
        let drawer = self.office.drawer(whose);
        if self.sitting.is_open(game) || (self.outside.part.plays && !restored::is_waiting(&drawer)?) {
            return self.sitting.at_desk(game, now, |desk| act(&desk.outbox, &mut desk.book));
        }
        let _lock = log::lock(&drawer).map_err(TableError::from)?;
        act(&Outbox::at(&drawer), &mut Book::open(&drawer)?)
    }

    pub(super) fn carried(&mut self, carried: Result<String, NotCarried>) {
        let Some((whose, name)) = self.under_way.take() else { return };
        self.became(&whose, &name, carried);
    }

    /// The next outbox with letters to send. It skips an outbox with a letter whose result is not noted yet.
    fn next_round(&mut self) -> Option<(Whose, VecDeque<String>)> {
        let next = self.rounds.iter().position(|(whose, _)| !self.is_unnoted(whose.as_deref()))?;
        self.rounds.remove(next)
    }

    fn is_unnoted(&self, whose: Option<&str>) -> bool {
        self.unnoted.iter().any(|unnoted| unnoted.whose.as_deref() == whose)
    }

    /// Everything that could not be noted is to be tried again now.
    pub(super) fn all_are_due(&mut self) {
        self.unnoted.iter_mut().for_each(|unnoted| unnoted.is_due = true);
    }

    /// Tries again to note what became of letters. No letter may be on its way.
    pub(super) fn note_again(&mut self) {
        let unnoted = std::mem::take(&mut self.unnoted).into_iter();
        let (due, later): (Vec<Unnoted>, _) = unnoted.partition(|unnoted| unnoted.is_due);
        self.unnoted = later;
        let now = (self.outside.now)();
        for Unnoted { whose, name, carried, sending, since, .. } in due {
            self.sending = sending.filter(|_| now < since.later(TOLD_AFTER));
            self.became_since(&whose, &name, carried, since);
        }
    }

    /// Notes what became of a letter. If another process is at work on its game, or nothing can be written, that is
    /// done later: until then the outbox stays locked, and nobody sends the letter again.
    pub(super) fn became(&mut self, whose: &Whose, name: &str, carried: Result<String, NotCarried>) {
        self.became_since(whose, name, carried, (self.outside.now)());
    }

    /// As [`Service::became`], of a letter that was handed over by then.
    fn became_since(&mut self, whose: &Whose, name: &str, carried: Result<String, NotCarried>, since: Stamp) {
        let now = (self.outside.now)();
        let mut noted = self.note(whose, name, &carried, now);
        if noted.as_ref().is_err_and(|error| !error.is_busy()) {
            // It may have been noted, or a lease was lost that nobody else has taken: the book is opened again.
            noted = self.note(whose, name, &carried, now);
        }
        let is_busy = noted.as_ref().is_err_and(PostError::is_busy);
        if noted.is_err() && !matches!(carried, Err(NotCarried::NoService { .. })) {
            let (whose, name, sending) = (whose.clone(), name.to_owned(), self.sending.take());
            self.unnoted.push(Unnoted { whose, name, carried, sending, is_due: is_busy, since });
        }
        if is_busy {
            return;
        }
        if noted.is_ok() {
            self.goes_on(whose.as_deref().unwrap_or(THE_COUNTER));
        }
        match &noted {
            Ok(Became::Sent { .. } | Became::Dead { .. }) => drop(self.ready.remove(&(whose.clone(), name.to_owned()))),
            Ok(Became::Later { .. }) => self.is_not_due(whose, name),
            // The letter is still ready: it was the server that failed.
            Ok(Became::Silent { .. } | Became::NoService { .. }) | Err(_) => {}
        }
        if !matches!(noted, Ok(Became::NoService { .. } | Became::Silent { .. }) | Err(_)) {
            self.failures = 0;
        }
        let tell = &mut self.outside.tell;
        match noted {
            Ok(Became::Sent { reply }) => {
                tell(&Bulletin::Sent { letter: name, reply: &reply });
            }
            Ok(Became::Later { reply }) => tell(&Bulletin::Later { letter: name, reply: &reply }),
            Ok(Became::Dead { reply }) => {
                tell(&Bulletin::Dead { letter: name, reply: &reply });
                if let Some(game) = whose {
                    self.tell_of(game, now);
                }
            }
            Ok(Became::NoService { reason: reply } | Became::Silent { reply }) => {
                tell(&Bulletin::NoService { reason: &reply });
                self.rest = REST[self.failures.min(REST.len() - 1)];
                self.failures += 1;
            }
            Err(error) => self.stands(whose.as_deref().unwrap_or(THE_COUNTER), &error),
        }
    }

    fn note(
        &mut self,
        whose: &Whose,
        name: &str,
        carried: &Result<String, NotCarried>,
        now: Stamp,
    ) -> Result<Became, PostError> {
        let said = carried.clone();
        self.at_outbox(whose.as_deref(), now, |outbox, book| sending::note(name, said, outbox, book, now))
    }

    /// The next try of a letter is later, or its host holds it: it does not count as ready from before now.
    fn is_not_due(&mut self, whose: &Whose, name: &str) {
        self.ready.insert((whose.clone(), name.to_owned()), (self.outside.now)());
    }
}
