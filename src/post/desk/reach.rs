/*! Whether a player can be reached (requirement L4): which of his letters came back, on which days, and what follows.

An address is dead when letters to it failed for good on two different days and its player has not written since. A
letter that failed once is sent again a day later, so that one bad day of a server is not taken for a dead address, and
a dead one is found out even if nothing else happens in the game.
*/

use super::Desk;
use crate::book::fault::PostError;
use crate::book::{Book, Event, Failure, LetterOut, State, outgoing};
use crate::names::address::{self, Place};
use crate::names::message_id::MessageId;
use crate::names::return_path;
use crate::names::returned::Returned;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::bounce::Finality;
use mail::letter::mailbox::Mailbox;
use record::file::secrets::SeatSecrets;
use serde::Serialize;
use std::collections::BTreeSet;

/// The number of different days on which a letter must have failed.
const DAYS: usize = 2;
/// A letter that failed once is tried again after this time.
const AGAIN_AFTER: Span = Span::hours(24);

/// A player whom letters do not reach any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreachable {
    pub seat: String,
    pub to: String,
    /// The time of the first failure.
    pub since: String,
    /// What the server said last.
    pub said: String,
}

/// Whether the player of a seat is not reached any more at an address.
pub fn unreachable(book: &Book, seat: &str, to: &Mailbox) -> Option<Unreachable> {
    let failures = failures(book, seat, to);
    let days: BTreeSet<&str> = failures.iter().filter_map(|failure| failure.at.get(..10)).collect();
    let (first, last) = (failures.first()?, failures.last()?);
    (days.len() >= DAYS).then(|| Unreachable {
        seat: seat.to_owned(),
        to: to.to_string(),
        since: first.at.clone(),
        said: last.said.clone(),
    })
}

/// The players of a game who are not reached any more.
pub fn lost(desk: &Desk) -> Vec<Unreachable> {
    let seats = &desk.table.secrets().seats;
    let first = seats.iter().filter_map(|seat| Some((seat, Mailbox::read(seat.addresses.first()?)?)));
    first.filter_map(|(seat, to)| unreachable(&desk.book, &seat.seat, &to)).collect()
}

/// What failed for good since the player wrote last: a player who writes can be reached.
fn failures<'a>(book: &'a Book, seat: &'a str, to: &Mailbox) -> Vec<&'a Failure> {
    let wrote = book.letters_in().filter(|letter| letter.seat.as_deref() == Some(seat)).map(|letter| &letter.at).max();
    let counts = |returned: &&Failure| {
        returned.verdict == Finality::Never
            && Mailbox::read(&returned.to).as_ref() == Some(to)
            && wrote.is_none_or(|wrote| returned.at > *wrote)
    };
    book.returned(seat).filter(counts).collect()
}

/// What is known of the letter that asks a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Nobody has tried to send it yet, or the time is unknown because somebody else hands the letters over.
    Unknown,
    /// A server took it at this time.
    Taken(Stamp),
    /// It was tried and not taken, or it came back.
    Failed,
}

/// S6: whether the letter has left that asks a seat the question of this entry.
pub fn asking(desk: &Desk, seat: &str, seq: u64) -> Asking {
    let mut asking = Asking::Unknown;
    let returned: Option<&Failure> =
        desk.book.returned(seat).filter(|returned| returned.verdict == Finality::Never).last();
    for (out, _) in desk.book.letters_to(seat).filter(|(_, told)| told.seq >= seq) {
        match &out.state {
            State::Sent { at } if returned.is_none_or(|returned| returned.at < *at) => {
                return Stamp::parse(at).map_or(Asking::Unknown, Asking::Taken);
            }
            State::Sent { .. } | State::Tried { .. } | State::Dead { .. } => asking = Asking::Failed,
            // A player is not late because the host holds his letter back.
            State::Held { .. } | State::GivenUp { .. } => asking = Asking::Failed,
            State::Waiting => {}
        }
    }
    asking
}

/// Notes a bounce at the desk it concerns. `None` if nothing connects it with a letter of this game. Either it came
/// to the return path of the seat, or it names a letter of the seat and quotes a secret that only such a letter
/// contains.
pub fn note(desk: &mut Desk, returned: &Returned, at: Stamp) -> Result<Option<Place>, PostError> {
    let secrets = desk.table.secrets();
    let key = secrets.token_key;
    let Returned { bounce, letter: named, path, quoted } = returned;
    let is_proof = |(place, secret): &(Place, String)| {
        let is_ours = *secret == return_path::code(place, &key) || *secret == address::token_now(secrets, place);
        is_ours && named.as_ref().is_some_and(|named| Place::of(named) == *place)
    };
    let is_proven = quoted.iter().any(is_proof);
    let letter = named.as_ref().map(MessageId::file_name).filter(|name| desk.book.letter_out(name).is_some());
    let by_letter = letter.as_ref().filter(|_| is_proven).and(named.as_ref()).map(Place::of);
    let by_path = path.as_ref().filter(|(place, code)| *code == return_path::code(place, &key));
    let Some(place) = by_letter.or_else(|| by_path.map(|(place, _)| place.clone())) else { return Ok(None) };
    let registered = desk.table.secrets().seats.iter().find(|seat| seat.seat == place.seat);
    let address = registered.and_then(|seat| seat.addresses.first()).cloned();
    let written = letter.as_ref().and_then(|name| desk.book.letter_out(name)).map(|out| out.to.clone());
    // The address we wrote to, not the one it was forwarded to: only the first is ours to change.
    let Some(to) = written.or(address) else { return Ok(None) };
    let (at, seat, said) = (at.to_string(), place.seat.clone(), bounce.said.clone());
    desk.book.append(Event::Bounced { at, seat, to, letter, verdict: bounce.verdict, said })?;
    Ok(Some(place))
}

/// The letters that failed once and are to be sent again, and when.
fn to_send_again(desk: &Desk) -> Vec<(Stamp, LetterOut)> {
    let due = |seat: &SeatSecrets| {
        let to = Mailbox::read(seat.addresses.first()?)?;
        let failures = failures(&desk.book, &seat.seat, &to);
        let last = failures.last().filter(|_| failures.len() < DAYS)?;
        let is_newest = |out: &&LetterOut| match &out.state {
            State::Sent { at } => *at <= last.at,
            State::Dead { .. } => true,
            State::Waiting | State::Tried { .. } | State::Held { .. } | State::GivenUp { .. } => false,
        };
        let newest = desk.book.letters_to(&seat.seat).next_back().map(|(out, _)| out).filter(is_newest)?;
        Some((Stamp::parse(&last.at)?.later(AGAIN_AFTER), newest.clone()))
    };
    desk.table.secrets().seats.iter().filter_map(due).collect()
}

/// When the next letter that failed once is sent again.
pub fn next_again(desk: &Desk) -> Option<Stamp> {
    to_send_again(desk).into_iter().map(|(due, _)| due).min()
}

/// Puts letters that failed once into the outbox again, a day later. Returns their names.
pub fn send_again(desk: &mut Desk, at: Stamp) -> Result<Vec<String>, PostError> {
    let again = to_send_again(desk).into_iter().filter(|(due, _)| *due <= at);
    let mut names = Vec::new();
    for (_, out) in again {
        if outgoing::once_more(&out.letter, &desk.outbox, &mut desk.book, at)? {
            names.push(out.letter);
        }
    }
    Ok(names)
}
