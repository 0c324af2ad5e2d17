//! What a seat may be told at a table that its host has opened.

use crate::from_log;
use crate::motion::MotionStatus;
use crate::occasion::{EntryNews, Occasion, Opening, StandingOrder, Waits};
use engine::seat::Seat;
use record::fold::Fold;
use record::table::{CardHeld, Table};

/// The occasion for a reader, without two things that only the post knows: the answers to his letter, and what an
/// order would have saved.
pub fn occasion(table: &Table, reader: Option<Seat>, news: Vec<EntryNews>) -> Occasion {
    let fold = table.fold();
    let mut occasion = from_log::look(fold, reader);
    occasion.news = news;
    // Only the first letter tells the rules of the game: the code that writes it puts them in.
    occasion.rules.clear();
    let open = || fold.council().motions().iter().filter(|moved| !moved.has_lapsed(fold.at()));
    occasion.motions = open().map(|moved| MotionStatus::of(fold, moved)).collect();
    if let Some(adoption) = fold.adoption() {
        let seats: Vec<&str> = adoption.waits_for.iter().map(|seat| fold.plan().word(Seat(*seat))).collect();
        occasion.waits = Waits::Host { what: format!("the consent of {} to another host", seats.join(", ")) };
        occasion.deadline = None;
    }
    let Some(seat) = reader else { return occasion };
    occasion.to_vote =
        open().filter(|moved| moved.silent().any(|silent| silent == seat)).map(|moved| moved.seq).collect();
    occasion.wants_consent = fold.adoption().is_some_and(|adoption| adoption.waits_for.contains(&seat.0));
    occasion.openings = table.hand(seat).iter().map(|held| opening(fold, held)).collect();
    occasion.standing = table
        .orders(seat)
        .iter()
        .map(|(number, order)| {
            let now = order.is_conditional().then(|| match table.would_say(seat, order) {
                Some(said) => format!("as the table is now: {said}"),
                None => "as the table is now, it is passed over".to_owned(),
            });
            StandingOrder { number: u64::from(*number), order: order.to_string(), now }
        })
        .collect();
    occasion
}

fn opening(fold: &Fold, held: &CardHeld) -> Opening {
    let plan = fold.plan();
    Opening {
        deck: plan.title.deck_name(&plan.setup, held.slot.deck).to_string(),
        epoch: held.slot.epoch,
        position: held.slot.position,
        card: (plan.title.cards.id)(held.card).to_string(),
        salt: held.salt.to_string(),
    }
}
