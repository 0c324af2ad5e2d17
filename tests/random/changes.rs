//! The facts that a watch finds changed are those that differ.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use crate::watched::Watched;

impl Watcher for Watched {
    fn look(&mut self, now: &Moment<'_>, _: &mut Seen) {
        Watched::look(self, &*now.after.game);
    }
}
