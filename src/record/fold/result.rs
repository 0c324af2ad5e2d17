/*! The result of a game, as its last record says it. */

use crate::engine::outcome::Outcome;
use crate::record::charter::plan::Plan;

/// How the result of a game begins that was not played to its end.
pub const ABANDONED: &str = "abandoned";

/// The result in words: who won, why, and the points.
pub fn result_text(outcome: &Outcome, plan: &Plan) -> String {
    let winners: Vec<&str> = outcome.winners.iter().map(|seat| plan.word(*seat)).collect();
    let verb = if winners.len() == 1 { "wins" } else { "win" };
    let mut text = match winners.is_empty() {
        true => format!("nobody wins: {}", outcome.reason),
        false => format!("{} {verb}: {}", winners.join(" and "), outcome.reason),
    };
    let points: Vec<String> =
        outcome.points.iter().map(|(seat, points)| format!("{} {points}", plan.word(*seat))).collect();
    if !points.is_empty() {
        text.push_str("; ");
        text.push_str(&points.join(", "));
    }
    text
}
