/*! An office on several machines (requirement S11): what its workers tell one another through the store they share.

Letters that come in lie in a queue until a worker plays them: once a letter is there, the worker that reads the
mailbox has done its part. And nobody is late because a mailbox could not be read, or a letter could not be sent, on
another machine: each way in and out notes when it last worked, and the clock of the games stands still while one of
them is silent.
*/

use super::{Mailroom, Office};
use crate::names::address;
use crate::names::returned::{self, Returned};
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::wire::intake::{Arrival, Filed, Parcel};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use store::drawer::Drawer;
use store::home::{LetterWaiting, Shared};

/// The way out, beside the sources of letters.
pub const SENDING: &str = "sending";
/// The folder, in the drawer of the counter, with a file for each way.
const WAYS: &str = "ways";
/// A way counts as silent if it has not worked for this long. A mailbox is read every two minutes.
const SILENT: Span = Span::minutes(15);

/// Notes at the counter that a way works now.
pub fn note(counter: &Drawer, way: &str, at: Stamp) -> io::Result<()> {
    counter.replace_loosely(&file(way), format!("{at}\n").as_bytes())
}

/// The first of these ways that is silent: it has not worked lately, or never.
pub fn silent<'a>(counter: &Drawer, ways: &[&'a str], at: Stamp) -> io::Result<Option<&'a str>> {
    for way in ways {
        let noted = counter.read_if_there(&file(way))?;
        let worked = noted.and_then(|noted| Stamp::parse(String::from_utf8_lossy(&noted).trim()));
        // A time in the future was noted by a fast clock.
        if worked.is_none_or(|worked| worked.later(SILENT) < at || at.later(SILENT) < worked) {
            return Ok(Some(way));
        }
    }
    Ok(None)
}

fn file(way: &str) -> String {
    format!("{WAYS}/{}", way.replace(' ', "-").to_lowercase())
}

impl Office {
    /// Puts a letter into the queue of a shared office, and files it as read; the answer to it will say what became
    /// of it. If this fails, its source must keep it.
    pub fn hand_in(&self, shared: &dyn Shared, parcel: &Parcel<'_>) -> io::Result<Filed> {
        // If the letter makes us panic, a worker receives it, and reports that.
        let read = panic::catch_unwind(AssertUnwindSafe(|| self.destined(parcel.raw)));
        let Destined::Here { game } = read.unwrap_or(Destined::Here { game: None }) else { return Ok(Filed::Left) };
        let (name, raw, is_old) = (parcel.name.clone(), parcel.raw.to_vec(), parcel.arrival == Arrival::Old);
        shared.hand_in(&LetterWaiting { name, raw, is_old, game })?;
        Ok(Filed::Seen)
    }

    /// Whether a letter is for this office, and for which game, as far as the letter itself says.
    fn destined(&self, raw: &[u8]) -> Destined {
        let letter = Letter::open(raw, &self.limits);
        let game = address::games_named(&letter.envelope, &self.ours).into_iter().next();
        let returned = || {
            returned::robot(&letter.envelope, &self.ours)?;
            Returned::read(raw, &letter.envelope, &self.ours)?.claimed().map(|claimed| claimed.game)
        };
        let game = game.or_else(returned);
        let is_ours = game.is_some() || address::names_a_game(&letter.envelope, &self.ours);
        if self.mailroom == Mailroom::Shared && !is_ours { Destined::Elsewhere } else { Destined::Here { game } }
    }
}

/// Where a letter goes.
enum Destined {
    Here {
        game: Option<String>,
    },
    /// It is somebody's ordinary mail.
    Elsewhere,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_does_not_say_that_it_works_is_silent() {
        let folder = tempfile::tempdir().unwrap();
        let counter = Drawer::from(folder.path());
        let at = |minute: u32| Stamp::parse(&format!("2026-11-24T07:{minute:02}:00Z")).unwrap();
        let ways = ["the mailbox", SENDING];
        assert_eq!(silent(&counter, &ways, at(0)).unwrap(), Some("the mailbox"));
        note(&counter, "the mailbox", at(0)).unwrap();
        note(&counter, SENDING, at(5)).unwrap();
        assert_eq!(silent(&counter, &ways, at(15)).unwrap(), None);
        assert_eq!(silent(&counter, &ways, at(16)).unwrap(), Some("the mailbox"));
        note(&counter, "the mailbox", at(16)).unwrap();
        assert_eq!(silent(&counter, &ways, at(21)).unwrap(), Some(SENDING));
        assert_eq!(silent(&counter, &[], at(59)).unwrap(), None);
    }
}
