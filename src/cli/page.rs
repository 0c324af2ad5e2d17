//! `page`: a whole game as one page for a browser.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, not_followed, seat};
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::disk::place::write_over;
use record::file::reading::revealed;
use report::page::{self, Readers, Replay};
use std::path::PathBuf;

/// Make one page of a whole game, to be opened from disk in a browser: the map at every entry, and the chronicle.
///
/// The page needs no network and loads nothing. It holds what the log makes public and nothing else, and the log
/// itself. When the log has published the cards, the page also shows what each seat knew. While the game goes on, the
/// page offers what the asked seat may say, to be composed by touches on the map and on words.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ringmail page shire > shire.html\n  ringmail page games/two-towers/log.yaml --out \
                        towers.html"
)]
pub struct Page {
    /// The game, its log, or `-` for standard input.
    game: String,
    /// Hold what this seat knows as well, from the host's secrets beside the log; the page is for this player alone.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The address that answers go to, as the letters to the asked seat have it: the page then opens the mail program.
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// The file to write; without it, standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(wanted: &Page, games: &Games) -> Done {
    let mut log = games.log(&wanted.game)?;
    let bytes = log.bytes()?;
    // Without `--as` the host's secrets are not read, so the page cannot hold a card that the log does not show.
    let (root, readers) = match (&wanted.seat, revealed(&bytes)) {
        (None, None) => (None, Readers::Nobody),
        (None, root) => (root, Readers::Everybody),
        (Some(seat), Some(root)) => (Some(root), Readers::Seat(seat.clone())),
        (Some(seat), None) => (Some(log.root().ok_or_else(|| without_secrets(seat))?), Readers::Seat(seat.clone())),
    };
    let replay = Replay::with(readers).answered_to(wanted.to.clone());
    let read = page::of_log(&bytes, titles::ALL, root, replay);
    let (page, fold) = read.map_err(|error| not_followed(&log.name, error))?;
    if let Some(word) = &wanted.seat {
        seat(fold.plan(), word)?;
    }
    let page = page.ok_or_else(|| Failure::failed(format!("{} has no map.", fold.plan().title.name)))?;
    match &wanted.out {
        Some(file) => write_over(file, page.as_bytes())
            .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display()))),
        None => paper::bytes(page.as_bytes()),
    }
}

fn without_secrets(seat: &str) -> Failure {
    Failure::usage(format!("What {seat} knows only the host's secrets tell, and they do not lie beside this log."))
}
