/*! Makes the spelling of a line plain before it is read (requirement P5), and knows the characters that a sentence
must not have (P3).

Mail programs turn quotation marks, hyphens and spaces into prettier ones. We undo this for reading; the line as
written is kept as well, for the echo and the archive.
*/

use ground::effort;
use unicode_normalization::UnicodeNormalization;

/// A character that makes a line unreadable, and its column, so that the answer can point at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// U+FFFD: a mail program or server could not decode it.
    #[error("a character was lost on the way in column {column}")]
    Lost { column: usize },
    /// NUL, escape and the other control characters.
    #[error("there is a control character (U+{:04X}) in column {column}", u32::from(*.character))]
    Control { column: usize, character: char },
    /// A bidirectional override or isolate: readers see the line in another order than it is written in.
    #[error(
        "there is a character that changes the direction of reading (U+{:04X}) in column {column}",
        u32::from(*.character)
    )]
    Direction { column: usize, character: char },
}

impl Fault {
    /// The column of the character, from 1, in characters.
    pub fn column(&self) -> usize {
        match self {
            Fault::Lost { column } | Fault::Control { column, .. } | Fault::Direction { column, .. } => *column,
        }
    }
}

/// The first character of a line that a sentence must not have.
pub fn fault(line: &str) -> Option<Fault> {
    line.chars().enumerate().find_map(|(index, character)| {
        let column = index + 1;
        match character {
            '\u{fffd}' => Some(Fault::Lost { column }),
            '\t' => None,
            '\u{2028}' | '\u{2029}' => Some(Fault::Control { column, character }),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Fault::Direction { column, character }),
            _ if character.is_control() => Some(Fault::Control { column, character }),
            _ => None,
        }
    })
}

/// The column at which a line begins to be struck out: by strokes through the letters, between `~~`, or, from its
/// first column, as a whole between hyphens: `-end turn-`.
pub fn struck(line: &str) -> Option<usize> {
    // A stroke follows the letter that it strikes out.
    let through = line.chars().position(|character| matches!(character, '\u{335}'..='\u{338}'));
    let between = line.split_once("~~").filter(|(_, behind)| behind.trim_start_matches('~').contains("~~"));
    let hyphened = line.trim().strip_prefix('-').and_then(|line| line.strip_suffix('-'));
    let is_hyphened = hyphened
        .is_some_and(|inside| inside.starts_with(char::is_alphanumeric) && inside.ends_with(char::is_alphanumeric));
    if is_hyphened {
        return Some(1);
    }
    through.map(|column| column.max(1)).or_else(|| between.map(|(before, _)| before.chars().count() + 1))
}

/// P5: the line as we read keywords in it: NFKC, plain quotation marks, hyphens and spaces, nothing invisible, lower
/// case.
pub fn plain(line: &str) -> String {
    if line.is_ascii() {
        let mut plain = collapse(line);
        plain.make_ascii_lowercase();
        return plain;
    }
    let plain: String = line.nfkc().filter_map(plain_character).flat_map(char::to_lowercase).collect();
    // Lower case may make a sequence that composes again (İ): NFKC once more, so that a second reading changes
    // nothing.
    collapse(&plain.nfkc().collect::<String>())
}

fn plain_character(character: char) -> Option<char> {
    match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => Some('\''),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => Some('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        _ if is_invisible(character) => None,
        _ if character.is_whitespace() => Some(' '),
        _ => Some(character),
    }
}

/// Zero width, soft hyphen, byte order mark, marks of direction, variation selectors.
pub fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{61c}')
        || ('\u{fe00}'..='\u{fe0f}').contains(&character)
}

/// The words of a text, one space between them.
pub(crate) fn collapse(text: &str) -> String {
    effort::step(text.len());
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// The words without the marks that mail programs put around bold, underlined and italic words in plain text:
/// `declare fellowship *lorien*`.
pub fn without_emphasis(words: String) -> String {
    const MARKS: [char; 3] = ['*', '_', '/'];
    if !words.contains(MARKS) {
        return words;
    }
    MARKS.iter().fold(words, |words, &mark| without_pairs(&words, mark))
}

/// A pair of marks opens where a word begins and closes where one ends; any other mark is part of the text.
fn without_pairs(words: &str, mark: char) -> String {
    let mut kept = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once(mark) {
        kept.push_str(before);
        let is_open = kept.is_empty() || kept.ends_with(|c: char| !c.is_alphanumeric() && c != mark);
        let inside = behind.split_once(mark).filter(|(inside, after)| {
            let is_closed = !after.starts_with(|c: char| c.is_alphanumeric() || c == mark);
            is_open && is_closed && !inside.is_empty() && inside.trim() == *inside
        });
        let Some((inside, after)) = inside else {
            kept.push(mark);
            rest = behind;
            continue;
        };
        kept.push_str(inside);
        rest = after;
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: &str) {
        assert_eq!(plain(line), expected);
        assert_eq!(plain(expected), expected, "reading twice changes nothing");
    }

    #[test]
    fn p5_pretty_characters_become_plain() {
        case("Attack  Mordor\u{a0}from\tGondor", "attack mordor from gondor");
        case("the\u{2011}shire \u{2013} \u{201c}yes\u{201d} it\u{2019}s\u{2026}", "the-shire - \"yes\" it's...");
        case("\u{feff}\u{ff41}ttack mor\u{ad}dor\u{200b}", "attack mordor");
        case("\u{2009}3\u{202f}the\u{2212}shire", "3 the-shire");
        case("MÛMAKIL", "mûmakil");
        case("u\u{302}", "û");
    }

    #[track_caller]
    fn emphasised(words: &str, expected: &str) {
        assert_eq!(without_emphasis(words.to_owned()), expected);
    }

    #[test]
    fn p5_the_marks_of_bold_underlined_and_slanted_words_are_no_words() {
        emphasised("*attack mordor from gondor with 3*", "attack mordor from gondor with 3");
        emphasised("declare fellowship *lorien*", "declare fellowship lorien");
        emphasised("*place* 3 /the-shire/, 2 */_minas tirith_/*.", "place 3 the-shire, 2 minas tirith.");
        emphasised("- *pass*", "- pass");
        emphasised("* declare fellowship lorien", "* declare fellowship lorien");
        emphasised("* one * two", "* one * two");
        emphasised("zone europe/berlin, 3*4*5, snake_case_name", "zone europe/berlin, 3*4*5, snake_case_name");
        emphasised("code ____-____ **", "code ____-____ **");
        emphasised("*bold without an end", "*bold without an end");
    }

    #[test]
    fn p6_what_is_struck_out_is_known_in_plain_text() {
        assert_eq!(struck("pass p\u{336}a\u{336}"), Some(6));
        assert_eq!(struck("attack ~~moria~~ bree"), Some(8));
        assert_eq!(struck(" -end turn-"), Some(1));
        assert_eq!(struck("- end turn -"), None);
        assert_eq!(struck("~~~~ attack ~ moria"), None);
    }

    #[track_caller]
    fn faulty(line: &str, expected: Option<usize>) {
        assert_eq!(fault(line).map(|fault| fault.column()), expected);
    }

    #[test]
    fn p3_control_and_direction_are_refused() {
        faulty("attack\tmordor", None);
        faulty("att\0ck", Some(4));
        faulty("\u{1b}[31mattack", Some(1));
        faulty("attack \u{202e}rodrom", Some(8));
        faulty("caf\u{fffd}", Some(4));
        faulty("mûmakil", None);
        faulty("\u{85}", Some(1));
    }
}
