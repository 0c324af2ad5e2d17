/*! What ties a sentence to its seat (requirement A5): the letter it came in, a line that was sent back, or its own
signature.
*/

use super::clerk::Clerk;
use super::position::Position;
use crate::names::address::Seen;
use crate::order::sentences::Sentence;
use record::commit::signed::SignedOrder;
use record::entry::body::{Auth, Kind, Via};
use record::fold::signers::Use;
use report::fate::Fate;

/// Why nothing of a letter is done if it came to the mailbox of the office, and not to the address of its seat.
pub(super) const UNTIED: &str = "it did not come to the address of your seat, so it could be anybody's: nothing of it \
                                 was done. If you wrote it, answer this letter with the lines below";

impl Position<'_> {
    /// How an entry of this letter came.
    pub(super) fn via(&self) -> Via {
        let (message, seen) = (self.cover.message, self.seen_seq());
        Via { raw: Some(self.cover.raw), message, seen, auth: self.cover.authorship.auth, ..Via::default() }
    }

    /// The record that its writer had seen, as entries cite it; `None` if the log does not have it.
    pub(super) fn seen_seq(&self) -> Option<u64> {
        let last = self.table.fold().head().seq;
        self.cover.seen.as_ref().map(|seen| seen.seq).filter(|seq| *seq <= last)
    }

    /// How a sentence came, with the class that a line sent back or its own signature gives it.
    pub(super) fn via_of(&self, sentence: &Sentence) -> Via {
        let signed = sentence.signed.as_deref().map(SignedOrder::in_record);
        Via { auth: self.auth_of(sentence), signed, ..self.via() }
    }

    /// A5: what ties a sentence to its seat; `None` if nothing does.
    pub(super) fn auth_of(&self, sentence: &Sentence) -> Option<Auth> {
        let confirmed = (self.docket.confirmed == Some(sentence.line)).then_some(Auth::Confirmed);
        let signed = sentence.signed.is_some().then_some(Auth::Ssh);
        self.cover.authorship.auth.max(confirmed).max(signed)
    }

    /// A5: why a signed sentence is not its seat's. If it is, what the writer had seen, as its
    /// signature says.
    pub(super) fn not_signed(&self, sentence: &Sentence) -> Result<Option<Seen>, Fate> {
        let Some(order) = sentence.signed.as_deref() else { return Ok(None) };
        let fold = self.table.fold();
        // What was fixed was signed with the keys that the seat had then.
        let fixed = fold.receipts().of_letter(&self.cover.raw).map(|receipt| &*receipt.keys);
        let keys = fixed.unwrap_or_else(|| fold.keys(self.seat()));
        if let Err(why) = order.check(&fold.plan().game, &self.cover.place.seat, keys) {
            return Err(Fate::refused(format!("the signature does not hold: {why}")));
        }
        let signed = &order.sentence;
        let part = sentence.form.part();
        if signed.part != part {
            let (found, right) = (signed.part.word(), part.word());
            return Err(Fate::refused(format!("it was signed as `{found}`; sign it as `{right} 1 of 1`")));
        }
        let is_newest = fold.head().seq == signed.on.seq && fold.head().hash == signed.on.head;
        let why = match fold.signers().judge(self.seat(), signed) {
            Use::Next => None,
            Use::Elsewhere if is_newest => None,
            Use::Again => {
                let number = signed.number;
                Some(format!("{} {number} signed on this letter was played before; sign it anew", part.word()))
            }
            Use::TooEarly { next } => {
                Some(format!("line {next} of those signed on this letter was not played; sign what is to be next"))
            }
            Use::Elsewhere => Some("it was signed on a letter that is not of this game's history".to_owned()),
        };
        if let Some(why) = why {
            return Err(Fate::refused(why));
        }
        Ok(Some(Seen { seq: signed.on.seq, head: signed.on.head.to_string() }))
    }

    /// A5: why a sentence is of too low a class for this game, and what would be right.
    pub(super) fn too_low(&self, sentence: &Sentence) -> Option<Fate> {
        let (least, found) = (self.table.fold().least_for(Kind::Say, self.seat()), self.auth_of(sentence));
        if found.is_some_and(|found| found >= least) {
            return None;
        }
        let Some(found) = found else { return Some(Fate::refused(UNTIED)) };
        let sign = "sign each sentence with the key that you announced (`ringmail sign`, or as `help sign` tells)";
        let right = match least {
            Auth::Keyboard | Auth::Token => {
                format!("answer the letter that you got, at the address to which it asks you to answer, or {sign}")
            }
            Auth::Confirmed => unreachable!("no game asks for it in an answer"),
            // A DKIM signature that this office does not check proves nothing.
            Auth::Dkim if !self.cover.authorship.is_checked => sign.to_owned(),
            Auth::Dkim => {
                format!("send it through your own mail provider, whose DKIM signature must hold, or {sign}")
            }
            Auth::Ssh => sign.to_owned(),
        };
        let (least, found) = (least.word(), found.word());
        let why = &self.cover.authorship.why;
        let why = format!("this game requires `{least}` or stronger; yours is `{found}`: {why}");
        Some(Fate::refused(format!("{why}. Nothing was done; {right}")))
    }
}

impl Clerk<'_> {
    /// A5: checks the signature of a sentence. It says what the writer had seen, and that is noted.
    ///
    /// # Errors
    /// Why a signed sentence is not its seat's.
    pub(super) fn check_signature(&mut self, sentence: &Sentence) -> Result<(), Fate> {
        if let Some(seen) = self.position().not_signed(sentence)? {
            self.cover.seen = Some(seen);
        }
        Ok(())
    }
}
