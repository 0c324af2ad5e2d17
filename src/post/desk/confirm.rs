/*! Dangerous requests are confirmed (requirement A6): the answer to the first letter contains a one-time code, and
the request is done when the code comes back within seven days.

The code goes to the address registered for the seat and nowhere else: a person who sends it back reads that mailbox,
whatever `From` says. It is bound to the seat, the epoch of its token, the words of the request and the hour of the
request. The code itself is never stored, only that it was used.
*/

use crate::book::{Book, Event};
use crate::names::address::{self, Place};
use data_encoding::BASE32_NOPAD;
use ground::hash::{Hash, mac};
use ground::stamp::Stamp;
use record::file::secrets::Secrets;
use std::fmt;

/// A6: a code is valid for this many hours.
const HOURS_GOOD: i64 = 7 * 24;
/// A code older than this many hours counts as wrong.
const HOURS_KNOWN: i64 = 90 * 24;
/// A code has 40 bits in this many letters; it cannot be guessed, because few letters are refused in a day (L3).
const LETTERS: usize = 8;

/// The confirmations of one game.
pub(super) struct Confirmations<'a> {
    pub(super) secrets: &'a Secrets,
    pub(super) book: &'a Book,
}

/// What a code that came back is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeWorth {
    /// The request is confirmed: note it with [`spent`], and carry it out.
    Right,
    /// It confirmed the same request before.
    Used,
    /// It was right, but is too old.
    Late,
    /// It was never the code of these words.
    Wrong,
}

impl fmt::Display for CodeWorth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CodeWorth::Right => "the code confirms it",
            CodeWorth::Used => "the code was used before; it confirms once. Ask again for a new one",
            CodeWorth::Late => "the code is older than seven days; ask again for a new one",
            CodeWorth::Wrong => {
                "the code is not that of this request; copy the line from the newest letter that asked for it"
            }
        })
    }
}

impl Confirmations<'_> {
    /// The code that confirms these words of a seat, asked for at this time.
    pub(super) fn code(&self, place: &Place, words: &str, at: Stamp) -> String {
        self.code_of(place, words, hour(at))
    }

    /// Judges a code that came back at this time. `raw` is the letter that brought it, so that a letter read again
    /// after a crash does not find its own code used.
    pub(super) fn judge(&self, place: &Place, words: &str, code: &str, raw: &Hash, at: Stamp) -> CodeWorth {
        let code = plain(code);
        let now = hour(at);
        let Some(age) = (0..=HOURS_KNOWN).find(|age| self.code_of(place, words, now - age) == code) else {
            return CodeWorth::Wrong;
        };
        match self.book.confirmed_by(&spent_mark(place, &code)) {
            Some(used) if used != raw => CodeWorth::Used,
            Some(_) => CodeWorth::Right,
            None if age > HOURS_GOOD => CodeWorth::Late,
            None => CodeWorth::Right,
        }
    }

    fn code_of(&self, place: &Place, words: &str, hour: i64) -> String {
        let epoch = address::epoch(self.secrets, place);
        let length = |text: &str| u32::try_from(text.len()).expect("a line of a letter is short").to_be_bytes();
        let parts: [&[u8]; 8] = [
            &length(&place.game),
            place.game.as_bytes(),
            &length(&place.seat),
            place.seat.as_bytes(),
            &epoch.to_be_bytes(),
            &length(words),
            words.as_bytes(),
            &hour.to_be_bytes(),
        ];
        let code = mac(&self.secrets.token_key, "confirm", &parts);
        BASE32_NOPAD.encode(&code.0)[..LETTERS].to_owned()
    }
}

/// The note that a letter used a code; it must be in the book before the request is done.
pub(super) fn spent(place: &Place, code: &str, raw: Hash, at: Stamp) -> Event {
    Event::Confirmed { at: at.to_string(), raw, code: spent_mark(place, &plain(code)) }
}

/// A8: the book does not hold codes, only a hash that shows that one was used.
fn spent_mark(place: &Place, code: &str) -> Hash {
    ground::hash::sha256(format!("{} {} {code}", place.game, place.seat).as_bytes())
}

/// A code in one spelling, however people send it back: in small letters, with digits that look like letters.
fn plain(code: &str) -> String {
    let letters = code.chars().filter(|c| !matches!(c, ' ' | '-' | '.'));
    letters
        .map(|c| match c {
            '0' => 'O',
            '1' => 'I',
            '8' => 'B',
            _ => c.to_ascii_uppercase(),
        })
        .collect()
}

fn hour(at: Stamp) -> i64 {
    at.timestamp().as_second().div_euclid(3600)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::sha256;
    use record::file::secrets::SeatSecrets;

    struct Desk {
        secrets: Secrets,
        book: Book,
        _folder: tempfile::TempDir,
    }

    fn desk() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let mut secrets = Secrets::random().unwrap();
        secrets.seats = vec![SeatSecrets { seat: "red".to_owned(), ..SeatSecrets::default() }];
        Desk { secrets, book: Book::open(folder.path()).unwrap(), _folder: folder }
    }

    impl Desk {
        fn confirmations(&self) -> Confirmations<'_> {
            Confirmations { secrets: &self.secrets, book: &self.book }
        }
    }

    fn red() -> Place {
        Place { game: "g7".to_owned(), seat: "red".to_owned() }
    }

    fn day(day: u32) -> Stamp {
        Stamp::parse(&format!("2026-11-{day:02}T07:12:09Z")).unwrap()
    }

    #[test]
    fn a6_a_code_confirms_these_words_of_this_seat_within_seven_days_once() {
        let mut desk = desk();
        let raw = sha256(b"letter");
        let code = desk.confirmations().code(&red(), "concede", day(1));
        assert_eq!(code.len(), 8);
        let judge =
            |desk: &Desk, words: &str, code: &str, at| desk.confirmations().judge(&red(), words, code, &raw, at);
        assert_eq!(judge(&desk, "concede", &code.to_lowercase(), day(1)), CodeWorth::Right);
        assert_eq!(judge(&desk, "concede", &code, day(8)), CodeWorth::Right);
        assert_eq!(judge(&desk, "concede", &code, day(9)), CodeWorth::Late);
        assert_eq!(judge(&desk, "address x@y", &code, day(1)), CodeWorth::Wrong);
        assert_eq!(judge(&desk, "concede", "AAAAAAAA", day(1)), CodeWorth::Wrong);
        let black = Place { seat: "black".to_owned(), ..red() };
        assert_eq!(desk.confirmations().judge(&black, "concede", &code, &raw, day(1)), CodeWorth::Wrong);
        desk.book.append(spent(&red(), &code, raw, day(2))).unwrap();
        // The same letter, taken up again after a crash; and another one.
        assert_eq!(judge(&desk, "concede", &code, day(2)), CodeWorth::Right);
        let other = sha256(b"other");
        assert_eq!(desk.confirmations().judge(&red(), "concede", &code, &other, day(2)), CodeWorth::Used);
    }

    #[test]
    fn a8_a_new_token_voids_the_codes_of_the_old_one() {
        let mut desk = desk();
        let code = desk.confirmations().code(&red(), "concede", day(1));
        desk.secrets.seats[0].token_epoch += 1;
        let verdict = desk.confirmations().judge(&red(), "concede", &code, &sha256(b"letter"), day(1));
        assert_eq!(verdict, CodeWorth::Wrong);
    }

    #[test]
    fn a8_the_book_does_not_hold_the_code() {
        let mut desk = desk();
        let code = desk.confirmations().code(&red(), "concede", day(1));
        desk.book.append(spent(&red(), &code, sha256(b"letter"), day(1))).unwrap();
        let book = std::fs::read_to_string(desk._folder.path().join(ground::files::BOOK)).unwrap();
        assert!(!book.contains(&code), "{book}");
    }
}
