//! The ten titles of Events, which take effect as soon as they are drawn (8.5, 8.6).

use crate::board::{Board, Effect, EffectKind, Holder, Storms};
use crate::card::{self, Face, Wild};
use crate::cards::CardStep;
use crate::event::{Cause, Event};
use crate::lands::Lands;
use crate::side::Side;
use crate::step::Step;
use crate::territory::Territory;
use crate::{Play, TERRITORY_DECK};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Need, Question, Show};
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::{Card, Slot};

/// The territories that Winter Storms, Raiders and Mustering draw.
const REVEALED: usize = 3;
/// The battalions that Local Uprising gives.
const UPRISING: u32 = 4;
/// The battalions that an Event for one side takes from the other, which keeps at least one.
const DRIVEN_OUT: u32 = 2;

/// The Event takes effect. The three that draw territories draw them first.
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

/// If this side holds the territory, it gets the battalions; if the other side does, it loses some, but never the
/// last one. The neutral army belongs to neither side.
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

/// The next draw, until three territories are shown. Wild cards are set aside and replaced.
pub fn reveal_need(board: &Board, drawn: &[Card]) -> Option<Need> {
    let more = territories(drawn).len() < REVEALED && !board.territory_deck().is_empty();
    more.then(|| Need::Draw(board.territory_deck().draw()))
}

/// A card drawn for an Event is always shown.
pub fn show_revealed_need(slot: Slot) -> Need {
    Need::Show(Show { slot, among: card::territory_deck() })
}

/// A card was shown for an Event; the next one is drawn.
pub fn revealed(play: &mut Play, seat: Seat, event: card::Event, drawn: Vec<Card>, slot: Slot, card: Card) {
    play.tell(Event::TerritoryRevealed { slot, card });
    let mut drawn = drawn;
    drawn.push(card);
    play.push(Step::Card(CardStep::Reveal { seat, event, drawn }));
}

/// Nothing more is drawn now: three territories are shown, or the deck is empty. An empty deck is refilled from the
/// discards (▲13), which do not hold the cards of this Event yet.
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
    if let (card::Event::WinterStorms, Some(storms)) = (event, Storms::over(&places)) {
        play.tell(Event::EffectBegan(Effect { kind: EffectKind::WinterStorms(storms), until: seat }));
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

/// 8.6: it works with at most one Leader on the board, and places exactly one.
pub fn appoint_need(board: &Board, seat: Seat) -> Option<Need> {
    let question = Question { seat, id: "appoint-a-second-leader" };
    (legal(board, seat).len() > 1).then_some(Need::Question(question))
}

/// With one legal territory nothing is asked; with none the Event has no effect (8.6).
pub fn appoint_without_choice(play: &mut Play, seat: Seat) {
    if let Some(territory) = legal(play.board(), seat).first() {
        play.then(appointed(seat, territory));
    }
}

/// The Leader is placed; 8.3: where he stands now, he may complete a Mission.
fn appointed(seat: Seat, territory: Territory) -> Vec<Step> {
    vec![Step::NoteLeaders { seat, first: territory, second: None }, Step::OfferMission]
}

pub fn appoint_menu(board: &Board, seat: Seat, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word("leader|place leader|place")?;
    let territory = menu.pick("territory", &Territory::ALL, |territory| may_appoint(board, seat, territory))?;
    Ok(appointed(seat, territory))
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

/// The seat has come to control a territory: its card of Local Uprising may now be shown.
pub fn control_gained(play: &mut Play, seat: Seat) {
    for slot in play.board().player(seat).uprising.clone() {
        play.push(Step::Card(CardStep::LookForUprising { seat, slot }));
    }
}

pub fn draw_uprising_need(board: &Board) -> Option<Need> {
    let deck = board.territory_deck();
    (!deck.is_empty()).then(|| Need::Draw(deck.draw()))
}

/// The deck is empty: it is refilled, or there is no card at all and the Event has no effect (▲13).
pub fn draw_uprising_from_nothing(play: &mut Play, seat: Seat) {
    if !play.board().territory_deck().discards().is_empty() {
        play.then([Step::Reshuffle(TERRITORY_DECK), Step::Card(CardStep::DrawUprising(seat))]);
    }
}

/// A wild is shown and replaced; a territory that the drawer controls is shown and gives its battalions at once (8.6).
pub fn show_uprising_need(board: &Board, seat: Seat, slot: Slot) -> Need {
    let wilds = Wild::ALL.iter().map(|wild| Face::Wild(*wild).card());
    Need::Show(Show { slot, among: controlled(board, seat).chain(wilds).collect() })
}

fn controlled(board: &Board, seat: Seat) -> impl Iterator<Item = Card> {
    board.lands(seat).iter().map(|territory| Face::Territory(territory).card())
}

/// The card of Local Uprising was shown; or it was not, and is kept aside.
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

/// Asks for the card kept aside to be shown if its owner controls its territory: the board does not know the card.
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
