/*! Finds the weights by which the program plays War of the Ring, by games of the program against itself, and prints
them as the file that it reads (`src/wotr/bot/weights.yaml`).

Games are played by the weights of the file, and positions of them are kept with who won in the end. Then one weight
after the other is changed a little as long as the hope of the positions tells better who wins: in the games with even
numbers and in those with odd ones, so that what is only so in some of them is not learnt. Last the program plays with
the old and with the new weights against itself. All of it follows from the numbers that are given.
*/

mod games;
mod learn;

use clap::Parser;
use games::Judged;
use ringmail::wotr::bot::weights::{self, Weights};
use std::process::exit;

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
    /// The games between the old weights and the new ones, as many on each side.
    #[arg(long = "match", default_value_t = 20)]
    matched: u64,
    /// The number of the first of these.
    #[arg(long, default_value_t = 600_000)]
    match_first: u64,
}

fn main() {
    let args = Args::parse();
    if args.games < 2 {
        eprintln!("at least 2 games are learnt from");
        exit(2);
    }
    let old = weights::named(weights::FILE);
    let judged = |named| Judged::by(Weights::of(named).expect("each weight is named"));
    let by_old = judged(&old);
    let positions: Vec<learn::Position> =
        (args.first..args.first + args.games).flat_map(|number| games::positions(number, &by_old)).collect();
    eprintln!("{} positions of {} games", positions.len(), args.games);
    let (new, from, to) = learn::better(&old, &positions, args.rounds);
    println!(
        "# The weights by which the program plays War of the Ring, in thousandths: src/wotr/bot/weights.rs says what"
    );
    println!(
        "# each is. Found by `cargo run --release --example weights -- --games {} --first {} \\",
        args.games, args.first
    );
    println!(
        "# --rounds {} --match {} --match-first {}` from the weights",
        args.rounds, args.matched, args.match_first
    );
    println!(
        "# before: {} positions of {} games against itself, whose mean square of error",
        positions.len(),
        args.games
    );
    println!("# was {from:.5} and became {to:.5}.");
    let by_new = judged(&new);
    let numbers = args.match_first..args.match_first + args.matched;
    let won: usize = numbers.map(|number| games::won(number, &by_new, &by_old)).sum();
    println!("# Of {} games on both sides against the weights before, these won {won}.", 2 * args.matched);
    for name in weights::NAMES {
        println!("{name}: {}", new[*name]);
    }
}
