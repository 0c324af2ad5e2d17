/*! The counter: letters that belong to no game, and the few answers to them (requirement L3). Notices to the host go
out from here as well.
*/

use super::Handled;
use crate::mail::letter::Letter;
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::fault::PostError;
use crate::post::book::outbox::Outbox;
use crate::post::book::outgoing::{self, From, Key, Outgoing, Thread};
use crate::post::book::vault::Vault;
use crate::post::book::{Book, Event, REFUSALS_A_DAY, Reception};
use crate::post::names::address::Astray;
use crate::record::file::log::{self, Lock};
use crate::record::table::table_error::TableError;
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use crate::report::office as page;
use jiff::SignedDuration;
use std::path::Path;
use std::{fs, io};

/// L3: a stranger is told once in this time how to write to us; then silence.
const STRANGER_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How often the author of a stray letter is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Every time, within reason.
    Player,
    /// Once a week, so that nobody can make us write to somebody he names as author.
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
    _lock: Lock,
}

impl Counter {
    /// Opens the counter in its folder.
    ///
    /// # Errors
    /// It cannot be opened, or another process is at it.
    pub fn open(folder: &Path, ours: &Mailbox) -> Result<Counter, PostError> {
        // Not the folder of the games: where that is gone, as a disk that is not mounted, no letter may be answered.
        match fs::create_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                let about = io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
                let is_gone = error.kind() == io::ErrorKind::NotFound;
                return Err(if is_gone { PostError::NoGames(about) } else { PostError::File(about) });
            }
            _ => {}
        }
        let lock = log::lock(folder).map_err(TableError::from)?;
        let (outbox, mut book, vault) = (Outbox::open(folder)?, Book::open(folder)?, Vault::open(folder)?);
        book.look_for_strays(&outbox)?;
        Ok(Counter { outbox, book, vault, ours: ours.clone(), _lock: lock })
    }

    /// Whether a letter was dealt with before.
    #[must_use]
    pub fn knows(&self, raw: &Hash) -> bool {
        self.book.letter_in(raw).is_some_and(|letter| letter.done.is_some())
    }

    /// Notes a letter that a robot wrote.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn note(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<(), PostError> {
        if !self.knows(&letter.raw) {
            self.take(raw, letter, at)?;
            let (at, raw) = (at.to_string(), letter.raw);
            self.book.append(Event::Done { at, raw, outcome: Reception::Robot, letter: None })?;
        }
        Ok(())
    }

    /// A letter that speaks for no seat is noted, and its author is told why, if he may be written to.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn astray(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        reason: Astray,
        patience: Patience,
        at: Stamp,
    ) -> Result<Handled, PostError> {
        if self.knows(&letter.raw) {
            return Ok(Handled::Again);
        }
        self.take(raw, letter, at)?;
        let author = letter.envelope.author.as_ref().ok();
        let author =
            author.filter(|author| !matches!(reason, Astray::NoAuthor(_)) && self.may_answer(author, patience, at));
        let mut answer = None;
        if let Some(author) = author {
            answer = Some(self.post(refusal(letter, author, &reason, at))?);
        }
        let (at, raw) = (at.to_string(), letter.raw);
        self.book.append(Event::Done { at, raw, outcome: Reception::Refused, letter: answer.clone() })?;
        Ok(Handled::Astray { reason, letter: answer })
    }

    /// Whether the author of a letter that names no seat may be written to, as a stranger.
    #[must_use]
    pub(super) fn welcomes(&self, letter: &Letter, at: Stamp) -> bool {
        let author = letter.envelope.author.as_ref();
        !self.knows(&letter.raw) && author.is_ok_and(|author| self.may_answer(author, Patience::Stranger, at))
    }

    /// Notes a letter that was answered from the desk of a game: its author has had the letter of his week.
    ///
    /// # Errors
    /// Something cannot be written.
    pub(super) fn welcomed(&mut self, raw: &[u8], letter: &Letter, answer: &str, at: Stamp) -> Result<(), PostError> {
        self.take(raw, letter, at)?;
        let (at, to) = (at.to_string(), letter.envelope.author.as_ref().map(ToString::to_string).unwrap_or_default());
        let (letter, raw) = (answer.to_owned(), letter.raw);
        self.book.append(Event::Queued { at: at.clone(), letter: letter.clone(), to, told: None, invitation: None })?;
        let reply = "it goes out from the desk of its game".to_owned();
        self.book.append(Event::Sent { at: at.clone(), letter: letter.clone(), reply })?;
        Ok(self.book.append(Event::Done { at, raw, outcome: Reception::Played, letter: Some(letter) })?)
    }

    /// Writes a letter, once; the name of its file.
    ///
    /// # Errors
    /// Something cannot be written.
    pub(super) fn post(&mut self, letter: Outgoing) -> Result<String, PostError> {
        let from = From { ours: &self.ours, game: None };
        let name = outgoing::post(vec![letter], &self.outbox, &mut self.book, &from)?.swap_remove(0);
        self.book.settle()?;
        Ok(name)
    }

    fn take(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<(), PostError> {
        self.vault.keep(raw)?;
        let (at, raw, mail) = (at.to_string(), letter.raw, letter.envelope.message_id.clone());
        self.book.append(Event::Taken { at, raw, text: raw, mail, seat: None })?;
        Ok(())
    }

    fn may_answer(&self, author: &Mailbox, patience: Patience, at: Stamp) -> bool {
        let written = author.to_string();
        let within = |span: SignedDuration| {
            let is_recent = move |since: &str| at.since_written(since).is_none_or(|passed| passed < span);
            self.book.letters_out().filter(|out| out.to == written && is_recent(&out.at)).count()
        };
        match patience {
            Patience::Player => within(SignedDuration::from_hours(24)) < REFUSALS_A_DAY,
            Patience::Stranger => within(STRANGER_AFTER) == 0,
            Patience::Nobody => false,
        }
    }
}

fn refusal(letter: &Letter, author: &Mailbox, reason: &Astray, at: Stamp) -> Outgoing {
    let mut why = reason.to_string();
    // An address, or the name of a game, stays as it is written.
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
    use crate::mail::letter::limits::Limits;
    use crate::post::names::address::Place;

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
