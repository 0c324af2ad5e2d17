//! `replay`: the table as it stood after an entry.

use crate::cli::exit::Done;
use crate::cli::games::Games;
use crate::cli::paper::COLUMNS;
use crate::cli::reader::{Reader, up_to};
use clap::Args;
use report::{from_log, terminal};

/// Show the table as it stood after an entry.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail replay shire --to 57")]
pub struct Replay {
    #[command(flatten)]
    reader: Reader,
    /// The entry.
    #[arg(long, value_name = "SEQ")]
    to: u64,
}

pub fn run(replay: &Replay, games: &Games) -> Done {
    let fold = up_to(games, &replay.reader.game, Some(replay.to), |_, _| {})?;
    let occasion = from_log::look(&fold, replay.reader.seat(&fold)?);
    replay.reader.print(&occasion, |occasion| terminal::show(occasion, COLUMNS))
}
