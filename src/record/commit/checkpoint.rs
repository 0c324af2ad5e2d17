/*! Signed checkpoints (log 10.6): the host says in every letter, by his key, how long the log is and what
its head is.

Two of them with equal numbers and different heads prove to anybody that the host told two stories. Their text is what
`ssh-keygen -Y verify` reads; a letter carries the same in one line, from which the text is made again.
*/

use super::signature::{CHECKPOINT, Hashing, NotSigned, PublicKey, Signature, SigningKey};
use crate::record::value::hash::{GameId, Hash, Hex};
use crate::record::value::stamp::Stamp;
use data_encoding::BASE64;
use std::fmt;

/// The first line of a checkpoint.
const TITLE: &str = "ringmail-checkpoint/1";

/// How far a log went, as its host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub game: GameId,
    /// How many records the log had.
    pub records: u64,
    /// The hash of the last one.
    pub head: Hash,
    /// Its time.
    pub at: Stamp,
}

impl fmt::Display for Checkpoint {
    /// The bytes that are signed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "records {}", self.records)?;
        writeln!(f, "head {}", self.head)?;
        writeln!(f, "at {}", self.at)
    }
}

/// A checkpoint as it stands in a letter: with the signature, if the host has a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    pub checkpoint: Checkpoint,
    pub signature: Option<Hex<64>>,
}

impl fmt::Display for Noted {
    /// In one line: what differs from game to game and from letter to letter, and nothing else.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checkpoint { game, records, head, at } = &self.checkpoint;
        write!(f, "{TITLE} {game} {records} {head} {at}")?;
        match &self.signature {
            Some(signature) => write!(f, " {}", BASE64.encode(&signature.0)),
            None => Ok(()),
        }
    }
}

impl Noted {
    /// Notes how far a log goes, and signs it if there is a key. Ed25519 has one signature for a text: a letter made
    /// again is the same letter.
    #[must_use]
    pub fn of(checkpoint: Checkpoint, key: Option<&SigningKey>) -> Noted {
        let signature = key.map(|key| key.sign(CHECKPOINT, checkpoint.to_string().as_bytes()).bytes);
        Noted { checkpoint, signature }
    }

    /// Reads what stands in a letter; `None` if it is no checkpoint.
    #[must_use]
    pub fn read(line: &str) -> Option<Noted> {
        let mut words = line.split_whitespace();
        words.next().filter(|title| *title == TITLE)?;
        let game = GameId::parse(words.next()?)?;
        let records = words.next().filter(|digits| digits.len() <= 18)?.parse().ok()?;
        let (head, at) = (Hash::parse(words.next()?)?, Stamp::parse(words.next()?)?);
        let signature = match words.next() {
            None => None,
            Some(written) => Some(Hex(BASE64.decode(written.as_bytes()).ok()?.try_into().ok()?)),
        };
        let checkpoint = Checkpoint { game, records, head, at };
        words.next().is_none().then_some(Noted { checkpoint, signature })
    }

    /// The number of the record that is the head.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        self.checkpoint.records.checked_sub(1)
    }

    /// The signature as `ssh-keygen -Y verify` takes it.
    #[must_use]
    pub fn signature_by(&self, key: PublicKey) -> Option<Signature> {
        let purpose = CHECKPOINT.to_owned();
        self.signature.map(|bytes| Signature { key, purpose, hashing: Hashing::Sha512, bytes })
    }

    /// Checks that the host of this key signed the checkpoint.
    ///
    /// # Errors
    /// He did not.
    pub fn check(&self, key: PublicKey) -> Result<(), NotSigned> {
        let signature = self.signature_by(key).ok_or(NotSigned::Damaged)?;
        signature.check(&[key], CHECKPOINT, self.checkpoint.to_string().as_bytes()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            game: Hex([7; 16]),
            records: 413,
            head: Hex([9; 32]),
            at: Stamp::parse("2026-11-20T04:06:35Z").unwrap(),
        }
    }

    #[test]
    fn a_checkpoint_reads_as_it_is_written() {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        for noted in [Noted::of(checkpoint(), None), Noted::of(checkpoint(), Some(&key))] {
            assert_eq!(Noted::read(&noted.to_string()), Some(noted));
        }
        assert_eq!(checkpoint().to_string().len(), 166);
        assert_eq!(Noted::read("ringmail-checkpoint/1 413"), None);
    }

    #[test]
    fn nothing_of_a_checkpoint_can_be_altered() {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        let noted = Noted::of(checkpoint(), Some(&key));
        assert_eq!(noted.check(key.public), Ok(()));
        let later = Stamp::parse("2026-11-20T04:06:36Z").unwrap();
        let changes: [&dyn Fn(&mut Noted); 5] = [
            &|it| it.checkpoint.game = Hex([8; 16]),
            &|it| it.checkpoint.records = 414,
            &|it| it.checkpoint.head.0[31] ^= 1,
            &|it| it.checkpoint.at = later,
            &|it| it.signature = it.signature.map(|mut bytes| (bytes.0[0] ^= 1, bytes).1),
        ];
        for change in changes {
            let mut altered = noted.clone();
            change(&mut altered);
            assert_eq!(altered.check(key.public), Err(NotSigned::OtherText));
        }
        assert!(noted.check(SigningKey::of_seed(&Hex([8; 32])).public).is_err());
        assert!(Noted::of(checkpoint(), None).check(key.public).is_err());
    }
}
