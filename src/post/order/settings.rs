/*! How a player wants his letters (S5): at once, gathered, once a day, only when he is asked, never at night; as text
or as a page as well, and with which pictures.

This is between the player and the post office, so it is in the book and not in the log. The letter to the player whom
the game waits for goes out at once, whatever he has set, except at night.
*/

use ground::span::Span;
use ground::stamp::Stamp;
use ground::zone::Zone;
use jiff::civil::Time;
use record::charter::calendar::{Hours, time};
use report::html::{Form, Look, Pictures};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest time for which letters are gathered.
const BATCH_MAX: Span = Span::days(1);

/// How a player wants his letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Once a day at this time, by the player's clock, everything that happened.
    pub digest: Option<Time>,
    pub when: When,
    /// The hours, by the player's clock, at which he gets nothing but answers to his own letters.
    pub night: Option<Hours>,
    /// How long a letter waits for more news after the last.
    pub batch: Span,
    /// How his letters look; `None` for what the host has set.
    pub form: Option<Form>,
    pub pictures: Option<Pictures>,
}

/// Which letters a player wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// When he is asked, when a new turn begins, and when something is announced.
    #[default]
    Usual,
    /// Only when he is asked, and when the game is over.
    Asked,
}

/// What there is to tell a player, the most pressing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    /// The game waits for him, or is over, or is about to begin.
    Pressing,
    /// A new turn began, or something was announced to everybody.
    Usual,
    /// Something happened.
    Small,
}

/// One setting that a player changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Change {
    Digest(Option<Time>),
    Quiet(When),
    Night(Option<Hours>),
    Batch(Span),
    Form(Form),
    Pictures(Pictures),
}

/// The text that is no setting, for a message that says what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASetting {
    pub found: String,
}

impl fmt::Display for NotASetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` sets nothing; one of: digest daily 08:00, digest off, quiet, quiet off, night 22:00-07:00, \
             night off, batch 30min, batch off, letters html, letters text, pictures on, pictures off, pictures print",
            self.found
        )
    }
}

impl std::error::Error for NotASetting {}

impl Change {
    /// Reads what a player writes: `digest daily 08:00`, `quiet off`.
    pub fn read(text: &str) -> Result<Change, NotASetting> {
        let folded = text.trim().to_ascii_lowercase();
        let (word, value) = folded.split_once(char::is_whitespace).unwrap_or((&folded, ""));
        let value = value.trim();
        let daily = value.strip_prefix("daily").unwrap_or(value).trim();
        let read = match (word, value) {
            ("digest" | "night" | "batch" | "quiet", "off" | "no") => Some(match word {
                "digest" => Change::Digest(None),
                "night" => Change::Night(None),
                "batch" => Change::Batch(Span::NONE),
                _ => Change::Quiet(When::Usual),
            }),
            ("digest", _) if daily.is_empty() => Some(Change::Digest(time("08:00"))),
            ("digest", _) => time(daily).map(|time| Change::Digest(Some(time))),
            ("quiet", "" | "on" | "yes") => Some(Change::Quiet(When::Asked)),
            ("night", _) => Hours::read(value).map(|hours| Change::Night(Some(hours))),
            ("letters", "html" | "page") => Some(Change::Form(Form::Html)),
            ("letters", "text" | "plain") => Some(Change::Form(Form::Text)),
            ("pictures", "on" | "yes") => Some(Change::Pictures(Pictures::On)),
            ("pictures", "off" | "no") => Some(Change::Pictures(Pictures::Off)),
            ("pictures", "print") => Some(Change::Pictures(Pictures::Print)),
            ("batch", _) => Span::read(value).filter(|span| *span <= BATCH_MAX).map(Change::Batch),
            _ => None,
        };
        read.ok_or_else(|| NotASetting { found: text.trim().chars().take(60).collect() })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Digest(Some(time)) => write!(f, "digest daily {}", time.strftime("%H:%M")),
            Change::Digest(None) => f.write_str("digest off"),
            Change::Quiet(When::Asked) => f.write_str("quiet"),
            Change::Quiet(When::Usual) => f.write_str("quiet off"),
            Change::Night(Some(hours)) => write!(f, "night {hours}"),
            Change::Night(None) => f.write_str("night off"),
            Change::Batch(Span::NONE) => f.write_str("batch off"),
            Change::Batch(span) => write!(f, "batch {span}"),
            Change::Form(Form::Text) => f.write_str("letters text"),
            Change::Form(Form::Html) => f.write_str("letters html"),
            Change::Pictures(Pictures::Off) => f.write_str("pictures off"),
            Change::Pictures(Pictures::On) => f.write_str("pictures on"),
            Change::Pictures(Pictures::Print) => f.write_str("pictures print"),
        }
    }
}

impl TryFrom<String> for Change {
    type Error = NotASetting;

    fn try_from(text: String) -> Result<Change, NotASetting> {
        Change::read(&text)
    }
}

impl From<Change> for String {
    fn from(change: Change) -> String {
        change.to_string()
    }
}

impl Settings {
    /// Changes one setting.
    pub fn change(&mut self, change: Change) {
        match change {
            Change::Digest(digest) => self.digest = digest,
            Change::Quiet(when) => self.when = when,
            Change::Night(night) => self.night = night,
            Change::Batch(batch) => self.batch = batch,
            Change::Form(form) => self.form = Some(form),
            Change::Pictures(pictures) => self.pictures = Some(pictures),
        }
    }

    /// How his letters look, if `usual` is what the host has set.
    pub fn look(&self, usual: Look) -> Look {
        Look { form: self.form.unwrap_or(usual.form), pictures: self.pictures.unwrap_or(usual.pictures) }
    }

    /// When a letter may go out if its first news is from `first` and its last from `last`; `None` if the player does
    /// not want it.
    pub fn may_go(&self, news: News, first: Stamp, last: Stamp, zone: &Zone) -> Option<Stamp> {
        let at = match (news, self.digest) {
            (News::Pressing, _) => last,
            _ if self.when == When::Asked => return None,
            (News::Usual | News::Small, Some(daily)) => next_at(daily, first, zone),
            (News::Small, None) => return None,
            (News::Usual, None) => last.later(self.batch),
        };
        Some(self.awake(at, zone))
    }

    /// The end of the night at which a moment falls; the moment itself by day.
    pub fn awake(&self, at: Stamp, zone: &Zone) -> Stamp {
        match self.night.filter(|night| night.has(zone.civil(at).time())) {
            Some(night) => zone.stamp(night.end(zone.civil(at))),
            None => at,
        }
    }
}

/// The first moment, not before `from`, at which the clock shows this time.
fn next_at(time: Time, from: Stamp, zone: &Zone) -> Stamp {
    let civil = zone.civil(from);
    let day = if civil.time() <= time { civil.date() } else { civil.date().tomorrow().unwrap_or(civil.date()) };
    zone.stamp(day.to_datetime(time)).max(from)
}

impl fmt::Display for Settings {
    /// Every setting that is not the usual one: `digest daily 08:00, night 22:00-07:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Settings::default();
        let set = [
            (self.digest != usual.digest).then_some(Change::Digest(self.digest)),
            (self.when != usual.when).then_some(Change::Quiet(self.when)),
            (self.night != usual.night).then_some(Change::Night(self.night)),
            (self.batch != usual.batch).then_some(Change::Batch(self.batch)),
            self.form.map(Change::Form),
            self.pictures.map(Change::Pictures),
        ];
        let words: Vec<String> = set.into_iter().flatten().map(|change| change.to_string()).collect();
        f.write_str(if words.is_empty() { "every letter at once" } else { "" })?;
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, canonical: &str) {
        let change = Change::read(text).unwrap();
        assert_eq!(change.to_string(), canonical);
        assert_eq!(Change::read(canonical), Ok(change));
    }

    #[test]
    fn settings_are_read_as_players_write_them() {
        reads("DIGEST daily", "digest daily 08:00");
        reads("digest 7:30", "digest daily 07:30");
        reads("digest off", "digest off");
        reads("quiet", "quiet");
        reads("Quiet OFF", "quiet off");
        reads("night 22:00 - 7:00", "night 22:00-07:00");
        reads("batch 90min", "batch 1h30min");
        reads("batch off", "batch off");
        reads("Letters plain", "letters text");
        reads("letters HTML", "letters html");
        reads("pictures off", "pictures off");
        reads("pictures print", "pictures print");
        for text in ["digest weekly", "night", "batch 2d", "loud", "letters", "pictures of cats", ""] {
            assert!(Change::read(text).is_err(), "{text}");
        }
    }

    #[track_caller]
    fn goes(changes: &[&str], news: News, first: &str, last: &str, expected: Option<&str>) {
        let mut settings = Settings::default();
        changes.iter().for_each(|change| settings.change(Change::read(change).unwrap()));
        let stamp = |text: &str| Stamp::parse(&format!("2026-11-{text}:00Z")).unwrap();
        let zone = Zone::read("Europe/Berlin").unwrap();
        assert_eq!(settings.may_go(news, stamp(first), stamp(last), &zone), expected.map(stamp));
    }

    #[test]
    fn s5_letters_go_when_their_reader_wants_them() {
        goes(&[], News::Usual, "24T08:00", "24T09:00", Some("24T09:00"));
        goes(&[], News::Small, "24T08:00", "24T09:00", None);
        goes(&["batch 30min"], News::Usual, "24T08:00", "24T09:00", Some("24T09:30"));
        goes(&["batch 30min"], News::Pressing, "24T08:00", "24T09:00", Some("24T09:00"));
        // Eight in the morning in Berlin.
        goes(&["digest daily"], News::Small, "24T08:00", "24T09:00", Some("25T07:00"));
        goes(&["digest daily"], News::Usual, "24T06:59", "24T09:00", Some("24T07:00"));
        goes(&["digest daily"], News::Pressing, "24T08:00", "24T09:00", Some("24T09:00"));
        goes(&["quiet"], News::Usual, "24T08:00", "24T09:00", None);
        goes(&["quiet"], News::Pressing, "24T08:00", "24T09:00", Some("24T09:00"));
        goes(&["night 22:00-07:00"], News::Pressing, "24T21:30", "24T21:30", Some("25T06:00"));
        goes(&["night 22:00-07:00", "batch 1h"], News::Usual, "24T20:30", "24T20:30", Some("25T06:00"));
    }
}
