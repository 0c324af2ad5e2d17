/*! Who has signed the end of a log: anybody can write records behind a log that he has, and cut some off. So a
checkpoint may lie beside it, in a file of its own (log 10.6), or stand in the reader's own letters.
*/

use crate::commit::checkpoint::Noted;
use crate::fold::tenure::Tenure;
use ground::hash::Hash;

/// What lies beside a log to vouch for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFile {
    /// Its name in messages.
    pub name: String,
    /// The checkpoint in it; `None` if there is none that can be read.
    pub noted: Option<Noted>,
}

/// How far the log is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedTo {
    pub seq: u64,
    /// The record that announced the key.
    pub key: u64,
}

/// What the file beside the log says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// It is signed up to this record.
    Signed(SignedTo),
    /// The host has signed another record in this place.
    Forked(Tenure),
    /// No key that counts for its record has signed it.
    Unsigned,
}

impl CheckFile {
    /// The record that it is about.
    pub(super) fn seq(&self) -> Option<u64> {
        self.noted.as_ref()?.seq()
    }

    /// Compares it with the record that it is about.
    pub(super) fn hold(&self, game: ground::hash::GameId, hash: Hash, signer: Option<Tenure>) -> Beside {
        let (Some(noted), Some(signer)) = (&self.noted, signer) else { return Beside::Unsigned };
        if noted.checkpoint.game != game || noted.check(&[signer.key]).is_err() {
            return Beside::Unsigned;
        }
        let seq = noted.seq().unwrap_or(0);
        if noted.checkpoint.head != hash {
            return Beside::Forked(signer);
        }
        Beside::Signed(SignedTo { seq, key: signer.announced })
    }
}
