/*! Lines that are no sentence, whatever is asked: small talk, words around a move, what servers and lists put in.

A line is chatter only if nothing in it could be meant for the game: none of its names, none of its sentences in any
part of the line, and no word that could change what the other lines mean (`if`, `wait`, `instead`). What is passed over
is named in the answer once.
*/

use super::phrases::Phrases;
use super::vocabulary::{Vocabulary, words_of};
use std::sync::LazyLock;

static SMALL_TALK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/small-talk.txt")));
static BANNERS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/banner.txt")));
static PROSE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/prose.txt")));
static HOLDS_BACK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/holds-back.txt")));

/// Whether a line, as it is read, has neither letters nor digits: `***`, a smile.
#[must_use]
pub fn is_wordless(words: &str) -> bool {
    !words.contains(char::is_alphanumeric)
}

/// Whether a line, as it is read, is no sentence and no part of one.
#[must_use]
pub fn is_chatter(words: &str, vocabulary: &Vocabulary) -> bool {
    let line = words.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[').trim();
    let talk = behind_small_talk(line);
    let rest = talk.unwrap_or(line);
    if vocabulary.is_about_the_game(rest) {
        return false;
    }
    let is_boxed = line.starts_with('[') && line.ends_with(']');
    let is_link = line.starts_with("http://") || line.starts_with("https://") || line.starts_with("www.");
    if is_boxed || is_link || BANNERS.begin_with_words(line) {
        return true;
    }
    if talk.is_none() && (vocabulary.opens(line) || vocabulary.is_misspelt(line)) {
        return false;
    }
    holds_back(rest).is_none() && (talk.is_some() || has_prose(line))
}

/// Whether a line is a phrase of small talk and nothing else, or was put in by a program.
#[must_use]
pub fn is_whole_talk(line: &str) -> bool {
    behind_small_talk(line).is_some_and(str::is_empty) || BANNERS.begin_with_words(line)
}

/// What stands behind the small talk with which a line begins; nothing if it begins otherwise.
fn behind_small_talk(line: &str) -> Option<&str> {
    let mut rest = None;
    // A line has few such phrases in a row.
    for _ in 0..4 {
        let from = rest.unwrap_or(line);
        let Some(behind) = SMALL_TALK.behind(from).filter(|behind| !behind.starts_with(char::is_alphanumeric)) else {
            break;
        };
        rest = Some(behind.trim_start_matches(|c: char| !c.is_alphanumeric()));
    }
    rest
}

/// Whether a line goes on with small talk and not with the sentence above: `and good luck!`, `but no hurry`.
#[must_use]
pub fn goes_on_talking(words: &str, vocabulary: &Vocabulary) -> bool {
    let Some((first, behind)) = words.split_once(' ') else { return false };
    let joins =
        matches!(first, "and" | "but" | "with" | "then" | "und" | "aber" | "dann" | "et" | "mais" | "y" | "pero");
    let rest = behind_small_talk(behind).filter(|_| joins);
    rest.is_some_and(|rest| !vocabulary.is_about_the_game(rest) && holds_back(rest).is_none())
}

/// The word of a line that may change what the other lines mean.
#[must_use]
pub fn holds_back(words: &str) -> Option<&'static str> {
    let at_start = HOLDS_BACK.iter().filter(|word| word.ends_with('…'));
    let at_start = at_start.map(|word| word.trim_end_matches(['…', ' ']));
    let begins = |word: &&str| {
        let behind = words.strip_prefix(*word);
        behind.is_some_and(|behind| word.ends_with('\'') || !behind.starts_with(|c: char| c.is_alphanumeric()))
    };
    at_start.into_iter().find(begins).or_else(|| {
        let anywhere = HOLDS_BACK.iter().filter(|word| !word.ends_with('…'));
        anywhere.into_iter().find(|word| is_in(words, word))
    })
}

/// Whether words stand in a line, between any others.
fn is_in(line: &str, words: &str) -> bool {
    line.match_indices(words).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + words.len()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric()) && behind.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Whether a line has a word that people write to people.
#[must_use]
pub fn has_prose(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| PROSE.hold(word))
}

/// Words with which people begin to tell what they do.
const LEADS: [&str; 31] = [
    "i", "ill", "id", "im", "we", "well", "will", "would", "like", "to", "want", "wanna", "let", "lets", "me", "us",
    "going", "gonna", "shall", "should", "can", "could", "may", "might", "then", "now", "so", "just", "also", "first",
    "next",
];

impl Vocabulary {
    /// Whether a sentence begins behind the first part of a line.
    #[must_use]
    pub fn opens_behind(&self, line: &str) -> bool {
        line.split(is_between).skip(1).any(|part| self.opens_sentence(&words_of(part)))
    }

    /// Whether a line begins with what was probably meant to be the word of a sentence: a slip of the pen makes no
    /// small talk of an order.
    #[must_use]
    pub fn is_misspelt(&self, line: &str) -> bool {
        let words = words_of(line);
        let first = words.iter().find(|word| !LEADS.contains(&&*word.text));
        first.is_some_and(|first| {
            let is_word = PROSE.hold(&first.text) || self.begins_with_opener(std::slice::from_ref(first));
            !is_word && self.nearest(&first.text).is_some()
        })
    }

    /// Whether a part of a line could be meant for the game: a name, a sentence, a verb with a number behind it.
    #[must_use]
    pub fn is_about_the_game(&self, line: &str) -> bool {
        line.split(is_between).any(|part| {
            let all = words_of(part);
            let lead = all.iter().take_while(|word| LEADS.contains(&&*word.text)).count();
            if lead > 0 && self.opens_sentence(&all[lead..]) {
                return true;
            }
            let words = all;
            let names = || (0..words.len()).any(|at| self.names_first(&words[at..]));
            self.opens_sentence(&words)
                || names()
                || (0..words.len()).any(|at| self.says_much(&words[at..]))
                || (words.len() <= 4 && words.last().is_some_and(|last| self.is_sentence(std::slice::from_ref(last))))
        })
    }
}

/// What ends a part of a line.
fn is_between(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\u{2026}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::titles;

    #[track_caller]
    fn case(line: &str, expected: bool) {
        let vocabulary = Vocabulary::of(&titles::ALL, ["status", "help", "press"].into_iter());
        assert_eq!(is_chatter(line, &vocabulary), expected, "{line}");
    }

    #[test]
    fn small_talk_is_chatter() {
        case("how is your mother doing?", true);
        case("here is my move:", true);
        case("sorry for the delay!", true);
        case("hier mein zug:", true);
        case("looking forward to your answer", true);
        case("your turn, anna!", true);
        case("no worries, take your time", true);
        case("[image: logo]", true);
        case("caution: this email originated from outside the organisation. do not click links unless you know", true);
        case("you don't often get email from box@play.example. learn why this is important", true);
        case("on holiday, please be patient", true);
        case("will you be at the party?", true);
    }

    #[test]
    fn what_may_be_meant_for_the_game_is_none() {
        case("attack moria from lorien", false);
        case("i would attack moria", false);
        case("ich greife moria an", false);
        case("i think i pass", false);
        case("please do not play this", false);
        case("if anna agrees, this is my move", false);
        case("4 lorien, 3 rhudaur", false);
        case("wait, i have thought again", false);
        case("xyzzy", false);
        case("no card", false);
        case("i atack mria frm lorin", false);
        case("plcae my men there", false);
        case("status", false);
        case("i have seen it, end turn", false);
    }
}
