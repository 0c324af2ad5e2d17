//! How the bot's players of Risk write, and how good a position is for them: the title has no bot of its own.

use super::bot::Worth;
use super::thumbs::{Thumbs, Ways};
use engine::seat::Seat;
use risk::board::{Board, Holder};
use risk::territory::{Region, Territory};
use risk::{Play, Risk};

pub enum Lords {}

/// The order to play the most useful card of a defender, if it is held.
const COURAGE: &str = "when asked enemy-declared: play courage-alone-will-not-save-you, else pass";

/// The worth of a territory, a battalion, a card, each battalion of the bonus for a whole region, and each battalion
/// more than the weakest neighbour has.
const TERRITORY: i64 = 12;
const BATTALION: i64 = 3;
const CARD: i64 = 5;
const BONUS: i64 = 20;
const EDGE: i64 = 1;
/// The greatest advantage in battalions that counts as a threat.
const EDGE_MAX: i64 = 10;

impl Thumbs for Lords {
    type Rules = Risk;
    const TITLE: &'static str = "risk";
    const SEATS: &'static [&'static str] = &["yellow", "red", "green"];
    const OPENS: &'static str = "reinforcements";
    /// A territory.
    const MARGIN: i64 = TERRITORY;
    const WORTH: Worth<Risk> = worth;

    fn moment(board: &Board, seat: Seat) -> String {
        format!("{} lands, {} battalions", board.lands(seat).len(), battalions(board, seat))
    }

    fn standing(_: Seat, ways: Ways) -> Vec<&'static str> {
        let mut orders = Vec::new();
        if ways >= Ways::Policies {
            orders.extend(["when asked fellowship-no-die, fellowship-roll, fellowship-leaving: pass"]);
        }
        if ways >= Ways::Defences {
            orders.extend([COURAGE, "when asked violent-storms: pass", "when asked defence: most"]);
        }
        orders
    }

    fn for_turn(_: &Play, _: Seat, hand: &[String], ways: Ways) -> Vec<String> {
        let cards = hand.iter().filter(|card| !card.starts_with("terr-")).cloned().collect::<Vec<String>>();
        if ways >= Ways::Policies && !cards.is_empty() {
            vec![format!("when asked hand-limit: one of {}, else ask me this turn", cards.join(", "))]
        } else {
            Vec::new()
        }
    }

    fn for_battle(play: &Play, seat: Seat, _: &[String]) -> Vec<String> {
        match play.board().invasion().map(|_| play.board().active() == seat) {
            Some(false) => vec![
                format!("{COURAGE} this turn"),
                "when asked violent-storms: pass this turn".to_owned(),
                "when asked defence: most this turn".to_owned(),
            ],
            _ => Vec::new(),
        }
    }

    fn clauses(_: &Play, sentence: &str, _: &[String]) -> String {
        if sentence.starts_with("attack") {
            "; go-on if battalions > enemies: again; else call off; advance all but 1".to_owned()
        } else {
            String::new()
        }
    }

    /// An attack that cannot be made any more ends the turn.
    fn ahead(_: Seat, sentence: &str, clauses: &str, _: &[String]) -> String {
        match attack(sentence) {
            Some(attack) => format!("{attack}{clauses}; else end turn"),
            None => sentence.to_owned(),
        }
    }

    fn is_wanted(sentence: &str) -> bool {
        !sentence.contains("ask me for dice")
    }

    fn ends_plan(_: &str) -> bool {
        false
    }

    fn is_for_plan(_: &str) -> bool {
        true
    }

    fn is_answered_ahead(_: &str) -> bool {
        false
    }

    fn least() -> &'static [&'static str] {
        &["pass", "done", "most", "no"]
    }
}

/// An attack, without its number of battalions and without the condition for stopping.
fn attack(sentence: &str) -> Option<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    match words.as_slice() {
        ["attack", target, "from", source, rest @ ..] if !rest.contains(&"playing") => {
            Some(format!("attack {target} from {source}"))
        }
        _ => None,
    }
}

fn battalions(board: &Board, seat: Seat) -> i64 {
    board.lands(seat).iter().map(|land| i64::from(board.battalions(land))).sum()
}

/// What a seat has, minus what the others have, plus what it may hope for.
fn worth(board: &Board, seat: Seat) -> i64 {
    let others: i64 = board.seats().filter(|other| *other != seat).map(|other| strength(board, other)).sum();
    2 * strength(board, seat) - others + threats(board, seat) + prospects(board, seat)
}

fn strength(board: &Board, seat: Seat) -> i64 {
    let lands = i64::from(board.lands(seat).len());
    let whole = Region::ALL.into_iter().filter(|region| board.controls_region(seat, *region));
    let bonus: i64 = whole.map(|region| i64::from(region.bonus()) * BONUS).sum();
    let cards = i64::try_from(board.territory_cards(seat).len() + board.adventure_cards(seat).len()).expect("a few");
    lands * TERRITORY + battalions(board, seat) * BATTALION + bonus + cards * CARD
}

/// For each territory of the seat, how much stronger it is than its weakest neighbour that may be invaded; added up.
fn threats(board: &Board, seat: Seat) -> i64 {
    let edge = |land: Territory| {
        let near = land.neighbours().iter().filter(|near| board.may_invade(seat, board.holder(**near)));
        let weakest = near.map(|near| i64::from(board.battalions(*near))).min()?;
        Some((i64::from(board.battalions(land)) - weakest).clamp(0, EDGE_MAX) * EDGE)
    };
    board.lands(seat).iter().filter_map(edge).sum()
}

/// What the current invasion may gain.
fn prospects(board: &Board, seat: Seat) -> i64 {
    let Some(invasion) = board.invasion() else { return 0 };
    let attackers = i64::from(board.battalions(invasion.source)) - 1;
    let defenders = i64::from(board.battalions(invasion.target));
    let prize = TERRITORY
        + match board.holder(invasion.target) {
            Holder::Seat(holder) if board.controls_region(holder, invasion.target.region()) => BONUS,
            _ => 0,
        };
    let hope = (attackers - defenders).clamp(-3, 3) * prize;
    if board.active() == seat { hope } else { -hope }
}
