/*! Face-down cards: the board has only slots, and [`Faces`] says which card lies on a slot.

The board holds no secret. A hand is a set of slots, and everybody folds the same log to the same board, whatever cards
they know. [`Faces`] is what one reader knows: the host knows every card, a player the cards that his letters named,
the public those that were opened.
*/

/// A deck of a title, by its place in the title's list of decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deck(pub u8);

/// One face-down position: the deck, the number of its mask (0 for the first), and the position in that mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub deck: Deck,
    pub epoch: u8,
    pub position: u16,
}

/// A printed card, by its place in the title's table of cards. Copies of one card are the same `Card`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub u16);

/// What one reader knows of the face-down cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faces {
    epochs: Vec<Epoch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Epoch {
    deck: Deck,
    epoch: u8,
    cards: Vec<Option<Card>>,
}

impl Faces {
    /// The card that lies on the slot, if it is known.
    pub fn get(&self, slot: Slot) -> Option<Card> {
        let epoch = self.epochs.iter().find(|epoch| epoch.deck == slot.deck && epoch.epoch == slot.epoch)?;
        *epoch.cards.get(usize::from(slot.position))?
    }

    /// Notes which card lies on the slot, in place of what was known of it before.
    pub fn learn(&mut self, slot: Slot, card: Card) {
        let found = self.epochs.iter().position(|epoch| epoch.deck == slot.deck && epoch.epoch == slot.epoch);
        let index = found.unwrap_or_else(|| {
            self.epochs.push(Epoch { deck: slot.deck, epoch: slot.epoch, cards: Vec::new() });
            self.epochs.len() - 1
        });
        let cards = &mut self.epochs[index].cards;
        let position = usize::from(slot.position);
        if cards.len() <= position {
            cards.resize(position + 1, None);
        }
        cards[position] = Some(card);
    }

    /// The part of these faces that is about the given slots.
    pub fn of(&self, slots: &[Slot]) -> Faces {
        let mut some = Faces::default();
        for slot in slots {
            if let Some(card) = self.get(*slot) {
                some.learn(*slot, card);
            }
        }
        some
    }

    /// Every slot whose card is known: the mask learnt first comes first, and within a mask by position.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, Card)> + '_ {
        self.epochs.iter().flat_map(|epoch| {
            epoch.cards.iter().enumerate().filter_map(|(position, card)| {
                let position = u16::try_from(position).expect("a slot was learnt at this position");
                card.map(|card| (Slot { deck: epoch.deck, epoch: epoch.epoch, position }, card))
            })
        })
    }
}
