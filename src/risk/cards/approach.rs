//! The cards that an attacker plays with the declaration of an invasion, in the order of 6.3.

use crate::board::Board;
use crate::board::turn::Route;
use crate::card::{Face, Power};
use crate::cards::Choice;
use crate::cards::held::{self, Held, any, held};
use crate::cards::powers::played;
use crate::step::Step;
use crate::territory::{Passage, Territory, same_range};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::slot::Faces;

/// The battalions that Ambush! adds.
const AMBUSH: u32 = 3;

/// The cards that the attacker plays while naming and declaring an invasion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approach {
    /// Steps that play the *before invasion* cards (6.3 point 2).
    pub before: Vec<Step>,
    /// Steps that play the *declared* cards (6.3 point 3).
    pub declared: Vec<Step>,
    /// Battalions that the cards add to the source.
    pub gained: u32,
}

/// A source, a target, the route between them, and the cards named for the invasion so far.
struct Declaration<'a> {
    board: &'a Board,
    source: Territory,
    target: Territory,
    route: Route,
    chosen: Vec<Held>,
}

/// Reads the optional `playing CARD, CARD` of a declaration. A route under the mountains needs its card.
pub fn approach(
    board: &Board,
    (source, target): (Territory, Territory),
    route: Route,
    faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Approach> {
    let seat = board.active();
    let held = held(board, seat, faces);
    let mut declaration = Declaration { board, source, target, route, chosen: Vec::new() };
    let helps = || any(&held, "you hold no card that helps an invasion", |card| declaration.allowed(card));
    let plays = match declaration.complete() {
        Err(lacks) if helps().is_ok() => {
            menu.word_or("playing", lacks)?;
            true
        }
        complete => {
            menu.branch(&[("playing", true), ("", false)], |plays| if plays { helps() } else { complete.clone() })?
        }
    };
    let mut goes_on = plays;
    while goes_on {
        let card = held::choose(menu, &held, |card| declaration.allowed_next(card))?;
        declaration.chosen.push(card);
        let others: Vec<Held> = held.iter().copied().filter(|card| !declaration.chosen.contains(card)).collect();
        let more = any(&others, "you hold no other card", |card| declaration.allowed_next(card));
        goes_on = if declaration.complete().is_ok() {
            menu.maybe_comma(more)?
        } else {
            menu.comma()?;
            true
        };
    }
    let mut approach = Approach { gained: declaration.gained(), ..Approach::default() };
    for card in &declaration.chosen {
        let step = played(menu, seat, *card, Choice::Nothing);
        match card.power() {
            Some(Power::TheWayIsUnderTheMountains | Power::BlackSails) => approach.declared.push(step),
            _ => approach.before.push(step),
        }
    }
    Ok(approach)
}

/// Whether the active player is known to hold this Power.
pub fn knows(board: &Board, faces: &Faces, power: Power) -> bool {
    let card = Face::Power(power).card();
    board.adventure_cards(board.active()).iter().any(|slot| faces.get(*slot) == Some(card))
}

impl Declaration<'_> {
    /// Whether the declaration is legal with the cards chosen so far (6.3 point 4).
    fn complete(&self) -> Allowed {
        if self.route == Route::UnderTheMountains && !self.plays(Power::TheWayIsUnderTheMountains) {
            let (from, to) = (self.source.name().title(), self.target.name().title());
            let why = format!(
                "{from} is not adjacent to {to}: only The Way is Under the Mountains leads there, played with it"
            );
            return barred("6.3", why);
        }
        let there = self.board.battalions(self.source) + self.gained();
        allowed_if(there >= 2, "6.2", || format!("{} has no battalion to spare", self.source.name().title()))
    }

    fn plays(&self, power: Power) -> bool {
        self.chosen.iter().any(|card| card.power() == Some(power))
    }

    /// The battalions that the cards add to the source.
    fn gained(&self) -> u32 {
        let ambushes = self.chosen.iter().filter(|card| card.power() == Some(Power::Ambush)).map(|_| AMBUSH);
        self.board.battalions(self.target) - self.defenders() + ambushes.sum::<u32>()
    }

    /// The defenders that will be left: Gríma takes min(2, defenders − 1) (8.6).
    fn defenders(&self) -> u32 {
        let grimas = self.chosen.iter().filter(|card| card.power() == Some(Power::GrimaWormtongue));
        grimas.fold(self.board.battalions(self.target), |left, _| left - 2.min(left - 1))
    }

    /// Whether the card may be named next: a card that the declaration needs must come first.
    fn allowed_next(&self, card: Held) -> Allowed {
        self.allowed(card)?;
        let lacks = self.complete();
        let under = card.power() == Some(Power::TheWayIsUnderTheMountains);
        if self.route == Route::UnderTheMountains && !self.plays(Power::TheWayIsUnderTheMountains) && !under {
            return lacks;
        }
        let adds = under || matches!(card.power(), Some(Power::Ambush | Power::GrimaWormtongue));
        if adds { Ok(()) } else { lacks }
    }

    /// Whether the card has an effect here (▲24).
    fn allowed(&self, card: Held) -> Allowed {
        if self.chosen.contains(&card) {
            return barred("8.4", "a card is played once");
        }
        let Some(power) = card.power() else {
            return barred("8.3", "it is a Mission");
        };
        match power {
            Power::Ambush => Ok(()),
            Power::GrimaWormtongue => {
                allowed_if(self.defenders() >= 2, "▲24", || "1 defender must stay, and there is no other".to_string())
            }
            Power::TheEnemyIsAtHand | Power::SiegeMachines => self.silences(),
            Power::TheWayIsUnderTheMountains => self.goes_under(),
            Power::BlackSails => {
                let sea = self.route == Route::By(Passage::Sea);
                allowed_if(sea, "8.4", || "this invasion does not go over the sea".to_string())
            }
            _ => barred("8.4", format!("it is played at another time: {}", power.window().words())),
        }
    }

    fn silences(&self) -> Allowed {
        if !self.board.has_stronghold(self.target) {
            return barred("▲24", format!("{} has no stronghold", self.target.name().title()));
        }
        let silent = self.plays(Power::TheEnemyIsAtHand) || self.plays(Power::SiegeMachines);
        allowed_if(!silent, "▲24", || "the stronghold gives no bonus already".to_string())
    }

    fn goes_under(&self) -> Allowed {
        if self.route != Route::UnderTheMountains {
            return barred("▲24", "the way to the target is open anyhow");
        }
        let range = same_range(self.source, self.target) && !self.plays(Power::TheWayIsUnderTheMountains);
        allowed_if(range, "8.6", || {
            let (from, to) = (self.source.name().title(), self.target.name().title());
            format!("{from} and {to} do not lie beside the same mountain range")
        })
    }
}
