//! The facts of a moment of Risk, read back from their lines, and what must hold in them. Nothing here looks into the
//! board.

use engine::facts::Facts;
use engine::title::Setup;

const TERRITORIES: usize = 64;
const EVENTS: usize = 13;

pub struct FactSheet {
    lines: Vec<(String, String)>,
    seats: Vec<String>,
    standard: bool,
    adventure_cards: usize,
}

impl FactSheet {
    pub fn of(facts: &Facts, setup: &Setup) -> FactSheet {
        let line = |line: &str| {
            let (key, value) = line.split_once(": ").unwrap_or_else(|| panic!("`{line}` is no fact"));
            (key.to_string(), value.to_string())
        };
        let option = |value: &str| setup.options.iter().any(|(_, set)| set == value);
        FactSheet {
            lines: facts.text().lines().map(line).collect(),
            seats: setup.seats.clone(),
            standard: option("standard"),
            adventure_cards: if option("21") { 46 } else { 47 },
        }
    }

    /// Checks what holds at every question after the first.
    pub fn check(&self, first: &FactSheet) {
        let keys = |sheet: &FactSheet| sheet.lines.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(self), keys(first), "the same keys in the same order at every moment");
        let in_play = !self.value("turn").starts_with("0 ");
        for (key, value) in self.territories() {
            assert!(value != "-" || !in_play, "{key} stands empty");
            assert!(!value.contains(" 0"), "{key}: {value}");
        }
        for seat in &self.seats {
            let own = || self.territories().iter().filter(|(_, value)| value.split(' ').next() == Some(seat));
            assert!(own().filter(|(_, value)| value.ends_with("leader")).count() <= 2, "{seat} has three Leaders");
            let eliminated = self.value(seat).starts_with("eliminated");
            assert!(!in_play || eliminated == (own().count() == 0), "{seat} is out when nothing is left");
        }
        self.territory_cards();
        if !self.standard {
            self.adventure_cards(in_play);
        }
    }

    /// The lines of the territories, which follow that of the winner.
    fn territories(&self) -> &[(String, String)] {
        let before = self.lines.iter().position(|(key, _)| key == "winner").unwrap();
        &self.lines[before + 1..][..TERRITORIES]
    }

    /// Checks that all 66 Territory cards are somewhere, and none in two places.
    fn territory_cards(&self) {
        let mut hands = self.slots("territory-cards");
        hands.extend(self.slots("uprising"));
        let left = self.left("territory-deck", &hands);
        assert_eq!(left + hands.len() + self.words("territory-discards").len(), 66);
    }

    fn adventure_cards(&self, in_play: bool) {
        let hands = self.slots("adventure-cards");
        let before: usize = ["missions", "powers"]
            .iter()
            .flat_map(|what| self.seats.iter().map(move |seat| self.words(&format!("{seat}-{what}")).len() / 2))
            .sum();
        let left = self.left("adventure-deck", &hands);
        let all = self.adventure_cards + if in_play { EVENTS } else { 0 };
        if in_play {
            assert_eq!(left + hands.len() + before + self.words("adventure-discards").len(), all);
        }
    }

    /// The number of positions left in a deck. Checks that none of them is in a hand, and that no hand has a slot
    /// twice.
    fn left(&self, deck: &str, hands: &[u32]) -> usize {
        let value = self.value(deck);
        let (epoch, bits) = value.split_once(' ').unwrap();
        let epoch: u32 = epoch.parse().unwrap();
        let bits = u128::from_str_radix(bits, 16).unwrap();
        for (index, slot) in hands.iter().enumerate() {
            assert!(slot / 1000 != epoch || bits >> (slot % 1000) & 1 == 0, "{slot} is in {deck} and in a hand");
            assert!(!hands[..index].contains(slot), "{slot} is in two hands");
        }
        bits.count_ones() as usize
    }

    fn slots(&self, what: &str) -> Vec<u32> {
        let words = |seat: &String| self.words(&format!("{seat}-{what}"));
        self.seats.iter().flat_map(words).map(|slot| slot.parse().unwrap()).collect()
    }

    fn words(&self, key: &str) -> Vec<&str> {
        self.value(key).split(' ').filter(|word| *word != "-").collect()
    }

    fn value(&self, key: &str) -> &str {
        let found = self.lines.iter().find(|(other, _)| other == key);
        &found.unwrap_or_else(|| panic!("there is no fact `{key}`")).1
    }
}
