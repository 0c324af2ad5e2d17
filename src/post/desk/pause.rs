/*! A pause by the host, for maintenance: no time passes in the game, though nobody has voted on it.

The log has no kind of entry for a pause by the host, and needs none. When the pause begins, a note by the host goes
on record; while it lasts, the clock of the game does nothing; when it ends, a record moves the deadline of the open
question by the time that did not count, and says why. Letters tell of both. In between there is only a file beside
the log: so a pause does not end because the machine is off, or because another version of the program runs.
*/

use super::Desk;
use crate::book::fault::PostError;
use ground::span::Span;
use ground::stamp::Stamp;
use ground::yaml;
use record::entry::body::Correcting;
use record::entry::{Body, Entry};
use record::fold::Phase;
use record::fold::clock::Countdown;
use record::table::table_error::TableError;
use report::deadline::Deadline;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::RangeInclusive;
use store::drawer::Drawer;

/// The file beside the log.
pub const PAUSED: &str = "paused";
/// The version of the file. Version 1 did not say which records tell of the pause.
const VERSION: u32 = 2;
/// The most characters of a reason: a note in the log has at most 1,000, and this note says more than the reason.
const WHY_MAX: usize = 600;

/// A game that its host has paused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    pub version: u32,
    pub at: Stamp,
    /// When it ends by itself, if it does.
    #[serde(default)]
    pub until: Option<Stamp>,
    #[serde(default)]
    pub why: String,
    /// When it ended, until that is on record.
    #[serde(default)]
    pub ended: Option<Stamp>,
    /// The records of the log that say that it began, and that it ended. Their numbers are noted before they are
    /// written, so that after a crash the log shows whether they were.
    #[serde(default)]
    pub begins_by: Option<u64>,
    #[serde(default)]
    pub ends_by: Option<u64>,
}

/// Why a game cannot be paused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotPaused {
    /// It has not started, or is over.
    NotPlaying,
    /// It is paused already.
    Already(Box<Paused>),
    /// The time has passed.
    NotLater { at: Stamp },
    /// The reason is longer than a record allows.
    TooLong { most: usize },
}

impl Paused {
    /// What is noted beside the log of a game.
    pub fn read(drawer: &Drawer) -> io::Result<Option<Paused>> {
        let Some(text) = drawer.text(PAUSED, VERSION)? else { return Ok(None) };
        let damaged = |why: serde_yaml::Error| {
            drawer.about(PAUSED, &io::Error::new(io::ErrorKind::InvalidData, format!("not understood: {why}")))
        };
        yaml::read(&text).map(Some).map_err(damaged)
    }

    fn note(&self, drawer: &Drawer) -> io::Result<()> {
        let text = serde_yaml::to_string(self).expect("it is plain values");
        drawer.replace(PAUSED, text.as_bytes())
    }

    /// Removes what is noted.
    pub(super) fn forget(drawer: &Drawer) -> io::Result<()> {
        drawer.remove(PAUSED)
    }

    /// The words by which the log says that it began.
    fn begins(&self) -> String {
        let until = self.until.map_or_else(|| "he ends the pause".to_owned(), |until| until.to_string());
        let why = if self.why.is_empty() { String::new() } else { format!(" Why: {}", self.why) };
        format!("The host has paused the game at {}. No time passes until {until}.{why}", self.at)
    }

    /// The words by which the log says that it ended.
    fn ends(&self, ended: Stamp) -> String {
        format!("The pause from {} to {ended} is over, and its time does not count.", self.at)
    }
}

impl Desk {
    /// Pauses the game, until a time or until [`Desk::resume`]; everybody is told with the letters that are due then.
    ///
    /// # Errors
    /// Something cannot be written. If the pause has begun, it is put on record when the game is next opened.
    pub fn pause(&mut self, until: Option<Stamp>, why: &str, at: Stamp) -> Result<Result<(), NotPaused>, PostError> {
        let drawer = self.table.drawer().clone();
        if self.table.fold().phase() != Phase::Playing {
            return Ok(Err(NotPaused::NotPlaying));
        }
        if let Some(paused) = Paused::read(&drawer)? {
            return Ok(Err(NotPaused::Already(Box::new(paused))));
        }
        if until.is_some_and(|until| until <= at) {
            return Ok(Err(NotPaused::NotLater { at }));
        }
        let why = why.split_whitespace().collect::<Vec<&str>>().join(" ");
        if why.chars().count() > WHY_MAX {
            return Ok(Err(NotPaused::TooLong { most: WHY_MAX }));
        }
        // The clock stops before anybody is told of the pause.
        let at = at.max(self.table.fold().at());
        let begins_by = Some(self.next_record());
        Paused { version: VERSION, at, until, why, ended: None, begins_by, ends_by: None }.note(&drawer)?;
        self.mind_pause(at)?;
        Ok(Ok(()))
    }

    /// Ends the pause of the game. Returns whether there was one.
    ///
    /// # Errors
    /// Something cannot be written. If the end is noted, it is put on record when the game is next opened.
    pub fn resume(&mut self, at: Stamp) -> Result<bool, PostError> {
        let drawer = self.table.drawer().clone();
        let Some(paused) = Paused::read(&drawer)? else { return Ok(false) };
        let ended = paused.ended.unwrap_or(at.max(paused.at));
        Paused { ended: Some(ended), ..paused }.note(&drawer)?;
        self.mind_pause(at)?;
        Ok(true)
    }

    /// Puts on record that a pause began, or ended, unless the log says so. Returns whether the game is paused.
    pub(super) fn mind_pause(&mut self, at: Stamp) -> Result<bool, PostError> {
        let drawer = self.table.drawer().clone();
        let Some(mut paused) = Paused::read(&drawer)? else { return Ok(false) };
        let is_playing = self.table.fold().phase() == Phase::Playing;
        if let Some(record) = paused.begins_by.filter(|_| is_playing)
            && !self.host_corrects_by(record)?
        {
            paused = Paused { version: VERSION, begins_by: Some(self.next_record()), ..paused };
            paused.note(&drawer)?;
            self.table.note(&paused.begins(), at)?;
        }
        if paused.ended.is_none() && paused.until.is_some_and(|until| until <= at) {
            paused.ended = paused.until;
        }
        let Some(ended) = paused.ended.or((!is_playing).then_some(at)) else { return Ok(true) };
        // While the time of the question stands still for another reason as well, its deadline cannot be moved; it is
        // moved once the time passes again.
        if is_playing && matches!(self.table.fold().countdown(), Some(Countdown::Stands(_))) {
            return Ok(true);
        }
        let is_said = paused.ends_by.map_or(Ok(false), |record| self.host_corrects_by(record))?;
        if is_playing && !is_said {
            let ends_by = Some(self.next_record());
            paused = Paused { version: VERSION, ended: Some(ended), ends_by, ..paused };
            paused.note(&drawer)?;
            let words = paused.ends(ended);
            match self.due_after(&paused, ended, at) {
                Some(until) => drop(self.table.move_deadline(until, &words, at)?),
                None => drop(self.table.note(&words, at)?),
            }
        }
        Paused::forget(&drawer)?;
        Ok(false)
    }

    /// The deadline of the open question without the time since the pause began. A question in its time of grace gets
    /// one more minute, and then the whole grace again. `None` if the question had no time left, or the pause took
    /// none of it.
    fn due_after(&self, paused: &Paused, ended: Stamp, at: Stamp) -> Option<Stamp> {
        let fold = self.table.fold();
        let open = fold.clock().open()?;
        let Some(Countdown::Until { due, closing }) = fold.countdown() else { return None };
        let stood = ended.since(paused.at.max(open.since())).as_secs();
        let later = |stamp: Stamp| stamp.later(Span::of(stood));
        match stood > 0 {
            true if later(due) > at => Some(later(due)),
            true if later(closing) > at => Some(at.later(Span::minutes(1))),
            _ => None,
        }
    }

    /// What a letter says of the deadline while the game is paused.
    pub(super) fn deadline_in_pause(&self, told: Option<Deadline>) -> Result<Option<Deadline>, PostError> {
        let is_paused = told.is_some() && Paused::read(self.table.drawer())?.is_some_and(|it| it.ended.is_none());
        if is_paused {
            Ok(Some(Deadline { stands: Some("paused".to_owned()), ..Deadline::default() }))
        } else {
            Ok(told)
        }
    }

    /// The number of the record that is written next.
    pub(super) fn next_record(&self) -> u64 {
        self.table.fold().head().seq + 1
    }

    /// Whether this record exists, and is a ruling or a moved deadline by the host alone.
    pub(super) fn host_corrects_by(&self, record: u64) -> Result<bool, PostError> {
        self.host_corrects_within(record..=record)
    }

    /// Whether one of these records is a ruling or a moved deadline by the host alone.
    pub(super) fn host_corrects_within(&self, meant: RangeInclusive<u64>) -> Result<bool, PostError> {
        let mut records = self.table.log().records().map_err(TableError::from)?;
        for seq in 0..=*meant.end() {
            let Some(record) = records.next().map_err(|error| TableError::Reading(error.into()))? else { break };
            if meant.contains(&seq)
                && let Ok(entry) = Entry::read(record.bytes)
                && let Body::Correction(correction) = &entry.body
                && matches!(correction.what, Correcting::Ruling | Correcting::Deadline)
                && correction.motion.is_none()
                && correction.consents.is_empty()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
