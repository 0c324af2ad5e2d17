/*! The names of files in a drawer that more than one room knows, and the line that ends a record.

The rooms that write these files say what is in them. A home knows their names: the one in a database keeps a log by
its records, and what is read of all drawers at once in their rows.
*/

/// The log of a game.
pub const LOG: &str = "log.yaml";
/// The line that ends a record of it.
pub const CLOSING: &str = "...\n";
/// The post book of a game.
pub const BOOK: &str = "post.yaml";
/// The short note of when a game is to be looked at again.
pub const NEXT_TICK: &str = "next-tick";
/// The folder of letters that wait to be sent.
pub const OUTBOX: &str = "outbox";
/// The folder of letters that were sent.
pub const SENT: &str = "sent";
/// The folder of letters that could not be sent.
pub const DEAD: &str = "dead";
/// The lock under which one process at a time sends the letters of a drawer. What it writes about them it writes under
/// the lock of the game.
pub const SENDING: &str = "sending";
