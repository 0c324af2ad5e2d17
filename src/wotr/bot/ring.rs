//! The way of the Ring, as a bot sees it: the turns that it still takes, and what it costs the Ring-bearers.

use crate::wotr::board::company::TRACK_END;
use crate::wotr::board::{Board, Phase};
use crate::wotr::bot::hope::sigmoid;
use crate::wotr::bot::weights::Weights;
use crate::wotr::character::Character;
use crate::wotr::dice::Face;
use crate::wotr::region;
use crate::wotr::region::named::{MINAS_MORGUL, MORANNON};
use crate::wotr::side::Side;
use crate::wotr::switches::Choice;
use crate::wotr::tile::{Kind, Tiles, Value};
use crate::wotr::turn;

/// The way of the Ring.
#[derive(Clone, Copy, Debug)]
pub struct Quest {
    /// The turns that the Fellowship still needs.
    pub turns: f64,
    /// The damage that it can still take beyond what it has to expect.
    pub margin: f64,
    /// How uncertain the margin is: the more steps are left, the more.
    pub spread: f64,
    /// What turns of rest can heal, a point each, and where; nowhere in Mordor.
    pub corruption: f64,
    pub havens: [Haven; 2],
}

/// A City or Stronghold in which the Fellowship can rest (13.11).
#[derive(Clone, Copy, Debug, Default)]
pub struct Haven {
    /// The chance that the Ring-bearers reach it.
    pub safety: f64,
    /// The turns by which the way is longer, and the damage that they cost.
    pub detour: f64,
    pub toll: f64,
}

/// What still lies before the Fellowship.
struct Way {
    /// The regions up to Mordor, and the steps of the Mordor Track.
    steps: f64,
    track: f64,
    /// The part of a turn that is lost before Mordor.
    gate: f64,
    /// One action to hide, if it is Revealed.
    revealed: f64,
}

fn way(board: &Board) -> Way {
    let company = board.company();
    let doom = f64::from(board.switches().number(Choice::MovesToDoom));
    let revealed = if company.is_hidden() { 0.0 } else { 1.0 };
    match (company.mordor(), company.region()) {
        (None, Some(region)) => {
            let far = region.distance(MORANNON).min(region.distance(MINAS_MORGUL));
            // 15.2: the figure has to stand before Mordor in a Fellowship phase.
            let gate = if region == MORANNON || region == MINAS_MORGUL { 0.35 } else { 0.7 };
            Way { steps: f64::from(far) - f64::from(company.progress().min(far)), track: doom, gate, revealed }
        }
        (step, _) => Way { steps: 0.0, track: doom - f64::from(step.unwrap_or(0)), gate: 0.0, revealed },
    }
}

/// The way of the Ring, with the dice that are to be expected in the Hunt Box in turns to come.
pub fn quest(board: &Board, weights: &Weights, eyes: f64) -> Quest {
    let company = board.company();
    let way = way(board);
    let rate = weights.moves * (f64::from(turn::pool(board, Side::Free)) / 4.5).min(1.3);
    let in_mordor = company.is_on_the_mordor_track();
    let ahead = if in_mordor { way.track } else { way.steps } + way.revealed;
    // A die that still has to be used may come to nothing.
    let ready = if board.phase() == Phase::Actions { (0.9 * actions_of_the_ring(board)).min(ahead) } else { 0.0 };
    // 16.3: what destroys the Ring in this turn is earlier than any victory check.
    let at_once = in_mordor && board.phase() == Phase::Actions && actions_of_the_ring(board) >= ahead;
    let turns = if at_once { -3.0 } else { (way.steps + way.track + way.revealed - ready) / rate + way.gate };
    let damage = |eyes: f64| (1.0 - misses(eyes)) * weights.harm + 0.1;
    // The dice in the Hunt Box count for the moves of this turn; later ones meet as many as are to be expected.
    let soon = way.steps.min(moves_to_come(board));
    let here = f64::from(board.dice().hunt_box(Side::Shadow));
    let on_the_way = soon * damage(here) + (way.steps - soon) * damage(eyes.max(1.0)) + way.revealed * 0.4;
    let climbs = if in_mordor { ready - way.revealed } else { 0.0 }.clamp(0.0, way.track);
    let there = here + f64::from(board.dice().hunt_box(Side::Free));
    let in_the_end = climbs * tile(board, there) + (way.track - climbs) * tile(board, eyes + 0.5);
    // 15.16: a turn in Mordor without an attempt costs a point.
    let lost = if is_idle(board) { 1.0 } else { 0.0 };
    let idle = weights.idle * (way.track - climbs) / rate + lost;
    let waiting = board.pool().pool().or(board.pool().waiting());
    let stops = waiting.iter().filter(|tile| tile.kind() == Kind::SpecialShadow).count() as f64;
    let shields: f64 = board.companions().characters().map(|one| f64::from(one.level()).min(2.0)).sum();
    let health = f64::from(TRACK_END) - f64::from(company.corruption()) + weights.shield * shields;
    let margin = health - on_the_way - in_the_end - idle - 0.3 * stops;
    let spread = weights.spread + weights.spread_by_step * (way.steps + way.track);
    let corruption = f64::from(company.corruption());
    let havens = havens(board, way.steps).map(|haven| {
        let Some((far, longer)) = haven else { return Haven::default() };
        let reached = (health - far * damage(eyes.max(1.0))) / (0.5 + 0.1 * far);
        Haven { safety: sigmoid(reached), detour: longer / rate, toll: longer * damage(eyes.max(1.0)) }
    });
    Quest { turns, margin, spread, corruption, havens }
}

/// The City or Stronghold of the Free Peoples that is the nearest, and that which lies best on the way: the steps to
/// it, and by how many steps the way is longer.
fn havens(board: &Board, steps: f64) -> [Option<(f64, f64)>; 2] {
    let company = board.company();
    let Some(here) = company.region().filter(|_| !company.is_on_the_mordor_track()) else { return [None; 2] };
    let free = (region::settlements(Side::Free) - board.captured()).iter().filter(|at| at.is_city_or_stronghold());
    let mut best: [Option<(f64, f64)>; 2] = [None; 2];
    for haven in free {
        let far = f64::from(here.distance(haven).saturating_sub(company.progress()));
        let on = f64::from(haven.distance(MORANNON).min(haven.distance(MINAS_MORGUL)));
        let longer = (far + on - steps).max(0.0);
        if best[0].is_none_or(|best| (far, longer) < best) {
            best[0] = Some((far, longer));
        }
        if best[1].is_none_or(|best| (longer, far) < (best.1, best.0)) {
            best[1] = Some((far, longer));
        }
    }
    best
}

/// The chance that none of a number of dice of the Hunt succeeds, with a part of a die between two whole numbers. 14.7:
/// a die succeeds with a 6; with a 5 as well at the second move of a turn, for the die of the first in the Hunt Box.
fn misses(dice: f64) -> f64 {
    const NONE: [f64; 6] = [1.0, 0.77, 0.60, 0.47, 0.37, 0.29];
    let whole = dice.clamp(0.0, 5.0);
    let low = (whole as usize).min(4);
    NONE[low] + (NONE[low + 1] - NONE[low]) * (whole - low as f64)
}

/// 15.8: the damage of a tile in Mordor, on average, with a number of dice in the Hunt Box.
fn tile(board: &Board, dice: f64) -> f64 {
    let pool = board.pool();
    let tiles = if board.company().is_on_the_mordor_track() {
        pool.pool()
    } else {
        // 15.3: the Eyes return, and the special tiles join the pool.
        let eyes = pool.drawn().and(Tiles::STANDARD).iter().filter(|tile| tile.value() == Value::Eye);
        let mut tiles = pool.pool().or(pool.waiting());
        eyes.for_each(|eye| tiles.insert(eye));
        tiles
    };
    let tiles = if tiles.is_empty() { Tiles::STANDARD } else { tiles };
    let damage = |value: Value| match value {
        Value::Number(damage) => f64::from(damage),
        Value::Eye => dice,
        Value::Die => 3.5,
    };
    tiles.iter().map(|tile| damage(tile.value())).sum::<f64>() / f64::from(tiles.len())
}

/// The dice that can move the Fellowship or hide it.
fn movers(board: &Board) -> u8 {
    board.dice().showing(Side::Free, Face::Character) + board.dice().showing(Side::Free, Face::Will)
}

/// The steps, and the hiding before them, for which there are dice in this turn.
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
