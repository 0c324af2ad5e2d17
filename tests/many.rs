/*! Many campaigns in one folder, and a letter to each as fast as possible, through the LMTP listener of a service that
sends the answers: nothing is lost, nothing plays twice, memory does not grow. Also some campaigns of both titles
through `serve` and a real mailbox.

`RINGMAIL_LONG=1` takes a thousand campaigns instead of two hundred.
`RINGMAIL_MANY=1000x10 cargo test --release --test many -- --nocapture served` serves 1,000 campaigns for ten minutes,
with 100 letters a minute.
*/

#![cfg(unix)]

mod amount;
mod house;
mod long_run;
mod needs;
mod servers;
mod tiny_title;

use house::{BLACK, GREEN, at, charter, office, table};
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use post::names::address::{self, Place};
use post::names::message_id::MessageId;
use post::office::service::{Bulletin, Event, Outside, Part, Service};
use post::office::sources;
use record::charter::Charter;
use record::file::secrets::Secrets;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use std::{fs, thread};
use tempfile::TempDir;

/// The letters after which a service keeps as many desks in memory as it ever will: it is more than twice the desks
/// that a sitting keeps open, because a sitting remembers as many others.
const LETTERS_UNTIL_FULL: usize = 100;
/// Growth of memory by more than this for every letter after those is a leak.
const GROWTH_KILOBYTES_A_LETTER: usize = 45;
/// Growth of the memory of `serve` beyond this is a leak.
const GROWTH_KILOBYTES_MAX: u64 = 40 * 1024;
/// Connections over which the letters come.
const CONNECTIONS: usize = 4;

/// The space for all games, and some more.
const ROOM_KILOBYTES: u64 = 300 * 1024;

/// The number of games: twice as many as the letters until a service is full.
fn number_of_games() -> usize {
    amount::amount(200, 1_000)
}

/// A game that waits for its first answer, and the letter that brings it.
fn game(root: &Path, number: usize) -> String {
    let name = format!("g{number}");
    let charter = Charter { name: name.clone(), ..charter::riddles() };
    let secrets = Secrets::random().unwrap();
    let table = table::started(&root.join(&name), &charter, secrets, at(0), table::nothing);
    let asked = table.fold().waits_for();
    let (seat, player) = if asked.starts_with("green") { ("green", GREEN) } else { ("black", BLACK) };
    let place = Place { game: name, seat: seat.to_owned() };
    let ours = office(root).ours().clone();
    let token = address::token(&table.secrets().token_key.0, &place, 0);
    let head = table.fold().head();
    let answered = MessageId {
        game: place.game.clone(),
        seq: head.seq,
        head: head.hash,
        seat: place.seat.clone(),
        answers: None,
        host: ours.host.clone(),
    };
    let to = address::seat_address(&ours, &place, &token);
    format!(
        "To: {to}\r\nFrom: {player}\r\nSubject: Re: riddles\r\nIn-Reply-To: {answered}\r\n\
         Message-ID: <{number}@mail.example>\r\n\r\nroll 2\r\n"
    )
}

/// Hands letters over by LMTP, like an MTA; returns how many were taken.
fn deliver(port: u16, letters: &[String]) -> usize {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut replies = BufReader::new(stream.try_clone().unwrap());
    let mut say = |words: &str| {
        stream.write_all(words.as_bytes()).unwrap();
        let mut line = String::new();
        loop {
            line.clear();
            replies.read_line(&mut line).unwrap();
            if line.as_bytes()[3] == b' ' {
                return line.starts_with(['2', '3']);
            }
        }
    };
    assert!(say(""));
    assert!(say("LHLO mta\r\n"));
    let mut taken = 0;
    for letter in letters {
        let to = letter.lines().next().unwrap().trim_start_matches("To: ");
        assert!(say("MAIL FROM:<player@shire.example>\r\n"));
        assert!(say(&format!("RCPT TO:<{to}>\r\n")));
        assert!(say("DATA\r\n"));
        taken += usize::from(say(&format!("{letter}.\r\n")));
    }
    taken
}

/// A carrier that counts.
struct Counting(Arc<Mutex<BTreeMap<String, u32>>>);

impl Carrier for Counting {
    fn carry(&mut self, name: &str, _cover: &Cover, _letter: &[u8]) -> Result<String, NotCarried> {
        *self.0.lock().unwrap().entry(name.to_owned()).or_default() += 1;
        Ok("250 ok".to_owned())
    }
}

/// A folder in memory if there is enough: syncing to a disk would take minutes, and is not measured here.
fn in_memory() -> TempDir {
    let free = Command::new("df").args(["--output=avail", "/dev/shm"]).output();
    let free = free.map_or(String::new(), |free| String::from_utf8_lossy(&free.stdout).into_owned());
    let kilobytes: u64 = free.lines().nth(1).and_then(|free| free.trim().parse().ok()).unwrap_or(0);
    if kilobytes > ROOM_KILOBYTES { tempfile::tempdir_in("/dev/shm").unwrap() } else { tempfile::tempdir().unwrap() }
}

/// The memory of this process that is in use.
fn kilobytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn milliseconds(since: jiff::Timestamp) -> i64 {
    jiff::Timestamp::now().as_millisecond() - since.as_millisecond()
}

/// All letters through a service; returns how often each answer was sent.
fn serve(root: &Path, letters: &[String]) -> BTreeMap<String, u32> {
    let office = office(root);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (events, incoming) = mpsc::channel();
    let (jobs, waiting) = mpsc::channel();
    let sent = Arc::new(Mutex::new(BTreeMap::new()));
    sources::way_out(Box::new(Counting(Arc::clone(&sent))), waiting, events.clone());
    let place = format!("127.0.0.1:{port}");
    sources::lmtp(&place, &office, events.clone()).unwrap();
    let began = jiff::Timestamp::now();
    let (mut received, mut early, mut late) = (0, None, None);
    let mut tell = |happening: &Bulletin<'_>| match happening {
        Bulletin::Ready { games } => println!("{games} games ready after {} ms", milliseconds(began)),
        Bulletin::Received { .. } => {
            received += 1;
            if received == LETTERS_UNTIL_FULL {
                early = kilobytes();
            }
            late = kilobytes();
        }
        _ => {}
    };
    let host = None;
    let outside = Outside {
        events: incoming,
        jobs: Some(jobs),
        now: &|| at(30),
        tell: &mut tell,
        sources: [].into(),
        host,
        part: Part::WHOLE,
    };
    let mut service = Service::new(&office, outside);
    thread::scope(|scope| {
        scope.spawn(|| {
            let parts = letters.chunks(letters.len().div_ceil(CONNECTIONS));
            let clients: Vec<_> = parts.map(|part| scope.spawn(move || deliver(port, part))).collect();
            let taken: usize = clients.into_iter().map(|client| client.join().unwrap()).sum();
            println!("{taken} letters played after {} ms", milliseconds(began));
            assert_eq!(taken, letters.len());
            // Everything is sent before the service stops.
            events.send(Event::Tick).unwrap();
            let games = office.games().unwrap();
            let waits = |game: &String| !office.waiting(Some(game)).unwrap().is_empty();
            while games.iter().any(waits) && milliseconds(began) < 200_000 {
                thread::sleep(Duration::from_millis(10));
            }
            println!("{} answers sent after {} ms", sent.lock().unwrap().len(), milliseconds(began));
            events.send(Event::Stop).unwrap();
        });
        service.run().unwrap();
    });
    drop(service);
    if let (Some(early), Some(late)) = (early, late) {
        println!("{early} kB of memory after {LETTERS_UNTIL_FULL} letters, {late} kB after all");
        let growth = (letters.len() - LETTERS_UNTIL_FULL) * GROWTH_KILOBYTES_A_LETTER;
        assert!(late < early + u64::try_from(growth).unwrap(), "{early} kB, then {late} kB");
    }
    Arc::try_unwrap(sent).map_or_else(|sent| sent.lock().unwrap().clone(), |sent| sent.into_inner().unwrap())
}

#[test]
fn many_campaigns_lose_and_double_nothing() {
    let (root, games) = (in_memory(), number_of_games());
    let began = jiff::Timestamp::now();
    let numbers: Vec<usize> = (0..games).collect();
    let letters: Vec<String> = thread::scope(|scope| {
        let parts = numbers.chunks(games.div_ceil(8));
        let made: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().map(|number| game(root.path(), *number)).collect::<Vec<_>>()))
            .collect();
        made.into_iter().flat_map(|made| made.join().unwrap()).collect()
    });
    println!("{games} games made after {} ms", milliseconds(began));
    let sent = serve(root.path(), &letters);
    assert!(sent.values().all(|times| *times == 1), "{sent:?}");
    assert!(sent.len() >= 2 * games, "an answer and a report each: {}", sent.len());
    let mut filed = 0;
    for number in 0..games {
        let folder = root.path().join(format!("g{number}"));
        let log = fs::read_to_string(folder.join("log.yaml")).unwrap();
        assert_eq!(log.matches("\nsaid: \"roll 2\"\n").count(), 1, "g{number}");
        assert_eq!(fs::read_dir(folder.join("outbox")).unwrap().count(), 0, "g{number}");
        filed += fs::read_dir(folder.join("sent")).unwrap().count();
    }
    assert_eq!(filed, sent.len());
}

/// Letters a minute that players write in a long run.
const LETTERS_A_MINUTE: usize = 100;

#[test]
fn campaigns_of_both_titles_are_served_as_fast_as_players_write() {
    let asked = std::env::var("RINGMAIL_MANY").ok();
    let asked = asked.as_deref().and_then(|asked| asked.split_once('x'));
    let (games, minutes) = asked.map_or((4, 0), |(games, minutes)| (games.parse().unwrap(), minutes.parse().unwrap()));
    let Some(mut run) = long_run::LongRun::prepare(games) else { return };
    let (letters, pace) = match minutes {
        0 => (8, 0),
        minutes => (minutes * LETTERS_A_MINUTE, 60_000 / LETTERS_A_MINUTE),
    };
    let measured = run.run(games, letters, Duration::from_millis(u64::try_from(pace).unwrap()));
    println!("{measured:?}");
    let least = measured.kilobytes.iter().min().unwrap();
    assert!(measured.kilobytes.iter().all(|kilobytes| *kilobytes < least + GROWTH_KILOBYTES_MAX), "{measured:?}");
}
