/*! Everything of an office in one file, while it serves: logs, secrets, books, vaults, letters out, the counter, and
the configuration, which holds no password.

Each game is looked at under its lock, briefly: what is appended to or replaced is opened there, with the length that it
has; letters, which never change, are read afterwards. The counter comes first, so that a mailbox is never believed to
be read further than the games are.
*/

use super::container::{CONFIG, GAMES, GameListed, Manifest, Packing, can_be_packed};
use crate::disk::place::about;
use crate::post::book::fault::PostError;
use crate::post::names::message_id::is_game;
use crate::post::office::COUNTER;
use crate::record::file::log::{self, LOCK, LOG, Log, LogError};
use crate::record::table::table_error::TableError;
use crate::record::value::stamp::Stamp;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files that say nothing: locks, and what can be worked out again.
const LEFT_OUT: [&str; 4] = [LOCK, "sending", "next-tick", "heartbeat"];
/// A folder of a game has folders in its folders, and these have none.
const DEPTH_MAX: usize = 4;

/// What is backed up.
pub struct Office<'a> {
    /// The folder of the games.
    pub games: &'a Path,
    /// The configuration, if there is one.
    pub config: Option<&'a Path>,
    /// How long to wait for a game at which another process is at work.
    pub patience: Duration,
}

/// A backup that was written, and what was left out of it because no backup can hold it: links, and files with names
/// that no other system would take.
pub struct Written<W> {
    pub out: W,
    pub manifest: Manifest,
    pub left_out: Vec<PathBuf>,
}

/// A file that is to be packed.
struct Item {
    path: String,
    source: PathBuf,
    /// Opened under the lock, with its length; nothing for a letter, which never changes.
    opened: Option<(File, u64)>,
}

/// Writes a backup.
///
/// # Errors
/// A file cannot be read, a game is busy for too long, or the backup cannot be written.
pub fn write<W: Write>(office: &Office<'_>, out: W, at: Stamp) -> Result<Written<W>, PostError> {
    let mut packing = Packing::begin(out, at)?;
    let mut left_out = Vec::new();
    if let Some(config) = office.config {
        let file = File::open(config).map_err(|error| about(config, &error))?;
        let bytes = file.metadata()?.len();
        packing.add(&format!("{CONFIG}/ringmail.yaml"), bytes, file)?;
    }
    for name in folders(office.games)? {
        let folder = office.games.join(&name);
        let mut items = Vec::new();
        let lock = match name == COUNTER {
            true => Locked::Folder(log::lock_within(&folder, office.patience).map_err(TableError::from)?),
            false => locked(&folder, office.patience)?,
        };
        let mut at = Place { path: format!("{GAMES}/{name}"), items: &mut items, left_out: &mut left_out };
        at.look(&folder, 0)?;
        if let (Locked::Log(log), Some(item)) = (&lock, items.iter_mut().find(|item| item.source.ends_with(LOG))) {
            // A record that a crash cut off was never told to anybody.
            item.opened.as_mut().expect("the log lies in the folder itself").1 = log.length();
        }
        let head = match &lock {
            Locked::Log(log) => Some(log.head()),
            Locked::Folder(_) => None,
        };
        drop(lock);
        if name != COUNTER {
            packing.note_game(GameListed { game: name, head });
        }
        for item in items {
            pack(&mut packing, item)?;
        }
    }
    let (out, manifest) = packing.end()?;
    Ok(Written { out, manifest, left_out })
}

/// The folders of the counter and of all games, also of those that another host has taken; the counter first.
fn folders(games: &Path) -> Result<Vec<String>, PostError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(games).map_err(|error| PostError::NoGames(about(games, &error)))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_one = name == COUNTER || is_game(&name) && entry.path().join(LOG).try_exists()?;
        if is_one && entry.path().is_dir() {
            names.push(name);
        }
    }
    // A dot comes before every letter and digit.
    names.sort();
    Ok(names)
}

/// A game that nobody else works on.
enum Locked {
    Log(Box<Log>),
    /// Its log is damaged, or of another program: it is kept as it is.
    Folder(#[allow(dead_code)] log::Lock),
}

fn locked(folder: &Path, patience: Duration) -> Result<Locked, PostError> {
    match Log::open_within(folder, patience) {
        Ok(log) => Ok(Locked::Log(Box::new(log))),
        Err(error @ (LogError::Busy { .. } | LogError::Read { .. } | LogError::Write { .. })) => {
            Err(TableError::from(error).into())
        }
        Err(_) => Ok(Locked::Folder(log::lock_within(folder, patience).map_err(TableError::from)?)),
    }
}

/// A folder that is looked through: where it lies in the backup, and what was found.
struct Place<'a> {
    path: String,
    items: &'a mut Vec<Item>,
    left_out: &'a mut Vec<PathBuf>,
}

impl Place<'_> {
    fn look(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        let entries = fs::read_dir(folder).map_err(|error| about(folder, &error))?;
        let mut found = entries.collect::<Result<Vec<_>, _>>().map_err(|error| about(folder, &error))?;
        found.sort_by_key(fs::DirEntry::file_name);
        for entry in found {
            let (source, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name().to_str().map(str::to_owned);
            // What a crash left half written begins with a dot.
            let is_ours = |name: &String| !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str());
            let Some(name) = name else {
                self.left_out.push(source);
                continue;
            };
            let path = format!("{}/{name}", self.path);
            if !is_ours(&name) {
                continue;
            }
            if kind.is_dir() && depth < DEPTH_MAX {
                let mut below = Place { path, items: self.items, left_out: self.left_out };
                below.look(&source, depth + 1)?;
            } else if kind.is_file() && can_be_packed(&path) {
                let opened = match depth {
                    0 => Some(opened(&source)?),
                    _ => None,
                };
                self.items.push(Item { path, source, opened });
            } else {
                self.left_out.push(source);
            }
        }
        Ok(())
    }
}

fn opened(source: &Path) -> io::Result<(File, u64)> {
    let file = File::open(source).map_err(|error| about(source, &error))?;
    let bytes = file.metadata().map_err(|error| about(source, &error))?.len();
    Ok((file, bytes))
}

fn pack<W: Write>(packing: &mut Packing<W>, item: Item) -> io::Result<()> {
    let (file, bytes) = match item.opened {
        Some(opened) => opened,
        None => match opened_later(&item.source)? {
            Some(opened) => opened,
            None => return Ok(()),
        },
    };
    packing.add(&item.path, bytes, file).map_err(|error| about(&item.source, &error))
}

/// A letter, which may have been sent since its folder was read, and lies on another shelf now; nothing if it was
/// removed on purpose.
fn opened_later(source: &Path) -> io::Result<Option<(File, u64)>> {
    let name = source.file_name().unwrap_or_default();
    let game = source.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let shelves = [source.to_owned(), game.join("sent").join(name), game.join("dead").join(name)];
    for place in &shelves {
        match opened(place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            found => return found.map(Some),
        }
    }
    Ok(None)
}
