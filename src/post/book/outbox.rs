/*! Letters on their way out, a file each: `outbox/` until handed over, `sent/` after, `dead/` if refused for good.

A letter is in the outbox before the book knows it, whole or not at all: it is written aside, synced and renamed, and
then the folder is synced, once for all letters that are put there together. Its name is its Message-ID, so a letter
rendered twice is one letter (I6).
*/

use ground::files::{DEAD, OUTBOX, SENDING, SENT};
use ground::stamp::Stamp;
use mail::wire::carrier::Cover;
use record::file::log::{self, LogError};
use std::io;
use std::time::Duration;
use store::drawer::Drawer;
use store::home::{FileKind, Found, Lock};

/// The three shelves of a desk.
#[derive(Clone, Debug)]
pub struct Outbox {
    drawer: Drawer,
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
            Shelf::Outbox => OUTBOX,
            Shelf::Sent => SENT,
            Shelf::Dead => DEAD,
        }
    }
}

impl Outbox {
    /// Opens the shelves in the drawer of a game, making them if they are missing.
    pub fn open(drawer: impl Into<Drawer>) -> io::Result<Outbox> {
        let drawer = drawer.into();
        for shelf in Shelf::ALL {
            drawer.make_folder(shelf.folder())?;
        }
        Ok(Outbox { drawer })
    }

    /// The shelves in the drawer of a game, to be looked at only.
    pub fn at(drawer: impl Into<Drawer>) -> Outbox {
        Outbox { drawer: drawer.into() }
    }

    /// Locks the outbox: one process at a time sends the letters in it, while others may work on the game. Waits up
    /// to `patience` for another process to finish sending.
    pub fn lock_within(&self, patience: Duration) -> Result<Lock, LogError> {
        log::lock_as_within(&self.drawer, SENDING, patience)
    }

    /// Puts letters into the outbox, except those that are on one of the shelves already.
    ///
    /// # Errors
    /// Some of the letters may be in the outbox then.
    pub fn put_all(&self, letters: impl IntoIterator<Item = (String, Vec<u8>)>) -> io::Result<()> {
        let letters: Vec<(String, Vec<u8>)> = letters.into_iter().collect();
        let shelves = |(name, _): &(String, Vec<u8>)| Shelf::ALL.map(|shelf| file(shelf, name));
        let there = self.drawer.which(&letters.iter().flat_map(shelves).collect::<Vec<String>>())?;
        let is_new = |place: usize| there.iter().all(|there| there / Shelf::ALL.len() != place);
        let new: Vec<&(String, Vec<u8>)> =
            letters.iter().enumerate().filter(|(place, _)| is_new(*place)).map(|(_, letter)| letter).collect();
        let files: Vec<(&str, &[u8])> = new.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        if files.is_empty() { Ok(()) } else { self.drawer.put(OUTBOX, &files) }
    }

    /// The shelf on which a letter lies.
    pub fn shelf(&self, name: &str) -> io::Result<Option<Shelf>> {
        let there = self.drawer.which(&Shelf::ALL.map(|shelf| file(shelf, name)))?;
        Ok(there.first().map(|place| Shelf::ALL[*place]))
    }

    /// The names of the letters that wait, in order.
    pub fn waiting(&self) -> io::Result<Vec<String>> {
        // A game that has never written a letter has no outbox yet.
        let found = self.drawer.list(OUTBOX)?.into_iter();
        Ok(found
            .filter(|found| found.kind != FileKind::Folder && is_letter(&found.name))
            .map(|found| found.name)
            .collect())
    }

    /// A letter that waits, with its cover, which is read from the letter itself: so the file is enough to send it,
    /// after a crash or on another machine. Without a cover it is no letter of ours.
    pub fn letter(&self, name: &str) -> io::Result<(Option<Cover>, Vec<u8>)> {
        let bytes = self.read(Shelf::Outbox, name)?;
        Ok((Cover::of(&bytes), bytes))
    }

    /// The bytes of a letter.
    pub fn read(&self, shelf: Shelf, name: &str) -> io::Result<Vec<u8>> {
        self.drawer.read(&file(shelf, name))
    }

    /// Moves a letter from one shelf to another.
    ///
    /// # Errors
    /// The letter is not where it should be. An error that comes after it was moved, as of a disk that does not sync
    /// or of a lost connection, is none: it is not moved again.
    pub fn file(&self, name: &str, from: Shelf, to: Shelf) -> io::Result<()> {
        match self.drawer.rename(&file(from, name), &file(to, name)) {
            Err(_) if self.shelf(name).is_ok_and(|shelf| shelf == Some(to)) => Ok(()),
            moved => moved,
        }
    }
}

/// Whether a file in the outbox of a desk is a letter, and not what a crash left half written.
pub fn is_letter(name: &str) -> bool {
    !name.starts_with('.') && name.ends_with(".eml")
}

/// When a letter was put into the outbox: the time its file was last changed.
pub fn put_at(found: &Found) -> Option<Stamp> {
    Stamp::of(found.changed)
}

fn file(shelf: Shelf, name: &str) -> String {
    format!("{}/{name}", shelf.folder())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
