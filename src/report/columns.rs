/*! The columns of everything set in fixed width: how many a text takes, padding, folding into lines.

A column is what a terminal or a mail window gives to one letter; `û` takes one whether it is one character or two.
*/

use ground::line::is_forbidden;
use unicode_width::UnicodeWidthChar;

/// The widest line of a letter (requirement S3).
pub const LETTER: usize = 72;

/// A space at which a line is never broken; it is printed as a plain one.
const FIXED_SPACE: char = '\u{a0}';

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char_width).sum() }
}

/// Combining marks and invisible characters take no column, ideographs and pictures two, all else one (UAX #11). A
/// control character is printed as one dot.
pub fn char_width(c: char) -> usize {
    match c {
        c if c.is_ascii() => 1,
        // A soft hyphen is not shown inside a line.
        '\u{ad}' => 0,
        c => c.width().unwrap_or(1),
    }
}

/// The text with blanks after it, up to the width.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text with blanks before it, up to the width.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text, cut to the width with `…` at the cut.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let mut short = first_columns(text, columns.saturating_sub(1)).trim_end().to_string();
    short.push('…');
    short
}

/// How a paragraph is folded.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    pub columns: usize,
    /// The prefix of the first line, and of every other.
    pub first: &'a str,
    pub rest: &'a str,
    /// The suffix of a line that is continued: ` \` in sentences that can be copied.
    pub goes_on: &'a str,
}

/// The text folded at its blanks; a word wider than a line is broken. The lines are joined by line feeds.
pub fn fold(text: &str, by: Fold<'_>) -> String {
    let room = |prefix: &str| by.columns.saturating_sub(width(prefix) + width(by.goes_on)).max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut taken = 0;
    let mut space = room(by.first);
    for word in text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
        let word = word.replace(FIXED_SPACE, " ");
        let columns = width(&word);
        if !line.is_empty() && taken + 1 + columns > space {
            lines.push(std::mem::take(&mut line));
            taken = 0;
            space = room(by.rest);
        }
        if !line.is_empty() {
            line.push(' ');
            taken += 1;
        }
        line.push_str(&word);
        taken += columns;
        while taken > space {
            let head = first_columns(&line, space).to_string();
            line = line[head.len()..].to_string();
            taken = width(&line);
            lines.push(head);
            space = room(by.rest);
        }
    }
    lines.push(line);
    let last = lines.len() - 1;
    let set = |(index, line): (usize, &String)| {
        let prefix = if index == 0 { by.first } else { by.rest };
        let goes_on = if index < last { by.goes_on } else { "" };
        format!("{prefix}{line}{goes_on}")
    };
    lines.iter().enumerate().map(set).collect::<Vec<_>>().join("\n")
}

/// Paragraphs, one a line of the text, each folded to the width of a letter.
pub fn paragraphs(text: &str) -> String {
    let by = Fold { columns: LETTER, first: "", rest: "", goes_on: "" };
    text.lines().map(|paragraph| fold(paragraph, by) + "\n").collect()
}

/// A sentence to copy, folded so that it can still be read: a line that goes on ends in `\`, and brackets that fit on
/// one line are never broken.
pub fn fold_sentence(sentence: &str, columns: usize, first: &str, rest: &str) -> String {
    let room = columns.saturating_sub(width(first).max(width(rest)) + 2);
    let mut kept = String::with_capacity(sentence.len());
    let mut from = 0;
    while let Some(open) = sentence[from..].find('[').map(|at| from + at) {
        let Some(close) = sentence[open..].find(']').map(|at| open + at + 1) else { break };
        kept.push_str(&sentence[from..open]);
        let group = &sentence[open..close];
        if width(group) <= room {
            kept.extend(group.chars().map(|c| if c == ' ' { FIXED_SPACE } else { c }))
        } else {
            kept.push_str(group)
        }
        from = close;
    }
    kept.push_str(&sentence[from..]);
    fold(&kept, Fold { columns, first, rest, goes_on: " \\" })
}

/// As much of the text as fits, at least one character.
pub fn first_columns(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    for (index, c) in text.char_indices() {
        taken += char_width(c);
        if taken > columns && index > 0 {
            return &text[..index];
        }
    }
    text
}

/// Two blocks of lines side by side; the second begins at `column`.
pub fn beside(first: &str, second: &str, column: usize) -> String {
    let (first, second): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    let line = |index: usize| {
        let start = first.get(index).copied().unwrap_or("");
        match second.get(index).copied().unwrap_or("") {
            "" => start.trim_end().to_string(),
            end => format!("{}{end}", left(start, column)).trim_end().to_string(),
        }
    };
    (0..first.len().max(second.len())).map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a character would change the page instead of being shown on it: controls, line separators, and marks that
/// turn the direction of what follows.
fn is_unruly(c: char) -> bool {
    is_forbidden(c) || c == '\u{feff}'
}

/// The text with every unruly character made visible as `·`. Nothing that people write can forge a line of a letter.
pub fn ruly(text: &str) -> String {
    text.chars().map(|c| if is_unruly(c) { '·' } else { c }).collect()
}

/// The page as it goes out: no blanks at the ends of lines, no two empty lines together, none first or last, and one
/// line feed at the end.
pub fn page(text: &str) -> String {
    let mut page = String::with_capacity(text.len() + 1);
    let mut is_gap = false;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            is_gap = true;
            continue;
        }
        if is_gap && !page.is_empty() {
            page.push('\n');
        }
        is_gap = false;
        page.push_str(line);
        page.push('\n');
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn wide(text: &str, expected: usize) {
        assert_eq!(width(text), expected, "{text}");
    }

    #[test]
    fn letters_with_accents_take_one_column() {
        wide("Udûn", 4);
        wide("Udu\u{302}n", 4);
        wide("Lórien – Gríma…", 15);
        wide("指輪", 4);
        wide("e\u{301}\u{323}", 1);
        wide("👑\u{fe0f}", 2);
        wide("a\u{200d}b\u{ad}c", 3);
        wide("", 0);
    }

    #[track_caller]
    fn folded(text: &str, columns: usize, expected: &str) {
        assert_eq!(fold(text, Fold { columns, first: "* ", rest: "  ", goes_on: "" }), expected);
    }

    #[test]
    fn paragraphs_are_folded_at_blanks() {
        folded("one two three", 80, "* one two three");
        folded("one two three", 9, "* one two\n  three");
        folded("Dûm Dûm Dûm", 9, "* Dûm Dûm\n  Dûm");
        folded("0123456789", 6, "* 0123\n  4567\n  89");
        folded("a\u{a0}b c", 5, "* a b\n  c");
        folded("", 5, "* ");
    }

    #[test]
    fn paragraphs_are_folded_each_by_itself() {
        let long = "word ".repeat(20);
        let line = "word ".repeat(14);
        assert_eq!(
            paragraphs(&format!("a\n\n{long}")),
            format!("a\n\n{}\n{}\n", line.trim_end(), "word ".repeat(6).trim_end())
        );
    }

    #[test]
    fn a_sentence_to_copy_says_that_it_goes_on() {
        let by = Fold { columns: 13, first: "", rest: "  ", goes_on: " \\" };
        assert_eq!(fold("attack moria now", by), "attack \\\n  moria now");
        assert_eq!(fold_sentence("attack [and leader] now", 16, "", " "), "attack \\\n [and leader] \\\n now");
    }

    #[test]
    fn blocks_stand_beside_each_other() {
        assert_eq!(beside("a\nbb\nc", "x\n\nz\nw", 4), "a   x\nbb\nc   z\n    w");
    }

    #[test]
    fn nothing_unruly_reaches_the_page() {
        assert_eq!(ruly("a\nb\u{1b}[31m\u{202e}c"), "a·b·[31m·c");
        assert_eq!(page("\n\na  \n\n\nb\n\n"), "a\n\nb\n");
        assert_eq!(cut("Anna Karenina", 6), "Anna…");
    }
}
