/*! A menu set for reading: lines that can be copied, and below them, once, what may stand for their nouns.

The kernel lists a menu path by path. Lines that differ in one word alone are drawn together here, so that
`attack moria from lorien`, `attack moria from eregion` … are one line with a noun and not thirty.
*/

use crate::engine::menu::Offer;
use serde::Serialize;
use std::collections::BTreeMap;

/// Lines that differ in one word are drawn together from this many on.
const ALIKE_MIN: usize = 4;

/// What may be said, for printing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    pub lines: Vec<String>,
    /// What may stand for the nouns of the lines, each noun once.
    pub nouns: Vec<Noun>,
}

/// A noun of a line, written `<noun>` there, and what may stand for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Noun {
    pub noun: String,
    pub names: Vec<String>,
}

impl Choices {
    /// Sets a listed menu for reading.
    pub fn of(offers: &[Offer]) -> Choices {
        let mut choices = Choices::default();
        for offer in &alike_together(offers.to_vec()) {
            let line = choices.name_nouns(offer);
            if !choices.lines.contains(&line) {
                choices.lines.push(line);
            }
        }
        choices
    }

    /// The line of an offer. A noun that already stands for other things is given another name: `<territory-2>`.
    fn name_nouns(&mut self, offer: &Offer) -> String {
        let mut line = String::new();
        let mut rest = offer.sentence.as_str();
        for (noun, names) in &offer.nouns {
            let mark = format!("<{noun}>");
            let Some(place) = rest.find(&mark) else { continue };
            line.push_str(&rest[..place]);
            line.push_str(&format!("<{}>", self.noun(noun, names)));
            rest = &rest[place + mark.len()..];
        }
        line.push_str(rest);
        line
    }

    fn noun(&mut self, noun: &str, names: &[String]) -> String {
        for number in 1.. {
            let called = if number == 1 { noun.to_string() } else { format!("{noun}-{number}") };
            match self.nouns.iter().find(|known| known.noun == called) {
                Some(known) if known.names == names => return called,
                Some(_) => {}
                None => {
                    self.nouns.push(Noun { noun: called.clone(), names: names.to_vec() });
                    return called;
                }
            }
        }
        unreachable!("there are more numbers than nouns")
    }
}

/// Draws lines together that differ in one word alone and have the same nouns, as many as possible first.
fn alike_together(mut offers: Vec<Offer>) -> Vec<Offer> {
    while let Some((place, alike)) = most_alike(&offers) {
        let drawn = draw_together(&offers, &alike, place);
        let first = alike[0];
        let mut index = 0;
        offers.retain(|_| {
            index += 1;
            index - 1 == first || alike.binary_search(&(index - 1)).is_err()
        });
        offers[first] = drawn;
    }
    offers
}

/// What offers that are alike have in common: the place of the word, what stands before and after it, the nouns.
type Pattern<'a> = (usize, &'a str, &'a str, &'a [(String, Vec<String>)]);

/// The largest group of offers that differ in the word at one place alone: the place, and the offers in their order.
fn most_alike(offers: &[Offer]) -> Option<(usize, Vec<usize>)> {
    let mut groups: BTreeMap<Pattern<'_>, Vec<usize>> = BTreeMap::new();
    for (index, offer) in offers.iter().enumerate() {
        let mut start = 0;
        for (place, word) in offer.sentence.split(' ').enumerate() {
            let end = start + word.len();
            if place > 0 && is_name(word) {
                let key = (place, &offer.sentence[..start], &offer.sentence[end..], offer.nouns.as_slice());
                groups.entry(key).or_default().push(index);
            }
            start = end + 1;
        }
    }
    let largest = groups.into_iter().max_by_key(|(key, group)| (group.len(), std::cmp::Reverse(key.0)));
    largest.filter(|(_, group)| group.len() >= ALIKE_MIN).map(|((place, ..), group)| (place, group))
}

/// Whether a word may be the name of a thing: it is no `<noun>`, no `[option]`, no number.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// One offer for many: the word at the place becomes a noun.
fn draw_together(offers: &[Offer], alike: &[usize], place: usize) -> Offer {
    let words: Vec<&str> = offers[alike[0]].sentence.split(' ').collect();
    let names = alike.iter().filter_map(|index| offers[*index].sentence.split(' ').nth(place));
    let noun = match words[place - 1] {
        "from" => "source",
        "to" | "into" => "goal",
        "play" | "playing" => "card",
        "attack" => "target",
        _ => "one-of",
    };
    let mut nouns = offers[alike[0]].nouns.clone();
    let before = words[..place].iter().filter(|word| word.starts_with('<')).count().min(nouns.len());
    nouns.insert(before, (noun.to_string(), names.map(str::to_string).collect()));
    let mut drawn = words.clone();
    let mark = format!("<{noun}>");
    drawn[place] = &mark;
    Offer { sentence: drawn.join(" "), nouns }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(sentence: &str, nouns: &[(&str, &[&str])]) -> Offer {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        Offer {
            sentence: sentence.to_string(),
            nouns: nouns.iter().map(|(noun, names)| ((*noun).to_string(), owned(names))).collect(),
        }
    }

    #[test]
    fn nouns_are_listed_once_and_told_apart() {
        let choices = Choices::of(&[
            offer("place <1-5> <territory>, …", &[("territory", &["moria", "bree"])]),
            offer("leader <territory>", &[("territory", &["moria", "bree"])]),
            offer("fortify <territory>", &[("territory", &["moria"])]),
        ]);
        assert_eq!(choices.lines, ["place <1-5> <territory>, …", "leader <territory>", "fortify <territory-2>"]);
        assert_eq!(choices.nouns.len(), 2);
    }

    #[test]
    fn lines_that_differ_in_a_word_are_drawn_together() {
        let line = |source: &str| offer(&format!("attack moria from {source} [until <0-9> left]"), &[]);
        let choices = Choices::of(&[line("lorien"), line("eregion"), line("bree"), line("umbar"), offer("done", &[])]);
        assert_eq!(choices.lines, ["attack moria from <source> [until <0-9> left]", "done"]);
        assert_eq!(choices.nouns[0].names, ["lorien", "eregion", "bree", "umbar"]);
    }

    #[test]
    fn few_lines_stay_as_they_are() {
        let choices = Choices::of(&[offer("play ambush", &[]), offer("play siege-machines", &[]), offer("pass", &[])]);
        assert_eq!(choices.lines, ["play ambush", "play siege-machines", "pass"]);
    }
}
