/*! A Maildir: letters wait in `new/`, are read, and are filed in `cur/` with flags that say what became of them.

A letter is filed only after it has been played and answered; if the power fails in between it is read again, and the
post book recognises it by its hash (I1). Nothing is ever deleted (I4).
*/

use super::intake::{self, Filed};
use super::watch::Watch;
use crate::letter::limits::Limits;
use ground::disk::mishap;
use ground::disk::place::{about, make_folder};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A folder with `new/`, `cur/` and `tmp/`.
#[derive(Clone, Debug)]
pub struct Maildir {
    root: PathBuf,
}

/// A letter that waits in `new/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiting {
    name: String,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Maildir {
    /// Opens a Maildir, making its three folders if they are missing.
    pub fn open(root: &Path) -> io::Result<Maildir> {
        for folder in ["new", "cur", "tmp"] {
            let folder = root.join(folder);
            make_folder(&folder).map_err(|error| about(&folder, &error))?;
        }
        Ok(Maildir { root: root.to_owned() })
    }

    /// A watch that waits for letters.
    pub fn watch(&self) -> Watch {
        Watch::of(&self.root.join("new"))
    }

    /// The letters in `new/`, ordered by their names, which begin with the time of arrival: I2 orders by receipt.
    pub fn waiting(&self) -> io::Result<Vec<Waiting>> {
        let folder = self.root.join("new");
        let mut waiting = Vec::new();
        for entry in fs::read_dir(&folder).map_err(|error| about(&folder, &error))? {
            let entry = entry.map_err(|error| about(&folder, &error))?;
            // A name that is not UTF-8, or a dot file, is not a letter put there by a mail program.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if !name.starts_with('.') && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                waiting.push(Waiting { name });
            }
        }
        waiting.sort_by_key(|waiting| (arrival(&waiting.name), waiting.name.clone()));
        Ok(waiting)
    }

    /// Whether a letter still waits in `new/`.
    pub fn has(&self, waiting: &Waiting) -> bool {
        self.root.join("new").join(&waiting.name).exists()
    }

    /// The bytes of a waiting letter, within limits.
    pub fn read(&self, waiting: &Waiting, limits: &Limits) -> io::Result<Vec<u8>> {
        let path = self.root.join("new").join(&waiting.name);
        let file = File::open(&path).map_err(|error| about(&path, &error))?;
        intake::read(file, limits).map_err(|error| about(&path, &error))
    }

    /// Moves a letter that has been dealt with to `cur/`.
    ///
    /// # Errors
    /// The letter is then still in `new/`; the book recognises it when it is read again.
    pub fn file(&self, waiting: &Waiting, filed: Filed) -> io::Result<()> {
        let flags = match filed {
            Filed::Seen => "S",
            Filed::Answered => "RS",
            Filed::Flagged => "FS",
            Filed::Left => "",
        };
        let unique = waiting.name.split(':').next().unwrap_or(&waiting.name);
        let from = self.root.join("new").join(&waiting.name);
        let to = self.root.join("cur").join(format!("{unique}:2,{flags}"));
        mishap::rename(&from, &to).map_err(|error| about(&from, &error))
    }

    /// Delivers a letter as a carrier would: written to `tmp/`, synced, and renamed into `new/`.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is a letter of that name: it is never overwritten.
    pub fn deliver(&self, name: &str, raw: &[u8]) -> io::Result<()> {
        let draft = self.root.join("tmp").join(name);
        let target = self.root.join("new").join(name);
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(&draft).map_err(|error| about(&draft, &error))?;
        let written = mishap::write(&mut file, raw).and_then(|()| mishap::sync(&file));
        written.map_err(|error| about(&draft, &error))?;
        if target.exists() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, target.display().to_string()));
        }
        mishap::rename(&draft, &target).map_err(|error| about(&draft, &error))
    }
}

/// The seconds at the front of a Maildir name; a name without them sorts last.
fn arrival(name: &str) -> u64 {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i5_a_letter_is_delivered_read_and_filed() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::open(folder.path()).unwrap();
        maildir.deliver("1700000010.b.host", b"second").unwrap();
        maildir.deliver("900000000.a.host", b"first").unwrap();
        let waiting = maildir.waiting().unwrap();
        let texts: Vec<Vec<u8>> =
            waiting.iter().map(|waiting| maildir.read(waiting, &Limits::ORDINARY).unwrap()).collect();
        assert_eq!(texts, [b"first".to_vec(), b"second".to_vec()]);
        maildir.file(&waiting[0], Filed::Answered).unwrap();
        assert_eq!(maildir.waiting().unwrap(), waiting[1..]);
        assert!(folder.path().join("cur/900000000.a.host:2,RS").exists());
    }

    #[test]
    fn a_letter_without_end_is_read_up_to_the_limit() {
        let raw = intake::read(io::repeat(b'x'), &Limits::ORDINARY).unwrap();
        assert_eq!(raw.len(), Limits::ORDINARY.letter_bytes + 1);
    }
}
