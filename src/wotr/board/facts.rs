//! The facts of the board: the same keys in the same order at every moment, in the words that [`position`] reads.
//!
//! [`position`]: mod@crate::board::position

use crate::board::Board;
use crate::board::battle::{Battle, Modifiers};
use crate::board::decks::{Pile, Positions};
use crate::board::dice::Dice;
use crate::board::place::Place;
use crate::board::politics::Politics;
use crate::board::row::Items;
use crate::card::{DECK_SIZE, EventDeck};
use crate::die::Face;
use crate::figures::{COUNTED, Figure, Figures};
use crate::nation::Nation;
use crate::region::Region;
use crate::side::Side;
use crate::tile::Tiles;
use engine::facts::{Facts, Sheet};

/// The letters for Regulars, Elites and Leaders in the facts, after the Nation.
pub const RANKS: [&str; 3] = ["r", "e", "l"];

impl Board {
    /// Writes the facts.
    pub fn facts(sheet: &mut Sheet<'_, Board>) {
        general_facts(sheet);
        region_facts(sheet);
        sheet.fact("reinforcements", |board| &board.reinforcements, bag);
        sheet.fact("casualties", |board| &board.casualties, bag);
        sheet.fact("removed", |board| &board.removed, bag);
        sheet.fact("aside", |board| &board.aside, bag);
        sheet.fact("fellowship", |board| &board.fellowship, bag);
        fellowship_facts(sheet);
        hunt_facts(sheet);
        dice_facts(sheet);
        for deck in EventDeck::ALL {
            sheet.fact(deck.id(), |board| &board.decks.piles[deck.index()], card_facts);
        }
        // Lasting effects of cards, of which this edition has none; the key is part of the digests of all logs.
        sheet.fact("effects", |_| (), |(), _| {});
        sheet.fact(
            "battle",
            |board| &board.battle,
            |battle, facts| {
                if let Some(battle) = battle {
                    battle.facts(facts);
                }
            },
        );
        sheet.fact("won", |board| board.victory, |victory, facts| word(victory.map(|victory| victory.id()), facts));
        team_facts(sheet);
    }
}

/// What stands in a region.
#[derive(PartialEq)]
struct Standing<'b> {
    field: &'b Figures,
    /// Inside its Stronghold, if that is besieged.
    inside: Option<&'b Figures>,
    captured: bool,
}

impl Standing<'_> {
    fn of(board: &Board, region: Region) -> Standing<'_> {
        Standing {
            field: &board.field[region.index()],
            inside: board.besieged.contains(region).then(|| board.at(Place::Inside(region))),
            captured: board.captured.contains(region),
        }
    }

    /// `captured besieged sauron 5r 1e nazgul 2 inside gondor 3r 1e 1l boromir`.
    fn write(self, facts: &mut Facts) {
        if self.captured {
            facts.word("captured");
        }
        if self.inside.is_some() {
            facts.word("besieged");
        }
        bag(self.field, facts);
        if let Some(inside) = self.inside {
            facts.word("inside");
            bag(inside, facts);
        }
    }
}

/// How many regions are compared at once. Only if one of them has changed, each is compared: few change at a time.
const ROW: usize = 8;

fn region_facts(sheet: &mut Sheet<'_, Board>) {
    let all = sheet.wants(|board| (&board.inside, board.besieged, board.captured));
    for row in Region::all().chunks(ROW) {
        let (first, last) = (row[0].index(), row[row.len() - 1].index());
        if all || sheet.wants(|board| &board.field[first..=last]) {
            for region in row {
                sheet.fact(region.id(), |board| Standing::of(board, *region), Standing::write);
            }
        }
    }
}

fn general_facts(sheet: &mut Sheet<'_, Board>) {
    sheet.fact(
        "turn",
        |board| (board.turn, board.phase),
        |(turn, phase), facts| {
            facts.number(u32::from(turn)).word(phase.id());
        },
    );
    sheet.fact(
        "switches",
        |board| &board.switches,
        |switches, facts| {
            for (name, value) in switches.changed() {
                facts.word(name).word(value);
            }
        },
    );
    sheet.fact("politics", |board| &board.politics, politics_facts);
}

fn politics_facts(politics: &Politics, facts: &mut Facts) {
    for nation in Nation::ALL {
        facts.word(nation.id()).number(u32::from(politics.steps_to_war(nation)));
        if !politics.is_active(nation) {
            facts.word("passive");
        }
    }
}

fn fellowship_facts(sheet: &mut Sheet<'_, Board>) {
    if !sheet.wants(|board| &board.company) {
        return;
    }
    sheet.fact("ring-bearers", |board| board.company.region, |region, facts| word(Some(region.id()), facts));
    sheet.fact(
        "progress",
        |board| (board.company.progress, board.company.is_hidden()),
        |(progress, is_hidden), facts| {
            number(progress, facts);
            facts.word(if is_hidden { "hidden" } else { "revealed" });
        },
    );
    sheet.fact("corruption", |board| board.company.corruption, number);
    sheet.fact(
        "guide",
        |board| board.company.guide,
        |guide, facts| word(Some(guide.map_or("gollum", |guide| guide.id())), facts),
    );
    sheet.fact(
        "mordor",
        |board| board.company.mordor,
        |step, facts| step.into_iter().for_each(|step| number(step, facts)),
    );
    sheet.fact(
        "moves",
        |board| &board.company,
        |company, facts| {
            number(company.moves, facts);
            mark(company.declared, "declared", facts);
            mark(company.attempted, "attempted", facts);
            mark(company.moved_last_turn, "moved-last-turn", facts);
        },
    );
}

fn hunt_facts(sheet: &mut Sheet<'_, Board>) {
    if !sheet.wants(|board| &board.pool) {
        return;
    }
    sheet.fact("hunt-pool", |board| board.pool.pool, tiles);
    sheet.fact("hunt-drawn", |board| board.pool.drawn, tiles);
    sheet.fact("hunt-waiting", |board| board.pool.waiting, tiles);
    sheet.fact("hunt-removed", |board| board.pool.removed, tiles);
    sheet.fact(
        "hunt-tile",
        |board| &board.pool.in_hand,
        |in_hand, facts| {
            if let Some(in_hand) = in_hand {
                in_hand.facts(facts);
            }
        },
    );
}

fn dice_facts(sheet: &mut Sheet<'_, Board>) {
    if !sheet.wants(|board| (&board.dice, &board.rings)) {
        return;
    }
    for (key, side) in [("free-dice", Side::Free), ("shadow-dice", Side::Shadow)] {
        sheet.fact(key, |board| &board.dice, |dice, facts| dice_of(dice, side, facts));
    }
    sheet.fact(
        "die-in-use",
        |board| board.dice.in_use,
        |in_use, facts| {
            if let Some(in_use) = in_use {
                facts.word(in_use.side.id()).word(in_use.face.id()).word(in_use.result.id());
            }
        },
    );
    sheet.fact(
        "marks",
        |board| (board.dice.hunted, board.dice.messenger, board.rings.used),
        |(hunted, messenger, [free_ring, shadow_ring]), facts| {
            mark(hunted, "hunted", facts);
            mark(messenger, "messenger-used", facts);
            mark(free_ring, "free-ring-used", facts);
            mark(shadow_ring, "shadow-ring-used", facts);
        },
    );
    sheet.fact(
        "rings",
        |board| board.rings.held,
        |held, facts| held.into_iter().for_each(|rings| number(rings, facts)),
    );
}

fn dice_of(dice: &Dice, side: Side, facts: &mut Facts) {
    for face in Face::ALL {
        let showing = dice.showing(side, face);
        if showing > 0 {
            facts.word(face.id()).number(u32::from(showing));
        }
    }
    facts.word("spent").number(u32::from(dice.spent(side)));
    facts.word("hunt-box").number(u32::from(dice.hunt_box(side)));
}

fn card_facts(pile: &Pile, facts: &mut Facts) {
    facts.word("left").number(u32::from(pile.left.len()));
    for (word, set) in [("hand", pile.hand), ("laid", pile.laid), ("table", pile.table), ("discards", pile.discards)] {
        positions(word, set, facts);
    }
    let shown = (0..DECK_SIZE).filter_map(|place| Some((place, pile.faces[usize::from(place)]?)));
    for (index, (place, card)) in shown.enumerate() {
        if index == 0 {
            facts.word("shown");
        }
        facts.number(u32::from(place)).word(card.id());
    }
}

/// The facts of tables with three or four players (17). With two players these keys are absent.
fn team_facts(sheet: &mut Sheet<'_, Board>) {
    if !sheet.board().teams.any() {
        return;
    }
    sheet.fact(
        "next",
        |board| Side::BOTH.map(|side| board.next(side)),
        |players, facts| {
            players.iter().for_each(|player| word(Some(player.id()), facts));
        },
    );
    sheet.fact(
        "mixed",
        |board| board.teams.mixed,
        |mixed, facts| {
            for (side, regions) in Side::BOTH.into_iter().zip(mixed).filter(|(_, regions)| !regions.is_empty()) {
                facts.word(side.id());
                regions.iter().for_each(|region| word(Some(region.id()), facts));
            }
        },
    );
    sheet.fact(
        "second-captures",
        |board| board.teams.credit,
        |credit, facts| credit.iter().for_each(|region| word(Some(region.id()), facts)),
    );
    sheet.fact(
        "second-hands",
        |board| board.decks.piles.map(|pile| pile.second),
        |hands, facts| {
            for (deck, hand) in EventDeck::ALL.into_iter().zip(hands) {
                positions(deck.id(), hand, facts);
            }
        },
    );
    sheet.fact(
        "team-marks",
        |board| (board.teams.second_ring, board.teams.proposed),
        |([free_ring, shadow_ring], proposed), facts| {
            mark(free_ring, "second-free-ring-used", facts);
            mark(shadow_ring, "second-shadow-ring-used", facts);
            mark(proposed, "proposed", facts);
        },
    );
    sheet.fact(
        "row",
        |board| &board.teams.row,
        |row, facts| {
            items("last", row.last(), facts);
            items("now", row.now(), facts);
        },
    );
}

/// `last gondor army minas-tirith gondor 3r`.
fn items(key: &str, items: &Items, facts: &mut Facts) {
    if *items == Items::NONE {
        return;
    }
    facts.word(key);
    items.nations().for_each(|nation| word(Some(nation.id()), facts));
    for (place, figures) in items.armies() {
        facts.word("army").value(&place);
        bag(&figures, facts);
    }
}

fn word(word: Option<&str>, facts: &mut Facts) {
    facts.word(word.unwrap_or("-"));
}

fn number(number: u8, facts: &mut Facts) {
    facts.number(u32::from(number));
}

fn mark(is_set: bool, word: &str, facts: &mut Facts) {
    if is_set {
        facts.word(word);
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

fn tiles(set: Tiles, facts: &mut Facts) {
    for tile in set.iter() {
        facts.word(tile.id());
    }
}

impl Battle {
    /// Writes the fact of the battle.
    fn facts(&self, facts: &mut Facts) {
        facts.word(self.attacker.id()).word(self.kind.id()).word(self.from.id()).word(self.region.id());
        facts.word("round").number(u32::from(self.round)).word("of").number(u32::from(self.rounds));
        for (word, [free, shadow]) in [("hits", self.hits), ("misses", self.misses)] {
            facts.word(word).number(u32::from(free)).number(u32::from(shadow));
        }
        for (word, [free, shadow]) in [("ones", self.ones), ("re-rolled", self.reroll_hits), ("struck", self.struck)] {
            if free + shadow > 0 {
                facts.word(word).number(u32::from(free)).number(u32::from(shadow));
            }
        }
        for side in Side::BOTH {
            let (card, modifiers) = (self.played[side.index()], self.modifiers[side.index()]);
            if card.is_some() || modifiers != Modifiers::default() {
                facts.word(side.id());
            }
            if let Some(card) = card {
                facts.word(card.id());
            }
            if modifiers != Modifiers::default() {
                facts.value(&modifiers);
            }
        }
        if let Some(companion) = self.silenced {
            facts.word("silenced").word(companion.id());
        }
        if let Some(card) = self.by {
            facts.word("by").word(card.id());
        }
        if self.white_rider {
            facts.word("white-rider");
        }
        if let Some(kind) = self.sorcerer {
            facts.word("sorcerer").word(kind.id());
        }
        facts.word("part");
        bag(&self.part, facts);
    }
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

/// The facts have words for all 22 kinds that are counted.
const _: () = assert!(COUNTED.len() == 22);
