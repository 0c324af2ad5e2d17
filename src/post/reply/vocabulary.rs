/*! The words with which sentences and requests begin, and the names in them: they distinguish a line that may be
meant for the game from chatter.

The games list their own words ([`Title::openers`], [`Title::names`]). A word too many does little harm: the menu
still reads what such a line says.
*/

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

    /// Whether words begin with a sentence of several words, or with the word of one and, close behind, a number.
    pub fn says_much(&self, words: &[Word<'_>]) -> bool {
        let Some(openers) = words.first().and_then(|first| self.openers.get(&*first.text)) else { return false };
        openers.iter().any(|opener| {
            let begins = words.len() >= opener.words.len()
                && opener.words.iter().zip(words).all(|(own, said)| *own == said.text);
            let behind = words.iter().skip(opener.words.len()).take(3);
            let counts = |word: &Word<'_>| word.text.starts_with(|c: char| c.is_ascii_digit());
            begins && (opener.words.len() > 1 || behind.into_iter().any(counts))
        })
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
