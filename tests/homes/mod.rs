/*! Where a test keeps an office: in a folder, or in a database. A test of both ([`in_both_homes`]) reads files only
through the store, so it does not depend on the home.
*/

#![allow(dead_code, reason = "every program of tests uses some of it")]

#[cfg(all(unix, feature = "postgres"))]
pub mod database;

use crate::house::copy_all;
use std::fs;
use std::path::{Path, PathBuf};
use store::Store;
use store::drawer::Drawer;
use tempfile::TempDir;

/// One of the two homes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Folder,
    #[cfg(all(unix, feature = "postgres"))]
    Database,
}

impl Home {
    /// A new place in this home.
    pub fn place(self) -> Box<dyn Place> {
        match self {
            Home::Folder => {
                let folder = tempfile::tempdir().unwrap();
                Box::new(InFolder { games: folder.path().to_owned(), _own: Some(folder) })
            }
            #[cfg(all(unix, feature = "postgres"))]
            Home::Database => Box::new(database::InDatabase::new()),
        }
    }

    /// The place for a program that runs in a folder, with a configuration that contains [`Place::config`]: a folder
    /// of this name, or a database.
    pub fn place_beside(self, here: &Path, games: &str) -> Box<dyn Place> {
        match self {
            Home::Folder => Box::new(InFolder { games: here.join(games), _own: None }),
            #[cfg(all(unix, feature = "postgres"))]
            Home::Database => Box::new(database::InDatabase::beside(here)),
        }
    }
}

/// Where an office is kept.
pub trait Place {
    /// Opens the store, each time as another worker.
    fn store(&self) -> Store;
    /// The lines for the configuration.
    fn config(&self) -> String;
    /// Loses the disk, with everything on it.
    fn lose(&self);
    /// A copy of the place as it is now: what a crash leaves.
    fn copy(&self) -> Box<dyn Place>;
}

struct InFolder {
    games: PathBuf,
    /// Set if the folder is deleted with this place.
    _own: Option<TempDir>,
}

impl Place for InFolder {
    fn store(&self) -> Store {
        Store::from(&self.games)
    }

    fn config(&self) -> String {
        format!("games: {}\n", self.games.file_name().unwrap().to_str().unwrap())
    }

    fn lose(&self) {
        fs::remove_dir_all(&self.games).unwrap();
    }

    fn copy(&self) -> Box<dyn Place> {
        let copy = Home::Folder.place();
        copy_all(&self.games, copy.store().folder().unwrap());
        copy
    }
}

/// The text of a file of a drawer.
#[track_caller]
pub fn text(drawer: &Drawer, file: &str) -> String {
    String::from_utf8(drawer.read(file).unwrap()).unwrap()
}

/// The names of the files in a folder of a drawer.
#[track_caller]
pub fn names(drawer: &Drawer, folder: &str) -> Vec<String> {
    drawer.list(folder).unwrap().into_iter().map(|found| found.name).collect()
}

/// The texts of the files in a folder of a drawer.
#[track_caller]
pub fn texts(drawer: &Drawer, folder: &str) -> Vec<String> {
    names(drawer, folder).iter().map(|name| text(drawer, &format!("{folder}/{name}"))).collect()
}

/// Tests of both homes: each is a function of a [`Home`].
macro_rules! in_both_homes {
    ($($test:ident),* $(,)?) => {
        mod in_a_folder {
            $(#[test]
            fn $test() {
                super::$test($crate::homes::Home::Folder);
            })*
        }

        #[cfg(all(unix, feature = "postgres"))]
        mod in_a_database {
            $(#[test]
            fn $test() {
                if $crate::servers::postgres::Database::shared().is_some() {
                    super::$test($crate::homes::Home::Database);
                }
            })*
        }
    };
}
pub(crate) use in_both_homes;
