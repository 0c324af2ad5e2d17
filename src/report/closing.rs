/*! What we tell of a log as a whole: how sure it is who wrote the answers, and whether the log verifies once it is
closed. `status`, the chronicle, the final sheet and the last letter share one count.
*/

use engine::need::Need;
use engine::title::Titles;
use ground::files::LOG;
use record::file::log::{Log, LogError};
use record::fold::tally::Tally;
use record::fold::{Fold, Phase};
use record::verify::{Errors, Proofs, Wanted, verify_twice};
use serde::Serialize;

/// How far the log of a finished game has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Closing {
    /// The secrets are not published.
    Open,
    /// The secrets are published; nobody has checked yet what that proves.
    Published,
    /// The log is closed, and verifies.
    Sound,
    /// The log is closed, and does not verify.
    Wrong { what: String },
}

impl Closing {
    /// What we can tell without the log itself; `None` for a game that goes on.
    pub fn of(fold: &Fold) -> Option<Closing> {
        match fold.phase() {
            Phase::Joining => None,
            Phase::Playing => (fold.need() == Need::Over).then_some(Closing::Open),
            Phase::Revealed | Phase::Ended => Some(Closing::Published),
        }
    }

    /// Checks a log as `ringmail verify` does.
    pub fn check(log: &Log, titles: Titles) -> Result<Closing, LogError> {
        let file = LOG.to_string();
        let wanted = Wanted { file, titles, errors: Errors::First, seen: Vec::new(), progress: &mut |_| {} };
        let mut again = || Ok(Box::new(log.bytes_after(0)?) as Box<dyn std::io::Read + Send>);
        let checked =
            log.bytes_after(0).and_then(|records| verify_twice(records, &mut again, wanted, Proofs::default()));
        let report = checked.map_err(|error| log.unread(error))?;
        let wrong = report.findings.first().map(|finding| report.finding(finding));
        Ok(wrong.map_or(Closing::Sound, |what| Closing::Wrong { what }))
    }
}

/// How sure it is who wrote the answers, in a sentence with counts such as `12 ssh, 3 code`; `None` if there are no
/// answers.
pub fn classes(tally: &Tally) -> Option<String> {
    let counted = tally.classes().into_iter().filter(|(_, number)| *number > 0);
    let counted: Vec<String> = counted.map(|(auth, number)| format!("{number} {}", auth.word())).collect();
    let counted = counted.join(", ");
    (!counted.is_empty()).then(|| format!("Answers, by how well it is known who wrote them: {counted}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_without_answers_are_left_out() {
        let tally = Tally { signed_dkim: 3, by_token: 40, ..Tally::default() };
        let told = "Answers, by how well it is known who wrote them: 3 dkim, 40 token.";
        assert_eq!(classes(&tally).as_deref(), Some(told));
        assert_eq!(classes(&Tally::default()), None);
    }
}
