/*! A game that was put back from a backup. Letters may have gone out after the backup was made; to go on from it would
be to tell two histories. So nothing is played until it is known what the players have seen.

A letter asks each of them to forward what he has got since. Our letters bear a checkpoint that this host has signed,
so nobody can invent one, and bring the records up to it. The records come into the log again if their hashes lead
from it to that checkpoint. A player's newest letter counts only if it was taken in after the game was put back. When
every player has shown his newest letter, and the log has all that was signed, the game goes on: with a note on
record, with more time for the open question, and without a second letter about anything that a player has shown to
have.

It is the same if the store itself has lost records, as a database does whose standby takes over. Then it may be that
only a letter shows it: one that answers a letter about a record that the log does not have. Anybody can write such a
letter, so its writer alone is asked, and the game rests for a day at most.
*/

use super::Desk;
use super::lost::Lost;
use super::outage::Outage;
use super::pause::Paused;
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing};
use crate::book::{Event, Reception, State, Told};
use crate::desk::Received;
use crate::names::address::{self, Assurance, Place, Route};
use crate::names::message_id::MessageId;
use crate::witness::rebuild::Found;
use engine::title::Titles;
use ground::files::LOG;
use ground::hash::{Hash, sha256};
use ground::span::Span;
use ground::stamp::Stamp;
use ground::yaml;
use mail::letter::{self, Letter};
use record::entry::Head;
use record::file::log::{Log, LogError};
use record::file::reading::read_through;
use record::file::secrets::Secrets;
use record::file::stream::Records;
use record::fold::{Fold, Phase};
use record::table::table_error::TableError;
use report::fate::{Answered, Fate};
use report::office as page;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::ControlFlow;
use store::drawer::Drawer;

/// The file beside the log.
pub const RESTORED: &str = "restored";
/// The folder of records that came back but do not connect to the log yet.
const RECORDS: &str = "restored-records";
/// The most records kept there: no game has so many between two backups.
const RECORDS_MAX: usize = 20_000;
/// The version of the file. Version 1 did not say by which record the game goes on, and version 2 not who was asked.
const VERSION: u32 = 3;
/// How long a game rests because of a letter that names a record that the log does not have.
const REST: Span = Span::hours(24);

/// What is known of a game that was put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restored {
    pub version: u32,
    /// When the backup was made, and when it was put back.
    pub backup: Stamp,
    pub at: Stamp,
    /// The last record of the log as it was put back.
    pub head: Head,
    /// The seats whose players have shown their newest letter, and the record up to which it tells.
    #[serde(default)]
    pub heard: BTreeMap<String, u64>,
    /// The newest record that each player had been told of when the backup was made: a letter that tells less is not
    /// his newest.
    #[serde(default)]
    pub told: BTreeMap<String, u64>,
    /// The furthest record that this host has signed, as letters show.
    #[serde(default)]
    pub signed: Option<Head>,
    /// Everything is known that can be, and the game goes on.
    #[serde(default)]
    pub is_settled: bool,
    /// The record of the log that says so. Its number is noted before it is written.
    #[serde(default)]
    pub goes_on_by: Option<u64>,
    /// Only this seat was asked, because a letter of its player named a record that the log does not have; and until
    /// then the game rests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<(String, Stamp)>,
}

/// What became of a letter to a game that was put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It brought records, and nothing else in it is read.
    Taken(Box<Received>),
    /// As `Taken`, and it proves that the log has lost records: all players are to be asked.
    Proven { received: Box<Received>, before: Box<Restored> },
    /// The game is not in doubt, or not any more: the letter goes to its desk.
    GoesOn,
}

/// How much is known of what the players have seen, in a game that was put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub restored: Restored,
    /// The last record of the log now.
    pub head: Head,
    /// The seats whose players have not shown anything yet.
    pub silent: Vec<String>,
    /// The number of a missing record, if this host has signed one that the log does not have.
    pub missing: Option<u64>,
}

impl Restored {
    /// What is noted beside the log of a game.
    pub fn read(drawer: &Drawer) -> io::Result<Option<Restored>> {
        let Some(text) = drawer.text(RESTORED, VERSION)? else { return Ok(None) };
        let read = yaml::read(&text);
        let damaged =
            |why| drawer.about(RESTORED, &io::Error::new(io::ErrorKind::InvalidData, format!("not understood: {why}")));
        read.map(Some).map_err(|error: serde_yaml::Error| damaged(error.to_string()))
    }

    /// Begins the doubt about a game that ends with this record.
    pub fn of(head: Head, backup: Stamp, at: Stamp) -> Restored {
        let (heard, told, signed) = (BTreeMap::new(), BTreeMap::new(), None);
        Restored {
            version: VERSION,
            backup,
            at,
            head,
            heard,
            told,
            signed,
            is_settled: false,
            goes_on_by: None,
            asked: None,
        }
    }

    /// Notes it beside the log of a game.
    pub fn note(&self, drawer: &Drawer) -> io::Result<()> {
        let text = serde_yaml::to_string(self).expect("it is plain values");
        drawer.replace(RESTORED, text.as_bytes())
    }

    /// The seats whose players were asked.
    fn asked_of(&self, fold: &Fold, secrets: &Secrets) -> Vec<String> {
        match &self.asked {
            Some((seat, _)) => vec![seat.clone()],
            None => written_to(fold, secrets),
        }
    }

    /// Why nothing is played in a game that ends with the entry `last`.
    fn doubt(&self, game: &str, last: u64) -> PostError {
        let game = game.to_owned();
        match &self.asked {
            None => PostError::Restored { game, last, backup: self.backup },
            Some((seat, until)) => {
                let seq = self.told.get(seat).copied().unwrap_or(last);
                PostError::Unknown { game, seat: seat.clone(), last, seq, until: *until }
            }
        }
    }

    /// The words by which the log says that the game goes on.
    fn words(&self, ends_pause: bool) -> String {
        let pause = if ends_pause { " The game is not paused by its host any more." } else { "" };
        if let Some((seat, _)) = &self.asked {
            return format!(
                "The game has rested since {}, because a letter of {seat} named an entry that the log does not \
                 have.{pause}",
                self.at
            );
        }
        format!(
            "The post office was put back at {} to where it was at {}, with #{} as its last entry. What was lost is \
             here again from the letters of the players.{pause}",
            self.at, self.backup, self.head.seq
        )
    }
}

/// Whether nothing is played in the game of a drawer until its players are heard.
pub fn is_waiting(drawer: &Drawer) -> io::Result<bool> {
    Ok(Restored::read(drawer)?.is_some_and(|restored| !restored.is_settled))
}

/// How much is known of what the players of a game have seen; `None` if the game is not in doubt.
pub fn known(drawer: &Drawer, titles: Titles) -> Result<Option<Known>, PostError> {
    let Some(restored) = Restored::read(drawer)?.filter(|restored| !restored.is_settled) else { return Ok(None) };
    let log = Log::open(drawer).map_err(TableError::from)?;
    let (fold, secrets) = (folded(&log, titles)?, Secrets::read(drawer).map_err(TableError::from)?);
    let mut silent = restored.asked_of(&fold, &secrets);
    silent.retain(|seat| !restored.heard.contains_key(seat));
    let missing = restored.signed.filter(|signed| signed.seq > log.head().seq);
    let missing = missing.and_then(|signed| kept_records(drawer).ok()?.between(log.head(), signed).err());
    Ok(Some(Known { head: log.head(), silent, missing, restored }))
}

/// Ends the doubt, because the host knows that no letter went out after the backup, or goes on without what is
/// missing. Returns `false` if the game was not in doubt.
pub fn go_on(drawer: &Drawer) -> Result<bool, PostError> {
    let _log = Log::open(drawer).map_err(TableError::from)?;
    let Some(restored) = Restored::read(drawer)?.filter(|restored| !restored.is_settled) else { return Ok(false) };
    Restored { is_settled: true, ..restored }.note(drawer)?;
    Ok(true)
}

/// Ends a doubt that ends by itself. Returns `false` if it goes on.
pub fn expire(drawer: &Drawer, at: Stamp) -> Result<bool, PostError> {
    let is_over = |restored: &Restored| restored.asked.as_ref().is_some_and(|(_, until)| *until <= at);
    let Some(restored) = Restored::read(drawer)?.filter(is_over) else { return Ok(false) };
    let _log = Log::open(drawer).map_err(TableError::from)?;
    Restored { is_settled: true, ..restored }.note(drawer)?;
    Ok(true)
}

/// Reads what a letter to a game shows of its history.
///
/// # Errors
/// [`PostError::Restored`] or [`PostError::Unknown`] if the game stays in doubt: the letter is to come again.
pub fn hear(
    drawer: &Drawer,
    titles: Titles,
    route: &Route,
    raw: &[u8],
    opened: &Letter,
    at: Stamp,
) -> Result<Heard, PostError> {
    let place = &route.place;
    if !is_waiting(drawer)? || expire(drawer, at)? {
        return Ok(Heard::GoesOn);
    }
    let log = Log::open(drawer).map_err(TableError::from)?;
    let Some(mut restored) = Restored::read(drawer)?.filter(|restored| !restored.is_settled) else {
        return Ok(Heard::GoesOn);
    };
    let (fold, secrets) = (folded(&log, titles)?, Secrets::read(drawer).map_err(TableError::from)?);
    let mut found = kept_records(drawer)?;
    let (noted, has_records) = found.shown(raw, &fold.plan().name);
    let key = fold.host_key();
    let signed = noted.into_iter().filter(|noted| noted.checkpoint.game == fold.plan().game);
    let signed = signed.filter(|noted| key.is_some_and(|key| noted.check(&[key]).is_ok()));
    let shown = signed.filter_map(|noted| Some(Head { seq: noted.seq()?, hash: noted.checkpoint.head }));
    let shown: Vec<Head> = shown.collect();
    let furthest = shown.iter().copied().chain(restored.signed).max_by_key(|head| head.seq);
    let mut head = log.head();
    let mut back = None;
    if let Some(furthest) = furthest.filter(|furthest| furthest.seq > head.seq) {
        match found.between(head, furthest) {
            Ok(more) => {
                lengthen(drawer, &log, &more, titles)?;
                back = Some((head.seq + 1, furthest.seq));
                head = furthest;
            }
            Err(_) if has_records => keep(drawer, &found, shown.iter().chain([&furthest]), head.seq)?,
            Err(_) => {}
        }
    }
    restored.signed = furthest;
    let hashes = hashes(&lengthened(drawer)?)?;
    let is_here = |head: &Head| hashes.get(head.seq as usize) == Some(&head.hash);
    // This host has signed another record than the log has at this number: the two histories differ.
    if let Some(other) = shown.iter().find(|shown| shown.seq <= head.seq && !is_here(shown)) {
        Lost { seq: other.seq, hash: other.hash, is_given_up: false }.note(drawer)?;
    }
    // A letter from before the restore does not show what its writer has got since.
    let is_new = letter::taken_at(raw).is_none_or(|taken| taken >= restored.at);
    // Anybody may bring records, but the wait for a player ends only by a letter to his seat's own address, with its
    // token.
    let is_his = is_new && route.assurance == Assurance::Token && fold.plan().seat(&place.seat).is_some();
    let least = restored.told.get(&place.seat).copied().unwrap_or(0);
    let newest = shown.iter().map(|shown| shown.seq).max();
    if let Some(newest) = newest.filter(|newest| is_his && *newest >= least) {
        let heard = restored.heard.entry(place.seat.clone()).or_default();
        *heard = newest.max(*heard);
    }
    let all = restored.asked_of(&fold, &secrets).iter().all(|seat| restored.heard.contains_key(seat));
    let has_all = restored.signed.is_none_or(|signed| is_here(&signed));
    let received = Box::new(taken(opened, back, newest.filter(|newest| *newest < least).map(|_| least)));
    if restored.asked.is_some() && (back.is_some() || !has_all) {
        drawer.remove(RESTORED)?;
        return Ok(Heard::Proven { received, before: Box::new(restored) });
    }
    restored.is_settled = all && has_all;
    restored.note(drawer)?;
    match (has_records, restored.is_settled) {
        (true, _) => Ok(Heard::Taken(received)),
        (false, true) => Ok(Heard::GoesOn),
        (false, false) => Err(restored.doubt(&fold.plan().name, head.seq)),
    }
}

/// The result of a letter that brought records. `least` is the entry up to which the writer had been told, if this
/// letter tells less.
fn taken(letter: &Letter, back: Option<(u64, u64)>, least: Option<u64>) -> Received {
    let how = match (back, least) {
        (Some((first, last)), _) => format!("the entries #{first} to #{last} are in the log again"),
        (None, Some(least)) => format!("it is not the newest: a letter that tells of #{least} had been sent"),
        (None, None) => "it shows which letters its writer has".to_owned(),
    };
    let line = letter.envelope.subject.clone();
    let answers = vec![Answered { line, fate: Fate::Noted { how } }];
    Received { outcome: Reception::Played, answers, ..Received::again() }
}

/// The seats whose players are asked: those that have an address and no program.
fn written_to(fold: &Fold, secrets: &Secrets) -> Vec<String> {
    let seats = secrets.seats.iter().filter(|seat| !seat.addresses.is_empty());
    let plays =
        |word: &str| fold.plan().seat(word).is_some_and(|seat| fold.plan().seats[seat.index()].program.is_none());
    seats.map(|seat| seat.seat.clone()).filter(|word| plays(word)).collect()
}

fn folded(log: &Log, titles: Titles) -> Result<Fold, PostError> {
    let records = log.records().map_err(TableError::from)?;
    Ok(read_through(records, titles, None, |_| ControlFlow::Continue(())).map_err(TableError::from)?)
}

fn lengthened(drawer: &Drawer) -> io::Result<Vec<u8>> {
    drawer.read(LOG)
}

fn hashes(log: &[u8]) -> Result<Vec<Hash>, PostError> {
    let (mut hashes, mut records) = (Vec::new(), Records::new(log));
    loop {
        match records.next() {
            Ok(Some(record)) => hashes.push(sha256(record.bytes)),
            Ok(None) => return Ok(hashes),
            // Only what a crash cut off comes after the last whole record.
            Err(_) => return Ok(hashes),
        }
    }
}

/// Appends records to a log, if the log with them verifies as a whole.
///
/// # Errors
/// They do not follow, or cannot be written; the log is then unchanged.
pub fn lengthen(drawer: &Drawer, log: &Log, more: &[u8], titles: Titles) -> Result<Fold, PostError> {
    let unread = |error: io::Error| TableError::from(log.unread(error));
    let mut whole = Vec::new();
    log.bytes_after(0).and_then(|mut bytes| bytes.read_to_end(&mut whole)).map_err(unread)?;
    whole.extend_from_slice(more);
    let fold = read_through(Records::new(whole.as_slice()), titles, None, |_| ControlFlow::Continue(()));
    let fold = fold.map_err(TableError::from)?;
    let written = drawer.replace(LOG, &whole);
    written.map_err(|error| TableError::from(LogError::Write { file: drawer.place(LOG), error }))?;
    Ok(fold)
}

/// The records that came back but do not connect to the log yet.
fn kept_records(drawer: &Drawer) -> io::Result<Found> {
    let mut found = Found::default();
    for name in drawer.list(RECORDS)?.into_iter().map(|found| found.name).take(RECORDS_MAX) {
        if let Some(seq) = name.split(['-', '.']).next().and_then(|seq| seq.parse().ok()) {
            found.take(seq, drawer.read(&format!("{RECORDS}/{name}"))?);
        }
    }
    Ok(found)
}

/// Keeps the records that lead to a record signed by this host. Invented records lead to none, and cost no disk
/// space.
fn keep<'a>(drawer: &Drawer, found: &Found, signed: impl Iterator<Item = &'a Head>, last: u64) -> io::Result<()> {
    for (Head { seq, hash }, record) in signed.flat_map(|signed| found.leading_to(*signed, last)).take(RECORDS_MAX) {
        let name = format!("{RECORDS}/{seq}-{hash}.yaml");
        if !drawer.has(&name)? {
            drawer.replace(&name, record)?;
        }
    }
    Ok(())
}

impl Desk {
    /// Fails while it is not known what the players of a game have seen: until then nothing is done at its desk.
    pub(crate) fn must_be_known(&self) -> Result<(), PostError> {
        match Restored::read(self.table.drawer())?.filter(|restored| !restored.is_settled) {
            None => Ok(()),
            Some(restored) => Err(restored.doubt(&self.name(), self.table.fold().head().seq)),
        }
    }

    /// Checks that the log has the record that a letter to a seat's own address answers. If not, its player is asked
    /// for the letter that he has answered, and the game rests; once a month at most, because anybody can write down
    /// a record that never was.
    pub(super) fn must_have_answered(&mut self, letter: &Letter, place: &Place, at: Stamp) -> Result<(), PostError> {
        let Some(answered) = address::record_answered(&letter.envelope, &self.ours, place) else { return Ok(()) };
        let fold = self.table.fold();
        let is_of_seat = fold.phase() == Phase::Playing && fold.plan().seat(&place.seat).is_some();
        if !is_of_seat || !address::bears_token(&letter.envelope, &self.ours, place, self.table.secrets()) {
            return Ok(());
        }
        let month = at.as_str().get(..7).unwrap_or_default();
        let key = Key::words(&place.seat, &format!("forward {month}"));
        if self.has_record(answered)? || self.book.letter_of(&key).is_some() {
            return Ok(());
        }
        let (head, until) = (self.table.fold().head(), at.later(REST));
        let mut restored = Restored { asked: Some((place.seat.clone(), until)), ..Restored::of(head, at, at) };
        restored.told.insert(place.seat.clone(), answered.seq);
        if let Some(to) = self.addresses(&place.seat).into_iter().next() {
            let page = page::unknown(&page::Unknown {
                game: self.name(),
                place: place.to_string(),
                seq: answered.seq,
                last: head.seq,
                until: until.to_string(),
            });
            // As the letter after a restore, this one has no checkpoint.
            let heading = Some(self.heading(place));
            self.post(vec![Outgoing { heading, ..Outgoing::new(key, to, page, at) }])?;
            self.book.settle()?;
        }
        restored.note(self.table.drawer())?;
        Err(restored.doubt(&self.name(), head.seq))
    }

    /// Asks all players what they have seen, after a letter has proved that the log has lost records.
    pub(crate) fn ask_all(&mut self, before: &Restored, at: Stamp) -> Result<(), PostError> {
        self.ask_what_was_seen(before.at, at)?;
        let drawer = self.table.drawer();
        let Some(now) = Restored::read(drawer)? else { return Ok(()) };
        let (heard, signed, head) = (before.heard.clone(), before.signed, before.head);
        Ok(Restored { heard, signed, head, ..now }.note(drawer)?)
    }

    /// Asks every player of a game that is put back what he has seen, and stops the game; does nothing if the game is
    /// over. Returns the number of letters.
    pub fn ask_what_was_seen(&mut self, backup: Stamp, at: Stamp) -> Result<usize, PostError> {
        let fold = self.table.fold();
        if fold.phase() == Phase::Ended {
            return Ok(0);
        }
        let (mut restored, mut letters) = (Restored::of(fold.head(), backup, at), Vec::new());
        for seat in written_to(fold, self.table.secrets()) {
            let sent = self.book.letters_to(&seat).filter(|(out, _)| matches!(out.state, State::Sent { .. }));
            if let Some(told) = sent.map(|(_, told)| told.seq).max() {
                restored.told.insert(seat.clone(), told);
            }
            let Some(to) = self.addresses(&seat).into_iter().next() else { continue };
            let (game, place) = (self.name(), Place { game: self.name(), seat: seat.clone() });
            let page = page::restored(&page::Restored {
                game,
                place: place.to_string(),
                seq: fold.head().seq,
                backup: backup.to_string(),
                at: at.to_string(),
            });
            // This letter has no checkpoint: an answer to it shows nothing of what its writer has seen.
            let (key, heading) = (Key::words(&seat, &page.text), Some(self.heading(&place)));
            letters.push(Outgoing { heading, ..Outgoing::new(key, to, page, at) });
        }
        let count = letters.len();
        self.post(letters)?;
        self.book.settle()?;
        restored.note(self.table.drawer())?;
        Ok(count)
    }

    /// Goes on with a game whose doubt has ended. If interrupted, all of it is done again when the desk is next
    /// opened.
    pub(super) fn go_on_after_restore(&mut self, at: Stamp) -> Result<(), PostError> {
        let drawer = self.table.drawer().clone();
        let Some(mut restored) = Restored::read(&drawer)? else { return Ok(()) };
        self.know_letters_since(&restored, at)?;
        if self.table.fold().phase() == Phase::Playing {
            let is_said = restored.goes_on_by.map_or(Ok(false), |record| self.host_corrects_by(record))?;
            if !is_said {
                restored.goes_on_by = Some(self.next_record());
                Restored { version: VERSION, ..restored.clone() }.note(&drawer)?;
            }
            // If the host has remarked something since the backup, a pause may have begun or ended of which the
            // restored files know nothing: so no pause is left, and the log says so. If he has not, the pause is as
            // it was.
            let since = restored.goes_on_by.map(|record| restored.head.seq + 1..=record - 1);
            let ends_pause = since.map_or(Ok(false), |since| self.host_corrects_within(since))?;
            if !is_said {
                self.table.note(&restored.words(ends_pause), at)?;
            }
            let paused = if ends_pause { Paused::read(&drawer)? } else { None };
            let gone = paused.map_or(restored.backup, |paused| paused.at.min(restored.backup));
            self.make_up_for(Outage { gone, back: at }, at)?;
            if ends_pause {
                Paused::forget(&drawer)?;
            }
        }
        drawer.remove(RESTORED)?;
        // Without the file nobody reads these records.
        let _ = drawer.remove_folder(RECORDS);
        Ok(())
    }

    /// Notes what came back with the log: the letters that made its records are recognised when they come again, and
    /// what a player has shown to have is not sent to him again.
    fn know_letters_since(&mut self, restored: &Restored, at: Stamp) -> Result<(), PostError> {
        let minutes = self.minutes.of(&mut self.table);
        let caused: Vec<(Hash, Stamp, String)> = minutes
            .after(restored.head.seq)
            .iter()
            .filter_map(|minute| Some((minute.raw?, minute.at, minute.seat.clone())))
            .collect();
        let shown: Vec<(String, u64, Hash)> = restored
            .heard
            .iter()
            .filter_map(|(seat, seq)| Some((seat.clone(), *seq, minutes.entry(*seq)?.hash)))
            .collect();
        for (raw, at, seat) in caused {
            if self.book.letter_in(&raw).is_none() {
                let at = at.to_string();
                self.book.note(Event::Taken { at: at.clone(), raw, text: raw, mail: None, seat: Some(seat) });
                self.book.note(Event::Done { at, raw, outcome: Reception::Played, letter: None });
            }
        }
        self.decide_on_held(restored, at);
        for (seat, seq, head) in shown {
            if self.book.told(&seat) >= seq {
                continue;
            }
            let (game, host) = (self.name(), self.ours.host.clone());
            let letter = MessageId { game, seq, head, seat: seat.clone(), answers: None, host }.file_name();
            let to = self.addresses(&seat).first().map(ToString::to_string).unwrap_or_default();
            let (at, told) = (at.to_string(), Some(Told { seat, seq, turn: String::new() }));
            self.book.note(Event::Queued { at: at.clone(), letter: letter.clone(), to, told, invitation: None });
            let reply = "its reader has shown it after a restore".to_owned();
            self.book.note(Event::Sent { at, letter, reply });
        }
        Ok(self.book.settle()?)
    }

    /// Decides on letters that waited in the backup and have been held since. A letter that tells no more than its
    /// reader has shown is given up; one that tells more has not reached him, and goes out. If a reader has shown
    /// nothing, the host decides.
    fn decide_on_held(&mut self, restored: &Restored, at: Stamp) {
        let (since, at) = (restored.at.to_string(), at.to_string());
        let mut decided = Vec::new();
        for (seat, shown) in &restored.heard {
            let held = self.book.letters_to(seat).filter(|(out, _)| out.state == State::Held { at: since.clone() });
            for (out, told) in held {
                let (letter, at) = (out.letter.clone(), at.clone());
                decided.push(if told.seq <= *shown {
                    Event::GivenUp { at, letter, why: Some("its reader has shown as much".to_owned()) }
                } else {
                    Event::Hurried { at, letter }
                });
            }
        }
        decided.into_iter().for_each(|event| self.book.note(event));
    }
}
