/*! The addresses to which letters of ours come back (VERP, S2): what comes back says whose letter it was. */

use super::address::Place;
use super::message_id;
use data_encoding::BASE32_NOPAD;
use ground::hash::Hash;
use hmac::{Hmac, KeyInit, Mac};
use mail::letter::mailbox::Mailbox;
use sha2::Sha256;

/// The word behind the `+` of a return path.
const WORD: &str = "bounce";
/// RFC 5321 §4.5.3.1.1: the local part of an address.
const LOCAL_PART_MAX: usize = 64;

/// The return path of the letters to a seat. S2: what comes back says by its address whose letter it was. An address
/// that would be too long is the plain mailbox.
pub fn of(ours: &Mailbox, place: &Place, key: &Hash) -> Mailbox {
    let ours = ours.base();
    let local = format!("{}+{WORD}.{}.{}.{}", ours.local, place.game, place.seat, code(place, key));
    if local.len() > LOCAL_PART_MAX {
        return ours;
    }
    Mailbox { local, host: ours.host }
}

/// Nobody but the host can make the return path of a seat: a forged bounce must not make a player's address dead.
pub fn code(place: &Place, key: &Hash) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.0).expect("an HMAC takes a key of any length");
    for part in [WORD, &place.game, &place.seat] {
        let length = u16::try_from(part.len()).expect("names of games and seats are at most 64 letters");
        code.update(&length.to_be_bytes());
        code.update(part.as_bytes());
    }
    BASE32_NOPAD.encode(&code.finalize().into_bytes())[..10].to_ascii_lowercase()
}

/// Whether an address is a return path of ours. A person never writes to one: it stands in no letter's header.
pub fn is_one(to: &Mailbox, ours: &Mailbox) -> bool {
    read(to, ours).is_some()
}

/// The seat and the code that a return path of ours names; the code is to be compared with that of the seat.
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
