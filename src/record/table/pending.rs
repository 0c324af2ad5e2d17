/*! A change of an order book that waits at the table until its seat makes a record. */

use crate::file::secrets::{OrderInClear, SignatureInClear};
use crate::fold::order_books::{Change, Does};
use engine::seat::Seat;
use ground::hash::Hash;

/// A change that no record commits to yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) seat: Seat,
    pub(super) does: Does,
    pub(super) signed: Option<SignatureInClear>,
    pub(super) line: Option<Line>,
}

/// A line of a letter: the hash of the letter, and the number of the line.
pub type Line = (Hash, usize);

impl Pending {
    /// A change that is not signed.
    pub(super) fn new(seat: Seat, does: Does, line: Option<Line>) -> Pending {
        Pending { seat, does, signed: None, line }
    }

    /// Whether this line of a letter brought the change.
    pub(super) fn is_of(&self, seat: Seat, line: Line) -> bool {
        self.seat == seat && self.line == Some(line)
    }

    /// Whether it takes this order of a seat back.
    pub(super) fn cancels(&self, seat: Seat, number: u32) -> bool {
        self.seat == seat && self.does == Does::Cancels(number)
    }

    pub(super) fn change(&self, seq: u64) -> Change {
        let signed = self.signed.as_ref().map(|signed| (signed.on.seq, signed.in_record()));
        Change { seq, seat: self.seat, does: self.does.clone(), signed }
    }

    pub(super) fn in_clear(&self, record: u64, seat: String) -> OrderInClear {
        let (order, cancel) = match &self.does {
            Does::Leaves(order) => (Some(order.to_string()), None),
            Does::Cancels(number) => (None, Some(*number)),
        };
        let (letter, line) = self.line.unzip();
        OrderInClear { record, seat, order, cancel, signed: self.signed.clone(), letter, line }
    }
}
