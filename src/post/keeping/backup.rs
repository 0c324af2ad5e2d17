/*! Everything of an office in one file, while it serves: logs, secrets, books, vaults, letters out, the counter, and
the configuration, which holds no password.

Each game is looked at under its lock, briefly: files that are appended to or replaced are opened there, and their
length noted; letters, which never change, are read afterwards. The counter comes first, so that its note of how far a
mailbox was read is never ahead of the games.
*/

use super::container::{CONFIG, GAMES, GameListed, Manifest, Packing, can_be_packed};
use crate::book::fault::PostError;
use crate::office::{self, COUNTER};
use ground::disk::place::{about, open_for_reading};
use ground::files::{LOG, NEXT_TICK};
use ground::stamp::Stamp;
use record::file::log::{self, LOCK, Log, LogError};
use record::table::table_error::TableError;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::drawer::Drawer;
use store::home::{FileKind, Lock};

/// Left out, because they say nothing: locks, what can be computed again, and how the workers of an office were.
const LEFT_OUT: [&str; 8] =
    [LOCK, "sending", "ticking.lock", "doctor.lock", NEXT_TICK, "heartbeat", "heartbeats", "ways"];
/// A folder of a game has folders in its folders, and these have none.
const DEPTH_MAX: usize = 4;

/// What is backed up.
pub struct Office<'a> {
    /// The games and the counter.
    pub office: &'a office::Office,
    /// The configuration, if there is one.
    pub config: Option<&'a Path>,
    /// How long to wait for a game at which another process is at work.
    pub patience: Duration,
}

/// A backup that was written, and what was left out of it because no backup can hold it: links, and files with names
/// that other systems would refuse.
pub struct Written<W> {
    pub out: W,
    pub manifest: Manifest,
    pub left_out: Vec<PathBuf>,
}

/// A file that is to be packed.
struct Item {
    /// Where it lies in its drawer.
    file: String,
    /// Opened under the lock, with its length; `None` for a letter, which never changes.
    opened: Option<Opened>,
}

type Opened = (Box<dyn Read + Send>, u64);

/// Writes a backup.
///
/// # Errors
/// `LogError::Busy` if another process works on a game for longer than `patience`.
pub fn write<W: Write>(office: &Office<'_>, out: W, at: Stamp) -> Result<Written<W>, PostError> {
    let mut packing = Packing::begin(out, at)?;
    let mut left_out = Vec::new();
    if let Some(config) = office.config {
        let file = open_for_reading(config).map_err(|error| about(config, &error))?;
        let bytes = file.metadata()?.len();
        packing.add(&format!("{CONFIG}/ringmail.yaml"), bytes, file)?;
    }
    // The counter first.
    for name in [COUNTER.to_owned()].into_iter().chain(office.office.all_games()?) {
        let drawer = office.office.store().drawer(&name);
        let mut items = Vec::new();
        let lock = if name == COUNTER {
            Locked::Drawer(log::lock_within(&drawer, office.patience).map_err(TableError::from)?)
        } else {
            locked(&drawer, office.patience)?
        };
        let mut looking = Looking { drawer: &drawer, name: &name, items: &mut items, left_out: &mut left_out };
        looking.look("", 0)?;
        if let (Locked::Log(log), Some(item)) = (&lock, items.iter_mut().find(|item| item.file == LOG)) {
            // Nobody was ever told of a record that a crash cut off.
            item.opened.as_mut().expect("the log lies in the drawer itself").1 = log.length();
        }
        let head = match &lock {
            Locked::Log(log) => Some(log.head()),
            Locked::Drawer(_) => None,
        };
        drop(lock);
        if name != COUNTER {
            packing.note_game(GameListed { game: name.clone(), head });
        }
        for item in items {
            pack(&mut packing, &drawer, &name, item)?;
        }
    }
    let (out, manifest) = packing.end()?;
    Ok(Written { out, manifest, left_out })
}

/// A game, locked.
enum Locked {
    Log(Box<Log>),
    /// Its log is damaged, or a newer program wrote it: the backup takes it as it is.
    Drawer(#[allow(dead_code)] Lock),
}

fn locked(drawer: &Drawer, patience: Duration) -> Result<Locked, PostError> {
    match Log::open_within(drawer, patience) {
        Ok(log) => Ok(Locked::Log(Box::new(log))),
        Err(error @ (LogError::Busy { .. } | LogError::Read { .. } | LogError::Write { .. })) => {
            Err(TableError::from(error).into())
        }
        Err(_) => Ok(Locked::Drawer(log::lock_within(drawer, patience).map_err(TableError::from)?)),
    }
}

/// A drawer that is looked through, and what was found.
struct Looking<'a> {
    drawer: &'a Drawer,
    name: &'a str,
    items: &'a mut Vec<Item>,
    left_out: &'a mut Vec<PathBuf>,
}

impl Looking<'_> {
    fn look(&mut self, folder: &str, depth: usize) -> io::Result<()> {
        for found in self.drawer.list(folder)? {
            // What a crash left half written begins with a dot.
            if found.name.starts_with('.') || LEFT_OUT.contains(&found.name.as_str()) {
                continue;
            }
            let file = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
            if found.kind == FileKind::Folder && depth < DEPTH_MAX {
                self.look(&file, depth + 1)?;
            } else if found.kind == FileKind::File && can_be_packed(&packed(self.name, &file)) {
                let opened = match depth {
                    0 => Some(opened(self.drawer, &file)?),
                    _ => None,
                };
                self.items.push(Item { file, opened });
            } else {
                self.left_out.push(self.drawer.place(&file));
            }
        }
        Ok(())
    }
}

/// The path of a drawer's file in the backup.
fn packed(drawer: &str, file: &str) -> String {
    format!("{GAMES}/{drawer}/{file}")
}

fn opened(drawer: &Drawer, file: &str) -> io::Result<Opened> {
    let length = drawer.look(file)?.length;
    Ok((drawer.stream(file, 0)?, length))
}

fn pack<W: Write>(packing: &mut Packing<W>, drawer: &Drawer, name: &str, item: Item) -> io::Result<()> {
    let (content, bytes) = match item.opened {
        Some(opened) => opened,
        None => match opened_later(drawer, &item.file)? {
            Some(opened) => opened,
            None => return Ok(()),
        },
    };
    packing.add(&packed(name, &item.file), bytes, content).map_err(|error| drawer.about(&item.file, &error))
}

/// A letter. It may have been sent since its folder was read, and lie on another shelf now. `None` if it was removed
/// on purpose.
fn opened_later(drawer: &Drawer, file: &str) -> io::Result<Option<Opened>> {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    let places = [file.to_owned(), format!("sent/{name}"), format!("dead/{name}")];
    for place in &places {
        match opened(drawer, place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            found => return found.map(Some),
        }
    }
    Ok(None)
}
