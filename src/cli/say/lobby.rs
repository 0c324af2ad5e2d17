//! What is said before a game has started: seats join, and its host starts it.

use super::requests::{asked, make, needed};
use super::{Said, Say};
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::tell_set_aside;
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use engine::seat::Seat;
use post::desk::Desk;
use post::order::request::Request;
use record::table::{Joining, Table};

/// Joins with what the lines bring along, makes their requests, and starts the game if the last one says so.
pub fn run(say: &Say, desk: &mut Desk, seat: Option<Seat>, lines: &[String]) -> Result<Vec<Said>, Failure> {
    let mut done = Vec::new();
    let (mut joins, mut joining) = (false, Joining::default());
    let (lines, starts) = match lines {
        [lines @ .., last] if last.trim().eq_ignore_ascii_case("start") => (lines, true),
        lines => (lines, false),
    };
    for line in lines {
        let Some(asked) = asked(&desk.table, seat, line)? else {
            let why = format!(
                "The game has not started, and `{line}` is for later: `ringmail say {} start` starts it when every \
                 seat has joined.",
                say.game
            );
            return Err(Failure::new(Exit::Refused, why));
        };
        match &asked.request {
            Request::Join { seats } if seats.iter().all(|word| Some(word) == say.seat.as_ref()) => joins = true,
            Request::Join { .. } => return Err(Failure::usage("Say which seat joins with `--as`; then `join` alone.")),
            Request::Name { name } => joining.player = Some(name.clone()),
            Request::Phrase { phrase } => joining.phrase.clone_from(phrase),
            Request::Key { key } => joining.keys.push(key.to_string()),
            _ => {
                let heads = make(desk, seat, &asked)?;
                done.push(Said::by(asked.said, &heads));
            }
        }
    }
    match (joins, joining == Joining::default()) {
        (true, _) => done.extend(join(desk, needed(seat)?, &joining)?),
        (false, true) => {}
        (false, false) => return Err(Failure::usage("These words go with `join`; say it in the same command.")),
    }
    if starts {
        done.push(start(desk)?);
    }
    Ok(done)
}

fn join(desk: &mut Desk, seat: Seat, joining: &Joining) -> Result<Option<Said>, Failure> {
    let table = &mut desk.table;
    let word = table.word(seat);
    if table.fold().has_joined(seat) && table.fold().plan().seats[seat.index()].hosted {
        paper::tell(&format!("{word} is the host's own, and joined before all others"));
        return Ok(None);
    }
    if table.fold().has_joined(seat) {
        return Err(Failure::new(Exit::Refused, format!("{word} has joined already.")));
    }
    let via = at_keyboard(table, seat)?;
    let head = table.join(seat, joining, via, now())?;
    tell_set_aside(table.set_aside());
    Ok(Some(Said::by(format!("{word} has joined"), &[head])))
}

/// Fixes all commitments, and the game begins.
fn start(desk: &mut Desk) -> Result<Said, Failure> {
    let before = desk.table.fold().head().seq;
    if desk.table.beacon().is_some() {
        desk.start(now())?
    } else {
        drop(desk.table.start(now())?)
    }
    tell_set_aside(desk.table.set_aside());
    let entries = before + 1..=desk.table.fold().head().seq;
    Ok(Said { words: "start".to_string(), entries: entries.collect() })
}

/// Prints what must be done before the game can start.
pub fn next(table: &Table, game: &str) -> Done {
    let plan = table.fold().plan();
    let words = |seats: Vec<Seat>| seats.into_iter().map(|seat| plan.word(seat)).collect::<Vec<&str>>().join(", ");
    let missing = (0..plan.seats.len()).map(Seat::at).filter(|seat| !table.fold().has_joined(*seat));
    let missing = words(missing.collect());
    if missing.is_empty() {
        paper::line(&format!("Next: `ringmail say {game} start`."))
    } else {
        paper::line(&format!("Still to join: {missing}."))
    }
}
