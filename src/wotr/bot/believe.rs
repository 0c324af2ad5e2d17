//! Deals the Event cards that a player does not know: in each deck those that nobody has shown, in any order.

use crate::board::Board;
use crate::card::{Card, DECK_SIZE, EventDeck};
use engine::bot::believe::Heap;
use engine::chance::Chance;
use engine::slot::Faces;

/// A face for every face-down card: known cards stay, the others are dealt at random.
pub fn believe(board: &Board, faces: &Faces, chance: &mut dyn Chance) -> Faces {
    let mut believed = faces.clone();
    for deck in EventDeck::ALL {
        let slots = || (0..DECK_SIZE).map(|position| deck.slot(position));
        for slot in slots() {
            if let Some(shown) = board.decks().face(slot) {
                believed.learn(slot, shown.number());
            }
        }
        let mut heap = Heap::of(deck.cards().map(Card::number), slots().filter_map(|slot| believed.get(slot)));
        heap.shuffle(chance);
        heap.deal(slots(), |_| true, &mut believed);
    }
    believed
}
