//! The walk: plays the games of all routes on all processors, and shows every sentence to the watchers.

use super::dealer::deal;
use super::route::Route;
use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::chance::Practice;
use engine::facts::Facts;
use engine::need::Need;
use engine::practice::Table;
use engine::title::Setup;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The last sentences that are told of a game in which something does not hold.
const TOLD: usize = 12;

/// The watchers of a game, by its route and seed, when its table is laid.
pub type Watchers = fn(&Route, u64, &Setup, &Table) -> Vec<Box<dyn Watcher>>;

/// Plays all games. What does not hold is told with the route, the seed, and the position.
pub fn walk(routes: &[Route], watchers: Watchers) -> Seen {
    // The first games of each route first: they take longest.
    let mut games: Vec<(u64, &Route)> =
        routes.iter().flat_map(|route| (0..route.games).map(move |seed| (seed, route))).collect();
    games.sort_by_key(|(seed, _)| *seed);
    let next = AtomicUsize::new(0);
    let walker = || {
        let mut seen = Seen::default();
        while let Some((seed, route)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(panic) = play(route, *seed, watchers, &mut seen) {
                // Nobody begins another game.
                next.store(games.len(), Ordering::Relaxed);
                resume_unwind(panic);
            }
        }
        seen
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let walkers: Vec<_> = (0..processors).map(|_| scope.spawn(walker)).collect();
        let mut all = Seen::default();
        for walker in walkers {
            all.merge(walker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    })
}

fn play(route: &Route, seed: u64, watchers: Watchers, seen: &mut Seen) -> thread::Result<()> {
    let setup = route.setup();
    let mut chance = Practice::new(seed);
    let mut table = route.table(&setup, &mut chance);
    let mut watchers = watchers(route, seed, &setup, &table);
    let mut said = Vec::new();
    seen.note("games", &route.to_string());
    let game = AssertUnwindSafe(|| {
        for number in 0..route.sentences_max {
            let Need::Question(question) = table.game.need() else { break };
            let before = table.game.copy();
            table.game.forget_news();
            let sentence = route.manner(seed).say(&mut table, &*before, question, &mut chance);
            said.push(format!("{}: {}", question.id, sentence.sentence));
            let dealt = deal(&mut table, &mut chance);
            let now = Moment {
                route,
                setup: &setup,
                number,
                question,
                before: &*before,
                said: &sentence,
                dealt: &dealt,
                after: &table,
            };
            watchers.iter_mut().for_each(|watcher| watcher.look(&now, seen));
        }
    });
    catch_unwind(game).inspect_err(|_| {
        let mut facts = Facts::default();
        table.game.facts(&mut facts);
        let last = said[said.len().saturating_sub(TOLD)..].join("\n");
        eprintln!("{route}, seed {seed}, sentence {}, at:\n{}\nafter:\n{last}", said.len(), facts.text());
    })
}
