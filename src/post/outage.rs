/*! The time when nobody served: the machine was off, a mailbox could not be read, no letter could be sent.

Whoever was late meanwhile has not been reminded, and what he wrote may not have reached us. So no deadline is over that
passed while we were away, or passes soon after: it is moved to a day after we are back, by a record that says why, and
of which everybody is told.
*/

use super::desk::Desk;
use super::fault::PostError;
use crate::record::clock::{Countdown, later};
use crate::record::fold::Phase;
use crate::record::secrets::replace_privately;
use crate::record::span::Span;
use crate::record::stamp::Stamp;
use std::fs;
use std::io;
use std::path::Path;

/// The file, in the folder of the counter, that says when the clock last ticked.
pub const SERVED: &str = "served";
/// The clock ticks once a minute; where it has not for so long, nobody served.
const GAP: Span = Span::hours(1);
/// So much time there is when we are back: whoever looks at his mail once a day has seen the letter.
const MADE_UP: Span = Span::days(1);
/// For so long an outage is remembered: a game may be at work elsewhere when the clock ticks.
const REMEMBERED: Span = Span::days(2);

/// The last time that nobody served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    pub gone: Stamp,
    pub back: Stamp,
}

/// Notes that the clock ticks now, in the folder of the counter; the outage that is not long over.
///
/// # Errors
/// It cannot be written.
pub fn attend(folder: &Path, now: Stamp) -> io::Result<Option<Outage>> {
    let noted = fs::read_to_string(folder.join(SERVED)).unwrap_or_default();
    let mut noted = noted.split_whitespace().map(Stamp::parse);
    let last = noted.next().flatten();
    let before = noted.next().flatten().zip(noted.next().flatten()).map(|(gone, back)| Outage { gone, back });
    let outage = match last.filter(|last| later(*last, GAP) < now) {
        Some(gone) => Some(Outage { gone, back: now }),
        // One that is yet to come was noted by a clock that was wrong.
        None => before.filter(|outage| outage.back <= now && now < later(outage.back, REMEMBERED)),
    };
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let outage_words = outage.map_or(String::new(), |outage| format!(" {} {}", outage.gone, outage.back));
    replace_privately(folder, SERVED, format!("{now}{outage_words}\n").as_bytes())?;
    Ok(outage)
}

impl Desk {
    /// Moves the deadline of the open question if it passed during the outage, or passes soon after.
    ///
    /// # Errors
    /// The log cannot be written.
    pub(super) fn make_up_for(&mut self, outage: Outage, now: Stamp) -> Result<(), PostError> {
        let fold = self.table.fold();
        let is_playing = fold.phase() == Phase::Playing;
        let Some(open) = fold.clock().open().filter(|open| is_playing && open.since() < outage.back) else {
            return Ok(());
        };
        let Some(Countdown::Until { closing, .. }) = fold.countdown() else { return Ok(()) };
        let calendar = fold.calendar_of(open).expect("a question with a deadline has a calendar");
        let until = calendar.after(outage.back, MADE_UP);
        if closing > outage.gone && closing < until && until > now {
            let why = format!("nobody was at the post office from {} to {}", outage.gone, outage.back);
            self.table.move_deadline(until, &why, &[], None, now)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_noticed_and_remembered_for_two_days() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = |day: &str| Stamp::parse(&format!("2026-11-{day}:00Z")).unwrap();
        let attend = |day: &str| super::attend(&folder.path().join(".post"), stamp(day)).unwrap();
        assert_eq!(attend("20T08:00"), None);
        assert_eq!(attend("20T09:00"), None);
        let outage = Some(Outage { gone: stamp("20T09:00"), back: stamp("24T12:00") });
        assert_eq!(attend("24T12:00"), outage);
        assert_eq!(attend("24T12:01"), outage);
        let shorter = Some(Outage { gone: stamp("24T12:01"), back: stamp("24T13:02") });
        assert_eq!(attend("24T13:02"), shorter);
        fs::write(folder.path().join(".post").join(SERVED), "rubbish").unwrap();
        assert_eq!(attend("30T08:00"), None);
    }

    /// The clock jumps ahead for a moment: what it noted then is not believed afterwards.
    #[test]
    fn an_outage_that_is_yet_to_come_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let attend = |at: &str| super::attend(folder.path(), Stamp::parse(at).unwrap()).unwrap();
        assert_eq!(attend("2026-11-20T08:00:00Z"), None);
        assert!(attend("2027-11-20T08:00:00Z").is_some());
        assert_eq!(attend("2026-11-20T08:02:00Z"), None);
        assert_eq!(attend("2026-11-20T08:03:00Z"), None);
    }
}
