/*! Guards: what may hold back a line that was written ahead, so that its seat is asked instead.

A line was written for the table that its writer saw. By default each of these holds it back: a seat of another side
attacked in or next to a place that the line names; a card of another seat, another seat itself, or dice changed a
fact that the line names or depends on; the Fellowship was revealed; its own seat drew a Hunt tile. `stop if` adds
guards, also for facts that the line does not name (`anywhere`), and `go on if` removes them.

Here is what a line says of its guards. Whether one of them holds it back is judged in [`held`](super::held).
*/

use std::ops::Range;

/// What may hold a line back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Attacked,
    Card,
    Tile,
    Revealed,
    Touched,
}

/// The causes as players write them. If several apply, the first is reported.
pub(super) const CAUSES: [(&str, Cause); 5] = [
    ("attacked", Cause::Attacked),
    ("card", Cause::Card),
    ("tile", Cause::Tile),
    ("revealed", Cause::Revealed),
    ("touched", Cause::Touched),
];

/// One guard, as it is written behind `stop if` and `go on if`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    Cause {
        cause: Cause,
        anywhere: bool,
    },
    /// A condition of the table, as it was written.
    If(String),
}

/// How a line changes its guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// True for `stop if`, false for `go on if`.
    pub stops: bool,
    pub guard: Guard,
    /// Where its clause is in the line.
    pub at: Range<usize>,
}

/// What a changed fact means for lines that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch<'v> {
    Nothing,
    /// A piece or marker changed at the place that is the key of the fact.
    Place,
    /// A battle is fought at this place; `None` if it is over.
    Battle(Option<&'v str>),
    Revealed,
    Tile,
}

/// The guards in `stop if …` or `go on if …`; `None` if the text is neither.
pub fn amendments(piece: &str, at: Range<usize>) -> Option<Vec<Amendment>> {
    let folded = piece.trim().to_ascii_lowercase();
    let begins = [("stop if ", true), ("go on if ", false)];
    let (rest, stops) = begins.iter().find_map(|(words, stops)| Some((folded.strip_prefix(words)?, *stops)))?;
    let guard = |part: &str| {
        let words = part.strip_suffix(" anywhere").map_or(part, str::trim_end);
        match CAUSES.iter().find(|(word, _)| *word == words) {
            Some((_, cause)) => Guard::Cause { cause: *cause, anywhere: words != part },
            None => Guard::If(part.to_string()),
        }
    };
    let parts = rest.split(',').map(str::trim).filter(|part| !part.is_empty());
    Some(parts.map(|part| Amendment { stops, guard: guard(part), at: at.clone() }).collect())
}
