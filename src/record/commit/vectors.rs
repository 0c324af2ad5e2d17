/*! The values the test vectors start from (log 16.1). */

use super::chain::{HOST_LINKS, HostChain, SEAT_CODES, SeatChain};
use crate::record::value::hash::{GameId, Hex};

pub fn game() -> GameId {
    Hex([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
}

pub fn host_chain() -> HostChain {
    HostChain::new(game(), Hex([0x11; 32]), HOST_LINKS)
}

pub fn seat_chain(seat: u8) -> SeatChain {
    let byte = if seat == 1 { 0x22 } else { 0x33 };
    SeatChain::new(&game(), seat, Hex([byte; 20]), SEAT_CODES)
}
