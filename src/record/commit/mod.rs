/*! What is committed before it is needed: chains, dice, decks, seals, signatures. */

pub mod chain;
pub mod checkpoint;
pub mod deck;
pub mod dice;
pub mod escrow;
pub mod seals;
pub mod signature;
pub mod signed;
#[cfg(test)]
mod vectors;
