//! The cards of a hand that the writer of a sentence knows.

use crate::board::Board;
use crate::card::{Face, Mission, Power};
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named, Word};
use engine::refusal::{Allowed, Barred, barred};
use engine::seat::Seat;
use engine::slot::{Faces, Slot};

/// An Adventure card in hand whose face is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub slot: Slot,
    pub face: Face,
}

impl Held {
    /// The Power, if the card is one.
    pub fn power(self) -> Option<Power> {
        match self.face {
            Face::Power(power) => Some(power),
            _ => None,
        }
    }

    /// The Mission, if the card is one.
    pub fn mission(self) -> Option<Mission> {
        match self.face {
            Face::Mission(mission) => Some(mission),
            _ => None,
        }
    }
}

impl Named for Held {
    fn name(&self) -> &'static Name {
        self.face.name()
    }

    fn known_by(words: &[Word<'_>]) -> usize {
        Face::known_by(words)
    }
}

/// The Adventure cards in the seat's hand that `faces` knows.
pub fn held(board: &Board, seat: Seat, faces: &Faces) -> Vec<Held> {
    let known = |slot: &Slot| faces.get(*slot).map(|card| Held { slot: *slot, face: Face::of(card) });
    board.adventure_cards(seat).iter().filter_map(known).collect()
}

/// Chooses one of the cards. Of several copies in the hand the first that is allowed is taken.
pub fn choose(menu: &mut Menu<'_>, held: &[Held], allowed: impl Fn(Held) -> Allowed) -> Ask<Held> {
    let chosen = menu.choose("card", held, &allowed)?;
    let first = held.iter().find(|copy| copy.face == chosen.face && allowed(**copy).is_ok());
    Ok(*first.expect("the chosen card itself is allowed"))
}

/// Allowed if one of the cards can be played; otherwise the refusal gives the reason for each card.
pub fn any(held: &[Held], why_none: &str, allowed: impl Fn(Held) -> Allowed) -> Allowed {
    let mut reasons: Vec<Barred> = Vec::new();
    for card in held {
        match allowed(*card) {
            Ok(()) => return Ok(()),
            Err(barred) => {
                let why = format!("{}: {}", card.name().title(), barred.why);
                reasons.push(Barred { rule: barred.rule, why });
            }
        }
    }
    match reasons.first() {
        None => barred("8.4", why_none),
        Some(first) => {
            let whys: Vec<&str> = reasons.iter().map(|reason| reason.why.as_str()).collect();
            barred(first.rule, whys.join("; "))
        }
    }
}

/// 10.3: after a Mission or Power card was drawn in step 5, no card is played any more.
pub fn unlocked(board: &Board, seat: Seat) -> Allowed {
    if board.is_locked(seat) {
        barred("10.3", "no card may be played after a Mission or Power card was drawn in step 5")
    } else {
        Ok(())
    }
}
