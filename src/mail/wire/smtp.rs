/*! Letters over SMTP (RFC 5321, requirement S6): one connection for a round of letters, TLS with the certificate
checked, and the server decides whether trying again makes sense. Whatever a server does, one time limit holds for
connecting, logging in and handing over one letter.

What is said is lettre's: commands, replies, what a server offers, ways to log in. Its connection is not used. It has a
limit on each read but none on the dialogue, keeps what was read in clear over STARTTLS, reads a line of any length
before it measures it, and gives up at a byte that is not UTF-8. Our letters are 7-bit, so no extension of SMTP is
needed but those that protect the connection and log in.

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
use lettre::address::Address;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS, Mechanism};
use lettre::transport::smtp::commands::{Auth, Data, Ehlo, Mail, Quit, Rcpt, Rset, Starttls};
use lettre::transport::smtp::extension::{ClientId, Extension, ServerInfo};
use lettre::transport::smtp::response::{Response, Severity};
use net::time_limit::{Patience, TimeLimit};
use net::transcript::Transcript;
use serde::Deserialize;
use std::fmt;
use std::iter;
use std::time::Duration;

/// RFC 5321 §4.5.3.1.5 asks for 512 bytes in the line of a reply.
const LINE_BYTES: usize = 4096;
const REPLY_BYTES: usize = 100_000;
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

/// Why a dialogue does not go on.
#[derive(Debug)]
enum Stopped {
    Wire(WireError),
    NoSecret(NoSecret),
    /// The server says no, for now (4yz) or for good (5yz).
    Refused(Response),
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
            Stopped::Refused(reply) => formatter.write_str(&words(reply)),
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
    fn begin(&mut self, from: Option<Address>, time_limit: TimeLimit) -> Result<Dialogue, NotCarried> {
        let mail = Mail::new(from, Vec::new());
        if let Some(mut waited) = self.dialogue.take() {
            waited.wire.allow(time_limit);
            match waited.command(&mail) {
                Ok(_) => return Ok(waited),
                // RFC 5321 §3.8: 421, the server is closing the connection; without a reply it has closed it.
                Err(Stopped::Refused(reply)) if !reply.has_code(421) => return Err(self.refused(waited, &reply)),
                Err(_) => {}
            }
        }
        self.connect(time_limit)?;
        let mut dialogue = self.dialogue.take().expect("the connection was just made");
        match dialogue.command(&mail) {
            Ok(_) => Ok(dialogue),
            Err(Stopped::Refused(reply)) => Err(self.refused(dialogue, &reply)),
            Err(stopped) => Err(broken_off(&stopped)),
        }
    }

    /// Has the server forget the letter that it refused; if that fails, the connection is dropped.
    fn refused(&mut self, mut dialogue: Dialogue, refused: &Response) -> NotCarried {
        if !refused.has_code(421) && dialogue.command(&Rset).is_ok() {
            self.dialogue = Some(dialogue);
        }
        let reply = words(refused);
        match refused.code().severity {
            // RFC 4954 §6: the login or TLS is missing, whatever the letter.
            _ if refused.has_code(530) => NotCarried::NoService { reason: reply },
            Severity::PermanentNegativeCompletion => NotCarried::Never { reply },
            _ => NotCarried::Later { reply },
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
        let from = from.as_ref().map(address).transpose()?;
        let to = address(&cover.to)?;
        mishap::strike().map_err(|error| NotCarried::Later { reply: error.to_string() })?;
        let mut dialogue = self.begin(from, self.patience.begin())?;
        match dialogue.hand_over(to, letter) {
            Ok(reply) => {
                self.dialogue = Some(dialogue);
                Ok(words(&reply))
            }
            Err(Stopped::Refused(reply)) => Err(self.refused(dialogue, &reply)),
            Err(stopped) => Err(broken_off(&stopped)),
        }
    }

    fn host(&self) -> Option<&str> {
        Some(&self.account.server.host)
    }

    fn rest(&mut self) {
        if let Some(mut dialogue) = self.dialogue.take() {
            dialogue.wire.allow(TimeLimit::within(FAREWELL));
            drop(dialogue.command(&Quit));
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
    server: ServerInfo,
}

impl Dialogue {
    /// Connects, encrypts the connection where the configuration says so, and logs in.
    fn open(account: &Account, hello: &str, time_limit: TimeLimit) -> Result<Dialogue, Stopped> {
        let Account { server, login, trusted } = account;
        let secret = login.as_ref().map(|login| login.secret.reveal(&login.user)).transpose();
        let secret = secret.map_err(Stopped::NoSecret)?;
        let wire = Wire::connect(server, trusted.as_deref(), time_limit)?;
        let mut dialogue = Dialogue { wire, server: ServerInfo::default() };
        dialogue.heard()?;
        dialogue.greet(hello)?;
        if server.protection == Protection::StartTls {
            if !dialogue.server.supports_feature(Extension::StartTls) {
                return Err(Stopped::NoStartTls);
            }
            dialogue.command(&Starttls)?;
            dialogue.wire = dialogue.wire.secured(&server.host, trusted.as_deref())?;
            // RFC 3207 §4.2: what was offered before the connection was secure does not count.
            dialogue.greet(hello)?;
        }
        let encrypted = if dialogue.wire.is_encrypted() { "encrypted" } else { "in clear" };
        dialogue.wire.transcript.note(&format!("connected, {encrypted}"));
        if let (Some(login), Some(secret)) = (login, &secret) {
            let answer = dialogue.log_in(login, secret);
            let told = answer.as_ref().map_or_else(ToString::to_string, words);
            dialogue.wire.transcript.note(&format!("login: {told}"));
            answer?;
        }
        Ok(dialogue)
    }

    /// RFC 5321 §4.1.1.1: the first line greets, each that follows names an extension, in capitals or not. Some servers
    /// write `AUTH=PLAIN`, as older drafts did.
    fn greet(&mut self, hello: &str) -> Result<(), Stopped> {
        let reply = self.command(&Ehlo::new(ClientId::Domain(hello.to_owned())))?;
        let offers = reply.message().skip(1).map(|line| line.to_ascii_uppercase().replace('=', " "));
        let offers = Response::new(reply.code(), iter::once("its name".to_owned()).chain(offers).collect());
        self.server = ServerInfo::from_response(&offers).expect("its first line has words");
        Ok(())
    }

    /// RFC 4954.
    fn log_in(&mut self, login: &Login, secret: &str) -> Result<Response, Stopped> {
        let credentials = Credentials::new(login.user.clone(), secret.to_owned());
        let mechanisms = match login.way {
            Way::Password => DEFAULT_MECHANISMS,
            Way::Xoauth2 => &[Mechanism::Xoauth2],
        };
        let mechanism = self.server.get_auth_mechanism(mechanisms).ok_or(Stopped::NoLogin)?;
        self.wire.transcript.hide(secret);
        if let Ok(whole) = mechanism.response(&credentials, None) {
            self.wire.transcript.hide(&whole);
        }
        let auth = |asked: Option<&str>| {
            let auth = Auth::new(mechanism, credentials.clone(), asked.map(str::to_owned));
            auth.expect("it is asked what the mechanism knows").to_string()
        };
        // LOGIN asks for the name, then for the password, whatever its words are. An error of XOAUTH2 comes as a
        // question, too; we acknowledge it by an empty line.
        let mut answers = match mechanism {
            Mechanism::Login => vec![auth(Some("Username")), auth(Some("Password"))],
            Mechanism::Plain | Mechanism::Xoauth2 => vec!["\r\n".to_owned()],
        }
        .into_iter();
        let mut reply = self.command(&auth(None))?;
        while reply.has_code(334) {
            let Some(answer) = answers.next() else { return Err(Stopped::Refused(reply)) };
            self.wire.transcript.sent("***");
            self.say(answer.as_bytes())?;
            let question = reply.first_line().and_then(|line| BASE64.decode(line.as_bytes()).ok());
            reply = match (self.heard(), mechanism) {
                (Err(Stopped::Refused(refused)), Mechanism::Xoauth2) => {
                    let why = question.map(|why| String::from_utf8_lossy(&why).into_owned());
                    let lines = refused.message().map(str::to_owned).chain(why).collect();
                    return Err(Stopped::Refused(Response::new(refused.code(), lines)));
                }
                (heard, _) => heard?,
            };
        }
        Ok(reply)
    }

    fn hand_over(&mut self, to: Address, letter: &[u8]) -> Result<Response, Stopped> {
        self.command(&Rcpt::new(to, Vec::new()))?;
        let reply = self.command(&Data)?;
        if !reply.has_code(354) {
            return Err(Stopped::Odd { said: words(&reply) });
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
    fn command(&mut self, command: &impl fmt::Display) -> Result<Response, Stopped> {
        let line = command.to_string();
        self.wire.transcript.sent(&line);
        self.say(line.as_bytes())?;
        self.heard()
    }

    /// The next reply. RFC 5321 §4.2: all lines but the last have a hyphen behind the code; the code may stand alone.
    fn heard(&mut self) -> Result<Response, Stopped> {
        let mut said = String::new();
        while said.len() < REPLY_BYTES {
            let line = self.wire.line(LINE_BYTES)?;
            self.wire.transcript.received(&line);
            let line = String::from_utf8_lossy(&line);
            let goes_on = matches!(line.as_bytes(), [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'-', ..]);
            // RFC 5321 §4.2.1: the first digit decides. Some servers refuse with 571, which lettre does not know.
            if let [severity, b'6'..=b'9', b'0'..=b'9', ..] = line.as_bytes() {
                said.push(char::from(*severity));
                said.push_str(if goes_on { "00-" } else { "00 " });
            }
            said.push_str(&line);
            said.push_str(if line.len() == 3 { " \r\n" } else { "\r\n" });
            if !goes_on {
                let odd = |_| Stopped::Odd { said: said.chars().filter(|c| !c.is_control()).take(200).collect() };
                let reply: Response = said.parse().map_err(odd)?;
                return if reply.is_positive() { Ok(reply) } else { Err(Stopped::Refused(reply)) };
            }
        }
        Err(Stopped::Wire(WireError::TooLong { limit: REPLY_BYTES }))
    }
}

/// A reply in one line.
fn words(reply: &Response) -> String {
    let words = reply.message().flat_map(str::split_whitespace);
    words.fold(reply.code().to_string(), |line, word| line + " " + word)
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

/// An address between angle brackets. Beyond ASCII it would need an extension that few servers have (RFC 6531). lettre
/// would also refuse what some providers have given to people, such as `frodo..baggins@`.
fn address(mailbox: &Mailbox) -> Result<Address, NotCarried> {
    let written = mailbox.to_string();
    if written.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>')) {
        Ok(Address::new_dangerous(&mailbox.local, &mailbox.host))
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
                    "EHLO" | "MAIL" | "RSET" | "QUIT" | "." => "250 ok\r\n",
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

    #[test]
    fn rfc_5321_the_first_digit_of_a_reply_decides() {
        let never = |reply: &str| Err(NotCarried::Never { reply: reply.to_owned() });
        assert_eq!(carried("250\r\n"), Ok("250 ok".to_owned()));
        assert_eq!(carried("550\r\n"), never("550"));
        assert_eq!(carried("571 spam\r\n"), never("500 571 spam"));
        assert_eq!(carried("571-spam,\r\n571 he says\r\n"), never("500 571-spam, 571 he says"));
        for odd in ["SSH-2.0-sshd\r\n", "250x\r\n", "650 no\r\n", "25\r\n", "550-no\r\n250 ok\r\n", "\r\n"] {
            let Err(NotCarried::Later { reply }) = carried(odd) else { panic!("{odd:?}") };
            assert!(reply.starts_with("response error: `"), "{reply}");
        }
        assert_eq!(carried("451 caf\u{e9}\r\n"), Err(NotCarried::Later { reply: "451 caf\u{e9}".to_owned() }));
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
