/*! What to say of a letter that was not played in full: a sentence for the head of its answer, a few words for its
subject, and a sentence that would be played.
*/

use crate::fate::Fate;
use serde::Serialize;

/// What the answer to such a letter begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// `Nothing of your letter was played: line 3 was refused.`
    pub sentence: String,
    /// The same for a subject: `nothing was played`.
    pub short: String,
    /// A whole sentence that the reader may say now.
    pub example: Option<String>,
    /// The words by which the reader releases a letter that is held, or takes it back.
    pub words: &'static [&'static str],
}

/// The word that plays a letter with a line in doubt, and the one that takes it back.
const RELEASES: &[&str] = &["play it", "drop it"];

impl Verdict {
    /// For a letter that is held because of these lines.
    pub fn held(lines: &[String]) -> Verdict {
        let quoted: Vec<String> = lines.iter().map(|line| format!("“{line}”")).collect();
        let (quoted, may) = (quoted.join(", "), if quoted.len() == 1 { "was" } else { "were" });
        let why = format!("{quoted} {may} not read, and may change what the rest means");
        let sentence = format!(
            "Nothing of your letter is played yet: {why}. Answer `play it`, and the rest is played as it stands; or \
             `drop it`, and nothing is."
        );
        Verdict { sentence, short: "held: play it, or drop it?".to_owned(), example: None, words: RELEASES }
    }
}

/// How much of a letter was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    lines: usize,
    done: usize,
    /// Of these, how many made no record: requests.
    requests: usize,
    kept: usize,
    /// The first line that was refused, and its words.
    refused: Option<(usize, String)>,
    /// Whether lines below it were not looked at.
    has_rest: bool,
}

impl Tally {
    /// Counts a line that was read, with its number in the letter.
    pub fn count(&mut self, line: usize, words: &str, fate: &Fate) {
        match fate {
            Fate::Done { seq, .. } => {
                self.done += 1;
                self.requests += usize::from(seq.is_none());
            }
            Fate::Kept { .. } => self.kept += 1,
            Fate::Refused { .. } => {
                self.refused.get_or_insert_with(|| (line, words.to_owned()));
            }
            Fate::Ignored { .. } => self.has_rest |= self.refused.is_some(),
            Fate::Noted { .. } => return,
        }
        self.lines += 1;
    }

    /// The words of the line that was refused.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_ref().map(|(_, words)| words.as_str())
    }

    /// What to say of the letter; `None` if all of it went through. `is_refused` says that it was refused as a whole.
    pub fn verdict(&self, is_refused: bool) -> Option<Verdict> {
        let (done, kept) = (self.done, self.kept);
        let rest = if self.has_rest { ", and nothing below it was looked at" } else { "" };
        let why = match &self.refused {
            Some((line, _)) => format!("line {line} was refused{rest}"),
            None if is_refused => String::new(),
            None if self.lines == 0 => "no line of it was read as a sentence of yours".to_owned(),
            None => return None,
        };
        if done + kept == 0 {
            let why = if why.is_empty() { why } else { format!(": {why}") };
            let sentence = format!("Nothing of your letter was played{why}.");
            return Some(Verdict { sentence, short: "nothing was played".to_owned(), example: None, words: &[] });
        }
        let how = match self.requests {
            0 => "played",
            _ => "done",
        };
        let was = if done == 1 { "was" } else { "were" };
        let short = format!("{done} of {} lines {was} {how}", self.lines);
        let kept = match kept {
            0 => String::new(),
            1 => "; 1 is kept for later".to_owned(),
            kept => format!("; {kept} are kept for later"),
        };
        let why = if why.is_empty() { why } else { format!("; {why}") };
        Some(Verdict { sentence: format!("Of your letter, {short}{kept}{why}."), short, example: None, words: &[] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(fates: &[Fate]) -> Tally {
        let mut tally = Tally::default();
        for (line, fate) in fates.iter().enumerate() {
            tally.count(line + 1, "atack moria", fate);
        }
        tally
    }

    fn done(seq: Option<u64>) -> Fate {
        Fate::Done { said: "pass".to_owned(), seq }
    }

    #[track_caller]
    fn case(fates: &[Fate], is_refused: bool, sentence: Option<&str>, short: Option<&str>) {
        let verdict = tally(fates).verdict(is_refused);
        assert_eq!(verdict.as_ref().map(|verdict| verdict.sentence.as_str()), sentence);
        assert_eq!(verdict.as_ref().map(|verdict| verdict.short.as_str()), short);
    }

    #[test]
    fn a_letter_that_went_through_needs_no_word() {
        case(&[done(Some(7)), done(None), Fate::Kept { why: String::new() }], false, None, None);
        case(&[Fate::ignored("a courtesy"), done(Some(7))], false, None, None);
    }

    #[test]
    fn a_letter_of_which_nothing_was_played_says_so_first() {
        let refused = Fate::refused("not understood");
        let nothing = Some("nothing was played");
        case(
            std::slice::from_ref(&refused),
            false,
            Some("Nothing of your letter was played: line 1 was refused."),
            nothing,
        );
        let rest = "Nothing of your letter was played: line 1 was refused, and nothing below it was looked at.";
        case(&[refused, Fate::ignored("not looked at")], false, Some(rest), nothing);
        case(&[], true, Some("Nothing of your letter was played."), nothing);
        let none = "Nothing of your letter was played: no line of it was read as a sentence of yours.";
        case(&[], false, Some(none), nothing);
    }

    #[test]
    fn what_was_played_is_counted() {
        let refused = Fate::refused("not allowed");
        let fates = [done(Some(7)), done(Some(8)), refused.clone(), Fate::ignored("not looked at")];
        let sentence =
            "Of your letter, 2 of 4 lines were played; line 3 was refused, and nothing below it was looked at.";
        case(&fates, false, Some(sentence), Some("2 of 4 lines were played"));
        let fates = [done(None), Fate::Kept { why: String::new() }, refused];
        let sentence = "Of your letter, 1 of 3 lines was done; 1 is kept for later; line 3 was refused.";
        case(&fates, false, Some(sentence), Some("1 of 3 lines was done"));
    }
}
