/*! Which lines of a receipt a sentence follows from. */

/// Lines of a receipt that are played as one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opens {
    pub receipt: u64,
    /// The first of them and the last, from 1.
    pub first: u32,
    pub last: u32,
}
