/*! The masked decks of a game: what was laid down, what went in, what was opened, and what was claimed of the rest.
*/

use crate::commit::deck::{DeckNumber, MaskedDeck, commitment, deck_commitment, root_commitment};
use crate::entry::body::{Deck as DeckRecord, Opening, Text};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::need::{Back, Show};
use engine::slot::{Card, Deck, Faces, Slot};
use engine::title::{PrintedDeck, Title};
use ground::hash::{GameId, Hash};

/// Everything about the face-down cards that everybody knows.
#[derive(Clone)]
pub struct Masks {
    game: GameId,
    title: &'static Title,
    printed: Vec<PrintedDeck>,
    laid: Vec<Laid>,
    /// The cards that the log has opened.
    pub open: Faces,
    claims: Vec<Show>,
}

/// One laying down of a deck.
#[derive(Clone, Debug)]
struct Laid {
    deck: Deck,
    epoch: u8,
    goes_in: Vec<Back>,
    commitments: Vec<Hash>,
}

impl Masks {
    pub fn new(game: GameId, title: &'static Title, printed: Vec<PrintedDeck>) -> Masks {
        Masks { game, title, printed, laid: Vec::new(), open: Faces::default(), claims: Vec::new() }
    }

    /// The decks as printed.
    pub fn printed(&self) -> &[PrintedDeck] {
        &self.printed
    }

    /// The cards that came into a deck later and are not printed in it, in the order in which they came.
    pub fn added(&self, deck: &PrintedDeck) -> Vec<Card> {
        let of_deck = self.laid.iter().filter(|laid| self.printed[usize::from(laid.deck.0)].name == deck.name);
        let first = of_deck.filter(|laid| laid.epoch == 1).flat_map(|laid| &laid.goes_in);
        let known = first.filter_map(|back| match back {
            Back::Known(card) => Some(*card),
            Back::Slot(_) => None,
        });
        known.filter(|card| !deck.cards.contains(card)).collect()
    }

    pub fn deck_name(&self, deck: Deck) -> &'static str {
        self.printed[usize::from(deck.0)].name
    }

    fn deck(&self, name: &str) -> Option<Deck> {
        let index = self.printed.iter().position(|deck| deck.name == name)?;
        Some(Deck(u8::try_from(index).expect("a title has few decks")))
    }

    /// What goes into the first epoch of a deck: the whole deck, as printed.
    pub fn whole(&self, deck: Deck) -> Vec<Back> {
        self.printed[usize::from(deck.0)].cards.iter().map(|card| Back::Known(*card)).collect()
    }

    /// Notes that a deck was laid down.
    ///
    /// # Errors
    /// A record of another deck, epoch or size lays nothing down; one with a wrong commitment does.
    pub fn lay(&mut self, deck: Deck, epoch: u8, goes_in: Vec<Back>, record: &DeckRecord) -> Result<(), Problem> {
        if self.deck(&record.deck) != Some(deck) {
            return Err(Problem::DeckUnknown { found: record.deck.to_string() });
        }
        let number = |key, expected: usize, found| {
            let expected = u32::try_from(expected).expect("decks are small");
            if expected == found { Ok(()) } else { Err(Problem::DeckNumber { key, expected, found }) }
        };
        number("epoch", usize::from(epoch), record.epoch)?;
        number("cards", goes_in.len(), u32::try_from(record.cards.len()).unwrap_or(u32::MAX))?;
        let expected = deck_commitment(&self.game, DeckNumber { deck: deck.0, epoch }, &record.cards);
        self.laid.push(Laid { deck, epoch, goes_in, commitments: record.cards.clone() });
        if expected == record.commitment {
            Ok(())
        } else {
            Err(Problem::DeckCommitment { expected, found: record.commitment })
        }
    }

    /// The slot that a record opens, and its card, checked against the commitment.
    pub fn check(&self, opening: &Opening) -> Result<(Slot, Card), Problem> {
        let Some(deck) = self.deck(&opening.deck) else {
            return Err(Problem::DeckUnknown { found: opening.deck.to_string() });
        };
        let epoch = opening.epoch.unwrap_or(0);
        let unknown = || Problem::SlotUnknown { deck: opening.deck.to_string(), epoch, pos: opening.pos };
        let laid = self.laid.iter().find(|laid| laid.deck == deck && u32::from(laid.epoch) == epoch);
        // A record of epoch 0 leaves the key out.
        if opening.epoch == Some(0) {
            return Err(value(Rule::CardEpoch, "epoch", "left out for 0", "0"));
        }
        let laid = laid.ok_or_else(unknown)?;
        let position = u16::try_from(opening.pos).map_err(|_| unknown())?;
        let committed = laid.commitments.get(usize::from(position)).ok_or_else(unknown)?;
        let number = DeckNumber { deck: deck.0, epoch: laid.epoch };
        if commitment(&self.game, number, position, &opening.card, &opening.salt) != *committed {
            let (deck, card) = (opening.deck.to_string(), opening.card.to_string());
            return Err(Problem::Opening { deck, pos: opening.pos, card });
        }
        let card = (self.title.cards.of_id)(&opening.card);
        let card = card.ok_or_else(|| Problem::CardUnknown { found: opening.card.to_string() })?;
        Ok((Slot { deck, epoch: laid.epoch, position }, card))
    }

    /// Notes that a slot was not shown: the host claims that its card is none of those asked for.
    pub fn claim(&mut self, show: Show) {
        if !self.claims.contains(&show) {
            self.claims.push(show);
        }
    }

    /// The opening of a slot as a record writes it.
    pub fn opening(&self, slot: Slot, card: Card, salt: Hash) -> Opening<'static> {
        Opening {
            deck: Text::from(self.deck_name(slot.deck)),
            epoch: (slot.epoch > 0).then_some(u32::from(slot.epoch)),
            pos: u32::from(slot.position),
            card: Text::from((self.title.cards.id)(card)),
            salt,
        }
    }

    /// The problem for a slot that should have been opened.
    pub fn missing(&self, slot: Slot, card: Card) -> Problem {
        let deck = self.deck_name(slot.deck).to_string();
        Problem::OpeningMissing { deck, pos: u32::from(slot.position), card: (self.title.cards.id)(card).to_string() }
    }

    /// Masks a deck with the root, after sorting the cards that go in as printed.
    ///
    /// # Panics
    /// If `faces` does not know the card of a slot that goes in.
    pub fn mask(&self, root: &Hash, deck: Deck, epoch: u8, goes_in: &[Back], faces: &Faces) -> (MaskedDeck, Vec<Card>) {
        let printed = &self.printed[usize::from(deck.0)].cards;
        let mut cards: Vec<Card> = goes_in
            .iter()
            .map(|back| match back {
                Back::Known(card) => *card,
                Back::Slot(slot) => faces.get(*slot).expect("who masks a deck knows the cards that go in"),
            })
            .collect();
        cards.sort_by_cached_key(|card| printed.iter().position(|other| other == card));
        let words: Vec<String> = cards.iter().map(|card| (self.title.cards.id)(*card).to_string()).collect();
        let masked = MaskedDeck::new(&self.game, root, DeckNumber { deck: deck.0, epoch }, &words);
        let laid =
            masked.cards.iter().map(|word| (self.title.cards.of_id)(word).expect("the word of a card is its own"));
        let laid = laid.collect();
        (masked, laid)
    }

    /// The record of a deck laid down.
    pub fn record(&self, deck: Deck, epoch: u8, masked: &MaskedDeck) -> DeckRecord<'static> {
        DeckRecord {
            deck: Text::from(self.deck_name(deck)),
            epoch: u32::from(epoch),
            cards: masked.commitments.clone(),
            commitment: masked.commitment,
        }
    }

    /// Where all cards lie in the decks laid down, if this is the dealer's root.
    pub fn faces(&self, root: &Hash) -> Faces {
        let mut faces = Faces::default();
        for laid in &self.laid {
            self.learn_with(root, laid.deck, laid.epoch, &laid.goes_in, &mut faces);
        }
        faces
    }

    /// Learns where the cards of a deck lie, if this is the dealer's root. If a card that goes in is unknown, it
    /// learns nothing of the deck.
    pub fn learn_with(&self, root: &Hash, deck: Deck, epoch: u8, goes_in: &[Back], faces: &mut Faces) {
        if all_known(goes_in, faces) {
            let (_, cards) = self.mask(root, deck, epoch, goes_in, faces);
            learn(faces, deck, epoch, &cards);
        }
    }

    /// Checks everything that was hidden against the published root, and learns every card.
    pub fn reveal(&self, root: &Hash, committed: &Hash, problems: &mut Vec<Problem>) -> Faces {
        let found = root_commitment(&self.game, 0, root);
        if found != *committed {
            problems.push(Problem::Root { expected: *committed, found });
            return self.open.clone();
        }
        let mut faces = Faces::default();
        for laid in &self.laid {
            let deck = self.deck_name(laid.deck).to_string();
            if !all_known(&laid.goes_in, &faces) {
                problems.push(Problem::MaskedOtherwise { deck, epoch: laid.epoch });
                continue;
            }
            let (masked, cards) = self.mask(root, laid.deck, laid.epoch, &laid.goes_in, &faces);
            if masked.commitments != laid.commitments {
                problems.push(Problem::MaskedOtherwise { deck, epoch: laid.epoch });
            }
            learn(&mut faces, laid.deck, laid.epoch, &cards);
        }
        for claim in &self.claims {
            if let Some(card) = faces.get(claim.slot).filter(|card| claim.among.contains(card)) {
                let deck = self.deck_name(claim.slot.deck).to_string();
                let card = (self.title.cards.id)(card).to_string();
                problems.push(Problem::FalseClaim { deck, pos: u32::from(claim.slot.position), card });
            }
        }
        faces
    }

    /// The salt of a slot, which follows from the root.
    pub fn salt(root: &Hash, slot: Slot) -> Hash {
        crate::commit::deck::card_salt(root, DeckNumber { deck: slot.deck.0, epoch: slot.epoch }, slot.position)
    }
}

/// Whether all these cards are known.
fn all_known(goes_in: &[Back], faces: &Faces) -> bool {
    goes_in.iter().all(|back| match back {
        Back::Known(_) => true,
        Back::Slot(slot) => faces.get(*slot).is_some(),
    })
}

/// Learns the cards of a whole deck, by position.
pub fn learn(faces: &mut Faces, deck: Deck, epoch: u8, cards: &[Card]) {
    for (position, card) in (0_u16..).zip(cards) {
        faces.learn(Slot { deck, epoch, position }, *card);
    }
}
