/*! A change of an order book that waits at the table until its seat makes a record. */

use crate::file::secrets::{OrderInClear, SignatureInClear};
use crate::fold::ahead::Line;
use crate::fold::order_books::{Change, Does};
use engine::seat::Seat;

/// A change that no record commits to yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) seat: Seat,
    pub(super) does: Does,
    pub(super) signed: Option<SignatureInClear>,
    pub(super) line: Option<Line>,
}

impl Pending {
    /// A change that is not signed.
    pub(super) fn new(seat: Seat, does: Does, line: Option<Line>) -> Pending {
        Pending { seat, does, signed: None, line }
    }

    /// Whether it takes this order of a seat back.
    pub(super) fn cancels(&self, seat: Seat, number: u32) -> bool {
        self.seat == seat && self.does == Does::Cancels(number)
    }

    pub(super) fn change(&self, seq: u64) -> Change {
        let signed = self.signed.as_ref().map(|signed| (signed.on.seq, signed.in_record()));
        Change { seq, seat: self.seat, does: self.does.clone(), signed, came: self.line }
    }

    pub(super) fn in_clear(&self, record: u64, seat: String) -> OrderInClear {
        let cancel = if let Does::Cancels(number) = &self.does { Some(*number) } else { None };
        let order = self.does.text();
        let (letter, line) = self.line.unzip();
        OrderInClear { record, seat, order, cancel, signed: self.signed.clone(), letter, line }
    }
}
