/*! Why the post book cannot be used: what a host reads when the disk is full, or somebody has written into it. */

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the book cannot be read or written.
#[derive(Debug)]
pub enum BookError {
    Read {
        file: PathBuf,
        error: io::Error,
    },
    Write {
        file: PathBuf,
        error: io::Error,
    },
    NotUnderstood {
        file: PathBuf,
        document: usize,
        error: String,
    },
    /// An earlier write failed: nobody knows what is on the disk until the book is opened again.
    FailedBefore {
        file: PathBuf,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Read { file, error } => write!(formatter, "{} cannot be read: {error}", file.display()),
            BookError::Write { file, error } => write!(formatter, "{} cannot be written: {error}", file.display()),
            BookError::NotUnderstood { file, document, error } => {
                write!(formatter, "document {document} of {} is not understood: {error}", file.display())
            }
            BookError::FailedBefore { file } => {
                write!(formatter, "{} could not be written before; open the game again", file.display())
            }
        }
    }
}

impl std::error::Error for BookError {}
