//! `status`: the state of all games and of the service.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::now::now;
use crate::cli::queue;
use crate::cli::{games, paper};
use clap::Args;
use ground::disk::space::Space;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use post::health::heartbeat::{Heartbeat, Life};
use post::office::Office;
use post::office::out_queue;
use post::office::status::{self, CounterStatus, Counts, LastLetter};
use report::columns::{left, ruly, width};
use serde_json::{Value, json};
use store::home::QueueIn;

/// Show how all games stand: who is asked for what, since when and until when, letters in and out, what is stuck; and
/// below them the counter, the disk and the service.
///
/// No lock is taken and nothing is written: it works while `serve` runs. What is said of a game is public, and no
/// letter is opened. A game that cannot be read is named with the reason, the others are shown all the same, and the
/// exit code is 1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail status\n  ringmail status shire\n  ringmail status --json | jq \
                        '.games[] | select(.stuck != [])'")]
pub struct Status {
    /// One game, in full.
    game: Option<String>,
    /// Print JSON: `{games, counter, disk, serve}`; with GAME, that of the game alone. Times are in universal time.
    #[arg(long)]
    json: bool,
}

/// A game, and its status or why it cannot be read.
type Looked = (String, Result<status::Status, Failure>);

pub fn run(wanted: &Status, games: &Games) -> Done {
    let office = games.office()?;
    let at = now();
    match &wanted.game {
        Some(game) => one(wanted, game, &office, at),
        None => all(wanted, &office, at),
    }
}

fn all(wanted: &Status, office: &Office, at: Stamp) -> Done {
    let names = office.games()?;
    let found = status::of_games(office, &names, at);
    let looked: Vec<Looked> = names
        .into_iter()
        .zip(found)
        // The game may have been removed since the folder was read.
        .filter(|(_, found)| !found.as_ref().is_err_and(status::is_no_game))
        .map(|(game, found)| (game, found.map_err(Failure::from)))
        .collect();
    let counter = status::of_counter(office).map_err(Failure::from);
    let space = office.store().space().ok().flatten();
    let lives = Heartbeat::all(office).unwrap_or_else(|error| vec![Life::Unknown(error.to_string())]);
    let queue_in = office.store().shared().map(|shared| shared.queue_in().map_err(|error| error.to_string()));
    if wanted.json {
        paper::json(&json!({
            "games": looked.iter().map(in_json).collect::<Vec<Value>>(),
            "counter": counter.as_ref().map_or_else(error, |counter| json!(counter)),
            "disk": space.as_ref().map_or(Value::Null, |space| json!({ "free": space.free, "whole": space.whole })),
            "serve": lives.iter().find(|life| life.is_well(at)).or(lives.first()).map(|life| life.in_json(at)),
            "workers": lives.iter().map(|life| life.in_json(at)).collect::<Vec<Value>>(),
            "letters_in": queue_in.map(|found| match found {
                Ok(QueueIn { waiting, oldest }) => {
                    json!({ "waiting": waiting, "oldest": oldest.map(|oldest| oldest.to_string()) })
                }
                Err(why) => json!({ "error": why }),
            }),
        }))?
    } else {
        for line in table(&looked, at) {
            paper::line(&line)?;
        }
        let lines = below(&counter, space, queue_in, &lives, at);
        lines.iter().try_for_each(|line| paper::line(line))?;
    }
    if looked.iter().any(|(_, found)| found.is_err()) || counter.is_err() {
        Err(Failure::silent(Exit::Failed))
    } else {
        Ok(())
    }
}

fn in_json((game, found): &Looked) -> Value {
    match found {
        Ok(status) => json!(status),
        Err(failure) => json!({ "game": game, "error": failure.message }),
    }
}

fn error(failure: &Failure) -> Value {
    json!({ "error": failure.message })
}

/// The games as a table; what is wrong with a game is below its line.
fn table(looked: &[Looked], at: Stamp) -> Vec<String> {
    let head = ["game", "waits for", "since", "due", "letter in", "letter out", "unsent", "entries"].map(str::to_owned);
    let row = |(game, found): &Looked| match found {
        Err(_) => [game.as_str(), "?", "", "", "", "", "", ""].map(str::to_owned),
        Ok(status) => [
            game.clone(),
            waits(status),
            ago(&status.since, at),
            due(status, at),
            last(status.last_in.as_ref(), at),
            last(status.last_out.as_ref(), at),
            unsent(&status.letters),
            status.entries.to_string(),
        ],
    };
    let rows: Vec<[String; 8]> = looked.iter().map(row).collect();
    let mut widths = [0; 8];
    for row in rows.iter().chain([&head]) {
        widths.iter_mut().zip(row).for_each(|(widest, cell)| *widest = (*widest).max(width(cell)));
    }
    let set = |row: &[String; 8]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, columns)| left(cell, columns)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    if !rows.is_empty() {
        lines.push(paper::styled(paper::HEADING, &set(&head)));
    }
    for (row, (_, found)) in rows.iter().zip(looked) {
        lines.push(set(row));
        let wrong = match found {
            Ok(status) => status.stuck.iter().map(|why| sentence(why)).collect(),
            Err(failure) => vec![failure.message.clone()],
        };
        lines.extend(wrong.iter().map(|why| format!("  {}", paper::styled(paper::BAD, &ruly(why)))));
    }
    lines
}

fn waits(status: &status::Status) -> String {
    match (&status.seat, status.phase) {
        (Some(seat), "playing") => format!("{seat} ({})", status.waits_for),
        (_, "joining") => "players to join".to_owned(),
        (_, "playing") => status.waits_for.clone(),
        (_, _) => "nothing: it is over".to_owned(),
    }
}

fn due(status: &status::Status, at: Stamp) -> String {
    match (&status.due, &status.closing, status.stands) {
        (Some(due), _, Some(_)) => format!("was {} ago", short(at.since_written(due))),
        (Some(due), Some(closing), None) => match Stamp::parse(due) {
            Some(due) if due >= at => format!("in {}", short(Some(due.since(at)))),
            _ => format!("late, {} left", short(Stamp::parse(closing).map(|closing| closing.since(at)))),
        },
        (_, _, Some(stands)) => stands.to_owned(),
        _ => "-".to_owned(),
    }
}

fn last(letter: Option<&LastLetter>, at: Stamp) -> String {
    match letter {
        Some(LastLetter { at: then, seat: Some(seat) }) => format!("{} {seat}", ago(then, at)),
        Some(LastLetter { at: then, seat: None }) => ago(then, at),
        None => "-".to_owned(),
    }
}

fn unsent(counts: &Counts) -> String {
    let Counts { waiting, tried, held, dead, .. } = counts;
    let parts = [(*waiting, "waiting"), (*tried, "tried"), (*held, "held"), (*dead, "dead")];
    let told: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if told.is_empty() { "-".to_owned() } else { told.join(", ") }
}

/// The lines below the table: the counter, the disk, the service.
fn below(
    counter: &Result<CounterStatus, Failure>,
    space: Option<Space>,
    queue_in: Option<Result<QueueIn, String>>,
    lives: &[Life],
    at: Stamp,
) -> Vec<String> {
    let counter = match counter {
        Ok(CounterStatus { last_in, last_out, letters }) => {
            let (came, went) = (last(last_in.as_ref(), at), last(last_out.as_ref(), at));
            format!("counter  letter in {came}, letter out {went}, unsent {}", unsent(letters))
        }
        Err(failure) => format!("counter  {}", paper::styled(paper::BAD, &ruly(&failure.message))),
    };
    let disk = space.map(|space| format!("disk     {} free of {}", size(space.free), size(space.whole)));
    let mut lines = vec![counter];
    lines.extend(disk);
    lines.extend(queue_in.map(|found| match found {
        Ok(QueueIn { waiting: 0, .. }) => "queue    no letter waits to be played".to_owned(),
        Ok(QueueIn { waiting, oldest }) => {
            let oldest = oldest.map_or_else(String::new, |oldest| format!(", the oldest since {oldest:.0}"));
            format!("queue    letters that wait to be played: {waiting}{oldest}")
        }
        Err(why) => format!("queue    {}", paper::styled(paper::BAD, &ruly(&why))),
    }));
    for life in lives {
        let style = if life.is_well(at) { paper::GOOD } else { paper::BAD };
        lines.push(format!("serve    {}", paper::styled(style, &ruly(&life.in_words(at)))));
        let troubles = life.troubles().iter();
        lines.extend(troubles.map(|trouble| format!("         {}", paper::styled(paper::BAD, &ruly(trouble)))));
    }
    lines
}

/// One game in full.
fn one(wanted: &Status, game: &str, office: &Office, at: Stamp) -> Done {
    if !post::names::message_id::is_game(game) {
        return Err(Failure::usage(format!("`{game}` is no name of a game.")));
    }
    let drawer = office.drawer(Some(game));
    let status = status::of_game(&drawer, game, crate::titles::ALL, at)?;
    let letters = out_queue::of_drawer(&drawer, Some(game))?;
    if wanted.json {
        let mut told = json!(status);
        told["queue"] = letters.iter().map(queue::in_json).collect();
        return paper::json(&told);
    }
    paper::line(&paper::styled(paper::HEADING, &format!("{game} ({}, {})", status.title, status.phase)))?;
    let asked = match (&status.seat, &status.player) {
        (Some(seat), Some(player)) => format!("{seat} ({}): {}", ruly(player), status.waits_for),
        _ => waits(&status),
    };
    let time = |written: &Option<String>| written.as_ref().map_or("-".to_owned(), |then| then.clone());
    let both = |letter: &Option<LastLetter>| match letter {
        Some(letter) => {
            format!("{}, {} ago, {}", letter.at, ago(&letter.at, at), letter.seat.as_deref().unwrap_or("-"))
        }
        None => "-".to_owned(),
    };
    let due = match (&status.due, &status.closing) {
        (Some(due), Some(closing)) if due != closing => format!("{due}, and taken until {closing}"),
        (Some(due), _) => due.clone(),
        (None, _) => status.stands.unwrap_or("-").to_owned(),
    };
    for (word, told) in [
        ("waits for", asked),
        ("since", format!("{}, {} ago", status.since, ago(&status.since, at))),
        ("due", due),
        ("letter in", both(&status.last_in)),
        ("letter out", both(&status.last_out)),
        ("unsent", unsent(&status.letters)),
        ("log", format!("{} entries, {}", status.entries, size(status.bytes))),
    ] {
        paper::line(&format!("{} {told}", left(word, 10)))?;
    }
    for why in &status.stuck {
        paper::line(&format!("stuck      {}", paper::styled(paper::BAD, &ruly(&games::sentence(why)))))?;
    }
    for seat in &status.seats {
        let mut words = vec![format!("letter in {}, out {}", time(&seat.last_in), time(&seat.last_out))];
        words.extend((seat.misses > 0).then(|| format!("missed in a row: {}", seat.misses)));
        words.extend(seat.is_program.then(|| "played by a program".to_owned()));
        words.extend(seat.is_free.then(|| "free for another player".to_owned()));
        words.extend(seat.unreached_since.map(|seq| format!("not reached since #{seq}")));
        paper::line(&format!("{} {}; {}", left(&seat.seat, 10), ruly(&seat.player), words.join("; ")))?;
    }
    queue::table(&letters.iter().collect::<Vec<_>>(), at)
}

/// The time since an event: `3h`.
pub fn ago(written: &str, at: Stamp) -> String {
    short(at.since_written(written))
}

/// A span in its largest unit: `40s`, `5min`, `3h`, `12d`; `?` if it is unknown.
pub fn short(passed: Option<SignedDuration>) -> String {
    let Some(passed) = passed else { return "?".to_owned() };
    let seconds = passed.as_secs().max(0);
    match seconds {
        0..=59 => format!("{seconds}s"),
        60..=3_599 => format!("{}min", seconds / 60),
        3_600..=172_799 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Bytes as people read them: `3.2 GB`.
fn size(bytes: u64) -> String {
    let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    match units.iter().find(|(_, unit)| bytes >= *unit) {
        Some((word, unit)) => format!("{}.{} {word}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}
