/*! `time`: the time of games: shows their deadlines, lets time pass, stops it, and moves a deadline.

What a player says about his own time, the host says for a seat with `say`: `absence`, `extend`, `zone`.
*/

mod pause;
mod show;
pub mod tick;

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use ground::stamp::Stamp;
use ground::zone::Zone;
use record::charter::calendar::date;

/// Show the deadlines of games; stop their time, or let it pass.
///
/// With `--tick` time passes in all games: players who are late are reminded, what the charters say happens if they do
/// not answer, and letters go out that had to wait. Run `ringmail receive` first, so that no player counts as late
/// whose letter has arrived. `ringmail serve` does both by itself; without it, run the two and `ringmail send`
/// regularly, for example every quarter of an hour. If they have not run for much longer than usual, no player is late
/// because of that: a deadline that passed meanwhile is moved to a day from now. If the clock of the machine shows a
/// time days after the last tick, it may be wrong: nothing is done, with exit code 1, until a mail server that has
/// just taken a letter agrees with it (`ringmail receive`), or a relay of the beacon, or an hour has passed. What the
/// host must know (a player is lost, a seat is free) is written to the `host` of the configuration.
///
/// With `--pause` no time passes while the host mends something: nobody is reminded or late. It is a note in the log of
/// each game, and its players are told. Letters are played meanwhile, if anybody serves. When the pause ends, the open
/// question has as much more time. (To pause a game for another reason, its players vote: `propose pause`.)
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail time shire
  ringmail time shire --deadline 2026-12-01T18:00:00Z --why \"both were at a wedding\"
  ringmail time --pause --why \"the machine moves to another house\" --until 2026-12-01
  ringmail time --resume
  ringmail receive ~/Maildir && ringmail time --tick && ringmail send --to-files letters

From cron:
  */15 * * * *  cd /home/me/ringmail && ringmail receive && ringmail time --tick; ringmail send")]
pub struct Time {
    /// The games; without any, all.
    games: Vec<String>,
    /// Let time pass, in all games.
    #[arg(long, conflicts_with_all = ["games", "pause", "resume", "deadline"])]
    tick: bool,
    /// Stop the time.
    #[arg(long, conflicts_with_all = ["resume", "deadline"])]
    pause: bool,
    /// When a pause ends by itself: the end of a day in universal time, 2026-12-01, or 2026-12-01T18:00:00Z.
    #[arg(long, value_name = "DATE", value_parser = moment, requires = "pause")]
    until: Option<Stamp>,
    /// End a pause: time passes again, and the open question has as much more.
    #[arg(long, conflicts_with = "deadline")]
    resume: bool,
    /// Move the deadline of the open question of one game to a later time, in universal time: 2026-12-01T18:00:00Z. An
    /// earlier one takes a motion of the seats.
    #[arg(long, value_name = "TIME", value_parser = stamp, requires_all = ["games", "why"])]
    deadline: Option<Stamp>,
    /// Why; everybody reads it, and it stays in the log.
    #[arg(long, value_name = "TEXT", default_value = "")]
    why: String,
    /// Print JSON, an object a game.
    #[arg(long, conflicts_with_all = ["pause", "resume", "deadline"])]
    json: bool,
}

pub fn run(wanted: &Time, games: &Games) -> Done {
    match (wanted.tick, wanted.pause, wanted.resume, wanted.deadline) {
        (true, ..) => tick::run(wanted.json, games),
        (_, true, ..) => for_each(&wanted.games, games, |game, is_named| pause::pause(wanted, game, is_named, games)),
        (_, _, true, _) => for_each(&wanted.games, games, |game, is_named| pause::resume(game, is_named, games)),
        (.., Some(until)) => match wanted.games.as_slice() {
            [game] => move_deadline(game, until, &wanted.why, games),
            _ => Err(Failure::usage("A deadline is moved in one game.")),
        },
        _ => match wanted.games.as_slice() {
            [game] => show::run(game, None, wanted.json, games),
            several => for_each(several, games, |game, _| show::run(game, Some(game), wanted.json, games)),
        },
    }
}

fn move_deadline(game: &str, until: Stamp, why: &str, games: &Games) -> Done {
    let mut desk = games.desk(game)?;
    let head = desk.table.move_deadline(until, why, now())?;
    paper::line(&format!("#{} {}", head.seq, head.hash))?;
    write_letters(&mut desk)
}

/// Does something with the named games, or with all. A failure in one game does not stop the others.
fn for_each(named: &[String], games: &Games, act: impl Fn(&str, bool) -> Done) -> Done {
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

fn stamp(text: &str) -> Result<Stamp, String> {
    Stamp::parse(text).ok_or_else(|| "a time such as 2026-12-01T18:00:00Z".to_string())
}
