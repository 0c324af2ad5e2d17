/*! Servers that send a byte now and then, and never finish: no single wait is long, but without a limit on the whole
dialogue it would never end. And servers that fall silent during one letter.
*/

use crate::house::{House, at};
use ground::secret::Source;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use mail::wire::imap::{Imap, ImapError};
use mail::wire::server::{Account, Address, Login, Protection, Way};
use mail::wire::smtp::Smtp;
use net::time_limit::{Patience, Socket, TimeLimit};
use post::book::State;
use post::office::sending::Sender;
use post::office::service::{Bulletin, Event, Job, Outside, Part, Service};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A byte comes every hundredth of a second. If the client still waits after `DRIPS_MAX` bytes, there is no limit.
const DRIP: Duration = Duration::from_millis(10);
const DRIPS_MAX: usize = 3_000;
/// A single wait may last a minute; the whole dialogue half a second.
const PATIENCE: Patience = Patience { silence: Duration::from_secs(60), whole: Duration::from_millis(500) };

/// Drips until the client has gone, and reports how often.
fn drips(stream: &mut TcpStream, start: &[u8], told: &mpsc::Sender<usize>) {
    let mut dripped = 0;
    for byte in start.iter().chain([b'x'].iter().cycle()).take(DRIPS_MAX) {
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        dripped += 1;
        thread::sleep(DRIP);
    }
    let _ = told.send(dripped);
}

/// A server that answers properly until a client says `drips_at`, and then drips. With `greeting` it drips at once;
/// with `TLS` it drips where the client expects a handshake.
fn server(drips_at: &'static str) -> (u16, Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (told, dripped) = mpsc::channel();
    thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        match drips_at {
            "greeting" => return drips(&mut stream, b"220-", &told),
            "TLS" => return drips(&mut stream, b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc", &told),
            _ => stream.write_all(b"220 localhost\r\n").unwrap(),
        }
        for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_owned();
            if verb == drips_at {
                return drips(&mut stream, b"250-", &told);
            }
            let reply = match verb.as_str() {
                "EHLO" => "250-localhost\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n",
                "STARTTLS" => "220 go ahead\r\n",
                "AUTH" => "235 welcome\r\n",
                "DATA" => "354 go on\r\n",
                "MAIL" | "RCPT" | "." => "250 ok\r\n",
                _ => continue,
            };
            stream.write_all(reply.as_bytes()).unwrap();
            if verb == "STARTTLS" {
                return drips(&mut stream, b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc", &told);
            }
        }
    });
    (port, dripped)
}

fn account(port: u16, protection: Protection) -> Account {
    let server = Address { user: Some("box".to_owned()), host: "localhost".to_owned(), port, protection };
    let secret = Source::Command("echo mellon".to_owned());
    Account { server, login: Some(Login { user: "box".to_owned(), way: Way::Password, secret }), trusted: None }
}

fn carry(port: u16, protection: Protection) -> Result<String, NotCarried> {
    let cover = Cover { from: None, to: Mailbox::read("frodo@shire.example").unwrap() };
    let mut smtp = Smtp::new(account(port, protection), "play.example").with_patience(PATIENCE);
    smtp.carry("letter", &cover, b"To: frodo@shire.example\r\n\r\nThe road goes ever on.\r\n")
}

#[test]
fn s6_a_server_that_gives_a_byte_now_and_then_ends_no_later() {
    use Protection::{Implicit, None as InClear, StartTls};
    let steps =
        [("greeting", InClear), ("EHLO", InClear), ("AUTH", InClear), ("TLS", Implicit), ("STARTTLS", StartTls)];
    for (step, protection) in steps {
        let (port, dripped) = server(step);
        let Err(NotCarried::NoService { reason }) = carry(port, protection) else { panic!("{step}") };
        assert!(reason.contains("does not answer"), "{step}: {reason}");
        let dripped = dripped.recv().unwrap();
        assert!((1..DRIPS_MAX).contains(&dripped), "{step}: {dripped}");
    }
    for step in ["MAIL", "RCPT", "DATA", "."] {
        let (port, dripped) = server(step);
        let carried = carry(port, InClear);
        assert!(matches!(carried, Err(NotCarried::Silent { .. })), "{step}: {carried:?}");
        let dripped = dripped.recv().unwrap();
        assert!((1..DRIPS_MAX).contains(&dripped), "{step}: {dripped}");
    }
}

#[test]
fn a_mailbox_that_gives_a_byte_now_and_then_ends_no_later() {
    let (port, dripped) = server("greeting");
    let connected = Imap::connect_within(&account(port, Protection::None), 1_000, PATIENCE);
    assert!(matches!(connected, Err(ImapError::Wire(_))));
    assert!(dripped.recv().unwrap() < DRIPS_MAX);
}

/// Like an MTA that hands letters over by LMTP, or a name server by TCP.
#[test]
fn whoever_gives_a_byte_now_and_then_is_heard_until_the_deadline() {
    let (port, dripped) = server("greeting");
    let mut socket = Socket::new(TcpStream::connect(("127.0.0.1", port)).unwrap(), TimeLimit::within(PATIENCE.whole));
    let mut said = Vec::new();
    assert!(socket.read_to_end(&mut said).is_err());
    drop(socket);
    assert!(!said.is_empty() && dripped.recv().unwrap() < DRIPS_MAX);
}

/// A game whose first letters wait.
pub fn waiting() -> House {
    let house = House::new();
    house.office.desk("g7").unwrap().report(at(1)).unwrap();
    house
}

/// A server that falls silent during the first letter, and takes all others.
struct Tarpit {
    silent_over: String,
    carried: Vec<String>,
}

impl Carrier for Tarpit {
    fn carry(&mut self, name: &str, cover: &Cover, _letter: &[u8]) -> Result<String, NotCarried> {
        if cover.to.to_string() == self.silent_over {
            Err(NotCarried::Silent { reply: "the server does not answer in time".to_owned() })
        } else {
            self.carried.push(name.to_owned());
            Ok("250 taken".to_owned())
        }
    }
}

#[test]
fn s6_a_letter_over_which_a_server_falls_silent_holds_up_no_other() {
    let house = waiting();
    let waiting = house.office.waiting(Some("g7")).unwrap();
    assert!(waiting.len() > 1, "{waiting:?}");
    let book = house.office.desk("g7").unwrap().book;
    let first = book.letter_out(&waiting[0]).unwrap().to.clone();
    let others = waiting.iter().filter(|name| book.letter_out(name).unwrap().to != first).count();
    drop(book);
    let mut tarpit = Tarpit { silent_over: first, carried: Vec::new() };
    let mut send = |minutes: u32| {
        let round = house.office.sender(Some("g7")).unwrap().send(&mut tarpit, &|| at(minutes)).unwrap();
        (round.later.len(), round.no_service.is_some())
    };
    assert_eq!(send(20), (1, true), "nothing more is sent for now");
    assert_eq!(send(20), (0, false));
    assert_eq!(tarpit.carried.len(), others);
    // However long that lasts, the letter is not given up.
    let late = Stamp::parse("2027-01-01T00:00:00Z").unwrap();
    house.office.sender(Some("g7")).unwrap().send(&mut tarpit, &|| late).unwrap();
    let book = house.office.desk("g7").unwrap().book;
    assert!(matches!(book.letter_out(&waiting[0]).unwrap().state, State::Tried { times: 2, .. }));
}

/// While a letter is being sent, a letter of a player is played.
#[test]
fn s6_a_game_is_free_while_its_letter_is_on_its_way() {
    struct Slow<'a>(&'a mut House, Vec<u8>);
    impl Carrier for Slow<'_> {
        fn carry(&mut self, _name: &str, _cover: &Cover, _letter: &[u8]) -> Result<String, NotCarried> {
            let Slow(house, letter) = self;
            house.receive(letter);
            assert!(house.office.sender(Some("g7")).is_err(), "nobody else sends it");
            Ok("250 taken".to_owned())
        }
    }
    let mut house = waiting();
    let (asked, _) = house.asked();
    let letter = house.answer_to(&house.newest(asked), asked, "pass\r\n");
    let (office, waiting) = (house.office.clone(), house.office.waiting(Some("g7")).unwrap());
    let round = office.sender(Some("g7")).unwrap().send(&mut Slow(&mut house, letter), &|| at(30)).unwrap();
    assert_eq!((&round.sent, house.said()), (&waiting, vec!["pass".to_owned()]));
    // The answers to that letter are sent next, and nothing twice.
    let mut next = Tarpit { silent_over: String::new(), carried: Vec::new() };
    office.sender(Some("g7")).unwrap().send(&mut next, &|| at(31)).unwrap();
    assert!(!next.carried.is_empty() && next.carried.iter().all(|name| !waiting.contains(name)));
}

/// Another process reads the same outbox, or works on its game: when it is done, the remaining letters are sent at
/// once, not at the next tick.
#[test]
fn letters_at_which_another_process_was_are_sent_when_it_is_done() {
    let house = waiting();
    let waiting = house.office.waiting(Some("g7")).unwrap();
    let (events, incoming) = mpsc::channel();
    let (jobs, carried) = mpsc::channel::<Job>();
    let (told, ready) = mpsc::channel();
    let other = Sender::open(house.path().as_path(), Duration::ZERO).unwrap();
    let names = waiting.clone();
    let world = thread::spawn(move || {
        ready.recv().unwrap();
        assert!(carried.try_recv().is_err(), "another process sends");
        drop(other);
        for name in &names {
            assert_eq!(&carried.recv_timeout(Duration::from_secs(60)).unwrap().name, name);
            events.send(Event::Carried(Ok("250 taken".to_owned()))).unwrap();
        }
        events.send(Event::Stop).unwrap();
    });
    let mut tell = |bulletin: &Bulletin<'_>| {
        if matches!(bulletin, Bulletin::Ready { .. }) {
            told.send(()).unwrap();
        }
    };
    let (host, jobs, part) = (None, Some(jobs), Part::WHOLE);
    let outside = Outside { events: incoming, jobs, now: &|| at(20), tell: &mut tell, sources: [].into(), host, part };
    Service::new(&house.office, outside).run().unwrap();
    world.join().unwrap();
    assert!(!waiting.is_empty());
    assert_eq!(house.office.waiting(Some("g7")).unwrap(), Vec::<String>::new());
}
