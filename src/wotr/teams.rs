/*! Three and four players (17): the draws and swaps of phase 1, and Armies of team mates that become one.

The board ([`board::teams`](mod@crate::board::teams)) knows whose go it is, who owns an Army, and who controls it.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::{EventDeck, Held, Type};
use crate::character::Character;
use crate::event::Event as Told;
use crate::event::event_cards::Event as Cards;
use crate::event::teams::Event;
use crate::event_cards;
use crate::player::{Player, Seating};
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, words};
use engine::menu::{Ask, Menu};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if};
use engine::slot::{Faces, Slot};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 17.10: one card from a deck that the player chooses.
    Draw(Player),
    /// 17.13: whether two team mates swap a card each; the Leading Player is asked first.
    Swap(Side),
    /// 17.13: the team mate chooses the card that he gives for this one.
    SwapFor(Slot),
    /// 17.13: the player gives no card.
    Keep(Player),
    /// 17.13: the cards change hands.
    Swapped { first: Slot, second: Slot },
    /// 17.32: the player whose go it is proposes to his mate that their Armies in the region become one.
    Propose { side: Side, region: Region },
    /// 17.32: whether the mate agrees.
    Agree { side: Side, region: Region },
    /// 17.32, answered.
    Join { side: Side, region: Region, agreed: bool },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slot = |slot: &Slot| format!("{} {}", EventDeck::of_slot(*slot).id(), slot.position);
        match self {
            Step::Draw(player) => write!(f, "draw of {player}"),
            Step::Swap(side) => write!(f, "swap {side}"),
            Step::SwapFor(first) => write!(f, "swap for {}", slot(first)),
            Step::Keep(player) => write!(f, "keep cards {player}"),
            Step::Swapped { first, second } => write!(f, "swapped {} and {}", slot(first), slot(second)),
            Step::Propose { side, region } => write!(f, "propose {side} {}", region.id()),
            Step::Agree { side, region } => write!(f, "agree {side} {}", region.id()),
            Step::Join { side, region, agreed } => write!(f, "join {side} {} {agreed}", region.id()),
        }
    }
}

/// 17.10, 17.11: the draws of a player in phase 1: in turn 1 one card from each deck, later one from a deck of his
/// choice; the single player of the Free Peoples always two.
pub fn draws(board: &Board, player: Player) -> Vec<Next> {
    let first_turn = board.turn() <= 1;
    let switches = board.switches();
    let from_each = match (board.seating(), player) {
        (Seating::Two, _) => true,
        // 19.32: the draws of three players.
        (Seating::Three, Player::Free) => first_turn || switches.is_default(Choice::FreeDraw),
        (Seating::Three, _) => first_turn && switches.is_default(Choice::ShadowDraw),
        (Seating::Four, _) => first_turn,
    };
    let mut steps: Vec<Next> = if from_each {
        let decks = EventDeck::of(player.side());
        decks.into_iter().map(|deck| Next::Cards(event_cards::Step::Draw { deck, to: player })).collect()
    } else {
        vec![Next::Teams(Step::Draw(player))]
    };
    steps.push(Next::Cards(event_cards::Step::HandLimit(player)));
    steps
}

/// 17.12: the decks that have a card left.
fn open_decks(board: &Board, player: Player) -> impl Iterator<Item = EventDeck> + use<'_> {
    EventDeck::of(player.side()).into_iter().filter(|deck| !board.decks().left(*deck).is_empty())
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match *step {
        Step::Draw(player) => (open_decks(board, player).count() > 1).then(|| board.asks(player, "draw")),
        Step::Swap(side) => {
            let holds = |player: Player| board.decks().hand_size(player) > 0;
            let (first, second) = (board.leading(side), board.following(side));
            (holds(first) && holds(second)).then(|| board.asks(first, "swap"))
        }
        Step::SwapFor(first) => Some(board.asks(board.seating().mate(board.owner(first)), "swap")),
        Step::Agree { side, .. } => Some(board.asks(board.seating().mate(board.next(side)), "join")),
        Step::Keep(_) | Step::Swapped { .. } | Step::Propose { .. } | Step::Join { .. } => None,
    }
}

/// `draw strategy`; `swap strategy-7` or `no swap`; `join` or `stay separate`.
pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match *step {
        Step::Draw(player) => {
            menu.word("draw|draw from|draw a|take a")?;
            let ways = [
                ("character|character card|character deck", Type::Character),
                ("strategy|strategy card|strategy deck", Type::Strategy),
            ];
            let kind = menu.branch(&ways, |_| Ok(()))?;
            let deck = EventDeck { side: player.side(), kind };
            Ok(vec![Next::Cards(event_cards::Step::Draw { deck, to: player })])
        }
        Step::Swap(side) => swap(board, board.leading(side), faces, menu, Step::SwapFor),
        Step::SwapFor(first) => {
            let mate = board.seating().mate(board.owner(first));
            swap(board, mate, faces, menu, |second| Step::Swapped { first, second })
        }
        Step::Agree { side, region } => {
            let ways = [("join|agree|yes|join armies", true), ("stay separate|separate|no|no join", false)];
            let agreed = menu.branch(&ways, |_| Ok(()))?;
            Ok(vec![Next::Teams(Step::Join { side, region, agreed })])
        }
        Step::Keep(_) | Step::Swapped { .. } | Step::Propose { .. } | Step::Join { .. } => {
            unreachable!("`{step}` asks nothing")
        }
    }
}

/// 17.13: each player chooses his own card unseen, so the log names only its slot.
fn swap(
    board: &Board,
    player: Player,
    faces: &Faces,
    menu: &mut Menu<'_>,
    next: impl Fn(Slot) -> Step,
) -> Ask<Vec<Next>> {
    let ways = [("swap|give|swap card", true), ("no swap|no|none|keep|no card", false)];
    if !menu.branch(&ways, |_| Ok(()))? {
        return Ok(vec![Next::Teams(Step::Keep(player))]);
    }
    let held = Held::of(&board.decks().hand_of(player), faces, menu.is_reading());
    let card = menu.choose("card", &held, |_| Ok(()))?;
    Ok(vec![Next::Teams(next(card.slot))])
}

/// The remarks that players read before the game begins (17.1 to 17.6): the teams, the Nations of each player, who
/// leads, and that team mates do not talk about their hands.
pub fn remarks(seating: Seating) -> Vec<String> {
    if seating == Seating::Two {
        return Vec::new();
    }
    let shared: Vec<Side> = Side::BOTH.into_iter().filter(|side| seating.is_shared(*side)).collect();
    let named = |player: &Player| words::begin(player.id());
    let team = |side: Side| {
        let names: Vec<String> = seating.team(side).iter().map(named).collect();
        match (side, names.as_slice()) {
            (Side::Free, [_]) => "one player plays the Free Peoples".to_string(),
            _ => format!("{} play {} together", words::and(&names), side.title()),
        }
    };
    let part = |player: &Player| {
        let nations: Vec<&str> = player.nations().iter().map(|nation| words::nation(*nation)).collect();
        let minions = Character::of(Side::Shadow).iter().copied().filter(|minion| player.has(*minion));
        let minions: Vec<&str> = minions.filter(|_| player.side() == Side::Shadow).map(words::character).collect();
        let with = if minions.is_empty() { String::new() } else { format!(", with {}", words::and(&minions)) };
        format!("{} plays {}{with}.", named(player), words::and(&nations))
    };
    let parts = shared.iter().flat_map(|side| seating.team(*side)).map(part).collect::<Vec<String>>().join(" ");
    let first: Vec<String> = shared.iter().map(|side| named(&seating.team(*side)[0])).collect();
    let lead = if first.len() == 1 { "leads" } else { "lead" };
    let row = "Two actions of the Free Peoples in a row may not be on the same Nation or Army (17.40).";
    let row = (seating == Seating::Three).then(|| row.to_string());
    let all = [
        words::begin(&format!("{}; {} (17.1 to 17.3).", team(Side::Free), team(Side::Shadow))),
        parts,
        format!("{} {lead} in turn 1, and in every later turn the team mate does (17.6).", words::and(&first)),
        "Team mates win together, may talk and write to each other, but not about the cards in their hands (17.5)."
            .to_string(),
    ];
    all.into_iter().chain(row).collect()
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // 17.12: one deck is left, or none.
        Step::Draw(player) => {
            let deck = open_decks(play.board(), player).next();
            if let Some(deck) = deck {
                play.push(Next::Cards(event_cards::Step::Draw { deck, to: player }));
            }
        }
        // One of the two has no card.
        Step::Swap(_) => {}
        Step::Keep(by) => play.tell(Told::Teams(Event::KeptCards { by })),
        Step::Swapped { first, second } => play.tell(Told::Cards(Cards::Swapped { first, second })),
        Step::Propose { side, region } => {
            let by = play.board().next(side);
            play.tell(Told::Teams(Event::Proposed { by, region }));
        }
        Step::Join { side, region, agreed: true } => play.tell(Told::Teams(Event::Joined { side, region })),
        Step::Join { side, region, agreed: false } => {
            let by = play.board().seating().mate(play.board().next(side));
            play.tell(Told::Teams(Event::Declined { by, region }));
        }
        Step::SwapFor(_) | Step::Agree { .. } => unreachable!("`{step}` is always asked"),
    }
}

/// 17.32: whether the player whose go it is may propose to join the Armies of his team in the region.
pub fn may_propose(board: &Board, side: Side, region: Region) -> Allowed {
    allowed_if(has_both(board, side, region), "17.32", || {
        format!("you and your team mate do not both have units in {}", region.title())
    })?;
    let separate = !board.is_mixed(side, region);
    allowed_if(separate, "17.32", || format!("the Army in {} is one already", region.title()))?;
    may_propose_again(board)
}

/// Whether both team mates have units in the region.
fn has_both(board: &Board, side: Side, region: Region) -> bool {
    board.is_of_both(side, board.at(board.entry(side, region)))
}

fn may_propose_again(board: &Board) -> Allowed {
    allowed_if(!board.has_proposed(), "17.32", || "you have proposed to join Armies in this go".to_string())
}

/// Whether the player may propose this in any region.
pub fn may_propose_some(board: &Board, side: Side) -> Allowed {
    may_propose_again(board)?;
    let separate = |region: Region| has_both(board, side, region) && !board.is_mixed(side, region);
    let some = board.seating().is_shared(side) && board.armies_anywhere(side).iter().any(separate);
    allowed_if(some, "17.32", || "no separate Armies of your team stand in one region".to_string())
}

/// `join osgiliath`, read after the word `join`. The go continues afterwards.
pub fn propose(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let region = menu.pick("region", Region::all(), |region| may_propose(board, side, region))?;
    Ok(vec![Next::Teams(Step::Propose { side, region }), Next::Teams(Step::Agree { side, region })])
}

/// What is asked, in a few words and in a sentence.
pub fn question(board: &Board, step: &Step) -> (&'static str, String) {
    match *step {
        Step::Draw(_) => {
            ("which deck you draw from", "Draw one card: a Character card or a Strategy card?".to_string())
        }
        Step::Swap(side) => {
            let mate = board.following(side).title();
            ("a swap, or no swap", format!("Offer {mate} one card, unseen, for one of theirs, or no swap?"))
        }
        Step::SwapFor(first) => {
            let (by, deck) = (board.owner(first).title(), EventDeck::of_slot(first));
            let kind = words::begin(deck.kind.id());
            let text = format!("{} offers you a {kind} card, unseen: give one for it, or no swap?", words::begin(by));
            ("a swap, or no swap", text)
        }
        Step::Agree { side, region } => {
            let by = words::begin(board.next(side).title());
            let text = format!("{by} proposes that your Armies in {} become one. Do you agree?", region.title());
            ("whether two Armies become one", text)
        }
        Step::Keep(_) | Step::Swapped { .. } | Step::Propose { .. } | Step::Join { .. } => {
            unreachable!("`{step}` asks nothing")
        }
    }
}

/// 17.34: the player who removes the next unit at a place over its limit: of a mixed Army its controlling player; else
/// both in turn, the non-Leading Player first.
pub fn remover(board: &Board, side: Side, place: Place, last: Option<(Player, Place)>) -> Player {
    let force = board.force_at(side, place);
    let mixed = place.region().is_some_and(|region| board.is_mixed(side, region));
    if mixed || !board.is_of_both(side, &force) {
        return board.commander(side, &force);
    }
    let last = last.filter(|(player, there)| *there == place && player.side() == side);
    last.map_or_else(|| board.following(side), |(player, _)| board.seating().mate(player))
}
