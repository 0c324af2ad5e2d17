//! Hunt tiles drawn by cards (14.31): which are discarded without effect, and how the effects of the others change.

use crate::board::Board;
use crate::board::hunt::Cause;
use crate::card::Card;
use crate::cards::shadow_character::{self, ShadowCharacter};
use crate::cards::{About, Title, part};
use crate::hunt;
use crate::side::Side;
use crate::step::Step as Next;
use crate::tile::{Kind, Tile, Value};

/// The card of the Shadow's Character deck that drew the tile, if one did.
fn by(cause: Cause) -> Option<ShadowCharacter> {
    match cause {
        Cause::Card(card) => match card.title_of() {
            Title::ShadowCharacter(card) => Some(card),
            Title::FreeCharacter(_) | Title::FreeStrategy(_) | Title::ShadowStrategy(_) => None,
        },
        Cause::Roll { .. } | Cause::Stronghold(_) | Cause::Mordor => None,
    }
}

/// Whether the card discards the tile: an Eye, even a special one, and, unless the card is Balrog of Moria, a special
/// tile of the Free Peoples.
pub fn discards(card: Card, tile: Tile) -> bool {
    let eye = tile.value() == Value::Eye;
    let special = tile.kind() == Kind::SpecialFreePeoples;
    let patrols = [
        ShadowCharacter::OrcPatrol,
        ShadowCharacter::IsildursBane,
        ShadowCharacter::FoulThingFromTheDeep,
        ShadowCharacter::TheBreakingOfTheFellowship,
    ];
    match by(Cause::Card(card)) {
        Some(ShadowCharacter::BalrogOfMoria) => eye,
        Some(card) if patrols.contains(&card) => eye || special,
        _ => false,
    }
}

/// The effects of a tile drawn by the card.
pub fn steps(card: Card) -> Vec<Next> {
    match by(Cause::Card(card)) {
        // The tile does no damage.
        Some(ShadowCharacter::TheBreakingOfTheFellowship) => vec![part(card, shadow_character::BREAK, About::Nothing)],
        // The damage cannot be reduced, neither by the Guide nor by a casualty.
        Some(ShadowCharacter::IsildursBane) => [hunt::Step::Corrupt, hunt::Step::Reveal].map(Next::Hunt).to_vec(),
        _ => hunt::EFFECTS.map(Next::Hunt).to_vec(),
    }
}

/// Whether the number of the tile cannot be lowered: the damage of Isildur's Bane, or the number of Companions who must
/// leave by The Breaking of the Fellowship.
pub fn is_fixed(cause: Cause) -> bool {
    let fixed = [ShadowCharacter::IsildursBane, ShadowCharacter::TheBreakingOfTheFellowship];
    by(cause).is_some_and(|card| fixed.contains(&card))
}

/// Foul Thing from the Deep: if damage is left after the Guide's ability, a random Companion must be the casualty.
pub fn demands_casualty(cause: Cause) -> bool {
    by(cause) == Some(ShadowCharacter::FoulThingFromTheDeep)
}

/// 13.12: the Reveal icon on a tile drawn by Balrog of Moria has no effect if the Fellowship was declared in a City or
/// Stronghold of the Free Peoples that they control. If it was revealed instead it cannot be in one, and then the icon
/// has no effect anyway.
pub fn hides_reveal(board: &Board, cause: Cause) -> bool {
    by(cause) == Some(ShadowCharacter::BalrogOfMoria)
        && board.company().region().is_some_and(|region| {
            region.side() == Some(Side::Free) && region.is_city_or_stronghold() && board.is_unconquered(region)
        })
}
