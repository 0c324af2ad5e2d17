//! How the bot's players of War of the Ring write.

use super::bot::Worth;
use super::thumbs::{Thumbs, Ways};
use engine::bot::judgement::Judgement;
use engine::seat::Seat;
use engine::slot::Faces;
use wotr::board::Board;
use wotr::player::{Player, Seating};
use wotr::region::Region;
use wotr::side::Side;
use wotr::{Table, WarOfTheRing};

pub enum War {}

/// The Companions who may guide the Fellowship, by Level.
const GUIDES: &str =
    "when asked guide: one of gandalf-the-grey, strider, boromir, legolas, gimli, meriadoc, peregrin, else ask me";
/// A Companion is lost rather than Corruption taken, the Guide if the damage is high; without Companions, Gollum
/// promises to reveal.
const DAMAGE: &str = "when asked hunt-damage if companions >= 1 and damage >= 2: lose the guide, else take it; \
                      else if companions >= 1: lose a random companion, else take it; \
                      else if corruption >= 3: reveal, else take it; else take it";
const FELLOWSHIP: &str = "when asked fellowship: enter mordor, else declare in morannon, else declare in minas-morgul, \
                          else done";

impl Thumbs for War {
    type Rules = WarOfTheRing;
    const TITLE: &'static str = "wotr";
    const SEATS: &'static [&'static str] = &["free", "shadow"];
    const OPENS: &'static str = "action";
    /// A hundredth of the chance to win.
    const MARGIN: i64 = 200;
    const WORTH: Worth<WarOfTheRing> = |board, seat| WarOfTheRing::hope(board, seat, &Faces::default());

    fn moment(board: &Board, seat: Seat) -> String {
        let side = side_of(seat).unwrap_or(Side::Free);
        format!("{} dice", board.dice().unused(side))
    }

    fn standing(seat: Seat, ways: Ways) -> Vec<&'static str> {
        let mut orders = Vec::new();
        if ways >= Ways::Policies {
            if is_free(seat) {
                orders.extend([
                    GUIDES,
                    DAMAGE,
                    FELLOWSHIP,
                    "when asked reveal: toward morannon",
                    "when asked companion-returns: toward minas-tirith",
                    "when asked gandalf-draws: no",
                ])
            } else {
                orders.extend(["when asked hunt-allocation: at most 2"])
            }
        }
        if ways >= Ways::Defences {
            orders.extend([
                "when asked field-or-siege: withdraw",
                "when asked losses: elites first",
                "when asked retreat: stand",
                "when asked disband: regulars first",
            ]);
        }
        orders
    }

    fn for_turn(_: &Table, _: Seat, hand: &[String], ways: Ways) -> Vec<String> {
        let mut orders = Vec::new();
        if ways >= Ways::Policies && !hand.is_empty() {
            let any = hand.join(", ");
            orders.push(format!("when asked discard: one of {any}, else ask me this turn"));
            orders.push(format!("when asked discard: one of {any}, else ask me next turn"));
        }
        if ways >= Ways::Defences {
            orders.push(format!("when asked combat-card: {} this turn", lay(hand)));
        }
        orders
    }

    fn for_battle(play: &Table, seat: Seat, hand: &[String]) -> Vec<String> {
        let Some(battle) = play.board().battle() else { return Vec::new() };
        let attacks = side_of(seat) == Some(battle.attacker);
        let mut orders = vec![
            format!("when asked combat-card: {} this battle", lay(hand)),
            "when asked losses: elites first this battle".to_owned(),
        ];
        if attacks {
            orders.extend([
                "when asked press-on if units >= enemies: press on; else cease this battle".to_owned(),
                "when asked siege-round if units >= twice enemies: reduce elites until 1 left; else cease this battle"
                    .to_owned(),
                "when asked advance: advance with all this battle".to_owned(),
            ])
        } else {
            orders.extend([
                "when asked field-or-siege: withdraw this battle".to_owned(),
                "when asked retreat: stand this battle".to_owned(),
            ])
        }
        orders
    }

    fn clauses(_: &Table, sentence: &str, hand: &[String]) -> String {
        if !sentence.contains("attack") && !sentence.contains("sortie") {
            return String::new();
        }
        format!(
            "; combat-card: {}; elites first; press-on if units >= enemies: press on; else cease; siege-round if units \
             >= twice enemies: reduce elites until 1 left; else cease; advance with all",
            lay(hand)
        )
    }

    fn ahead(seat: Seat, sentence: &str, clauses: &str, before: &[String]) -> String {
        let guards = "; go on if tile, revealed";
        let die = sentence.split_inclusive("die:").next().filter(|die| die.ends_with("die:"));
        match (sentence.split_once(" move fellowship"), die) {
            // The player expects what the Hunt may bring.
            (Some((die, "")), _) => {
                format!("{die} move fellowship if hidden; else {die} hide fellowship; go on if tile, revealed, touched")
            }
            (_, Some(die)) if !sentence.contains("fellowship") => {
                let hides = is_free(seat) && matches!(die, "character die:" | "will die:");
                let hide = if hides { format!("{die} hide fellowship if revealed; else ") } else { String::new() };
                // A region that an attack above puts under siege is attacked again.
                let storms = before.iter().filter_map(|line| stormed(line)).next_back();
                let can_storm = matches!(die, "army die:" | "army/muster die:" | "will die:");
                let storm = storms.filter(|_| can_storm && !sentence.contains("attack"));
                let storm = storm.map_or_else(String::new, |place| {
                    let attack = format!("{die} attack {place} with all");
                    format!("{attack} if {place} besieged and units in {place} > twice enemies in {place}; else ")
                });
                format!("{hide}{storm}{sentence}{clauses}{guards}")
            }
            _ => sentence.to_owned(),
        }
    }

    fn is_wanted(_: &str) -> bool {
        true
    }

    /// A player who draws a card wants to see it first.
    fn ends_plan(sentence: &str) -> bool {
        sentence.contains(" draw ")
    }

    fn is_for_plan(sentence: &str) -> bool {
        sentence != "pass" && !sentence.starts_with("ring:")
    }

    fn is_answered_ahead(question: &str) -> bool {
        question.starts_with("card-")
    }

    fn least() -> &'static [&'static str] {
        &[
            "pass",
            "event die: skip",
            "muster die: skip",
            "army/muster die: skip",
            "army die: skip",
            "character die: skip",
            "will die: skip",
            "no card",
            "stand",
            "no",
        ]
    }
}

/// The Stronghold that a line attacks; `None` if it attacks none.
fn stormed(line: &str) -> Option<&str> {
    let place = line.split_once("attack ")?.1.split([' ', ';']).next()?;
    Region::of_id(place).filter(|region| region.is_stronghold()).map(|_| place)
}

fn is_free(seat: Seat) -> bool {
    side_of(seat) == Some(Side::Free)
}

/// The cards to lay, the newest first.
fn lay(hand: &[String]) -> String {
    if hand.is_empty() { "no card".to_owned() } else { format!("lay one of {}, else no card", hand.join(", ")) }
}

/// The side of a seat, with two players.
fn side_of(seat: Seat) -> Option<Side> {
    Seating::Two.player(seat).map(Player::side)
}
