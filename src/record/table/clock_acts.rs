/*! The acts about time: a seat is away, takes more time, or has not answered.

Every act is one record. This module decides what the schedule lets a seat do without asking the others; anything more
is a correction on which all must agree. [`crate::fold::clock_records`] checks each record as every reader does.
*/

use super::Table;
use super::agreement;
use super::clock_refused::{ABSENCE_DAYS_MAX, ABSENCES_MAX, ClockRefused};
use super::table_error::TableError;
use crate::charter::calendar::{Days, date};
use crate::entry::body::{By, Clock as ClockRecord, ClockChange, Correcting, Correction, Text, Via};
use crate::entry::{Body, HOST, Head};
use crate::fold::Phase;
use crate::fold::clock::Countdown;
use engine::seat::Seat;
use ground::span::Span;
use ground::stamp::Stamp;
use ground::zone::Zone;

impl ClockRecord<'_> {
    /// A record about time with nothing filled in but its subject.
    pub fn about(what: ClockChange) -> Self {
        ClockRecord {
            what,
            asked: None,
            due: None,
            misses: None,
            then: None,
            until: None,
            from: None,
            to: None,
            zone: None,
            whom: None,
            text: None,
        }
    }
}

/// The origin of an act that only a passed deadline caused.
pub fn by_deadline() -> Via {
    Via::by(By::Deadline)
}

impl Table {
    /// A seat is away from one day to another, both included: these days do not count for it. Days that are over
    /// already count all the same.
    pub fn absent(
        &mut self,
        seat: Seat,
        from: &str,
        to: &str,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Head, TableError> {
        self.must_be_playing()?;
        let day = |text: &str| date(text).ok_or_else(|| ClockRefused::NotADate { found: text.trim().to_string() });
        let (first, last) = (day(from)?, day(to)?);
        let today = self.fold.zone(seat).today(at);
        if last < first {
            return Err(ClockRefused::Backwards { from: first.to_string(), to: last.to_string() }.into());
        }
        if last < today {
            return Err(ClockRefused::Past { to: last.to_string(), today: today.to_string() }.into());
        }
        let days = Days { first: first.max(today), last };
        if days.count() > ABSENCE_DAYS_MAX {
            return Err(ClockRefused::TooLong { days: days.count() }.into());
        }
        if self.fold.absences_ahead(seat, at).len() >= ABSENCES_MAX {
            return Err(ClockRefused::TooManyAbsences.into());
        }
        let text = |day: jiff::civil::Date| Some(Text::from(day.to_string()));
        let body =
            ClockRecord { from: text(days.first), to: text(days.last), ..ClockRecord::about(ClockChange::Absent) };
        self.add(self.word(seat), via, Body::Clock(body), at)
    }

    /// A seat is back: its absences are over, and its player answers again.
    pub fn back(&mut self, seat: Seat, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        self.must_be_playing()?;
        let is_away = !self.fold.absences_ahead(seat, at).is_empty();
        if self.fold.clock().bot(seat).is_none() && !is_away {
            return Err(ClockRefused::NotAway.into());
        }
        self.add(self.word(seat), via, Body::Clock(ClockRecord::about(ClockChange::Back)), at)
    }

    fn must_be_playing(&self) -> Result<(), TableError> {
        match self.fold.phase() {
            Phase::Playing => Ok(()),
            Phase::Joining => Err(TableError::NotNow { why: "the game has not started" }),
            Phase::Revealed | Phase::Ended => Err(TableError::NotNow { why: "the game is over" }),
        }
    }

    /// The asked seat takes more time for its question, as often as the schedule allows.
    pub fn extend(&mut self, seat: Seat, by: Span, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        let at = self.not_before_the_last(at);
        let schedule = self.fold.plan().schedule.as_ref().ok_or(ClockRefused::NoSchedule)?;
        let open = self.fold.clock().open().filter(|open| open.seat == seat).ok_or(ClockRefused::NotAsked)?;
        let used = self.fold.clock().extensions(seat);
        if used >= schedule.extensions {
            return Err(ClockRefused::NoneLeft { used }.into());
        }
        if by > schedule.extension || by == Span::NONE {
            return Err(ClockRefused::TooMuch { most: schedule.extension }.into());
        }
        let due = match self.fold.countdown() {
            Some(Countdown::Until { due, .. }) => due,
            Some(Countdown::Stands(stands)) => return Err(ClockRefused::Stands(stands).into()),
            Some(Countdown::Over { .. }) | None => return Err(ClockRefused::NothingMore.into()),
        };
        let calendar = self.fold.calendar_of(open).expect("the game has a schedule");
        let until = calendar.after(due.max(at), by);
        let body =
            ClockRecord { asked: Some(open.seq), until: Some(until), ..ClockRecord::about(ClockChange::Extended) };
        self.add(self.word(seat), via, Body::Clock(body), at)
    }

    /// Changes the time zone of a seat, from its next question on.
    pub fn set_zone(&mut self, seat: Seat, name: &str, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        if self.fold.phase() != Phase::Joining {
            self.must_be_playing()?;
        }
        let zone = Zone::read(name).ok_or_else(|| ClockRefused::NoZone { found: name.trim().to_string() })?;
        let body =
            ClockRecord { zone: Some(Text::from(zone.name().to_string())), ..ClockRecord::about(ClockChange::Zone) };
        self.add(self.word(seat), via, Body::Clock(body), at)
    }

    /// Records that no letter reaches a seat: its clock stops. `why` is public and must not name an address. Writes
    /// nothing if the log says so already.
    pub fn unreachable(&mut self, seat: Seat, why: &str, at: Stamp) -> Result<Option<Head>, TableError> {
        if self.fold.clock().unreachable(seat).is_some() {
            return Ok(None);
        }
        let text = (!why.is_empty()).then(|| Text::from(why.to_string()));
        let body = ClockRecord {
            whom: Some(Text::from(self.word(seat))),
            text,
            ..ClockRecord::about(ClockChange::Unreachable)
        };
        self.add(HOST.to_string(), None, Body::Clock(body), at).map(Some)
    }

    /// Records that letters reach a seat again.
    pub fn reachable(&mut self, seat: Seat, at: Stamp) -> Result<Option<Head>, TableError> {
        if self.fold.clock().unreachable(seat).is_none() {
            return Ok(None);
        }
        let body =
            ClockRecord { whom: Some(Text::from(self.word(seat))), ..ClockRecord::about(ClockChange::Reachable) };
        self.add(HOST.to_string(), None, Body::Clock(body), at).map(Some)
    }

    /// The host gives the asked seat more time, until `until`.
    pub fn move_deadline(&mut self, until: Stamp, text: &str, at: Stamp) -> Result<Head, TableError> {
        let at = self.not_before_the_last(at);
        if self.fold.plan().schedule.is_none() {
            return Err(ClockRefused::NoSchedule.into());
        }
        if self.fold.clock().open().is_none() {
            return Err(ClockRefused::NotAsked.into());
        }
        if until <= at {
            return Err(ClockRefused::NotLater { at }.into());
        }
        let what = Correcting::Deadline;
        let body = Body::Correction(Correction { what, until: Some(until), ..agreement::plain(text) });
        self.add(HOST.to_string(), None, body, at)
    }

    /// The deadline that a player means by `3d`, that much more time, or by `2026-12-01`, the end of that day in his
    /// time zone.
    pub fn later_deadline(&self, seat: Seat, words: &str, at: Stamp) -> Result<Stamp, ClockRefused> {
        let at = self.not_before_the_last(at);
        if self.fold.plan().schedule.is_none() {
            return Err(ClockRefused::NoSchedule);
        }
        let open = self.fold.clock().open().ok_or(ClockRefused::NotAsked)?;
        let until = match (Span::read(words), date(words)) {
            (Some(span), _) => {
                let due = match self.fold.countdown() {
                    Some(Countdown::Until { due, .. }) => due.max(at),
                    Some(Countdown::Stands(_) | Countdown::Over { .. }) | None => at,
                };
                self.fold.calendar_of(open).expect("the game has a schedule").after(due, span)
            }
            (None, Some(day)) => {
                let midnight = day.tomorrow().unwrap_or(day).at(0, 0, 0, 0);
                self.fold.zone(seat).stamp(midnight)
            }
            (None, None) => return Err(ClockRefused::NoTime { found: words.to_string() }),
        };
        if until > at { Ok(until) } else { Err(ClockRefused::NotLater { at }) }
    }

    /// Records that nobody answered the open question in time, and what happens now.
    pub fn lapse(&mut self, due: Stamp, at: Stamp) -> Result<Head, TableError> {
        let schedule = self.fold.plan().schedule.as_ref().ok_or(ClockRefused::NoSchedule)?;
        let open = self.fold.clock().open().ok_or(ClockRefused::NotAsked)?;
        if self.has_order_due(open.seat, at) {
            return Err(TableError::NotNow { why: "a standing order of the seat answers the question" });
        }
        let misses = self.fold.clock().misses(open.seat) + 1;
        let body = ClockRecord {
            asked: Some(open.seq),
            due: Some(due),
            misses: Some(misses),
            then: Some(schedule.then(misses)),
            whom: Some(Text::from(self.word(open.seat))),
            ..ClockRecord::about(ClockChange::Lapsed)
        };
        self.add(HOST.to_string(), None, Body::Clock(body), at)
    }
}
