/*! The letters on their way out of all games and the counter, and what a host can do about one of them (requirement
S8): hurry it, hold it back, release it, give it up. Each is an event of its post book.

Listing takes no lock. An act takes the same locks as sending, in the same order: so no letter is on its way while it
is held or given up, and a running service obeys as soon as it looks at the letter again.
*/

use super::sending::{Sender, next_try};
use super::{COUNTER, Office};
use crate::book::fault::PostError;
use crate::book::outbox::{Outbox, Shelf};
use crate::book::outgoing::{self, Key};
use crate::book::{Book, Event, State};
use data_encoding::BASE32_NOPAD;
use ground::hash::sha256;
use ground::stamp::Stamp;
use std::time::Duration;
use store::drawer::Drawer;

/// How many characters of an id are shown, and how many are needed at least to name a letter.
const SHOWN: usize = 6;
const FEWEST: usize = 3;

/// A letter that has not been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// What a person types to name it: letters and digits, computed from its name.
    pub id: String,
    /// The game, if it is not a letter of the counter.
    pub game: Option<String>,
    /// The name of its file.
    pub letter: String,
    /// The seat that the letter goes to.
    pub seat: Option<String>,
    pub to: String,
    /// When it was written.
    pub since: String,
    pub state: State,
}

impl Queued {
    /// When it is handed over next; `None` if it is not.
    pub fn next(&self) -> Option<Stamp> {
        match &self.state {
            State::Waiting => Stamp::parse(&self.since),
            State::Tried { times, last, .. } => next_try(*times, last),
            State::Sent { .. } | State::Dead { .. } | State::Held { .. } | State::GivenUp { .. } => None,
        }
    }
}

/// What a host wants done with a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// It is sent at the next turn, even if it is dead or given up.
    Retry,
    /// It is not sent.
    Hold,
    /// It is sent after all.
    Release,
    /// It is never sent, for this reason.
    Drop(Option<String>),
}

/// Why a wish is declined. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declined {
    /// A server has taken it: it would arrive twice.
    Sent {
        at: String,
    },
    /// It is held back and must be released first.
    Held {
        at: String,
    },
    NotHeld,
    /// It is dead, and is not sent anyway.
    Dead,
    GivenUp {
        at: String,
    },
    /// It is on no shelf any more.
    Gone,
}

/// Why an id names no letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// There is no such letter, or what was typed is too short to name one.
    Nothing,
    /// Several letters; these are their ids.
    Several(Vec<String>),
}

/// The id of a letter.
fn id(game: Option<&str>, letter: &str) -> String {
    let hash = sha256(format!("{}/{letter}", game.unwrap_or(COUNTER)).as_bytes());
    BASE32_NOPAD.encode(&hash.0[..15]).to_lowercase()
}

/// The letters of a game, or of the counter, that have not been sent: those that wait, the oldest first, then the
/// dead ones, then those given up. Takes no lock.
pub fn of_drawer(drawer: &Drawer, game: Option<&str>) -> Result<Vec<Queued>, PostError> {
    // In this order: a letter that is sent meanwhile then counts as sent.
    let names = Outbox::at(drawer).waiting()?;
    let book = Book::look(drawer)?;
    let queued = |letter: &str, to: &str, since: &str, state: State| Queued {
        id: id(game, letter)[..SHOWN].to_owned(),
        game: game.map(str::to_owned),
        letter: letter.to_owned(),
        seat: Key::of_file(letter).seat().map(str::to_owned),
        to: to.to_owned(),
        since: since.to_owned(),
        state,
    };
    let Some(book) = book else { return Ok(Vec::new()) };
    let mut waiting = Vec::new();
    for name in names {
        match book.letter_out(&name) {
            // A crash left it before it was noted; it will be noted when the game is next opened.
            None => waiting.push(queued(&name, "", "", State::Waiting)),
            Some(out) => match out.state {
                State::Waiting | State::Tried { .. } | State::Held { .. } => {
                    waiting.push(queued(&name, &out.to, &out.at, out.state.clone()));
                }
                State::Sent { .. } | State::Dead { .. } | State::GivenUp { .. } => {}
            },
        }
    }
    waiting.sort_by(|one, other| (&one.since, &one.letter).cmp(&(&other.since, &other.letter)));
    let with = |is_meant: fn(&State) -> bool| {
        let meant = book.letters_out().filter(move |out| is_meant(&out.state));
        meant.map(|out| queued(&out.letter, &out.to, &out.at, out.state.clone())).collect::<Vec<Queued>>()
    };
    waiting.extend(with(|state| matches!(state, State::Dead { .. })));
    waiting.extend(with(|state| matches!(state, State::GivenUp { .. })));
    Ok(waiting)
}

/// Finds a letter by its id, the beginning of its id, or the name of its file.
pub fn named<'a>(letters: impl IntoIterator<Item = &'a Queued>, written: &str) -> Result<&'a Queued, Unnamed> {
    let wanted = written.trim().to_lowercase();
    let is_meant = |letter: &&Queued| {
        let is_named = letter.letter == written || letter.letter.trim_end_matches(".eml") == written;
        is_named || (wanted.len() >= FEWEST && id(letter.game.as_deref(), &letter.letter).starts_with(&wanted))
    };
    let found: Vec<&Queued> = letters.into_iter().filter(is_meant).collect();
    match found.as_slice() {
        [] => Err(Unnamed::Nothing),
        [one] => Ok(one),
        // Longer than ids are usually shown, so that each letter can be named.
        some => {
            let ids = some.iter().map(|letter| id(letter.game.as_deref(), &letter.letter)[..2 * SHOWN].to_owned());
            Err(Unnamed::Several(ids.collect()))
        }
    }
}

impl Office {
    /// Does what the host wants with a letter, and notes it in the book. Waits up to `patience` for a process that
    /// sends, or that is at work on the game. `Ok(Err(…))` says why nothing was done.
    pub fn grant(
        &self,
        game: Option<&str>,
        letter: &str,
        wish: &Wish,
        patience: Duration,
        at: Stamp,
    ) -> Result<Result<(), Declined>, PostError> {
        let mut sender = Sender::open_within(self.drawer(game), patience)?;
        sender.with_book(patience, |outbox, book| grant(letter, wish, outbox, book, at))
    }
}

fn grant(
    name: &str,
    wish: &Wish,
    outbox: &Outbox,
    book: &mut Book,
    now: Stamp,
) -> Result<Result<(), Declined>, PostError> {
    let Some(shelf) = outbox.shelf(name)? else { return Ok(Err(Declined::Gone)) };
    if book.letter_out(name).is_none() && shelf == Shelf::Outbox {
        let Some(cover) = outbox.letter(name)?.0 else { return Ok(Err(Declined::Gone)) };
        let (at, letter, to) = (now.to_string(), name.to_owned(), cover.to.to_string());
        book.append(Event::Queued { at, letter, to, told: None, invitation: None })?;
    }
    let Some(state) = book.letter_out(name).map(|out| out.state.clone()) else { return Ok(Err(Declined::Gone)) };
    let (at, letter) = (now.to_string(), name.to_owned());
    let declined = |why| Ok(Err(why));
    match (wish, state) {
        (_, State::Sent { at }) => return declined(Declined::Sent { at }),
        (Wish::Retry, State::Held { at }) => return declined(Declined::Held { at }),
        (Wish::Retry, State::Waiting | State::Tried { .. }) | (Wish::Release, State::Held { .. }) => {
            book.append(Event::Hurried { at, letter })?;
        }
        (Wish::Retry, State::Dead { .. } | State::GivenUp { .. }) => {
            if !outgoing::once_more(name, outbox, book, now)? {
                return declined(Declined::Gone);
            }
            book.append(Event::Hurried { at, letter })?;
        }
        (Wish::Release, _) => return declined(Declined::NotHeld),
        (Wish::Hold, State::Waiting | State::Tried { .. }) => book.append(Event::Held { at, letter })?,
        (Wish::Hold, State::Held { at }) => return declined(Declined::Held { at }),
        (Wish::Hold, State::Dead { .. }) => return declined(Declined::Dead),
        (Wish::Hold | Wish::Drop(_), State::GivenUp { at, .. }) => return declined(Declined::GivenUp { at }),
        (Wish::Drop(why), State::Waiting | State::Tried { .. } | State::Held { .. } | State::Dead { .. }) => {
            book.append(Event::GivenUp { at, letter, why: why.clone() })?;
            // After a crash between the two, the letter is moved when it is next looked at.
            if shelf == Shelf::Outbox {
                outbox.file(name, Shelf::Outbox, Shelf::Dead)?;
            }
        }
    }
    Ok(Ok(()))
}
