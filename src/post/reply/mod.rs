/*! What of a letter is its writer's own, and what is quoted, greeted, signed or put under it by a program. */

pub mod attribution;
pub mod courtesies;
pub mod quoting;
pub mod signed_block;
