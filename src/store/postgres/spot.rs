/*! Which table a file is in, by its name. It is said here and nowhere else.

The few files that are asked of all drawers at once, `log.yaml`, `post.yaml` and `next-tick`, are columns of their
drawer, so that one look at one table finds them; each other file is a row of `file`. What is in a file stands in its
row, but for the two that are appended to: a row for each record of a log, and one for each piece of a book.
*/

use super::Inner;
use std::io;

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub drawer: &'a str,
    pub folder: &'a str,
    pub name: &'a str,
    /// What the names of its columns begin with, if they are in the row of its drawer.
    pub front: Option<&'static str>,
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

/// The files that are columns of their drawers, with what the names of the columns begin with.
pub(super) const FRONT: [(&str, &str, Body); 3] =
    [("log.yaml", "log_", Body::Records), ("post.yaml", "book_", Body::Pieces), ("next-tick", "note_", Body::Row)];
/// Letters move between these folders, and are sealed for all three.
const SHELVES: [&str; 3] = ["outbox", "sent", "dead"];
/// Those who watch hear of a letter in this folder.
pub(super) const OUTBOX: &str = "outbox";

impl<'a> Spot<'a> {
    /// Where a file of a drawer is, by its name with folders.
    pub(super) fn of(drawer: &'a str, file: &'a str) -> Spot<'a> {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        Spot::within(drawer, folder, name)
    }

    /// Where a file in a folder of a drawer is.
    pub(super) fn within(drawer: &'a str, folder: &'a str, name: &'a str) -> Spot<'a> {
        let front = FRONT.iter().find(|(front, ..)| folder.is_empty() && *front == name);
        let (front, body) = front.map_or((None, Body::Row), |(_, columns, body)| (Some(*columns), *body));
        Spot { drawer, folder, name, front, body }
    }

    /// The table in which its row is.
    pub(super) fn table(&self) -> &'static str {
        if self.front.is_some() { "drawer" } else { "file" }
    }

    /// The name of a column of it.
    pub(super) fn column(&self, name: &str) -> String {
        format!("{}{name}", self.front.unwrap_or_default())
    }

    /// The names of columns of it, as a statement lists them.
    pub(super) fn columns(&self, names: &[&str]) -> String {
        names.iter().map(|name| self.column(name)).collect::<Vec<String>>().join(", ")
    }

    /// The condition by which its row is found, with the parameters of the drawer, the folder and the name.
    pub(super) fn is_here(&self, [drawer, folder, name]: [usize; 3]) -> String {
        match self.front {
            None => format!("drawer = ${drawer} and folder = ${folder} and name = ${name}"),
            Some(columns) => format!(
                "name = ${drawer} and ${folder} = '' and ${name} = '{}' and {columns}version is not null",
                self.name
            ),
        }
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
