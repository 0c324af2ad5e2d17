//! Which of the lines in a letter are under it, and are said to nobody: the writer's name, and what he puts below all
//! his letters (P7).

use crate::order::sentences::{Reading, Said};
use crate::order::sign_off::{self, SignOff};
use crate::reply::courtesies;

/// The lines under a letter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OwnLines {
    /// The line that may be the writer's name under the letter.
    pub(super) signature: Option<usize>,
    /// The last lines, if they are probably what the writer puts under all his letters.
    pub(super) sign_off: Option<SignOff>,
    /// The first line that was passed over as sign-off.
    pub(super) passed_over: Option<usize>,
}

impl OwnLines {
    /// Finds the lines under a letter. `names` are those of its writer.
    pub(super) fn of(reading: &Reading, names: &[String]) -> OwnLines {
        let signature = signature(reading, names);
        let sign_off = sign_off::find(reading, names).filter(|sign_off| Some(sign_off.first) != signature);
        OwnLines { signature, sign_off, passed_over: None }
    }

    /// Whether a line stands under the letter.
    pub(super) fn is_under(&self, line: usize) -> bool {
        self.signature == Some(line) || self.sign_off.as_ref().is_some_and(|sign_off| sign_off.first <= line)
    }
}

/// P7: the last line, if it is only a name and there is something above it.
fn signature(reading: &Reading, names: &[String]) -> Option<usize> {
    let (last, above) = reading.said.split_last()?;
    let Said::Sentence(last) = last else { return None };
    let has_sentence = reading.is_courteous() || !above.is_empty();
    (has_sentence && courtesies::is_signature(&last.words, names)).then_some(last.line)
}
