//! What an event tells a reader, for templates.

use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::risk::board::Board;
use crate::risk::event::Event;
use serde_json::Value;

/// The event as the seat hears of it; `None` is the public.
pub fn news(_: &Board, _: &Event, _: Option<Seat>, _: &Faces) -> Value {
    Value::Null
}
