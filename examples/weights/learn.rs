//! Finds the weights that predict best who wins.

use std::collections::BTreeMap;
use wotr::board::Board;
use wotr::bot::hope::hope;
use wotr::bot::weights::{NAMES, Weights};
use wotr::side::Side;

/// The changes of a weight that are tried, in per cent.
const CHANGES: [i32; 4] = [25, -20, 8, -7];
/// A weight stays between its old value divided by this and its old value times this.
const RANGE: i32 = 2;
/// The least improvement of the total error that a change must bring, as a share.
const LEAST: f64 = 0.0005;
/// The hope in a game that is certainly won.
const SURE: f64 = 10_000.0;

/// A position, and who won the game.
pub struct Position {
    pub board: Board,
    /// 1 for the Free Peoples, -1 for the Shadow.
    pub won: f64,
    pub game: u64,
}

type Named = BTreeMap<String, i32>;

/// The result of learning.
pub struct Learnt {
    pub weights: Named,
    pub error: f64,
    pub error_before: f64,
}

/// The weights after `rounds` rounds; the weights in `keep` stay unchanged.
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
    // Both sides judge as the Free Peoples, because the Shadow's hope would depend on Hunt dice to come that it does
    // not know.
    let told = (hope / SURE).clamp(-1.0, 1.0);
    (told - position.won).powi(2)
}
