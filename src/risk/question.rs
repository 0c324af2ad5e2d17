/*! What is asked, in a plain sentence to the asked seat and in a few words for a subject line.

The shape is `{"seat": "yellow", "id": "combat", "short": "…", "text": "….", "about": ["moria"]}`: `id` as standing
orders name the question, `short` of at most 40 columns and without a full stop, `about` the territories that it is
about, if it is not about the whole board. The words do not depend on anything secret.
*/

use crate::board::Board;
use crate::card::PowerWindow;
use crate::cards::CardStep;
use crate::step::Step;
use crate::territory::Territory;
use crate::words::{battalions, colour, holder, title};
use crate::{Risk, reinforcements};
use engine::name::Named;
use engine::need::Need;
use engine::play::Play;
use engine::plural;
use engine::seat::Seat;
use serde_json::{Value, json};

/// The question that the game waits for; null if it waits for no player.
pub fn asked(play: &Play<Risk>) -> Value {
    let (Need::Question(question), Some(step)) = (play.need(), play.asked()) else {
        return Value::Null;
    };
    let board = play.board();
    let (short, text) = words(board, question.seat, step);
    let about: Vec<&str> = about(board, step).into_iter().map(|territory| territory.name().id()).collect();
    let seat = board.colour(question.seat).word();
    json!({"seat": seat, "id": question.id, "short": short, "text": text, "about": about})
}

/// The territories that a question is about: those of the invasion, or that of the Ring.
pub fn about(board: &Board, step: &Step) -> Vec<Territory> {
    use PowerWindow::{FellowshipAfterRoll, FellowshipLeaving, FellowshipNoDie};
    let of_ring = matches!(
        step,
        Step::Card(CardStep::Window { window: FellowshipNoDie | FellowshipAfterRoll | FellowshipLeaving, .. })
    );
    match (step, board.invasion()) {
        _ if of_ring => vec![board.ring()],
        (Step::Advance { source, target, .. }, _) => vec![*target, *source],
        (_, Some(invasion)) => vec![invasion.target, invasion.source],
        (_, None) => Vec::new(),
    }
}

fn words(board: &Board, seat: Seat, step: &Step) -> (&'static str, String) {
    match step {
        Step::Claim => {
            let left = board.unclaimed().len();
            ("claim a territory", format!("Claim a territory; {} left. You may name several in advance.", are(left)))
        }
        Step::Garrison => {
            let left = battalions(board.player(seat).stock.into());
            ("place your battalions", format!("Place your remaining {left} in territories of yours, in advance."))
        }
        Step::PlaceLeader(_) => {
            ("place a Leader", "Place a Leader in a territory of yours, or both at once.".to_string())
        }
        Step::TurnStart | Step::Reinforce => ("reinforce", reinforce(board, seat, step)),
        Step::TradeDown => ("trade down to 4 Territory cards", trade_down(board, seat)),
        Step::Combat => (
            "attack, fortify or end turn",
            "Attack as often as you like; then fortify, or say `end turn`. (`done` ends only the attacks.)".to_string(),
        ),
        Step::GoOn => ("go on, or call it off", go_on(board)),
        Step::Advance { source, target, moved } => ("how many move in", advance(board, *source, *target, *moved)),
        Step::Defend(_) => ("defend with 1 or 2", defend(board)),
        Step::Fortify => ("fortify or done", fortify(board)),
        Step::OfferMission => (
            "complete a Mission, or pass",
            "A Leader of yours is on a Site of Power: complete its Mission, or pass.".to_string(),
        ),
        Step::KeepHandLimit(_) => {
            let held = board.adventure_cards(seat).len();
            ("discard a card", format!("You hold {held} Adventure cards and may keep 4: discard one."))
        }
        Step::ReplaceLeader => {
            ("place a Leader", "You have no Leader on the board: place one in a territory of yours.".to_string())
        }
        Step::Card(step) => card(board, step),
        _ => ("answer", "The game waits for your answer.".to_string()),
    }
}

fn are(number: u32) -> String {
    if number == 1 { "1 is".to_string() } else { format!("{number} are") }
}

fn reinforce(board: &Board, seat: Seat, step: &Step) -> String {
    let number = reinforcements::to_place(board, step);
    let cards = board.territory_cards(seat).len();
    let must = if reinforcements::must_trade(board, seat) { ", of which a set must be traded first" } else { "" };
    let held = match cards {
        0 => String::new(),
        number => format!(" You hold {}{must}.", plural::counted(number, "Territory card")),
    };
    format!("Your turn begins: place {} in territories of yours.{held}", battalions(number))
}

fn trade_down(board: &Board, seat: Seat) -> String {
    match board.turn().to_place {
        0 => {
            let cards = board.territory_cards(seat).len();
            format!("You hold {} and may keep 4: trade a set.", plural::counted(cards, "Territory card"))
        }
        number => format!("Place the {} that your sets gave.", battalions(number)),
    }
}

fn go_on(board: &Board) -> String {
    let Some(invasion) = board.invasion() else {
        return "Go on, or call it off.".to_string();
    };
    format!(
        "You have {} in {}; {} has {} in {}. Attack again, change the source, or call it off.",
        battalions(board.battalions(invasion.source)),
        title(invasion.source),
        holder(board, board.holder(invasion.target)),
        battalions(board.battalions(invasion.target)),
        title(invasion.target),
    )
}

fn advance(board: &Board, source: Territory, target: Territory, moved: u32) -> String {
    let most = moved + board.battalions(source) - 1;
    format!("You conquered {}: how many move in from {}, {moved} to {most}?", title(target), title(source))
}

fn defend(board: &Board) -> String {
    let Some(invasion) = board.invasion() else {
        return "Defend with 1 or with 2 battalions?".to_string();
    };
    format!("{} Do you defend with 1 or with 2?", attack(board, invasion.source, invasion.target))
}

/// Who attacks which territory, from where, and with how many.
fn attack(board: &Board, source: Territory, target: Territory) -> String {
    let attacker = colour(board, board.active());
    let with = board.invasion().and_then(|invasion| invasion.committed).map_or_else(String::new, |committed| {
        let leader = if committed.leader { " and a Leader" } else { "" };
        format!(" with {}{leader}", battalions(committed.battalions))
    });
    let there = battalions(board.battalions(target));
    format!("{attacker} attacks {} ({there}) from {}{with}.", title(target), title(source))
}

fn fortify(board: &Board) -> String {
    match board.turn().fortifications {
        0 => "You have fortified: complete a Mission, or say `done`.".to_string(),
        1 => "You may make one move between connected territories of yours, or say `done`.".to_string(),
        number => format!("You may make up to {number} moves between connected territories of yours, or say `done`."),
    }
}

fn card(board: &Board, step: &CardStep) -> (&'static str, String) {
    match step {
        CardStep::Window { window, .. } => window_words(board, *window),
        CardStep::AppointLeader(_) => (
            "appoint a second Leader",
            "Appoint a Second Leader: place a Leader in a territory of yours that has none of yours.".to_string(),
        ),
        _ => ("answer", "The game waits for your answer.".to_string()),
    }
}

fn window_words(board: &Board, window: PowerWindow) -> (&'static str, String) {
    let invaded =
        || board.invasion().map_or_else(String::new, |invasion| attack(board, invasion.source, invasion.target));
    let ring = board.ring().name().title();
    match window {
        PowerWindow::EnemyInvasionDeclared => ("answer an invasion", format!("{} Play a card, or pass.", invaded())),
        PowerWindow::EnemySeaborneBattle => {
            ("answer an attack over the sea", format!("{} Play Violent Storms, or pass.", invaded()))
        }
        PowerWindow::FellowshipNoDie => (
            "the Fellowship is about to leave",
            format!("The Fellowship is about to leave {ring} without a die. Play a card, or pass."),
        ),
        PowerWindow::FellowshipAfterRoll => {
            let roll = board.march().result().unwrap_or_default();
            (
                "the Fellowship's roll",
                format!("The Fellowship rolled for leaving {ring}; the roll is {roll}. Play a card, or pass."),
            )
        }
        PowerWindow::FellowshipLeaving => {
            ("the Fellowship may leave", format!("The Fellowship may leave {ring}. Play a card to hold it, or pass."))
        }
        PowerWindow::TurnStart
        | PowerWindow::BeforeInvasion
        | PowerWindow::BeforeStrongholdInvasion
        | PowerWindow::InvasionDeclared
        | PowerWindow::SeaborneInvasionDeclared
        | PowerWindow::AfterLastInvasion => ("play a card", "Play a card, or pass.".to_string()),
    }
}
