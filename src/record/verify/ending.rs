/*! Who has signed the end of a log: anybody can write records behind a log that he has, and cut some off. So a
checkpoint may lie beside it, in a file of its own (log 10.6), or stand in the reader's own letters.
*/

use crate::commit::checkpoint::Noted;
use crate::fold::Fold;
use crate::fold::tenure::Tenure;

/// What lies beside a log to vouch for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFile {
    /// Its name in messages.
    pub name: String,
    pub noted: Noted,
}

/// How far the log is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedTo {
    pub seq: u64,
    /// The record that announced the key.
    pub key: u64,
}

impl CheckFile {
    /// The host's key that has signed it; `None` if it is of another game, or the key that counts for its record has
    /// not signed it.
    pub(super) fn signer(&self, fold: &Fold) -> Option<Tenure> {
        let signer = fold.tenures().of(self.noted.seq()?)?;
        let is_signed = self.noted.checkpoint.game == fold.plan().game && self.noted.check(&[signer.key]).is_ok();
        is_signed.then_some(signer)
    }
}
