/*! The power fails at every write, sync and renaming, and at every word to and from an IMAP server, and the mail
server hangs up at every command: after a restart the post office has the same log and has sent the same letters.
*/

use crate::house::{House, at, files};
use crate::servers::{Dovecot, PASSWORD};
use ground::disk::mishap;
use ground::secret::Source;
use ground::stamp::Stamp;
use mail::wire::imap::Imap;
use mail::wire::imap_intake::{Filing, ImapIntake};
use mail::wire::intake::Taken;
use mail::wire::server::{Account, Address, Login, Protection, Way};
use mail::wire::smtp::Smtp;
use post::office::sending;
use post::office::service::filed;
use post::office::{COUNTER, Office};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Letters by their names.
type Got = BTreeMap<String, String>;

/// A mail server that hangs up once, at command number `hangs_up_at`.
struct Sink {
    port: u16,
    got: Arc<Mutex<Got>>,
    commands: Arc<AtomicUsize>,
    hangs_up_at: Arc<AtomicUsize>,
}

impl Sink {
    fn open() -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (got, commands) = (Arc::new(Mutex::new(Got::new())), Arc::new(AtomicUsize::new(0)));
        let hangs_up_at = Arc::new(AtomicUsize::new(usize::MAX));
        let (shared, counted, last) = (Arc::clone(&got), Arc::clone(&commands), Arc::clone(&hangs_up_at));
        thread::spawn(move || {
            for stream in listener.incoming() {
                take(stream.unwrap(), &shared, &counted, &last);
            }
        });
        Sink { port, got, commands, hangs_up_at }
    }

    /// Forgets everything; it will hang up at this command.
    fn begin(&self, hangs_up_at: usize) {
        self.got.lock().unwrap().clear();
        self.commands.store(0, Ordering::SeqCst);
        self.hangs_up_at.store(hangs_up_at, Ordering::SeqCst);
    }

    fn got(&self) -> Got {
        self.got.lock().unwrap().clone()
    }
}

fn take(stream: TcpStream, got: &Mutex<Got>, commands: &AtomicUsize, hangs_up_at: &AtomicUsize) {
    let mut out = stream.try_clone().unwrap();
    drop(out.write_all(b"220 sink\r\n"));
    let mut letter: Option<String> = None;
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if let Some(text) = &mut letter
            && line != "."
        {
            text.push_str(&format!("{line}\n"));
            continue;
        }
        let hangs_up = commands.fetch_add(1, Ordering::SeqCst) == hangs_up_at.load(Ordering::SeqCst);
        if let Some(text) = letter.take() {
            let id = text.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap().to_owned();
            let known = got.lock().unwrap().entry(id).or_insert_with(|| text.clone()).clone();
            assert_eq!(known, text, "a letter that comes twice is the same letter");
        }
        if hangs_up {
            return;
        }
        let reply = if line == "DATA" { "354 go on\r\n" } else { "250 ok\r\n" };
        letter = (line == "DATA").then(String::new);
        if out.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

/// Everything that `serve` does with the letters in the mailbox, in one thread.
fn work(office: &Office, mailbox: &Account, sink: &Account, now: Stamp) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let mut sitting = office.sit();
    let intake = ImapIntake::new(office.drawer(None), "imap://test", "INBOX", Filing::Flags);
    let mut imap = Imap::connect(mailbox, 1024 * 1024).map_err(|error| failed(&error))?;
    intake.open(&mut imap).map_err(|error| failed(&error))?;
    let brought = intake.round(&mut imap, &mut |parcel| match sitting.receive_as(parcel.raw, parcel.arrival, now) {
        Ok(fate) => Taken::Filed(filed(&fate)),
        Err(_) => Taken::Later,
    });
    let brought = brought.map_err(|error| failed(&error))?;
    imap.log_out();
    sitting.rise();
    let mut smtp = Smtp::new(sink.clone(), "play.example");
    let recovered = office.desk("g7").and_then(|mut desk| desk.recover(now));
    recovered.map_err(|error| failed(&error))?;
    let mut send = |game| office.sender(game)?.send(&mut smtp, &|| now);
    let round = send(Some("g7")).map_err(|error| failed(&error))?;
    drop(office.counter().map_err(|error| failed(&error))?);
    let other = send(None).map_err(|error| failed(&error))?;
    let waits = |round: &sending::Round| round.no_service.is_some() || !round.later.is_empty() || round.resting > 0;
    if brought.waiting > 0 || waits(&round) || waits(&other) {
        return Err(format!("something is left to be done: {brought:?} {round:?} {other:?}"));
    }
    Ok(())
}

fn account(port: u16, protection: Protection, user: Option<&str>) -> Account {
    let server = Address { user: user.map(str::to_owned), host: "127.0.0.1".to_owned(), port, protection };
    let secret = Source::Command(format!("echo {PASSWORD}"));
    let login = user.map(|user| Login { user: user.to_owned(), way: Way::Password, secret });
    Account { server, login, trusted: None }
}

/// What must be the same: the log and the letters, on any shelf; not the number of attempts.
fn state(house: &House) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = house.folder.path().to_path_buf();
    let counts = |path: &PathBuf| {
        let path = path.to_string_lossy();
        path.ends_with("log.yaml") || path.ends_with(".eml")
    };
    files(house.folder.path())
        .into_iter()
        .filter(|(path, _)| counts(path))
        .map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_path_buf(), bytes))
        .collect()
}

/// A game, and two letters in the mailbox: one that plays, and one from a stranger.
struct Scene {
    start: House,
    dovecot: Dovecot,
    sink: Sink,
    mailbox: Account,
    server: Account,
}

impl Scene {
    fn set() -> Option<Scene> {
        let dovecot = Dovecot::start(&["box"], None)?;
        let mut start = House::opened();
        let first = start.asked().0;
        let newest = start.newest(first);
        let raw = start.answer_to(&newest, first, "dare\r\nroll 1\r\n");
        dovecot.deliver("box@play.example", &String::from_utf8(raw).unwrap());
        let stranger =
            "From: stranger@far.example\nTo: box@play.example\nMessage-ID: <s@far>\nSubject: hello\n\nhello\n";
        dovecot.deliver("box@play.example", stranger);
        let sink = Sink::open();
        let (mailbox, server) =
            (account(dovecot.imap, Protection::None, Some("box")), account(sink.port, Protection::None, None));
        // The mailbox is known: the letters in it now are new.
        fs::create_dir_all(start.folder.path().join(COUNTER)).unwrap();
        let mut imap = Imap::connect(&mailbox, 1024).unwrap();
        let validity = imap.select("INBOX").unwrap().uid_validity;
        let cursor = format!("place: imap://test/INBOX\nuid_validity: {validity}\nuid: 0\nold: 0\n");
        fs::write(start.folder.path().join(COUNTER).join("imap.yaml"), cursor).unwrap();
        Some(Scene { start, dovecot, sink, mailbox, server })
    }

    fn work(&self, house: &House, minutes: u32) -> Result<(), String> {
        work(&house.office, &self.mailbox, &self.server, at(minutes))
    }
}

/// A single test: a process started by another thread would hold the locks of open games for a moment.
#[test]
fn i3_s6_whatever_fails_the_log_and_the_letters_are_the_same() {
    let Some(scene) = Scene::set() else { return };
    the_power_fails(&scene);
    the_server_hangs_up(&scene);
}

fn the_power_fails(scene: &Scene) {
    let whole = scene.start.copy();
    scene.sink.begin(usize::MAX);
    scene.work(&whole, 30).unwrap();
    let (expected, letters) = (state(&whole), scene.sink.got());
    assert_eq!(whole.said(), ["dare"]);
    assert!(letters.len() >= 3, "{:?}", letters.keys());
    let mut doings = 0;
    loop {
        let house = scene.start.copy();
        scene.sink.begin(usize::MAX);
        mishap::after(doings);
        let stopped = scene.work(&house, 30);
        if !mishap::has_struck() {
            stopped.unwrap();
            break;
        }
        // It is restarted at once; and again after a minute, for letters that were tried.
        let again = scene.work(&house, 30).or_else(|_| scene.work(&house, 32));
        again.unwrap_or_else(|error| panic!("after {doings} doings: {error}"));
        assert_eq!(state(&house).keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "after {doings}");
        assert!(state(&house) == expected, "after {doings} doings");
        assert_eq!(scene.sink.got(), letters, "after {doings} doings");
        doings += 1;
    }
    assert!(doings > 80, "{doings}");
    assert_eq!(scene.dovecot.letters("box").len(), 2);
}

fn the_server_hangs_up(scene: &Scene) {
    let whole = scene.start.copy();
    scene.sink.begin(usize::MAX);
    scene.work(&whole, 30).unwrap();
    let (expected, letters) = (state(&whole), scene.sink.got());
    let commands = scene.sink.commands.load(Ordering::SeqCst);
    for hangs_up_at in 0..commands {
        let house = scene.start.copy();
        scene.sink.begin(hangs_up_at);
        let first = scene.work(&house, 30);
        if first.is_err() {
            scene.work(&house, 32).unwrap_or_else(|error| panic!("at command {hangs_up_at}: {error}"));
        }
        assert!(state(&house) == expected, "at command {hangs_up_at}");
        assert_eq!(scene.sink.got(), letters, "at command {hangs_up_at}");
    }
    assert!(commands > 12, "{commands}");
}
