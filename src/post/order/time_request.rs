/*! Requests about time: who is away, takes more of it, lives elsewhere, or wants his letters otherwise. */

use super::settings::Change;
use super::verb::Verb;
use crate::record::charter::calendar::date;
use crate::record::value::span::Span;
use crate::record::value::zone::Zone;
use std::fmt;

/// A request about time that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeRequest {
    /// These days do not count for the seat: dates such as `2026-12-24`.
    Absence { from: String, to: String },
    /// The seat is back.
    Back,
    /// The seat takes more time for its question.
    Extend { by: Span },
    /// The seat's clock shows the time of another place.
    Zone { name: String },
    /// The player wants his letters otherwise.
    Letters(Change),
}

impl fmt::Display for TimeRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeRequest::Absence { from, to } if from == to => write!(f, "absence {from}"),
            TimeRequest::Absence { from, to } => write!(f, "absence {from} to {to}"),
            TimeRequest::Back => f.write_str("back"),
            TimeRequest::Extend { by } => write!(f, "extend {by}"),
            TimeRequest::Zone { name } => write!(f, "zone {name}"),
            TimeRequest::Letters(change) => change.fmt(f),
        }
    }
}

impl TimeRequest {
    /// Reads what stands behind the word of a request about time; `None` for other requests. `original` is the same in
    /// the letters in which it was written.
    ///
    /// # Errors
    /// What is wrong with it.
    #[must_use]
    pub fn read(verb: Verb, behind: &str) -> Option<Result<TimeRequest, String>> {
        Some(match verb {
            Verb::Absence => absence(behind),
            Verb::Back if behind.is_empty() => Ok(TimeRequest::Back),
            Verb::Back => Err(format!("nothing follows `back`, but `{behind}` stands there")),
            Verb::Extend => {
                let span = Span::read(behind.trim_start_matches("by "));
                let by = span.ok_or_else(|| format!("`{behind}` is no time such as 2d or 12h"));
                by.map(|by| TimeRequest::Extend { by })
            }
            Verb::Zone if behind.is_empty() => Err("the time zone is missing".to_owned()),
            // As the zone is spelled; what is none is refused where it is set.
            Verb::Zone => {
                let name = Zone::read(behind).map_or_else(|| behind.to_owned(), |zone| zone.name().to_owned());
                Ok(TimeRequest::Zone { name })
            }
            Verb::Digest => letters("digest", behind),
            Verb::Quiet => letters("quiet", behind),
            Verb::Night => letters("night", behind),
            Verb::Batch => letters("batch", behind),
            _ => return None,
        })
    }
}

/// `2026-12-24`, `from 2026-12-24 to 2027-01-02`, `2026-12-24..2027-01-02`.
fn absence(behind: &str) -> Result<TimeRequest, String> {
    let apart = behind.replace("..", " ");
    let words = apart.split_whitespace().filter(|word| !matches!(*word, "from" | "to" | "until" | "till" | "-"));
    let mut days = Vec::new();
    for word in words {
        let day = date(word.trim_end_matches(',')).ok_or_else(|| format!("`{word}` is no date such as 2026-12-24"))?;
        days.push(day.to_string());
    }
    match days.as_slice() {
        [] => Err("the first and the last day are missing".to_owned()),
        [day] => Ok(TimeRequest::Absence { from: day.clone(), to: day.clone() }),
        [from, to] => Ok(TimeRequest::Absence { from: from.clone(), to: to.clone() }),
        [_, _, more, ..] => Err(format!("`{more}` is one day too many")),
    }
}

fn letters(word: &str, behind: &str) -> Result<TimeRequest, String> {
    let change = Change::read(&format!("{word} {behind}"));
    change.map(TimeRequest::Letters).map_err(|wrong| wrong.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(verb: Verb, behind: &str, expected: Result<&str, &str>) {
        let read = TimeRequest::read(verb, behind).unwrap().map(|request| request.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn requests_about_time_are_read_as_people_write_them() {
        case(Verb::Absence, "2026-12-24", Ok("absence 2026-12-24"));
        case(Verb::Absence, "from 2026-12-24 to 2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
        case(Verb::Absence, "2026-12-24..2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
        case(Verb::Absence, "2026-12-24 - 2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
        case(Verb::Absence, "", Err("the first and the last day are missing"));
        case(Verb::Absence, "christmas", Err("`christmas` is no date such as 2026-12-24"));
        case(Verb::Extend, "2 days", Ok("extend 2d"));
        case(Verb::Extend, "by 36h", Ok("extend 1d12h"));
        case(Verb::Extend, "a bit", Err("`a bit` is no time such as 2d or 12h"));
        case(Verb::Zone, "", Err("the time zone is missing"));
        case(Verb::Zone, "europe/berlin", Ok("zone Europe/Berlin"));
        case(Verb::Digest, "daily 7:00", Ok("digest daily 07:00"));
        case(Verb::Quiet, "off", Ok("quiet off"));
        case(Verb::Night, "22:00-07:00", Ok("night 22:00-07:00"));
        assert_eq!(TimeRequest::read(Verb::Help, ""), None);
    }
}
