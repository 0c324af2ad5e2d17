/*! What the seats are told that is no event of the game: who is away, whose time was moved or is over, and what
happens then.
*/

use crate::engine::seat::Seat;
use crate::record::charter::calendar::date;
use crate::record::entry::Body;
use crate::record::entry::body::{Clock, Correcting, Silence, Timing};
use crate::record::file::reading::Step;
use crate::report::deadline::moment;
use serde_json::{Value, json};

/// What an entry announces to a reader besides the news of the game.
pub fn announcement(step: &Step<'_>, reader: Option<Seat>) -> Option<Value> {
    let text = match &step.entry.body {
        Body::Clock(clock) => of_clock(step, clock, reader)?,
        Body::Correction(correction) if correction.what == Correcting::Deadline => {
            let until = correction.until?;
            let why = if correction.text.is_empty() { String::new() } else { format!(": {}", correction.text) };
            format!("The time to answer was moved to {}{why}.", moment(step.fold, reader, until))
        }
        _ => return None,
    };
    Some(json!({ "kind": "event", "text": text }))
}

fn of_clock(step: &Step<'_>, clock: &Clock<'_>, reader: Option<Seat>) -> Option<String> {
    let plan = step.fold.plan();
    let word = clock.whom.as_deref().unwrap_or(&step.entry.seat);
    let whom = begin(word);
    let player = plan.seat(word).map_or("", |seat| plan.seats[seat.index()].player.as_str());
    Some(match clock.what {
        Timing::Absent => format!("{whom} ({player}) is away, {}: no time passes then.", days(clock)),
        Timing::Back => format!("{whom} ({player}) is back."),
        Timing::Extended => {
            format!("{whom} takes more time, until {}.", moment(step.fold, reader, clock.until?))
        }
        Timing::Lapsed => {
            let due = moment(step.fold, reader, clock.due?);
            let times = match clock.misses.unwrap_or(1) {
                1 => String::new(),
                misses => format!(", {misses} times in a row now"),
            };
            let then = then(clock.then?, &whom, player);
            format!("{whom} ({player}) did not answer by {due}{times}. {then}")
        }
        Timing::Unreachable => {
            let why = clock.text.as_deref().map_or(String::new(), |why| format!(" ({why})"));
            format!("No letter reaches {whom} ({player}){why}. No time passes for this seat until one does.")
        }
        Timing::Reachable => format!("Letters reach {whom} ({player}) again; the time to answer goes on."),
        // Where somebody's clock hangs concerns nobody else.
        Timing::Zone => return None,
    })
}

/// What happens when a seat has not answered.
fn then(silence: Silence, whom: &str, player: &str) -> String {
    match silence {
        Silence::Wait => format!("The game waits for {whom}."),
        Silence::Default => "The answer that does least is given in its stead.".to_string(),
        Silence::Bot => format!("A program plays {whom} until {player} is back."),
        Silence::Replacement => format!("{whom} is free for another player; no time passes until somebody takes it."),
        Silence::Forfeit => format!("{whom} gives the game up."),
    }
}

/// An entry about time in a line of the chronicle. Its seat stands before it there.
pub fn said(clock: &Clock<'_>) -> String {
    let whom = clock.whom.as_deref().unwrap_or("nobody");
    let until = clock.until.map_or(String::new(), |until| until.to_string());
    match clock.what {
        Timing::Absent => format!("is away, {}", days(clock)),
        Timing::Back => "is back".to_string(),
        Timing::Extended => format!("takes more time, until {until}"),
        Timing::Lapsed => {
            let due = clock.due.map_or(String::new(), |due| due.to_string());
            let then = clock.then.map_or("wait", Silence::word);
            format!("{whom} did not answer by {due} (missed in a row: {}): {then}", clock.misses.unwrap_or(1))
        }
        Timing::Unreachable => match &clock.text {
            Some(why) => format!("no letter reaches {whom} ({why}); its time stands"),
            None => format!("no letter reaches {whom}; its time stands"),
        },
        Timing::Reachable => format!("letters reach {whom} again"),
        Timing::Zone => format!("keeps the time of {}", clock.zone.as_deref().unwrap_or("another place")),
    }
}

/// `Thu 24 Dec to Sat 2 Jan`, both included.
fn days(clock: &Clock<'_>) -> String {
    let day = |text: &Option<std::borrow::Cow<'_, str>>| {
        let found = text.as_deref().and_then(date);
        found.map_or_else(|| "some day".to_string(), |day| day.strftime("%a %-d %b").to_string())
    };
    match clock.from == clock.to {
        true => day(&clock.from),
        false => format!("{} to {}", day(&clock.from), day(&clock.to)),
    }
}

fn begin(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
