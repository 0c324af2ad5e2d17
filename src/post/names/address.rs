/*! Whose letter it is (requirements A1, A2, A4): the letter itself says which seat it is from; nothing is guessed.

A seat's address is `box+<game>.<seat>.<token>@host`, and every letter of ours asks to be answered there. If a mail
program answers to the bare mailbox, our Message-ID in `In-Reply-To` or the tag in the subject gives the game, and the
author's registered address gives the seat. All of these must agree; a contradiction is answered with an explanation,
never resolved.
*/

use super::message_id::{self, MessageId, SubjectTag};
use data_encoding::BASE32_NOPAD;
use ground::line::cleaned;
use hmac::{Hmac, KeyInit, Mac};
use mail::letter::mailbox::Mailbox;
use mail::letter::{Envelope, NoAuthor};
use record::commit::words::WORDS_IN_SUBJECT;
use record::entry::Head;
use record::file::secrets::Secrets;
use sha2::Sha256;
use std::collections::BTreeSet;
use std::fmt;

/// A seat of a game, by their names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub game: String,
    pub seat: String,
}

impl Place {
    /// The seat that a letter of ours was written to.
    pub fn of(letter: &MessageId) -> Place {
        Place { game: letter.game.clone(), seat: letter.seat.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} in {}", self.seat, self.game)
    }
}

/// The token of a seat's address: ten letters of an HMAC over game, seat and epoch (A1). A new epoch is a new token.
pub fn token(key: &[u8], place: &Place, epoch: u32) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("an HMAC takes a key of any length");
    for part in [&place.game, &place.seat] {
        let length = u16::try_from(part.len()).expect("names of games and seats are at most 64 letters");
        code.update(&length.to_be_bytes());
        code.update(part.as_bytes());
    }
    code.update(&epoch.to_be_bytes());
    let code = BASE32_NOPAD.encode(&code.finalize().into_bytes());
    code[..10].to_ascii_lowercase()
}

/// The address at which a seat's answers are expected: Reply-To of all its letters (A3).
pub fn seat_address(ours: &Mailbox, place: &Place, token: &str) -> Mailbox {
    let local = format!("{}+{}.{}.{token}", ours.base().local, place.game, place.seat);
    Mailbox { local, host: ours.host.clone() }
}

/// The token of a seat as it is now.
pub fn token_now(secrets: &Secrets, place: &Place) -> String {
    token(&secrets.token_key.0, place, epoch(secrets, place))
}

/// How many tokens of a seat became void before its present one.
pub fn epoch(secrets: &Secrets, place: &Place) -> u32 {
    secrets.seats.iter().find(|seat| seat.seat == place.seat).map_or(0, |seat| seat.token_epoch)
}

/// The addresses that are registered for a seat, or for the place of a guest.
pub fn registered(secrets: &Secrets, seat: &str) -> Vec<Mailbox> {
    let written = secrets.seats.iter().filter(|known| known.seat == seat).flat_map(|known| &known.addresses);
    written.filter_map(|written| Mailbox::read(written)).collect()
}

/// What the post asks about the games it serves.
pub trait Register {
    /// The seats of a game; `None` if there is no such game.
    fn seats(&self, game: &str) -> Option<Vec<String>>;
    /// Whether this is the seat's present token.
    fn accepts_token(&self, place: &Place, token: &str) -> bool;
    /// The addresses from which the seat's player writes (A4).
    fn addresses(&self, place: &Place) -> Vec<Mailbox>;
    /// Whether a place is a seat of the table; otherwise it is that of a guest.
    fn is_seat(&self, _place: &Place) -> bool {
        true
    }
}

/// How sure we are that the seat's player wrote the letter (A5), judged by its envelope and header alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// A5, level 0: From is a registered address.
    Address,
    /// A5, level 1: From is registered, and the letter came to the seat's own address, with its token.
    Token,
}

/// The seat a letter speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub place: Place,
    pub assurance: Assurance,
    /// What the writer had seen when he wrote (I2); `None` for a letter that answers none of ours.
    pub seen: Option<Seen>,
}

/// The state of the game that a letter is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub seq: u64,
    /// The head in hexadecimal: all 64 digits from a Message-ID, the first 20 from a subject, the first 12 from
    /// the first line of a letter.
    pub head: String,
}

/// Why a letter finds no seat. No variant tells the writer anything that he did not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Astray {
    NoAuthor(NoAuthor),
    /// Nothing in the letter names a seat.
    NoSeat,
    /// The address has not the form of a seat's address.
    NotASeatAddress {
        detail: String,
    },
    UnknownGame {
        game: String,
    },
    UnknownSeat {
        place: Place,
        seats: Vec<String>,
    },
    WrongToken {
        place: Place,
    },
    /// The letter is addressed to two seats.
    TwoSeats {
        one: Place,
        other: Place,
    },
    /// It is addressed to one seat, but answers a letter to another.
    Contradiction {
        addressed: Place,
        answered: Place,
    },
    /// The author is not registered for the seat, with or without its token (A8).
    NotTheirs {
        place: Place,
        author: Mailbox,
    },
    /// The author holds several seats of the game, and nothing in the letter says for which it speaks.
    SeveralSeats {
        game: String,
        seats: Vec<String>,
    },
    /// The author holds no seat of the game.
    NoSeatOfTheirs {
        game: String,
        author: Mailbox,
    },
    /// A stranger asks for a place at a table that does not exist or welcomes no strangers.
    NotWelcome {
        game: String,
    },
    /// He was invited before.
    Invited {
        game: String,
    },
    /// No seat is open there.
    Full {
        game: String,
    },
}

impl fmt::Display for Astray {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Astray::NoAuthor(reason) => reason.fmt(formatter),
            Astray::NoSeat => {
                write!(
                    formatter,
                    "the letter does not say which seat it speaks for; answer one of the letters you got, \
                     or write to the address in its Reply-To"
                )
            }
            Astray::NotASeatAddress { detail } => {
                write!(
                    formatter,
                    "`+{detail}` names no seat; the address of a seat reads +game.seat.token, as in Reply-To"
                )
            }
            Astray::UnknownGame { game } => write!(formatter, "there is no game {game} here"),
            Astray::UnknownSeat { place, seats } => {
                let seats = seats.join(", ");
                write!(formatter, "{} has no seat {}; its seats are: {seats}", place.game, place.seat)
            }
            Astray::WrongToken { place } => {
                write!(formatter, "the token in the address is not that of {place}; answer the newest letter you got")
            }
            Astray::TwoSeats { one, other } => {
                write!(formatter, "the letter is addressed to two seats, {one} and {other}; write one letter to each")
            }
            Astray::Contradiction { addressed, answered } => {
                write!(
                    formatter,
                    "the letter is addressed to {addressed}, but answers a letter to {answered}; \
                     answer the letter of the seat you mean"
                )
            }
            Astray::NotTheirs { place, author } => {
                write!(
                    formatter,
                    "{author} is not an address registered for {place}; write from the address your letters come to"
                )
            }
            Astray::SeveralSeats { game, seats } => {
                let seats = seats.join(", ");
                write!(formatter, "you hold several seats of {game} ({seats}); answer the letter of the seat you mean")
            }
            Astray::NoSeatOfTheirs { game, author } => {
                write!(
                    formatter,
                    "{author} is not an address registered for any seat of {game}; \
                     write from the address your letters come to"
                )
            }
            Astray::NotWelcome { game } => {
                write!(formatter, "no table called {game} is open to guests here; its host can invite you")
            }
            Astray::Invited { game } => {
                write!(formatter, "you are invited to {game} already; answer the letter that you got then")
            }
            Astray::Full { game } => {
                write!(formatter, "every seat of {game} is taken; `observe {game}` asks to watch it")
            }
        }
    }
}

impl std::error::Error for Astray {}

/// Finds the seat a letter speaks for.
///
/// # Errors
/// [`Astray`] if nothing names one seat, or if the names disagree.
pub fn route(envelope: &Envelope, ours: &Mailbox, register: &dyn Register) -> Result<Route, Astray> {
    let author = envelope.author.clone().map_err(Astray::NoAuthor)?;
    let addressed = addressed(envelope, ours)?;
    let answered = answered(envelope, ours);
    let tag = SubjectTag::find(&envelope.subject);
    if let Some((place, token)) = addressed {
        known(&place, register)?;
        if !register.accepts_token(&place, &token) {
            return Err(Astray::WrongToken { place });
        }
        if let Some(answered) = answered.as_ref().filter(|answered| Place::of(answered) != place) {
            return Err(Astray::Contradiction { addressed: place, answered: Place::of(answered) });
        }
        theirs(&place, &author, register)?;
        let seen = based_on(&place, answered, tag);
        return Ok(Route { place, assurance: Assurance::Token, seen });
    }
    let place = match (&answered, &tag) {
        (Some(answered), _) => Place::of(answered),
        (None, Some(tag)) => seat_of(&author, &tag.game, register)?,
        (None, None) => return Err(Astray::NoSeat),
    };
    known(&place, register)?;
    theirs(&place, &author, register)?;
    let seen = based_on(&place, answered, tag);
    Ok(Route { place, assurance: Assurance::Address, seen })
}

/// Whether a letter came to the address of a seat, with the seat's present token.
pub fn bears_token(envelope: &Envelope, ours: &Mailbox, place: &Place, secrets: &Secrets) -> bool {
    let token = token_now(secrets, place);
    addressed(envelope, ours).is_ok_and(|found| found.is_some_and(|found| found == (place.clone(), token)))
}

/// The games that a letter names, by the addresses it was sent to, the letter it answers, and its subject: to find
/// its seat, the registers of these games are needed.
pub fn games_named(envelope: &Envelope, ours: &Mailbox) -> BTreeSet<String> {
    let to_us = envelope.delivered_to.iter().chain(&envelope.recipients).filter(|to| to.is_at(ours));
    let addressed = to_us.filter_map(Mailbox::detail).filter_map(claim).map(|(place, _)| place.game);
    let answered = answered(envelope, ours).map(|answered| answered.game);
    addressed.chain(answered).chain(SubjectTag::find(&envelope.subject).map(|tag| tag.game)).collect()
}

/// Whether a letter names a game of ours, by the address it was sent to, the letter it answers, or its subject.
pub fn names_a_game(envelope: &Envelope, ours: &Mailbox) -> bool {
    let mut to_us = envelope.delivered_to.iter().chain(&envelope.recipients).filter(|to| to.is_at(ours));
    let is_addressed = to_us.any(|to| to.detail().is_some());
    is_addressed || answered(envelope, ours).is_some() || SubjectTag::find(&envelope.subject).is_some()
}

/// A2: the one seat whose address the letter was sent to. The envelope that the carrier noted, `To` and `Cc` count
/// together, because a second token in any of them is a contradiction.
fn addressed(envelope: &Envelope, ours: &Mailbox) -> Result<Option<(Place, String)>, Astray> {
    let mut found: Option<(Place, String)> = None;
    let to_us = envelope.delivered_to.iter().chain(&envelope.recipients).filter(|to| to.is_at(ours));
    for detail in to_us.filter_map(Mailbox::detail) {
        let claim = claim(detail).ok_or_else(|| Astray::NotASeatAddress { detail: cleaned(detail, 80) })?;
        match &found {
            Some(first) if first.0 != claim.0 => {
                return Err(Astray::TwoSeats { one: first.0.clone(), other: claim.0 });
            }
            Some(first) if first.1 != claim.1 => return Err(Astray::WrongToken { place: claim.0 }),
            _ => found = Some(claim),
        }
    }
    Ok(found)
}

/// The seats whose addresses a letter names in `To` and `Cc`, in any mailbox.
pub fn claims(envelope: &Envelope) -> Vec<Place> {
    envelope.recipients.iter().filter_map(Mailbox::detail).filter_map(claim).map(|(place, _)| place).collect()
}

/// Reads the part after the `+`. Some carriers change the case of local parts; ours are all lower case.
pub(super) fn claim(detail: &str) -> Option<(Place, String)> {
    let detail = detail.to_lowercase();
    let mut parts = detail.split('.');
    let game = parts.next().filter(|game| message_id::is_game(game))?;
    let seat = parts.next().filter(|seat| message_id::is_seat(seat))?;
    let token = parts.next().filter(|token| message_id::is_seat(token))?;
    let place = Place { game: game.to_owned(), seat: seat.to_owned() };
    parts.next().is_none().then(|| (place, token.to_owned()))
}

/// The letter of ours that this one answers: `In-Reply-To`, or the last of ours among `References`.
fn answered(envelope: &Envelope, ours: &Mailbox) -> Option<MessageId> {
    let is_ours = |written: &String| MessageId::read(written).filter(|id| id.host == ours.host);
    envelope.in_reply_to.iter().find_map(is_ours).or_else(|| envelope.references.iter().rev().find_map(is_ours))
}

fn known(place: &Place, register: &dyn Register) -> Result<(), Astray> {
    let seats = register.seats(&place.game).ok_or_else(|| Astray::UnknownGame { game: place.game.clone() })?;
    if seats.contains(&place.seat) {
        return Ok(());
    }
    Err(Astray::UnknownSeat { place: place.clone(), seats })
}

/// A8: a token alone proves nothing without its player's address: forwarding a report must not hand over the seat.
fn theirs(place: &Place, author: &Mailbox, register: &dyn Register) -> Result<(), Astray> {
    if register.addresses(place).contains(author) {
        return Ok(());
    }
    Err(Astray::NotTheirs { place: place.clone(), author: author.clone() })
}

/// The seat of a game that the author holds, if it is exactly one.
fn seat_of(author: &Mailbox, game: &str, register: &dyn Register) -> Result<Place, Astray> {
    let seats = register.seats(game).ok_or_else(|| Astray::UnknownGame { game: game.to_owned() })?;
    let place = |seat: String| Place { game: game.to_owned(), seat };
    let mut held: Vec<Place> =
        seats.into_iter().map(place).filter(|place| register.addresses(place).contains(author)).collect();
    // Who joined as a guest has kept his place; it is his seat for which he speaks.
    if held.iter().any(|place| register.is_seat(place)) {
        held.retain(|place| register.is_seat(place));
    }
    match held.len() {
        1 => Ok(held.remove(0)),
        0 => Err(Astray::NoSeatOfTheirs { game: game.to_owned(), author: author.clone() }),
        _ => Err(Astray::SeveralSeats {
            game: game.to_owned(),
            seats: held.into_iter().map(|place| place.seat).collect(),
        }),
    }
}

/// I2: what the writer of a letter had seen, if the letter's seat is known. If the words in its subject are not those
/// of the game's fingerprint, the subject is about another game.
pub fn seen(envelope: &Envelope, ours: &Mailbox, place: &Place, words: [&str; WORDS_IN_SUBJECT]) -> Option<Seen> {
    let answered = answered(envelope, ours).filter(|answered| Place::of(answered) == *place);
    based_on(place, answered, SubjectTag::find(&envelope.subject).filter(|tag| tag.words == words))
}

/// The record of which the letter told that is answered by a letter of this seat, if the letter names it by itself.
pub fn record_answered(envelope: &Envelope, ours: &Mailbox, place: &Place) -> Option<Head> {
    let answered = answered(envelope, ours).filter(|answered| Place::of(answered) == *place)?;
    Some(Head { seq: answered.seq, hash: answered.head })
}

/// I2: what the writer had seen. The full head of a Message-ID outweighs the short one of the subject.
fn based_on(place: &Place, answered: Option<MessageId>, tag: Option<SubjectTag>) -> Option<Seen> {
    let tag = tag.filter(|tag| tag.game == place.game).map(|tag| Seen { seq: tag.seq, head: tag.head });
    answered.map(|id| Seen { seq: id.seq, head: id.head.to_string() }).or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_a_token_binds_game_seat_and_epoch() {
        let place = |game: &str, seat: &str| Place { game: game.to_owned(), seat: seat.to_owned() };
        let one = token(b"key", &place("g7", "free"), 0);
        assert_eq!(one.len(), 10);
        assert_eq!(one, token(b"key", &place("g7", "free"), 0));
        for other in [
            token(b"key", &place("g7", "free"), 1),
            token(b"key", &place("g7", "shadow"), 0),
            token(b"key", &place("g7f", "ree"), 0),
            token(b"other", &place("g7", "free"), 0),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a3_the_seat_address_reads_as_it_is_written() {
        let place = Place { game: "g7".to_owned(), seat: "witch-king".to_owned() };
        let address = seat_address(&Mailbox::read("box@play.example").unwrap(), &place, "abcdefghij");
        assert_eq!(address.to_string(), "box+g7.witch-king.abcdefghij@play.example");
        assert_eq!(claim(address.detail().unwrap()), Some((place, "abcdefghij".to_owned())));
    }
}
