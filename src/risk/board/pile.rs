//! A deck and its discards: the positions still face down, and the discarded cards, which are face up.

use engine::need::{Back, Draw, Mask};
use engine::slot::{Card, Deck, Slot};

/// A deck without an order: a draw takes one of the positions left (8.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile {
    pub(crate) deck: Deck,
    pub(crate) epoch: u8,
    /// The positions left, one bit each.
    pub(crate) left: u128,
    /// The discard pile, in the order of discarding.
    pub(crate) discards: Vec<Card>,
}

impl Pile {
    /// The deck as it was masked before the start.
    pub fn new(deck: Deck, cards: usize) -> Pile {
        Pile { deck, epoch: 0, left: all(cards), discards: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// How many cards are left to draw.
    pub fn len(&self) -> usize {
        self.left.count_ones() as usize
    }

    pub fn discards(&self) -> &[Card] {
        &self.discards
    }

    /// The draw of one of the cards left.
    pub fn draw(&self) -> Draw {
        Draw::Slot { deck: self.deck, epoch: self.epoch, left: self.positions().collect() }
    }

    /// The slot at a position of the current mask.
    pub fn slot(&self, position: u16) -> Slot {
        Slot { deck: self.deck, epoch: self.epoch, position }
    }

    /// The slots of the cards left to draw.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.positions().map(|position| self.slot(position))
    }

    /// Whether the deck has been masked again since the start.
    pub fn has_been_laid_anew(&self) -> bool {
        self.epoch > 0
    }

    /// The new mask of an empty deck, over its discards (8.7, ▲13).
    pub fn reshuffle(&self) -> Mask {
        let goes_in = self.discards.iter().map(|card| Back::Known(*card)).collect();
        Mask { deck: self.deck, epoch: self.epoch + 1, goes_in }
    }

    /// The new mask over the cards left and these (3.8).
    pub fn with(&self, cards: &[Card]) -> Mask {
        let left = self.positions().map(|position| Back::Slot(self.slot(position)));
        let goes_in = left.chain(cards.iter().map(|card| Back::Known(*card))).collect();
        Mask { deck: self.deck, epoch: self.epoch + 1, goes_in }
    }

    pub(crate) fn take(&mut self, slot: Slot) {
        debug_assert_eq!((slot.deck, slot.epoch), (self.deck, self.epoch), "a card is drawn from the mask in use");
        debug_assert!(self.left >> slot.position & 1 == 1, "a card is drawn once");
        self.left &= !(1 << slot.position);
    }

    pub(crate) fn masked(&mut self, cards: usize) {
        self.epoch += 1;
        self.left = all(cards);
    }

    fn positions(&self) -> impl Iterator<Item = u16> {
        let mut left = self.left;
        std::iter::from_fn(move || {
            let position = u16::try_from(left.trailing_zeros()).expect("a position below 128");
            (left != 0).then(|| {
                left &= left - 1;
                position
            })
        })
    }
}

fn all(cards: usize) -> u128 {
    (1 << cards) - 1
}
