/*! Random positions of both titles, and what must hold at each and a few sentences later: something can be said,
every offered sentence is accepted, a random sentence reads as it prints, and nothing stops.

Random games reach few kinds of positions. Here sieges, captured settlements, exhausted reinforcements and Characters
in every place are the rule. A position follows from its seed. `RINGMAIL_POSITIONS=1000000` plays a million of each
title, `RINGMAIL_POSITIONS_FROM=7000` begins with that seed, and with `RINGMAIL_POSITIONS_THOUGHT=1` a program thinks
about every one of them.
*/

#[path = "positions/risk.rs"]
mod risk;
#[path = "positions/wotr.rs"]
mod wotr;

use crate::amount::amount;
use engine::bot::Level;
use engine::chance::Practice;
use engine::need::{Need, Question};
use engine::practice::Table;
use engine::title::{Setup, Title, Unplayable};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Positions of each title, usually and in a night, unless the environment names another number.
const POSITIONS: u64 = 3_400;
const POSITIONS_LONG: u64 = 30_000;
/// The sentences said from each position.
const SENTENCES: u32 = 4;
/// The most lines of a menu that are tried.
const OFFERS_MAX: usize = 40;
/// A program thinks about one in this many positions, unless the environment names another number.
const THOUGHT: u64 = 100;
/// The failures after which the rest is skipped.
const FAILURES_MAX: usize = 3;

/// A position as lines, with its set-up.
pub struct Position {
    pub setup: Setup,
    pub lines: Vec<(String, String)>,
}

/// A title's positions: each follows from its seed.
struct Source {
    title: &'static Title,
    position: fn(&mut Practice) -> Position,
    begin: fn(&Position) -> Result<Table, Unplayable>,
}

#[test]
fn from_random_positions_of_war_of_the_ring() {
    play_all(&Source { title: &::wotr::title::TITLE, position: wotr::position, begin: wotr::begin });
}

#[test]
fn from_random_positions_of_risk() {
    play_all(&Source { title: &::risk::title::TITLE, position: risk::position, begin: risk::begin });
}

/// Positions in which the menu once stopped in random play, or said what it refuses, with the number of players.
const STOPPED: [(usize, &[(&str, &str)]); 3] = [
    // 6.17: the only Nazgûl and the Mouth of Sauron are inside a Shadow Stronghold under siege.
    (
        2,
        &[
            ("clear", ""),
            ("minas-morgul", "besieged gondor 5r inside sauron 2r nazgul 1 mouth-of-sauron"),
            ("shadow-dice", "character 1"),
            ("free-dice", "army 1"),
            ("step", "shadow go"),
        ],
    ),
    // 6.24: the Mouth is in play, and no Army can act by his Messenger.
    (
        2,
        &[
            ("clear", ""),
            ("barad-dur", "mouth-of-sauron"),
            ("shadow-dice", "muster 1"),
            ("free-dice", "army 1"),
            ("step", "shadow go"),
        ],
    ),
    // 9.4, 17.33: the only unit that may attack leaves a Leader not At War with the units of a team mate.
    (
        4,
        &[
            ("clear", ""),
            ("osgiliath", "gondor 1r elves 1l rohan 2r"),
            ("south-ithilien", "sauron 1r"),
            ("politics", "dwarves 0 elves 2 gondor 0 north 0 rohan 0 isengard 0 sauron 0 southrons 0"),
            ("free-dice", "army 1"),
            ("shadow-dice", "army 1"),
            ("step", "gondor go"),
        ],
    ),
];

#[test]
fn from_positions_that_stopped_before() {
    let source = Source { title: &::wotr::title::TITLE, position: wotr::position, begin: wotr::begin };
    for (players, lines) in STOPPED {
        let lines = lines.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let position = Position { setup: wotr::setup(players, Vec::new()), lines };
        for seed in 0..100 {
            let played = play(&source, &position, &mut Practice::new(seed), &mut Vec::new(), seed == 0);
            assert_eq!(played, Ok(()), "seed {seed}");
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
}

fn play_all(source: &Source) {
    let first = number("RINGMAIL_POSITIONS_FROM", 0);
    let last = first + number("RINGMAIL_POSITIONS", amount(POSITIONS, POSITIONS_LONG));
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let some = |thread: u64| {
        let mut failures = Vec::new();
        for seed in (first..last).filter(|seed| seed % threads == thread) {
            failures.extend(failure(source, seed));
            if failures.len() >= FAILURES_MAX {
                break;
            }
        }
        failures
    };
    let failures: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || some(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread does not stop")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Plays on from the position of the seed. Returns what failed, with the position and the sentences said from it.
fn failure(source: &Source, seed: u64) -> Option<String> {
    let mut chance = Practice::new(seed);
    let position = (source.position)(&mut chance);
    let mut said: Vec<String> = Vec::new();
    let is_thought = seed.is_multiple_of(number("RINGMAIL_POSITIONS_THOUGHT", THOUGHT));
    let played = catch_unwind(AssertUnwindSafe(|| play(source, &position, &mut chance, &mut said, is_thought)));
    let why = match played {
        Ok(Ok(())) => return None,
        Ok(Err(why)) => why,
        Err(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(why), _) => why.clone(),
            (None, Some(why)) => (*why).to_string(),
            (None, None) => "it stops".to_string(),
        },
    };
    let options = position.setup.options.iter().map(|(name, value)| format!("{name}={value}"));
    let lines = position.lines.iter().map(|(key, value)| format!("{key}: {value}"));
    let all: Vec<String> = options.chain(lines).chain(said).collect();
    Some(format!("seed {seed}: {why}\n{}", all.join("\n")))
}

fn play(
    source: &Source,
    position: &Position,
    chance: &mut Practice,
    said: &mut Vec<String>,
    is_thought: bool,
) -> Result<(), String> {
    let mut table = (source.begin)(position).map_err(|wrong| wrong.to_string())?;
    table.deal(chance);
    let mut listed: Vec<&'static str> = Vec::new();
    for _ in 0..SENTENCES {
        let Need::Question(question) = table.game.need() else { return Ok(()) };
        table.game.forget_news();
        // Listing a menu takes as long as saying many sentences: each kind of question is listed once.
        if !listed.contains(&question.id) {
            listed.push(question.id);
            is_listed(&table, question)?;
        }
        if is_thought {
            thinks(source.title, &table, question)?;
        }
        let before = table.game.copy();
        let sentence = table.game.say_anything(chance, &table.faces);
        said.push(format!("> {}: {}", question.id, sentence.sentence));
        match before.read(question.seat, &sentence.sentence, &table.faces) {
            Ok(read) if read == sentence => {}
            Ok(read) => return Err(format!("`{}` reads as `{}`", sentence.sentence, read.sentence)),
            Err(refusal) => return Err(format!("`{}` is said, and refused: {refusal}", sentence.sentence)),
        }
        table.deal(chance);
    }
    Ok(())
}

/// Checks that the program's sentence is allowed.
fn thinks(title: &Title, table: &Table, question: Question) -> Result<(), String> {
    let sentence = title.bot.answer(&*table.game, question.seat, &table.faces, Level::Fair, 1);
    let read = table.game.read(question.seat, &sentence, &table.faces);
    read.map(|_| ()).map_err(|refusal| format!("a program says `{sentence}`, and is refused: {refusal}"))
}

/// Checks that something is offered, and that everything offered in full is accepted.
fn is_listed(table: &Table, question: Question) -> Result<(), String> {
    let offers = table.game.offers(&table.faces, OFFERS_MAX);
    if offers.is_empty() {
        return Err(format!("nothing is offered to `{}`", question.id));
    }
    for offer in offers.iter().filter(|offer| !offer.sentence.contains(['<', '['])) {
        let read = table.game.read(question.seat, &offer.sentence, &table.faces);
        read.map_err(|refusal| format!("`{}` is offered, and refused: {refusal}", offer.sentence))?;
    }
    Ok(())
}

/// Whether something happens that happens once in `times`.
pub fn once_in(chance: &mut Practice, times: u32) -> bool {
    below(chance, times) == 0
}

/// A number below `bound`.
pub fn below(chance: &mut Practice, bound: u32) -> u32 {
    engine::chance::Chance::below(chance, bound)
}

/// One of several things.
pub fn one_of<T: Copy>(chance: &mut Practice, things: &[T]) -> T {
    things[below(chance, u32::try_from(things.len()).expect("a few things")) as usize]
}

/// The things in a random order.
pub fn mixed<T: Copy>(chance: &mut Practice, things: &[T]) -> Vec<T> {
    let count = u16::try_from(things.len()).expect("a few things");
    engine::chance::shuffled(count, chance).into_iter().map(|place| things[usize::from(place)]).collect()
}
