/*! *Risk: The Lord of the Rings, Trilogy Edition*, one file a chapter of its rules. */

pub mod card;
pub mod side;
pub mod territory;
