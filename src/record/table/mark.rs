/*! How the log and the secrets stood when a table went to rest. */

use crate::entry::Head;
use store::home::Seen;

/// What must be unchanged for the table to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) head: Head,
    pub(super) length: u64,
    pub(super) log: Seen,
    pub(super) secrets: Seen,
}
