//! The bot plays both sides to an end, the same way for the same seed.

use ringmail::engine::chance::Practice;
use ringmail::engine::outcome::Outcome;
use ringmail::engine::practice::Table;
use ringmail::engine::title::Setup;
use ringmail::wotr::{EDITIONS, TITLE};
use std::collections::BTreeMap;

/// Games at most, and how many sentences the bot tries before it says one.
const GAMES: u64 = if cfg!(debug_assertions) { 3 } else { 100 };
/// The ways in which a game is won (16.1).
const WAYS: usize = 4;
const TRIES: u32 = 10;

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
        match table.play_well(TRIES, &mut chance) {
            Some(sentence) => said.push(sentence.sentence),
            None => return (table.game.outcome().expect("the game is over"), said),
        }
        table.game.forget_news();
    }
    panic!("game {seed} does not end: {}", table.game.moment());
}

/// 16.1: a game is won in four ways, and each comes about before many games are played.
#[test]
fn the_bot_plays_to_an_end_in_each_of_the_four_ways() {
    let mut ways: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..GAMES {
        let (outcome, _) = played(seed);
        assert_eq!(outcome.winners.len(), 1, "game {seed}");
        *ways.entry(outcome.reason).or_default() += 1;
        if ways.len() == WAYS {
            return;
        }
    }
    assert!(cfg!(debug_assertions), "{ways:?}");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    assert_eq!(played(7), played(7));
}
