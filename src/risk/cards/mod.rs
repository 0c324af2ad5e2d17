/*! The Adventure cards: Missions, Events and Powers, and the windows in which Powers are played (8).

The chapters call in here by the few functions below; steps of cards are [`CardStep`]s and part of the agenda like
any other.
*/

pub mod events;
pub mod missions;
pub mod powers;
pub mod window;

use crate::engine::menu::{Ask, Menu};
use crate::engine::need::{Answer, Need};
use crate::engine::slot::Faces;
use crate::risk::Play;
use crate::risk::board::Board;
use crate::risk::step::Step;
use std::fmt;

/// A step of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardStep {}

impl fmt::Display for CardStep {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// What the step waits for.
pub fn need(_: &Board, step: &CardStep) -> Option<Need> {
    match *step {}
}

/// What may be said to the question.
pub fn menu(_: &Board, step: &CardStep, _: &Faces, _: &mut Menu<'_>) -> Ask<Vec<Step>> {
    match *step {}
}

/// Does a step that waits for nothing.
pub fn perform(_: &mut Play, step: CardStep) {
    match step {}
}

/// Does a step that waited for chance or for a slot to be shown.
pub fn settle(_: &mut Play, step: CardStep, _: Answer) {
    match step {}
}
