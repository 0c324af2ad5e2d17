/*! What waits in an outbox is handed over: each letter once, in order, with patience (requirement S6).

The book says what became of every try. A letter is filed as sent only after the carrier took it: a crash in between
sends it again, with the same Message-ID and the same bytes, which mail programs show once.
*/

use super::book::{Book, BookError, Event, State};
use super::carrier::{Carrier, Cover, NotCarried};
use super::outbox::{Outbox, Shelf};
use crate::record::stamp::Stamp;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use std::io;

/// Minutes from one try to the next; the last stands for all that follow.
const PATIENCE: [i64; 6] = [1, 5, 15, 60, 240, 720];
/// After four days a letter is dead (RFC 5321 §4.5.4.1 asks for four or five).
const PATIENCE_HOURS_MAX: i64 = 4 * 24;

/// What a round of sending did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    pub sent: Vec<String>,
    /// Tried and put back, with the server's reply.
    pub later: Vec<(String, String)>,
    /// Refused for good, with the server's reply.
    pub dead: Vec<(String, String)>,
    /// Not tried: their time has not come.
    pub resting: usize,
    /// The carrier is out of service; the rest of the letters was not tried.
    pub no_service: Option<String>,
}

/// Why sending stopped altogether.
#[derive(Debug)]
pub enum SendError {
    Book(BookError),
    Outbox(io::Error),
}

impl fmt::Display for SendError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::Book(error) => error.fmt(formatter),
            SendError::Outbox(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for SendError {}

impl From<BookError> for SendError {
    fn from(error: BookError) -> SendError {
        SendError::Book(error)
    }
}

impl From<io::Error> for SendError {
    fn from(error: io::Error) -> SendError {
        SendError::Outbox(error)
    }
}

/// Hands over what waits and whose time has come.
///
/// # Errors
/// The book or the outbox cannot be read or written. What was sent until then is recorded.
pub fn send(outbox: &Outbox, book: &mut Book, carrier: &mut dyn Carrier, now: Stamp) -> Result<Round, SendError> {
    let mut round = Round::default();
    for name in outbox.waiting()? {
        let state = book.letter_out(&name).map_or(State::Waiting, |letter| letter.state.clone());
        match state {
            // The letter was taken, and the crash came before it was filed.
            State::Sent { .. } => outbox.file(&name, Shelf::Outbox, Shelf::Sent)?,
            State::Dead { .. } => outbox.file(&name, Shelf::Outbox, Shelf::Dead)?,
            State::Tried { times, last, .. } if !is_due(times, &last, now) => round.resting += 1,
            State::Waiting | State::Tried { .. } => {
                let bytes = outbox.read(Shelf::Outbox, &name)?;
                let carried = match Cover::of(&bytes) {
                    Some(cover) => carrier.carry(&name, &cover, &bytes),
                    None => Err(NotCarried::Never { reply: "the file is no letter of ours".to_owned() }),
                };
                if !record(&name, carried, &state, outbox, book, now, &mut round)? {
                    break;
                }
            }
        }
    }
    Ok(round)
}

/// Writes down what became of one try. `false` if no further letter should be tried now.
fn record(
    name: &str,
    carried: Result<String, NotCarried>,
    before: &State,
    outbox: &Outbox,
    book: &mut Book,
    now: Stamp,
    round: &mut Round,
) -> Result<bool, SendError> {
    let (at, letter) = (now.to_string(), name.to_owned());
    match carried {
        Ok(reply) => {
            book.append(Event::Sent { at, letter: letter.clone(), reply })?;
            outbox.file(name, Shelf::Outbox, Shelf::Sent)?;
            round.sent.push(letter);
        }
        Err(NotCarried::Later { reply }) if !is_too_late(before, now) => {
            book.append(Event::Tried { at, letter: letter.clone(), reply: reply.clone() })?;
            round.later.push((letter, reply));
        }
        Err(NotCarried::Later { reply } | NotCarried::Never { reply }) => {
            book.append(Event::Dead { at, letter: letter.clone(), reply: reply.clone() })?;
            outbox.file(name, Shelf::Outbox, Shelf::Dead)?;
            round.dead.push((letter, reply));
        }
        Err(NotCarried::NoService { reason }) => {
            round.no_service = Some(reason);
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_due(times: u32, last: &str, now: Stamp) -> bool {
    let index = usize::try_from(times).unwrap_or(usize::MAX).saturating_sub(1).min(PATIENCE.len() - 1);
    passed(last, now).is_none_or(|passed| passed >= SignedDuration::from_mins(PATIENCE[index]))
}

fn is_too_late(before: &State, now: Stamp) -> bool {
    let State::Tried { first, .. } = before else { return false };
    passed(first, now).is_some_and(|passed| passed > SignedDuration::from_hours(PATIENCE_HOURS_MAX))
}

fn passed(since: &str, now: Stamp) -> Option<SignedDuration> {
    let since: Timestamp = since.parse().ok()?;
    let now: Timestamp = now.as_str().parse().ok()?;
    Some(now.duration_since(since))
}
