/*! What a bot has to know of War of the Ring.

Begin with [`hope`]: how good a position is, as a race between the way of the Ring ([`ring`], with what it costs the
Ring-bearers, [`ordeal`]) and the war of either side ([`war`]), by weights that are data ([`weights`]). [`propose`]
has the sentences that a player would consider, with what Armies may do ([`deeds`]) and what it knows of the cards in
a hand ([`hand`]); [`reflex`] has the quick answers to small questions in a look ahead, [`believe`] deals the cards
that a player does not know, and [`thought`] says what an answer gains. [`worth`] is the judgement of the easy bot,
which uses none of these.
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

/// Whether a look ahead ends at this question: it has many answers, or they need cards that only their owner knows.
pub fn is_major(question: &str) -> bool {
    matches!(question, "action" | "fellowship" | "hunt-allocation" | "discard" | "draw" | "swap" | "join")
}
