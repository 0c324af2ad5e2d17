/*! Another address for a seat (requirement A7), and another token (A8): what binds a seat to its player.

The player changes his address by a confirmed letter from the old one, or the host changes it. Either way both
addresses get a notice, so that no player loses his seat without knowing. The token of the old letters becomes
invalid: a letter that somebody passed on gives nobody the seat.
*/

use super::Desk;
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing, Thread};
use crate::names::address::Place;
use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use record::entry::body::Via;
use record::file::secrets::SeatSecrets;
use record::fold::Phase;
use record::table::table_error::TableError;
use report::office as page;

/// Who changes an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedBy {
    Player,
    Host,
}

/// Which of the two addresses a notice goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

impl Desk {
    /// Gives a seat another address and another token, and tells both addresses. Returns the notices that were queued.
    /// The same change again changes nothing and writes nothing.
    pub fn change_address(
        &mut self,
        place: &Place,
        new: &Mailbox,
        by: ChangedBy,
        at: Stamp,
    ) -> Result<Vec<String>, PostError> {
        let old = self.addresses(&place.seat);
        let is_salted = self.table.secrets().seats.iter().any(|seat| seat.seat == place.seat && seat.salt.is_some());
        // A player whose address has no salt yet may send the same address: the log then commits to it.
        if old.first() == Some(new) && (is_salted || by == ChangedBy::Host) {
            return Ok(Vec::new());
        }
        // The old address gets its notice first: a crash must not leave a change that it was never told of.
        let mut letters = Vec::new();
        for to in old {
            letters.extend(self.tell_of_address(place, to, Side::Old, new, by, at)?);
        }
        // The log does not commit to an address that the host alone has set, so no letter from there is of class
        // `dkim`.
        let salt = Some(Hash::random().map_err(TableError::Random)?).filter(|_| by == ChangedBy::Player);
        self.table.change_secrets(|secrets| {
            for seat in secrets.seats.iter_mut().filter(|seat| seat.seat == place.seat) {
                seat.addresses = vec![new.to_string()];
                seat.token_epoch += 1;
                seat.salt = salt;
            }
        })?;
        letters.extend(self.tell_of_address(place, new.clone(), Side::New, new, by, at)?);
        Ok(letters)
    }

    /// The commitment that the log is to hold to the address of a place, for a seat; `None` if the place has no
    /// address or no salt. The address and its salt are put into the vault first.
    pub(super) fn committed(&self, word: &str, seat: Seat) -> Result<Option<Hash>, PostError> {
        let found = self.table.secrets().seats.iter().find(|known| known.seat == word);
        let Some(salted) = found.and_then(SeatSecrets::salted) else { return Ok(None) };
        let commitment = salted.commitment(&self.table.fold().plan().game, seat.0);
        self.vault.keep_address(&salted, &commitment)?;
        Ok(Some(commitment))
    }

    /// Puts on record that a seat now writes from its present address, unless the log says so already.
    pub(super) fn record_address(&mut self, seat: Seat, via: Option<Via>, at: Stamp) -> Result<(), PostError> {
        let fold = self.table.fold();
        let can_be = fold.phase() < Phase::Revealed && fold.has_joined(seat) && !fold.may_type(seat);
        let word = self.table.word(seat);
        let committed = self.committed(&word, seat)?;
        if let Some(address) = committed.filter(|address| can_be && fold.signers().address(seat) != Some(*address)) {
            self.table.change_address(seat, address, via, at)?;
        }
        Ok(())
    }

    /// Gives a seat another token. Its older letters can no longer be answered; its next one can.
    pub fn rotate_token(&mut self, place: &Place) -> Result<(), PostError> {
        let seat_of = |seat: &&mut record::file::secrets::SeatSecrets| seat.seat == place.seat;
        Ok(self.table.change_secrets(|secrets| {
            secrets.seats.iter_mut().filter(seat_of).for_each(|seat| seat.token_epoch += 1);
        })?)
    }

    /// A letter about the mail of a seat, to one address. Only the new one gets the seat's own address and headings.
    fn tell_of_address(
        &mut self,
        place: &Place,
        to: Mailbox,
        side: Side,
        new: &Mailbox,
        by: ChangedBy,
        at: Stamp,
    ) -> Result<Vec<String>, PostError> {
        let page = page::address(&page::Address {
            game: place.game.clone(),
            seat: place.seat.clone(),
            place: place.to_string(),
            new: new.to_string(),
            is_old: side == Side::Old,
            by_host: by == ChangedBy::Host,
        });
        let letter = Outgoing::new(Key::address(&place.seat, at, &to, &page.text), to, page, at);
        let letters = self.post(vec![match side {
            Side::Old => letter,
            Side::New => {
                let thread = Thread::Among(self.thread(&place.seat));
                Outgoing { thread, heading: Some(self.heading(place)), ..letter }
            }
        }])?;
        self.book.settle()?;
        Ok(letters)
    }
}
