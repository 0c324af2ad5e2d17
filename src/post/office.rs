/*! The post office: one mailbox for all games of a folder (requirement A1). It opens a letter, sees who is never
answered, finds the desk of the game, and answers what finds none.
*/

use super::address::{self, Astray, Place, Register};
use super::book::{Book, Event, Outcome};
use super::desk::{Desk, Received};
use super::draft::{Draft, Purpose};
use super::fault::PostError;
use super::letter::Letter;
use super::limits::Limits;
use super::mailbox::Mailbox;
use super::message_id;
use super::outbox::Outbox;
use super::robots::{self, Robot};
use super::vault::Vault;
use crate::record::entry::{Body, Entry};
use crate::record::log;
use crate::record::plan::Titles;
use crate::record::secrets::Secrets;
use crate::record::stamp::Stamp;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder, among those of the games, where letters lie that belong to none. No game can have this name.
pub const COUNTER: &str = ".post";

/// L3: a stranger is told once in this time how to write to us; then silence.
const STRANGER_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);
/// L3: refusals to one address in one day.
const REFUSALS_A_DAY: usize = 20;

/// What became of a letter at the post office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It came to the desk of a game.
    Desk { place: Place, received: Received },
    /// It speaks for no seat. `letter` is the answer, unless its author has had enough of them.
    Astray { reason: Astray, letter: Option<String> },
    /// Nobody wrote it: it is neither played nor answered.
    Robot(Robot),
    /// It was here before and spoke for no seat then.
    Again,
}

/// Desks that one sitting keeps open.
const DESKS_MAX: usize = 32;

/// All games of a folder.
#[derive(Clone, Debug)]
pub struct Office {
    root: PathBuf,
    ours: Mailbox,
    titles: Titles,
    limits: Limits,
}

impl Office {
    /// The post office of the games in a folder. `ours` is its mailbox, without anything after a `+`.
    #[must_use]
    pub fn new(root: &Path, ours: &Mailbox, titles: Titles) -> Office {
        Office { root: root.to_owned(), ours: ours.base(), titles, limits: Limits::ORDINARY }
    }

    /// The limits within which letters are read.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Opens the desk of a game.
    ///
    /// # Errors
    /// There is no such game, or it cannot be opened.
    pub fn desk(&self, game: &str) -> Result<Desk, PostError> {
        Desk::open(&self.root.join(game), &self.ours, self.titles)
    }

    /// The names of all games.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn games(&self) -> Result<Vec<String>, PostError> {
        let mut games = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if message_id::is_game(&name) && entry.path().join(log::LOG).exists() {
                games.push(name);
            }
        }
        games.sort();
        Ok(games)
    }

    /// The outbox and the book of letters that belong to no game.
    ///
    /// # Errors
    /// They cannot be opened.
    pub fn counter(&self) -> Result<(Outbox, Book), PostError> {
        let folder = self.root.join(COUNTER);
        fs::create_dir_all(&folder)?;
        Ok((Outbox::open(&folder)?, Book::open(&folder)?))
    }

    /// Sits down to receive letters.
    #[must_use]
    pub fn sit(&self) -> Sitting<'_> {
        Sitting { office: self, desks: BTreeMap::new() }
    }

    /// Receives one letter: everything from its bytes to the letters that answer it.
    ///
    /// # Errors
    /// Something cannot be written. The letter is then to be received again.
    pub fn receive(&self, raw: &[u8], at: Stamp) -> Result<Fate, PostError> {
        self.sit().receive(raw, at)
    }

    /// Notes a letter that belongs to no game. `None` if it was here before.
    fn note(&self, raw: &[u8], letter: &Letter, outcome: Outcome, at: Stamp) -> Result<Option<Book>, PostError> {
        let (_, mut book) = self.counter()?;
        if book.letter_in(&letter.raw).is_some_and(|letter| letter.done.is_some()) {
            return Ok(None);
        }
        Vault::open(&self.root.join(COUNTER))?.keep(raw)?;
        let (at, raw, mail) = (at.to_string(), letter.raw, letter.envelope.message_id.clone());
        book.append(Event::Taken { at: at.clone(), raw, text: raw, mail, seat: None })?;
        if outcome == Outcome::Robot {
            book.append(Event::Done { at, raw, outcome, letter: None })?;
        }
        Ok(Some(book))
    }

    fn astray(&self, raw: &[u8], letter: &Letter, reason: Astray, at: Stamp) -> Result<Fate, PostError> {
        let Some(mut book) = self.note(raw, letter, Outcome::Refused, at)? else { return Ok(Fate::Again) };
        let answer = match &letter.envelope.author {
            Ok(author) if self.may_answer(&book, author, &reason, at) => {
                Some(self.refusal(letter, author, &reason, at))
            }
            _ => None,
        };
        let mut name = None;
        if let Some(draft) = answer {
            let file = format!("{}.eml", draft.message_id.trim_matches(['<', '>']));
            Outbox::open(&self.root.join(COUNTER))?.put_named(&file, &draft.to_bytes())?;
            let (at, to) = (at.to_string(), draft.to.to_string());
            book.append(Event::Queued { at, letter: file.clone(), to, told: None })?;
            name = Some(file);
        }
        let (at, raw) = (at.to_string(), letter.raw);
        book.append(Event::Done { at, raw, outcome: Outcome::Refused, letter: name.clone() })?;
        Ok(Fate::Astray { reason, letter: name })
    }

    /// L3: players are told every time, within reason; strangers once a week, so that nobody can make us write to
    /// somebody he names as author.
    fn may_answer(&self, book: &Book, author: &Mailbox, reason: &Astray, at: Stamp) -> bool {
        if matches!(reason, Astray::NoAuthor(_)) {
            return false;
        }
        let within = |span: SignedDuration| {
            let written = author.to_string();
            let is_recent = move |since: &str| passed(since, at).is_none_or(|passed| passed < span);
            book.letters_out().filter(|out| out.to == written && is_recent(&out.at)).count()
        };
        match self.is_player(author) {
            true => within(SignedDuration::from_hours(24)) < REFUSALS_A_DAY,
            false => within(STRANGER_AFTER) == 0,
        }
    }

    fn is_player(&self, author: &Mailbox) -> bool {
        let games = self.games().unwrap_or_default();
        games.iter().any(|game| {
            let secrets = Secrets::read(&self.root.join(game));
            secrets.is_ok_and(|secrets| {
                let addresses = secrets.seats.iter().flat_map(|seat| &seat.addresses);
                addresses.filter_map(|written| Mailbox::read(written)).any(|address| address == *author)
            })
        })
    }

    fn refusal(&self, letter: &Letter, author: &Mailbox, reason: &Astray, at: Stamp) -> Draft {
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
             be said.\n"
        );
        let subject = match letter.envelope.subject.trim() {
            "" => "Your letter was not played".to_owned(),
            subject if subject.to_lowercase().starts_with("re:") => subject.to_owned(),
            subject => format!("Re: {subject}"),
        };
        let hash = letter.raw.to_string();
        Draft {
            purpose: Purpose::Answer,
            message_id: format!("<counter.{}@{}>", &hash[..32], self.ours.host),
            date: at,
            ours: self.ours.clone(),
            to: author.clone(),
            subject,
            in_reply_to: letter.envelope.message_id.clone(),
            references: letter.envelope.message_id.clone().into_iter().collect(),
            seat: None,
            text: wrapped(&text),
            log: None,
        }
    }
}

/// An office at work: the desks of the games stay open, and locked, from one letter to the next.
pub struct Sitting<'a> {
    office: &'a Office,
    desks: BTreeMap<String, Desk>,
}

impl Sitting<'_> {
    /// Receives one letter, as [`Office::receive`] does.
    ///
    /// # Errors
    /// Something cannot be written. The letter is then to be received again; others may be received before.
    pub fn receive(&mut self, raw: &[u8], at: Stamp) -> Result<Fate, PostError> {
        let office = self.office;
        let letter = Letter::open(raw, &office.limits);
        if let Some(robot) = robots::sign(&letter.envelope, &office.ours) {
            office.note(raw, &letter, Outcome::Robot, at)?;
            return Ok(Fate::Robot(robot));
        }
        match address::route(&letter.envelope, &office.ours, self) {
            Ok(route) => {
                let received = self.at_desk(&route.place.game, at, |desk| desk.receive(raw, &letter, &route.place, at));
                Ok(Fate::Desk { place: route.place, received: received? })
            }
            Err(reason) => office.astray(raw, &letter, reason, at),
        }
    }

    /// Does something at the desk of a game. A desk at which something went wrong is closed: it is opened again from
    /// what is written.
    fn at_desk<T>(
        &mut self,
        game: &str,
        at: Stamp,
        act: impl FnOnce(&mut Desk) -> Result<T, PostError>,
    ) -> Result<T, PostError> {
        let mut desk = match self.desks.remove(game) {
            Some(desk) => desk,
            None => {
                let mut desk = self.office.desk(game)?;
                // What a crash left is taken up first, in the order in which it came.
                desk.recover(at)?;
                desk
            }
        };
        let done = act(&mut desk)?;
        if self.desks.len() >= DESKS_MAX {
            self.desks.clear();
        }
        self.desks.insert(game.to_owned(), desk);
        Ok(done)
    }
}

/// Open desks know their game; of the others the files are asked.
impl Register for Sitting<'_> {
    fn seats(&self, game: &str) -> Option<Vec<String>> {
        match self.desks.get(game) {
            Some(desk) => Some(desk.table.fold().plan().seats.iter().map(|seat| seat.word.clone()).collect()),
            None => self.office.seats(game),
        }
    }

    fn accepts_token(&self, place: &Place, token: &str) -> bool {
        match self.desks.get(&place.game) {
            Some(desk) => accepts_token(desk.table.secrets(), place, token),
            None => self.office.accepts_token(place, token),
        }
    }

    fn addresses(&self, place: &Place) -> Vec<Mailbox> {
        match self.desks.get(&place.game) {
            Some(desk) => addresses(desk.table.secrets(), place),
            None => self.office.addresses(place),
        }
    }
}

impl Register for Office {
    fn seats(&self, game: &str) -> Option<Vec<String>> {
        // A game is only ever named by what a game may be named: it becomes part of a path.
        if !message_id::is_game(game) {
            return None;
        }
        let mut records = log::read_log(&self.root.join(game)).ok()?;
        let first = records.next().ok()??;
        let entry = Entry::read(first.bytes).ok()?;
        let Body::Genesis(genesis) = &entry.body else { return None };
        Some(genesis.seats.iter().map(|seat| seat.seat.to_string()).collect())
    }

    fn accepts_token(&self, place: &Place, token: &str) -> bool {
        Secrets::read(&self.root.join(&place.game)).is_ok_and(|secrets| accepts_token(&secrets, place, token))
    }

    fn addresses(&self, place: &Place) -> Vec<Mailbox> {
        Secrets::read(&self.root.join(&place.game)).map_or(Vec::new(), |secrets| addresses(&secrets, place))
    }
}

fn accepts_token(secrets: &Secrets, place: &Place, token: &str) -> bool {
    let epoch = secrets.seats.iter().find(|seat| seat.seat == place.seat).map_or(0, |seat| seat.token_epoch);
    address::token(&secrets.token_key.0, place, epoch) == token
}

fn addresses(secrets: &Secrets, place: &Place) -> Vec<Mailbox> {
    let seats = secrets.seats.iter().filter(|seat| seat.seat == place.seat);
    seats.flat_map(|seat| &seat.addresses).filter_map(|written| Mailbox::read(written)).collect()
}

/// S3: paragraphs in lines of at most 72 columns.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 72 {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

fn passed(since: &str, now: Stamp) -> Option<SignedDuration> {
    let since: Timestamp = since.parse().ok()?;
    let now: Timestamp = now.as_str().parse().ok()?;
    Some(now.duration_since(since))
}
