//! `prune`: removes the letters of games that are over.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::span::Span;
use post::keeping::prune::{self, Pruned, Stays, Wanted};

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

pub fn run(wanted: &Prune, games: &Games) -> Done {
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

fn age(text: &str) -> Result<Span, String> {
    let wrong = || "a time such as 180d or 12h".to_string();
    if text == "0d" { Ok(Span::NONE) } else { Span::read(text).ok_or_else(wrong) }
}
