//! `resume`: time passes again in games that their host has paused.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::pause::for_each;
use clap::Args;

/// End a pause: time passes again, and the open question has as much more.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail resume\n  ringmail resume shire")]
pub struct Resume {
    /// The games; without any, all that are paused.
    games: Vec<String>,
}

pub fn run(wanted: &Resume, games: &Games) -> Done {
    for_each(&wanted.games, games, |game, is_named| {
        let mut desk = games.desk(game)?;
        if !desk.resume(now())? {
            return if is_named {
                Err(Failure::new(Exit::Refused, format!("{game} is not paused by its host.")))
            } else {
                Ok(())
            };
        }
        paper::line(&format!("{game} goes on: #{}", desk.table.fold().head().seq))?;
        write_letters(&mut desk)
    })
}
