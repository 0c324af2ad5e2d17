//! A sentence that a seat says in its own turn would not have been refused if it had been written a little earlier.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::game::Game;
use engine::order::ahead::misread;
use std::collections::VecDeque;

/// The earlier moments at which a line is tried.
const BEFORE: usize = 10;
/// It tries one sentence in this many.
const EVERY: usize = 3;

#[derive(Default)]
pub struct Ahead {
    before: VecDeque<Box<dyn Game>>,
}

impl Watcher for Ahead {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        self.before.push_back(now.before.copy());
        if self.before.len() > BEFORE {
            self.before.pop_front();
        }
        let title = now.route.title;
        if !title.orders.own_turn.contains(&now.question.id) || !now.number.is_multiple_of(EVERY) {
            return;
        }
        let (seat, said) = (now.question.seat, &now.said.sentence);
        for game in &self.before {
            let wrong = misread((title, &**game), seat, title.orders.own_turn, said, &now.after.faces);
            assert_eq!(wrong, None, "{said} at {}, said at {}", game.moment(), now.before.moment());
        }
        seen.add("tried ahead", title.id, self.before.len());
    }
}

/// `games` were looked at.
pub fn expect(title: &str, games: usize, seen: &Seen) {
    let tried = seen.all("tried ahead");
    assert!(tried > 170 * games, "{title}: {tried} lines were tried ahead");
}
