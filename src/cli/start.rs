//! `start`: fixes all commitments, and the game begins.

use crate::cli::exit::Done;
use crate::cli::games::{Games, tell_set_aside, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use record::table::Table;

/// Start a game that every seat has joined, and write the first letters.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail start shire && ringmail send shire --to-files letters")]
pub struct Start {
    /// The game.
    game: String,
}

pub fn run(start: &Start, games: &Games) -> Done {
    let mut desk = games.desk(&start.game)?;
    let before = desk.table.fold().head().seq;
    if desk.table.beacon().is_some() {
        desk.start(now())?
    } else {
        drop(desk.table.start(now())?)
    }
    tell_set_aside(desk.table.set_aside());
    let head = desk.table.fold().head();
    if head.seq > before {
        paper::line(&format!("#{} {}", head.seq, head.hash))?;
    }
    tell_waiting(&desk.table)?;
    write_letters(&mut desk)
}

/// Prints what the game waits for: an answer, or a round of the beacon.
pub fn tell_waiting(table: &Table) -> Done {
    match table.fold().next_round() {
        Some((round, at)) => paper::line(&format!(
            "The game waits for round {round} of the beacon, at {at}; `ringmail tick`, `receive` or `serve` plays it."
        )),
        None => paper::line(&format!("The game waits for {}.", table.fold().waits_for())),
    }
}
