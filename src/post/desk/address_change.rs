/*! Another address for a seat (requirement A7), and another token (A8): what binds a seat to its player.

An address is changed by a confirmed letter from the old one, or by the host; either way both addresses are told, so
that no player loses his seat without knowing. The token of the old letters becomes invalid: a letter that was passed on
gives nobody the seat.
*/

use super::Desk;
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::fault::PostError;
use crate::post::book::outgoing::{Key, Outgoing, Thread};
use crate::post::names::address::Place;
use crate::record::value::stamp::Stamp;
use crate::report::office as page;

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
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn change_address(
        &mut self,
        place: &Place,
        new: &Mailbox,
        by: ChangedBy,
        at: Stamp,
    ) -> Result<Vec<String>, PostError> {
        let old = self.addresses(&place.seat);
        if old.first() == Some(new) {
            return Ok(Vec::new());
        }
        // The old address is told first: a crash must not leave a change of which it never heard.
        let mut letters = Vec::new();
        for to in old {
            letters.extend(self.tell_of_address(place, to, Side::Old, new, by, at)?);
        }
        self.table.change_secrets(|secrets| {
            for seat in secrets.seats.iter_mut().filter(|seat| seat.seat == place.seat) {
                seat.addresses = vec![new.to_string()];
                seat.token_epoch += 1;
            }
        })?;
        letters.extend(self.tell_of_address(place, new.clone(), Side::New, new, by, at)?);
        Ok(letters)
    }

    /// Gives a seat another token. Its older letters can no longer be answered; its next one can.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn rotate_token(&mut self, place: &Place) -> Result<(), PostError> {
        let seat_of = |seat: &&mut crate::record::file::secrets::SeatSecrets| seat.seat == place.seat;
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
