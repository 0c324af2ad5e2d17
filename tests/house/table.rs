//! A game at its host's table, until it has started.

use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::sha256;
use ground::stamp::Stamp;
use record::charter::Charter;
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use store::drawer::Drawer;

/// A game that has started; each seat has joined with what `joining` says.
pub fn started(
    drawer: impl Into<Drawer>,
    charter: &Charter,
    secrets: Secrets,
    at: Stamp,
    joining: impl Fn(Seat) -> Joining,
) -> Table {
    let mut table = Table::create(drawer, charter, secrets, at, TITLES).unwrap();
    join(&mut table, at, joining);
    table.start(at).unwrap();
    table
}

/// Every seat joins that has not joined yet, by a letter of its own.
pub fn join(table: &mut Table, at: Stamp, joining: impl Fn(Seat) -> Joining) {
    table.join_hosted(at).unwrap();
    for seat in (0..table.fold().plan().seats.len()).map(Seat::at) {
        if !table.fold().has_joined(seat) {
            let via = Via::letter(sha256(&[seat.0]), 0, class(table));
            table.join(seat, &joining(seat), Some(via), at).unwrap();
        }
    }
}

/// The class of a letter that brings no more than it must.
fn class(table: &Table) -> Auth {
    if table.fold().plan().min_auth == Auth::Dkim { Auth::Dkim } else { Auth::Token }
}

/// A seat joins without a word.
pub fn nothing(_: Seat) -> Joining {
    Joining::default()
}

/// A seat joins by a letter whose name enters the dice.
pub fn named(seat: Seat) -> Joining {
    Joining { message: sha256(&[seat.0]), ..Joining::default() }
}
