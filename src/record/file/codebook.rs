/*! A player's book of one-time codes: made and kept on his own machine, known to no host.

The book holds the tip of the seat's chain. Its anchor goes into the letter that joins; its first code into the letter
that says the seat is ready; after that one code goes with the first answer of each spell (log 7.6).
*/

use crate::commit::chain::{SEAT_CODES, SeatChain};
use ground::disk::place::replace_privately;
use ground::hash::{Code, Hash};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The secret of one seat in one game.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Codebook {
    pub format: u32,
    /// SHA-256 of the first record of the game.
    pub genesis: Hash,
    /// The number of the seat, from 1 in the order of the charter.
    pub seat: u8,
    pub codes: u32,
    pub tip: Code,
}

/// Why a book cannot be made or read.
#[derive(Debug)]
pub enum CodebookError {
    AlreadyThere { file: PathBuf },
    Read { file: PathBuf, error: io::Error },
    Write { file: PathBuf, error: io::Error },
    NotUnderstood { file: PathBuf, error: String },
    NoRandomness(getrandom::Error),
}

impl fmt::Display for CodebookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodebookError::AlreadyThere { file } => write!(
                f,
                "{} is there already. A new book would make the codes of the old one worthless, so it is not replaced.",
                file.display()
            ),
            CodebookError::Read { file, error } => write!(f, "{} cannot be read: {error}.", file.display()),
            CodebookError::Write { file, error } => write!(f, "{} cannot be written: {error}.", file.display()),
            CodebookError::NotUnderstood { file, error } => {
                write!(f, "{} is not a book of codes: {error}.", file.display())
            }
            CodebookError::NoRandomness(error) => write!(f, "The system gives no random bytes: {error}."),
        }
    }
}

impl std::error::Error for CodebookError {}

impl fmt::Debug for Codebook {
    /// Shows whose book it is, but no secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codebook").field("genesis", &self.genesis).field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl Codebook {
    /// A new book for a seat, from the random bytes of the system.
    pub fn random(genesis: Hash, seat: u8) -> Result<Codebook, CodebookError> {
        let tip = Code::random().map_err(CodebookError::NoRandomness)?;
        Ok(Codebook { format: 2, genesis, seat, codes: SEAT_CODES, tip })
    }

    /// The chain that the book holds.
    pub fn chain(&self) -> SeatChain {
        SeatChain::new(&self.genesis, self.seat, self.tip, self.codes)
    }

    /// Writes a new book, readable by its owner only.
    pub fn create(&self, file: &Path) -> Result<(), CodebookError> {
        let taken = || CodebookError::AlreadyThere { file: file.to_path_buf() };
        if file.exists() {
            return Err(taken());
        }
        let write = |error| CodebookError::Write { file: file.to_path_buf(), error };
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| write(io::Error::other("it has no name that can be written")))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let text = serde_yaml::to_string(self).expect("a book is plain values");
        replace_privately(folder, name, text.as_bytes()).map_err(write)
    }

    /// Reads a book.
    pub fn read(file: &Path) -> Result<Codebook, CodebookError> {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| CodebookError::Read { file: file.to_path_buf(), error })?;
        let not_understood = |error: String| CodebookError::NotUnderstood { file: file.to_path_buf(), error };
        let book: Codebook = serde_yaml::from_str(&text).map_err(|error| not_understood(error.to_string()))?;
        if book.seat == 0 || book.codes == 0 || book.codes > 1 << 20 {
            return Err(not_understood("seats and codes count from 1".to_string()));
        }
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_read_as_it_was_written_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("codes.yaml");
        let book = Codebook::random(Hash::ZERO, 2).unwrap();
        book.create(&file).unwrap();
        assert_eq!(Codebook::read(&file).unwrap(), book);
        assert!(matches!(book.create(&file), Err(CodebookError::AlreadyThere { .. })));
        assert!(!format!("{book:?}").contains(&book.tip.to_string()));
    }
}
