//! What the players say: little, so that a campaign takes few letters, and boldly, so that it ends by its rules. The
//! Shadow hunts with all its dice; the Free Peoples carry the Ring on at any cost, until it has corrupted them. In
//! Risk there is an invasion now and then, and the Ring comes to Mount Doom.

use engine::chance::Practice;
use engine::game::Game;
use engine::need::{Need, Question};
use engine::slot::Faces;
use record::fold::Fold;

/// The most sentences in one letter.
const LINES_MAX: usize = 12;
/// If nothing better is known, the shortest of this many random sentences of the right kind is said.
const TRIES: u32 = 12;
/// The sentence of a letter, counted from 0, that is an invasion if possible.
const INVASION: usize = 3;

/// The standing orders that seats leave as soon as the game has started: the title, the seat, the order.
pub const ORDERS: [(&str, &str, &str); 8] = [
    ("wotr", "free", "when asked fellowship say done"),
    ("wotr", "free", "when asked hunt-damage say take it"),
    ("wotr", "free", "when asked reveal say stay"),
    ("wotr", "shadow", "when asked combat-card say no card"),
    ("risk", "yellow", "when asked cards say pass"),
    ("risk", "yellow", "when asked defence say 1"),
    ("risk", "red", "when asked cards say pass"),
    ("risk", "red", "when asked defence say 2"),
];

/// The standing orders of a seat.
pub fn orders(title: &str, seat: &str) -> Vec<&'static str> {
    ORDERS.iter().filter(|order| order.0 == title && order.1 == seat).map(|order| order.2).collect()
}

/// What the asked player says until dice must fall or another seat is asked.
pub fn answers(fold: &Fold) -> Vec<String> {
    let Need::Question(first) = fold.game().need() else { return Vec::new() };
    let plan = fold.plan();
    let (mut game, faces, mut chance) = (fold.game().copy(), fold.faces(), Practice::new(fold.tally().answers));
    let mut lines = Vec::new();
    while let Need::Question(question) = game.need()
        && lines.len() < LINES_MAX
    {
        if let Some(said) = ordered(fold, &*game, question) {
            game.say(question.seat, said, faces).unwrap();
            continue;
        }
        if question.seat != first.seat {
            break;
        }
        let known = wanted(plan.title.id, question.id, plan.word(question.seat));
        let least = plan.title.orders.least.iter().map(|line| (*line).to_owned());
        let can_be_said = |line: &String| game.read(question.seat, line, faces).is_ok();
        let invades = question.id == "combat" && lines.len() == INVASION;
        let line = if invades { None } else { known.into_iter().chain(least).find(can_be_said) };
        let line = line.unwrap_or_else(|| anything(&*game, faces, question.id, &mut chance));
        lines.push(game.say(question.seat, &line, faces).unwrap().sentence);
    }
    lines
}

/// What a standing order says to a question.
fn ordered(fold: &Fold, game: &dyn Game, question: Question) -> Option<&'static str> {
    let title = fold.plan().title;
    let orders = orders(title.id, fold.plan().word(question.seat)).into_iter();
    let parts = orders.filter_map(|order| order.strip_prefix("when asked ")?.split_once(" say "));
    let mut fitting = parts.filter(|(named, _)| title.answers(named, question.id)).map(|(_, said)| said);
    fitting.find(|said| game.read(question.seat, said, fold.faces()).is_ok())
}

/// The sentences that a seat would like to say, the best first.
fn wanted(title: &str, question: &str, seat: &str) -> Vec<String> {
    let dice = ["character", "will", "event", "army", "muster", "army/muster"];
    match (title, question, seat) {
        ("wotr", "hunt-allocation", _) => (1..=7).rev().map(|dice| format!("allot {dice}")).collect(),
        ("wotr", "action", "free") => {
            let goes = ["move fellowship", "hide fellowship", "skip"];
            goes.iter().flat_map(|go| dice.map(|die| format!("{die} die: {go}"))).collect()
        }
        ("wotr", "action", _) => dice.map(|die| format!("{die} die: skip")).to_vec(),
        ("risk", "claim", _) => vec!["claim nearest".to_owned()],
        _ => Vec::new(),
    }
}

fn anything(game: &dyn Game, faces: &Faces, question: &str, chance: &mut Practice) -> String {
    let right = match question {
        "combat" => "attack",
        "reinforcements" => "place",
        _ => "",
    };
    let mut anything = || game.copy().say_anything(chance, faces).sentence;
    (0..TRIES).map(|_| anything()).min_by_key(|line| (!line.starts_with(right), line.len())).unwrap()
}
