/*! Which table a file is in, by its name. It is said here and nowhere else.

The few files that are asked of all drawers at once, `log.yaml`, `post.yaml` and `next-tick`, have their rows in
`front`, all others in `file`. What is in a file stands in its row, but for the two that are appended to: a row for each
record of a log, and one for each piece of a book.
*/

use super::Inner;
use std::io;

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub drawer: &'a str,
    pub folder: &'a str,
    pub name: &'a str,
    pub table: &'static str,
    pub body: Body,
}

/// Where what is in a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// In its row.
    Row,
    /// In rows of `record`, not sealed: everybody may read a log.
    Records,
    /// In rows of `piece`.
    Pieces,
}

/// The files in `front`.
const FRONT: [(&str, Body); 3] = [("log.yaml", Body::Records), ("post.yaml", Body::Pieces), ("next-tick", Body::Row)];
/// Letters move between these folders, and are sealed for all three.
const SHELVES: [&str; 3] = ["outbox", "sent", "dead"];
/// Whoever watches hears of a letter in this folder.
pub(super) const OUTBOX: &str = "outbox";

impl<'a> Spot<'a> {
    /// Where a file of a drawer is, by its name with folders.
    pub(super) fn of(drawer: &'a str, file: &'a str) -> Spot<'a> {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        Spot::within(drawer, folder, name)
    }

    /// Where a file in a folder of a drawer is.
    pub(super) fn within(drawer: &'a str, folder: &'a str, name: &'a str) -> Spot<'a> {
        let front = FRONT.iter().find(|(front, _)| folder.is_empty() && *front == name);
        let (table, body) = front.map_or(("file", Body::Row), |(_, body)| ("front", *body));
        Spot { drawer, folder, name, table, body }
    }

    /// What a file is sealed to.
    pub(super) fn place(&self) -> [&'a str; 4] {
        ["file", self.drawer, if SHELVES.contains(&self.folder) { "letters" } else { self.folder }, self.name]
    }

    /// Seals what is in a file that has it in its row.
    pub(super) fn seal(&self, inner: &Inner, bytes: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.seal(&self.place(), bytes)
    }

    /// Opens what is in a file that has it in its row.
    pub(super) fn open(&self, inner: &Inner, sealed: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.open(&self.place(), sealed)
    }

    /// Seals a piece of a book, by where it starts.
    pub(super) fn seal_piece(&self, inner: &Inner, starts: i64, bytes: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.seal(&["piece", self.drawer, self.name, &starts.to_string()], bytes)
    }

    /// Opens a piece of a book.
    pub(super) fn open_piece(&self, inner: &Inner, starts: i64, sealed: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.open(&["piece", self.drawer, self.name, &starts.to_string()], sealed)
    }
}

/// Whether all of these files are in `front`.
pub(super) fn are_in_front(names: &[&str]) -> bool {
    names.iter().all(|name| FRONT.iter().any(|(front, _)| front == name))
}
