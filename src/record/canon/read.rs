/*! Reading canonical YAML strictly: a cursor over one record that borrows its texts and never guesses.

The schema drives it: it asks for the keys in their order, and if something else stands there, the fault says what was
expected. It accepts any bytes and never panics.
*/

use super::emit::must_be_escaped;
use super::fault::{Fault, FaultKind};
use super::{DEPTH_LIMIT, INTEGER_LIMIT, ITEM_LIMIT, LINE_LIMIT, OPENING, RECORD_LIMIT};
use ground::files::CLOSING;
use ground::hash::Hex;
use std::borrow::Cow;

/// A cursor over the text of one record.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    line_start: usize,
    indent: usize,
    depth: usize,
    /// The line has been opened with `- `: the next key stands on it without indentation.
    on_item: bool,
    next: Next<'a>,
    /// The keys asked for, the innermost block last.
    asked: Vec<&'static str>,
    /// Where the keys of this block start in `asked`.
    block: usize,
    /// Where the keys asked for since the last one found start in `asked`.
    since: usize,
}

/// What the cursor is looking at.
#[derive(Clone, Copy, Debug)]
enum Next<'a> {
    NotLooked,
    /// A key and where it starts; the cursor is already behind its colon.
    Key(&'a str, usize),
    /// The block is over.
    End,
}

impl<'a> Reader<'a> {
    /// Starts to read a record: the bytes from `---` to the end of the line `...`.
    pub fn new(bytes: &'a [u8]) -> Result<Reader<'a>, Fault> {
        let start = |kind| Fault { line: 1, column: 1, kind };
        if bytes.len() > RECORD_LIMIT {
            return Err(start(FaultKind::RecordTooLong { limit: RECORD_LIMIT }));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            Fault { line, column: (before.len() - line_start) as u64 + 1, kind: FaultKind::NotUtf8 }
        })?;
        if !text.starts_with(OPENING) {
            return Err(start(FaultKind::Opening));
        }
        Ok(Reader {
            text,
            at: OPENING.len(),
            line: 2,
            line_start: OPENING.len(),
            indent: 0,
            depth: 0,
            on_item: false,
            next: Next::NotLooked,
            asked: Vec::with_capacity(32),
            block: 0,
            since: 0,
        })
    }

    /// Ends the reading: the record must be over here.
    pub fn finish(mut self) -> Result<(), Fault> {
        self.expect_end()?;
        let rest = &self.text[self.at..];
        match rest.strip_prefix(CLOSING) {
            Some("") => Ok(()),
            Some(_) => {
                self.at += CLOSING.len();
                self.line += 1;
                self.line_start = self.at;
                Err(self.fault(FaultKind::Trailing))
            }
            None => Err(self.fault(FaultKind::Ended)),
        }
    }

    /// Passes `key` if it stands here; otherwise stays.
    ///
    /// # Errors
    /// Neither a key nor the end of the block stands here. Another key is no error but `false`.
    pub fn key(&mut self, key: &'static str) -> Result<bool, Fault> {
        self.asked.push(key);
        let here = self.look()?.is_some_and(|found| found == key);
        if here {
            self.next = Next::NotLooked;
            self.since = self.asked.len();
        }
        Ok(here)
    }

    /// The fault for a required key that is missing here.
    pub fn missing(&mut self, missing: &'static str) -> Fault {
        match self.next {
            Next::Key(found, start) => {
                self.at = start;
                let before = &self.asked[self.block..self.since];
                if before.contains(&found) {
                    let expected = self.asked[self.since..].to_vec();
                    self.fault(FaultKind::KeyAgain { found: found.to_string(), expected })
                } else {
                    self.fault(FaultKind::MissingKey { missing, found: Some(found.to_string()) })
                }
            }
            Next::NotLooked | Next::End => self.fault(FaultKind::MissingKey { missing, found: None }),
        }
    }

    /// Reads a nested block: what follows `key:` on the next lines.
    pub fn block<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.line_end()?;
        self.nested(inner)
    }

    /// Reads a list of mappings: what follows `key:` on the next lines, each item opened by `- `. An empty list is a
    /// fault.
    pub fn items<T>(&mut self, mut inner: impl FnMut(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        self.line_end()?;
        self.indent += 2;
        let mut items = Vec::new();
        while self.item_starts() {
            if items.len() == ITEM_LIMIT {
                return Err(self.fault(FaultKind::TooManyItems { limit: ITEM_LIMIT }));
            }
            self.at += self.indent + 2;
            self.on_item = true;
            items.push(self.nested(&mut inner)?);
        }
        self.indent -= 2;
        if items.is_empty() {
            return Err(self.fault(FaultKind::Value {
                expected: format!("an item opened by {} spaces and '- '", self.indent + 2),
                found: self.excerpt(),
            }));
        }
        Ok(items)
    }

    /// Reads a list of scalars on one line: ` [a, b]`.
    pub fn row<T>(&mut self, mut inner: impl FnMut(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        self.blank()?;
        let mut items = Vec::new();
        if !self.passes("[") {
            return Err(self.fault(FaultKind::List));
        }
        if self.passes("]") {
            self.line_end()?;
            return Ok(items);
        }
        loop {
            if items.len() == ITEM_LIMIT {
                return Err(self.fault(FaultKind::TooManyItems { limit: ITEM_LIMIT }));
            }
            items.push(inner(self)?);
            if self.passes("]") {
                break;
            }
            if !self.passes(", ") {
                return Err(self.fault(FaultKind::List));
            }
        }
        self.line_end()?;
        Ok(items)
    }

    /// Reads a scalar on the line of its key: a blank, the value, the end of the line.
    pub fn scalar<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.blank()?;
        let value = inner(self)?;
        self.line_end()?;
        Ok(value)
    }

    /// Reads a text in double quotes.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        if !self.passes("\"") {
            return Err(self.fault(FaultKind::Quote));
        }
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut copied = start;
        loop {
            self.pass_plain();
            match self.text.as_bytes().get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(&self.text[copied..self.at]);
                    let character = self.escape()?;
                    owned.get_or_insert_default().push(character);
                    copied = self.at;
                }
                Some(b'\n') | None => return Err(self.fault(FaultKind::Quote)),
                Some(_) => {
                    let found = self.text[self.at..].chars().next().expect("a byte of a text starts a character");
                    if must_be_escaped(found) {
                        return Err(self.fault(FaultKind::RawControl { found }));
                    }
                    self.at += found.len_utf8();
                }
            }
        }
        let end = self.at;
        self.at += 1;
        Ok(match owned {
            None => Cow::Borrowed(&self.text[start..end]),
            Some(mut text) => {
                text.push_str(&self.text[copied..end]);
                Cow::Owned(text)
            }
        })
    }

    /// Reads fixed-width bytes, written as a quoted hexadecimal text.
    pub fn hex<const WIDTH: usize>(&mut self) -> Result<Hex<WIDTH>, Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let value = match rest.get(..2 * WIDTH + 2) {
            Some([b'"', digits @ .., b'"']) => std::str::from_utf8(digits).ok().and_then(Hex::parse),
            _ => None,
        };
        let expected = || format!("{} lower-case hexadecimal digits in double quotes", 2 * WIDTH);
        let value = value.ok_or_else(|| self.wrong_value(expected()))?;
        self.at += 2 * WIDTH + 2;
        Ok(value)
    }

    /// Reads an integer from 0 to `limit`, without leading zeros.
    pub fn integer(&mut self, limit: u64) -> Result<u64, Fault> {
        let limit = limit.min(INTEGER_LIMIT);
        let digits = self.text.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let written = &self.text[self.at..self.at + digits];
        let value = match written {
            "" => None,
            _ if digits > 1 && written.starts_with('0') => None,
            _ => written.parse().ok().filter(|value| *value <= limit),
        };
        let value = value.ok_or_else(|| self.wrong_value(format!("an integer from 0 to {limit}")))?;
        self.at += digits;
        Ok(value)
    }

    /// Passes `written` if it stands here.
    pub fn passes(&mut self, written: &str) -> bool {
        let here = self.text.as_bytes()[self.at..].starts_with(written.as_bytes());
        if here {
            self.at += written.len();
        }
        here
    }

    /// A fault at the cursor: something else was expected.
    pub fn wrong_value(&self, expected: String) -> Fault {
        self.fault(FaultKind::Value { expected, found: self.excerpt() })
    }

    /// A fault about the text that was just read.
    pub fn wrong_before(&self, expected: &str, found: &str) -> Fault {
        self.fault(FaultKind::Value { expected: expected.to_string(), found: format!("\"{found}\"") })
    }

    /// A fault at the cursor.
    pub fn fault(&self, kind: FaultKind) -> Fault {
        let column = self.at.saturating_sub(self.line_start) as u64 + 1;
        Fault { line: self.line, column, kind }
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == DEPTH_LIMIT {
            return Err(self.fault(FaultKind::TooDeep { limit: DEPTH_LIMIT }));
        }
        let (block, since) = (self.block, self.since);
        let outer = self.asked.len();
        (self.block, self.since) = (outer, outer);
        self.depth += 1;
        self.indent += 2;
        let value = inner(self)?;
        self.expect_end()?;
        self.indent -= 2;
        self.depth -= 1;
        self.next = Next::NotLooked;
        self.asked.truncate(outer);
        (self.block, self.since) = (block, since);
        Ok(value)
    }

    /// The block must be over here.
    fn expect_end(&mut self) -> Result<(), Fault> {
        let Some(found) = self.look()?.map(str::to_string) else {
            return Ok(());
        };
        if let Next::Key(_, start) = self.next {
            self.at = start;
        }
        let expected = self.asked[self.since..].to_vec();
        let again = self.asked[self.block..self.since].contains(&found.as_str());
        Err(self.fault(if again {
            FaultKind::KeyAgain { found, expected }
        } else {
            FaultKind::WrongKey { found, expected }
        }))
    }

    /// The key that stands here, or `None` at the end of the block.
    fn look(&mut self) -> Result<Option<&'a str>, Fault> {
        if let Next::NotLooked = self.next {
            self.next = self.look_at_line()?;
        }
        Ok(match self.next {
            Next::Key(key, _) => Some(key),
            Next::NotLooked | Next::End => None,
        })
    }

    fn look_at_line(&mut self) -> Result<Next<'a>, Fault> {
        if self.on_item {
            self.on_item = false;
        } else {
            let rest = &self.text.as_bytes()[self.at..];
            let found = rest.iter().take_while(|byte| **byte == b' ').count();
            if found < self.indent || rest[found..].starts_with(CLOSING.as_bytes()) {
                return Ok(Next::End);
            }
            if found > self.indent {
                return Err(self.fault(FaultKind::Indentation { expected: self.indent, found }));
            }
            self.at += found;
        }
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')).count();
        let starts_well = rest.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if !starts_well || rest.as_bytes().get(length) != Some(&b':') {
            let expected = self.asked[self.since..].to_vec();
            return Err(self.fault(FaultKind::NotAKey { expected }));
        }
        let start = self.at;
        self.at += length + 1;
        Ok(Next::Key(&rest[..length], start))
    }

    fn item_starts(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let indent = rest.iter().take_while(|byte| **byte == b' ').count();
        indent == self.indent && rest[indent..].starts_with(b"- ")
    }

    fn blank(&mut self) -> Result<(), Fault> {
        if self.passes(" ") {
            return Ok(());
        }
        Err(self.wrong_value("a blank and a value on the line of the key".to_string()))
    }

    fn line_end(&mut self) -> Result<(), Fault> {
        if !self.passes("\n") {
            return Err(self.fault(FaultKind::LineEnd));
        }
        if self.at - self.line_start > LINE_LIMIT {
            return Err(self.fault(FaultKind::LineTooLong { limit: LINE_LIMIT }));
        }
        self.line += 1;
        self.line_start = self.at;
        Ok(())
    }

    /// Passes ASCII characters that need no escape.
    fn pass_plain(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        // Checking sixteen bytes at once is as fast as checking one.
        let (pieces, _) = rest.as_chunks::<16>();
        let is_plain = |piece: &&[u8; 16]| piece.iter().fold(true, |plain, byte| plain & !is_stop(*byte));
        let passed = 16 * pieces.iter().take_while(is_plain).count();
        let plain = rest[passed..].iter().position(|byte| STOPS[usize::from(*byte)]).unwrap_or(rest.len() - passed);
        self.at += passed + plain;
    }

    /// Reads an escape; the cursor is at its backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let rest = &self.text[self.at..];
        let (character, length) = match rest.as_bytes().get(1) {
            Some(b'"') => (Some('"'), 2),
            Some(b'\\') => (Some('\\'), 2),
            Some(b'n') => (Some('\n'), 2),
            Some(b'r') => (Some('\r'), 2),
            Some(b't') => (Some('\t'), 2),
            Some(b'u') => {
                let code = rest.get(2..6).and_then(Hex::<2>::parse).map(|code| u16::from_be_bytes(code.0));
                (code.and_then(|code| char::from_u32(u32::from(code))), 6)
            }
            _ => (None, 2),
        };
        let Some(character) = character else {
            let found = rest.chars().take(length).collect();
            return Err(self.fault(FaultKind::Escape { found }));
        };
        self.at += length;
        Ok(character)
    }

    /// The beginning of what stands here, for a message.
    fn excerpt(&self) -> String {
        let rest = self.text[self.at..].lines().next().unwrap_or("");
        let mut shown: String = rest.chars().take(40).collect();
        if rest.chars().nth(40).is_some() {
            shown.push('…');
        }
        match shown.as_str() {
            "" => "the end of the line".to_string(),
            _ => format!("'{shown}'"),
        }
    }
}

/// Whether a text may end at this byte, or must be looked at more closely.
const fn is_stop(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\' || byte >= 0x7f
}

const STOPS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_stop(byte as u8);
        byte += 1;
    }
    table
};
