/*! Lines of a receipt that are played as one sentence, because a mail program may have cut it in two (log 7.12). The
receipt says where that may be. Where a sentence can be read both with the line below and without it, the host could
choose once he knew the dice: such cases are counted.
*/

use crate::problem::Problem;
use engine::game::Game;
use engine::seat::Seat;
use engine::slot::Faces;
use std::fmt;

/// The lines of a receipt from which an answer follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played<'r> {
    pub seat: Seat,
    pub receipt: u64,
    pub first: u32,
    pub last: u32,
    /// The lines of the receipt that a mail program may have cut in two.
    pub cut: &'r [u32],
}

/// How the lines of receipts were joined so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Wrapping {
    /// The last lines played without the line below, although a mail program may have cut that off.
    alone: Vec<Alone>,
    /// Sentences that a mail program may have cut in two and that can be read both whole and without the rest.
    ambiguous: u64,
}

/// Lines that were played although the line below may belong to them, and the game before that.
struct Alone {
    receipt: u64,
    last: u32,
    words: String,
    game: Box<dyn Game>,
    faces: Faces,
}

impl Clone for Alone {
    fn clone(&self) -> Alone {
        let (words, game, faces) = (self.words.clone(), self.game.copy(), self.faces.clone());
        Alone { receipt: self.receipt, last: self.last, words, game, faces }
    }
}

impl fmt::Debug for Alone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Alone")
            .field("receipt", &self.receipt)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}

impl Wrapping {
    /// How many sentences could be read in two ways.
    pub(super) fn ambiguous(&self) -> u64 {
        self.ambiguous
    }

    /// Another host goes on: of the lines that were played only the count stays.
    pub(super) fn clear(&mut self) {
        self.alone.clear();
    }

    /// The words of lines that are played as one sentence, each joined to the one above it.
    pub(super) fn wrapped(
        &mut self,
        played: Played<'_>,
        texts: &[&str],
        game: &dyn Game,
        faces: &Faces,
    ) -> Result<String, Problem> {
        let Played { seat, receipt, first, last, cut } = played;
        if let Some(line) = (first..last).find(|line| !cut.contains(line)) {
            return Err(Problem::LinesJoined { receipt, line });
        }
        let alone = &mut self.alone;
        let above = alone.iter().position(|above| above.receipt == receipt).map(|place| alone.swap_remove(place));
        if let Some(above) = above.filter(|above| above.last + 1 == first) {
            let goes_on = |words: &String| above.game.read(seat, words, &above.faces).is_ok();
            self.ambiguous += u64::from(each_joined(above.words.clone(), texts).iter().any(goes_on));
        }
        let (above, below) = texts.split_first().map_or(("", texts), |(above, below)| (*above, below));
        let mut shorter = each_joined(above.to_string(), below);
        let words = shorter.pop().unwrap_or_else(|| above.to_string());
        if !below.is_empty() {
            let is_whole = |words: &str| game.read(seat, words, faces).is_ok();
            let is_ambiguous = is_whole(above) || shorter.iter().any(|words| is_whole(words));
            self.ambiguous += u64::from(is_ambiguous);
        }
        if cut.contains(&last) {
            let (words, game, faces) = (words.clone(), game.copy(), faces.clone());
            self.alone.push(Alone { receipt, last, words, game, faces });
        }
        Ok(words)
    }
}

/// The words joined with the first of the lines below, with the first two, and so on.
fn each_joined(mut words: String, below: &[&str]) -> Vec<String> {
    let join = |below: &&str| {
        words = joined(&words, below);
        words.clone()
    };
    below.iter().map(join).collect()
}

/// Joins two lines of one sentence: with a space, or without one after a hyphen that ends a word.
pub fn joined(above: &str, below: &str) -> String {
    let is_broken_word = above.ends_with('-') && !above.ends_with(" -");
    if is_broken_word { format!("{above}{below}") } else { format!("{above} {below}") }
}
