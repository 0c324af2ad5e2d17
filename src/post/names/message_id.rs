/*! The Message-ID of our letters: `<game.seq.head.seat@host>`.

Every letter's name contains the head of the log. So a player's mailbox is a witness, the `In-Reply-To` of a reply
says what its writer had seen (I2), and a letter rendered twice is the same letter (I6).
*/

use ground::hash::{Hash, sha256};
use record::commit::words::WORDS_IN_SUBJECT;
use std::fmt;

/// The name of a letter of ours, which a reply to it quotes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageId {
    pub game: String,
    pub seq: u64,
    /// SHA-256 of the last record.
    pub head: Hash,
    pub seat: String,
    /// Distinguishes letters to one seat at one head: the answer to a letter has twelve digits of that letter's hash.
    pub answers: Option<String>,
    pub host: String,
}

impl MessageId {
    /// Reads one identifier, with or without its angle brackets; `None` if it is not of this form.
    pub fn read(written: &str) -> Option<MessageId> {
        let written = written.trim().trim_start_matches('<').trim_end_matches('>');
        let (local, host) = written.split_once('@')?;
        let mut parts = local.split('.');
        let game = parts.next().filter(|game| is_game(game))?;
        let seq = parts.next().filter(|seq| is_number(seq))?.parse().ok()?;
        let head = parts.next().and_then(Hash::parse)?;
        let seat = parts.next().filter(|seat| is_seat(seat))?;
        let answers = parts.next();
        if parts.next().is_some() || answers.is_some_and(|answers| !is_hex(answers) || answers.is_empty()) {
            return None;
        }
        if host.is_empty() || !host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')) {
            return None;
        }
        Some(MessageId {
            game: game.to_owned(),
            seq,
            head,
            seat: seat.to_owned(),
            answers: answers.map(str::to_owned),
            host: host.to_lowercase(),
        })
    }

    /// The file name of this letter in an outbox: the identifier without brackets, safe in every file system.
    pub fn file_name(&self) -> String {
        file_name(&self.to_string())
    }
}

/// The file name of a letter in an outbox, by its identifier.
pub fn file_name(id: &str) -> String {
    format!("{}.eml", id.trim_matches(['<', '>']))
}

impl fmt::Display for MessageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{}.{}.{}.{}", self.game, self.seq, self.head, self.seat)?;
        if let Some(answers) = &self.answers {
            write!(formatter, ".{answers}")?;
        }
        write!(formatter, "@{}>", self.host)
    }
}

/// The hash of a letter's Message-ID, as a record names the letter (log 4.3).
pub fn hash_of(id: &str) -> Hash {
    sha256(id.trim().trim_start_matches('<').trim_end_matches('>').as_bytes())
}

/// A1: a game is named `^[a-z0-9][a-z0-9-]{0,31}$`.
pub fn is_game(name: &str) -> bool {
    is_seat(name) && name.len() <= 32
}

/// A seat is named like a game: lower case, digits, hyphens, and not a hyphen first.
pub fn is_seat(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= 64
        && name.bytes().next().is_some_and(is_letter)
        && name.bytes().all(|byte| is_letter(byte) || byte == b'-')
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_number(text: &str) -> bool {
    text.len() <= 18 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits of the head in a subject.
const DIGITS_IN_SUBJECT: usize = 20;
/// Digits of the head in the first line of a letter.
const DIGITS_IN_LINE: usize = 12;

/// The tag in the subject of a letter of ours, with its head: `[g7 #412 f7a021810afa5e3c9d1b grid creek]`. The words
/// are the first two of the fingerprint, so another game under the same name has others.
///
/// It proves nothing (A2), but it survives mail programs that lose `In-Reply-To` and relays that rename letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectTag {
    pub game: String,
    pub seq: u64,
    /// The first twenty digits of the head.
    pub head: String,
    pub words: [String; WORDS_IN_SUBJECT],
}

impl SubjectTag {
    /// Finds the first tag in a subject, after any `Re:` or `AW:`.
    pub fn find(subject: &str) -> Option<SubjectTag> {
        let mut rest = subject;
        while let Some(start) = rest.find('[') {
            rest = &rest[start + 1..];
            let inside = rest.split(']').next().unwrap_or(rest);
            if let Some(tag) = SubjectTag::read(inside) {
                return Some(tag);
            }
        }
        None
    }

    fn read(inside: &str) -> Option<SubjectTag> {
        let mut parts = inside.split_whitespace();
        let (game, seq, head) = place(&mut parts, DIGITS_IN_SUBJECT)?;
        let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let words = [parts.next().filter(is_word)?.to_owned(), parts.next().filter(is_word)?.to_owned()];
        parts.next().is_none().then_some(SubjectTag { game, seq, head, words })
    }
}

impl fmt::Display for SubjectTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{} #{} {} {}]", self.game, self.seq, self.head, self.words.join(" "))
    }
}

/// The tag in the first line of a letter of ours, with its head, between equals signs: `g7 #412 f7a021810afa`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTag {
    pub game: String,
    pub seq: u64,
    /// The first twelve digits of the head.
    pub head: String,
}

impl LineTag {
    /// Reads the text between the equals signs.
    pub fn read(inside: &str) -> Option<LineTag> {
        let mut parts = inside.split_whitespace();
        let (game, seq, head) = place(&mut parts, DIGITS_IN_LINE)?;
        parts.next().is_none().then_some(LineTag { game, seq, head })
    }
}

/// A game, the number of a record, and exactly `digits` digits of its hash.
fn place<'a>(parts: &mut impl Iterator<Item = &'a str>, digits: usize) -> Option<(String, u64, String)> {
    let game = parts.next().filter(|game| is_game(game))?;
    let seq = parts.next()?.strip_prefix('#').filter(|seq| is_number(seq))?.parse().ok()?;
    let head = parts.next().filter(|head| head.len() == digits && is_hex(head))?;
    Some((game.to_owned(), seq, head.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "f7a021810afa5e3c9d1b7c6a4e2f8091a3b5c7d9e1f2031425364758697a8b9c";

    #[test]
    fn i6_an_identifier_reads_as_it_prints() {
        for answers in [None, Some("0123456789ab".to_owned())] {
            let written = MessageId {
                game: "g7".to_owned(),
                seq: 412,
                head: Hash::parse(HEAD).unwrap(),
                seat: "witch-king".to_owned(),
                answers,
                host: "play.example".to_owned(),
            };
            assert_eq!(MessageId::read(&written.to_string()), Some(written));
        }
    }

    #[track_caller]
    fn foreign(written: &str) {
        assert_eq!(MessageId::read(written), None);
    }

    #[test]
    fn foreign_identifiers_are_nobodys() {
        foreign("<CAF8x7Lq@mail.example>");
        foreign(&format!("<../etc.412.{HEAD}.free@host>"));
        foreign(&format!("<g7.412.{HEAD}.free.xyz@host>"));
        foreign(&format!("<g7.-1.{HEAD}.free@host>"));
        foreign(&format!("<g7.412.{HEAD}.free@ho/st>"));
        foreign("");
    }

    #[track_caller]
    fn case(subject: &str, expected: Option<&str>) {
        assert_eq!(SubjectTag::find(subject).map(|tag| tag.to_string()).as_deref(), expected);
    }

    #[test]
    fn the_tag_is_found_behind_any_prefix() {
        let tag = "[g7 #412 f7a021810afa5e3c9d1b grid creek]";
        case(&format!("AW: [list] Re: {tag} Your move"), Some(tag));
        case("[g7 #412]", None);
        case("[g7 412 f7a021810afa5e3c9d1b grid creek]", None);
        case("[G7 #412 f7a021810afa5e3c9d1b grid creek", None);
        // With fewer digits, without the words, and with other things in their place.
        case("[g7 #412 f7a021810afa]", None);
        case("[g7 #412 f7a021810afa grid creek]", None);
        case("[g7 #412 f7a021810afa5e3c9d1b]", None);
        case("[g7 #412 f7a021810afa5e3c9d1b grid]", None);
        case("[g7 #412 f7a021810afa5e3c9d1b grid creek office]", None);
        case("[g7 #412 f7a021810afa5e3c9d1b grid <creek>]", None);
    }

    #[test]
    fn the_tag_of_a_first_line_has_twelve_digits() {
        let tag = LineTag::read(" g7 #412 f7a021810afa ").unwrap();
        assert_eq!((tag.game.as_str(), tag.seq, tag.head.as_str()), ("g7", 412, "f7a021810afa"));
        assert_eq!(LineTag::read("g7 #412 f7a021810afa5e3c9d1b"), None);
        assert_eq!(LineTag::read("g7 #412 f7a021810afa more"), None);
    }
}
