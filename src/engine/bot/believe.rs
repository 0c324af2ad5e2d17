//! Believed faces for a look ahead: the cards that the seat knows, and all others dealt again at random.

use crate::bot::judgement::Judgement;
use crate::chance::{Chance, Practice, shuffled};
use crate::slot::{Card, Faces, Slot};

/// The faces believed during one look ahead. The unknown cards are dealt only when one of them is looked at, because
/// most looks ahead need none.
pub struct Belief<'a> {
    known: &'a Faces,
    seed: u64,
    dealt: Option<Faces>,
}

impl<'a> Belief<'a> {
    /// Deals nothing yet. The same seed gives the same deal. The seed is inverted, so that the deal and the draws of
    /// the look ahead do not use the same numbers.
    pub fn new(known: &'a Faces, seed: u64) -> Belief<'a> {
        Belief { known, seed: !seed, dealt: None }
    }

    /// All cards, on this board.
    pub fn faces<R: Judgement>(&mut self, board: &R::Board) -> &Faces {
        self.dealt.get_or_insert_with(|| R::believe(board, self.known, &mut Practice::new(self.seed)))
    }

    /// The card on a slot; `None` if no card of the deck can lie there.
    pub fn card<R: Judgement>(&mut self, board: &R::Board, slot: Slot) -> Option<Card> {
        self.known.get(slot).or_else(|| self.faces::<R>(board).get(slot))
    }
}

/// Face-down cards in an unknown order.
pub struct Heap {
    cards: Vec<Card>,
}

impl Heap {
    /// The cards of a deck without the known ones, sorted. Of a card with several copies, each mention in `known`
    /// removes one copy.
    pub fn of(deck: impl IntoIterator<Item = Card>, known: impl IntoIterator<Item = Card>) -> Heap {
        let mut cards: Vec<Card> = deck.into_iter().collect();
        for card in known {
            if let Some(place) = cards.iter().position(|other| *other == card) {
                cards.swap_remove(place);
            }
        }
        // Sort: the deal must not depend on the order of removal.
        cards.sort_unstable();
        Heap { cards }
    }

    /// Shuffles the cards.
    pub fn shuffle(&mut self, chance: &mut dyn Chance) {
        let count = u16::try_from(self.cards.len()).expect("a deck has at most 65,536 cards");
        self.cards = shuffled(count, chance).into_iter().map(|place| self.cards[usize::from(place)]).collect();
    }

    /// Deals each slot with an unknown card a card that may lie there. If no such card is left, the slot stays unknown.
    pub fn deal(&mut self, slots: impl IntoIterator<Item = Slot>, may_lie: impl Fn(Card) -> bool, faces: &mut Faces) {
        for slot in slots {
            if faces.get(slot).is_none()
                && let Some(place) = self.cards.iter().rposition(|card| may_lie(*card))
            {
                faces.learn(slot, self.cards.remove(place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Practice;
    use crate::slot::Deck;

    fn slot(position: u16) -> Slot {
        Slot { deck: Deck(0), epoch: 0, position }
    }

    #[test]
    fn what_is_known_stays_and_the_rest_is_dealt_once_each() {
        let mut known = Faces::default();
        known.learn(slot(2), Card(7));
        for seed in 0..50 {
            let mut heap = Heap::of([7, 7, 8, 9].map(Card), [Card(7)]);
            heap.shuffle(&mut Practice::new(seed));
            let mut faces = known.clone();
            heap.deal([slot(0)], |card| card != Card(9), &mut faces);
            heap.deal((0..5).map(slot), |_| true, &mut faces);
            let mut dealt: Vec<u16> =
                (0..4).filter_map(|position| faces.get(slot(position))).map(|card| card.0).collect();
            assert_ne!(dealt[0], 9);
            assert_eq!(dealt[2], 7);
            dealt.sort_unstable();
            assert_eq!((dealt, faces.get(slot(4))), (vec![7, 7, 8, 9], None));
        }
    }
}
