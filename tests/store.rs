//! Where an office keeps everything: both homes keep the same promises, and what only one of them promises.

#[cfg(all(unix, feature = "postgres"))]
#[path = "store/database.rs"]
mod database;
#[path = "store/promises.rs"]
mod promises;

use ringmail::store::Store;
use ringmail::store::home::Home;
use std::sync::Arc;
use tempfile::TempDir;

/// Where a store is; every opening of it is another worker.
struct Place {
    _folder: Option<TempDir>,
    open: Box<dyn Fn() -> Arc<dyn Home> + Sync>,
}

impl Place {
    fn home(&self) -> Arc<dyn Home> {
        (self.open)()
    }

    fn store(&self) -> Store {
        Store::at(self.home())
    }
}

fn in_a_folder() -> Option<Place> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let open = move || Arc::new(ringmail::store::folder::Folder::new(&root)) as Arc<dyn Home>;
    Some(Place { _folder: Some(folder), open: Box::new(open) })
}

#[cfg(all(unix, feature = "postgres"))]
fn in_a_database() -> Option<Place> {
    let database = crate::servers::postgres::Database::shared()?;
    let office = database.office();
    let url = database.url();
    let open = move || Arc::new(ringmail::store::postgres::Postgres::open(&url, &database::KEY, &office).unwrap());
    Some(Place { _folder: None, open: Box::new(move || open() as Arc<dyn Home>) })
}

/// A test for each home and promise.
macro_rules! kept {
    ($($promise:ident),* $(,)?) => {
        mod folder {
            $(#[test]
            fn $promise() {
                super::promises::$promise(&super::in_a_folder().unwrap());
            })*
        }

        #[cfg(all(unix, feature = "postgres"))]
        mod postgres {
            $(#[test]
            fn $promise() {
                if let Some(place) = super::in_a_database() {
                    super::promises::$promise(&place);
                }
            })*
        }
    };
}

kept! {
    a_file_is_replaced_as_a_whole,
    a_change_is_seen,
    what_is_not_there_is_not_found,
    files_are_moved_and_removed,
    folders_are_listed_in_order,
    drawers_are_looked_through,
    a_file_is_appended_to,
    a_log_is_read_from_anywhere,
    an_append_begins_as_it_says,
    a_file_is_cut_off,
    a_folder_moves_in,
    a_lock_is_held_by_one,
    a_lock_is_waited_for,
    a_power_failure_leaves_the_old_or_the_new,
}
