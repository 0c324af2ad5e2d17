/*! Answers given for a seat: the one that does least when its time is over, or a program's while that plays it. */

use super::Table;
use super::table_error::TableError;
use crate::entry::Head;
use crate::entry::body::{By, Played, Via};
use engine::bot::Level;
use engine::seat::Seat;
use ground::hash::sha256;
use ground::stamp::Stamp;

impl Table {
    /// Answers the open question for its seat, and everything that follows from it happens. By deadline, it is the
    /// answer that does least, if the title has one. Otherwise, and for a bot, the program answers at the level of
    /// the seat, with only what the seat knows.
    pub fn answer_for(&mut self, seat: Seat, by: By, at: Stamp) -> Result<Vec<Head>, TableError> {
        let said = self.words_for(seat, by)?;
        self.say(seat, &said, Some(Via::by(by)), at)
    }

    /// The words that are said for a seat.
    pub(super) fn words_for(&self, seat: Seat, by: By) -> Result<String, TableError> {
        let least = match by {
            By::Deadline => self.fold.least_answer(seat),
            By::Standing | By::Bot => None,
        };
        least.map_or_else(|| self.best(seat), |least| Ok(least.to_string()))
    }

    fn best(&self, seat: Seat) -> Result<String, TableError> {
        if self.fold.asked().is_none_or(|question| question.seat != seat) {
            return Err(TableError::NotNow { why: "the seat is not asked" });
        }
        // The seed follows from the root and the head, so the answer after a crash is the one before it.
        let head = self.fold.head().hash;
        let seed = sha256(format!("bot {} {head}", self.secrets().root).as_bytes());
        let seed = u64::from_le_bytes(*seed.0.first_chunk().expect("a hash has 32 bytes"));
        let level = match self.fold.plan().seats[seat.index()].program {
            Some(Played::Easy) => Level::Easy,
            Some(Played::Strong) => Level::Strong,
            // This is also the level for a player who is away.
            Some(Played::Program) | None => Level::Fair,
        };
        let bot = self.fold.plan().title.bot;
        Ok(bot.answer(self.fold.game(), seat, self.fold.faces(), level, seed))
    }
}
