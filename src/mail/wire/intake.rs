/*! Where a letter's bytes come from: a file, standard input, any reader (I5). Nothing reads more than may be kept. */

use super::mbox::{self, Mbox};
use crate::letter::limits::Limits;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// What became of a letter, as mail programs show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    /// Seen, nothing to answer: a robot's, or a letter seen before.
    Seen,
    Answered,
    /// Flagged for the host: it could not be read or belongs to nobody.
    Flagged,
    /// Not for Ringmail, in a mailbox that is used for other mail as well: left as it was.
    Left,
}

/// When a letter came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    New,
    /// It was there before the first look, or has been looked at before: nobody waits for an answer to it.
    Old,
}

/// A letter as an intake hands it to the post office.
#[derive(Clone, Debug)]
pub struct Parcel<'a> {
    /// Its name at its source.
    pub name: String,
    pub raw: &'a [u8],
    pub arrival: Arrival,
}

/// What the post office says to a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is kept and dealt with.
    Filed(Filed),
    /// It could not be dealt with, through no fault of its own: bring it again.
    Later,
}

/// The post office, as the code that brings letters sees it.
pub type Take<'a> = dyn FnMut(&Parcel<'_>) -> Taken + 'a;

/// Reads one letter. Of a letter that is too large it reads one byte more than the limit: enough for
/// [`limits::check`](crate::letter::limits::check) to refuse it, and no more memory than that.
pub fn read(reader: impl Read, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    let most = u64::try_from(limits.letter_bytes).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(most).read_to_end(&mut raw)?;
    Ok(raw)
}

/// The letters of a file: one, or those of an mbox.
pub enum Letters {
    One(Option<Vec<u8>>),
    Mbox(Mbox<Box<dyn BufRead>>),
}

impl Letters {
    /// The next letter.
    pub fn next_letter(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Letters::One(letter) => Ok(letter.take()),
            Letters::Mbox(mbox) => mbox.next_letter(),
        }
    }

    pub fn is_mbox(&self) -> bool {
        matches!(self, Letters::Mbox(_))
    }
}

/// Opens an `.eml` file or an mbox, or standard input if the path is `-`; a pipe may bring either.
///
/// # Errors
/// They do not name the path: the caller knows it.
pub fn letters(path: &Path, limits: &Limits) -> io::Result<Letters> {
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(path)?))
    };
    if mbox::is_mbox(reader.fill_buf()?) {
        Ok(Letters::Mbox(Mbox::new(reader, limits)))
    } else {
        Ok(Letters::One(Some(read(reader, limits)?)))
    }
}
