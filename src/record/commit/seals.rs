/*! Texts that are committed now and shown later: the order books of all seats, and lines of receipts (log 9).
*/

use ground::hash::{GameId, Hash, hash, length_prefix, mac};

/// The commitment of a record to the order books of all seats, in their order, as they are after it. Its salt follows
/// from the root, so that the host chooses nothing and no two records share a salt. No book may be longer than
/// [`ORDER_BOOK_LIMIT`].
pub fn books<'t>(game: &GameId, root: &Hash, seq: u64, texts: impl ExactSizeIterator<Item = &'t str>) -> Hash {
    let number = number(seq).to_be_bytes();
    let seats = u8::try_from(texts.len()).expect("a game has at most 250 seats");
    let mut message: Vec<u8> = [&game.0[..], &number, &[seats]].concat();
    for text in texts {
        message.extend(length_prefix(text));
        message.extend(text.as_bytes());
    }
    hash("books", &[&message, &salt(root, "books", 0, seq, 0).0])
}

/// The most bytes of a seat's order book: what `LP(x)` can hold.
pub const ORDER_BOOK_LIMIT: usize = 65_535;

/// The salt of item `index` that is sealed for a seat under record `seq`. It follows from the host's root, so that
/// the host chooses nothing and no two items share a salt.
pub fn salt(root: &Hash, label: &str, seat: u8, seq: u64, index: u16) -> Hash {
    let (length, number) = (length_prefix(label), number(seq).to_be_bytes());
    mac(root, "salt", &[&length, label.as_bytes(), &[seat], &number, &index.to_be_bytes()])
}

/// The salt of a line of a receipt; lines are counted from 0 here.
pub fn line_salt(root: &Hash, seat: u8, receipt: u64, index: u16) -> Hash {
    salt(root, "line", seat, receipt, index)
}

/// The commitment to a line of a receipt (log 9.10); lines are counted from 0 here.
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
    use crate::commit::vectors;
    use ground::hash::Hex;

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
    fn the_books_are_committed_to_as_in_the_specification() {
        let first = "1 when asked storms say pass\n3 when asked defence say 1 once\n";
        let found = books(&vectors::game(), &Hex([0x44; 32]), 417, [first, ""].into_iter());
        assert_eq!(found.to_string(), "b79ecfa18520e353906f2eb4420e75fa2d062e3664fd1ebac97353a59247dc94");
    }

    #[test]
    fn two_records_do_not_show_that_the_books_are_the_same() {
        let root = Hex([0x44; 32]);
        let of = |seq, texts: [&str; 2]| books(&vectors::game(), &root, seq, texts.into_iter());
        let all = [of(417, ["", ""]), of(418, ["", ""]), of(417, ["1 a\n", ""]), of(417, ["", "1 a\n"])];
        for (index, one) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|other| other != one));
        }
    }
}
