//! What a title hands out to play its seats: the judgement of its rules, and the search of the kernel.

use super::judgement::Judgement;
use super::{Level, say, thought};
use crate::chance::Chance;
use crate::game::Game;
use crate::menu::Said;
use crate::play::Play;
use crate::slot::Faces;
use crate::title::Bot;
use std::any::Any;
use std::marker::PhantomData;

/// The bot of a title with these rules.
pub struct Thinker<R>(PhantomData<fn() -> R>);

impl<R: Judgement> Thinker<R> {
    /// It keeps nothing between two answers, so there is only one.
    pub const ONLY: Thinker<R> = Thinker(PhantomData);
}

impl<R: Judgement> Bot for Thinker<R> {
    fn say(&self, game: &mut dyn Game, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said {
        let play = (game as &mut dyn Any).downcast_mut::<Play<R>>().expect("the game is of this title");
        say(play, level, chance, faces)
    }

    fn believe(&self, game: &dyn Game, faces: &Faces, chance: &mut dyn Chance) -> Faces {
        R::believe(play::<R>(game).board(), faces, chance)
    }

    fn thought(&self, game: &dyn Game, sentence: &str, faces: &Faces) -> Option<String> {
        thought::thought(play::<R>(game), sentence, faces)
    }
}

fn play<R: Judgement>(game: &dyn Game) -> &Play<R> {
    (game as &dyn Any).downcast_ref().expect("the game is of this title")
}
