/*! Why an act about time cannot be done. */

use crate::fold::clock::Stands;
use ground::span::Span;
use ground::stamp::Stamp;
use thiserror::Error;

/// The longest absence, in days; a player who is away for longer gives the seat to somebody else.
pub(super) const ABSENCE_DAYS_MAX: i32 = 92;
/// The most absences of one seat that are noted; more are a mistake of a mail program.
pub(super) const ABSENCES_MAX: usize = 50;

/// Why something about time cannot be done: a sentence for the player who asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClockRefused {
    #[error("this game sets nobody a time to answer")]
    NoSchedule,
    #[error("`{found}` is no date; a date is written 2026-12-24")]
    NotADate { found: String },
    #[error("an absence from {from} cannot be over on {to}")]
    Backwards { from: String, to: String },
    #[error("today is {today}, and {to} is over")]
    Past { to: String, today: String },
    #[error("an absence has at most {ABSENCE_DAYS_MAX} days, not {days}; longer, and the table must agree")]
    TooLong { days: i32 },
    #[error("{ABSENCES_MAX} absences of the seat are noted already")]
    TooManyAbsences,
    #[error("only who is asked can take more time")]
    NotAsked,
    #[error("{}; the table must agree", none_left(*.used))]
    NoneLeft { used: u32 },
    #[error("at most {} can be taken at once", .most.words())]
    TooMuch { most: Span },
    #[error("the time to answer is over; the table must agree to another")]
    NothingMore,
    #[error("{}", stands(*.0))]
    Stands(Stands),
    #[error("the seat is not away, and no program plays it")]
    NotAway,
    #[error("no time zone `{found}` is known; one is written Europe/Berlin or America/New_York")]
    NoZone { found: String },
    #[error("the new deadline must be after {at}")]
    NotLater { at: Stamp },
    #[error("`{found}` is neither a time such as 3d nor a day such as 2026-12-24")]
    NoTime { found: String },
}

fn none_left(used: u32) -> String {
    match used {
        0 => "nobody takes more time by himself in this game".to_string(),
        1 => "the seat has taken more time once, which is all that is its own".to_string(),
        _ => format!("the seat has taken more time {used} times, which is all that is its own"),
    }
}

fn stands(stands: Stands) -> &'static str {
    match stands {
        Stands::Paused => "the game is paused: no time passes",
        Stands::Unreachable | Stands::Vacant => "no time passes for the seat now",
    }
}
