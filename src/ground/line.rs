/*! Texts that somebody else wrote, where they are printed in a line: nothing in them may end the line, move the cursor,
turn the direction of writing, or be invisible.
*/

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character does more than stand in its place: it controls a terminal, ends a line, or turns the direction.
pub fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character is escaped where it is printed: one that is forbidden, or one that nobody sees.
fn is_escaped(c: char) -> bool {
    let is_unseen = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    is_forbidden(c) || is_unseen || matches!(c, '\u{fff9}'..='\u{ffff}')
}

/// What is kept of a text that may stand in a line of ours: nothing forbidden, and at most so many characters.
pub fn cleaned(text: &str, most: usize) -> String {
    text.chars().filter(|c| !is_forbidden(*c)).take(most).collect()
}

/// A text as it is printed, with `\u202e` in place of what would not stand still.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut printed = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) {
            write!(printed, "\\u{:04x}", u32::from(c)).expect("a string takes everything");
        } else {
            printed.push(c);
        }
    }
    Cow::Owned(printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        assert_eq!(printable(text), expected);
    }

    #[test]
    fn a_cleaned_text_is_short_and_stands_still() {
        assert_eq!(cleaned("Éo\u{1b}\u{202e}wyn\nof Rohan", 8), "Éowynof ");
    }

    #[test]
    fn what_would_not_stand_still_is_escaped() {
        case("Éowyn of Rohan, 🐎", "Éowyn of Rohan, 🐎");
        case("g7\nOK g7", "g7\\u000aOK g7");
        case("\u{1b}[2J", "\\u001b[2J");
        case("a\u{202e}b\u{2028}c\u{200b}d\u{85}", "a\\u202eb\\u2028c\\u200bd\\u0085");
    }
}
