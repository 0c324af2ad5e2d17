//! The bot plays both sides to an end, the same way for the same seed.

use crate::amount::amount;
use engine::bot::Level;
use engine::chance::Practice;
use engine::need::Need;
use engine::outcome::Outcome;
use engine::practice::Table;
use engine::seat::Seat;
use engine::slot::Faces;
use engine::title::Setup;
use std::collections::BTreeMap;
use wotr::EDITIONS;
use wotr::title::TITLE;

/// The games that are played, more until each way to win has occurred, and all of a night.
const GAMES: u64 = 12;
const GAMES_MAX: u64 = 100;
/// The number of the first: the rarest way, corruption, occurs soon after it.
const FIRST: u64 = 20;
/// The ways in which a game is won (16.1).
const WAYS: usize = 4;

/// Sentences after which a game counts as stuck.
const SENTENCES_MAX: u32 = 6_000;

fn setup() -> Setup {
    let seats = vec!["free".to_string(), "shadow".to_string()];
    Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() }
}

fn played(seed: u64) -> (Outcome, Vec<String>) {
    let mut chance = Practice::new(seed);
    let mut table = Table::new(&TITLE, &setup(), &mut chance).expect("a game");
    let mut said = Vec::new();
    for _ in 0..SENTENCES_MAX {
        match table.play_well(TITLE.bot, Level::Easy, &mut chance) {
            Some(sentence) => said.push(sentence.sentence),
            None => return (table.game.outcome().expect("the game is over"), said),
        }
        table.game.forget_news();
    }
    panic!("game {seed} does not end: {}", table.game.moment());
}

/// 16.1: a game is won in four ways, and each occurs before long.
#[test]
fn the_bot_plays_to_an_end_in_each_of_the_four_ways() {
    let mut ways: BTreeMap<String, u32> = BTreeMap::new();
    for seed in FIRST..FIRST + GAMES_MAX {
        if ways.len() == WAYS && seed - FIRST >= amount(GAMES, GAMES_MAX) {
            break;
        }
        let (outcome, _) = played(seed);
        assert_eq!(outcome.winners.len(), 1, "game {seed}");
        *ways.entry(outcome.reason).or_default() += 1;
    }
    assert_eq!(ways.len(), WAYS, "{ways:?}");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    assert_eq!(played(7), played(7));
}

/// The winner between a program that thinks and one that does so only a little; `None` if the game is stopped.
fn match_of(thinker: Seat, seed: u64, sentences: u32) -> Option<Seat> {
    let mut chance = Practice::new(seed);
    let mut table = Table::new(&TITLE, &setup(), &mut chance).expect("a game");
    for _ in 0..sentences {
        let Need::Question(question) = table.game.need() else { break };
        let level = if question.seat == thinker { Level::Fair } else { Level::Easy };
        table.play_well(TITLE.bot, level, &mut chance);
        table.game.forget_news();
    }
    table.game.outcome().map(|outcome| outcome.winners[0])
}

/// `cargo run --release --example bots` measures its strength fully.
#[test]
fn a_program_that_thinks_wins_on_both_sides() {
    let both = [Seat::at(0), Seat::at(1)];
    for thinker in both {
        let wins = |seed: &u64| match_of(thinker, *seed, SENTENCES_MAX) == Some(thinker);
        // The third game is only played if one of the others is lost.
        let won = (100..103).filter(wins).take(2).count();
        assert!(won >= 2, "seat {} won {won} of 3", thinker.0);
    }
}

/// For each answer it says what it gains, from public facts only.
#[test]
fn the_program_says_why() {
    let mut chance = Practice::new(11);
    let mut table = Table::new(&TITLE, &setup(), &mut chance).expect("a game");
    let mut told = BTreeMap::new();
    for _ in 0..60 {
        let before = table.game.copy();
        let Some(said) = table.play_well(TITLE.bot, Level::Fair, &mut chance) else { break };
        let mut shown = Faces::default();
        said.shows.iter().for_each(|(slot, card)| shown.learn(*slot, *card));
        let thought = TITLE.bot.thought(before.as_ref(), &said.sentence, &shown);
        let thought = thought.expect("the sentence is read with what it shows");
        assert!(thought.ends_with('.') && !thought.contains("NaN") && thought.chars().count() < 200, "{thought}");
        *told.entry(thought).or_insert(0) += 1;
        table.game.forget_news();
    }
    assert!(told.len() > 10, "{told:?}");
}
