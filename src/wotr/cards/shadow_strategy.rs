//! The Event halves of the Strategy deck of the Shadow, one arm a card.

use crate::engine::menu::{Ask, Menu};
use crate::engine::need::{Answer, Need};
use crate::engine::refusal::Allowed;
use crate::engine::slot::Faces;
use crate::wotr::Table;
use crate::wotr::board::Board;
use crate::wotr::cards::About;
use crate::wotr::step::Step as Next;

/// The cards of the deck, in the order of their printed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ShadowStrategy {
    ReturnToValinor,
    TheFightingUrukHai,
    DenethorsFolly,
    TheDayWithoutDawn,
    ThreatsAndPromises,
    Stormcrow,
    ShadowsGather,
    TheShadowLengthens,
    TheShadowIsMoving,
    CorsairsOfUmbar,
    RageOfTheDunlendings,
    ReturnOfTheWitchKing,
    HalfOrcsAndGoblinMen,
    OlogHai,
    HillTrolls,
    ANewPowerIsRising,
    ManyKingsToTheServiceOfMordor,
    TheKingIsRevealed,
    ShadowsOnTheMistyMountains,
    OrcsMultiplyingAgain,
    HordeFromTheEast,
    MonstersRoused,
    MusteringsOfLongPlannedWar,
    PitsOfMordor,
}

impl ShadowStrategy {
    pub const ALL: [ShadowStrategy; 24] = [
        ShadowStrategy::ReturnToValinor,
        ShadowStrategy::TheFightingUrukHai,
        ShadowStrategy::DenethorsFolly,
        ShadowStrategy::TheDayWithoutDawn,
        ShadowStrategy::ThreatsAndPromises,
        ShadowStrategy::Stormcrow,
        ShadowStrategy::ShadowsGather,
        ShadowStrategy::TheShadowLengthens,
        ShadowStrategy::TheShadowIsMoving,
        ShadowStrategy::CorsairsOfUmbar,
        ShadowStrategy::RageOfTheDunlendings,
        ShadowStrategy::ReturnOfTheWitchKing,
        ShadowStrategy::HalfOrcsAndGoblinMen,
        ShadowStrategy::OlogHai,
        ShadowStrategy::HillTrolls,
        ShadowStrategy::ANewPowerIsRising,
        ShadowStrategy::ManyKingsToTheServiceOfMordor,
        ShadowStrategy::TheKingIsRevealed,
        ShadowStrategy::ShadowsOnTheMistyMountains,
        ShadowStrategy::OrcsMultiplyingAgain,
        ShadowStrategy::HordeFromTheEast,
        ShadowStrategy::MonstersRoused,
        ShadowStrategy::MusteringsOfLongPlannedWar,
        ShadowStrategy::PitsOfMordor,
    ];
}

/// 5.8, 5.19: whether what the card requires is true now. A table card that no longer fulfils it is discarded (5.18).
pub fn requires(_board: &Board, _card: ShadowStrategy) -> Allowed {
    Ok(())
}

/// What the card does, in the order of its text.
pub fn steps(_board: &Board, _card: ShadowStrategy) -> Vec<Next> {
    Vec::new()
}

/// What a part of the card waits for.
pub fn need(_board: &Board, _card: ShadowStrategy, _part: u8, _about: About) -> Option<Need> {
    None
}

/// What may be said to the question of a part.
pub fn menu(
    _board: &Board,
    card: ShadowStrategy,
    part: u8,
    _about: About,
    _faces: &Faces,
    _menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    unreachable!("part {part} of {card:?} asks nothing")
}

/// What a part asks, in a few words and in a sentence.
pub fn question(_board: &Board, card: ShadowStrategy, part: u8, _about: About) -> (&'static str, String) {
    unreachable!("part {part} of {card:?} asks nothing")
}

/// Does a part that waits for nothing.
pub fn perform(_play: &mut Table, _card: ShadowStrategy, _part: u8, _about: About) {}

/// Does a part that waited for chance.
pub fn settle(_play: &mut Table, card: ShadowStrategy, part: u8, _about: About, answer: Answer) {
    unreachable!("part {part} of {card:?} waits for no {answer:?}")
}
