/*! The Hunt windows (14.11, 14.16): when the Free Peoples may use a card on the table against a Hunt tile.

Wizard's Staff is used before the draw, Mithril Coat and Sting after it and before anything else, Axe and Bow and Horn
of Gondor against the damage. Only one card may be used for each tile; a tile and its replacement count as one. Only
tiles that the Shadow draws have windows (14.32).
*/

use crate::Table;
use crate::board::Board;
use crate::board::hunt::{Cause, InHand};
use crate::card::Card;
use crate::cards::free_character::FreeCharacter;
use crate::cards::table;
use crate::event::Event as Told;
use crate::event::hunt::Event;
use crate::hunt;
use crate::mordor;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::tile::Value;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// A step of a window on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A tile has been drawn, or its die rolled. Asks if any card can be used.
    Offer(Moment),
    /// 14.11: Wizard's Staff is used: no tile is drawn.
    Prevent(Cause),
    /// 14.16: the damage is 1 less.
    Lessen(Card),
    /// 14.11: Mithril Coat and Sting is discarded for a second tile.
    Replace,
    /// The second tile is drawn.
    Redraw(Cause),
}

/// When a card may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Drawn,
    /// 14.12: the die of the tile has been rolled, and the damage is known.
    Rolled,
}

const STAFF: FreeCharacter = FreeCharacter::WizardsStaff;
const COAT: FreeCharacter = FreeCharacter::MithrilCoatAndSting;
const LESSENING: [FreeCharacter; 2] = [FreeCharacter::AxeAndBow, FreeCharacter::HornOfGondor];

/// 14.11: whether a tile that is about to be drawn can be prevented.
pub fn may_prevent(board: &Board) -> bool {
    board.decks().is_on_table(STAFF.card()) && !hunt::drawable(board).is_empty()
}

fn may_use(board: &Board, moment: Moment, card: FreeCharacter) -> Allowed {
    let InHand { tile, damage, replaced, .. } = board.pool().in_hand().expect("a tile is being resolved");
    let title = card.card().title();
    allowed_if(board.decks().is_on_table(card.card()), "5.17", || format!("{title} is not on the table"))?;
    allowed_if(replaced.is_none(), "14.16", || "one table card for each tile".to_string())?;
    if card == COAT {
        allowed_if(moment == Moment::Drawn, "14.11", || "it is used before the die of the tile is rolled".to_string())?;
        // The first tile is kept out of the pool, so there must be another one.
        return allowed_if(!hunt::drawable(board).is_empty(), "14.2", || "no other tile is left".to_string());
    }
    // The damage of a die tile is not known before the die is rolled.
    let known = tile.value() != Value::Die || moment == Moment::Rolled;
    allowed_if(known, "14.12", || "the die of the tile is rolled first".to_string())?;
    allowed_if(damage > 0, "14.16", || "there is no damage".to_string())?;
    allowed_if(hunt::reducible(board), "14.16", || "nothing lowers the damage of this tile".to_string())
}

fn usable() -> impl Iterator<Item = FreeCharacter> {
    [COAT].into_iter().chain(LESSENING)
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match *step {
        Step::Offer(moment) => usable().any(|card| may_use(board, moment, card).is_ok()).then(|| asked(board)),
        Step::Redraw(_) => {
            let sides = hunt::drawable(board).len();
            Some(Need::Draw(Draw::Dice { label: "hunt tile", sides, count: 1 }))
        }
        Step::Prevent(_) | Step::Lessen(_) | Step::Replace => None,
    }
}

/// The question of every window. 17.7: the Leading Player decides, also about table cards of his team mate.
pub fn asked(board: &Board) -> Need {
    board.asks(board.leading(Side::Free), "hunt-card")
}

/// `use wizards-staff`, or `no card`: then the tile is drawn.
pub fn before(cause: Cause, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let only =
        |card: Card| if card == STAFF.card() { Ok(()) } else { barred("14.11", "it is used after the tile is drawn") };
    Ok(match card(menu, only)? {
        Some(_) => vec![hunt_card(Step::Prevent(cause))],
        None => vec![Next::Hunt(hunt::Step::Tile(cause))],
    })
}

/// `use mithril-coat-and-sting`, `use axe-and-bow`, or `no card`.
pub fn menu(board: &Board, step: &Step, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let Step::Offer(moment) = *step else { unreachable!("`{step}` asks nothing") };
    let may = |card: Card| match usable().find(|usable| usable.card() == card) {
        Some(card) => may_use(board, moment, card),
        None => barred("14.11", "it is used before the tile is drawn"),
    };
    Ok(match card(menu, may)? {
        Some(card) if card == COAT.card() => vec![hunt_card(Step::Replace)],
        Some(card) => vec![hunt_card(Step::Lessen(card))],
        None => Vec::new(),
    })
}

fn hunt_card(step: Step) -> Next {
    Next::Hunt(hunt::Step::Card(step))
}

fn card(menu: &mut Menu<'_>, may: impl Fn(Card) -> Allowed) -> Ask<Option<Card>> {
    let ways = [("use|discard|play", true), ("no card|none|no|nothing", false)];
    if !menu.branch(&ways, |_| Ok(()))? {
        return Ok(None);
    }
    let cards: Vec<Card> = [STAFF].into_iter().chain(usable()).map(FreeCharacter::card).collect();
    menu.choose("card", &cards, may).map(Some)
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // No card can be used.
        Step::Offer(_) => {}
        Step::Prevent(cause) => prevent(play, cause),
        Step::Lessen(card) => {
            table::discard(play, card);
            let damage = in_hand(play.board()).damage - 1;
            play.tell(Told::Hunt(Event::Lessened { damage }));
        }
        Step::Replace => {
            table::discard(play, COAT.card());
            hunt::refill(play);
            let cause = in_hand(play.board()).cause;
            play.push(hunt_card(Step::Redraw(cause)));
        }
        Step::Redraw(_) => unreachable!("`{step}` waits for a tile"),
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    let (Step::Redraw(cause), Answer::Dice(fallen)) = (step, &answer) else {
        unreachable!("`{step}` waits for no {answer:?}");
    };
    // The first tile is kept out until the second is resolved, and then returns to the pool.
    let first = in_hand(play.board()).tile;
    hunt::drawn(play, cause, fallen[0], Some(first));
}

/// 15.13: on the Mordor Track it prevents the tile, and the Fellowship advances one step.
fn prevent(play: &mut Table, cause: Cause) {
    table::discard(play, STAFF.card());
    play.tell(Told::Hunt(Event::Prevented));
    // 19.38: with `mordor.staff_step = not_made` there is no step either, though it counts as an attempt.
    if cause == Cause::Mordor && play.board().switches().is_default(Choice::StaffStep) {
        mordor::advance(play);
    }
}

fn in_hand(board: &Board) -> InHand {
    board.pool().in_hand().expect("a tile is being resolved")
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Offer(Moment::Drawn) => f.write_str("hunt card"),
            Step::Offer(Moment::Rolled) => f.write_str("hunt card after the die"),
            Step::Prevent(cause) => write!(f, "hunt prevent {cause}"),
            Step::Lessen(card) => write!(f, "hunt lessen {}", card.id()),
            Step::Replace => f.write_str("hunt replace"),
            Step::Redraw(cause) => write!(f, "hunt redraw {cause}"),
        }
    }
}
