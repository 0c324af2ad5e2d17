/*! The post office at work for weeks: letters come in, the clock ticks, letters go out, all in one process.

One thread does everything that touches a game; others only wait for the outside world: for a mailbox, for an MTA, for
the server that takes our letters (see [`sources`](super::sources)), for a relay of a beacon. So no slow server holds
up a game, and no two letters are ever played at once. The process may be killed at any moment; the next one repeats
what it was doing.
*/

use super::minute::Minute;
use super::notice::{self, Notice};
use super::shared;
use super::unnoted::{FORGOTTEN, Standstill, TOLD_AFTER, Unnoted};
use super::{COUNTER, Handled, Office, Sitting};
use crate::book;
use crate::book::fault::PostError;
use crate::desk::outage::{self, Doubt};
use crate::desk::tick::rests;
use crate::names::address::{self, Place};
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::bounce::Finality;
use mail::letter::mailbox::Mailbox;
use mail::letter::robots::Robot;
use mail::letter::{self, Letter};
use mail::wire::carrier::{Cover, NotCarried};
use mail::wire::intake::{Arrival, Filed, Parcel, Taken};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::thread;
use std::time::Duration;
use store::home::Lock;

/// How often the clock ticks, and the outboxes are searched for letters of other processes.
pub const TICK: Duration = Duration::from_secs(60);
/// If the last entry of a log is further ahead of the clock than this, one of the two clocks was wrong.
const CLOCK_WRONG: Span = Span::hours(1);
/// The sources named for trouble that concerns all games, or the time.
pub(super) const GAMES: &str = "the games";
pub(super) const CLOCK: &str = "the clock";
/// The source named for trouble with the mail that belongs to no game.
pub(super) const THE_COUNTER: &str = "the counter";
/// The longest time that a clean stop waits for the letter that is being sent.
const FAREWELL: Duration = Duration::from_secs(20);

/// How often a stop tries to note what became of the last letter, and the pause between two tries.
const NOTING_MAX: u32 = 50;
const NOTING: Duration = Duration::from_millis(100);

/// The pause before retrying a game whose letters are to be sent and which another process has locked.
const HELD_UP: Duration = Duration::from_millis(50);

/// What the outside world brings.
pub enum Event {
    /// A letter has come. Its source waits for the reply.
    Letter { name: String, raw: Vec<u8>, arrival: Arrival, reply: SyncSender<Taken> },
    /// The carrier has handed over the letter, or could not.
    Carried(Result<String, NotCarried>),
    /// Another thread of the process reports a trouble.
    Trouble { source: &'static str, words: String },
    /// A source has brought all letters that were there.
    Looked { source: &'static str },
    /// A round of a beacon has come for which a game waits.
    Fetched,
    /// Another worker has put a letter into this outbox; `None`: into some outbox.
    Waiting(Option<String>),
    /// Time has passed: once a minute.
    Tick,
    /// The configuration has changed: the service ends, and a new one begins.
    Reload,
    /// The process is asked to stop.
    Stop,
}

/// Why the service has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Stopped,
    /// A new service is to begin, with another configuration.
    Reloads,
}

/// A letter for the carrier.
pub struct Job {
    pub name: String,
    pub cover: Cover,
    pub bytes: Vec<u8>,
}

/// What the service reports while it works.
pub enum Bulletin<'a> {
    Ready {
        games: usize,
    },
    Received {
        name: &'a str,
        fate: &'a Handled,
    },
    Sent {
        letter: &'a str,
        reply: &'a str,
    },
    Later {
        letter: &'a str,
        reply: &'a str,
    },
    Dead {
        letter: &'a str,
        reply: &'a str,
    },
    NoService {
        reason: &'a str,
    },
    Trouble {
        source: &'a str,
        words: &'a str,
    },
    /// A source works again after a trouble.
    Well {
        source: &'a str,
    },
    Notice(&'a Notice),
    /// A source has brought all letters that were there.
    Looked {
        source: &'static str,
    },
    /// The clock has ticked, and all outboxes were looked through.
    Minute(&'a Minute),
    Stopped,
}

/// Everything the service needs from outside.
pub struct Outside<'a> {
    pub events: Receiver<Event>,
    /// `None` if this process sends no letters.
    pub jobs: Option<Sender<Job>>,
    pub now: &'a dyn Fn() -> Stamp,
    pub tell: &'a mut dyn FnMut(&Bulletin<'_>),
    /// The sources from which letters are fetched. While one of them cannot be read, the clock of the games does not
    /// tick: a player who wrote in time must not be late because we could not read his letter.
    pub sources: BTreeSet<&'static str>,
    /// The host, to whom notices go.
    pub host: Option<Mailbox>,
    /// What this process does of the office's work.
    pub part: Part,
}

/// What a process does of the work of an office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// It plays letters, and lets time pass in the games.
    pub plays: bool,
    /// The ways in and out, some of which other processes may serve: time passes only while all of them work. Empty
    /// if this process does all the work.
    pub ways: Vec<&'static str>,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { plays: true, ways: Vec::new() };
}

/// An outbox: that of a game, or of the counter.
pub(super) type Whose = Option<String>;

/// The post office at work.
pub struct Service<'a> {
    pub(super) office: &'a Office,
    pub(super) sitting: Sitting<'a>,
    pub(super) outside: Outside<'a>,
    /// Outboxes with letters that may be sent, and the letters.
    pub(super) rounds: VecDeque<(Whose, VecDeque<String>)>,
    /// Outboxes that another process has locked: they are tried again very soon.
    pub(super) held_up: Vec<(Whose, VecDeque<String>)>,
    pub(super) under_way: Option<(Whose, String)>,
    /// What became of some letters, and could not be noted yet.
    pub(super) unnoted: Vec<Unnoted>,
    /// The lock on the outbox whose letter is on its way, so that nobody else sends it too. Others may work on its
    /// game.
    pub(super) sending: Option<Lock>,
    /// Ticks until sending is tried again, and how often in a row it was not possible.
    pub(super) rest: u32,
    pub(super) failures: usize,
    /// Since when each letter in an outbox has been ready to go out.
    pub(super) ready: BTreeMap<(Whose, String), Stamp>,
    /// Games that have not been visited since the start.
    unseen: VecDeque<String>,
    /// The time of the last tick, and whether the clock is to be doubted.
    pub(super) ticked: Option<Stamp>,
    pub(super) doubt: Option<Doubt>,
    /// Sources that have not been read yet, or cannot be.
    pub(super) unread: BTreeSet<&'static str>,
    /// This service follows another in the same process: a trouble that a running service survives must not end it
    /// either.
    is_taken_over: bool,
    /// What was last told of a source or a game, so that nothing is told twice.
    told: BTreeMap<String, String>,
    /// The games and letters with which nothing can be done at the moment.
    pub(super) standing: BTreeMap<String, Standstill>,
}

impl<'a> Service<'a> {
    /// A service that has done nothing yet.
    pub fn new(office: &'a Office, outside: Outside<'a>) -> Service<'a> {
        Service {
            office,
            unread: outside.sources.clone(),
            sitting: office.sit(),
            outside,
            rounds: VecDeque::new(),
            held_up: Vec::new(),
            under_way: None,
            unnoted: Vec::new(),
            sending: None,
            rest: 0,
            failures: 0,
            ready: BTreeMap::new(),
            unseen: VecDeque::new(),
            ticked: None,
            doubt: None,
            is_taken_over: false,
            told: BTreeMap::new(),
            standing: BTreeMap::new(),
        }
    }

    /// Works until it is asked to stop or to reload, or all sources have ended.
    ///
    /// # Errors
    /// The games cannot be listed. Everything else concerns one game, and is reported as a bulletin.
    pub fn run(&mut self) -> Result<Ended, PostError> {
        let games = match self.office.survey() {
            Err(error) if self.is_taken_over => {
                self.trouble(GAMES, &with_advice(&error));
                Vec::new()
            }
            games => games?,
        };
        let (count, now) = (games.len(), (self.outside.now)());
        // If its files are as its last tick left them, a game was closed in order: nothing in it needs finishing.
        let restless = games.into_iter().filter(|game| self.outside.part.plays && !rests(game, now));
        self.unseen = restless.map(|game| game.drawer).collect();
        if self.is_taken_over {
            self.watch_the_games()
        } else {
            self.minute()?
        }
        (self.outside.tell)(&Bulletin::Ready { games: count });
        let ended = loop {
            match self.next_event() {
                Some(Event::Stop) => break Ended::Stopped,
                Some(Event::Reload) => break Ended::Reloads,
                Some(Event::Tick) => self.watch_the_games(),
                Some(event) => self.heed(event),
                None => {
                    if let Some(game) = self.unseen.pop_front() {
                        self.look_after(&game);
                    }
                }
            }
            self.send_next();
        };
        Ok(self.farewell(ended))
    }

    /// As [`Service::new`], after a service that could not note what became of these letters.
    pub fn after(unnoted: Vec<Unnoted>, office: &'a Office, outside: Outside<'a>) -> Service<'a> {
        Service { unnoted, is_taken_over: true, ..Service::new(office, outside) }
    }

    /// Everything from outside, for the next service, and what that one still has to note.
    pub fn close(self) -> (Outside<'a>, Vec<Unnoted>) {
        (self.outside, self.unnoted)
    }

    /// The next event. `None` if there is none, and games still have to be visited, or letters of locked games sent.
    fn next_event(&mut self) -> Option<Event> {
        match self.outside.events.try_recv() {
            Ok(event) => return Some(event),
            Err(TryRecvError::Disconnected) => return Some(Event::Stop),
            Err(TryRecvError::Empty) if !self.unseen.is_empty() => return None,
            Err(TryRecvError::Empty) => {}
        }
        // While we wait for an event, other processes must be able to lock the games.
        self.sitting.rise();
        if !self.is_held_up() {
            return Some(self.outside.events.recv().unwrap_or(Event::Stop));
        }
        match self.outside.events.recv_timeout(HELD_UP) {
            Err(RecvTimeoutError::Timeout) => None,
            event => Some(event.unwrap_or(Event::Stop)),
        }
    }

    fn heed(&mut self, event: Event) {
        match event {
            Event::Letter { name, raw, arrival, reply } => {
                let taken = self.receive(&Parcel { name, raw: &raw, arrival });
                // If its source is gone, it will bring the letter again, and the letter is known then.
                let _ = reply.send(taken);
            }
            Event::Carried(carried) => self.carried(carried),
            Event::Trouble { source, words } => {
                self.unread.extend(self.outside.sources.get(source));
                self.trouble(source, &words);
            }
            Event::Looked { source } => self.looked(source),
            Event::Fetched => self.watch_the_games(),
            Event::Waiting(drawer) => self.find_others(drawer),
            Event::Tick | Event::Reload | Event::Stop => {}
        }
    }

    /// Receives one letter. If something goes wrong with it, even a bug of ours, that concerns no other letter.
    pub fn receive(&mut self, parcel: &Parcel<'_>) -> Taken {
        let at = (self.outside.now)();
        let has_jumped = self.ticked.is_some_and(|before| outage::is_a_jump(before, at));
        if (has_jumped || self.doubt.is_some()) && !self.agrees(parcel.raw, at) {
            // No letter is dated by a clock that may be wrong.
            return Taken::Later;
        }
        // A desk at which this panics is closed, and opened again from its files.
        let sitting = &mut self.sitting;
        let receive = AssertUnwindSafe(|| sitting.receive_as(parcel.raw, parcel.arrival, at));
        let received = panic::catch_unwind(receive);
        let fate = match received {
            Ok(Ok(fate)) => fate,
            Ok(Err(error)) if error.is_busy() => return Taken::Later,
            // The key of a signature could not be looked up in time: the source brings the letter again, and nobody
            // need act.
            Ok(Err(PostError::File(error))) if error.kind() == io::ErrorKind::TimedOut => {
                self.trouble(&parcel.name, &error.to_string());
                return Taken::Later;
            }
            Ok(Err(error)) => {
                // Without the folder of the games no letter can be read: then that is the trouble to report, and at
                // once.
                match self.office.home() {
                    Ok(_) => self.stands(&parcel.name, &error),
                    Err(gone) => self.trouble(GAMES, &with_advice(&gone)),
                }
                return Taken::Later;
            }
            Err(_) => {
                self.stuck(&parcel.name, "this is a bug of Ringmail; please report it", None);
                return Taken::Later;
            }
        };
        self.goes_on(&parcel.name);
        (self.outside.tell)(&Bulletin::Received { name: &parcel.name, fate: &fate });
        match &fate {
            Handled::Desk { place, received } => {
                self.enqueue(Some(place.game.clone()), received.letters.clone());
                for (seq, line) in received.disputes.clone() {
                    let (game, seat) = (place.game.clone(), place.seat.clone());
                    self.notice(&Notice::Disputed { game, seat, seq, line });
                }
                for aside in &received.set_aside {
                    let file = aside.file.display();
                    let words = format!("{} bytes of a record that a crash cut off are now in {file}", aside.bytes);
                    self.trouble(&place.game, &words);
                }
                if received.outcome == book::Reception::Refused && received.letters.is_empty() {
                    self.tell_if_silent(place, at);
                }
                self.tell_of(&place.game, at);
            }
            Handled::Robot(Robot::Away(subject)) => self.tell_of_vacation(parcel.raw, subject),
            Handled::Astray { letter, .. } => self.enqueue(None, letter.clone().into_iter().collect()),
            Handled::Bounced { place, verdict: Finality::Never, .. } => self.tell_of(&place.game, at),
            Handled::Bounced { .. } | Handled::Robot(_) | Handled::Again | Handled::Left => {}
        }
        Taken::Filed(filed(&fate))
    }

    /// Whether our clock agrees with that of the mail server that has just taken this letter: then we trust ours
    /// again.
    fn agrees(&mut self, raw: &[u8], at: Stamp) -> bool {
        let Some(taken) = letter::taken_at(raw) else { return false };
        // If this cannot be noted, the letter waits, as with any other trouble of the disk.
        let agrees = self.office.home().is_ok_and(|home| outage::agrees(&home, taken, at).unwrap_or(false));
        if agrees {
            (self.doubt, self.ticked) = (None, Some(at));
            self.well(CLOCK);
        }
        agrees
    }

    /// A source has brought all its letters. If it was the last one to be read, the clock ticks at once.
    fn looked(&mut self, source: &'static str) {
        (self.outside.tell)(&Bulletin::Looked { source });
        self.note_way(source);
        self.well(source);
        if self.unread.remove(source) && self.unread.is_empty() {
            self.watch_the_games();
        }
    }

    /// Tells the other workers of the office that a way works. A failure is not reported here: if the store cannot be
    /// written, time does not pass anyway.
    pub(super) fn note_way(&self, way: &str) {
        if self.outside.part.ways.contains(&way) {
            let _ = shared::note(&self.office.drawer(None), way, (self.outside.now)());
        }
    }

    pub(super) fn well(&mut self, source: &str) {
        if self.told.remove(source).is_some() {
            (self.outside.tell)(&Bulletin::Well { source });
        }
    }

    /// Gives up all locks, so that others can work on the games.
    pub fn rise(&mut self) {
        self.sitting.rise();
    }

    /// Looks for letters that another worker has put into an outbox.
    fn find_others(&mut self, drawer: Option<String>) {
        if self.outside.jobs.is_none() {
            return;
        }
        match drawer {
            Some(drawer) => self.find_waiting(Some(drawer).filter(|drawer| drawer != COUNTER)),
            None => match self.office.all_waiting() {
                Ok(found) => found.into_iter().for_each(|(whose, found)| self.enqueue(whose, vec![found.name])),
                Err(error) => self.trouble(GAMES, &with_advice(&error)),
            },
        }
    }

    /// Lists the letters of an outbox without opening its desk.
    fn find_waiting(&mut self, whose: Whose) {
        match self.office.waiting(whose.as_deref()) {
            Ok(names) => self.enqueue(whose, names),
            Err(error) => self.trouble(whose.as_deref().unwrap_or("the counter"), &error.to_string()),
        }
    }

    /// Puts a game in order after a crash, and tells its host what he must know about it.
    fn look_after(&mut self, game: &str) {
        let at = (self.outside.now)();
        let looked = self.sitting.at_desk(game, at, |desk| Ok((notice::of_game(game, desk), desk.table.fold().at())));
        match looked {
            Ok((notices, written)) => {
                if written > at.later(CLOCK_WRONG) {
                    let words = format!("its last entry is of {written}, and the clock here shows {at}");
                    self.trouble(game, &words);
                }
                notices.iter().for_each(|notice| self.notice(notice));
                self.find_waiting(Some(game.to_owned()));
            }
            Err(error) if error.is_busy() => {}
            Err(error) => self.stands(game, &error),
        }
    }

    /// L3: a player who gets no more answers today may need help.
    fn tell_if_silent(&mut self, place: &Place, at: Stamp) {
        let silent = self.sitting.at_desk(&place.game, at, |desk| Ok(desk.is_silent_to(&place.seat, at)));
        if silent.is_ok_and(|silent| silent) {
            self.notice(&Notice::Silenced { game: place.game.clone(), seat: place.seat.clone() });
        }
    }

    /// Tells the host of a game if a seat is free, or its player cannot be reached.
    pub(super) fn tell_of(&mut self, game: &str, at: Stamp) {
        let notices = self.sitting.at_desk(game, at, |desk| Ok(notice::of_game(game, desk)));
        // Trouble with the game itself is reported by the code that meets it.
        notices.unwrap_or_default().iter().for_each(|notice| self.notice(notice));
    }

    /// L2: a subject alone does not prove that a robot wrote the letter. If it was meant for a game, the host is
    /// told.
    fn tell_of_vacation(&mut self, raw: &[u8], subject: &str) {
        let envelope = Letter::open(raw, self.office.limits()).envelope;
        if let (Ok(author), true) = (&envelope.author, address::names_a_game(&envelope, self.office.ours())) {
            self.notice(&Notice::Away { author: author.to_string(), subject: subject.to_owned() });
        }
    }

    /// Nothing can be done with a game, or a letter. What is wrong with it is told to the host at once; a disk or a
    /// database that fails is told if it lasts.
    pub(super) fn stands(&mut self, name: &str, error: &PostError) {
        let (why, advice, tried) = (error.to_string(), error.advice(), (self.outside.now)());
        if !error.is_outage() {
            return self.stuck(name, &why, advice);
        }
        self.trouble(name, &why);
        let since = self.standing.get(name).map_or(tried, |before| before.since);
        self.standing.insert(name.to_owned(), Standstill { since, tried, why, advice });
    }

    /// A game or a letter goes on.
    pub(super) fn goes_on(&mut self, name: &str) {
        self.standing.remove(name);
        self.told.remove(name);
    }

    /// Tells the host what has not gone on for minutes. Returns how many games and letters, and the longest of them.
    pub(super) fn tell_what_stands(&mut self, at: Stamp) -> Option<(usize, Stamp)> {
        self.standing.retain(|_, still| at <= still.tried.later(FORGOTTEN));
        let long = self.standing.iter().filter(|(_, still)| still.since.later(TOLD_AFTER) <= at);
        let long: Vec<(String, Standstill)> = long.map(|(name, still)| (name.clone(), still.clone())).collect();
        for (name, still) in &long {
            self.stuck(name, &still.why, still.advice);
        }
        Some((long.len(), long.iter().map(|(_, still)| still.since).min()?))
    }

    fn stuck(&mut self, name: &str, why: &str, advice: Option<&str>) {
        self.trouble(name, why);
        let advice = advice.map(str::to_owned);
        self.notice(&Notice::Stuck { game: name.to_owned(), why: why.to_owned(), advice });
    }

    pub(super) fn notice(&mut self, notice: &Notice) {
        self.notice_at(notice, (self.outside.now)());
    }

    pub(super) fn notice_at(&mut self, notice: &Notice, at: Stamp) {
        let is_told = match self.outside.host.clone() {
            Some(host) => match self.sitting.at_counter(|counter| notice.post(counter, &host, at)) {
                Ok(posted) => {
                    let is_new = posted.is_some();
                    self.enqueue(None, posted.into_iter().collect());
                    !is_new
                }
                Err(_) => self.told.contains_key(&notice.subject()),
            },
            None => self.told.contains_key(&notice.subject()),
        };
        if !is_told {
            self.told.insert(notice.subject(), String::new());
            (self.outside.tell)(&Bulletin::Notice(notice));
        }
    }

    pub(super) fn trouble(&mut self, source: &str, words: &str) {
        if self.told.get(source).is_none_or(|told| told != words) {
            self.told.insert(source.to_owned(), words.to_owned());
            (self.outside.tell)(&Bulletin::Trouble { source, words });
        }
    }

    /// A clean end waits for the letter that is being sent, so that it is not sent again after the next start.
    fn farewell(&mut self, ended: Ended) -> Ended {
        let mut ended = ended;
        while self.under_way.is_some() {
            match self.outside.events.recv_timeout(FAREWELL) {
                Ok(Event::Carried(carried)) => self.carried(carried),
                Ok(Event::Letter { reply, .. }) => drop(reply.send(Taken::Later)),
                Ok(Event::Stop) => ended = Ended::Stopped,
                Ok(
                    Event::Trouble { .. }
                    | Event::Looked { .. }
                    | Event::Fetched
                    | Event::Waiting(_)
                    | Event::Tick
                    | Event::Reload,
                ) => {}
                // The next service has another configuration, but the result for this letter still comes to this
                // process.
                Err(RecvTimeoutError::Timeout) if ended == Ended::Reloads => {}
                Err(_) => break,
            }
        }
        // On a reload, the next service gets what could not be noted. After a stop these letters would be sent again,
        // so it tries to note them, but no longer than the supervisor waits.
        for again in (0..NOTING_MAX).take_while(|_| ended == Ended::Stopped) {
            if again > 0 {
                thread::sleep(NOTING);
            }
            self.all_are_due();
            self.note_again();
            if self.unnoted.is_empty() {
                break;
            }
        }
        self.sitting.rise();
        if ended == Ended::Stopped {
            (self.outside.tell)(&Bulletin::Stopped);
        }
        ended
    }
}

/// An error, with what can be done about it.
pub(super) fn with_advice(error: &PostError) -> String {
    error.advice().map_or_else(|| error.to_string(), |advice| format!("{error}: {advice}"))
}

/// What became of a letter, as flags of mail programs show it.
pub fn filed(fate: &Handled) -> Filed {
    match fate {
        Handled::Desk { received, .. } => match received.outcome {
            book::Reception::Played => Filed::Answered,
            book::Reception::Refused => Filed::Flagged,
            book::Reception::Again | book::Reception::Robot => Filed::Seen,
        },
        Handled::Astray { .. } => Filed::Flagged,
        Handled::Robot(_) | Handled::Again | Handled::Bounced { .. } => Filed::Seen,
        Handled::Left => Filed::Left,
    }
}
