//! How the events of battles change the board (9).

use crate::board::Board;
use crate::board::battle::Modifiers;
use crate::combat_roll::Roll;
use crate::event::battle::Event;
use crate::side::Side;

/// Changes the battle by the event.
pub(super) fn evolve(board: &mut Board, event: &Event) {
    if let Event::Began(battle) = event {
        board.battle = Some(*battle);
        return;
    }
    let battle = board.battle.as_mut().expect("a battle is being fought");
    match *event {
        Event::Began(_) | Event::Declined { .. } | Event::Pressed { .. } | Event::Stood | Event::Decided(_) => {}
        Event::FoughtInTheOpen | Event::Stayed | Event::Banned { .. } => {}
        Event::NoEffect { .. } | Event::Forgone { .. } | Event::Inflicted { .. } => {}
        Event::RoundBegan { round } => {
            battle.round = round;
            battle.hits = [0; 2];
            battle.misses = [0; 2];
            battle.ones = [0; 2];
            battle.reroll_hits = [0; 2];
            battle.struck = [0; 2];
            battle.played = [None; 2];
            battle.modifiers = [Modifiers::default(); 2];
            battle.silenced = None;
            battle.sorcerer = None;
        }
        Event::WhiteRider => battle.white_rider = true,
        Event::Sorcerer { kind } => battle.sorcerer = Some(kind),
        Event::Revealed { side, card } => battle.played[side.index()] = Some(card),
        Event::Cancelled { side, .. } => battle.played[side.index()] = None,
        Event::Modified { side, modifiers, .. } => battle.modifiers[side.index()] += modifiers,
        Event::Silenced { companion, .. } => battle.silenced = Some(companion),
        Event::Turned { companion, misses, .. } => {
            battle.modifiers[Side::Free.index()].leadership_fewer += companion.leadership();
            battle.misses[Side::Free.index()] -= misses;
            battle.hits[Side::Free.index()] += misses;
        }
        Event::Confused { ones, .. } => {
            battle.misses[Side::Shadow.index()] -= ones;
            battle.hits[Side::Free.index()] += ones;
        }
        Event::Rescored { side, by, .. } => {
            battle.hits[side.index()] = battle.hits[side.index()].saturating_add_signed(by);
        }
        Event::Struck { side, dice, .. } => battle.struck[side.index()] += dice.hits(),
        Event::Rolled { side, roll, dice, .. } => {
            let (side, hits) = (side.index(), dice.hits());
            battle.hits[side] += hits;
            match roll {
                Roll::Combat => {
                    battle.misses[side] = dice.count - hits;
                    battle.ones[side] = dice.ones();
                }
                Roll::Reroll => {
                    battle.misses[side] = 0;
                    battle.reroll_hits[side] = hits;
                }
            }
        }
        Event::Ended => board.battle = None,
    }
}
