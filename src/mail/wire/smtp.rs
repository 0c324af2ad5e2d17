/*! Letters over SMTP, by lettre's connection (requirement S6): one connection for a round of letters, TLS with the
certificate checked, and the server decides whether trying again makes sense.

Deviation: a letter is handed to lettre as one more command, because its own way writes the letter and the full stop
behind it separately, and the second write waits 40 ms for an acknowledgement of the first (Nagle's algorithm).
*/

use super::carrier::{Carrier, Cover, NotCarried};
use super::server::{Account, Login, Protection, Way};
use super::transcript::Transcript;
use crate::disk::mishap;
use crate::mail::letter::mailbox::Mailbox;
use crate::mail::wire;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;
use serde::Deserialize;
use std::time::Duration;
use std::{fmt, io};

/// A server that answers slower than this is out of service.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The return path on the envelope of a report (S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReturnPath {
    /// An address of the seat's own, so that what comes back says whose letter it was.
    #[default]
    Seat,
    /// The plain mailbox: some servers accept no other sender.
    Mailbox,
}

/// A connection to a server, made when the first letter goes out and kept for the rest.
pub struct Smtp {
    account: Account,
    /// Our name in EHLO: the host of our mailbox.
    hello: String,
    return_path: ReturnPath,
    connection: Option<SmtpConnection>,
    transcript: Transcript,
}

impl Smtp {
    #[must_use]
    pub fn new(account: Account, hello: &str) -> Smtp {
        let transcript = Transcript::new(format!("{}:{}", account.server.host, account.server.port));
        Smtp { account, hello: hello.to_owned(), return_path: ReturnPath::Seat, connection: None, transcript }
    }

    /// The same, for a server that accepts only some return paths.
    #[must_use]
    pub fn returning_to(mut self, return_path: ReturnPath) -> Smtp {
        self.return_path = return_path;
        self
    }

    /// Connects and logs in, without sending anything.
    ///
    /// # Errors
    /// [`NotCarried::NoService`].
    pub fn try_out(&mut self) -> Result<(), NotCarried> {
        self.connected().map(drop)
    }

    fn connect(&mut self) -> Result<SmtpConnection, NotCarried> {
        let no_service = |reason: String| NotCarried::NoService { reason };
        mishap::strike().map_err(|error| no_service(error.to_string()))?;
        let Account { server, login, .. } = &self.account;
        let secret = login.as_ref().map(|login| login.secret.reveal(&login.user)).transpose();
        let secret = secret.map_err(|error| no_service(error.to_string()))?;
        if let (Some(Login { user, .. }), Some(secret)) = (login, &secret) {
            self.transcript.hide(secret);
            self.transcript.hide(&format!("\0{user}\0{secret}"));
            self.transcript.hide(&format!("user={user}\x01auth=Bearer {secret}\x01\x01"));
        }
        let connected = self.introduced().and_then(|mut connection| {
            if let (Some(login), Some(secret)) = (login, secret) {
                let mechanisms: &[Mechanism] = match login.way {
                    Way::Password => &[Mechanism::Plain, Mechanism::Login],
                    Way::Xoauth2 => &[Mechanism::Xoauth2],
                };
                let answer = connection.auth(mechanisms, &Credentials::new(login.user.clone(), secret));
                self.transcript.note(&format!("login: {}", answer.as_ref().map_or_else(words, said)));
                answer?;
            }
            Ok(connection)
        });
        if let Err(error) = &connected {
            self.transcript.note(&format!("no connection: {}", words(error)));
        }
        connected.map_err(|error| no_service(format!("{}, port {}: {}", server.host, server.port, words(&error))))
    }

    fn introduced(&self) -> Result<SmtpConnection, Error> {
        let server = &self.account.server;
        let hello = ClientId::Domain(self.hello.clone());
        let tls = match server.protection {
            Protection::None => None,
            Protection::StartTls | Protection::Implicit => Some(self.tls()?),
        };
        let at_once = tls.as_ref().filter(|_| server.protection == Protection::Implicit);
        let address = (server.host.as_str(), server.port);
        let mut connection = SmtpConnection::connect(address, Some(TIMEOUT), &hello, at_once, None)?;
        if let Some(tls) = tls.filter(|_| server.protection == Protection::StartTls) {
            connection.starttls(&tls, &hello)?;
        }
        let encrypted = if connection.is_encrypted() { "encrypted" } else { "in clear" };
        self.transcript.note(&format!("connected, {encrypted}; the server offers {}", connection.server_info()));
        Ok(connection)
    }

    fn tls(&self) -> Result<TlsParameters, Error> {
        let mut parameters = TlsParameters::builder(self.account.server.host.clone());
        if let Some(pem) = &self.account.trusted {
            parameters = parameters.add_root_certificate(Certificate::from_pem(pem.as_bytes())?);
        }
        parameters.build()
    }

    /// A connection that works: the one at hand, or a new one.
    fn connected(&mut self) -> Result<&mut SmtpConnection, NotCarried> {
        let is_usable = |connection: &SmtpConnection| !connection.has_broken();
        if !self.connection.as_ref().is_some_and(is_usable) {
            self.connection = None;
            self.connection = Some(self.connect()?);
        }
        Ok(self.connection.as_mut().expect("the connection was just made"))
    }

    /// Begins a letter. Servers close a connection that has waited too long: then there is a new one.
    fn begin(&mut self, from: Option<Address>) -> Result<(), NotCarried> {
        if let Some(waited) = self.connection.take().filter(|connection| !connection.has_broken()) {
            let connection = self.connection.insert(waited);
            match command(connection, &self.transcript, Mail::new(from.clone(), Vec::new())) {
                Ok(_) => return Ok(()),
                // 421: the server is closing the connection; without a code it has closed it.
                Err(error) if error.status().is_none_or(|code| code.to_string() == "421") => self.connection = None,
                Err(error) => {
                    self.reset();
                    return Err(not_carried(&error));
                }
            }
        }
        self.connected()?;
        let connection = self.connection.as_mut().expect("the connection was just made");
        let begun = command(connection, &self.transcript, Mail::new(from, Vec::new()));
        if let Err(error) = begun {
            self.reset();
            return Err(not_carried(&error));
        }
        Ok(())
    }

    /// Has the server forget the letter that was begun; if that fails, the connection is dropped.
    fn reset(&mut self) {
        if let Some(connection) = &mut self.connection
            && command(connection, &self.transcript, Rset).is_err()
        {
            connection.abort();
            self.connection = None;
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
            ReturnPath::Seat => address(from),
            ReturnPath::Mailbox => address(&from.base()),
        });
        let from = from.transpose()?;
        let to = address(&cover.to)?;
        mishap::strike().map_err(|error| NotCarried::Later { reply: error.to_string() })?;
        self.begin(from)?;
        let connection = self.connection.as_mut().expect("a letter was just begun");
        let carried = hand_over(connection, &self.transcript, to, letter);
        match &carried {
            Ok(_) => {}
            // It would not answer RSET either.
            Err(error) if error.is_timeout() => self.connection = None,
            Err(_) => self.reset(),
        }
        carried.map_err(|error| not_carried(&error))
    }

    fn host(&self) -> Option<&str> {
        Some(&self.account.server.host)
    }

    fn rest(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // The server has the letters even if it does not answer this.
            self.transcript.sent("QUIT");
            drop(connection.quit());
        }
    }
}

fn hand_over(
    connection: &mut SmtpConnection,
    transcript: &Transcript,
    to: Address,
    letter: &[u8],
) -> Result<String, Error> {
    command(connection, transcript, Rcpt::new(to, Vec::new()))?;
    command(connection, transcript, Data)?;
    transcript.note(&format!("a letter: {} bytes", letter.len()));
    let answer = connection.command(Whole(letter));
    transcript.received(answer.as_ref().map_or_else(words, said).as_bytes());
    answer.map(|response| said(&response))
}

/// Gives a command, and writes it and the answer down.
fn command(
    connection: &mut SmtpConnection,
    transcript: &Transcript,
    command: impl fmt::Display,
) -> Result<Response, Error> {
    transcript.sent(&command.to_string());
    let answer = connection.command(command);
    transcript.received(answer.as_ref().map_or_else(words, said).as_bytes());
    answer
}

/// What the server answered, in one line.
fn said(response: &Response) -> String {
    let lines: Vec<&str> = response.message().collect();
    format!("{} {}", response.code(), lines.join(" "))
}

fn not_carried(error: &Error) -> NotCarried {
    // A server that falls silent does so for the next letter, too: nothing is sent for a while.
    if error.is_timeout() {
        return NotCarried::NoService { reason: words(error) };
    }
    match error.status().map(|code| code.to_string()).as_deref() {
        // RFC 4954 §6: the login or TLS is missing, whatever the letter.
        Some("530") => NotCarried::NoService { reason: words(error) },
        _ if error.is_permanent() => NotCarried::Never { reply: words(error) },
        _ => NotCarried::Later { reply: words(error) },
    }
}

/// A letter and the full stop that ends it, in one write (RFC 5321 §4.5.2: a full stop first in a line is doubled).
struct Whole<'a>(&'a [u8]);

impl fmt::Display for Whole<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Our letters are 7-bit; nothing is lost.
        let letter = String::from_utf8_lossy(self.0);
        for line in letter.split_inclusive('\n') {
            if line.starts_with('.') {
                formatter.write_str(".")?;
            }
            formatter.write_str(line)?;
        }
        if !letter.ends_with('\n') {
            formatter.write_str("\r\n")?;
        }
        formatter.write_str(".\r\n")
    }
}

fn address(mailbox: &Mailbox) -> Result<Address, NotCarried> {
    Address::new(&mailbox.local, &mailbox.host)
        .map_err(|error| NotCarried::Never { reply: format!("{mailbox} is not an address: {error}") })
}

/// What the server said, or what went wrong on the way, in one line.
fn words(error: &Error) -> String {
    let mut words = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if cause.downcast_ref::<io::Error>().is_some_and(wire::is_silence) {
            return "the server does not answer".to_owned();
        }
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            words = format!("{words}: {cause_words}");
        }
        source = cause.source();
    }
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(letter: &str, expected: &str) {
        assert_eq!(Whole(letter.as_bytes()).to_string(), expected);
    }

    #[test]
    fn a_letter_and_its_full_stop_are_one_piece() {
        case("a\r\n.\r\n..b\r\n", "a\r\n..\r\n...b\r\n.\r\n");
        case("a", "a\r\n.\r\n");
        case("", "\r\n.\r\n");
    }
}
