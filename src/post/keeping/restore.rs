/*! An office made again from a backup, in a folder where none is.

Everything is unpacked beside that folder and put in its place at the end, after the configuration, so there is a whole
office or none. Letters
that waited to be sent are held: they may have gone out after the backup was made, and nobody should get an old letter
again. A game that is not over stops until it is known what its players have seen since ([`crate::desk::restored`]).
*/

use super::check::{self, Unsound};
use super::container::{self, CONFIG, GAMES, GameListed, Label, NotABackup};
use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::book::outgoing::note_strays;
use crate::book::{self, Book, Event};
use crate::desk::Desk;
use crate::desk::restored::{RESTORED, Restored};
use crate::office::COUNTER;
use crate::witness::handover::create_privately;
use engine::title::Titles;
use ground::disk::place::{TEXT_BYTES_MAX, about, make_folder, open_for_reading, sync_folder, within};
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use record::file::log::{self, LogError};
use record::file::secrets::is_handed_over;
use record::fold::Phase;
use record::table::table_error::TableError;
use std::collections::BTreeSet;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::{fmt, fs};
use store::Store;
use store::drawer::Drawer;
use store::home::Lock;

/// The name that a configuration has in a backup.
const CONFIG_FILE: &str = "ringmail.yaml";
/// An error names at most this many games of an office that is there already.
const NAMED_MAX: usize = 5;

/// What to restore, and where.
pub struct Wanted<'a> {
    pub backup: &'a Path,
    /// Where the games go; it must be empty.
    pub store: &'a Store,
    /// Where the configuration goes; an existing one stays.
    pub config: &'a Path,
    pub ours: &'a Mailbox,
    pub titles: Titles,
    pub at: Stamp,
}

/// An office that was restored.
#[derive(Clone, Debug)]
pub struct Again {
    pub label: Label,
    pub games: Vec<GameAgain>,
    pub unsound: Vec<Unsound>,
    /// Letters that waited to be sent and are held now.
    pub held: usize,
    pub config: Config,
}

/// A game that was put back.
#[derive(Clone, Debug)]
pub struct GameAgain {
    pub listed: GameListed,
    pub state: State,
}

/// How a restored game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing is played until it is known what its players have seen; this many are asked.
    Asks(usize),
    /// It is over.
    Over,
    /// Another host has it.
    HandedOver,
    /// Its files cannot be used as they are.
    Stuck(String),
}

/// What became of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    None,
    Written,
    /// There is one already.
    Kept,
}

/// Why no office was made.
#[derive(Debug)]
pub enum NotRestored {
    /// Something lies there already.
    NotEmpty {
        folder: PathBuf,
    },
    /// There is an office in the database already.
    OfficeThere {
        office: PathBuf,
        /// Its games.
        games: Vec<String>,
        /// Letters that wait to be played.
        waiting: u64,
    },
    /// Another process restores into the same folder.
    Busy {
        folder: PathBuf,
    },
    /// It cannot be put in its place, for example because the folder is a mount point.
    NotPlaced {
        folder: PathBuf,
        error: io::Error,
    },
    Backup(NotABackup),
    Post(PostError),
}

impl fmt::Display for NotRestored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRestored::NotEmpty { folder } => write!(
                f,
                "the folder {} is not empty, and an office is put back only where none is: name another folder with \
                 `--games`, or move what lies there away",
                folder.display()
            ),
            NotRestored::OfficeThere { office, games, waiting } => {
                let mut holds: Vec<String> = games.iter().take(NAMED_MAX).cloned().collect();
                if let more @ 1.. = games.len().saturating_sub(NAMED_MAX) {
                    holds.push(format!("more games: {more}"));
                }
                if *waiting > 0 {
                    holds.push(format!("letters that wait to be played: {waiting}"));
                }
                if holds.is_empty() {
                    holds.push("mail that belongs to no game".to_owned());
                }
                write!(
                    f,
                    "the office {} is not empty, it holds {}, and an office is put back only where none is: give it \
                     another name, `office` of `store` in the configuration",
                    office.display(),
                    holds.join(", ")
                )
            }
            NotRestored::Busy { folder } => write!(f, "another process is restoring into {}", folder.display()),
            NotRestored::NotPlaced { folder, error } => write!(
                f,
                "{} cannot be put in its place: {error}. If it is a disk of its own, name a folder below it with \
                 `--games`",
                folder.display()
            ),
            NotRestored::Backup(why) => why.fmt(f),
            NotRestored::Post(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotRestored {}

impl From<io::Error> for NotRestored {
    fn from(error: io::Error) -> NotRestored {
        NotRestored::Post(PostError::File(error))
    }
}

impl From<PostError> for NotRestored {
    fn from(error: PostError) -> NotRestored {
        NotRestored::Post(error)
    }
}

/// Restores an office from a backup. If anything fails before the games are in their place, which is the last step,
/// nothing has changed.
pub fn restore(wanted: &Wanted<'_>) -> Result<Again, NotRestored> {
    must_be_empty(wanted.store)?;
    let checked = check::check(wanted.backup, wanted.titles).map_err(NotRestored::Backup)?;
    let staging = Staging::beside(wanted.store)?;
    let mut unpacked = Unpacked::default();
    let source = open_for_reading(wanted.backup).map_err(|error| about(wanted.backup, &error))?;
    let read =
        container::read(BufReader::new(source), &mut |path, _, content| unpacked.take(&staging.folder, path, content));
    let (label, manifest) = read.map_err(NotRestored::Backup)?;
    for folder in &unpacked.folders {
        sync_folder(folder).map_err(|error| about(folder, &error))?;
    }
    let games = staging.folder.join(GAMES);
    make_folder(&games)?;
    let store = Store::from(&games);
    let counter = store.drawer(COUNTER);
    counter.make()?;
    let mut again = Again { label, games: Vec::new(), unsound: checked.unsound, held: 0, config: Config::None };
    let backup = again.label.at;
    again.held += hold(&counter, wanted.at)?;
    for listed in manifest.games {
        let drawer = store.drawer(&listed.game);
        let state = if is_handed_over(&drawer)? {
            State::HandedOver
        } else {
            match asks(&drawer, &mut again.held, wanted, backup) {
                // If a file of this machine fails, the game is not to blame.
                Err(PostError::File(error)) => return Err(error.into()),
                Err(error) => {
                    // Once somebody mends it, it must still wait for its players.
                    if let Some(head) = listed.head {
                        Restored::of(head, backup, wanted.at).note(&drawer)?;
                    }
                    State::Stuck(error.to_string())
                }
                Ok(None) => State::Over,
                Ok(Some(letters)) => State::Asks(letters),
            }
        };
        again.games.push(GameAgain { listed, state });
    }
    again.config = unpacked.put_config(wanted.config)?;
    let placed = staging.becomes(&games, wanted.store);
    // Only what is written here is taken away again, and only if there is no office that needs it.
    if placed.is_err() && again.config == Config::Written && must_be_empty(wanted.store).is_ok() {
        let _ = fs::remove_file(wanted.config);
    }
    placed.map(|()| again)
}

/// Prepares a game: holds its waiting letters, and asks its players. `None` if the game is over.
fn asks(drawer: &Drawer, held: &mut usize, wanted: &Wanted<'_>, backup: Stamp) -> Result<Option<usize>, PostError> {
    *held += hold(drawer, wanted.at)?;
    let before = Restored::read(drawer)?;
    if before.is_some() {
        drawer.remove(RESTORED)?;
    }
    let mut desk = Desk::open(drawer, wanted.ours, wanted.titles)?;
    if desk.table.fold().phase() == Phase::Ended {
        return Ok(None);
    }
    let asked = desk.ask_what_was_seen(backup, wanted.at)?;
    // It was restored once before, and its players had not been heard when the backup was made.
    if let (Some(before), Some(now)) = (before, Restored::read(drawer)?) {
        Restored { backup: before.backup, head: before.head, signed: before.signed, ..now }.note(drawer)?;
    }
    Ok(Some(asked))
}

/// Holds the waiting letters, because they may have been sent since. Returns how many.
fn hold(drawer: &Drawer, at: Stamp) -> Result<usize, PostError> {
    let (outbox, mut book) = (Outbox::open(drawer)?, Book::open(drawer)?);
    book.look_for_strays(&outbox)?;
    note_strays(&outbox, &mut book, at)?;
    let mut held = 0;
    for letter in outbox.waiting()? {
        let state = book.letter_out(&letter).map(|out| &out.state);
        if matches!(state, None | Some(book::State::Waiting | book::State::Tried { .. })) {
            book.append(Event::Held { at: at.to_string(), letter })?;
            held += 1;
        }
    }
    Ok(held)
}

fn must_be_empty(store: &Store) -> Result<(), NotRestored> {
    let Some(folder) = store.folder() else {
        let mut games = store.drawers()?;
        let waiting = store.shared().map_or(Ok(0), |shared| shared.queue_in().map(|queue| queue.waiting))?;
        if games.is_empty() && waiting == 0 {
            return Ok(());
        }
        games.retain(|game| game != COUNTER);
        return Err(NotRestored::OfficeThere { office: store.place(), games, waiting });
    };
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(NotRestored::NotEmpty { folder: folder.to_owned() })
        }
        Err(error) => Err(about(folder, &error).into()),
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(NotRestored::NotEmpty { folder: folder.to_owned() }),
        },
    }
}

/// Where a backup is unpacked: beside the folder that it becomes, or elsewhere if it becomes an office in a database.
/// It holds secrets, and is removed if it is not used.
struct Staging {
    folder: PathBuf,
    /// Keeps others from unpacking into the same folder.
    _lock: Option<Lock>,
}

impl Staging {
    fn beside(store: &Store) -> Result<Staging, NotRestored> {
        let Some(games) = store.folder() else {
            let folder = store.staging("restore")?;
            return Ok(Staging { folder, _lock: None });
        };
        let name = games.file_name().and_then(|name| name.to_str()).unwrap_or("games");
        let above = games.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = above.join(format!(".{name}.restoring"));
        make_folder(&folder).map_err(|error| about(&folder, &error))?;
        let lock = log::lock(&Drawer::from(&folder)).map_err(|error| match error {
            LogError::Busy { .. } => NotRestored::Busy { folder: store.place() },
            error => NotRestored::Post(TableError::from(error).into()),
        })?;
        // Do not trust what a crash has left.
        for part in [GAMES, CONFIG] {
            match fs::remove_dir_all(folder.join(part)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(about(&folder.join(part), &error).into());
                }
                _ => {}
            }
        }
        Ok(Staging { folder, _lock: Some(lock) })
    }

    fn becomes(&self, games: &Path, target: &Store) -> Result<(), NotRestored> {
        must_be_empty(target)?;
        let Err(error) = target.move_in(games, "") else { return Ok(()) };
        // Somebody else was quicker.
        if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty) {
            must_be_empty(target)?;
        }
        match target.folder() {
            Some(folder) => Err(NotRestored::NotPlaced { folder: folder.to_owned(), error }),
            None => Err(error.into()),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What was unpacked.
#[derive(Default)]
struct Unpacked {
    folders: BTreeSet<PathBuf>,
    config: Option<Vec<u8>>,
}

impl Unpacked {
    fn take(&mut self, staging: &Path, path: &str, content: &mut dyn Read) -> io::Result<()> {
        if path == format!("{CONFIG}/{CONFIG_FILE}") {
            let mut text = Vec::new();
            within(content, TEXT_BYTES_MAX, &mut text)?;
            self.config = Some(text);
            return Ok(());
        }
        let target = staging.join(path);
        let folder = target.parent().unwrap_or(staging);
        make_folder(folder)?;
        self.folders.extend(folder.ancestors().take_while(|above| above.starts_with(staging)).map(Path::to_owned));
        let mut file = create_privately(&target).map_err(|error| about(&target, &error))?;
        io::copy(content, &mut file)?;
        ground::disk::mishap::sync(&file)
    }

    fn put_config(&self, target: &Path) -> Result<Config, NotRestored> {
        let Some(text) = &self.config else { return Ok(Config::None) };
        match create_privately(target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Config::Kept),
            Err(error) => Err(about(target, &error).into()),
            Ok(mut file) => {
                let written = io::Write::write_all(&mut file, text).and_then(|()| ground::disk::mishap::sync(&file));
                if let Err(error) = written {
                    let _ = fs::remove_file(target);
                    return Err(about(target, &error).into());
                }
                Ok(Config::Written)
            }
        }
    }
}
