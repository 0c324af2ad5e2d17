/*! What this worker remembers of each game: the newest record that it has written or read, in memory and in a file on
its own disk.

A store may forget. A standby that takes over for a database lacks what had not been copied to it, and a folder may be
put back by hand while the service runs. If a game were to go on from there, its host would sign two histories.
*/

use ground::disk::place::{TEXT_BYTES_MAX, place_loosely, within};
use ground::hash::Hash;
use record::entry::Head;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file, beside the configuration.
pub const HEADS: &str = ".heads";
/// The file is written anew when it has this many lines for each game.
const LINES_A_GAME: usize = 50;
/// No file is longer: it has a hundred bytes for each record.
const BYTES_MAX: u64 = 256 * TEXT_BYTES_MAX;

/// The newest record of each game.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    heads: BTreeMap<String, Head>,
    file: Option<PathBuf>,
    lines: usize,
}

impl Heads {
    /// What the file says. One that cannot be read says nothing; it only adds to what the store itself knows.
    pub fn in_file(file: &Path) -> Heads {
        let mut bytes = Vec::new();
        let read = File::open(file).and_then(|opened| within(opened, BYTES_MAX, &mut bytes));
        let text = if read.is_ok() { String::from_utf8_lossy(&bytes) } else { "".into() };
        let mut known = Known { file: Some(file.to_owned()), ..Known::default() };
        for line in text.lines() {
            known.lines += 1;
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                [game, seq, hash] => {
                    if let (Ok(seq), Some(hash)) = (seq.parse(), Hash::parse(hash)) {
                        known.heads.insert(game.to_owned(), Head { seq, hash });
                    }
                }
                [game] => drop(known.heads.remove(game)),
                _ => {}
            }
        }
        Heads { known: Arc::new(Mutex::new(known)) }
    }

    /// The newest record of a game, as far as this worker knows.
    pub(super) fn of(&self, game: &str) -> Option<Head> {
        self.known().heads.get(game).copied()
    }

    /// Notes the newest record of a game.
    pub(super) fn note(&self, game: &str, head: Head) {
        let mut known = self.known();
        if known.heads.get(game) != Some(&head) {
            known.heads.insert(game.to_owned(), head);
            known.write(&line(game, head));
        }
    }

    /// Forgets a game: its players are asked what they have seen.
    pub(super) fn forget(&self, game: &str) {
        let mut known = self.known();
        if known.heads.remove(game).is_some() {
            known.write(&format!("{game}\n"));
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn line(game: &str, head: Head) -> String {
    format!("{game} {} {}\n", head.seq, head.hash)
}

impl Known {
    /// Appends a line. If that fails, it is remembered until this process ends.
    fn write(&mut self, line: &str) {
        let Some(file) = &self.file else { return };
        self.lines += 1;
        if self.lines > LINES_A_GAME * (self.heads.len() + 1) {
            let whole: String = self.heads.iter().map(|(game, head)| self::line(game, *head)).collect();
            let (folder, name) = (file.parent().unwrap_or(Path::new("")), file.file_name());
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if name
                .and_then(|name| name.to_str())
                .is_some_and(|name| place_loosely(folder, name, whole.as_bytes()).is_ok())
            {
                self.lines = self.heads.len();
                return;
            }
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let _ = options.open(file).and_then(|mut opened| opened.write_all(line.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::sha256;

    #[test]
    fn what_a_worker_has_seen_is_known_after_its_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(HEADS);
        let head = |seq: u64| Head { seq, hash: sha256(&seq.to_be_bytes()) };
        let heads = Heads::in_file(&file);
        (0..500).for_each(|seq| heads.note("shire", head(seq)));
        heads.note("bree", head(3));
        heads.note("rohan", head(4));
        heads.forget("rohan");
        assert!(file.metadata().unwrap().len() < 20_000);
        let again = Heads::in_file(&file);
        assert_eq!((again.of("shire"), again.of("bree"), again.of("rohan")), (Some(head(499)), Some(head(3)), None));
    }
}
