//! A watcher of the walk, and what it is shown.

use super::route::Route;
use super::seen::Seen;
use engine::game::Game;
use engine::menu::Said;
use engine::need::{Answer, Need, Question};
use engine::practice::Table;
use engine::title::Setup;

/// A sentence of the walk: the game in which it was asked for, and the table when everything after it has been dealt.
pub struct Moment<'a> {
    pub route: &'a Route,
    pub setup: &'a Setup,
    /// The number of the sentence in its game, from 0.
    pub number: usize,
    pub question: Question,
    pub before: &'a dyn Game,
    pub said: &'a Said,
    /// What the game needed after the sentence, and how it was answered.
    pub dealt: &'a [(Need, Answer)],
    /// Its faces are those of all cards.
    pub after: &'a Table,
}

/// Checks one game. What it has seen in all games is judged by the function `expect` of its file.
pub trait Watcher {
    /// Panics if something does not hold.
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen);
}
