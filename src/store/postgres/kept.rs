/*! The small files of a game, read together: while this process holds the lease of a drawer, nobody else changes
them, so they are read once, by one statement, and not one by one for each letter. What this process writes into the
drawer makes it forget them.
*/

use super::Inner;
use super::lease::Fence;
use super::spot::Spot;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::home::Seen;

/// What was read of the drawers of which a lease is held.
#[derive(Debug, Default)]
pub(super) struct Kept {
    drawers: Mutex<BTreeMap<String, Files>>,
}

/// The files of a drawer that are in none of its folders, by their marks, under leases with these epochs.
#[derive(Debug)]
struct Files {
    epochs: Vec<i64>,
    files: BTreeMap<Vec<u8>, File>,
}

/// How a file looks, and its contents, sealed.
pub(super) type File = (Seen, Vec<u8>);

impl Kept {
    /// Forgets what was read of a drawer.
    pub(super) fn forget(&self, drawer: &str) {
        self.drawers().remove(drawer);
    }

    fn drawers(&self) -> MutexGuard<'_, BTreeMap<String, Files>> {
        self.drawers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The leases under which something is written into a drawer now. What was read of it is forgotten.
    pub(super) fn fence(&self, drawer: &str) -> io::Result<Fence> {
        self.kept.forget(drawer);
        self.leases.fence(drawer)
    }

    /// A file as it was read with the others of its drawer; `None` if it must be read by itself. The files of the
    /// counter are: they are written under several locks.
    pub(super) fn kept(&self, spot: Spot<'_>) -> io::Result<Option<Option<File>>> {
        let is_small = spot.folder.is_empty() && spot.front.is_none() && !spot.drawer.starts_with('.');
        let epochs = self.leases.fence(spot.drawer).map_or(Vec::new(), |fence| fence.epochs);
        if !is_small || epochs.is_empty() {
            return Ok(None);
        }
        let mark = spot.mark(self);
        if let Some(kept) = self.kept.drawers().get(spot.drawer).filter(|kept| kept.epochs == epochs) {
            return Ok(Some(kept.files.get(&mark).cloned()));
        }
        let files = self.small_files(spot.drawer)?;
        let file = files.get(&mark).cloned();
        self.kept.drawers().insert(spot.drawer.to_owned(), Files { epochs, files });
        Ok(Some(file))
    }
}
