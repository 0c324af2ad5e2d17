/*! What programs put into a letter besides its text: rules across the page, frames, signatures of phones,
disclaimers, the armour of signed text, and the fixed lines of our own letters.
*/

use super::attribution::PlainLine;
use super::phrases::Phrases;
use std::sync::LazyLock;

/// A rule across the page: mailing lists, virus scanners and Outlook put one between a letter and the rest.
pub fn is_rule(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or(' ');
    matches!(first, '_' | '-' | '=' | '*' | '~' | '\u{2500}' | '\u{2014}')
        && text.chars().count() >= 5
        && characters.all(|c| c == first)
}

/// Words between two rules: `----- Mensagem de origem -----`.
pub fn is_framed(text: &str) -> bool {
    let is_rule = |c: char| matches!(c, '-' | '_' | '=' | '*' | '\u{2500}' | '\u{2014}');
    let is_long = |rule: usize| rule >= 4;
    is_long(text.chars().take_while(|c| is_rule(*c)).count())
        && is_long(text.chars().rev().take_while(|c| is_rule(*c)).count())
        && !text.trim_matches(is_rule).trim().is_empty()
}

/// First words of the lines that phones and programs add by themselves.
static DEVICE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/device.txt")));

/// Last words of such lines, in languages that put the verb there.
const SENT_FROM: [&str; 9] = [
    "から送信",
    "에서 보냄",
    "에서 보냈습니다",
    "dan gönderildi",
    "den gönderildi",
    "傳送",
    "ról küldve",
    "ről küldve",
    "से भेजा गया",
];

/// The most words of such a line.
const DEVICE_WORDS_MAX: usize = 12;

pub fn is_device_signature(line: &PlainLine) -> bool {
    let text = line.as_str().trim_start_matches(['-', '_', '*', ' ', '\u{2014}', '\u{200f}', '\u{200e}']);
    let text = text.trim_end_matches(['.', '!', ' ']);
    if text.split(' ').nth(DEVICE_WORDS_MAX).is_some() {
        return false;
    }
    // `Outlook für Android herunterladen`, in whatever language.
    let has = |word: &str| text.split(|c: char| !c.is_alphanumeric()).any(|found| found == word);
    let is_outlook = has("outlook") && (has("android") || has("ios") || has("mac") || has("windows"));
    is_outlook || DEVICE.begin(text) || SENT_FROM.iter().any(|last| text.ends_with(last))
}

/// First words of lines that lawyers and virus scanners add.
static DISCLAIMER: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/disclaimer.txt")));

pub fn is_disclaimer(line: &PlainLine) -> bool {
    let text = line.as_str().trim_start_matches(['*', '_', ' ']);
    DISCLAIMER.begin(text)
}

/// Headings and fixed lines of our own letters, which no player writes himself.
static OURS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/our-letters.txt")));

/// Whether a line is one of our letters' lines: then their first line was trimmed off, and all that follows is
/// quoted.
pub fn is_of_ours(text: &str) -> bool {
    OURS.begin_with_words(text)
}

const SIGNED_TEXT: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
const SIGNATURE_END: &str = "-----END PGP SIGNATURE-----";
/// No signature has more lines.
const SIGNATURE_LINES_MAX: usize = 100;
const ENCRYPTED: &str = "-----BEGIN PGP MESSAGE-----";

/// Which part of PGP begins in a line (RFC 9580, 6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// The head of a signed text, with its number of lines.
    Head(usize),
    /// A signature, with its number of lines.
    Signature(usize),
    /// It goes on to the end of the letter.
    Encrypted,
}

/// The armour that begins in the first of these lines; text below its head is the writer's own.
pub fn armour<'a>(mut lines: impl Iterator<Item = &'a str>) -> Option<Armour> {
    let first = lines.next()?.trim();
    match first {
        SIGNED_TEXT => {
            let names = ["Hash", "NotDashEscaped", "SaltedHash", "Version", "Comment", "Charset"];
            let is_field = |line: &&str| line.trim().split_once(':').is_some_and(|(name, _)| names.contains(&name));
            Some(Armour::Head(1 + lines.take_while(is_field).count()))
        }
        SIGNATURE => {
            let inside = lines.take(SIGNATURE_LINES_MAX).take_while(|line| line.trim() != SIGNATURE_END);
            Some(Armour::Signature(2 + inside.count()))
        }
        ENCRYPTED => Some(Armour::Encrypted),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armour_is_taken_off_line_by_line() {
        let armour = |text: &str| armour(text.lines());
        assert_eq!(armour("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\npass\n"), Some(Armour::Head(2)));
        assert_eq!(
            armour("-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\nx"),
            Some(Armour::Signature(4))
        );
        assert_eq!(armour("-----BEGIN PGP MESSAGE-----\n\nhQ\n"), Some(Armour::Encrypted));
        assert_eq!(armour("pass"), None);
    }
}
