/*! What a bot has to know of War of the Ring.

Begin with [`hope`]: how good a position is, as a race between the way of the Ring ([`ring`], with what it costs the
Ring-bearers, [`ordeal`]) and the war of either side ([`war`]), by weights that are data ([`weights`]). [`propose`] has
the sentences that a player would consider, with what Armies may do ([`deeds`]) and what it knows of the cards in a hand
([`hand`]); [`reflex`] says what is said at once to the questions on the way of a look ahead, [`believe`] how the cards
may lie that a player does not know; [`thought`] tells what an answer gains. [`worth`] is the judgement of the easy bot,
which knows none of these.
*/

pub mod believe;
mod deeds;
mod hand;
pub mod hope;
mod ordeal;
pub mod propose;
pub mod reflex;
mod ring;
pub mod thought;
mod war;
pub mod weights;
pub mod worth;

/// Whether a look ahead ends with this question: much can be said to it, or it needs cards that only their owner knows.
pub fn is_major(question: &str) -> bool {
    matches!(question, "action" | "fellowship" | "hunt-allocation" | "discard" | "draw" | "swap" | "join")
}
