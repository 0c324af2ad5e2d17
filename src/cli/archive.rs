//! `archive`: writes a game that is over into one file.

use crate::cli::check_file;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::disk::place::Placing;
use record::file::log::Log;
use record::file::reading::read_through;
use record::fold::Phase;
use record::table::table_error::TableError;
use record::verify::{Errors, Proofs, Wanted as Verified, verify_twice};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Write a game that is over into one file, with which anybody can verify it.
///
/// It is the log, closed, with the secrets that were published at its end: every sentence, every die and every card. It
/// holds no address, no letter and no token, and can be given to anybody: `ringmail verify FILE`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail archive shire\n  ringmail archive shire --out /archive/shire.yaml")]
pub struct Archive {
    /// The game.
    game: String,
    /// The file; without it, GAME.yaml here.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(wanted: &Archive, games: &Games) -> Done {
    let drawer = games.drawer(&wanted.game)?;
    let log = Log::open_within(&drawer, games.patience()).map_err(TableError::from)?;
    let unread = |error: io::Error| Failure::from(TableError::from(log.unread(error)));
    let records = log.records().map_err(TableError::from)?;
    let fold = read_through(records, titles::ALL, None, |_| ControlFlow::Continue(())).map_err(TableError::from)?;
    let name = fold.plan().name.clone();
    if fold.phase() != Phase::Ended {
        let why = format!("{name} is not over and closed; `ringmail reveal` closes a game.");
        return Err(Failure::new(Exit::Refused, why));
    }
    let mut again = || Ok(Box::new(log.bytes_after(0)?) as Box<dyn Read + Send>);
    let progress = &mut |_| ();
    let how = Verified { file: name.clone(), titles: titles::ALL, errors: Errors::First, seen: Vec::new(), progress };
    let report = verify_twice(again().map_err(unread)?, &mut again, how, Proofs::default()).map_err(unread)?;
    if !report.is_ok() {
        let why = format!("The log of {name} does not verify: {}.", report.in_a_line());
        return Err(Failure::new(Exit::of_code(report.exit_code()), why));
    }
    let out = wanted.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.yaml")));
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format!("{}: {error}.", out.display())),
        _ => Failure::failed(format!("{} cannot be written: {error}.", out.display())),
    };
    let mut placing = Placing::begin(&out).map_err(failed)?;
    io::copy(&mut log.bytes_after(0).map_err(unread)?, &mut placing).map_err(failed)?;
    placing.sync().map_err(failed)?;
    placing.place().map_err(failed)?;
    paper::line(&format!("{}: {}. Head {}.", out.display(), report.in_a_line(), log.head().hash))?;
    if let Some(check) = check_file::write(&out, &log, &drawer)? {
        paper::line(&format!("{}: the host's signature over all of it; it belongs beside the log.", check.display()))?;
    }
    paper::line(
        "It is the closed log with the secrets that were published at its end, and verifies by itself: no address, \
         letter or token is in it.",
    )?;
    paper::line(&format!(
        "What else lies in {} are letters, the post book and host.yaml. To remove the letters: `ringmail prune {name} \
         --older-than 0d`.",
        drawer.path().display()
    ))
}
