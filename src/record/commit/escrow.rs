/*! Shares of the dealer's root, one for each seat that the host does not play (log 8.9): if the host vanishes, all of
them together restore the root, and none of them alone reveals anything.

The shares follow from the root, so that a letter written again carries the same share; the start of the log commits
to each share, so that a false one is noticed.
*/

use data_encoding::BASE32_NOPAD;
use ground::hash::{GameId, Hash, Hex, hash, mac};

/// Fewer seats than this cannot share: one alone would have the root.
pub const SEATS_MIN: usize = 2;

/// The shares of these seats, in their order. Their XOR is the root.
pub fn shares(root: &Hash, seats: &[u8]) -> Vec<(u8, Hash)> {
    let Some((last, others)) = seats.split_last() else { return Vec::new() };
    let mut shares: Vec<(u8, Hash)> =
        others.iter().map(|seat| (*seat, mac(root, "escrow-share", &[&[*seat]]))).collect();
    let rest = sum(shares.iter().map(|(_, share)| share).chain([root]));
    shares.push((*last, rest));
    shares
}

/// The XOR of these shares.
pub fn sum<'s>(shares: impl Iterator<Item = &'s Hash>) -> Hash {
    let mut whole = Hash::ZERO;
    for share in shares {
        whole.0.iter_mut().zip(share.0).for_each(|(byte, other)| *byte ^= other);
    }
    whole
}

/// The commitment to a share in the start of the log.
pub fn commitment(game: &GameId, seat: u8, share: &Hash) -> Hash {
    hash("escrow", &[&game.0, &[seat], &share.0])
}

/// A share for people: 52 letters.
pub fn write(share: &Hash) -> String {
    BASE32_NOPAD.encode(&share.0)
}

/// Reads a share, with or without blanks and hyphens, in small letters too.
pub fn read(text: &str) -> Option<Hash> {
    let letters: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_uppercase()).collect();
    let bytes = BASE32_NOPAD.decode(letters.as_bytes()).ok()?;
    Some(Hex(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_shares_together_are_the_root_and_no_fewer() {
        let root = Hex([0x44; 32]);
        for seats in [&[1, 2][..], &[2, 3, 4], &[1, 2, 3, 4]] {
            let shares = shares(&root, seats);
            assert_eq!(shares.iter().map(|(seat, _)| *seat).collect::<Vec<u8>>(), seats);
            assert_eq!(sum(shares.iter().map(|(_, share)| share)), root);
            for missing in 0..shares.len() {
                let some =
                    shares.iter().enumerate().filter(|(index, _)| *index != missing).map(|(_, (_, share))| share);
                assert_ne!(sum(some), root);
            }
        }
    }

    #[test]
    fn a_share_reads_as_it_is_written() {
        let (_, share) = shares(&Hex([0x44; 32]), &[1, 2])[0];
        assert_eq!(read(&write(&share).to_lowercase()), Some(share));
        assert_eq!(read(&write(&share)[1..]), None);
        assert_eq!(read(""), None);
    }
}
