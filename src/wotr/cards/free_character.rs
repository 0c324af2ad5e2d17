//! The Event halves of the Character deck of the Free Peoples, one arm a card.

use crate::engine::menu::{Ask, Menu};
use crate::engine::need::{Answer, Need};
use crate::engine::refusal::Allowed;
use crate::engine::slot::Faces;
use crate::wotr::Table;
use crate::wotr::board::Board;
use crate::wotr::card::{Card, EventDeck, Type};
use crate::wotr::cards::About;
use crate::wotr::side::Side;
use crate::wotr::step::Step as Next;

/// The cards of the deck, in the order of their printed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FreeCharacter {
    ElvenCloaks,
    ElvenRope,
    PhialOfGaladriel,
    SmeagolHelpsNiceMaster,
    MithrilCoatAndSting,
    AxeAndBow,
    HornOfGondor,
    WizardsStaff,
    Athelas,
    ThereIsAnotherWay,
    IWillGoAlone,
    BilbosSong,
    MirrorOfGaladriel,
    ChallengeOfTheKing,
    GwaihirTheWindlord,
    WeProveTheSwifter,
    ThereAndBackAgain,
    TheEaglesAreComing,
    TheEntsAwakeTreebeard,
    TheEntsAwakeHuorns,
    TheEntsAwakeEntmoot,
    DeadMenOfDunharrow,
    HouseOfTheStewards,
    TheGreyCompany,
}

impl FreeCharacter {
    pub const ALL: [FreeCharacter; 24] = [
        FreeCharacter::ElvenCloaks,
        FreeCharacter::ElvenRope,
        FreeCharacter::PhialOfGaladriel,
        FreeCharacter::SmeagolHelpsNiceMaster,
        FreeCharacter::MithrilCoatAndSting,
        FreeCharacter::AxeAndBow,
        FreeCharacter::HornOfGondor,
        FreeCharacter::WizardsStaff,
        FreeCharacter::Athelas,
        FreeCharacter::ThereIsAnotherWay,
        FreeCharacter::IWillGoAlone,
        FreeCharacter::BilbosSong,
        FreeCharacter::MirrorOfGaladriel,
        FreeCharacter::ChallengeOfTheKing,
        FreeCharacter::GwaihirTheWindlord,
        FreeCharacter::WeProveTheSwifter,
        FreeCharacter::ThereAndBackAgain,
        FreeCharacter::TheEaglesAreComing,
        FreeCharacter::TheEntsAwakeTreebeard,
        FreeCharacter::TheEntsAwakeHuorns,
        FreeCharacter::TheEntsAwakeEntmoot,
        FreeCharacter::DeadMenOfDunharrow,
        FreeCharacter::HouseOfTheStewards,
        FreeCharacter::TheGreyCompany,
    ];

    /// The card that carries it.
    pub fn card(self) -> Card {
        EventDeck { side: Side::Free, kind: Type::Character }.cards().nth(self as usize).expect("one of the deck")
    }
}

/// 5.8, 5.19: whether what the card requires is true now. A table card that no longer fulfils it is discarded (5.18).
pub fn requires(_board: &Board, _card: FreeCharacter) -> Allowed {
    Ok(())
}

/// What the card does, in the order of its text.
pub fn steps(_board: &Board, _card: FreeCharacter) -> Vec<Next> {
    Vec::new()
}

/// What a part of the card waits for.
pub fn need(_board: &Board, _card: FreeCharacter, _part: u8, _about: About) -> Option<Need> {
    None
}

/// What may be said to the question of a part.
pub fn menu(
    _board: &Board,
    card: FreeCharacter,
    part: u8,
    _about: About,
    _faces: &Faces,
    _menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    unreachable!("part {part} of {card:?} asks nothing")
}

/// What a part asks, in a few words and in a sentence.
pub fn question(_board: &Board, card: FreeCharacter, part: u8, _about: About) -> (&'static str, String) {
    unreachable!("part {part} of {card:?} asks nothing")
}

/// Does a part that waits for nothing.
pub fn perform(_play: &mut Table, _card: FreeCharacter, _part: u8, _about: About) {}

/// Does a part that waited for chance.
pub fn settle(_play: &mut Table, card: FreeCharacter, part: u8, _about: About, answer: Answer) {
    unreachable!("part {part} of {card:?} waits for no {answer:?}")
}
