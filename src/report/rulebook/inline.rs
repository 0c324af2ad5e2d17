/*! A line of Markdown as the rulebooks write it: emphasis, words of the program, switches, marks of sources, and the
numbers of other paragraphs.
*/

use crate::rulebook::number::Number;

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Strong,
    Emphasis,
    /// Something to be typed, or the name of a file.
    Code,
    /// The name of a switch.
    Switch,
    /// What a rule rests on: `R 22`, `▲8`.
    Mark,
}

/// A stretch of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub style: Style,
    pub text: String,
}

/// The stretches of a line. `marks` are the letters that the legend of the book explains.
pub fn spans(line: &str, marks: &[String]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let framed = match first {
            '*' if rest.starts_with("**") => framed(rest, "**", "**", Style::Strong),
            '*' => framed(rest, "*", "*", Style::Emphasis),
            '`' => framed(rest, "`", "`", Style::Code),
            '‹' => framed(rest, "‹", "›", Style::Switch),
            '[' => framed(rest, "[", "]", Style::Mark).filter(|(span, _)| is_mark(&span.text, marks)),
            _ => None,
        };
        match framed {
            Some((span, after)) => {
                spans.push(span);
                rest = after;
            }
            None => {
                match spans.last_mut() {
                    Some(last) if last.style == Style::Plain => last.text.push(first),
                    _ => spans.push(Span { style: Style::Plain, text: first.to_string() }),
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    spans
}

fn framed<'l>(text: &'l str, open: &str, close: &str, style: Style) -> Option<(Span, &'l str)> {
    let inside = text.strip_prefix(open)?;
    let end = inside.find(close).filter(|end| *end > 0)?;
    Some((Span { style, text: inside[..end].to_string() }, &inside[end + close.len()..]))
}

/// Whether the words in brackets are a mark: a letter of the legend, perhaps with pages, or a ruling.
fn is_mark(inside: &str, marks: &[String]) -> bool {
    let mut words = inside.split(' ');
    let letter = words.next().unwrap_or("");
    let is_ruling = letter.starts_with('▲') && Number::read(letter).is_some();
    let is_page = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    (is_ruling || marks.iter().any(|mark| mark == letter)) && words.all(is_page)
}

/// The text without Markdown; marks of sources and switches stay, in their brackets.
pub fn bare(line: &str, marks: &[String]) -> String {
    let set = |span: Span| match span.style {
        Style::Mark => format!("[{}]", span.text),
        Style::Switch => format!("‹{}›", span.text),
        Style::Plain | Style::Strong | Style::Emphasis | Style::Code => span.text,
    };
    spans(line, marks).into_iter().map(set).collect()
}

/// The text without any Markdown: no marks of sources, no switches.
pub fn plain(line: &str, marks: &[String]) -> String {
    let spans = spans(line, marks);
    let said = spans.iter().filter(|span| !matches!(span.style, Style::Mark | Style::Switch));
    let text: String = said.map(|span| span.text.as_str()).collect();
    let mut words = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    for end in [" :", " .", " ;", " ,"] {
        words = words.replace(end, &end[1..]);
    }
    words
}

/// A number in a text, or a stretch of text without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'l> {
    Text(&'l str),
    Number(Number, &'l str),
}

/// The text in pieces: every number of a paragraph in it, and the text between.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut before = None;
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        let is_inside = |before: char| before.is_alphanumeric() || matches!(before, '.' | '-' | '_' | '/');
        let is_version = text[..at].ends_with("version ");
        let starts = at >= skip_to && !before.is_some_and(is_inside) && !is_version;
        before = Some(c);
        if !starts || !matches!(c, '0'..='9' | 'C' | 'S' | '▲') {
            continue;
        }
        let Some((number, rest)) = Number::begins(&text[at..]) else { continue };
        if !ends(rest) {
            continue;
        }
        if from < at {
            pieces.push(Piece::Text(&text[from..at]));
        }
        let end = text.len() - rest.len();
        pieces.push(Piece::Number(number, &text[at..end]));
        from = end;
        skip_to = end;
    }
    if from < text.len() {
        pieces.push(Piece::Text(&text[from..]));
    }
    pieces
}

/// Whether a number may end before this: no letter follows, and no point with further digits.
fn ends(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        None => true,
        Some('.') => !next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_alphanumeric() && c != '_',
    }
}

/// The numbers in a text.
pub fn numbers(text: &str) -> impl Iterator<Item = Number> + '_ {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Number(number, _) => Some(number),
        Piece::Text(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks() -> Vec<String> {
        ["R", "A"].map(str::to_string).to_vec()
    }

    #[track_caller]
    fn case(line: &str, expected: &str) {
        assert_eq!(plain(line, &marks()), expected);
    }

    #[test]
    fn nothing_of_markdown_is_left() {
        case("**Army die**: *two* Armies. [R 27, 28][A] ‹mp.pass›", "Army die: two Armies.");
        case("Ring not at Mount Doom [▲28]:", "Ring not at Mount Doom:");
        case("2 * 3 [sic] `ring`", "2 * 3 [sic] ring");
    }

    #[test]
    fn numbers_are_found_where_they_stand_alone() {
        let found: Vec<String> = numbers("9.24 (13.9), C2.18; S155. ▲8. Not 1.2.3, v2.5, version 2.6, 0.5x or S12.")
            .map(|n| n.to_string())
            .collect();
        assert_eq!(found, ["9.24", "13.9", "C2.18", "S155", "▲8"]);
    }
}
