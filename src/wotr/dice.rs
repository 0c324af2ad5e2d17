/*! Action dice (4): their faces, the Hunt allocation and the action roll (3.8, 3.15), and the order of goes.

What a die may be used for is in [`action`](crate::action).
*/

use crate::board::Board;
use crate::board::dice::InUse;
use crate::cards::table;
use crate::character::Character;
use crate::die::{Destination, Face, faces_of};
use crate::event::Event as Told;
use crate::event::dice::Event;
use crate::player::Player;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, action, standing};
use engine::menu::policy::BOUNDS;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::slot::Faces;
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Phase 3: the Shadow allots dice to the Hunt.
    Allot,
    /// Phase 3, answered.
    Allotted(u8),
    /// Phase 4.
    Roll(Side),
    /// 4.3: a side's go.
    Go(Side),
    /// 4.8: a die is taken for an action.
    Take(InUse),
    /// 4.7: the die is put away.
    PutAway(Destination),
    /// 4.3: a die is discarded without effect.
    Skip(Side, Face),
    /// 4.3: the side passes.
    Pass(Side),
    /// 4.20: a Ring changes a die.
    Ring { side: Side, from: Face, to: Face },
    /// 4.26: a Ring is given up for a forced discard.
    GiveRing(Side),
    /// An unused die becomes an Eye and goes into the Hunt Box.
    MakeEye { side: Side, face: Face },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Allot => f.write_str("allot"),
            Step::Allotted(number) => write!(f, "allot {number}"),
            Step::Roll(side) => write!(f, "roll {side}"),
            Step::Go(side) => write!(f, "go {side}"),
            Step::Take(in_use) => {
                write!(f, "take {} {} as {}", in_use.side, in_use.face.id(), in_use.result.id())
            }
            Step::PutAway(Destination::SetAside) => f.write_str("put away"),
            Step::PutAway(Destination::HuntBox) => f.write_str("put away hunt-box"),
            Step::Skip(side, face) => write!(f, "skip {side} {}", face.id()),
            Step::Pass(side) => write!(f, "pass {side}"),
            Step::Ring { side, from, to } => write!(f, "ring {side} {} {}", from.id(), to.id()),
            Step::GiveRing(side) => write!(f, "give ring {side}"),
            Step::MakeEye { side, face } => write!(f, "make eye {side} {}", face.id()),
        }
    }
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match step {
        Step::Allot if least(board) < most(board) => {
            // 17.8: the Leading Player.
            Some(board.asks(board.leading(Side::Shadow), "hunt-allocation"))
        }
        Step::Roll(side) => {
            let count = board.dice().spent(*side);
            let label = match side {
                Side::Free => "free action dice",
                Side::Shadow => "shadow action dice",
            };
            (count > 0).then(|| Need::Draw(Draw::Dice { label, sides: 6, count: u32::from(count) }))
        }
        Step::Go(side) if board.dice().unused(*side) > 0 => Some(board.asks(board.next(*side), "action")),
        _ => None,
    }
}

/// The board as if the player's side had one unused die of each face except the Eye: before the roll nobody knows
/// which there will be.
pub fn any(board: &Board, player: Player) -> Board {
    let (mut board, side, faces) = (board.clone(), player.side(), [1, 1, 1, 1, 1, 1, 0]);
    board.foresee_go(player);
    board.evolve(&Told::Dice(Event::Recovered { pools: [6, 6] }));
    board.evolve(&Told::Dice(Event::Rolled { side, faces }));
    board
}

/// 3.9, 3.10: the most dice for the Hunt: as many as Companions in the Fellowship, at least 1, and at most all dice of
/// the Shadow.
fn most(board: &Board) -> u8 {
    let companions = u8::try_from(board.companions().characters().count()).expect("at most nine");
    companions.max(1).min(board.dice().spent(Side::Shadow))
}

/// 3.14: the fewest dice for the Hunt: 1 if an FP die was in the Hunt Box at the end of the last turn.
fn least(board: &Board) -> u8 {
    let forced = board.dice().hunted() && board.switches().is_default(Choice::ForcedDie);
    u8::from(forced).min(most(board))
}

pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match step {
        Step::Allot => {
            menu.word_or_policy("allot|allocate|hunt", BOUNDS)?;
            let number = menu.number("dice", u32::from(least(board))..=u32::from(most(board)), "3.9, 3.14")?;
            let number = u8::try_from(number).expect("a few dice");
            Ok(vec![Next::Dice(Step::Allotted(number))])
        }
        Step::Go(side) => action::menu(board, *side, faces, menu),
        _ => unreachable!("`{step}` asks nothing"),
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // If the limits allow only one number, nothing is asked.
        Step::Allot => {
            let number = most(play.board());
            play.tell(Told::Dice(Event::Allotted { number }));
        }
        Step::Allotted(number) => play.tell(Told::Dice(Event::Allotted { number })),
        // No die is left to roll.
        Step::Roll(_) => {}
        // 4.5: a side without unused dice has no go; the phase ends when neither has any (3.16).
        Step::Go(side) => {
            if play.board().dice().unused(!side) > 0 {
                play.push(Next::Dice(Step::Go(!side)));
            }
        }
        Step::Take(in_use) => {
            let by = play.board().next(in_use.side);
            play.tell(Told::Dice(Event::Taken { in_use, by }));
        }
        Step::PutAway(fate) => {
            let fate = table::fate(play, fate);
            play.tell(Told::Dice(Event::PutAway(fate)));
        }
        Step::Skip(side, face) => {
            let by = play.board().next(side);
            play.tell(Told::Dice(Event::Skipped { by, face }));
        }
        Step::Pass(side) => {
            let by = play.board().next(side);
            play.tell(Told::Dice(Event::Passed { by }));
        }
        Step::Ring { side, from, to } => {
            let by = play.board().next(side);
            play.tell(Told::Dice(Event::RingUsed { by, from, to }));
        }
        Step::GiveRing(side) => {
            let by = play.board().next(side);
            play.tell(Told::Dice(Event::RingGiven { by }));
        }
        Step::MakeEye { side, face } => play.tell(Told::Dice(Event::MadeEye { side, face })),
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    let (Step::Roll(side), Answer::Dice(rolled)) = (step, answer) else {
        unreachable!("only the action roll waits for dice here");
    };
    let mut faces = [0; 7];
    for die in rolled {
        faces[faces_of(side)[die as usize - 1].index()] += 1;
    }
    play.tell(Told::Dice(Event::Rolled { side, faces }));
}

/// The steps of an action paid for by a die: the die is taken, the action done, the die put away, stacking checked, and
/// it is the other side's go (4.8).
pub fn paid(in_use: InUse, action: Vec<Next>, fate: Destination) -> Vec<Next> {
    let mut steps = Vec::with_capacity(action.len() + 4);
    steps.push(Next::Dice(Step::Take(in_use)));
    steps.extend(action);
    steps.push(Next::Dice(Step::PutAway(fate)));
    steps.push(Next::Standing(standing::Step::Trim(None)));
    steps.push(Next::Dice(Step::Go(!in_use.side)));
    steps
}

/// 6.24: whether a Muster result may be used as an Army result now.
pub fn messenger_may_go(board: &Board) -> bool {
    board.is_in_play(Character::MouthOfSauron) && !board.dice().messenger_used()
}

/// 19.5: with `dice.bonus_source = mordor` the sides get permanent dice when the Fellowship enters Mordor, which are
/// rolled in the same turn.
pub fn gain_for_mordor(play: &mut Table) {
    if !play.board().switches().is_default(Choice::DiceBonusSource) {
        play.tell(Told::Dice(Event::Gained { dice: [1, 2] }));
    }
}
