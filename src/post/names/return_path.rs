/*! The addresses to which letters of ours come back (VERP, S2): the address tells which seat's letter it was. */

use super::address::Place;
use super::message_id;
use data_encoding::BASE32_NOPAD;
use ground::hash::Hash;
use hmac::{Hmac, KeyInit, Mac};
use mail::letter::mailbox::Mailbox;
use sha2::Sha256;

/// The word after the `+` of a return path.
const WORD: &str = "bounce";
/// RFC 5321 §4.5.3.1.1: the longest local part of an address.
const LOCAL_PART_MAX: usize = 64;

/// The return path of the letters to a seat. S2: the address of a bounce tells whose letter came back. If the address
/// would be too long, it is the plain mailbox.
pub fn of(ours: &Mailbox, place: &Place, key: &Hash) -> Mailbox {
    let ours = ours.base();
    let local = format!("{}+{WORD}.{}.{}.{}", ours.local, place.game, place.seat, code(place, key));
    if local.len() > LOCAL_PART_MAX {
        return ours;
    }
    Mailbox { local, host: ours.host }
}

/// Only the host can compute this code of a seat: a forged bounce must not mark a player's address as dead.
pub fn code(place: &Place, key: &Hash) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.0).expect("an HMAC takes a key of any length");
    for part in [WORD, &place.game, &place.seat] {
        let length = u16::try_from(part.len()).expect("names of games and seats are at most 64 letters");
        code.update(&length.to_be_bytes());
        code.update(part.as_bytes());
    }
    BASE32_NOPAD.encode(&code.finalize().into_bytes())[..10].to_ascii_lowercase()
}

/// Whether an address is a return path of ours. Only servers write to one: it is in no letter's header.
pub fn is_one(to: &Mailbox, ours: &Mailbox) -> bool {
    read(to, ours).is_some()
}

/// The seat and the code in a return path of ours. The caller must compare the code with that of the seat.
pub fn read(to: &Mailbox, ours: &Mailbox) -> Option<(Place, String)> {
    let detail = to.detail().filter(|_| to.is_at(ours))?.to_lowercase();
    let mut parts = detail.split('.');
    let is_bounce = parts.next() == Some(WORD);
    let game = parts.next().filter(|game| message_id::is_game(game))?;
    let seat = parts.next().filter(|seat| message_id::is_seat(seat))?;
    let code = parts.next()?;
    let place = Place { game: game.to_owned(), seat: seat.to_owned() };
    (is_bounce && parts.next().is_none()).then(|| (place, code.to_owned()))
}
