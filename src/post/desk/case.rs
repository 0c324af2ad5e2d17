//! A letter that lies on the desk.

use super::docket::Before;
use crate::book::LetterIn;
use crate::names::address::{Place, Seen};
use mail::letter::Letter;
use std::collections::VecDeque;

/// A letter on the desk: what it says, whose it is, and what is known of it already.
pub(super) struct Case<'a> {
    pub(super) letter: &'a Letter,
    pub(super) place: &'a Place,
    pub(super) seen: Option<Seen>,
    pub(super) letter_in: LetterIn,
    /// The entries that it caused before a crash and that the book does not know.
    pub(super) before: VecDeque<Before>,
}
