/*! From decoded text to lines: joins the lines of `format=flowed` (RFC 3676), and counts the depth of quoting.

A wrapped sentence must never be cut in two unnoticed (P4). If the letter says how it was wrapped, we join by that; if
not, lines stay as they are, and only an explicit `\` continues one.
*/

use super::spelling::is_invisible;
use std::iter;

/// How the lines of a text part were broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Nothing says that a program added line breaks.
    Fixed,
    /// RFC 3676: a line that ends in a space continues in the next.
    Flowed,
    /// RFC 3676 with `DelSp=yes`: the same, and the sender's program added that space.
    FlowedWithoutSpace,
}

/// Whether we know that the writer made the line breaks around a line himself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// The mail program may have wrapped here without saying so.
    Uncertain,
    /// `format=flowed`, or a paragraph of HTML.
    Meant,
}

/// How the writer saw a line on his page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    #[default]
    Text,
    /// In a field of a form.
    Field,
    /// The page hides other words between those of the line.
    Torn,
}

/// One line of the text, without quoting prefix, flowed lines joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it starts in the text part; the first line is 1.
    pub number: usize,
    /// Where it ends: `number`, unless lines were joined.
    pub last: usize,
    /// How many times it is quoted; 0 is the writer's own.
    pub depth: usize,
    pub text: String,
    pub breaks: Breaks,
    pub standing: Standing,
    /// How wide the line was in the letter, quoting prefix included.
    pub width: usize,
}

/// Signs of quotation: `>` and `|` in several widths, and the bars that programs draw to the left of a quotation.
const QUOTED: [char; 11] = [
    '>', '\u{ff1e}', '\u{fe65}', '|', '\u{ff5c}', '\u{a6}', '\u{2502}', '\u{2503}', '\u{258c}', '\u{258e}', '\u{258f}',
];

/// How many characters a name before a sign of quotation may have: `Gandalf> `.
const NAME_MAX: usize = 20;

/// Breaks decoded text into lines.
pub fn lines(text: &str, flow: Flow) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = false;
    let mut flows = false;
    for (index, line) in physical_lines(text).enumerate() {
        let (depth, rest) = match flow {
            Flow::Fixed => fixed_depth(line),
            Flow::Flowed | Flow::FlowedWithoutSpace => flowed_depth(line),
        };
        // RFC 3676 §4.3: the signature separator is never flowed, although it ends in a space.
        let is_separator = rest == "-- ";
        let soft = flow != Flow::Fixed && rest.ends_with(' ') && !is_separator;
        let content = match flow {
            Flow::FlowedWithoutSpace if soft => &rest[..rest.len() - 1],
            _ => rest,
        };
        match lines.last_mut() {
            // RFC 3676 §4.5: a paragraph ends where the depth of quoting changes.
            Some(last) if goes_on && last.depth == depth && !is_separator => {
                last.text.push_str(content);
                last.last = index + 1;
            }
            _ => lines.push(Line {
                number: index + 1,
                last: index + 1,
                depth,
                text: content.to_owned(),
                breaks: if flow == Flow::Fixed { Breaks::Uncertain } else { Breaks::Meant },
                standing: Standing::Text,
                // The space that ends a flowed line does not count as a column.
                width: if soft { line.trim_end_matches(' ') } else { line }.chars().count(),
            }),
        }
        goes_on = soft;
        flows |= soft && depth == 0;
    }
    // Editors that do not know format=flowed, and gateways that strip spaces, may have broken the line here as well.
    if !flows {
        lines.iter_mut().filter(|line| line.depth == 0).for_each(|line| line.breaks = Breaks::Uncertain);
    }
    lines
}

/// Splits at CR LF, LF and CR.
fn physical_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let end = rest.bytes().position(|byte| matches!(byte, b'\r' | b'\n'));
        let (line, below) = match end {
            Some(end) => (&rest[..end], rest[end..].strip_prefix("\r\n").unwrap_or(&rest[end + 1..])),
            None if rest.is_empty() => return None,
            None => (rest, ""),
        };
        rest = below;
        Some(line)
    })
}

/// RFC 3676 §4.5: all `>` are at the start; §4.4: one stuffed space after them is removed.
fn flowed_depth(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches('>');
    let depth = line.len() - rest.len();
    (depth, rest.strip_prefix(' ').unwrap_or(rest))
}

/// The depth of quoting in a line that is not flowed: `>`, `> >`, `>>`, `|`, `| |`, and what looks like these.
///
/// P6: a quoted line is never a sentence. `> >` counts 2. The first sign may follow spaces, with which some programs
/// indent their quotes, invisible characters, and the name or initials of the person quoted: `RM> `.
pub(crate) fn fixed_depth(line: &str) -> (usize, &str) {
    let mut depth = 0;
    let mut rest = line;
    let name = line.trim_start().trim_start_matches(char::is_alphabetic);
    if name.starts_with('>') && line.trim_start().chars().count() - name.chars().count() <= NAME_MAX {
        rest = name;
    }
    loop {
        let ahead = rest.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
        match ahead.strip_prefix(QUOTED) {
            Some(after) => {
                depth += 1;
                rest = after;
            }
            None if depth == 0 => return (0, line),
            None => return (depth, rest.strip_prefix(' ').unwrap_or(rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, flow: Flow, expected: &[(usize, &str)]) {
        let found = lines(text, flow);
        let found: Vec<(usize, &str)> = found.iter().map(|line| (line.depth, line.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn p4_flowed_lines_are_joined() {
        case(
            "attack mordor from \ngondor with 5\nend",
            Flow::Flowed,
            &[(0, "attack mordor from gondor with 5"), (0, "end")],
        );
        case("attack mor \ndor", Flow::FlowedWithoutSpace, &[(0, "attack mordor")]);
        case("> asked \n> of you\nyes", Flow::Flowed, &[(1, "asked of you"), (0, "yes")]);
        case("> asked \n>> deeper", Flow::Flowed, &[(1, "asked "), (2, "deeper")]);
    }

    #[test]
    fn p4_where_nothing_flows_no_break_is_sure() {
        let breaks = |text: &str| lines(text, Flow::Flowed).iter().map(|line| line.breaks).collect::<Vec<Breaks>>();
        assert_eq!(breaks("attack mordor\nend\n-- \nF"), [Breaks::Uncertain; 4]);
        assert_eq!(breaks("> asked \n> of you\nend"), [Breaks::Meant, Breaks::Uncertain]);
        assert_eq!(breaks("attack \nmordor\nend"), [Breaks::Meant; 2]);
    }

    #[test]
    fn p4_the_space_of_a_flowed_line_is_no_column() {
        let text = format!("{} \nend\n{}\nend", "x".repeat(80), "y".repeat(80));
        let widths: Vec<usize> = lines(&text, Flow::Flowed).iter().map(|line| line.width).collect();
        assert_eq!(widths, [80, 80, 3]);
    }

    #[test]
    fn p4_space_stuffing_is_undone() {
        case(" >no quote\n From me", Flow::Flowed, &[(0, ">no quote"), (0, "From me")]);
        case("  indented", Flow::Flowed, &[(0, " indented")]);
    }

    #[test]
    fn the_signature_separator_does_not_flow() {
        case("yes\n-- \nFrodo", Flow::Flowed, &[(0, "yes"), (0, "-- "), (0, "Frodo")]);
        case("yes \n-- \nFrodo", Flow::Flowed, &[(0, "yes "), (0, "-- "), (0, "Frodo")]);
    }

    #[test]
    fn p6_quoting_is_counted_in_fixed_text() {
        case(
            ">> twice\n> > twice\n| bar\n > indented",
            Flow::Fixed,
            &[(2, "twice"), (2, "twice"), (1, "bar"), (1, "indented")],
        );
        case("a > b", Flow::Fixed, &[(0, "a > b")]);
        case("\u{200e}> seen\n\u{feff} \u{200b}|\u{3000}> seen", Flow::Fixed, &[(1, "seen"), (2, "seen")]);
        case("\u{2502} drawn\n\u{a6} \u{fe65} drawn", Flow::Fixed, &[(1, "drawn"), (2, "drawn")]);
        case("RM> named\n    Gandalf>> > named", Flow::Fixed, &[(1, "named"), (3, "named")]);
        case("kept \nas it is\r\nand\rso", Flow::Fixed, &[(0, "kept "), (0, "as it is"), (0, "and"), (0, "so")]);
    }
}
