/*! Power failures on purpose, for the tests: after a given number of operations the next one
fails, and so does every one after it.

Every place that writes, syncs, renames or speaks to a server says so here first; what is written goes through
[`write`], which leaves half of it behind when it is the one that fails. Outside the tests nothing is ever armed, and
nothing happens.
*/

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    static STRUCK: Cell<bool> = const { Cell::new(false) };
}

/// Lets the next `doings` operations of this thread succeed, and none after them.
pub fn after(doings: u32) {
    LEFT.set(Some(doings));
}

/// Ends it, and says whether something was kept from happening.
#[must_use]
pub fn has_struck() -> bool {
    LEFT.set(None);
    STRUCK.take()
}

/// Something is about to happen that a power failure could prevent.
///
/// # Errors
/// The power has failed.
pub fn strike() -> io::Result<()> {
    match LEFT.get() {
        None => Ok(()),
        Some(0) => {
            STRUCK.set(true);
            Err(io::Error::other("the power has failed"))
        }
        Some(left) => {
            LEFT.set(Some(left - 1));
            Ok(())
        }
    }
}

/// Writes bytes to a file. The write during which the power fails leaves half of them.
///
/// # Errors
/// What the system says.
pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let was_struck = STRUCK.get();
    if let Err(error) = strike() {
        if !was_struck {
            file.write_all(&bytes[..bytes.len() / 2])?;
        }
        return Err(error);
    }
    file.write_all(bytes)
}

/// Returns when the bytes of a file, and what the system knows of it, would survive a power failure.
///
/// # Errors
/// What the system says.
pub fn sync(file: &File) -> io::Result<()> {
    strike()?;
    file.sync_all()
}

/// Renames a file.
///
/// # Errors
/// What the system says.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    strike()?;
    fs::rename(from, to)
}
