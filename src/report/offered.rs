/*! The lines of a menu, written out as whole sentences, so that the reader of a page can touch each.

If the nouns of a line are listed together, `attack <target> from <source> [with <1-3>]` becomes sentences such as
`attack moria from lorien`. A line with several nouns that are listed apart stays a form to fill in.
*/

use crate::choices::{Choices, Layout, Noun};
use serde::Serialize;

/// How many sentences one line may become, and all lines of a menu together.
const LINE_MAX: usize = 40;
const ALL_MAX: usize = 120;

/// A line of a menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// As it is printed: `play <card> [to <region>]`.
    pub line: String,
    /// The line without its optional parts: `play <card>`; a sentence, if it has no noun.
    pub form: String,
    /// The sentences that it stands for; empty if they are not written out.
    pub ready: Vec<Ready>,
}

/// A whole sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// What tells it from the others of its line: `moria from lorien`.
    pub name: String,
    pub sentence: String,
}

/// A menu for a page: its lines, and the nouns that are not written out in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offers {
    pub lines: Vec<Offered>,
    pub more: usize,
    pub nouns: Vec<Noun>,
}

impl Offers {
    pub fn of(choices: &Choices) -> Offers {
        let mut room = ALL_MAX;
        let mut lines = Vec::new();
        for line in &choices.lines {
            let form = form(line);
            let ready = written_out(&form, &choices.nouns);
            let ready = ready.filter(|ready| ready.len() <= LINE_MAX.min(room)).unwrap_or_default();
            room -= ready.len();
            lines.push(Offered { line: line.clone(), form, ready });
        }
        let is_left = |noun: &&Noun| {
            let mut marks = marks(&noun.noun);
            marks.any(|mark| lines.iter().any(|offered| offered.ready.is_empty() && offered.line.contains(mark)))
                || lines.iter().any(|offered| !offered.ready.is_empty() && in_brackets(offered, &noun.noun))
        };
        let nouns = choices.nouns.iter().filter(is_left).cloned().collect();
        Offers { lines, more: choices.more, nouns }
    }
}

/// Whether a noun occurs only in an optional part.
fn in_brackets(offered: &Offered, noun: &str) -> bool {
    marks(noun).any(|mark| offered.line.contains(mark) && !offered.form.contains(mark))
}

/// The marks in a noun: `<target> from <source>` has two.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('<').filter_map(|(start, _)| Some(&text[start..=start + text[start..].find('>')?]))
}

/// A line without the parts in brackets.
fn form(line: &str) -> String {
    let mut form = String::new();
    let mut depth = 0_u32;
    for letter in line.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => form.push(letter),
            _ => {}
        }
    }
    form.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The sentences of a form with one noun, or with two that are listed together. `None` for any other form, and for
/// one that is a sentence already.
fn written_out(form: &str, nouns: &[Noun]) -> Option<Vec<Ready>> {
    if form.contains(['…', '|']) {
        return None;
    }
    let noun = nouns.iter().find(|noun| form.contains(&noun.noun))?;
    if marks(form).count() != marks(&noun.noun).count() {
        return None;
    }
    let names = match noun.layout {
        Layout::Listed => noun.names.iter().flat_map(|name| alternatives(name)).collect::<Vec<_>>(),
        Layout::Paired | Layout::Grouped => {
            let between = &noun.noun[noun.noun.find('>')? + 1..noun.noun.rfind('<')?];
            noun.names.iter().map(|names| pairs(names, between)).collect::<Option<Vec<_>>>()?.concat()
        }
    };
    let ready = |name: String| Ready { sentence: form.replacen(&noun.noun, &name, 1), name };
    Some(names.into_iter().map(ready).collect())
}

/// `play athelas|elven-rope` is `play athelas` and `play elven-rope`.
fn alternatives(name: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for word in name.split(' ') {
        let longer = |begun: &String| {
            let begun = if begun.is_empty() { String::new() } else { format!("{begun} ") };
            word.split('|').map(|word| format!("{begun}{word}")).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// `moria, bree from lorien` is `moria from lorien` and `bree from lorien`. No name is paired with itself.
fn pairs(names: &str, between: &str) -> Option<Vec<String>> {
    let (firsts, seconds) = match names.strip_prefix("any two of ") {
        Some(any) => (any, any),
        None => names.split_once(between)?,
    };
    let pair = |first: &str, second: &str| (first != second).then(|| format!("{first}{between}{second}"));
    let of_first = |first| seconds.split(", ").filter_map(move |second| pair(first, second));
    Some(firsts.split(", ").flat_map(of_first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noun(noun: &str, names: &[&str], layout: Layout) -> Noun {
        Noun { noun: noun.to_string(), names: names.iter().map(|name| (*name).to_string()).collect(), layout }
    }

    #[track_caller]
    fn case(line: &str, nouns: &[Noun], sentences: &[&str]) {
        let choices = Choices { lines: vec![line.to_string()], more: 0, nouns: nouns.to_vec() };
        let offers = Offers::of(&choices);
        let found: Vec<&str> = offers.lines[0].ready.iter().map(|ready| ready.sentence.as_str()).collect();
        assert_eq!(found, sentences);
        assert_eq!(offers.nouns.is_empty(), !sentences.is_empty() || nouns.is_empty());
    }

    #[test]
    fn a_line_with_one_noun_is_written_out() {
        let action = noun("<action>", &["move fellowship", "play athelas|elven-rope"], Layout::Listed);
        let die = ["event die: move fellowship", "event die: play athelas", "event die: play elven-rope"];
        case("event die: <action>", std::slice::from_ref(&action), &die);
        case("pass", &[], &[]);
        case("place <1-5> <action>", &[action], &[]);
    }

    #[test]
    fn what_goes_together_is_written_out_and_what_may_be_left_out_is_left_out() {
        let pairs = noun("<target> from <source>", &["moria, bree from lorien"], Layout::Paired);
        let attacks = ["attack moria from lorien", "attack bree from lorien"];
        case("attack <target> from <source> [with <1-3>] [and leader]", &[pairs], &attacks);
        let group = noun("<source> to <goal>", &["any two of a, b"], Layout::Grouped);
        case("fortify <source> to <goal>", &[group], &["fortify a to b", "fortify b to a"]);
        let apart = [noun("<nation>", &["elves"], Layout::Listed), noun("<place>", &["lorien"], Layout::Listed)];
        case("recruit <nation> <place>", &apart, &[]);
    }
}
