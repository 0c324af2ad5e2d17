/*! Which table a file is in, by its name, and how its row is found there. Only this file knows that.

The few files that are read of all drawers at once, `log.yaml`, `post.yaml` and `next-tick`, are columns of their
drawer, so that one query of one table finds them; each other file is a row of `file`. The contents of a file are in
its row, except for the two that are appended to: they have a row for each record of a log, and one for each piece of
a book.

File names show what letters say and whom they go to, so the database holds none of them in clear: a row of `file` has
a [`Label`]. The names of drawers and folders are plain: a log says the name of its game, and every game has the same
few folders.
*/

use super::Inner;
use data_encoding::HEXLOWER;
use ground::files::{BOOK, DEAD, LOG, NEXT_TICK, OUTBOX, SENT};
use std::io;

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub drawer: &'a str,
    pub folder: &'a str,
    /// Private to this module: rows are found by the mark.
    name: &'a str,
    /// The prefix of its columns, if they are in the row of its drawer.
    pub front: Option<&'static str>,
    pub body: Body,
}

/// The name of a file as its row holds it.
pub(super) struct Label {
    /// The row is found by this. It follows from the name alone, and so stays when a file moves to another folder.
    pub mark: Vec<u8>,
    /// The name, sealed.
    pub name: Vec<u8>,
}

/// Where the contents of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// In its row.
    Row,
    /// In rows of `record`, not sealed: everybody may read a log.
    Records,
    /// In rows of `piece`.
    Pieces,
}

/// The files that are columns of their drawers, with the prefix of the columns.
pub(super) const FRONT: [(&str, &str, Body); 3] =
    [(LOG, "log_", Body::Records), (BOOK, "book_", Body::Pieces), (NEXT_TICK, "note_", Body::Row)];
/// Letters move between these folders, and are sealed for all three.
const SHELVES: [&str; 3] = [OUTBOX, SENT, DEAD];
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
        if self.front.is_some() { "~drawer" } else { "~file" }
    }

    /// The name of a column of it.
    pub(super) fn column(&self, name: &str) -> String {
        format!("{}{name}", self.front.unwrap_or_default())
    }

    /// The names of columns of it, as a statement lists them.
    pub(super) fn columns(&self, names: &[&str]) -> String {
        names.iter().map(|name| self.column(name)).collect::<Vec<String>>().join(", ")
    }

    /// The condition by which its row is found, with the parameters of the drawer, the folder and the mark.
    pub(super) fn is_here(&self, [drawer, folder, mark]: [usize; 3]) -> String {
        match self.front {
            None => format!("drawer = ${drawer} and folder = ${folder} and mark = ${mark}"),
            Some(columns) => format!(
                "name = ${drawer} and ${folder} = '' and ${mark}::bytea is not null and {columns}version is not null"
            ),
        }
    }

    /// The mark by which its row is found.
    pub(super) fn mark(&self, inner: &Inner) -> Vec<u8> {
        inner.seal.mark_of_name(self.name)
    }

    /// Its name as its row holds it.
    pub(super) fn label(&self, inner: &Inner) -> io::Result<Label> {
        let mark = self.mark(inner);
        let name = inner.seal.seal(&place_of_name(self.drawer, &HEXLOWER.encode(&mark)), self.name.as_bytes())?;
        Ok(Label { mark, name })
    }

    /// The place to which a file is sealed.
    pub(super) fn place(&self) -> [&'a str; 4] {
        ["file", self.drawer, if SHELVES.contains(&self.folder) { "letters" } else { self.folder }, self.name]
    }

    /// Seals the contents of a file that has them in its row.
    pub(super) fn seal(&self, inner: &Inner, bytes: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.seal(&self.place(), bytes)
    }

    /// Opens the contents of a file that has them in its row.
    pub(super) fn open(&self, inner: &Inner, sealed: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.open(&self.place(), sealed)
    }

    /// Seals a piece of a book, bound to where it starts.
    pub(super) fn seal_piece(&self, inner: &Inner, starts: i64, bytes: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.seal(&["piece", self.drawer, self.name, &starts.to_string()], bytes)
    }

    /// Opens a piece of a book.
    pub(super) fn open_piece(&self, inner: &Inner, starts: i64, sealed: &[u8]) -> io::Result<Vec<u8>> {
        inner.seal.open(&["piece", self.drawer, self.name, &starts.to_string()], sealed)
    }
}

impl Inner {
    /// Opens the sealed name of a file, from a row of a drawer with this mark.
    pub(super) fn name(&self, drawer: &str, mark: &[u8], sealed: &[u8]) -> io::Result<String> {
        let name = self.seal.open(&place_of_name(drawer, &HEXLOWER.encode(mark)), sealed)?;
        String::from_utf8(name).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

/// The place to which the name of a file is sealed, with the digits of its mark.
fn place_of_name<'a>(drawer: &'a str, mark: &'a str) -> [&'a str; 3] {
    ["name", drawer, mark]
}
