/*! Who wrote a record, as far as the record itself can show it: what it says of its letter, the class of that letter,
and the signature of its seat (requirement A5).
*/

use super::Fold;
use super::signers::Use;
use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::record::commit::signed::{OrderRefused, SignedOrder};
use crate::record::entry::Entry;
use crate::record::entry::body::{Auth, By, Kind, Say, Text, Via};
use crate::record::problem::{Problem, value};

impl Fold {
    /// Whether what the record says of its letter can be.
    pub(crate) fn via(&self, entry: &Entry, problems: &mut Vec<Problem>) {
        let Some(via) = &entry.via else { return };
        let by_letter = via.raw.is_some() || via.seen.is_some() || via.auth.is_some();
        if *via == (Via { raw: None, seen: None, auth: None, by: None }) {
            problems.push(value("via", "a letter or what else caused the record", "nothing"));
        } else if by_letter && !matches!(via.by, None | Some(By::Ahead)) {
            problems.push(value("via", "a letter or something else, not both", "both"));
        } else if let Some(seen) = via.seen.filter(|seen| *seen >= entry.seq) {
            problems.push(value("seen", "the number of an earlier record", &seen.to_string()));
        }
    }

    /// A5: what a letter caused must be of the class that the game asks for at least.
    pub(crate) fn well_authored(&self, entry: &Entry) -> Result<(), Problem> {
        let by_letter = entry.via.as_ref().filter(|via| matches!(via.by, None | Some(By::Ahead)));
        let found = by_letter.map_or(Auth::None, |via| via.auth.unwrap_or(Auth::None));
        let is_meant = entry.kind() == Kind::Say && by_letter.is_some();
        if is_meant && found < self.plan.min_auth {
            return Err(Problem::AuthTooLow { least: self.plan.min_auth, found });
        }
        Ok(())
    }

    /// A5: a seat that can never reach the class that is asked for must not sit down.
    pub(crate) fn check_means(&self, seat: Seat, keys: &[Text]) -> Result<(), Problem> {
        let is_hosted = self.plan.seats[seat.index()].hosted;
        // DKIM is a better class than a code and may do instead of one; for a signature nothing can.
        match self.plan.min_auth == Auth::Ssh && keys.is_empty() && !is_hosted {
            true => Err(value("keys", "a key, as every letter of this game must be signed", "nothing")),
            false => Ok(()),
        }
    }

    /// Whether a signature that a record carries, or says it has, is its seat's and of these words.
    pub(crate) fn check_signed(&mut self, entry: &Entry, seat: Seat, say: &Say, problems: &mut Vec<Problem>) {
        let says_so = entry.via.as_ref().is_some_and(|via| via.auth == Some(Auth::Ssh));
        let (Some(signed), Some(sig)) = (&say.signed, &say.sig) else {
            if says_so || say.signed.is_some() || say.sig.is_some() {
                problems.push(Problem::SignatureMissing);
            }
            return;
        };
        let word = self.plan.word(seat);
        let order = SignedOrder::of_record(self.plan.game, word, signed, sig).map_err(OrderRefused::NotSigned);
        if let Err(why) = order.and_then(|order| order.check(&self.plan.game, word, self.signers.keys(seat))) {
            problems.push(Problem::Signature { why: why.to_string() });
            return;
        }
        let seen = entry.via.as_ref().and_then(|via| via.seen);
        if let (Some(seen), Some(signed)) = (seen, self.signers.seq_of(signed.head))
            && seen != signed
        {
            problems.push(value("seen", &format!("{signed}, as was signed"), &seen.to_string()));
        }
        match self.signers.use_up(seat, signed.head, signed.number) {
            Use::First => {}
            Use::Again => problems.push(Problem::SignedBefore { number: signed.number }),
            Use::Elsewhere => problems.push(Problem::SignedElsewhere { head: signed.head }),
        }
        let read = |words: &str| self.game.read(seat, words, &self.faces_with(entry)).map(|read| read.sentence);
        if !read(&signed.words).is_ok_and(|sentence| sentence == say.said) {
            let (words, said) = (signed.words.to_string(), say.said.to_string());
            problems.push(Problem::SignedOtherwise { words, said });
        }
    }

    /// The faces that are known when the cards that a record shows are.
    pub(crate) fn faces_with(&self, entry: &Entry) -> Faces {
        let mut faces = self.faces.clone();
        for opening in entry.outcome.iter().flat_map(|outcome| &outcome.open) {
            if let Ok((slot, card)) = self.masks.check(opening) {
                faces.learn(slot, card);
            }
        }
        faces
    }
}
