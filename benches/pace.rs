/*! How often a game by mail waits, depending on what its players leave beforehand, and how often they regret it.

Games of the bot against itself. Each seat also writes what rules of thumb suggest, from what it knows at that time:
orders, clauses behind attacks, the turn ahead, defences. Everything is a letter that the desk of the game reads. A
*wait* is a letter that the game waits for; it is not counted if the letter before could have contained it.
*Regretted* is an answer without a letter for which the bot, if asked, would have found a better one, by more than the
title's margin. The bot does not always agree with itself: *doubted* are answers that it gave when asked, and would
have given differently with other random numbers.
given otherwise with other chance.

Run with `cargo bench --bench pace`; `-- --games 4` plays more games, `-- --first 100` plays other games than those by
which the rules of thumb were found, and `-- --each` prints every regret and refusal.
*/

#[path = "pace/bot.rs"]
mod bot;
#[path = "pace/floor.rs"]
mod floor;
#[path = "pace/game.rs"]
mod game;
#[path = "pace/post.rs"]
mod post;
#[path = "pace/risk.rs"]
mod risk;
#[path = "pace/speed.rs"]
mod speed;
#[path = "pace/thumbs.rs"]
mod thumbs;
#[path = "pace/wotr.rs"]
mod wotr;

use game::{Counted, Match};
use std::ops::Range;
use thumbs::{Thumbs, Ways};

/// The games of each title that are played for each way.
const GAMES: u64 = 3;

/// The goals of a way: the most waits a turn, and the most regretted answers in a hundred.
type Wanted = (Ways, f64, f64);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let behind = |word: &str| arguments.iter().position(|found| found == word).and_then(|at| arguments.get(at + 1));
    let number = |word: &str| behind(word).and_then(|number| number.parse().ok());
    let (first, count): (u64, u64) = (number("--first").unwrap_or(0), number("--games").unwrap_or(GAMES));
    let games = first..first + count;
    let tells = arguments.iter().any(|found| found == "--each");
    println!("War of the Ring, {count} games of at most 14 turns");
    run::<wotr::War>(games.clone(), 14, &[(Ways::Both, 7.0, 5.0), (Ways::Defences, 5.0, 5.0)], tells);
    tell_floor("wotr");
    println!("Risk, {count} games of three seats, at most 40 turns");
    run::<risk::Lords>(games, 40, &[(Ways::Defences, 1.7, 5.0)], tells);
    tell_floor("risk");
    let took = speed::letter_of_twenty_lines();
    println!("A letter with a plan of 20 lines is played in {took:.1} ms (wanted: under 5 ms).");
}

fn run<T: Thumbs>(games: Range<u64>, turns: usize, wanted: &[Wanted], tells: bool) {
    println!(
        "{:<30}{:>7}{:>8}{:>9}{:>9}{:>11}{:>9}  wanted",
        "", "turns", "waits", "unasked", "answers", "regretted", "doubted"
    );
    for ways in Ways::ALL {
        let mut sum = Counted::default();
        for number in games.clone() {
            let mut game = Match::<T>::new(number, ways);
            game.play(turns);
            game.weigh(tells);
            sum.add(game.counted);
        }
        tell(ways, &sum, wanted);
        if tells {
            println!("    stopped: {:?}", sum.stopped);
            println!("    refused: {:?}", sum.refused);
        }
    }
}

fn tell(ways: Ways, sum: &Counted, wanted: &[Wanted]) {
    let a_turn = |count: u32| f64::from(count) / f64::from(sum.turns.max(1));
    let percent = |part: u32, all: u32| 100.0 * f64::from(part) / f64::from(all.max(1));
    let is_wanted = wanted.iter().find(|(of, ..)| *of == ways);
    let is_wanted = is_wanted.map(|(_, waits, regret)| format!("{waits:.1} waits, regretted < {regret:.0} %"));
    println!(
        "{:<30}{:>7}{:>8.2}{:>9.2}{:>9.1}{:>9.1} %{:>7.1} %  {}",
        ways.words(),
        sum.turns,
        a_turn(sum.all_waits()),
        a_turn(sum.unasked),
        a_turn(sum.answers),
        percent(sum.all_regretted(), sum.all_automatic()),
        percent(sum.doubted, sum.asked),
        is_wanted.unwrap_or_default(),
    );
    let mut kinds: Vec<(&String, &u32)> = sum.waits.iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {:.2}", a_turn(**count))).collect();
    println!("    waits a turn: {}", kinds.join(", "));
    let regretted: Vec<String> =
        sum.regretted.iter().map(|(kind, count)| format!("{kind} {count} of {}", sum.automatic[kind])).collect();
    if !regretted.is_empty() {
        println!("    regretted: {}", regretted.join(", "));
    }
}

/// Prints the floor of the samples, with hindsight.
fn tell_floor(title: &str) {
    let floor = floor::of(title);
    let a_turn = |count: u32| f64::from(count) / f64::from(floor.turns.max(1));
    println!("samples with hindsight, {} turns of {:.1} answers:", floor.turns, a_turn(floor.answers));
    let both = floor.first + floor.stopped;
    println!(
        "    a defence a battle {:.2} waits a turn, defences left beforehand {:.2}\n",
        a_turn(both + floor.defences),
        a_turn(both)
    );
}
