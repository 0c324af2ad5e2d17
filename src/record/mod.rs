/*! The log to the byte, its chain, dice and seals, the folding of it, and its verification.

In reading order, each knowing only those before it: [`value`] are hashes and stamps; [`canon`] is the subset of YAML;
[`entry`] are the records; [`commit`] is what is committed before it is needed; [`problem`] is what can be wrong with a
log; [`charter`] is what a game is played by; [`fold`] makes a game of records; [`file`] reads and writes them;
[`table`] makes new ones; [`verify`] checks a whole log.
*/

pub mod canon;
pub mod charter;
pub mod commit;
pub mod entry;
pub mod file;
pub mod fold;
pub mod problem;
pub mod table;
pub mod value;
pub mod verify;
