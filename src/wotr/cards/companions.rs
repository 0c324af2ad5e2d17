/*! Companions who leave the Fellowship, or move on the map, by the text of a card: as with a die, except for the card's
[`Terms`].

On the Mordor Track a Companion who would be separated is out of the game instead (13.31); the rest of the card still
takes effect.
*/

use crate::board::Board;
use crate::card::Card;
use crate::character::Character;
use crate::characters::{self, Terms};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{cards, fellowship, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::need::Need;
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// What the text of a card lets Companions do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Separate one Companion or one group.
    Separate,
    /// Separate one Companion or one group, or move one on the map.
    SeparateOrMove,
    /// Each Companion on the map may make one move.
    EverybodyMayMove,
}

/// Asks which Companions go where; skipped if none can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub card: Card,
    pub ways: Ways,
    pub terms: Terms,
}

/// One of the answers, by the words with which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Separate,
    Move,
    Nobody,
}

const WAYS: [(&str, Way); 3] = [
    ("separate", Way::Separate),
    ("move companions|move companion|move", Way::Move),
    ("nobody moves|nobody|none|no", Way::Nobody),
];

/// The step that lets Companions go by the text of the card.
pub fn companions(card: Card, ways: Ways, terms: Terms) -> Next {
    Next::Effect(cards::Step::Companions(Step { card, ways, terms }))
}

fn may(board: &Board, step: &Step, way: Way) -> Allowed {
    match (step.ways, way) {
        (Ways::Separate | Ways::SeparateOrMove, Way::Separate) => {
            let some = !board.companions().is_empty();
            allowed_if(some, "13.25", || "no Companion is in the Fellowship".to_string())
        }
        (Ways::SeparateOrMove | Ways::EverybodyMayMove, Way::Move) => {
            let some = characters::can_move_companions(board, step.terms);
            allowed_if(some, "6.5", || "no Companion on the map can move".to_string())
        }
        (Ways::EverybodyMayMove, Way::Nobody) => Ok(()),
        (Ways::Separate | Ways::SeparateOrMove, Way::Nobody)
        | (Ways::Separate, Way::Move)
        | (Ways::EverybodyMayMove, Way::Separate) => barred("5.9", "the card does not say so"),
    }
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    let some = [Way::Separate, Way::Move].into_iter().any(|way| may(board, step, way).is_ok());
    some.then(|| board.asks(board.acting(Side::Free), "card-companions"))
}

/// `separate boromir gimli to edoras`, `move companions strider to bree`, `nobody moves`; on the Mordor Track
/// `separate boromir, gimli`.
pub fn menu(board: &Board, step: &Step, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match menu.branch(&WAYS, |way| may(board, step, way))? {
        Way::Separate if board.company().is_on_the_mordor_track() => {
            let leavers = menu.phrase(&Leavers { board })?;
            let abandon = |companion| Next::Fellowship(fellowship::Step::Abandon(companion));
            let guide = [Next::Fellowship(fellowship::Step::Guide)];
            Ok(leavers.into_iter().map(abandon).chain(guide).collect())
        }
        Way::Separate => fellowship::separate(board, step.terms, menu),
        Way::Move => {
            let groups = match step.ways {
                Ways::EverybodyMayMove => characters::Groups::Any,
                Ways::Separate | Ways::SeparateOrMove => characters::Groups::One,
            };
            characters::move_companions(board, step.terms, groups, menu)
        }
        Way::Nobody => Ok(Vec::new()),
    }
}

/// The Companions who leave the game on the Mordor Track. They are named as elsewhere: commas may be left out.
struct Leavers<'a> {
    board: &'a Board,
}

impl Leavers<'_> {
    fn may_leave(&self, companion: Character, leavers: &[Character]) -> Allowed {
        let name = words::character(companion);
        allowed_if(self.board.companions().has(companion), "13.24", || format!("{name} is not in the Fellowship"))?;
        allowed_if(!leavers.contains(&companion), "13.25", || format!("{name} is named twice"))
    }
}

impl Phrase for Leavers<'_> {
    type Said = Vec<Character>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Character>> {
        let all = Character::of(Side::Free);
        let mut leavers = vec![menu.choose("companion", all, |companion| self.may_leave(companion, &[]))?];
        loop {
            if menu.maybe(",")? | menu.maybe("and")? {
                leavers.push(menu.choose("companion", all, |companion| self.may_leave(companion, &leavers))?);
            } else if let Some(companion) = menu.name_if_any(all) {
                menu.check(self.may_leave(companion, &leavers))?;
                leavers.push(companion);
            } else {
                return Ok(leavers);
            }
        }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Character>> {
        let all: Vec<Character> = self.board.companions().characters().collect();
        let first = chance.below(u32::try_from(all.len()).expect("at most nine").max(1)) as usize;
        let first = *all.get(first).ok_or(Stop::DeadEnd)?;
        let others = all.into_iter().filter(|companion| *companion != first && chance.below(3) == 0);
        Ok([first].into_iter().chain(others).collect())
    }

    fn list(&self) -> Ask<Sample<Vec<Character>>> {
        let all: Vec<Character> = self.board.companions().characters().collect();
        let names = all.iter().map(|companion| companion.id().to_string()).collect();
        Ok(("<companion>, …".to_string(), vec![("companion".to_string(), names)], all))
    }

    fn say(&self, said: &Vec<Character>) -> String {
        let names: Vec<&str> = said.iter().map(|companion| companion.id()).collect();
        names.join(", ")
    }
}

/// What is asked, in a few words and in a sentence.
pub fn question(board: &Board, step: &Step) -> (&'static str, String) {
    let what = match step.ways {
        Ways::Separate if board.company().is_on_the_mordor_track() => {
            "which Companions leave the Fellowship, and so, on the Mordor Track, the game"
        }
        Ways::Separate => "which Companion, or which group, leaves the Fellowship, and where to",
        Ways::SeparateOrMove => {
            "which Companion, or which group, leaves the Fellowship or moves on the map, and where to"
        }
        Ways::EverybodyMayMove => "which Companions on the map move, and where to",
    };
    ("where Companions go", format!("{}: {what}?", step.card.title()))
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ways = match self.ways {
            Ways::Separate => "separate",
            Ways::SeparateOrMove => "separate or move",
            Ways::EverybodyMayMove => "everybody may move",
        };
        write!(f, "companions {} {ways}{}", self.card.id(), self.terms)
    }
}
