/*! The clock of a game: since when its question is open, what time was granted since, and how long there is to
answer.

The clock follows from the entries alone, record by record, and holds no time of its own. The deadline follows from it
and from the schedule; a game without a schedule has no deadline.
*/

use super::Fold;
use crate::charter::calendar::{CLOCKS_CHANGED, Days, date};
use crate::charter::plan::Plan;
use crate::charter::schedule::Schedule;
use crate::entry::body::{Correcting, Silence, Timing};
use crate::entry::{Body, Entry};
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
    fn takes(&mut self, seat: Seat, seq: u64, at: Stamp) {
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

    fn change(&mut self, seat: Seat, body: &crate::entry::body::Clock, entry: &Entry, schedule: Option<&Schedule>) {
        let (seq, at) = (entry.seq, entry.at);
        let whom = &mut self.seats[seat.index()];
        match body.what {
            Timing::Absent => {
                let day = |text: &Option<crate::entry::body::Text>| text.as_deref().and_then(date);
                if let (Some(first), Some(last)) = (day(&body.from), day(&body.to)) {
                    whom.absences.push(Absence { seq, days: Days { first, last }, back: None });
                }
            }
            Timing::Back => {
                whom.absences.iter_mut().for_each(|absence| absence.back = absence.back.or(Some((seq, at))));
                (whom.bot, whom.misses) = (None, 0);
                self.begins_anew(seat, at);
            }
            Timing::Extended => {
                whom.extensions += 1;
                if let (Some(open), Some(until)) = (&mut self.open, body.until) {
                    open.turns.push(Turn::Moved { seq, at, until });
                }
            }
            Timing::Lapsed => {
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
            Timing::Unreachable => whom.unreachable = Some(seq),
            Timing::Reachable => whom.unreachable = None,
            Timing::Zone => whom.zone = body.zone.as_ref().map(ToString::to_string),
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

impl Fold {
    /// The clock of the game.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time zone of a seat.
    pub fn zone(&self, seat: Seat) -> Zone {
        Zone::of_log(&self.zone_name(seat))
    }

    fn zone_name(&self, seat: Seat) -> String {
        let usual = || self.plan.schedule.as_ref().map_or("UTC", |schedule| schedule.zone.as_str()).to_string();
        self.clock.seats[seat.index()].zone.clone().unwrap_or_else(usual)
    }

    /// How long there is to answer the open question; `None` if nobody is asked, a program plays the seat, or the
    /// game has no schedule.
    pub fn countdown(&self) -> Option<Countdown> {
        let (schedule, open) = (self.plan.schedule.as_ref()?, self.clock.open.as_ref()?);
        if self.is_played_by_program(open.seat) {
            return None;
        }
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
        if let Some(stands) = self.stands(open.seat) {
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
    fn calendar(&self, schedule: &Schedule, open: &Open, seq: u64) -> crate::charter::calendar::Calendar {
        let zone = open.zone.as_deref().map_or_else(Zone::utc, Zone::of_log);
        let absences = self.clock.seats[open.seat.index()].absences.iter().filter(|absence| absence.seq <= seq);
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
    pub fn calendar_of(&self, open: &Open) -> Option<crate::charter::calendar::Calendar> {
        Some(self.calendar(self.plan.schedule.as_ref()?, open, u64::MAX))
    }

    /// Whether the absences of a seat are still those known at record `seq`.
    fn is_calendar_of(&self, seat: Seat, seq: u64) -> bool {
        let absences = &self.clock.seats[seat.index()].absences;
        absences.iter().all(|absence| absence.seq <= seq && absence.back.is_none_or(|(back, _)| back <= seq))
    }

    /// The present and future absences of a seat.
    pub fn absences_ahead(&self, seat: Seat, at: Stamp) -> Vec<Days> {
        let today = self.zone(seat).today(at);
        let absences = self.clock.seats[seat.index()].absences.iter();
        let ahead = absences.filter(|absence| absence.back.is_none() && absence.days.last >= today);
        ahead.map(|absence| absence.days).collect()
    }

    /// Why the clock of a seat stands still; `None` if it runs.
    pub fn stands(&self, seat: Seat) -> Option<Stands> {
        let is_free = self.council.free().any(|free| free == seat);
        let is_unreachable = self.clock.unreachable(seat).is_some();
        let free = is_free.then_some(Stands::Vacant).or(is_unreachable.then_some(Stands::Unreachable));
        self.is_paused().then_some(Stands::Paused).or(free)
    }

    /// Whether a program plays a seat: since the charter, in its player's place, or because he has conceded.
    pub fn is_played_by_program(&self, seat: Seat) -> bool {
        self.plan.seats[seat.index()].program.is_some()
            || self.clock.bot(seat).is_some()
            || self.council.has_conceded(seat)
    }

    pub fn is_paused(&self) -> bool {
        self.paused().is_some()
    }

    /// Updates the clock with a record that the game has followed.
    pub(crate) fn mind_clock(&mut self, entry: &Entry) {
        let mut is_answered = false;
        match &entry.body {
            Body::Clock(body) => {
                match body.what {
                    Timing::Lapsed => self.tally.lapses += 1,
                    Timing::Extended => self.tally.extensions += 1,
                    Timing::Absent => self.tally.absences += 1,
                    Timing::Back | Timing::Unreachable | Timing::Reachable | Timing::Zone => {}
                }
                let whom = body.whom.as_deref().unwrap_or(&entry.seat);
                let seat = self.plan.seat(whom).or(self.clock.open.as_ref().map(|open| open.seat));
                if let Some(seat) = seat {
                    self.clock.change(seat, body, entry, self.plan.schedule.as_ref());
                    if body.then == Some(Silence::Replacement) {
                        self.council.frees(seat, entry.seq);
                    }
                }
            }
            Body::Say(_) => {
                is_answered = true;
                let by = entry.via.as_ref().and_then(|via| via.by);
                if let (None, Some(seat)) = (by, self.plan.seat(&entry.seat)) {
                    self.clock.seats[seat.index()].misses = 0;
                }
            }
            Body::Start(_) | Body::Deck(_) => is_answered = true,
            Body::Correction(correction) => {
                is_answered = correction.what == Correcting::Undo;
                let of = correction.of.as_deref().and_then(|of| self.plan.seat(of));
                if let (Correcting::Seat, Some(seat), Some(_)) = (correction.what, of, &correction.player) {
                    self.clock.takes(seat, entry.seq, entry.at);
                }
                if let (Correcting::Deadline, Some(until), Some(open)) =
                    (correction.what, correction.until, &mut self.clock.open)
                {
                    open.turns.push(Turn::Moved { seq: entry.seq, at: entry.at, until });
                }
            }
            _ => {}
        }
        self.mind_question(entry, is_answered);
    }

    /// Notes what is asked now, since when, and whether the clock runs.
    fn mind_question(&mut self, entry: &Entry, is_answered: bool) {
        let Some(question) = self.asked() else {
            self.clock.open = None;
            return;
        };
        let at = entry.at;
        let stays = |open: &Open| !is_answered && open.seat == question.seat && open.id == question.id;
        let open = self.clock.open.take().filter(stays);
        if open.is_none() {
            self.council.forget_deadlines();
        }
        let mut open = open.unwrap_or_else(|| Open {
            seq: entry.seq,
            at,
            seat: question.seat,
            id: question.id,
            zone: self.plan.schedule.as_ref().map(|_| self.zone_name(question.seat)),
            turns: Vec::new(),
        });
        let stands = self.stands(question.seat).is_some();
        match (open.is_stopped(), stands) {
            (false, true) => open.turns.push(Turn::Stopped { at }),
            (true, false) => open.turns.push(Turn::Started { at }),
            (false, false) | (true, true) => {}
        }
        self.clock.open = Some(open);
    }
}
