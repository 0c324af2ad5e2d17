//! A game at its host's table, until it has started.

use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::{Code, Hash, Hex, sha256};
use ground::stamp::Stamp;
use record::charter::Charter;
use record::commit::chain::SeatChain;
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use store::drawer::Drawer;

/// A game that has started; each seat has joined with what `joining` says, given the hash of the first record. Seats
/// that keep codes keep those of [`codes`].
pub fn started(
    drawer: impl Into<Drawer>,
    charter: &Charter,
    secrets: Secrets,
    at: Stamp,
    joining: impl Fn(Seat, &Hash) -> Joining,
) -> Table {
    let mut table = Table::create(drawer, charter, secrets, at, TITLES).unwrap();
    join(&mut table, at, joining);
    let genesis = table.fold().genesis();
    start(&mut table, at, |seat| codes(&genesis, seat.0).code(1).unwrap());
    table
}

/// Every seat joins that has not joined yet, by a letter of its own.
pub fn join(table: &mut Table, at: Stamp, joining: impl Fn(Seat, &Hash) -> Joining) {
    table.join_hosted(at).unwrap();
    let genesis = table.fold().genesis();
    for seat in (0..table.fold().plan().seats.len()).map(Seat::at) {
        if !table.fold().has_joined(seat) {
            let via = Via::letter(sha256(&[seat.0]), 0, class(table));
            table.join(seat, &joining(seat, &genesis), Some(via), at).unwrap();
        }
    }
}

/// Every seat that keeps codes opens its first one, by a letter that has seen all joins, and the game starts.
pub fn start(table: &mut Table, at: Stamp, first_code: impl Fn(Seat) -> Code) {
    let seen = table.fold().head().seq;
    for seat in table.fold().not_ready() {
        let via = Via::letter(sha256(&[b'r', seat.0]), seen, class(table));
        table.ready(seat, first_code(seat), Some(via), at).unwrap();
    }
    table.start(at).unwrap();
}

/// The class of a letter that brings no more than it must.
fn class(table: &Table) -> Auth {
    if table.fold().plan().min_auth == Auth::Dkim { Auth::Dkim } else { Auth::Token }
}

/// A seat joins without a word.
pub fn nothing(_: Seat, _: &Hash) -> Joining {
    Joining::default()
}

/// A seat joins by a letter whose name enters the dice.
pub fn named(seat: Seat, _: &Hash) -> Joining {
    Joining { message: sha256(&[seat.0]), ..Joining::default() }
}

/// A seat joins with codes.
pub fn with_codes(seat: Seat, genesis: &Hash) -> Joining {
    Joining { anchor: Some(codes(genesis, seat.0).anchor()), ..Joining::default() }
}

/// The chain of codes of a seat in the game with this first record.
pub fn codes(genesis: &Hash, seat: u8) -> SeatChain {
    SeatChain::new(genesis, seat, Hex([seat; 20]), 512)
}
