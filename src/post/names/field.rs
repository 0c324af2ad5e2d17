//! The fields that our letters carry and a mailbox is searched for.

/// The game that a letter belongs to.
pub const GAME: &str = "X-Ringmail-Game";
/// The seat that it is written to.
pub const SEAT: &str = "X-Ringmail-Seat";
/// The number of the newest entry that it knows.
pub const SEQ: &str = "X-Ringmail-Seq";
/// The seat's share of the dealer's root, for the day on which the host vanishes.
pub const SHARE: &str = "X-Ringmail-Share";
