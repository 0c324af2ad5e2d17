//! What a host sees of the dialogues with mail servers if he asks for it: the lines, without secrets, tokens and
//! letters.

use crate::relay::{Beacon, Manner, stopped_at};
use data_encoding::BASE64;
use ground::secret::Source;
use ground::stamp::Stamp;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::{Carrier, Cover};
use mail::wire::imap::Imap;
use mail::wire::intake::{Filed, Parcel, Taken};
use mail::wire::lmtp::Lmtp;
use mail::wire::server::{Account, Address, Login, Protection, Way};
use mail::wire::smtp::Smtp;
use net::beacon::{self, Patience};
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use tracing::Level;

const SECRET: &str = "speak \"friend\" and enter";
const LETTER: &str = "From: frodo@shire.example\r\nTo: box@play.example\r\n\r\nmellon moria\r\n";
const SEAT: &str = "box+g7.green.tukkntabmk@play.example";

/// A listener for the whole process, which ignores everything. Without it, `tracing` would disable a line that
/// another thread reaches first while nobody listens, and the line would be missing from the transcript.
static SOMEBODY_LISTENS: LazyLock<()> = LazyLock::new(|| {
    let listener = tracing_subscriber::fmt().with_max_level(Level::TRACE).with_writer(io::sink).finish();
    tracing::subscriber::set_global_default(listener).unwrap();
});

/// Everything that is traced during a dialogue.
fn transcript(dialogue: impl FnOnce()) -> String {
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);
    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    LazyLock::force(&SOMEBODY_LISTENS);
    let paper = Paper::default();
    let writer = paper.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(Level::TRACE).with_ansi(false);
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, dialogue);
    let told = paper.0.lock().unwrap().clone();
    String::from_utf8(told).unwrap()
}

/// A server that greets, and answers each line with `answer`; it says nothing to the lines of a letter.
fn server(greeting: &'static str, answer: fn(&str) -> Option<String>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(greeting.as_bytes()).unwrap();
        for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
            if answer(&line).is_some_and(|answer| stream.write_all(answer.as_bytes()).is_err()) {
                return;
            }
        }
    });
    port
}

fn account(port: u16, way: Way) -> Account {
    let server =
        Address { user: Some("box".to_owned()), host: "localhost".to_owned(), port, protection: Protection::None };
    let secret = Source::Command(format!("echo '{SECRET}'"));
    Account { server, login: Some(Login { user: "box".to_owned(), way, secret }), trusted: None }
}

/// Checks for all parts of a login, in plain text and encoded; the token of a seat; the words of a letter.
#[track_caller]
fn has_no_secret(told: &str) {
    let plain = format!("\0box\0{SECRET}");
    let xoauth2 = format!("user=box\x01auth=Bearer {SECRET}\x01\x01");
    let encoded = [SECRET, &plain, &xoauth2].map(|words| BASE64.encode(words.as_bytes()));
    for secret in [SECRET, &SECRET.replace('"', "\\\""), "friend", "tukkntabmk", "moria"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    for secret in encoded {
        assert!(!told.contains(&secret), "{secret}: {told}");
    }
}

#[track_caller]
fn shows(told: &str, lines: &[&str]) {
    for line in lines {
        assert!(told.contains(line), "{line}: {told}");
    }
}

/// An IMAP server that repeats the password, and puts one letter into the line itself and another behind it.
fn imap_answer(line: &str) -> Option<String> {
    let (tag, command) = line.split_once(' ').unwrap_or((line, ""));
    let ok = format!("{tag} OK done\r\n");
    Some(match command.split(' ').next()? {
        "CAPABILITY" => format!("* CAPABILITY IMAP4rev1\r\n{ok}"),
        "LOGIN" => format!("* NO [ALERT] {SECRET} is an old password\r\n{ok}"),
        "SELECT" => format!("* 2 EXISTS\r\n* OK [UIDVALIDITY 7] here\r\n{ok}"),
        "UID" if command.contains("FETCH 1 ") => {
            format!("* 1 FETCH (UID 1 BODY[] {{{}}}\r\n{LETTER})\r\n{ok}", LETTER.len())
        }
        "UID" if command.contains("FETCH 2 ") => format!("* 2 FETCH (UID 2 BODY[] \"mellon moria\")\r\n{ok}"),
        _ => ok,
    })
}

#[test]
fn x3_an_imap_dialogue_is_shown_without_what_is_secret() {
    let told = transcript(|| {
        let port = server("* OK welcome\r\n", imap_answer);
        let mut imap = Imap::connect(&account(port, Way::Password), 10_000).unwrap();
        imap.select("INBOX").unwrap();
        assert_eq!(imap.fetch(1).unwrap().unwrap().0, LETTER.as_bytes());
        assert!(imap.fetch(2).unwrap().is_some());
        imap.log_out();
    });
    has_no_secret(&told);
    shows(
        &told,
        &["connected", "< * OK welcome", "> r2 LOGIN ***", "*** is an old password", "SELECT \"INBOX\"", "2 EXISTS"],
    );
    shows(&told, &[&format!("BODY[…] {{{}}}", LETTER.len()), "LOGOUT"]);
}

#[test]
fn x3_a_token_that_is_refused_is_not_shown() {
    for (way, offers) in [(Way::Xoauth2, "AUTH=XOAUTH2"), (Way::Password, "AUTH=PLAIN")] {
        let answer: fn(&str) -> Option<String> = match way {
            Way::Xoauth2 => |line| authenticated(line, "AUTH=XOAUTH2"),
            Way::Password => |line| authenticated(line, "AUTH=PLAIN"),
        };
        let told = transcript(|| {
            let port = server("* OK welcome\r\n", answer);
            assert!(Imap::connect(&account(port, way), 10_000).is_err());
        });
        has_no_secret(&told);
        shows(&told, &[offers, "AUTHENTICATE", "> ***", "< r2 NO *** was refused"]);
    }
}

/// A server that asks for the password, and refuses it with the same words.
fn authenticated(line: &str, offers: &str) -> Option<String> {
    Some(match line.split(' ').collect::<Vec<&str>>().as_slice() {
        [tag, "CAPABILITY"] => format!("* CAPABILITY IMAP4rev1 {offers}\r\n{tag} OK done\r\n"),
        [_, "AUTHENTICATE", _] => "+ \r\n".to_owned(),
        [encoded] => format!("r2 NO {encoded} was refused\r\n"),
        _ => return None,
    })
}

fn smtp_answer(line: &str) -> Option<String> {
    Some(match line.split([' ', ':']).next()? {
        "EHLO" => "250-mx.play.example\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n".to_owned(),
        "AUTH" => format!("235 {line} is welcome\r\n"),
        "MAIL" | "RCPT" => format!("250 {line} is fine\r\n"),
        "DATA" => "354 go on\r\n".to_owned(),
        "." => "250 taken\r\n".to_owned(),
        "QUIT" => "221 farewell\r\n".to_owned(),
        _ => return None,
    })
}

#[test]
fn x3_an_smtp_dialogue_is_shown_without_what_is_secret() {
    let told = transcript(|| {
        let port = server("220 mx.play.example\r\n", smtp_answer);
        let mut smtp = Smtp::new(account(port, Way::Password), "play.example");
        let cover = Cover { from: Mailbox::read(SEAT), to: Mailbox::read("frodo@shire.example").unwrap() };
        assert_eq!(smtp.carry("letter", &cover, LETTER.as_bytes()).unwrap(), "250 taken");
        smtp.rest();
    });
    has_no_secret(&told);
    shows(
        &told,
        &[
            "connected, in clear",
            "login: 235 AUTH PLAIN *** is welcome",
            "> MAIL FROM:<box+***@play.example>",
            "< 354 go on",
        ],
    );
    shows(&told, &[&format!("a letter: {} bytes", LETTER.len()), "< 250 taken", "> QUIT"]);
}

#[test]
fn x3_an_lmtp_dialogue_is_shown_without_what_is_secret() {
    let told = transcript(|| {
        let (ours, limits) = (Mailbox::read("box@play.example").unwrap(), Limits::ORDINARY);
        let said =
            format!("LHLO mta\r\nMAIL FROM:<frodo@shire.example>\r\nRCPT TO:<{SEAT}>\r\nDATA\r\n{LETTER}.\r\nQUIT\r\n");
        let mut take = |_: &Parcel<'_>| Taken::Filed(Filed::Answered);
        Lmtp::new(&ours, &limits).talk(&mut said.as_bytes(), &mut Vec::new(), &mut take).unwrap();
    });
    has_no_secret(&told);
    shows(&told, &["< LHLO mta", "< RCPT TO:<box+***@play.example>", "> 354", "> 250 2.1.5 taken", "> 221"]);
    shows(&told, &[&format!("a letter: {} bytes", LETTER.len())]);
}

#[test]
fn nothing_is_shown_where_nobody_asks() {
    let told = {
        let port = server("* OK welcome\r\n", imap_answer);
        let silent = tracing_subscriber::fmt().with_max_level(Level::INFO).finish();
        tracing::subscriber::with_default(silent, || Imap::connect(&account(port, Way::Password), 10_000).map(drop))
    };
    assert!(told.is_ok());
}

#[test]
fn what_is_asked_of_a_beacon_is_shown_and_what_was_wrong_with_it() {
    let beacon = Beacon::new(1, Stamp::parse("2026-11-20T09:00:00Z").unwrap(), 3);
    let servers =
        [Manner::Garbage, Manner::Honest].map(|manner| beacon.relay(manner, stopped_at("2026-11-21T09:00:00Z")));
    let relays = servers.each_ref().map(|server| beacon::Relay::read(&server.url()).unwrap());
    let hash = beacon.chain.hash();
    let ask = |relay: usize| beacon::fetch(&relays[relay..=relay], &hash, 7, Patience::default(), |_| Ok(()));
    let shown = transcript(|| assert!(ask(0).is_err() && ask(1).is_ok()));
    let peers = servers.each_ref().map(|server| server.url().replace("http://", ""));
    for line in [
        format!("{} > GET /{hash}/public/7\n", peers[0]),
        format!("{} < <html>Welcome to the Prancing Pony</html>\n", peers[0]),
        format!("{} round 7: its answer is no round\n", peers[0]),
        format!("{} > GET /{hash}/public/7\n", peers[1]),
        format!("{} < {{\"round\":7,\"randomness\":", peers[1]),
    ] {
        assert!(shown.contains(&line), "{line}\n{shown}");
    }
}
