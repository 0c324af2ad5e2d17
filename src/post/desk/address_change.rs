/*! Another address for a seat (requirement A7), and another token (A8): what binds a seat to its player.

An address is changed by a letter from the old one, confirmed, or by the host; either way both addresses are told, so
that nobody loses a seat unawares. The token of the old letters dies with it: a letter that was passed on hands over
nothing.
*/

use super::Desk;
use crate::mail::draft::{Draft, Heading, Purpose};
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::fault::PostError;
use crate::post::names::address::Place;
use crate::record::value::hash::sha256;
use crate::record::value::stamp::Stamp;

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
        let who = match by {
            ChangedBy::Player => "A letter from the address registered until now asked for it, and it\nwas confirmed.",
            ChangedBy::Host => "The host of the game has done it.",
        };
        // The old address is told first: a crash must not leave a change of which it never heard.
        let told = format!(
            "From now on letters of {place}\ngo to another address:\n\n  {new}\n\n{who}\n\nIf you did not wish this, \
             write to the host at once. Letters that you\nhave from this game can no longer be answered.\n"
        );
        let mut letters = Vec::new();
        for to in old {
            letters.push(self.notice(place, to, told.clone(), Side::Old, at)?);
        }
        self.table.change_secrets(|secrets| {
            for seat in secrets.seats.iter_mut().filter(|seat| seat.seat == place.seat) {
                seat.addresses = vec![new.to_string()];
                seat.token_epoch += 1;
            }
        })?;
        let told = format!(
            "From now on letters of {place}\ncome to this address.\n\n{who}\n\nAnswer only letters that came here; \
             older ones can no longer be\nanswered.\n"
        );
        letters.push(self.notice(place, new.clone(), told, Side::New, at)?);
        Ok(letters)
    }

    /// Gives a seat another token. Its older letters can no longer be answered; the next one can.
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
    fn notice(&mut self, place: &Place, to: Mailbox, text: String, side: Side, at: Stamp) -> Result<String, PostError> {
        let hash = sha256(format!("{at} {to} {text}").as_bytes()).to_string();
        let id = self.message_id(place, Some(hash[..12].to_owned()));
        let is_new = side == Side::New;
        let heading: Option<Heading> = is_new.then(|| self.heading(place));
        let references = if is_new { self.thread(&place.seat) } else { Vec::new() };
        let draft = Draft {
            purpose: Purpose::Report,
            message_id: id.to_string(),
            date: at,
            ours: self.ours.clone(),
            to,
            subject: format!("[{}] Your address for {}", place.game, place.seat),
            in_reply_to: None,
            references,
            heading,
            text,
            log: None,
        };
        self.queue_untold(&id.file_name(), &draft)
    }
}
