//! Two games for the letters of the corpus: frodo holds a seat of one, merry two seats of the other.

use mail::letter::mailbox::Mailbox;
use post::names::address::{self, Place, Register};

pub struct TwoGames;

const SEATS: [(&str, &str, &str); 5] = [
    ("g7", "free", "frodo@shire.example"),
    ("g7", "shadow", "saruman@orthanc.example"),
    ("g8", "green", "sam@shire.example"),
    ("g8", "red", "merry@buckland.example"),
    ("g8", "black", "merry@buckland.example"),
];

impl Register for TwoGames {
    fn seats(&self, game: &str) -> Option<Vec<String>> {
        let seats: Vec<String> = SEATS.iter().filter(|seat| seat.0 == game).map(|seat| seat.1.to_owned()).collect();
        (!seats.is_empty()).then_some(seats)
    }

    fn accepts_token(&self, place: &Place, token: &str) -> bool {
        address::token(b"corpus", place, 0) == token
    }

    fn addresses(&self, place: &Place) -> Vec<Mailbox> {
        let is_here = |seat: &&(&str, &str, &str)| seat.0 == place.game && seat.1 == place.seat;
        SEATS.iter().filter(is_here).filter_map(|seat| Mailbox::read(seat.2)).collect()
    }
}
