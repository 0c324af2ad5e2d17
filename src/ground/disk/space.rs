//! How much room there is on the disk of a folder.

use std::io;
use std::path::Path;

/// The room on a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// What this user may still write.
    pub free: u64,
    pub whole: u64,
}

impl Space {
    /// The room on the disk on which a folder lies.
    #[cfg(unix)]
    pub fn at(folder: &Path) -> io::Result<Space> {
        let found = rustix::fs::statvfs(folder)?;
        let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
        Ok(Space { free: bytes(found.f_bavail), whole: bytes(found.f_blocks) })
    }

    /// The room on the disk on which a folder lies.
    ///
    /// # Errors
    /// Always `Unsupported`.
    #[cfg(not(unix))]
    pub fn at(_folder: &Path) -> io::Result<Space> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}
