/*! How good a position is for a side, as a race: the chance that the Ring is destroyed before the Shadow has its points
and before it has corrupted the Ring-bearers, or that the Free Peoples win the war.

The hope runs from -10,000 to 10,000 with the chance to win, plus a little for everything that will be of use later.
Its weights are data ([`Weights`]).
*/

use crate::board::Board;
use crate::board::company::TRACK_END;
use crate::bot::ring::{self, Quest};
use crate::bot::war::{self, War};
use crate::bot::weights::Weights;
use crate::card::EventDeck;
use crate::character::Character;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::region::Region;
use crate::side::Side;
use crate::turn;
use crate::victory::points_needed;

/// The hope of a game that is won.
const WON: f64 = 1_000_000.0;
/// The hope of a side that is sure to win.
const SURE: f64 = 10_000.0;

/// The hope of a side, by these weights.
pub fn hope(board: &Board, side: Side, weights: &Weights) -> i64 {
    let free = match board.victory() {
        Some(victory) if victory.winner() == Side::Free => WON,
        Some(_) => -WON,
        None => hopes(board, side, weights).free(weights),
    };
    (if side == Side::Free { free } else { -free }) as i64
}

/// The parts of the hope of a game that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Hopes {
    /// The way of the Ring.
    pub quest: Quest,
    /// The turns until the Shadow and the Free Peoples have their points.
    pub conquest: f64,
    pub banishment: f64,
    /// What is all but decided when the turn ends.
    pub decided: f64,
    /// What will be of use later: the Free Peoples' less the Shadow's.
    pub later: f64,
}

/// The hopes of a position, as one side judges it.
pub fn hopes(board: &Board, judge: Side, weights: &Weights) -> Hopes {
    let outlook = Outlook { board, judge, weights };
    let war = War::of(board, weights);
    let [banishment, conquest] = Side::BOTH.map(|side| outlook.turns_to_points(&war, side));
    let of_use = |side: Side| stores(board, side, weights).iter().map(|(_, worth)| worth).sum::<f64>();
    let later = of_use(Side::Free) - of_use(Side::Shadow);
    let quest = ring::quest(board, weights, outlook.eyes());
    Hopes { quest, conquest, banishment, decided: outlook.decided(), later }
}

impl Hopes {
    /// The hope of the Free Peoples.
    pub fn free(&self, weights: &Weights) -> f64 {
        let Hopes { quest, conquest, banishment, decided, later } = *self;
        let by_ring = self.by_ring(weights);
        let time = conquest.min(quest.turns + 4.0);
        let by_war = weights.banishment * sigmoid((time - banishment) / doubt(weights, banishment));
        let won = by_ring + by_war - by_ring * by_war;
        // Even if the outcome is all but sure, it is better to be nearer.
        let nearer = quest.margin.clamp(-12.0, 12.0) - quest.turns + conquest.min(30.0);
        decided + SURE * (2.0 * won - 1.0) + weights.nearer * nearer + later
    }

    /// The chance that the Ring is destroyed before the Shadow has its points, with as much rest as is best.
    fn by_ring(&self, weights: &Weights) -> f64 {
        let quest = self.quest;
        let chance = |margin: f64, turns: f64| {
            quest.survival(margin, weights) * sigmoid((self.conquest - turns) / doubt(weights, turns))
        };
        let rested = quest.havens.iter().flat_map(|haven| {
            let days = [1.0, 2.0, 3.0, 5.0, 7.0, 9.0].map(|days: f64| days.min(quest.corruption));
            days.map(|days| haven.safety * chance(quest.margin - haven.toll + days, quest.turns + haven.detour + days))
        });
        rested.fold(chance(quest.margin, quest.turns), f64::max)
    }
}

/// How uncertain the winner of a race is, if one of the two still needs this number of turns.
fn doubt(weights: &Weights, turns: f64) -> f64 {
    weights.doubt + weights.doubt_by_turn * turns.clamp(0.0, 10.0)
}

/// From 0 to 1, and one half at 0. Made of sums, products and quotients alone, which are the same on every machine.
pub fn sigmoid(x: f64) -> f64 {
    let mut power = 1.0 - x.clamp(-20.0, 20.0) / 256.0;
    for _ in 0..8 {
        power *= power;
    }
    1.0 / (1.0 + power)
}

/// The position as one side judges it.
struct Outlook<'a> {
    board: &'a Board,
    judge: Side,
    weights: &'a Weights,
}

impl Outlook<'_> {
    /// The dice to be expected in the Hunt Box in later turns. The Free Peoples expect a Shadow that hunts with many
    /// today to do so again; in its own judgement the Shadow gains nothing later by today's dice.
    fn eyes(&self) -> f64 {
        match self.judge {
            Side::Free if self.board.phase() >= Phase::Actions => {
                (self.weights.eyes + 2.0 * f64::from(self.board.dice().hunt_box(Side::Shadow))) / 3.0
            }
            _ => self.weights.eyes,
        }
    }

    /// The actions that a side puts into the war in each turn.
    fn actions(&self, side: Side) -> f64 {
        match side {
            Side::Shadow => {
                let dice = f64::from(turn::pool(self.board, side));
                (dice - self.eyes() - 0.5).max(1.5) * self.weights.shadow_share
            }
            Side::Free => self.weights.free_actions,
        }
    }

    /// The turns after this one until a side has its points, if nothing comes in between. A part of its unused dice
    /// of this turn counts towards them.
    fn turns_to_points(&self, war: &War<'_>, side: Side) -> f64 {
        let share = match side {
            Side::Shadow => self.weights.shadow_ready,
            Side::Free => self.weights.free_ready,
        };
        let ready = share * dice(self.board, side);
        (war.actions_to_points(side) - ready) / self.actions(side)
    }

    /// What is all but decided when the turn ends: the points of a side (16.4, 16.5), and the last point of Corruption
    /// for an idle turn in Mordor (15.16).
    fn decided(&self) -> f64 {
        let board = self.board;
        if board.phase() != Phase::Actions {
            return 0.0;
        }
        let stands = |side: Side| match board.dice().unused(!side) {
            0 => 0.95 * WON,
            _ => 0.4 * WON,
        };
        let company = board.company();
        if company.corruption() + 1 >= TRACK_END && ring::is_idle(board) {
            -0.97 * WON
        } else if board.points(Side::Shadow) >= points_needed(Side::Shadow) {
            -stands(Side::Shadow)
        } else if board.points(Side::Free) >= points_needed(Side::Free) {
            stands(Side::Free)
        } else if war::can_take_the_rest(board, Side::Shadow) {
            -0.35 * WON
        } else if war::can_take_the_rest(board, Side::Free) {
            0.35 * WON
        } else {
            0.0
        }
    }
}

/// Something that will be of use later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Characters that bring dice.
    Bringers,
    Cards,
    Politics,
    Units,
    Rings,
    Dice,
    Points,
}

/// What a side has that will be of use later, and what it is worth.
pub fn stores(board: &Board, side: Side, weights: &Weights) -> [(Store, f64); 7] {
    let bringers: &[Character] = match side {
        Side::Free => &[Character::Aragorn, Character::GandalfTheWhite],
        Side::Shadow => &[Character::Saruman, Character::WitchKing, Character::MouthOfSauron],
    };
    let in_play = bringers.iter().filter(|character| board.is_in_play(**character)).count() as f64;
    let of_decks =
        |number: &dyn Fn(EventDeck) -> u8| f64::from(EventDeck::of(side).into_iter().map(number).sum::<u8>());
    let hand = of_decks(&|deck| board.decks().hand(deck).len()).min(6.0);
    let table = of_decks(&|deck| board.decks().table(deck).len());
    let laid = of_decks(&|deck| board.decks().laid(deck).len());
    let politics = board.politics();
    let nation = |nation: &Nation| {
        let active = if politics.is_active(*nation) { weights.active } else { 0.0 };
        active - weights.step_to_war * f64::from(politics.steps_to_war(*nation))
    };
    let army = |region: Region| {
        let all = board.at(board.entry(side, region)).side(side);
        let leaders = all.leaders() + all.nazgul();
        weights.unit * f64::from(all.units(side)) + weights.elite_or_leader * f64::from(all.elites(side) + leaders)
    };
    let ring = if side == Side::Free { weights.free_ring } else { weights.shadow_ring };
    [
        (Store::Bringers, weights.bringer * in_play),
        (Store::Cards, weights.card * hand + weights.table * table + weights.laid * laid),
        (Store::Politics, Nation::of(side).iter().map(nation).sum()),
        (Store::Units, board.armies_anywhere(side).iter().map(army).sum()),
        (Store::Rings, ring * f64::from(board.rings().held(side))),
        (Store::Dice, weights.die * dice(board, side)),
        (Store::Points, weights.point * f64::from(board.points(side))),
    ]
}

/// The Action dice of this turn that a side has still to use.
fn dice(board: &Board, side: Side) -> f64 {
    let unrolled = if board.phase() < Phase::Actions { board.dice().spent(side) } else { 0 };
    // One die of the Shadow in six shows an Eye.
    let rolled = if side == Side::Shadow { 5.0 / 6.0 } else { 1.0 };
    f64::from(board.dice().unused(side)) + rolled * f64::from(unrolled)
}
