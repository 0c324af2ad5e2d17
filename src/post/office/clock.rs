/*! The post office by the clock: a tick looks at every game, and opens those in which something can happen.

Letters that wait to be received are received first, so a player who wrote in time is not late. What happens in one game
is in [`crate::post::desk::clock`].
*/

use super::Sitting;
use super::notice::{self, Notice};
use crate::post::book::fault::PostError;
use crate::post::desk::clock::{Ticked, rests};
use crate::post::desk::outage::Outage;
use crate::record::value::stamp::Stamp;

/// What a tick did in one game, and what the host must know of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    pub ticked: Ticked,
    pub notices: Vec<Notice>,
}

/// A game, and what a tick did in it, or why it could not.
pub type GameTicked = (String, Result<Looked, PostError>);

/// Lets time pass in all games of an office: in those where nothing can happen yet, without opening them.
///
/// # Errors
/// The folder of the games cannot be read. What is wrong with one game keeps no other from its tick.
pub fn tick(sitting: &mut Sitting<'_>, now: Stamp) -> Result<Vec<GameTicked>, PostError> {
    let games = sitting.office().games()?;
    Ok(tick_after(sitting, &games, None, now))
}

/// The same in these games, if nobody served for some time: a player who was late meanwhile has more time.
pub fn tick_after(sitting: &mut Sitting<'_>, games: &[String], outage: Option<Outage>, now: Stamp) -> Vec<GameTicked> {
    let mut outcomes = Vec::new();
    for game in games {
        if !sitting.is_open(game) && rests(&sitting.office().root().join(game), now) {
            continue;
        }
        let ticked = sitting.at_desk(game, now, |desk| {
            let ticked = desk.tick_after(outage, now)?;
            Ok(Looked { ticked, notices: notice::of_game(game, desk) })
        });
        outcomes.push((game.clone(), ticked));
    }
    outcomes
}
