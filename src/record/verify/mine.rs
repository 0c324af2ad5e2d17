/*! A log held against the letters that its reader has sent himself. Nothing in a log excludes that the host wrote a
player's letter in his place; the player knows, because the letter is not among his own (log 7.12, 15.2).
*/

use super::report::{CheckResult, Finding, Report};
use crate::problem::{Check, Problem};
use ground::hash::Hash;
use std::collections::BTreeSet;

/// What a player has sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// SHA-256 of the Message-ID of each letter, without `<` and `>`.
    pub messages: BTreeSet<Hash>,
    /// The games and seats of the letters that they answer.
    pub seats: BTreeSet<(String, String)>,
}

impl Report {
    /// Compares the letters by which seats joined with those that the reader has sent.
    pub fn hold_mine(&mut self, own: &Own) {
        let Some(table) = self.table.as_ref().filter(|_| self.findings.is_empty()) else { return };
        let joined = table.added.iter().filter(|added| own.messages.contains(&added.message));
        let mine: Vec<String> = joined.map(|added| added.seat.clone()).collect();
        let is_answered = |seat: &str| own.seats.contains(&(table.name.clone(), seat.to_string()));
        let invented = table
            .added
            .iter()
            .filter(|added| is_answered(&added.seat) && !added.is_of_former && !own.messages.contains(&added.message));
        let mut problems: Vec<Problem> =
            invented.map(|added| Problem::NotMine { seat: added.seat.clone(), message: added.message }).collect();
        if mine.is_empty() && problems.is_empty() {
            problems.push(Problem::NothingMine);
        }
        if !problems.is_empty()
            && let Some((_, verdict)) = self.checks.iter_mut().find(|(check, _)| *check == Check::Mailbox)
        {
            *verdict = CheckResult::Fail;
        }
        let finding = |problem| Finding {
            check: Check::Mailbox,
            line: 1,
            seq: None,
            moment: None,
            said: None,
            good: self.head.map(|head| head.seq),
            problem,
        };
        let findings: Vec<Finding> = problems.into_iter().map(finding).collect();
        self.findings.extend(findings);
        self.mine = mine;
    }
}
