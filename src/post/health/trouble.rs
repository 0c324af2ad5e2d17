//! What is wrong with a service, judged by what it did last and what time it is now.

use super::Signs;
use ground::span::Span;
use ground::stamp::Stamp;
use std::fmt;

/// The clock ticks once a minute; a long answer of a program may take a minute more.
const TICK: Span = Span::minutes(5);
/// A mailbox is looked through every two minutes, a Maildir more often.
const LOOK: Span = Span::minutes(10);
/// A letter that is ready is handed over in seconds; a server that cannot be used is tried again within a quarter of
/// an hour.
const LETTER: Span = Span::minutes(30);

/// Something that is wrong with the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// Since when, as far as is known: when the thing that is overdue last happened.
    pub since: Stamp,
}

/// The kinds of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TroubleKind {
    /// The clock of the games does not tick: the service does nothing, or the folder of the games cannot be read.
    Clock,
    /// The clock of the machine has jumped, and nothing is dated by it.
    Doubt,
    /// The disk of the games cannot be written.
    Disk,
    /// A source of letters is not read.
    Source(&'static str),
    /// A letter waits longer than it should.
    Letter,
    /// Games, or letters to them, have not gone on for minutes: this many.
    Standing(usize),
}

/// What these signs say is wrong at a time.
pub fn of(signs: &Signs, now: Stamp) -> Vec<Trouble> {
    let overdue = |since: Stamp, limit: Span| (since.later(limit) < now).then_some(since);
    let mut troubles = Vec::new();
    let clock = overdue(signs.ticked.unwrap_or(signs.started), TICK);
    troubles.extend(clock.map(|since| Trouble { kind: TroubleKind::Clock, since }));
    troubles.extend(signs.minute.doubted.map(|since| Trouble { kind: TroubleKind::Doubt, since }));
    troubles.extend(signs.unwritable.map(|since| Trouble { kind: TroubleKind::Disk, since }));
    for (source, looked) in &signs.looked {
        let looked = overdue(looked.unwrap_or(signs.started), LOOK);
        troubles.extend(looked.map(|since| Trouble { kind: TroubleKind::Source(source), since }));
    }
    let letter = signs.minute.ready_since.and_then(|since| overdue(since, LETTER));
    troubles.extend(letter.map(|since| Trouble { kind: TroubleKind::Letter, since }));
    let standing = signs.minute.standing.map(|(count, since)| Trouble { kind: TroubleKind::Standing(count), since });
    troubles.extend(standing);
    troubles
}

impl Trouble {
    /// Identifies the trouble among all others.
    pub fn key(&self) -> String {
        match self.kind {
            TroubleKind::Clock => "clock".to_owned(),
            TroubleKind::Doubt => "doubt".to_owned(),
            TroubleKind::Disk => "disk".to_owned(),
            TroubleKind::Source(source) => format!("source {source}"),
            TroubleKind::Letter => "letter".to_owned(),
            TroubleKind::Standing(_) => "standing".to_owned(),
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self.kind {
            TroubleKind::Clock => {
                "look at the log of `ringmail serve`, and start it again; `ringmail doctor` tries the disk"
            }
            TroubleKind::Doubt => {
                "set the clock of the machine right; it is believed as soon as a mail server agrees with it"
            }
            TroubleKind::Disk => {
                "make room on the disk of the games, or mount it writable; no letter is lost, and none is answered"
            }
            TroubleKind::Source(_) => {
                "`ringmail doctor` tries the mailbox and says what is wrong; no player is late meanwhile"
            }
            TroubleKind::Letter => "`ringmail queue` shows the letters, and `ringmail doctor` tries the way out",
            TroubleKind::Standing(_) => "the log of `ringmail serve` names them, and says why; all other games go on",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = self.since;
        match self.kind {
            TroubleKind::Clock => write!(formatter, "the clock of the games has not ticked since {since}"),
            TroubleKind::Doubt => {
                write!(formatter, "the clock of this machine is doubted since {since}: nothing is written")
            }
            TroubleKind::Disk => write!(formatter, "nothing can be written to the disk of the games since {since}"),
            TroubleKind::Source(source) => write!(formatter, "{source} has not been looked through since {since}"),
            TroubleKind::Letter => write!(formatter, "a letter waits to be handed over since {since}"),
            TroubleKind::Standing(1) => write!(formatter, "a game, or a letter to it, stands still since {since}"),
            TroubleKind::Standing(count) => {
                write!(formatter, "{count} games, or letters to them, stand still, the first since {since}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::Vitals;
    use crate::office::minute::Minute;
    use crate::office::service::Bulletin;

    fn stamp(text: &str) -> Stamp {
        Stamp::parse(&format!("2026-11-24T{text}:00Z")).unwrap()
    }

    #[track_caller]
    fn case(signs: &Signs, at: &str, expected: &[TroubleKind]) {
        let kinds: Vec<TroubleKind> = of(signs, stamp(at)).iter().map(|trouble| trouble.kind).collect();
        assert_eq!(kinds, expected);
    }

    #[test]
    fn a_service_is_well_as_long_as_it_does_what_it_should() {
        let vitals = Vitals::new(|| stamp("08:00"), ["the mailbox"]);
        let begun = vitals.signs();
        case(&begun, "08:05", &[]);
        case(&begun, "08:06", &[TroubleKind::Clock]);
        case(&begun, "08:11", &[TroubleKind::Clock, TroubleKind::Source("the mailbox")]);
        vitals.heed(&Bulletin::Looked { source: "the mailbox" });
        let minute = Minute { ready_since: Some(stamp("08:00")), waiting: 1, ..Minute::default() };
        vitals.heed(&Bulletin::Minute(&minute));
        let mut signs = Signs { ticked: Some(stamp("08:30")), ..vitals.signs() };
        signs.looked.insert("the mailbox", Some(stamp("08:25")));
        case(&signs, "08:30", &[]);
        case(&signs, "08:31", &[TroubleKind::Letter]);
        let minute = Minute { standing: Some((2, stamp("08:29"))), ..Minute::default() };
        case(&Signs { minute, ..signs.clone() }, "08:30", &[TroubleKind::Standing(2)]);
        // The letter is gone; the disk is full, and has room again; the mailbox hangs.
        signs.minute = Minute::default();
        signs.unwritable = Some(stamp("08:31"));
        case(&signs, "08:31", &[TroubleKind::Disk]);
        signs.unwritable = None;
        case(&signs, "08:35", &[]);
        case(&signs, "08:36", &[TroubleKind::Clock, TroubleKind::Source("the mailbox")]);
    }
}
