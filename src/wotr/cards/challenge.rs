/*! Challenge of the King: the Free Peoples draw three Hunt tiles and take the Eyes among them out of the game.

The tiles stay in the pool until all are drawn; the part's step on the agenda keeps those drawn so far.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::free_character::{FreeCharacter, heir, is_with_an_army};
use crate::cards::{About, part};
use crate::event::cards::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::Region;
use crate::step::Step as Next;
use crate::tile::{Tiles, Value};
use crate::{Table, event, hunt, standing};
use engine::need::{Answer, Draw, Need};
use engine::refusal::{Allowed, allowed_if};

/// The number of tiles to draw.
const TILES: u32 = 3;

fn card() -> Card {
    FreeCharacter::ChallengeOfTheKing.card()
}

/// 5.8: a besieged Army counts; Osgiliath is neither of Gondor nor of Rohan.
pub fn requires(board: &Board) -> Allowed {
    let near = |place: Place| {
        let nation = place.region().and_then(Region::nation);
        matches!(nation, Some(Nation::Gondor | Nation::Rohan)) && is_with_an_army(board, place)
    };
    allowed_if(heir(board).is_some_and(|(_, place)| near(place)), "5.8", || {
        "neither Strider nor Aragorn is with an Army in a region of Gondor or Rohan".to_string()
    })
}

pub fn steps() -> Vec<Next> {
    vec![part(card(), 0, About::Tiles(Tiles::NONE))]
}

/// The tiles that may be drawn next. 14.2: an empty pool is refilled in between, without those drawn so far.
fn drawable(board: &Board, drawn: Tiles) -> Tiles {
    let left = board.pool().pool().without(drawn);
    if left.is_empty() { board.pool().drawn() } else { left }
}

/// 14.32: there is no window, because a tile that the Free Peoples draw is neither prevented nor replaced.
pub fn need(board: &Board, about: About) -> Option<Need> {
    let About::Tiles(drawn) = about else { unreachable!("the part is about tiles") };
    let sides = drawable(board, drawn).len();
    (drawn.len() < TILES && sides > 0).then_some(Need::Draw(Draw::Dice { label: "hunt tile", sides, count: 1 }))
}

pub fn settle(play: &mut Table, about: About, answer: &Answer) {
    let (About::Tiles(mut drawn), Answer::Dice(fallen)) = (about, answer) else {
        unreachable!("the Challenge waits for no {answer:?}");
    };
    if play.board().pool().pool().without(drawn).is_empty() {
        let tiles = play.board().pool().drawn();
        play.tell(Told::Hunt(event::hunt::Event::Refilled { tiles }));
    }
    let left = play.board().pool().pool().without(drawn);
    drawn.insert(left.iter().nth(fallen[0] as usize - 1).expect("a tile of the pool"));
    play.push(part(card(), 0, About::Tiles(drawn)));
}

/// Three Eyes go back, and Strider or Aragorn is eliminated; otherwise the Eyes are removed for good, and the rest goes
/// back. The tiles do no damage and do not reveal.
pub fn perform(play: &mut Table, about: About) {
    let About::Tiles(drawn) = about else { unreachable!("the part is about tiles") };
    play.tell(Told::Effect(Event::Drawn { card: card(), tiles: drawn }));
    // C7.12: the Eye of The Ring is Mine! counts as an Eye.
    let mut eyes = Tiles::NONE;
    drawn.iter().filter(|tile| tile.value() == Value::Eye).for_each(|tile| eyes.insert(tile));
    if eyes.len() == TILES {
        let (heir, from) = heir(play.board()).expect("the card required him");
        let figures = Figures::one(Figure::Character(heir));
        play.tell(Told::Moved(Move { figures, from, to: Place::Removed, cause: Cause::Eliminated }));
        standing::check(play, from.region().expect("he stood on the map"));
    } else if !eyes.is_empty() {
        play.tell(Told::Hunt(event::hunt::Event::Removed { tiles: eyes }));
        hunt::refill(play);
    }
}
