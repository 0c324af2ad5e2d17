/*! A step that the table keeps for a desk that makes notes of it. */

use crate::fold::Fold;

/// A record that was made, and the fold before it. The fold after it is `before` of the next entry.
pub(super) struct Made {
    pub(super) text: String,
    /// The length of the log after this record, in bytes.
    pub(super) end: u64,
    pub(super) before: Fold,
}
