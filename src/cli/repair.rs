//! `repair`: mends a log after a crash, or puts records back that it has lost.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::handover::adopt::found;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use post::desk::lost::Lost;
use post::desk::restored::{known, lengthen};
use record::file::log::Log;
use record::table::table_error::TableError;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Move a record that a crash left incomplete out of the log, or put records back that it has lost.
///
/// Only the last record can be incomplete, and nobody was told of it. Its bytes are kept in a file beside the log.
///
/// Where a letter proves that the log was put back from an older backup, nothing is played until it is whole. The
/// letters that players got bring the missing records along.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail repair shire
  ringmail repair shire --from ~/Mail --from letter.eml
  ringmail repair shire --without")]
pub struct Repair {
    /// The game.
    game: String,
    /// Mail with letters of the game: an mbox, a Maildir, a folder of letters, or one letter. It may be repeated.
    #[arg(long, value_name = "MAIL")]
    from: Vec<PathBuf>,
    /// Go on without the records that are lost. Players who were told of them will see two histories.
    #[arg(long, conflicts_with = "from")]
    without: bool,
}

pub fn run(repair: &Repair, games: &Games) -> Done {
    if !repair.from.is_empty() {
        put_back(repair, games)?;
        if known(&games.drawer(&repair.game)?, titles::ALL)?.is_some() {
            return paper::line("The game still waits for what its players have seen: `ringmail restore` says whose.");
        }
    }
    if repair.without {
        give_up(repair, games)?;
    }
    let mut desk = games.desk(&repair.game)?;
    let table = &mut desk.table;
    match table.repair(now())? {
        Some(aside) => {
            let file = aside.file.display();
            paper::line(&format!("{} bytes of a record that a crash cut off are now in {file}.", aside.bytes))
        }
        None if repair.without || !repair.from.is_empty() => Ok(()),
        None => paper::line("The log ends with a whole record; there is nothing to repair."),
    }
}

/// Puts back records that our letters have brought to players.
fn put_back(repair: &Repair, games: &Games) -> Done {
    let drawer = games.drawer(&repair.game)?;
    let log = Log::open(&drawer).map_err(TableError::from)?;
    let known = games.read(&repair.game, |_| ControlFlow::Continue(()))?;
    let found = found(&repair.from, &known.plan().name)?;
    let head = log.head();
    let more = found.after(head.hash, head.seq + 1);
    let more = more.map_err(|why| Failure::new(Exit::Refused, sentence(&why.to_string())))?;
    if more.is_empty() {
        let why = format!("The mail holds no record that follows #{}, with which the log ends.", head.seq);
        return Err(Failure::new(Exit::Refused, why));
    }
    let fold = lengthen(&drawer, &log, &more, titles::ALL)?;
    match (head.seq + 1, fold.head().seq) {
        (first, last) if first == last => paper::line(&format!("#{last} is in the log again, and it verifies.")),
        (first, last) => paper::line(&format!("#{first} to #{last} are in the log again, and it verifies.")),
    }
}

/// Continues the game without the lost records.
fn give_up(repair: &Repair, games: &Games) -> Done {
    let drawer = games.drawer(&repair.game)?;
    let failed = |error: std::io::Error| Failure::failed(format!("{error}."));
    let lost = Lost::read(&drawer).map_err(failed)?;
    let Some(lost) = lost.filter(|lost| !lost.is_given_up) else {
        return paper::line("No letter has told of a record that is lost; there is nothing to repair.");
    };
    Lost { is_given_up: true, ..lost }.note(&drawer).map_err(failed)?;
    paper::line(&format!("The game goes on without #{} and what was before it that the log does not have.", lost.seq))
}
