/*! Sentences that a mail program may have cut in two (requirement P4): when the sentence has its turn, the game's own
reader decides what belongs together.

If the line can be read only without the lines below, it is a whole sentence; if only with them, it was wrapped. Where
both can be read, or where the line below begins like the rest of the sentence and goes wrong, nothing is played: a
truncated sentence must never be executed.
*/

use super::request;
use super::sentences::{self, Link, Rest};
use super::words::{self, unfinished};
use engine::refusal::Refusal;
use record::fold::standing::{Order, Until};

/// Why a sentence is not played if its extent is unclear.
const IN_DOUBT: &str = "the line below may belong to it, cut off by your mail program: it can be read with that \
                            line and without it. End the line with \\ if it goes on, leave a blank line if it does not";

/// The same where the line below binds the sentence, or takes it back.
const BOUND: &str = "the line below may belong to it, or change what it means; write the sentence again, alone or with \
                     that line as a part of it";

/// Why a sentence with these lines below it is not played.
pub fn in_doubt(rest: &[Rest]) -> &'static str {
    let binds = |rest: &Rest| rest.link == Link::GoesOn && !words::is_rest(&rest.words);
    if rest.first().is_some_and(binds) { BOUND } else { IN_DOUBT }
}

/// What the answer says of a line that was the rest of another.
pub const TAKEN_IN: &str = "read as the rest of the line above";

/// How far a sentence goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It takes in this number of the lines below.
    Lines(usize),
    Doubt,
}

/// What the game's reader makes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Understood {
    Whole,
    /// Read up to this byte, where another word is expected; `is_near` if the word there is probably a misspelling of
    /// it.
    UpTo {
        byte: usize,
        is_near: bool,
    },
    /// A rule forbids what was understood up to this byte.
    Barred {
        end: usize,
    },
}

/// Whether a line is for the post itself, and so never the rest of a sentence.
pub(crate) fn is_for_the_post(words: &str) -> bool {
    request::is_whole(words)
        || is_whole_order(words)
        || words.starts_with("when asked")
        || sentences::replacement(words).is_some()
}

/// Whether a line says all that it says about an order: which one is cancelled, or tried first.
fn is_whole_order(words: &str) -> bool {
    words.starts_with("cancel ") || sentences::put_first(words).is_some()
}

/// Decides how far a sentence goes. `read` is the game's reader as it stands now.
pub fn extent(words: &str, rest: &[Rest], read: impl Fn(&str) -> Result<(), Refusal>) -> Extent {
    let is_query = |line: &Rest| line.link == Link::GoesOn && line.words.bytes().all(|byte| byte == b'?');
    let count = rest.iter().position(|line| is_for_the_post(&line.words) && !is_query(line)).unwrap_or(rest.len());
    let rest = &rest[..count];
    match rest {
        [] => Extent::Lines(0),
        _ if request::is_whole(words) || is_whole_order(words) => Extent::Lines(0),
        _ if words.starts_with("when ") || sentences::replacement(words).is_some() => order_extent(words, rest, read),
        _ => sentence_extent(words, rest, read),
    }
}

/// The text with none of the lines below, with one, and so on.
fn texts(words: &str, rest: &[Rest]) -> Vec<String> {
    let mut texts = vec![words.to_owned()];
    for line in rest {
        texts.push(sentences::joined(texts.last().expect("there is the line itself"), &line.words));
    }
    texts
}

fn sentence_extent(words: &str, rest: &[Rest], read: impl Fn(&str) -> Result<(), Refusal>) -> Extent {
    let rest = behind_clauses(words, rest, &read);
    let texts = texts(words, rest);
    let understood: Vec<Understood> = texts.iter().map(|text| understand(text, &read)).collect();
    // Where a line below begins in the text, and whether it is read as the rest of what is above it.
    let start = |line: usize| texts[line].len() - rest[line - 1].words.len();
    let goes_on = |text: usize, line: usize| match understood[text] {
        Understood::Whole => true,
        Understood::Barred { end } => end > start(line),
        Understood::UpTo { byte, is_near } => {
            let words = &rest[line - 1].words;
            let first_word = words.split(' ').next().map_or(0, str::len);
            let misspelt = || byte == start(line) && is_near && !begins_a_sentence(words, &read);
            byte >= start(line) + first_word || misspelt()
        }
    };
    let least = match bound(rest, &understood, &read) {
        0 => 0,
        _ if is_wrong_alone(words, understood[0]) => return Extent::Lines(0),
        least if understood[least] == Understood::Whole => least,
        _ => return Extent::Doubt,
    };
    let whole: Vec<usize> = (least..texts.len()).filter(|text| understood[*text] == Understood::Whole).collect();
    match whole.as_slice() {
        [] => Extent::Lines((1..texts.len()).rev().find(|line| goes_on(*line, *line)).unwrap_or(0)),
        [only] if (only + 1..texts.len()).any(|text| goes_on(text, only + 1)) => Extent::Doubt,
        [only] => Extent::Lines(*only),
        _ => Extent::Doubt,
    }
}

/// The lines below a sentence that may belong to it. The answer in a clause is read only when its question comes, and
/// would take in anything: so behind a whole sentence with clauses, a line that is itself a sentence stands alone.
fn behind_clauses<'r>(words: &str, rest: &'r [Rest], read: impl Fn(&str) -> Result<(), Refusal>) -> &'r [Rest] {
    if !words.contains(';') || understand(words, &read) != Understood::Whole {
        return rest;
    }
    let is_alone = |line: &Rest| line.link != Link::GoesOn && understand(&line.words, &read) == Understood::Whole;
    &rest[..rest.iter().position(is_alone).unwrap_or(rest.len())]
}

/// How many of the lines below belong to a sentence in any case: up to the last that begins with a word that
/// continues it, and then those that begin no sentence and are read as its rest.
fn bound(rest: &[Rest], understood: &[Understood], read: impl Fn(&str) -> Result<(), Refusal>) -> usize {
    let last = rest.iter().rposition(|line| line.link == Link::GoesOn);
    let mut bound = last.map_or(0, |last| last + 1);
    while let Some(line) = rest.get(bound).filter(|line| line.link == Link::Below)
        && understood[bound + 1] == Understood::Whole
        && !begins_a_sentence(&line.words, &read)
    {
        bound += 1;
    }
    bound
}

/// Whether a sentence is refused for what it says itself, whatever stands below it.
fn is_wrong_alone(words: &str, understood: Understood) -> bool {
    match understood {
        Understood::Whole => false,
        Understood::Barred { .. } => true,
        Understood::UpTo { byte, .. } => byte < words.len() && unfinished(words).is_none(),
    }
}

fn understand(text: &str, read: impl Fn(&str) -> Result<(), Refusal>) -> Understood {
    if unfinished(text).is_some() {
        return Understood::UpTo { byte: text.len(), is_near: false };
    }
    match read(text) {
        Ok(()) => Understood::Whole,
        Err(Refusal::NotAsked { .. }) => Understood::UpTo { byte: 0, is_near: false },
        Err(Refusal::NotUnderstood { at, nearest, expected, .. }) => {
            let found = text.get(at.start..).and_then(|rest| rest.split([' ', ',']).next()).unwrap_or("");
            let is_near = nearest.is_some() || expected.iter().any(|words| begins_like(words, found));
            Understood::UpTo { byte: at.start, is_near }
        }
        Err(Refusal::Ambiguous { at, .. }) => Understood::UpTo { byte: at.start, is_near: true },
        Err(Refusal::NotAllowed { at, .. }) => Understood::Barred { end: at.end },
    }
}

/// Whether the first of these words is `found`, or probably misspelt as `found`.
fn begins_like(words: &str, found: &str) -> bool {
    let first = words.split(' ').next().unwrap_or(words);
    let slips = if found.chars().count() < 4 { 0 } else { 1 };
    !found.is_empty() && strsim::damerau_levenshtein(first, found) <= slips
}

/// Whether a line begins a sentence for the question that is asked.
pub fn begins_a_sentence(words: &str, read: impl Fn(&str) -> Result<(), Refusal>) -> bool {
    match understand(words, read) {
        Understood::Whole | Understood::Barred { .. } => true,
        Understood::UpTo { byte, .. } => byte > 0,
    }
}

/// What an order says is read only when it fires: here its own words must tell where it ends.
fn order_extent(words: &str, rest: &[Rest], read: impl Fn(&str) -> Result<(), Refusal>) -> Extent {
    let texts = texts(words, rest);
    let order = |text: &str| {
        let text = sentences::replacement(text).map_or(text, |(_, order)| order);
        let order = Order::read(text).ok().filter(|_| unfinished(text).is_none())?;
        // It ends in `until` or `until end of`: the rest of its term is missing. `until 3 left` is no term.
        let is_torn = |sentence: &str| {
            let words: Vec<&str> = sentence.split(' ').collect();
            (0..words.len()).any(|at| words[at] == "until" && words.get(at + 2) != Some(&"left"))
        };
        let is_torn = order.sentences().any(is_torn);
        (!is_torn).then_some(order)
    };
    let joined = (1..texts.len()).find(|lines| order(&texts[*lines]).is_some());
    let Some(alone) = order(words) else {
        return match joined {
            Some(lines) => Extent::Lines(lines),
            // A text that is no order at all is refused as such; an order must not be left without its whole term.
            None if Order::read(words).is_err() || unfinished(words).is_some() => Extent::Lines(0),
            None => Extent::Doubt,
        };
    };
    let first = rest[0].words.split(' ').next().unwrap_or("");
    match joined {
        _ if alone.until != Until::Cancelled => Extent::Lines(0),
        Some(lines) if matches!(first, "until" | "once" | "else" | "if" | ";") => Extent::Lines(lines),
        _ if begins_a_sentence(&rest[0].words, read) => Extent::Lines(0),
        _ => Extent::Doubt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::refusal::Barred;

    /// A reader that knows `attack TARGET from SOURCE [until NUMBER left]`, `place NUMBER LAND[, …]` and `done`;
    /// `mordor` must not be attacked, and until 9 is too many.
    fn read(line: &str) -> Result<(), Refusal> {
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let start =
            |index: usize| words.get(index).map_or(line.len(), |word| word.as_ptr() as usize - line.as_ptr() as usize);
        let pattern: &[&str] = match words.first() {
            Some(&"attack") => &["attack", "*", "from", "*", "until", "#", "left"],
            Some(&"place") => &["place", "#", "*", "#", "*", "#", "*"],
            Some(&"done") => &["done"],
            _ => &[],
        };
        let wrong = |index: usize| {
            let found = words.get(index).map_or(String::new(), ToString::to_string);
            let expected = pattern.get(index).map(ToString::to_string).into_iter().collect();
            let at = start(index)..start(index) + found.len();
            Err(Refusal::NotUnderstood { at, found, expected, kind: None, nearest: None })
        };
        let barred = |index: usize| {
            let at = start(index)..start(index) + words[index].len();
            let barred = Barred { rule: "1", why: "not now".to_owned() };
            Err(Refusal::NotAllowed { at, said: String::new(), barred, instead: Vec::new() })
        };
        for (index, word) in words.iter().enumerate() {
            let fits = match pattern.get(index) {
                None => false,
                Some(&"*") => ["moria", "bree", "mordor"].contains(word),
                Some(&"#") => word.parse::<u32>().is_ok(),
                Some(expected) => expected == word,
            };
            if !fits {
                return wrong(index);
            }
            if *word == "mordor" || *word == "9" {
                return barred(index);
            }
        }
        let can_end: &[usize] = if words[0] == "attack" { &[4, 7] } else { &[1, 3, 5, 7] };
        if can_end.contains(&words.len()) { Ok(()) } else { wrong(words.len()) }
    }

    #[track_caller]
    fn case(lines: &[&str], expected: Extent) {
        linked(lines, Link::Wrapped, expected);
    }

    #[track_caller]
    fn linked(lines: &[&str], link: Link, expected: Extent) {
        let rest = |words: &&str| Rest { line: 2, original: (*words).to_owned(), words: (*words).to_owned(), link };
        let rest: Vec<Rest> = lines[1..].iter().map(rest).collect();
        assert_eq!(extent(lines[0], &rest, read), expected, "{lines:?}");
    }

    #[test]
    fn p4_a_line_that_goes_on_is_read_with_the_one_above_or_neither_is() {
        let goes_on = |lines: &[&str], expected| linked(lines, Link::GoesOn, expected);
        goes_on(&["attack moria from bree", "until 3 left"], Extent::Lines(1));
        goes_on(&["attack moria from bree", "until", "3 left"], Extent::Lines(2));
        goes_on(&["attack moria from bree", "unless bree is lost"], Extent::Doubt);
        goes_on(&["done", "no wait, forget that"], Extent::Doubt);
        goes_on(&["attack moria from bree", "until 9 left"], Extent::Doubt);
        // What is wrong by itself is refused for that.
        goes_on(&["atack moria from bree", "until 3 left"], Extent::Lines(0));
    }

    #[test]
    fn p4_a_line_that_begins_no_sentence_is_read_with_the_one_above_if_it_can_be() {
        let below = |lines: &[&str], expected| linked(lines, Link::Below, expected);
        below(&["attack moria", "from bree"], Extent::Lines(1));
        below(&["place 3 bree", "2 moria"], Extent::Lines(1));
        below(&["place 3 bree", "2 moria", "1 mordor"], Extent::Doubt);
        below(&["done", "bree"], Extent::Lines(0));
    }

    #[test]
    fn p4_what_can_be_read_in_one_way_only_is_read_in_that_way() {
        case(&["attack moria from bree", "done"], Extent::Lines(0));
        case(&["attack moria from bree", "advance least"], Extent::Lines(0));
        case(&["attack moria from", "bree"], Extent::Lines(1));
        case(&["attack moria", "from bree until", "3 left", "done"], Extent::Lines(2));
        case(&["place 3 bree, 2 moria,", "3 bree"], Extent::Lines(1));
        case(&["place 3 bree, 2 moria", "attack moria from bree"], Extent::Lines(0));
    }

    #[test]
    fn p4_what_can_be_read_in_two_ways_is_not_read() {
        case(&["attack moria from bree", "until 3 left"], Extent::Doubt);
        case(&["place 3 bree", "2 moria"], Extent::Doubt);
        case(&["attack moria from", "bree", "until 3 left"], Extent::Doubt);
    }

    #[test]
    fn p4_a_line_whose_rest_is_misspelt_or_forbidden_is_not_read_without_it() {
        case(&["attack moria from bree", "until three left"], Extent::Doubt);
        case(&["attack moria from bree", "untill 3 left"], Extent::Doubt);
        case(&["attack moria from bree", "until 9 left"], Extent::Doubt);
        case(&["attack moria from", "bree until", "3 lefft"], Extent::Lines(2));
    }

    #[test]
    fn p4_what_can_be_read_in_no_way_is_refused_for_what_is_wrong_with_it() {
        case(&["atack moria from", "bree"], Extent::Lines(0));
        case(&["attack mordor from bree", "done"], Extent::Lines(0));
        case(&["attack moria from", "mordor"], Extent::Lines(1));
        case(&["attack moria from", "nowhere"], Extent::Lines(0));
    }

    #[test]
    fn p4_words_of_the_post_are_no_rest_and_have_none() {
        case(&["attack moria from", "help", "bree"], Extent::Lines(0));
        case(&["cancel 4", "done"], Extent::Lines(0));
    }

    #[test]
    fn p4_orders_are_joined_with_their_term() {
        case(&["when asked storms say pass", "until end of turn"], Extent::Lines(1));
        case(&["when asked storms say pass", "once"], Extent::Lines(1));
        case(&["when asked storms say pass until", "2026-11-24", "done"], Extent::Lines(1));
        case(&["when asked storms say pass until end", "of turn"], Extent::Lines(1));
        case(&["when asked storms say pass until end of", "the world"], Extent::Doubt);
        case(&["when asked storms say", "pass"], Extent::Lines(1));
        case(&["when asked storms say pass once", "done"], Extent::Lines(0));
        case(&["when asked storms say pass", "done"], Extent::Lines(0));
        case(&["when asked storms say pass", "when asked answer say no"], Extent::Lines(0));
        case(&["when asked storms say attack moria", "from bree"], Extent::Doubt);
        case(&["when hell freezes", "over"], Extent::Lines(0));
    }
}
