//! What a seat may be told at a table that its host has opened.

use crate::engine::seat::Seat;
use crate::record::fold::{Fold, Phase};
use crate::record::table::{CardHeld, Table};
use crate::report::from_log;
use crate::report::occasion::{Happening, Occasion, Opening, StandingOrder, Waits};

/// The occasion for a reader: everything but the answers to his letter and what an order would have saved, which only
/// the post knows.
pub fn occasion(table: &Table, reader: Option<Seat>, news: Vec<Happening>) -> Occasion {
    let fold = table.fold();
    let mut occasion = from_log::look(fold, reader);
    occasion.news = news;
    let Some(seat) = reader else { return occasion };
    occasion.openings = table.hand(seat).iter().map(|held| opening(fold, held)).collect();
    occasion.standing = table
        .orders(seat)
        .iter()
        .map(|(number, order)| StandingOrder { number: *number, order: order.to_string() })
        .collect();
    if let Waits::Reader { code, .. } = &mut occasion.waits
        && fold.phase() == Phase::Playing
    {
        *code = fold.ledger().and_then(|ledger| ledger.next_code(seat.0));
    }
    occasion
}

fn opening(fold: &Fold, held: &CardHeld) -> Opening {
    let plan = fold.plan();
    Opening {
        deck: plan.title.deck_name(&plan.setup, held.slot.deck).to_string(),
        epoch: held.slot.epoch,
        position: held.slot.position,
        card: plan.title.card_id(held.card).to_string(),
        salt: held.salt.to_string(),
    }
}
