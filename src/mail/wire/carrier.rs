/*! How letters go out: to a mail server, to a program, or into a folder of `.eml` files. */

use crate::draft::RETURN_FIELD;
use crate::letter::mailbox::Mailbox;
use crate::letter::{Depth, parse};
use ground::disk::place::{make_folder, replace_privately};
use std::fmt;
use std::path::{Path, PathBuf};

/// The envelope of a letter, for the carrier; it follows from the letter's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// `None` is the empty return path, `<>`.
    pub from: Option<Mailbox>,
    pub to: Mailbox,
}

impl Cover {
    /// Reads the cover from the header of one of our letters. S2, RFC 3834: an answer without a return path gets the
    /// empty one, so that no robot writes back.
    pub fn of(letter: &[u8]) -> Option<Cover> {
        let message = parse(letter, Depth::Header)?;
        let first = |address: Option<&mail_parser::Address<'_>>| {
            address.and_then(|found| found.first()).and_then(|found| found.address()).and_then(Mailbox::read)
        };
        let to = first(message.to())?;
        let from = first(message.from())?;
        let is_answer = message.header_raw("Auto-Submitted").is_some_and(|value| value.trim() == "auto-replied");
        let return_path = message.header_raw(RETURN_FIELD).and_then(Mailbox::read).filter(|path| path.is_at(&from));
        Some(Cover { from: return_path.or((!is_answer).then_some(from)), to })
    }
}

/// Why a letter was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCarried {
    /// The server defers this letter (4xx), or the connection broke: it is tried again.
    Later { reply: String },
    /// The server refuses this letter for good (5xx).
    Never { reply: String },
    /// The server fell silent or was too slow over this letter. Nothing is sent for a while; then the letter is tried
    /// again as if it had been deferred, but after the others, so that it holds up none of them.
    Silent { reply: String },
    /// No letter can be sent now: no connection, no login. It is not the fault of this letter.
    NoService { reason: String },
}

impl fmt::Display for NotCarried {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCarried::Later { reply } | NotCarried::Silent { reply } => write!(formatter, "not now: {reply}"),
            NotCarried::Never { reply } => write!(formatter, "refused: {reply}"),
            NotCarried::NoService { reason } => write!(formatter, "no letter can be sent: {reason}"),
        }
    }
}

impl std::error::Error for NotCarried {}

/// A way to send letters.
pub trait Carrier {
    /// Takes one letter, and returns what the other side said when it took it.
    ///
    /// # Errors
    /// [`NotCarried`], which says whether trying again makes sense.
    fn carry(&mut self, name: &str, cover: &Cover, letter: &[u8]) -> Result<String, NotCarried>;

    /// The mail server that takes the letters, if there is one: advice on an error depends on the provider.
    fn host(&self) -> Option<&str> {
        None
    }

    /// No letters to send for a while: the carrier may close its connection.
    fn rest(&mut self) {}
}

/// A folder in which every letter becomes a file: for hosts who send by hand, and for the tests.
#[derive(Clone, Debug)]
pub struct EmlFolder {
    folder: PathBuf,
}

impl EmlFolder {
    /// Letters go into this folder; it is made if it is missing.
    pub fn open(folder: &Path) -> std::io::Result<EmlFolder> {
        make_folder(folder)?;
        Ok(EmlFolder { folder: folder.to_owned() })
    }
}

impl Carrier for EmlFolder {
    fn carry(&mut self, name: &str, _cover: &Cover, letter: &[u8]) -> Result<String, NotCarried> {
        let path = self.folder.join(name);
        // A letter holds a hand of cards and the token of its seat: no other user of this machine may read it.
        let written = replace_privately(&self.folder, name, letter);
        written.map_err(|error| NotCarried::NoService { reason: format!("{}: {error}", path.display()) })?;
        Ok(format!("written to {}", path.display()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn x5_a_letter_written_into_a_folder_is_the_hosts_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        let cover = Cover { from: None, to: Mailbox::read("frodo@shire.example").unwrap() };
        EmlFolder::open(&folder).unwrap().carry("a.eml", &cover, b"the ring").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("a.eml"))), (0o700, 0o600));
        // Nothing half written is left beside it.
        assert_eq!(folder.read_dir().unwrap().count(), 1);
    }
}
