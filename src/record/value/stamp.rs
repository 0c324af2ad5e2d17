/*! Points in time as the log writes them. The record is told the time; it never asks a clock. */

use crate::record::canon::emit::Emitter;
use crate::record::canon::fault::Fault;
use crate::record::canon::read::Reader;
use crate::record::canon::values::{Scalar, scalar_value};
use serde::{Serialize, Serializer};
use std::fmt;

/// A second of universal time, `2026-11-24T07:12:09Z`; earlier is less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp([u8; 20]);

impl Stamp {
    /// Reads `YYYY-MM-DDThh:mm:ssZ`; anything else, or a day that no month has, is `None`.
    pub fn parse(text: &str) -> Option<Stamp> {
        let bytes: [u8; 20] = text.as_bytes().try_into().ok()?;
        let shape = b"0000-00-00T00:00:00Z";
        let fits = |(byte, expected): (&u8, &u8)| match expected {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        };
        if !bytes.iter().zip(shape).all(fits) {
            return None;
        }
        let number = |from: usize| u32::from(bytes[from] - b'0') * 10 + u32::from(bytes[from + 1] - b'0');
        let (year, month, day) = (number(0) * 100 + number(2), number(5), number(8));
        let valid = (1..=12).contains(&month)
            && (1..=days(year, month)).contains(&day)
            && number(11) < 24
            && number(14) < 60
            && number(17) < 60;
        valid.then_some(Stamp(bytes))
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a stamp is digits and signs")
    }

    /// Seconds from an earlier time to this one; negative if the other is later.
    pub fn seconds_since(&self, earlier: Stamp) -> i64 {
        self.seconds() - earlier.seconds()
    }

    /// Seconds since the first day of the year 0.
    fn seconds(&self) -> i64 {
        let number = |from: usize| i64::from(self.0[from] - b'0') * 10 + i64::from(self.0[from + 1] - b'0');
        let (year, month, day) = (number(0) * 100 + number(2), number(5), number(8));
        let leap_days = if year == 0 { 0 } else { (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 };
        let short = |value: i64| u32::try_from(value).expect("a stamp has four digits a year and two a month");
        let before: u32 = (1..short(month)).map(|month| days(short(year), month)).sum();
        let days = year * 365 + leap_days + i64::from(before) + day - 1;
        ((days * 24 + number(11)) * 60 + number(14)) * 60 + number(17)
    }
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
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

impl<'a> Scalar<'a> for Stamp {
    fn write(&self, emitter: &mut Emitter) {
        emitter.string(self.as_str());
    }

    fn take(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        let text = reader.string()?;
        Stamp::parse(&text).ok_or_else(|| reader.wrong_before("a time such as \"2026-11-24T07:12:09Z\"", &text))
    }
}

scalar_value!(Stamp);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(earlier: &str, later: &str, seconds: i64) {
        let stamp = |text: &str| Stamp::parse(text).expect(text);
        assert_eq!(stamp(later).seconds_since(stamp(earlier)), seconds);
        assert_eq!(stamp(earlier).seconds_since(stamp(later)), -seconds);
    }

    #[test]
    fn seconds_are_counted_over_months_and_leap_years() {
        apart("2026-11-24T07:12:09Z", "2026-11-24T07:12:10Z", 1);
        apart("2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", 1);
        apart("2024-02-28T12:00:00Z", "2024-03-01T12:00:00Z", 2 * 86_400);
        apart("1970-01-01T00:00:00Z", "2026-11-20T09:00:00Z", 1_795_165_200);
        apart("0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", 366 * 86_400);
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
