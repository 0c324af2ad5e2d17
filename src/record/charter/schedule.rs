/*! How much time the seats of a game have to answer, as its charter fixes it, and what happens when that time is
over.

The first record carries the schedule as a [`RecordedSchedule`] of texts; this module understands them. The schedule
never changes during a game: what the players agree on later becomes entries of the log.
*/

use super::calendar::{Calendar, Days, Hours};
use crate::entry::body::{RecordedSchedule, Silence, SilenceStep, Text, Weekday};
use ground::span::Span;
use ground::zone::Zone;
use serde::Deserialize;

/// The shortest time to answer: a letter has to arrive and be answered.
const ANSWER_MIN: Span = Span::hours(1);
/// The most reminders of one question.
const REMINDERS_MAX: usize = 8;

/// The schedule of a game, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub answer: Span,
    pub weekdays_off: Vec<jiff::civil::Weekday>,
    pub holidays: Vec<Days>,
    pub quiet: Option<Hours>,
    pub grace: Span,
    /// Times before the deadline, the longest first.
    pub reminders: Vec<Span>,
    /// Sorted by the number of misses.
    pub silence: Vec<SilenceStep>,
    pub extensions: u32,
    pub extension: Span,
    /// The zone of the seats that name none.
    pub zone: String,
}

/// The schedule as a host writes it into his charter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharterSchedule {
    pub answer: String,
    #[serde(default)]
    pub days_off: Vec<Weekday>,
    #[serde(default)]
    pub holidays: Vec<String>,
    #[serde(default)]
    pub quiet: Option<String>,
    #[serde(default)]
    pub grace: Option<String>,
    #[serde(default)]
    pub remind: Vec<String>,
    #[serde(default)]
    pub silence: Vec<CharterSilence>,
    #[serde(default)]
    pub extensions: Option<u32>,
    #[serde(default)]
    pub extension: Option<String>,
    #[serde(default)]
    pub zone: Option<String>,
}

/// What happens from `misses` missed deadlines on; from the first on, if `misses` is left out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharterSilence {
    #[serde(default = "one")]
    pub misses: u32,
    pub then: Silence,
}

fn one() -> u32 {
    1
}

/// A value that a schedule cannot have: its key, what would have been right, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` of the schedule is {expected}, not `{found}`")]
pub struct NotASchedule {
    pub key: &'static str,
    pub expected: &'static str,
    pub found: String,
}

impl CharterSchedule {
    /// The schedule for the first record, spelled as the log spells it.
    pub fn recorded(&self) -> Result<RecordedSchedule<'static>, NotASchedule> {
        let texts = |texts: &[String]| texts.iter().map(|text| Text::from(text.clone())).collect();
        let text = |text: &Option<String>| text.clone().map(Text::from);
        let step = |step: &CharterSilence| SilenceStep { misses: step.misses, then: step.then };
        let written = RecordedSchedule {
            answer: Text::from(self.answer.clone()),
            days_off: self.days_off.clone(),
            holidays: texts(&self.holidays),
            quiet: text(&self.quiet),
            grace: text(&self.grace),
            remind: texts(&self.remind),
            silence: self.silence.iter().map(step).collect(),
            extensions: self.extensions,
            extension: text(&self.extension),
            zone: text(&self.zone),
        };
        let schedule = Schedule::understand(&written)?;
        let zone = self.zone.as_deref().map(known_zone).transpose()?;
        Ok(RecordedSchedule { zone: zone.map(|zone| Text::from(zone.name().to_string())), ..schedule.recorded() })
    }
}

/// The zone of a name.
pub fn known_zone(name: &str) -> Result<Zone, NotASchedule> {
    let expected = "a time zone such as Europe/Berlin or America/New_York";
    Zone::read(name).ok_or_else(|| NotASchedule { key: "zone", expected, found: name.to_string() })
}

impl Schedule {
    /// Understands the schedule of a first record.
    pub fn understand(written: &RecordedSchedule) -> Result<Schedule, NotASchedule> {
        let wrong = |key, expected, found: &str| NotASchedule { key, expected, found: found.to_string() };
        let span = |key, text: &str| Span::read(text).ok_or_else(|| wrong(key, "a time such as 3d or 12h", text));
        let optional = |key, text: &Option<Text>| text.as_deref().map(|text| span(key, text)).transpose();
        let answer = span("answer", &written.answer)?;
        if answer < ANSWER_MIN {
            return Err(wrong("answer", "at least 1h", &written.answer));
        }
        if written.days_off.len() >= 7 {
            return Err(wrong("days_off", "at most six days of the week", "seven"));
        }
        let holidays = written.holidays.iter().map(|text| {
            let expected = "dates such as 2026-12-24..2027-01-02";
            Days::read(text).ok_or_else(|| wrong("holidays", expected, text))
        });
        let quiet = written
            .quiet
            .as_deref()
            .map(|text| Hours::read(text).ok_or_else(|| wrong("quiet", "hours such as 22:00-08:00", text)));
        let mut reminders: Vec<Span> =
            written.remind.iter().map(|text| span("remind", text)).collect::<Result<_, NotASchedule>>()?;
        reminders.sort_by(|one, other| other.cmp(one));
        reminders.dedup();
        if let Some(zero) = reminders.last().filter(|last| **last == Span::NONE) {
            return Err(wrong("remind", "times before the deadline, such as 2d", &zero.to_string()));
        }
        if reminders.len() > REMINDERS_MAX {
            return Err(wrong("remind", "at most 8 times", &reminders.len().to_string()));
        }
        let grows = written.silence.windows(2).all(|steps| steps[0].misses < steps[1].misses);
        if !grows || written.silence.first().is_some_and(|first| first.misses != 1) {
            let found = written.silence.iter().map(|step| step.misses.to_string()).collect::<Vec<_>>().join(", ");
            return Err(wrong("silence", "a list whose misses begin with 1 and grow", &found));
        }
        Ok(Schedule {
            answer,
            weekdays_off: written.days_off.iter().map(|day| day.civil()).collect(),
            holidays: holidays.collect::<Result<_, NotASchedule>>()?,
            quiet: quiet.transpose()?,
            grace: optional("grace", &written.grace)?.unwrap_or_default(),
            reminders,
            silence: written.silence.clone(),
            extensions: written.extensions.unwrap_or(0),
            extension: optional("extension", &written.extension)?.unwrap_or(answer),
            zone: written.zone.as_deref().unwrap_or("UTC").to_string(),
        })
    }

    /// The schedule as the log writes it.
    pub fn recorded(&self) -> RecordedSchedule<'static> {
        let span = |span: Span| Text::from(span.to_string());
        RecordedSchedule {
            answer: span(self.answer),
            days_off: self.weekdays_off.iter().map(|day| Weekday::of(*day)).collect(),
            holidays: self.holidays.iter().map(|days| Text::from(days.to_string())).collect(),
            quiet: self.quiet.map(|hours| Text::from(hours.to_string())),
            grace: (self.grace != Span::NONE).then(|| span(self.grace)),
            remind: self.reminders.iter().map(|reminder| span(*reminder)).collect(),
            silence: self.silence.clone(),
            extensions: (self.extensions > 0).then_some(self.extensions),
            extension: (self.extension != self.answer).then(|| span(self.extension)),
            zone: (self.zone != "UTC").then(|| Text::from(self.zone.clone())),
        }
    }

    /// What happens when a seat has missed `misses` deadlines in a row.
    pub fn then(&self, misses: u32) -> Silence {
        self.silence.iter().rev().find(|step| step.misses <= misses).map_or(Silence::Wait, |step| step.then)
    }

    /// Whether more misses lead to another step; the time of the seat then begins again.
    pub fn goes_on(&self, misses: u32) -> bool {
        self.silence.iter().any(|step| step.misses > misses)
    }

    /// The calendar in a zone, with the absences of its player.
    pub fn calendar(&self, zone: &Zone, absences: impl Iterator<Item = Days>) -> Calendar {
        Calendar {
            zone: zone.clone(),
            weekdays_off: self.weekdays_off.clone(),
            days_off: self.holidays.iter().copied().chain(absences).collect(),
            quiet: self.quiet,
        }
    }
}

impl Weekday {
    /// The same day as a type of `jiff`.
    pub fn civil(self) -> jiff::civil::Weekday {
        use jiff::civil::Weekday as Civil;
        match self {
            Weekday::Monday => Civil::Monday,
            Weekday::Tuesday => Civil::Tuesday,
            Weekday::Wednesday => Civil::Wednesday,
            Weekday::Thursday => Civil::Thursday,
            Weekday::Friday => Civil::Friday,
            Weekday::Saturday => Civil::Saturday,
            Weekday::Sunday => Civil::Sunday,
        }
    }

    fn of(day: jiff::civil::Weekday) -> Weekday {
        let found = Weekday::ALL.iter().find(|weekday| weekday.civil() == day);
        *found.expect("a week has seven days")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charter(text: &str) -> CharterSchedule {
        serde_yaml::from_str(text).unwrap()
    }

    #[test]
    fn a_charter_is_understood_and_spelled_in_one_way() {
        let written = charter(
            "answer: 72h\ndays_off: [sat, sun]\nholidays: [2026-12-24..2026-12-26]\nquiet: 22:00-8:00\n\
             grace: 12 hours\nremind: [12h, 2d]\nsilence:\n- then: wait\n- misses: 2\n  then: default\n\
             - misses: 4\n  then: bot\nextensions: 2\nzone: europe/berlin\n",
        );
        let recorded = written.recorded().unwrap();
        assert_eq!((&*recorded.answer, recorded.grace.as_deref()), ("3d", Some("12h")));
        assert_eq!(
            (&recorded.remind[..], recorded.zone.as_deref()),
            (&["2d".into(), "12h".into()][..], Some("Europe/Berlin"))
        );
        let schedule = Schedule::understand(&recorded).unwrap();
        assert_eq!(schedule.recorded(), recorded);
        let then: Vec<Silence> = (1..=5).map(|misses| schedule.then(misses)).collect();
        assert_eq!(then, [Silence::Wait, Silence::Default, Silence::Default, Silence::Bot, Silence::Bot]);
        assert!(schedule.goes_on(3) && !schedule.goes_on(4));
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        assert_eq!(charter(text).recorded().unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_no_schedule_can_say_is_told() {
        refused("answer: soon", "`answer` of the schedule is a time such as 3d or 12h, not `soon`");
        refused("answer: 59min", "`answer` of the schedule is at least 1h, not `59min`");
        refused("answer: 3d\nquiet: 22-8", "`quiet` of the schedule is hours such as 22:00-08:00, not `22-8`");
        let zone = "`zone` of the schedule is a time zone such as Europe/Berlin or America/New_York, not `Bree`";
        refused("answer: 3d\nzone: Bree", zone);
        let silence = "answer: 3d\nsilence: [{misses: 2, then: bot}]";
        refused(silence, "`silence` of the schedule is a list whose misses begin with 1 and grow, not `2`");
    }
}
