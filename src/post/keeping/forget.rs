/*! Forgets a person: removes the address, and the letters from it and to it, from all files that only the host has.
The log holds no address and stays as it is: what somebody said at a table is said.

The book of a game goes first, then the letters, which show which lines of the book are his, then the secrets, which
show which letters are his. So if anything stops in between, running it again does the rest. If a letter comes once
more, its hash is still known.
*/

use super::prune::{files, hash_of};
use crate::book::fault::PostError;
use crate::book::rewriting::rewrite;
use crate::book::vault::{ADDRESSES, MAIL};
use crate::book::{Book, Event, guest};
use crate::office::Office;
use engine::title::Titles;
use ground::files::{DEAD, OUTBOX, SENT};
use ground::hash::Hash;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::Cover;
use record::file::log;
use record::file::reading::read_through;
use record::file::secrets::{HANDED_OVER, SECRETS, Secrets, is_handed_over};
use record::fold::Phase;
use record::table::table_error::TableError;
use report::guest::Stage;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::time::Duration;
use store::drawer::Drawer;

/// Replaces the address.
const FORGOTTEN: &str = "forgotten@invalid";
/// The register of players, which is rebuilt from the secrets.
const PLAYERS: &str = "players";

/// What was forgotten of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    pub letters: usize,
    /// Lines of books that named the address, or a letter from it.
    pub lines: usize,
    /// The places of the address, with their games.
    pub places: Vec<String>,
    /// Letters of others that contain the address too: they stay.
    pub mentioned: Vec<PathBuf>,
}

/// Why a person cannot be forgotten: he holds seats in these games, which are not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    pub seats: Vec<String>,
}

/// Forgets an address, or with `is_tried` only finds out what would be forgotten.
///
/// # Errors
/// Part of it may be done then; running it again does the rest.
pub fn forget(
    office: &Office,
    address: &Mailbox,
    titles: Titles,
    is_tried: bool,
    patience: Duration,
) -> Result<Result<Forgotten, Plays>, PostError> {
    let mut seats = Vec::new();
    for game in office.games()? {
        seats.extend(held(&office.drawer(Some(&game)), &game, address, titles)?);
    }
    if !seats.is_empty() {
        return Ok(Err(Plays { seats }));
    }
    let mut forgotten = Forgotten::default();
    let task = Task { address, text: address.to_string().to_lowercase(), is_tried };
    // Also games that another host has taken over: their secrets are still here.
    for game in office.all_games()? {
        let drawer = office.drawer(Some(&game));
        let _lock = log::lock_within(&drawer, patience).map_err(TableError::from)?;
        // He may have taken a seat since. Then nothing of that game is touched.
        let seats = if is_handed_over(&drawer)? { Vec::new() } else { held(&drawer, &game, address, titles)? };
        if !seats.is_empty() {
            return Ok(Err(Plays { seats }));
        }
        task.game(&drawer, &game, &mut forgotten)?;
    }
    let home = office.home()?;
    let _lock = log::lock_within(&home, patience).map_err(TableError::from)?;
    let found = task.letters(&home, &BTreeSet::new(), &mut forgotten)?;
    forgotten.lines += task.book(&home, &found.written, &BTreeSet::new())?;
    task.remove(&home, &found)?;
    if !is_tried {
        home.remove(PLAYERS)?;
    }
    Ok(Ok(forgotten))
}

/// The secrets of a game, or those that were put aside when it was handed over, and the name of their file.
fn secrets_of(drawer: &Drawer) -> Result<(Secrets, &'static str), PostError> {
    if !is_handed_over(drawer)? {
        Ok((Secrets::read(drawer).map_err(TableError::from)?, SECRETS))
    } else {
        let file = drawer.place(HANDED_OVER);
        let text = String::from_utf8_lossy(&drawer.read(HANDED_OVER)?).into_owned();
        Ok((Secrets::parse(&text, &file).map_err(TableError::from)?, HANDED_OVER))
    }
}

/// The seats of an address in a game, if it is not over.
fn held(drawer: &Drawer, game: &str, address: &Mailbox, titles: Titles) -> Result<Vec<String>, PostError> {
    let secrets = Secrets::read(drawer).map_err(TableError::from)?;
    let seats =
        secrets.seats.iter().filter(|seat| guest::number(&seat.seat).is_none() && has(&seat.addresses, address));
    let seats: Vec<String> = seats.map(|seat| format!("{} in {game}", seat.seat)).collect();
    if seats.is_empty() {
        return Ok(seats);
    }
    let records = log::read_log(drawer).map_err(TableError::from)?;
    let fold = read_through(records, titles, None, |_| ControlFlow::Continue(())).map_err(TableError::from)?;
    Ok(if fold.phase() == Phase::Ended { Vec::new() } else { seats })
}

fn has(addresses: &[String], address: &Mailbox) -> bool {
    addresses.iter().filter_map(|written| Mailbox::read(written)).any(|written| is_one(&written, address))
}

/// A letter that he wrote from the same address in capitals must not keep him in the files.
fn is_one(written: &Mailbox, address: &Mailbox) -> bool {
    written.to_string().to_lowercase() == address.to_string().to_lowercase()
}

/// What is done in each drawer.
struct Task<'a> {
    address: &'a Mailbox,
    /// The address in small letters, as texts are searched for it.
    text: String,
    is_tried: bool,
}

/// The letters of a person that lie in a drawer.
struct Found {
    /// The hashes of those that he wrote.
    written: BTreeSet<Hash>,
    /// The files to be removed.
    gone: Vec<String>,
}

impl Task<'_> {
    fn game(&self, drawer: &Drawer, game: &str, forgotten: &mut Forgotten) -> Result<(), PostError> {
        let (mut secrets, file) = secrets_of(drawer)?;
        let of = secrets.seats.iter().filter(|seat| has(&seat.addresses, self.address));
        let places: BTreeSet<String> = of.map(|seat| seat.seat.clone()).collect();
        forgotten.places.extend(places.iter().map(|place| format!("{place} in {game}")));
        let mut written: BTreeSet<Hash> = BTreeSet::new();
        let book = Book::open(drawer)?;
        // Letters to a seat may come from its other players: only those from the address are his. A guest's place is
        // one person's.
        let is_his = |seat: &Option<String>| {
            seat.as_ref().is_some_and(|seat| guest::number(seat).is_some() && places.contains(seat))
        };
        written.extend(book.letters_in().filter(|letter| is_his(&letter.seat)).map(|letter| letter.raw));
        drop(book);
        let found = self.letters(drawer, &written, forgotten)?;
        forgotten.lines += self.book(drawer, &found.written, &places)?;
        self.remove(drawer, &found)?;
        if !places.is_empty() && !self.is_tried {
            secrets.seats.retain(|seat| guest::number(&seat.seat).is_none() || !places.contains(&seat.seat));
            for seat in secrets.seats.iter_mut().filter(|seat| places.contains(&seat.seat)) {
                seat.addresses
                    .retain(|written| Mailbox::read(written).is_none_or(|written| !is_one(&written, self.address)));
                seat.salt = None;
            }
            drawer.replace(file, secrets.to_text().as_bytes())?;
        }
        Ok(())
    }

    /// Finds the letters from the address, and to it.
    fn letters(&self, drawer: &Drawer, known: &BTreeSet<Hash>, forgotten: &mut Forgotten) -> Result<Found, PostError> {
        let (mut written, mut gone) = (known.clone(), Vec::new());
        for (file, _) in files(drawer, MAIL)? {
            let (raw, hash) = (drawer.read(&file)?, hash_of(&file));
            let author = Letter::open(&raw, &Limits::ORDINARY).envelope.author;
            if author.as_ref().is_ok_and(|author| is_one(author, self.address))
                || hash.is_some_and(|hash| known.contains(&hash))
            {
                written.extend(hash);
                gone.push(file);
            } else if self.stands_in(&raw) {
                forgotten.mentioned.push(drawer.place(&file));
            }
        }
        for shelf in [OUTBOX, SENT, DEAD] {
            for (file, _) in files(drawer, shelf)? {
                let raw = drawer.read(&file)?;
                // What we wrote ourselves about the address goes as well, once it was sent.
                match Cover::of(&raw).is_some_and(|cover| is_one(&cover.to, self.address)) {
                    true => gone.push(file),
                    false if !self.stands_in(&raw) => {}
                    false if shelf == OUTBOX => forgotten.mentioned.push(drawer.place(&file)),
                    false => gone.push(file),
                }
            }
        }
        forgotten.letters += gone.len();
        // The salt and the address from which a commitment in the log was made.
        for (file, _) in files(drawer, ADDRESSES)? {
            if self.stands_in(&drawer.read(&file)?) {
                gone.push(file);
            }
        }
        Ok(Found { written, gone })
    }

    fn remove(&self, drawer: &Drawer, found: &Found) -> Result<(), PostError> {
        if self.is_tried {
            return Ok(());
        }
        for file in &found.gone {
            drawer.remove(file)?;
        }
        Ok(())
    }

    /// Takes the address, and all else that is his, out of a book. What became of a letter stays.
    fn book(&self, drawer: &Drawer, written: &BTreeSet<Hash>, places: &BTreeSet<String>) -> Result<usize, PostError> {
        let mut change = |event: Event| self.without(event, written, places);
        Ok(rewrite(drawer, self.is_tried, &mut change)?)
    }

    fn without(&self, mut event: Event, written: &BTreeSet<Hash>, places: &BTreeSet<String>) -> Event {
        match &mut event {
            // A Message-ID may contain its owner's address (X3).
            Event::Taken { raw, mail, .. } if written.contains(raw) => *mail = None,
            Event::Press(relayed) if written.contains(&relayed.raw) => relayed.text.clear(),
            Event::Guest(guest) if places.contains(&guest.word()) => {
                (guest.name, guest.phrase, guest.state) = (None, None, Stage::Gone);
            }
            _ => {}
        }
        let plain = serde_json::to_value(&event).expect("an event is plain values");
        let mut without = plain.clone();
        self.strike(&mut without);
        if without == plain { event } else { serde_json::from_value(without).unwrap_or(event) }
    }

    fn strike(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => *text = self.struck(text),
            serde_json::Value::Array(values) => values.iter_mut().for_each(|value| self.strike(value)),
            serde_json::Value::Object(values) => values.values_mut().for_each(|value| self.strike(value)),
            _ => {}
        }
    }

    /// The text without the address, in capitals or small letters.
    fn struck(&self, text: &str) -> String {
        let (mut done, mut struck) = (0, String::new());
        for place in self.places(text.as_bytes()) {
            struck.push_str(&text[done..place.start]);
            struck.push_str(FORGOTTEN);
            done = place.end;
        }
        struck + &text[done..]
    }

    /// Where the address occurs by itself, not as a part of another one.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let (lower, from) = lowered(bytes);
        let length = self.text.len();
        let of_local =
            |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte) || *byte > 127;
        let of_domain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte > 127;
        let stands = |at: &usize| {
            let (before, behind) = (&lower[..*at], &lower[at + length..]);
            let goes_on = match behind {
                [b'.', next, ..] => of_domain(next),
                [next, ..] => of_domain(next),
                [] => false,
            };
            lower[*at..].starts_with(self.text.as_bytes()) && !before.last().is_some_and(of_local) && !goes_on
        };
        let found = (0..(lower.len() + 1).saturating_sub(length)).filter(stands);
        found.map(|at| from[at]..from[at + length]).collect()
    }

    fn stands_in(&self, bytes: &[u8]) -> bool {
        !self.places(bytes).is_empty()
    }
}

/// The bytes of a text in small letters, also outside ASCII; and for each of these bytes, and for the end, the
/// position in the text at which its letter begins.
fn lowered(bytes: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let (mut lower, mut from, mut at) = (Vec::with_capacity(bytes.len()), Vec::with_capacity(bytes.len() + 1), 0);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let mut buffer = [0; 4];
            for small in letter.to_lowercase() {
                lower.extend_from_slice(small.encode_utf8(&mut buffer).as_bytes());
            }
            from.resize(lower.len(), at);
            at += letter.len_utf8();
        }
        for byte in chunk.invalid() {
            lower.push(*byte);
            from.push(at);
            at += 1;
        }
    }
    from.push(at);
    (lower, from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(address: &str, text: &str, expected: &str) {
        let address = Mailbox::read(address).unwrap();
        let task = Task { address: &address, text: address.to_string().to_lowercase(), is_tried: true };
        assert_eq!(task.struck(text), expected);
    }

    #[test]
    fn an_address_is_found_in_whatever_case_it_is_written() {
        case("jürgen@bücher.example", "to JÜRGEN@BÜCHER.example, today", "to forgotten@invalid, today");
        case("Jürgen@bücher.example", "<jürgen@bücher.example>İx", "<forgotten@invalid>İx");
        case("anna@example.org", "Anna@Example.ORG anna@example.org", "forgotten@invalid forgotten@invalid");
        case("rgen@bücher.example", "jürgen@bücher.example", "jürgen@bücher.example");
        case("anna@example.org", "ſİanna@example.org, anna@example.org.", "ſİanna@example.org, forgotten@invalid.");
        assert!(is_one(&Mailbox::read("JÜRGEN@x.example").unwrap(), &Mailbox::read("jürgen@X.example").unwrap()));
    }
}
