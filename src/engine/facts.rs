/*! Facts: what is on the table, as stable lines of `key: value`.

The digest of an entry is taken over these lines and not over the layout of any struct, so that a refactoring
does not break old logs. A title writes the same keys in the same order at every moment (with `-` for an empty value).

Writing all facts is slow, and most entries change only a few. So a title names, for each fact, the part of the board
that it is written from ([`Sheet::fact`]). Between two boards, only facts with different parts are written, and
compared as text.
*/

use sha2::{Digest, Sha256};
use std::fmt;

/// The facts of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    text: String,
}

/// The usual size of all facts of a moment, in bytes.
const ROOM: usize = 8 * 1024;

impl Facts {
    /// Empty, with memory for the facts of a moment.
    pub fn with_room() -> Facts {
        Facts { text: String::with_capacity(ROOM) }
    }

    /// All lines, each ended by LF. The digest is taken over this text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Removes all lines and keeps the memory for the next moment.
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

    /// Adds a whole line with a key and one word.
    pub fn line(&mut self, key: &str, word: &str) {
        self.key(key).word(word).end();
    }

    /// Adds the whole line of an empty value: `key: -`.
    pub fn nothing(&mut self, key: &str) {
        self.line(key, "-");
    }

    /// SHA-256 over the text.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }

    /// Writes a number without `fmt`, which is slower.
    fn digits(&mut self, number: u32) {
        if number >= 10 {
            self.digits(number / 10);
        }
        self.text.push(char::from(b'0' + (number % 10) as u8));
    }

    /// Adds the whole line of a fact; `-` if `write` adds nothing.
    fn fact<P>(&mut self, key: &str, part: P, write: impl Fn(P, &mut Facts)) {
        self.key(key);
        let begun = self.text.len();
        write(part, self);
        if self.text.len() == begun {
            self.word("-");
        }
        self.end();
    }
}

/// The lines that differ between two moments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The lines before the change; empty at the first moment.
    pub before: Facts,
    /// The lines after it.
    pub after: Facts,
}

impl Change {
    /// Removes all lines.
    pub fn clear(&mut self) {
        self.before.clear();
        self.after.clear();
    }

    /// The lines after the change, without their line feeds.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.after.text.split_terminator('\n')
    }

    /// Adds a line before and after the change, if it differs.
    pub fn line(&mut self, before: &Facts, after: &Facts) {
        if before != after {
            self.before.raw(&before.text);
            self.after.raw(&after.text);
        }
    }
}

/// Where a title writes the facts of a board: all of them, or only those that differ from an earlier board.
pub struct Sheet<'s, B> {
    board: &'s B,
    facts: &'s mut Facts,
    /// The earlier board, and its lines.
    earlier: Option<(&'s B, &'s mut Facts)>,
}

impl<'s, B> Sheet<'s, B> {
    /// A sheet for all facts.
    pub fn all(board: &'s B, facts: &'s mut Facts) -> Sheet<'s, B> {
        Sheet { board, facts, earlier: None }
    }

    /// A sheet for the facts that differ between two boards.
    pub fn between(before: &'s B, after: &'s B, change: &'s mut Change) -> Sheet<'s, B> {
        Sheet { board: after, facts: &mut change.after, earlier: Some((before, &mut change.before)) }
    }

    /// The board whose facts are written.
    pub fn board(&self) -> &'s B {
        self.board
    }

    /// Adds the fact of this key. `write` must use nothing but `part` of the board. If it writes nothing, the value
    /// is `-`.
    pub fn fact<P: PartialEq>(&mut self, key: &str, part: impl Fn(&'s B) -> P, write: impl Fn(P, &mut Facts)) {
        let after = part(self.board);
        let Some((earlier, lines)) = &mut self.earlier else { return self.facts.fact(key, after, write) };
        let before = part(earlier);
        if before == after {
            return;
        }
        let (was, is) = (lines.text.len(), self.facts.text.len());
        lines.fact(key, before, &write);
        self.facts.fact(key, after, &write);
        // Different parts may be written as the same words.
        if lines.text[was..] == self.facts.text[is..] {
            lines.text.truncate(was);
            self.facts.text.truncate(is);
        }
    }

    /// Whether the facts of a part of the board are needed. If a large part has many facts, this saves comparing each
    /// of them.
    pub fn wants<P: PartialEq>(&self, part: impl Fn(&'s B) -> P) -> bool {
        self.earlier.as_ref().is_none_or(|(earlier, _)| part(earlier) != part(self.board))
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
        for number in [0, 9, 10, 407, u32::MAX] {
            assert_eq!(facts(&[("bree", number)]).text(), format!("bree: green {number}\n"));
        }
    }

    /// The units in the Shire, those in Bree, and the length walked of the road between them; the facts say only
    /// whether any of it was walked.
    type Board = (u32, Vec<u32>, u32);

    fn one(number: u32, facts: &mut Facts) {
        facts.number(number);
    }

    fn write(mut sheet: Sheet<'_, Board>) {
        sheet.fact("the-shire", |board| board.0, one);
        if sheet.wants(|board| &board.1) {
            sheet.fact("bree", |board| &board.1, |all, facts| all.iter().for_each(|number| one(*number, facts)));
        }
        sheet.fact(
            "road",
            |board| board.2,
            |walked, facts| {
                facts.word(if walked > 0 { "walked" } else { "new" });
            },
        );
    }

    #[track_caller]
    fn case(before: Board, after: Board, expected: (&str, &str)) {
        let mut change = Change::default();
        write(Sheet::between(&before, &after, &mut change));
        assert_eq!((change.before.text(), change.after.text()), expected);
    }

    #[test]
    fn only_the_lines_that_differ_are_written() {
        let mut all = Facts::default();
        write(Sheet::all(&(3, vec![], 0), &mut all));
        assert_eq!(all.text(), "the-shire: 3\nbree: -\nroad: new\n");
        case((3, vec![], 0), (3, vec![], 0), ("", ""));
        case((3, vec![], 0), (4, vec![7, 7], 0), ("the-shire: 3\nbree: -\n", "the-shire: 4\nbree: 7 7\n"));
        case((3, vec![], 1), (3, vec![1], 2), ("bree: -\n", "bree: 1\n"));
        case((3, vec![], 1), (3, vec![], 0), ("road: walked\n", "road: new\n"));
    }

    #[test]
    fn lines_of_a_change_are_those_that_differ() {
        let mut change = Change::default();
        change.line(&facts(&[("bree", 12)]), &facts(&[("bree", 11)]));
        change.line(&facts(&[("the-shire", 3)]), &facts(&[("the-shire", 3)]));
        assert_eq!(change.lines().collect::<Vec<_>>(), ["bree: green 11"]);
        assert_eq!(change.before, facts(&[("bree", 12)]));
    }
}
