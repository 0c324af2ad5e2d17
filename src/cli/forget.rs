//! `forget`: removes a person from the files that only the host has.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use mail::letter::mailbox::Mailbox;
use post::keeping::forget::{self, Forgotten};
use report::columns::ruly;

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

pub fn run(wanted: &Forget, games: &Games) -> Done {
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
    if wanted.dry_run {
        Ok(())
    } else {
        paper::line("Backups, the mailbox and the mail server still have what they have; see to them yourself.")
    }
}
