/*! What the last records did to the game, so that an undo can put it back without reading the log again.

It reaches back at least [`REACH`] played records, but never past a deck that was laid down.
*/

use engine::game::Game;
use engine::need::Answer;
use engine::seat::Seat;
use engine::slot::Faces;

/// The number of last played records that can always be undone.
pub const REACH: usize = 32;

/// One thing done to the game by a record.
#[derive(Clone, Debug)]
pub enum Done {
    Said { seat: Seat, sentence: String },
    Answered(Answer),
}

/// The game as it was, and what was done since.
#[derive(Clone, Default)]
pub struct Journal {
    /// Its list ends where the newer base starts.
    older: Option<Base>,
    newer: Option<Base>,
}

struct Base {
    /// The record after which the game was like this.
    seq: u64,
    game: Box<dyn Game>,
    done: Vec<(u64, Done)>,
    records: usize,
}

impl Clone for Base {
    fn clone(&self) -> Base {
        Base { seq: self.seq, game: self.game.copy(), done: self.done.clone(), records: self.records }
    }
}

impl Journal {
    /// Forgets everything: nothing before this record can be undone.
    pub fn restart(&mut self, seq: u64, game: &dyn Game) {
        self.older = None;
        self.newer = Some(Base { seq, game: game.copy(), done: Vec::new(), records: 0 });
    }

    /// Notes what a record did.
    pub fn note(&mut self, seq: u64, done: Done) {
        if let Some(newer) = &mut self.newer {
            newer.done.push((seq, done));
        }
    }

    /// Notes the end of a record, and the game after it.
    pub fn record(&mut self, seq: u64, game: &dyn Game) {
        let Some(newer) = self.newer.as_mut().filter(|newer| newer.seq != seq) else { return };
        newer.records += 1;
        if newer.records >= REACH {
            self.older = self.newer.take();
            self.newer = Some(Base { seq, game: game.copy(), done: Vec::new(), records: 0 });
        }
    }

    /// Whether the game can be put back to its state after a record.
    pub fn reaches(&self, seq: u64) -> bool {
        [&self.newer, &self.older].into_iter().flatten().any(|base| base.seq <= seq)
    }

    /// The game as it was after a record; `None` if the journal does not reach back that far.
    pub fn back(&self, seq: u64, faces: &Faces) -> Option<Box<dyn Game>> {
        let base = [&self.newer, &self.older].into_iter().flatten().find(|base| base.seq <= seq)?;
        let mut game = base.game.copy();
        for (_, done) in base.done.iter().take_while(|(number, _)| *number <= seq) {
            match done {
                Done::Said { seat, sentence } => {
                    game.say(*seat, sentence, faces).ok()?;
                }
                Done::Answered(answer) => game.answer(answer.clone()).ok()?,
            }
        }
        Some(game)
    }
}
