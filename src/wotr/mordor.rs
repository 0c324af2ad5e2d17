//! Mordor (15): entering, advancing on the Mordor Track, idle turns.

use crate::board::Board;
use crate::event::{Event as Told, hunt};
use crate::region::Region;
use crate::region::named::{MINAS_MORGUL, MORANNON};
use crate::switches::Choice;
use crate::tile::Tiles;
use crate::{Table, dice, event, fellowship};
use engine::need::{Answer, Need};
use engine::refusal::{Allowed, allowed_if};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// 15.2.
    Enter,
    /// 15.16, at the end of phase 5.
    Idle,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Enter => f.write_str("mordor enter"),
            Step::Idle => f.write_str("mordor idle"),
        }
    }
}

pub fn need(_: &Board, _: &Step) -> Option<Need> {
    None
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Enter => enter(play),
        Step::Idle => idle(play),
    }
}

pub fn settle(_: &mut Table, step: Step, _: Answer) {
    unreachable!("`{step}` waits for no chance")
}

/// Whether the Fellowship can enter Mordor from the region (15.2).
pub fn is_gate(region: Region) -> bool {
    [MORANNON, MINAS_MORGUL].contains(&region)
}

/// 15.2: the figure is in Morannon or Minas Morgul, Hidden or Revealed, no matter who controls the region.
pub fn may_enter(board: &Board) -> Allowed {
    let company = board.company();
    let stands = company.region().is_some_and(is_gate);
    allowed_if(stands, "15.2", || "the Ring-bearers are not in morannon or minas-morgul".to_string())?;
    // 19.27: with `mordor.entry = declared` only after it has been declared there in this phase.
    let declared = company.is_declared() || board.switches().is_default(Choice::MordorEntry);
    allowed_if(declared, "19.27", || "the Fellowship has not been declared there this turn".to_string())
}

/// 15.3: step 0 and Progress 0; the counter stays Hidden or Revealed. Drawn Eyes and special tiles in play go into the
/// pool.
fn enter(play: &mut Table) {
    play.tell(Told::Fellowship(event::fellowship::Event::EnteredMordor));
    let pool = play.board().pool();
    // 19.28: with `mordor.pool = all_standard_back` every standard tile that is not removed for good returns.
    let back = if play.board().switches().is_default(Choice::MordorPool) {
        pool.drawn().and(Tiles::EYES)
    } else {
        pool.drawn()
    };
    let tiles = back.or(pool.waiting());
    if !tiles.is_empty() {
        play.tell(Told::Hunt(hunt::Event::Refilled { tiles }));
    }
    dice::gain_for_mordor(play);
}

/// 15.10: one step; the last is the Crack of Doom.
pub fn advance(play: &mut Table) {
    let step = play.board().company().mordor().expect("the Fellowship is on the Mordor Track");
    play.tell(Told::Fellowship(event::fellowship::Event::Stepped { to: step + 1 }));
}

/// 15.16: on the track, without an attempt this turn to move or to hide: Corruption +1, Hidden or Revealed.
fn idle(play: &mut Table) {
    let company = play.board().company();
    // 19.30: with `mordor.idle = revealed_only` the point is added only if the Fellowship is Revealed.
    let seen = !company.is_hidden() || play.board().switches().is_default(Choice::MordorIdle);
    if company.is_on_the_mordor_track() && !company.attempted() && seen {
        fellowship::corrupt(play, 1);
    }
}
