/*! Simulated power failures, for the tests: after a given number of operations the next one fails, and every one after
it.

Code that writes, syncs, renames or talks to a server calls [`strike`] first. Writing goes through [`write()`], which
leaves half of the bytes in the file if it is the operation that fails. Outside the tests no failure is ever simulated.
*/

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    static STRUCK: Cell<bool> = const { Cell::new(false) };
}

/// Lets the next `operations` of this thread succeed, and none after them.
pub fn after(operations: u32) {
    LEFT.set(Some(operations));
}

/// Ends the simulated power failure, and returns whether an operation failed.
pub fn has_struck() -> bool {
    LEFT.set(None);
    STRUCK.take()
}

/// Counts an operation, and fails once the simulated power failure has begun.
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

/// Syncs the bytes and the metadata of a file to the disk.
pub fn sync(file: &File) -> io::Result<()> {
    strike()?;
    file.sync_all()
}

/// Renames a file.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    strike()?;
    fs::rename(from, to)
}
