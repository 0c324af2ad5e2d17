/*! What proves who wrote a sentence (requirement A5): the letter it came in, and its own signature. */

use super::turn::Turn;
use crate::post::names::address::Seen;
use crate::post::order::sentences::Sentence;
use crate::record::commit::signed::SignedSentence;
use crate::record::entry::body::{Auth, Via};
use crate::record::fold::signers::Use;
use crate::report::occasion::Fate;

impl Turn<'_> {
    /// How an entry of this letter came.
    pub(super) fn via(&self) -> Via {
        let seen = self.seen.as_ref().map(|seen| seen.seq);
        Via { raw: Some(self.raw), seen, auth: Some(self.authorship.auth), by: None }
    }

    /// How a sentence came, with the class that its own signature gives it.
    pub(super) fn via_of(&self, sentence: &Sentence) -> Via {
        Via { auth: Some(self.auth_of(sentence)), ..self.via() }
    }

    /// A5: how well it is known who wrote a sentence.
    pub(super) fn auth_of(&self, sentence: &Sentence) -> Auth {
        if sentence.signed.is_some() { Auth::Ssh } else { self.authorship.auth }
    }

    /// A5: why a signed sentence is not its seat's. One that is says by itself what its writer had seen.
    pub(super) fn not_signed(&mut self, sentence: &Sentence) -> Option<Fate> {
        let order = sentence.signed.as_deref()?;
        let fold = self.table.fold();
        if let Err(why) = order.check(&fold.plan().game, &self.place.seat, fold.keys(self.seat())) {
            return Some(Fate::refused(format!("the signature does not hold: {why}")));
        }
        let SignedSentence { head, number, .. } = &order.sentence;
        let seq = match fold.signers().judge(self.seat(), *head, *number) {
            Use::First => fold.signers().seq_of(*head).or(Some(fold.head().seq)),
            Use::Again => {
                let why =
                    format!("order {number} signed on this letter was played before; sign it anew, for the newest");
                return Some(Fate::refused(why));
            }
            Use::Elsewhere if fold.head().hash == *head => Some(fold.head().seq),
            Use::Elsewhere => {
                let why = "it was signed on a letter that is not of this game's history";
                return Some(Fate::refused(why));
            }
        };
        self.seen = seq.map(|seq| Seen { seq, head: head.to_string() });
        None
    }

    /// A5: why a sentence is of too low a class for this game, and what would be right.
    pub(super) fn too_low(&self, sentence: &Sentence) -> Option<Fate> {
        let (least, found) = (self.table.fold().plan().min_auth, self.auth_of(sentence));
        if found >= least {
            return None;
        }
        let sign = "sign each sentence with the key that you announced (`ringmail sign`, or as `help sign` tells)";
        let right = match least {
            Auth::None | Auth::Token => {
                format!("answer the letter that you got, at the address to which it asks you to answer, or {sign}")
            }
            // What nobody checks here proves nothing.
            Auth::Dkim if !self.authorship.is_checked => sign.to_owned(),
            Auth::Dkim => {
                format!("send it through your own mail provider, whose DKIM signature must hold, or {sign}")
            }
            Auth::Ssh => sign.to_owned(),
        };
        let (least, found) = (least.word(), found.word());
        let why = &self.authorship.why;
        let why = format!("this game requires `{least}` or stronger; yours is `{found}`: {why}");
        Some(Fate::refused(format!("{why}. Nothing was done; {right}")))
    }
}
