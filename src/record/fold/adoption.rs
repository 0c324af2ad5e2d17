//! Another host who waits, until all seats have consented to him.

use ground::hash::Hash;
use std::collections::BTreeSet;

/// An adoption that waits for the consent of seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// The record that announced it.
    pub seq: u64,
    /// The seats that have not consented yet.
    pub waits_for: BTreeSet<u8>,
    /// The anchor of the new chain, taken up with the last consent.
    pub(crate) anchor: Hash,
}
