/*! Hands over the letters in an outbox: each once, in order, and again later if it is not taken (requirement S6).
While a letter is on its way, its outbox is locked, but not its game.

The book says what became of every try. A letter is filed as sent only after the carrier has taken it: after a crash
in between it is sent again, with the same Message-ID and the same bytes, and mail programs show it once.
*/

use crate::book::fault::PostError;
use crate::book::outbox::{Outbox, Shelf};
use crate::book::{Book, Event, State};
use ground::span::Span;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use mail::wire::carrier::{Carrier, Cover, NotCarried};
use net::transcript::without_details;
use record::file::log;
use record::table::table_error::TableError;
use std::io;
use std::time::Duration;
use store::drawer::Drawer;
use store::home::Lock;

/// Minutes from one try to the next; all later tries use the last value.
const PATIENCE: [i64; 6] = [1, 5, 15, 60, 240, 720];
/// After four days a letter is dead (RFC 5321 §4.5.4.1 asks for four or five).
const PATIENCE_HOURS_MAX: i64 = 4 * 24;

/// The least time to wait for a locked game, to note what became of a letter.
const NOTING: Duration = Duration::from_secs(60);

/// What a round of sending did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    pub sent: Vec<String>,
    /// Tried and put back, with the server's reply.
    pub later: Vec<(String, String)>,
    /// Refused for good, with the server's reply.
    pub dead: Vec<(String, String)>,
    /// Letters that were not tried, because it is too early for the next try or the host holds them.
    pub resting: usize,
    /// Why sending stopped: no letter can be sent now, or the server fell silent over the last one. The rest was not
    /// tried.
    pub no_service: Option<String>,
}

/// What to do with a letter in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// Carry it now.
    Carry { cover: Cover, bytes: Vec<u8> },
    /// The file is no letter of ours: it has no addressee.
    NoLetter,
    /// It is too early for the next try, or the host holds it back.
    Rests,
    /// It is no longer here, or a crash had left it here and it has been moved to its shelf.
    Filed,
}

/// What became of a letter that was carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    Sent {
        reply: String,
    },
    Later {
        reply: String,
    },
    Dead {
        reply: String,
    },
    /// It is tried again later, and no other letter is sent for a while.
    Silent {
        reply: String,
    },
    /// Nothing can be sent now; this letter is not the reason.
    NoService {
        reason: String,
    },
}

/// The outbox of a game, or of the counter, from which one process sends. The book beside it is read and written
/// under the lock of the game, which is free in between.
#[derive(Debug)]
pub struct Sender {
    drawer: Drawer,
    patience: Duration,
    outbox: Outbox,
    book: Option<Book>,
    _sending: Lock,
}

impl Sender {
    /// Locks the outbox in a drawer for sending. Later it waits up to `patience` for its game, if another process is
    /// at it.
    pub fn open(drawer: impl Into<Drawer>, patience: Duration) -> Result<Sender, PostError> {
        Sender::locked(drawer.into(), patience, Duration::ZERO)
    }

    /// As [`Sender::open`], but also waits up to `patience` for another process that sends.
    pub fn open_within(drawer: impl Into<Drawer>, patience: Duration) -> Result<Sender, PostError> {
        Sender::locked(drawer.into(), patience, patience)
    }

    fn locked(drawer: Drawer, patience: Duration, for_others: Duration) -> Result<Sender, PostError> {
        let outbox = Outbox::at(&drawer);
        let sending = outbox.lock_within(for_others).map_err(TableError::from)?;
        Ok(Sender { drawer, patience, outbox, book: None, _sending: sending })
    }

    /// Hands over the waiting letters whose time has come. After an error, the book still knows what was sent.
    pub fn send(&mut self, carrier: &mut dyn Carrier, now: &dyn Fn() -> Stamp) -> Result<Round, PostError> {
        let mut round = Round::default();
        for name in self.outbox.waiting()? {
            let carried = match self.with_book(self.patience, |outbox, book| ready(&name, outbox, book, now()))? {
                Ready::Carry { cover, bytes } => carrier.carry(&name, &cover, &bytes),
                Ready::NoLetter => Err(no_letter()),
                Ready::Rests => {
                    round.resting += 1;
                    continue;
                }
                Ready::Filed => continue,
            };
            // If a letter was taken and this is not noted, it is sent again: so we have more patience here.
            let patience = self.patience.max(NOTING);
            match self.with_book(patience, |outbox, book| note(&name, carried, outbox, book, now()))? {
                Became::Sent { .. } => round.sent.push(name),
                Became::Later { reply } => round.later.push((name, reply)),
                Became::Dead { reply } => round.dead.push((name, reply)),
                Became::Silent { reply } => {
                    round.later.push((name, reply.clone()));
                    round.no_service = Some(reply);
                    break;
                }
                Became::NoService { reason } => {
                    round.no_service = Some(reason);
                    break;
                }
            }
        }
        Ok(round)
    }

    /// Does something under the lock of the game, with the book as it is at that time.
    pub(super) fn with_book<T>(
        &mut self,
        patience: Duration,
        act: impl FnOnce(&Outbox, &mut Book) -> Result<T, PostError>,
    ) -> Result<T, PostError> {
        let _lock = log::lock_within(&self.drawer, patience).map_err(TableError::from)?;
        let mut book = match self.book.take().filter(Book::is_as_it_was) {
            Some(book) => book,
            None => Book::open(&self.drawer)?,
        };
        let done = act(&self.outbox, &mut book)?;
        self.book = book.rest().then_some(book);
        Ok(done)
    }
}

/// Why a file that is no letter of ours is not sent.
pub fn no_letter() -> NotCarried {
    NotCarried::Never { reply: "the file is no letter of ours".to_owned() }
}

/// What to do with a letter in the outbox. If a crash left it there, moves it to its shelf.
pub fn ready(name: &str, outbox: &Outbox, book: &Book, now: Stamp) -> Result<Ready, PostError> {
    let shelf = match book.letter_out(name).map_or(&State::Waiting, |letter| &letter.state) {
        State::Sent { .. } => Shelf::Sent,
        State::Dead { .. } | State::GivenUp { .. } => Shelf::Dead,
        State::Held { .. } => return Ok(Ready::Rests),
        State::Tried { times, last, .. } if !is_due(*times, last, now) => return Ok(Ready::Rests),
        State::Waiting | State::Tried { .. } => {
            return match outbox.letter(name) {
                // Another process may have sent it since the outbox was listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ready::Filed),
                Err(error) => Err(error.into()),
                Ok((cover, bytes)) => Ok(cover.map_or(Ready::NoLetter, |cover| Ready::Carry { cover, bytes })),
            };
        }
    };
    // The letter was taken, but the crash came before it was filed.
    if outbox.shelf(name)? == Some(Shelf::Outbox) {
        outbox.file(name, Shelf::Outbox, shelf)?;
    }
    Ok(Ready::Filed)
}

/// Notes what became of one try. What an earlier attempt or another process has noted stays as it is.
///
/// # Errors
/// It may have been noted all the same: the book, opened again, says so. If it was not, and the letter was taken, it is
/// sent again, the same to the byte.
pub fn note(
    name: &str,
    carried: Result<String, NotCarried>,
    outbox: &Outbox,
    book: &mut Book,
    now: Stamp,
) -> Result<Became, PostError> {
    let (at, letter) = (now.to_string(), name.to_owned());
    let carried = without_tokens(carried);
    match book.letter_out(name).map(|out| &out.state) {
        Some(State::Sent { .. }) => {
            outbox.file(name, Shelf::Outbox, Shelf::Sent)?;
            return Ok(Became::Sent { reply: carried.unwrap_or_else(|not| not.to_string()) });
        }
        Some(State::Dead { reply }) => {
            let reply = reply.clone();
            outbox.file(name, Shelf::Outbox, Shelf::Dead)?;
            return Ok(Became::Dead { reply });
        }
        _ => {}
    }
    match carried {
        Ok(reply) => {
            book.append(Event::Sent { at, letter, reply: reply.clone() })?;
            outbox.file(name, Shelf::Outbox, Shelf::Sent)?;
            Ok(Became::Sent { reply })
        }
        Err(NotCarried::Later { reply }) if !book.letter_out(name).is_some_and(|out| is_too_late(&out.state, now)) => {
            book.append(Event::Tried { at, letter, reply: reply.clone() })?;
            Ok(Became::Later { reply })
        }
        // However long a server is silent, no letter dies of it.
        Err(NotCarried::Silent { reply }) => {
            book.append(Event::Tried { at, letter, reply: reply.clone() })?;
            Ok(Became::Silent { reply })
        }
        Err(NotCarried::Later { reply } | NotCarried::Never { reply }) => {
            book.append(Event::Dead { at, letter, reply: reply.clone() })?;
            outbox.file(name, Shelf::Outbox, Shelf::Dead)?;
            Ok(Became::Dead { reply })
        }
        Err(NotCarried::NoService { reason }) => Ok(Became::NoService { reason }),
    }
}

/// X3: a server may repeat the envelope sender, whose code is a secret, and the host reads the reply.
fn without_tokens(carried: Result<String, NotCarried>) -> Result<String, NotCarried> {
    carried.map(|reply| without_details(&reply)).map_err(|not| match not {
        NotCarried::Later { reply } => NotCarried::Later { reply: without_details(&reply) },
        NotCarried::Silent { reply } => NotCarried::Silent { reply: without_details(&reply) },
        NotCarried::Never { reply } => NotCarried::Never { reply: without_details(&reply) },
        NotCarried::NoService { reason } => NotCarried::NoService { reason: without_details(&reason) },
    })
}

/// When a letter is tried again after `times` tries, the last at this time; after `Hurried`, at once.
pub fn next_try(times: u32, last: &str) -> Option<Stamp> {
    let last = Stamp::parse(last)?;
    let index = usize::try_from(times).unwrap_or(usize::MAX).min(PATIENCE.len());
    Some(index.checked_sub(1).map_or(last, |index| last.later(Span::minutes(PATIENCE[index]))))
}

fn is_due(times: u32, last: &str, now: Stamp) -> bool {
    next_try(times, last).is_none_or(|next| next <= now)
}

fn is_too_late(before: &State, now: Stamp) -> bool {
    let State::Tried { first, .. } = before else { return false };
    now.since_written(first).is_some_and(|passed| passed > SignedDuration::from_hours(PATIENCE_HOURS_MAX))
}
