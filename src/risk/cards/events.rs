//! Events (8.5).

use crate::engine::seat::Seat;
use crate::risk::Play;
use crate::risk::card::Event;
use crate::risk::territory::Territory;

/// The Event that the seat has drawn happens. Its card has been told and discarded already.
pub fn happen(_: &mut Play, _: Seat, _: Event) {}

/// The seat has just gained control of the territory (Local Uprising).
pub fn control_gained(_: &mut Play, _: Seat, _: Territory) {}
