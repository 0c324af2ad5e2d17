//! The way of the Ring, as a bot sees it: the turns that it still takes, and what it costs the Ring-bearers.

use crate::board::Board;
use crate::board::company::TRACK_END;
use crate::bot::hope::sigmoid;
use crate::bot::ordeal::{Ordeal, Peril};
use crate::bot::weights::Weights;
use crate::character::Character;
use crate::die::Face;
use crate::phase::Phase;
use crate::region;
use crate::region::named::{MINAS_MORGUL, MORANNON};
use crate::side::Side;
use crate::switches::Choice;
use crate::tile::Tiles;
use crate::turn;

/// The way of the Ring.
#[derive(Clone, Copy, Debug)]
pub struct Quest {
    /// The turns that the Fellowship still needs.
    pub turns: f64,
    /// The damage that it can still take beyond what it has to expect.
    pub margin: f64,
    /// What it has to expect, and the chance to live through that.
    pub ordeal: Ordeal,
    /// The Corruption that turns of rest can heal, a point each, and the places for it: none in Mordor.
    pub corruption: f64,
    pub havens: [Haven; 2],
}

/// A City or Stronghold in which the Fellowship can rest (13.11).
#[derive(Clone, Copy, Debug, Default)]
pub struct Haven {
    /// The chance that the Ring-bearers reach it.
    pub safety: f64,
    /// The turns that the detour takes, and the damage that it costs.
    pub detour: f64,
    pub toll: f64,
}

impl Quest {
    /// The chance that the Ring-bearers are not corrupted, if they can take `margin` more damage than is to be
    /// expected.
    pub fn survival(&self, margin: f64, weights: &Weights) -> f64 {
        let left = margin + self.ordeal.burden;
        let chance = |more: f64| self.ordeal.chance(left + more);
        let other = weights.unforeseen;
        (1.0 - other) * chance(0.0) + 0.5 * other * (chance(-1.0) + chance(1.0))
    }
}

/// What still lies before the Fellowship.
struct Way {
    /// The regions up to Mordor, and the steps of the Mordor Track.
    steps: u8,
    track: u8,
    /// The part of a turn that is lost before Mordor.
    gate: f64,
    /// One action to hide, if it is Revealed.
    revealed: f64,
}

fn way(board: &Board) -> Way {
    let company = board.company();
    let doom = board.switches().number(Choice::MovesToDoom);
    let revealed = if company.is_hidden() { 0.0 } else { 1.0 };
    match (company.mordor(), company.region()) {
        (None, Some(region)) => {
            let far = region.distance(MORANNON).min(region.distance(MINAS_MORGUL));
            // 15.2: the figure has to stand before Mordor in a Fellowship phase.
            let gate = if region == MORANNON || region == MINAS_MORGUL { 0.35 } else { 0.7 };
            Way { steps: far.saturating_sub(company.progress()), track: doom, gate, revealed }
        }
        (step, _) => Way { steps: 0, track: doom.saturating_sub(step.unwrap_or(0)), gate: 0.0, revealed },
    }
}

/// The way of the Ring, with `eyes` dice to be expected in the Hunt Box in later turns.
pub fn quest(board: &Board, weights: &Weights, eyes: f64) -> Quest {
    let company = board.company();
    let way = way(board);
    let rate = weights.moves * (f64::from(turn::pool(board, Side::Free)) / 4.5).min(1.3);
    let is_inside = company.is_on_the_mordor_track();
    let ahead = f64::from(if is_inside { way.track } else { way.steps }) + way.revealed;
    // A die that is not used yet may come to nothing.
    let ready = if board.phase() == Phase::Actions { (0.9 * actions_of_the_ring(board)).min(ahead) } else { 0.0 };
    // 16.3: if the Ring is destroyed in this turn, that comes before any victory check; but an action of the Shadow
    // before it may bring something unforeseen.
    let at_once = is_inside && board.phase() == Phase::Actions && actions_of_the_ring(board) >= ahead;
    let steps = f64::from(way.steps + way.track);
    let turns = if at_once { 0.8 * ahead - 4.0 } else { (steps + way.revealed - ready) / rate + way.gate };

    let hunted = hunt(board, eyes.max(1.0));
    let climbs = if is_inside { (ready - way.revealed).max(0.0) } else { 0.0 };
    let ordeal = ordeal(board, &way, hunted, climbs, eyes, weights.idle / rate);
    let shields: f64 = board.companions().characters().map(|one| f64::from(one.level()).min(2.0)).sum();
    let corruption = f64::from(company.corruption());
    let left = f64::from(TRACK_END) - corruption + weights.shield * shields;
    let havens = havens(board, way.steps).map(|haven| {
        let Some((far, longer)) = haven else { return Haven::default() };
        let reached = (left - far * hunted.mean()) / (0.5 + 0.1 * far);
        Haven { safety: sigmoid(reached), detour: longer / rate, toll: longer * hunted.mean() }
    });
    Quest { turns, margin: left - ordeal.burden, ordeal, corruption, havens }
}

/// What each remaining step of the Fellowship may bring: `hunted` is the peril of a step before Mordor in a later
/// turn, `climbs` is the number of steps in Mordor still to be made in this turn, and `idle` is the damage of waiting
/// before each later one.
fn ordeal(board: &Board, way: &Way, hunted: Peril, climbs: f64, eyes: f64, idle: f64) -> Ordeal {
    // The moves of this turn meet the dice in the Hunt Box; later ones meet the number to be expected.
    let here = f64::from(board.dice().hunt_box(Side::Shadow));
    let moves = Part { of_today: moves_to_come(board), today: hunt(board, here), later: hunted };
    let tiles = tiles_of_mordor(board);
    let there = here + f64::from(board.dice().hunt_box(Side::Free));
    let climbs =
        Part { of_today: climbs, today: Peril::tile(tiles, there, true), later: Peril::tile(tiles, eyes + 0.5, true) };
    let (nothing, idle) = (Peril::damage(0.0), Peril::damage(idle));
    let mut ordeal = Ordeal::over();
    for step in (0..way.track).rev() {
        ordeal = ordeal.after(&climbs.peril(step)).after(&nothing.or(climbs.today(step), &idle));
    }
    for step in (0..way.steps).rev() {
        ordeal = ordeal.after(&moves.peril(step));
    }
    // While a die hides the Fellowship, the Hunt goes on; in Mordor hiding is an attempt, and no tile is drawn.
    if !board.company().is_on_the_mordor_track() {
        ordeal = ordeal.after(&Peril::damage(0.4 * way.revealed));
    }
    // 15.16: a turn in Mordor without an attempt costs a point.
    if is_idle(board) {
        ordeal = ordeal.after(&Peril::damage(1.0));
    }
    ordeal
}

/// A part of the way: how many of its steps meet the Hunt of this turn, and what a step may bring in this turn and
/// later.
struct Part {
    of_today: f64,
    today: Peril,
    later: Peril,
}

impl Part {
    /// The chance that a step, counted from 0, is made in this turn.
    fn today(&self, step: u8) -> f64 {
        (self.of_today - f64::from(step)).clamp(0.0, 1.0)
    }

    fn peril(&self, step: u8) -> Peril {
        self.today.or(self.today(step), &self.later)
    }
}

/// A step before Mordor with this number of dice in the Hunt Box: a tile if the Hunt succeeds, otherwise a little for
/// everything else.
fn hunt(board: &Board, dice: f64) -> Peril {
    let pool = board.pool().pool();
    let pool = if pool.is_empty() { Tiles::STANDARD } else { pool };
    // 14.12: an Eye does as much damage as the Hunt has successes, seldom more than one.
    Peril::tile(pool, 1.0, false).or(1.0 - misses(dice), &Peril::damage(0.1))
}

/// The nearest City or Stronghold of the Free Peoples, and the one with the smallest detour: the steps to it, and how
/// many steps the way becomes longer.
fn havens(board: &Board, steps: u8) -> [Option<(f64, f64)>; 2] {
    let company = board.company();
    let Some(here) = company.region().filter(|_| !company.is_on_the_mordor_track()) else { return [None; 2] };
    let free = (region::settlements(Side::Free) - board.captured()).iter().filter(|at| at.is_city_or_stronghold());
    let mut best: [Option<(f64, f64)>; 2] = [None; 2];
    for haven in free {
        let far = f64::from(here.distance(haven).saturating_sub(company.progress()));
        let on = f64::from(haven.distance(MORANNON).min(haven.distance(MINAS_MORGUL)));
        let longer = (far + on - f64::from(steps)).max(0.0);
        if best[0].is_none_or(|best| (far, longer) < best) {
            best[0] = Some((far, longer));
        }
        if best[1].is_none_or(|best| (longer, far) < (best.1, best.0)) {
            best[1] = Some((far, longer));
        }
    }
    best
}

/// The chance that none of the dice of the Hunt succeeds, interpolated between whole numbers. 14.7: a die succeeds
/// with a 6; at the second move of a turn with a 5 as well, for the die of the first move is in the Hunt Box.
fn misses(dice: f64) -> f64 {
    const NONE: [f64; 6] = [1.0, 0.77, 0.60, 0.47, 0.37, 0.29];
    let whole = dice.clamp(0.0, 5.0);
    let low = (whole as usize).min(4);
    NONE[low] + (NONE[low + 1] - NONE[low]) * (whole - low as f64)
}

/// 15.3: the tiles that are drawn in Mordor. When the Fellowship enters it, the drawn Eyes return and the special
/// tiles join the pool.
fn tiles_of_mordor(board: &Board) -> Tiles {
    let pool = board.pool();
    let mut tiles = pool.pool();
    if !board.company().is_on_the_mordor_track() {
        tiles = tiles.or(pool.waiting()).or(pool.drawn().and(Tiles::EYES));
    }
    if tiles.is_empty() { Tiles::STANDARD } else { tiles }
}

/// The dice that can move the Fellowship or hide it.
fn movers(board: &Board) -> u8 {
    board.dice().showing(Side::Free, Face::Character) + board.dice().showing(Side::Free, Face::Will)
}

/// How many steps, and hiding before them, the dice of this turn pay for.
fn actions_of_the_ring(board: &Board) -> f64 {
    let movers = movers(board);
    // 13.19: with Strider as the Guide any die hides.
    let other = board.dice().unused(Side::Free) > movers;
    let strider = !board.company().is_hidden() && board.company().guide() == Some(Character::Strider) && other;
    f64::from(movers + u8::from(strider))
}

/// The moves of the Fellowship that are still to be expected this turn.
fn moves_to_come(board: &Board) -> f64 {
    let movers = movers(board);
    match board.phase() {
        Phase::Actions if board.company().is_hidden() => 0.8 * f64::from(movers.min(2)),
        Phase::Actions => 0.8 * f64::from(movers.saturating_sub(1).min(1)),
        Phase::VictoryCheck => 0.0,
        _ => 1.5,
    }
}

/// 15.16: whether this turn in Mordor will end without an attempt: no die is left for one.
pub fn is_idle(board: &Board) -> bool {
    let company = board.company();
    let ring = board.rings().held(Side::Free) > 0 && !board.rings().used(Side::Free);
    let other = ring && board.dice().unused(Side::Free) > 0;
    company.is_on_the_mordor_track()
        && board.phase() == Phase::Actions
        && !company.attempted()
        && actions_of_the_ring(board) == 0.0
        && !other
}
