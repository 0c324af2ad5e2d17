/*! Letters over SMTP (RFC 5321, requirement S6): one connection for a round of letters, TLS with the certificate
checked, and the server decides whether trying again makes sense. Whatever a server does, one time limit holds for
connecting, logging in and handing over one letter.

It is our own code because a limit on the whole dialogue needs the socket, which libraries keep to themselves. Our
letters are 7-bit, so no extension of SMTP is needed but those that protect the connection and log in.

Each reply belongs to the command before it. What a server says beyond one reply ends the connection, so that no letter
gets the fate of another, or one that was told before the letter was sent.
*/

use super::carrier::{Carrier, Cover, NotCarried};
use super::server::{Account, Login, Protection, Way};
use super::{Wire, WireError};
use crate::letter::mailbox::Mailbox;
use data_encoding::BASE64;
use ground::disk::mishap;
use ground::secret::NoSecret;
use net::time_limit::{Patience, TimeLimit};
use net::transcript::Transcript;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// RFC 5321 §4.5.3.1.5 asks for 512 bytes in the line of a reply.
const LINE_BYTES: usize = 4096;
const LINES_MAX: usize = 200;
/// How long a farewell waits for its reply: the server has the letters in any case.
const FAREWELL: Duration = Duration::from_secs(2);

/// The return path on the envelope of a report (S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReturnPath {
    /// A return path of the seat's own, so that a returned letter says whose it was.
    #[default]
    Seat,
    /// The plain mailbox: some servers accept no other sender.
    Mailbox,
}

/// What the server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reply {
    code: u16,
    /// Its lines, without the code.
    lines: Vec<String>,
}

impl Reply {
    /// RFC 5321 §4.2.1: 2yz is done, 3yz waits for more.
    fn is_positive(&self) -> bool {
        (200..400).contains(&self.code)
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.lines.iter().flat_map(|line| line.split_whitespace());
        write!(formatter, "{}", self.code)?;
        words.into_iter().try_for_each(|word| write!(formatter, " {word}"))
    }
}

/// Why a dialogue does not go on.
#[derive(Debug)]
enum Stopped {
    Wire(WireError),
    NoSecret(NoSecret),
    /// The server says no, for now (4yz) or for good (5yz).
    Refused(Reply),
    /// What the server says is not a reply of SMTP.
    Odd {
        said: String,
    },
    /// More was said than one reply: the next one would be taken for the answer to what was never asked.
    SpokeOutOfTurn,
    /// The server does not offer what the configuration requires.
    NoStartTls,
    NoLogin,
}

impl fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The host and the port are named before this.
            Stopped::Wire(WireError::Unreachable { error, .. }) => error.fmt(formatter),
            Stopped::Wire(error) => error.fmt(formatter),
            Stopped::NoSecret(error) => error.fmt(formatter),
            Stopped::Refused(reply) => reply.fmt(formatter),
            Stopped::Odd { said } => write!(formatter, "response error: `{said}` is no reply of an SMTP server"),
            Stopped::SpokeOutOfTurn => write!(formatter, "response error: the server gave two replies to one command"),
            Stopped::NoStartTls => write!(formatter, "STARTTLS is not supported by the server"),
            Stopped::NoLogin => write!(formatter, "the server offers no compatible authentication mechanism"),
        }
    }
}

impl From<WireError> for Stopped {
    fn from(error: WireError) -> Stopped {
        Stopped::Wire(error)
    }
}

/// A connection to a server, made when the first letter goes out and kept for the rest.
pub struct Smtp {
    account: Account,
    /// Our name in EHLO: the host of our mailbox.
    hello: String,
    return_path: ReturnPath,
    patience: Patience,
    dialogue: Option<Dialogue>,
}

impl Smtp {
    pub fn new(account: Account, hello: &str) -> Smtp {
        let (hello, return_path, patience) = (hello.to_owned(), ReturnPath::Seat, Patience::SERVER);
        Smtp { account, hello, return_path, patience, dialogue: None }
    }

    /// The same, for a server that accepts only some return paths.
    pub fn returning_to(mut self, return_path: ReturnPath) -> Smtp {
        self.return_path = return_path;
        self
    }

    /// The same, with `patience` for each letter.
    pub fn with_patience(mut self, patience: Patience) -> Smtp {
        self.patience = patience;
        self
    }

    /// Connects and logs in, without sending anything.
    ///
    /// # Errors
    /// [`NotCarried::NoService`].
    pub fn try_out(&mut self) -> Result<(), NotCarried> {
        self.connect(self.patience.begin())
    }

    fn connect(&mut self, time_limit: TimeLimit) -> Result<(), NotCarried> {
        let server = &self.account.server;
        mishap::strike().map_err(|error| NotCarried::NoService { reason: error.to_string() })?;
        let opened = Dialogue::open(&self.account, &self.hello, time_limit).map_err(|stopped| {
            Transcript::new(format!("{}:{}", server.host, server.port)).note(&format!("no connection: {stopped}"));
            NotCarried::NoService { reason: format!("{}, port {}: {stopped}", server.host, server.port) }
        });
        self.dialogue = Some(opened?);
        Ok(())
    }

    /// Begins a letter. Servers close a connection that has waited too long: then we open a new one.
    fn begin(&mut self, from: &str, time_limit: TimeLimit) -> Result<Dialogue, NotCarried> {
        let mail = format!("MAIL FROM:<{from}>");
        if let Some(mut waited) = self.dialogue.take() {
            waited.wire.allow(time_limit);
            match waited.command(&mail) {
                Ok(_) => return Ok(waited),
                // RFC 5321 §3.8: 421, the server is closing the connection; without a reply it has closed it.
                Err(Stopped::Refused(reply)) if reply.code != 421 => return Err(self.refused(waited, reply)),
                Err(_) => {}
            }
        }
        self.connect(time_limit)?;
        let mut dialogue = self.dialogue.take().expect("the connection was just made");
        match dialogue.command(&mail) {
            Ok(_) => Ok(dialogue),
            Err(Stopped::Refused(reply)) => Err(self.refused(dialogue, reply)),
            Err(stopped) => Err(broken_off(&stopped)),
        }
    }

    /// Has the server forget the letter that it refused; if that fails, the connection is dropped.
    fn refused(&mut self, mut dialogue: Dialogue, reply: Reply) -> NotCarried {
        if reply.code != 421 && dialogue.command("RSET").is_ok() {
            self.dialogue = Some(dialogue);
        }
        match reply.code {
            // RFC 4954 §6: the login or TLS is missing, whatever the letter.
            530 => NotCarried::NoService { reason: reply.to_string() },
            500.. => NotCarried::Never { reply: reply.to_string() },
            _ => NotCarried::Later { reply: reply.to_string() },
        }
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        self.rest();
    }
}

impl Carrier for Smtp {
    fn carry(&mut self, _name: &str, cover: &Cover, letter: &[u8]) -> Result<String, NotCarried> {
        let from = cover.from.as_ref().map(|from| match self.return_path {
            ReturnPath::Seat => from.clone(),
            ReturnPath::Mailbox => from.base(),
        });
        let from = from.as_ref().map(address).transpose()?.unwrap_or_default();
        let to = address(&cover.to)?;
        mishap::strike().map_err(|error| NotCarried::Later { reply: error.to_string() })?;
        let mut dialogue = self.begin(&from, self.patience.begin())?;
        match dialogue.hand_over(&to, letter) {
            Ok(reply) => {
                self.dialogue = Some(dialogue);
                Ok(reply.to_string())
            }
            Err(Stopped::Refused(reply)) => Err(self.refused(dialogue, reply)),
            Err(stopped) => Err(broken_off(&stopped)),
        }
    }

    fn host(&self) -> Option<&str> {
        Some(&self.account.server.host)
    }

    fn rest(&mut self) {
        if let Some(mut dialogue) = self.dialogue.take() {
            dialogue.wire.allow(TimeLimit::within(FAREWELL));
            drop(dialogue.command("QUIT"));
        }
    }
}

/// What a connection that broke, or has become silent, means for the letter that was being handed over.
fn broken_off(stopped: &Stopped) -> NotCarried {
    let reply = stopped.to_string();
    match stopped {
        Stopped::Wire(WireError::TimedOut) => NotCarried::Silent { reply },
        _ => NotCarried::Later { reply },
    }
}

/// One connection.
struct Dialogue {
    wire: Wire,
    /// What the server offers: keywords in capitals, and their parameters.
    offers: BTreeMap<String, String>,
}

impl Dialogue {
    /// Connects, encrypts the connection where the configuration says so, and logs in.
    fn open(account: &Account, hello: &str, time_limit: TimeLimit) -> Result<Dialogue, Stopped> {
        let Account { server, login, trusted } = account;
        let secret = login.as_ref().map(|login| login.secret.reveal(&login.user)).transpose();
        let secret = secret.map_err(Stopped::NoSecret)?;
        let wire = Wire::connect(server, trusted.as_deref(), time_limit)?;
        let mut dialogue = Dialogue { wire, offers: BTreeMap::new() };
        dialogue.heard()?;
        dialogue.greet(hello)?;
        if server.protection == Protection::StartTls {
            if !dialogue.offers.contains_key("STARTTLS") {
                return Err(Stopped::NoStartTls);
            }
            dialogue.command("STARTTLS")?;
            let host = server.host.trim_matches(['[', ']']);
            dialogue.wire = dialogue.wire.secured(host, trusted.as_deref())?;
            // RFC 3207 §4.2: what was offered before the connection was secure does not count.
            dialogue.greet(hello)?;
        }
        let encrypted = if dialogue.wire.is_encrypted() { "encrypted" } else { "in clear" };
        dialogue.wire.transcript.note(&format!("connected, {encrypted}"));
        if let (Some(login), Some(secret)) = (login, &secret) {
            let answer = dialogue.log_in(login, secret);
            let words = answer.as_ref().map_or_else(ToString::to_string, ToString::to_string);
            dialogue.wire.transcript.note(&format!("login: {words}"));
            answer?;
        }
        Ok(dialogue)
    }

    /// RFC 5321 §4.1.1.1: the first line greets, each that follows names an extension.
    fn greet(&mut self, hello: &str) -> Result<(), Stopped> {
        let reply = self.command(&format!("EHLO {hello}"))?;
        let offer = |line: &String| {
            // Some servers write `AUTH=PLAIN`, as older drafts did.
            let (keyword, parameters) = line.split_once([' ', '=']).unwrap_or((line, ""));
            (keyword.to_ascii_uppercase(), parameters.to_ascii_uppercase())
        };
        self.offers = reply.lines.iter().skip(1).map(offer).collect();
        Ok(())
    }

    /// RFC 4954.
    fn log_in(&mut self, login: &Login, secret: &str) -> Result<Reply, Stopped> {
        let user = &login.user;
        let plain = format!("\0{user}\0{secret}");
        let bearer = format!("user={user}\x01auth=Bearer {secret}\x01\x01");
        [secret, &plain, &bearer].iter().for_each(|words| self.wire.transcript.hide(words));
        let offered: Vec<String> = self.offers.get("AUTH").into_iter().flat_map(|ways| words(ways)).collect();
        let is_offered = |way: &str| offered.iter().any(|offered| offered == way);
        let first = match login.way {
            Way::Xoauth2 if is_offered("XOAUTH2") => format!("AUTH XOAUTH2 {}", BASE64.encode(bearer.as_bytes())),
            Way::Password if is_offered("PLAIN") => format!("AUTH PLAIN {}", BASE64.encode(plain.as_bytes())),
            Way::Password if is_offered("LOGIN") => "AUTH LOGIN".to_owned(),
            Way::Xoauth2 | Way::Password => return Err(Stopped::NoLogin),
        };
        // LOGIN asks for the name, then for the password. An error of XOAUTH2 comes as a question, too; we
        // acknowledge it by an empty line.
        let mut answers = match first.as_str() {
            "AUTH LOGIN" => vec![BASE64.encode(user.as_bytes()), BASE64.encode(secret.as_bytes())],
            _ => vec![String::new()],
        }
        .into_iter();
        let mut reply = self.command(&first)?;
        while reply.code == 334 {
            let Some(answer) = answers.next() else { return Err(Stopped::Refused(reply)) };
            self.wire.transcript.sent("***");
            self.say(format!("{answer}\r\n").as_bytes())?;
            let question = reply.lines.first().map(|line| BASE64.decode(line.as_bytes()).unwrap_or_default());
            reply = match (self.heard(), login.way) {
                (Err(Stopped::Refused(mut refused)), Way::Xoauth2) => {
                    refused.lines.extend(question.map(|why| String::from_utf8_lossy(&why).into_owned()));
                    return Err(Stopped::Refused(refused));
                }
                (heard, _) => heard?,
            };
        }
        Ok(reply)
    }

    fn hand_over(&mut self, to: &str, letter: &[u8]) -> Result<Reply, Stopped> {
        self.command(&format!("RCPT TO:<{to}>"))?;
        let reply = self.command("DATA")?;
        if reply.code != 354 {
            return Err(Stopped::Odd { said: reply.to_string() });
        }
        self.wire.transcript.note(&format!("a letter: {} bytes", letter.len()));
        self.say(&whole(letter))?;
        self.heard()
    }

    /// Says something, unless the server has already said what would be taken for the reply to it.
    fn say(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        if self.wire.has_more() {
            return Err(Stopped::SpokeOutOfTurn);
        }
        Ok(self.wire.say(bytes)?)
    }

    /// Gives a command, and returns the answer if it is not a refusal.
    fn command(&mut self, line: &str) -> Result<Reply, Stopped> {
        self.wire.transcript.sent(line);
        self.say(format!("{line}\r\n").as_bytes())?;
        self.heard()
    }

    /// The next reply. RFC 5321 §4.2: all lines but the last have a hyphen behind the code.
    fn heard(&mut self) -> Result<Reply, Stopped> {
        let mut reply = Reply { code: 0, lines: Vec::new() };
        for _ in 0..LINES_MAX {
            let line = self.wire.line(LINE_BYTES)?;
            self.wire.transcript.received(&line);
            let line = String::from_utf8_lossy(&line);
            let odd = || Stopped::Odd { said: line.chars().take(200).collect() };
            let code = line.get(..3).filter(|code| code.bytes().all(|byte| byte.is_ascii_digit())).ok_or_else(odd)?;
            reply.code = code.parse().ok().filter(|code| (200..600).contains(code)).ok_or_else(odd)?;
            let (goes_on, text) = match line[3..].chars().next() {
                Some('-') => (true, &line[4..]),
                Some(' ') => (false, &line[4..]),
                None => (false, ""),
                Some(_) => return Err(odd()),
            };
            reply.lines.push(text.to_owned());
            if !goes_on {
                return if reply.is_positive() { Ok(reply) } else { Err(Stopped::Refused(reply)) };
            }
        }
        Err(Stopped::Wire(WireError::TooLong { limit: LINES_MAX * LINE_BYTES }))
    }
}

fn words(line: &str) -> impl Iterator<Item = String> {
    line.split_whitespace().map(str::to_owned)
}

/// A letter and the full stop that ends it, in one write: a second one would wait 40 ms for an acknowledgement of the
/// first. RFC 5321 §4.5.2: a full stop first in a line is doubled.
fn whole(letter: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(letter.len() + letter.len() / 64 + 5);
    for line in letter.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b".") {
            whole.push(b'.');
        }
        whole.extend_from_slice(line);
    }
    if !letter.ends_with(b"\n") {
        whole.extend_from_slice(b"\r\n");
    }
    whole.extend_from_slice(b".\r\n");
    whole
}

/// An address between angle brackets. Beyond ASCII it would need an extension that few servers have (RFC 6531).
fn address(mailbox: &Mailbox) -> Result<String, NotCarried> {
    let written = mailbox.to_string();
    if written.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>')) {
        Ok(written)
    } else {
        Err(NotCarried::Never { reply: format!("{written} is not an address of ASCII letters") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::server::Address;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::thread;

    #[track_caller]
    fn case(letter: &str, expected: &str) {
        assert_eq!(String::from_utf8(whole(letter.as_bytes())).unwrap(), expected);
    }

    #[test]
    fn a_letter_and_its_full_stop_are_one_piece() {
        case("a\r\n.\r\n..b\r\n", "a\r\n..\r\n...b\r\n.\r\n");
        case("a", "a\r\n.\r\n");
        case("", "\r\n.\r\n");
    }
    /// Carries a letter to a server that answers RCPT with these bytes, and everything else as it should.
    fn carried(to_rcpt: &'static str) -> Result<String, NotCarried> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"220 localhost\r\n").unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let reply = match line.split([' ', ':']).next().unwrap_or_default() {
                    "RCPT" => to_rcpt,
                    "DATA" => "354 go on\r\n",
                    "EHLO" | "MAIL" | "RSET" | "." => "250 ok\r\n",
                    _ => "",
                };
                // The client may have gone.
                let _ = stream.write_all(reply.as_bytes());
            }
        });
        let address = Address { user: None, host: "127.0.0.1".to_owned(), port, protection: Protection::None };
        let account = Account { server: address, login: None, trusted: None };
        let cover = Cover { from: None, to: Mailbox::read("frodo@shire.example").unwrap() };
        let carried = Smtp::new(account, "play.example").carry("letter", &cover, b"To: frodo@shire.example\r\n\r\n");
        server.join().unwrap();
        carried
    }

    #[test]
    fn rfc_5321_a_bare_lf_does_not_make_two_replies_of_one() {
        assert_eq!(carried("250 ok\r\n"), Ok("250 ok".to_owned()));
        let refused = NotCarried::Never { reply: "550 no such hobbit 250 ok".to_owned() };
        assert_eq!(carried("550 no such hobbit\n250 ok\r\n"), Err(refused));
    }

    /// The letter was told as taken before the server had it.
    #[test]
    fn s6_a_fate_that_was_told_ahead_is_not_believed() {
        for ahead in ["250 ok\r\n354 go on\r\n250 taken\r\n", "250 ok\r\n250 ok\r\n", "550 no\r\n250 ok\r\n"] {
            let carried = carried(ahead);
            assert!(carried.is_err(), "{ahead:?}: {carried:?}");
        }
        let Err(NotCarried::Later { reply }) = carried("250 ok\r\n354 go on\r\n250 taken\r\n") else { panic!() };
        assert_eq!(reply, "response error: the server gave two replies to one command");
    }
}
