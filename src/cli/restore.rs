//! `restore`: makes an office again from a backup.

use crate::cli::backup::unusable;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use post::desk::restored::{self, Known};
use post::keeping::restore::{Again, Config, GameAgain, NotRestored, State, Wanted, restore};
use report::columns::ruly;
use std::path::{Path, PathBuf};

/// Make an office again from a backup, in a folder where none is.
///
/// A game that was not over stops then. Letters may have gone out after the backup was made, so every player is asked
/// to forward what he has got since; the records come back from what they forward, and the game goes on by itself when
/// all have done so. Letters that waited to be sent are held. Without a file it shows which games still wait.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail restore /backup/ringmail-2026-11-24.tar.gz
  ringmail restore
  ringmail restore --go-on shire")]
pub struct Restore {
    /// The backup.
    file: Option<PathBuf>,
    /// Let a game go on: you know that no letter went out after the backup, or nobody has the rest any more.
    #[arg(long, value_name = "GAME", conflicts_with = "file")]
    go_on: Vec<String>,
}

pub fn run(wanted: &Restore, games: &Games) -> Done {
    match &wanted.file {
        Some(file) => again(file, games),
        None if wanted.go_on.is_empty() => show(games),
        None => wanted.go_on.iter().try_for_each(|game| go_on(game, games)),
    }
}

fn again(file: &Path, games: &Games) -> Done {
    let ours = games.mailbox()?;
    let (store, config) = (games.store()?, games.config_file());
    let wanted = Wanted { backup: file, store: &store, config, ours: &ours, titles: titles::ALL, at: now() };
    let again = restore(&wanted).map_err(|why| match why {
        NotRestored::Backup(why) => unusable(file, &why),
        NotRestored::Post(error) => error.into(),
        NotRestored::NotEmpty { .. } | NotRestored::OfficeThere { .. } => Failure::usage(sentence(&why.to_string())),
        NotRestored::Busy { .. } => Failure::new(Exit::Busy, sentence(&why.to_string())),
        NotRestored::NotPlaced { .. } => Failure::failed(sentence(&why.to_string())),
    })?;
    tell(&again, games)
}

fn tell(again: &Again, games: &Games) -> Done {
    let (count, root) = (again.games.len(), games.store()?.place());
    let all = if count == 1 { "1 game is".to_owned() } else { format!("{count} games are") };
    paper::line(&format!("{all} in {} again, as of {}.", root.display(), again.label.at))?;
    let mut waits = false;
    for GameAgain { listed, state } in &again.games {
        let head = listed.head.map_or_else(|| "a log that cannot be read".to_owned(), |head| format!("#{}", head.seq));
        let words = match state {
            State::Asks(players) => {
                waits = true;
                format!("stops until {players} players have shown what they have seen since")
            }
            State::Over => "is over".to_owned(),
            State::HandedOver => "is another host's".to_owned(),
            State::Stuck(why) => format!("{}: {}", paper::styled(paper::BAD, "cannot be used"), ruly(why)),
        };
        paper::line(&format!("  {:<16} {head:<8} {words}", listed.game))?;
    }
    for unsound in &again.unsound {
        paper::line(&format!("  {} does not verify: {}", unsound.game, ruly(&unsound.verdict)))?;
    }
    if again.held > 0 {
        let held = again.held;
        paper::line(&format!("{held} letters waited to be sent and are held: they may have gone out since."))?;
        paper::line("What the players show decides on their reports; `ringmail queue` has the others.")?;
    }
    let file = games.config_file().display();
    match again.config {
        Config::Written => paper::line(&format!("The configuration is in {file}; the passwords it asks for are not."))?,
        Config::Kept => paper::line(&format!("{file} was there already and stays as it is."))?,
        Config::None => {}
    }
    if !waits {
        return Ok(());
    }
    paper::line(
        "\nWhat to do now:
  1. Make sure that the old office does not run any more, anywhere: two would tell two histories.
  2. `ringmail doctor`, then `ringmail serve` (or `ringmail send`): the letters that ask the players go out.
  3. `ringmail restore` shows who has answered. Each game goes on by itself when all have.
  4. If you know that no letter went out after the backup: `ringmail restore --go-on GAME`.
     If you have letters of a player yourself: `ringmail repair GAME --from MAIL`.
Standing orders and settings that were left after the backup are lost; players leave them anew.",
    )
}

fn show(games: &Games) -> Done {
    let mut none = true;
    for game in games.all()? {
        match restored::known(&games.drawer(&game)?, titles::ALL)? {
            None => {}
            Some(known) => {
                none = false;
                paper::line(&waiting(&game, &known))?;
            }
        }
    }
    if none { paper::line("No game waits for what its players have seen.") } else { Ok(()) }
}

fn waiting(game: &str, known: &Known) -> String {
    let silent = match known.silent.as_slice() {
        [] => "all players have answered".to_owned(),
        seats => format!("waits for letters of {}", seats.join(", ")),
    };
    let missing = match (known.missing, known.restored.signed) {
        (Some(missing), Some(signed)) => format!("; #{} was sent to somebody, and #{missing} is missing", signed.seq),
        _ => String::new(),
    };
    format!("{game}: ends with #{}, {silent}{missing}.", known.head.seq)
}

fn go_on(game: &str, games: &Games) -> Done {
    if restored::go_on(&games.drawer(game)?)? {
        paper::line(&format!(
            "{game} goes on with the next letter or tick. Letters that are held since the restore stay so until you\n\
         release or drop them: `ringmail queue`."
        ))
    } else {
        Err(Failure::new(Exit::Refused, format!("{game} does not wait for anything of the kind.")))
    }
}
