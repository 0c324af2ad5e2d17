/*! The post office: one mailbox for all games of a store (requirement A1). It opens a letter, recognises robots, finds
the desk of the game, and answers a letter that belongs to no game.

In reading order: this file has the office and one sitting at it; [`games`] is what it finds in its store;
[`register`] compares a letter with the seats, tokens and addresses of the games; [`counter`] keeps and answers
letters that belong to none; [`queues`] keeps letters of one game in their order, and [`players`] knows who plays
anywhere; [`stranger`] reads letters that ask for a place at a table; [`notice`] writes to the host. [`sending`] hands
over what waits in an outbox, and [`out_queue`] is what a host can do about it; [`tick`] lets time pass in all games,
and [`status`] reports on each of them. [`service`] does all of it for weeks, with [`sources`] as its threads,
[`each_minute`] for what it does once a minute, counted as a [`minute`], and [`dispatch`] for the letters that leave;
[`heads`] is what this worker remembers of the games, whatever its store says;
[`config`] says where letters come from and how they go out, [`database`] where the games are if not in a folder,
[`shared`] what several machines do together, and [`new_config`] writes a first configuration.

The desk decides what a letter means in its game; the office knows no rule and no sentence of any game.
*/

pub mod config;
pub mod config_error;
pub mod counter;
pub mod database;
mod dispatch;
mod each_minute;
mod games;
pub mod heads;
mod listed;
pub mod minute;
pub mod new_config;
pub mod notice;
pub mod out_queue;
mod players;
mod queues;
mod register;
pub mod sending;
pub mod service;
pub mod shared;
pub mod sources;
pub mod status;
pub mod stranger;
pub mod tick;
mod unnoted;

use self::counter::{Counter, Patience, Quota};
use self::heads::Heads;
use self::listed::Listed;
use self::players::Players;
use self::queues::Queues;
use self::sending::Sender;
use self::stranger::Wish;
use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::desk::authorship::Judges;
use crate::desk::beacon::Beacon;
use crate::desk::restored::{self, Heard};
use crate::desk::{Desk, Received, Recovered, reach};
use crate::names::address::{self, Astray, Place};
use crate::names::returned::{self, Returned};
use engine::title::Titles;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::bounce::Finality;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::robots::Robot;
use mail::wire::intake::Arrival;
use net::beacon::Fetcher;
use record::file::log::LogError;
use record::table::table_error::TableError;
use report::html::Look;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use store::drawer::Drawer;
use store::home::Lock;

/// The drawer of the letters that belong to no game, among those of the games. No game can have this name.
pub const COUNTER: &str = ".post";

/// How a whole letter was handled at the post office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It came to the desk of a game.
    Desk { place: Place, received: Received },
    /// It speaks for no seat. `letter` is the answer; `None` if its author has had enough answers.
    Astray { reason: Astray, letter: Option<String> },
    /// Nobody wrote it: it is neither played nor answered.
    Robot(Robot),
    /// It was here before and spoke for no seat then.
    Again,
    /// A letter of ours came back, or is late.
    Bounced { place: Place, verdict: Finality, said: String },
    /// It has nothing to do with us, and the mailbox is not ours alone.
    Left,
}

/// Whether the mailbox also gets other letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mailroom {
    /// Ours alone: every letter to it is for us, and an author who does not know how to write to a game is told how.
    Own,
    /// Somebody's ordinary mailbox: a letter that names no game is not read, kept or answered.
    Shared,
}

/// A sitting keeps at most this many desks open, and remembers at most as many others.
const DESKS_MAX: usize = 32;

/// All games of a store.
#[derive(Clone, Debug)]
pub struct Office {
    store: Store,
    ours: Mailbox,
    titles: Titles,
    limits: Limits,
    mailroom: Mailroom,
    look: Look,
    judges: Judges,
    beacon: Beacon,
    /// How long to wait for a game at which another process is at work.
    patience: Duration,
    quota: Quota,
    heads: Heads,
}

impl Office {
    /// The post office of the games in a store. `ours` is its mailbox, without anything after a `+`.
    pub fn new(store: impl Into<Store>, ours: &Mailbox, titles: Titles) -> Office {
        Office {
            store: store.into(),
            ours: ours.base(),
            titles,
            limits: Limits::ORDINARY,
            mailroom: Mailroom::Own,
            look: Look::default(),
            judges: Judges::default(),
            beacon: Beacon::default(),
            patience: Duration::ZERO,
            quota: Quota::default(),
            heads: Heads::default(),
        }
    }

    /// The same office, which remembers what it has seen of the games, also if the store forgets it.
    pub fn remembering(self, heads: Heads) -> Office {
        Office { heads, ..self }
    }

    /// The same office, which keeps at most this much of what strangers write.
    pub fn keeping(self, quota: Quota) -> Office {
        Office { quota, ..self }
    }

    /// The same office, which waits up to `patience` for a game at which another process is at work.
    pub fn with_patience(self, patience: Duration) -> Office {
        Office { patience, ..self }
    }

    /// The same office, in a mailbox of its own or in a shared one.
    pub fn in_mailroom(self, mailroom: Mailroom) -> Office {
        Office { mailroom, ..self }
    }

    /// The same office, whose letters look like this to players who have not chosen. Without it they are plain text.
    pub fn looking(self, look: Look) -> Office {
        Office { look, ..self }
    }

    /// Where the games are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The drawer of a game, or of the counter.
    pub fn drawer(&self, game: Option<&str>) -> Drawer {
        self.store.drawer(game.unwrap_or(COUNTER))
    }

    /// The mailbox, without anything after a `+`.
    pub fn ours(&self) -> &Mailbox {
        &self.ours
    }

    /// The same office, with these judges of who wrote a letter (A5).
    pub fn believing(self, judges: Judges) -> Office {
        Office { judges, ..self }
    }

    /// The same office, which does not wait for relays: threads fetch the rounds, and call `wake` when one has come.
    pub fn fetching_behind(mut self, wake: impl Fn() + Send + Sync + 'static) -> Office {
        self.beacon.fetcher = Some(Arc::new(Fetcher::new(wake)));
        self
    }

    /// The same office, which fetches rounds of the beacon from these relays when it receives letters and when the
    /// clock ticks.
    pub fn fetching_from(self, beacon: Beacon) -> Office {
        Office { beacon, ..self }
    }

    /// The relays from which rounds of the beacon are fetched.
    pub fn beacon(&self) -> &Beacon {
        &self.beacon
    }

    /// The judges of who wrote a letter.
    pub fn judges(&self) -> &Judges {
        &self.judges
    }

    /// The limits within which letters are read.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Opens the desk of a game.
    pub fn desk(&self, game: &str) -> Result<Desk, PostError> {
        self.desk_within(game, Duration::ZERO)
    }

    fn desk_within(&self, game: &str, patience: Duration) -> Result<Desk, PostError> {
        let mut desk = Desk::open_within(self.drawer(Some(game)), &self.ours, self.titles, patience)?;
        desk.let_look(self.look);
        desk.believe(self.judges.clone());
        desk.fetch_from(self.beacon.clone());
        Ok(desk)
    }

    /// Checks that the log has the newest record that this worker has seen of the game. If not, the store has lost
    /// it, and the game rests until its players have shown what they have seen.
    fn must_remember(&self, desk: &mut Desk, game: &str, at: Stamp) -> Result<(), PostError> {
        let Some(known) = self.heads.of(game) else { return Ok(()) };
        let last = desk.table.fold().head();
        if last == known || desk.has_record(known)? {
            return Ok(());
        }
        let since = desk.table.fold().at();
        desk.ask_what_was_seen(since, at)?;
        self.heads.forget(game);
        match desk.must_be_known() {
            Ok(()) => Ok(()),
            Err(_) => Err(PostError::Forgotten { game: game.to_owned(), last: last.seq, known: known.seq }),
        }
    }

    /// The counter, which has the letters that belong to no game.
    pub fn counter(&self) -> Result<Counter, PostError> {
        self.counter_within(Duration::ZERO)
    }

    fn counter_within(&self, patience: Duration) -> Result<Counter, PostError> {
        Ok(Counter::open(self.home()?, &self.ours, patience)?.keeping(self.quota))
    }

    /// Locks the outbox of a game, or of the counter, to send its letters.
    pub fn lock_outbox(&self, game: Option<&str>) -> Result<Lock, PostError> {
        let outbox = Outbox::at(self.drawer(game));
        Ok(outbox.lock_within(Duration::ZERO).map_err(TableError::from)?)
    }

    /// The outbox of a game, or of the counter, to send its letters; it is locked meanwhile.
    pub fn sender(&self, game: Option<&str>) -> Result<Sender, PostError> {
        Sender::open(self.drawer(game), self.patience)
    }

    /// Begins a sitting, to receive letters.
    pub fn sit(&self) -> Sitting<'_> {
        Sitting {
            office: self,
            desks: BTreeMap::new(),
            resting: VecDeque::new(),
            lists: BTreeMap::new(),
            counter: None,
            queues: Queues::default(),
            players: None,
        }
    }

    /// Receives one letter: everything from its bytes to the letters that answer it. After an error it must be
    /// received again.
    pub fn receive(&self, raw: &[u8], at: Stamp) -> Result<Handled, PostError> {
        self.sit().receive(raw, at)
    }
}

/// An office at work: the desks of the games stay open, and locked, from one letter to the next.
pub struct Sitting<'a> {
    office: &'a Office,
    desks: BTreeMap<String, Desk>,
    /// Desks that are not locked, and kept in memory; the longest unused first.
    resting: VecDeque<(String, Desk)>,
    /// The registers of other games, read for the letter in hand.
    lists: BTreeMap<String, Listed>,
    counter: Option<Counter>,
    queues: Queues,
    /// The players of all games, as of a minute ago; `None` if nobody has asked yet.
    players: Option<Players>,
}

impl<'a> Sitting<'a> {
    /// The office.
    pub fn office(&self) -> &'a Office {
        self.office
    }

    /// Whether the desk of a game is open.
    pub fn is_open(&self, game: &str) -> bool {
        self.desks.contains_key(game)
    }

    /// Receives one letter, as [`Office::receive`] does. After an error it must be received again; others may come
    /// first.
    pub fn receive(&mut self, raw: &[u8], at: Stamp) -> Result<Handled, PostError> {
        self.receive_as(raw, Arrival::New, at)
    }

    /// As [`Sitting::receive`], for a letter that may be old: if a stranger wrote it, he no longer expects an answer,
    /// and if it was dealt with before, it is not answered again.
    pub fn receive_as(&mut self, raw: &[u8], arrival: Arrival, at: Stamp) -> Result<Handled, PostError> {
        let office = self.office;
        self.lists.clear();
        let letter = Letter::open(raw, &office.limits);
        if let Some(robot) = returned::robot(&letter.envelope, &office.ours) {
            return self.robot(raw, &letter, robot, at);
        }
        self.look_up(address::games_named(&letter.envelope, &office.ours))?;
        match address::route(&letter.envelope, &office.ours, self) {
            Ok(route) => {
                let game = &route.place.game;
                // In a database the queue of letters keeps their order, whichever worker plays which of them.
                if office.store().shared().is_none() && self.queues.is_behind(game, &letter.raw) {
                    let folder = office.drawer(Some(game)).path();
                    return Err(TableError::from(LogError::Busy { folder }).into());
                }
                // A game restored from a backup first notes what its players have seen, before it plays.
                let heard = if self.desks.contains_key(game) {
                    Heard::GoesOn
                } else {
                    restored::hear(&office.drawer(Some(game)), office.titles, &route, raw, &letter, at)?
                };
                match heard {
                    Heard::GoesOn => {}
                    Heard::Taken(received) => return Ok(Handled::Desk { place: route.place, received: *received }),
                    Heard::Proven { received, before } => {
                        self.at_desk(game, at, |desk| desk.ask_all(&before, at))?;
                        return Ok(Handled::Desk { place: route.place, received: *received });
                    }
                }
                let received = self.at_desk(game, at, |desk| {
                    let is_known =
                        |desk: &Desk| desk.book.letter_in(&letter.raw).is_some_and(|twin| twin.done.is_some());
                    if arrival == Arrival::Old && is_known(desk) {
                        Ok(Received::again())
                    } else {
                        desk.receive(raw, &letter, &route.place, at)
                    }
                });
                self.queues.met(game, &letter.raw, &received);
                Ok(Handled::Desk { place: route.place, received: received? })
            }
            Err(reason) if office.mailroom == Mailroom::Shared && reason == Astray::NoSeat => Ok(Handled::Left),
            Err(reason) => {
                let wish = stranger::wish(&letter, office.titles)
                    .filter(|_| reason == Astray::NoSeat && arrival == Arrival::New);
                let reason = match wish.map(|wish| self.welcome(raw, &letter, &wish, at)).transpose()?.flatten() {
                    Some(Ok(fate)) => return Ok(fate),
                    Some(Err(reason)) => reason,
                    None => reason,
                };
                let patience = match (&letter.envelope.author, arrival) {
                    (Ok(author), _) if self.is_player(author)? => Patience::Player,
                    (_, Arrival::New) => Patience::Stranger,
                    (_, Arrival::Old) => Patience::Nobody,
                };
                self.at_counter(|counter| {
                    if counter.knows(&letter.raw) {
                        return Ok(Handled::Again);
                    }
                    let answer = counter.astray(raw, &letter, &reason, patience, at)?;
                    Ok(Handled::Astray { reason, letter: answer })
                })
            }
        }
    }

    /// Somebody without a seat asks for a place at a table. `None` if he has had enough letters: then no desk is
    /// opened for him.
    fn welcome(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        wish: &Wish,
        at: Stamp,
    ) -> Result<Option<Result<Handled, Astray>>, PostError> {
        if !self.at_counter(|counter| counter.welcomes(raw, letter, at))? {
            return Ok(None);
        }
        if !self.is_at_home(&wish.game)? {
            return Ok(Some(Err(Astray::NotWelcome { game: wish.game.clone() })));
        }
        Ok(Some(match self.at_desk(&wish.game, at, |desk| desk.welcome(letter, wish, at))? {
            Err(reason) => Err(reason),
            Ok((place, received)) => {
                let answer = received.letters.first().cloned().unwrap_or_default();
                self.at_counter(|counter| counter.welcomed(raw, letter, &answer, at))?;
                Ok(Handled::Desk { place, received })
            }
        }))
    }

    /// L4: a letter by a robot may be one of ours that came back; nothing else in it is read.
    fn robot(&mut self, raw: &[u8], letter: &Letter, robot: Robot, at: Stamp) -> Result<Handled, PostError> {
        let office = self.office;
        let is_again = self.at_counter(|counter| Ok(counter.knows(&letter.raw)))?;
        let returned =
            Returned::read(raw, &letter.envelope, &office.ours).filter(|_| !is_again && robot != Robot::Ours);
        let claimed = returned.as_ref().and_then(|returned| Some((returned, returned.claimed()?)));
        if let Some((returned, claimed)) = claimed
            && self.is_at_home(&claimed.game)?
        {
            let place = self.at_desk(&claimed.game, at, |desk| reach::note(desk, returned, at))?;
            if let Some(place) = place {
                self.at_counter(|counter| counter.note(raw, letter, at))?;
                return Ok(Handled::Bounced {
                    place,
                    verdict: returned.bounce.verdict,
                    said: returned.bounce.said.clone(),
                });
            }
        }
        if office.mailroom == Mailroom::Shared && !address::names_a_game(&letter.envelope, &office.ours) {
            return Ok(Handled::Left);
        }
        self.at_counter(|counter| counter.note(raw, letter, at))?;
        Ok(Handled::Robot(robot))
    }

    /// Does something at the counter, which stays open and locked, like the desks.
    pub fn at_counter<T>(&mut self, act: impl FnOnce(&mut Counter) -> Result<T, PostError>) -> Result<T, PostError> {
        let mut counter = match self.counter.take() {
            Some(counter) => counter,
            None => match self.office.counter() {
                Err(error) if error.is_busy() => {
                    self.rise();
                    self.office.counter_within(self.office.patience)?
                }
                counter => counter?,
            },
        };
        let done = act(&mut counter)?;
        self.counter = Some(counter);
        Ok(done)
    }

    /// Once a minute: a letter that should have come again, and did not, no longer holds up others, and the players
    /// of the games are read again.
    pub fn age(&mut self) -> Result<(), PostError> {
        self.queues.age();
        match &mut self.players {
            Some(players) => self.office.refresh(players),
            None => Ok(()),
        }
    }

    /// Gives up all locks, so that others can work on the games. Some desks stay in memory, as they were read and
    /// folded: if nobody else has written to such a game, its next letter costs no more than itself.
    pub fn rise(&mut self) {
        for (game, mut desk) in std::mem::take(&mut self.desks) {
            if desk.rest() {
                self.resting.push_back((game, desk));
            }
        }
        let most = self.resting.len().saturating_sub(DESKS_MAX);
        self.resting.drain(..most);
        self.counter = None;
    }

    /// Does something at the desk of a game. If that fails, the desk is closed, and opened again from its files.
    pub fn at_desk<T>(
        &mut self,
        game: &str,
        at: Stamp,
        act: impl FnOnce(&mut Desk) -> Result<T, PostError>,
    ) -> Result<T, PostError> {
        let mut desk = match self.desks.remove(game) {
            Some(desk) => desk,
            None => {
                let mut desk = match self.woken(game, Duration::ZERO) {
                    // Two processes that wait for one another would wait in vain: so this one gives up its locks
                    // before it waits.
                    Err(error) if error.is_busy() => {
                        self.rise();
                        self.woken(game, self.office.patience)?
                    }
                    Err(error) if error.is_in_doubt() => {
                        self.office.heads.forget(game);
                        if !restored::expire(&self.office.drawer(Some(game)), at)? {
                            return Err(error);
                        }
                        self.woken(game, self.office.patience)?
                    }
                    desk => desk?,
                };
                self.office.must_remember(&mut desk, game, at)?;
                // First the desk finishes what a crash left, in the order in which it came.
                let head = desk.table.fold().head().seq;
                // A letter that once stopped the program must not stop it at every start.
                let recover = panic::catch_unwind(AssertUnwindSafe(|| desk.recover(at)));
                let stopped =
                    |_| PostError::File(io::Error::other("a bug of Ringmail stopped a letter; please report it"));
                let letters = recover.map_err(stopped)??;
                desk.recovered = Some(Recovered { head, letters });
                desk
            }
        };
        let done = act(&mut desk);
        self.office.heads.note(game, desk.table.fold().head());
        let done = done?;
        desk.recovered = None;
        if self.desks.len() >= DESKS_MAX {
            self.desks.clear();
        }
        self.desks.insert(game.to_owned(), desk);
        Ok(done)
    }

    /// The desk of a game, locked: a resting one, if nothing was written meanwhile, or opened from its files.
    fn woken(&mut self, game: &str, patience: Duration) -> Result<Desk, PostError> {
        if let Some(at) = self.resting.iter().position(|(name, _)| name == game) {
            let mut desk = self.resting.remove(at).expect("it was just found").1;
            match desk.wake(patience) {
                Ok(true) => return Ok(desk),
                Err(error) if error.is_busy() => return Err(error),
                Ok(false) | Err(_) => {}
            }
        }
        self.office.desk_within(game, patience)
    }

    /// Whether the desk of a game rests: its folded log is still in memory.
    pub fn is_resting(&self, game: &str) -> bool {
        self.resting.iter().any(|(name, _)| name == game)
    }
}
