/*! The file of a game: appended to under a lock, one synced write for each record, and never rewritten.

A record that was not written whole, because of a crash or a full disk, is the last one and cannot have been announced.
It is found, set aside in a file of its own, and said; anything else that is wrong is corruption and refuses to go on.
*/

use super::stream::Records;
use crate::disk::mishap;
use crate::disk::place::{give_to_owner, sync_folder};
use crate::record::canon::fault::Fault;
use crate::record::canon::{CLOSING, FILE_LIMIT, RECORD_LIMIT};
use crate::record::charter::plan::{FORMAT, other_format};
use crate::record::entry::{Entry, Head, Written};
use crate::record::value::hash::sha256;
use crate::record::value::stamp::Stamp;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// The log in the folder of a game.
pub const LOG: &str = "log.yaml";
/// The file that is locked while somebody appends. It is another one than the log, because on some systems a lock
/// would keep readers out.
pub const LOCK: &str = "game.lock";

/// A log that is open for appending, and locked.
#[derive(Debug)]
pub struct Log {
    folder: PathBuf,
    disk: Box<dyn Disk>,
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

/// What a log is kept on. The tests put a disk here that fails.
pub trait Disk: fmt::Debug + Send {
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

impl Disk for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        mishap::write(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        mishap::strike()?;
        self.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        mishap::strike()?;
        self.set_len(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
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
    /// The log does not end as a log does, and it is not one torn record.
    #[error(
        "{} does not end with a record, nor with one that was cut off; 'verify' shows where it is damaged",
        .file.display()
    )]
    Corrupt { file: PathBuf },
    #[error("the last record of {} cannot be read: {fault}", .file.display())]
    LastRecord { file: PathBuf, fault: Fault },
    /// The last record cannot be read, as the log is of another format.
    #[error("{} is a log of format {found}, and this program reads format {FORMAT}", .file.display())]
    Format { file: PathBuf, found: u32 },
    /// Somebody else changed the file while it was locked.
    #[error(
        "{} was changed by somebody else: it had {expected} bytes and has {found}; open it again",
        .file.display()
    )]
    Changed { file: PathBuf, expected: u64, found: u64 },
    /// The record does not read back as what was to be written.
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
    ///
    /// # Errors
    /// The folder has a log already, is busy, or cannot be written.
    pub fn create(folder: &Path, genesis: &Entry) -> Result<Log, LogError> {
        let lock = lock(folder)?;
        let file = folder.join(LOG);
        let written = genesis.written();
        check(genesis, &written)?;
        let created = OpenOptions::new().append(true).create_new(true).open(&file);
        let mut disk = created.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogError::AlreadyThere { file: file.clone() },
            _ => LogError::Write { file: file.clone(), error },
        })?;
        let written_whole = disk.append(written.text.as_bytes()).and_then(|()| disk.sync());
        let written_whole = written_whole.and_then(|()| sync_folder(folder));
        if let Err(error) = written_whole {
            // A log without its first record would be a game nobody can open.
            let _ = std::fs::remove_file(&file);
            return Err(LogError::Write { file, error });
        }
        let head = Head { seq: genesis.seq, hash: written.hash };
        Ok(Log {
            folder: folder.to_path_buf(),
            disk: Box::new(disk),
            length: written.text.len() as u64,
            head,
            torn: 0,
            lock: Some(lock),
            condition: Condition::Sound,
        })
    }

    /// Opens the log of a game to append to it.
    ///
    /// # Errors
    /// There is none, it is busy, it cannot be written, or its end is damaged in another way than by an interrupted
    /// append.
    pub fn open(folder: &Path) -> Result<Log, LogError> {
        Log::open_within(folder, Duration::ZERO)
    }

    /// As [`Log::open`], but waits for so long while it is busy.
    ///
    /// # Errors
    /// As [`Log::open`].
    pub fn open_within(folder: &Path, patience: Duration) -> Result<Log, LogError> {
        let file = folder.join(LOG);
        match file.metadata() {
            Ok(found) if found.is_file() => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(LogError::Read { file, error }),
            Ok(_) | Err(_) => return Err(LogError::NoLog { folder: folder.to_path_buf() }),
        }
        let lock = lock_within(folder, patience)?;
        let mut disk = OpenOptions::new()
            .read(true)
            .append(true)
            .open(&file)
            .map_err(|error| LogError::Write { file: file.clone(), error })?;
        let tail = read_tail(&mut disk).map_err(|error| LogError::Read { file: file.clone(), error })?;
        let last = last_record(&tail.bytes).ok_or_else(|| LogError::Corrupt { file: file.clone() })?;
        let record = &tail.bytes[last.start..last.end];
        let entry = Entry::read(record).map_err(|fault| match format_of(folder) {
            Some(found) => LogError::Format { file: file.clone(), found },
            None => LogError::LastRecord { file: file.clone(), fault },
        })?;
        let head = Head { seq: entry.seq, hash: sha256(record) };
        let torn = (tail.bytes.len() - last.end) as u64;
        Ok(Log {
            folder: folder.to_path_buf(),
            length: tail.length - torn,
            disk: Box::new(disk),
            head,
            torn,
            lock: Some(lock),
            condition: Condition::Sound,
        })
    }

    /// Lets others write. Nothing can be appended any more: the log is to be opened again.
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
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn records(&self) -> Result<Records<io::Take<File>>, LogError> {
        self.bytes_after(0).map(Records::new).map_err(|error| self.unread(error))
    }

    /// The bytes of the records from this offset on, as a stream.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn bytes_after(&self, start: u64) -> io::Result<io::Take<File>> {
        let mut opened = File::open(self.folder.join(LOG))?;
        opened.seek(SeekFrom::Start(start))?;
        Ok(opened.take(self.length.saturating_sub(start)))
    }

    /// What is said of a log that cannot be read.
    pub fn unread(&self, error: io::Error) -> LogError {
        LogError::Read { file: self.folder.join(LOG), error }
    }

    /// Sets a torn last record aside, in a file named after the time; `None` when nothing is torn.
    ///
    /// # Errors
    /// The torn bytes cannot be copied, or the log cannot be cut off; it is then as it was.
    pub fn repair(&mut self, at: Stamp) -> Result<Option<SetAside>, LogError> {
        if self.torn == 0 {
            return Ok(None);
        }
        let log = self.folder.join(LOG);
        let mut bytes = Vec::new();
        let read = File::open(&log).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.length))?;
            file.read_to_end(&mut bytes)
        });
        read.map_err(|error| LogError::Read { file: log.clone(), error })?;
        let file = aside(&self.folder, at);
        let kept = OpenOptions::new().write(true).create_new(true).open(&file).and_then(|mut kept| {
            mishap::write(&mut kept, &bytes)?;
            mishap::sync(&kept)?;
            sync_folder(&self.folder)
        });
        kept.map_err(|error| LogError::Write { file: file.clone(), error })?;
        let cut = self.disk.truncate(self.length).and_then(|()| self.disk.sync());
        cut.map_err(|error| LogError::Write { file: log, error })?;
        self.torn = 0;
        Ok(Some(SetAside { bytes: bytes.len() as u64, file }))
    }

    /// Appends the next record and returns when it is safe on the disk. A torn record is set aside first, which is
    /// then to be told.
    ///
    /// # Errors
    /// The record is not the next one or not itself when read back: nothing is written. The disk is full or fails:
    /// the log is cut back to what it was, and must be opened again.
    pub fn append(&mut self, entry: &Entry) -> Result<Option<SetAside>, LogError> {
        self.append_written(entry, &entry.written())
    }

    /// As [`Log::append`], for a record that has been written out and hashed.
    ///
    /// # Errors
    /// As [`Log::append`].
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
        let file = self.folder.join(LOG);
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

    /// Replaces what the log is kept on; the tests put a disk there that fails.
    #[cfg(test)]
    fn on_disk(mut self, disk: Box<dyn Disk>) -> Log {
        self.disk = disk;
        self
    }
}

/// The records of a log that is only read, without a lock.
///
/// # Errors
/// The file cannot be opened.
pub fn read_log(folder: &Path) -> Result<Records<File>, LogError> {
    let file = folder.join(LOG);
    match File::open(&file) {
        Ok(opened) => Ok(Records::new(opened)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LogError::NoLog { folder: folder.to_path_buf() }),
        Err(error) => Err(LogError::Read { file, error }),
    }
}

/// The format of a log, if it is not ours.
fn format_of(folder: &Path) -> Option<u32> {
    other_format(read_log(folder).ok()?.next().ok()??.bytes)
}

/// A folder that is locked, until this is dropped.
///
/// It is unlocked by a word and not by closing alone: a program that was just started by somebody else here holds the
/// file open until it begins.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing does it as well.
        let _ = self.0.unlock();
    }
}

/// Locks a folder: a process that writes there holds the lock.
///
/// # Errors
/// Somebody else holds it, or the file of the lock cannot be made.
pub fn lock(folder: &Path) -> Result<Lock, LogError> {
    lock_as(folder, LOCK)
}

/// As [`lock`], by a file of another name: for something that is done in the folder while others write there.
///
/// # Errors
/// As [`lock`].
pub fn lock_as(folder: &Path, name: &str) -> Result<Lock, LogError> {
    let file = folder.join(name);
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&file);
    let lock = opened.map_err(|error| LogError::Write { file: file.clone(), error })?;
    give_to_owner(&lock, folder);
    match lock.try_lock() {
        Ok(()) => Ok(Lock(lock)),
        Err(TryLockError::WouldBlock) => Err(LogError::Busy { folder: folder.to_path_buf() }),
        Err(TryLockError::Error(error)) => Err(LogError::Write { file, error }),
    }
}

/// As [`lock`], but waits for so long until somebody else has done: in the order in which they came.
///
/// # Errors
/// As [`lock`], when the time is over.
pub fn lock_within(folder: &Path, patience: Duration) -> Result<Lock, LogError> {
    lock_as_within(folder, LOCK, patience)
}

/// As [`lock_as`], but waits as [`lock_within`] does.
///
/// # Errors
/// As [`lock`], when the time is over.
pub fn lock_as_within(folder: &Path, name: &str, patience: Duration) -> Result<Lock, LogError> {
    let locked = lock_as(folder, name);
    if patience.is_zero() || !matches!(locked, Err(LogError::Busy { .. })) {
        return locked;
    }
    let file = folder.join(name);
    let opened = OpenOptions::new().write(true).open(&file);
    let opened = opened.map_err(|error| LogError::Write { file: file.clone(), error })?;
    // The system can wait without end only. A lock that comes too late is given up as soon as it is there.
    let (into, from) = mpsc::sync_channel(0);
    thread::spawn(move || {
        let locked = opened.lock();
        let _ = into.send(locked.map(|()| Lock(opened)));
    });
    match from.recv_timeout(patience) {
        Ok(locked) => locked.map_err(|error| LogError::Write { file, error }),
        Err(_) => Err(LogError::Busy { folder: folder.to_path_buf() }),
    }
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

fn read_tail(disk: &mut File) -> io::Result<Tail> {
    let length = disk.metadata()?.len();
    let room = 2 * RECORD_LIMIT as u64 + CLOSING.len() as u64;
    disk.seek(SeekFrom::Start(length.saturating_sub(room)))?;
    let mut bytes = Vec::new();
    disk.take(room).read_to_end(&mut bytes)?;
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

fn aside(folder: &Path, at: Stamp) -> PathBuf {
    // Not every system allows a colon in the name of a file.
    let time: String = at.as_str().chars().filter(|character| character.is_ascii_alphanumeric()).collect();
    let numbered = (1_u32..).map(|number| match number {
        1 => folder.join(format!("{LOG}.torn-{time}")),
        _ => folder.join(format!("{LOG}.torn-{time}-{number}")),
    });
    numbered.into_iter().find(|file| !file.exists()).expect("there is always a greater number")
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
