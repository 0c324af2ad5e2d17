/*! What cannot go on: letters that were handed over and whose book cannot be written, and games and letters that
nothing can be done with. Most of it is over in a moment; what is not is told to the host.
*/

use ground::span::Span;
use ground::stamp::Stamp;
use mail::wire::carrier::NotCarried;
use store::home::Lock;

/// If something has not gone on for this long, its host is told.
pub(super) const TOLD_AFTER: Span = Span::minutes(3);

/// What was not tried for this long is with somebody else: another worker has taken the letter.
pub(super) const FORGOTTEN: Span = Span::minutes(15);

/// What became of a letter, until it can be noted.
pub struct Unnoted {
    /// The game of the outbox; `None` for the counter.
    pub(super) whose: Option<String>,
    pub(super) name: String,
    pub(super) carried: Result<String, NotCarried>,
    /// The outbox of the letter stays locked, so that nobody sends it again. After `TOLD_AFTER` the lock is given up:
    /// another process may be able to note it.
    pub(super) sending: Option<Lock>,
    /// Whether to note it as soon as possible, because another process is at work on the game and will soon be done.
    /// If writing failed, the next try comes with the minute.
    pub(super) is_due: bool,
    pub(super) since: Stamp,
}

/// A game, or a letter to it, with which nothing can be done at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standstill {
    pub(super) since: Stamp,
    /// The last attempt.
    pub(super) tried: Stamp,
    pub(super) why: String,
    pub(super) advice: Option<&'static str>,
}
