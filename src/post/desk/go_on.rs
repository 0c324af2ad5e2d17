//! What happens in a game without a letter: lines for later are said, and seats that do not answer are answered for.

use super::ahead::note_lines;
use crate::book::Book;
use crate::book::fault::PostError;
use engine::seat::Seat;
use ground::stamp::Stamp;
use record::entry::body::{By, Silence};
use record::fold::{Fold, Phase};
use record::table::Table;

/// The most answers given for seats in one go: programs that play one another pause until the next tick.
const ANSWERS_MAX: usize = 500;

/// Does everything that needs no letter: says the lines that the asked player has left, and answers for seats that a
/// program plays and for seats that missed their deadline. Returns the number of answers.
pub(super) fn go_on(table: &mut Table, book: &mut Book, at: Stamp) -> Result<usize, PostError> {
    let mut count = 0;
    loop {
        count += table.say_lines(at)?;
        note_lines(table, book)?;
        // What the receipt in play has fixed comes before anything that ends its run.
        if table.goes_on() {
            table.play_own_lines(at)?;
            continue;
        }
        if table.has_order_waiting(at) {
            table.ask_for_round(at)?;
        }
        let Some((seat, by)) = stand_in(table.fold()).filter(|_| count < ANSWERS_MAX) else { return Ok(count) };
        count += 1;
        if table.needs_receipts() {
            // The answer is said when its round is there.
            if table.fold().receipts().waiting().next().is_none() {
                table.fix_answer_for(seat, by, at)?;
            }
            return Ok(count);
        }
        table.answer_for(seat, by, at)?;
    }
}

/// The seat to answer for, and why; `None` if the asked player answers himself.
pub(super) fn stand_in(fold: &Fold) -> Option<(Seat, By)> {
    let clock = fold.clock();
    let open = clock.open().filter(|_| fold.phase() == Phase::Playing && !fold.is_paused())?;
    if fold.is_played_by_program(open.seat) {
        // With programs in every seat, stop: nobody is watching, and the game must not be played to its end.
        let mut seats = (0..fold.plan().seats.len()).map(Seat::at);
        return seats.any(|seat| !fold.is_played_by_program(seat)).then_some((open.seat, By::Bot));
    }
    (open.lapsed() == Some(Silence::Default)).then_some((open.seat, By::Deadline))
}
