/*! Signed checkpoints (log 10.6): below every letter the host signs with his key how long the log is and what its
head is.

Two of them with equal numbers and different heads prove to anybody that the host told two stories. Their text and
their signature stand in the letter as `ssh-keygen -Y verify` reads them.
*/

use super::signature::{BEGIN, CHECKPOINT, END, NotSigned, PublicKey, Signature, SigningKey};
use ground::hash::{GameId, Hash};
use ground::stamp::Stamp;
use std::fmt;

/// The first line of a checkpoint.
const TITLE: &str = "ringmail-checkpoint/1";
/// The lines of a checkpoint, and the most lines of its signature.
const LINES: usize = 5;
const SIGNATURE_LINES_MAX: usize = 24;
/// A line of base64 may belong to a signature if it is at least this long.
const BASE64_MIN: usize = 16;

/// How far a log went, as its host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub game: GameId,
    /// How many records the log had.
    pub records: u64,
    /// The hash of the last one.
    pub head: Hash,
    /// The time of the last record.
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

impl Checkpoint {
    /// Reads the five lines of a checkpoint.
    fn read<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<Checkpoint> {
        lines.next().filter(|title| *title == TITLE)?;
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix(' ');
        let game = GameId::parse(value("game")?)?;
        let records = value("records").filter(|digits| digits.len() <= 15)?;
        let records: u64 = records.parse().ok().filter(|number: &u64| number.to_string() == records)?;
        let (head, at) = (Hash::parse(value("head")?)?, Stamp::parse(value("at")?)?);
        Some(Checkpoint { game, records, head, at })
    }
}

/// A checkpoint as it stands in a letter: with the signature, if the host has a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    pub checkpoint: Checkpoint,
    pub signature: Option<Signature>,
}

impl fmt::Display for Noted {
    /// The lines of the letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.checkpoint)?;
        self.signature.as_ref().map_or(Ok(()), |signature| f.write_str(&signature.in_armour()))
    }
}

impl Noted {
    /// Notes how far a log goes, and signs it if there is a key. Ed25519 is deterministic: a letter made again is the
    /// same letter.
    pub fn of(checkpoint: Checkpoint, key: Option<&SigningKey>) -> Noted {
        let signature = key.map(|key| key.sign(CHECKPOINT, checkpoint.to_string().as_bytes()));
        Noted { checkpoint, signature }
    }

    /// All checkpoints in a text, which may be quoted or indented. A damaged signature counts as none.
    pub fn find(lines: &[&str]) -> Vec<Noted> {
        let mut found = Vec::new();
        let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| **line == TITLE) {
            let Some(checkpoint) = Checkpoint::read(lines[index..].iter().copied().take(LINES)) else { continue };
            let signed = &lines[index + LINES..lines.len().min(index + LINES + SIGNATURE_LINES_MAX)];
            let end = signed.iter().position(|line| *line == END).filter(|_| signed.first() == Some(&BEGIN));
            let signature = end.and_then(|end| Signature::read(&signed[..=end].join("\n")).ok());
            found.push(Noted { checkpoint, signature });
        }
        found
    }

    /// The number of the record that is the head.
    pub fn seq(&self) -> Option<u64> {
        self.checkpoint.records.checked_sub(1)
    }

    /// Checks that the host of one of these keys signed the checkpoint.
    pub fn check(&self, keys: &[PublicKey]) -> Result<(), NotSigned> {
        let signature = self.signature.as_ref().ok_or(NotSigned::Damaged)?;
        signature.check(keys, CHECKPOINT, self.checkpoint.to_string().as_bytes()).map(drop)
    }
}

/// Whether a line is the first of a checkpoint, alone or with what a program has joined to it.
pub fn begins(line: &str) -> bool {
    line.split_whitespace().next() == Some(TITLE)
}

/// How many of these lines belong to a checkpoint and its signature, even if a mail program has wrapped or cut them.
/// The first line begins the checkpoint.
pub fn length<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    let is_base64 = |line: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        line.len() >= BASE64_MIN && line.bytes().all(is_letter)
    };
    let mut count = 0;
    for line in lines.take(LINES + SIGNATURE_LINES_MAX).map(str::trim) {
        if line.ends_with(END) {
            return count + 1;
        }
        let first = line.split(' ').next().unwrap_or(line);
        let is_value = ["game", "records", "head", "at", ""].contains(&first) || Hash::parse(first).is_some();
        if count > 0 && !is_value && line != BEGIN && !is_base64(line) {
            break;
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::Hex;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            game: Hex([7; 16]),
            records: 413,
            head: Hex([9; 32]),
            at: Stamp::parse("2026-11-20T04:06:35Z").unwrap(),
        }
    }

    fn read(text: &str) -> Vec<Noted> {
        Noted::find(&text.lines().collect::<Vec<&str>>())
    }

    #[test]
    fn a_checkpoint_reads_as_it_is_written() {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        for noted in [Noted::of(checkpoint(), None), Noted::of(checkpoint(), Some(&key))] {
            assert_eq!(read(&noted.to_string()), std::slice::from_ref(&noted));
            assert_eq!(read(&format!("words\n{noted}{noted}\nwords\n")), [noted.clone(), noted.clone()]);
            let lines = noted.to_string().lines().count();
            assert_eq!(length(format!("{noted}roll 2\n").lines()), lines);
            assert!(noted.to_string().lines().all(|line| line.len() <= 72));
        }
        assert_eq!(checkpoint().to_string().len(), 166);
        let cut = [Vec::new(), read("ringmail-checkpoint/1\nrecords 413\n")].concat();
        assert_eq!(cut, []);
    }

    #[test]
    fn a_signature_that_is_cut_off_is_none() {
        let noted = Noted::of(checkpoint(), Some(&SigningKey::of_seed(&Hex([7; 32])))).to_string();
        for end in noted.find(BEGIN).unwrap()..noted.len() - 1 {
            let found = read(&noted[..end]);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].signature, None, "{end}");
        }
    }

    #[test]
    fn nothing_of_a_checkpoint_can_be_altered() {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        let noted = Noted::of(checkpoint(), Some(&key));
        assert_eq!(noted.check(&[key.public]), Ok(()));
        let later = Stamp::parse("2026-11-20T04:06:36Z").unwrap();
        let changes: [&dyn Fn(&mut Noted); 5] = [
            &|it| it.checkpoint.game = Hex([8; 16]),
            &|it| it.checkpoint.records = 414,
            &|it| it.checkpoint.head.0[31] ^= 1,
            &|it| it.checkpoint.at = later,
            &|it| it.signature = Some(key.sign(CHECKPOINT, b"another text")),
        ];
        for change in changes {
            let mut altered = noted.clone();
            change(&mut altered);
            assert_eq!(altered.check(&[key.public]), Err(NotSigned::OtherText));
        }
        assert!(noted.check(&[SigningKey::of_seed(&Hex([8; 32])).public]).is_err());
        assert!(Noted::of(checkpoint(), None).check(&[key.public]).is_err());
    }
}
