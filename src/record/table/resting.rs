/*! A table that rests: it frees its log for others and keeps the fold in memory. It goes on only if the log still
ends with the same record and nobody has touched the log or the secrets; otherwise the log must be folded again.
*/

use super::Table;
use super::mark::Mark;
use super::table_error::TableError;
use crate::file::log::Log;
use crate::file::secrets::SECRETS;
use ground::files::LOG;
use std::io;
use std::time::Duration;

impl Table {
    /// Frees the log. Returns `false` if the table holds something that is in no file: then it cannot rest.
    pub fn rest(&mut self) -> bool {
        let has_more = !self.pending.is_empty() || self.has_stale_orders || self.log.torn() > 0;
        let mark = self.mark().ok().filter(|_| !has_more);
        self.rests = mark;
        self.log.release();
        mark.is_some()
    }

    /// Locks the log again, waiting up to `patience` while another process has it. Returns `false` if anything has
    /// changed: then the table is of no more use.
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
