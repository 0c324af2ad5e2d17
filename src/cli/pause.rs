//! `pause`: stops the time in a game, or in all, while the host mends something.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use ground::stamp::Stamp;
use ground::zone::Zone;
use post::desk::pause::NotPaused;
use record::charter::calendar::date;
use record::fold::Phase;

/// Pause games for maintenance: no time passes, nobody is reminded or late.
///
/// It is a note in the log of each game, and its players are told. Letters are played meanwhile, if anybody serves.
/// When the pause ends, the open question has as much more time. (To pause a game for another reason, its players
/// vote: `propose pause`.)
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail pause --why \"the machine moves to another house\" --until 2026-12-01
  ringmail pause shire")]
pub struct Pause {
    /// The games; without any, all that are being played.
    games: Vec<String>,
    /// Why; everybody reads it, and it stays in the log.
    #[arg(long, value_name = "TEXT", default_value = "")]
    why: String,
    /// When it ends by itself: the end of a day in universal time, 2026-12-01, or 2026-12-01T18:00:00Z.
    #[arg(long, value_name = "DATE", value_parser = moment)]
    until: Option<Stamp>,
}

pub fn run(wanted: &Pause, games: &Games) -> Done {
    for_each(&wanted.games, games, |game, is_named| {
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
                let until = paused.until.map_or_else(|| "`ringmail resume`".to_owned(), |until| until.to_string());
                refused(format!("{game} is paused already, since {} and until {until}.", paused.at))
            }
            Err(NotPaused::NotLater { at }) => {
                Err(Failure::usage(format!("A pause ends later than now, which is {at}.")))
            }
            Err(NotPaused::TooLong { most }) => Err(Failure::usage(format!("`--why` has at most {most} characters."))),
        }
    })
}

/// Does something with the named games, or with all. A failure in one game does not stop the others.
pub fn for_each(named: &[String], games: &Games, act: impl Fn(&str, bool) -> Done) -> Done {
    let all = if named.is_empty() { games.all()? } else { named.to_vec() };
    let mut failed = None;
    for game in &all {
        if let Err(failure) = act(game, !named.is_empty()) {
            paper::tell(&format!("ringmail: {game}: {}", failure.message));
            failed.get_or_insert(failure.exit);
        }
    }
    failed.map_or(Ok(()), |exit| Err(Failure::silent(exit)))
}

/// Reads a moment, or a day, which means its end in universal time.
fn moment(text: &str) -> Result<Stamp, String> {
    let end_of = |text: &str| {
        let day = date(text)?;
        Some(Zone::utc().stamp(day.tomorrow().ok()?.at(0, 0, 0, 0)))
    };
    let wrong = || "a day such as 2026-12-01, or a time such as 2026-12-01T18:00:00Z".to_string();
    Stamp::parse(text).or_else(|| end_of(text)).ok_or_else(wrong)
}
