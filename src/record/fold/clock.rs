/*! The clock of a game: since when its question is open, what time was granted since, and how long there is to
answer.

The clock follows from the entries alone, record by record, and holds no time of its own. The deadline follows from it
and from the schedule; a game without a schedule has no deadline.
*/

use crate::charter::calendar::{CLOCKS_CHANGED, Calendar, Days, date};
use crate::charter::plan::Plan;
use crate::charter::schedule::Schedule;
use crate::entry::Entry;
use crate::entry::body::{ClockChange, Silence};
use engine::need::Question;
use engine::seat::Seat;
use ground::span::Span;
use ground::stamp::Stamp;
use ground::zone::Zone;

/// What the records say of everybody's time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    open: Option<Open>,
    seats: Vec<SeatClock>,
}

/// The question that is open.
#[derive(Clone, Debug)]
pub struct Open {
    /// The record after which it was asked.
    pub seq: u64,
    pub at: Stamp,
    pub seat: Seat,
    id: &'static str,
    /// The time zone of its seat when it was asked; `None` in a game without a schedule.
    zone: Option<String>,
    turns: Vec<Turn>,
}

/// What happened to the time of an open question.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// Record `seq` moved its deadline.
    Moved { seq: u64, at: Stamp, until: Stamp },
    /// The clock stops.
    Stopped { at: Stamp },
    /// The clock runs again.
    Started { at: Stamp },
    /// The full time begins again, for a player who has just come.
    Anew { at: Stamp },
    /// The time was over. With `again`, the full time begins again.
    Lapsed { at: Stamp, then: Silence, again: bool },
}

/// The clock of one seat.
#[derive(Clone, Debug, Default)]
struct SeatClock {
    zone: Option<String>,
    absences: Vec<Absence>,
    /// How often the seat took more time by itself.
    extensions: u32,
    /// How often in a row its deadline has passed without an answer.
    misses: u32,
    /// The record since which no letter reaches the seat, and the one since which a program plays it.
    unreachable: Option<u64>,
    bot: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Absence {
    seq: u64,
    days: Days,
    /// The record in which the seat said that it is back, and when.
    back: Option<(u64, Stamp)>,
}

/// Why the clock of a question stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// The game is paused.
    Paused,
    /// No letter reaches the seat.
    Unreachable,
    /// Nobody sits on the seat.
    Vacant,
}

/// How long there is to answer the open question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Countdown {
    /// The answer is due at `due`; nothing happens before `closing`, the end of the grace.
    Until { due: Stamp, closing: Stamp },
    /// The clock stands still.
    Stands(Stands),
    /// The time was over at `at`, and there is no more.
    Over { at: Stamp, then: Silence },
}

impl Clock {
    pub(crate) fn new(plan: &Plan) -> Clock {
        let seat =
            |seat: &crate::charter::plan::SeatPlan| SeatClock { zone: seat.zone.clone(), ..SeatClock::default() };
        Clock { open: None, seats: plan.seats.iter().map(seat).collect() }
    }

    /// The question that is open.
    pub fn open(&self) -> Option<&Open> {
        self.open.as_ref()
    }

    /// How often in a row a seat has let its deadline pass.
    pub fn misses(&self, seat: Seat) -> u32 {
        self.seats[seat.index()].misses
    }

    /// How often a seat took more time by itself.
    pub fn extensions(&self, seat: Seat) -> u32 {
        self.seats[seat.index()].extensions
    }

    /// The record since which a program plays the seat.
    pub fn bot(&self, seat: Seat) -> Option<u64> {
        self.seats[seat.index()].bot
    }

    /// The record since which no letter reaches the seat.
    pub fn unreachable(&self, seat: Seat) -> Option<u64> {
        self.seats[seat.index()].unreachable
    }

    /// Another player takes a seat: forgets absences, misses, extensions and the bot of the player before.
    pub(super) fn takes(&mut self, seat: Seat, seq: u64, at: Stamp) {
        let whom = &mut self.seats[seat.index()];
        whom.absences.iter_mut().for_each(|absence| absence.back = absence.back.or(Some((seq, at))));
        (whom.bot, whom.unreachable, whom.misses, whom.extensions) = (None, None, 0, 0);
        self.begins_anew(seat, at);
    }

    /// If a seat has let its deadline pass, gives it the full time once more.
    fn begins_anew(&mut self, seat: Seat, at: Stamp) {
        if let Some(open) = self.open.as_mut().filter(|open| open.seat == seat && open.lapsed().is_some()) {
            open.turns.push(Turn::Anew { at });
        }
    }

    /// Follows a record about the time of a seat.
    pub(super) fn change(
        &mut self,
        seat: Seat,
        body: &crate::entry::body::Clock,
        entry: &Entry,
        schedule: Option<&Schedule>,
    ) {
        let (seq, at) = (entry.seq, entry.at);
        let whom = &mut self.seats[seat.index()];
        match body.what {
            ClockChange::Absent => {
                let day = |text: &Option<crate::entry::body::Text>| text.as_deref().and_then(date);
                if let (Some(first), Some(last)) = (day(&body.from), day(&body.to)) {
                    whom.absences.push(Absence { seq, days: Days { first, last }, back: None });
                }
            }
            ClockChange::Back => {
                whom.absences.iter_mut().for_each(|absence| absence.back = absence.back.or(Some((seq, at))));
                (whom.bot, whom.misses) = (None, 0);
                self.begins_anew(seat, at);
            }
            ClockChange::Extended => {
                whom.extensions += 1;
                if let (Some(open), Some(until)) = (&mut self.open, body.until) {
                    open.turns.push(Turn::Moved { seq, at, until });
                }
            }
            ClockChange::Lapsed => {
                whom.misses += 1;
                let then = body.then.unwrap_or(Silence::Wait);
                let again = then == Silence::Wait && schedule.is_some_and(|schedule| schedule.goes_on(whom.misses));
                match then {
                    Silence::Bot => whom.bot = Some(seq),
                    Silence::Wait | Silence::Default | Silence::Replacement | Silence::Forfeit => {}
                }
                if let Some(open) = &mut self.open {
                    open.turns.push(Turn::Lapsed { at, then, again });
                }
            }
            ClockChange::Unreachable => whom.unreachable = Some(seq),
            ClockChange::Reachable => whom.unreachable = None,
            ClockChange::Zone => whom.zone = body.zone.as_ref().map(ToString::to_string),
        }
    }

    /// The name of the time zone of a seat.
    pub(super) fn zone_name(&self, seat: Seat, schedule: Option<&Schedule>) -> String {
        let usual = || schedule.map_or("UTC", |schedule| schedule.zone.as_str()).to_string();
        self.seats[seat.index()].zone.clone().unwrap_or_else(usual)
    }

    /// How long there is to answer a question. `stands` says why the clock of its seat stands still, if it does.
    pub(super) fn countdown(&self, schedule: &Schedule, open: &Open, stands: Option<Stands>) -> Option<Countdown> {
        let calendar = |seq| self.calendar(schedule, open, seq);
        let (mut anchor, mut left) = (open.at, schedule.answer);
        // A deadline that a record names holds as long as the calendar is unchanged.
        let mut named: Option<(u64, Stamp)> = None;
        let mut over = None;
        let due = |anchor, left, named: Option<(u64, Stamp)>| match named {
            Some((seq, until)) if self.is_calendar_of(open.seat, seq) => until,
            _ => calendar(u64::MAX).after(anchor, left),
        };
        for turn in &open.turns {
            match *turn {
                Turn::Moved { seq, at, until } => {
                    (anchor, left, named, over) = (at, calendar(seq).counted(at, until), Some((seq, until)), None);
                }
                Turn::Stopped { at } => {
                    left = calendar(u64::MAX).counted(at, due(anchor, left, named));
                    named = None;
                }
                Turn::Started { at } => anchor = at,
                Turn::Anew { at } => (anchor, left, named, over) = (at, schedule.answer, None, None),
                Turn::Lapsed { at, again: true, .. } => (anchor, left, named) = (at, schedule.answer, None),
                Turn::Lapsed { at, then, again: false } => over = Some((at, then)),
            }
        }
        if let Some((at, then)) = over {
            return Some(Countdown::Over { at, then });
        }
        if let Some(stands) = stands {
            return Some(Countdown::Stands(stands));
        }
        let due = due(anchor, left, named);
        let closing = match schedule.grace {
            Span::NONE => due,
            grace => calendar(u64::MAX).after(due, grace),
        };
        Some(Countdown::Until { due, closing })
    }

    /// The calendar of the asked seat, with the absences that were known up to record `seq`.
    fn calendar(&self, schedule: &Schedule, open: &Open, seq: u64) -> Calendar {
        let zone = open.zone.as_deref().map_or_else(Zone::utc, Zone::of_log);
        let absences = self.seats[open.seat.index()].absences.iter().filter(|absence| absence.seq <= seq);
        let days = absences.filter_map(|absence| {
            let last = match absence.back.filter(|(back, _)| *back <= seq) {
                Some((_, back)) => absence.days.last.min(zone.today(back).yesterday().ok()?),
                None => absence.days.last,
            };
            (absence.days.first <= last).then_some(Days { last, ..absence.days })
        });
        schedule.calendar(&zone, days)
    }

    /// The calendar of a seat for the question it is asked.
    pub(super) fn calendar_of(&self, open: &Open, schedule: &Schedule) -> Calendar {
        self.calendar(schedule, open, u64::MAX)
    }

    /// Whether the absences of a seat are still those known at record `seq`.
    fn is_calendar_of(&self, seat: Seat, seq: u64) -> bool {
        let absences = &self.seats[seat.index()].absences;
        absences.iter().all(|absence| absence.seq <= seq && absence.back.is_none_or(|(back, _)| back <= seq))
    }

    /// The absences of a seat that are not over on this day.
    pub(super) fn absences_ahead(&self, seat: Seat, today: jiff::civil::Date) -> Vec<Days> {
        let absences = self.seats[seat.index()].absences.iter();
        let ahead = absences.filter(|absence| absence.back.is_none() && absence.days.last >= today);
        ahead.map(|absence| absence.days).collect()
    }

    /// A seat has answered by itself.
    pub(super) fn answers(&mut self, seat: Seat) {
        self.seats[seat.index()].misses = 0;
    }

    /// A correction moves the deadline of the open question.
    pub(super) fn moves(&mut self, seq: u64, at: Stamp, until: Stamp) {
        if let Some(open) = &mut self.open {
            open.turns.push(Turn::Moved { seq, at, until });
        }
    }

    /// Nobody is asked.
    pub(super) fn closes(&mut self) {
        self.open = None;
    }

    /// Whether a question is another one than the one that was open.
    pub(super) fn is_new(&self, question: Question) -> bool {
        self.open.as_ref().is_none_or(|open| open.seat != question.seat || open.id != question.id)
    }

    /// Opens a question after a record.
    pub(super) fn opens(&mut self, question: Question, (seq, at): (u64, Stamp), schedule: Option<&Schedule>) {
        let (seat, id) = (question.seat, question.id);
        let zone = schedule.map(|_| self.zone_name(seat, schedule));
        self.open = Some(Open { seq, at, seat, id, zone, turns: Vec::new() });
    }

    /// Lets the clock of the open question stand still from now on, or run.
    pub(super) fn stands(&mut self, stands: Option<Stands>, at: Stamp) {
        let Some(open) = &mut self.open else { return };
        match (open.is_stopped(), stands.is_some()) {
            (false, true) => open.turns.push(Turn::Stopped { at }),
            (true, false) => open.turns.push(Turn::Started { at }),
            (false, false) | (true, true) => {}
        }
    }
}

impl Open {
    /// What happened when its time was over; `None` if there is still time.
    pub fn lapsed(&self) -> Option<Silence> {
        match self.turns.iter().rev().find(|turn| !matches!(turn, Turn::Stopped { .. } | Turn::Started { .. })) {
            Some(Turn::Lapsed { then, again: false, .. }) => Some(*then),
            _ => None,
        }
    }

    /// When its time last changed.
    pub fn since(&self) -> Stamp {
        self.turns.last().map_or(self.at, |turn| match turn {
            Turn::Stopped { at } | Turn::Started { at } | Turn::Anew { at } => *at,
            Turn::Moved { at, .. } | Turn::Lapsed { at, .. } => *at,
        })
    }

    fn is_stopped(&self) -> bool {
        let is_either = |turn: &&Turn| matches!(turn, Turn::Stopped { .. } | Turn::Started { .. });
        matches!(self.turns.iter().rev().find(is_either), Some(Turn::Stopped { .. }))
    }

    /// The earliest moment at which its time can be over, whatever the zone and the days off. Every reader of the log
    /// can check this without the rules of the time zones.
    pub fn earliest_due(&self, schedule: &Schedule) -> Stamp {
        let mut earliest = self.at.later(schedule.answer);
        for turn in &self.turns {
            earliest = match turn {
                Turn::Moved { until, .. } => *until,
                Turn::Anew { at } | Turn::Lapsed { at, again: true, .. } => at.later(schedule.answer),
                Turn::Stopped { .. } | Turn::Started { .. } | Turn::Lapsed { .. } => continue,
            };
        }
        earliest.earlier(CLOCKS_CHANGED)
    }
}
