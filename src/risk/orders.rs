/*! What standing orders may name: the facts of conditions, places, and the invasion.

All of it is read from the board, which holds no secret. `my` is the seat whose order it is; `enemies` are the
battalions on the other side of the invasion.
*/

use crate::board::{Board, Holder};
use crate::colour::Colour;
use crate::question;
use crate::step::Step;
use crate::territory::{PATH_STEPS, Territory, path};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::order::fact::{Fact, Matter};
use engine::order::form::Chain;
use engine::order::guard::Touch;
use engine::order::line::{Begins, Clauses};
use engine::refusal::allowed_if;
use engine::seat::Seat;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Turn,
    MyTerritories,
    MyCards,
    TerritoryCards,
    Players,
    RingIn,
    RingStepsLeft,
    BattalionsIn,
    EnemiesNextTo,
    TerritoriesOf,
    CardsOf,
    Battle(Fight),
    /// Where the Fellowship goes when it leaves.
    NextIs,
    Roll,
    Held,
    Mine,
}

/// A fact about the invasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fight {
    Battalions,
    Enemies,
    Attackers,
    AttackerIs,
    BySea,
    Leader,
    TheirLeader,
    Stronghold,
    /// Battalions in the source beside those committed.
    Left,
    /// Whether the holder of the target has its whole region, and would lose the bonus.
    Region,
}

const FACTS: [(&str, Opening); 26] = [
    ("turn", Opening::Turn),
    ("my territories", Opening::MyTerritories),
    ("my cards", Opening::MyCards),
    ("territory cards|my territory cards", Opening::TerritoryCards),
    ("players", Opening::Players),
    ("ring in|the ring is in", Opening::RingIn),
    ("ring steps left", Opening::RingStepsLeft),
    ("battalions in", Opening::BattalionsIn),
    ("enemies next to", Opening::EnemiesNextTo),
    ("territories of", Opening::TerritoriesOf),
    ("cards of", Opening::CardsOf),
    ("battalions", Opening::Battle(Fight::Battalions)),
    ("enemies", Opening::Battle(Fight::Enemies)),
    ("attackers", Opening::Battle(Fight::Attackers)),
    ("attacker is|the attacker is", Opening::Battle(Fight::AttackerIs)),
    ("by sea", Opening::Battle(Fight::BySea)),
    ("leader|a leader", Opening::Battle(Fight::Leader)),
    ("their leader", Opening::Battle(Fight::TheirLeader)),
    ("stronghold|a stronghold", Opening::Battle(Fight::Stronghold)),
    ("left", Opening::Battle(Fight::Left)),
    ("region|a whole region", Opening::Battle(Fight::Region)),
    ("next is|the next is", Opening::NextIs),
    ("roll", Opening::Roll),
    ("result", Opening::Roll),
    ("held", Opening::Held),
    ("", Opening::Mine),
];

/// The clauses that may follow an attack, and those that may follow any other sentence of an invasion.
pub static CLAUSES: Clauses = Clauses {
    begin: &[
        Begins { words: "until", question: "go-on", answer: None },
        Begins { words: "advance", question: "advance", answer: None },
        Begins { words: "stay", question: "advance", answer: Some("advance least") },
    ],
    questions: &["go-on", "advance", "cards", "enemy-declared", "violent-storms", "defence"],
    cards: ("cards", "pass", "play"),
    round: "",
};

/// What conditions may name, as it is written.
pub fn facts() -> Vec<&'static str> {
    let begins = FACTS.iter().map(|(words, _)| words.split('|').next().unwrap_or(words));
    begins.filter(|words| !words.is_empty()).chain(["<territory> mine"]).collect()
}

/// The questions that are asked in an invasion.
const OF_INVASION: [&str; 5] = ["enemy-declared", "violent-storms", "defence", "go-on", "cards"];

/// The questions that are asked after the roll for the Fellowship.
const OF_ROLL: [&str; 2] = ["fellowship-roll", "fellowship-leaving"];

pub fn fact(board: &Board, (seat, question): (Seat, &str), menu: &mut Menu<'_>) -> Ask<Fact> {
    let opening = menu.branch(&FACTS, |opening| match opening {
        Opening::Battle(_) => {
            let is_asked = OF_INVASION.contains(&question);
            allowed_if(is_asked, "", || format!("`{question}` is not asked in an invasion, and has no such fact"))
        }
        Opening::Roll | Opening::Held => {
            let is_asked = OF_ROLL.contains(&question) || question == "cards";
            allowed_if(is_asked, "", || format!("`{question}` is not asked after the Fellowship's roll"))
        }
        _ => Ok(()),
    })?;
    let count = |count: usize| Fact::Number(u32::try_from(count).ok());
    Ok(match opening {
        Opening::Turn => Fact::number(board.turn().number),
        Opening::MyTerritories => Fact::number(board.lands(seat).len()),
        Opening::MyCards => count(board.adventure_cards(seat).len()),
        Opening::TerritoryCards => count(board.territory_cards(seat).len()),
        Opening::Players => count(board.playing().count()),
        Opening::RingIn => {
            let territory = menu.pick("territory", &Territory::ALL, |_| Ok(()))?;
            Fact::flag(board.ring() == territory)
        }
        Opening::RingStepsLeft => count(PATH_STEPS - usize::from(board.ring_step())),
        Opening::BattalionsIn => {
            let territory = menu.pick("territory", &Territory::ALL, |_| Ok(()))?;
            Fact::number(board.battalions(territory))
        }
        Opening::EnemiesNextTo => {
            let territory = menu.pick("territory", &Territory::ALL, |_| Ok(()))?;
            let enemies = territory.neighbours().iter().filter(|near| board.may_invade(seat, board.holder(**near)));
            Fact::Number(Some(enemies.map(|near| board.battalions(*near)).sum()))
        }
        Opening::TerritoriesOf => {
            let whose = seat_of(board, menu)?;
            Fact::number(board.lands(whose).len())
        }
        Opening::CardsOf => {
            let whose = seat_of(board, menu)?;
            count(board.adventure_cards(whose).len())
        }
        Opening::NextIs => {
            let territory = menu.pick("territory", &Territory::ALL, |_| Ok(()))?;
            Fact::flag(path().get(usize::from(board.ring_step())).is_some_and(|next| next.territory == territory))
        }
        Opening::Battle(fight) => return in_invasion(board, seat, fight, menu),
        Opening::Roll => Fact::Number(board.march().result().and_then(|roll| u32::try_from(roll).ok())),
        Opening::Held => Fact::flag(board.march().held),
        Opening::Mine => {
            let territory = menu.pick("territory", &Territory::ALL, |_| Ok(()))?;
            menu.word("mine|is mine")?;
            Fact::flag(board.controls(seat, territory))
        }
    })
}

/// A player, by his colour.
fn seat_of(board: &Board, menu: &mut Menu<'_>) -> Ask<Seat> {
    let colours: Vec<Colour> = board.seats().map(|seat| board.colour(seat)).collect();
    let colour = menu.pick("player", &colours, |_| Ok(()))?;
    Ok(board.seat_of(colour).expect("the colour is that of a seat"))
}

fn in_invasion(board: &Board, seat: Seat, fight: Fight, menu: &mut Menu<'_>) -> Ask<Fact> {
    if fight == Fight::AttackerIs {
        let whose = seat_of(board, menu)?;
        return Ok(Fact::Flag(board.invasion().map(|_| board.active() == whose)));
    }
    let Some(invasion) = board.invasion() else {
        return Ok(match fight {
            Fight::Battalions | Fight::Enemies | Fight::Attackers | Fight::Left => Fact::Number(None),
            Fight::AttackerIs | Fight::BySea | Fight::Leader => Fact::Flag(None),
            Fight::TheirLeader | Fight::Stronghold | Fight::Region => Fact::Flag(None),
        });
    };
    // A seat that neither attacks nor defends sees the invasion from the defender's side.
    let (own, other) =
        if board.active() == seat { (invasion.source, invasion.target) } else { (invasion.target, invasion.source) };
    Ok(match fight {
        Fight::Battalions => Fact::number(board.battalions(own)),
        Fight::Enemies => Fact::number(board.battalions(other)),
        Fight::Attackers => Fact::Number(invasion.committed.map(|committed| committed.battalions)),
        Fight::Left => Fact::Number(
            invasion.committed.map(|committed| board.battalions(invasion.source).saturating_sub(committed.battalions)),
        ),
        Fight::Region => Fact::flag(match board.holder(invasion.target) {
            Holder::Seat(holder) => board.controls_region(holder, invasion.target.region()),
            _ => false,
        }),
        Fight::BySea => Fact::flag(invasion.is_seaborne()),
        Fight::Leader => Fact::flag(board.holding(own).leader),
        Fight::TheirLeader => Fact::flag(board.holding(other).leader),
        Fight::Stronghold => Fact::flag(board.has_stronghold(invasion.target)),
        Fight::AttackerIs => unreachable!("it was read above"),
    })
}

pub fn place(menu: &mut Menu<'_>) -> Ask<&'static str> {
    Ok(menu.pick("territory", &Territory::ALL, |_| Ok(()))?.name().id())
}

/// The matter of a question in an invasion: the target is its place, and the seat whose turn it is brought it about.
pub fn matter(board: &Board, step: &Step) -> Matter {
    let place = question::about(board, step).first().map(|territory| territory.name().id());
    Matter { place, by: board.turn().seat }
}

pub fn battle(board: &Board, open: Option<&Step>) -> Option<String> {
    let (source, target) = sides(board, open)?;
    Some(format!("{} {}", source.name().id(), target.name().id()))
}

/// Source and target of the invasion. 7.1: the advance into a conquered territory ends the invasion and is part of it.
pub fn sides(board: &Board, open: Option<&Step>) -> Option<(Territory, Territory)> {
    match (open, board.invasion()) {
        (Some(Step::Advance { source, target, .. }), _) => Some((*source, *target)),
        (_, Some(invasion)) => Some((invasion.source, invasion.target)),
        (_, None) => None,
    }
}

/// What a changed fact of the board means for lines that wait.
pub fn touch<'v>(key: &str, value: &'v str) -> Touch<'v> {
    match key {
        "invasion" => Touch::Battle(value.split(' ').next().filter(|word| *word != "-")),
        _ if Territory::ALL.iter().any(|territory| territory.name().id() == key) => Touch::Place,
        _ => Touch::Nothing,
    }
}

/// The orders that may be written with the answer to a question, and those that may be left when a turn begins.
pub fn form(question: Option<&str>) -> Vec<Chain> {
    match question {
        None => vec![Chain::of(
            "So that the turns of the others need no letter of yours:",
            [
                "when asked enemy-declared, violent-storms: pass next turn",
                "when asked defence: at most 2 next turn",
                "when asked fellowship-no-die, fellowship-roll: pass next turn",
                "when asked fellowship-leaving: pass next turn",
            ],
        )],
        Some("reinforcements") => vec![Chain::of(
            "Your whole turn, one sentence a line; it waits for what comes between:",
            [
                "place <number> <territory>",
                "attack <target> from <territory>; until 3 left; advance all but 1",
                "done",
                "done",
            ],
        )],
        Some("combat") => vec![Chain::of(
            "Behind an attack, so that it needs no further letter of yours:",
            ["; until 3 left; advance all but 1; cards none"],
        )],
        Some("enemy-declared" | "violent-storms") => vec![Chain::of(
            "So that the invasions of this turn need no further letter of yours:",
            [
                "when asked enemy-declared, violent-storms: pass this turn",
                "when asked defence if enemies >= 4: at most 1; else at most 2",
            ],
        )],
        _ => Vec::new(),
    }
}
