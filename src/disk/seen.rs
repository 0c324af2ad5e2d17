/*! How a file looked when it was last read: enough to tell that it has changed since, without reading it again. */

use std::path::Path;
use std::time::SystemTime;
use std::{fs, io};

/// The looks of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    length: u64,
    changed: SystemTime,
    /// Which file it is, and when the system last noted a change of any kind: nobody can set that back.
    #[cfg(unix)]
    identity: (u64, i64, i64),
}

impl Seen {
    /// How a file looks now.
    ///
    /// # Errors
    /// What the system says.
    pub fn of(file: &Path) -> io::Result<Seen> {
        let found = fs::metadata(file)?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            (found.ino(), found.ctime(), found.ctime_nsec())
        };
        Ok(Seen {
            length: found.len(),
            changed: found.modified()?,
            #[cfg(unix)]
            identity,
        })
    }
}
