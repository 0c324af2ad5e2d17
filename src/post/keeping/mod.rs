/*! Keeping an office for years: what its host does besides serving.

In reading order: [`backup`] puts everything of an office into one file, which [`container`] writes and reads back, and
[`check`] holds against its hashes and rules; [`restore`] makes an office of it again. [`prune`]
removes letters of games that are over, and [`forget`] a person; [`upgraded`] looks
whether a new program understands everything.

Nothing here plays, and nothing that is written here reaches a log but by a desk.
*/

pub mod backup;
pub mod check;
pub mod container;
pub mod forget;
pub mod prune;
pub mod restore;
pub mod upgraded;
