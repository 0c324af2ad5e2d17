//! The cards of a hand, as a bot sees them: which of them can never be played again.

use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::Title;
use crate::cards::free_character::FreeCharacter as Free;
use crate::cards::shadow_character::ShadowCharacter as Shadow;
use crate::cards::shadow_strategy::ShadowStrategy as Strategy;
use crate::character::Character;
use crate::nation::Nation;

/// Whether the Event half of the card has lost its use for the rest of the game: a Character it needs is gone, or the
/// Fellowship is where its text cannot reach.
pub fn is_spent(board: &Board, card: Card) -> bool {
    let has_left = |character: Character| !board.companions().has(character);
    let is_gone = |character: Character| board.whereabouts(character) == Place::Removed;
    let in_mordor = board.company().is_on_the_mordor_track();
    match card.title_of() {
        Title::FreeCharacter(Free::WizardsStaff) => has_left(Character::GandalfTheGrey),
        Title::FreeCharacter(Free::HornOfGondor) => has_left(Character::Boromir),
        Title::FreeCharacter(Free::AxeAndBow) => has_left(Character::Gimli) && has_left(Character::Legolas),
        Title::FreeCharacter(Free::IWillGoAlone) => board.companions().characters().next().is_none(),
        Title::FreeCharacter(Free::HouseOfTheStewards) => is_gone(Character::Boromir),
        Title::ShadowCharacter(Shadow::Wormtongue) => {
            is_gone(Character::Saruman) || board.politics().is_active(Nation::Rohan)
        }
        Title::ShadowCharacter(Shadow::ThePalantirOfOrthanc)
        | Title::ShadowStrategy(Strategy::TheFightingUrukHai | Strategy::ANewPowerIsRising) => {
            is_gone(Character::Saruman)
        }
        Title::ShadowCharacter(Shadow::GrondHammerOfTheUnderworld | Shadow::TheBlackCaptainCommands)
        | Title::ShadowStrategy(Strategy::ReturnOfTheWitchKing) => is_gone(Character::WitchKing),
        Title::ShadowCharacter(
            Shadow::NazgulSearch
            | Shadow::CruelWeather
            | Shadow::TheNazgulStrike
            | Shadow::FlocksOfCrebain
            | Shadow::BalrogOfMoria,
        ) => in_mordor,
        Title::FreeCharacter(_) | Title::FreeStrategy(_) | Title::ShadowCharacter(_) | Title::ShadowStrategy(_) => {
            false
        }
    }
}
