/*! Writing canonical YAML: two spaces a level, every text double-quoted, one spelling for each value. */

use super::OPENING;
use ground::files::CLOSING;

/// Writes records into one buffer, which is reused.
#[derive(Debug, Default)]
pub struct Emitter {
    text: String,
    indent: usize,
    /// The line has been opened with `- `, so that the next key stands on it without indentation.
    on_item: bool,
}

impl Emitter {
    /// What has been written so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Clears the text and keeps its memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.indent = 0;
        self.on_item = false;
    }

    /// Opens a record.
    pub fn open_record(&mut self) {
        self.text.push_str(OPENING);
    }

    /// Closes a record.
    pub fn close_record(&mut self) {
        self.text.push_str(CLOSING);
    }

    /// Opens the line of a scalar: `key: `.
    pub fn key(&mut self, key: &str) {
        self.open_line(key);
        self.text.push_str(": ");
    }

    /// Closes the line of a scalar.
    pub fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Opens a nested block: `key:` and one level deeper.
    pub fn open_block(&mut self, key: &str) {
        self.open_line(key);
        self.text.push_str(":\n");
        self.indent += 2;
    }

    /// Closes a nested block.
    pub fn close_block(&mut self) {
        self.indent -= 2;
    }

    /// Opens an item of a list of mappings: `- `, whose first key stands on the same line.
    pub fn open_item(&mut self) {
        self.indentation();
        self.text.push_str("- ");
        self.indent += 2;
        self.on_item = true;
    }

    /// Closes an item of a list of mappings.
    pub fn close_item(&mut self) {
        self.indent -= 2;
    }

    /// Writes a text in double quotes.
    pub fn string(&mut self, value: &str) {
        self.text.push('"');
        let mut rest = value;
        while let Some(at) = first_to_escape(rest) {
            let (plain, special) = rest.split_at(at);
            self.text.push_str(plain);
            let character = special.chars().next().expect("a character to escape was found here");
            self.escape(character);
            rest = &special[character.len_utf8()..];
        }
        self.text.push_str(rest);
        self.text.push('"');
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: u64) {
        let mut digits = [0_u8; 20];
        let mut first = digits.len();
        let mut rest = value;
        loop {
            first -= 1;
            digits[first] = b'0' + u8::try_from(rest % 10).expect("a digit is below ten");
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.text.push_str(std::str::from_utf8(&digits[first..]).expect("digits are ASCII"));
    }

    /// Writes characters that need no quoting: `true`, `[`, `, `.
    pub fn plain(&mut self, value: &str) {
        self.text.push_str(value);
    }

    /// Writes fixed-width bytes as a quoted hexadecimal text.
    pub fn hex<const WIDTH: usize>(&mut self, value: &ground::hash::Hex<WIDTH>) {
        self.text.push('"');
        value.write_to(&mut self.text);
        self.text.push('"');
    }

    fn open_line(&mut self, key: &str) {
        if self.on_item {
            self.on_item = false;
        } else {
            self.indentation();
        }
        self.text.push_str(key);
    }

    fn indentation(&mut self) {
        const SPACES: &str = "                                ";
        self.text.push_str(&SPACES[..self.indent]);
    }

    fn escape(&mut self, character: char) {
        match character {
            '"' => self.text.push_str("\\\""),
            '\\' => self.text.push_str("\\\\"),
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            other => {
                let code = u16::try_from(u32::from(other)).expect("what is escaped lies in the first plane");
                self.text.push_str("\\u");
                ground::hash::Hex(code.to_be_bytes()).write_to(&mut self.text);
            }
        }
    }
}

/// The byte position of the first character that must be escaped.
fn first_to_escape(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        // Escapes are rare: plain text costs one table look-up per byte.
        at += bytes[at..].iter().position(|byte| SUSPECT[usize::from(*byte)])?;
        if bytes[at] < 0x80 {
            return Some(at);
        }
        let character = text[at..].chars().next().expect("a character starts at its first byte");
        if must_be_escaped(character) {
            return Some(at);
        }
        at += character.len_utf8();
    }
}

/// Bytes that must be escaped, or that start a character that may need it.
const SUSPECT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || byte == b'"' as usize || byte == b'\\' as usize || byte >= 0x7f;
        byte += 1;
    }
    table
};

/// Control characters, line separators and the characters no YAML reader takes raw (log 2.5).
pub fn must_be_escaped(character: char) -> bool {
    matches!(
        character,
        '"' | '\\'
            | '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(value: &str, expected: &str) {
        let mut emitter = Emitter::default();
        emitter.string(value);
        assert_eq!(emitter.text(), expected);
    }

    #[test]
    fn texts_have_one_spelling() {
        case("", "\"\"");
        case("mûmakil 🐘", "\"mûmakil 🐘\"");
        case("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
        case("\n\r\t", "\"\\n\\r\\t\"");
        case("\0\u{1b}\u{7f}\u{85}\u{a0}", "\"\\u0000\\u001b\\u007f\\u0085\u{a0}\"");
        case("\u{2028}\u{feff}\u{ffff}", "\"\\u2028\\ufeff\\uffff\"");
    }

    #[test]
    fn integers_are_decimal() {
        let mut emitter = Emitter::default();
        for value in [0, 7, 10, 1 << 53, u64::MAX] {
            emitter.clear();
            emitter.integer(value);
            assert_eq!(emitter.text(), value.to_string());
        }
    }
}
