/*! The file of a game: appended to under a lock, one synced write for each record, and never rewritten.

Only the last record can be incomplete, after a crash or on a full disk, and nobody can have been told of it. The log
moves it to a separate file and reports it; anything else that is wrong is corruption, and the log refuses to go on.
*/

use super::stream::Records;
use crate::canon::fault::Fault;
use crate::canon::{FILE_LIMIT, RECORD_LIMIT};
use crate::charter::plan::{FORMAT, other_format};
use crate::entry::{Entry, Head, Written};
use ground::files::{CLOSING, LOG};
use ground::hash::sha256;
use ground::stamp::Stamp;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;
use store::drawer::Drawer;
use store::home::{Appender, Begin, Lock};
use thiserror::Error;

/// The bytes of a log, as they lie in its drawer.
pub type Bytes = io::Take<Box<dyn Read + Send>>;

/// The file that is locked during an append. It is not the log itself, because on some systems a lock would keep
/// readers out.
pub const LOCK: &str = "game.lock";

/// A log that is open for appending, and locked.
#[derive(Debug)]
pub struct Log {
    drawer: Drawer,
    disk: Box<dyn Appender>,
    length: u64,
    head: Head,
    torn: u64,
    lock: Option<Lock>,
    condition: Condition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Sound,
    /// An append failed, or others may have written: what is on the disk is not known until the log is opened again.
    Failed,
}

/// Bytes of an append that was interrupted, moved to a file of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    pub bytes: u64,
    pub file: PathBuf,
}

/// Why a log cannot be opened or appended to.
#[derive(Debug, Error)]
pub enum LogError {
    #[error("there is no game in {}: it has no {LOG}", .folder.display())]
    NoLog { folder: PathBuf },
    #[error("{} is there already", .file.display())]
    AlreadyThere { file: PathBuf },
    #[error("another process is writing to the game in {}; try again", .folder.display())]
    Busy { folder: PathBuf },
    #[error("{} cannot be read: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{} cannot be written: {error}; the log is as it was", .file.display())]
    Write { file: PathBuf, error: io::Error },
    /// The log ends neither with a record nor with a torn one.
    #[error(
        "{} does not end with a record, nor with one that was cut off; 'verify' shows where it is damaged",
        .file.display()
    )]
    Corrupt { file: PathBuf },
    #[error("the last record of {} cannot be read: {fault}", .file.display())]
    LastRecord { file: PathBuf, fault: Fault },
    /// The last record cannot be read, because the log has another format.
    #[error("{} is a log of format {found}, and this program reads format {FORMAT}", .file.display())]
    Format { file: PathBuf, found: u32 },
    /// Somebody else changed the file while it was locked.
    #[error(
        "{} was changed by somebody else: it had {expected} bytes and has {found}; open it again",
        .file.display()
    )]
    Changed { file: PathBuf, expected: u64, found: u64 },
    /// Read back, the record differs from what was to be written.
    #[error("the new record {}; nothing was written", not_itself(.fault))]
    NotItself { fault: Option<Fault> },
    #[error("record {seq} does not follow record {} ({})", .expected.seq, .expected.hash)]
    NotNext { expected: Head, seq: u64 },
    #[error("the log has reached its limit of {FILE_LIMIT} bytes")]
    TooLong,
    #[error("an append failed before; open the log again to see what it holds")]
    FailedBefore,
}

fn not_itself(fault: &Option<Fault>) -> String {
    match fault {
        Some(fault) => format!("cannot be read back: {fault}"),
        None => "reads back as another one".to_string(),
    }
}

impl Log {
    /// Creates the log of a new game, which holds its first record.
    pub fn create(drawer: impl Into<Drawer>, genesis: &Entry) -> Result<Log, LogError> {
        let drawer = drawer.into();
        let lock = lock(&drawer)?;
        let file = drawer.place(LOG);
        let written = genesis.written();
        check(genesis, &written)?;
        let created = drawer.appender(LOG, Begin::Openly);
        let mut disk = created.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogError::AlreadyThere { file: file.clone() },
            _ => LogError::Write { file: file.clone(), error },
        })?;
        let written_whole = disk.append(written.text.as_bytes()).and_then(|()| disk.sync());
        if let Err(error) = written_whole {
            // A log without its first record would be a game nobody can open.
            let _ = drawer.remove(LOG);
            return Err(LogError::Write { file, error });
        }
        let head = Head { seq: genesis.seq, hash: written.hash };
        let length = written.text.len() as u64;
        Ok(Log { drawer, disk, length, head, torn: 0, lock: Some(lock), condition: Condition::Sound })
    }

    /// Opens the log of a game to append to it.
    pub fn open(drawer: impl Into<Drawer>) -> Result<Log, LogError> {
        Log::open_within(drawer, Duration::ZERO)
    }

    /// As [`Log::open`], but waits up to `patience` while another process writes.
    pub fn open_within(drawer: impl Into<Drawer>, patience: Duration) -> Result<Log, LogError> {
        let drawer = drawer.into();
        let file = drawer.place(LOG);
        match drawer.has(LOG) {
            Ok(true) => {}
            Ok(false) => return Err(LogError::NoLog { folder: drawer.path() }),
            Err(error) => return Err(LogError::Read { file, error }),
        }
        let lock = lock_within(&drawer, patience)?;
        let disk = drawer.appender(LOG, Begin::There).map_err(|error| LogError::Write { file: file.clone(), error })?;
        let tail = read_tail(&drawer, disk.as_ref()).map_err(|error| LogError::Read { file: file.clone(), error })?;
        let last = last_record(&tail.bytes).ok_or_else(|| LogError::Corrupt { file: file.clone() })?;
        let record = &tail.bytes[last.start..last.end];
        let entry = Entry::read(record).map_err(|fault| match format_of(&drawer) {
            Some(found) => LogError::Format { file: file.clone(), found },
            None => LogError::LastRecord { file: file.clone(), fault },
        })?;
        let head = Head { seq: entry.seq, hash: sha256(record) };
        let torn = (tail.bytes.len() - last.end) as u64;
        let (length, lock) = (tail.length - torn, Some(lock));
        Ok(Log { drawer, disk, length, head, torn, lock, condition: Condition::Sound })
    }

    /// Releases the lock, so that others can write. Appending again needs a log that is opened again.
    pub fn release(&mut self) {
        self.condition = Condition::Failed;
        self.lock = None;
    }

    /// The last whole record.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The bytes of the whole records.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes after the last whole record, which an interrupted append left.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The whole records, from the first.
    pub fn records(&self) -> Result<Records<Bytes>, LogError> {
        self.bytes_after(0).map(Records::new).map_err(|error| self.unread(error))
    }

    /// The bytes of the records from this offset on, as a stream.
    pub fn bytes_after(&self, start: u64) -> io::Result<Bytes> {
        Ok(self.drawer.stream(LOG, start)?.take(self.length.saturating_sub(start)))
    }

    /// The error for a log that cannot be read.
    pub fn unread(&self, error: io::Error) -> LogError {
        LogError::Read { file: self.drawer.place(LOG), error }
    }

    /// Sets a torn last record aside, in a file named after the time; `None` when nothing is torn.
    ///
    /// # Errors
    /// The torn bytes cannot be copied or cut off; the log is then unchanged.
    pub fn repair(&mut self, at: Stamp) -> Result<Option<SetAside>, LogError> {
        if self.torn == 0 {
            return Ok(None);
        }
        let log = self.drawer.place(LOG);
        let mut bytes = Vec::new();
        let read = self.drawer.stream(LOG, self.length).and_then(|mut torn| torn.read_to_end(&mut bytes));
        read.map_err(|error| LogError::Read { file: log.clone(), error })?;
        let name = self.name_aside(at).map_err(|error| LogError::Read { file: log.clone(), error })?;
        let file = self.drawer.place(&name);
        self.drawer.create(&name, &bytes).map_err(|error| LogError::Write { file: file.clone(), error })?;
        let cut = self.disk.truncate(self.length).and_then(|()| self.disk.sync());
        cut.map_err(|error| LogError::Write { file: log, error })?;
        self.torn = 0;
        Ok(Some(SetAside { bytes: bytes.len() as u64, file }))
    }

    /// Appends the next record and returns when it is safe on the disk. A torn record is set aside first; the caller
    /// has to report that.
    ///
    /// # Errors
    /// If the record is not the next one, or differs when read back, nothing is written. If the disk fails, the log
    /// is cut back to what it was and must be opened again.
    pub fn append(&mut self, entry: &Entry) -> Result<Option<SetAside>, LogError> {
        self.append_written(entry, &entry.written())
    }

    /// As [`Log::append`], for a record that has been written out and hashed.
    pub fn append_written(&mut self, entry: &Entry, written: &Written) -> Result<Option<SetAside>, LogError> {
        if self.condition == Condition::Failed {
            return Err(LogError::FailedBefore);
        }
        if entry.seq != self.head.seq + 1 || entry.prev != self.head.hash {
            return Err(LogError::NotNext { expected: self.head, seq: entry.seq });
        }
        check(entry, written)?;
        let bytes = written.text.as_bytes();
        if self.length + bytes.len() as u64 > FILE_LIMIT {
            return Err(LogError::TooLong);
        }
        let file = self.drawer.place(LOG);
        let found = self.disk.length().map_err(|error| LogError::Read { file: file.clone(), error })?;
        if found != self.length + self.torn {
            return Err(LogError::Changed { file, expected: self.length + self.torn, found });
        }
        let set_aside = self.repair(entry.at)?;
        if let Err(error) = self.disk.append(bytes).and_then(|()| self.disk.sync()) {
            // If the cutting back fails too, the next opening finds a torn record.
            self.condition = Condition::Failed;
            let _ = self.disk.truncate(self.length);
            return Err(LogError::Write { file, error });
        }
        self.length += bytes.len() as u64;
        self.head = Head { seq: entry.seq, hash: written.hash };
        Ok(set_aside)
    }

    /// An unused file name, with the time in it, for what was torn.
    fn name_aside(&self, at: Stamp) -> io::Result<String> {
        // Not every system allows a colon in the name of a file.
        let time: String = at.as_str().chars().filter(|character| character.is_ascii_alphanumeric()).collect();
        let mut name = format!("{LOG}.torn-{time}");
        for number in 2_u32.. {
            if !self.drawer.has(&name)? {
                break;
            }
            name = format!("{LOG}.torn-{time}-{number}");
        }
        Ok(name)
    }

    /// Replaces the disk under the log; the tests use one that fails.
    #[cfg(test)]
    fn on_disk(mut self, disk: Box<dyn Appender>) -> Log {
        self.disk = disk;
        self
    }
}

/// The records of a log that is only read, without a lock.
pub fn read_log(drawer: impl Into<Drawer>) -> Result<Records<Box<dyn Read + Send>>, LogError> {
    let drawer = drawer.into();
    match drawer.stream(LOG, 0) {
        Ok(opened) => Ok(Records::new(opened)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LogError::NoLog { folder: drawer.path() }),
        Err(error) => Err(LogError::Read { file: drawer.place(LOG), error }),
    }
}

/// The format of a log, if it is not ours.
fn format_of(drawer: &Drawer) -> Option<u32> {
    other_format(read_log(drawer).ok()?.next().ok()??.bytes)
}

/// Locks a drawer for writing.
pub fn lock(drawer: &Drawer) -> Result<Lock, LogError> {
    lock_as_within(drawer, LOCK, Duration::ZERO)
}

/// As [`lock`], but waits up to `patience` for others, in order of arrival.
pub fn lock_within(drawer: &Drawer, patience: Duration) -> Result<Lock, LogError> {
    lock_as_within(drawer, LOCK, patience)
}

/// As [`lock_within`], with another lock: for work in a drawer while others write there.
pub fn lock_as_within(drawer: &Drawer, word: &str, patience: Duration) -> Result<Lock, LogError> {
    drawer.lock(word, patience).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => LogError::Busy { folder: drawer.path() },
        _ => LogError::Write { file: drawer.place(word), error },
    })
}

/// Reads the bytes of a record back.
fn check(entry: &Entry, written: &Written) -> Result<(), LogError> {
    let read = Entry::read(written.text.as_bytes()).map_err(|fault| LogError::NotItself { fault: Some(fault) })?;
    if read == *entry { Ok(()) } else { Err(LogError::NotItself { fault: None }) }
}

/// The end of a log, long enough to hold its last record and the line before it.
struct Tail {
    length: u64,
    bytes: Vec<u8>,
}

fn read_tail(drawer: &Drawer, disk: &dyn Appender) -> io::Result<Tail> {
    let length = disk.length()?;
    let room = 2 * RECORD_LIMIT as u64 + CLOSING.len() as u64;
    let mut bytes = Vec::new();
    drawer.stream(LOG, length.saturating_sub(room))?.take(room.min(length)).read_to_end(&mut bytes)?;
    Ok(Tail { length, bytes })
}

/// Where the last whole record stands; what follows it is torn.
fn last_record(tail: &[u8]) -> Option<std::ops::Range<usize>> {
    let closing = b"\n...\n";
    let end = tail.windows(closing.len()).rposition(|window| window == closing)? + closing.len();
    let before = tail[..end - 1].windows(closing.len()).rposition(|window| window == closing);
    let start = before.map_or(0, |at| at + closing.len());
    (tail.len() - end <= RECORD_LIMIT).then_some(start..end)
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
