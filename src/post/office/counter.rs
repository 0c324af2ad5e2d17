/*! The counter: letters that belong to no game, and the few answers to them (requirement L3). */

use super::Fate;
use crate::mail::draft::{Draft, Purpose};
use crate::mail::letter::Letter;
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::fault::PostError;
use crate::post::book::outbox::Outbox;
use crate::post::book::vault::Vault;
use crate::post::book::{Book, Event, Outcome};
use crate::post::names::address::Astray;
use crate::record::file::log::{self, Lock};
use crate::record::table::table_error::TableError;
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use crate::report::columns::paragraphs;
use jiff::{SignedDuration, Timestamp};
use std::fs;
use std::io;
use std::path::Path;

/// L3: a stranger is told once in this time how to write to us; then silence.
const STRANGER_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);
/// L3: refusals to one address in one day.
const REFUSALS_A_DAY: usize = 20;

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
                return Err(io::Error::new(error.kind(), format!("{}: {error}", folder.display())).into());
            }
            _ => {}
        }
        let lock = log::lock(folder).map_err(TableError::from)?;
        let (outbox, book, vault) = (Outbox::open(folder)?, Book::open(folder)?, Vault::open(folder)?);
        Ok(Counter { outbox, book, vault, ours: ours.clone(), _lock: lock })
    }

    /// Whether a letter was dealt with before.
    #[must_use]
    pub fn knows(&self, raw: &Hash) -> bool {
        self.book.letter_in(raw).is_some_and(|letter| letter.done.is_some())
    }

    /// Notes a letter that nobody wrote.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn note(&mut self, raw: &[u8], letter: &Letter, at: Stamp) -> Result<(), PostError> {
        if !self.knows(&letter.raw) {
            self.take(raw, letter, at)?;
            let (at, raw) = (at.to_string(), letter.raw);
            self.book.append(Event::Done { at, raw, outcome: Outcome::Robot, letter: None })?;
        }
        Ok(())
    }

    /// A letter that speaks for no seat: it is noted, and its author told why, if he may be.
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
    ) -> Result<Fate, PostError> {
        if self.knows(&letter.raw) {
            return Ok(Fate::Again);
        }
        self.take(raw, letter, at)?;
        let author = letter.envelope.author.as_ref().ok();
        let author =
            author.filter(|author| !matches!(reason, Astray::NoAuthor(_)) && self.may_answer(author, patience, at));
        let mut answer = None;
        if let Some(author) = author {
            answer = Some(self.queue(&refusal(&self.ours, letter, author, &reason, at), at)?);
        }
        let (at, raw) = (at.to_string(), letter.raw);
        self.book.append(Event::Done { at, raw, outcome: Outcome::Refused, letter: answer.clone() })?;
        Ok(Fate::Astray { reason, letter: answer })
    }

    /// Whether the author of a letter that names no seat may be written to, as a stranger.
    #[must_use]
    pub(crate) fn welcomes(&self, letter: &Letter, at: Stamp) -> bool {
        let author = letter.envelope.author.as_ref();
        !self.knows(&letter.raw) && author.is_ok_and(|author| self.may_answer(author, Patience::Stranger, at))
    }

    /// Notes a letter that was answered from the desk of a game: its author has had the letter of his week.
    ///
    /// # Errors
    /// Something cannot be written.
    pub(crate) fn welcomed(&mut self, raw: &[u8], letter: &Letter, answer: &str, at: Stamp) -> Result<(), PostError> {
        self.take(raw, letter, at)?;
        let (at, to) = (at.to_string(), letter.envelope.author.as_ref().map(ToString::to_string).unwrap_or_default());
        let (letter, raw) = (answer.to_owned(), letter.raw);
        self.book.append(Event::Queued { at: at.clone(), letter: letter.clone(), to, told: None })?;
        let reply = "it goes out from the desk of its game".to_owned();
        self.book.append(Event::Sent { at: at.clone(), letter: letter.clone(), reply })?;
        Ok(self.book.append(Event::Done { at, raw, outcome: Outcome::Played, letter: Some(letter) })?)
    }

    /// Puts a letter into the outbox, once; its name there.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn queue(&mut self, draft: &Draft, at: Stamp) -> Result<String, PostError> {
        let name = format!("{}.eml", draft.message_id.trim_matches(['<', '>']));
        self.outbox.put_named(&name, &draft.to_bytes())?;
        if self.book.letter_out(&name).is_none() {
            let (at, to) = (at.to_string(), draft.to.to_string());
            self.book.append(Event::Queued { at, letter: name.clone(), to, told: None })?;
        }
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
            let is_recent = move |since: &str| passed(since, at).is_none_or(|passed| passed < span);
            self.book.letters_out().filter(|out| out.to == written && is_recent(&out.at)).count()
        };
        match patience {
            Patience::Player => within(SignedDuration::from_hours(24)) < REFUSALS_A_DAY,
            Patience::Stranger => within(STRANGER_AFTER) == 0,
            Patience::Nobody => false,
        }
    }
}

fn refusal(ours: &Mailbox, letter: &Letter, author: &Mailbox, reason: &Astray, at: Stamp) -> Draft {
    let guests = match *reason == Astray::NoSeat {
        true => {
            "\nA table that is open to guests is asked for by `observe` or `join` and its name, alone in a letter.\n"
        }
        false => "",
    };
    let reason = reason.to_string();
    let mut sentence = reason.clone();
    // An address stays as it is written.
    let is_address = reason.split(' ').next().is_some_and(|word| word.contains('@'));
    if let Some(first) = sentence.get_mut(..1).filter(|_| !is_address) {
        first.make_ascii_uppercase();
    }
    let text = format!(
        "Your letter was not played.\n\n{sentence}.\n\nNothing has changed in any game. A move is an answer to a \
         letter of ours: one sentence on each line, above what your mail program quotes. The letter tells what may \
         be said.\n{guests}"
    );
    let subject = match letter.envelope.subject.trim() {
        "" => "Your letter was not played".to_owned(),
        subject if subject.to_lowercase().starts_with("re:") => subject.to_owned(),
        subject => format!("Re: {subject}"),
    };
    let hash = letter.raw.to_string();
    Draft {
        purpose: Purpose::Answer,
        message_id: format!("<counter.{}@{}>", &hash[..32], ours.host),
        date: at,
        ours: ours.clone(),
        to: author.clone(),
        subject,
        in_reply_to: letter.envelope.message_id.clone(),
        references: letter.envelope.message_id.clone().into_iter().collect(),
        seat: None,
        text: paragraphs(&text),
        log: None,
    }
}

fn passed(since: &str, now: Stamp) -> Option<SignedDuration> {
    let since: Timestamp = since.parse().ok()?;
    let now: Timestamp = now.as_str().parse().ok()?;
    Some(now.duration_since(since))
}
