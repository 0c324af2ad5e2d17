//! The wards of the Free Peoples: regions that Shadow Armies may neither enter nor attack while a card is on the table.

use crate::board::Board;
use crate::card::{Card, EventDeck, Type};
use crate::cards::Title;
use crate::cards::free_strategy::FreeStrategy;
use crate::region::named::{BUCKLAND, GREY_HAVENS, LORIEN, OLD_FOREST, RIVENDELL, THE_SHIRE};
use crate::region::{Region, Regions};
use crate::side::Side;
use engine::refusal::{Allowed, barred};

const WARDS: [(FreeStrategy, [Region; 3]); 2] = [
    (FreeStrategy::APowerTooGreat, [LORIEN, RIVENDELL, GREY_HAVENS]),
    (FreeStrategy::ThePowerOfTomBombadil, [OLD_FOREST, THE_SHIRE, BUCKLAND]),
];

fn laid(board: &Board) -> impl Iterator<Item = (Card, [Region; 3])> {
    // A shortcut: the wards are checked for every region that an Army could enter or attack, and usually none is in
    // play.
    let deck = EventDeck { side: Side::Free, kind: Type::Strategy };
    let wards = if board.decks().table(deck).is_empty() { &WARDS[..0] } else { &WARDS[..] };
    wards
        .iter()
        .copied()
        .map(|(card, regions)| (Title::FreeStrategy(card).card(), regions))
        .filter(|(card, _)| board.decks().is_on_table(*card))
}

/// The regions barred to Armies of the side. Armies that are already there may stay or leave; they may neither assault
/// a Stronghold there nor retreat from one of these regions to another (C3.2). A besieged Army may still sortie.
pub fn warded(board: &Board, side: Side) -> Regions {
    match side {
        Side::Free => Regions::NONE,
        Side::Shadow => laid(board).flat_map(|(_, regions)| regions).collect(),
    }
}

/// Whether an Army of the side may enter the region.
pub fn may_enter(board: &Board, side: Side, region: Region) -> Allowed {
    let ward = laid(board).find(|(_, regions)| side == Side::Shadow && regions.contains(&region));
    match ward {
        Some((card, _)) => barred("5.11", format!("{} keeps Shadow Armies out of {}", card.title(), region.title())),
        None => Ok(()),
    }
}
