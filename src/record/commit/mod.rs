/*! The cryptography of the log: what is published before it is needed, and opened later.

In reading order: [`chain`] (the host's links), [`seed`] (from links and contributions to faces),
[`deck`] (masked cards), [`seals`] (texts that are shown later), [`escrow`] (shares of the dealer's root), [`signature`]
and [`signed`] (SSH keys, and a sentence signed with one), [`checkpoint`] (the host's signature under a head),
[`address`] (from where a seat writes), [`beacon`] (rounds of a public source of chance), [`words`] (a fingerprint that
people can compare).

These are functions of bytes. They know no state of a game: the fold knows what has been opened so far.
*/

pub mod address;
pub mod beacon;
pub mod chain;
pub mod checkpoint;
pub mod deck;
pub mod escrow;
pub mod seals;
pub mod seed;
pub mod signature;
pub mod signed;
#[cfg(test)]
mod vectors;
pub mod words;
