/*! Whether the HTML of a letter shows what its plain text says (requirement P2): people write in HTML, but we read
the plain text beside it. A sentence about which the two disagree is not played.

Only letters and digits are compared, in their order: programs wrap, indent and decorate the two in their own ways.
*/

use super::reader::Reader;
use super::sentences::{Link, Reading, RefusedLine, Said};
use super::unread::{LineRefusal, Otherwise};
use crate::reply::quoting::{self, Ownership};
use crate::reply::verdict::Doubt;
use crate::reply::vocabulary::Vocabulary;
use mail::letter::flowed::{Line, Standing};
use mail::letter::html::Shown;
use mail::letter::limits::{Limits, TooMuch};
use std::collections::BTreeSet;

/// After this many sentences that are not found, the search stops: the two are different letters.
const MISSING_MAX: usize = 20;

/// An HTML text with fewer letters of its writer's own is not compared.
const LETTERS_MIN: usize = 4;

/// Refuses the sentences of the plain text that the HTML does not show as the writer's own, and any sentence that
/// only the HTML shows.
///
/// # Errors
/// [`TooMuch`] if the HTML has more lines than anybody writes.
pub(super) fn compare(
    reading: &mut Reading,
    plain: &[Line],
    shown: &Shown,
    vocabulary: &Vocabulary,
    limits: &Limits,
) -> Result<(), TooMuch> {
    let mut html = Streams::of(&shown.lines, vocabulary);
    // What its writer does not see as his text counts as hidden.
    let apart = shown.lines.iter().filter(|line| line.standing != Standing::Text).map(|line| letters(&line.text));
    let hidden = letters(&shown.hidden) + &apart.collect::<String>();
    // Some programs add an HTML text that says nothing.
    let says_something = html.own.chars().count() >= LETTERS_MIN;
    let mut missing = 0;
    for said in &mut reading.said {
        let Said::Sentence(sentence) = said else { continue };
        let key = letters(without_links(&sentence.original));
        if sentence.signed.is_some() || missing < MISSING_MAX && html.has(&key) {
            continue;
        }
        missing += 1;
        let otherwise = match missing <= MISSING_MAX {
            true if hidden.contains(&key) => Otherwise::Hidden,
            true if html.others.contains(&key) => Otherwise::Quoted,
            _ if !says_something => continue,
            _ => Otherwise::Missing,
        };
        let (line, original) = (sentence.line, sentence.original.clone());
        *said = Said::Refused(RefusedLine { line, original, reason: LineRefusal::ShownOtherwise(otherwise) });
    }
    let mut text = Streams::of(plain, vocabulary);
    let other = Reader::of_lines(&shown.lines, vocabulary, limits)?.read();
    refuse_in_quotation_marks(reading, &other);
    let alone = other.said.into_iter().flat_map(|said| match said {
        Said::Sentence(sentence) => {
            let bound = sentence.rest().iter().filter(|rest| rest.link == Link::GoesOn);
            let bound: Vec<String> = bound.map(|rest| rest.original.clone()).collect();
            // The line that holds a letter may be in only one of the two.
            let counts = vocabulary.opens(&sentence.words) || sentence.doubt.as_ref().is_some_and(Doubt::is_said);
            let own = Some(sentence).filter(|_| counts);
            own.map(|sentence| sentence.original).into_iter().chain(bound).collect()
        }
        Said::Refused(refused) => match refused.reason {
            LineRefusal::Doubt(doubt) if doubt.is_said() => vec![refused.original],
            _ => Vec::new(),
        },
    });
    let alone = alone.into_iter().find(|original| !text.has(&letters(original)));
    if let Some(original) = alone {
        let line = reading.said.first().map_or(1, Said::line);
        let reason = LineRefusal::ShownOtherwise(Otherwise::OnlyShown);
        reading.said.insert(0, Said::Refused(RefusedLine { line, original, reason }));
    }
    Ok(())
}

/// Refuses the sentences of a reading that the HTML shows in quotation marks, which HTML draws by itself.
fn refuse_in_quotation_marks(reading: &mut Reading, shown: &Reading) {
    let in_marks = |said: &Said| match said {
        Said::Refused(refused) if refused.reason == LineRefusal::SetApart => Some(letters(&refused.original)),
        Said::Refused(_) | Said::Sentence(_) => None,
    };
    let in_marks: BTreeSet<String> = shown.said.iter().filter_map(in_marks).collect();
    for said in &mut reading.said {
        let Said::Sentence(sentence) = said else { continue };
        if in_marks.contains(&letters(&sentence.original)) {
            let (line, original) = (sentence.line, sentence.original.clone());
            *said = Said::Refused(RefusedLine { line, original, reason: LineRefusal::SetApart });
        }
    }
}

/// The letters and digits of all lines of the writer's own, and of all others.
struct Streams {
    own: String,
    others: String,
    /// Where the last key was found: the keys mostly come in the order of the text.
    at: usize,
    /// How often a key was not found in that order.
    out_of_order: usize,
}

impl Streams {
    fn of(lines: &[Line], vocabulary: &Vocabulary) -> Streams {
        let owners = quoting::judge(lines, vocabulary);
        let all = |wanted: bool| {
            let lines = lines.iter().zip(&owners).filter(move |(_, owner)| (**owner == Ownership::Own) == wanted);
            let lines = lines.filter(|(line, _)| line.standing == Standing::Text);
            lines.map(|(line, _)| letters(&line.text)).collect::<String>()
        };
        Streams { own: all(true), others: all(false), at: 0, out_of_order: 0 }
    }

    fn has(&mut self, key: &str) -> bool {
        let key_without_item = key.trim_start_matches(|c: char| c.is_ascii_digit());
        for key in [key, key_without_item] {
            if let Some(found) = self.own[self.at..].find(key) {
                self.at += found + key.len();
                return true;
            }
            // The whole is searched a few times at most, so that the work grows with the letter alone.
            self.out_of_order += 1;
            if self.out_of_order <= MISSING_MAX && self.own.contains(key) {
                return true;
            }
        }
        false
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Removes the address that a program writes behind the words of a link.
fn without_links(line: &str) -> &str {
    line.split(" <http").next().unwrap_or(line)
}
