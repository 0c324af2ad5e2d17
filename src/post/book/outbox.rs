/*! Letters on their way out, a file each: `outbox/` until handed over, `sent/` after, `dead/` if refused for good.

A letter is in the outbox before the book knows it, whole or not at all: written aside, synced, renamed, and the folder
synced, once for all letters that are put there together. Its name is its Message-ID, so a letter rendered twice is one
letter (I6).
*/

use crate::disk::mishap;
use crate::disk::place::{about, make_folder, place_privately, sync_folder};
use crate::mail::wire::carrier::Cover;
use crate::record::file::log::{self, Lock, LogError};
use crate::record::value::stamp::Stamp;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// The file, beside the outbox, whose lock lets one process at a time send.
const SENDING: &str = "sending";

/// The three folders of a desk.
#[derive(Clone, Debug)]
pub struct Outbox {
    root: PathBuf,
}

/// Where a letter lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shelf {
    Outbox,
    Sent,
    Dead,
}

impl Shelf {
    const ALL: [Shelf; 3] = [Shelf::Outbox, Shelf::Sent, Shelf::Dead];

    fn folder(self) -> &'static str {
        match self {
            Shelf::Outbox => "outbox",
            Shelf::Sent => "sent",
            Shelf::Dead => "dead",
        }
    }
}

impl Outbox {
    /// Opens the shelves in the folder of a game, making them if they are missing.
    ///
    /// # Errors
    /// What the system says, with the folder concerned.
    pub fn open(root: &Path) -> io::Result<Outbox> {
        for shelf in Shelf::ALL {
            let folder = root.join(shelf.folder());
            make_folder(&folder).map_err(|error| about(&folder, &error))?;
        }
        Ok(Outbox { root: root.to_owned() })
    }

    /// The shelves in the folder of a game, to be looked at only.
    #[must_use]
    pub fn at(root: &Path) -> Outbox {
        Outbox { root: root.to_owned() }
    }

    /// Locks the outbox: one process at a time sends what lies in it, while others may work on the game.
    ///
    /// # Errors
    /// Another process sends, or the outbox cannot be locked.
    pub fn lock(&self) -> Result<Lock, LogError> {
        log::lock_as(&self.root, SENDING)
    }

    /// As [`Outbox::lock`], but waits for so long until the other process has sent what it is sending.
    ///
    /// # Errors
    /// As [`Outbox::lock`], when the time is over.
    pub fn lock_within(&self, patience: Duration) -> Result<Lock, LogError> {
        log::lock_as_within(&self.root, SENDING, patience)
    }

    /// Puts letters into the outbox, except those that are on one of the shelves already.
    ///
    /// # Errors
    /// What the system says; then some of them may be there.
    pub fn put_all(&self, letters: impl IntoIterator<Item = (String, Vec<u8>)>) -> io::Result<()> {
        let folder = self.root.join("outbox");
        let mut is_changed = false;
        for (name, bytes) in letters {
            if self.shelf(&name)?.is_none() {
                place_privately(&folder, &name, &bytes).map_err(|error| about(&folder.join(&name), &error))?;
                is_changed = true;
            }
        }
        if is_changed {
            sync_folder(&folder).map_err(|error| about(&folder, &error))?;
        }
        Ok(())
    }

    /// The shelf on which a letter lies.
    ///
    /// # Errors
    /// What the system says.
    pub fn shelf(&self, name: &str) -> io::Result<Option<Shelf>> {
        for shelf in Shelf::ALL {
            let path = self.path(shelf, name);
            if path.try_exists().map_err(|error| about(&path, &error))? {
                return Ok(Some(shelf));
            }
        }
        Ok(None)
    }

    /// The names of the letters that wait, in order.
    ///
    /// # Errors
    /// What the system says.
    pub fn waiting(&self) -> io::Result<Vec<String>> {
        let folder = self.root.join("outbox");
        let mut names = Vec::new();
        let entries = match fs::read_dir(&folder) {
            // A game that was never written from has no outbox yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
            entries => entries.map_err(|error| about(&folder, &error))?,
        };
        for entry in entries {
            let name = entry.map_err(|error| about(&folder, &error))?.file_name();
            // What a crash left half written begins with a dot; it is written again.
            if let Some(name) = name.to_str().filter(|name| !name.starts_with('.') && name.ends_with(".eml")) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// A letter that waits, and its cover, read off the letter itself: so a file in the outbox is all that is needed to
    /// send it, after a crash too, and on another machine. Without a cover it is no letter of ours.
    ///
    /// # Errors
    /// What the system says.
    pub fn letter(&self, name: &str) -> io::Result<(Option<Cover>, Vec<u8>)> {
        let bytes = self.read(Shelf::Outbox, name)?;
        Ok((Cover::of(&bytes), bytes))
    }

    /// When a letter was put into the outbox, as its file says; `None` if it lies there no more.
    #[must_use]
    pub fn put_at(&self, name: &str) -> Option<Stamp> {
        let put = fs::metadata(self.path(Shelf::Outbox, name)).ok()?.modified().ok()?;
        Stamp::of(jiff::Timestamp::try_from(put).ok()?)
    }

    /// The bytes of a letter.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(&self, shelf: Shelf, name: &str) -> io::Result<Vec<u8>> {
        let path = self.path(shelf, name);
        fs::read(&path).map_err(|error| about(&path, &error))
    }

    /// Moves a letter from one shelf to another.
    ///
    /// # Errors
    /// What the system says; the letter is then where it was.
    pub fn file(&self, name: &str, from: Shelf, to: Shelf) -> io::Result<()> {
        let (old, new) = (self.path(from, name), self.path(to, name));
        mishap::rename(&old, &new).map_err(|error| about(&old, &error))?;
        sync_folder(&self.root.join(to.folder())).map_err(|error| about(&new, &error))
    }

    fn path(&self, shelf: Shelf, name: &str) -> PathBuf {
        self.root.join(shelf.folder()).join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i6_a_letter_lies_on_one_shelf_and_is_not_written_twice() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(folder.path()).unwrap();
        let put = |name: &str, bytes: &[u8]| outbox.put_all([(name.to_owned(), bytes.to_vec())]).unwrap();
        put("b@host.eml", b"second");
        put("a@host.eml", b"first");
        fs::write(folder.path().join("outbox/.c@host.eml.new"), b"torn").unwrap();
        assert_eq!(outbox.waiting().unwrap(), ["a@host.eml", "b@host.eml"]);
        outbox.file("a@host.eml", Shelf::Outbox, Shelf::Sent).unwrap();
        put("a@host.eml", b"again");
        assert_eq!(outbox.waiting().unwrap(), ["b@host.eml"]);
        assert_eq!(outbox.read(Shelf::Sent, "a@host.eml").unwrap(), b"first");
        assert_eq!(outbox.shelf("c@host.eml").unwrap(), None);
        let together = ["a@host.eml", "d@host.eml"].map(|name| (name.to_owned(), b"together".to_vec()));
        outbox.put_all(together).unwrap();
        assert_eq!(outbox.waiting().unwrap(), ["b@host.eml", "d@host.eml"]);
    }
}
