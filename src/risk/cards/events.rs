//! The ten titles of Events: each happens as it is drawn (8.5, 8.6).

use crate::engine::menu::{Ask, Menu};
use crate::engine::name::Named;
use crate::engine::need::{Need, Question, Show};
use crate::engine::refusal::{Allowed, allowed_if, barred};
use crate::engine::seat::Seat;
use crate::engine::slot::{Card, Slot};
use crate::risk::board::{Board, Effect, EffectKind, Holder};
use crate::risk::card::{self, Face, Wild};
use crate::risk::cards::CardStep;
use crate::risk::event::{Cause, Event};
use crate::risk::lands::Lands;
use crate::risk::side::Side;
use crate::risk::step::Step;
use crate::risk::territory::Territory;
use crate::risk::{Play, TERRITORY_DECK};

/// Territories that Winter Storms, Raiders and Mustering draw.
const REVEALED: usize = 3;
/// Battalions that Local Uprising gives.
const UPRISING: u32 = 4;
/// Battalions that the other side loses to an Event for one side, if it has so many to spare.
const DRIVEN_OUT: u32 = 2;

/// The Event happens. The three that draw territories draw them first.
pub fn happen(play: &mut Play, seat: Seat, event: card::Event) {
    match event {
        card::Event::AppointASecondLeader => play.push(Step::Card(CardStep::AppointLeader(seat))),
        card::Event::WinterStorms | card::Event::Raiders | card::Event::MusteringOfMiddleEarth => {
            play.push(Step::Card(CardStep::Reveal { seat, event, drawn: Vec::new() }));
        }
        card::Event::LocalUprising => play.push(Step::Card(CardStep::DrawUprising(seat))),
        card::Event::CorsairsOfUmbar => {
            play.tell(Event::EffectBegan(Effect { kind: EffectKind::CorsairsOfUmbar, until: seat }));
        }
        card::Event::TheBlackGatesOpen => favour(play, event, "udun-vale", Side::Evil, 10),
        card::Event::TheyveBroughtACaveTroll => favour(play, event, "moria", Side::Evil, 2),
        card::Event::TheEntmoot => favour(play, event, "fangorn", Side::Good, 2),
        card::Event::AragornArrives => favour(play, event, "minas-tirith", Side::Good, 10),
    }
}

/// One side gains battalions in the territory, the other loses there, never the last. The neutral army is of no side.
fn favour(play: &mut Play, event: card::Event, id: &str, side: Side, battalions: u32) {
    let territory = Territory::of_id(id).expect("a territory of the board");
    let Holder::Seat(holder) = play.board().holder(territory) else {
        return;
    };
    let cause = Cause::Event(event);
    if play.board().side(holder) == side {
        play.tell(Event::BattalionsAdded { territory, battalions, cause });
    } else {
        lose(play, territory, DRIVEN_OUT, cause);
    }
}

fn lose(play: &mut Play, territory: Territory, most: u32, cause: Cause) {
    let battalions = most.min(play.board().battalions(territory) - 1);
    if battalions > 0 {
        play.tell(Event::BattalionsLost { territory, battalions, cause });
    }
}

// Winter Storms, Raiders, Mustering of Middle-earth.

fn territories(drawn: &[Card]) -> Vec<Territory> {
    let territory = |card: &Card| match Face::of(*card) {
        Face::Territory(territory) => Some(territory),
        _ => None,
    };
    drawn.iter().filter_map(territory).collect()
}

/// One more draw, until three territories lie open. Wild cards are set aside and replaced.
pub fn reveal_need(board: &Board, drawn: &[Card]) -> Option<Need> {
    let more = territories(drawn).len() < REVEALED && !board.territory_deck().is_empty();
    more.then(|| Need::Draw(board.territory_deck().draw()))
}

/// What was drawn for an Event is shown whatever it is.
pub fn show_revealed_need(slot: Slot) -> Need {
    Need::Show(Show { slot, among: card::territory_deck() })
}

/// A card was shown for an Event: on to the next.
pub fn revealed(play: &mut Play, seat: Seat, event: card::Event, drawn: Vec<Card>, slot: Slot, card: Card) {
    play.tell(Event::TerritoryRevealed { slot, card });
    let mut drawn = drawn;
    drawn.push(card);
    play.push(Step::Card(CardStep::Reveal { seat, event, drawn }));
}

/// Nothing more is drawn now: three lie open, or the deck is empty. It is refilled from the discards (▲13), among which
/// the cards of this Event are not yet.
pub fn revealed_all(play: &mut Play, seat: Seat, event: card::Event, drawn: Vec<Card>) {
    let places = territories(&drawn);
    if places.len() < REVEALED && !play.board().territory_deck().discards().is_empty() {
        let again = Step::Card(CardStep::Reveal { seat, event, drawn });
        play.then([Step::Reshuffle(TERRITORY_DECK), again]);
        return;
    }
    let cause = Cause::Event(event);
    for territory in &places {
        let territory = *territory;
        match event {
            card::Event::Raiders => lose(play, territory, play.board().battalions(territory) / 2, cause),
            card::Event::MusteringOfMiddleEarth => {
                play.tell(Event::BattalionsAdded { territory, battalions: 3, cause });
            }
            _ => {}
        }
    }
    if let (card::Event::WinterStorms, Ok(territories)) = (event, <[Territory; REVEALED]>::try_from(places)) {
        play.tell(Event::EffectBegan(Effect { kind: EffectKind::WinterStorms(territories), until: seat }));
    }
    play.tell(Event::RevealedDiscarded { cards: drawn });
}

// Appoint a Second Leader.

fn legal(board: &Board, seat: Seat) -> Lands {
    if board.leaders_in_supply(seat) == 0 {
        return Lands::NONE;
    }
    board.lands(seat).iter().filter(|territory| !board.holding(*territory).leader).collect()
}

/// 8.6: it works with no or one Leader on the board and places exactly one.
pub fn appoint_need(board: &Board, seat: Seat) -> Option<Need> {
    let question = Question { seat, id: "appoint-a-second-leader" };
    (legal(board, seat).len() > 1).then_some(Need::Question(question))
}

/// With one legal territory there is nothing to ask, with none the Event is void (8.6).
pub fn appoint_without_choice(play: &mut Play, seat: Seat) {
    if let Some(territory) = legal(play.board(), seat).first() {
        play.tell(Event::LeaderPlaced { seat, territory });
    }
}

pub fn appoint_menu(board: &Board, seat: Seat, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word("leader|place leader|place")?;
    let territory = menu.pick("territory", &Territory::ALL, |territory| may_appoint(board, seat, territory))?;
    Ok(vec![Step::NoteLeaders { seat, first: territory, second: None }, Step::OfferMission])
}

fn may_appoint(board: &Board, seat: Seat, territory: Territory) -> Allowed {
    if !board.controls(seat, territory) {
        return barred("8.6", format!("you do not control {}", territory.name().title()));
    }
    allowed_if(!board.holding(territory).leader, "1.4", || {
        format!("a Leader of yours is in {} already", territory.name().title())
    })
}

// Local Uprising.

/// The seat has come to control a territory: its cards kept aside may have become due.
pub fn control_gained(play: &mut Play, seat: Seat) {
    for slot in play.board().player(seat).uprising.clone() {
        play.push(Step::Card(CardStep::LookForUprising { seat, slot }));
    }
}

pub fn draw_uprising_need(board: &Board) -> Option<Need> {
    let deck = board.territory_deck();
    (!deck.is_empty()).then(|| Need::Draw(deck.draw()))
}

/// The deck is empty: it is refilled, or there is no card at all and the Event is void (▲13).
pub fn draw_uprising_from_nothing(play: &mut Play, seat: Seat) {
    if !play.board().territory_deck().discards().is_empty() {
        play.then([Step::Reshuffle(TERRITORY_DECK), Step::Card(CardStep::DrawUprising(seat))]);
    }
}

/// A wild is shown and replaced; a territory that the drawer controls is shown and pays at once (8.6).
pub fn show_uprising_need(board: &Board, seat: Seat, slot: Slot) -> Need {
    let wilds = Wild::ALL.iter().map(|wild| Face::Wild(*wild).card());
    Need::Show(Show { slot, among: controlled(board, seat).chain(wilds).collect() })
}

fn controlled(board: &Board, seat: Seat) -> impl Iterator<Item = Card> {
    board.lands(seat).iter().map(|territory| Face::Territory(territory).card())
}

/// The card of Local Uprising was shown, or it is kept aside.
pub fn uprising(play: &mut Play, seat: Seat, slot: Slot, shown: Option<Card>) {
    let Some(card) = shown else {
        play.tell(Event::UprisingKept { seat, slot });
        return;
    };
    play.tell(Event::TerritoryRevealed { slot, card });
    play.tell(Event::RevealedDiscarded { cards: vec![card] });
    match Face::of(card) {
        Face::Territory(territory) => pay_uprising(play, territory),
        _ => play.push(Step::Card(CardStep::DrawUprising(seat))),
    }
}

/// Whether the card kept aside has become due: only its owner can tell, so it is asked of the slot.
pub fn look_for_uprising_need(board: &Board, seat: Seat, slot: Slot) -> Need {
    Need::Show(Show { slot, among: controlled(board, seat).collect() })
}

pub fn uprising_paid(play: &mut Play, seat: Seat, slot: Slot, shown: Option<Card>) {
    let Some(card) = shown else {
        return;
    };
    play.tell(Event::UprisingShown { seat, slot, card });
    if let Face::Territory(territory) = Face::of(card) {
        pay_uprising(play, territory);
    }
}

fn pay_uprising(play: &mut Play, territory: Territory) {
    let cause = Cause::Event(card::Event::LocalUprising);
    play.tell(Event::BattalionsAdded { territory, battalions: UPRISING, cause });
}
