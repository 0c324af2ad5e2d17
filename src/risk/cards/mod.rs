/*! What the Adventure cards do (chapter 8): Missions are completed, Events take effect, Powers are played in windows.

A card is one arm of a `match` that tells the same few events as the rest of the game. [`CardStep`] is a card's step on
the agenda; the chapters of the turn push these steps where the rulebook opens a window.
*/

pub mod approach;
pub mod events;
pub mod held;
pub mod missions;
pub mod powers;
pub mod window;

use crate::Play;
use crate::board::Board;
use crate::card::{Event, Mission, Power, PowerWindow};
use crate::step::Step;
use crate::territory::{Bridge, Territory};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Answer, Need};
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};
use std::fmt;

/// A step of a card that is still to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardStep {
    /// Play a Power from the hand (8.4).
    Play { seat: Seat, slot: Slot, power: Power, choice: Choice },
    /// Complete a Mission and place its reward (8.3).
    Complete { seat: Seat, slot: Slot, mission: Mission, places: Vec<(u32, Territory)> },
    /// Ask this seat, or go on to the next, until all players have passed in a row (▲23); `passed` have so far.
    Window { window: PowerWindow, seat: Seat, passed: usize },
    /// Draw Territory cards for an Event until three territories are shown.
    Reveal { seat: Seat, event: Event, drawn: Vec<Card> },
    /// Show the Territory card just drawn for an Event.
    ShowRevealed { seat: Seat, event: Event, drawn: Vec<Card>, slot: Slot },
    /// Ask where the Leader of Appoint a Second Leader goes.
    AppointLeader(Seat),
    /// Draw the card of Local Uprising.
    DrawUprising(Seat),
    /// Show it if it is wild, or if the drawer controls its territory.
    ShowUprising { seat: Seat, slot: Slot },
    /// Show the card kept aside if its owner has come to control its territory.
    LookForUprising { seat: Seat, slot: Slot },
}

/// What the player of a Power chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Nothing,
    /// You Shall Not Pass!
    Bridge(Bridge),
    /// Borne to Another Place.
    Carry {
        from: Territory,
        to: Territory,
    },
    /// Strategic Withdrawal, and whether the Leader goes along.
    Withdraw {
        to: Territory,
        leader: bool,
    },
    /// Faramir Finds the Ringbearer.
    Roll(i32),
}

/// What the step waits for; `None` if it can be performed.
pub fn need(board: &Board, step: &CardStep) -> Option<Need> {
    match step {
        CardStep::Play { .. } | CardStep::Complete { .. } => None,
        CardStep::Window { window, seat, passed } => window::need(board, *window, *seat, *passed),
        CardStep::Reveal { drawn, .. } => events::reveal_need(board, drawn),
        CardStep::ShowRevealed { slot, .. } => Some(events::show_revealed_need(*slot)),
        CardStep::AppointLeader(seat) => events::appoint_need(board, *seat),
        CardStep::DrawUprising(_) => events::draw_uprising_need(board),
        CardStep::ShowUprising { seat, slot } => Some(events::show_uprising_need(board, *seat, *slot)),
        CardStep::LookForUprising { seat, slot } => Some(events::look_for_uprising_need(board, *seat, *slot)),
    }
}

/// What may be said to the question of the step.
pub fn menu(board: &Board, step: &CardStep, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    match step {
        CardStep::Window { window, seat, passed } => window::menu(board, *window, *seat, *passed, faces, menu),
        CardStep::AppointLeader(seat) => events::appoint_menu(board, *seat, menu),
        step => unreachable!("`{step}` asks no seat"),
    }
}

/// Performs a step that waits for nothing.
pub fn perform(play: &mut Play, step: CardStep) {
    match step {
        CardStep::Play { seat, slot, power, choice } => powers::play(play, seat, slot, power, choice),
        CardStep::Complete { seat, slot, mission, places } => missions::perform(play, seat, slot, mission, &places),
        CardStep::Window { window, seat, passed } => window::pass(play, window, seat, passed),
        CardStep::Reveal { seat, event, drawn } => events::revealed_all(play, seat, event, drawn),
        CardStep::AppointLeader(seat) => events::appoint_without_choice(play, seat),
        CardStep::DrawUprising(seat) => events::draw_uprising_from_nothing(play, seat),
        step @ (CardStep::ShowRevealed { .. } | CardStep::ShowUprising { .. } | CardStep::LookForUprising { .. }) => {
            unreachable!("`{step}` waits for a card")
        }
    }
}

/// Performs a step that waited for chance or for a slot to be shown.
pub fn settle(play: &mut Play, step: CardStep, answer: Answer) {
    match (step, answer) {
        (CardStep::Reveal { seat, event, drawn }, Answer::Position(position)) => {
            let slot = play.board().territory_deck().slot(position);
            play.push(Step::Card(CardStep::ShowRevealed { seat, event, drawn, slot }));
        }
        (CardStep::ShowRevealed { seat, event, drawn, slot }, Answer::Shown(card)) => {
            let card = card.expect("every card of the deck is among those asked for");
            events::revealed(play, seat, event, drawn, slot, card);
        }
        (CardStep::DrawUprising(seat), Answer::Position(position)) => {
            let slot = play.board().territory_deck().slot(position);
            play.push(Step::Card(CardStep::ShowUprising { seat, slot }));
        }
        (CardStep::ShowUprising { seat, slot }, Answer::Shown(card)) => events::uprising(play, seat, slot, card),
        (CardStep::LookForUprising { seat, slot }, Answer::Shown(card)) => {
            events::uprising_paid(play, seat, slot, card);
        }
        (step, answer) => unreachable!("`{step}` does not wait for {answer:?}"),
    }
}

impl fmt::Display for CardStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardStep::Play { seat, power, .. } => write!(f, "play-power {} {}", seat.0, power.name().id()),
            CardStep::Complete { seat, mission, .. } => write!(f, "complete {} {}", seat.0, mission.name().id()),
            CardStep::Window { window, seat, passed } => {
                write!(f, "window {} {} {passed}", window::id(*window), seat.0)
            }
            CardStep::Reveal { seat, event, drawn } => {
                write!(f, "reveal {} {}", seat.0, event.name().id())?;
                drawn.iter().try_for_each(|card| write!(f, " {}", card.0))
            }
            CardStep::ShowRevealed { seat, event, drawn, slot } => {
                write!(f, "show-revealed {} {} {}", seat.0, event.name().id(), slot.position)?;
                drawn.iter().try_for_each(|card| write!(f, " {}", card.0))
            }
            CardStep::AppointLeader(seat) => write!(f, "appoint-leader {}", seat.0),
            CardStep::DrawUprising(seat) => write!(f, "draw-uprising {}", seat.0),
            CardStep::ShowUprising { seat, slot } => write!(f, "show-uprising {} {}", seat.0, slot.position),
            CardStep::LookForUprising { seat, slot } => {
                let number = u32::from(slot.epoch) * 1000 + u32::from(slot.position);
                write!(f, "look-for-uprising {} {number}", seat.0)
            }
        }
    }
}
