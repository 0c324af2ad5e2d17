/*! The log to the byte, its chain, dice and seals, the folding of it, and its verification.

In reading order: [`hash`] and [`stamp`] are values; [`canon`] is the subset of YAML; [`body`] and [`entry`] are the
records; [`chain`], [`dice`], [`deck`] and [`seals`] are what is committed; [`stream`] reads a log record by record and
[`log`] appends to it; [`secrets`] is what only the host has. [`plan`] is what a game is played by, [`ledger`] and
[`masks`] are its committed dice and cards, [`standing`] its standing orders, [`council`] its motions and votes;
[`fold`] and [`follow`] fold records into a game, [`table`] makes new ones, and [`verify`] checks a whole log, with
[`ahead`] reading before it.
[`schedule`] says how much time the seats have, [`calendar`] and [`zone`] count it, [`clock`] follows it through the
records, and [`timekeeping`] and [`stand_in`] are what is done about it.
*/

pub mod adopt;
pub mod agreed;
pub mod agreement;
pub mod ahead;
pub mod authored;
pub mod body;
pub mod calendar;
pub mod canon;
pub mod chain;
pub mod charter;
pub mod checkpoint;
pub mod clock;
pub mod codebook;
pub mod council;
pub mod deck;
pub mod dice;
pub mod ending;
pub mod entry;
pub mod escrow;
pub mod fold;
pub mod follow;
pub mod hash;
pub mod hosting;
pub mod journal;
pub mod ledger;
pub mod log;
pub mod masks;
pub mod mishap;
pub mod orders;
pub mod outcome;
pub mod plan;
pub mod problem;
mod problem_words;
pub mod reading;
pub mod result;
pub mod schedule;
pub mod sealing;
pub mod seals;
pub mod secrets;
pub mod signature;
pub mod signed;
pub mod signers;
pub mod span;
pub mod stamp;
pub mod stand_in;
pub mod standing;
pub mod stream;
pub mod table;
pub mod table_error;
pub mod tally;
pub mod timekeeping;
#[cfg(test)]
mod vectors;
pub mod verify;
pub mod zone;
