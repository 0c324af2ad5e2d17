//! The Event cards on the board (5): slots in decks, hands and piles, and the faces that were shown.

use crate::card::{Card, DECK_SIZE, EventDeck};
use crate::player::Player;
use crate::side::Side;
use engine::slot::Slot;

/// A set of positions of one deck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Positions(pub(super) u32);

impl Positions {
    pub const NONE: Positions = Positions(0);
    /// A whole deck.
    pub const ALL: Positions = Positions((1 << DECK_SIZE) - 1);

    pub fn contains(self, position: u8) -> bool {
        self.0 & (1 << position) != 0
    }

    pub fn len(self) -> u8 {
        u8::try_from(self.0.count_ones()).expect("at most 24")
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The positions, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| left.trailing_zeros() as u8)?;
            left &= left - 1;
            Some(next)
        })
    }
}

/// Where the cards of one deck are. Every position is in exactly one of the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    /// In the deck.
    pub(super) left: Positions,
    pub(super) hand: Positions,
    /// 9.16: laid as a Combat card of the round, face down or shown.
    pub(super) laid: Positions,
    /// 5.17: in front of its owner.
    pub(super) table: Positions,
    /// Out of the game, face up or face down.
    pub(super) discards: Positions,
    /// 17.9: the cards in hand or laid that belong to the second player of the team.
    pub(super) second: Positions,
    /// The cards that each player of the side has held: he knows them, wherever they lie now.
    pub(super) seen: [Positions; 2],
    /// The cards that were shown, by position.
    pub(super) faces: [Option<Card>; DECK_SIZE as usize],
}

impl Pile {
    pub(super) const FULL: Pile = Pile {
        left: Positions::ALL,
        hand: Positions::NONE,
        laid: Positions::NONE,
        table: Positions::NONE,
        discards: Positions::NONE,
        second: Positions::NONE,
        seen: [Positions::NONE; 2],
        faces: [None; DECK_SIZE as usize],
    };
}

/// The four decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decks {
    pub(super) piles: [Pile; 4],
}

impl Decks {
    /// The positions still in the deck.
    pub fn left(&self, deck: EventDeck) -> Positions {
        self.piles[deck.index()].left
    }

    /// The positions in the hands of the side.
    pub fn hand(&self, deck: EventDeck) -> Positions {
        self.piles[deck.index()].hand
    }

    /// 17.9: the positions in the hand of a player.
    pub fn held(&self, deck: EventDeck, player: Player) -> Positions {
        let Pile { hand, second, .. } = self.piles[deck.index()];
        Positions(hand.0 & if player.place() == 0 { !second.0 } else { second.0 })
    }

    /// The position laid as a Combat card of this round.
    pub fn laid(&self, deck: EventDeck) -> Positions {
        self.piles[deck.index()].laid
    }

    /// The positions of cards in play on the table.
    pub fn table(&self, deck: EventDeck) -> Positions {
        self.piles[deck.index()].table
    }

    pub fn discards(&self, deck: EventDeck) -> Positions {
        self.piles[deck.index()].discards
    }

    /// The card on a slot, if it was shown.
    pub fn face(&self, slot: Slot) -> Option<Card> {
        self.piles[EventDeck::of_slot(slot).index()].faces[usize::from(slot.position)]
    }

    /// 5.4: how many cards the player holds.
    pub fn hand_size(&self, player: Player) -> u8 {
        EventDeck::of(player.side()).into_iter().map(|deck| self.held(deck, player).len()).sum()
    }

    /// The slots in the hand of a player, Character cards first.
    pub fn hand_of(&self, player: Player) -> Vec<Slot> {
        EventDeck::of(player.side())
            .into_iter()
            .flat_map(|deck| self.held(deck, player).iter().map(move |place| deck.slot(place)))
            .collect()
    }

    /// The slots of the cards that a player has held, Character cards first.
    pub fn seen_by(&self, player: Player) -> Vec<Slot> {
        let seen = |deck: EventDeck| self.piles[deck.index()].seen[player.place()];
        EventDeck::of(player.side())
            .into_iter()
            .flat_map(|deck| seen(deck).iter().map(move |place| deck.slot(place)))
            .collect()
    }

    /// The Combat card that the side has laid this round.
    pub fn laid_by(&self, side: Side) -> Option<Slot> {
        EventDeck::of(side).into_iter().find_map(|deck| self.laid(deck).iter().next().map(|place| deck.slot(place)))
    }

    /// 5.17: whether the card is in play on the table.
    pub fn is_on_table(&self, card: Card) -> bool {
        let pile = &self.piles[card.deck().index()];
        pile.table.iter().any(|position| pile.faces[usize::from(position)] == Some(card))
    }
}
