/*! Sealed texts: choices, standing orders (log 9.2) and lines of receipts (log 9.5) that are committed now and shown
later.
*/

use crate::record::value::hash::{GameId, Hash, hash, length_prefix, mac};

/// What is sealed; the two can never be taken for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// A secret choice; its number is that of the record that asked.
    Choice,
    /// A standing order; its number is that of its own record.
    Order,
}

impl Sealing {
    fn label(self) -> &'static str {
        match self {
            Sealing::Choice => "choice",
            Sealing::Order => "order",
        }
    }

    /// The salt of the seal of a seat under this number.
    pub fn salt(self, root: &Hash, seat: u8, seq: u64) -> Hash {
        salt(root, self.label(), seat, seq, 0)
    }

    /// `X`: the seal of a text of a seat.
    pub fn seal(self, game: &GameId, seat: u8, seq: u64, text: &str, salt: &Hash) -> Hash {
        let number = number(seq).to_be_bytes();
        hash(self.label(), &[&game.0, &[seat], &number, &length_prefix(text), text.as_bytes(), &salt.0])
    }
}

/// The salt of thing number `index` that is sealed for a seat under a record's number: it follows from the host's root,
/// so that nothing is chosen, and no two things share one.
pub fn salt(root: &Hash, label: &str, seat: u8, seq: u64, index: u16) -> Hash {
    let (length, number) = (length_prefix(label), number(seq).to_be_bytes());
    mac(root, "salt", &[&length, label.as_bytes(), &[seat], &number, &index.to_be_bytes()])
}

/// The salt of a line of a receipt; lines are counted from 0 here.
pub fn line_salt(root: &Hash, seat: u8, receipt: u64, index: u16) -> Hash {
    salt(root, "line", seat, receipt, index)
}

/// The commitment to a line of a receipt (log 9.5); lines are counted from 0 here.
pub fn line(game: &GameId, seat: u8, receipt: u64, index: u16, text: &str, salt: &Hash) -> Hash {
    let (number, index) = (number(receipt).to_be_bytes(), index.to_be_bytes());
    hash("line", &[&game.0, &[seat], &number, &index, &length_prefix(text), text.as_bytes(), &salt.0])
}

fn number(seq: u64) -> u32 {
    u32::try_from(seq).expect("a log of at most 256 MiB has fewer than 2^32 records")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::commit::vectors;
    use crate::record::value::hash::Hex;

    #[test]
    fn a_choice_is_sealed_as_in_the_specification() {
        let seal = Sealing::Choice.seal(&vectors::game(), 2, 417, "combat-card:sh-char-04", &Hex([0x55; 32]));
        assert_eq!(seal.to_string(), "b16b13a51c522aaaa2def4840caeff8ecbe8b98ccbda3b90b2671fb1a3e6a4da");
    }

    #[test]
    fn lines_are_committed_as_in_the_specification() {
        let lines = ["attack osgiliath from south-ithilien with all", "cease"];
        let commitments = (0..).zip(lines).map(|(index, text)| {
            let salt = line_salt(&vectors::root(), 2, 417, index);
            line(&vectors::game(), 2, 417, index, text, &salt).to_string()
        });
        let expected = [
            "18f8eb04895e32f9d91bdccdf4850df8c08f8f11457ba61724d757c274573043",
            "86661c07f2c47d25ba0f9fdf56393764fcd5fd5ff139af82aee694db99701a8b",
        ];
        assert_eq!(commitments.collect::<Vec<String>>(), expected);
    }

    #[test]
    fn an_order_is_not_a_choice() {
        let seal = |sealing: Sealing| sealing.seal(&vectors::game(), 2, 417, "pass", &Hex([0x55; 32]));
        assert_ne!(seal(Sealing::Choice), seal(Sealing::Order));
    }
}
