/*! Chapter 3: dealing, claiming, reinforcing, Leaders, and the first cards.

By mail this would take a hundred letters, so a player may say at once what to claim and place in all coming turns of
the setup. Every battalion is still placed one by one in strict turn order, and each is checked against the rules.
*/

use crate::board::player::{ThenClaim, ThenPlace};
use crate::board::{Board, Holder};
use crate::event::{CardReason, Event, RollOff};
use crate::lands::Lands;
use crate::side::Side;
use crate::step::{Step, shield_word};
use crate::switches::Variant;
use crate::territory::{Region, Shield, TERRITORIES, Territory};
use crate::{Play, card};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Draw, Need, Question};
use engine::refusal::{allowed_if, barred};
use engine::seat::Seat;

/// Territories dealt to the neutral army (3.4).
const NEUTRAL_TERRITORIES: usize = 21;
/// Battalions in each of them (3.4).
const NEUTRAL_BATTALIONS: u32 = 2;
/// Adventure cards dealt to each player (3.8).
const ADVENTURE_CARDS: usize = 4;

/// The steps of the setup, in the order of the chapter.
pub fn set_up(play: &mut Play) {
    let standard = play.board().is_standard();
    let battalions = stock(play.board().seats().count());
    play.tell(Event::StockReceived { battalions });
    play.then([Step::DealCards, Step::FindFirst(RollOff::Turn)]);
    if !standard {
        play.push(Step::PlaceLeaders);
    }
    play.then([Step::FindFirst(RollOff::Claim), Step::Claim, Step::Garrison]);
    if !standard {
        // 14.4: in Standard Risk no territories are dealt.
        play.then([Shield::Good, Shield::Evil, Shield::Neutral].map(Step::DealTerritories));
    }
}

/// 3.2: starting battalions per player.
fn stock(players: usize) -> u32 {
    match players {
        2 => 60,
        3 => 52,
        _ => 45,
    }
}

/// The territories with this shield, in the order of the board.
fn pile(shield: Shield) -> Vec<Territory> {
    Territory::ALL.into_iter().filter(|territory| territory.shield() == shield).collect()
}

pub fn shuffle_need(shield: Shield) -> Need {
    let count = u16::try_from(pile(shield).len()).expect("64 territories");
    Need::Draw(Draw::Shuffle { label: shield_word(shield), count })
}

/// 3.4: the shuffled pile is dealt round to the players who get these shields, and the territories are occupied.
pub fn deal(play: &mut Play, shield: Shield, order: &[u16]) {
    let pile = pile(shield);
    let board = play.board();
    let of_side = |side: Side| -> Vec<Holder> {
        board.seats().filter(|seat| board.side(*seat) == side).map(Holder::Seat).collect()
    };
    let players = board.seats().count();
    // 4 players: 8 good to each good player, 8 evil to each evil player. 3: 16 good to the good player, 8 evil and
    // 8 neutral to each evil one. 2: 16 good, 16 evil, and 21 neutral to the neutral army, 2 battalions each (▲6).
    let (takers, each, battalions) = match (shield, players) {
        (Shield::Good, _) => (of_side(Side::Good), 16 / of_side(Side::Good).len(), 1),
        (Shield::Evil, _) => (of_side(Side::Evil), 16 / of_side(Side::Evil).len(), 1),
        (Shield::Neutral, 2) => (vec![Holder::Neutral], NEUTRAL_TERRITORIES, NEUTRAL_BATTALIONS),
        (Shield::Neutral, 3) => (of_side(Side::Evil), 8, 1),
        (Shield::Neutral, _) => (Vec::new(), 0, 0),
    };
    let dealt = takers.len() * each;
    for (place, holder) in order.iter().take(dealt).zip(takers.iter().cycle()) {
        let territory = pile[usize::from(*place)];
        play.tell(Event::TerritoryDealt { territory, holder: *holder, battalions });
    }
}

/// 3.5, 3.10: a roll decides who is first. 14.2: in Team Risk the strongholds in Mordor decide, both for placing and
/// for playing.
pub fn find_first(play: &mut Play, purpose: RollOff) {
    let board = play.board();
    if board.switches().variant != Variant::Team {
        let among = board.seats().collect();
        play.push(Step::RollOff { purpose, among });
        return;
    }
    if let (RollOff::Turn, Some(first)) = (purpose, board.turn().first) {
        play.tell(Event::FirstFound { purpose, seat: first });
        play.push(Step::BeginTurn(first));
        return;
    }
    let mordor = Region::ALL.into_iter().find(|region| region.name().id() == "mordor").expect("Mordor is a region");
    let strongholds = Lands::of(mordor).and(Lands::strongholds());
    let evil: Vec<Seat> = board.seats().filter(|seat| board.side(*seat) == Side::Evil).collect();
    let count = |seat: &Seat| board.lands(*seat).and(strongholds).len();
    let most = evil.iter().map(count).max().expect("two players are evil");
    let among: Vec<Seat> = evil.into_iter().filter(|seat| count(seat) == most).collect();
    match among.as_slice() {
        [last] => last_found(play, *last),
        _ => play.push(Step::RollOff { purpose: RollOff::Last, among }),
    }
}

/// 14.2: the player to the left of the last one begins.
pub fn last_found(play: &mut Play, last: Seat) {
    let seat = play.board().next_seat(last);
    play.tell(Event::FirstFound { purpose: RollOff::Claim, seat });
}

/// The roll has found who begins.
pub fn first_found(play: &mut Play, purpose: RollOff, seat: Seat) {
    play.tell(Event::FirstFound { purpose, seat });
    if purpose == RollOff::Turn {
        play.push(Step::BeginTurn(seat));
    }
}

// 3.5: claiming.

/// The question for a claim, unless the player in turn has said it in advance.
pub fn need_claim(board: &Board) -> Option<Need> {
    let seat = board.active();
    let open = !board.unclaimed().is_empty() && planned_claim(board, seat).is_none();
    open.then_some(Need::Question(Question { seat, id: "claim" }))
}

/// `claim bree, rivendell`, `claim bree, rivendell then nearest` or `claim nearest`: in each turn the first of them
/// that is still unclaimed is claimed.
pub fn claim_menu(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word("claim")?;
    let unclaimed = board.unclaimed();
    let ways = [("nearest", ThenClaim::Nearest), ("", ThenClaim::Ask)];
    if menu.branch(&ways, |_| Ok(()))? == ThenClaim::Nearest {
        return Ok(vec![Step::PlanClaims { claims: Vec::new(), then: ThenClaim::Nearest }, Step::Claim]);
    }
    let claims = menu.several("territory", TERRITORIES, &Territory::ALL, |territory| {
        allowed_if(unclaimed.contains(territory), "3.5", || format!("{} is claimed already", territory.name().title()))
    })?;
    let then = if menu.maybe("then nearest|, then nearest")? { ThenClaim::Nearest } else { ThenClaim::Ask };
    Ok(vec![Step::PlanClaims { claims, then }, Step::Claim])
}

/// 3.5: 1 battalion on an unclaimed territory; the next player follows until all 64 are taken.
pub fn claim(play: &mut Play) {
    let seat = play.board().active();
    if let Some(territory) = planned_claim(play.board(), seat) {
        play.tell(Event::TerritoryClaimed { seat, territory });
        play.push(Step::Claim);
    }
}

/// What the player has said in advance to claim now, if anything.
fn planned_claim(board: &Board, seat: Seat) -> Option<Territory> {
    let unclaimed = board.unclaimed();
    let setup = &board.player(seat).setup;
    let wanted = setup.claims.iter().copied().find(|territory| unclaimed.contains(*territory));
    match setup.then_claim {
        ThenClaim::Nearest => wanted.or_else(|| nearest(board.lands(seat), unclaimed)),
        ThenClaim::Ask => wanted,
    }
}

/// The unclaimed territory that is the fewest passages away from the player's own; of several, the first in the order
/// of the board.
fn nearest(own: Lands, unclaimed: Lands) -> Option<Territory> {
    let mut around = own;
    for _ in 0..TERRITORIES {
        around = around.or(around.surroundings());
        if let Some(found) = around.and(unclaimed).first() {
            return Some(found);
        }
    }
    unclaimed.first()
}

// 3.6: reinforcing.

/// The question for the next battalion, unless the player in turn has said it in advance.
pub fn need_garrison(board: &Board) -> Option<Need> {
    let seat = board.active();
    let open = board.player(seat).stock > 0 && planned_garrison(board, seat).is_none();
    open.then_some(Need::Question(Question { seat, id: "garrison" }))
}

/// `place 3 the-shire, 2 buckland`, `… then evenly` or `place evenly`: one battalion is placed in each turn.
pub fn garrison_menu(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word("place")?;
    let seat = board.active();
    let ways = [("evenly|rest evenly|all evenly", ThenPlace::Evenly), ("", ThenPlace::Ask)];
    if menu.branch(&ways, |_| Ok(()))? == ThenPlace::Evenly {
        return Ok(vec![Step::PlanGarrisons { places: Vec::new(), then: ThenPlace::Evenly }, Step::Garrison]);
    }
    let places = menu.split("territory", u32::from(board.player(seat).stock), &Territory::ALL, "3.6", |territory| {
        allowed_if(board.controls(seat, territory), "3.6", || {
            format!("you do not control {}", territory.name().title())
        })
    })?;
    let then =
        if menu.maybe("then evenly|, rest evenly|and rest evenly|rest evenly|, the rest evenly|and the rest evenly")? {
            ThenPlace::Evenly
        } else {
            ThenPlace::Ask
        };
    Ok(vec![Step::PlanGarrisons { places, then }, Step::Garrison])
}

/// 3.6: 1 battalion goes to a territory of the player's own; ▲8: a player who has none left is skipped.
pub fn garrison(play: &mut Play) {
    let board = play.board();
    let seat = board.active();
    if board.seats().all(|seat| board.player(seat).stock == 0) {
        return;
    }
    match planned_garrison(board, seat) {
        Some(territory) => play.tell(Event::BattalionPlaced { seat, territory }),
        None => play.tell(Event::SetupTurnPassed),
    }
    play.push(Step::Garrison);
}

fn planned_garrison(board: &Board, seat: Seat) -> Option<Territory> {
    let player = board.player(seat);
    if player.stock == 0 {
        return None;
    }
    match (player.setup.places.first(), player.setup.then_place) {
        (Some((_, territory)), _) => Some(*territory),
        (None, ThenPlace::Evenly) => board.lands(seat).iter().min_by_key(|territory| board.battalions(*territory)),
        (None, ThenPlace::Ask) => None,
    }
}

// 3.7: Leaders.

/// Each player places his first Leader in turn order, then each his second.
pub fn place_leaders(play: &mut Play) {
    let board = play.board();
    let first = board.turn().first.expect("who begins has been found");
    let round: Vec<Step> = board.seats_from(first).map(Step::PlaceLeader).collect();
    play.then(round.clone());
    play.then(round);
}

pub fn need_leader(board: &Board, seat: Seat) -> Option<Need> {
    let planned = planned_leader(board, seat).is_some();
    (!planned).then_some(Need::Question(Question { seat, id: "leader" }))
}

/// `leader rhudaur` or, for both at once, `leader rhudaur then minas-tirith`.
pub fn leader_menu(board: &Board, seat: Seat, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word("leader")?;
    let own = |territory: Territory| {
        if !board.controls(seat, territory) {
            return barred("3.7", format!("you do not control {}", territory.name().title()));
        }
        allowed_if(!board.holding(territory).leader, "1.4", || "your other Leader stands there".to_string())
    };
    let first = menu.choose("territory", &Territory::ALL, own)?;
    let both = board.leaders_in_supply(seat) == 2 && menu.maybe("then|, then|and")?;
    let second = if both {
        Some(menu.choose("territory", &Territory::ALL, |territory| {
            allowed_if(territory != first, "3.7", || "the second Leader never stands with the first".to_string())?;
            own(territory)
        })?)
    } else {
        None
    };
    Ok(vec![Step::NoteLeaders { seat, first, second }])
}

pub fn note_leaders(play: &mut Play, seat: Seat, territory: Territory, second: Option<Territory>) {
    play.tell(Event::LeaderPlaced { seat, territory });
    if let Some(territory) = second {
        play.tell(Event::SecondLeaderPlanned { seat, territory });
    }
}

pub fn place_leader(play: &mut Play, seat: Seat) {
    let territory = planned_leader(play.board(), seat).expect("a Leader not planned is asked for");
    play.tell(Event::LeaderPlaced { seat, territory });
}

fn planned_leader(board: &Board, seat: Seat) -> Option<Territory> {
    board.player(seat).setup.second_leader
}

// 3.8: cards.

/// 1 Territory card and 4 Adventure cards for each player; then the Events are shuffled into their deck.
pub fn deal_cards(play: &mut Play) {
    let board = play.board();
    let (seats, standard): (Vec<Seat>, bool) = (board.seats().collect(), board.is_standard());
    let mut steps: Vec<Step> =
        seats.iter().map(|seat| Step::DrawTerritoryCard { seat: *seat, reason: CardReason::Setup }).collect();
    if !standard {
        for seat in seats {
            steps.extend(std::iter::repeat_n(Step::DealAdventureCard(seat), ADVENTURE_CARDS));
        }
        steps.push(Step::ReturnEvents);
    }
    play.then(steps);
}

pub fn return_events_need(board: &Board) -> Need {
    Need::Mask(board.adventure_deck().with(&card::events()))
}
