//! Our own header fields, by which letters in a mailbox can be found.

/// The game that a letter belongs to.
pub const GAME: &str = "X-Ringmail-Game";
/// The seat that it is addressed to.
pub const SEAT: &str = "X-Ringmail-Seat";
/// The number of the newest entry that it tells of.
pub const SEQ: &str = "X-Ringmail-Seq";
/// The seat's share of the dealer's root, in case the host vanishes.
pub const SHARE: &str = "X-Ringmail-Share";
