/*! The post book, `post.yaml` beside the log: every letter in and what became of it, every letter out (requirements I1
and I6). Only the host can read it.

It is a stream of YAML documents, appended and synced, and rewritten only when a person is forgotten. Nothing was done
yet about a document that a crash cut off: opening the book drops it.

In reading order: this file has the events and what is remembered of them, and `opening` reads them; [`vault`] keeps
letters as they came; [`outgoing`] is a letter that leaves, with the key by which it is written once, and [`outbox`] the
folders where it waits; [`guest`] and [`relayed`] are things the book remembers; [`resting`] leaves the book
to others for a while; [`rewriting`] lets it forget a person; [`fault`] and [`book_error`] are what can go wrong. The
book decides nothing: what a letter means, and who is told what, the desk decides.
*/

pub mod book_error;
mod document;
pub mod fault;
pub mod guest;
mod opening;
pub mod outbox;
pub mod outgoing;
pub mod relayed;
mod resting;
pub mod rewriting;
pub mod vault;

use self::book_error::BookError;
use self::document::document;
use self::guest::Guest;
use self::outgoing::Key;
use self::relayed::Relayed;
use crate::names::message_id::hash_of;
use crate::order::settings::{Change, Settings};
use ground::files::BOOK;
use ground::hash::Hash;
use mail::letter::bounce::Finality;
use record::entry::body::Auth;
use report::fate::Fate;
use report::guest::Stage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use store::drawer::Drawer;
use store::home::{Appender, Seen};

/// L3: at most this many refusals go to one seat, or to one address without a seat, in one day.
pub const REFUSALS_A_DAY: usize = 20;

/// One thing that happened at the desk. Times are stamps such as `2026-11-24T07:12:09Z`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// The book begins, in this version.
    Book { version: u32 },
    /// A letter came in and lies in the vault.
    Taken {
        at: String,
        raw: Hash,
        /// The hash of its text and author: the same if the letter comes by two ways (I1).
        text: Hash,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
    },
    /// How well we know the author of a letter, and what proves him or is missing (A5).
    Authored {
        raw: Hash,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        auth: Option<Auth>,
        why: String,
    },
    /// A code confirmed a request; only its hash is kept (A6).
    Confirmed { at: String, raw: Hash, code: Hash },
    /// A sentence was broken in two: the lines from `line` to `through` are read together (P4). The desk notes this
    /// before it says the sentence, because afterwards it could no longer be decided.
    Joined { raw: Hash, line: usize, through: usize },
    /// A letter that was not done with is begun again, `times` times in a row, and never finished.
    Resumed { raw: Hash, times: u32 },
    /// What became of a line of a letter that is being played.
    Line { raw: Hash, line: usize, fate: Fate },
    /// A letter is done with. `letter` is the answer to it, if there is one.
    Done {
        at: String,
        raw: Hash,
        outcome: Reception,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        letter: Option<String>,
    },
    /// A letter that came in has lines in doubt: nothing of it is played until its writer has said what that means.
    HeldIn { raw: Hash, lines: Vec<usize> },
    /// The letter `by` says what becomes of a held one: it is played, or taken back.
    Released { raw: Hash, by: Hash, plays: bool },
    /// A letter has had its first turn: what it says to the game is fixed, and waits for its round.
    Waits { at: String, raw: Hash },
    /// What is known of a guest now.
    Guest(Box<Guest>),
    /// A seat was handed over by this entry: the new player neither knows what the old one was told nor gets what he
    /// left.
    Handed { at: String, seat: String, seq: u64 },
    /// A line that a seat had left for later was said, or will not be.
    Dropped { raw: Hash, line: usize, seat: String, words: String, fate: Fate },
    /// A letter to players is to be relayed (X4).
    Press(Box<Relayed>),
    /// It was relayed to all of them.
    PressSent { raw: Hash, line: usize },
    /// A player changes how his letters come (S5).
    Set { at: String, seat: String, change: Change },
    /// A letter lies in the outbox.
    Queued {
        at: String,
        letter: String,
        to: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Told>,
        /// It tells a guest how far his invitation has come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<Stage>,
    },
    /// A letter was handed over. `reply` is what the server said.
    Sent { at: String, letter: String, reply: String },
    /// It was not, and will be tried again.
    Tried { at: String, letter: String, reply: String },
    /// It was refused for good.
    Dead { at: String, letter: String, reply: String },
    /// The host holds a letter back: it is not sent until he releases it.
    Held { at: String, letter: String },
    /// The host wants a letter sent at its next turn, however often it was tried. If he held it, this releases it.
    Hurried { at: String, letter: String },
    /// The host gives a letter up: it is never sent, and lies with the dead ones.
    GivenUp {
        at: String,
        letter: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The game is over, and letters were removed by age: `letters_in` that came in, `letters_out` that went out.
    /// `evidence` says whether a dispute might have needed some of them.
    Pruned { at: String, letters_in: usize, letters_out: usize, evidence: bool },
    /// A letter to a seat came back, or is late (L4).
    Bounced { at: String, seat: String, to: String, letter: Option<String>, verdict: Finality, said: String },
}

/// A letter did not reach its seat: it was refused when it was sent, or came back later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub at: String,
    pub seat: String,
    pub to: String,
    pub verdict: Finality,
    /// What the server said.
    pub said: String,
}

/// What a seat was told by a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    pub seat: String,
    /// The newest entry the letter tells of.
    pub seq: u64,
    /// The turn it tells of.
    pub turn: String,
}

/// How a letter was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reception {
    /// Its lines were read; the lines say what was played.
    Played,
    /// Nothing in it was played: it could not be read, or speaks for no seat.
    Refused,
    /// It came before.
    Again,
    /// Nobody wrote it.
    Robot,
}

/// What the book knows of a letter that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterIn {
    pub at: String,
    pub raw: Hash,
    pub text: Hash,
    pub mail: Option<String>,
    pub seat: Option<String>,
    /// How well we know its author, once that was checked.
    pub authorship: Option<Authorship>,
    /// By line number.
    pub fates: BTreeMap<usize, Fate>,
    /// The first and the last line of each sentence that was broken in two.
    pub joined: BTreeMap<usize, usize>,
    /// Whether it has had its first turn, and waits for its round.
    pub waits: bool,
    /// How often in a row it was begun again and stopped the program.
    pub resumed: u32,
    /// Whether it is held, or was; and the lines in doubt for which it is.
    pub held: Option<Held>,
    pub doubts: Vec<usize>,
    pub done: Option<Reception>,
    pub answer: Option<String>,
}

/// What becomes of a letter with a line in doubt, and the letter that has said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    Waits,
    Played(Hash),
    Dropped(Hash),
}

impl LetterIn {
    /// The hash of its Message-ID, as records have it.
    pub fn message(&self) -> Option<Hash> {
        self.mail.as_deref().map(hash_of)
    }
}

/// How well we know the author of a letter (A5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorship {
    /// `None` if nothing ties the letter to its seat.
    pub auth: Option<Auth>,
    /// What speaks for it, or what is missing for a better class.
    pub why: String,
    /// Whether the signatures of letters are checked here at all.
    pub is_checked: bool,
}

/// What the book knows of a letter that goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterOut {
    pub letter: String,
    pub at: String,
    pub to: String,
    pub told: Option<Told>,
    pub state: State,
}

/// How far a letter is on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Waiting,
    /// It was tried this many times: when first, when last, and the last reply. If the host hurries it, the count
    /// starts again.
    Tried {
        times: u32,
        first: String,
        last: String,
        reply: String,
    },
    Sent {
        at: String,
    },
    Dead {
        reply: String,
    },
    /// The host has held it back since then.
    Held {
        at: String,
    },
    /// The host has given it up.
    GivenUp {
        at: String,
        why: Option<String>,
    },
}

/// A line for later that no longer waits; its seat has not been told yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    pub seat: String,
    pub words: String,
    pub fate: Fate,
}

/// The book of one desk, opened.
#[derive(Debug)]
pub struct Book {
    drawer: Drawer,
    /// `None` if the book is only read.
    handle: Option<Box<dyn Appender>>,
    /// The length of all whole events, in bytes.
    length: u64,
    /// Events that are remembered already, and will be written with the next one that is appended.
    noted: String,
    has_failed: bool,
    /// How the file looked before others might write into it.
    rests: Option<Seen>,
    letters_in: BTreeMap<Hash, LetterIn>,
    letters_out: BTreeMap<String, LetterOut>,
    /// Letters out in the order they were queued; and those to each seat.
    order_out: Vec<String>,
    /// Letters out by their occasions; and those that a crash left in the outbox before they were noted here.
    by_key: BTreeMap<Key, String>,
    strays: BTreeMap<Key, String>,
    by_seat: BTreeMap<String, Vec<String>>,
    dropped: Vec<Dropped>,
    guests: BTreeMap<u32, Guest>,
    handed: BTreeMap<String, u64>,
    returned: Vec<Failure>,
    /// Codes that have confirmed something, by their hash, and the letters that brought them.
    confirmed: BTreeMap<Hash, Hash>,
    settings: BTreeMap<String, Settings>,
    /// Letters to players, and whether they are still to be relayed.
    press: Vec<(Relayed, bool)>,
}

impl Book {
    /// Writes an event after those that were noted, and returns once it would survive a power failure.
    ///
    /// # Errors
    /// The event then has not happened, and the book must be opened again.
    pub fn append(&mut self, event: Event) -> Result<(), BookError> {
        self.write(&document(&event))?;
        self.remember(event);
        Ok(())
    }

    /// Notes an event that need not survive a power failure by itself. It is written and synced with the next one
    /// that is appended, so that several letters at once cost one sync.
    pub fn note(&mut self, event: Event) {
        self.noted.push_str(&document(&event));
        self.remember(event);
    }

    /// Writes the noted events, and returns once they would survive a power failure.
    ///
    /// # Errors
    /// They then have not happened, and the book must be opened again.
    pub fn settle(&mut self) -> Result<(), BookError> {
        if self.noted.is_empty() {
            return Ok(());
        }
        self.write("")
    }

    fn write(&mut self, document: &str) -> Result<(), BookError> {
        let Some(handle) = self.handle.as_mut().filter(|_| !self.has_failed) else {
            return Err(BookError::FailedBefore { file: self.file() });
        };
        let beginning = if self.length == 0 { document::beginning() } else { String::new() };
        let documents = beginning + &std::mem::take(&mut self.noted) + document;
        if let Err(error) = handle.append(documents.as_bytes()).and_then(|()| handle.sync()) {
            self.has_failed = true;
            // If truncating fails too, the next opening drops the document that was cut off.
            let _ = handle.truncate(self.length);
            return Err(BookError::Write { file: self.file(), error });
        }
        self.length += documents.len() as u64;
        Ok(())
    }

    /// The path of the book, for messages.
    fn file(&self) -> PathBuf {
        self.drawer.place(BOOK)
    }

    /// The letter with these bytes, if it came before.
    pub fn letter_in(&self, raw: &Hash) -> Option<&LetterIn> {
        self.letters_in.get(raw)
    }

    /// The letters that came with this Message-ID.
    pub fn letters_called<'a>(&'a self, mail: &'a str) -> impl Iterator<Item = &'a LetterIn> {
        self.letters_in.values().filter(move |letter| letter.mail.as_deref() == Some(mail))
    }

    /// All letters that came in.
    pub fn letters_in(&self) -> impl Iterator<Item = &LetterIn> {
        self.letters_in.values()
    }

    /// Letters that were taken and not done with, for instance because of a crash.
    pub fn unfinished(&self) -> impl Iterator<Item = &LetterIn> {
        self.letters_in.values().filter(|letter| letter.done.is_none())
    }

    /// The letter of a seat that the letter `by` releases: the one that it has released before a crash, or the newest
    /// that waits for a word of its writer.
    pub fn held_of(&self, seat: &str, by: &Hash) -> Option<&LetterIn> {
        let of_seat = || self.letters_in.values().filter(|letter| letter.seat.as_deref() == Some(seat));
        let is_released =
            |letter: &&LetterIn| matches!(letter.held, Some(Held::Played(raw) | Held::Dropped(raw)) if raw == *by);
        let waiting = || of_seat().filter(|letter| letter.held == Some(Held::Waits) && letter.done.is_some());
        of_seat().find(is_released).or_else(|| waiting().max_by(|one, other| one.at.cmp(&other.at)))
    }

    /// Whether a letter was released by one that is not done with: then that one goes on with it.
    pub fn is_in_release(&self, letter: &LetterIn) -> bool {
        let Some(Held::Played(by) | Held::Dropped(by)) = letter.held else { return false };
        self.letters_in.get(&by).is_some_and(|by| by.done.is_none())
    }

    /// The letter that brought back the code with this hash, and so confirmed a request.
    pub fn confirmed_by(&self, code: &Hash) -> Option<&Hash> {
        self.confirmed.get(code)
    }

    /// The letters to a seat that did not reach it, the oldest first.
    pub fn returned<'a>(&'a self, seat: &'a str) -> impl Iterator<Item = &'a Failure> {
        self.returned.iter().filter(move |returned| returned.seat == seat)
    }

    /// How the player of a seat wants his letters.
    pub fn settings(&self, seat: &str) -> Settings {
        self.settings.get(seat).copied().unwrap_or_default()
    }

    /// The letters to players that are still to be relayed, in the order in which they came.
    pub fn press(&self) -> impl Iterator<Item = &Relayed> {
        self.press.iter().filter(|(_, waits)| *waits).map(|(relayed, _)| relayed)
    }

    /// All letters to players, relayed or not.
    pub fn all_press(&self) -> impl Iterator<Item = &Relayed> {
        self.press.iter().map(|(relayed, _)| relayed)
    }

    /// Whether a line of a letter is noted as a letter to players.
    pub fn knows_press(&self, raw: &Hash, line: usize) -> bool {
        self.press.iter().any(|(relayed, _)| relayed.raw == *raw && relayed.line == line)
    }

    /// What became of the lines of a seat since its last letter.
    pub fn dropped<'a>(&'a self, seat: &'a str) -> impl Iterator<Item = &'a Dropped> {
        self.dropped.iter().filter(move |dropped| dropped.seat == seat)
    }

    /// The entry by which a seat was last handed over to another player; 0 if it never was.
    pub fn handed(&self, seat: &str) -> u64 {
        self.handed.get(seat).copied().unwrap_or(0)
    }

    /// Whether a line of a letter was left for later, and its seat does not know yet what became of it.
    pub fn is_kept(&self, raw: &Hash, line: usize) -> bool {
        let fate = self.letters_in.get(raw).and_then(|letter| letter.fates.get(&line));
        matches!(fate, Some(Fate::Kept { .. }))
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each event")]
    fn remember(&mut self, event: Event) {
        match event {
            Event::Taken { at, raw, text, mail, seat } => {
                let (fates, joined) = (BTreeMap::new(), BTreeMap::new());
                let (waits, resumed, held, doubts) = (false, 0, None, Vec::new());
                let (authorship, done, answer) = (None, None, None);
                let letter = LetterIn {
                    at,
                    raw,
                    text,
                    mail,
                    seat,
                    authorship,
                    fates,
                    joined,
                    waits,
                    resumed,
                    held,
                    doubts,
                    done,
                    answer,
                };
                self.letters_in.entry(raw).or_insert(letter);
            }
            Event::Authored { raw, auth, why } => {
                let found = Authorship { auth, why, is_checked: true };
                self.letters_in.entry(raw).and_modify(|letter| letter.authorship = Some(found));
            }
            Event::Confirmed { raw, code, .. } => drop(self.confirmed.insert(code, raw)),
            Event::Joined { raw, line, through } => {
                self.letters_in.entry(raw).and_modify(|letter| letter.joined.extend([(line, through)]));
            }
            Event::Resumed { raw, times } => {
                self.letters_in.entry(raw).and_modify(|letter| letter.resumed = times);
            }
            Event::Line { raw, line, fate } => {
                self.letters_in.entry(raw).and_modify(|letter| drop(letter.fates.insert(line, fate)));
            }
            Event::Done { raw, outcome, letter: answer, .. } => {
                if let Some(letter) = self.letters_in.get_mut(&raw) {
                    letter.done = Some(outcome);
                    letter.answer = answer;
                }
            }
            Event::HeldIn { raw, lines } => {
                self.letters_in
                    .entry(raw)
                    .and_modify(|letter| (letter.held, letter.doubts) = (Some(Held::Waits), lines));
            }
            Event::Released { raw, by, plays } => {
                let held = if plays { Held::Played(by) } else { Held::Dropped(by) };
                self.letters_in.entry(raw).and_modify(|letter| (letter.held, letter.done) = (Some(held), None));
            }
            Event::Waits { raw, .. } => drop(self.letters_in.entry(raw).and_modify(|letter| letter.waits = true)),
            Event::Guest(guest) => drop(self.guests.insert(guest.number, *guest)),
            Event::Handed { seat, seq, .. } => {
                let waits = |letter: &&mut LetterIn| letter.waits && letter.seat.as_ref() == Some(&seat);
                for letter in self.letters_in.values_mut().filter(waits) {
                    letter.done.get_or_insert(Reception::Refused);
                }
                self.by_seat.remove(&seat);
                self.dropped.retain(|dropped| dropped.seat != seat);
                self.handed.insert(seat, seq);
            }
            Event::Set { seat, change, .. } => self.settings.entry(seat).or_default().change(change),
            Event::Press(relayed) => self.press.push((*relayed, true)),
            Event::PressSent { raw, line } => {
                let sent = self.press.iter_mut().filter(|(relayed, _)| relayed.raw == raw && relayed.line == line);
                sent.for_each(|(_, waits)| *waits = false);
            }
            Event::Dropped { raw, line, seat, words, fate } => {
                if let Some(letter) = self.letters_in.get_mut(&raw) {
                    letter.fates.insert(line, fate.clone());
                }
                self.dropped.push(Dropped { seat, words, fate });
            }
            Event::Queued { at, letter, to, told, invitation } => {
                if let Some(told) = &told {
                    self.dropped.retain(|dropped| dropped.seat != told.seat);
                }
                let key = Key::of_file(&letter);
                if let (Some(state), Key::Marked { seat, .. }) = (invitation, &key)
                    && let Some(guest) = guest::number(seat).and_then(|number| self.guests.get_mut(&number))
                {
                    guest.told = Some(state);
                }
                self.strays.remove(&key);
                self.by_key.entry(key).or_insert_with(|| letter.clone());
                match self.letters_out.get_mut(&letter) {
                    // The same letter goes out again, with the same content.
                    Some(out) => (out.at, out.to, out.state) = (at, to, State::Waiting),
                    None => self.queued(LetterOut { letter, at, to, told, state: State::Waiting }),
                }
            }
            Event::Sent { at, letter, .. } => self.become_of(&letter, State::Sent { at }),
            Event::Dead { at, letter, reply } => {
                let out = self.letters_out.get(&letter);
                if let Some((out, told)) = out.and_then(|out| out.told.as_ref().map(|told| (out, told))) {
                    let (seat, to, said) = (told.seat.clone(), out.to.clone(), reply.clone());
                    self.returned.push(Failure { at, seat, to, verdict: Finality::Never, said });
                }
                self.become_of(&letter, State::Dead { reply });
            }
            // They change nothing that is remembered.
            Event::Book { .. } | Event::Pruned { .. } => {}
            Event::Bounced { at, seat, to, verdict, said, .. } => {
                self.returned.push(Failure { at, seat, to, verdict, said });
            }
            Event::Held { at, letter } => self.become_of(&letter, State::Held { at }),
            Event::Hurried { at, letter } => {
                let reply = match self.letters_out.get(&letter).map(|out| &out.state) {
                    Some(State::Tried { reply, .. } | State::Dead { reply }) => reply.clone(),
                    _ => String::new(),
                };
                self.become_of(&letter, State::Tried { times: 0, first: at.clone(), last: at, reply });
            }
            Event::GivenUp { at, letter, why } => self.become_of(&letter, State::GivenUp { at, why }),
            Event::Tried { at, letter, reply } => {
                let before = self.letters_out.get(&letter).map(|out| out.state.clone());
                let (times, first) = match before {
                    Some(State::Tried { times, first, .. }) if times > 0 => (times + 1, first),
                    _ => (1, at.clone()),
                };
                self.become_of(&letter, State::Tried { times, first, last: at, reply });
            }
        }
    }

    fn queued(&mut self, out: LetterOut) {
        if let Some(told) = &out.told {
            self.by_seat.entry(told.seat.clone()).or_default().push(out.letter.clone());
        }
        self.order_out.push(out.letter.clone());
        self.letters_out.insert(out.letter.clone(), out);
    }

    fn become_of(&mut self, letter: &str, state: State) {
        if let Some(out) = self.letters_out.get_mut(letter) {
            out.state = state;
        }
    }
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
