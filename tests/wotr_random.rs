/*! Random play of War of the Ring for every preset, and what must hold after every sentence.

The invariants are read from the facts, as any reader of the log could: nothing here looks into the board.
*/

#[path = "wotr_random/host.rs"]
mod host;
#[path = "wotr_random/sheet.rs"]
mod sheet;

use crate::watched::Watched;
use engine::name::Named;
use engine::need::{Need, Question};
use engine::title::{Setup, Title};
use host::Host;
use sheet::Sheet;
use std::collections::BTreeSet;
use wotr::card::Card;
use wotr::{EDITIONS, TITLE, position};

/// Games of each preset for two players: 1,000 in all.
const GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 250 };
/// Games of each choice of switches for more players: 1,000 of three, and of four.
const TEAM_GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 500 };
/// In one of this many games, players are eager to play cards and bring Characters, which takes several times longer.
const EAGER: u64 = 3;
/// The sentences after which a random game is stopped: random players may never finish.
const SENTENCES_MAX: u32 = 3_000;
/// The games of each preset in which the public watches, the changed facts are compared with all facts, and the table
/// is added up after every sentence.
const WATCHED: u64 = if cfg!(debug_assertions) { 2 } else { 25 };
/// In the other games the table is added up after this many sentences.
const OFTEN: u32 = 32;
/// Games that begin late, at a point that random play hardly ever reaches: the King leads an Army out of his realm,
/// and the card that only he can lay is in hand.
const LATE_GAMES: u64 = 20;
const LATE: [(&str, &str); 7] = [
    ("turn", "9 actions"),
    ("fellowship", "gandalf-the-grey legolas gimli meriadoc peregrin"),
    ("osgiliath", "gondor 3r 1e 1l aragorn"),
    ("free-dice", "event 2 muster 2 spent 1"),
    ("free-strategy", "hand 0 7 12"),
    ("free-character", "hand 8"),
    ("north-ithilien", "sauron 4r"),
];
/// After this many sentences, slow checks are made as well.
const THOROUGH: u32 = 48;

const PRESETS: [&[(&str, &str)]; 4] = [
    &[],
    &[("preset", "rules-guide-2.5"), ("cards.null_play", "refuse"), ("mordor.staff_step", "not_made")],
    &[
        ("preset", "reference-manual"),
        ("stacking.move_over_ten", "forbid"),
        ("cards.over_full_garrison", "stop_at_five"),
        ("cards.ward_discard", "deck"),
    ],
    &[("preset", "first-edition"), ("hunt.forced_die", "recovery_extra")],
];

fn setup(players: usize, options: &[(&str, &str)]) -> Setup {
    Setup {
        edition: EDITIONS[0].to_string(),
        seats: TITLE.seats(players).unwrap().into_iter().map(str::to_string).collect(),
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
    }
}

/// What occurred in the games.
#[derive(Default)]
struct Seen {
    ended: u64,
    events: BTreeSet<Card>,
    combats: BTreeSet<&'static str>,
}

#[test]
fn random_games_of_every_preset() {
    let mut all = Seen::default();
    std::thread::scope(|scope| {
        let games: Vec<_> = PRESETS.iter().map(|options| scope.spawn(|| play(&setup(2, options), GAMES))).collect();
        for seen in games {
            let seen = seen.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            assert!(seen.ended * 2 >= GAMES, "only {} of {GAMES} random games came to an end", seen.ended);
            all.events.extend(seen.events);
            all.combats.extend(seen.combats);
        }
    });
    if cfg!(debug_assertions) {
        return;
    }
    let missing: Vec<&str> = Card::all().filter(|card| !all.events.contains(card)).map(Card::title).collect();
    assert!(missing.is_empty(), "events that were never played: {}", missing.join(", "));
    let missing: Vec<&str> = Card::all().map(Card::combat_title).filter(|title| !all.combats.contains(title)).collect();
    assert!(missing.is_empty(), "Combat cards that were never laid: {}", missing.join(", "));
}

/// Switches for three and four players, the default first.
const TEAMS: [(usize, &[(&str, &str)]); 4] = [
    (3, &[]),
    (4, &[]),
    (
        3,
        &[
            ("mp3.fp_draw", "two_then_one"),
            ("mp3.shadow_draw", "one_every_turn"),
            ("mp3.order", "shadow_first"),
            ("mp.pass", "loses_place"),
            ("mp.rings_per_turn", "player"),
        ],
    ),
    (4, &[("mp4.fellowship_owner", "rohan_player"), ("preset", "rules-guide-2.5"), ("cards.null_play", "refuse")]),
];

/// Three and four players (17).
#[test]
fn random_games_of_three_and_four() {
    std::thread::scope(|scope| {
        let games: Vec<_> = TEAMS
            .iter()
            .map(|(players, options)| scope.spawn(|| play(&setup(*players, options), TEAM_GAMES)))
            .collect();
        for seen in games {
            let seen = seen.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            assert!(seen.ended * 2 >= TEAM_GAMES, "only {} of {TEAM_GAMES} random games came to an end", seen.ended);
        }
    });
}

fn play(setup: &Setup, games: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..games + LATE_GAMES {
        let first = format!("{} go", setup.seats[0]);
        let late: Vec<(&str, &str)> = LATE.into_iter().chain([("step", first.as_str())]).collect();
        let mut host = if seed < games { Host::new(setup, seed) } else { Host::at(setup, seed, &late) };
        if seed < WATCHED {
            host = host.with_public();
        }
        let start = host.facts();
        let start = Sheet::of(&start);
        let mut watched = (seed < WATCHED).then(|| Watched::new(&*host.game));
        for number in 0..SENTENCES_MAX {
            if host.game.need() == Need::Over {
                seen.ended += 1;
                assert!(host.game.outcome().is_some(), "a game that is over has an outcome");
                break;
            }
            let said = host.say_anything(seed % EAGER == 1);
            seen.note(&said, &host);
            if let Some(watched) = &mut watched {
                watched.look(&*host.game);
            }
            if seed < WATCHED || number % OFTEN == 0 {
                adds_up(&start, &Sheet::of(&host.facts()), &said);
            }
            if number % THOROUGH == 0 {
                host.public_fold_agrees();
                host.menu_is_listed();
                stands_in_its_facts(&host, setup);
            }
        }
    }
    seen
}

impl Seen {
    /// Notes the card that the sentence played, and the Combat cards that were shown.
    fn note(&mut self, said: &str, host: &Host) {
        let card = said.split_once("play ").and_then(|(_, title)| Card::all().find(|card| card.name().id() == title));
        self.events.extend(card);
        self.combats.extend(host.combat_cards().map(Card::combat_title));
    }
}

/// Checks that nothing has been lost or doubled.
fn adds_up(start: &Sheet, sheet: &Sheet, said: &str) {
    assert!(sheet.keys().eq(start.keys()), "the keys of the facts are the same at every moment");
    assert_eq!(sheet.figures(), start.figures(), "after `{said}` every figure is still somewhere (1.27)");
    assert_eq!(sheet.cards(), [24; 4], "after `{said}` every card is still somewhere");
    assert_eq!(sheet.tiles(), start.tiles(), "after `{said}` every tile is still somewhere");
    sheet.armies_keep_their_limits(said);
}

/// Checks that a board written as facts and read again is the same board, between two actions.
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
