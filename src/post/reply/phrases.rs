/*! Lists of words and phrases as letters contain them: in `phrases/`, one per line; a line that begins with `#` is a
comment.

A phrase that ends in `…` is the beginning of a longer line.
*/

use std::collections::BTreeSet;

/// One list.
pub struct Phrases {
    all: Vec<&'static str>,
    whole: BTreeSet<&'static str>,
}

impl Phrases {
    pub fn of(list: &'static str) -> Phrases {
        let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let all: Vec<&'static str> = lines.collect();
        Phrases { whole: all.iter().copied().collect(), all }
    }

    /// Every phrase, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().copied()
    }

    /// Whether a text is one of the phrases.
    pub fn hold(&self, text: &str) -> bool {
        self.whole.contains(text)
    }

    /// The rest of a text after the longest phrase with which it begins.
    pub fn behind<'t>(&self, text: &'t str) -> Option<&'t str> {
        let behind = |phrase: &'static str| match phrase.strip_suffix('…') {
            Some(beginning) => text.strip_prefix(beginning).filter(|behind| !behind.is_empty()),
            None => text.strip_prefix(phrase),
        };
        self.all.iter().filter_map(|phrase| behind(phrase)).min_by_key(|behind| behind.len())
    }

    /// Whether a text begins with one of the phrases.
    pub fn begin(&self, text: &str) -> bool {
        self.behind(text).is_some()
    }

    /// As [`Phrases::begin`], but the phrase must end at the end of a word.
    pub fn begin_with_words(&self, text: &str) -> bool {
        let ends = |phrase: &&'static str| match phrase.strip_suffix('…') {
            Some(beginning) => text.strip_prefix(beginning).is_some_and(|behind| !behind.is_empty()),
            None => text.strip_prefix(*phrase).is_some_and(|behind| !behind.starts_with(char::is_alphanumeric)),
        };
        self.all.iter().any(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_at_the_beginning() {
        let phrases = Phrases::of("# A comment\nsent via …\n\nno rush\nno rush at all\n");
        assert_eq!(phrases.behind("sent via a phone"), Some("a phone"));
        assert_eq!(phrases.behind("sent via "), None);
        assert_eq!(phrases.behind("no rush at all, anna"), Some(", anna"));
        assert!(phrases.begin("no rushes") && !phrases.begin_with_words("no rushes"));
        assert!(phrases.hold("no rush") && !phrases.hold("# A comment"));
    }
}
