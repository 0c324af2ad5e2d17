/*! What a letter asks for: its own lines as sentences of a game, signed blocks, and requests of the post. */

pub mod asked;
pub mod guest_request;
pub mod request;
pub mod sentences;
pub mod settings;
pub mod sign_off;
pub mod time_request;
pub mod verb;
pub mod wrapped;
