/*! The store of an office in a database, as the configuration names it (`store`). Its password and the key of the
office are kept elsewhere, like all secrets.

The key encrypts everything in the database but the logs: somebody who looks into the database, or finds a copy of it,
can read no hand, no address and no letter. All machines of the office have the same key.
*/

use super::config_error::ConfigError;
#[cfg(feature = "postgres")]
use database::Postgres;
use ground::disk::place::{about, open_for_reading, replace_privately};
use ground::hash::Hash;
use ground::secret::Source;
use serde::Deserialize;
use std::io::{self, Read};
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
#[cfg(feature = "postgres")]
use std::sync::Arc;
use std::time::Duration;
use store::Store;

/// The default file of the key, beside the configuration.
pub const KEY: &str = "office.key";
/// The default name of the office in the database.
const OFFICE: &str = "ringmail";
/// The default lease: a worker that is silent for this long is dead, or as good as dead.
const LEASE: Duration = Duration::from_secs(30);
/// A key has 64 hexadecimal digits; this much of a file is read at most.
const KEY_MAX: u64 = 256;

/// A database, with what is needed to open it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The address, without a password.
    pub url: String,
    pub secret: Option<Source>,
    /// The name of the office: several can share one database.
    pub office: String,
    pub key: Key,
    /// How long a worker keeps a lease that it does not renew.
    pub lease: Duration,
}

/// Where the key of an office is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    File(PathBuf),
    Secret(Source),
}

/// How `store` is written: an address, or several settings.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "store: postgres://USER@HOST/DATABASE, or url, secret, office, key and lease, a line each"
)]
pub(super) enum WrittenStore {
    Url(String),
    Whole(WrittenDatabase),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenDatabase {
    url: String,
    secret: Option<serde_yaml::Value>,
    office: Option<String>,
    key: Option<serde_yaml::Value>,
    /// In seconds.
    lease: Option<NonZeroU8>,
}

impl WrittenStore {
    /// Checks the setting. `source` reads where a secret is kept.
    pub(super) fn checked(
        self,
        file: &Path,
        source: &dyn Fn(&serde_yaml::Value, &'static str) -> Result<Source, ConfigError>,
    ) -> Result<Database, ConfigError> {
        let WrittenDatabase { url, secret, office, key, lease } = match self {
            WrittenStore::Whole(written) => written,
            WrittenStore::Url(url) => WrittenDatabase { url, secret: None, office: None, key: None, lease: None },
        };
        match (url.split_once("://"), parts(&url)) {
            (Some(("postgres" | "postgresql", _)), Some((user, ..))) if user.contains(':') => {
                return Err(ConfigError::SecretInClear { file: file.to_owned(), key: "store.url" });
            }
            (Some(("postgres" | "postgresql", _)), _) => {}
            _ => return Err(ConfigError::Store { file: file.to_owned() }),
        }
        if secret.is_some() && parts(&url).is_none() {
            return Err(ConfigError::NoUser { file: file.to_owned(), key: "store.url", url });
        }
        let home = file.parent().unwrap_or(Path::new(""));
        let key = match key {
            None => Key::File(home.join(KEY)),
            Some(serde_yaml::Value::String(name)) => Key::File(home.join(name)),
            Some(written) => Key::Secret(source(&written, "store.key")?),
        };
        let secret = secret.map(|secret| source(&secret, "store.secret")).transpose()?;
        let lease = lease.map_or(LEASE, |seconds| Duration::from_secs(u64::from(seconds.get())));
        Ok(Database { url, secret, office: office.unwrap_or_else(|| OFFICE.to_owned()), key, lease })
    }
}

/// Whether the address of a database contains a password.
pub fn names_a_password(url: &str) -> bool {
    parts(url).is_some_and(|(user, ..)| user.contains(':'))
}

/// The user in an address, what comes before him, and what comes after him; `None` if it names no user.
fn parts(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let user = &rest[..rest.find('@')?];
    Some((user, &url[..scheme.len() + 3], &rest[user.len()..]))
}

/// The store in the database at an address. A worker that does not renew its leases within `lease` loses them.
#[cfg(feature = "postgres")]
fn opened(url: &str, key: &[u8; 32], office: &str, lease: Duration) -> io::Result<Store> {
    Ok(Store::at(Arc::new(Postgres::open_with(url, key, office, lease)?)))
}

#[cfg(not(feature = "postgres"))]
fn opened(_url: &str, _key: &[u8; 32], _office: &str, _lease: Duration) -> io::Result<Store> {
    let words = "this program was built without the feature `postgres`, and knows stores in folders only";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

impl Database {
    /// Opens the store. Makes its tables if there are none yet.
    ///
    /// # Errors
    /// A secret cannot be had, the database cannot be reached, or it belongs to another office. No error contains a
    /// secret.
    pub fn open(&self) -> io::Result<Store> {
        let key = self.key()?;
        let password = self.secret.as_ref().map(|secret| secret.reveal(&self.office)).transpose();
        let password = password.map_err(|why| io::Error::other(format!("store.secret: {why}")))?;
        let url = match (password, parts(&self.url)) {
            (Some(password), Some((user, before, behind))) => format!("{before}{user}:{}{behind}", escaped(&password)),
            _ => self.url.clone(),
        };
        opened(&url, &key.0, &self.office, self.lease)
    }

    /// Makes a key for the office if there is none. Returns its file if it made one.
    pub fn make_key(&self) -> io::Result<Option<&Path>> {
        let Key::File(file) = &self.key else { return Ok(None) };
        if file.exists() {
            return Ok(None);
        }
        let key = Hash::random().map_err(|error| io::Error::other(error.to_string()))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = file.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidInput)?;
        replace_privately(folder, name, format!("{key}\n").as_bytes()).map_err(|error| about(file, &error))?;
        Ok(Some(file))
    }

    fn key(&self) -> io::Result<Hash> {
        let mut text = String::new();
        match &self.key {
            Key::File(file) => {
                let read = open_for_reading(file).and_then(|opened| opened.take(KEY_MAX).read_to_string(&mut text));
                read.map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => {
                        let words = format!(
                            "the key of the office is missing: {}. Copy it from the machine on which the office was \
                             set up, or from a safe place; only a new office is given one, by `ringmail init --store`",
                            file.display()
                        );
                        io::Error::new(io::ErrorKind::NotFound, words)
                    }
                    _ => about(file, &error),
                })?;
            }
            Key::Secret(source) => {
                let revealed = source.reveal(&self.office);
                text = revealed.map_err(|why| io::Error::other(format!("store.key: {why}")))?;
            }
        }
        Hash::parse(text.trim()).ok_or_else(|| {
            let words =
                "store.key: the key of an office has 64 hexadecimal digits, as `ringmail init --store` makes it";
            io::Error::new(io::ErrorKind::InvalidData, words)
        })
    }
}

/// A password, escaped for an address.
fn escaped(password: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    password.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Result<Database, ConfigError> {
        let written: WrittenStore = serde_yaml::from_str(written).unwrap();
        written.checked(Path::new("/etc/ringmail.yaml"), &|_, _| Ok(Source::Environment("X".to_owned())))
    }

    #[test]
    fn an_address_alone_is_enough() {
        let database = read("postgres://ringmail@db.example/games").unwrap();
        assert_eq!((database.office.as_str(), database.secret), ("ringmail", None));
        assert_eq!(database.key, Key::File(PathBuf::from("/etc/office.key")));
    }

    #[test]
    fn a_password_in_the_address_is_refused_and_not_shown() {
        let error = read("postgres://ringmail:mellon@db.example/games").unwrap_err().to_string();
        assert!(error.contains("store.url: this file holds no secrets") && !error.contains("mellon"), "{error}");
        let error = read("postgres://ringmail:mel/lon@db.example/games").unwrap_err();
        assert!(matches!(error, ConfigError::SecretInClear { .. }), "{error}");
        let error = read("postgres://ringmail:mel?lon=3@db.example/games").unwrap_err();
        assert!(matches!(error, ConfigError::SecretInClear { .. }), "{error}");
        assert!(matches!(read("mysql://ringmail@db.example/games"), Err(ConfigError::Store { .. })));
        let error = read("{ url: \"postgres://db.example/games\", secret: { environment: X } }").unwrap_err();
        assert!(matches!(error, ConfigError::NoUser { .. }), "{error}");
    }

    #[test]
    fn a_lease_is_named_in_seconds() {
        let lease = |written: &str| read(written).unwrap().lease.as_secs();
        assert_eq!(lease("postgres://ringmail@db.example/games"), 30);
        assert_eq!(lease("{ url: \"postgres://ringmail@db.example/games\", lease: 5 }"), 5);
        let none = "{ url: \"postgres://ringmail@db.example/games\", lease: 0 }";
        assert!(serde_yaml::from_str::<WrittenStore>(none).is_err());
    }

    #[test]
    fn a_password_is_put_behind_its_user() {
        let (user, before, behind) = parts("postgres://ringmail@db.example/games?sslmode=require").unwrap();
        assert_eq!((user, before, behind), ("ringmail", "postgres://", "@db.example/games?sslmode=require"));
        assert_eq!(escaped("a:b@c/ö"), "a%3Ab%40c%2F%C3%B6");
        assert_eq!(parts("postgres://db.example/games"), None);
    }
}
