/*! Where an office keeps everything: the store. It has two homes, a folder on a disk and a database that many machines
share, and the rest of the house does not know which of them it works with.

[`home`] says what a home must be able to do and what it promises; [`folder`] is the one on a disk, and `postgres` the
one in a database, which a program can be built without. A [`Store`] is one of them, opened, and a [`drawer`] is what
it keeps of one game, or of the counter: files by their names, appended to or replaced as a whole. The room knows no
log, no letter and no game.
*/

pub mod drawer;
pub mod folder;
pub mod home;

use self::drawer::Drawer;
use self::folder::Folder;
use self::home::{Found, Home, Shared, Surveyed};
use data_encoding::HEXLOWER;
use ground::disk::place::{about, make_new_folder};
use ground::disk::space::Space;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The store of an office, opened.
#[derive(Clone, Debug)]
pub struct Store {
    home: Arc<dyn Home>,
}

impl Store {
    /// A store in this home.
    pub fn at(home: Arc<dyn Home>) -> Store {
        Store { home }
    }

    /// What is kept of a game, or of the counter. It need not be there yet.
    pub fn drawer(&self, name: &str) -> Drawer {
        Drawer::new(self.home.clone(), name)
    }

    /// Where the store is, for people.
    pub fn place(&self) -> PathBuf {
        self.home.place("", "")
    }

    /// Takes over a folder on a disk as a new drawer; if `drawer` is empty, as all drawers of an empty store. All of
    /// it is taken over, or nothing.
    pub fn move_in(&self, from: &Path, drawer: &str) -> io::Result<()> {
        self.home.move_in(from, drawer)
    }

    /// Makes a new folder on a disk, for its owner only, in which something is completed before it moves into the
    /// store: beside the games, or, if they are in a database, among the temporary files of the system. It must not
    /// exist yet, so nobody else can have made it.
    pub fn staging(&self, purpose: &str) -> io::Result<PathBuf> {
        let mut mark = [0; 8];
        getrandom::fill(&mut mark).map_err(|error| io::Error::other(error.to_string()))?;
        let above = self.folder().map_or_else(std::env::temp_dir, Path::to_path_buf);
        // No game can have a name with a dot.
        let folder = above.join(format!(".{purpose}-{}", HEXLOWER.encode(&mark)));
        make_new_folder(&folder).map_err(|error| about(&folder, &error))?;
        Ok(folder)
    }

    /// The names of all drawers, in order.
    pub fn drawers(&self) -> io::Result<Vec<String>> {
        self.home.drawers()
    }

    /// The names of the drawers with a file of this name, in order. A drawer that cannot be checked is included:
    /// opening it reports what is wrong.
    pub fn drawers_with(&self, file: &str) -> io::Result<Vec<String>> {
        self.home.drawers_with(file)
    }

    /// A short file of every drawer and the lengths of two others, in the order of the names: what is asked of all
    /// games once a minute.
    pub fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>> {
        self.home.survey(note, lengths)
    }

    /// The files in the folders of this name in all drawers, in the order of the drawers and then of the files.
    pub fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>> {
        self.home.everywhere(folder)
    }

    /// The room that is left; `None` if the home cannot know it.
    pub fn space(&self) -> io::Result<Option<Space>> {
        self.home.space()
    }

    /// What several workers of one office share; `None` where one process does all the work.
    pub fn shared(&self) -> Option<&dyn Shared> {
        self.home.shared()
    }

    /// The folder in which the store lies; `None` if it is a database.
    pub fn folder(&self) -> Option<&Path> {
        self.home.folder()
    }
}

impl From<&Path> for Store {
    fn from(folder: &Path) -> Store {
        Store::at(Arc::new(Folder::new(folder)))
    }
}

impl From<&PathBuf> for Store {
    fn from(folder: &PathBuf) -> Store {
        Store::from(folder.as_path())
    }
}

impl From<&Store> for Store {
    fn from(store: &Store) -> Store {
        store.clone()
    }
}
