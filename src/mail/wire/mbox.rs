/*! An mbox: letters one after another in one file, each below a line that begins with `From ` (requirement I5).

We read it as a stream, one letter at a time, and never more of a letter than may be kept. We do not change the file:
the book knows which letters were there before.
*/

use super::bounded_line;
use crate::letter::limits::Limits;
use ground::effort;
use std::io::{self, BufRead};

/// The beginning of an mbox and of each letter in it.
const SEPARATOR: &[u8] = b"From ";

/// The letters of an mbox, in their order.
pub struct Mbox<R> {
    source: R,
    letter_bytes: usize,
    /// Whether anything has been read.
    begun: bool,
}

impl<R: BufRead> Mbox<R> {
    pub fn new(source: R, limits: &Limits) -> Mbox<R> {
        Mbox { source, letter_bytes: limits.letter_bytes, begun: false }
    }

    /// The next letter; of one that is too large, a little more than the limit, which is enough to refuse it.
    pub fn next_letter(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut letter = Vec::new();
        let mut line = Vec::new();
        let mut was_blank = true;
        let mut begins = true;
        loop {
            line.clear();
            let ended = bounded_line(&mut self.source, &mut line, self.letter_bytes.max(SEPARATOR.len()))? == 0;
            // RFC 4155: a letter ends with a blank line, and the next begins only after one.
            let separates = begins && was_blank && line.starts_with(SEPARATOR);
            if ended || separates {
                let is_first = !std::mem::replace(&mut self.begun, true);
                if separates && is_first && letter.is_empty() {
                    was_blank = false;
                    continue;
                }
                if ended && letter.is_empty() {
                    return Ok(None);
                }
                without_last_blank(&mut letter);
                return Ok(Some(letter));
            }
            self.begun = true;
            was_blank = begins && (line == b"\n" || line == b"\r\n");
            if letter.len() <= self.letter_bytes {
                letter.extend_from_slice(if begins { unquoted(&line) } else { &line });
            }
            begins = line.ends_with(b"\n");
        }
    }
}

/// Whether bytes are the beginning of an mbox.
pub fn is_mbox(start: &[u8]) -> bool {
    start.starts_with(SEPARATOR)
}

/// mboxrd: a line of a letter that begins with `From ` gets a `>` each time the letter is put into an mbox.
fn unquoted(line: &[u8]) -> &[u8] {
    let quotes = line.iter().take_while(|byte| **byte == b'>').count();
    effort::step(quotes);
    if quotes > 0 && line[quotes..].starts_with(SEPARATOR) { &line[1..] } else { line }
}

/// The blank line between two letters belongs to neither.
fn without_last_blank(letter: &mut Vec<u8>) {
    for end in [&b"\r\n\r\n"[..], b"\n\n"] {
        if letter.ends_with(end) {
            letter.truncate(letter.len() - end.len() / 2);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(mbox: &str, expected: &[&str]) {
        let mut letters = Vec::new();
        let mut reader = Mbox::new(mbox.as_bytes(), &Limits::ORDINARY);
        while let Some(letter) = reader.next_letter().unwrap() {
            letters.push(String::from_utf8(letter).unwrap());
        }
        assert_eq!(letters, expected);
    }

    #[test]
    fn i5_letters_are_parted_where_one_ends() {
        case("", &[]);
        case("From a Fri\nA: 1\n\nx\n\nFrom b Sat\nA: 2\n\ny\n", &["A: 1\n\nx\n", "A: 2\n\ny\n"]);
        case("From a Fri\r\nA: 1\r\n\r\nx\r\n\r\nFrom b\r\nA: 2\r\n", &["A: 1\r\n\r\nx\r\n", "A: 2\r\n"]);
        // A sentence that begins with From is no separator.
        case("From a\nA: 1\n\nx\nFrom here on\ny\n", &["A: 1\n\nx\nFrom here on\ny\n"]);
        case("From a\nA: 1\n\n>From here\n>>From there\n> From\n", &["A: 1\n\nFrom here\n>From there\n> From\n"]);
        // A letter by itself, as a pipe brings it.
        case("A: 1\n\nx\n", &["A: 1\n\nx\n"]);
    }

    #[test]
    fn p1_a_letter_without_end_is_kept_up_to_the_limit() {
        let limits = Limits { letter_bytes: 100, ..Limits::ORDINARY };
        let mbox = format!("From a\n{}\n{}\n\nFrom b\nA: 2\n", "x".repeat(5_000), "y\n".repeat(5_000));
        let mut reader = Mbox::new(mbox.as_bytes(), &limits);
        let length = reader.next_letter().unwrap().unwrap().len();
        assert!((101..10_000).contains(&length), "{length}");
        assert_eq!(reader.next_letter().unwrap().as_deref(), Some(&b"A: 2\n"[..]));
        assert_eq!(reader.next_letter().unwrap(), None);
    }
}
