/*! Letters of games that are over, removed by age. The log stays whole, and so does the book, which notes the
removal: if a letter comes once more, its hash is known.

What evidence may need stays unless the host asks for its removal by name: letters that give a record its class, by a
signature or because they came back from a registered address; the keys and addresses that belong to them; and every
letter of a game in which somebody has objected to an entry.
*/

use crate::book::fault::PostError;
use crate::book::vault::{ADDRESSES, KEYS, MAIL};
use crate::book::{Book, Event};
use engine::title::Titles;
use ground::files::{DEAD, SENT};
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use record::entry::body::{Auth, Kind};
use record::file::log::Log;
use record::file::reading::read_through;
use record::fold::Phase;
use record::table::table_error::TableError;
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;
use store::drawer::Drawer;
use store::home;

/// What to remove.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How long ago the last record of a game must have been written.
    pub older_than: Span,
    /// Whether to remove also what evidence may need.
    pub evidence: bool,
    /// Removes nothing, and only finds out what would go.
    pub is_tried: bool,
    pub now: Stamp,
    /// How long to wait for a game at which another process is at work.
    pub patience: Duration,
}

/// What was removed of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Letters that came in, and letters that went out.
    pub letters_in: usize,
    pub letters_out: usize,
    pub bytes: u64,
    /// Letters that stay because evidence may need them.
    pub kept: usize,
}

/// Why nothing of a game is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    NotOver,
    /// Its last record was written at this time.
    Young(Stamp),
}

/// What the log says about letters.
#[derive(Default)]
struct Evidence {
    letters: BTreeSet<Hash>,
    is_disputed: bool,
    has_signed: bool,
}

/// Removes letters of the game in a drawer.
///
/// # Errors
/// If a file cannot be removed, the book already counts all of them as removed.
pub fn prune(drawer: &Drawer, titles: Titles, wanted: &Wanted) -> Result<Result<Pruned, Stays>, PostError> {
    let log = Log::open_within(drawer, wanted.patience).map_err(TableError::from)?;
    let mut evidence = Evidence::default();
    let records = log.records().map_err(TableError::from)?;
    let fold = read_through(records, titles, None, |followed| {
        let via = followed.entry.via.as_ref();
        let auth = via.and_then(|via| via.auth);
        evidence.is_disputed |= followed.entry.kind() == Kind::Dispute;
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
    let mut book = Book::open(drawer)?;
    let (gone, pruned) = found(drawer, &book, &evidence, wanted)?;
    if !gone.is_empty() && !wanted.is_tried {
        let (at, evidence) = (wanted.now.to_string(), wanted.evidence);
        let (letters_in, letters_out) = (pruned.letters_in, pruned.letters_out);
        book.append(Event::Pruned { at, letters_in, letters_out, evidence })?;
        for file in &gone {
            drawer.remove(file)?;
        }
    }
    Ok(Ok(pruned))
}

/// The files to remove, and how many they are.
fn found(
    drawer: &Drawer,
    book: &Book,
    evidence: &Evidence,
    wanted: &Wanted,
) -> Result<(Vec<String>, Pruned), PostError> {
    let (mut gone, mut pruned) = (Vec::new(), Pruned::default());
    let keeps_all = evidence.is_disputed && !wanted.evidence;
    for (file, bytes) in files(drawer, MAIL)? {
        let hash = hash_of(&file);
        // An unfinished letter is begun again from this file.
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
    for shelf in [SENT, DEAD] {
        for (file, bytes) in files(drawer, shelf)? {
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
        for place in [KEYS, ADDRESSES] {
            for (file, bytes) in files(drawer, place)? {
                pruned.bytes += bytes;
                gone.push(file);
            }
        }
    }
    Ok((gone, pruned))
}

/// The files of a folder, with their lengths; empty if there is no folder.
pub(super) fn files(drawer: &Drawer, folder: &str) -> io::Result<Vec<(String, u64)>> {
    let found = drawer.list(folder)?.into_iter().filter(|found| found.kind == home::FileKind::File);
    Ok(found.map(|found| (format!("{folder}/{}", found.name), found.length)).collect())
}

/// The hash of the letter that lies in a file of the vault.
pub(super) fn hash_of(file: &str) -> Option<Hash> {
    Hash::parse(file.rsplit_once('/')?.1.split('.').next()?)
}
