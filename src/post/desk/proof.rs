/*! What proves who wrote a sentence (requirement A5): the letter it came in, the code it brought, its own signature. */

use super::turn::Turn;
use crate::post::names::address::Seen;
use crate::post::order::sentences::Sentence;
use crate::record::commit::signed::SignedSentence;
use crate::record::entry::body::{Auth, Via};
use crate::record::fold::signers::Use;
use crate::record::table::GivenCode;
use crate::report::occasion::Fate;

impl Turn<'_> {
    /// How an entry of this letter came.
    pub(super) fn via(&self, code: Option<GivenCode>) -> Via {
        let seen = self.seen.as_ref().map(|seen| seen.seq);
        let auth =
            Some(if self.brings_code(code) { self.authorship.auth.max(Auth::Code) } else { self.authorship.auth });
        Via { raw: Some(self.raw), seen, auth, by: None, standing: None }
    }

    /// How a sentence came, with the class that its own signature gives it.
    pub(super) fn via_of(&self, sentence: &Sentence) -> Via {
        Via { auth: Some(self.auth_of(sentence)), ..self.via(None) }
    }

    /// A5: how well it is known who wrote a sentence.
    pub(super) fn auth_of(&self, sentence: &Sentence) -> Auth {
        match &sentence.signed {
            Some(_) => Auth::Ssh,
            None if self.brings_code(self.progress.code) => self.authorship.auth.max(Auth::Code),
            None => self.authorship.auth,
        }
    }

    /// Whether a code is the next of its seat's chain, or one after it; no other proves anything.
    fn brings_code(&self, code: Option<GivenCode>) -> bool {
        let next = self.table.fold().ledger().and_then(|ledger| ledger.next_code(self.seat().0));
        code.is_some_and(|code| self.table.code_for(self.seat(), next, Some(code)).is_ok_and(|code| code.is_some()))
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
        let has_codes = self.table.fold().ledger().is_some_and(|ledger| ledger.next_code(self.seat().0).is_some());
        let right = match least {
            Auth::None | Auth::Code if has_codes => {
                format!("add your next one-time code on a line of its own, or {sign}")
            }
            // A seat that joined without codes gets none later, and a signature that is not
            // checked here proves nothing.
            Auth::None | Auth::Code | Auth::Dkim if !self.authorship.is_checked => sign.to_owned(),
            Auth::None | Auth::Code | Auth::Dkim => {
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
