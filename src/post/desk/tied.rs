/*! Whether a letter that its mail domain signed is tied to its seat and its question (log 10.9): before it is played,
it is checked by the same conditions as in `verify --letters`.
*/

use super::authorship::Outside;
use super::minutes::Minutes;
use crate::book::Book;
use crate::book::vault::Vault;
use crate::names::address::Place;
use crate::names::question::Question;
use ground::hash::Hash;
use ground::stamp::Stamp;
use mail::letter::dkim::KeyRecords;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::signed_part::SignedPart;
use mail::letter::text::Text;
use record::entry::body::Auth;
use record::file::secrets::SeatSecrets;
use record::table::Table;

/// What a signed letter is checked against.
pub(super) struct Tie<'d> {
    pub(super) table: &'d mut Table,
    pub(super) minutes: &'d mut Minutes,
    pub(super) book: &'d Book,
    pub(super) vault: &'d Vault,
    pub(super) keys: &'d dyn KeyRecords,
}

impl Tie<'_> {
    /// Checks the signed part of a letter against its seat, its question, and the letters before it.
    ///
    /// # Errors
    /// Why the signature proves nothing of it.
    pub(super) fn check(&mut self, part: &SignedPart, outside: Outside<'_>, came: Stamp) -> Result<(), String> {
        let Outside { letter, place, seen, .. } = outside;
        let question = Question::of(part)?;
        if !question.is_for(&place.game, &place.seat) {
            return Err("it answers a letter to another seat or game".to_owned());
        }
        let minutes = self.minutes.of(self.table);
        let began = minutes.entry(0).map_or(came, |entry| entry.at);
        let shown = minutes.entry(question.seq).map(|entry| entry.hash.to_string());
        if !shown.is_some_and(|head| head.starts_with(&question.head)) {
            return Err("it answers a letter that is not of this game\'s history".to_owned());
        }
        if seen.is_none_or(|seen| seen.seq != question.seq) {
            return Err("what is signed names another letter of ours than the rest of it".to_owned());
        }
        part.is_dated(began, came)?;
        let lines = |text: &Text| text.lines.iter().map(|line| line.text.clone()).collect::<Vec<String>>();
        if part.text().map(lines) != letter.text.as_ref().ok().map(lines) {
            return Err("what is signed alone reads differently from the whole letter".to_owned());
        }
        self.check_address(part, place)?;
        self.check_once(part, letter.raw, letter.text_hash())
    }

    /// The author must write from the address that the log commits to; a guest, from the address of his invitation.
    fn check_address(&self, part: &SignedPart, place: &Place) -> Result<(), String> {
        let fold = self.table.fold();
        let places = &self.table.secrets().seats;
        let salted = places.iter().find(|seat| seat.seat == place.seat).and_then(SeatSecrets::salted);
        let uncommitted = || "the log does not commit to the address of the seat".to_owned();
        let salted = salted.ok_or_else(uncommitted)?;
        if let Some(seat) = fold.plan().seat(&place.seat) {
            let commitment = salted.commitment(&fold.plan().game, seat.0);
            if fold.signers().address(seat) != Some(commitment) {
                return Err(uncommitted());
            }
            // A host who has taken the game over has the salts, but not yet the file.
            self.vault.keep_address(&salted, &commitment).map_err(|error| error.to_string())?;
        }
        if part.letter.envelope.author.as_ref().ok() == Mailbox::read(&salted.address).as_ref() {
            Ok(())
        } else {
            Err("it was not written from the address that the log commits to".to_owned())
        }
    }

    /// A signed part counts once, whatever is added to it or around it.
    fn check_once(&self, part: &SignedPart, raw: Hash, text: Hash) -> Result<(), String> {
        let is_signed = |auth: Option<Auth>| auth.is_some_and(|auth| auth >= Auth::Dkim);
        let alike = self.book.letters_in().filter(|before| {
            let auth = before.authorship.as_ref().and_then(|found| found.auth);
            before.raw != raw && before.text == text && is_signed(auth)
        });
        let is_again = |before: Hash| {
            let bytes = self.vault.read(&before).ok();
            let before = bytes.and_then(|raw| SignedPart::open(&raw, None, self.keys, &Limits::ORDINARY).ok());
            before.is_some_and(|before| before.identity() == part.identity())
        };
        if alike.map(|before| before.raw).any(is_again) {
            Err("the same signed letter came before, and counts once".to_owned())
        } else {
            Ok(())
        }
    }
}
