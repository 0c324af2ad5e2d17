/*! Values of the record: hashes, stamps, spans of time, zones. They know nothing else of the house. */

pub mod hash;
pub mod span;
pub mod stamp;
pub mod zone;
