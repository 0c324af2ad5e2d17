/*! The log to the byte, its chain, dice and seals, the folding of it, and its verification.

In reading order: [`hash`] and [`stamp`] are values; [`canon`] is the subset of YAML; [`body`] and [`entry`] are the
records; [`chain`], [`dice`], [`deck`] and [`seals`] are what is committed; [`stream`] reads a log record by record and
[`log`] appends to it; [`secrets`] is what only the host has.
*/

pub mod body;
pub mod canon;
pub mod chain;
pub mod deck;
pub mod dice;
pub mod entry;
pub mod hash;
pub mod log;
pub mod seals;
pub mod secrets;
pub mod stamp;
pub mod stream;
#[cfg(test)]
mod vectors;
