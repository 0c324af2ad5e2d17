//! What a fold leaves to be checked while the next records are already followed.

use std::sync::Arc;

/// The checks that a fold has put off for the record that it followed last.
#[derive(Clone, Debug, Default)]
pub(crate) struct PutOff {
    /// Whether the changed facts are still to be checked.
    pub(super) facts: bool,
    /// The order books that the record must have committed to; `None` if that is not checked.
    pub(super) books: Option<Vec<Arc<str>>>,
}
