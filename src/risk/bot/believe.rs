//! Deals the cards that a seat does not know: to other hands, to both decks, and those put aside by Local Uprising.

use crate::board::Board;
use crate::board::player::Player;
use crate::card::{self, Face};
use crate::title::missions_and_powers;
use engine::bot::believe::Heap;
use engine::chance::Chance;
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};

/// A face for every face-down card: known cards stay, the others are dealt at random. After a reshuffle, hands and
/// deck are dealt from all cards that nobody sees, without asking which of them can have gone into the new deck.
pub fn believe(board: &Board, faces: &Faces, chance: &mut dyn Chance) -> Faces {
    let mut believed = faces.clone();
    deal_territories(board, chance, &mut believed);
    if !board.is_standard() {
        deal_adventures(board, chance, &mut believed);
    }
    believed
}

fn deal_territories(board: &Board, chance: &mut dyn Chance, faces: &mut Faces) {
    let deck = board.territory_deck();
    let slots = || hands(board, |player| &player.territory_cards).chain(deck.slots());
    let aside = || hands(board, |player| &player.uprising);
    let known = slots().chain(aside()).filter_map(|slot| faces.get(slot));
    let mut heap = Heap::of(card::territory_deck(), known.chain(deck.discards().iter().copied()));
    heap.shuffle(chance);
    for seat in board.seats() {
        // 8.6: the card was kept because its owner did not control its territory, and it is shown as soon as he does.
        let may_be_kept = |card: Card| match Face::of(card) {
            Face::Territory(territory) => !board.controls(seat, territory),
            _ => false,
        };
        heap.deal(board.player(seat).uprising.iter().copied(), may_be_kept, faces);
    }
    heap.deal(slots(), |_| true, faces);
}

fn deal_adventures(board: &Board, chance: &mut dyn Chance, faces: &mut Faces) {
    let deck = board.adventure_deck();
    let mut all = missions_and_powers(board.switches());
    // 3.8: the first cards are dealt before the Events are in the deck.
    if deck.has_been_laid_anew() {
        all.extend(card::events());
    }
    let hands = || hands(board, |player| &player.adventure_cards);
    let known = hands().chain(deck.slots()).filter_map(|slot| faces.get(slot));
    let in_front = board.seats().flat_map(|seat| face_up(board, seat));
    let mut heap = Heap::of(all, known.chain(in_front).chain(deck.discards().iter().copied()));
    heap.shuffle(chance);
    // 10.2: an Event never comes to a hand.
    heap.deal(hands(), |card| !matches!(Face::of(card), Face::Event(_)), faces);
    heap.deal(deck.slots(), |_| true, faces);
}

/// The slots of this kind that all players have.
fn hands(board: &Board, of: impl Fn(&Player) -> &Vec<Slot>) -> impl Iterator<Item = Slot> {
    board.seats().flat_map(move |seat| of(board.player(seat)).clone())
}

/// The cards face up in front of a player.
fn face_up(board: &Board, seat: Seat) -> impl Iterator<Item = Card> {
    let player = board.player(seat);
    let missions = player.missions.iter().map(|(_, mission)| Face::Mission(*mission).card());
    missions.chain(player.powers.iter().map(|(_, power)| Face::Power(*power).card()))
}
