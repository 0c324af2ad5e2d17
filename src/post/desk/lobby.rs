/*! The lobby of a game: invitations, seats found and taken, seats handed over, and the start when all are ready.

What a guest said is noted in the book first. [`Desk::settle_guests`] then does everything that follows, in steps that
can each be seen to be done: whatever is interrupted goes on when the desk is next opened.
*/

use super::{Desk, authorship};
use crate::book::fault::PostError;
use crate::book::guest::{self, Given, Guest};
use crate::book::{Book, Event};
use crate::names::address::{self, Place};
use engine::seat::Seat;
use ground::hash::Hash;
use ground::line::cleaned;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use record::entry::body::Via;
use record::file::secrets::{SeatSecrets, Secrets};
use record::fold::Phase;
use record::table::agreement::HandedOver;
use record::table::table_error::TableError;
use record::table::{Joining, Table};
use report::guest::{Role, Stage};
use std::fmt;

/// The most guests of one game.
const GUESTS_MAX: usize = 100;

/// Somebody is invited to the table, as a player or as an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub address: Mailbox,
    pub name: Option<String>,
    pub role: Role,
    /// The seat that is offered; `None` for any that is free before the start.
    pub seat: Option<String>,
    /// The player who gives his seat away, if any.
    pub given_by: Option<Given>,
}

/// Why somebody cannot be invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotInvited {
    UnknownSeat {
        seat: String,
    },
    Taken {
        seat: String,
    },
    NoSeat,
    AllSeatsSpokenFor,
    Already {
        word: String,
    },
    /// Its player holds it, and neither he nor the others have given it up.
    NotFree {
        seat: String,
        player: String,
    },
    Over,
    TooMany,
}

impl fmt::Display for NotInvited {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotInvited::UnknownSeat { seat } => write!(formatter, "there is no seat `{seat}`"),
            NotInvited::Taken { seat } => write!(formatter, "the seat {seat} is taken, or offered to somebody else"),
            NotInvited::NoSeat => write!(formatter, "the game has started: say which seat is to be handed over"),
            NotInvited::AllSeatsSpokenFor => write!(
                formatter,
                "every seat is taken or offered to somebody; whom the charter gives a seat is invited without being \
                 named again"
            ),
            NotInvited::Already { word } => write!(formatter, "this address is invited already, as {word}"),
            NotInvited::NotFree { seat, player } => write!(
                formatter,
                "{player} holds the seat {seat}: he gives it away himself (`delegate to <address>`), or all others \
                 agree that it is free (`propose replacement of {seat}`)"
            ),
            NotInvited::Over => write!(formatter, "the game is over"),
            NotInvited::TooMany => write!(formatter, "a game has at most {GUESTS_MAX} guests"),
        }
    }
}

impl std::error::Error for NotInvited {}

impl Desk {
    /// Invites somebody. [`Desk::settle_guests`] writes his letter.
    ///
    /// # Errors
    /// Outside, that something cannot be written; inside, why he cannot be invited.
    pub fn invite(&mut self, invitation: &Invitation) -> Result<Result<String, NotInvited>, PostError> {
        if let Err(why) = check(&self.table, &self.book, invitation) {
            return Ok(Err(why));
        }
        let number = self.number_for(&invitation.address);
        let (word, address) = (guest::word(number), invitation.address.to_string());
        // The address first: nobody could write to a guest without one.
        if self.addresses(&word).is_empty() {
            let place = SeatSecrets::at(&word, &address).map_err(TableError::Random)?;
            self.table.change_secrets(|secrets| secrets.seats.push(place))?;
        }
        let guest = Guest {
            number,
            role: invitation.role,
            state: Stage::Invited,
            name: invitation.name.clone(),
            seat: invitation.seat.clone(),
            wishes: Vec::new(),
            phrase: None,
            key: None,
            since: self.table.fold().head().seq,
            row: 0,
            given_by: invitation.given_by.clone(),
            raw: None,
            told: None,
        };
        self.book.append(Event::Guest(Box::new(guest)))?;
        Ok(Ok(word))
    }

    /// A number for a guest: the one left by a crash between writing his address and the book, or the next free one.
    fn number_for(&self, address: &Mailbox) -> u32 {
        let numbers = self.table.secrets().seats.iter().filter_map(|seat| guest::number(&seat.seat));
        let numbers: Vec<u32> = numbers.collect();
        let is_lost = |number: &&u32| {
            let word = guest::word(**number);
            self.book.guest(&word).is_none() && self.addresses(&word).contains(address)
        };
        let lost = numbers.iter().find(is_lost).copied();
        lost.unwrap_or_else(|| numbers.iter().max().map_or(1, |number| number + 1))
    }

    pub(crate) fn note_guest(&mut self, guest: Guest) -> Result<(), PostError> {
        Ok(self.book.append(Event::Guest(Box::new(guest)))?)
    }

    /// Does everything that follows from what guests have said: finds seats, lets them be taken, hands seats over,
    /// starts the game when all are ready, and writes the letters about it.
    ///
    /// # Errors
    /// Something cannot be written; it goes on from there when the desk is next opened.
    pub fn settle_guests(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let mut letters = self.seat_guests(at)?;
        letters.extend(self.write_to_guests(at)?);
        self.book.settle()?;
        Ok(letters)
    }

    /// As [`Desk::settle_guests`], without the letters to guests.
    pub(crate) fn seat_guests(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        if self.book.guests().next().is_none() {
            return Ok(Vec::new());
        }
        let mut letters = Vec::new();
        self.find_seats()?;
        let ready: Vec<Guest> = self.book.guests().filter(|guest| guest.state == Stage::Ready).cloned().collect();
        for guest in ready {
            match self.table.fold().phase() {
                Phase::Joining => self.sit_down(guest, at)?,
                Phase::Playing => letters.extend(self.take_over(guest, at)?),
                Phase::Revealed | Phase::Ended => self.note_guest(Guest { state: Stage::Gone, ..guest })?,
            }
        }
        self.start_when_ready(at)?;
        letters.extend(self.tell_receipts(None, at)?);
        Ok(letters)
    }

    /// Finds a seat for each guest who waits, once there are enough of them.
    fn find_seats(&mut self) -> Result<(), PostError> {
        if self.table.fold().phase() != Phase::Joining {
            return Ok(());
        }
        let mut waiting: Vec<Guest> =
            self.book.guests().filter(|guest| guest.state == Stage::Waiting && guest.seat.is_none()).cloned().collect();
        waiting.sort_by_key(|guest| (guest.row, guest.number));
        let open = open_seats(&self.table, &self.book);
        if open.is_empty() || waiting.len() < open.len() {
            return Ok(());
        }
        waiting.truncate(open.len());
        for (guest, seat) in waiting.iter().zip(guest::seated(&waiting, &open)) {
            self.note_guest(Guest { state: Stage::Seated, seat: Some(seat), ..guest.clone() })?;
        }
        Ok(())
    }

    /// A guest takes his seat before the start.
    fn sit_down(&mut self, guest: Guest, at: Stamp) -> Result<(), PostError> {
        let word = guest.seat.clone().expect("a guest who is ready has a seat");
        let Some(seat) = self.table.fold().plan().seat(&word) else { return Ok(()) };
        let player = self.name_of(&guest);
        if !self.table.fold().has_joined(seat) {
            let address = self.committed(&guest.word(), seat)?;
            let message = guest.raw.and_then(|raw| self.book.letter_in(&raw)?.message());
            let joining = Joining {
                phrase: guest.phrase.clone().unwrap_or_default(),
                message: message.unwrap_or(Hash::ZERO),
                keys: guest.key.iter().cloned().collect(),
                player: Some(player),
                address,
            };
            let via = self.via_of_guest(&guest)?;
            self.table.join(seat, &joining, Some(via), at)?;
        }
        self.give_seat(&word, &guest.word())?;
        self.note_guest(Guest { state: Stage::Playing, told: Some(Stage::Playing), ..guest })
    }

    /// How the letter came by which a guest took a seat; if there is none, the host typed it.
    fn via_of_guest(&self, guest: &Guest) -> Result<Via, PostError> {
        let Some(raw) = guest.raw else {
            return Ok(Via::keyboard());
        };
        let letter = Letter::open(&self.vault.read(&raw)?, &Limits::ORDINARY);
        let place = self.place_of(guest);
        let seen = super::seen(&letter, &self.ours, &place, &self.table).map_or(0, |seen| seen.seq);
        let known = self.book.letter_in(&raw).and_then(|letter_in| Some(letter_in.authorship.as_ref()?.auth));
        let bears_token = address::bears_token(&letter.envelope, &self.ours, &place, self.table.secrets());
        let auth = known.flatten().or(authorship::unsigned(bears_token));
        Ok(Via { raw: Some(raw), seen: Some(seen), auth, ..Via::default() })
    }

    /// A guest takes over the seat of a player. The record comes first; then the old token becomes invalid, and the
    /// letters go to the guest.
    fn take_over(&mut self, guest: Guest, at: Stamp) -> Result<Vec<String>, PostError> {
        let word = guest.seat.clone().expect("a guest who is ready has a seat");
        let Some(seat) = self.table.fold().plan().seat(&word) else { return Ok(Vec::new()) };
        let player = self.name_of(&guest);
        if self.table.fold().council().held_since(seat).is_none_or(|held| held <= guest.since) {
            // What the previous player has fixed is played first; the guest takes the seat when the round is there.
            if self.table.must_wait(seat, at) {
                return Ok(Vec::new());
            }
            // The seat must be given up first, by its player or by all others: otherwise nobody takes it.
            if !self.table.fold().council().free().any(|free| free == seat) {
                let given = guest.given_by.as_ref().map(|given| Via {
                    raw: given.raw,
                    message: given.raw.and_then(|raw| self.book.letter_in(&raw)?.message()),
                    seen: given.seen,
                    auth: given.auth,
                    ..Via::default()
                });
                self.table.give_away(seat, given.unwrap_or_else(Via::keyboard), at)?;
            }
            let handed = HandedOver { seat, player: player.clone(), text: "a new player".to_owned() };
            let address = self.committed(&guest.word(), seat)?;
            self.table.hand_over_to(&handed, address, at)?;
        }
        let mut letters = self.take_leave(&word, &guest.word(), &player, at)?;
        self.give_seat(&word, &guest.word())?;
        let held = self.table.fold().council().held_since(seat).unwrap_or(0);
        if self.book.handed(&word) < held {
            self.book.append(Event::Handed { at: at.to_string(), seat: word.clone(), seq: held })?;
        }
        let others: Vec<Guest> = self.book.guests().cloned().collect();
        for other in others {
            let is_too_late = other.number != guest.number
                && other.seat.as_ref() == Some(&word)
                && !matches!(other.state, Stage::Playing | Stage::Gone);
            if is_too_late {
                self.note_guest(Guest { state: Stage::Gone, ..other })?;
            }
        }
        self.note_guest(Guest { state: Stage::Playing, told: Some(Stage::Playing), ..guest })?;
        letters.extend(self.report(at)?);
        Ok(letters)
    }

    /// The addresses of a guest become those of a seat, whose old token becomes invalid.
    fn give_seat(&mut self, seat: &str, guest: &str) -> Result<(), PostError> {
        let of = |secrets: &Secrets, word: &str| {
            let found = secrets.seats.iter().find(|seat| seat.seat == word);
            found.map_or_else(Default::default, |seat| (seat.addresses.clone(), seat.salt))
        };
        let found = of(self.table.secrets(), guest);
        if of(self.table.secrets(), seat) == found {
            return Ok(());
        }
        let (addresses, salt) = found;
        self.table.change_secrets(|secrets| match secrets.seats.iter_mut().find(|found| found.seat == seat) {
            Some(found) => {
                found.addresses = addresses;
                found.token_epoch += 1;
                found.salt = salt;
            }
            None => secrets.seats.push(SeatSecrets { seat: seat.to_owned(), addresses, token_epoch: 0, salt }),
        })?;
        Ok(())
    }

    /// Lets the host's seats join and starts the game, once all other seats have joined.
    fn start_when_ready(&mut self, at: Stamp) -> Result<(), PostError> {
        let fold = self.table.fold();
        let has_players = self.book.guests().any(|guest| guest.role == Role::Player && guest.state == Stage::Playing);
        if fold.phase() != Phase::Joining || !has_players {
            return Ok(());
        }
        let seats: Vec<(Seat, bool)> =
            fold.plan().seats.iter().enumerate().map(|(index, seat)| (Seat::at(index), seat.hosted)).collect();
        if seats.iter().any(|(seat, hosted)| !hosted && !fold.has_joined(*seat)) {
            return Ok(());
        }
        self.table.join_hosted(at)?;
        self.start(at)
    }

    /// The name of a guest at the table. An address is never used as a name: the log holds none.
    pub(crate) fn name_of(&self, guest: &Guest) -> String {
        let name = guest
            .name
            .as_deref()
            .map(crate::order::request::tidy)
            .filter(|name| !name.is_empty() && !name.contains('@'));
        // Log 2.8, 5.2: nothing but letters that stand still, and no name twice.
        let name: Option<String> = name.map(|name| cleaned(&name, 40));
        let name = name.filter(|name| !name.trim().is_empty());
        let seats = &self.table.fold().plan().seats;
        match name {
            Some(name) if seats.iter().any(|seat| seat.player == name && Some(&seat.word) != guest.seat.as_ref()) => {
                format!("{name} ({})", guest.number)
            }
            Some(name) => name,
            None => format!("Player {}", guest.number),
        }
    }

    /// The place of a guest.
    pub(crate) fn place_of(&self, guest: &Guest) -> Place {
        Place { game: self.name(), seat: guest.word() }
    }
}

/// Checks whether somebody can be invited.
///
/// # Errors
/// Why he cannot.
pub(crate) fn check(table: &Table, book: &Book, invitation: &Invitation) -> Result<(), NotInvited> {
    let fold = table.fold();
    if fold.phase() > Phase::Playing || fold.outcome().is_some() {
        return Err(NotInvited::Over);
    }
    if book.guests().count() >= GUESTS_MAX {
        return Err(NotInvited::TooMany);
    }
    let active = |guest: &&Guest| !matches!(guest.state, Stage::Gone | Stage::Playing);
    let is_his = |guest: &&Guest| address::registered(table.secrets(), &guest.word()).contains(&invitation.address);
    if let Some(other) = book.guests().filter(active).find(is_his) {
        return Err(NotInvited::Already { word: other.word() });
    }
    if invitation.role == Role::Observer {
        return Ok(());
    }
    match &invitation.seat {
        Some(seat) => {
            let found = fold.plan().seat(seat).ok_or_else(|| NotInvited::UnknownSeat { seat: seat.clone() })?;
            let is_offered = book.guests().filter(active).any(|guest| guest.seat.as_ref() == Some(seat));
            let has_joined = fold.phase() == Phase::Joining && fold.has_joined(found);
            if is_offered || has_joined {
                return Err(NotInvited::Taken { seat: seat.clone() });
            }
            let is_given = invitation.given_by.is_some() || fold.plan().seats[found.index()].at_keyboard;
            if fold.phase() == Phase::Playing && !is_given && !fold.council().free().any(|free| free == found) {
                let player = fold.plan().seats[found.index()].player.clone();
                return Err(NotInvited::NotFree { seat: seat.clone(), player });
            }
            Ok(())
        }
        None if fold.phase() != Phase::Joining => Err(NotInvited::NoSeat),
        None if open_seats(table, book).is_empty() => Err(NotInvited::AllSeatsSpokenFor),
        None => Ok(()),
    }
}

/// The seats for which nobody is known: not taken, not the host's, without an address in the charter, offered to
/// nobody.
fn open_seats(table: &Table, book: &Book) -> Vec<String> {
    let fold = table.fold();
    let is_spoken_for = |word: &String| {
        let holds = |guest: &Guest| guest.state != Stage::Gone && guest.seat.as_ref() == Some(word);
        book.guests().any(holds) || !address::registered(table.secrets(), word).is_empty()
    };
    let seats = fold.plan().seats.iter().enumerate();
    let open =
        seats.filter(|(index, seat)| !seat.hosted && !fold.has_joined(Seat::at(*index)) && !is_spoken_for(&seat.word));
    open.map(|(_, seat)| seat.word.clone()).collect()
}
