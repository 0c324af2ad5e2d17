/*! Keeping an office for years: what its host does besides serving.

In reading order: [`backup`] puts everything of an office into one file, which [`container`] writes and reads back;
[`check`] compares that file with its hashes and verifies its logs; [`restore`] makes an office of it again. [`prune`]
removes letters of games that are over, and [`forget`] a person; [`upgraded`] looks whether a new program understands
everything.

Nothing here plays. Only through a desk does anything here reach a log.
*/

pub mod backup;
pub mod check;
pub mod container;
pub mod forget;
pub mod prune;
pub mod restore;
pub mod upgraded;
