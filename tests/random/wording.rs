//! A random sentence reads as it prints.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};

pub struct Wording {
    /// It looks at one sentence in this many.
    pub every: usize,
}

impl Watcher for Wording {
    fn look(&mut self, now: &Moment<'_>, _: &mut Seen) {
        if now.number.is_multiple_of(self.every) {
            let read = now.before.read(now.question.seat, &now.said.sentence, &now.after.faces);
            assert_eq!(read.as_ref(), Ok(now.said), "`{}` reads as it prints", now.said.sentence);
        }
    }
}
