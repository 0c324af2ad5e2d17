//! The sentences of players who want to get on.

use engine::chance::Practice;
use engine::game::Game;
use engine::need::Need;
use engine::slot::Faces;
use record::fold::Fold;

/// The most sentences in one letter.
const LINES_MAX: usize = 12;

/// What the asked player says: little if possible, otherwise anything, until dice must fall.
pub fn until_the_dice_fall(fold: &Fold, chance: &mut Practice) -> Vec<String> {
    let Need::Question(first) = fold.game().need() else { return Vec::new() };
    let (mut game, faces) = (fold.game().copy(), fold.faces());
    let mut lines = Vec::new();
    while let Need::Question(question) = game.need()
        && question.seat == first.seat
        && lines.len() < LINES_MAX
    {
        let least = fold.plan().title.orders.least.iter().find(|line| game.read(question.seat, line, faces).is_ok());
        let line = match least {
            Some(line) => (*line).to_owned(),
            None => something_quiet(&*game, faces, chance),
        };
        lines.push(game.say(question.seat, &line, faces).unwrap().sentence);
    }
    lines
}

/// One of some random sentences, if possible one that ends something.
fn something_quiet(game: &dyn Game, faces: &Faces, chance: &mut Practice) -> String {
    let mut anything = || game.copy().say_anything(chance, faces).sentence;
    let sentences: Vec<String> = (0..6).map(|_| anything()).collect();
    let ends = |line: &&String| matches!(line.split(' ').next(), Some("done" | "pass" | "end" | "no"));
    sentences.iter().find(ends).unwrap_or(&sentences[0]).clone()
}
