//! A watch over a game: which facts have changed since it last looked.

use crate::facts::{Change, Facts, Sheet};
use crate::game::{Game, Watch};
use crate::play::{Play, Rules};
use std::any::Any;
use std::mem::swap;

/// A watch over a game of these rules.
#[derive(Clone)]
pub(super) struct Watching<R: Rules> {
    seen: Option<Seen<R>>,
    /// Buffers for the agenda and the question of the next look.
    agenda: Facts,
    question: Facts,
}

/// What was on the table at the last look.
#[derive(Clone)]
struct Seen<R: Rules> {
    game: Box<Play<R>>,
    agenda: Facts,
    question: Facts,
}

impl<R: Rules> Watching<R> {
    pub(super) fn new() -> Watching<R> {
        Watching { seen: None, agenda: Facts::default(), question: Facts::default() }
    }
}

impl<R: Rules> Watch for Watching<R> {
    fn look(&mut self, game: Box<dyn Game>, change: &mut Change) {
        let Ok(play) = (game as Box<dyn Any>).downcast::<Play<R>>() else { unreachable!("a game keeps its rules") };
        let (agenda, question) = (&mut self.agenda, &mut self.question);
        agenda.clear();
        play.agenda_fact(agenda);
        question.clear();
        play.question_fact(question);
        change.clear();
        match &mut self.seen {
            None => {
                play.facts(&mut change.after);
                let (agenda, question) = (agenda.clone(), question.clone());
                self.seen = Some(Seen { game: play, agenda, question });
            }
            Some(seen) => {
                R::facts(&mut Sheet::between(seen.game.board(), play.board(), change));
                change.line(&seen.agenda, agenda);
                change.line(&seen.question, question);
                seen.game = play;
                swap(&mut seen.agenda, agenda);
                swap(&mut seen.question, question);
            }
        }
    }

    fn copy(&self) -> Box<dyn Watch> {
        Box::new(self.clone())
    }
}
