/*! Letters of games that are over, removed by age. The log stays whole, and so does the book, which says what was
removed: a letter that comes once more is known by its hash.

What evidence may need stays until it is asked for by name: letters on whose signature, or on whose coming back from a
registered address, the class of a record rests; the keys and addresses that belong to them; and every letter of a game
in which somebody has objected to an entry.
*/

use crate::disk::mishap;
use crate::disk::place::{about, sync_folder};
use crate::post::book::fault::PostError;
use crate::post::book::vault::{ADDRESSES, VAULT};
use crate::post::book::{Book, Event};
use crate::record::charter::plan::Titles;
use crate::record::entry::body::{Auth, Kind};
use crate::record::file::log::Log;
use crate::record::file::reading::read_through;
use crate::record::fold::Phase;
use crate::record::table::table_error::TableError;
use crate::record::value::hash::Hash;
use crate::record::value::span::Span;
use crate::record::value::stamp::Stamp;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// What is removed.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How long ago the last record of a game must have been written.
    pub older_than: Span,
    /// Also what evidence may need.
    pub evidence: bool,
    /// Nothing is removed: it is only found out what would be.
    pub is_tried: bool,
    pub now: Stamp,
    /// How long to wait for a game at which another process is at work.
    pub patience: Duration,
}

/// What was removed from the folder of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Letters that came in, and letters that went out.
    pub letters_in: usize,
    pub letters_out: usize,
    pub bytes: u64,
    /// Letters that stay because evidence may need them.
    pub kept: usize,
}

/// Why nothing is removed from the folder of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    NotOver,
    /// Its last record is of this time.
    Young(Stamp),
}

/// What the log says about letters.
#[derive(Default)]
struct Evidence {
    letters: BTreeSet<Hash>,
    is_disputed: bool,
    has_signed: bool,
}

/// Removes letters of the game in a folder.
///
/// # Errors
/// The game is busy, or something cannot be read or removed; what was removed until then is told in the book.
pub fn prune(folder: &Path, titles: Titles, wanted: &Wanted) -> Result<Result<Pruned, Stays>, PostError> {
    let log = Log::open_within(folder, wanted.patience).map_err(TableError::from)?;
    let mut evidence = Evidence::default();
    let records = log.records().map_err(TableError::from)?;
    let fold = read_through(records, titles, None, |step| {
        let via = step.entry.via.as_ref();
        let auth = via.and_then(|via| via.auth);
        evidence.is_disputed |= step.entry.kind() == Kind::Dispute;
        evidence.has_signed |= auth == Some(Auth::Dkim);
        if let Some(raw) = via.and_then(|via| via.raw).filter(|_| auth >= Some(Auth::Confirmed)) {
            evidence.letters.insert(raw);
        }
        ControlFlow::Continue(())
    });
    let fold = fold.map_err(TableError::from)?;
    if fold.phase() != Phase::Ended {
        return Ok(Err(Stays::NotOver));
    }
    if wanted.now.earlier(wanted.older_than) < fold.at() {
        return Ok(Err(Stays::Young(fold.at())));
    }
    let mut book = Book::open(folder)?;
    let (gone, pruned) = found(folder, &book, &evidence, wanted)?;
    if !gone.is_empty() && !wanted.is_tried {
        let (at, evidence) = (wanted.now.to_string(), wanted.evidence);
        let (letters_in, letters_out) = (pruned.letters_in, pruned.letters_out);
        book.append(Event::Pruned { at, letters_in, letters_out, evidence })?;
        let folders: BTreeSet<&Path> = gone.iter().filter_map(|file| file.parent()).collect();
        for file in &gone {
            remove(file)?;
        }
        folders.into_iter().try_for_each(|folder| sync_folder(folder).map_err(|error| about(folder, &error)))?;
    }
    Ok(Ok(pruned))
}

/// The files that go, and what they come to.
fn found(
    folder: &Path,
    book: &Book,
    evidence: &Evidence,
    wanted: &Wanted,
) -> Result<(Vec<PathBuf>, Pruned), PostError> {
    let (mut gone, mut pruned) = (Vec::new(), Pruned::default());
    let vault = folder.join(VAULT);
    let keeps_all = evidence.is_disputed && !wanted.evidence;
    for (file, bytes) in files(&vault.join("mail"))? {
        let hash = file.file_stem().and_then(|name| name.to_str()).and_then(Hash::parse);
        // What is not done with is taken up from here.
        let is_done = hash.and_then(|hash| book.letter_in(&hash)).is_none_or(|letter| letter.done.is_some());
        let is_evidence = keeps_all || !wanted.evidence && hash.is_some_and(|hash| evidence.letters.contains(&hash));
        if is_evidence || !is_done {
            pruned.kept += 1;
            continue;
        }
        pruned.letters_in += 1;
        pruned.bytes += bytes;
        gone.push(file);
    }
    for shelf in ["sent", "dead"] {
        for (file, bytes) in files(&folder.join(shelf))? {
            if keeps_all {
                pruned.kept += 1;
                continue;
            }
            pruned.letters_out += 1;
            pruned.bytes += bytes;
            gone.push(file);
        }
    }
    // The keys of domains and the addresses with their salts prove nothing without the letters.
    if wanted.evidence || !keeps_all && !evidence.has_signed {
        for place in ["keys", ADDRESSES] {
            for (file, bytes) in files(&vault.join(place))? {
                pruned.bytes += bytes;
                gone.push(file);
            }
        }
    }
    Ok((gone, pruned))
}

/// The files of a folder, with their lengths; none if it is not there.
pub(super) fn files(folder: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| about(folder, &error))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| about(folder, &error))?;
        let found = entry.metadata().map_err(|error| about(&entry.path(), &error))?;
        if found.is_file() {
            files.push((entry.path(), found.len()));
        }
    }
    files.sort();
    Ok(files)
}

/// Removes a file, if it is still there.
pub(super) fn remove(file: &Path) -> io::Result<()> {
    mishap::strike().map_err(|error| about(file, &error))?;
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(file, &error)),
        _ => Ok(()),
    }
}
