/*! What a home of a store must be able to do, and what it promises.

A file is named by its drawer and its name in it (`log.yaml`, `outbox/a@host.eml`). What a function that writes has
returned from would survive a power failure. One that fails has changed nothing, or what it says. A file is replaced as
a whole: a reader sees the old one or the new one. What is written under a lock that was lost meanwhile is refused.

Errors are those of the system, with the file concerned: `NotFound` says that there is no such file, `AlreadyExists`
that there is one, `WouldBlock` that somebody else holds the lock. A home that cannot be reached says none of these.
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
    /// Which file it is, and what changes with every change of any kind: nobody can set that back.
    pub identity: [i64; 3],
}

/// A file that was found in a folder of a drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub name: String,
    pub length: u64,
    pub changed: Timestamp,
    pub kind: Kind,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// Something that no home of ours makes, such as a link, a pipe or a device: nobody reads it.
    Foreign,
}

/// What is asked of a drawer among all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    pub drawer: String,
    /// The text of the short file; `None` if there is none, or it cannot be read.
    pub note: Option<String>,
    /// How long the two files are; `None` where one is not there.
    pub lengths: [Option<u64>; 2],
}

/// When files that are put into a folder must survive a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    Synced,
    /// They can be made again.
    Loose,
}

/// A file that is appended to.
pub trait Appender: fmt::Debug + Send {
    /// Adds bytes at the end, in one write if the system allows.
    ///
    /// # Errors
    /// Some or all bytes could not be written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when what was appended would survive a power failure.
    ///
    /// # Errors
    /// It may be lost.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file off.
    ///
    /// # Errors
    /// It keeps its length.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// The bytes in the file.
    ///
    /// # Errors
    /// The system does not say.
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

/// Something that is held until it is dropped.
pub trait Hold: fmt::Debug + Send {}

/// A lock of a drawer, held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    _hold: Box<dyn Hold>,
}

impl Lock {
    /// The lock that this holds.
    pub fn of(hold: impl Hold + 'static) -> Lock {
        Lock { _hold: Box::new(hold) }
    }
}

/// A home of a store. Its errors are described above; what is said here is said once for all of them.
#[expect(clippy::missing_errors_doc, reason = "the errors of all functions are the same, and stand above")]
pub trait Home: fmt::Debug + Send + Sync {
    /// Where a file is, for people. Without a drawer, where the store is; without a file, where the drawer is.
    fn place(&self, drawer: &str, file: &str) -> PathBuf;
    /// The folder in which the store lies, if it lies in one.
    fn folder(&self) -> Option<&Path>;

    /// The bytes of a file.
    fn read(&self, drawer: &str, file: &str) -> io::Result<Vec<u8>>;
    /// The bytes of a file from `start` on, bit by bit: what is read does not change under the reader, but more may be
    /// appended.
    fn stream(&self, drawer: &str, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>>;
    /// How a file looks now.
    fn look(&self, drawer: &str, file: &str) -> io::Result<Seen>;
    /// What is in a folder of a drawer, in the order of the names; in the drawer itself, if the name is empty. Nothing
    /// if there is no such folder. What a crash left half written is left out.
    fn list(&self, drawer: &str, folder: &str) -> io::Result<Vec<Found>>;

    /// Makes a folder of a drawer, if a home needs that before files can be put into it. One that is there stays.
    fn make_folder(&self, drawer: &str, folder: &str) -> io::Result<()>;
    /// Puts files into a folder of a drawer, each over an older one of its name. If it fails, some may be there.
    fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()>;
    /// Writes a file that must not be there yet.
    fn create(&self, drawer: &str, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Moves a file within its drawer, over an older one of that name.
    fn rename(&self, drawer: &str, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file. One that is not there is no error.
    fn remove(&self, drawer: &str, file: &str) -> io::Result<()>;
    /// Removes a folder with everything in it. One that is not there is no error.
    fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()>;
    /// Opens a file to append to it.
    fn appender(&self, drawer: &str, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>>;
    /// Locks a drawer by a word, and waits for so long while somebody else holds that lock.
    fn lock(&self, drawer: &str, word: &str, patience: Duration) -> io::Result<Lock>;

    /// Whether a drawer is there, empty or not.
    fn has_drawer(&self, drawer: &str) -> io::Result<bool>;
    /// Makes a drawer. One that is there stays as it is.
    fn make_drawer(&self, drawer: &str) -> io::Result<()>;
    /// Takes over what lies in a folder on a disk, as a drawer that is not there yet; without a drawer, as all drawers
    /// of a store in which nothing is, neither a drawer nor a letter that came in. It is there as a whole or not at
    /// all.
    fn move_in(&self, from: &Path, drawer: &str) -> io::Result<()>;
    /// As [`super::Store::drawers`].
    fn drawers(&self) -> io::Result<Vec<String>>;
    /// As [`super::Store::drawers_with`].
    fn drawers_with(&self, file: &str) -> io::Result<Vec<String>>;
    /// As [`super::Store::survey`].
    fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>>;
    /// As [`super::Store::everywhere`].
    fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>>;
    /// The room that is left; `None` where it is not ours to know.
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

/// A letter that a worker has taken out of the queue, for a while: if it does not say what became of it, another worker
/// takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterTaken {
    pub id: i64,
    pub letter: LetterWaiting,
    /// How often it was taken before, and nobody said what became of it.
    pub tries: u32,
}

/// How full the queue of letters is that came in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueIn {
    pub waiting: u64,
    /// When the oldest of them came.
    pub oldest: Option<Timestamp>,
}

/// Why somebody who watches a shared store is woken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Woken {
    /// A letter has come in.
    LetterIn,
    /// A letter waits in the outbox of this drawer.
    LetterOut(String),
    /// Something may have been missed: the connection was gone.
    Anything,
}

/// What the workers of one office share, on any number of machines. Only a database has it.
#[expect(clippy::missing_errors_doc, reason = "the errors are those of a home")]
pub trait Shared: fmt::Debug + Send + Sync {
    /// Puts a letter into the queue. While one with the same bytes is in it, nothing happens.
    fn hand_in(&self, letter: &LetterWaiting) -> io::Result<()>;
    /// Takes the letter that has waited longest of those that nobody else has taken, that are not put off, and before
    /// which no other letter of their game waits.
    fn take(&self) -> io::Result<Option<LetterTaken>>;
    /// A letter was received: it leaves the queue.
    fn received(&self, id: i64) -> io::Result<()>;
    /// A letter cannot be received now: it waits for so long. Letters of its game that came later wait behind it.
    fn put_off(&self, id: i64, wait: Duration) -> io::Result<()>;
    /// How full the queue is.
    fn queue_in(&self) -> io::Result<QueueIn>;
    /// Calls `wake` from a thread of its own whenever another worker, or this one, has put something there. Where the
    /// database cannot tell, it is called with [`Woken::Anything`] from time to time.
    fn watch(&self, wake: Box<dyn Fn(Woken) + Send>) -> io::Result<()>;
}
