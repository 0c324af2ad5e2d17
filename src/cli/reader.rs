//! Which log is read, up to which entry, and as which seat sees it.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat};
use crate::cli::paper;
use clap::Args;
use engine::seat::Seat;
use record::file::reading::Followed;
use record::fold::Fold;
use report::occasion::Occasion;
use std::ops::ControlFlow;

/// Which log is shown, and as which seat sees it.
#[derive(Args, Debug)]
pub struct Reader {
    /// The game, its log, or `-` for standard input.
    pub game: String,
    /// The seat whose view is shown; without it, that of the public.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reader {
    pub fn seat(&self, fold: &Fold) -> Result<Option<Seat>, Failure> {
        self.seat.as_deref().map(|word| seat(fold.plan(), word)).transpose()
    }

    pub fn print(&self, occasion: &Occasion, text: impl FnOnce(&Occasion) -> String) -> Done {
        if self.json {
            paper::json(&serde_json::to_value(occasion).expect("an occasion is plain data"))
        } else {
            paper::print(&text(occasion))
        }
    }
}

/// Folds the log up to an entry. `each` sees every entry, and whether it is the last.
pub fn up_to(
    games: &Games,
    game: &str,
    to: Option<u64>,
    mut each: impl FnMut(&Followed<'_>, bool),
) -> Result<Fold, Failure> {
    let fold = games.read(game, |followed| {
        let last = to.is_some_and(|to| followed.entry.seq >= to);
        each(followed, last);
        if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match to {
        Some(to) if fold.head().seq < to => {
            Err(Failure::usage(format!("There is no entry {to}; the last is {}.", fold.head().seq)))
        }
        _ => Ok(fold),
    }
}
