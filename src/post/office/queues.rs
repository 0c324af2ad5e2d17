/*! Letters that met a locked game: later letters to the same game wait behind them (requirement I2).

Otherwise the second of two letters could be played before the first, which would then be refused.
*/

use crate::book::fault::PostError;
use ground::hash::Hash;
use std::collections::BTreeMap;

/// For how many minutes a letter may hold up others: it may have been taken out of the mailbox meanwhile.
const PATIENCE: u32 = 10;

/// For each game the oldest letter that waits, and for how many minutes.
#[derive(Debug, Default)]
pub(super) struct Queues(BTreeMap<String, (Hash, u32)>);

impl Queues {
    /// Whether another letter of the game waits, and so comes first.
    pub fn is_behind(&self, game: &str, letter: &Hash) -> bool {
        self.0.get(game).is_some_and(|(first, _)| first != letter)
    }

    /// A letter has come to the desk of its game, or met it locked.
    pub fn met<T>(&mut self, game: &str, letter: &Hash, outcome: &Result<T, PostError>) {
        match outcome {
            Err(error) if error.is_busy() => drop(self.0.entry(game.to_owned()).or_insert((*letter, 0))),
            // Any other trouble with a letter does not hold up the others.
            Ok(_) | Err(_) => drop(self.0.remove(game)),
        }
    }

    /// A minute has passed.
    pub fn age(&mut self) {
        self.0.retain(|_, (_, minutes)| {
            *minutes += 1;
            *minutes < PATIENCE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::sha256;
    use record::file::log::LogError;
    use record::table::table_error::TableError;

    #[test]
    fn i2_a_letter_waits_behind_the_first_of_its_game_that_met_a_lock() {
        let (first, second) = (sha256(b"first"), sha256(b"second"));
        let busy =
            || -> Result<(), PostError> { Err(TableError::from(LogError::Busy { folder: "games/g7".into() }).into()) };
        let mut queues = Queues::default();
        queues.met("g7", &first, &busy());
        assert!(!queues.is_behind("g7", &first) && queues.is_behind("g7", &second));
        assert!(!queues.is_behind("g8", &second));
        queues.met("g7", &first, &busy());
        queues.met("g7", &first, &Ok(()));
        assert!(!queues.is_behind("g7", &second));
        // A letter that does not come again does not hold up others for ever.
        queues.met("g7", &first, &busy());
        (0..PATIENCE).for_each(|_| queues.age());
        assert!(!queues.is_behind("g7", &second));
    }
}
