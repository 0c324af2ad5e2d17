/*! The words with which sentences and requests begin, and the names in them: they distinguish a line that may be
meant for the game from chatter.

The games list their own words ([`Title::openers`], [`Title::names`]). A word too many does little harm: the menu
still reads what such a line says.
*/

use super::lexicon::LEXICON;
use super::phrases::Phrases;
use engine::name::{self, Name, Word};
use engine::title::Title;
use std::collections::{BTreeMap, BTreeSet};

/// The words of some games and of the post.
#[derive(Default)]
pub struct Vocabulary {
    /// By first word.
    openers: BTreeMap<String, Vec<Opener>>,
    requests: BTreeSet<String>,
    names: BTreeMap<String, Vec<&'static Name>>,
    /// The words of openers and of short names, such as those of places, in which typos are recognised.
    long: BTreeSet<String>,
    /// All words of openers.
    opening: BTreeSet<String>,
}

/// Words with which people begin to say what they do.
const LEADS: [&str; 31] = [
    "i", "ill", "id", "im", "we", "well", "will", "would", "like", "to", "want", "wanna", "let", "lets", "me", "us",
    "going", "gonna", "shall", "should", "can", "could", "may", "might", "then", "now", "so", "just", "also", "first",
    "next",
];

/// Words with which a clause of a sentence begins.
const JOINTS: [&str; 12] = ["from", "with", "to", "until", "and", "in", "on", "rest", "all", "but", "then", "at"];

/// The other small words of sentences.
const SMALL: [&str; 23] = [
    "the",
    "of",
    "a",
    "an",
    "left",
    "least",
    "most",
    "nearest",
    "regular",
    "regulars",
    "elite",
    "elites",
    "leader",
    "leaders",
    "die",
    "dice",
    "battalion",
    "battalions",
    "army",
    "armies",
    "units",
    "evenly",
    "fellowship",
];

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'l> {
    pub words: &'l str,
    pub is_first: bool,
}

/// What a sentence begins with.
struct Opener {
    words: Vec<String>,
    /// Whether more words follow; otherwise these are the whole sentence.
    goes_on: bool,
}

/// How many words of a line are examined at most.
const WORDS_MAX: usize = 60;

impl Vocabulary {
    /// The words of these games, and the first words of requests.
    pub fn of(titles: &[&'static Title], requests: impl Iterator<Item = &'static str>) -> Vocabulary {
        let mut vocabulary = Vocabulary { requests: requests.map(str::to_owned).collect(), ..Vocabulary::default() };
        for title in titles {
            let openers = Phrases::of(title.texts.openers);
            let openers = openers.iter().map(|opener| opener.trim_end_matches('…'));
            let written =
                openers.chain((title.texts.names)().into_iter().map(Name::title).filter(|title| is_short(title)));
            let words = written.flat_map(name::words).map(|word| word.text.into_owned());
            vocabulary.long.extend(words.filter(|word| word.chars().count() >= SLIP_MIN));
            for written in Phrases::of(title.texts.openers).iter() {
                let words: Vec<String> = name::words(written).into_iter().map(|word| word.text.into_owned()).collect();
                vocabulary.opening.extend(words.iter().cloned());
                let opener = Opener { goes_on: written.ends_with('…'), words };
                vocabulary.openers.entry(opener.words[0].clone()).or_default().push(opener);
            }
            for name in (title.texts.names)() {
                for first in name.firsts() {
                    vocabulary.names.entry(first.to_owned()).or_default().push(name);
                }
            }
        }
        vocabulary
    }

    /// Whether a line begins like a sentence or a request.
    pub fn opens(&self, line: &str) -> bool {
        let words = words_of(line);
        words.first().is_some_and(|first| self.requests.contains(&*first.text)) || self.opens_sentence(&words)
    }

    /// As [`Vocabulary::opens`], but a single word counts only if it is a whole sentence or request.
    pub fn opens_whole(&self, line: &str) -> bool {
        let words = words_of(line);
        let is_request = words.len() == 1 && self.requests.contains(&*words[0].text);
        is_request || self.opens_sentence(&words)
    }

    /// Whether words begin like a sentence of a game.
    pub fn opens_sentence(&self, words: &[Word<'_>]) -> bool {
        let Some(openers) = words.first().and_then(|first| self.openers.get(&*first.text)) else { return false };
        openers.iter().any(|opener| {
            let begins = words.len() >= opener.words.len()
                && opener.words.iter().zip(words).all(|(own, said)| *own == said.text);
            begins && opener.goes_on == (words.len() > opener.words.len())
        })
    }

    /// Whether the first word begins sentences, whatever follows it.
    pub fn begins_with_opener(&self, words: &[Word<'_>]) -> bool {
        words.first().is_some_and(|first| self.openers.contains_key(&*first.text))
    }

    /// Whether words begin with a name, like a sentence whose verb is left out.
    pub fn names_first(&self, words: &[Word<'_>]) -> bool {
        let named = words.first().and_then(|first| self.names.get(&*first.text));
        named.is_some_and(|names| names.iter().any(|name| name.spelled_by(words) > 0))
    }

    /// Whether words are a whole short sentence: `pass`, `end turn`.
    pub fn is_sentence(&self, words: &[Word<'_>]) -> bool {
        let openers = words.first().and_then(|first| self.openers.get(&*first.text));
        let is_all = |opener: &Opener| !opener.goes_on && opener.words.iter().eq(words.iter().map(|word| &*word.text));
        openers.is_some_and(|openers| openers.iter().any(is_all))
    }

    /// The part of a line that may be meant as a sentence, and whether it is the first; `None` if no part begins like
    /// one.
    pub fn meant<'l>(&self, line: &'l str) -> Option<Part<'l>> {
        let is_meant = |part: &str| self.may_be_meant(&words_of(part));
        if is_meant(line) {
            return Some(Part { words: line, is_first: true });
        }
        let between = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\u{2026}');
        let mut parts = line.split(between).enumerate();
        parts.find(|(_, part)| is_meant(part)).map(|(at, words)| Part { words, is_first: at == 0 })
    }

    fn may_be_meant(&self, words: &[Word<'_>]) -> bool {
        let lead = words.iter().take_while(|word| LEADS.contains(&&*word.text)).count();
        let is_meant =
            |words| self.is_sentence(words) || self.begins_and_goes_on(words) || self.is_all_of_the_game(words);
        is_meant(words) || is_meant(&words[lead..])
    }

    /// Whether words begin like a sentence, perhaps misspelt, and behind that something is of the game, or nothing is
    /// known.
    fn begins_and_goes_on(&self, words: &[Word<'_>]) -> bool {
        let Some((first, behind)) = words.split_first() else { return false };
        let is_of_game = |at: usize| {
            let word = &behind[at].text;
            self.names_first(&behind[at..]) || is_counted(word) || self.has_word(word) || self.is_like_a_word(word)
        };
        let is_of_game = || (0..behind.len()).any(is_of_game);
        if behind.is_empty() && self.openers.contains_key(&*first.text) {
            return true;
        }
        if self.opens_sentence(words) {
            let is_known = |word: &Word<'_>| !LEXICON.is_benign(&word.text);
            return is_of_game() || behind.iter().all(is_known);
        }
        let is_other = self.openers.contains_key(&*first.text) || LEXICON.is_benign(&first.text);
        !is_other && self.nearest(&first.text).is_some() && (behind.is_empty() || is_of_game())
    }

    /// Whether a line may be the rest of a sentence.
    pub fn is_rest(&self, line: &str) -> bool {
        self.is_all_of_the_game(&words_of(line))
    }

    /// Whether all words are of the game, like a sentence whose verb is left out: `4 lorien, 3 rhudaur`; or the rest of
    /// one: `until 1 left`.
    fn is_all_of_the_game(&self, words: &[Word<'_>]) -> bool {
        let Some(first) = words.first() else { return false };
        let (mut at, mut names) = (0, 0);
        while at < words.len() {
            let named = self.named(&words[at..]);
            let is_known = || words[at].text == "," || is_counted(&words[at].text) || self.has_word(&words[at].text);
            match named {
                0 if !is_known() => return false,
                0 => at += 1,
                _ => (at, names) = (at + named, names + 1),
            }
        }
        names > 0
            || JOINTS.contains(&&*first.text)
            || words.iter().all(|word| is_counted(&word.text) || is_unit(&word.text))
    }

    /// How many words, from the first on, are a name.
    fn named(&self, words: &[Word<'_>]) -> usize {
        let names = words.first().and_then(|first| self.names.get(&*first.text));
        names.map_or(0, |names| names.iter().map(|name| name.spelled_by(words)).max().unwrap_or(0))
    }

    /// Whether something of the game is named in a line. A name that is nothing but an everyday word there does not
    /// count.
    pub fn names_in(&self, line: &str, is_everyday: impl Fn(&str) -> bool) -> bool {
        let words = words_of(line);
        (0..words.len()).any(|at| {
            let count = self.named(&words[at..]);
            count > 0 && !words[at..at + count].iter().all(|word| is_everyday(&word.text))
        })
    }

    /// How many words at the beginning of a line are those with which a sentence begins.
    pub fn opening(&self, line: &str) -> usize {
        let words = words_of(line);
        let Some(openers) = words.first().and_then(|first| self.openers.get(&*first.text)) else { return 0 };
        let begins = |opener: &&Opener| {
            words.len() >= opener.words.len() && opener.words.iter().zip(&words).all(|(own, said)| *own == said.text)
        };
        openers.iter().filter(begins).map(|opener| opener.words.len()).max().unwrap_or(0)
    }

    /// Whether a word joins the clauses of a sentence, whatever else it may say.
    pub fn joins(&self, word: &str) -> bool {
        JOINTS.contains(&word) || SMALL.contains(&word)
    }

    /// Whether a word is one of those with which sentences are made, names aside.
    pub fn has_word(&self, word: &str) -> bool {
        self.opening.contains(word) || JOINTS.contains(&word) || SMALL.contains(&word)
    }

    /// The first word of a sentence that a misspelt word was probably meant to be.
    pub fn nearest(&self, word: &str) -> Option<&str> {
        nearest(word, self.openers.keys())
    }

    /// Whether a word belongs to a name or an opener, or may be such a word with a typo.
    pub fn is_like_a_word(&self, word: &str) -> bool {
        // The first letter is rarely wrong.
        nearest(word, self.long.iter().filter(|known| known.chars().next() == word.chars().next())).is_some()
    }
}

fn is_counted(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_unit(word: &str) -> bool {
    matches!(word, "," | "and" | "regular" | "regulars" | "elite" | "elites" | "leader" | "leaders" | "all")
}

/// Whether a title has at most two words, not counting small ones: then it is that of a place, not of a typical card.
fn is_short(title: &str) -> bool {
    title.split([' ', '-']).filter(|word| word.chars().count() > 3).count() <= 2
}

/// The shortest word in which typos are recognised.
const SLIP_MIN: usize = 4;

fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k String>) -> Option<&'k str> {
    let length = word.chars().count();
    let slips = match length {
        SLIP_MIN..=6 => 1,
        7..=16 => 2,
        _ => return None,
    };
    let known = known.filter(|known| known.chars().count().abs_diff(length) <= slips);
    let near = known.map(|known| (strsim::damerau_levenshtein(known, word), known.as_str()));
    near.filter(|(distance, _)| *distance <= slips).min().map(|(_, known)| known)
}

/// The first words of a line, folded as the games read them.
pub fn words_of(line: &str) -> Vec<Word<'_>> {
    let end = line.char_indices().nth(WORDS_MAX * 8).map_or(line.len(), |(at, _)| at);
    let mut words = name::words(&line[..end]);
    words.truncate(WORDS_MAX);
    words
}
