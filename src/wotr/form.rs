//! The order form: what players usually write ahead with the answer to a question, and when a turn begins.

use crate::board::Board;
use crate::die::Face;
use crate::player::Player;
use crate::side::Side;
use engine::order::form::Chain;
use engine::seat::Seat;

/// The lines that a player may add to the answer to a question; for `None`, those for the beginning of a turn.
pub fn form(board: &Board, seat: Seat, question: Option<&str>) -> Vec<Chain> {
    let Some(player) = board.player(seat) else { return Vec::new() };
    let side = player.side();
    match question {
        None => turn(board, player),
        Some("action") => actions(board, side),
        Some("field-or-siege" | "combat-card") => battle(board, side),
        Some("hunt-damage") => vec![Chain::of(
            "So that no Hunt of this turn needs a letter of yours:",
            [
                "when asked hunt-damage if corruption < 8: take it this turn",
                "when asked reveal: toward lorien this turn",
                "when asked guide: one of gandalf-the-grey, strider this turn",
            ],
        )],
        _ => Vec::new(),
    }
}

/// The numeric facts on which the answer to a question usually depends.
pub fn telling_facts(question: &str) -> &'static [&'static str] {
    match question {
        "combat-card" => &["enemies", "units", "round"],
        "retreat" | "press-on" | "field-or-siege" => &["units", "enemies"],
        "hunt-damage" | "hunt-card" => &["damage", "corruption"],
        _ => &[],
    }
}

/// The words with which a standing order repeats this answer.
pub fn said_again(question: &str, said: &str) -> Option<String> {
    let elites = said.contains("elite");
    let again = match question {
        "losses" => {
            if elites {
                "elites first"
            } else {
                "regulars first"
            }
        }
        "combat-card" => Some("no card").filter(|again| *again == said)?,
        "press-on" if said.starts_with("press") => "until 1 left",
        "press-on" => "stop the attack",
        "advance" => {
            if said == "stay" {
                "stay"
            } else {
                "with all"
            }
        }
        "retreat" => Some("stand").filter(|again| *again == said)?,
        "field-or-siege" | "fellowship" => {
            Some(said).filter(|said| ["withdraw", "fight in the open", "done"].contains(said))?
        }
        "hunt-damage" if !said.starts_with("separate") => said,
        "hunt-allocation" => return Some(format!("at most {}", said.strip_prefix("allot ")?)),
        "guide" => return Some(format!("one of {}, else ask me", said.strip_prefix("guide ")?)),
        "draw" => said,
        "swap" => Some("no swap").filter(|again| *again == said)?,
        "join" => Some("stay separate").filter(|again| *again == said)?,
        _ => return None,
    };
    Some(again.to_string())
}

/// The actions after this one, a line for each face that an unused die shows, and clauses behind an attack, so that
/// its battle needs no letter.
fn actions(board: &Board, side: Side) -> Vec<Chain> {
    let left = |face: Face| match face {
        Face::Eye => 0,
        face => board.dice().showing(side, face),
    };
    if Face::ALL.into_iter().map(left).sum::<u8>() < 2 {
        return Vec::new();
    }
    let faces = Face::ALL.into_iter().filter(|face| left(*face) > 0);
    let die =
        |face: Face| format!("{} die: <action>", if face == Face::ArmyMuster { "army/muster" } else { face.id() });
    let chain = Chain::of("Your next actions, one a line; they stop if something touches them:", faces.map(die));
    let has_army = [Face::Army, Face::ArmyMuster, Face::Will, Face::Character].into_iter().any(|face| left(face) > 0);
    let clauses = ["; until 3 left; cards none; regulars first; advance with all"];
    let battle = Chain::of("Behind an attack, so that its battle needs no letter of yours:", clauses);
    [Some(chain), has_army.then_some(battle)].into_iter().flatten().collect()
}

/// The rest of a battle that has just begun.
fn battle(board: &Board, side: Side) -> Vec<Chain> {
    let Some(battle) = board.battle().filter(|battle| battle.round <= 1) else { return Vec::new() };
    let mut lines =
        vec!["when asked combat-card: no card this battle", "when asked losses: regulars first this battle"];
    if side == battle.attacker {
        lines.extend(["when asked press-on: until 3 left this battle", "when asked advance: with all this battle"])
    } else {
        lines.push("when asked retreat if units >= 2: stand this battle")
    }
    vec![Chain::of("So that this battle needs no further letter of yours:", lines)]
}

/// Orders for the usual questions of a turn besides its actions.
fn turn(board: &Board, player: Player) -> Vec<Chain> {
    let side = player.side();
    let shared = board.seating().is_shared(side);
    // 17.6: the token passes to the team mate, so the player who does not lead this turn leads the next.
    let leads = !shared || board.following(side) == player;
    let lead = match side {
        Side::Free => "when asked fellowship: done next turn",
        Side::Shadow => "when asked hunt-allocation: at most 1 next turn",
    };
    let cards =
        ["when asked discard: one of <card>, <card>, else ask me", "when asked combat-card if enemies < 3: no card"];
    let team = ["when asked draw: draw strategy next turn", "when asked swap: no swap next turn"];
    let lines = leads.then_some(lead).into_iter().chain(team.into_iter().filter(|_| shared)).chain(cards);
    vec![Chain::of("So that the next turn begins without a letter of yours:", lines)]
}
