/*! The secrets of the host: `host.yaml`, beside the log, readable by nobody else.

It holds what the log commits to but must not show yet, and the addresses of the players. It is replaced as a whole,
so that a crash leaves either the old file or the new one.
*/

use crate::commit::address::SaltedAddress;
use crate::commit::chain::HostChain;
use crate::commit::signature::NotSigned;
use crate::commit::signed::{Part, SignedOn, SignedOrder};
use crate::entry::body::Signed;
use ground::disk::version;
use ground::hash::{GameId, Hash};
use ground::yaml;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use store::drawer::Drawer;
use thiserror::Error;

/// The file in the folder of a game.
pub const SECRETS: &str = "host.yaml";
/// The format that is written, and the newest that is read.
const FORMAT: u32 = 2;
/// A file of the host larger than this was not written by us.
const LIMIT: u64 = 4 * 1024 * 1024;

/// The secrets of one game.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secrets {
    pub format: u32,
    pub game: GameId,
    /// The dealer's root: every mask and every salt follows from it.
    pub root: Hash,
    /// The seed of the key that signs the host's checkpoints; old games have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_key: Option<Hash>,
    /// The key of the tokens that bind a seat to an address.
    pub token_key: Hash,
    /// The root of the chain of a host who adopted the game; if absent, the chain follows from the dealer's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopter: Option<Hash>,
    #[serde(default)]
    pub seats: Vec<SeatSecrets>,
    /// How the order books changed, the first change first.
    #[serde(default)]
    pub orders: Vec<OrderInClear>,
    /// The lines of receipts that are not all played yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LinesInClear>,
    /// The lines at which receipts stopped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<LineStopped>,
}

/// The lines of a receipt.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesInClear {
    /// The record of the receipt.
    pub receipt: u64,
    pub lines: Vec<LineInClear>,
}

/// One line of a receipt, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineInClear {
    /// Its line in the letter, if it came with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    pub text: String,
    /// Whether a mail program may have cut it in two, so that the line below may belong to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// A line at which a receipt stopped; its text is published with the secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineStopped {
    /// The record of the receipt.
    pub receipt: u64,
    pub line: u32,
    pub text: String,
}

/// What the host knows of a seat.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatSecrets {
    pub seat: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    /// Counts the tokens of the seat: a new one makes the old ones void.
    #[serde(default)]
    pub token_epoch: u32,
    /// The salt with which the log commits to the first of the addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Hash>,
}

impl SeatSecrets {
    /// The secrets of a seat whose player writes from an address, with a random salt from the operating system.
    pub fn at(seat: &str, address: &str) -> Result<SeatSecrets, getrandom::Error> {
        let (seat, addresses) = (seat.to_owned(), vec![address.to_owned()]);
        Ok(SeatSecrets { seat, addresses, token_epoch: 0, salt: Some(Hash::random()?) })
    }

    /// The salted address to which the log commits, if there is one.
    pub fn salted(&self) -> Option<SaltedAddress> {
        Some(SaltedAddress { address: self.addresses.first()?.clone(), salt: self.salt? })
    }
}

/// A standing order that a seat left, or took back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderInClear {
    /// The first record that commits to the book as it is after this change.
    pub record: u64,
    pub seat: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The number of the order that was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel: Option<u32>,
    /// The signature that came with it, published when the order is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<SignatureInClear>,
    /// The letter and its line, so that a letter interrupted by a crash does nothing twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<Hash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A signature that has come in and is not published yet, and what it signs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureInClear {
    pub on: SignedOn,
    pub part: Part,
    pub number: u32,
    pub of: u32,
    pub words: String,
    pub sig: String,
}

impl SignatureInClear {
    /// The part of a signed sentence that is kept until the sentence is said or the order books are published.
    pub fn of(order: &SignedOrder) -> SignatureInClear {
        let Signed { number, of, words, sig } = order.in_record();
        SignatureInClear { on: order.sentence.on, part: order.sentence.part, number, of, words, sig }
    }

    /// The sentence of a seat of this game, with its signature.
    pub fn order(&self, game: GameId, seat: &str) -> Result<SignedOrder, NotSigned> {
        self.in_record().order(game, seat, self.on, self.part)
    }

    /// What the record says when the sentence is said.
    pub fn in_record(&self) -> Signed {
        Signed { number: self.number, of: self.of, words: self.words.clone(), sig: self.sig.clone() }
    }
}

/// The file that keeps the secrets of a game that was handed over.
pub const HANDED_OVER: &str = "host.yaml.handed-over";

/// Whether the game in a drawer is another host's now.
pub fn is_handed_over(drawer: &Drawer) -> io::Result<bool> {
    Ok(!drawer.has(SECRETS)? && drawer.has(HANDED_OVER)?)
}

/// Why the secrets cannot be read or written.
#[derive(Debug, Error)]
pub enum SecretsError {
    #[error("{} is missing: only the host of the game, who has it, can go on with it", .file.display())]
    Missing { file: PathBuf },
    #[error("the game in {} was handed over: only the host who took it can go on with it", .folder.display())]
    HandedOver { folder: PathBuf },
    #[error("{} is there already and will not be replaced", .file.display())]
    AlreadyThere { file: PathBuf },
    #[error("{} cannot be read: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{} cannot be written: {error}; it is as it was", .file.display())]
    Write { file: PathBuf, error: io::Error },
    #[error("{} is not understood: {error}", .file.display())]
    NotUnderstood { file: PathBuf, error: String },
}

impl fmt::Debug for Secrets {
    /// Shows which game it is, but no secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Secrets").field("game", &self.game).finish_non_exhaustive()
    }
}

impl Secrets {
    /// New secrets for a game, from the random bytes of the operating system.
    pub fn random() -> Result<Secrets, getrandom::Error> {
        Ok(Secrets {
            format: FORMAT,
            game: GameId::random()?,
            root: Hash::random()?,
            host_key: Some(Hash::random()?),
            token_key: Hash::random()?,
            adopter: None,
            seats: Vec::new(),
            orders: Vec::new(),
            lines: Vec::new(),
            stopped: Vec::new(),
        })
    }

    /// The host's chain.
    pub fn host_chain(&self) -> HostChain {
        HostChain::of_root(self.game, self.adopter.as_ref().unwrap_or(&self.root))
    }

    /// Reads the secrets of the game in a folder.
    pub fn read(drawer: impl Into<Drawer>) -> Result<Secrets, SecretsError> {
        let drawer = drawer.into();
        let file = drawer.place(SECRETS);
        let mut text = String::new();
        let opened = drawer.stream(SECRETS, 0).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if is_handed_over(&drawer).unwrap_or(false) => {
                SecretsError::HandedOver { folder: drawer.path() }
            }
            io::ErrorKind::NotFound => SecretsError::Missing { file: file.clone() },
            _ => SecretsError::Read { file: file.clone(), error },
        })?;
        let read = opened.take(LIMIT).read_to_string(&mut text);
        read.map_err(|error| SecretsError::Read { file: file.clone(), error })?;
        Secrets::parse(&text, &file)
    }

    /// Reads the text of such a file; `file` is its name in messages.
    pub fn parse(text: &str, file: &Path) -> Result<Secrets, SecretsError> {
        let not_understood = |error: String| SecretsError::NotUnderstood { file: file.to_path_buf(), error };
        version::must_be_known(text, FORMAT).map_err(|newer| not_understood(newer.to_string()))?;
        yaml::read(text).map_err(|error| not_understood(error.to_string()))
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        serde_yaml::to_string(self).expect("secrets are plain values")
    }

    /// Sets the secrets of a game that was handed over aside, so that this host cannot go on with it by mistake.
    pub fn retire(&self, drawer: &Drawer) -> Result<(), SecretsError> {
        let renamed = drawer.rename(SECRETS, HANDED_OVER);
        renamed.map_err(|error| SecretsError::Write { file: drawer.place(SECRETS), error })
    }

    /// Writes the secrets of a new game into its drawer.
    pub fn create(&self, drawer: impl Into<Drawer>) -> Result<(), SecretsError> {
        let drawer = drawer.into();
        let file = drawer.place(SECRETS);
        match drawer.has(SECRETS) {
            Ok(false) => self.write(drawer),
            Ok(true) => Err(SecretsError::AlreadyThere { file }),
            Err(error) => Err(SecretsError::Read { file, error }),
        }
    }

    /// Replaces the secrets of the game in a drawer; if that fails, the old ones remain.
    pub fn write(&self, drawer: impl Into<Drawer>) -> Result<(), SecretsError> {
        let drawer = drawer.into();
        let written = drawer.replace(SECRETS, self.to_text().as_bytes());
        written.map_err(|error| SecretsError::Write { file: drawer.place(SECRETS), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut secrets = Secrets::random().unwrap();
        secrets.create(folder.path()).unwrap();
        secrets.seats.push(SeatSecrets {
            seat: "green".to_string(),
            addresses: vec!["frodo@shire.example".to_string()],
            token_epoch: 1,
            salt: Some(Hash::ZERO),
        });
        secrets.orders.push(OrderInClear {
            record: 12,
            seat: "green".to_string(),
            order: Some("when asked violent-storms say pass: \"no\"\n".to_string()),
            cancel: None,
            signed: None,
            letter: Some(Hash::ZERO),
            line: Some(3),
        });
        secrets.write(folder.path()).unwrap();
        assert_eq!(Secrets::read(folder.path()).unwrap(), secrets);
        assert!(matches!(secrets.create(folder.path()), Err(SecretsError::AlreadyThere { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_them() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        Secrets::random().unwrap().create(folder.path()).unwrap();
        let mode = std::fs::metadata(folder.path().join(SECRETS)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = Secrets::read(folder.path()).unwrap_err();
        assert!(error.to_string().contains("only the host"), "{error}");
        std::fs::write(folder.path().join(SECRETS), "format: 2\ncolour: green\n").unwrap();
        let error = Secrets::read(folder.path()).unwrap_err();
        assert!(error.to_string().contains("colour"), "{error}");
        std::fs::write(folder.path().join(SECRETS), "format: 3\ncolour: green\n").unwrap();
        let error = Secrets::read(folder.path()).unwrap_err();
        assert!(error.to_string().contains("a newer program wrote it"), "{error}");
    }

    #[test]
    fn no_secret_is_printed_by_accident() {
        let secrets = Secrets::random().unwrap();
        let printed = format!("{secrets:?}");
        assert!(!printed.contains(&secrets.root.to_string()), "{printed}");
    }
}
