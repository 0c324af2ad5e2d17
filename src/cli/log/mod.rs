//! `log`: the history in words.

mod why;

use crate::cli::exit::Done;
use crate::cli::games::{Games, seat};
use crate::cli::paper::{self, COLUMNS};
use clap::Args;
use record::file::reading::Followed;
use record::fold::Fold;
use report::chronicle::{self, Chronicled};
use report::deadline::deadline;
use report::pace::{self, Pace, Turn};
use report::{closing, columns, from_log};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Tell a game as a chronicle, entry by entry.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail log shire\n  ringmail log shire --from 40 --to 57 --as red\n  \
                        ringmail log shire --why 57\n  ringmail log --pace")]
pub struct Log {
    /// The game, its log, or `-` for standard input; with `--pace`, all games without it.
    #[arg(required_unless_present = "pace")]
    game: Option<String>,
    /// The seat that reads; without it, the public.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The first entry to tell.
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    from: u64,
    /// The last entry to tell.
    #[arg(long, value_name = "SEQ", default_value_t = u64::MAX, hide_default_value = true)]
    to: u64,
    /// Explain one entry to the last die: its sentence, its dice and where they come from, what changed.
    #[arg(long, value_name = "SEQ", requires = "game", conflicts_with_all = ["seat", "from", "to", "pace"])]
    why: Option<u64>,
    /// Print how many letters each turn took and who waited for whom, and what was asked, in place of the entries.
    #[arg(long, conflicts_with_all = ["seat", "from", "to"])]
    pace: bool,
    /// Print JSON, an object a line.
    #[arg(long)]
    json: bool,
}

pub fn run(log: &Log, games: &Games) -> Done {
    if log.pace {
        return pace(log, games);
    }
    let game = log.game.as_deref().expect("clap asks for the game");
    if let Some(seq) = log.why {
        return why::run(game, seq, log.json, games);
    }
    let mut stopped = Ok(());
    let fold = games.read(game, |followed| {
        if followed.entry.seq >= log.from {
            stopped = tell(log, followed);
        }
        if stopped.is_err() || followed.entry.seq >= log.to {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    stopped?;
    if log.json || fold.head().seq >= log.to { Ok(()) } else { tell_rest(log, &fold) }
}

/// Prints below the last entry how well the authors of the answers are known, and how long a running game waits for
/// the next answer.
fn tell_rest(log: &Log, fold: &Fold) -> Done {
    if let Some(classes) = closing::classes(fold.tally()) {
        paper::line(&format!("\n{}", columns::fold_sentence(&classes, COLUMNS, "", "")))?;
    }
    let reader = log.seat.as_deref().map(|word| seat(fold.plan(), word)).transpose()?;
    match deadline(fold, reader).and_then(|deadline| Some((deadline.until?, deadline.clock))) {
        Some((until, clock)) => {
            paper::line(&format!("\nThe game waits for {}, until {until} ({clock}).", fold.waits_for()))
        }
        None => Ok(()),
    }
}

/// A turn with the name of its game, for JSON.
#[derive(Serialize)]
struct TurnOf<'t> {
    game: &'t str,
    #[serde(flatten)]
    turn: &'t Turn,
}

/// Prints the turns of one game or of all, and below them the questions asked, for each title.
fn pace(log: &Log, games: &Games) -> Done {
    let names = log.game.as_ref().map_or_else(|| games.all(), |game| Ok(vec![game.clone()]))?;
    let mut by_title: BTreeMap<&'static str, Vec<Turn>> = BTreeMap::new();
    for game in &names {
        let mut counted = Pace::default();
        let fold = games.read(game, |followed| {
            counted.note(followed);
            ControlFlow::Continue(())
        })?;
        if log.game.is_none() && !log.json {
            let blank = if by_title.is_empty() { "" } else { "\n" };
            paper::line(&format!("{blank}{game}, {}", fold.plan().title.name))?;
        }
        for turn in counted.turns() {
            match (log.json, log.game.is_none()) {
                (true, true) => paper::line(&json(&TurnOf { game, turn }))?,
                (true, false) => paper::line(&json(turn))?,
                (false, _) => paper::line(&pace::sentence(turn, None))?,
            }
        }
        by_title.entry(fold.plan().title.name).or_default().extend_from_slice(counted.turns());
    }
    for (title, turns) in by_title.iter().filter(|(_, turns)| !log.json && !turns.is_empty()) {
        let several = if log.game.is_none() { format!("{title}, all games: ") } else { String::new() };
        paper::line(&format!("\n{several}letters that came for a question, answers further below in one, by lines"))?;
        paper::line("written ahead and by standing orders, and all that was asked:\n")?;
        for line in pace::table(&turns.iter().collect::<Vec<&Turn>>()) {
            paper::line(&line)?;
        }
    }
    Ok(())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a turn is plain data")
}

fn tell(log: &Log, followed: &Followed<'_>) -> Done {
    let reader = log.seat.as_deref().map(|word| seat(followed.fold.plan(), word)).transpose()?;
    let told: Chronicled = from_log::told(followed, reader);
    if log.json {
        paper::line(&serde_json::to_string(&told).expect("a told entry is plain data"))
    } else {
        paper::print(&chronicle::paragraph(&told, COLUMNS))
    }
}
