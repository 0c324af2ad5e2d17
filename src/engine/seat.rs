//! A seat is a place at the table; the kernel does not know which player holds it.

/// The number of a seat, from 1 in the order of the charter. 0 is the host, which is not a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat at `index` (from 0) of a list of seats in the order of the charter.
    pub fn at(index: usize) -> Seat {
        Seat(u8::try_from(index + 1).expect("a table has at most 255 seats"))
    }

    /// The place of this seat in the order of the charter, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}
