//! How long ago something in the book was, and how many refusals a day are answered.

use crate::record::value::stamp::Stamp;
use jiff::{SignedDuration, Timestamp};

/// L3: refusals in one day that are answered, to one seat or to one address.
pub const REFUSALS_A_DAY: usize = 20;

/// The time that has passed since a stamp in the book; `None` if it is none.
#[must_use]
pub fn passed(since: &str, now: Stamp) -> Option<SignedDuration> {
    let since: Timestamp = since.parse().ok()?;
    let now: Timestamp = now.as_str().parse().ok()?;
    Some(now.duration_since(since))
}
