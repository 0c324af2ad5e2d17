//! The facts of the board: the same keys in the same order at every moment, in the words that [`position`] reads.
//!
//! [`position`]: mod@crate::wotr::board::position

use crate::engine::facts::Facts;
use crate::wotr::board::Board;
use crate::wotr::board::decks::Positions;
use crate::wotr::card::{DECK_SIZE, EventDeck};
use crate::wotr::dice::Face;
use crate::wotr::figures::{COUNTED, Figure, Figures};
use crate::wotr::nation::Nation;
use crate::wotr::region::Region;
use crate::wotr::side::Side;
use crate::wotr::tile::Tiles;
use std::sync::LazyLock;

/// The lines of empty regions, which are most regions at most times.
static EMPTY: LazyLock<Vec<String>> =
    LazyLock::new(|| Region::all().iter().map(|region| format!("{}: -\n", region.id())).collect());

/// The letters for Regulars, Elites and Leaders in the facts, after the Nation.
pub const RANKS: [&str; 3] = ["r", "e", "l"];

impl Board {
    /// Writes the facts.
    pub fn facts(&self, facts: &mut Facts) {
        self.general_facts(facts);
        for region in Region::all() {
            self.region_facts(*region, facts);
        }
        for (key, bag) in [
            ("reinforcements", &self.reinforcements),
            ("casualties", &self.casualties),
            ("removed", &self.removed),
            ("aside", &self.aside),
            ("fellowship", &self.fellowship),
        ] {
            facts.key(key);
            bag_or_dash(bag, facts);
            facts.end();
        }
        self.fellowship_facts(facts);
        self.dice_facts(facts);
        self.card_facts(facts);
        // Lasting effects of cards, of which this edition has none; the key is part of the digests of all logs.
        facts.line("effects", "-");
        match &self.battle {
            Some(battle) => battle.facts(facts),
            None => facts.line("battle", "-"),
        }
        facts.line("won", self.victory.map_or("-", |victory| victory.id()));
    }

    fn general_facts(&self, facts: &mut Facts) {
        facts.key("turn").number(u32::from(self.turn)).word(self.phase.id()).end();
        facts.key("switches");
        let mut changed = self.switches.changed().peekable();
        if changed.peek().is_none() {
            facts.word("-");
        }
        for (name, value) in changed {
            facts.word(name).word(value);
        }
        facts.end();
        facts.key("politics");
        for nation in Nation::ALL {
            facts.word(nation.id()).number(u32::from(self.politics.steps_to_war(nation)));
            if !self.politics.is_active(nation) {
                facts.word("passive");
            }
        }
        facts.end();
    }

    /// `minas-tirith: captured besieged sauron 5r 1e nazgul 2 inside gondor 3r 1e 1l boromir`.
    fn region_facts(&self, region: Region, facts: &mut Facts) {
        let field = &self.field[region.index()];
        let (captured, besieged) = (self.captured.contains(region), self.besieged.contains(region));
        if field.is_empty() && !captured && !besieged {
            facts.raw(&EMPTY[region.index()]);
            return;
        }
        facts.key(region.id());
        if captured {
            facts.word("captured");
        }
        if besieged {
            facts.word("besieged");
        }
        bag(field, facts);
        if besieged {
            facts.word("inside");
            bag(&self.garrison(region), facts);
        }
        facts.end();
    }

    fn fellowship_facts(&self, facts: &mut Facts) {
        let company = &self.company;
        facts.line("ring-bearers", company.region.id());
        facts.key("progress").number(u32::from(company.progress));
        facts.word(if company.is_hidden() { "hidden" } else { "revealed" }).end();
        facts.key("corruption").number(u32::from(company.corruption)).end();
        facts.line("guide", company.guide.map_or("gollum", |guide| guide.id()));
        facts.key("mordor");
        match company.mordor {
            Some(step) => facts.number(u32::from(step)),
            None => facts.word("-"),
        };
        facts.end();
        facts.key("moves").number(u32::from(company.moves));
        for (mark, word) in [
            (company.declared, "declared"),
            (company.attempted, "attempted"),
            (company.moved_last_turn, "moved-last-turn"),
        ] {
            if mark {
                facts.word(word);
            }
        }
        facts.end();
        let pool = &self.pool;
        for (key, set) in [
            ("hunt-pool", pool.pool),
            ("hunt-drawn", pool.drawn),
            ("hunt-waiting", pool.waiting),
            ("hunt-removed", pool.removed),
        ] {
            tiles(key, set, facts);
        }
        match &pool.in_hand {
            Some(in_hand) => in_hand.facts(facts),
            None => facts.line("hunt-tile", "-"),
        }
    }

    fn dice_facts(&self, facts: &mut Facts) {
        let dice = &self.dice;
        for side in Side::BOTH {
            facts.key(["free-dice", "shadow-dice"][side.index()]);
            for face in Face::ALL {
                let number = dice.showing(side, face);
                if number > 0 {
                    facts.word(face.id()).number(u32::from(number));
                }
            }
            facts.word("spent").number(u32::from(dice.spent(side)));
            facts.word("hunt-box").number(u32::from(dice.hunt_box(side)));
            facts.end();
        }
        facts.key("die-in-use");
        match dice.in_use {
            Some(in_use) => facts.word(in_use.side.id()).word(in_use.face.id()).word(in_use.result.id()),
            None => facts.word("-"),
        };
        facts.end();
        facts.key("marks");
        let marks = [
            (dice.hunted, "hunted"),
            (dice.messenger, "messenger-used"),
            (self.rings.used[0], "free-ring-used"),
            (self.rings.used[1], "shadow-ring-used"),
        ];
        if marks.iter().all(|(mark, _)| !mark) {
            facts.word("-");
        }
        for (_, word) in marks.into_iter().filter(|(mark, _)| *mark) {
            facts.word(word);
        }
        facts.end();
        facts.key("rings").number(u32::from(self.rings.held[0])).number(u32::from(self.rings.held[1])).end();
    }

    fn card_facts(&self, facts: &mut Facts) {
        for deck in EventDeck::ALL {
            let pile = &self.decks.piles[deck.index()];
            facts.key(deck.id()).word("left").number(u32::from(pile.left.len()));
            for (word, set) in
                [("hand", pile.hand), ("laid", pile.laid), ("table", pile.table), ("discards", pile.discards)]
            {
                positions(word, set, facts);
            }
            let shown = (0..DECK_SIZE).filter_map(|place| Some((place, pile.faces[usize::from(place)]?)));
            for (index, (place, card)) in shown.enumerate() {
                if index == 0 {
                    facts.word("shown");
                }
                facts.number(u32::from(place)).word(card.id());
            }
            facts.end();
        }
    }
}

fn positions(word: &str, set: Positions, facts: &mut Facts) {
    if set.is_empty() {
        return;
    }
    facts.word(word);
    for position in set.iter() {
        facts.number(u32::from(position));
    }
}

fn tiles(key: &str, set: Tiles, facts: &mut Facts) {
    facts.key(key);
    if set.is_empty() {
        facts.word("-");
    }
    for tile in set.iter() {
        facts.word(tile.id());
    }
    facts.end();
}

/// Writes the figures of a bag: `gondor 3r 1e 1l nazgul 2 boromir`.
pub fn bag(bag: &Figures, facts: &mut Facts) {
    if bag.is_empty() {
        return;
    }
    for nation in Nation::ALL {
        let leaders = if nation.side() == Side::Free { bag.count(Figure::Leader(nation)) } else { 0 };
        let numbers = [bag.count(Figure::Regular(nation)), bag.count(Figure::Elite(nation)), leaders];
        if numbers == [0; 3] {
            continue;
        }
        facts.word(nation.id());
        for (number, rank) in numbers.into_iter().zip(RANKS) {
            if number > 0 {
                facts.number(u32::from(number)).append(rank);
            }
        }
    }
    if bag.nazgul() > 0 {
        facts.word("nazgul").number(u32::from(bag.nazgul()));
    }
    for character in bag.characters() {
        facts.word(character.id());
    }
}

fn bag_or_dash(figures: &Figures, facts: &mut Facts) {
    if figures.is_empty() {
        facts.word("-");
    }
    bag(figures, facts);
}

/// The facts have words for all 22 kinds that are counted.
const _: () = assert!(COUNTED.len() == 22);
