//! `prune`, `forget` and `archive`: what need not be kept for ever, and what can.

use crate::cli::clock::now;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::disk::place::Placing;
use ground::span::Span;
use mail::letter::mailbox::Mailbox;
use post::keeping::forget::{self, Forgotten};
use post::keeping::prune::{self, Pruned, Stays, Wanted};
use record::file::log::Log;
use record::file::reading::read_through;
use record::fold::Phase;
use record::table::table_error::TableError;
use record::verify::{Errors, Proofs, Wanted as Verified, verify_twice};
use report::columns::ruly;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Remove the letters of games that are over: those that came in, and those that were sent.
///
/// The log and the book stay; the book says what was removed, and knows a letter that comes once more. Letters that a
/// dispute may need stay: those that prove the class of a record, with their keys, and all letters of a game in which
/// somebody has objected to an entry. `--evidence` removes them as well.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail prune --dry-run
  ringmail prune --older-than 365d
  ringmail prune shire --older-than 0d --evidence")]
pub struct Prune {
    /// The games; without any, all that are over.
    games: Vec<String>,
    /// How long ago the last record of a game was written, at the least.
    #[arg(long, value_name = "TIME", default_value = "180d", value_parser = age)]
    older_than: Span,
    /// Remove what evidence may need, too.
    #[arg(long)]
    evidence: bool,
    /// Remove nothing; say what would be removed.
    #[arg(long)]
    dry_run: bool,
}

/// Forget a person: the address, and the letters from it and to it, in every file that only the host has.
///
/// The log of a game never holds an address, and stays as it is. While the person holds a seat in a game that is not
/// over, nothing is done.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail forget dora@example.org --dry-run\n  ringmail forget dora@example.org")]
pub struct Forget {
    /// The address.
    address: String,
    /// Change nothing; say what would be forgotten.
    #[arg(long)]
    dry_run: bool,
}

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

pub fn prune(wanted: &Prune, games: &Games) -> Done {
    let all = if wanted.games.is_empty() { games.all()? } else { wanted.games.clone() };
    let Prune { older_than, evidence, dry_run: is_tried, .. } = *wanted;
    let how = Wanted { older_than, evidence, is_tried, now: now(), patience: games.patience() };
    let (mut failed, mut none) = (None, true);
    for game in &all {
        let drawer = games.drawer(game)?;
        let is_named = !wanted.games.is_empty();
        match prune::prune(&drawer, titles::ALL, &how).map_err(Failure::from) {
            Ok(Ok(pruned)) => {
                none = false;
                paper::line(&told(game, &pruned, is_tried))?;
            }
            Ok(Err(stays)) if is_named => {
                let why = match stays {
                    Stays::NotOver => format!("{game} is not over; its letters stay."),
                    Stays::Young(at) => format!("The last record of {game} is of {at}; its letters stay."),
                };
                paper::tell(&format!("ringmail: {why}"));
                failed.get_or_insert(Exit::Refused);
            }
            Ok(Err(_)) => {}
            Err(failure) => {
                paper::tell(&format!("ringmail: {game}: {}", failure.message));
                failed.get_or_insert(failure.exit);
            }
        }
    }
    match failed {
        Some(exit) => Err(Failure::silent(exit)),
        None if none => paper::line(&format!("No game has been over for {}.", older_than.words())),
        None => Ok(()),
    }
}

fn told(game: &str, pruned: &Pruned, is_tried: bool) -> String {
    let Pruned { letters_in, letters_out, bytes, kept } = pruned;
    let would = if is_tried { "would be removed" } else { "removed" };
    let kept = match kept {
        0 => String::new(),
        kept => format!("; {kept} stay, as evidence may need them"),
    };
    format!("{game}: {letters_in} letters that came in and {letters_out} that went out {would}, {bytes} bytes{kept}")
}

pub fn forget(wanted: &Forget, games: &Games) -> Done {
    let address = Mailbox::read(&wanted.address)
        .ok_or_else(|| Failure::usage(format!("`{}` is not a mail address.", wanted.address)))?;
    let office = games.office()?;
    if address == *office.ours() || games.config().is_some_and(|config| config.host.as_ref() == Some(&address)) {
        return Err(Failure::new(Exit::Refused, format!("{address} is an address of this post office itself.")));
    }
    let forgotten = forget::forget(&office, &address, titles::ALL, wanted.dry_run, games.patience())?;
    let forgotten = forgotten.map_err(|plays| {
        let seats = plays.seats.join(", ");
        let why = format!("{address} holds a seat in a game that is not over: {seats}. Nothing was changed.");
        Failure::new(Exit::Refused, why)
    })?;
    let Forgotten { letters, lines, places, mentioned } = forgotten;
    let would = if wanted.dry_run { "would be" } else { "are" };
    paper::line(&format!(
        "{letters} letters {would} removed, and {lines} lines of books {would} without the address."
    ))?;
    if !places.is_empty() {
        paper::line(&format!("It {} registered as {}.", if wanted.dry_run { "is" } else { "was" }, places.join(", ")))?;
    }
    for file in &mentioned {
        paper::line(&format!("A letter of somebody else names it: {}", ruly(&file.display().to_string())))?;
    }
    match wanted.dry_run {
        true => Ok(()),
        false => {
            paper::line("Backups, the mailbox and the mail server still have what they have; see to them yourself.")
        }
    }
}

pub fn archive(wanted: &Archive, games: &Games) -> Done {
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

fn age(text: &str) -> Result<Span, String> {
    let wrong = || "a time such as 180d or 12h".to_string();
    if text == "0d" { Ok(Span::NONE) } else { Span::read(text).ok_or_else(wrong) }
}
