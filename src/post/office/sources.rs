/*! The threads of [`service`](super::service) that wait for the outside world. None of them touches a game: each
hands a letter on and waits for the reply, so that there are never more letters in memory than sources.
*/

#![expect(clippy::disallowed_types, reason = "how long ago the queue was empty is no fact of a game")]

use super::Office;
use super::service::{Event, Job, TICK};
use crate::desk::authorship::Judges;
use crate::desk::restored;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::Carrier;
use mail::wire::imap::{Imap, ImapError};
use mail::wire::imap_intake::{Brought, ImapIntake, IntakeError};
use mail::wire::intake::{Arrival, Parcel, Take, Taken};
use mail::wire::lmtp::Lmtp;
use mail::wire::maildir::{Maildir, Waiting};
use mail::wire::server::Account;
use net::time_limit::{Patience, Socket};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};
use store::home::{LetterTaken, Shared};

/// The sources by their names.
pub const IMAP: &str = "the mailbox";
pub const MAILDIR: &str = "the Maildir";
pub const QUEUE: &str = "the queue of letters";
/// The source named for trouble with single letters in the mailbox: the others are read, and the clock ticks.
pub const LETTERS: &str = "in the mailbox";

/// How long an IDLE lasts before it is renewed: well below the half hour after which servers lose patience (RFC
/// 2177), and short enough that routers do not forget the connection. It must also be short because not every server
/// announces a letter that came just before the IDLE.
const IDLE: Duration = Duration::from_secs(2 * 60);
/// The polling interval for a server without IDLE.
const POLL: Duration = Duration::from_secs(60);
/// The pauses after a trouble, in seconds, longer each time.
const PATIENCE: [u64; 7] = [1, 2, 5, 15, 60, 120, 300];
/// The polling interval of the queue for a worker that nobody wakes.
const QUEUE_LOOK: Duration = Duration::from_secs(5);
/// For how many milliseconds a letter of the queue that cannot be received now is put off, longer each time.
const PUT_OFF: [u64; 6] = [50, 100, 250, 1_000, 5_000, 15_000];
/// How long a letter is put off to a game in which nothing is played.
const IN_DOUBT: Duration = Duration::from_secs(15);
/// A letter that was put off and has been due for this long was received by another worker.
const PUT_OFF_FORGOTTEN: Duration = Duration::from_secs(60);
/// The polling interval of a Maildir without a file watch.
const LOOK: Duration = Duration::from_millis(500);
/// The number of polls between two `Looked` events.
const LOOKS_TOLD: u32 = 60;
/// The number of polls until a letter that could not be dealt with is brought again.
const LOOKS_BETWEEN: u32 = 20;
/// A connection for sending is closed after this time without a letter.
const WAY_OUT: Duration = Duration::from_secs(15);
/// Clients of the LMTP listener at a time.
const CLIENTS_MAX: usize = 16;
/// RFC 5321 §4.5.3.2.7: how long a client may think; and how long it may stay. The client brings a letter again that
/// was not answered by then.
const CLIENT_PATIENCE: Patience = Patience { silence: Duration::from_secs(300), whole: Duration::from_secs(1800) };

/// Where a source hands its letters on: to the service or, in a shared office, to the queue.
#[derive(Clone)]
struct Hand {
    office: Office,
    events: Sender<Event>,
}

impl Hand {
    fn take(&self, parcel: &Parcel<'_>) -> Taken {
        let Some(shared) = self.office.store().shared() else {
            return take(&self.events, self.office.judges(), parcel);
        };
        match self.office.hand_in(shared, parcel) {
            Ok(filed) => Taken::Filed(filed),
            Err(error) => {
                // The source brings the letter again; the trouble of keeping it is the queue's.
                let _ = self.events.send(Event::Trouble { source: QUEUE, words: error.to_string() });
                Taken::Later
            }
        }
    }
}

/// Takes letters out of the queue of a shared office, one after the other, as long as the service works. `wakes`
/// tells it that one has come.
pub fn queue(office: &Office, wakes: Receiver<()>, events: Sender<Event>) {
    let office = office.clone();
    thread::spawn(move || {
        let (mut failures, mut has_told): (usize, Option<Instant>) = (0, None);
        let mut put_off = PutOff::default();
        loop {
            let Some(shared) = office.store().shared() else { return };
            let asked = Instant::now();
            let told = match next_of_queue(&office, shared, &events, office.judges(), &mut put_off) {
                Ok(true) => {
                    failures = 0;
                    continue;
                }
                // The queue is empty: this is reported after a trouble, and now and then.
                Ok(false) => {
                    failures = 0;
                    let is_due = has_told.is_none_or(|told| told.elapsed() >= TICK / 2);
                    if is_due {
                        has_told = Some(Instant::now());
                        events.send(Event::Looked { source: QUEUE })
                    } else {
                        Ok(())
                    }
                }
                Err(error) => {
                    (failures, has_told) = (failures + 1, None);
                    events.send(Event::Trouble { source: QUEUE, words: error.to_string() })
                }
            };
            if told.is_err() {
                return;
            }
            let patience = PATIENCE.get(failures.wrapping_sub(1)).map_or(QUEUE_LOOK, |wait| Duration::from_secs(*wait));
            let patience = put_off.next(asked).map_or(patience, |next| next.min(patience)).min(QUEUE_LOOK);
            match wakes.recv_timeout(patience) {
                // Several wakes count as one.
                Ok(()) => drop(wakes.try_iter().count()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(patience),
            }
        }
    });
}

/// Letters that could not be received here, and when each may be taken again: very soon at first, because another
/// worker may be at the game only for a moment, and later each time.
#[derive(Default)]
struct PutOff {
    letters: BTreeMap<i64, (usize, Instant)>,
}

impl PutOff {
    /// Puts a letter off. Returns for how long.
    fn again(&mut self, id: i64) -> Duration {
        let times = self.letters.get(&id).map_or(0, |(times, _)| times + 1);
        let wait = Duration::from_millis(PUT_OFF[times.min(PUT_OFF.len() - 1)]);
        // Another worker has probably received those that are long due.
        self.letters.retain(|_, (_, due)| due.elapsed() < PUT_OFF_FORGOTTEN);
        self.letters.insert(id, (times, Instant::now() + wait));
        wait
    }

    /// How long until the next letter is due, of those that were not due when the queue was asked.
    fn next(&self, asked: Instant) -> Option<Duration> {
        let due = self.letters.values().map(|(_, due)| *due).filter(|due| *due > asked).min();
        due.map(|due| due.saturating_duration_since(Instant::now()))
    }
}

/// Takes one letter from the queue and notes what became of it. Returns whether there was one.
fn next_of_queue(
    office: &Office,
    shared: &dyn Shared,
    events: &Sender<Event>,
    judges: &Judges,
    put_off: &mut PutOff,
) -> io::Result<bool> {
    let Some(LetterTaken { id, letter, .. }) = shared.take()? else { return Ok(false) };
    let arrival = if letter.is_old { Arrival::Old } else { Arrival::New };
    match take(events, judges, &Parcel { name: letter.name, raw: &letter.raw, arrival }) {
        Taken::Filed(_) => {
            put_off.letters.remove(&id);
            shared.received(id)?;
        }
        // While nothing is played in a game, a letter to it must not hold up those that end its doubt.
        Taken::Later if letter.game.as_deref().is_some_and(|game| is_in_doubt(office, game)) => {
            shared.put_behind(id, IN_DOUBT)?;
        }
        Taken::Later => shared.put_off(id, put_off.again(id))?,
    }
    Ok(true)
}

fn is_in_doubt(office: &Office, game: &str) -> bool {
    // If that cannot be read, the letter keeps its place.
    restored::is_waiting(&office.drawer(Some(game))).unwrap_or(false)
}

/// Hands a letter on and waits for the result.
fn take(events: &Sender<Event>, judges: &Judges, parcel: &Parcel<'_>) -> Taken {
    judges.foresee(parcel.raw, &Limits::ORDINARY);
    let (reply, answer) = mpsc::sync_channel(1);
    let (name, raw, arrival) = (parcel.name.clone(), parcel.raw.to_vec(), parcel.arrival);
    if events.send(Event::Letter { name, raw, arrival, reply }).is_err() {
        return Taken::Later;
    }
    // After the service has stopped, no reply comes.
    answer.recv().unwrap_or(Taken::Later)
}

/// Sends a tick once a minute.
pub fn clock(events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            thread::sleep(TICK);
            if events.send(Event::Tick).is_err() {
                return;
            }
        }
    });
}

/// Carries letters, one after the other, and reports what became of each.
pub fn way_out(mut carrier: Box<dyn Carrier + Send>, jobs: Receiver<Job>, events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            let job = match jobs.recv_timeout(WAY_OUT) {
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout) => {
                    carrier.rest();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let carried = carrier.carry(&job.name, &job.cover, &job.bytes);
            if events.send(Event::Carried(carried)).is_err() {
                return;
            }
        }
    });
}

/// Watches a folder on an IMAP server as long as the service works. Reconnects if the connection breaks.
pub fn imap(account: Account, intake: ImapIntake, office: &Office, events: Sender<Event>) {
    let (letter_bytes, hand) = (office.limits().letter_bytes, Hand { office: office.clone(), events: events.clone() });
    thread::spawn(move || {
        let mut failures = 0;
        loop {
            let mut take = |parcel: &Parcel<'_>| hand.take(parcel);
            let watched = watch(&account, &intake, letter_bytes, &events, &mut take, &mut failures);
            let Err(error) = watched else { return };
            let trouble = Event::Trouble { source: IMAP, words: error.to_string() };
            // A server that closes a connection after hours of use is not worth a report.
            if failures > 0 && events.send(trouble).is_err() {
                return;
            }
            thread::sleep(Duration::from_secs(PATIENCE[failures.min(PATIENCE.len() - 1)]));
            failures += 1;
        }
    });
}

/// One connection, until it breaks. `Ok` if the service has stopped.
fn watch(
    account: &Account,
    intake: &ImapIntake,
    letter_bytes: usize,
    events: &Sender<Event>,
    take: &mut Take<'_>,
    failures: &mut usize,
) -> Result<(), IntakeError> {
    *failures = (*failures).max(1);
    let mut imap = Imap::connect(account, letter_bytes)?;
    intake.open(&mut imap)?;
    let mut later = 0;
    loop {
        let Brought { taken, waiting, troubles } = intake.round(&mut imap, take)?;
        *failures = 0;
        let is_well_filed = taken > 0 && troubles.is_empty();
        let troubles = troubles.iter().map(|trouble| Event::Trouble { source: LETTERS, words: trouble.to_string() });
        let looked = is_well_filed.then_some(Event::Looked { source: LETTERS });
        if troubles.chain(looked).chain([Event::Looked { source: IMAP }]).any(|told| events.send(told).is_err()) {
            return Ok(());
        }
        later = if waiting == 0 { 0 } else { later + 1 };
        let patience = match later {
            0 => IDLE,
            times => Duration::from_secs(PATIENCE[times.min(PATIENCE.len()) - 1]),
        };
        match imap.wait(patience) {
            Ok(_) => {}
            Err(ImapError::Lacks { .. }) => {
                thread::sleep(patience.min(POLL));
                imap.poll()?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Watches a Maildir.
pub fn maildir(root: &Path, office: &Office, events: Sender<Event>) -> io::Result<()> {
    let maildir = Maildir::open(root)?;
    let (limits, hand) = (*office.limits(), Hand { office: office.clone(), events: events.clone() });
    thread::spawn(move || {
        let mut later: BTreeMap<Waiting, u32> = BTreeMap::new();
        let (mut was_well, mut looks, mut is_due) = (None, 0, true);
        let (mut watch, mut last) = (maildir.watch(), Instant::now());
        loop {
            let looked = look(&maildir, &limits, &mut |parcel| hand.take(parcel), &mut later);
            // Trouble is reported when it begins and when it is over; now and then a look without trouble is reported
            // too.
            let is_well = looked.is_ok();
            let told = match looked {
                Ok(()) if was_well == Some(true) && !is_due => Ok(()),
                Ok(()) => events.send(Event::Looked { source: MAILDIR }),
                Err(error) => events.send(Event::Trouble { source: MAILDIR, words: error.to_string() }),
            };
            if told.is_err() {
                return;
            }
            was_well = Some(is_well);
            watch.wait(LOOK);
            // Counts at most one look per interval, even if letters come so fast that there is no wait.
            let is_waited = last.elapsed() >= LOOK;
            if is_waited {
                (last, looks) = (Instant::now(), looks + 1);
                grow_older(&mut later);
            }
            is_due = is_waited && looks % LOOKS_TOLD == 0;
        }
    });
    Ok(())
}

/// Counts the looks down for which letters are left alone that could not be dealt with.
fn grow_older(later: &mut BTreeMap<Waiting, u32>) {
    later.retain(|_, looks| {
        *looks -= 1;
        *looks > 0
    });
}

fn look(maildir: &Maildir, limits: &Limits, take: &mut Take<'_>, later: &mut BTreeMap<Waiting, u32>) -> io::Result<()> {
    for waiting in maildir.waiting()? {
        if later.contains_key(&waiting) {
            continue;
        }
        let Some(raw) = unless_gone(maildir, &waiting, maildir.read(&waiting, limits))? else { continue };
        match take(&Parcel { name: waiting.to_string(), raw: &raw, arrival: Arrival::New }) {
            Taken::Filed(filed) => drop(unless_gone(maildir, &waiting, maildir.file(&waiting, filed))?),
            Taken::Later => drop(later.insert(waiting, LOOKS_BETWEEN)),
        }
    }
    Ok(())
}

/// If the file of a letter is gone, another worker that watches the same Maildir has filed it; the queue recognises
/// letters that it has seen.
fn unless_gone<T>(maildir: &Maildir, waiting: &Waiting, done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !maildir.has(waiting) => Ok(None),
        done => done.map(Some),
    }
}

/// Listens for an MTA.
pub fn lmtp(place: &str, office: &Office, events: Sender<Event>) -> io::Result<()> {
    let listener = TcpListener::bind(place)?;
    let (ours, limits) = (office.ours().clone(), *office.limits());
    let hand = Hand { office: office.clone(), events };
    let clients = Arc::new(AtomicUsize::new(0));
    thread::spawn(move || {
        for stream in listener.incoming() {
            // The client was gone before it was greeted.
            let Ok(mut stream) = stream else { continue };
            if clients.fetch_add(1, Ordering::SeqCst) >= CLIENTS_MAX {
                clients.fetch_sub(1, Ordering::SeqCst);
                let _ = stream.write_all(b"421 4.3.2 too many at once, come again\r\n");
                continue;
            }
            let (ours, hand, clients) = (ours.clone(), hand.clone(), Arc::clone(&clients));
            thread::spawn(move || {
                // If a conversation breaks off, the client begins it again.
                drop(converse(stream, &ours, &limits, &mut |parcel| hand.take(parcel)));
                clients.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    Ok(())
}

fn converse(stream: TcpStream, ours: &Mailbox, limits: &Limits, take: &mut Take<'_>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let deadline = CLIENT_PATIENCE.begin();
    let mut outgoing = Socket::new(stream.try_clone()?, deadline);
    let mut incoming = BufReader::new(Socket::new(stream, deadline));
    Lmtp::new(ours, limits).talk(&mut incoming, &mut outgoing, take)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail::wire::intake::Filed;
    use std::fs;

    #[test]
    fn a_letter_that_cannot_be_received_is_tried_soon_and_then_more_and_more_seldom() {
        let (mut put_off, asked) = (PutOff::default(), Instant::now());
        let waits: Vec<u128> = (0..8).map(|_| put_off.again(7).as_millis()).collect();
        assert_eq!(waits, [50, 100, 250, 1_000, 5_000, 15_000, 15_000, 15_000]);
        assert!(put_off.next(asked).unwrap() > Duration::from_secs(10));
        assert_eq!(put_off.again(8).as_millis(), 50);
        assert!(put_off.next(asked).unwrap() <= Duration::from_millis(50));
        // A letter that was due when the queue was asked, and was not in it, is with another worker.
        assert_eq!(put_off.next(asked + Duration::from_secs(3600)), None);
    }

    #[test]
    fn a_letter_that_another_worker_has_filed_meanwhile_is_no_trouble() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::open(folder.path()).unwrap();
        for name in ["1.a.host", "2.b.host", "3.c.host"] {
            maildir.deliver(name, name.as_bytes()).unwrap();
        }
        let mut brought = Vec::new();
        // While the first is taken, another worker files it and the next one.
        let mut take = |parcel: &Parcel<'_>| {
            brought.push(parcel.name.clone());
            for name in ["1.a.host", "2.b.host"] {
                let _ = fs::rename(folder.path().join("new").join(name), folder.path().join("cur").join(name));
            }
            Taken::Filed(Filed::Seen)
        };
        look(&maildir, &Limits::ORDINARY, &mut take, &mut BTreeMap::new()).unwrap();
        assert_eq!(brought, ["1.a.host", "3.c.host"]);
        // A missing folder is trouble, though.
        fs::remove_dir_all(folder.path().join("cur")).unwrap();
        maildir.deliver("4.d.host", b"d").unwrap();
        let seen = &mut |_: &Parcel<'_>| Taken::Filed(Filed::Seen);
        let error = look(&maildir, &Limits::ORDINARY, seen, &mut BTreeMap::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        fs::remove_dir_all(folder.path().join("new")).unwrap();
        let error = look(&maildir, &Limits::ORDINARY, &mut |_| Taken::Later, &mut BTreeMap::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
