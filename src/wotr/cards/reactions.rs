/*! Table cards that the Shadow may use when something happens (5.21): Flocks of Crebain before a Hunt roll, Balrog of
Moria when the Fellowship is declared or revealed by way of Moria, Worn with Sorrow and Toil when a Companion is a
casualty of the Hunt; and The Palantír of Orthanc, which always draws.
*/

use crate::Table;
use crate::board::Board;
use crate::board::decks::Positions;
use crate::board::hunt::Cause;
use crate::card::{Card, EventDeck, Type};
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::{self, About, Step, Title, part, table};
use crate::event::Event as Told;
use crate::event::event_cards::Event as Cards;
use crate::hunt;
use crate::region::Region;
use crate::region::named::MORIA;
use crate::side::Side;
use crate::step::Step as Next;
use engine::menu::{Ask, Menu};
use engine::need::{Draw, Need};
use engine::refusal::allowed_if;
use engine::slot::Slot;

const FLOCKS: Title = Title::ShadowCharacter(ShadowCharacter::FlocksOfCrebain);
const BALROG: Title = Title::ShadowCharacter(ShadowCharacter::BalrogOfMoria);
const WORN: Title = Title::ShadowCharacter(ShadowCharacter::WornWithSorrowAndToil);

/// The part of each card that asks.
const ASKS: u8 = 0;
/// The part of Worn with Sorrow and Toil that draws a random card of the hand.
const DRAWS: u8 = 1;

/// The deck whose cards Worn with Sorrow and Toil discards.
const DISCARDED: EventDeck = EventDeck { side: Side::Free, kind: Type::Character };

fn asks(title: Title) -> Next {
    part(title.card(), ASKS, About::Nothing)
}

/// 14.7: the question before a Hunt roll, if there is a die to roll.
pub fn before_roll(board: &Board) -> Option<Next> {
    (hunt::level(board) > 0 && table::lies(board, FLOCKS)).then(|| asks(FLOCKS))
}

/// The question after a Companion was a casualty of the Hunt.
pub fn after_casualty(board: &Board) -> Option<Next> {
    table::lies(board, WORN).then(|| asks(WORN))
}

/// Whether Balrog of Moria is on the table, so that a way of the Fellowship through Moria can have consequences.
pub fn watches_moria(board: &Board) -> bool {
    table::lies(board, BALROG)
}

/// 13.12, 14.24: the question after the Fellowship, declared or revealed, has gone this way, its first region included.
pub fn on_the_way(board: &Board, way: impl IntoIterator<Item = Region>) -> Option<Next> {
    let touched = way.into_iter().any(|region| region == MORIA);
    (touched && watches_moria(board)).then(|| asks(BALROG))
}

/// What the cards on the table ask.
pub fn need(board: &Board, card: ShadowCharacter, part: u8) -> Option<Need> {
    let hand = seen_hand(board).len();
    // 17.7, 17.47: in the Hunt the Leading Player decides; 17.15: the Palantír draws for the player of the card.
    let question = |id| Some(board.asks(board.leading(Side::Shadow), id));
    match (card, part) {
        (ShadowCharacter::WornWithSorrowAndToil, DRAWS) => {
            Some(Need::Draw(Draw::Dice { label: "card of the hand", sides: u32::from(hand), count: 1 }))
        }
        (ShadowCharacter::WornWithSorrowAndToil, _) => {
            let some = hand > 0 || !board.decks().table(DISCARDED).is_empty();
            if some { question("hunt-card") } else { None }
        }
        (ShadowCharacter::ThePalantirOfOrthanc, _) if open_decks(board).count() > 1 && sees(board) => {
            Some(board.asks(board.acting(Side::Shadow), "card-choice"))
        }
        (ShadowCharacter::ThePalantirOfOrthanc, _) => None,
        _ => question("hunt-card"),
    }
}

/// 17.47: the hand that a card draws from is the Leading Player's.
fn seen_hand(board: &Board) -> Positions {
    board.decks().held(DISCARDED, board.leading(DISCARDED.side))
}

/// C4.21: the Palantír draws only if it still lies on the table.
fn sees(board: &Board) -> bool {
    table::lies(board, table::PALANTIR)
}

/// 5.3: the decks that still have cards.
fn open_decks(board: &Board) -> impl Iterator<Item = EventDeck> {
    EventDeck::of(Side::Shadow).into_iter().filter(|deck| !board.decks().left(*deck).is_empty())
}

/// Which card of the Free Peoples Worn with Sorrow and Toil discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discard {
    Random,
    OnTable,
    Nothing,
}

/// The answers to what the cards on the table ask.
pub fn menu(board: &Board, card: ShadowCharacter, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let use_it =
        |menu: &mut Menu<'_>| menu.branch(&[("use it|use|yes", true), ("no|keep it|keep|not now", false)], |_| Ok(()));
    match card {
        ShadowCharacter::FlocksOfCrebain => {
            let roll = |plus| Next::Hunt(hunt::Step::Roll { plus });
            Ok(if use_it(menu)? { vec![removed(FLOCKS), roll(1)] } else { vec![roll(0)] })
        }
        ShadowCharacter::BalrogOfMoria => {
            let draw = Next::Hunt(hunt::Step::Draw(Cause::Card(BALROG.card())));
            Ok(if use_it(menu)? { vec![removed(BALROG), draw] } else { Vec::new() })
        }
        ShadowCharacter::WornWithSorrowAndToil => worn(board, menu),
        _ => {
            menu.word("draw")?;
            let ways = [("character|character card", Type::Character), ("strategy|strategy card", Type::Strategy)];
            let kind = menu.branch(&ways, |kind| {
                let deck = EventDeck { side: Side::Shadow, kind };
                allowed_if(open_decks(board).any(|open| open == deck), "5.3", || "the deck is empty".to_string())
            })?;
            Ok(cards::draws(board, EventDeck { side: Side::Shadow, kind }, 1))
        }
    }
}

fn removed(title: Title) -> Next {
    Next::Effect(Step::Remove(title.card()))
}

fn worn(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let there: Vec<Card> = table::of_deck(board, DISCARDED).map(|(_, card)| card).collect();
    let ways = [
        ("discard a random card|discard random card|random card|random", Discard::Random),
        ("discard", Discard::OnTable),
        ("no|nothing|keep", Discard::Nothing),
    ];
    let way = menu.branch(&ways, |way| match way {
        Discard::Random => {
            allowed_if(!seen_hand(board).is_empty(), "5.21", || "the Free Peoples hold no Character card".to_string())
        }
        Discard::OnTable => allowed_if(!there.is_empty(), "5.21", || {
            "no Character card of the Free Peoples lies on the table".to_string()
        }),
        Discard::Nothing => Ok(()),
    })?;
    Ok(match way {
        Discard::Random => vec![part(WORN.card(), DRAWS, About::Nothing)],
        Discard::OnTable => vec![Next::Effect(Step::Remove(table::choose(&there, menu)?))],
        Discard::Nothing => Vec::new(),
    })
}

/// What is asked, for the letter.
pub fn question(board: &Board, card: ShadowCharacter) -> (&'static str, String) {
    match card {
        ShadowCharacter::FlocksOfCrebain => (
            "Flocks of Crebain, or not",
            format!("The Hunt rolls with Level {}: use Flocks of Crebain for +1 on every die?", hunt::level(board)),
        ),
        ShadowCharacter::BalrogOfMoria => (
            "Balrog of Moria, or not",
            "The way of the Fellowship touches Moria: use Balrog of Moria to draw another Hunt tile?".to_string(),
        ),
        ShadowCharacter::WornWithSorrowAndToil => (
            "Worn with Sorrow and Toil",
            "The Hunt took a Companion: discard a Character card of the Free Peoples, a random one of their hand or \
             one on the table?"
                .to_string(),
        ),
        _ => (
            "the Palantír shows a card",
            "The Palantír of Orthanc: draw a Character card or a Strategy card?".to_string(),
        ),
    }
}

/// Draws for the Palantír if it is still on the table and leaves no choice of deck; the other cards do nothing
/// without an answer.
pub fn perform(play: &mut Table, card: ShadowCharacter) {
    if card == ShadowCharacter::ThePalantirOfOrthanc && sees(play.board()) {
        let open = open_decks(play.board()).next();
        let steps = open.map_or_else(Vec::new, |deck| cards::draws(play.board(), deck, 1));
        play.then(steps);
    }
}

/// Worn with Sorrow and Toil: the random card of the hand is discarded, face down.
pub fn draw(play: &mut Table, nth: u32) {
    let position = seen_hand(play.board()).iter().nth(nth as usize - 1).expect("a card of the hand");
    let slot: Slot = DISCARDED.slot(position);
    let by = play.board().owner(slot);
    play.tell(Told::Cards(Cards::Discarded { slot, by }));
}
