/*! What people write under their sentences, where no mail program marks it: their name, a firm, an address, numbers.

Such lines are no sentences, and must be neither refused nor kept until their seat is asked. In doubt they are
sentences: a line that begins like one is one, and the answer names everything that was passed over.
*/

use super::request;
use super::sentences::{Reading, Said};
use super::unread::{LineRefusal, NotRead, Unread};
use crate::reply::attribution::{self, PlainLine};
use crate::reply::courtesies;
use crate::reply::quoting::{self, Ownership};
use crate::reply::verdict::Doubt;
use crate::reply::vocabulary::Vocabulary;
use mail::letter::flowed::Line;
use mail::letter::spelling;
use std::collections::BTreeSet;

/// The last lines of a letter, if they are probably what its writer puts under his letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOff {
    /// Its first line and its last one.
    pub first: usize,
    pub last: usize,
    /// Its lines as they are read, without signs at their beginning.
    pub words: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The writer's name.
    Name,
    /// A number, an address, a page.
    Contact,
    /// A few words, all of them with capitals: a firm, a street, a profession.
    Titled,
}

/// A line that may stand under a letter.
struct Under<'a> {
    first: usize,
    last: usize,
    words: &'a str,
    kind: Kind,
}

/// Finds the sign-off of a letter that says or greets something: from the writer's name on, or the last paragraph if
/// it tells how to reach him. `names` are the writer's names.
pub fn find(reading: &Reading, names: &[String]) -> Option<SignOff> {
    let lines: Vec<Under<'_>> = reading.said.iter().rev().map_while(|said| under(said, names)).collect();
    let lines: Vec<Under<'_>> = lines.into_iter().rev().collect();
    let above = &reading.said[..reading.said.len() - lines.len()];
    let said_above = |line: &Under<'_>| above.iter().filter_map(verb).any(|verb| verb == first_word(line.words));
    let is_courteous = reading.is_courteous();
    let has_sentence = is_courteous || !above.is_empty();
    if !has_sentence || lines.iter().any(said_above) {
        return None;
    }
    let end_above = above.last().map_or(0, |said| match said {
        Said::Sentence(sentence) => sentence.last,
        Said::Refused(_) => said.line(),
    });
    let start = lines.iter().position(|line| line.kind == Kind::Name).or_else(|| paragraph(&lines, end_above))?;
    let under = &lines[start..];
    // The reader of a game skips the signs at the beginning of a line; so do we, because we ask how far it reads.
    let bare = |line: &Under<'_>| line.words.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words = under.iter().map(bare).collect();
    Some(SignOff { first: under[0].first, last: under.last()?.last, words })
}

/// P7: there may be sentences below `--`, or in what looks like a footer or an old letter. If an unmarked line there
/// begins like a sentence, above the first line of a letter of ours, the answer names it.
pub fn name_sentences(reading: &mut Reading, lines: &[Line], vocabulary: &Vocabulary) {
    let verbs: BTreeSet<&str> = reading.said.iter().filter_map(verb).collect();
    let end = lines.get(quoting::above_our_letter(lines)).map_or(usize::MAX, |line| line.number);
    let is_said = |line: &Line| line.depth == 0 && verbs.contains(first_word(&spelling::plain(&line.text)));
    let is_sentence = |line: &Line| {
        let is_field = attribution::is_field(&PlainLine::of(&line.text));
        line.depth == 0 && line.number < end && !is_field && vocabulary.opens_whole(&spelling::plain(&line.text))
    };
    let mut named = Vec::new();
    for unread in &mut reading.unread {
        let NotRead::NotOwn(owner) = unread.reason else { continue };
        let start = lines.partition_point(|line| line.number < unread.first);
        let mut within = lines[start..].iter().take_while(|line| line.number <= unread.last);
        // A signature behind the standard separator is marked as one.
        let is_marked = lines.get(start).is_some_and(|first| first.text == "-- ");
        unread.reason = match owner {
            Ownership::Signature | Ownership::Footer
                if within.any(|line| is_said(line) || (!is_marked && is_sentence(line))) =>
            {
                NotRead::NotOwn(Ownership::BelowFooter)
            }
            Ownership::PerhapsOld => {
                let found: Vec<&Line> = within.filter(|line| is_sentence(line)).collect();
                if let [first, ..] = found[..] {
                    let last = found.last().map_or(first.last, |last| last.last);
                    named.push(Unread { first: first.number, last, reason: NotRead::PerhapsOwn });
                }
                NotRead::NotOwn(Ownership::Quoted)
            }
            owner => NotRead::NotOwn(owner),
        };
    }
    reading.unread.extend(named);
}

fn verb(said: &Said) -> Option<&str> {
    match said {
        Said::Sentence(sentence) => Some(first_word(&sentence.words)),
        Said::Refused(_) => None,
    }
}

/// Where the last paragraph begins, if it is one of its own and tells how to reach the writer.
fn paragraph(lines: &[Under<'_>], end_above: usize) -> Option<usize> {
    let is_apart = |index: &usize| {
        let above = index.checked_sub(1).map_or(end_above, |above| lines[above].last);
        lines[*index].first > above + 1
    };
    let start = (0..lines.len()).rev().find(is_apart)?;
    lines[start..].iter().any(|line| line.kind == Kind::Contact).then_some(start)
}

/// A line as it may stand under a letter.
fn under<'a>(said: &'a Said, names: &[String]) -> Option<Under<'a>> {
    let (first, last, words, original) = match said {
        Said::Sentence(sentence) if sentence.signed.is_none() && sentence.below.is_none() => {
            // The line of an address may end in a comma.
            let bare = |words: &'a str| words.trim_end_matches([',', ' ']);
            (sentence.line, sentence.last, bare(&sentence.words), bare(&sentence.original))
        }
        Said::Refused(refused) if matches!(refused.reason, LineRefusal::Unfinished { .. }) => {
            let words = refused.original.trim_end_matches([',', ' ']);
            (refused.line, refused.line, words, words)
        }
        // A way to reach the writer is one, whatever a word in it may mean elsewhere.
        Said::Refused(refused) => match &refused.reason {
            LineRefusal::Doubt(doubt) if *doubt == Doubt::Unknown || is_contact(&refused.original) => {
                let words = refused.original.trim_end_matches([',', ' ']);
                (refused.line, refused.line, words, words)
            }
            _ => return None,
        },
        Said::Sentence(_) => return None,
    };
    let is_asked = request::find(words).is_some() || words.starts_with("when ") || words.starts_with("cancel ");
    let kind = match original {
        _ if is_asked || courtesies::is_shortest(words) => return None,
        _ if courtesies::is_signature(words, names) => Kind::Name,
        _ if is_contact(words) || (is_titled(original) && has_number(words)) => Kind::Contact,
        _ if is_titled(original) => Kind::Titled,
        _ => return None,
    };
    Some(Under { first, last, words, kind })
}

/// Whether a line may stand under a letter, whoever wrote it.
pub fn is_under(words: &str, original: &str) -> bool {
    let is_quoted = original.trim().starts_with(['"', '\u{201c}', '\u{201e}', '\u{ab}', '\u{2018}']);
    is_contact(words) || is_titled(original) || is_quoted
}

fn first_word(words: &str) -> &str {
    words.split(' ').next().unwrap_or(words)
}

/// `Tel. +49 30 1234567`, `anna@shire.example`, `www.shire.example`.
fn is_contact(words: &str) -> bool {
    let words = words.to_lowercase();
    let digits = words.chars().filter(char::is_ascii_digit).count();
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let named = ["tel", "phone", "telefon", "mobil", "mobile", "cell", "fax", "t:", "m:", "p:", "tél", "téléphone"];
    let first = words.split([' ', '.', ':']).next().unwrap_or(&words);
    let is_named = named.contains(&first) || named.iter().any(|label| words.starts_with(label) && label.ends_with(':'));
    let is_number = digits >= 6 && (letters == 0 || is_named);
    let is_address = words.split(' ').any(|word| word.contains('@') && word.contains('.'));
    is_number || is_address || words.contains("://") || words.contains("www.")
}

/// `Anna Brandybuck | Buckland | +49 30 1234567`.
fn has_number(words: &str) -> bool {
    let behind_plus = words.split_once('+').map_or("", |(_, behind)| behind);
    behind_plus.chars().filter(char::is_ascii_digit).count() >= 6
}

/// Every word begins with a capital or a figure, but for the small ones between them.
fn is_titled(original: &str) -> bool {
    const SMALL: [&str; 21] = [
        "of", "to", "and", "the", "for", "at", "in", "und", "für", "der", "die", "das", "de", "la", "le", "du", "et",
        "y", "e", "di", "van",
    ];
    // Bold, in plain text.
    let original = original.trim_matches(['*', '_', '/', ' ']);
    let words: Vec<&str> = original.split_whitespace().collect();
    let is_great = |word: &&str| {
        let first = word.chars().find(|c| c.is_alphanumeric());
        first.is_none_or(|first| first.is_uppercase() || first.is_ascii_digit()) || SMALL.contains(word)
    };
    words.len() <= 8 && words.iter().all(is_great) && original.starts_with(char::is_alphanumeric)
}
