/*! Letters over SMTP to a real server on the loopback address, started by the test: unencrypted, with STARTTLS, with
TLS from the first byte, with a login; and a server that fails on purpose, letter by letter (S6).
*/

use data_encoding::BASE64;
use ground::secret::Source;
use ground::stamp::Stamp;
use mail::draft::{Draft, Purpose};
use mail::letter::mailbox::Mailbox;
use mail::wire::server::{Account, Address, Login, Protection, Way};
use mail::wire::smtp::Smtp;
use post::book::outbox::{Outbox, Shelf};
use post::book::{Book, State};
use post::office::sending::{Round, Sender};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A letter as the server got it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Got {
    from: String,
    to: String,
    letter: String,
    encrypted: bool,
    user: Option<String>,
}

/// How the server behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    StartTls,
    Implicit,
    /// It takes letters only after a login.
    Members,
    /// It answers everybody with 421 and hangs up.
    Closed,
}

struct PostOffice {
    port: u16,
    got: Arc<Mutex<Vec<Got>>>,
    connections: Arc<AtomicUsize>,
}

impl PostOffice {
    fn open(kind: Kind) -> PostOffice {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let got = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(AtomicUsize::new(0));
        let (shared, counted, tls) = (Arc::clone(&got), Arc::clone(&connections), tls());
        thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (stream, shared, tls) = (stream.unwrap(), Arc::clone(&shared), Arc::clone(&tls));
                thread::spawn(move || serve(stream, kind, &tls, &shared));
            }
        });
        PostOffice { port, got, connections }
    }

    fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    fn server(&self, protection: Protection) -> Account {
        let server = Address { user: None, host: "localhost".to_owned(), port: self.port, protection };
        let trusted = Some(std::fs::read_to_string(fixtures().join("ca.pem")).unwrap());
        Account { server, login: None, trusted }
    }
}

/// A login with a password that a command prints.
fn login(password: &str, way: Way) -> Option<Login> {
    let secret = Source::Command(format!("echo {password}"));
    Some(Login { user: "box".to_owned(), way, secret })
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtp")
}

fn tls() -> Arc<rustls::ServerConfig> {
    let certificate = CertificateDer::from_pem_file(fixtures().join("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(fixtures().join("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap())
}

trait Line: Read + Write + Send {}
impl<T: Read + Write + Send> Line for T {}

fn encrypt(stream: TcpStream, tls: &Arc<rustls::ServerConfig>) -> Box<dyn Line> {
    let connection = rustls::ServerConnection::new(Arc::clone(tls)).unwrap();
    Box::new(rustls::StreamOwned::new(connection, stream))
}

/// The dialogue of one client with the server so far.
#[derive(Default)]
struct Session {
    from: String,
    to: String,
    encrypted: bool,
    user: Option<String>,
}

fn serve(stream: TcpStream, kind: Kind, tls: &Arc<rustls::ServerConfig>, got: &Mutex<Vec<Got>>) {
    let raw = stream.try_clone().unwrap();
    let mut session = Session { encrypted: kind == Kind::Implicit, ..Session::default() };
    let line: Box<dyn Line> = if kind == Kind::Implicit { encrypt(stream, tls) } else { Box::new(stream) };
    let mut line = BufReader::new(line);
    let greeting = if kind == Kind::Closed { "421 come back tomorrow\r\n" } else { "220 localhost ESMTP\r\n" };
    if line.get_mut().write_all(greeting.as_bytes()).is_err() || kind == Kind::Closed {
        return;
    }
    let mut command = String::new();
    while line.read_line(&mut command).is_ok_and(|read| read > 0) {
        let reply = answer(command.trim_end(), kind, &mut session, &mut line, got);
        let Some(reply) = reply else { return };
        if line.get_mut().write_all(reply.as_bytes()).and_then(|()| line.get_mut().flush()).is_err() {
            return;
        }
        if command.trim_end() == "STARTTLS" {
            session.encrypted = true;
            line = BufReader::new(encrypt(raw.try_clone().unwrap(), tls));
        }
        command.clear();
    }
}

fn answer(
    command: &str,
    kind: Kind,
    session: &mut Session,
    line: &mut BufReader<Box<dyn Line>>,
    got: &Mutex<Vec<Got>>,
) -> Option<String> {
    let verb = command.split([' ', ':']).next().unwrap_or("").to_uppercase();
    let reply = match verb.as_str() {
        "EHLO" if kind == Kind::StartTls && !session.encrypted => "250-localhost\r\n250 STARTTLS".to_owned(),
        "EHLO" => "250-localhost\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN".to_owned(),
        "STARTTLS" => "220 go ahead".to_owned(),
        "AUTH" => {
            let plain = command.split(' ').nth(2).and_then(|word| BASE64.decode(word.as_bytes()).ok())?;
            let words: Vec<String> =
                plain.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
            match words.get(2).map(String::as_str) {
                Some("mellon") => {
                    session.user = words.get(1).cloned();
                    "235 welcome".to_owned()
                }
                _ => "535 5.7.8 Username and Password not accepted".to_owned(),
            }
        }
        "MAIL" if kind == Kind::Members && session.user.is_none() => "530 5.7.0 Authentication required".to_owned(),
        "MAIL" => {
            session.from = command.split_once(':')?.1.trim().to_owned();
            "250 ok".to_owned()
        }
        "RCPT" => {
            session.to = command.split_once(':')?.1.trim().to_owned();
            match session.to.as_str() {
                "<later@shire.example>" => "451 4.7.1 greylisted, come back in a minute".to_owned(),
                "<never@shire.example>" => "550 5.1.1 no such hobbit".to_owned(),
                _ => "250 ok".to_owned(),
            }
        }
        "DATA" if session.to == "<hangup@shire.example>" => return None,
        "DATA" => {
            line.get_mut().write_all(b"354 go on\r\n").ok()?;
            line.get_mut().flush().ok()?;
            let letter = letter(line)?;
            let (from, to) = (session.from.clone(), session.to.clone());
            let (encrypted, user) = (session.encrypted, session.user.clone());
            let mut got = got.lock().unwrap();
            got.push(Got { from, to, letter, encrypted, user });
            format!("250 2.0.0 queued as {}", got.len())
        }
        "RSET" => "250 ok".to_owned(),
        "QUIT" => "221 farewell".to_owned(),
        _ => "500 what?".to_owned(),
    };
    Some(format!("{reply}\r\n"))
}

/// The text between DATA and the final full stop, with doubled dots undone.
fn letter(line: &mut BufReader<Box<dyn Line>>) -> Option<String> {
    let mut letter = String::new();
    loop {
        let mut next = String::new();
        if line.read_line(&mut next).ok()? == 0 {
            return None;
        }
        match next.as_str() {
            ".\r\n" => return Some(letter),
            dotted if dotted.starts_with('.') => letter.push_str(&dotted[1..]),
            plain => letter.push_str(plain),
        }
    }
}

/// A desk with letters to these players, named by number.
struct Desk {
    folder: TempDir,
    outbox: Outbox,
    book: Book,
}

impl Desk {
    fn with(players: &[&str], purpose: Purpose) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(folder.path()).unwrap();
        let book = Book::open(folder.path()).unwrap();
        for (index, player) in players.iter().enumerate() {
            outbox.put_all([(format!("{index:04}@play.example.eml"), bytes(player, index, purpose))]).unwrap();
        }
        let mut desk = Desk { folder, outbox, book };
        for (index, player) in players.iter().enumerate() {
            let queued = post::book::Event::Queued {
                at: "2026-11-20T07:12:09Z".to_owned(),
                letter: format!("{index:04}@play.example.eml"),
                to: (*player).to_owned(),
                told: None,
                invitation: None,
            };
            desk.book.append(queued).unwrap();
        }
        desk
    }

    fn send(&mut self, account: Account, at: &str) -> Round {
        let mut smtp = Smtp::new(account, "play.example");
        let round = Sender::open(self.folder.path(), Duration::ZERO).unwrap().send(&mut smtp, &|| stamp(at)).unwrap();
        self.book = Book::open(self.folder.path()).unwrap();
        round
    }
}

fn bytes(player: &str, index: usize, purpose: Purpose) -> Vec<u8> {
    let draft = Draft {
        purpose,
        message_id: format!("<{index:04}@play.example>"),
        date: Stamp::parse("2026-11-20T07:12:09Z").unwrap(),
        ours: Mailbox::read("box@play.example").unwrap(),
        to: Mailbox::read(player).unwrap(),
        subject: "Your move".to_owned(),
        in_reply_to: None,
        references: Vec::new(),
        heading: None,
        text: ".\n..\nThe Dark Lord waits at Barad-dûr.\n".repeat(40),
        page: None,
        images: Vec::new(),
        files: Vec::new(),
    };
    draft.to_bytes()
}

fn stamp(at: &str) -> Stamp {
    Stamp::parse(at).unwrap()
}

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn s6_letters_arrive_as_they_were_written() {
    let office = PostOffice::open(Kind::Plain);
    let mut desk = Desk::with(&["frodo@shire.example", "sam@shire.example"], Purpose::Report);
    let round = desk.send(office.server(Protection::None), NOON);
    assert_eq!(round.sent.len(), 2, "{round:?}");
    let got = office.got();
    assert_eq!(got[0].letter.as_bytes(), bytes("frodo@shire.example", 0, Purpose::Report));
    assert_eq!((got[0].from.as_str(), got[0].to.as_str()), ("<box@play.example>", "<frodo@shire.example>"));
    assert_eq!(got[1].to, "<sam@shire.example>");
    assert_eq!(desk.outbox.shelf("0000@play.example.eml").unwrap(), Some(Shelf::Sent));
    assert_eq!(desk.send(office.server(Protection::None), NOON), Round::default());
}

#[test]
fn s2_an_answer_has_an_empty_return_path() {
    let office = PostOffice::open(Kind::Plain);
    let mut desk = Desk::with(&["frodo@shire.example"], Purpose::Answer);
    desk.send(office.server(Protection::None), NOON);
    assert_eq!(office.got()[0].from, "<>");
}

#[test]
fn s6_starttls_and_tls_are_encrypted_and_the_login_is_given() {
    for (kind, protection) in [(Kind::StartTls, Protection::StartTls), (Kind::Implicit, Protection::Implicit)] {
        let office = PostOffice::open(kind);
        let mut desk = Desk::with(&["frodo@shire.example"], Purpose::Report);
        let server = Account { login: login("mellon", Way::Password), ..office.server(protection) };
        let round = desk.send(server, NOON);
        assert_eq!(round.sent.len(), 1, "{round:?}");
        let got = office.got();
        assert!(got[0].encrypted);
        assert_eq!(got[0].user.as_deref(), Some("box"));
    }
}

#[test]
fn s6_nothing_is_sent_in_clear_where_tls_is_asked_for() {
    let office = PostOffice::open(Kind::Plain);
    let mut desk = Desk::with(&["frodo@shire.example"], Purpose::Report);
    let round = desk.send(office.server(Protection::StartTls), NOON);
    assert!(round.no_service.unwrap().contains("STARTTLS is not supported"));
    assert_eq!(office.got(), []);
    assert_eq!(desk.outbox.waiting().unwrap().len(), 1);
}

#[test]
fn s6_a_certificate_that_nobody_vouches_for_is_refused() {
    let office = PostOffice::open(Kind::Implicit);
    let mut desk = Desk::with(&["frodo@shire.example"], Purpose::Report);
    let server = Account { trusted: None, ..office.server(Protection::Implicit) };
    let reason = desk.send(server, NOON).no_service.unwrap();
    assert!(reason.contains("certificate"), "{reason}");
    assert_eq!(office.got(), []);
}

#[test]
fn s6_a_wrong_password_is_no_fault_of_the_letter() {
    let office = PostOffice::open(Kind::Plain);
    let mut desk = Desk::with(&["frodo@shire.example"], Purpose::Report);
    let server = Account { login: login("friend", Way::Password), ..office.server(Protection::None) };
    let reason = desk.send(server, NOON).no_service.unwrap();
    assert!(reason.contains("Username and Password not accepted"), "{reason}");
    assert_eq!(desk.book.letter_out("0000@play.example.eml").unwrap().state, State::Waiting);
}

/// Found with smtp-server of npm: a host forgot `USER@` and the secret, and lost the first letters of all games for a
/// day.
#[test]
fn s6_a_login_that_was_forgotten_is_no_fault_of_the_letter() {
    let office = PostOffice::open(Kind::Members);
    let mut desk = Desk::with(&["frodo@shire.example", "sam@shire.example"], Purpose::Report);
    let reason = desk.send(office.server(Protection::None), NOON).no_service.unwrap();
    assert!(reason.contains("Authentication required"), "{reason}");
    assert_eq!(desk.outbox.waiting().unwrap().len(), 2);
    let server = Account { login: login("mellon", Way::Password), ..office.server(Protection::None) };
    assert_eq!(desk.send(server, NOON).sent.len(), 2);
}

#[test]
fn s6_later_is_tried_again_and_never_is_not() {
    let office = PostOffice::open(Kind::Plain);
    let players = ["later@shire.example", "never@shire.example", "hangup@shire.example", "sam@shire.example"];
    let mut desk = Desk::with(&players, Purpose::Report);
    let round = desk.send(office.server(Protection::None), NOON);
    assert_eq!(round.sent, ["0003@play.example.eml"], "{round:?}");
    assert_eq!(round.dead.len(), 1);
    assert!(round.dead[0].1.contains("no such hobbit"), "{round:?}");
    let later: Vec<&str> = round.later.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(later, ["0000@play.example.eml", "0002@play.example.eml"]);
    assert_eq!(desk.outbox.shelf("0001@play.example.eml").unwrap(), Some(Shelf::Dead));
    // S6: after one minute, then five: not before.
    assert_eq!(desk.send(office.server(Protection::None), "2026-11-20T12:00:59Z").resting, 2);
    assert_eq!(desk.send(office.server(Protection::None), "2026-11-20T12:01:00Z").later.len(), 2);
    assert_eq!(desk.send(office.server(Protection::None), "2026-11-20T12:05:00Z").resting, 2);
    assert_eq!(desk.send(office.server(Protection::None), "2026-11-20T12:06:00Z").later.len(), 2);
    // After four days it is tried no more.
    let round = desk.send(office.server(Protection::None), "2026-11-24T12:00:01Z");
    assert_eq!(round.dead.len(), 2, "{round:?}");
    assert_eq!(office.got().len(), 1);
}

#[test]
fn s6_a_server_out_of_service_leaves_all_letters_waiting() {
    let office = PostOffice::open(Kind::Closed);
    let mut desk = Desk::with(&["frodo@shire.example", "sam@shire.example"], Purpose::Report);
    let round = desk.send(office.server(Protection::None), NOON);
    assert!(round.no_service.unwrap().contains("come back tomorrow"));
    assert_eq!(desk.outbox.waiting().unwrap().len(), 2);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = office.server(Protection::None);
    server.server.port = nobody;
    assert!(desk.send(server, NOON).no_service.is_some());
}

/// `benches/letters.rs` measures its speed.
#[test]
fn s6_a_round_of_letters_takes_one_connection() {
    let office = PostOffice::open(Kind::Plain);
    let players: Vec<String> = (0..50).map(|n| format!("hobbit{n}@shire.example")).collect();
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    let mut desk = Desk::with(&players, Purpose::Report);
    assert_eq!(desk.send(office.server(Protection::None), NOON).sent.len(), 50);
    assert_eq!(office.got().len(), 50);
    assert_eq!(office.connections.load(Ordering::SeqCst), 1);
}
