//! Which cards of War of the Ring are played, and which are laid as Combat cards.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::name::Named;
use engine::need::{Answer, Need};
use wotr::card::Card;

pub struct Cards;

impl Watcher for Cards {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if let Some((_, named)) = now.said.sentence.split_once("play ")
            && let Some(card) = Card::all().find(|card| card.name().id() == named)
        {
            seen.note("events", card.title());
        }
        for (need, answer) in now.dealt {
            // Nothing but Combat cards is shown without being named.
            if let (Need::Show(_), Answer::Shown(Some(card))) = (need, answer) {
                seen.note("Combat cards", Card(card.0).combat_title());
            }
        }
    }
}

/// Every card is played, and every Combat card is laid.
pub fn expect(seen: &Seen) {
    seen.has_all("events", Card::all().map(Card::title));
    seen.has_all("Combat cards", Card::all().map(Card::combat_title));
}
