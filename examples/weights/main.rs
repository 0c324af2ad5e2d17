/*! Finds the weights with which the program plays War of the Ring from games of the program against itself, and
prints them as the file that it reads (`src/wotr/bot/weights.yaml`).

The games are played with weights set by hand (`by_hand.yaml`), and some of their positions are kept with the final
winner. Then one weight after the other is changed a little as long as the hope in these positions predicts the winner
better: both in the games with even numbers and in those with odd ones, so that a pattern of only some games is not
learnt. Finally the program plays with the old weights against the new ones, and the new ones are printed only if they
win more than half of these games. Everything follows from the given numbers.

Games do not show everything that a weight is for: the program itself decides with how many dice the Shadow hunts, so
its own games cannot teach it what a hunt costs. Such weights are kept, and the positions of `tests/tactics/` say what
they must be.
*/

mod games;
mod learn;

use clap::Parser;
use games::Judged;
use std::process::exit;
use wotr::bot::weights::{self, Weights};

/// The initial weights.
const BY_HAND: &str = include_str!("by_hand.yaml");

/// Find weights by games of the program against itself.
#[derive(Parser)]
#[command(name = "weights")]
struct Args {
    /// How many games are learnt from.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The number of the first of them.
    #[arg(long, default_value_t = 500_000)]
    first: u64,
    /// How often all weights are tried.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// The weights that stay as they are, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "eyes,shield,point")]
    keep: Vec<String>,
    /// The games between the old weights and the new ones, as many on each side.
    #[arg(long = "match", default_value_t = 20)]
    matched: u64,
    /// The number of the first of these.
    #[arg(long, default_value_t = 600_000)]
    match_first: u64,
}

fn main() {
    let args = Args::parse();
    let unknown = args.keep.iter().find(|name| !weights::NAMES.contains(&name.as_str()));
    if args.games < 2 || unknown.is_some() {
        let why =
            unknown.map_or("at least 2 games are learnt from".into(), |name| format!("there is no weight `{name}`"));
        eprintln!("{why}");
        exit(2);
    }
    let old = weights::named(BY_HAND);
    let judged = |named| Judged::by(Weights::of(named).expect("each weight is named"));
    let by_old = judged(&old);
    let positions: Vec<learn::Position> =
        (args.first..args.first + args.games).flat_map(|number| games::positions(number, &by_old)).collect();
    let learnt = learn::better(&old, &positions, args.rounds, &args.keep);
    let by_new = judged(&learnt.weights);
    let numbers = args.match_first..args.match_first + args.matched;
    let won: usize = numbers.map(|number| games::won(number, &by_new, &by_old)).sum();
    println!("# The weights of the program, in thousandths: src/wotr/bot/weights.rs says what each is. Printed by");
    let Args { games, first, rounds, matched, match_first, .. } = args;
    println!("# `cargo run --release --example weights -- --games {games} --first {first} --rounds {rounds} \\");
    println!(
        "# --match {matched} --match-first {match_first} --keep {}`, from weights set by hand.",
        args.keep.join(",")
    );
    let (count, error, before) = (positions.len(), learnt.error, learnt.error_before);
    println!("# {count} positions of {games} games against itself: the mean square of its error about who wins was");
    println!("# {before:.5} and became {error:.5}. On both sides of {matched} games against the weights set by hand");
    println!("# those learnt won {won} of {}.", 2 * matched);
    // Weights that predict the winner better do not necessarily play better.
    let is_better = won > usize::try_from(matched).expect("a few games");
    println!("# {}", if is_better { "So these are the weights." } else { "So those set by hand are kept." });
    let weights = if is_better { &learnt.weights } else { &old };
    for name in weights::NAMES {
        println!("{name}: {}", weights[*name]);
    }
}
