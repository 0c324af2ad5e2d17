/*! What a home of a store must be able to do, and what it promises.

A file is named by its drawer and its name in it (`log.yaml`, `outbox/a@host.eml`). When a function that writes
returns, what it wrote survives a power failure. A function that fails has changed nothing, unless it says otherwise.
A file is replaced as a whole: a reader sees the old one or the new one. A write under a lock that was lost meanwhile
is refused.

Errors are those of the system, with the file concerned: `NotFound` says that there is no such file, `AlreadyExists`
that there is one, `WouldBlock` that somebody else holds the lock. A home that cannot be reached gives none of these.
*/

use ground::disk::space::Space;
use jiff::Timestamp;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a file looked when it was last read: enough to tell that it has changed since, without reading it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub length: u64,
    pub changed: Timestamp,
    /// Which file it is, and values that every change of any kind alters and nobody can set back.
    pub identity: [i64; 3],
}

/// A file that was found in a folder of a drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub name: String,
    pub length: u64,
    pub changed: Timestamp,
    pub kind: FileKind,
}

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    /// Something that no home of ours makes, such as a link, a pipe or a device: it is never read.
    Foreign,
}

/// What a survey finds in one drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    pub drawer: String,
    /// The text of the short file; `None` if there is none, or it cannot be read.
    pub note: Option<String>,
    /// How long the two files are; `None` for one that is missing.
    pub lengths: [Option<u64>; 2],
}

/// Whether files that are put into a folder must survive a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    Synced,
    /// They can be made again.
    Loose,
}

/// A file that is appended to.
pub trait Appender: fmt::Debug + Send {
    /// Adds bytes at the end, in one write if the system allows. After an error some of them may be there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when what was appended would survive a power failure.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file to this length.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// The bytes in the file.
    fn length(&self) -> io::Result<u64>;
}

/// How a file is opened to be appended to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// It must not be there yet, and it is no secret.
    Openly,
    /// It must be there.
    There,
    /// If it is not there, it is made, for its owner only.
    Privately,
}

/// A lock or lease that lasts until it is dropped.
pub trait Hold: fmt::Debug + Send {}

/// A lock of a drawer, held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    _hold: Box<dyn Hold>,
}

impl Lock {
    /// A lock that lasts as long as `hold`.
    pub fn of(hold: impl Hold + 'static) -> Lock {
        Lock { _hold: Box::new(hold) }
    }
}

/// A home of a store. The errors of all its functions are described above.
pub trait Home: fmt::Debug + Send + Sync {
    /// The place of a file, to be shown to people. If `drawer` is empty, the place of the store; if `file` is empty,
    /// that of the drawer.
    fn place(&self, drawer: &str, file: &str) -> PathBuf;
    /// The folder in which the store lies, if it lies in one.
    fn folder(&self) -> Option<&Path>;

    /// The bytes of a file.
    fn read(&self, drawer: &str, file: &str) -> io::Result<Vec<u8>>;
    /// The bytes of a file from `start` on, as a stream: what is read does not change under the reader, but more may
    /// be appended.
    fn stream(&self, drawer: &str, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>>;
    /// How a file looks now.
    fn look(&self, drawer: &str, file: &str) -> io::Result<Seen>;
    /// Which of these files of a drawer are there, by their places in the list.
    fn which(&self, drawer: &str, files: &[String]) -> io::Result<Vec<usize>>;
    /// What is in a folder of a drawer, in the order of the names; in the drawer itself, if `folder` is empty. Empty
    /// if there is no such folder. What a crash left half written is left out.
    fn list(&self, drawer: &str, folder: &str) -> io::Result<Vec<Found>>;

    /// Makes a folder of a drawer, if a home needs that before files can be put into it. A folder that exists stays.
    fn make_folder(&self, drawer: &str, folder: &str) -> io::Result<()>;
    /// Puts files into a folder of a drawer, each replacing an older one. If that fails, some may have been written.
    fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()>;
    /// Writes a file that must not be there yet.
    fn create(&self, drawer: &str, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Moves a file within its drawer, replacing an older one of that name.
    fn rename(&self, drawer: &str, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file. One that is not there is no error.
    fn remove(&self, drawer: &str, file: &str) -> io::Result<()>;
    /// Removes a folder with everything in it. One that is not there is no error.
    fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()>;
    /// Opens a file to append to it.
    fn appender(&self, drawer: &str, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>>;
    /// Takes the lock `word` of a drawer, and waits up to `patience` while somebody else holds it.
    fn lock(&self, drawer: &str, word: &str, patience: Duration) -> io::Result<Lock>;

    /// Whether a drawer is there, empty or not.
    fn has_drawer(&self, drawer: &str) -> io::Result<bool>;
    /// Makes a drawer. One that is there stays as it is.
    fn make_drawer(&self, drawer: &str) -> io::Result<()>;
    /// Takes over a folder on a disk as a new drawer; if `drawer` is empty, as all drawers of a store that is empty,
    /// without a drawer and without a letter in. All of it is taken over, or nothing.
    fn move_in(&self, from: &Path, drawer: &str) -> io::Result<()>;
    /// As [`super::Store::drawers`].
    fn drawers(&self) -> io::Result<Vec<String>>;
    /// As [`super::Store::drawers_with`].
    fn drawers_with(&self, file: &str) -> io::Result<Vec<String>>;
    /// As [`super::Store::survey`].
    fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>>;
    /// As [`super::Store::everywhere`].
    fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>>;
    /// The room that is left; `None` if the home cannot know it.
    fn space(&self) -> io::Result<Option<Space>>;
    /// What several workers of one office share; `None` where one process does all the work.
    fn shared(&self) -> Option<&dyn Shared>;
}

/// A letter that came in and has not been received by a worker yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterWaiting {
    /// The source and what it calls the letter, for messages.
    pub name: String,
    pub raw: Vec<u8>,
    /// Whether it may have lain at its source for long.
    pub is_old: bool,
    /// The game that it names, if it names one: letters of one game are received in their order, one at a time.
    pub game: Option<String>,
}

/// A letter that a worker has taken from the queue, for a while: if the worker does not report what became of it,
/// another one takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterTaken {
    pub id: i64,
    pub letter: LetterWaiting,
    /// How often it was taken before without such a report.
    pub tries: u32,
}

/// How full the queue in is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueIn {
    pub waiting: u64,
    /// When the oldest of them came.
    pub oldest: Option<Timestamp>,
}

/// Why a watcher of a shared store is woken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Woken {
    /// A letter has come in.
    LetterIn,
    /// A letter waits in the outbox of this drawer.
    LetterOut(String),
    /// Something may have been missed: the connection was gone.
    Anything,
}

/// What a shared store says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footing {
    /// The number of standbys that copy the database, and whether a commit waits for one of them.
    pub standbys: u64,
    pub is_synchronous: bool,
    /// Whether a pooler stands in between: workers are not woken, and look for letters once a second.
    pub is_pooled: bool,
}

/// What the workers of one office share, on any number of machines. Only a database has it.
pub trait Shared: fmt::Debug + Send + Sync {
    /// Puts a letter into the queue, unless one with the same bytes is in it.
    fn hand_in(&self, letter: &LetterWaiting) -> io::Result<()>;
    /// Takes the letter that has waited longest, except letters that are taken or put off, and letters behind another
    /// one of their game.
    fn take(&self) -> io::Result<Option<LetterTaken>>;
    /// A letter was received: it leaves the queue.
    fn received(&self, id: i64) -> io::Result<()>;
    /// Puts a letter off that cannot be received now. Letters of its game that came later wait behind it.
    fn put_off(&self, id: i64, wait: Duration) -> io::Result<()>;
    /// Puts a letter off behind all others, those of its game too.
    fn put_behind(&self, id: i64, wait: Duration) -> io::Result<()>;
    /// How full the queue is.
    fn queue_in(&self) -> io::Result<QueueIn>;
    /// On what the store stands; `None` if it does not say.
    fn footing(&self) -> io::Result<Option<Footing>>;
    /// Calls `wake` from a separate thread whenever this worker or another one has put a letter there. If the
    /// database cannot notify, calls it with [`Woken::Anything`] from time to time.
    fn watch(&self, wake: Box<dyn Fn(Woken) + Send>) -> io::Result<()>;
}
