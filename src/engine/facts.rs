/*! Facts: what is on the table, as stable lines of `key: value`.

The digest of an entry is taken over these lines and not over the layout of any struct, so that a refactoring
does not break old logs. A title writes the same keys in the same order at every moment (with `-` for an empty value),
so that two moments can be compared line by line.
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

    /// Removes all lines, and keeps the memory for the next moment.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Begins the line of a key. Follow with [`Facts::word`], [`Facts::number`], and end it with [`Facts::end`].
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
        self.digits(number);
        self
    }

    /// Adds a space and a value to the line. Its text must not contain a line break.
    pub fn value(&mut self, value: &dyn fmt::Display) -> &mut Facts {
        fmt::Write::write_fmt(&mut self.text, format_args!(" {value}")).expect("a string takes everything");
        self
    }

    /// Adds text as it is: a whole line with its LF, or the beginning of a line.
    pub fn raw(&mut self, written: &str) -> &mut Facts {
        self.text.push_str(written);
        self
    }

    /// Adds letters directly after the last word or number: `3r`.
    pub fn append(&mut self, letters: &str) -> &mut Facts {
        self.text.push_str(letters);
        self
    }

    /// Ends the line.
    pub fn end(&mut self) {
        self.text.push('\n');
    }

    /// Adds a whole line of a key and one word.
    pub fn line(&mut self, key: &str, word: &str) {
        self.key(key).word(word).end();
    }

    /// Adds a whole line of a key without a value: `key: -`.
    pub fn nothing(&mut self, key: &str) {
        self.line(key, "-");
    }

    /// SHA-256 over the text.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }

    /// The lines of this moment that differ from the lines at the same places of the moment before, or that it lacks.
    pub fn changed_since<'a>(&'a self, before: &'a Facts) -> impl Iterator<Item = &'a str> {
        let (mut old, mut new) = (before.text.as_str(), self.text.as_str());
        std::iter::from_fn(move || {
            // Most lines are the same: skip them together, down to the first line that differs.
            let same = common_prefix(old.as_bytes(), new.as_bytes());
            let line = new.as_bytes()[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            (old, new) = (rest(old, line), rest(new, line));
            let changed;
            (changed, new) = new.split_once('\n')?;
            old = old.split_once('\n').map_or("", |(_, below)| below);
            Some(changed)
        })
    }

    /// Writes a number without `fmt`, which costs more: facts are written after every entry.
    fn digits(&mut self, number: u32) {
        if number >= 10 {
            self.digits(number / 10);
        }
        self.text.push(char::from(b'0' + (number % 10) as u8));
    }
}

/// The digests of one moment after another, each the same as [`Facts::digest`]. A beginning that two moments have in
/// common is not hashed again, so a title should write the facts that seldom change first.
#[derive(Clone, Debug, Default)]
pub struct Digester {
    /// The text that was hashed last.
    text: Vec<u8>,
    /// The state of the hash after each whole stretch of the text, from the first.
    states: Vec<Sha256>,
}

impl Digester {
    /// The bytes of text between two states that are kept.
    const STRETCH: usize = 256;

    /// SHA-256 over the text.
    pub fn digest(&mut self, facts: &Facts) -> [u8; 32] {
        let text = facts.text.as_bytes();
        let kept = common_prefix(&self.text, text) / Self::STRETCH;
        self.states.truncate(kept);
        self.text.truncate(kept * Self::STRETCH);
        let mut state = self.states.last().cloned().unwrap_or_default();
        let fresh = &text[kept * Self::STRETCH..];
        self.text.extend_from_slice(fresh);
        let mut stretches = fresh.chunks_exact(Self::STRETCH);
        for stretch in &mut stretches {
            state.update(stretch);
            self.states.push(state.clone());
        }
        state.chain_update(stretches.remainder()).finalize().into()
    }
}

/// How many bytes two texts have in common at their beginnings.
fn common_prefix(old: &[u8], new: &[u8]) -> usize {
    const STRIDE: usize = 32;
    let strides = old.as_chunks::<STRIDE>().0.iter().zip(new.as_chunks::<STRIDE>().0);
    let whole = STRIDE * strides.take_while(|(old, new)| old == new).count();
    whole + old[whole..].iter().zip(&new[whole..]).take_while(|(old, new)| old == new).count()
}

/// The text from a position at the beginning of a line.
fn rest(text: &str, from: usize) -> &str {
    text.get(from..).expect("a position after a line feed")
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
        for number in [0, 9, 10, 407, u32::MAX] {
            assert_eq!(facts(&[("bree", number)]).text(), format!("bree: green {number}\n"));
        }
    }

    #[test]
    fn digests_do_not_depend_on_the_moment_before() {
        let mut digester = Digester::default();
        let mut facts = Facts::default();
        for (lines, changed) in [(0, 0), (90, 0), (90, 7), (90, 89), (12, 3), (12, 3), (91, 40), (0, 0), (1, 0)] {
            facts.clear();
            (0..lines).for_each(|line| facts.key("bree").number(line).number(u32::from(line == changed)).end());
            assert_eq!(digester.digest(&facts), facts.digest(), "{lines} lines, of which {changed} is another");
        }
    }

    #[test]
    fn every_line_is_compared_with_the_line_in_its_place() {
        let text = |lines: &[&str]| Facts { text: lines.iter().map(|line| format!("{line}\n")).collect() };
        let many: Vec<String> = (0..40).map(|number| format!("mûmakil.{number}: green {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let mut other = many.clone();
        (other[0], other[1], other[17], other[39]) = ("", "mûmakil.1: black", "mümakil", "é");
        for (old, new) in [(&many, &other), (&other, &many), (&many, &many)] {
            let expected: Vec<&str> =
                new.iter().zip(old).filter(|(new, old)| new != old).map(|(new, _)| *new).collect();
            assert_eq!(text(new).changed_since(&text(old)).collect::<Vec<_>>(), expected);
            assert_eq!(text(&new[..20]).changed_since(&text(old)).count(), expected.len().min(3));
            assert_eq!(text(new).changed_since(&text(&[])).collect::<Vec<_>>(), *new);
        }
    }

    #[test]
    fn what_changed_is_found_line_by_line() {
        let before = facts(&[("the-shire", 3), ("bree", 12)]);
        let after = facts(&[("the-shire", 3), ("bree", 11)]);
        assert_eq!(after.changed_since(&before).collect::<Vec<_>>(), ["bree: green 11"]);
    }
}
