/*! The words of a line: without comments, bullets and full stops, and how a line below may go on with it. */

use crate::names::address::Place;
use crate::names::message_id;
use crate::reply::courtesies::is_farewell;
use crate::reply::phrases::Phrases;
use mail::letter::spelling;
use std::sync::LazyLock;

/// Words with which nobody begins a sentence, but continues one.
static GO_ON: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/goes-on.txt")));
static CONDITIONS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/condition.txt")));
static FAR_CONDITIONS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/far-condition.txt")));

/// A line as it is read.
pub(super) fn of_line(line: &str) -> String {
    spelling::without_emphasis(spelling::plain(without_comment(line)))
}

/// The seat that a line `BEGIN <game> <seat>` names.
pub(super) fn block(words: &str) -> Option<Place> {
    let mut words = words.split(' ');
    let is_begin = words.next() == Some("begin");
    let game = words.next().filter(|game| is_begin && message_id::is_game(game))?;
    let seat = words.next().filter(|seat| message_id::is_seat(seat))?;
    words.next().is_none().then(|| Place { game: game.to_owned(), seat: seat.to_owned() })
}

/// P8: `#` at the start of a line or after a space begins a comment; before a number it is how our letters call an
/// entry, as in `undo to #57`.
pub(super) fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    let is_comment = |at: &usize| !line[at + 2..].starts_with(|c: char| c.is_ascii_digit());
    let start = line.match_indices(" #").map(|(at, _)| at).find(is_comment);
    start.map_or(line, |at| &line[..at])
}

/// Without bullets, numbering and the full stop, which are no words.
pub(super) fn without_decoration(words: &str) -> &str {
    without_item(words).trim_end_matches(['.', '!', ';']).trim()
}

/// The words of an item of a list, without its bullet or number.
pub(super) fn without_item(words: &str) -> &str {
    let words =
        words.strip_prefix(['-', '*', '\u{2022}', '\u{b7}', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(words);
    let words = words.trim_start();
    let inside = words.strip_prefix('(').unwrap_or(words);
    let digits = inside.len() - inside.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = (1..=2).contains(&digits).then(|| inside[digits..].strip_prefix(['.', ')'])).flatten();
    let letter = inside.strip_prefix(|c: char| c.is_ascii_lowercase()).and_then(|rest| rest.strip_prefix(')'));
    let numbered = numbered.map(|rest| rest.strip_prefix(')').unwrap_or(rest));
    numbered.or(letter).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(words)
}

/// Whether a line as it is read, bullets and full stops aside, is in quotation marks or brackets, begins or ends a
/// quotation, or is commented out.
pub(super) fn is_set_apart(words: &str) -> bool {
    let words = without_item(words).trim_end_matches(['.', '!', ';', ',', ' ']);
    let is_in = |open: char, close: char| words.len() > 2 && words.starts_with(open) && words.ends_with(close);
    let is_bracketed = is_in('(', ')') || is_in('[', ']') || is_in('{', '}') || is_in('~', '~');
    if is_bracketed || ["//", "/*", "[ ]", "--"].iter().any(|sign| words.starts_with(sign)) {
        return true;
    }
    let is_single = words.len() > 2 && words.starts_with('\'') && words.ends_with('\'');
    let inside = words.strip_prefix('"').or_else(|| words.strip_suffix('"'));
    is_single || inside.is_some_and(|inside| !inside.trim_end_matches('"').contains('"'))
}

/// The words of a line as it is read, if it may be the rest of the one above; `None` if it is an item of a list, or
/// anything else that always begins anew.
pub(super) fn continuation(line: &str) -> Option<&str> {
    let words = line.trim_end_matches(['.', '!', ';']).trim_end();
    let begins = words.is_empty()
        || without_item(words) != words
        || words.starts_with("---")
        || words.starts_with('<')
        || block(line).is_some()
        || is_farewell(words, words);
    (!begins).then_some(words)
}

/// The word or sign at the end of a text after which something is missing; `None` if nothing is.
pub fn unfinished(words: &str) -> Option<&str> {
    ["\\", ",", " -", " and", " from", " with", " to", " ="].into_iter().find(|end| words.ends_with(end)).map(str::trim)
}

/// Whether a line begins with a word that continues the sentence above. If that `is_ended` by a full stop, only a
/// condition does.
pub(super) fn goes_on(words: &str, is_ended: bool) -> bool {
    let words = behind_signs(words);
    CONDITIONS.begin_with_words(words) || (!is_ended && GO_ON.begin_with_words(words))
}

/// Whether a line begins like the rest of a sentence, and not like a condition.
pub(super) fn is_rest(words: &str) -> bool {
    GO_ON.begin_with_words(words)
}

/// Whether a line begins with a condition for what stands above a blank line.
pub(super) fn is_far_condition(words: &str) -> bool {
    FAR_CONDITIONS.begin_with_words(behind_signs(words))
}

/// A line without the signs that it begins with: `(only if …)`, `… or not`.
fn behind_signs(words: &str) -> &str {
    words.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// The beginnings of clauses, which are no sentences by themselves, or continue the line above at once.
const CLAUSES: [&str; 6] = ["until ", "reduce elites until ", "cards ", "ask me if ", "stop if ", "go on if "];

/// Whether a line begins with a clause, which belongs to the sentence above it.
pub fn begins_clause(words: &str) -> bool {
    CLAUSES.iter().any(|clause| words.starts_with(clause))
}

/// The line that lets a stopped plan go on.
pub const LET_GO_ON: &str = "go on";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_in_quotation_marks_is_known() {
        for words in [
            "\"end turn\"",
            "- \"end turn\".",
            "'end turn'!",
            "\"attack moria",
            "from lorien\"",
            "1. \"pass\",",
            "(pass)",
            "[end turn]",
            "// pass",
            "--pass--",
        ] {
            assert!(is_set_apart(words), "{words}");
        }
        for words in ["end turn", "play \"bree\"", "\"bree\" is what i \"play\" now", "'", "it's", "\"a\" or \"b\""] {
            assert!(!is_set_apart(words), "{words}");
        }
    }
}
