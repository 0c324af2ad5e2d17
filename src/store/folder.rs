/*! The home of a store in a folder on a disk: a folder for each drawer, a file for each file.

Only its owner can read it. A file is written aside, synced and renamed, and its folder is synced; a file that a crash
leaves half written has a name that begins with a dot. Locks are those of the system: they end with the process that
holds them.
*/

use super::home::{Appender, Begin, Care, FileKind, Found, Hold, Home, Lock, Seen, Shared, Surveyed};
use ground::disk::mishap;
use ground::disk::place::{about, give_to_owner, make_folder, place_privately, sync_folder, within};
use ground::disk::space::Space;
use jiff::Timestamp;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The most bytes that a survey reads of a short file.
const NOTE_LIMIT: u64 = 4096;
/// No file is read as a whole that is longer: the book of a game with 10,000 letters has 20 million bytes.
const FILE_BYTES_MAX: u64 = 1 << 28;

/// A folder with a folder for each drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The home in this folder, which need not be there yet.
    pub fn new(root: &Path) -> Folder {
        Folder { root: root.to_owned() }
    }

    /// The names of the folders in it.
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(|error| about(&self.root, &error))? {
            let entry = entry.map_err(|error| about(&self.root, &error))?;
            // A link to a folder counts as a folder.
            if let (Ok(name), true) = (entry.file_name().into_string(), entry.path().is_dir()) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn told(&self, drawer: &str, file: &str) -> impl Fn(io::Error) -> io::Error {
        let path = self.place(drawer, file);
        move |error| about(&path, &error)
    }
}

impl Home for Folder {
    fn place(&self, drawer: &str, file: &str) -> PathBuf {
        let mut path = self.root.clone();
        // An empty part would leave a slash at the end.
        path.extend([drawer, file].iter().filter(|part| !part.is_empty()));
        path
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.root)
    }

    fn read(&self, drawer: &str, file: &str) -> io::Result<Vec<u8>> {
        let read = opened(&self.place(drawer, file)).and_then(|opened| {
            let mut bytes = Vec::new();
            within(opened, FILE_BYTES_MAX, &mut bytes).map(|()| bytes)
        });
        read.map_err(self.told(drawer, file))
    }

    fn stream(&self, drawer: &str, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>> {
        let opened = opened(&self.place(drawer, file)).and_then(|mut opened| {
            if start > 0 {
                opened.seek(SeekFrom::Start(start))?;
            }
            Ok(opened)
        });
        Ok(Box::new(opened.map_err(self.told(drawer, file))?))
    }

    fn look(&self, drawer: &str, file: &str) -> io::Result<Seen> {
        let found = fs::metadata(self.place(drawer, file));
        found.and_then(|found| seen(&found)).map_err(self.told(drawer, file))
    }

    fn which(&self, drawer: &str, files: &[String]) -> io::Result<Vec<usize>> {
        let mut there = Vec::new();
        for (place, file) in files.iter().enumerate() {
            match self.look(drawer, file) {
                Ok(_) => there.push(place),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(there)
    }

    fn list(&self, drawer: &str, folder: &str) -> io::Result<Vec<Found>> {
        let told = self.told(drawer, folder);
        let entries = match fs::read_dir(self.place(drawer, folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(&told)?,
        };
        let mut all = Vec::new();
        for entry in entries {
            let entry = entry.map_err(&told)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_half_written(&name) {
                continue;
            }
            match entry.metadata().and_then(|found| Ok((seen(&found)?, found.file_type()))) {
                // It was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(about(&entry.path(), &error)),
                Ok((Seen { length, changed, .. }, kind)) => {
                    let kind = match (kind.is_file(), kind.is_dir()) {
                        (true, _) => FileKind::File,
                        (_, true) => FileKind::Folder,
                        (false, false) => FileKind::Foreign,
                    };
                    all.push(Found { name, length, changed, kind });
                }
            }
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    fn make_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        let place = self.place(drawer, folder);
        make_folder(&place).map_err(|error| about(&place, &error))
    }

    fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()> {
        let place = self.place(drawer, folder);
        if !folder.is_empty() {
            make_folder(&place).map_err(|error| about(&place, &error))?;
        }
        for (name, bytes) in files {
            let placed = match care {
                Care::Synced => place_privately(&place, name, bytes),
                Care::Loose => ground::disk::place::place_loosely(&place, name, bytes),
            };
            placed.map_err(|error| about(&place.join(name), &error))?;
        }
        match care {
            Care::Synced => sync_folder(&place).map_err(|error| about(&place, &error)),
            Care::Loose => Ok(()),
        }
    }

    fn create(&self, drawer: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.place(drawer, file);
        let folder = path.parent().unwrap_or(&self.root).to_owned();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        private(&mut options);
        let created = options.open(&path).and_then(|mut created| {
            give_to_owner(&created, &folder);
            mishap::write(&mut created, bytes)?;
            mishap::sync(&created)?;
            sync_folder(&folder)
        });
        created.map_err(|error| about(&path, &error))
    }

    fn rename(&self, drawer: &str, from: &str, to: &str) -> io::Result<()> {
        let (old, new) = (self.place(drawer, from), self.place(drawer, to));
        mishap::rename(&old, &new).map_err(|error| about(&old, &error))?;
        let folder = new.parent().unwrap_or(&self.root);
        sync_folder(folder).map_err(|error| about(&new, &error))
    }

    fn remove(&self, drawer: &str, file: &str) -> io::Result<()> {
        mishap::strike()?;
        gone(fs::remove_file(self.place(drawer, file))).map_err(self.told(drawer, file))
    }

    fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        mishap::strike()?;
        gone(fs::remove_dir_all(self.place(drawer, folder))).map_err(self.told(drawer, folder))
    }

    fn appender(&self, drawer: &str, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>> {
        let path = self.place(drawer, file);
        let folder = path.parent().unwrap_or(&self.root).to_owned();
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        match begin {
            Begin::Openly => {
                options.create_new(true);
            }
            Begin::There => {}
            Begin::Privately => {
                options.create(true);
                private(&mut options);
            }
        }
        let opened = options.open(&path).and_then(|opened| {
            if begin != Begin::There {
                give_to_owner(&opened, &folder);
                sync_folder(&folder)?;
            }
            Ok(opened)
        });
        Ok(Box::new(opened.map_err(|error| about(&path, &error))?))
    }

    fn lock(&self, drawer: &str, word: &str, patience: Duration) -> io::Result<Lock> {
        let file = self.place(drawer, word);
        let open = || OpenOptions::new().write(true).create(true).truncate(false).open(&file);
        let told = |error| about(&file, &error);
        let opened = open().map_err(told)?;
        give_to_owner(&opened, &self.place(drawer, ""));
        match opened.try_lock() {
            Ok(()) => return Ok(Lock::of(Locked(opened))),
            Err(TryLockError::WouldBlock) if patience.is_zero() => return Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(told(error)),
        }
        let opened = open().map_err(told)?;
        // The system can only wait without limit. A lock that comes too late is released as soon as it is there.
        let (into, from) = mpsc::sync_channel(0);
        thread::spawn(move || {
            let locked = opened.lock();
            let _ = into.send(locked.map(|()| Locked(opened)));
        });
        match from.recv_timeout(patience) {
            Ok(locked) => locked.map(Lock::of).map_err(told),
            Err(_) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn has_drawer(&self, drawer: &str) -> io::Result<bool> {
        let place = self.place(drawer, "");
        match fs::metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            found => found.map(|found| found.is_dir()).map_err(|error| about(&place, &error)),
        }
    }

    fn make_drawer(&self, drawer: &str) -> io::Result<()> {
        let place = self.place(drawer, "");
        make_folder(&place).map_err(|error| about(&place, &error))
    }

    fn move_in(&self, from: &Path, drawer: &str) -> io::Result<()> {
        let place = self.place(drawer, "");
        let above = place.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        mishap::rename(from, &place).and_then(|()| sync_folder(above)).map_err(|error| about(&place, &error))
    }

    fn drawers(&self) -> io::Result<Vec<String>> {
        self.names()
    }

    fn drawers_with(&self, file: &str) -> io::Result<Vec<String>> {
        let mut names = self.names()?;
        names.retain(|name| self.place(name, file).try_exists().unwrap_or(true));
        Ok(names)
    }

    fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>> {
        let surveyed = |drawer: String| {
            let length = |file: &str| fs::metadata(self.place(&drawer, file)).ok().map(|found| found.len());
            let lengths = lengths.map(length);
            let read = File::open(self.place(&drawer, note)).and_then(|opened| {
                let mut text = String::new();
                opened.take(NOTE_LIMIT).read_to_string(&mut text)?;
                Ok(text)
            });
            Surveyed { drawer, note: read.ok(), lengths }
        };
        Ok(self.names()?.into_iter().map(surveyed).collect())
    }

    fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>> {
        let mut all = Vec::new();
        for drawer in self.names()? {
            // Opening a drawer reports what is wrong with it.
            let found = self.list(&drawer, folder).unwrap_or_default();
            all.extend(found.into_iter().map(|found| (drawer.clone(), found)));
        }
        Ok(all)
    }

    fn space(&self) -> io::Result<Option<Space>> {
        Space::at(&self.root).map(Some)
    }

    fn shared(&self) -> Option<&dyn Shared> {
        None
    }
}

impl Appender for File {
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

/// A file that is locked.
///
/// Dropping unlocks it explicitly, because closing alone may not: a process that another thread has just forked holds
/// the file open until its program begins.
#[derive(Debug)]
struct Locked(File);

impl Hold for Locked {}

impl Drop for Locked {
    fn drop(&mut self) {
        // If this fails, closing unlocks it as well.
        let _ = self.0.unlock();
    }
}

/// Opens a file to read it, without waiting at a pipe that somebody has put in its place.
fn opened(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let opened = options.open(path)?;
    let kind = opened.metadata()?.file_type();
    // For a folder the system itself reports that it cannot be read.
    if kind.is_file() || kind.is_dir() {
        Ok(opened)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))
    }
}

/// New files are for their owner only.
fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// A file that is missing counts as removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a file of this name was left behind by a crash, before it was complete.
fn is_half_written(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".new")
}

fn seen(found: &Metadata) -> io::Result<Seen> {
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt;
        [found.ino().cast_signed(), found.ctime(), found.ctime_nsec()]
    };
    #[cfg(not(unix))]
    let identity = [0; 3];
    let changed = Timestamp::try_from(found.modified()?).map_err(io::Error::other)?;
    Ok(Seen { length: found.len(), changed, identity })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_file_is_not_waited_at() {
        let folder = tempfile::tempdir().unwrap();
        let home = Folder::new(folder.path());
        let pipe = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
        assert!(pipe.success());
        let refused = home.read("", "pipe").unwrap_err();
        assert!(refused.to_string().ends_with("pipe: it is no file"), "{refused}");
        assert!(home.stream("", "pipe", 0).is_err());
    }

    #[test]
    fn a_program_that_somebody_starts_meanwhile_keeps_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let home = Folder::new(folder.path());
        let opened = File::create(folder.path().join("word")).unwrap();
        opened.try_lock().unwrap();
        // What a forked process has, until the program in it begins.
        let inherited = opened.try_clone().unwrap();
        drop(Locked(opened));
        assert!(home.lock("", "word", Duration::ZERO).is_ok());
        drop(inherited);
    }
}
