//! What a desk keeps of a log that is closed.

use report::closing::Closing;

/// What was made of the log once it was closed.
#[derive(Debug, Default)]
pub(super) struct Closed {
    pub(super) checked: Option<Closing>,
    /// `Some(None)` if this game has no page.
    pub(super) page: Option<Option<String>>,
}
