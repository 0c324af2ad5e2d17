/*! Events: what happened. Telling one is the only thing that changes the board.

There is one file for each chapter that tells events, below the board, which knows them, and the chapters.
*/

pub mod battle;
pub mod capture;
pub mod cards;
pub mod dice;
pub mod event_cards;
pub mod fellowship;
pub mod hunt;
pub mod politics;
pub mod teams;
pub mod turn;

use crate::board::place::Place;
use crate::board::victory::Victory;
use crate::figures::Figures;

/// Something that happened, by the chapter that tells it.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Figures moved from one place to another. No other event moves figures.
    Moved(Move),
    Turn(turn::Event),
    Dice(dice::Event),
    Cards(event_cards::Event),
    /// What the text of a card did.
    Effect(cards::Event),
    Battle(battle::Event),
    Capture(capture::Event),
    Politics(politics::Event),
    Fellowship(fellowship::Event),
    Hunt(hunt::Event),
    /// The events of tables with three or four players.
    Teams(teams::Event),
    /// The game is over.
    Won(Victory),
}

/// Figures moved from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub figures: Figures,
    pub from: Place,
    pub to: Place,
    pub cause: Cause,
}

/// Why figures moved: for the news, and for the attacking part of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An Army moved (7).
    Marched,
    /// Companions moved on the map (6.5), or the Mouth of Sauron did (6.17).
    Travelled,
    /// Nazgûl flew (6.14).
    Flew,
    /// 13.25: Companions left the Fellowship.
    Separated,
    /// Chapter 8.
    Recruited,
    /// A Character entered play (6.18 to 6.24).
    Entered,
    /// A Character was replaced by another, or a Regular by an Elite (6.18, 6.22).
    Replaced,
    /// 9.29: lost to a hit.
    Lost,
    /// 9.31: an Elite was replaced by a Regular: its move, and that of the Regular.
    Reduced,
    /// 9.34, 1.33: lost because no unit was left.
    Fallen,
    /// A Character was eliminated in another way.
    Eliminated,
    /// 9.39: the defender retreated to a region.
    Retreated,
    /// 10.4: the defender withdrew into the Stronghold.
    Withdrew,
    /// 9.47: the attacker advanced into the region of the battle.
    Advanced,
    /// 10.27: a garrison is in the open again after a siege.
    Freed,
    /// 1.34: removed because of the stacking limit.
    Disbanded,
}
