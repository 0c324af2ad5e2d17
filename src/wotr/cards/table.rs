//! Cards in play on the table (5.17 to 5.22): when they leave it.

use crate::engine::slot::Slot;
use crate::wotr::Table;
use crate::wotr::board::Board;
use crate::wotr::card::{Card, EventDeck};
use crate::wotr::cards;
use crate::wotr::event::Event as Told;
use crate::wotr::event_cards::Event as Cards;

/// The cards on the table with their slots, those of the Free Peoples first.
pub fn on_table(board: &Board) -> impl Iterator<Item = (Slot, Card)> + use<'_> {
    let laden = EventDeck::ALL.into_iter().filter(|deck| !board.decks().table(*deck).is_empty());
    laden.flat_map(move |deck| {
        let slots = board.decks().table(deck).iter().map(move |position| deck.slot(position));
        slots.filter_map(|slot| Some((slot, board.decks().face(slot)?)))
    })
}

/// 1.33 (4), 5.18: a card whose condition no longer holds is discarded at once. Looked at after every step.
pub fn check(play: &mut Table) {
    while let Some((slot, card)) = lapsed(play.board()) {
        play.tell(Told::Cards(Cards::Left { slot, card }));
    }
}

fn lapsed(board: &Board) -> Option<(Slot, Card)> {
    on_table(board).find(|(_, card)| cards::requires(board, *card).is_err())
}

/// The card leaves the table, if it lies there: it has been used, or what discards it has happened.
pub fn discard(play: &mut Table, card: Card) {
    let found = on_table(play.board()).find(|(_, there)| *there == card);
    if let Some((slot, card)) = found {
        play.tell(Told::Cards(Cards::Left { slot, card }));
    }
}
