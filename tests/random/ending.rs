//! A game that is over has an outcome, and games come to an end.

use super::route::Route;
use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::need::Need;

/// Random play hardly ever reaches these questions: one player must finish another and then hold too many cards.
const RARE: [&str; 1] = ["trade-down"];

pub struct Ending;

impl Watcher for Ending {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        seen.note("asked", now.question.id);
        if now.after.game.need() == Need::Over {
            seen.note("ended", &now.route.to_string());
            assert!(now.after.game.outcome().is_some(), "a game that is over has an outcome");
        }
    }
}

/// Every game of Risk ends but those of Standard Risk, in which armies and battles only grow in random play; of War of
/// the Ring at least half. Every kind of question is asked that is not rare.
pub fn expect(routes: &[Route], seen: &Seen) {
    for route in routes {
        let name = route.to_string();
        let ended = seen.times("ended", &name);
        let games = usize::try_from(route.games).unwrap();
        let least = match (route.is_risk(), route.has("standard") || route.position.is_some()) {
            (_, true) => 0,
            (true, false) => games,
            (false, _) => games / 2,
        };
        assert!(ended >= least, "{name}: only {ended} of {games} random games came to an end");
    }
    let asked = routes[0].title.questions.iter().map(|asked| asked.id);
    seen.has_all("asked", asked.filter(|asked| !RARE.contains(asked)));
}
