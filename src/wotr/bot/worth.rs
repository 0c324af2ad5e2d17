/*! How good a position is for a side, for the easy bot, which looks one sentence ahead.

This does not make the bot strong, but it plays towards an end: the Free Peoples move the Fellowship and keep it
Hidden; the Shadow hunts, goes to war and moves towards the nearest City or Stronghold that it does not hold.
*/

use crate::board::Board;
use crate::board::battle::Kind as Battle;
use crate::board::company::TRACK_END;
use crate::card::EventDeck;
use crate::die::Face;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::region::named::{MINAS_MORGUL, MORANNON};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::switches::Choice;
use crate::tile::Kind;

/// A game that is won: more than everything else together.
const WON: i64 = 1_000_000;
/// A victory point.
const POINT: i64 = 400;
/// A step of Corruption.
const CORRUPTION: i64 = 110;
/// A step that the Fellowship has yet to go.
const STEP: i64 = 70;
/// A unit; an Elite counts for half as much again.
const UNIT: i64 = 24;
/// A Leader or a Nazgûl.
const LEADER: i64 = 14;
/// A Companion or a Minion in play.
const CHARACTER: i64 = 60;
/// A step towards war.
const POLITICS: i64 = 30;
/// An unused die: acting must gain more than waiting with it.
const DIE: i64 = 12;
/// A card on the table, or a special Hunt tile in play.
const TABLE: i64 = 3 * DIE;
/// The most units of an Army that count for being near a goal.
const MARCH_UNITS: u8 = 10;

/// The worth of the position for the side: its own worth less that of the other side.
pub fn worth(board: &Board, side: Side) -> i64 {
    if let Some(victory) = board.victory() {
        return if victory.winner() == side { WON } else { -WON };
    }
    let free = strength(board, Side::Free) - strength(board, Side::Shadow) - quest(board) + battle(board);
    match side {
        Side::Free => free,
        Side::Shadow => -free,
    }
}

/// The steps that the Fellowship has yet to go and the Corruption it has: the less, the better for the Free Peoples.
fn quest(board: &Board) -> i64 {
    let company = board.company();
    let track = i64::from(board.switches().number(Choice::MovesToDoom));
    let to_go = match (company.mordor(), company.region()) {
        (Some(step), _) => track - i64::from(step),
        (None, Some(region)) => {
            let way = region.distance(MORANNON).min(region.distance(MINAS_MORGUL));
            // Progress counts as steps that the figure has already gone.
            track + i64::from(way.abs_diff(company.progress().min(way)))
        }
        (None, None) => unreachable!("the figure stands in a region or on the Mordor Track"),
    };
    let revealed = if company.is_hidden() { 0 } else { STEP };
    let corruption = i64::from(company.corruption());
    // The last steps of Corruption weigh more.
    let dread = corruption * corruption * CORRUPTION / i64::from(TRACK_END);
    // The first two dice in the Hunt Box count more than further ones.
    let dice = i64::from(board.dice().hunt_box(Side::Shadow));
    let hunters = dice.min(2) * 3 * DIE + (dice - 2).max(0) * DIE;
    to_go * STEP + revealed + corruption * CORRUPTION / 2 + dread + hunters
}

/// The prospects of the battle that is being fought, for the Free Peoples: by units, Leadership and walls.
fn battle(board: &Board) -> i64 {
    let Some(battle) = board.battle() else { return 0 };
    let force = |side: Side| {
        let fighters = board.fighters(side);
        4 * i64::from(fighters.units(side)) + i64::from(board.leadership(&fighters).min(5))
    };
    let walls = match battle.kind {
        Battle::Siege => 2,
        Battle::Field | Battle::Sortie => 1,
    };
    let odds = force(battle.attacker) - walls * force(battle.defender());
    // A battle with good odds is worth more if the Settlement is worth more points.
    let prize = battle.region.settlement().map_or(0, |settlement| i64::from(settlement.points())) * POINT / 4;
    let hope = if odds > 0 { prize + UNIT } else { 0 };
    let worth = (odds * UNIT / 4).clamp(-POINT, POINT) + hope;
    if battle.attacker == Side::Free { worth } else { -worth }
}

fn strength(board: &Board, side: Side) -> i64 {
    let nations = Nation::of(side).iter().map(|nation| -i64::from(board.politics().steps_to_war(*nation)) * POLITICS);
    let characters = crate::character::Character::of(side).iter().filter(|character| board.is_in_play(**character));
    let characters = i64::try_from(characters.count()).expect("a few Characters") * CHARACTER;
    // Before the roll, dice that will be rolled count double.
    let unrolled = if board.phase() < Phase::Actions { i64::from(board.dice().spent(side)) * 2 * DIE } else { 0 };
    let dice = i64::from(board.dice().unused(side) - board.dice().showing(side, Face::Eye)) * DIE + unrolled;
    // A Combat card that has been laid is worth a little more than a card in hand.
    let laid = if board.decks().laid_by(side).is_some() { DIE + 1 } else { 0 };
    let cards = i64::from(EventDeck::of(side).into_iter().map(|deck| board.decks().hand(deck).len()).sum::<u8>()) * DIE
        + laid
        + in_play(board, side) * TABLE;
    i64::from(board.points(side)) * POINT + nations.sum::<i64>() + characters + dice + cards + armies(board, side)
}

/// The cards of a side on the table, and its special tiles that may still be drawn.
fn in_play(board: &Board, side: Side) -> i64 {
    let colour = match side {
        Side::Free => Kind::SpecialFreePeoples,
        Side::Shadow => Kind::SpecialShadow,
    };
    let tiles = board.pool().pool().or(board.pool().waiting());
    let tiles = tiles.iter().filter(|tile| tile.kind() == colour).count();
    let cards: u8 = EventDeck::of(side).into_iter().map(|deck| board.decks().table(deck).len()).sum();
    i64::try_from(tiles).expect("a few tiles") + i64::from(cards)
}

/// The figures on the board, and how near the Armies are to the goals of the side.
fn armies(board: &Board, side: Side) -> i64 {
    let goals = goals(board, side);
    let mut worth = 0;
    for region in board.armies_anywhere(side).iter() {
        let figures = board.force(side, region);
        let inside = if board.controller(region) == Some(side) { board.garrison(region) } else { Default::default() };
        let all = figures + inside;
        let units = i64::from(all.units(side)) * UNIT + i64::from(all.elites(side)) * (UNIT / 2);
        worth += units + i64::from(all.leaders() + all.nazgul_and_witch_king()) * LEADER;
        worth += i64::from(figures.units(side).min(MARCH_UNITS)) * nearness(region, goals);
        if board.besieges(side, region) {
            worth += POINT / 2;
        }
    }
    worth
}

/// The Settlements worth points that the side does not hold.
fn goals(board: &Board, side: Side) -> Regions {
    let lost = region::settlements(!side) - board.captured();
    let taken = region::settlements(side) & board.captured();
    (lost | taken).iter().filter(|region| region.is_city_or_stronghold()).collect()
}

/// How near the region is to a goal: 0 is far away, 12 is there.
fn nearness(region: Region, goals: Regions) -> i64 {
    let nearest = goals.iter().map(|goal| region.distance(goal)).min().unwrap_or(u8::MAX);
    12 - i64::from(nearest.min(6)) * 2
}
