/*! Event cards (5): drawing and holding them. What an Event does when it is played is in [`cards`](crate::cards).

The board has only slots. A discard for the hand limit is face down: its player names it by slot or by title, and the
log records its slot.
*/

use crate::Table;
use crate::board::Board;
use crate::card::{Card, EventDeck, Held};
use crate::event::Event as Told;
use crate::event::event_cards::Event;
use crate::player::Player;
use crate::step::Step as Next;
use engine::menu::policy::ONE_OF;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::slot::{Faces, Slot};
use std::fmt;

/// 5.4, 17.14: the most cards that a player may hold: 6 if he plays a side alone, 4 if he shares it.
pub fn hand_limit(player: Player) -> u8 {
    if matches!(player, Player::Free | Player::Shadow) { 6 } else { 4 }
}

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One card from a deck, if it has any (3.6, 5.3). 17.9: it goes to the hand of this player.
    Draw { deck: EventDeck, to: Player },
    /// 5.4: discard down to the limit after all draws of one instruction. Asks as long as there are more.
    HandLimit(Player),
    /// A card chosen for the hand limit is discarded, face down.
    Discard(Slot),
    /// 5.22: a card of the hand is given up, face up, to take a card of the other side off the table.
    GiveUp { slot: Slot, card: Card },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Draw { deck, to } => {
                write!(f, "draw {}", deck.id())?;
                // The facts of two players name only the deck.
                if matches!(to, Player::Free | Player::Shadow) { Ok(()) } else { write!(f, " {to}") }
            }
            Step::HandLimit(player) => write!(f, "hand limit {player}"),
            Step::Discard(slot) => write!(f, "discard {} {}", EventDeck::of_slot(*slot).id(), slot.position),
            Step::GiveUp { card, .. } => write!(f, "give up {}", card.id()),
        }
    }
}

/// The face-down slots that a player may look at: his hand, and the Combat card he has laid.
pub fn slots_of(board: &Board, player: Player) -> Vec<Slot> {
    let mut slots = board.decks().hand_of(player);
    slots.extend(board.decks().laid_by(player.side()).filter(|slot| board.owner(*slot) == player));
    slots
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match step {
        Step::Draw { deck, .. } => {
            let left: Vec<u16> = board.decks().left(*deck).iter().map(u16::from).collect();
            (!left.is_empty()).then(|| Need::Draw(Draw::Slot { deck: deck.number(), epoch: 0, left }))
        }
        Step::HandLimit(player) if board.decks().hand_size(*player) > hand_limit(*player) => {
            Some(board.asks(*player, "discard"))
        }
        Step::HandLimit(_) | Step::Discard(_) | Step::GiveUp { .. } => None,
    }
}

pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let Step::HandLimit(player) = step else { unreachable!("`{step}` asks nothing") };
    menu.word_or_policy("discard", ONE_OF)?;
    let held = Held::of(&board.decks().hand_of(*player), faces, menu.is_reading());
    let card = menu.choose("card", &held, |_| Ok(()))?;
    Ok(vec![Next::Cards(Step::Discard(card.slot)), Next::Cards(*step)])
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // The deck is empty (5.3), or the hand is within its limit.
        Step::Draw { .. } | Step::HandLimit(_) => {}
        Step::Discard(slot) => {
            let by = play.board().owner(slot);
            play.tell(Told::Cards(Event::Discarded { slot, by }));
        }
        Step::GiveUp { slot, card } => {
            let by = play.board().owner(slot);
            play.tell(Told::Cards(Event::GivenUp { slot, card, by }));
        }
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    let (Step::Draw { deck, to }, Answer::Position(position)) = (step, answer) else {
        unreachable!("only a draw waits for a slot here");
    };
    let position = u8::try_from(position).expect("24 positions");
    play.tell(Told::Cards(Event::Drawn { slot: deck.slot(position), by: to }));
}
