/*! Chapter 10, steps 4, 5 and 6: a Territory card, an Adventure card, a new Leader. */

use crate::adventure::HAND_MAX;
use crate::board::Board;
use crate::board::pile::Pile;
use crate::card::{self, Face};
use crate::cards::events;
use crate::event::{CardReason, Event};
use crate::step::Step;
use crate::territory::Territory;
use crate::{ADVENTURE_DECK, Play, TERRITORY_DECK};
use engine::menu::policy::AMONG;
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::need::{Need, Question, Show};
use engine::refusal::allowed_if;
use engine::seat::Seat;
use engine::slot::{Card, Deck};

/// Extra Territory cards are drawn only while the player holds fewer than this (10.1, ▲26).
const EXTRA_MAX: usize = 5;

/// 10.1: 1 Territory card for conquering, then those that Missions gave.
pub fn collect_territory_cards(play: &mut Play) {
    let turn = play.board().turn();
    let (conquered, extra) = (turn.conquered, turn.extra_cards);
    let seat = play.board().active();
    for _ in 0..extra {
        play.push(Step::DrawTerritoryCard { seat, reason: CardReason::Mission });
    }
    if conquered {
        play.push(Step::DrawTerritoryCard { seat, reason: CardReason::Conquest });
    }
}

/// Whether a card may be drawn for this reason (10.1).
fn may_draw(board: &Board, seat: Seat, reason: CardReason) -> bool {
    reason != CardReason::Mission || board.territory_cards(seat).len() < EXTRA_MAX
}

pub fn need_territory_card(board: &Board, seat: Seat, reason: CardReason) -> Option<Need> {
    let draws = may_draw(board, seat, reason) && !board.territory_deck().is_empty();
    draws.then(|| Need::Draw(board.territory_deck().draw()))
}

/// There is no card to draw: the deck is refilled first, or no card is drawn (8.7, ▲13).
pub fn draw_territory_card_from_empty(play: &mut Play, seat: Seat, reason: CardReason) {
    if !may_draw(play.board(), seat, reason) {
        play.tell(Event::ExtraCardForgone);
    } else if play.board().territory_deck().discards().is_empty() {
        if reason == CardReason::Mission {
            play.tell(Event::ExtraCardForgone);
        }
    } else {
        play.then([Step::Reshuffle(TERRITORY_DECK), Step::DrawTerritoryCard { seat, reason }]);
    }
}

pub fn territory_card_drawn(play: &mut Play, seat: Seat, reason: CardReason, position: u16) {
    let slot = play.board().territory_deck().slot(position);
    play.tell(Event::TerritoryCardDrawn { seat, slot, reason });
}

pub fn pile(board: &Board, deck: Deck) -> &Pile {
    if deck == ADVENTURE_DECK { board.adventure_deck() } else { board.territory_deck() }
}

/// 10.2: the player draws an Adventure card only if a Leader of his conquered a Site of Power this turn.
pub fn collect_adventure_card(play: &mut Play) {
    if play.board().turn().site_conquered {
        let seat = play.board().active();
        play.then([Step::DrawAdventureCard(seat), Step::KeepHandLimit(seat)]);
    }
}

pub fn need_adventure_card(board: &Board) -> Option<Need> {
    (!board.adventure_deck().is_empty()).then(|| Need::Draw(board.adventure_deck().draw()))
}

/// There is no card to draw: the deck is refilled first, or no card is drawn (8.7).
pub fn draw_adventure_card_from_empty(play: &mut Play, seat: Seat) {
    if !play.board().adventure_deck().discards().is_empty() {
        play.then([Step::Reshuffle(ADVENTURE_DECK), Step::DrawAdventureCard(seat)]);
    }
}

/// An Adventure card was dealt during setup, when there are no Events in the deck yet (3.8).
pub fn adventure_card_dealt(play: &mut Play, seat: Seat, position: u16) {
    let slot = play.board().adventure_deck().slot(position);
    play.tell(Event::AdventureCardDrawn { seat, slot });
}

/// The card drawn is shown if it is an Event, and only then.
pub fn need_event_shown(board: &Board, position: u16) -> Need {
    let mut among = card::events();
    among.dedup();
    Need::Show(Show { slot: board.adventure_deck().slot(position), among })
}

/// 10.2: an Event happens at once, and another card is drawn; a Mission or Power card goes to the hand.
pub fn event_shown(play: &mut Play, seat: Seat, position: u16, shown: Option<Card>) {
    let slot = play.board().adventure_deck().slot(position);
    match shown.map(Face::of) {
        Some(Face::Event(event)) => {
            play.tell(Event::EventHappened { seat, slot, event });
            play.push(Step::DrawAdventureCard(seat));
            events::happen(play, seat, event);
        }
        Some(_) => unreachable!("only Events are asked for"),
        None => play.tell(Event::AdventureCardDrawn { seat, slot }),
    }
}

/// 8.2: a player who holds more than 4 Adventure cards discards.
pub fn need_hand_limit(board: &Board, seat: Seat) -> Option<Need> {
    let over = board.adventure_cards(seat).len() > HAND_MAX;
    over.then_some(Need::Question(Question { seat, id: "hand-limit" }))
}

/// 10.4: a player who has no Leader on the board places one.
pub fn need_new_leader(board: &Board) -> Option<Need> {
    let seat = board.active();
    let asked = board.leaders(seat).next().is_none() && board.lands(seat).len() > 1;
    asked.then_some(Need::Question(Question { seat, id: "new-leader" }))
}

/// `leader TERRITORY` (10.4).
pub fn new_leader_menu(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word_or_policy("leader", AMONG)?;
    let seat = board.active();
    let territory = menu.choose("territory", &Territory::ALL, |territory| {
        allowed_if(board.controls(seat, territory), "10.4", || {
            format!("you do not control {}", territory.name().title())
        })
    })?;
    Ok(vec![Step::NoteLeaders { seat, first: territory, second: None }, Step::OfferMission])
}

/// Places the new Leader without a question if only one territory is possible (10.4).
pub fn replace_leader(play: &mut Play) {
    let board = play.board();
    let seat = board.active();
    if board.leaders(seat).next().is_none()
        && let Some(territory) = board.lands(seat).first()
    {
        play.tell(Event::LeaderPlaced { seat, territory });
        play.push(Step::OfferMission);
    }
}
