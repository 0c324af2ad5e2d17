/*! The post office by the clock: a tick looks at every game, and opens those in which something can happen.

Letters that wait to be received are received first, so a player who wrote in time is not late. What happens in one game
is in [`crate::desk::clock`].
*/

use super::Sitting;
use super::notice::{self, Notice};
use crate::book::fault::PostError;
use crate::desk::clock::{Ticked, rests};
use crate::desk::outage::{self, Doubt, Outage};
use crate::desk::receipts::Beacon;
use ground::span::Span;
use ground::stamp::Stamp;
use net::beacon::FetchError;
use record::commit::beacon::Chain;
use std::io;
use store::drawer::Drawer;
use store::home::Surveyed;

/// The beacon is asked for a round that is so old by a clock that is doubted. It must not be older than two clocks may
/// be apart that agree.
const OLD: Span = Span::hours(23);

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
    let games = sitting.office().survey()?;
    Ok(tick_after(sitting, &games, None, now))
}

/// The same in these games, if nobody served for some time: a player who was late meanwhile has more time.
pub fn tick_after(
    sitting: &mut Sitting<'_>,
    games: &[Surveyed],
    outage: Option<Outage>,
    now: Stamp,
) -> Vec<GameTicked> {
    let mut outcomes = Vec::new();
    for game in games {
        if !sitting.is_open(&game.drawer) && rests(game, now) {
            continue;
        }
        let game = &game.drawer;
        let ticked = sitting.at_desk(game, now, |desk| {
            let ticked = desk.tick_after(outage, now)?;
            Ok(Looked { ticked, notices: notice::of_game(game, desk) })
        });
        outcomes.push((game.clone(), ticked));
    }
    outcomes
}

/// What remains of a doubt, once the beacon has been asked: nobody has the signature of a round before its time, so a
/// clock by which a round is old that does not exist yet is fast.
///
/// # Errors
/// It cannot be noted at the counter.
pub fn settled(beacon: &Beacon, counter: &Drawer, doubt: Doubt, now: Stamp) -> io::Result<Option<Doubt>> {
    let lasting = |doubt: Doubt| Ok(Some(doubt).filter(|doubt| doubt.lasts(now)));
    if beacon.relays.is_empty() {
        return lasting(Doubt { contradicted: None, ..doubt });
    }
    let chain = beacon.chain.clone().unwrap_or_else(Chain::quicknet);
    // The same round for the whole of the doubt: it may be fetched by another thread until the next tick.
    let round = chain.round_at(doubt.gap.back.earlier(OLD)).max(1);
    match beacon.signature(&chain, round) {
        Some(Ok(_)) => outage::agree(counter, now).map(|()| None),
        Some(Err(FetchError::NotYet { .. })) => {
            outage::contradict(counter, now)?;
            Ok(Some(Doubt { contradicted: Some(now), ..doubt }))
        }
        Some(Err(_)) => lasting(doubt),
        // The answer is on its way.
        None => Ok(Some(doubt)),
    }
}
