//! `show`: the table, as a reader may see it.

use crate::cli::exit::Done;
use crate::cli::games::Games;
use crate::cli::paper::COLUMNS;
use crate::cli::reader::Reader;
use clap::Args;
use report::{from_log, terminal};
use std::ops::ControlFlow;

/// Show the table, as everybody or as one seat sees it.
///
/// A seat's hand is shown if the secrets of the game are beside its log, that is, to its host; a public log shows only
/// what has been opened.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail show shire\n  ringmail show shire --as yellow --json")]
pub struct Show {
    #[command(flatten)]
    reader: Reader,
}

pub fn run(show: &Show, games: &Games) -> Done {
    let fold = games.read(&show.reader.game, |_| ControlFlow::Continue(()))?;
    let occasion = from_log::look(&fold, show.reader.seat(&fold)?);
    show.reader.print(&occasion, |occasion| terminal::show(occasion, COLUMNS))
}
