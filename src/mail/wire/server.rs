/*! A mail server as its host writes it down: `imaps://user@host`, `smtp://user@host:587`, `smtp+plain://127.0.0.1`. */

use ground::secret::{Source, without_password};
use std::fmt;

/// How the connection to the server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Not at all: only for a server on the same machine.
    None,
    /// The connection begins in clear and must be upgraded to TLS, or it is closed.
    StartTls,
    /// TLS from the first byte.
    Implicit,
}

/// The protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Smtp,
    Imap,
}

impl Protocol {
    fn word(self) -> &'static str {
        match self {
            Protocol::Smtp => "smtp",
            Protocol::Imap => "imap",
        }
    }

    /// RFC 8314 §3: 465 and 993 from the first byte, 587 and 143 with STARTTLS.
    fn usual_port(self, protection: Protection) -> u16 {
        match (self, protection) {
            (Protocol::Smtp, Protection::Implicit) => 465,
            (Protocol::Smtp, Protection::StartTls) => 587,
            (Protocol::Smtp, Protection::None) => 25,
            (Protocol::Imap, Protection::Implicit) => 993,
            (Protocol::Imap, Protection::StartTls | Protection::None) => 143,
        }
    }
}

/// The address of a server, and the user who logs in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub user: Option<String>,
    pub host: String,
    pub port: u16,
    pub protection: Protection,
}

/// How the user logs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Password,
    /// The secret is an access token, as Google and Microsoft require.
    Xoauth2,
}

/// The login at a server. The secret itself is looked up each time it is needed, because tokens expire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    pub user: String,
    pub way: Way,
    pub secret: Source,
}

/// A server, and our account there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub server: Address,
    pub login: Option<Login>,
    /// Further certificates to trust, in PEM: for the host's own server.
    pub trusted: Option<String>,
}

/// Why we do not accept the URL that the host wrote for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAServer {
    NoUrl { written: String, protocol: Protocol },
    OtherScheme { scheme: String, protocol: Protocol },
    Port,
    NoHost { written: String },
    Password,
    InClear { host: String },
}

impl fmt::Display for NotAServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAServer::NoUrl { written, protocol } => {
                let (written, word) = (without_password(written), protocol.word());
                write!(formatter, "`{written}` is not a URL such as {word}s://user@host")
            }
            NotAServer::OtherScheme { scheme, protocol } => {
                let (scheme, word) = (without_password(scheme), protocol.word());
                write!(formatter, "`{scheme}` is not supported for this server; use {word}s, {word} or {word}+plain")
            }
            // Not quoted: behind a user name, and without a host, it may be a password.
            NotAServer::Port => write!(formatter, "what follows the host, behind `:`, is not a port"),
            NotAServer::NoHost { written } => {
                write!(formatter, "`{}` names no host", without_password(written))
            }
            NotAServer::Password => {
                write!(formatter, "a password must not be part of the URL of a server, where others can read it")
            }
            NotAServer::InClear { host } => write!(
                formatter,
                "the password for {host} would go over the network in clear; +plain with a login is only for a server \
                 on this machine"
            ),
        }
    }
}

impl std::error::Error for NotAServer {}

impl Address {
    /// Reads the URL of a server.
    pub fn read(written: &str, protocol: Protocol) -> Result<Address, NotAServer> {
        let no_url = || NotAServer::NoUrl { written: written.to_owned(), protocol };
        let (scheme, rest) = written.split_once("://").ok_or_else(no_url)?;
        let protection = match scheme.strip_prefix(protocol.word()) {
            Some("s") => Protection::Implicit,
            Some("") => Protection::StartTls,
            Some("+plain") => Protection::None,
            _ => return Err(NotAServer::OtherScheme { scheme: scheme.to_owned(), protocol }),
        };
        let rest = rest.trim_end_matches('/');
        // A user name is often an address: the last @ separates it from the host. RFC 3986 writes the @ of the name
        // as %40.
        let (user, place) = match rest.rsplit_once('@') {
            Some((user, place)) => (Some(user.replace("%40", "@")), place),
            None => (None, rest),
        };
        if user.as_ref().is_some_and(|user| user.contains(':')) {
            return Err(NotAServer::Password);
        }
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| NotAServer::Port)?),
            None => (place, protocol.usual_port(protection)),
        };
        if host.is_empty() {
            return Err(NotAServer::NoHost { written: written.to_owned() });
        }
        if protection == Protection::None && user.is_some() && !is_this_machine(host) {
            return Err(NotAServer::InClear { host: host.to_owned() });
        }
        Ok(Address { user, host: host.to_owned(), port, protection })
    }
}

fn is_this_machine(host: &str) -> bool {
    matches!(host, "localhost" | "[::1]" | "::1") || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(url: &str, protocol: Protocol, expected: Result<(Option<&str>, &str, u16, Protection), &str>) {
        let found = Address::read(url, protocol).map_err(|error| error.to_string());
        let found =
            found.as_ref().map(|server| (server.user.as_deref(), server.host.as_str(), server.port, server.protection));
        assert_eq!(found.map_err(String::as_str), expected);
    }

    #[test]
    fn a_server_is_named_by_its_url() {
        use Protocol::{Imap, Smtp};
        case("smtp+plain://127.0.0.1:2525", Smtp, Ok((None, "127.0.0.1", 2525, Protection::None)));
        case("smtps://mail.example.org", Smtp, Ok((None, "mail.example.org", 465, Protection::Implicit)));
        case("smtp://box@mail.example.org/", Smtp, Ok((Some("box"), "mail.example.org", 587, Protection::StartTls)));
        case("imaps://a@b.org@imap.b.org", Imap, Ok((Some("a@b.org"), "imap.b.org", 993, Protection::Implicit)));
        case("imaps://a%40b.org@imap.b.org", Imap, Ok((Some("a@b.org"), "imap.b.org", 993, Protection::Implicit)));
        case("imap://a@imap.b.org", Imap, Ok((Some("a"), "imap.b.org", 143, Protection::StartTls)));
    }

    #[test]
    fn a_password_that_was_written_there_is_not_told() {
        for url in
            ["smtps://box:mellon", "box:mellon@h", "ftp://box:mellon@h", "box:mellon@x://h", "x:mellon", "a:mellon:b@c"]
        {
            let error = Address::read(url, Protocol::Smtp).unwrap_err().to_string();
            assert!(!error.contains("mellon"), "{error}");
        }
    }

    #[test]
    fn what_names_no_server_is_told() {
        use Protocol::{Imap, Smtp};
        case("mail.example.org", Smtp, Err("`mail.example.org` is not a URL such as smtps://user@host"));
        case("ftp://h", Smtp, Err("`ftp` is not supported for this server; use smtps, smtp or smtp+plain"));
        case("smtps://h", Imap, Err("`smtps` is not supported for this server; use imaps, imap or imap+plain"));
        case("smtps://mail.example.org:x", Smtp, Err("what follows the host, behind `:`, is not a port"));
        case("smtps://", Smtp, Err("`smtps://` names no host"));
        case(
            "smtps://a:b@c",
            Smtp,
            Err("a password must not be part of the URL of a server, where others can read it"),
        );
        let clear = Address::read("imap+plain://a@mail.example.org", Imap).unwrap_err();
        assert_eq!(clear, NotAServer::InClear { host: "mail.example.org".to_owned() });
    }
}
