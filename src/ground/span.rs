/*! Spans of time as people write them: `3d`, `12h`, `2d12h`, `90min`. They are counted by the clock on the wall. */

use std::fmt;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The longest span that is read, in days.
const DAYS_MAX: i64 = 366;

/// A span of time. As people write it, it has whole minutes and at most a year; a remaining time also has seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    seconds: i64,
}

impl Span {
    pub const NONE: Span = Span { seconds: 0 };

    /// A span of `seconds`; zero if they are negative.
    pub fn of(seconds: i64) -> Span {
        Span { seconds: seconds.max(0) }
    }

    pub const fn minutes(minutes: i64) -> Span {
        Span { seconds: minutes * MINUTE }
    }

    pub const fn hours(hours: i64) -> Span {
        Span { seconds: hours * HOUR }
    }

    pub const fn days(days: i64) -> Span {
        Span { seconds: days * DAY }
    }

    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Reads numbers, each with its unit: `d` or `days`, `h` or `hours`, `m`, `min` or `minutes`. Blanks and capitals
    /// do not matter. `None` if it is no span, or longer than a year.
    pub fn read(text: &str) -> Option<Span> {
        let mut rest = text.trim();
        let mut seconds: i64 = 0;
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let number: i64 = rest[..digits].parse().ok()?;
            rest = rest[digits..].trim_start();
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let unit = match rest[..letters].to_ascii_lowercase().as_str() {
                "d" | "day" | "days" => DAY,
                "h" | "hour" | "hours" => HOUR,
                "m" | "min" | "minute" | "minutes" => MINUTE,
                _ => return None,
            };
            seconds = number.checked_mul(unit).and_then(|more| seconds.checked_add(more))?;
            rest = rest[letters..].trim_start();
        }
        (seconds <= DAYS_MAX * DAY).then_some(Span { seconds })
    }
}

impl fmt::Display for Span {
    /// The span as the log writes it: `2d12h`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seconds == 0 {
            return f.write_str("0h");
        }
        let parts = [(self.seconds / DAY, "d"), (self.seconds / HOUR % 24, "h"), (self.seconds / MINUTE % 60, "min")];
        parts.iter().filter(|(number, _)| *number > 0).try_for_each(|(number, unit)| write!(f, "{number}{unit}"))
    }
}

impl Span {
    /// The span in words: `2 days 12 hours`.
    pub fn words(self) -> String {
        let parts =
            [(self.seconds / DAY, "day"), (self.seconds / HOUR % 24, "hour"), (self.seconds / MINUTE % 60, "minute")];
        let part = |(number, unit): &(i64, &str)| match number {
            1 => format!("1 {unit}"),
            _ => format!("{number} {unit}s"),
        };
        let words: Vec<String> = parts.iter().filter(|(number, _)| *number > 0).map(part).collect();
        if words.is_empty() { "no time".to_string() } else { words.join(" ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: Option<(&str, &str)>) {
        let read = Span::read(text).map(|span| (span.to_string(), span.words()));
        let read = read.as_ref().map(|(written, words)| (written.as_str(), words.as_str()));
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn spans_are_read_as_people_write_them() {
        case("3d", Some(("3d", "3 days")));
        case(" 2 Days 12 hours", Some(("2d12h", "2 days 12 hours")));
        case("36h", Some(("1d12h", "1 day 12 hours")));
        case("90min", Some(("1h30min", "1 hour 30 minutes")));
        case("0h", Some(("0h", "no time")));
        case("366d", Some(("366d", "366 days")));
        for text in ["", "3", "d", "3w", "-1d", "367d", "9999999999999999999d", "3d4"] {
            case(text, None);
        }
    }
}
