/*! The address of a database, `postgres://user:password@host/database?sslmode=require`, and the part of it that may
be shown.

It reads two things that the crate `postgres` does not: `sslrootcert=FILE`, the certificates that are trusted, and the
modes `verify-ca` and `verify-full`, which mean what `require` means here.
*/

use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// The longest time to connect to a database, unless its address sets another.
const CONNECTING: Duration = Duration::from_secs(5);
/// A connection is given up after this time without an answer from the other machine.
const SILENT: Duration = Duration::from_secs(20);
/// The usual port of PostgreSQL, which is not shown.
const PORT: u16 = 5432;

/// Where a database is, and who we are there.
#[derive(Clone)]
pub(super) struct Address {
    pub config: Config,
    /// The certificates that are trusted, if not those of the public authorities.
    pub roots: Option<PathBuf>,
    /// Without user and password.
    pub shown: String,
}

impl Address {
    /// Reads the address. An error does not quote it, because it may contain a password.
    pub(super) fn read(url: &str) -> io::Result<Address> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut roots, mut kept) = (None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslrootcert", file)) => roots = Some(PathBuf::from(plain(file)?)),
                Some(("sslmode", "verify-ca" | "verify-full")) => kept.push("sslmode=require"),
                _ => kept.push(pair),
            }
        }
        let known = format!("{base}?{}", kept.join("&"));
        let is_url = base.starts_with("postgres://") || base.starts_with("postgresql://");
        let mut config: Config = known.parse().ok().filter(|_| is_url).ok_or_else(unread)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTING);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENT).keepalives_idle(SILENT);
        }
        if config.get_application_name().is_none() {
            config.application_name("ringmail");
        }
        let shown = shown(&config).ok_or_else(unread)?;
        Ok(Address { config, roots, shown })
    }

    /// Whether the other side must show a certificate that is trusted. With `prefer` the connection is protected only
    /// from those who listen, as everywhere.
    pub(super) fn is_verified(&self) -> bool {
        self.config.get_ssl_mode() == SslMode::Require || self.roots.is_some()
    }
}

fn unread() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "the address of the database cannot be read: it must be like postgres://user:password@host/database, with \
         sslmode=disable, prefer or require behind a question mark; write other characters than letters and digits of \
         a password as in %40",
    )
}

/// Host and database, for people.
fn shown(config: &Config) -> Option<String> {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(_) => "localhost".to_owned(),
    });
    let ports = config.get_ports();
    let with_port = |(place, host): (usize, String)| match ports.get(place).or(ports.first()) {
        Some(port) if *port != PORT => format!("{host}:{port}"),
        _ => host,
    };
    let hosts: Vec<String> = hosts.enumerate().map(with_port).collect();
    let database = config.get_dbname().or(config.get_user())?;
    (!hosts.is_empty()).then(|| format!("postgres://{}/{database}", hosts.join(",")))
}

/// Decodes the percent signs of a value.
fn plain(value: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).map_err(|_| unread())?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| unread())?);
                rest = after;
            }
            (byte, after) => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| unread())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_user_and_password() {
        let read = |url: &str| Address::read(url).unwrap();
        let address = read("postgres://frodo:mellon@db.example/games");
        assert_eq!((address.shown.as_str(), address.is_verified()), ("postgres://db.example/games", false));
        let address = read("postgresql://frodo:mellon@one:5433,two:5434/games?sslmode=verify-full");
        assert_eq!((address.shown.as_str(), address.is_verified()), ("postgres://one:5433,two:5434/games", true));
        let address = read("postgres://frodo@one/?sslrootcert=/etc/our%20ca.pem&sslmode=require");
        assert_eq!(address.shown, "postgres://one/frodo");
        assert_eq!(address.roots, Some(PathBuf::from("/etc/our ca.pem")));
        // Up to the first `@` stand the user and his password, whatever is in it.
        assert_eq!(read("postgres://frodo:mel/lon@db.example/games").shown, "postgres://db.example/games");
        assert_eq!(read("postgres://frodo:mel?lon=3@db.example/games").shown, "postgres://db.example/games");
    }

    #[test]
    fn what_is_wrong_with_an_address_does_not_tell_the_password() {
        for url in [
            "postgres://frodo:mellon@db.example/games?sslmode=sometimes",
            "postgres:frodo:mellon",
            "host=db.example password=mellon",
            "mysql://frodo:mellon@db.example/games",
        ] {
            let Err(error) = Address::read(url) else { panic!("{url} was read") };
            assert!(!error.to_string().contains("lon"), "{error}");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }
}
