//! `log --why`: the explanation of an entry.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::paper::{self, COLUMNS};
use report::chronicle::{self, Explained};
use report::from_log;
use std::ops::ControlFlow;

/// Explains why an entry came out as it did: its sentence, its dice and where they come from, what changed.
pub fn run(game: &str, seq: u64, as_json: bool, games: &Games) -> Done {
    let mut found: Option<Explained> = None;
    let mut before = None;
    let fold = games.read(game, |followed| {
        if followed.entry.seq < seq {
            before = Some(followed.fold.game().copy());
            return ControlFlow::Continue(());
        }
        found = Some(from_log::explained(followed, before.as_deref(), None));
        ControlFlow::Break(())
    })?;
    let last = fold.head().seq;
    let explained = found.ok_or_else(|| Failure::usage(format!("There is no entry {seq}; the last is {last}.")))?;
    if as_json {
        paper::json(&serde_json::to_value(&explained).expect("an explained entry is plain data"))
    } else {
        paper::print(&chronicle::why(&explained, COLUMNS))
    }
}
