/*! Random play of War of the Ring for every preset, and what must hold after every sentence.

The invariants are read off the facts, as anybody would who has only the log: nothing here looks into the board.
*/

#[path = "wotr_random/host.rs"]
mod host;
#[path = "wotr_random/sheet.rs"]
mod sheet;

use host::Host;
use ringmail::engine::need::{Need, Question};
use ringmail::engine::title::{Setup, Title};
use ringmail::wotr::{EDITIONS, TITLE, position};
use sheet::Sheet;

/// Games of each preset.
const GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 125 };
/// Sentences after which a random game is broken off: random players need not come to an end.
const SENTENCES_MAX: u32 = 3_000;
/// Every so many sentences what costs much is checked as well.
const THOROUGH: u32 = 48;

fn setup(options: &[(&str, &str)]) -> Setup {
    Setup {
        edition: EDITIONS[0].to_string(),
        seats: TITLE.seats(2).unwrap().into_iter().map(str::to_string).collect(),
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
    }
}

#[test]
fn second_edition() {
    play(&setup(&[]));
}

#[test]
fn rules_guide() {
    play(&setup(&[("preset", "rules-guide-2.5")]));
}

#[test]
fn reference_manual() {
    play(&setup(&[("preset", "reference-manual"), ("stacking.move_over_ten", "forbid")]));
}

#[test]
fn first_edition() {
    play(&setup(&[("preset", "first-edition"), ("hunt.forced_die", "recovery_extra")]));
}

fn play(setup: &Setup) {
    let mut ended = 0;
    for seed in 0..GAMES {
        let mut host = Host::new(setup, seed);
        let start = Sheet::of(&host);
        for number in 0..SENTENCES_MAX {
            if host.game.need() == Need::Over {
                ended += 1;
                assert!(host.game.outcome().is_some(), "a game that is over has an outcome");
                break;
            }
            let said = host.say_anything();
            let sheet = Sheet::of(&host);
            assert_eq!(sheet.keys(), start.keys(), "the keys of the facts are the same at every moment");
            assert_eq!(sheet.figures(), start.figures(), "after `{said}` every figure is still somewhere (1.27)");
            assert_eq!(sheet.cards(), [24; 4], "after `{said}` every card is still somewhere");
            assert_eq!(sheet.tiles(), start.tiles(), "after `{said}` every tile is still somewhere");
            sheet.armies_keep_their_limits(&said);
            if number % THOROUGH == 0 {
                host.public_fold_agrees();
                host.menu_is_listed();
                stands_in_its_facts(&host, setup);
            }
        }
    }
    assert!(ended * 2 >= GAMES, "only {ended} of {GAMES} random games came to an end");
}

/// A board written as facts and read again is the same board, between two actions.
fn stands_in_its_facts(host: &Host, setup: &Setup) {
    let Need::Question(Question { id: "action", seat }) = host.game.need() else { return };
    let text = host.facts();
    let step = format!("{} go", setup.seats[seat.index()]);
    let lines = text.lines().filter_map(|line| line.split_once(": ")).chain([("step", step.as_str())]);
    let lines: Vec<(&str, &str)> = lines.collect();
    let (again, _) = position::begin(setup, &lines).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    let again = host::facts(again.as_ref());
    for (read, written) in again.lines().zip(text.lines()) {
        if !written.starts_with("agenda") {
            assert_eq!(read, written);
        }
    }
}
