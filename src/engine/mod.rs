/*! The kernel that both titles share: an agenda of steps, a menu of what may be said, needs of chance, facts.

It knows no game, no file and no letter. The loop is small: steps are performed from the top of the agenda until one
of them has a need (a question to one seat, a draw, a deck to be masked, a slot to be shown) or until nothing is left.
Reading a sentence may refuse it, performing a step cannot fail, and the board changes only by telling an event.
*/

pub mod agenda;
pub mod bot;
pub mod chance;
pub mod chart;
pub mod example;
pub mod facts;
pub mod game;
pub mod glossary;
pub mod graph;
pub mod listed;
pub mod menu;
pub mod name;
pub mod need;
pub mod order;
pub mod outcome;
pub mod play;
mod played;
pub mod plural;
pub mod practice;
pub mod printed;
pub mod refusal;
pub mod seat;
pub mod slot;
pub mod title;
mod watch;
