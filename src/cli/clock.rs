//! `clock`: shows the deadline of a game, and lets its host change it.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat, sentence, write_letters};
use crate::cli::keyboard::at_keyboard;
use crate::cli::now::now;
use crate::cli::paper;
use clap::{Args, Subcommand};
use engine::seat::Seat;
use ground::span::Span;
use ground::stamp::Stamp;
use post::desk::Desk;
use post::desk::pause::Paused;
use post::order::settings::Change;
use record::fold::Fold;
use record::fold::clock::Countdown;
use report::deadline::deadline;
use serde_json::{Value, json};

/// Show the deadline of a game, or change something about it. Everything but the settings of letters is an entry
/// of the log.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail clock shire
  ringmail clock shire absent --as red 2026-12-24 2027-01-02
  ringmail clock shire extend --as red 2d
  ringmail clock shire deadline 2026-12-01T18:00:00Z \"both were at a wedding\"
  ringmail clock shire letters --as red \"digest daily 08:00\"")]
pub struct Clock {
    /// The game.
    game: String,
    #[command(subcommand)]
    act: Option<Act>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Act {
    /// A seat is away: these days do not count for it.
    Absent {
        #[arg(long = "as", value_name = "SEAT")]
        seat: String,
        /// The first day: 2026-12-24.
        from: String,
        /// The last day.
        to: String,
    },
    /// A seat is back: its absences are over, and no program plays for it.
    Back {
        #[arg(long = "as", value_name = "SEAT")]
        seat: String,
    },
    /// The asked seat takes more time, as the charter allows.
    Extend {
        #[arg(long = "as", value_name = "SEAT")]
        seat: String,
        /// How much: 2d, 12h.
        #[arg(value_parser = span)]
        by: Span,
    },
    /// A seat uses another time zone from its next question on.
    Zone {
        #[arg(long = "as", value_name = "SEAT")]
        seat: String,
        /// The zone: Europe/Berlin.
        name: String,
    },
    /// The deadline of the open question is moved to a later time. An earlier one takes a motion of the seats.
    Deadline {
        /// In universal time: 2026-12-01T18:00:00Z.
        #[arg(value_parser = stamp)]
        until: Stamp,
        /// Why; everybody reads it.
        why: String,
    },
    /// How the player of a seat wants his letters: digest, quiet, night, batch.
    Letters {
        #[arg(long = "as", value_name = "SEAT")]
        seat: String,
        /// What is set: "digest daily 08:00", "quiet", "night 22:00-07:00", "batch 30min", or one of them with `off`.
        #[arg(value_parser = change)]
        change: Change,
    },
}

pub fn run(wanted: &Clock, games: &Games) -> Done {
    let Some(act) = &wanted.act else { return show(wanted, games) };
    let mut desk = games.desk(&wanted.game)?;
    let at = now();
    let head = match act {
        Act::Absent { seat: word, from, to } => {
            let seat = seated(&desk, word)?;
            let via = at_keyboard(&desk.table, seat)?;
            desk.table.absent(seat, from, to, via, at)?
        }
        Act::Back { seat: word } => {
            let seat = seated(&desk, word)?;
            let via = at_keyboard(&desk.table, seat)?;
            desk.table.back(seat, via, at)?
        }
        Act::Extend { seat: word, by } => {
            let seat = seated(&desk, word)?;
            let via = at_keyboard(&desk.table, seat)?;
            desk.table.extend(seat, *by, via, at)?
        }
        Act::Zone { seat: word, name } => {
            let seat = seated(&desk, word)?;
            let via = at_keyboard(&desk.table, seat)?;
            desk.table.set_zone(seat, name, via, at)?
        }
        Act::Deadline { until, why } => desk.table.move_deadline(*until, why, at)?,
        Act::Letters { seat: word, change } => {
            seated(&desk, word)?;
            desk.change_settings(word, *change, at)?;
            return paper::line(&format!("{word}: {}", desk.settings(word)));
        }
    };
    paper::line(&format!("#{} {}", head.seq, head.hash))?;
    write_letters(&mut desk)
}

fn seated(desk: &Desk, word: &str) -> Result<Seat, Failure> {
    seat(desk.table.fold().plan(), word)
}

fn show(wanted: &Clock, games: &Games) -> Done {
    let desk = games.desk(&wanted.game)?;
    let fold = desk.table.fold();
    let seats = || (0..fold.plan().seats.len()).map(Seat::at);
    if wanted.json {
        let seats: Vec<Value> = seats().map(|seat| seat_in_json(&desk, seat)).collect();
        let waits = deadline(fold, None).map(|deadline| serde_json::to_value(deadline).expect("it is plain data"));
        return paper::json(&json!({ "waits_for": fold.waits_for(), "deadline": waits, "seats": seats }));
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

fn span(text: &str) -> Result<Span, String> {
    Span::read(text).ok_or_else(|| "a time such as 2d or 12h".to_string())
}

fn stamp(text: &str) -> Result<Stamp, String> {
    Stamp::parse(text).ok_or_else(|| "a time such as 2026-12-01T18:00:00Z".to_string())
}

fn change(text: &str) -> Result<Change, String> {
    Change::read(text).map_err(|wrong| sentence(&wrong.to_string()))
}
