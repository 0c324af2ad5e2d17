/*! The 96 Event cards as printed (5.1): four decks of 24, and the slots on which they lie face down.

What an Event card does is in [`cards`](crate::cards).
*/

use crate::combat_title::CombatTitle;
use crate::player::Player;
use crate::side::Side;
use engine::name::{Name, Named, Word};
use engine::printed;
use engine::slot::{self, Deck, Slot};
use serde::Deserialize;
use std::sync::LazyLock;

/// The number of cards in one deck.
pub const DECK_SIZE: u8 = 24;

/// The two types of Event card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    Character,
    Strategy,
}

impl Type {
    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Type::Character => "character",
            Type::Strategy => "strategy",
        }
    }
}

/// One of the four Event decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventDeck {
    pub side: Side,
    pub kind: Type,
}

impl EventDeck {
    pub const ALL: [EventDeck; 4] = [
        EventDeck { side: Side::Free, kind: Type::Character },
        EventDeck { side: Side::Free, kind: Type::Strategy },
        EventDeck { side: Side::Shadow, kind: Type::Character },
        EventDeck { side: Side::Shadow, kind: Type::Strategy },
    ];

    /// The two decks of a side.
    pub fn of(side: Side) -> [EventDeck; 2] {
        [EventDeck { side, kind: Type::Character }, EventDeck { side, kind: Type::Strategy }]
    }

    pub fn index(self) -> usize {
        2 * self.side.index() + usize::from(self.kind == Type::Strategy)
    }

    /// Its number in the kernel.
    pub fn number(self) -> Deck {
        Deck(u8::try_from(self.index()).expect("four decks"))
    }

    /// The deck of a slot.
    pub fn of_slot(slot: Slot) -> EventDeck {
        EventDeck::ALL[usize::from(slot.deck.0)]
    }

    /// The slot at a position.
    pub fn slot(self, position: u8) -> Slot {
        Slot { deck: self.number(), epoch: 0, position: u16::from(position) }
    }

    /// The name of the deck, as in the log.
    pub fn id(self) -> &'static str {
        ["free-character", "free-strategy", "shadow-character", "shadow-strategy"][self.index()]
    }

    /// The cards of the deck, in the order of their printed numbers.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        let first = self.index() as u16 * u16::from(DECK_SIZE);
        (first..first + u16::from(DECK_SIZE)).map(Card)
    }
}

/// 5.7: the icon in the corner of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Icon {
    Character,
    Army,
    Muster,
}

/// An Event card, by its place in the table of all four decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub u16);

struct Printed {
    id: String,
    name: Name,
    icon: Icon,
    mark: Option<Player>,
    table: bool,
    combat: CombatTitle,
    initiative: Vec<u8>,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    title: String,
    icon: Icon,
    mark: Option<String>,
    #[serde(default)]
    table: bool,
    combat: String,
    initiative: Vec<u8>,
}

impl Card {
    /// Every card.
    pub fn all() -> impl Iterator<Item = Card> {
        EventDeck::ALL.into_iter().flat_map(EventDeck::cards)
    }

    /// The card as the kernel numbers it.
    pub fn number(self) -> slot::Card {
        slot::Card(self.0)
    }

    /// The deck to which it belongs.
    pub fn deck(self) -> EventDeck {
        EventDeck::ALL[usize::from(self.0) / usize::from(DECK_SIZE)]
    }

    /// Its place in its deck, from 0.
    pub fn position(self) -> u8 {
        u8::try_from(self.0 % u16::from(DECK_SIZE)).expect("below 24")
    }

    /// Its id in openings: `fp-char-01`.
    pub fn id(self) -> &'static str {
        &self.printed().id
    }

    /// The card with this id.
    pub fn of_id(id: &str) -> Option<Card> {
        Card::all().find(|card| card.id() == id)
    }

    /// The printed title.
    pub fn title(self) -> &'static str {
        self.printed().name.title()
    }

    pub fn icon(self) -> Icon {
        self.printed().icon
    }

    /// 17.17: with three or four players, the player whose mark is on its Event half.
    pub fn mark(self) -> Option<Player> {
        self.printed().mark
    }

    /// 5.17: whether it stays on the table after it is played.
    pub fn is_table_card(self) -> bool {
        self.printed().table
    }

    /// Its Combat half.
    pub fn combat(self) -> CombatTitle {
        self.printed().combat
    }

    /// The title of its Combat half.
    pub fn combat_title(self) -> &'static str {
        self.combat().title()
    }

    /// The initiatives of its Combat half, one for each part (9.18).
    pub fn initiative(self) -> &'static [u8] {
        &self.printed().initiative
    }

    fn printed(self) -> &'static Printed {
        &PRINTED[usize::from(self.0)]
    }
}

impl Named for Card {
    fn name(&self) -> &'static Name {
        &self.printed().name
    }
}

static PRINTED: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let lines: Vec<Line> = printed::read(include_str!("data/cards.yaml"));
    assert_eq!(lines.len(), 4 * usize::from(DECK_SIZE), "every card is printed");
    lines.into_iter().map(printed).collect()
});

fn printed(line: Line) -> Printed {
    // Sentences name a card by its title in lower case and hyphens.
    let words = engine::name::words(&line.title);
    let words: Vec<&str> = words.iter().map(|word| &*word.text).filter(|word| *word != ",").collect();
    let name = Name::new(&words.join("-"), &line.title, &[&line.id]);
    let mark = line.mark.map(|mark| Player::of_id(&mark).expect("a player"));
    let combat = CombatTitle::of_title(&line.combat).expect("a Combat title");
    Printed { id: line.id, name, icon: line.icon, table: line.table, combat, initiative: line.initiative, mark }
}

/// A face-down card as its owner names it: by its title or by its slot. It prints as its slot (`strategy-7`), since the
/// log is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub slot: Slot,
    /// The face, if it is named by its title.
    pub face: Option<Card>,
}

impl Held {
    /// The names of these slots: their titles, if `faces` knows them; while `reading` a line the slots as well.
    pub fn of(slots: &[Slot], faces: &slot::Faces, reading: bool) -> Vec<Held> {
        let face = |slot: Slot| faces.get(slot).map(|card| Card(card.0));
        let known = slots.iter().filter_map(|slot| Some(Held { slot: *slot, face: Some(face(*slot)?) }));
        let bare = slots.iter().filter(|slot| reading || face(**slot).is_none());
        known.chain(bare.map(|slot| Held { slot: *slot, face: None })).collect()
    }

    fn slot_name(self) -> &'static Name {
        let strategy = usize::from(EventDeck::of_slot(self.slot).kind == Type::Strategy);
        &SLOTS[strategy * usize::from(DECK_SIZE) + usize::from(self.slot.position)]
    }
}

impl Named for Held {
    fn name(&self) -> &'static Name {
        match self.face {
            Some(card) => &PRINTED[usize::from(card.0)].name,
            None => self.slot_name(),
        }
    }

    fn said(&self) -> &'static str {
        self.slot_name().id()
    }

    fn known_by(words: &[Word<'_>]) -> usize {
        let names = PRINTED.iter().map(|card| &card.name).chain(SLOTS.iter());
        names.map(|name| name.spelled_by(words).max(name.begun_by(words))).max().unwrap_or(0)
    }
}

/// A card that its owner shows: he names it by its title or by its slot. It prints as its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub card: Card,
    /// The slot, if it is named by its slot.
    pub slot: Option<Slot>,
}

impl Named for Shown {
    fn name(&self) -> &'static Name {
        self.slot.map_or_else(|| self.card.name(), |slot| Held { slot, face: None }.slot_name())
    }

    fn said(&self) -> &'static str {
        self.card.name().id()
    }

    fn known_by(words: &[Word<'_>]) -> usize {
        Held::known_by(words)
    }
}

static SLOTS: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let name =
        |kind: &str, position: u8| Name::new(&format!("{kind}-{position}"), &format!("{kind} card {position}"), &[]);
    let character = (0..DECK_SIZE).map(|position| name("character", position));
    character.chain((0..DECK_SIZE).map(|position| name("strategy", position))).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decks_are_the_printed_ones() {
        assert_eq!(Card(0).id(), "fp-char-01");
        assert_eq!(Card::of_id("sh-strat-20").unwrap().deck().id(), "shadow-strategy");
    }
}
