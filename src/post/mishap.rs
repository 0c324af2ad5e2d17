/*! Power failures on purpose, for the tests: the next write but so many fails, and so does every one after it.

Every place where a desk writes says so here first. Outside the tests nothing is ever armed, and nothing happens.
*/

use std::cell::Cell;
use std::io;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    static STRUCK: Cell<bool> = const { Cell::new(false) };
}

/// Lets so many writes of this thread succeed, and none after them.
pub fn after(writes: u32) {
    LEFT.set(Some(writes));
}

/// Ends it, and says whether a write was kept from happening.
#[must_use]
pub fn has_struck() -> bool {
    LEFT.set(None);
    STRUCK.take()
}

/// A write is about to happen.
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
