//! The texts of the cards, in our words (`data/texts.yaml`): for the glossary, letters and news. No rule depends on
//! them.

use crate::card::{Card, Icon, Type};
use crate::side::Side;
use engine::glossary::{Gloss, Part};
use engine::name::{Name, Named};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The text of one half of a card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    pub text: String,
    /// What it requires when it is played.
    pub requires: Option<String>,
    /// 5.18: when it leaves the table.
    pub leaves: Option<String>,
    #[serde(default)]
    pub rulings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    events: BTreeMap<String, Text>,
    combats: BTreeMap<String, Text>,
}

static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("data/texts.yaml")).expect("texts.yaml is well formed"));

/// The text of the card's Event half.
pub fn event(card: Card) -> &'static Text {
    TEXTS.events.get(card.id()).expect("every card has its text")
}

/// The text of the card's Combat half.
pub fn combat(card: Card) -> &'static Text {
    TEXTS.combats.get(card.combat_title()).expect("every Combat title has its text")
}

/// The icon in words.
pub fn icon(icon: Icon) -> &'static str {
    match icon {
        Icon::Character => "Character",
        Icon::Army => "Army",
        Icon::Muster => "Muster",
    }
}

/// The initiative of the Combat half in words: `3`, or `3 and 5` for two parts.
pub fn initiative(card: Card) -> String {
    let numbers: Vec<String> = card.initiative().iter().map(u8::to_string).collect();
    numbers.join(" and ")
}

/// All cards, then all Combat titles.
pub static GLOSSARY: LazyLock<Vec<Gloss>> = LazyLock::new(|| {
    let mut titles: Vec<&'static str> = Vec::new();
    let first = |card: &Card| {
        let new = !titles.contains(&card.combat_title());
        titles.push(card.combat_title());
        new
    };
    let combats: Vec<Card> = Card::all().filter(first).collect();
    Card::all().map(of_card).chain(combats.into_iter().map(of_combat)).collect()
});

fn of_card(card: Card) -> Gloss {
    let deck = match card.deck().kind {
        Type::Character => "Character",
        Type::Strategy => "Strategy",
    };
    let (number, shown) = (card.position() + 1, icon(card.icon()));
    let kind = format!("card {number} of the {deck} deck of {}, icon {shown}", of_side(card.deck().side));
    let mut parts = parts("Event", event(card));
    let heading = format!("In combat: {}, initiative {}", card.combat_title(), initiative(card));
    parts.extend(self::parts(&heading, combat(card)));
    Gloss { name: card.name().clone(), kind, parts }
}

fn of_combat(card: Card) -> Gloss {
    let kind = format!("Combat card of {}, initiative {}", of_side(card.deck().side), initiative(card));
    let mut parts = parts("In combat", combat(card));
    let bearers = Card::all().filter(|other| other.combat_title() == card.combat_title());
    let bearers: Vec<&str> = bearers.map(Card::title).collect();
    parts.push(Part::new("On", &format!("{}.", bearers.join(", "))));
    let id = engine::name::words(card.combat_title()).iter().map(|word| &*word.text).collect::<Vec<_>>().join("-");
    Gloss { name: Name::new(&id, card.combat_title(), &[]), kind, parts }
}

fn of_side(side: Side) -> &'static str {
    match side {
        Side::Free => "the Free Peoples",
        Side::Shadow => "the Shadow",
    }
}

fn parts(heading: &str, text: &Text) -> Vec<Part> {
    let mut parts = vec![Part::new(heading, &text.text)];
    if let Some(requires) = &text.requires {
        parts.push(Part::new("Requires", requires));
    }
    if let Some(leaves) = &text.leaves {
        parts.push(Part::new("Leaves the table", leaves));
    }
    if !text.rulings.is_empty() {
        parts.push(Part { heading: "Rulings".to_string(), points: text.rulings.clone() });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_and_every_combat_title_has_its_text() {
        assert_eq!(GLOSSARY.len(), 96 + 38);
        assert_eq!((TEXTS.events.len(), TEXTS.combats.len()), (96, 38));
        for card in Card::all() {
            let half = event(card);
            assert!(half.text.ends_with('.'), "{}", card.id());
            // 5.17: exactly the table cards can leave the table.
            assert_eq!(half.leaves.is_some(), card.is_table_card(), "{}", card.id());
        }
    }
}
