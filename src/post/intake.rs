/*! Where a letter's bytes come from: a file, standard input, any reader (I5). Never more is read than may be kept. */

use super::limits::Limits;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What became of a letter, as mail programs show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    /// Seen, nothing to answer: a robot's, or a letter seen before.
    Seen,
    Answered,
    /// Flagged for the host: it could not be read or belongs to nobody.
    Flagged,
    /// It is none of our business, and stays as it is: the mailbox is not ours alone.
    Left,
}

/// When a letter came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    New,
    /// It lay there before we first looked, or has been looked at before: nobody waits for an answer to it.
    Old,
}

/// A letter as it is brought.
#[derive(Clone, Debug)]
pub struct Parcel<'a> {
    /// What it is called where it comes from.
    pub name: String,
    pub raw: &'a [u8],
    pub arrival: Arrival,
}

/// What the post office says to a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is kept and dealt with.
    Filed(Filed),
    /// It could not be dealt with through no fault of its own; it is to be brought again.
    Later,
}

/// The post office, as whoever brings letters sees it.
pub type Take<'a> = dyn FnMut(&Parcel<'_>) -> Taken + 'a;

/// Reads one letter. Of a letter that is too large, one byte more than the limit: enough for
/// [`limits::check`](super::limits::check) to refuse it, and no more memory than that.
///
/// # Errors
/// What the reader says.
pub fn read(reader: impl Read, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    let most = u64::try_from(limits.letter_bytes).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(most).read_to_end(&mut raw)?;
    Ok(raw)
}

/// Reads one letter from an `.eml` file, or from standard input if the path is `-`.
///
/// # Errors
/// What the system says; the caller knows the path.
pub fn read_path(path: &Path, limits: &Limits) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return read(io::stdin().lock(), limits);
    }
    read(File::open(path)?, limits)
}

/// A text that the host keeps in a file of his own, such as certificates to trust.
///
/// # Errors
/// What the system says; the caller knows the path.
pub fn read_text(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}
