//! Everything a reader may see, for templates.

use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::risk::Play;
use serde_json::Value;

/// The table as the seat sees it; `None` is the public.
pub fn view(_: &Play, _: Option<Seat>, _: &Faces) -> Value {
    Value::Null
}
