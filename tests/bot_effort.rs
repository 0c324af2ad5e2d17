//! A program's thinking is bounded in every position: its steps are counted, whatever they are spent on, and its
//! sentence is always allowed.

use engine::bot::{self, Level};
use engine::chance::Practice;
use engine::need::Need;
use engine::play::{Play, Rules};
use engine::practice::Table;
use engine::title::Setup;
use ringmail::titles;
use risk::Risk;
use std::any::Any;
use wotr::WarOfTheRing;

/// The positions of a random game between two that the program thinks about.
const STRIDE: u32 = if cfg!(debug_assertions) { 97 } else { 13 };
const SENTENCES: u32 = 600;

/// Thinks about positions of random games, with the whole effort and with an effort so small that it is used up;
/// returns how often it was.
fn used_up<R: Rules>(id: &str, players: usize, seed: u64) -> u32 {
    let title = titles::ALL.by_id(id).unwrap();
    let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
    let setup = Setup { edition: title.editions()[0].to_owned(), seats, options: Vec::new() };
    let mut chance = Practice::new(seed);
    let mut table = Table::new(title, &setup, &mut chance).unwrap();
    let mut used_up = 0;
    for sentence in 0..SENTENCES {
        let Need::Question(question) = table.game.need() else { break };
        if sentence % STRIDE == 0 {
            let own = table.faces.of(&table.game.hand(question.seat));
            let play = (table.game.as_ref() as &dyn Any).downcast_ref::<Play<R>>().unwrap();
            for (level, few) in [(Level::Fair, None), (Level::Strong, Some(60)), (Level::Strong, Some(700))] {
                let mut chance = Practice::new(u64::from(sentence));
                let spent = bot::spent(play, level, few, &mut chance, &own).unwrap();
                let (taken, most) = (spent.taken, spent.most);
                assert!(taken <= most, "{id}, game {seed}, sentence {sentence}: {taken} steps instead of {most}");
                used_up += u32::from(spent.is_used_up());
                let read = table.game.read(question.seat, &spent.sentence, &own);
                assert!(read.is_ok(), "{id}, game {seed}, sentence {sentence}: `{}`", spent.sentence);
            }
        }
        table.play_anything(&mut chance);
        table.game.forget_news();
    }
    used_up
}

#[test]
fn the_steps_of_a_program_are_bounded_in_every_position() {
    let games = if cfg!(debug_assertions) { 1 } else { 3 };
    let wotr: u32 = (0..games).map(|seed| used_up::<WarOfTheRing>("wotr", 2 + seed as usize % 3, seed)).sum();
    let risk: u32 = (0..games).map(|seed| used_up::<Risk>("risk", 2 + seed as usize, seed)).sum();
    assert!(wotr > 0 && risk > 0, "a small effort is never used up: {wotr} and {risk} times");
}
