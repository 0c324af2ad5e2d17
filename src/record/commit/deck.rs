/*! Masked decks: face-down positions whose cards are committed before anybody draws (log 8.3).

The commitment fixes no order, only which card lies at which position: a draw is an open roll among the positions that
are left, so everybody sees which slot was drawn, and only the masker knows its card until it is opened.
*/

use super::seed::Seed;
use ground::hash::{GameId, Hash, hash, length_prefix, mac};

/// A deck, and how often it was laid down before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeckNumber {
    /// The number of the deck in the order the title names its decks, from 0.
    pub deck: u8,
    /// How often it was laid down before.
    pub epoch: u8,
}

/// The commitment to the root of a seat in a game.
pub fn root_commitment(game: &GameId, seat: u8, root: &Hash) -> Hash {
    hash("root", &[&game.0, &[seat], &root.0])
}

/// `C[j]`: the commitment to the card at a position.
pub fn commitment(game: &GameId, number: DeckNumber, position: u16, card: &str, salt: &Hash) -> Hash {
    let place = position.to_be_bytes();
    hash("card", &[&game.0, &[number.deck, number.epoch], &place, &length_prefix(card), card.as_bytes(), &salt.0])
}

/// `D`: the commitment to a whole deck.
pub fn deck_commitment(game: &GameId, number: DeckNumber, cards: &[Hash]) -> Hash {
    let count = u16::try_from(cards.len()).expect("a deck has fewer than 65,536 cards");
    let mut message = Vec::with_capacity(20 + 32 * cards.len());
    message.extend_from_slice(&game.0);
    message.extend_from_slice(&[number.deck, number.epoch]);
    message.extend_from_slice(&count.to_be_bytes());
    for card in cards {
        message.extend_from_slice(&card.0);
    }
    hash("deck", &[&message])
}

/// A deck as its masker knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedDeck {
    pub number: DeckNumber,
    /// The card at each position.
    pub cards: Vec<String>,
    pub salts: Vec<Hash>,
    /// `C[j]` for each position.
    pub commitments: Vec<Hash>,
    /// `D`.
    pub commitment: Hash,
}

impl MaskedDeck {
    /// Masks `cards`, which are given in printed order. The result follows from the root: the masker chooses nothing.
    pub fn new(game: &GameId, root: &Hash, number: DeckNumber, cards: &[String]) -> MaskedDeck {
        let key = deck_key(root, number);
        let count = u16::try_from(cards.len()).expect("a deck has fewer than 65,536 cards");
        let order = Seed(hash("mask-order", &[&key.0])).stream().shuffle(u32::from(count));
        let mut masked = MaskedDeck {
            number,
            cards: Vec::with_capacity(cards.len()),
            salts: Vec::with_capacity(cards.len()),
            commitments: Vec::with_capacity(cards.len()),
            commitment: Hash::ZERO,
        };
        for (position, printed) in (0..count).zip(order) {
            let card = &cards[usize::try_from(printed).expect("an index of 32 bits fits")];
            let salt = mac(&key, "card-salt", &[&position.to_be_bytes()]);
            masked.commitments.push(commitment(game, number, position, card, &salt));
            masked.cards.push(card.clone());
            masked.salts.push(salt);
        }
        masked.commitment = deck_commitment(game, number, &masked.commitments);
        masked
    }
}

/// The salt of the card at a position, which follows from the root.
pub fn card_salt(root: &Hash, number: DeckNumber, position: u16) -> Hash {
    mac(&deck_key(root, number), "card-salt", &[&position.to_be_bytes()])
}

/// `K`: the key of one epoch of a deck.
fn deck_key(root: &Hash, number: DeckNumber) -> Hash {
    mac(root, "deck-key", &[&[number.deck, number.epoch]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::vectors;
    use ground::hash::Hex;

    const NUMBER: DeckNumber = DeckNumber { deck: 1, epoch: 0 };

    #[test]
    fn masks_are_those_of_the_specification() {
        let root = Hex([0x44; 32]);
        let game = vectors::game();
        let cards: Vec<String> = (1..=24).map(|card| format!("fp-strat-{card:02}")).collect();
        assert_eq!(
            root_commitment(&game, 0, &root).to_string(),
            "be2e447af21e7a842d3e44fb69397b605cf65a6cb326510cf063cd8cc70dcc1f"
        );
        assert_eq!(
            deck_key(&root, NUMBER).to_string(),
            "1afb7154a57a005b7cfbe123bd7dbb1b720015336b6abd5ad784610878220475"
        );
        let masked = MaskedDeck::new(&game, &root, NUMBER, &cards);
        let expected = [
            (
                "fp-strat-05",
                "5bbcff57d06f7e5c29c05226a5cdc47a9bb2da519aa785462b7a4db361a7ea0d",
                "110695e96411f10ea8e7c9cfd616ca1bea639ce30690a080c1123a0cfb919b46",
            ),
            (
                "fp-strat-03",
                "75d29f0c631914ee939c62fb5f5b5fe0c9ed8605110864be1d8ab50a668f5f78",
                "da81ed3eb37576934197b9f13da007a9f5a43b792677fedf74a89b44ae0599d2",
            ),
        ];
        for (position, (card, salt, commitment)) in expected.into_iter().enumerate() {
            assert_eq!(masked.cards[position], card);
            assert_eq!(masked.salts[position].to_string(), salt);
            assert_eq!(masked.commitments[position].to_string(), commitment);
        }
        assert_eq!(masked.commitment.to_string(), "1c7a6614fdd7cb71cf23dec733cf657dc88bf8d848fb649023bedaef74dffe18");
    }

    #[test]
    fn another_epoch_is_another_labelling_of_the_same_cards() {
        let root = Hex([0x44; 32]);
        let cards: Vec<String> = (1..=24).map(|card| format!("card-{card:02}")).collect();
        let first = MaskedDeck::new(&vectors::game(), &root, NUMBER, &cards);
        let second = MaskedDeck::new(&vectors::game(), &root, DeckNumber { deck: 1, epoch: 1 }, &cards);
        assert_ne!(first.cards, second.cards);
        let mut sorted = second.cards;
        sorted.sort();
        assert_eq!(sorted, cards);
    }
}
