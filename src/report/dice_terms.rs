//! What feeds the dice of a game, in a few sentences for the players.

use record::entry::body::Mode;
use record::fold::Fold;
use record::fold::receipts::ROUNDS_AHEAD;

/// Which mode the dice have, and what that means for the players.
pub fn terms(fold: &Fold) -> String {
    let plan = fold.plan();
    let beacon = plan.beacon.as_ref().map(|chain| {
        if chain.is_quicknet() {
            "the public beacon quicknet, which nobody knows before".to_owned()
        } else {
            format!("a beacon of the host's own, which he may know before (chain {})", chain.hash())
        }
    });
    match (plan.mode, beacon) {
        (Mode::Beacon, beacon) => format!(
            "Dice: beacon. An answer is fixed when it comes, and its dice follow {} later from {}.",
            waiting(plan.beacon.as_ref().map_or(0, |chain| chain.info().period)),
            beacon.unwrap_or_default()
        ),
        (Mode::Chain, _) => "Dice: chain. They follow from values that the host's program has fixed and from what \
                             the players add when they join. The host could know them beforehand; he cannot choose \
                             them."
            .to_owned(),
    }
}

/// How long a receipt waits for its own round, in words.
fn waiting(period: u32) -> String {
    let seconds = ROUNDS_AHEAD * u64::from(period);
    match seconds / 60 {
        0 | 1 => format!("{seconds} seconds"),
        minutes => format!("{minutes} minutes"),
    }
}
