/*! Cards in play on the table (5.17 to 5.22): when they leave it, and how.

The questions of a table card are in the card's file. Whatever a table card forbids or changes is in the file of the
rule, which asks [`lies`].
*/

use crate::Table;
use crate::board::Board;
use crate::card::{Card, EventDeck, Icon, Type};
use crate::cards::free_strategy::FreeStrategy;
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::shadow_strategy::ShadowStrategy;
use crate::cards::{self, About, Step, Title, reactions};
use crate::character::Character;
use crate::dice;
use crate::die::{Destination, Face};
use crate::event::Event as Told;
use crate::event::cards::Event;
use crate::event::event_cards::Event as Cards;
use crate::event_cards;
use crate::region::Region;
use crate::region::named::MINAS_TIRITH;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use engine::menu::{Ask, Menu};
use engine::refusal::{Allowed, Barred, allowed_if, barred};
use engine::slot::{Faces, Slot};

/// The cards on the table with their slots, those of the Free Peoples first.
pub fn on_table(board: &Board) -> impl Iterator<Item = (Slot, Card)> + use<'_> {
    let laden = EventDeck::ALL.into_iter().filter(|deck| !board.decks().table(*deck).is_empty());
    laden.flat_map(move |deck| {
        let slots = board.decks().table(deck).iter().map(move |position| deck.slot(position));
        slots.filter_map(|slot| Some((slot, board.decks().face(slot)?)))
    })
}

/// The cards of a deck on the table.
pub fn of_deck(board: &Board, deck: EventDeck) -> impl Iterator<Item = (Slot, Card)> + use<'_> {
    on_table(board).filter(move |(slot, _)| EventDeck::of_slot(*slot) == deck)
}

/// One of these cards on the table, by its title.
pub fn choose(there: &[Card], menu: &mut Menu<'_>) -> Ask<Card> {
    let titles: Vec<Card> = if menu.is_reading() { Card::all().collect() } else { there.to_vec() };
    menu.choose("card", &titles, |card| {
        allowed_if(there.contains(&card), "5.21", || format!("{} is not one of those on the table", card.title()))
    })
}

/// Whether the card is on the table.
pub fn lies(board: &Board, title: Title) -> bool {
    board.decks().is_on_table(title.card())
}

/// Whether the side has cards on the table.
pub fn has_cards(board: &Board, side: Side) -> bool {
    EventDeck::of(side).into_iter().any(|deck| !board.decks().table(deck).is_empty())
}

/// 1.33 (4), 5.18: a card whose condition no longer holds is discarded at once. Checked after every step.
pub fn check(play: &mut Table) {
    while let Some((slot, card)) = lapsed(play.board()) {
        play.tell(Told::Cards(Cards::Left { slot, card }));
    }
}

fn lapsed(board: &Board) -> Option<(Slot, Card)> {
    on_table(board).find(|(_, card)| cards::requires(board, *card).is_err())
}

/// The card leaves the table, if it is there: it has been used, or its condition for leaving has come true.
pub fn discard(play: &mut Table, card: Card) {
    let found = on_table(play.board()).find(|(_, there)| *there == card);
    if let Some((slot, card)) = found {
        play.tell(Told::Cards(Cards::Left { slot, card }));
    }
}

const LAST_BATTLE: Title = Title::FreeStrategy(FreeStrategy::TheLastBattle);

/// 13.12: the cards that leave the table when the Fellowship is declared in this region: The Last Battle, even though
/// the Fellowship stays Hidden; Worn with Sorrow and Toil and Flocks of Crebain in an unconquered City or Stronghold of
/// the Free Peoples.
fn ended_by_declaring(board: &Board, region: Region) -> impl Iterator<Item = Card> + use<> {
    let sheltered = region.side() == Some(Side::Free) && region.is_city_or_stronghold() && board.is_unconquered(region);
    let hunters = [ShadowCharacter::WornWithSorrowAndToil, ShadowCharacter::FlocksOfCrebain];
    let hunters = hunters.into_iter().filter(move |_| sheltered).map(ShadowCharacter::card);
    std::iter::once(LAST_BATTLE.card()).chain(hunters)
}

/// 13.12: the Fellowship has been declared in this region.
pub fn declared(play: &mut Table, region: Region) {
    for card in ended_by_declaring(play.board(), region) {
        discard(play, card);
    }
}

/// 13.12: whether declaring the Fellowship where it is would affect a card on the table.
pub fn react_to_declaring(board: &Board, region: Region) -> bool {
    let ended = ended_by_declaring(board, region).any(|card| board.decks().is_on_table(card));
    ended || reactions::on_the_way(board, [region]).is_some()
}

/// The Last Battle: a die that moved the Fellowship does not go into the Hunt Box if the card is still on the table at
/// that moment (14.3).
pub fn fate(play: &mut Table, fate: Destination) -> Destination {
    if fate == Destination::HuntBox && lies(play.board(), LAST_BATTLE) {
        play.tell(Told::Effect(Event::DieSpared));
        return Destination::SetAside;
    }
    fate
}

/// The Palantír of Orthanc, which must lie on the table both when the card is played and when it draws.
pub const PALANTIR: Title = Title::ShadowCharacter(ShadowCharacter::ThePalantirOfOrthanc);

/// C4.21: when the Shadow has played a card with an Event result, even one made by a Ring, the Palantír draws after its
/// text has been carried out. Playing the Palantír itself does not count; a card played free by another uses no die
/// (5.14).
pub fn sees(board: &Board, card: Card) -> Option<Next> {
    let paid = board.dice().in_use().is_some_and(|in_use| in_use.result == Face::Event);
    let sees = card.deck().side == Side::Shadow && paid && lies(board, PALANTIR);
    sees.then(|| cards::part(PALANTIR.card(), 0, About::Nothing))
}

/// What the other side pays, besides the die, to take a card off the table (5.22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Price {
    Nothing,
    /// 4.26: an Elven Ring, as its Ring of the turn.
    Ring,
    /// Two cards of its hand: one with the Army icon, one with the Character icon.
    Cards,
}

/// What a side pays with this die for taking the card off the table, or why it cannot.
fn price(board: &Board, side: Side, face: Face, card: Card) -> Result<Price, Barred> {
    let owner = card.deck().side;
    match card.title_of() {
        Title::ShadowCharacter(ShadowCharacter::ThePalantirOfOrthanc) if side != owner => match face {
            Face::Will => Ok(Price::Nothing),
            _ => may_give_ring(board, side).map(|()| Price::Ring),
        },
        Title::ShadowStrategy(ShadowStrategy::DenethorsFolly) if side != owner => {
            let wise = [Character::GandalfTheGrey, Character::GandalfTheWhite, Character::Aragorn];
            let advised = wise.into_iter().any(|one| board.region_of(one) == Some(MINAS_TIRITH));
            allowed_if(face == Face::Will || advised, "5.22", || {
                "with neither Gandalf nor Aragorn in minas-tirith only a will die removes it".to_string()
            })
            .map(|()| Price::Nothing)
        }
        Title::FreeStrategy(FreeStrategy::APowerTooGreat | FreeStrategy::ThePowerOfTomBombadil) if side != owner => {
            Ok(Price::Cards)
        }
        _ => barred("5.22", format!("no die of yours removes {}", card.title())).map(|()| Price::Nothing),
    }
}

/// 4.21, 17.24: one Ring a turn, of the team or of each player.
pub fn may_use_ring_now(board: &Board, side: Side) -> Allowed {
    let of_team = board.seating().is_shared(side) && board.switches().is_default(Choice::RingsPerTurn);
    match (board.ring_used(board.acting(side)), of_team) {
        (false, _) => Ok(()),
        (true, false) => barred("4.21", "you have used a Ring this turn"),
        (true, true) => barred("17.24", "your team has used its Ring of this turn"),
    }
}

/// 4.26: the Ring given up is the one Ring of the turn (4.21).
fn may_give_ring(board: &Board, side: Side) -> Allowed {
    allowed_if(board.rings().held(side) > 0, "4.26", || "any die but a will needs an Elven Ring with it".to_string())?;
    may_use_ring_now(board, side)
}

/// 5.22, ▲62: whether a card of the hand is one of the two that are paid; `Strategy` means the one with the Army icon.
fn pays(board: &Board, card: Card, kind: Type) -> bool {
    let icon = if kind == Type::Strategy { Icon::Army } else { Icon::Character };
    // 19.35: with `cards.ward_discard = deck` any card of the Strategy deck and any of the Character deck.
    if board.switches().is_default(Choice::WardDiscard) { card.icon() == icon } else { card.deck().kind == kind }
}

/// The two cards that are paid, in words.
fn two_cards(board: &Board) -> &'static str {
    if board.switches().is_default(Choice::WardDiscard) {
        "a card with the Army icon and one with the Character icon"
    } else {
        "a Strategy card and a Character card"
    }
}

/// Whether a side can take the card off the table with this die, and can pay the price.
fn may_take_off(board: &Board, side: Side, face: Face, card: Card, faces: &Faces) -> Allowed {
    if price(board, side, face, card)? != Price::Cards {
        return Ok(());
    }
    let held = cards::held(board, board.acting(side), faces);
    let holds = |kind| held.iter().any(|(_, card)| pays(board, *card, kind));
    allowed_if(holds(Type::Strategy) && holds(Type::Character), "5.22", || {
        format!("it costs {}, and you do not hold both", two_cards(board))
    })
}

/// 5.22: whether a side can take any card of the other side off the table with this die.
pub fn may_remove(board: &Board, side: Side, face: Face, faces: &Faces) -> Allowed {
    let some = on_table(board).any(|(_, card)| may_take_off(board, side, face, card, faces).is_ok());
    allowed_if(some, "5.22", || "no card lies on the table that this die could remove".to_string())
}

/// `the-palantir-of-orthanc with a ring`, `a-power-too-great with shadows-gather and orc-patrol`, read after the word
/// `remove`.
pub fn remove(board: &Board, side: Side, face: Face, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let there: Vec<Card> = on_table(board).map(|(_, card)| card).collect();
    let titles: Vec<Card> = if menu.is_reading() { Card::all().collect() } else { there.clone() };
    let card = menu.choose("card", &titles, |card| {
        allowed_if(there.contains(&card), "5.22", || format!("{} does not lie on the table", card.title()))?;
        may_take_off(board, side, face, card, faces)
    })?;
    let mut steps = match price(board, side, face, card).expect("the die pays") {
        Price::Nothing => Vec::new(),
        Price::Ring => {
            menu.word("with a ring|with ring|with an elven ring|and a ring")?;
            vec![Next::Dice(dice::Step::GiveRing(side))]
        }
        Price::Cards => give_up(board, side, faces, menu)?,
    };
    steps.push(Next::Effect(Step::Remove(card)));
    Ok(steps)
}

/// The two cards of the price, in any order.
fn give_up(board: &Board, side: Side, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let kinds = [Type::Strategy, Type::Character];
    let wrong = |card: Card| format!("it costs {}, and {} is neither of these", two_cards(board), card.title());
    menu.word("with")?;
    let first = cards::of_hand(board, board.acting(side), faces, menu, |card| {
        allowed_if(kinds.into_iter().any(|kind| pays(board, card, kind)), "5.22", || wrong(card))
    })?;
    menu.word("and")?;
    let second = cards::of_hand(board, board.acting(side), faces, menu, |card| {
        let other = kinds.into_iter().any(|kind| pays(board, card, kind) && !pays(board, first.1, kind));
        allowed_if(other, "5.22", || wrong(card))
    })?;
    Ok([first, second].map(|(slot, card)| Next::Cards(event_cards::Step::GiveUp { slot, card })).to_vec())
}
