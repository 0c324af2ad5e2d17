/*! Time zones: what a clock on a player's wall shows at a second of universal time, and the other way round.

The rules of the zones are those built into this program, so that the same log gives the same deadlines on every
machine. No clock is asked.
*/

use super::stamp::Stamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone by its IANA name: `Europe/Berlin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    name: String,
    rules: TimeZone,
}

impl Zone {
    /// Universal time.
    pub fn utc() -> Zone {
        Zone { name: "UTC".to_string(), rules: TimeZone::UTC }
    }

    /// The zone of this name, with any capitals; `None` if this program does not know it.
    pub fn read(name: &str) -> Option<Zone> {
        let name = name.trim();
        if name.eq_ignore_ascii_case("utc") {
            return Some(Zone::utc());
        }
        let rules = DATABASE.get(name).ok()?;
        let name = rules.iana_name()?.to_string();
        Some(Zone { name, rules })
    }

    /// The zone that a log names. A log written with newer rules may name a zone that is unknown here; its times are
    /// then read as universal time.
    pub fn of_log(name: &str) -> Zone {
        Zone::read(name).unwrap_or_else(Zone::utc)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_utc(&self) -> bool {
        self.name == "UTC"
    }

    /// What the clock on the wall shows.
    pub fn civil(&self, at: Stamp) -> DateTime {
        self.rules.to_datetime(at.timestamp())
    }

    /// The date in this zone.
    pub fn today(&self, at: Stamp) -> Date {
        self.civil(at).date()
    }

    /// The moment when the clock on the wall shows this. If it shows it twice, the later moment; if the hour is left
    /// out, the moment after it: a change of clocks takes time from nobody.
    pub fn stamp(&self, civil: DateTime) -> Stamp {
        let found = self.rules.to_ambiguous_timestamp(civil).later();
        found.ok().and_then(Stamp::of).unwrap_or_else(|| Stamp::parse("9999-12-31T23:59:59Z").expect("it is a time"))
    }

    /// A time as people write it: `Thu 26 Nov, 21:00`. Midnight belongs to the day that ends with it:
    /// `Wed 25 Nov, 24:00`. The year is left out if it is that of `now`.
    pub fn words(&self, at: Stamp, now: Stamp) -> String {
        let mut shown = self.civil(at);
        let mut clock = shown.strftime("%H:%M").to_string();
        if clock == "00:00"
            && let Ok(day) = shown.date().yesterday()
        {
            shown = day.at(0, 0, 0, 0);
            clock = "24:00".to_string();
        }
        let months = (shown.year() - self.civil(now).year()).abs();
        let year = if months > 0 { format!(" {}", shown.year()) } else { String::new() };
        format!("{} {}{year}, {clock}", shown.strftime("%a"), shown.strftime("%-d %b"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(zone: &str, at: &str, expected: &str) {
        let (zone, at) = (Zone::read(zone).unwrap(), Stamp::parse(at).unwrap());
        assert_eq!(zone.words(at, Stamp::parse("2026-06-01T00:00:00Z").unwrap()), expected);
    }

    #[test]
    fn times_are_told_by_the_clock_on_the_wall() {
        case("UTC", "2026-11-26T20:00:00Z", "Thu 26 Nov, 20:00");
        case("Europe/Berlin", "2026-11-26T20:00:00Z", "Thu 26 Nov, 21:00");
        case("America/New_York", "2026-11-26T02:00:00Z", "Wed 25 Nov, 21:00");
        case("asia/kathmandu", "2026-11-26T20:00:00Z", "Fri 27 Nov, 01:45");
        case("Europe/Berlin", "2026-11-25T23:00:00Z", "Wed 25 Nov, 24:00");
        case("Europe/Berlin", "2027-01-02T11:00:00Z", "Sat 2 Jan 2027, 12:00");
        assert_eq!(Zone::read("Middle-earth/Bree"), None);
    }

    #[test]
    fn an_hour_that_comes_twice_is_the_later_and_one_left_out_the_one_after() {
        let berlin = Zone::read("Europe/Berlin").unwrap();
        let civil = |text: &str| text.parse::<DateTime>().unwrap();
        assert_eq!(berlin.stamp(civil("2026-10-25T02:30:00")).as_str(), "2026-10-25T01:30:00Z");
        assert_eq!(berlin.stamp(civil("2026-03-29T02:30:00")).as_str(), "2026-03-29T01:30:00Z");
    }
}
