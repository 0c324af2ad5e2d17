//! How long there is to answer, as one reader is told it: by the clock on his own wall.

use crate::engine::seat::Seat;
use crate::record::clock::{Countdown, Stands};
use crate::record::fold::Fold;
use crate::record::span::Span;
use crate::record::stamp::Stamp;
use crate::record::zone::Zone;
use serde::Serialize;

/// How long there is to answer the question that is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Deadline {
    /// In universal time, for programs.
    pub due: Option<String>,
    /// `Thu 26 Nov, 21:00`, by the reader's clock.
    pub until: Option<String>,
    /// Whose clock that is: `your time; 20:00 UTC`, or `UTC`.
    pub clock: String,
    /// What is waited for after that: `12 hours`.
    pub grace: Option<String>,
    /// How often the reader may take more time by himself, and how much at once.
    pub extensions: u32,
    pub extension: Option<String>,
    /// What happens then: `wait`, `default`, `bot`, `replacement`, `forfeit`.
    pub then: Option<String>,
    /// Why no time passes: `paused`, `unreachable`, `vacant`.
    pub stands: Option<String>,
    /// The time is over: since when.
    pub over: Option<String>,
    /// The end of the grace, and whose clock that is.
    pub last: Option<String>,
    pub last_clock: String,
    /// What the letter reminds of, if it is written only for that.
    pub reminds: Option<Reminding>,
}

/// What a letter reminds of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reminding {
    /// The time will be over.
    Soon,
    /// It is over, but for the grace.
    Late,
}

/// What a reader is told of the time to answer; nothing in a game without a schedule.
pub fn deadline(fold: &Fold, reader: Option<Seat>) -> Option<Deadline> {
    let (schedule, open) = (fold.plan().schedule.as_ref()?, fold.clock().open()?);
    let (zone, now) = (zone(fold, reader), fold.at());
    let mut told = Deadline::default();
    match fold.countdown()? {
        Countdown::Until { due, closing } => {
            told.due = Some(due.to_string());
            told.until = Some(zone.words(due, now));
            told.clock = clock(&zone, due, now);
            told.grace = (schedule.grace != Span::NONE).then(|| schedule.grace.words());
            told.then = Some(schedule.then(fold.clock().misses(open.seat) + 1).word().to_string());
            if reader == Some(open.seat) {
                told.extensions = schedule.extensions.saturating_sub(fold.clock().extensions(open.seat));
                told.extension = (told.extensions > 0).then(|| schedule.extension.to_string());
            }
            told.last = Some(zone.words(closing, now));
            told.last_clock = clock(&zone, closing, now);
        }
        Countdown::Stands(stands) => {
            let why = match stands {
                Stands::Paused => "paused",
                Stands::Unreachable => "unreachable",
                Stands::Vacant => "vacant",
            };
            told.stands = Some(why.to_string());
        }
        Countdown::Over { at, .. } => {
            told.over = Some(zone.words(at, now));
            told.clock = clock(&zone, at, now);
        }
    }
    Some(told)
}

/// What there is to say of the time of a seat: that it is away, not reached, free, or played by a program.
pub fn of_seat(fold: &Fold, seat: Seat) -> Vec<String> {
    let clock = fold.clock();
    let ahead = fold.absences_ahead(seat, fold.at());
    let mut said: Vec<String> = ahead.iter().map(|days| format!("away {days}")).collect();
    if fold.council().free().any(|free| free == seat) {
        said.push("free for another player".to_string());
    }
    if clock.unreachable(seat).is_some() {
        said.push("no letter reaches it".to_string());
    }
    if fold.is_played_by_program(seat) {
        said.push("a program plays it".to_string());
    }
    said
}

/// The zone of a reader's clock; universal time for the public.
pub fn zone(fold: &Fold, reader: Option<Seat>) -> Zone {
    reader.map_or_else(Zone::utc, |seat| fold.zone(seat))
}

/// `your time; 20:00 UTC`, with the day if it is another there.
fn clock(zone: &Zone, at: Stamp, now: Stamp) -> String {
    if zone.is_utc() {
        return "UTC".to_string();
    }
    let (here, there) = (zone.words(at, now), Zone::utc().words(at, now));
    let day = |words: &str| words.rsplit_once(", ").map_or(String::new(), |(day, _)| day.to_string());
    let shown = match day(&here) == day(&there) {
        true => there.rsplit(", ").next().unwrap_or(&there).to_string(),
        false => there.clone(),
    };
    format!("your time; {shown} UTC")
}

/// A time for a reader, with his zone if it is not his own: `Thu 26 Nov, 21:00`, `Thu 26 Nov, 20:00 UTC`.
pub fn moment(fold: &Fold, reader: Option<Seat>, at: Stamp) -> String {
    let zone = zone(fold, reader);
    let words = zone.words(at, fold.at());
    if zone.is_utc() { format!("{words} UTC") } else { words }
}
