/*! What a line of a letter is at its position. A line is heard once, when it has its turn: how far it goes, and what it
is as far as it goes. [`super::act`] decides what is done with it.
*/

use crate::order::sentences::{self, Closing, Form, Sentence};
use crate::order::unread::LineRefusal;
use crate::order::wrapped::{self, Extent};
use engine::refusal::Refusal;

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hearing {
    /// It answers the open question.
    Plays,
    /// A rule forbids it.
    Forbidden(Refusal),
    /// P4: it is not whole, or it is a question.
    CutOff(LineRefusal),
    /// It is for a question that has not come.
    Ahead,
    /// It is for the post: a request, or a line about the order book.
    Request,
    /// P4: it can be read with the lines below it and without them.
    InDoubt,
    NotUnderstood(Refusal),
    /// P7: it ends what the letter says.
    Ends,
    /// P7: it stands under the letter, up to this line, and is said to nobody.
    Chatter {
        last: usize,
    },
}

/// A line as it was heard, and how many of the lines below it are a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) takes: usize,
    pub(super) hearing: Hearing,
}

impl Line {
    pub(super) fn alone(hearing: Hearing) -> Line {
        Line { takes: 0, hearing }
    }
}

/// Hears a line. `read` is the menu of the open question; `waits` says whether a line that this question refuses may
/// be for another one.
pub(super) fn hear(
    sentence: &Sentence,
    read: impl Fn(&str) -> Result<(), Refusal>,
    waits: impl Fn(&Sentence) -> bool,
) -> Line {
    if sentence.form != Form::Answer {
        return Line::alone(Hearing::Request);
    }
    let Extent::Lines(takes) = wrapped::extent(&sentence.words, sentence.rest(), &read) else {
        return Line::alone(Hearing::InDoubt);
    };
    let mut whole = sentence.clone();
    whole.take_in(takes);
    let hearing = match (flaw(&whole.words, &read), read(&whole.words)) {
        (Some(flaw), _) => Hearing::CutOff(flaw),
        (None, Ok(())) => Hearing::Plays,
        (None, Err(refusal)) => refused(&whole, refusal, waits),
    };
    Line { takes, hearing }
}

/// What a whole line is that the open question refuses.
pub(super) fn refused(sentence: &Sentence, refusal: Refusal, waits: impl Fn(&Sentence) -> bool) -> Hearing {
    match refusal {
        Refusal::NotUnderstood { .. } if sentence.closing == Closing::EndsLetter => Hearing::Ends,
        _ if waits(sentence) => Hearing::Ahead,
        Refusal::NotUnderstood { .. } => Hearing::NotUnderstood(refusal),
        Refusal::NotAsked { .. } | Refusal::Ambiguous { .. } | Refusal::NotAllowed { .. } => {
            Hearing::Forbidden(refusal)
        }
    }
}

/// P4: why a sentence that is incomplete, or a question, is not played, however its question would read it.
pub(super) fn flaw(words: &str, read: impl Fn(&str) -> Result<(), Refusal>) -> Option<LineRefusal> {
    let flaw = sentences::flaw(words)?;
    // A text that means nothing even without its question mark is refused for its words.
    (flaw != LineRefusal::Question || read(words).is_ok()).then_some(flaw)
}

#[cfg(test)]
mod tests {
    use super::super::ear::Ear;
    use super::*;
    use crate::order::sentences::{Link, Rest, Start, Wrapping};
    use engine::refusal::Barred;
    use std::cell::Cell;

    /// A small game: one may `attack moria`, `attack moria from bree` or `pass`; Mordor is out of bounds.
    fn menu(words: &str) -> Result<(), Refusal> {
        let barred = |start: usize| {
            let barred = Barred { rule: "", why: "nobody simply walks into it".to_owned() };
            Err(Refusal::NotAllowed { at: start..words.len(), said: words.to_owned(), barred, instead: Vec::new() })
        };
        let known = ["attack moria from bree", "pass"];
        match words {
            "attack moria" => Ok(()),
            _ if known.contains(&words) || words == "pass?" => Ok(()),
            "attack mordor" => barred("attack ".len()),
            _ => {
                let shared = |known: &&str| known.bytes().zip(words.bytes()).take_while(|(a, b)| a == b).count();
                let end = known.iter().map(shared).max().unwrap_or(0);
                let start = words[..end].rfind(' ').map_or(0, |space| space + 1);
                let (at, found) = (start..words.len(), words[start..].to_owned());
                Err(Refusal::NotUnderstood { at, found, expected: Vec::new(), kind: None, nearest: None })
            }
        }
    }

    fn sentence(words: &str, below: &[(&str, Link)]) -> Sentence {
        let rest = |(index, (words, link)): (usize, &(&str, Link))| Rest {
            line: index + 2,
            original: (*words).to_owned(),
            words: (*words).to_owned(),
            link: *link,
        };
        let rest: Vec<Rest> = below.iter().enumerate().map(rest).collect();
        Sentence {
            line: 1,
            last: 1,
            original: words.to_owned(),
            words: words.to_owned(),
            form: Form::of(words, words),
            start: Start::Margin,
            adds: false,
            wrapping: if rest.is_empty() { Wrapping::Whole } else { Wrapping::PerhapsCut(rest) },
            closing: if words == "end" { Closing::EndsLetter } else { Closing::Ordinary },
            below: None,
            signed: None,
            doubt: None,
        }
    }

    #[track_caller]
    fn case(words: &str, below: &[(&str, Link)], takes: usize, is_it: impl Fn(&Hearing) -> bool) {
        let line = hear(&sentence(words, below), menu, |sentence| sentence.words.starts_with("fortify "));
        assert!(line.takes == takes && is_it(&line.hearing), "{words}: {line:?}");
    }

    #[test]
    fn p4_a_line_is_one_thing_at_its_position() {
        case("pass", &[], 0, |line| *line == Hearing::Plays);
        case("attack moria", &[("from bree", Link::Below)], 1, |line| *line == Hearing::Plays);
        case("attack moria", &[("from bree", Link::Wrapped)], 0, |line| *line == Hearing::InDoubt);
        case("attack mordor", &[], 0, |line| matches!(line, Hearing::Forbidden(_)));
        case("attack moria from", &[], 0, |line| matches!(line, Hearing::CutOff(LineRefusal::Unfinished { .. })));
        case("pass?", &[], 0, |line| *line == Hearing::CutOff(LineRefusal::Question));
        case("how are you?", &[], 0, |line| matches!(line, Hearing::NotUnderstood(_)));
        case("fortify bree", &[], 0, |line| *line == Hearing::Ahead);
        case("end", &[], 0, |line| *line == Hearing::Ends);
        case("xyzzy", &[], 0, |line| matches!(line, Hearing::NotUnderstood(_)));
        case("status", &[], 0, |line| *line == Hearing::Request);
        case("when asked storms say pass", &[], 0, |line| *line == Hearing::Request);
    }

    /// Every text that the lines of a letter may be is read against the menu once, however many questions are asked
    /// about it.
    #[test]
    fn a_line_is_read_against_the_menu_once() {
        let letter = [
            sentence("attack moria", &[("from bree", Link::Below)]),
            sentence("attack moria from", &[("bree", Link::Wrapped), ("pass", Link::Wrapped)]),
            sentence("attack mordor", &[]),
            sentence("pass", &[]),
        ];
        let runs = Cell::new(0);
        let count = |words: &str| {
            runs.set(runs.get() + 1);
            menu(words)
        };
        for sentence in &letter {
            hear(sentence, count, |_| false);
        }
        let without = runs.take();
        let ears: usize = letter
            .iter()
            .map(|sentence| {
                let (ear, before) = (Ear::default(), runs.get());
                let first = hear(sentence, |words| ear.hear(words, count), |_| false);
                let texts = runs.get() - before;
                // Whatever is asked about it again, and when it is said, nothing more is read.
                assert_eq!(hear(sentence, |words| ear.hear(words, count), |_| false), first);
                let mut whole = sentence.clone();
                whole.take_in(first.takes);
                assert_eq!(ear.take(&whole.words, count).is_ok(), first.hearing == Hearing::Plays);
                assert_eq!(runs.get() - before, texts);
                if sentence.rest().is_empty() {
                    assert_eq!(texts, 1, "{}", sentence.words);
                }
                texts
            })
            .sum();
        assert!(ears < without, "{ears} of {without}");
    }
}
