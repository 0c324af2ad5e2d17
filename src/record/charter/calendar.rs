/*! The calendar on a player's wall: which days count, and at which hours nothing falls due.

Time to answer is counted by the clock on the wall: three days from Monday at nine in the evening are over on Thursday
at nine in the evening, whether clocks were changed in between or not. Days off and absences do not count, and what
would fall due at a quiet hour falls due at its end.
*/

use ground::span::Span;
use ground::stamp::Stamp;
use ground::zone::Zone;
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time, Weekday};
use std::fmt;

/// The largest change of clocks at once, apart from places that left out a whole day.
pub const CLOCKS_CHANGED: Span = Span::hours(3);

/// A calendar looks ahead at most this many days.
const DAYS_AHEAD_MAX: u32 = 4 * 366;

/// Days in a row, the first and the last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Days {
    pub first: Date,
    pub last: Date,
}

impl Days {
    /// Reads `2026-12-24` or `2026-12-24..2027-01-02`.
    pub fn read(text: &str) -> Option<Days> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let (first, last) = (date(first)?, date(last)?);
        (first <= last).then_some(Days { first, last })
    }

    pub fn has(&self, day: Date) -> bool {
        self.first <= day && day <= self.last
    }

    /// The number of days.
    pub fn count(&self) -> i32 {
        self.last.since(self.first).map_or(i32::MAX, |span| span.get_days().saturating_add(1))
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { write!(f, "{}", self.first) } else { write!(f, "{}..{}", self.first, self.last) }
    }
}

/// Reads a date such as `2026-12-24`.
pub fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    (text.len() == 10).then(|| text.parse().ok()).flatten()
}

/// Hours of every day: `22:00-08:00`. The first is one of them, the last is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    pub from: Time,
    pub to: Time,
}

impl Hours {
    /// Reads `22:00-08:00`; `None` for anything else, and if both times are the same.
    pub fn read(text: &str) -> Option<Hours> {
        let (from, to) = text.trim().split_once('-')?;
        let hours = Hours { from: time(from)?, to: time(to)? };
        (hours.from != hours.to).then_some(hours)
    }

    pub fn has(&self, time: Time) -> bool {
        if self.from < self.to { self.from <= time && time < self.to } else { self.from <= time || time < self.to }
    }

    /// The end of these hours if a time falls into them, otherwise the time itself.
    pub fn end(&self, at: DateTime) -> DateTime {
        if !self.has(at.time()) {
            return at;
        }
        let day = if at.time() < self.to { at.date() } else { at.date().tomorrow().unwrap_or(at.date()) };
        day.to_datetime(self.to)
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.strftime("%H:%M"), self.to.strftime("%H:%M"))
    }
}

/// Reads a time of the day such as `08:00`.
pub fn time(text: &str) -> Option<Time> {
    let (hour, minute) = text.trim().split_once(':')?;
    let number = |digits: &str| {
        let is_plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse().ok()).flatten()
    };
    Time::new(number(hour)?, number(minute)?, 0, 0).ok()
}

/// How a player's time to answer is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    pub zone: Zone,
    /// Days of the week that do not count.
    pub weekdays_off: Vec<Weekday>,
    /// Days that do not count: holidays and absences.
    pub days_off: Vec<Days>,
    /// Hours at which nothing falls due.
    pub quiet: Option<Hours>,
}

impl Calendar {
    /// Whether a day does not count.
    pub fn is_off(&self, day: Date) -> bool {
        self.weekdays_off.contains(&day.weekday()) || self.days_off.iter().any(|days| days.has(day))
    }

    /// The moment when `span` of counted time has passed since `start`. It is never in quiet hours, and on a day off
    /// only at 00:00, which is the end of the day before.
    pub fn after(&self, start: Stamp, span: Span) -> Stamp {
        let end = self.counted_on(self.zone.civil(start), SignedDuration::from_secs(span.seconds()));
        // Where a place leaves out a whole day, the time gets shorter only by as much as a change of clocks.
        let least = start.later(span).earlier(CLOCKS_CHANGED);
        self.zone.stamp(self.awake(end)).max(least).max(start)
    }

    /// The counted time between two moments; zero if `until` is not the later one.
    pub fn counted(&self, from: Stamp, until: Stamp) -> Span {
        let (mut now, until) = (self.zone.civil(from), self.zone.civil(until));
        let mut seconds: i64 = 0;
        for _ in 0..DAYS_AHEAD_MAX {
            if now >= until {
                break;
            }
            let end = midnight_after(now).min(until);
            if !self.is_off(now.date()) {
                seconds = seconds.saturating_add(now.duration_until(end).as_secs());
            }
            now = end;
        }
        Span::of(seconds)
    }

    fn counted_on(&self, start: DateTime, mut left: SignedDuration) -> DateTime {
        let mut now = start;
        for _ in 0..DAYS_AHEAD_MAX {
            let end = midnight_after(now);
            if !self.is_off(now.date()) {
                let today = now.duration_until(end);
                if left <= today {
                    return now.saturating_add(left);
                }
                left -= today;
            }
            now = end;
        }
        now
    }

    fn awake(&self, at: DateTime) -> DateTime {
        let mut now = at;
        for _ in 0..DAYS_AHEAD_MAX {
            let woken = self.quiet.map_or(now, |quiet| quiet.end(now));
            now = match self.is_off(woken.date()) && woken.time() != Time::midnight() {
                true => midnight_after(woken),
                false if woken == now => return now,
                false => woken,
            };
        }
        now
    }
}

fn midnight_after(now: DateTime) -> DateTime {
    now.date().tomorrow().map_or(DateTime::MAX, |day| day.to_datetime(Time::midnight()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(zone: &str) -> Calendar {
        let zone = Zone::read(zone).unwrap();
        Calendar { zone, weekdays_off: Vec::new(), days_off: Vec::new(), quiet: None }
    }

    fn weekends(zone: &str) -> Calendar {
        Calendar { weekdays_off: vec![Weekday::Saturday, Weekday::Sunday], ..calendar(zone) }
    }

    #[track_caller]
    fn case(calendar: &Calendar, start: &str, span: &str, expected: &str) {
        let (start, span) = (Stamp::parse(start).unwrap(), Span::read(span).unwrap());
        let end = calendar.after(start, span);
        assert_eq!(end.as_str(), expected);
        if calendar.quiet.is_none() {
            assert_eq!(calendar.counted(start, end), span);
        }
    }

    #[test]
    fn time_is_counted_by_the_clock_on_the_wall() {
        let berlin = calendar("Europe/Berlin");
        case(&berlin, "2026-11-23T20:00:00Z", "3d", "2026-11-26T20:00:00Z");
        // Over the last Sunday of March and of October.
        case(&berlin, "2026-03-27T20:00:00Z", "3d", "2026-03-30T19:00:00Z");
        case(&berlin, "2026-10-23T19:00:00Z", "3d", "2026-10-26T20:00:00Z");
        // Samoa had no 30 December 2011.
        let start = Stamp::parse("2011-12-29T20:00:00Z").unwrap();
        assert_eq!(calendar("Pacific/Apia").after(start, Span::days(3)).as_str(), "2012-01-01T17:00:00Z");
    }

    #[test]
    fn days_off_do_not_count() {
        let berlin = weekends("Europe/Berlin");
        // Friday, 20:00: four hours are left of the day.
        case(&berlin, "2026-11-20T19:00:00Z", "3d", "2026-11-25T19:00:00Z");
        // Asked on a Sunday: counted from Monday on, and over at the end of Tuesday.
        case(&berlin, "2026-11-22T11:00:00Z", "2d", "2026-11-24T23:00:00Z");
        // Thursday, 24:00 is the end of a day that counts.
        case(&berlin, "2026-11-19T23:00:00Z", "1d", "2026-11-20T23:00:00Z");
        let christmas = Days::read("2026-12-24..2026-12-26").unwrap();
        let christmas = Calendar { days_off: vec![christmas], ..calendar("America/New_York") };
        case(&christmas, "2026-12-23T17:00:00Z", "2d", "2026-12-28T17:00:00Z");
    }

    #[test]
    fn nothing_falls_due_at_a_quiet_hour() {
        let quiet = Hours::read("22:00-08:00");
        let berlin = Calendar { quiet, ..weekends("Europe/Berlin") };
        case(&berlin, "2026-11-23T22:30:00Z", "1d", "2026-11-25T07:00:00Z");
        case(&berlin, "2026-11-23T03:30:00Z", "1d", "2026-11-24T07:00:00Z");
        // Friday, 23:30: the night ends on a day that does not count.
        case(&berlin, "2026-11-19T22:30:00Z", "1d", "2026-11-23T07:00:00Z");
        let noon = Calendar { quiet: Hours::read("12:00-14:00"), ..calendar("UTC") };
        case(&noon, "2026-11-23T12:00:00Z", "1d", "2026-11-24T14:00:00Z");
        case(&noon, "2026-11-23T14:00:00Z", "1d", "2026-11-24T14:00:00Z");
    }

    #[test]
    fn a_calendar_on_which_no_day_counts_ends_all_the_same() {
        let never = Days::read("2000-01-01..9999-12-31").unwrap();
        let never = Calendar { days_off: vec![never], ..calendar("UTC") };
        let start = Stamp::parse("2026-11-23T12:00:00Z").unwrap();
        assert!(never.after(start, Span::days(1)) > start);
        let last = Stamp::parse("9999-12-31T23:59:59Z").unwrap();
        for zone in ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            assert!(weekends(zone).after(last, Span::days(3)) >= last || zone != "UTC");
        }
    }

    #[test]
    fn days_and_hours_are_read_as_they_are_written() {
        for text in ["2026-12-24", "2026-12-24..2027-01-02"] {
            assert_eq!(Days::read(text).unwrap().to_string(), text);
        }
        for text in ["2026-12-24..2026-12-23", "2026-02-30", "24.12.", "2026-12-24..", "12026-01-01"] {
            assert_eq!(Days::read(text), None, "{text}");
        }
        assert_eq!(Hours::read("22:00 - 8:00").unwrap().to_string(), "22:00-08:00");
        for text in ["22-8", "22:00-22:00", "24:00-08:00", "22:00", "+2:00-08:00"] {
            assert_eq!(Hours::read(text), None, "{text}");
        }
        assert_eq!(Days::read("2026-12-24..2027-01-02").unwrap().count(), 10);
    }
}
