/*! The short report of a verification: the answer in its first line, and what it rests on in at most fourteen more. The
sentences are those of [`record::verify::brief`].
*/

use crate::columns::{self, Fold, LETTER};
use record::verify::report::Report;
use record::verify::words::Tone;

/// The most lines.
pub const LINES_MAX: usize = 15;

/// The short report, with its answer styled.
pub fn brief(report: &Report, styled: impl Fn(Tone, &str) -> String) -> String {
    let (tone, word) = if report.is_ok() { (Tone::Good, "OK") } else { (Tone::Bad, "FAIL") };
    let mut lines = folded(&report.answer());
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(word, &styled(tone, word), 1);
    }
    for sentence in report.sentences() {
        let sentence = folded(&sentence);
        let room = (LINES_MAX - 1).saturating_sub(lines.len());
        match (sentence.len() <= room, report.is_ok()) {
            (true, _) => lines.extend(sentence),
            // Half a sentence may say the opposite of the whole one; a fault is told as far as there is room.
            (false, true) => {}
            (false, false) => lines.extend(sentence.into_iter().take(room)),
        }
    }
    lines.push("More: `ringmail verify --long`, or `--json`.".to_owned());
    lines.into_iter().map(|line| line + "\n").collect()
}

fn folded(text: &str) -> Vec<String> {
    let by = Fold { columns: LETTER, first: "", rest: "", goes_on: "" };
    columns::fold(text, by).lines().map(str::to_owned).collect()
}
