//! The game turn (3): six phases, strictly in order, repeated until the game ends.

use crate::board::Board;
use crate::character::Character;
use crate::event::Event as Told;
use crate::event::turn::Event;
use crate::phase::Phase;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, dice, event, fellowship, mordor, teams, victory};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A turn begins: its phases go on the agenda.
    Begin,
    /// A phase begins.
    Phase(Phase),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Begin => f.write_str("turn"),
            Step::Phase(phase) => write!(f, "phase {}", phase.id()),
        }
    }
}

/// The turn and phase of the game, in words for people.
pub fn moment(board: &Board) -> String {
    let phase = match board.phase() {
        Phase::Recovery => "recovery",
        Phase::Fellowship => "Fellowship phase",
        Phase::Allocation => "Hunt allocation",
        Phase::ActionRoll => "action roll",
        Phase::Actions if board.battle().is_some() => "a battle",
        Phase::Actions => "actions",
        Phase::VictoryCheck => "victory check",
    };
    format!("{}, {phase}", named(board))
}

/// The turn, in words.
pub fn named(board: &Board) -> String {
    format!("turn {}", board.turn())
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Begin => begin(play),
        Step::Phase(phase) => begin_phase(play, phase),
    }
}

fn begin(play: &mut Table) {
    let turn = play.board().turn() + 1;
    play.tell(Told::Turn(Event::Began { turn }));
    play.push(Next::Turn(Step::Begin));
    play.then(Phase::ALL.map(|phase| Next::Turn(Step::Phase(phase))));
}

fn begin_phase(play: &mut Table, phase: Phase) {
    play.tell(Told::Turn(Event::PhaseBegan(phase)));
    match phase {
        Phase::Recovery => recover(play),
        Phase::Fellowship => play.push(Next::Fellowship(fellowship::Step::Phase)),
        Phase::Allocation => play.push(Next::Dice(dice::Step::Allot)),
        Phase::ActionRoll => play.then(Side::BOTH.map(|side| Next::Dice(dice::Step::Roll(side)))),
        // 4.1: the Free Peoples begin; 19.33: with `mp3.order = shadow_first` the Shadow. 3.16: after the last die,
        // 15.16 applies.
        Phase::Actions => {
            let first = if play.board().switches().is_default(Choice::Order) { Side::Free } else { Side::Shadow };
            play.then([Next::Dice(dice::Step::Go(first)), Next::Mordor(mordor::Step::Idle)]);
        }
        Phase::VictoryCheck => {
            // 19.6: with `fellowship.guide_window = turn_end` the Guide is named after phase 6.
            if play.board().switches().word(Choice::GuideWindow) == "turn_end" {
                play.push(Next::Fellowship(fellowship::Step::Guide));
            }
            play.push(Next::Victory(victory::Step::Check));
        }
    }
}

/// Phase 1: dice come back (3.2, 3.3), then each side draws one card from each of its decks (3.5).
fn recover(play: &mut Table) {
    let pools = Side::BOTH.map(|side| pool(play.board(), side));
    play.tell(Told::Dice(event::dice::Event::Recovered { pools }));
    // 19.7: with `hunt.forced_die = recovery_extra` a die is forced here if the Fellowship moved in the last turn.
    if play.board().switches().word(Choice::ForcedDie) == "recovery_extra" && play.board().company().moved_last_turn() {
        play.tell(Told::Dice(event::dice::Event::EyeForced));
    }
    let mut steps = Vec::new();
    for side in Side::BOTH {
        let board = play.board();
        steps.extend(teams::draws(board, board.leading(side)));
        if board.seating().is_shared(side) {
            steps.extend(teams::draws(board, board.following(side)));
            steps.push(Next::Teams(teams::Step::Swap(side)));
        }
    }
    play.then(steps);
}

/// 3.3: 4 dice, and 1 for each of Aragorn and Gandalf the White in play; 7 dice, and 1 for each Minion in play.
pub fn pool(board: &Board, side: Side) -> u8 {
    let start = match side {
        Side::Free => 4,
        Side::Shadow => 7,
    };
    start + bonus(board, side)
}

fn bonus(board: &Board, side: Side) -> u8 {
    // 19.5: with `dice.bonus_source = mordor` the sides get dice for the Mordor Track, and none for Characters.
    if !board.switches().is_default(Choice::DiceBonusSource) {
        return match (board.company().is_on_the_mordor_track(), side) {
            (false, _) => 0,
            (true, Side::Free) => 1,
            (true, Side::Shadow) => 2,
        };
    }
    let bringers: &[Character] = match side {
        Side::Free => &[Character::Aragorn, Character::GandalfTheWhite],
        Side::Shadow => &[Character::Saruman, Character::WitchKing, Character::MouthOfSauron],
    };
    let in_play = bringers.iter().filter(|character| board.is_in_play(**character)).count();
    u8::try_from(in_play).expect("at most three")
}
