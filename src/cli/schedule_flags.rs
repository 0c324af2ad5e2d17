//! The flags of `new` for the time to answer.

use crate::cli::exit::Failure;
use clap::Args;
use record::charter::CharterSeat;
use record::charter::schedule::{CharterSchedule, CharterSilence};
use record::entry::body::{Silence, Weekday};

/// How much time the seats have to answer, and what happens when it is over. Times are written 3d, 12h, 2d12h.
#[derive(Args, Debug)]
#[command(next_help_heading = "Time to answer")]
pub struct ScheduleFlags {
    /// The time to answer: 3d. Without it there is no deadline.
    #[arg(long, value_name = "TIME", conflicts_with = "charter")]
    answer: Option<String>,
    /// Days of the week that do not count.
    #[arg(long, value_name = "DAYS", value_delimiter = ',', value_parser = weekday, requires = "answer")]
    days_off: Vec<Weekday>,
    /// Days that do not count: 2026-12-24..2027-01-02.
    #[arg(long, value_name = "DATES", value_delimiter = ',', requires = "answer")]
    holidays: Vec<String>,
    /// Hours at which nothing falls due, by the clock of the seat that is asked.
    #[arg(long, value_name = "HOURS", requires = "answer")]
    quiet: Option<String>,
    /// Further time after the deadline, before anything happens.
    #[arg(long, value_name = "TIME", requires = "answer")]
    grace: Option<String>,
    /// How long before a deadline a player is reminded: 2d,12h.
    #[arg(long, value_name = "TIMES", value_delimiter = ',', requires = "answer")]
    remind: Vec<String>,
    /// What happens when a seat does not answer: wait, default, bot, replacement or forfeit. A number before a colon is
    /// the missed answer in a row from which it happens: wait,2:default,4:bot.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', value_parser = silence, requires = "answer")]
    silence: Vec<CharterSilence>,
    /// How often a seat may take more time by itself.
    #[arg(long, value_name = "TIMES", requires = "answer")]
    extensions: Option<u32>,
    /// How much it may take at once; as much as the time to answer, if left out.
    #[arg(long, value_name = "TIME", requires = "answer")]
    extension: Option<String>,
    /// The time zone of a seat, or, without a seat, of all that name none: red=Europe/Berlin.
    #[arg(long = "zone", value_name = "SEAT=ZONE", conflicts_with = "charter")]
    zones: Vec<String>,
}

impl ScheduleFlags {
    /// The schedule for the charter. Zones of single seats are written to those seats.
    pub fn schedule(&self, seats: &mut [CharterSeat]) -> Result<Option<CharterSchedule>, Failure> {
        let mut usual = None;
        for written in &self.zones {
            match written.split_once('=') {
                None => usual = Some(written.clone()),
                Some((word, zone)) => {
                    let seat = seats.iter_mut().find(|seat| seat.seat.as_deref() == Some(word.trim()));
                    let seat = seat.ok_or_else(|| Failure::usage(format!("There is no seat `{word}`.")))?;
                    seat.zone = Some(zone.trim().to_string());
                }
            }
        }
        let Some(answer) = &self.answer else {
            // The zone of a seat may be useful later; a zone for all seats is part of a schedule.
            let without = "A time zone for all seats needs a time to answer: add `--answer 3d`.";
            return if usual.is_some() { Err(Failure::usage(without)) } else { Ok(None) };
        };
        Ok(Some(CharterSchedule {
            answer: answer.clone(),
            days_off: self.days_off.clone(),
            holidays: self.holidays.clone(),
            quiet: self.quiet.clone(),
            grace: self.grace.clone(),
            remind: self.remind.clone(),
            silence: self.silence.clone(),
            extensions: self.extensions,
            extension: self.extension.clone(),
            zone: usual,
        }))
    }
}

fn weekday(text: &str) -> Result<Weekday, String> {
    let found = Weekday::ALL.iter().find(|day| text.to_ascii_lowercase().starts_with(day.word()));
    found.copied().ok_or_else(|| "a day of the week such as sat".to_string())
}

fn silence(text: &str) -> Result<CharterSilence, String> {
    let (misses, word) = text.split_once(':').unwrap_or(("1", text));
    let then = Silence::ALL.iter().find(|then| then.word() == word.trim());
    match (misses.trim().parse(), then) {
        (Ok(misses), Some(then)) => Ok(CharterSilence { misses, then: *then }),
        _ => Err("one of wait, default, bot, replacement and forfeit, perhaps with a number before: 2:default".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_days_are_read_as_they_are_written() {
        assert_eq!(silence("wait"), Ok(CharterSilence { misses: 1, then: Silence::Wait }));
        assert_eq!(silence("4:bot"), Ok(CharterSilence { misses: 4, then: Silence::Bot }));
        assert!(silence("bot:4").is_err() && silence("sulk").is_err());
        assert_eq!(weekday("Saturday"), Ok(Weekday::Saturday));
        assert!(weekday("holiday").is_err());
    }
}
