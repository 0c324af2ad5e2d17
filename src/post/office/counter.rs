/*! The counter: letters that belong to no game, and the few answers to them (requirement L3). Notices to the host go
out from here as well.
*/

use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::book::outgoing::{self, From, Key, Outgoing, Thread};
use crate::book::vault::{MAIL, Vault};
use crate::book::{Book, Event, LetterOut, REFUSALS_A_DAY, Reception};
use crate::names::address::Astray;
use ground::hash::Hash;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use mail::letter::Letter;
use mail::letter::mailbox::Mailbox;
use record::file::log;
use record::table::table_error::TableError;
use report::office as page;
use serde::Deserialize;
use std::cmp::Ordering;
use std::io;
use std::time::Duration;
use store::drawer::Drawer;
use store::home::Lock;

/// L3: within this time a stranger is told only once how to write to us.
const STRANGER_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);

/// All strangers together get at most `ANSWERS_AN_HOUR`, those of one domain at most `ANSWERS_A_DOMAIN` a day:
/// somebody who invents senders cannot make us write to all of them.
const ANSWERS_AN_HOUR: usize = 30;
const ANSWERS_A_DOMAIN: usize = 10;
/// What is kept of letters that belong to no game: a machine may write them, and the disk belongs to the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "letters-a-day and the rest, as numbers")]
pub struct Quota {
    /// Letters in a day that are not answered.
    pub letters_a_day: usize,
    /// The size of all letters, answered or not, in a day and in total.
    pub megabytes_a_day: u64,
    pub megabytes: u64,
    /// Letters in total.
    pub letters: usize,
}

impl Default for Quota {
    fn default() -> Quota {
        Quota { letters_a_day: 100, megabytes_a_day: 50, megabytes: 500, letters: 20_000 }
    }
}

const MEGABYTE: u64 = 1_000_000;

/// How much the letters of strangers amount to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub letters: usize,
    pub bytes: u64,
    /// Those that came today.
    pub bytes_today: u64,
}

impl Used {
    /// Whether another letter of this length would exceed the quota.
    fn is_full(&self, quota: Quota, bytes: u64) -> bool {
        self.letters >= quota.letters
            || self.bytes + bytes > quota.megabytes * MEGABYTE
            || self.bytes_today + bytes > quota.megabytes_a_day * MEGABYTE
    }

    /// Whether nine tenths of the total quota are used.
    pub fn is_nearly_full(&self, quota: Quota) -> bool {
        self.letters * 10 >= quota.letters * 9 || self.bytes * 10 >= quota.megabytes * MEGABYTE * 9
    }
}

/// How much is kept at the counter, and how much of it came today, without opening the counter.
pub fn used(counter: &Drawer, today: &str) -> io::Result<Used> {
    let mut used = Used::default();
    for found in counter.list(MAIL)? {
        used.letters += 1;
        used.bytes += found.length;
        if Stamp::of(found.changed).is_some_and(|at| day(at.as_str()) == today) {
            used.bytes_today += found.length;
        }
    }
    Ok(used)
}

/// How often the author of a stray letter is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Each time, up to a daily limit.
    Player,
    /// Once a week, so that nobody can make us write to people whose name he uses as author.
    Stranger,
    /// Never: the letter is old.
    Nobody,
}

/// The outbox, the book and the vault of letters that belong to no game, under one lock.
#[derive(Debug)]
pub struct Counter {
    pub outbox: Outbox,
    pub book: Book,
    vault: Vault,
    ours: Mailbox,
    /// A day, and how many letters without an answer were kept on it.
    kept: (String, usize),
    quota: Quota,
    /// How much is kept here, and on which day that was counted; `None` until somebody asks.
    used: Option<(String, Used)>,
    drawer: Drawer,
    _lock: Lock,
}

impl Counter {
    /// Opens the counter in its drawer, which must exist. Waits up to `patience` if another process is at it.
    pub fn open(drawer: impl Into<Drawer>, ours: &Mailbox, patience: Duration) -> Result<Counter, PostError> {
        let drawer = drawer.into();
        let lock = log::lock_within(&drawer, patience).map_err(TableError::from)?;
        let (outbox, mut book, vault) = (Outbox::open(&drawer)?, Book::open(&drawer)?, Vault::open(&drawer)?);
        book.look_for_strays(&outbox)?;
        let mut kept = (String::new(), 0);
        for letter in book.letters_in().filter(|letter| letter.answer.is_none()) {
            let day = day(&letter.at);
            match day.cmp(kept.0.as_str()) {
                Ordering::Less => {}
                Ordering::Equal => kept.1 += 1,
                Ordering::Greater => kept = (day.to_owned(), 1),
            }
        }
        let (ours, quota) = (ours.clone(), Quota::default());
        Ok(Counter { outbox, book, vault, ours, kept, quota, used: None, drawer, _lock: lock })
    }

    /// The same counter, which keeps at most this much.
    pub fn keeping(self, quota: Quota) -> Counter {
        Counter { quota, ..self }
    }

    /// Whether there is room for the letter of somebody who is no player.
    fn has_room(&mut self, raw: &[u8], at: Stamp) -> Result<bool, PostError> {
        let today = day(at.as_str());
        if self.used.as_ref().is_none_or(|(counted, _)| counted != today) {
            self.used = Some((today.to_owned(), used(&self.drawer, today)?));
        }
        let (_, used) = self.used.as_ref().expect("it was just counted");
        Ok(!used.is_full(self.quota, raw.len() as u64))
    }

    /// Whether a letter was dealt with before.
    pub fn knows(&self, raw: &Hash) -> bool {
        self.book.letter_in(raw).is_some_and(|letter| letter.done.is_some())
    }

    /// Notes a letter that a robot wrote.
    pub fn note(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<(), PostError> {
        if !self.knows(&letter.raw) && self.keeps_another(at) && self.has_room(raw, at)? {
            self.take(raw, letter, at)?;
            let (at, raw) = (at.to_string(), letter.raw);
            self.book.append(Event::Done { at, raw, outcome: Reception::Robot, letter: None })?;
        }
        Ok(())
    }

    /// Notes a letter that speaks for no seat and has not come before, and tells its author why. Returns the answer;
    /// `None` if its author may not be written to.
    pub fn astray(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        reason: &Astray,
        patience: Patience,
        at: Stamp,
    ) -> Result<Option<String>, PostError> {
        let author = letter.envelope.author.as_ref().ok();
        let may = |author: &&Mailbox| self.may_answer(author, patience, at);
        let author = author.filter(|author| !matches!(reason, Astray::NoAuthor(_)) && may(author));
        let has_room = patience == Patience::Player || self.has_room(raw, at)?;
        if !has_room || author.is_none() && !self.keeps_another(at) {
            return Ok(None);
        }
        self.take(raw, letter, at)?;
        let mut answer = None;
        if let Some(author) = author {
            answer = Some(self.post(refusal(letter, author, reason, at))?);
        }
        let (at, raw) = (at.to_string(), letter.raw);
        self.book.append(Event::Done { at, raw, outcome: Reception::Refused, letter: answer.clone() })?;
        Ok(answer)
    }

    /// Whether the author of a letter that names no seat may get an answer, as a stranger.
    pub(super) fn welcomes(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<bool, PostError> {
        let author = letter.envelope.author.as_ref();
        let may = author.is_ok_and(|author| self.may_answer(author, Patience::Stranger, at));
        Ok(!self.knows(&letter.raw) && may && self.has_room(raw, at)?)
    }

    /// Notes a letter that was answered from the desk of a game: its author has had his one letter of the week.
    pub(super) fn welcomed(&mut self, raw: &[u8], letter: &Letter, answer: &str, at: Stamp) -> Result<(), PostError> {
        self.take(raw, letter, at)?;
        let (at, to) = (at.to_string(), letter.envelope.author.as_ref().map(ToString::to_string).unwrap_or_default());
        let (letter, raw) = (answer.to_owned(), letter.raw);
        self.book.append(Event::Queued { at: at.clone(), letter: letter.clone(), to, told: None, invitation: None })?;
        let reply = "it goes out from the desk of its game".to_owned();
        self.book.append(Event::Sent { at: at.clone(), letter: letter.clone(), reply })?;
        Ok(self.book.append(Event::Done { at, raw, outcome: Reception::Played, letter: Some(letter) })?)
    }

    /// Writes a letter, once. Returns the name of its file.
    pub(super) fn post(&mut self, letter: Outgoing) -> Result<String, PostError> {
        let from = From { ours: &self.ours, game: None };
        let name = outgoing::post(vec![letter], &self.outbox, &mut self.book, &from)?.swap_remove(0);
        self.book.settle()?;
        Ok(name)
    }

    fn take(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<(), PostError> {
        self.vault.keep(raw)?;
        if let Some((_, used)) = &mut self.used {
            used.letters += 1;
            used.bytes += raw.len() as u64;
            used.bytes_today += raw.len() as u64;
        }
        let (at, raw, mail) = (at.to_string(), letter.raw, letter.envelope.message_id.clone());
        self.book.append(Event::Taken { at, raw, text: raw, mail, seat: None })?;
        Ok(())
    }

    /// Counts one more letter without an answer. Returns whether it is kept today.
    fn keeps_another(&mut self, at: Stamp) -> bool {
        if self.kept.0 != day(at.as_str()) {
            self.kept = (day(at.as_str()).to_owned(), 0);
        }
        self.kept.1 += 1;
        self.kept.1 <= self.quota.letters_a_day
    }

    fn may_answer(&self, author: &Mailbox, patience: Patience, at: Stamp) -> bool {
        let written = author.to_string();
        let domain = format!("@{}", author.host);
        let within = |span: SignedDuration, is_meant: &dyn Fn(&LetterOut) -> bool| {
            let is_recent = |out: &&LetterOut| at.since_written(&out.at).is_none_or(|passed| passed < span);
            // The book lists them in the order of their times.
            self.book.letters_out().rev().take_while(is_recent).filter(|out| is_meant(out)).count()
        };
        let day = SignedDuration::from_hours(24);
        match patience {
            Patience::Player => within(day, &|out| out.to == written) < REFUSALS_A_DAY,
            Patience::Stranger => {
                within(STRANGER_AFTER, &|out| out.to == written) == 0
                    && within(day, &|out| out.to.ends_with(&domain)) < ANSWERS_A_DOMAIN
                    && within(SignedDuration::from_hours(1), &|_| true) < ANSWERS_AN_HOUR
            }
            Patience::Nobody => false,
        }
    }
}

/// `2026-11-20`.
fn day(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}

fn refusal(letter: &Letter, author: &Mailbox, reason: &Astray, at: Stamp) -> Outgoing {
    let mut why = reason.to_string();
    // An address, or the name of a game, keeps its small first letter.
    let begins_with_a_name =
        matches!(reason, Astray::UnknownSeat { .. } | Astray::NotTheirs { .. } | Astray::NoSeatOfTheirs { .. });
    if let Some(first) = why.get_mut(..1).filter(|_| !begins_with_a_name) {
        first.make_ascii_uppercase();
    }
    let page =
        page::astray(&letter.envelope.subject, &page::Astray { why, names_no_seat: matches!(reason, Astray::NoSeat) });
    let thread = Thread::Answers { mail: letter.envelope.message_id.clone(), references: Vec::new() };
    Outgoing { thread, ..Outgoing::new(Key::astray(&letter.raw), author.clone(), page, at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::address::Place;
    use mail::letter::limits::Limits;

    #[track_caller]
    fn case(reason: Astray, begins: &str) {
        let letter = Letter::open(b"From: frodo@shire.example\r\n\r\nhello\r\n", &Limits::ORDINARY);
        let author = Mailbox::read("frodo@shire.example").unwrap();
        let at = Stamp::parse("2026-11-24T07:12:09Z").unwrap();
        let text = refusal(&letter, &author, &reason, at).page.text;
        assert!(text.lines().any(|line| line.trim_start().starts_with(begins)), "{text}");
    }

    #[test]
    fn why_a_letter_went_astray_begins_with_a_capital_unless_with_a_name() {
        let place = Place { game: "g7".to_owned(), seat: "gollum".to_owned() };
        let author = Mailbox::read("frodo@shire.example").unwrap();
        case(Astray::UnknownSeat { place: place.clone(), seats: vec!["free".to_owned()] }, "g7 has no seat gollum");
        case(Astray::NotTheirs { place, author }, "frodo@shire.example is not");
        case(Astray::UnknownGame { game: "g9".to_owned() }, "There is no game g9");
    }
}
