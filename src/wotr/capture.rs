//! Capture and victory points (11), and what else happens when figures enter a region.

use crate::Table;
use crate::board::Board;
use crate::event::Event as Told;
use crate::event::capture::Event;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::{politics, standing};

/// An Army of a side has entered the region: activation (12.4), then capture (11.2). The caller that moves Companions
/// calls [`politics::companions_arrived`] itself, since only the last region of their path counts.
pub fn army_entered(play: &mut Table, side: Side, region: Region) {
    politics::army_entered(play, side, region);
    // 11.2: a Town, a City, or a Stronghold without a unit of its controller.
    let hostile = play.board().controller(region) == Some(!side);
    if hostile && play.board().units_in(!side, region) == 0 {
        capture(play, side, region);
    }
    standing::check(play, region);
}

/// 17.46: the player who controls the Army that fought for the region; otherwise the one whose Army is there now.
fn credited(board: &Board, by: Side, region: Region) -> Player {
    let fought = board.battle().filter(|battle| battle.attacker == by && battle.region == region);
    match fought.filter(|battle| battle.part.units(by) > 0) {
        Some(battle) => board.commander(by, &battle.part),
        None => board.commander(by, &board.force(by, region)),
    }
}

/// 11.3: control and points change, and the Nation of the Settlement advances. 11.6: if its own side takes it back, no
/// Nation advances.
pub fn capture(play: &mut Table, by: Side, region: Region) {
    let credit = credited(play.board(), by, region);
    play.tell(Told::Capture(Event::Captured { region, by, credit }));
    let nation = region.nation().expect("a Settlement belongs to a Nation");
    // 12.10: a Nation advances each time the opponent captures one of its Settlements.
    if nation.side() != by {
        politics::advance(play, nation);
    }
}
