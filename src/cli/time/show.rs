//! `time GAME`: the deadline of a game, and what counts as time for each seat.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use engine::seat::Seat;
use post::desk::Desk;
use post::desk::pause::Paused;
use record::fold::Fold;
use record::fold::clock::Countdown;
use report::deadline::deadline;
use serde_json::{Value, json};

/// Prints the deadline of a game and the time of its seats, below its name if several games are shown.
pub fn run(game: &str, name: Option<&str>, json: bool, games: &Games) -> Done {
    let desk = games.desk(game)?;
    let fold = desk.table.fold();
    let seats = || (0..fold.plan().seats.len()).map(Seat::at);
    if json {
        let seats: Vec<Value> = seats().map(|seat| seat_in_json(&desk, seat)).collect();
        let waits = deadline(fold, None).map(|deadline| serde_json::to_value(deadline).expect("it is plain data"));
        return paper::json(&json!({ "game": game, "waits_for": fold.waits_for(), "deadline": waits, "seats": seats }));
    }
    if let Some(name) = name {
        paper::line(&paper::styled(paper::HEADING, name))?;
    }
    paper::line(&format!("The game waits for {}.", fold.waits_for()))?;
    match Paused::read(desk.table.drawer()).map_err(|error| Failure::failed(format!("{error}.")))? {
        Some(Paused { at, .. }) => paper::line(&format!("No time passes: its host has paused it, at {at}."))?,
        None => paper::line(&until(fold))?,
    }
    for seat in seats() {
        paper::line(&format!("{:<8} {}", fold.plan().word(seat), in_words(&desk, seat)))?;
    }
    Ok(())
}

fn until(fold: &Fold) -> String {
    match (fold.countdown(), &fold.plan().schedule) {
        (_, None) => "There is no deadline in this game: it waits for every answer.".to_string(),
        (Some(Countdown::Until { due, closing }), _) if due == closing => format!("An answer is due by {due}."),
        (Some(Countdown::Until { due, closing }), _) => {
            format!("An answer is due by {due}, and accepted until {closing}.")
        }
        (Some(Countdown::Stands(_)), _) => "No time passes.".to_string(),
        (Some(Countdown::Over { .. }), _) if is_vacant(fold) => {
            "No time passes: the seat is free for another player.".to_string()
        }
        (Some(Countdown::Over { at, .. }), _) => format!("The deadline was {at}; now the game waits without one."),
        (None, _) => "No deadline is running.".to_string(),
    }
}

fn is_vacant(fold: &Fold) -> bool {
    fold.clock().open().is_some_and(|open| fold.council().free().any(|free| free == open.seat))
}

fn in_words(desk: &Desk, seat: Seat) -> String {
    let (fold, clock) = (desk.table.fold(), desk.table.fold().clock());
    let mut words = vec![fold.zone(seat).name().to_string()];
    words.extend(fold.absences_ahead(seat, now()).iter().map(|days| format!("away {days}")));
    if clock.misses(seat) > 0 {
        words.push(format!("missed in a row: {}", clock.misses(seat)));
    }
    if let Some(schedule) = fold.plan().schedule.as_ref().filter(|schedule| schedule.extensions > 0) {
        words.push(format!("extensions taken: {} of {}", clock.extensions(seat), schedule.extensions));
    }
    words.extend(clock.bot(seat).map(|seq| format!("played by a program since #{seq}")));
    words.extend(fold.council().free().any(|free| free == seat).then(|| "free for another player".to_string()));
    words.extend(clock.unreachable(seat).map(|seq| format!("not reached since #{seq}")));
    words.push(desk.settings(fold.plan().word(seat)).to_string());
    words.join("; ")
}

fn seat_in_json(desk: &Desk, seat: Seat) -> Value {
    let (fold, clock) = (desk.table.fold(), desk.table.fold().clock());
    let absences: Vec<String> = fold.absences_ahead(seat, now()).iter().map(ToString::to_string).collect();
    let word = fold.plan().word(seat);
    json!({
        "seat": word, "zone": fold.zone(seat).name(), "absences": absences, "misses": clock.misses(seat),
        "extensions": clock.extensions(seat), "bot_since": clock.bot(seat), "unreached_since": clock.unreachable(seat),
        "letters": desk.settings(word).to_string(),
    })
}
