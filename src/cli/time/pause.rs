//! `time --pause` and `--resume`: stop the time while the host mends something, and let it go on.

use super::Time;
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use post::desk::pause::NotPaused;
use record::fold::Phase;

/// Of games that the host has not named, those in which no time passes are left out.
pub fn pause(wanted: &Time, game: &str, is_named: bool, games: &Games) -> Done {
    let mut desk = games.desk(game)?;
    let refused = |why: String| Err(Failure::new(Exit::Refused, why));
    match desk.pause(wanted.until, &wanted.why, now())? {
        Ok(()) => {
            paper::line(&format!("{game} is paused: #{}", desk.table.fold().head().seq))?;
            write_letters(&mut desk)
        }
        Err(NotPaused::NotPlaying) if !is_named => Ok(()),
        Err(NotPaused::NotPlaying) if desk.table.fold().phase() == Phase::Joining => {
            refused(format!("{game} has not started; no time passes in it."))
        }
        Err(NotPaused::NotPlaying) => refused(format!("{game} is over.")),
        Err(NotPaused::Already(paused)) => {
            // If a crash has interrupted the pause, complete it now.
            desk.recover(now())?;
            let until = paused.until.map_or_else(|| "`ringmail time --resume`".to_owned(), |until| until.to_string());
            refused(format!("{game} is paused already, since {} and until {until}.", paused.at))
        }
        Err(NotPaused::NotLater { at }) => Err(Failure::usage(format!("A pause ends later than now, which is {at}."))),
        Err(NotPaused::TooLong { most }) => Err(Failure::usage(format!("`--why` has at most {most} characters."))),
    }
}

pub fn resume(game: &str, is_named: bool, games: &Games) -> Done {
    let mut desk = games.desk(game)?;
    match (desk.resume(now())?, is_named) {
        (true, _) => {
            paper::line(&format!("{game} goes on: #{}", desk.table.fold().head().seq))?;
            write_letters(&mut desk)
        }
        (false, true) => Err(Failure::new(Exit::Refused, format!("{game} is not paused by its host."))),
        (false, false) => Ok(()),
    }
}
