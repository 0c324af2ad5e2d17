/*! A table that rests: its log is free for others, and what was folded is remembered. It is taken up again only if the
log still ends with the same record and neither it nor the secrets have been touched; otherwise the log is folded anew.
*/

use super::Table;
use super::table_error::TableError;
use crate::entry::Head;
use crate::file::log::{LOG, Log};
use crate::file::secrets::SECRETS;
use std::io;
use std::time::Duration;
use store::home::Seen;

/// What must be as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    head: Head,
    length: u64,
    log: Seen,
    secrets: Seen,
}

impl Table {
    /// Gives the log up. `false` if there is something about the table that stands in no file: then it cannot rest.
    pub fn rest(&mut self) -> bool {
        let has_more = !self.pending.is_empty() || self.has_stale_orders || self.log.torn() > 0;
        let mark = self.mark().ok().filter(|_| !has_more);
        self.rests = mark;
        self.log.release();
        mark.is_some()
    }

    /// Takes the log up again; waits for so long while another process is at it. `false` if anything has changed: then
    /// the table is of no use any more.
    ///
    /// # Errors
    /// The log is busy, or cannot be opened.
    pub fn wake(&mut self, patience: Duration) -> Result<bool, TableError> {
        self.log = Log::open_within(&self.drawer, patience)?;
        let mark = self.mark().ok();
        Ok(mark.is_some() && mark == self.rests.take() && self.fold.head() == self.log.head() && self.log.torn() == 0)
    }

    fn mark(&self) -> io::Result<Mark> {
        let (log, secrets) = (self.drawer.look(LOG)?, self.drawer.look(SECRETS)?);
        Ok(Mark { head: self.log.head(), length: self.log.length(), log, secrets })
    }
}
