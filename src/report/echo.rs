/*! The lines of a letter that came in, as the answer shows them: the line, `^^^^` under what was wrong, its fate. */

use crate::columns::{self, char_width};
use crate::fate::{Answered, Fate};
use serde::Serialize;

/// Columns of one piece of an echoed line.
const PIECE: usize = 66;
/// Of a line with more pieces than this, only those about the mistake are shown.
const PIECES_MAX: usize = 4;

/// A line and what became of it, ready to print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Echo {
    /// The line in pieces; below each piece that is wrong in part, its underline.
    pub lines: Vec<String>,
    /// `done`, `kept`, `refused`, `ignored`, `noted`.
    pub is: &'static str,
    /// Its entry in the log, if it was done.
    pub seq: Option<u64>,
    /// How it was understood, if that differs from how it was written; or why it was not played.
    pub words: Option<String>,
}

impl Echo {
    pub fn of(answered: &Answered) -> Echo {
        let line = answered.line.trim();
        let offset = answered.line.len() - answered.line.trim_start().len();
        let at = match &answered.fate {
            Fate::Refused { at: Some(at), .. } => {
                Some((at.start.saturating_sub(offset), at.end.saturating_sub(offset)))
            }
            _ => None,
        };
        let (is, seq, words) = match &answered.fate {
            Fate::Done { said, seq } => ("done", *seq, (said != line).then(|| said.clone())),
            Fate::Kept { why } => ("kept", None, Some(why.clone())),
            Fate::Refused { why, .. } => ("refused", None, Some(why.clone())),
            Fate::Ignored { why } => ("ignored", None, Some(why.clone())),
            Fate::Noted { how } => ("noted", None, Some(how.clone())),
        };
        Echo { lines: echoed(line, at), is, seq, words }
    }
}

/// A piece of a line: its text, and which of its columns are wrong.
#[derive(Default)]
struct Piece {
    text: String,
    wrong: Option<(usize, usize)>,
}

/// The line in pieces that fit the page, with underlines below the bytes from `at.0` to `at.1`. An empty range is
/// marked by one stroke: something is missing there.
fn echoed(line: &str, at: Option<(usize, usize)>) -> Vec<String> {
    let mut pieces: Vec<Piece> = vec![Piece::default()];
    let mut column = 0;
    // The end of the line counts as one more character without text, so that it can be marked.
    let marks = line.char_indices().map(|(byte, c)| (byte, Some(c))).chain([(line.len(), None)]);
    for (byte, c) in marks {
        let columns = c.map_or(1, char_width);
        if c == Some(' ') && column > 0 && breaks_at(&line[byte + 1..], column + 1) {
            pieces.push(Piece::default());
            column = 0;
            continue;
        }
        if column + columns > PIECE && c.is_some() {
            pieces.push(Piece::default());
            column = 0;
        }
        let piece = pieces.last_mut().expect("there is always a piece");
        let is_wrong = at.is_some_and(|(start, end)| byte >= start && byte < end.max(start + 1));
        if is_wrong && (c.is_some() || piece.wrong.is_none()) {
            let start = piece.wrong.map_or(column, |(start, _)| start);
            piece.wrong = Some((start, column + columns.max(1)));
        }
        piece.text.extend(c.map(|c| columns::ruly(c.encode_utf8(&mut [0; 4]))));
        column += columns;
    }
    let wrong = pieces.iter().position(|piece| piece.wrong.is_some()).unwrap_or(0);
    let first = if pieces.len() > PIECES_MAX { wrong.saturating_sub(1) } else { 0 };
    let shown = &pieces[first..pieces.len().min(first + PIECES_MAX)];
    let mut lines = Vec::new();
    for piece in shown {
        lines.push(piece.text.clone());
        if let Some((start, end)) = piece.wrong {
            lines.push(format!("{}{}", " ".repeat(start), "^".repeat(end - start)));
        }
    }
    if shown.len() < pieces.len() {
        lines.push(format!("(one line of {} characters)", line.chars().count()));
    }
    lines
}

/// Whether the word that begins here would cross the edge, and fits into the next piece.
fn breaks_at(rest: &str, column: usize) -> bool {
    let word = columns::width(rest.split(' ').next().unwrap_or(rest));
    column + word > PIECE && word <= PIECE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fate::RefusedAs;

    #[track_caller]
    fn case(line: &str, at: (usize, usize), expected: &[&str]) {
        assert_eq!(echoed(line, Some(at)), expected);
    }

    #[test]
    fn what_is_wrong_is_underlined() {
        case("atack moria", (0, 5), &["atack moria", "^^^^^"]);
        case("attack Dûm now", (7, 11), &["attack Dûm now", "       ^^^"]);
        case("attack", (6, 6), &["attack", "      ^"]);
        case("", (0, 0), &["", "^"]);
        case("a\tb", (2, 3), &["a·b", "  ^"]);
    }

    #[test]
    fn a_line_is_broken_between_words() {
        let line = "place 8 moria, 8 minas morgul, 6 dead marshes, 6 fangorn, then evenly";
        assert_eq!(echoed(line, Some((63, 69))), [&line[..62], "evenly", "^^^^^^"]);
    }

    #[test]
    fn long_lines_are_shown_in_pieces_about_the_mistake() {
        let line = format!("{}wrong{}", "x".repeat(70), "y".repeat(9000));
        let shown = echoed(&line, Some((70, 75)));
        assert_eq!(shown[1], format!("xxxxwrong{}", "y".repeat(57)));
        assert_eq!(shown[2], "    ^^^^^");
        assert_eq!(shown.last().unwrap(), "(one line of 9075 characters)");
        assert!(shown.len() <= PIECES_MAX + 3 && shown.iter().all(|line| line.len() <= PIECE + 1));
    }

    #[test]
    fn a_range_that_does_not_fit_the_line_does_no_harm() {
        case("pass", (90, 95), &["pass"]);
        let answered = Answered {
            line: "  attack moria ".to_string(),
            fate: Fate::Refused { at: Some(9..14), kind: RefusedAs::NotAllowed, rule: None, why: "no".to_string() },
        };
        assert_eq!(Echo::of(&answered).lines, ["attack moria", "       ^^^^^"]);
    }
}
