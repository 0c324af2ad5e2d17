/*! How large a letter may be (requirement P1).

Everything is counted on the raw bytes before a parser sees them, in one pass that keeps only the boundaries
announced. A letter over a limit is refused politely and never half read.
*/

use ground::effort;
use std::collections::BTreeSet;
use std::fmt;

/// How large a letter may be to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub letter_bytes: usize,
    /// Bytes in the header of the letter itself, up to its first blank line.
    pub header_bytes: usize,
    pub headers: usize,
    /// Parts within parts.
    pub nesting: usize,
    pub parts: usize,
    /// Physical lines of the whole letter, attachments included.
    pub lines: usize,
    /// Lines that the sender wrote himself, without quoted text and signature.
    pub own_lines: usize,
    /// Characters in a line that is read as a sentence.
    pub sentence_characters: usize,
}

impl Limits {
    /// P1: the limits of every mailbox, unless its host says otherwise.
    pub const ORDINARY: Limits = Limits {
        letter_bytes: 1024 * 1024,
        header_bytes: 64 * 1024,
        headers: 100,
        nesting: 8,
        parts: 50,
        lines: 20_000,
        own_lines: 2_000,
        sentence_characters: 2_000,
    };
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    LetterBytes,
    HeaderBytes,
    Headers,
    Nesting,
    Parts,
    Lines,
    OwnLines,
}

/// A letter is over a limit: which one, what we counted, what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    pub measure: Measure,
    /// For bytes and lines, the count at which we stopped reading: there may be more.
    pub found: usize,
    pub allowed: usize,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.measure {
            Measure::LetterBytes => "bytes in the whole letter",
            Measure::HeaderBytes => "bytes in its header",
            Measure::Headers => "header fields",
            Measure::Nesting => "parts within parts",
            Measure::Parts => "parts",
            Measure::Lines => "lines in the whole letter",
            Measure::OwnLines => "lines of your own",
        };
        let advice = match self.measure {
            Measure::LetterBytes | Measure::Parts | Measure::Nesting => "send plain text without attachments",
            Measure::HeaderBytes | Measure::Headers => "send a fresh letter instead of forwarding this one",
            Measure::Lines | Measure::OwnLines => "one sentence a line is enough; leave the old letters out",
        };
        let (found, allowed) = (self.found, self.allowed);
        write!(formatter, "the letter is too large: {found} {what}, at most {allowed} are read; {advice}")
    }
}

impl std::error::Error for TooMuch {}

fn within(measure: Measure, found: usize, allowed: usize) -> Result<(), TooMuch> {
    if found > allowed {
        return Err(TooMuch { measure, found, allowed });
    }
    Ok(())
}

/// Checks a raw letter before it is parsed (P1).
///
/// # Errors
/// The first limit that is exceeded.
pub fn check(raw: &[u8], limits: &Limits) -> Result<(), TooMuch> {
    within(Measure::LetterBytes, raw.len(), limits.letter_bytes)?;
    let mut header = Header::default();
    let mut structure = Structure::default();
    for (index, line) in raw.split(|&byte| byte == b'\n').enumerate() {
        within(Measure::Lines, index + 1, limits.lines)?;
        effort::step(line.len() + 1);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        header.count(line, limits)?;
        structure.count(line, limits)?;
    }
    Ok(())
}

/// Counts the header of the letter itself; `done` after its first blank line.
#[derive(Default)]
struct Header {
    bytes: usize,
    fields: usize,
    done: bool,
}

impl Header {
    fn count(&mut self, line: &[u8], limits: &Limits) -> Result<(), TooMuch> {
        if self.done {
            return Ok(());
        }
        if line.is_empty() {
            self.done = true;
            return Ok(());
        }
        self.bytes += line.len() + 1;
        if !matches!(line.first(), Some(b' ' | b'\t')) {
            self.fields += 1;
        }
        within(Measure::HeaderBytes, self.bytes, limits.header_bytes)?;
        within(Measure::Headers, self.fields, limits.headers)
    }
}

/// Counts parts and how deep they nest, by the boundaries announced so far.
#[derive(Default)]
struct Structure {
    announced: BTreeSet<Vec<u8>>,
    open: Vec<Vec<u8>>,
    enclosed_letters: usize,
    parts: usize,
}

impl Structure {
    fn count(&mut self, line: &[u8], limits: &Limits) -> Result<(), TooMuch> {
        match line.strip_prefix(b"--") {
            Some(rest) => self.part(rest),
            None => self.announce(line),
        }
        // The parser searches to the end of the letter for every boundary announced, whether it is used or not.
        within(Measure::Parts, self.parts.max(self.announced.len()), limits.parts)?;
        within(Measure::Nesting, self.open.len() + self.enclosed_letters, limits.nesting)
    }

    fn part(&mut self, line: &[u8]) {
        effort::step(self.announced.len());
        let Some(boundary) = self.announced.iter().filter(|b| line.starts_with(b)).max_by_key(|b| b.len()) else {
            return;
        };
        let closes = line[boundary.len()..].starts_with(b"--");
        let position = self.open.iter().position(|open| open == boundary);
        match (position, closes) {
            (Some(position), true) => self.open.truncate(position),
            (Some(position), false) => self.open.truncate(position + 1),
            (None, false) => self.open.push(boundary.clone()),
            (None, true) => {}
        }
        if !closes {
            self.parts += 1;
        }
        if self.open.is_empty() {
            self.enclosed_letters = 0;
        }
    }

    fn announce(&mut self, line: &[u8]) {
        if find_ignoring_case(line, b"message/rfc822").is_some() {
            self.enclosed_letters += 1;
        }
        let mut rest = line;
        while let Some(found) = find_ignoring_case(rest, b"boundary=") {
            rest = &rest[found + b"boundary=".len()..];
            let boundary = match rest.strip_prefix(b"\"") {
                Some(quoted) => quoted.split(|&byte| byte == b'"').next(),
                None => rest.split(|&byte| byte == b';' || byte.is_ascii_whitespace()).next(),
            };
            if let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) {
                self.announced.insert(boundary.to_vec());
            }
        }
    }
}

/// Where `wanted`, given in lower case, occurs in `line`, in any case.
fn find_ignoring_case(line: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut windows = line.windows(wanted.len());
    windows.position(|window| window[0].to_ascii_lowercase() == first && window.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(raw: &[u8], expected: Option<(Measure, usize)>) {
        let found = check(raw, &Limits::ORDINARY).err().map(|refusal| (refusal.measure, refusal.found));
        assert_eq!(found, expected);
    }

    #[test]
    fn p1_every_limit_is_found_before_parsing() {
        case(b"From: a@b\r\n\r\nhello", None);
        case(&vec![b'x'; 1024 * 1024 + 1], Some((Measure::LetterBytes, 1024 * 1024 + 1)));
        case(&"X: y\n".repeat(101).into_bytes(), Some((Measure::Headers, 101)));
        case(format!("X: {}\n\n", "y".repeat(70_000)).as_bytes(), Some((Measure::HeaderBytes, 70_004)));
        case(&"\n".repeat(20_001).into_bytes(), Some((Measure::Lines, 20_001)));
        let many = format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\n".repeat(51));
        case(many.as_bytes(), Some((Measure::Parts, 51)));
        let deep: String =
            (0..9).map(|n| format!("Content-Type: multipart/mixed;\n boundary=\"b{n}\"\n\n--b{n}\n")).collect();
        case(deep.as_bytes(), Some((Measure::Nesting, 9)));
    }

    #[test]
    fn siblings_are_not_nesting() {
        let siblings: String = (0..20).map(|n| format!("boundary=b{n}x\n--b{n}x\n--b{n}x--\n")).collect();
        case(siblings.as_bytes(), None);
    }
}
