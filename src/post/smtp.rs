/*! Letters over SMTP, by lettre's connection (requirement S6): one connection for a round of letters, TLS with the
certificate checked, and the server's word on whether trying again makes sense.

Deviation: a letter is handed to lettre as one more command, because its own way writes the letter and the full stop
behind it separately, and the second write waits 40 ms for an acknowledgement of the first (Nagle's algorithm).
*/

use super::carrier::{Carrier, Cover, NotCarried};
use super::mailbox::Mailbox;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::ClientId;
use std::fmt;
use std::time::Duration;

/// A server that answers slower than this is out of service.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How the way to the server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Not at all: only for a server on the same machine.
    None,
    /// The connection begins in clear and must become TLS, or nothing is sent.
    StartTls,
    /// TLS from the first byte, usually on port 465.
    Implicit,
}

/// The name and password for a server. The password is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    pub user: String,
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The server that takes our letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    pub host: String,
    pub port: u16,
    pub protection: Protection,
    pub login: Option<Login>,
    /// Further certificates to trust, in PEM: for a server of one's own.
    pub trusted: Option<String>,
    /// How we introduce ourselves: the host of our mailbox.
    pub hello: String,
}

/// A connection to a server, made when the first letter goes out and kept for the rest.
pub struct Smtp {
    server: Server,
    connection: Option<SmtpConnection>,
}

impl Smtp {
    #[must_use]
    pub fn new(server: Server) -> Smtp {
        Smtp { server, connection: None }
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let server = &self.server;
        let hello = ClientId::Domain(server.hello.clone());
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
        if let Some(login) = &server.login {
            let credentials = Credentials::new(login.user.clone(), login.password.clone());
            connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials)?;
        }
        Ok(connection)
    }

    fn tls(&self) -> Result<TlsParameters, Error> {
        let mut parameters = TlsParameters::builder(self.server.host.clone());
        if let Some(pem) = &self.server.trusted {
            parameters = parameters.add_root_certificate(Certificate::from_pem(pem.as_bytes())?);
        }
        parameters.build()
    }

    /// A connection that works: the one at hand, or a new one. Servers close a connection that has waited too long.
    fn connected(&mut self) -> Result<&mut SmtpConnection, NotCarried> {
        let is_usable = |connection: &SmtpConnection| !connection.has_broken();
        if !self.connection.as_ref().is_some_and(is_usable) {
            let connection = self.connect().map_err(|error| NotCarried::NoService { reason: words(&error) })?;
            self.connection = Some(connection);
        }
        Ok(self.connection.as_mut().expect("the connection was just made"))
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            // A server that does not answer the farewell has the letters all the same.
            drop(connection.quit());
        }
    }
}

impl Carrier for Smtp {
    fn carry(&mut self, _name: &str, cover: &Cover, letter: &[u8]) -> Result<String, NotCarried> {
        let from = cover.from.as_ref().map(address).transpose()?;
        let to = address(&cover.to)?;
        let connection = self.connected()?;
        let carried = hand_over(connection, from, to, letter);
        if carried.is_err() && connection.command(Rset).is_err() {
            connection.abort();
            self.connection = None;
        }
        carried.map_err(|error| match error.is_permanent() {
            true => NotCarried::Never { reply: words(&error) },
            false => NotCarried::Later { reply: words(&error) },
        })
    }
}

fn hand_over(
    connection: &mut SmtpConnection,
    from: Option<Address>,
    to: Address,
    letter: &[u8],
) -> Result<String, Error> {
    connection.command(Mail::new(from, Vec::new()))?;
    connection.command(Rcpt::new(to, Vec::new()))?;
    connection.command(Data)?;
    let response = connection.command(Whole(letter))?;
    let lines: Vec<&str> = response.message().collect();
    Ok(format!("{} {}", response.code(), lines.join(" ")))
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
        .map_err(|error| NotCarried::Never { reply: format!("{mailbox} is no address: {error}") })
}

/// What the server said, or what went wrong on the way, in one line.
fn words(error: &Error) -> String {
    let mut words = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
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
