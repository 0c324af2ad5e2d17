//! A watch over a game: which facts are others than when it looked last.

use crate::engine::facts::{Change, Facts, Sheet};
use crate::engine::play::{Play, Rules};
use crate::engine::title::Game;
use std::any::Any;

/// Finds the facts that change from one moment to the next. At its first look all facts are new.
pub trait Watch: Send {
    /// Looks, and writes down what has changed since the last look, in the order of the facts.
    fn look(&mut self, game: &dyn Game, change: &mut Change);

    fn copy(&self) -> Box<dyn Watch>;
}

/// A watch over a game of these rules.
#[derive(Clone)]
pub(super) struct Watching<R: Rules> {
    seen: Option<Seen<R>>,
}

/// What was on the table at the last look.
#[derive(Clone)]
struct Seen<R: Rules> {
    board: R::Board,
    agenda: Facts,
    question: Facts,
}

impl<R: Rules> Watching<R> {
    pub(super) fn new() -> Watching<R> {
        Watching { seen: None }
    }
}

impl<R: Rules> Watch for Watching<R> {
    fn look(&mut self, game: &dyn Game, change: &mut Change) {
        let play = (game as &dyn Any).downcast_ref::<Play<R>>().expect("a game keeps its rules");
        let (mut agenda, mut question) = Default::default();
        play.agenda_fact(&mut agenda);
        play.question_fact(&mut question);
        change.clear();
        match &mut self.seen {
            None => {
                play.facts(&mut change.after);
                self.seen = Some(Seen { board: play.board().clone(), agenda, question });
            }
            Some(seen) => {
                R::facts(&mut Sheet::between(&seen.board, play.board(), change));
                change.line(&seen.agenda, &agenda);
                change.line(&seen.question, &question);
                seen.board.clone_from(play.board());
                (seen.agenda, seen.question) = (agenda, question);
            }
        }
    }

    fn copy(&self) -> Box<dyn Watch> {
        Box::new(self.clone())
    }
}
