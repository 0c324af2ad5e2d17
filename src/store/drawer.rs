//! A drawer: what a store keeps of one game, or of the counter.

use super::folder::Folder;
use super::home::{Appender, Begin, Care, Found, Home, Lock, Seen};
use ground::disk::place::{TEXT_BYTES_MAX, within};
use ground::disk::version;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is kept of one game, or of the counter: files by their names.
#[derive(Clone, Debug)]
pub struct Drawer {
    home: Arc<dyn Home>,
    name: String,
}

impl Drawer {
    pub(super) fn new(home: Arc<dyn Home>, name: &str) -> Drawer {
        Drawer { home, name: name.to_owned() }
    }

    /// Where the drawer is, for people.
    pub fn path(&self) -> PathBuf {
        self.home.place(&self.name, "")
    }

    /// Where a file of it is, for people.
    pub fn place(&self, file: &str) -> PathBuf {
        self.home.place(&self.name, file)
    }

    /// Whether the drawer is there, empty or not.
    pub fn is_there(&self) -> io::Result<bool> {
        self.home.has_drawer(&self.name)
    }

    /// Makes the drawer. One that is there stays as it is.
    pub fn make(&self) -> io::Result<()> {
        self.home.make_drawer(&self.name)
    }

    /// The bytes of a file.
    pub fn read(&self, file: &str) -> io::Result<Vec<u8>> {
        self.home.read(&self.name, file)
    }

    /// The bytes of a file; `None` if there is none.
    pub fn read_if_there(&self, file: &str) -> io::Result<Option<Vec<u8>>> {
        match self.read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// The text of a file; `None` if there is none. If a newer program wrote it, with a version above `known`, the
    /// error names the file.
    pub fn text(&self, file: &str, known: u32) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        match self.stream(file, 0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            stream => within(stream?, TEXT_BYTES_MAX, &mut bytes).map_err(|error| self.about(file, &error))?,
        }
        let text = String::from_utf8(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData));
        let known = text.and_then(|text| version::must_be_known(&text, known).map(|()| text));
        known.map(Some).map_err(|error| self.about(file, &error))
    }

    /// The bytes of a file from `start` on, as a stream.
    pub fn stream(&self, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>> {
        self.home.stream(&self.name, file, start)
    }

    /// How a file looks now.
    pub fn look(&self, file: &str) -> io::Result<Seen> {
        self.home.look(&self.name, file)
    }

    /// Whether there is such a file.
    pub fn has(&self, file: &str) -> io::Result<bool> {
        match self.look(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            looked => looked.map(|_| true),
        }
    }

    /// Which of these files are there, by their places in the list.
    pub fn which(&self, files: &[String]) -> io::Result<Vec<usize>> {
        self.home.which(&self.name, files)
    }

    /// What is in a folder, in the order of the names; in the drawer itself, if the name is empty.
    pub fn list(&self, folder: &str) -> io::Result<Vec<Found>> {
        self.home.list(&self.name, folder)
    }

    /// Makes a folder of the drawer, if its home needs that before files can be put into it.
    pub fn make_folder(&self, folder: &str) -> io::Result<()> {
        self.home.make_folder(&self.name, folder)
    }

    /// Writes a file, replacing an older one.
    pub fn replace(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        self.home.put(&self.name, folder, &[(name, bytes)], Care::Synced)
    }

    /// Writes a file that can be made again, replacing an older one.
    pub fn replace_loosely(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        self.home.put(&self.name, folder, &[(name, bytes)], Care::Loose)
    }

    /// Puts files into a folder, each replacing an older one. If that fails, some may have been written.
    pub fn put(&self, folder: &str, files: &[(&str, &[u8])]) -> io::Result<()> {
        self.home.put(&self.name, folder, files, Care::Synced)
    }

    /// Writes a file that must not be there yet.
    pub fn create(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        self.home.create(&self.name, file, bytes)
    }

    /// Moves a file, replacing an older one of that name.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.home.rename(&self.name, from, to)
    }

    /// Removes a file. One that is not there is no error.
    pub fn remove(&self, file: &str) -> io::Result<()> {
        self.home.remove(&self.name, file)
    }

    /// Removes a folder with everything in it. One that is not there is no error.
    pub fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.home.remove_folder(&self.name, folder)
    }

    /// Opens a file to append to it.
    pub fn appender(&self, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>> {
        self.home.appender(&self.name, file, begin)
    }

    /// Takes the lock `word` of the drawer, and waits up to `patience` while somebody else holds it.
    pub fn lock(&self, word: &str, patience: Duration) -> io::Result<Lock> {
        self.home.lock(&self.name, word, patience)
    }

    /// An error, with the file that it is about.
    pub fn about(&self, file: &str, error: &io::Error) -> io::Error {
        ground::disk::place::about(&self.place(file), error)
    }
}

/// The folder of a game, by its path: the only drawer of its store.
impl From<&Path> for Drawer {
    fn from(folder: &Path) -> Drawer {
        Drawer::new(Arc::new(Folder::new(folder)), "")
    }
}

impl From<&PathBuf> for Drawer {
    fn from(folder: &PathBuf) -> Drawer {
        Drawer::from(folder.as_path())
    }
}

impl From<&Drawer> for Drawer {
    fn from(drawer: &Drawer) -> Drawer {
        drawer.clone()
    }
}
