//! The counts over all games of a match, and how they are printed.

use crate::{Match, Played};
use std::collections::BTreeMap;
use std::time::Duration;

/// The turns from which on a game counts as long.
const LONG: u32 = 25;

/// Prints all counts.
pub fn print(game: &Match, played: &[Played]) {
    let mut names: Vec<(String, Vec<usize>)> = Vec::new();
    for (place, level) in game.levels.iter().enumerate() {
        // If seats differ, a level is counted for each seat separately.
        let name = if game.rotates() { level.clone() } else { format!("{} ({level})", game.setup.seats[place]) };
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, places)) => places.push(place),
            None => names.push((name, vec![place])),
        }
    }
    let sides = (game.title.teams.sides)(&game.setup).len();
    println!("{} games of {}, seats {}", played.len(), game.title.name, game.setup.seats.join(", "));
    for (name, places) in &names {
        print_level(name, places, played, sides);
    }
    print_endings(game, played);
    print_turns(played);
}

/// How often the seats of a level won, and how long it thought.
fn print_level(name: &str, places: &[usize], played: &[Played], sides: usize) {
    let is_own = |game: &&Played, seat: usize| places.contains(&game.seated[seat]);
    let won: usize = played
        .iter()
        .map(|game| {
            let winners = game.outcome.iter().flat_map(|outcome| &outcome.winners);
            winners.filter(|seat| is_own(&game, seat.index())).count()
        })
        .sum();
    let tried = played.len() * places.len();
    let (low, high) = wilson(won, tried);
    let share = 100.0 * won as f64 / tried.max(1) as f64;
    let seats = if places.len() == 1 { String::new() } else { format!(", counted for each of {} seats", places.len()) };
    println!(
        "{name}: won {won} of {tried}{seats}: {share:.1} % (95 %: {low:.1} to {high:.1}); an even share is {:.1} %",
        100.0 / sides as f64
    );
    let thoughts = || played.iter().flat_map(|game| &game.thoughts).filter(|(level, _)| places.contains(level));
    let count = thoughts().count();
    let sum: Duration = thoughts().map(|(_, thought)| *thought).sum();
    let longest = thoughts().map(|(_, thought)| *thought).max().unwrap_or_default();
    println!(
        "    {count} decisions, {:.2} ms each, the longest {:.1} ms",
        1_000.0 * sum.as_secs_f64() / count.max(1) as f64,
        1_000.0 * longest.as_secs_f64()
    );
}

/// The games by how they ended, the most frequent first.
fn print_endings(game: &Match, played: &[Played]) {
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    for one in played {
        let ending = match &one.outcome {
            Some(outcome) => {
                let winners: Vec<&str> =
                    outcome.winners.iter().map(|seat| game.setup.seats[seat.index()].as_str()).collect();
                format!("{}: {}", winners.join(" and "), outcome.reason)
            }
            None => "nobody: broken off".to_string(),
        };
        *endings.entry(ending).or_default() += 1;
    }
    let mut endings: Vec<(usize, String)> = endings.into_iter().map(|(ending, number)| (number, ending)).collect();
    endings.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    println!("Endings:");
    for (number, ending) in endings {
        println!("    {number:5}  {ending}");
    }
}

fn print_turns(played: &[Played]) {
    let mut turns: Vec<u32> = played.iter().map(|game| game.turn).collect();
    turns.sort_unstable();
    let (Some(least), Some(most)) = (turns.first(), turns.last()) else { return };
    let long = turns.iter().filter(|turn| **turn > LONG).count();
    println!(
        "Turns: {} in the middle, {least} to {most}; {:.0} % of the games have more than {LONG}",
        turns[turns.len() / 2],
        100.0 * long as f64 / turns.len() as f64
    );
}

/// The 95 % interval of a share, in per cent, by Wilson's score.
fn wilson(won: usize, tried: usize) -> (f64, f64) {
    if tried == 0 {
        return (0.0, 100.0);
    }
    let (count, z) = (tried as f64, 1.96);
    let share = won as f64 / count;
    let whole = 1.0 + z * z / count;
    let middle = (share + z * z / (2.0 * count)) / whole;
    let half = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt() / whole;
    (100.0 * (middle - half).max(0.0), 100.0 * (middle + half).min(1.0))
}
