/*! Points in time as the log writes them. Callers give the record the time; it never asks a clock. */

use super::span::Span;
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A second of universal time, `2026-11-24T07:12:09Z`, in the years 0 to 9999; an earlier one is less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp([u8; 20]);

impl Stamp {
    /// Reads `YYYY-MM-DDThh:mm:ssZ`; `None` for anything else, and for a day or a time that does not exist.
    pub fn parse(text: &str) -> Option<Stamp> {
        let bytes: [u8; 20] = text.as_bytes().try_into().ok()?;
        let shape = b"0000-00-00T00:00:00Z";
        let fits = |(byte, expected): (&u8, &u8)| match expected {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        };
        // A leap second would be read as the second before it.
        let fits = bytes.iter().zip(shape).all(fits) && bytes[17] < b'6';
        let stamp = fits.then_some(Stamp(bytes))?;
        stamp.is_real().then_some(stamp)
    }

    /// The second a moment lies in; `None` before the year 0.
    pub fn of(moment: Timestamp) -> Option<Stamp> {
        Stamp::parse(&moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a stamp is digits and signs")
    }

    /// The moment as a timestamp of `jiff`, whose range ends a day before the year 9999 does.
    pub fn timestamp(&self) -> Timestamp {
        self.as_str().parse().unwrap_or(Timestamp::MAX)
    }

    /// The time from an earlier moment to this one; negative if the other is later.
    pub fn since(&self, earlier: Stamp) -> SignedDuration {
        self.civil().duration_since(earlier.civil())
    }

    /// The time from an earlier moment, given as text, to this one; `None` if the text is no stamp.
    pub fn since_written(&self, earlier: &str) -> Option<SignedDuration> {
        Some(self.since(Stamp::parse(earlier)?))
    }

    /// The moment `span` later; this one, if that would be after the year 9999.
    pub fn later(self, span: Span) -> Stamp {
        let moment = self.timestamp().checked_add(SignedDuration::from_secs(span.seconds()));
        moment.ok().and_then(Stamp::of).unwrap_or(self)
    }

    /// The moment `span` earlier; this one, if that would be before the year 0.
    pub fn earlier(self, span: Span) -> Stamp {
        let moment = self.timestamp().checked_sub(SignedDuration::from_secs(span.seconds()));
        moment.ok().and_then(Stamp::of).unwrap_or(self)
    }

    fn civil(&self) -> DateTime {
        self.as_str()[..19].parse().expect("a stamp was read as a date and a time")
    }

    /// Whether the date and the time exist. Every record has a stamp, and `jiff` would take longer to tell.
    fn is_real(&self) -> bool {
        let number = |at: usize| 10 * (self.0[at] - b'0') + (self.0[at + 1] - b'0');
        let (century, year, month, day) = (number(0), number(2), number(5), number(8));
        let is_leap = if year == 0 { century.is_multiple_of(4) } else { year.is_multiple_of(4) };
        let days = match month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        (1..=days).contains(&day) && number(11) < 24 && number(14) < 60 && number(17) < 60
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        Stamp::parse(&text).ok_or_else(|| serde::de::Error::custom("a time such as 2026-11-24T07:12:09Z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(earlier: &str, later: &str, seconds: i64) {
        let stamp = |text: &str| Stamp::parse(text).expect(text);
        assert_eq!(stamp(later).since(stamp(earlier)).as_secs(), seconds);
        assert_eq!(stamp(earlier).since(stamp(later)).as_secs(), -seconds);
    }

    #[test]
    fn seconds_are_counted_over_months_and_leap_years() {
        apart("2026-11-24T07:12:09Z", "2026-11-24T07:12:10Z", 1);
        apart("2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", 1);
        apart("2024-02-28T12:00:00Z", "2024-03-01T12:00:00Z", 2 * 86_400);
        apart("1970-01-01T00:00:00Z", "2026-11-20T09:00:00Z", 1_795_165_200);
        apart("0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", 366 * 86_400);
        apart("9999-12-30T00:00:00Z", "9999-12-31T23:59:59Z", 2 * 86_400 - 1);
    }

    #[test]
    fn a_moment_so_much_later() {
        let at = Stamp::parse("2026-12-31T23:59:59Z").unwrap();
        assert_eq!(at.later(Span::hours(1)).as_str(), "2027-01-01T00:59:59Z");
        assert_eq!(at.later(Span::hours(1)).earlier(Span::hours(1)), at);
        let last = Stamp::parse("9999-12-31T23:59:59Z").unwrap();
        assert_eq!(last.later(Span::days(3)), last);
    }

    #[test]
    fn the_days_are_those_of_the_calendar() {
        for year in [0, 4, 99, 100, 200, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9996, 9999] {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let date = format!("{year:04}-{month:02}-{day:02}");
                let is_real = date.parse::<jiff::civil::Date>().is_ok();
                assert_eq!(Stamp::parse(&format!("{date}T07:12:09Z")).is_some(), is_real, "{date}");
            }
        }
    }

    #[test]
    fn only_real_seconds_are_read() {
        for text in ["2026-11-24T07:12:09Z", "2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z"] {
            assert_eq!(Stamp::parse(text).expect(text).as_str(), text);
        }
        for text in [
            "2026-11-24T07:12:09",
            "2026-11-24 07:12:09Z",
            "2026-13-24T07:12:09Z",
            "2026-02-29T07:12:09Z",
            "1900-02-29T07:12:09Z",
            "2026-11-24T24:00:00Z",
            "2026-11-24T07:12:60Z",
            "２026-11-24T07:12Z",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
    }
}
