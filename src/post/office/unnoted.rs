//! What became of a letter that was handed over, as long as its book cannot be written.

use mail::wire::carrier::NotCarried;
use store::home::Lock;

/// What became of a letter, until it can be noted.
pub struct Unnoted {
    /// The game of the outbox; `None` for the counter.
    pub(super) whose: Option<String>,
    pub(super) name: String,
    pub(super) carried: Result<String, NotCarried>,
    /// The outbox of the letter stays locked.
    pub(super) sending: Option<Lock>,
    /// Whether to note it as soon as possible, because another process is at work on the game and will soon be done.
    /// If writing failed, the next try comes with the minute.
    pub(super) is_due: bool,
}
