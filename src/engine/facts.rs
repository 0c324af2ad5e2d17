/*! Facts: what stands on the table, as stable lines of `key: value`.

The digest of an entry is taken over these lines and not over the layout of any struct, so that a refactoring
does not break old logs. A title writes the same keys in the same order at every moment (`-` where there is
nothing), so that two moments can be compared line by line.
*/

use sha2::{Digest, Sha256};
use std::fmt;

/// The facts of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    text: String,
}

impl Facts {
    /// All lines, each ended by LF: what the digest is taken over.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Forgets everything and keeps the room for the next moment.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Begins the line of a key. Follow with [`Facts::word`], [`Facts::number`], and close with [`Facts::end`].
    pub fn key(&mut self, key: &str) -> &mut Facts {
        self.text.push_str(key);
        self.text.push(':');
        self
    }

    /// Adds a space and a word to the line.
    pub fn word(&mut self, word: &str) -> &mut Facts {
        self.text.push(' ');
        self.text.push_str(word);
        self
    }

    /// Adds a space and a number to the line.
    pub fn number(&mut self, number: u32) -> &mut Facts {
        self.text.push(' ');
        if number < 10 {
            self.text.push(char::from(b'0' + u8::try_from(number).expect("a digit")));
        } else {
            self.show(&number);
        }
        self
    }

    /// Adds a space and whatever can be shown to the line. It must not contain a line break.
    pub fn value(&mut self, value: &dyn fmt::Display) -> &mut Facts {
        self.text.push(' ');
        self.show(value);
        self
    }

    /// Closes the line.
    pub fn end(&mut self) {
        self.text.push('\n');
    }

    /// A whole line of a key and one word.
    pub fn line(&mut self, key: &str, word: &str) {
        self.key(key).word(word).end();
    }

    /// SHA-256 over the text.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }

    /// The lines of this moment that stood otherwise, or not at all, at the moment before.
    pub fn changed_since<'a>(&'a self, before: &'a Facts) -> impl Iterator<Item = &'a str> {
        let mut old = before.text.lines();
        self.text.lines().filter(move |line| old.next() != Some(*line))
    }

    fn show(&mut self, value: &dyn fmt::Display) {
        fmt::Write::write_fmt(&mut self.text, format_args!("{value}")).expect("a string takes everything");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(lines: &[(&str, u32)]) -> Facts {
        let mut facts = Facts::default();
        for (key, number) in lines {
            facts.key(key).word("green").number(*number).end();
        }
        facts
    }

    #[test]
    fn facts_are_lines() {
        assert_eq!(facts(&[("the-shire", 3), ("bree", 12)]).text(), "the-shire: green 3\nbree: green 12\n");
    }

    #[test]
    fn what_changed_is_found_line_by_line() {
        let before = facts(&[("the-shire", 3), ("bree", 12)]);
        let after = facts(&[("the-shire", 3), ("bree", 11)]);
        assert_eq!(after.changed_since(&before).collect::<Vec<_>>(), ["bree: green 11"]);
    }
}
