//! What is typed at the host's machine, and which seats it may speak for.

use crate::cli::exit::{Exit, Failure};
use engine::seat::Seat;
use record::entry::body::Via;
use record::table::Table;

/// How a sentence typed at the host's machine proves its seat.
///
/// # Errors
/// The seat belongs to a player who answers by letter, or to the program.
pub fn at_keyboard(table: &Table, seat: Seat) -> Result<Option<Via>, Failure> {
    let plan = table.fold().plan();
    if plan.seats[seat.index()].program.is_some() {
        let why = format!("The program plays {}, and nobody else answers for it.", plan.word(seat));
        return Err(Failure::new(Exit::Refused, why));
    }
    if table.fold().may_type(seat) {
        return Ok(Some(Via::keyboard()));
    }
    let (word, player, least) = (plan.word(seat), &plan.seats[seat.index()].player, plan.min_auth.word());
    Err(Failure::new(
        Exit::Refused,
        format!(
            "The seat {word} is {player}'s, and in this game (min_auth: {least}) only letters speak for it: what is \
             typed here would be the host's word. A game round one table is made with `ringmail new --min-auth \
             keyboard`, and a seat that the host plays with `--host-plays {word}`."
        ),
    ))
}
