//! Which weights tell best who wins.

use std::collections::BTreeMap;
use wotr::board::Board;
use wotr::bot::hope::hope;
use wotr::bot::weights::{NAMES, Weights};
use wotr::side::Side;

/// The parts by which a weight is changed, in per cent.
const CHANGES: [i32; 4] = [25, -20, 8, -7];
/// A weight becomes at most so many times what it was, or so small a part of it.
const RANGE: i32 = 2;
/// What a change must better at least, of the whole error.
const LEAST: f64 = 0.0005;
/// The hope of a game that is won for sure.
const SURE: f64 = 10_000.0;

/// A position, and who won the game.
pub struct Position {
    pub board: Board,
    /// 1 for the Free Peoples, -1 for the Shadow.
    pub won: f64,
    pub game: u64,
}

type Named = BTreeMap<String, i32>;

/// What has been learnt.
pub struct Learnt {
    pub weights: Named,
    pub error: f64,
    pub error_before: f64,
}

/// The weights after so many rounds, without a change of those that are kept.
pub fn better(old: &Named, positions: &[Position], rounds: u32, keep: &[String]) -> Learnt {
    let whole = |errors: [f64; 2]| f64::midpoint(errors[0], errors[1]);
    let mut best = old.clone();
    let mut errors = errors_of(&best, positions);
    let error_before = whole(errors);
    for round in 1..=rounds {
        for name in NAMES.iter().filter(|name| !keep.iter().any(|kept| kept == *name)) {
            for change in CHANGES {
                let mut tried = best.clone();
                let weight = tried.get_mut(*name).expect("each weight is named");
                *weight += (*weight * change + change.signum() * 50) / 100;
                if *weight > old[*name] * RANGE || *weight < old[*name] / RANGE {
                    continue;
                }
                let now = errors_of(&tried, positions);
                let is_better = (0..2).all(|half| now[half] < errors[half]);
                if is_better && whole(now) < whole(errors) * (1.0 - LEAST) {
                    eprintln!("round {round}: {name} {} becomes {}: {:.5}", best[*name], tried[*name], whole(now));
                    (best, errors) = (tried, now);
                }
            }
        }
    }
    Learnt { weights: best, error: whole(errors), error_before }
}

/// The mean square of the error, for the games with even numbers and those with odd ones.
fn errors_of(named: &Named, positions: &[Position]) -> [f64; 2] {
    let weights = Weights::of(named).expect("each weight is named");
    [0, 1].map(|half| {
        let own = positions.iter().filter(|position| position.game % 2 == half);
        let errors: Vec<f64> = own.map(|position| error(position, &weights)).collect();
        errors.iter().sum::<f64>() / errors.len().max(1) as f64
    })
}

fn error(position: &Position, weights: &Weights) -> f64 {
    let hope = hope(&position.board, Side::Free, weights) as f64;
    // What the Shadow does not know of the Hunt dice to come is not asked of it: both judge as the Free Peoples do.
    let told = (hope / SURE).clamp(-1.0, 1.0);
    (told - position.won).powi(2)
}
