//! `ready`: a seat opens its first one-time code.

use crate::cli::exit::Done;
use crate::cli::games::{Games, seat, tell_set_aside};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::say::{code, next};
use clap::Args;
use ground::hash::Code;

/// A seat that keeps one-time codes opens its first, when all have joined.
///
/// Nobody else knows this code while others can still choose what they bring, so nobody can have aimed the dice.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail ready shire --as red --code EQO5-OXLZ-SD3A-R2AY-5KVA-3BIT-JCQU-ANJ4")]
pub struct Ready {
    /// The game.
    game: String,
    /// The seat that is ready.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// Code 1 of its book.
    #[arg(long, value_parser = code)]
    code: Code,
}

pub fn run(ready: &Ready, games: &Games) -> Done {
    let mut desk = games.desk(&ready.game)?;
    let seat = seat(desk.table.fold().plan(), &ready.seat)?;
    let via = at_keyboard(&desk.table, seat)?;
    let head = desk.table.ready(seat, ready.code, via, now())?;
    tell_set_aside(desk.table.set_aside());
    paper::line(&format!("#{} {} is ready", head.seq, ready.seat))?;
    next(&desk.table, &ready.game)
}
