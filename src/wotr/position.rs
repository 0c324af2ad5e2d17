/*! A game set up at any position: for scenarios, and for asking "what if".

A position is lines of `key: value` like the facts. In addition `clear` takes every figure off the map first, and `step`
says what comes next: `free go`, `shadow go`, of three and four `rohan go` and so on, or the name of a phase.
*/

use crate::board::Board;
use crate::card::Card;
use crate::phase::Phase;
use crate::player::Player;
use crate::region::Region;
use crate::step::Step;
use crate::title::{checked, seated};
use crate::{Table, dice, mordor, turn};
use engine::game::Game;
use engine::slot::Faces;
use engine::title::{Setup, Unplayable};

/// A game at this position, run up to its first need, and the faces of all cards: each lies at the position of its
/// printed number. `step` is the go of the first player by default.
pub fn begin(setup: &Setup, lines: &[(&str, &str)]) -> Result<(Box<dyn Game>, Faces), Unplayable> {
    let mut all: Vec<(&str, &str)> = Vec::new();
    if lines.iter().any(|(key, _)| *key == "clear") {
        all.extend(Region::all().iter().map(|region| (region.id(), "-")));
    }
    // The last line of a key counts.
    for line in lines.iter().filter(|(key, _)| *key != "clear") {
        all.retain(|(key, _)| *key != line.0);
        all.push(*line);
    }
    let (mut board, others) = Board::of_facts(checked(setup)?, seated(setup)?, &all)?;
    let mut steps = None;
    for (key, value) in others {
        match key {
            "step" => steps = Some(steps_at(&mut board, value)?),
            "effects" | "battle" | "hunt-tile" | "won" if value == "-" => {}
            // Facts that do not belong to the board.
            "agenda" | "question" => {}
            _ => return Err(Unplayable(format!("`{key}` is no fact of the board"))),
        }
    }
    let steps = match steps {
        Some(steps) => steps,
        None => {
            let first = format!("{} go", board.seating().players()[0]);
            steps_at(&mut board, &first)?
        }
    };
    let mut faces = Faces::default();
    for card in Card::all() {
        faces.learn(card.deck().slot(card.position()), card.number());
    }
    Ok((Box::new(Table::begin(board, steps)), faces))
}

/// The steps that remain of the turn.
fn steps_at(board: &mut Board, at: &str) -> Result<Vec<Step>, Unplayable> {
    let rest = |phase: Phase| {
        let left = Phase::ALL.into_iter().filter(move |other| *other > phase);
        left.map(|phase| Step::Turn(turn::Step::Phase(phase))).chain([Step::Turn(turn::Step::Begin)])
    };
    let player = at.strip_suffix(" go").and_then(Player::of_id);
    if let Some(player) = player.filter(|player| board.seating().players().contains(player)) {
        if board.teams().any() {
            board.foresee_go(player);
        }
        let side = player.side();
        let go = [Step::Dice(dice::Step::Go(side)), Step::Mordor(mordor::Step::Idle)];
        return Ok(go.into_iter().chain(rest(Phase::Actions)).collect());
    }
    match Phase::ALL.into_iter().find(|phase| phase.id() == at) {
        Some(phase) => Ok([Step::Turn(turn::Step::Phase(phase))].into_iter().chain(rest(phase)).collect()),
        None => {
            let phases = Phase::ALL.map(Phase::id).join(", ");
            let goes = board.seating().players().iter().map(|player| format!("{player} go"));
            let goes = goes.collect::<Vec<_>>().join(", ");
            Err(Unplayable(format!("`step`: {goes}, or one of {phases}; not `{at}`")))
        }
    }
}
