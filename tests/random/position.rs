//! A board of War of the Ring that is written as facts and read again is the same board, between two actions.

use super::public::facts;
use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::need::{Need, Question};
use wotr::position;

pub struct Position {
    /// It looks after one sentence in this many.
    pub every: usize,
}

impl Watcher for Position {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        let Need::Question(Question { id: "action", seat }) = now.after.game.need() else { return };
        if !now.number.is_multiple_of(self.every) {
            return;
        }
        let text = facts(&*now.after.game);
        let step = format!("{} go", now.setup.seats[seat.index()]);
        let lines = text.lines().filter_map(|line| line.split_once(": ")).chain([("step", step.as_str())]);
        let lines: Vec<(&str, &str)> = lines.collect();
        let (again, _) = position::begin(now.setup, &lines).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        for (read, written) in facts(&*again).lines().zip(text.lines()) {
            if !written.starts_with("agenda") {
                assert_eq!(read, written);
            }
        }
        seen.note("positions read again", now.route.title.id);
    }
}
