//! Requirements that several cards share (5.8), with the words of their refusals.

use crate::board::Board;
use crate::character::Character;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::region::Regions;
use crate::side::Side;
use crate::words;
use engine::refusal::{Allowed, allowed_if};

/// All of these Nations are At War.
pub fn at_war(board: &Board, nations: &[Nation]) -> Allowed {
    match nations.iter().find(|nation| !board.is_at_war(**nation)) {
        Some(nation) => allowed_if(false, "5.8", || format!("{} not At War", words::nation_is(*nation))),
        None => Ok(()),
    }
}

/// 1.16: the Character has entered play and has not been eliminated.
pub fn in_play(board: &Board, character: Character) -> Allowed {
    allowed_if(board.is_in_play(character), "5.8", || format!("{} is not in play", words::character(character)))
}

/// The regions of Strongholds besieged by an Army of the side that meets the condition.
pub fn sieges(board: &Board, side: Side, army: impl Fn(&Figures) -> bool) -> Regions {
    let besieged = board.besieged() & board.controlled(!side) & board.armies(side);
    if besieged.is_empty() {
        return Regions::NONE;
    }
    besieged.iter().filter(|region| army(&board.force(side, *region))).collect()
}
