/*! The end of a log: checks the published secrets against what was committed, and the result against the game. */

use super::{Fold, Phase};
use crate::charter::plan::Plan;
use crate::entry::body::Reveal;
use crate::problem::Problem;
use engine::outcome::Outcome;

impl Fold {
    pub(crate) fn reveal(&mut self, reveal: &Reveal, problems: &mut Vec<Problem>) {
        self.phase = Phase::Revealed;
        let faces = self.masks.reveal(&reveal.root, &self.plan.root, problems);
        self.check_shares(&reveal.root, problems);
        self.open_books(&reveal.root, &reveal.orders, problems);
        self.receipts.stops.open(&self.plan.game, &reveal.root, &reveal.lines, problems);
        self.faces = faces;
    }

    pub(crate) fn check_result(&self, result: &str) -> Result<(), Problem> {
        let outcome = self.outcome();
        let expected = match &outcome {
            Some(outcome) => result_text(outcome, &self.plan),
            None if result.starts_with(ABANDONED) => return Ok(()),
            None => format!("{}, and why", ABANDONED),
        };
        if expected == result {
            return Ok(());
        }
        Err(Problem::Result { expected, found: result.to_string() })
    }
}

/// How the result begins if a game was not played to its end.
pub const ABANDONED: &str = "abandoned";

/// The result in words: who won, why, and the points.
pub fn result_text(outcome: &Outcome, plan: &Plan) -> String {
    let winners: Vec<&str> = outcome.winners.iter().map(|seat| plan.word(*seat)).collect();
    let verb = if winners.len() == 1 { "wins" } else { "win" };
    let mut text = if winners.is_empty() {
        format!("nobody wins: {}", outcome.reason)
    } else {
        format!("{} {verb}: {}", winners.join(" and "), outcome.reason)
    };
    let points: Vec<String> =
        outcome.points.iter().map(|(seat, points)| format!("{} {points}", plan.word(*seat))).collect();
    if !points.is_empty() {
        text.push_str("; ");
        text.push_str(&points.join(", "));
    }
    text
}
