//! `page`: a whole game as one page for a browser.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, not_followed};
use crate::cli::paper;
use crate::disk::place::write_over;
use crate::record::file::reading::read_through;
use crate::record::file::stream::Records;
use crate::report::page::Replay;
use crate::titles;
use clap::Args;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Make one page of a whole game, to be opened from disk in a browser: the map at every entry, and the chronicle.
///
/// The page needs no network and loads nothing. It holds what the log makes public and nothing else, and the log
/// itself.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ringmail page shire > shire.html\n  ringmail page games/two-towers/log.yaml --out \
                        towers.html"
)]
pub struct Page {
    /// The game, its log, or `-` for standard input.
    game: String,
    /// The file to write; without it, standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(wanted: &Page, games: &Games) -> Done {
    let mut log = games.log(&wanted.game)?;
    let bytes = log.bytes()?;
    let mut replay = Replay::default();
    // The host's secrets may lie beside the log: they are not read, so no hidden card can come into the page.
    let fold = read_through(Records::new(bytes.as_slice()), titles::by_id, None, |step| {
        replay.note(step);
        ControlFlow::Continue(())
    });
    let fold = fold.map_err(|error| not_followed(&log.name, error))?;
    let page = replay.page(&fold, &bytes);
    let page = page.ok_or_else(|| Failure::failed(format!("{} has no map.", fold.plan().title.name())))?;
    match &wanted.out {
        Some(file) => write_over(file, page.as_bytes())
            .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display()))),
        None => paper::bytes(page.as_bytes()),
    }
}
