/*! One random walk through games of both titles: every number of players, preset and variant, and at every sentence
what must hold there.

`walk` plays the games of the routes on all processors, and shows each sentence to the watchers: each is a file of this
folder, looks at every sentence or at one in some number, and says in the end whether it has seen enough. What does not
hold is told with the route, the seed and the position. `RINGMAIL_LONG=1` plays `LONGER` times as many games.
*/

mod ahead;
mod cards;
mod changes;
mod composed;
mod dealer;
mod effort;
mod ending;
mod letters;
mod manner;
mod mates;
#[path = "../examples/title/morris.rs"]
mod morris;
mod offers;
mod position;
mod public;
mod risk_sheet;
mod route;
mod secrets;
mod seen;
mod sight;
mod sums;
mod walk;
mod war_sheet;
mod watcher;
mod wording;

use crate::amount::amount;
use crate::watched::Watched;
use engine::practice::Table;
use engine::title::Setup;
use route::Route;
use seen::Seen;
use walk::walk;
use watcher::Watcher;

/// Games of each route of Risk, of a route that only differs in a switch, and of each route of War of the Ring.
const GAMES: u64 = 32;
const SOME_GAMES: u64 = 7;
const WAR_GAMES: u64 = 18;
/// Games of the example of a title.
const MORRIS_GAMES: u64 = 32;
/// Games that begin late, at a point that random play hardly ever reaches.
const LATE_GAMES: u64 = 3;
/// Short games that begin with all cards in hand.
const CARD_GAMES: u64 = 40;
/// How many times as many there are in a night.
const LONGER: u64 = 32;

/// The first games of each route, in which watchers look that take long: at a route of its own, and at a switch.
const THOROUGH: u64 = 4;
const SOME_THOROUGH: u64 = 2;
/// The games of a route for two in which lines are tried ahead, and those in which sentences are composed.
const AHEAD: u64 = 12;
const COMPOSED: u64 = 2;

/// The sentences after which a game is stopped. All of Risk but Standard Risk end long before.
const RISK_MAX: usize = 6_000;
const STANDARD_MAX: usize = 400;
const WAR_MAX: usize = 3_000;
const CARDS_MAX: usize = 120;
const MORRIS_MAX: usize = 2_000;

type Options = &'static [(&'static str, &'static str)];

const RISK: [(usize, Options); 6] = [
    (2, &[]),
    (3, &[]),
    (4, &[]),
    (4, &[("variant", "alliance")]),
    (4, &[("variant", "team")]),
    (3, &[("variant", "standard")]),
];

const SOME_OF_RISK: [(usize, Options); 9] = [
    (4, &[("variant", "alliance"), ("attack_allies", "true")]),
    (2, &[("variant", "standard")]),
    (4, &[("variant", "standard")]),
    (3, &[("sites", "21")]),
    (3, &[("mission_if_already_there", "false")]),
    (3, &[("step5_lock", "everyone")]),
    (3, &[("doom_roll_on_arrival", "false")]),
    (3, &[("defender_dice", "ask")]),
    (3, &[("card_points", "all_one")]),
];

/// The presets, and switches for three and four players (17).
const WAR: [(usize, Options); 8] = [
    (2, &[]),
    (2, &[("preset", "rules-guide-2.5"), ("cards.null_play", "refuse"), ("mordor.staff_step", "not_made")]),
    (
        2,
        &[
            ("preset", "reference-manual"),
            ("stacking.move_over_ten", "forbid"),
            ("cards.over_full_garrison", "stop_at_five"),
            ("cards.ward_discard", "deck"),
        ],
    ),
    (2, &[("preset", "first-edition"), ("hunt.forced_die", "recovery_extra")]),
    (3, &[]),
    (4, &[]),
    (
        3,
        &[
            ("mp3.fp_draw", "two_then_one"),
            ("mp3.shadow_draw", "one_every_turn"),
            ("mp3.order", "shadow_first"),
            ("mp.pass", "loses_place"),
            ("mp.rings_per_turn", "player"),
        ],
    ),
    (4, &[("mp4.fellowship_owner", "rohan_player"), ("preset", "rules-guide-2.5"), ("cards.null_play", "refuse")]),
];

/// The King leads an Army out of his realm, and the card that only he can lay is in hand.
const LATE: Options = &[
    ("turn", "9 actions"),
    ("fellowship", "gandalf-the-grey legolas gimli meriadoc peregrin"),
    ("osgiliath", "gondor 3r 1e 1l aragorn"),
    ("free-dice", "event 2 muster 2 spent 1"),
    ("free-strategy", "hand 0 7 12"),
    ("free-character", "hand 8"),
    ("north-ithilien", "sauron 4r"),
];

/// Both hold every card, and have the dice to play some. Random games hardly ever play the cards that few boards allow,
/// least of all Grond: the Witch-king must besiege a Stronghold.
const ALL_CARDS: Options = &[
    ("minas-tirith", "besieged sauron 5r witch-king inside gondor 5r"),
    ("politics", "sauron 0 gondor 0"),
    ("free-dice", "event 5"),
    ("shadow-dice", "event 7"),
    ("free-character", "hand 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"),
    ("free-strategy", "hand 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"),
    ("shadow-character", "hand 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"),
    ("shadow-strategy", "hand 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"),
];

fn routes_of_risk() -> Vec<Route> {
    let route = |(players, options): (usize, Options), games| {
        let route =
            Route { title: &risk::title::TITLE, players, options, position: None, games, sentences_max: RISK_MAX };
        let sentences_max = if route.has("standard") { STANDARD_MAX } else { RISK_MAX };
        Route { sentences_max, ..route }
    };
    let all = RISK.into_iter().map(|one| route(one, longer(GAMES)));
    all.chain(SOME_OF_RISK.into_iter().map(|one| route(one, longer(SOME_GAMES)))).collect()
}

fn routes_of_war() -> Vec<Route> {
    let route = |(players, options), position, games| {
        let sentences_max = WAR_MAX;
        Route { title: &wotr::title::TITLE, players, options, position, games, sentences_max }
    };
    let new = WAR.into_iter().map(|one| route(one, None, longer(WAR_GAMES)));
    let late = WAR.into_iter().map(|one| route(one, Some(LATE), longer(LATE_GAMES)));
    let cards = Route { sentences_max: CARDS_MAX, ..route(WAR[0], Some(ALL_CARDS), longer(CARD_GAMES)) };
    new.chain(late).chain([cards]).collect()
}

fn longer(games: u64) -> u64 {
    amount(games, games * LONGER)
}

/// Who watches a game.
fn watchers(route: &Route, seed: u64, setup: &Setup, table: &Table) -> Vec<Box<dyn Watcher>> {
    let is_thorough = seed
        < longer(if route.games >= longer(WAR_GAMES) && route.position.is_none() { THOROUGH } else { SOME_THOROUGH });
    let mut watchers: Vec<Box<dyn Watcher>> = vec![Box::new(ending::Ending)];
    let game = &*table.game;
    let every = |thorough: usize, otherwise: usize| if is_thorough { thorough } else { otherwise };
    watchers.push(Box::new(wording::Wording { every: every(1, 16) }));
    if route.is_risk() {
        watchers.push(Box::new(sums::RiskSums::new(every(1, 8), game, setup)));
        watchers.push(Box::new(offers::Offers { every: every(3, 96), limit: 60 }));
    } else {
        watchers.push(Box::new(sums::WarSums::new(every(1, 32), game)));
        watchers.push(Box::new(offers::Offers { every: every(24, 48), limit: 300 }));
        watchers.push(Box::new(position::Position { every: every(24, 48) }));
        watchers.push(Box::new(cards::Cards));
    }
    if is_thorough {
        watchers.push(Box::new(Watched::new(game)));
        watchers.push(Box::new(public::Public::new(game)));
        // A view of War of the Ring takes as long as many sentences.
        watchers.push(Box::new(secrets::Secrets::new(if route.is_risk() { 3 } else { 96 }, seed)));
    }
    if seed < longer(1) {
        watchers.push(Box::new(letters::Letters { every: 8 }));
    }
    let is_in_sight = route.is_default() && (route.players == 3 || !route.is_risk()) || route.has("team");
    if is_in_sight && seed % GAMES == 3 {
        watchers.push(Box::new(sight::Sight::new(route.players)));
    }
    if route.is_default() {
        watchers.extend(watchers_of_the_default(route, seed));
    }
    watchers
}

/// Who else watches if every switch is at its default: what is costly and hardly depends on the switches.
fn watchers_of_the_default(route: &Route, seed: u64) -> Vec<Box<dyn Watcher>> {
    let mut watchers: Vec<Box<dyn Watcher>> = Vec::new();
    if route.players == 2 && seed < longer(AHEAD) {
        watchers.push(Box::new(ahead::Ahead::default()));
    }
    if (route.players == 2 || route.is_risk() && route.players == 4) && seed < longer(COMPOSED) {
        watchers.push(Box::new(composed::Composed::new(seed)));
    }
    if !route.is_risk() && route.players > 2 && seed % GAMES == 5 {
        watchers.push(Box::new(mates::Mates::new(seed)));
    }
    if seed % GAMES == 4 {
        watchers.push(Box::new(effort::Effort));
    }
    watchers
}

#[test]
fn random_games_of_risk() {
    let routes = routes_of_risk();
    let seen = walk(&routes, watchers);
    told(&seen);
    ending::expect(&routes, &seen);
    ahead::expect("risk", usize::try_from(longer(AHEAD)).unwrap(), &seen);
    composed::expect(200, &[], &seen);
    sight::expect("risk", 2, 0, &seen);
    effort::expect("risk", &seen);
}

#[test]
fn random_games_of_war_of_the_ring() {
    let routes = routes_of_war();
    let seen = walk(&routes, watchers);
    told(&seen);
    ending::expect(&routes, &seen);
    cards::expect(&seen);
    ahead::expect("wotr", usize::try_from(longer(AHEAD)).unwrap(), &seen);
    composed::expect(100, &["character die: move", "army die: move", "army die: attack"], &seen);
    sight::expect("wotr", 3, 9, &seen);
    mates::expect(&seen);
    effort::expect("wotr", &seen);
}

/// The example of a title passes what every title must.
#[test]
fn random_games_of_the_example() {
    let (games, sentences_max) = (longer(MORRIS_GAMES), MORRIS_MAX);
    let routes = [Route { title: &morris::TITLE, players: 2, options: &[], position: None, games, sentences_max }];
    let watchers = |_: &Route, _: u64, _: &Setup, table: &Table| -> Vec<Box<dyn Watcher>> {
        let game = &*table.game;
        vec![
            Box::new(ending::Ending),
            Box::new(wording::Wording { every: 1 }),
            Box::new(offers::Offers { every: 3, limit: 60 }),
            Box::new(Watched::new(game)),
            Box::new(public::Public::new(game)),
        ]
    };
    let seen = walk(&routes, watchers);
    told(&seen);
    ending::expect(&routes, &seen);
    assert_eq!(seen.times("ended", &routes[0].to_string()), usize::try_from(games).unwrap());
}

/// Prints how much was seen.
fn told(seen: &Seen) {
    for what in ["games", "asked", "offers tried", "secrets", "positions read again", "tried ahead", "read in letters"]
    {
        println!("{what}: {}", seen.all(what));
    }
}
