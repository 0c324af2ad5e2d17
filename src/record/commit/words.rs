/*! The fingerprint of a game in words, for people to compare by telephone or at a glance.

It is the hash of the genesis record, which fixes the game, its seats and the host's key. The words are those of the
English list of BIP-39: 2,048 words, of which no two begin with the same four letters. Unlike a BIP-39 mnemonic a
fingerprint has no checksum: its twelve words are the first 132 bits of the hash.
*/

use bip39::Language;
use ground::hash::Hash;

/// Words of a whole fingerprint.
pub const WORDS: usize = 12;
/// Words of it in the subject of a letter.
pub const WORDS_IN_SUBJECT: usize = 2;

/// Bits that one word stands for.
const WORD_BITS: usize = 11;

/// The words of a genesis record, given its SHA-256: its first 132 bits, eleven for each word, most significant first.
pub fn fingerprint(genesis: &Hash) -> [&'static str; WORDS] {
    let bit = |at: usize| usize::from(genesis.0[at / 8] >> (7 - at % 8) & 1);
    let number = |word: usize| (word * WORD_BITS..(word + 1) * WORD_BITS).fold(0, |number, at| number << 1 | bit(at));
    std::array::from_fn(|word| Language::English.word_list()[number(word)])
}

/// The first two words of the fingerprint, for the subject of a letter.
pub fn in_subject(genesis: &Hash) -> [&'static str; WORDS_IN_SUBJECT] {
    let [first, second, ..] = fingerprint(genesis);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::{Hex, sha256};

    #[track_caller]
    fn case(genesis: Hash, expected: &str) {
        assert_eq!(fingerprint(&genesis).join(" "), expected);
        assert_eq!(in_subject(&genesis).join(" "), expected.split(' ').take(2).collect::<Vec<&str>>().join(" "));
    }

    #[test]
    fn the_list_is_the_english_one_of_bip_39() {
        let list = Language::English.word_list();
        // The published file: a word a line.
        let file: String = list.iter().map(|word| format!("{word}\n")).collect();
        let hash = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda";
        assert_eq!(sha256(file.as_bytes()).to_string(), hash);
    }

    #[test]
    fn the_words_are_the_first_132_bits() {
        // Computed with another program.
        case(Hash::ZERO, &["abandon"; 12].join(" "));
        case(Hex([0xff; 32]), &["zoo"; 12].join(" "));
        case(Hex([0x66; 32]), &["grid creek office smoke"; 3].join(" "));
        case(sha256(b"abc"), "risk scheme quiz bulk brother vivid agree chimney tattoo uniform mass electric");
        case(
            Hex(std::array::from_fn(|at| u8::try_from(at).unwrap())),
            "abandon amount liar amount expire adjust cage candy arch gather drum bullet",
        );
    }

    #[test]
    fn bits_behind_the_132nd_do_not_count() {
        let mut genesis = Hash::ZERO;
        genesis.0[16] = 0x0f;
        genesis.0[17..].fill(0xff);
        case(genesis, &["abandon"; 12].join(" "));
        genesis.0[16] = 0x10;
        case(genesis, &format!("{} ability", ["abandon"; 11].join(" ")));
    }
}
