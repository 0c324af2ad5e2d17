/*! What an IMAP server says (RFC 3501 §7), as far as a client that only takes letters needs to understand it.

A response is a line that may hold counted bytes in the middle ([`Literal`](Token::Text)); we read it whole before we
look into it. Unknown responses are skipped, as the protocol requires.
*/

use super::{Wire, WireError};
use ground::effort;

/// The longest line behind counted bytes.
const LINE: usize = 64 * 1024;
/// The longest first line of a response: searching a large mailbox gives one long line.
const ANSWER: usize = 8 * 1024 * 1024;

/// The status of a command or of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    No,
    Bad,
    PreAuth,
    Bye,
}

/// The words after a status: a code in brackets, and text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// A code in capital letters: `UIDVALIDITY 3857529045`.
    pub code: Option<String>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `+`: go on.
    Continue(String),
    /// The end of a command, by its tag.
    Done {
        tag: String,
        status: Status,
        words: Words,
    },
    Status {
        status: Status,
        words: Words,
    },
    Capability(Vec<String>),
    /// How many letters are in the folder.
    Exists(u32),
    Search(Vec<u32>),
    Fetch(Fetched),
    Other,
}

/// What was fetched of a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    pub uid: Option<u32>,
    pub letter: Option<Vec<u8>>,
    /// When the server received it, written as the server writes dates.
    pub internal_date: Option<String>,
}

/// Reads the next response. `limit` is how large a letter may be.
pub fn read(wire: &mut Wire, limit: usize) -> Result<Reply, WireError> {
    let mut tokens = Vec::new();
    let mut raw = wire.line(ANSWER)?;
    wire.transcript.received(&raw);
    let first = raw.clone();
    let mut size = 0;
    loop {
        let Some(count) = literal(&raw).filter(|_| !is_status(&first)) else {
            lex(&raw, &mut tokens);
            return Ok(understood(&first, &tokens));
        };
        // A server can announce anything: the sum must not overflow, and a chain of empty literals must end, too.
        size = usize::saturating_add(size, count).saturating_add(raw.len());
        if size > limit + LINE {
            return Err(WireError::TooLong { limit });
        }
        let announced = raw.iter().rposition(|byte| *byte == b'{').unwrap_or(raw.len());
        lex(&raw[..announced], &mut tokens);
        tokens.push(Token::Text(wire.bytes(count)?));
        raw = wire.line(LINE)?;
    }
}

/// The number of counted bytes that follow a line: `{123}` at its end.
fn literal(line: &[u8]) -> Option<usize> {
    effort::step(line.len());
    let inside = line.strip_suffix(b"}")?;
    let start = inside.iter().rposition(|byte| *byte == b'{')?;
    let number = inside[start + 1..].strip_suffix(b"+").unwrap_or(&inside[start + 1..]);
    // `parse` alone would read `+310` as well.
    let is_number = number.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(number).ok().filter(|_| is_number)?.parse().ok()
}

/// Whether the rest of a line is text for people, which may hold anything.
fn is_status(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(&line[..line.len().min(80)]).to_uppercase();
    let mut words = line.split(' ');
    let tag = words.next();
    tag == Some("+") || words.next().is_some_and(|word| status(word).is_some())
}

fn status(word: &str) -> Option<Status> {
    match word.to_ascii_uppercase().as_str() {
        "OK" => Some(Status::Ok),
        "NO" => Some(Status::No),
        "BAD" => Some(Status::Bad),
        "PREAUTH" => Some(Status::PreAuth),
        "BYE" => Some(Status::Bye),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// A quoted string or counted bytes.
    Text(Vec<u8>),
    Open,
    Close,
}

fn lex(line: &[u8], tokens: &mut Vec<Token>) {
    let mut rest = line;
    while let Some((&byte, behind)) = rest.split_first() {
        match byte {
            b' ' => rest = behind,
            b'(' => (tokens.push(Token::Open), rest = behind).1,
            b')' => (tokens.push(Token::Close), rest = behind).1,
            b'"' => {
                let (text, behind) = quoted(behind);
                effort::step(rest.len() - behind.len());
                tokens.push(Token::Text(text));
                rest = behind;
            }
            _ => {
                let end = word_end(rest);
                effort::step(end);
                tokens.push(Token::Word(String::from_utf8_lossy(&rest[..end]).into_owned()));
                rest = &rest[end..];
            }
        }
    }
}

fn quoted(rest: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut text = Vec::new();
    let mut index = 0;
    while index < rest.len() {
        match rest[index] {
            b'"' => return (text, &rest[index + 1..]),
            b'\\' => index += 1,
            _ => {}
        }
        text.extend(rest.get(index));
        index += 1;
    }
    (text, &[])
}

/// A word ends at a blank or a bracket; `BODY[HEADER.FIELDS (DATE)]<0>` is one word.
fn word_end(rest: &[u8]) -> usize {
    let mut is_inside = false;
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'[' => is_inside = true,
            b']' => is_inside = false,
            b' ' | b'(' | b')' | b'"' if !is_inside && index > 0 => return index,
            _ => {}
        }
    }
    rest.len()
}

fn understood(first: &[u8], tokens: &[Token]) -> Reply {
    let line = String::from_utf8_lossy(first);
    let (tag, rest) = line.split_once(' ').unwrap_or((&line, ""));
    if tag == "+" {
        return Reply::Continue(rest.to_owned());
    }
    let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    if let Some(status) = status(word) {
        let words = words(behind);
        return match tag {
            "*" => Reply::Status { status, words },
            tag => Reply::Done { tag: tag.to_owned(), status, words },
        };
    }
    let word_at = |index: usize| match tokens.get(index) {
        Some(Token::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let numbers = || {
        tokens[2.min(tokens.len())..].iter().filter_map(|token| match token {
            Token::Word(word) => word.parse().ok(),
            _ => None,
        })
    };
    match word.to_ascii_uppercase().as_str() {
        "CAPABILITY" => Reply::Capability(behind.split(' ').map(str::to_ascii_uppercase).collect()),
        "SEARCH" => Reply::Search(numbers().collect()),
        number => match (number.parse::<u32>(), word_at(2).map(str::to_ascii_uppercase).as_deref()) {
            (Ok(count), Some("EXISTS")) => Reply::Exists(count),
            (Ok(_), Some("FETCH")) => Reply::Fetch(fetched(&tokens[3..])),
            _ => Reply::Other,
        },
    }
}

fn words(behind: &str) -> Words {
    let code = behind.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match code {
        Some((code, text)) => Words { code: Some(code.to_ascii_uppercase()), text: text.trim().to_owned() },
        None => Words { code: None, text: behind.trim().to_owned() },
    }
}

/// Names and values in turn, within one pair of brackets.
fn fetched(tokens: &[Token]) -> Fetched {
    let mut fetched = Fetched::default();
    let mut index = 1;
    while let Some(Token::Word(name)) = tokens.get(index) {
        let name = name.to_ascii_uppercase();
        match tokens.get(index + 1) {
            Some(Token::Word(value)) if name == "UID" => fetched.uid = value.parse().ok(),
            Some(Token::Text(text)) if name.starts_with("BODY[]") => fetched.letter = Some(text.clone()),
            Some(Token::Text(text)) if name == "INTERNALDATE" => {
                fetched.internal_date = Some(String::from_utf8_lossy(text).into_owned());
            }
            Some(Token::Open) => index = closing(tokens, index + 1).saturating_sub(1),
            _ => {}
        }
        index += 2;
    }
    fetched
}

/// Where the bracket that opens at `open` is closed.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        effort::step(1);
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(_) | Token::Text(_) => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: &Reply) {
        let mut tokens = Vec::new();
        lex(line.as_bytes(), &mut tokens);
        assert_eq!(understood(line.as_bytes(), &tokens), *expected);
    }

    fn words(code: Option<&str>, text: &str) -> Words {
        Words { code: code.map(str::to_owned), text: text.to_owned() }
    }

    #[test]
    fn i4_what_a_server_says_is_understood() {
        let status = |status, code, text| Reply::Status { status, words: words(code, text) };
        case("* OK [UIDVALIDITY 38] UIDs \"valid", &status(Status::Ok, Some("UIDVALIDITY 38"), "UIDs \"valid"));
        case("* BYE see {3}", &status(Status::Bye, None, "see {3}"));
        let done = Reply::Done { tag: "a7".to_owned(), status: Status::No, words: words(Some("TRYCREATE"), "no") };
        case("a7 NO [trycreate] no", &done);
        case("+ idling", &Reply::Continue("idling".to_owned()));
        case("+", &Reply::Continue(String::new()));
        case("* 23 EXISTS", &Reply::Exists(23));
        case("* SEARCH 2 84 882", &Reply::Search(vec![2, 84, 882]));
        case("* SEARCH", &Reply::Search(Vec::new()));
        case("* LIST () \"/\" INBOX", &Reply::Other);
        case("* 3 RECENT", &Reply::Other);
        case("", &Reply::Other);
        case("* 3 FETCH", &Reply::Fetch(Fetched::default()));
        let capability = Reply::Capability(vec!["IMAP4REV1".to_owned(), "IDLE".to_owned()]);
        case("* CAPABILITY IMAP4rev1 idle", &capability);
    }

    #[test]
    fn i4_a_letter_is_found_among_what_else_was_fetched() {
        let line = "* 12 FETCH (FLAGS (\\Seen $X) UID 4827 INTERNALDATE \"17-Jul-1996 02:44:25 -0700\" \
                    ENVELOPE (\"a\" ((\"b\" NIL)) NIL) BODY[]<0> \"hel\\\"lo\")";
        let fetched = Fetched {
            uid: Some(4827),
            letter: Some(b"hel\"lo".to_vec()),
            internal_date: Some("17-Jul-1996 02:44:25 -0700".to_owned()),
        };
        case(line, &Reply::Fetch(fetched));
    }

    #[test]
    fn only_a_number_at_the_end_announces_counted_bytes() {
        assert_eq!(literal(b"* 1 FETCH (BODY[] {310}"), Some(310));
        assert_eq!(literal(b"* 1 FETCH (BODY[] {310+}"), Some(310));
        assert_eq!(literal(b"* 1 FETCH (UID 3)"), None);
        for odd in ["{x}", "{}", "{+}", "{+3}", "{-3}", "{3++}", "{3} ", "{ 3}", "{99999999999999999999999}"] {
            assert_eq!(literal(odd.as_bytes()), None, "{odd}");
        }
        assert!(is_status(b"* NO see {3}") && !is_status(b"* 1 FETCH (BODY[] {3}"));
    }
}
