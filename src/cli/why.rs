//! `why`: the explanation of an entry.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::paper::{self, COLUMNS};
use clap::Args;
use report::chronicle::{self, Explained};
use report::from_log;
use std::ops::ControlFlow;

/// Explain why an entry came out as it did: its sentence, its dice and where they come from, what changed.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail why shire 57")]
pub struct Why {
    /// The game, its log, or `-` for standard input.
    game: String,
    /// The number of the entry.
    seq: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(why: &Why, games: &Games) -> Done {
    let mut found: Option<Explained> = None;
    let mut before = None;
    let fold = games.read(&why.game, |followed| {
        if followed.entry.seq < why.seq {
            before = Some(followed.fold.game().copy());
            return ControlFlow::Continue(());
        }
        found = Some(from_log::explained(followed, before.as_deref(), None));
        ControlFlow::Break(())
    })?;
    let last = fold.head().seq;
    let explained =
        found.ok_or_else(|| Failure::usage(format!("There is no entry {}; the last is {last}.", why.seq)))?;
    if why.json {
        paper::json(&serde_json::to_value(&explained).expect("an explained entry is plain data"))
    } else {
        paper::print(&chronicle::why(&explained, COLUMNS))
    }
}
