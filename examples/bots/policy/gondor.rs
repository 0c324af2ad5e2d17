//! The Shadow attacks Gondor: its Armies attack there if they can, and otherwise march there.

use wotr::board::Board;
use wotr::nation::Nation;
use wotr::region::{self, Region};
use wotr::side::Side;

/// The dice that move Armies and attack.
const DICE: [&str; 4] = ["army die", "army/muster die", "character die", "will die"];

/// The sentences that the plan wants for a question.
pub fn wanted(question: &str, board: &Board) -> Vec<String> {
    if question != "action" {
        return Vec::new();
    }
    let goals: Vec<Region> = (region::settlements(Side::Free) - board.captured())
        .iter()
        .filter(|region| region.nation() == Some(Nation::Gondor))
        .collect();
    let armies: Vec<Region> = board.armies(Side::Shadow).iter().collect();
    let mut deeds = Vec::new();
    for goal in &goals {
        if board.besieges(Side::Shadow, *goal) {
            deeds.push(format!("attack {}", goal.id()));
        }
        let beside = armies.iter().filter(|from| from.distance(*goal) == 1);
        deeds.extend(beside.map(|from| format!("attack {} from {}", goal.id(), from.id())));
    }
    let way = |from: Region| goals.iter().map(|goal| from.distance(*goal)).min().unwrap_or(0);
    for from in &armies {
        let nearer = from.neighbours().iter().filter(|to| way(*to) < way(*from));
        deeds.extend(nearer.map(|to| format!("move all {} to {}", from.id(), to.id())));
    }
    deeds.iter().flat_map(|deed| DICE.map(|die| format!("{die}: {deed}"))).collect()
}
