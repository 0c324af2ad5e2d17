//! Finds a sentence that may be said now, as similar as possible to one that was refused.

use crate::chance::Practice;
use crate::game::Game;
use crate::menu::Offer;
use crate::need::Need;
use crate::slot::Faces;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The random sentences of which the most similar is taken; and the most that are rolled while none has the intended
/// verb.
const TRIES: usize = 300;
const TRIES_MAX: usize = 3_000;

/// The most lines of the menu that are looked at for verbs.
const OFFERS_MAX: usize = 200;

/// A sentence that the asked seat may say now, as similar as possible to `like`; `None` if no seat is asked. It has
/// the verb of `like` if some sentence may have it now, otherwise the first verb of the menu. `faces` must be what
/// the seat knows. The same game and words give the same sentence.
pub fn like(game: &dyn Game, like: &str, faces: &Faces) -> Option<String> {
    if !matches!(game.need(), Need::Question(_)) {
        return None;
    }
    let mut chance = Practice::new(0);
    let mut offered: Vec<String> = game.offers(faces, OFFERS_MAX).iter().flat_map(offered_verbs).collect();
    for _ in 0..TRIES {
        offered.extend(verbs(&game.any_sentence(&mut chance, faces).sentence));
    }
    let mut known = BTreeSet::new();
    offered.retain(|verb| known.insert(verb.clone()));
    let meant = meant(like, &offered);
    let like = words(like);
    let mut best: Option<(Likeness, String)> = None;
    for tried in 0..TRIES_MAX {
        let is_found = best.as_ref().is_some_and(|(likeness, _)| likeness.verbs == meant.len());
        if tried >= TRIES && is_found {
            break;
        }
        let said = game.any_sentence(&mut chance, faces).sentence;
        let verbs = verbs(&said);
        let last = offered.iter().position(|verb| Some(verb) == verbs.last());
        let likeness = Likeness {
            verbs: meant.iter().filter(|verb| verbs.contains(verb)).count(),
            early: Reverse(last.unwrap_or(offered.len())),
            words: likeness(&words(&said), &like),
            length: Reverse(said.len()),
        };
        if best.as_ref().is_none_or(|(most, _)| likeness > *most) {
            best = Some((likeness, said));
        }
    }
    best.map(|(_, said)| said)
}

/// How similar a sentence is to a line; the fields are compared in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    /// How many of the intended verbs it has.
    verbs: usize,
    /// How early its last verb comes in the menu.
    early: Reverse<usize>,
    words: usize,
    length: Reverse<usize>,
}

/// The verbs of a sentence: its first word, and the first word behind a colon: `character die: move fellowship`.
fn verbs(sentence: &str) -> Vec<String> {
    let parts = sentence.split(':').take(2).filter(|part| !part.trim_start().starts_with('<'));
    parts.filter_map(|part| words(part).into_iter().find(|word| word.starts_with(char::is_alphabetic))).collect()
}

/// The verbs of a line of the menu, including those of the names that a noun behind its colon stands for.
fn offered_verbs(offer: &Offer) -> Vec<String> {
    let noun = offer.sentence.split_once(": ").map_or("", |(_, behind)| behind);
    let names = offer.nouns.iter().filter(|(of, _)| noun.starts_with('<') && noun.contains(of.as_str()));
    let names = names.flat_map(|(_, names)| names.iter().flat_map(|name| verbs(name)));
    verbs(&offer.sentence).into_iter().chain(names).collect()
}

/// The intended verbs of a line, from those offered: its own verbs, else the first of its words that is a verb, else
/// the first verb of the menu.
fn meant(line: &str, offered: &[String]) -> Vec<String> {
    let exact = |word: &String| offered.iter().find(|verb| *verb == word).cloned();
    let near = |word: &String| exact(word).or_else(|| offered.iter().find(|verb| is_near(word, verb)).cloned());
    let own: Vec<String> = verbs(line).iter().filter_map(near).collect();
    let words = words(line);
    let any = || words.iter().find_map(exact).or_else(|| words.iter().find_map(near));
    if own.is_empty() { any().or_else(|| offered.first().cloned()).into_iter().collect() } else { own }
}

fn is_near(word: &str, verb: &str) -> bool {
    let slips = if word.chars().count() < 4 { 0 } else { 1 + usize::from(word.chars().count() > 6) };
    word.chars().next() == verb.chars().next() && strsim::damerau_levenshtein(word, verb) <= slips
}

/// The share of words that two sentences have in common, in thousandths. An equal first word counts twice.
fn likeness(said: &[String], like: &[String]) -> usize {
    let mut like = like.to_vec();
    let count = said.len() + like.len();
    let verb = usize::from(said.first() == like.first());
    let same = said
        .iter()
        .filter(|word| like.iter().position(|other| other == *word).map(|at| like.swap_remove(at)).is_some());
    (same.count() + verb) * 2000 / count.max(1)
}

fn words(sentence: &str) -> Vec<String> {
    let words = sentence.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_more_words_is_more_like() {
        let likeness = |said: &str, like: &str| super::likeness(&words(said), &words(like));
        let meant = "atack moria from lorien with all";
        assert!(likeness("attack moria from lorien", meant) > likeness("attack bree from angmar", meant));
        assert!(likeness("attack moria from lorien", meant) > likeness("done", meant));
        assert!(likeness("move all bree to the-shire", "move bree") > likeness("attack bree", "move bree"));
        assert_eq!(likeness("", ""), 2000);
    }

    #[test]
    fn the_verb_that_was_meant_is_known() {
        let offered = ["attack", "fortify", "character", "move", "separate"].map(str::to_owned);
        let meant = |line: &str| meant(line, &offered);
        assert_eq!(meant("i atack moria"), ["attack"]);
        assert_eq!(meant("character die: move fellowship"), ["character", "move"]);
        assert_eq!(meant("character die: seperate gimli"), ["character", "separate"]);
        assert_eq!(meant("muster die: move felowship"), ["move"]);
        assert_eq!(meant("we will all fortify now"), ["fortify"]);
        assert_eq!(meant("claim moria"), ["attack"]);
        assert_eq!(verbs("character die: move fellowship"), ["character", "move"]);
    }
}
