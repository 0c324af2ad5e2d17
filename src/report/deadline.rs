//! The time left to answer, as we tell it to one reader: in his own time zone.

use engine::seat::Seat;
use ground::span::Span;
use ground::stamp::Stamp;
use ground::zone::Zone;
use record::charter::schedule::Schedule;
use record::entry::body::Silence;
use record::fold::Fold;
use record::fold::clock::{Countdown, Stands};
use serde::Serialize;

/// The time left to answer the open question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Deadline {
    /// In universal time, for programs.
    pub due: Option<String>,
    /// `Thu 26 Nov, 21:00`, by the reader's clock.
    pub until: Option<String>,
    /// Whose clock that is: `your time; 20:00 UTC`, or `UTC`.
    pub clock: String,
    /// The grace after that: `12 hours`.
    pub grace: Option<String>,
    /// How often the reader may still extend the deadline himself, and by how much each time.
    pub extensions: u32,
    pub extension: Option<String>,
    /// What happens then: `wait`, `default`, `bot`, `replacement`, `forfeit`.
    pub then: Option<String>,
    /// Why no time passes: `paused`, `unreachable`, `vacant`.
    pub stands: Option<String>,
    /// When the deadline passed, if the game now waits without one.
    pub over: Option<String>,
    /// The end of the grace, and whose clock that is.
    pub last: Option<String>,
    pub last_clock: String,
    /// What the letter reminds the reader of, if it is only a reminder.
    pub reminds: Option<Reminding>,
}

/// What a letter reminds of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reminding {
    /// The deadline is near.
    Soon,
    /// The deadline has passed, the grace has not.
    Late,
}

/// What we tell a reader of the time left to answer; `None` in a game without a schedule.
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
        // Nobody is late if the seat waits for another player.
        Countdown::Over { .. } if fold.council().free().any(|free| free == open.seat) => {
            told.stands = Some("vacant".to_string());
        }
        Countdown::Over { at, .. } => {
            told.over = Some(zone.words(at, now));
            told.clock = clock(&zone, at, now);
        }
    }
    Some(told)
}

/// The schedule of a game, in sentences: how long a player may think, and what happens if he does not answer.
pub fn terms(schedule: &Schedule) -> Vec<String> {
    let grace = match schedule.grace {
        Span::NONE => String::new(),
        grace => format!(", and {} of grace", grace.words()),
    };
    let mut rest = Vec::new();
    if !schedule.weekdays_off.is_empty() {
        let days: Vec<String> = schedule.weekdays_off.iter().map(|day| format!("{day:?}")).collect();
        rest.push(format!("without {}", days.join(" and ")));
    }
    if !schedule.holidays.is_empty() {
        let days: Vec<String> = schedule.holidays.iter().map(ToString::to_string).collect();
        rest.push(format!("no time passes on {}", days.join(", ")));
    }
    if let Some(quiet) = schedule.quiet {
        rest.push(format!("nothing falls due from {}", quiet.to_string().replace('-', " to ")));
    }
    if schedule.extensions > 0 {
        rest.push(format!("you may take {} more {} in a game", schedule.extension.words(), times(schedule.extensions)));
    }
    let rest = if rest.is_empty() { String::new() } else { format!(" ({})", rest.join("; ")) };
    let answer = format!("Time to answer, by your own clock: {}{grace}{rest}.", schedule.answer.words());
    vec![answer, format!("If a player does not answer: {}.", silences(schedule).join("; "))]
}

/// What happens, depending on how many answers in a row were missed.
fn silences(schedule: &Schedule) -> Vec<String> {
    let what = |then: Silence| match then {
        Silence::Wait => "the game waits",
        Silence::Default => "the answer that does least is given",
        Silence::Bot => "a program plays until the player is back",
        Silence::Replacement => "the seat is free for another player",
        Silence::Forfeit => "the seat gives the game up",
    };
    let steps = schedule.silence.iter().map(|step| match step.misses {
        1 => what(step.then).to_string(),
        misses => format!("from the {} time in a row, {}", ordinal(misses), what(step.then)),
    });
    let steps: Vec<String> = steps.collect();
    if steps.is_empty() { vec![what(Silence::Wait).to_string()] } else { steps }
}

/// `2nd`, `3rd`, `4th`.
fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

fn times(number: u32) -> String {
    match number {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        number => format!("{number} times"),
    }
}

/// What the clock of a seat does, in words: the seat is away, out of reach, free, or played by a program.
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

/// `your time; 20:00 UTC`, with the day if it is another day there.
fn clock(zone: &Zone, at: Stamp, now: Stamp) -> String {
    if zone.is_utc() {
        return "UTC".to_string();
    }
    let (here, there) = (zone.words(at, now), Zone::utc().words(at, now));
    let day = |words: &str| words.rsplit_once(", ").map_or(String::new(), |(day, _)| day.to_string());
    let shown =
        if day(&here) == day(&there) { there.rsplit(", ").next().unwrap_or(&there).to_string() } else { there.clone() };
    format!("your time; {shown} UTC")
}

/// A time by a reader's clock; it names the zone if that is UTC: `Thu 26 Nov, 21:00`, `Thu 26 Nov, 20:00 UTC`.
pub fn moment(fold: &Fold, reader: Option<Seat>, at: Stamp) -> String {
    let zone = zone(fold, reader);
    let words = zone.words(at, fold.at());
    if zone.is_utc() { format!("{words} UTC") } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::charter::schedule::CharterSchedule;

    #[track_caller]
    fn case(charter: &str, expected: &[&str]) {
        let charter: CharterSchedule = serde_yaml::from_str(charter).unwrap();
        assert_eq!(terms(&Schedule::understand(&charter.recorded().unwrap()).unwrap()), expected);
    }

    #[test]
    fn an_invitation_says_how_long_there_is_to_answer() {
        case(
            "answer: 3d",
            &["Time to answer, by your own clock: 3 days.", "If a player does not answer: the game waits."],
        );
        case(
            "answer: 2d\ndays_off: [sat, sun]\nholidays: [2026-12-24..2026-12-26]\nquiet: 22:00-08:00\ngrace: 12h\n\
             extensions: 2\nextension: 1d\nsilence:\n- then: wait\n- misses: 2\n  then: bot\n",
            &[
                "Time to answer, by your own clock: 2 days, and 12 hours of grace (without Saturday and Sunday; \
                 no time passes on 2026-12-24..2026-12-26; nothing falls due from 22:00 to 08:00; you may take \
                 1 day more twice in a game).",
                "If a player does not answer: the game waits; from the 2nd time in a row, a program plays until the \
                 player is back.",
            ],
        );
    }
}
