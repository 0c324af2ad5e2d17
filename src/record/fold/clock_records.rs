/*! Time in a fold: how the clock follows from a record, and what is checked of a record about time and of an answer
that somebody else gave for a seat.
*/

use super::clock::{Clock, Countdown, Open, Stands};
use super::{Fold, Phase};
use crate::charter::calendar::{CLOCKS_CHANGED, Calendar, Days, date};
use crate::charter::schedule::Schedule;
use crate::entry::body::{By, Clock as ClockRecord, ClockChange, Correcting, Kind, Say, Silence, Text};
use crate::entry::{Body, Entry, HOST};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::game::Game;
use engine::order::condition::without_late;
use engine::seat::Seat;
use ground::stamp::Stamp;
use ground::zone::Zone;

impl Fold {
    /// The clock of the game.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time zone of a seat.
    pub fn zone(&self, seat: Seat) -> Zone {
        Zone::of_log(&self.clock.zone_name(seat, self.plan.schedule.as_ref()))
    }

    /// How long there is to answer the open question; `None` if nobody is asked, a program plays the seat, or the
    /// game has no schedule.
    pub fn countdown(&self) -> Option<Countdown> {
        let (schedule, open) = (self.plan.schedule.as_ref()?, self.clock.open()?);
        if self.is_played_by_program(open.seat) {
            return None;
        }
        self.clock.countdown(schedule, open, self.stands(open.seat))
    }

    /// The calendar of a seat for the question it is asked.
    pub fn calendar_of(&self, open: &Open) -> Option<Calendar> {
        Some(self.clock.calendar_of(open, self.plan.schedule.as_ref()?))
    }

    /// The present and future absences of a seat.
    pub fn absences_ahead(&self, seat: Seat, at: Stamp) -> Vec<Days> {
        self.clock.absences_ahead(seat, self.zone(seat).today(at))
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
                    ClockChange::Lapsed => self.tally.lapses += 1,
                    ClockChange::Extended => self.tally.extensions += 1,
                    ClockChange::Absent => self.tally.absences += 1,
                    ClockChange::Back | ClockChange::Unreachable | ClockChange::Reachable | ClockChange::Zone => {}
                }
                let whom = body.whom.as_deref().unwrap_or(&entry.seat);
                let seat = self.plan.seat(whom).or(self.clock.open().map(|open| open.seat));
                if let Some(seat) = seat {
                    match body.what {
                        ClockChange::Lapsed => self.council.falls_silent(seat, entry.at, true),
                        ClockChange::Unreachable => self.council.falls_silent(seat, entry.at, false),
                        ClockChange::Reachable => self.council.is_reached(seat),
                        ClockChange::Extended | ClockChange::Absent | ClockChange::Back | ClockChange::Zone => {}
                    }
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
                    self.clock.answers(seat);
                }
            }
            Body::Start(_) | Body::Deck(_) => is_answered = true,
            Body::Correction(correction) => {
                is_answered = correction.what == Correcting::Undo;
                let of = correction.of.as_deref().and_then(|of| self.plan.seat(of));
                if let (Correcting::Seat, Some(seat), Some(_)) = (correction.what, of, &correction.player) {
                    self.clock.takes(seat, entry.seq, entry.at);
                }
                if let (Correcting::Deadline, Some(until)) = (correction.what, correction.until) {
                    self.clock.moves(entry.seq, entry.at, until);
                }
            }
            _ => {}
        }
        self.mind_question(entry, is_answered);
    }

    /// Notes what is asked now, since when, and whether the clock runs.
    fn mind_question(&mut self, entry: &Entry, is_answered: bool) {
        let Some(question) = self.asked() else { return self.clock.closes() };
        if is_answered || self.clock.is_new(question) {
            self.council.forget_deadlines();
            self.clock.opens(question, (entry.seq, entry.at), self.plan.schedule.as_ref());
        }
        self.clock.stands(self.stands(question.seat), entry.at);
    }

    /// Whether a condition of an order holds now. If the game cannot judge it, it does not hold.
    pub(crate) fn holds(&self, game: &dyn Game, (seat, question): (Seat, &str), condition: &str) -> bool {
        let (if_late, others) = without_late(condition);
        let is_late = || self.clock().open().is_some_and(|open| open.lapsed().is_some());
        let judged = |others: String| game.judge(seat, question, &others).is_ok_and(|(_, holds)| holds);
        (!if_late || is_late()) && others.is_none_or(judged)
    }

    /// Checks a record about time against the schedule.
    pub(crate) fn keep_time(
        &self,
        entry: &Entry,
        body: &ClockRecord,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        if self.phase() == Phase::Joining && body.what != ClockChange::Zone {
            return Err(Problem::OutOfPlace {
                rule: Rule::ClockStarted,
                kind: Kind::Clock,
                why: "the game has not started",
            });
        }
        match body.what {
            ClockChange::Absent | ClockChange::Back | ClockChange::Extended | ClockChange::Zone => {
                self.writer(entry)?;
            }
            ClockChange::Lapsed | ClockChange::Unreachable | ClockChange::Reachable => {
                self.written_by(Kind::Clock, HOST, entry, problems);
                let whom = body.whom.as_deref().unwrap_or("");
                self.plan.seat(whom).ok_or_else(|| Problem::UnknownSeat { found: whom.to_string() })?;
            }
        }
        match body.what {
            ClockChange::Absent => {
                let day = |text: &Option<Text>| text.as_deref().and_then(date);
                match (day(&body.from), day(&body.to)) {
                    (Some(from), Some(to)) if from <= to => Ok(()),
                    _ => {
                        Err(value(Rule::ClockDays, "from", "a date, and `to` one that is not before it", "a mismatch"))
                    }
                }
            }
            ClockChange::Extended => self.check_extended(entry, body),
            ClockChange::Lapsed => self.check_lapsed(entry, body).and_then(|()| {
                let asked = self.asked().map(|question| question.seat);
                asked.map_or(Ok(()), |seat| self.check_none_due(seat, entry))
            }),
            ClockChange::Zone if body.zone.is_none() => Err(value(Rule::ClockZone, "zone", "a time zone", "nothing")),
            ClockChange::Back | ClockChange::Zone => Ok(()),
            ClockChange::Unreachable | ClockChange::Reachable => {
                let seat = body.whom.as_deref().and_then(|whom| self.plan.seat(whom)).expect("it was looked at");
                let (was_reached, is_reached) =
                    (self.clock().unreachable(seat).is_none(), body.what == ClockChange::Reachable);
                if was_reached != is_reached {
                    Ok(())
                } else {
                    Err(Problem::OutOfPlace {
                        rule: Rule::ClockReached,
                        kind: Kind::Clock,
                        why: "the record before said the same",
                    })
                }
            }
        }
    }

    fn open_question(&self, body: &ClockRecord) -> Result<(&Schedule, &Open), Problem> {
        let out_of_place = |why| Problem::OutOfPlace { rule: Rule::ClockOpen, kind: Kind::Clock, why };
        let schedule = self.plan.schedule.as_ref().ok_or(out_of_place("the game has no schedule"))?;
        let open = self.clock().open().ok_or(out_of_place("nobody is asked"))?;
        if body.asked == Some(open.seq) {
            Ok((schedule, open))
        } else {
            let found = body.asked.map_or("nothing".to_string(), |asked| asked.to_string());
            Err(value(Rule::ClockAsked, "asked", &open.seq.to_string(), &found))
        }
    }

    fn check_extended(&self, entry: &Entry, body: &ClockRecord) -> Result<(), Problem> {
        let (schedule, open) = self.open_question(body)?;
        let out_of_place = |rule, why| Problem::OutOfPlace { rule, kind: Kind::Clock, why };
        if self.writer(entry)? != open.seat {
            return Err(out_of_place(Rule::ClockSeat, "only who is asked can take more time"));
        }
        if self.clock().extensions(open.seat) >= schedule.extensions {
            return Err(out_of_place(Rule::ClockExtensions, "the seat has taken all the time that is its own"));
        }
        match body.until.filter(|until| *until > entry.at) {
            Some(_) => Ok(()),
            None => Err(value(Rule::ClockUntil, "until", "a time after the record", "none")),
        }
    }

    fn check_lapsed(&self, entry: &Entry, body: &ClockRecord) -> Result<(), Problem> {
        let (schedule, open) = self.open_question(body)?;
        if body.whom.as_deref() != Some(self.plan.word(open.seat)) {
            return Err(value(
                Rule::ClockSeat,
                "whom",
                self.plan.word(open.seat),
                body.whom.as_deref().unwrap_or("nothing"),
            ));
        }
        if self.stands(open.seat).is_some() || open.lapsed().is_some() {
            return Err(Problem::OutOfPlace {
                rule: Rule::ClockStands,
                kind: Kind::Clock,
                why: "no time passes for the seat",
            });
        }
        let misses = self.clock().misses(open.seat) + 1;
        if body.misses != Some(misses) {
            let found = body.misses.map_or("nothing".to_string(), |misses| misses.to_string());
            return Err(value(Rule::ClockMisses, "misses", &misses.to_string(), &found));
        }
        let then = schedule.then(misses);
        if body.then != Some(then) {
            return Err(value(Rule::ClockThen, "then", then.word(), body.then.map_or("nothing", Silence::word)));
        }
        let earliest = open.earliest_due(schedule);
        match body.due {
            Some(due) if due >= earliest && due.later(schedule.grace).earlier(CLOCKS_CHANGED).max(due) <= entry.at => {
                Ok(())
            }
            Some(due) => {
                let expected = format!("a time from {earliest} on, over at {} with its grace", entry.at);
                Err(value(Rule::ClockDue, "due", &expected, due.as_str()))
            }
            None => Err(value(Rule::ClockDue, "due", "the deadline that passed", "nothing")),
        }
    }

    /// Checks that an answer by deadline is the one that does least, if the title knows one. Which one that is can
    /// depend on the cards, so this is only checked where all cards are known.
    pub(super) fn check_least(&mut self, entry: &Entry, seat: Seat, say: &Say) -> Result<(), Problem> {
        if entry.via.as_ref().and_then(|via| via.by) != Some(By::Deadline) {
            return Ok(());
        }
        self.tally.by_deadline_on_word += u64::from(!self.plan.title.orders.least.contains(&&*say.said));
        match self.any_root().and_then(|_| self.least_answer(seat)).filter(|least| say.said != **least) {
            Some(least) => Err(Problem::NotLeast { least, said: say.said.to_string() }),
            None => Ok(()),
        }
    }

    /// Whether the one who answered for the seat, according to the record, may do so.
    pub(crate) fn check_answered_for(&self, entry: &Entry, seat: Seat) -> Result<(), Problem> {
        let by = entry.via.as_ref().and_then(|via| via.by);
        let out_of_place = |rule, why| Err(Problem::OutOfPlace { rule, kind: entry.kind(), why });
        let lapsed = self.clock().open().and_then(Open::lapsed).filter(|_| self.plan.schedule.is_some());
        match by {
            Some(By::Deadline) if lapsed != Some(Silence::Default) => {
                out_of_place(Rule::SayDeadline, "no deadline has passed that would answer the question")
            }
            _ if self.plan.seats[seat.index()].program.is_some() && by != Some(By::Bot) => {
                // Log 5.21.
                out_of_place(Rule::SayProgram, "a program plays the seat, and nobody else answers for it")
            }
            Some(By::Bot) if !self.is_played_by_program(seat) && !self.plan.seats[seat.index()].hosted => {
                out_of_place(Rule::SayBot, "no program plays the seat")
            }
            _ => Ok(()),
        }
    }
}
