/*! The post office by the clock: a tick looks at every game, and opens those in which something can happen.

Letters that wait to be received are received first, so a player who wrote in time is not late. [`crate::desk::tick`]
is what happens in one game.
*/

use super::Sitting;
use super::notice::{self, Notice};
use crate::book::fault::PostError;
use crate::desk::beacon::Beacon;
use crate::desk::outage::{self, Doubt, Outage};
use crate::desk::tick::{Ticked, rests};
use ground::span::Span;
use ground::stamp::Stamp;
use net::beacon::FetchError;
use record::commit::beacon::Chain;
use std::io;
use store::drawer::Drawer;
use store::home::Surveyed;

/// While our clock is doubted, the beacon is asked for a round that is this old by our clock. It must not be older
/// than the difference between two clocks that still agree.
const OLD: Span = Span::hours(23);

/// What a tick did in one game, and what the host must know of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    pub ticked: Ticked,
    pub notices: Vec<Notice>,
}

/// A game, and what a tick did in it, or why the tick failed.
pub type GameTicked = (String, Result<Looked, PostError>);

/// Lets time pass in all games of an office, without opening those in which nothing can happen yet. An error in one
/// game does not keep the others from their tick.
pub fn tick(sitting: &mut Sitting<'_>, now: Stamp) -> Result<Vec<GameTicked>, PostError> {
    let games = sitting.office().survey()?;
    Ok(tick_after(sitting, &games, None, now))
}

/// The same in these games, after an outage: if a player was late meanwhile, he gets more time.
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

/// What remains of a doubt once the beacon has been asked. Nobody has the signature of a round before its time: so if
/// the beacon says that an old round is still to come, our clock is fast.
pub fn settled(beacon: &Beacon, counter: &Drawer, doubt: Doubt, now: Stamp) -> io::Result<Option<Doubt>> {
    let lasting = |doubt: Doubt| Ok(Some(doubt).filter(|doubt| doubt.lasts(now)));
    if beacon.relays.is_empty() {
        return lasting(Doubt { contradicted: None, ..doubt });
    }
    let chain = beacon.chain.clone().unwrap_or_else(Chain::quicknet);
    // The same round for as long as the doubt lasts: another thread may need until the next tick to fetch it.
    let round = chain.round_at(doubt.gap.back.earlier(OLD)).max(1);
    match beacon.signature(&chain, round) {
        Some(Ok(_)) => outage::agree(counter, now).map(|()| None),
        Some(Err(FetchError::NotYet { .. })) => {
            outage::contradict(counter, now)?;
            Ok(Some(Doubt { contradicted: Some(now), ..doubt }))
        }
        Some(Err(_)) => lasting(doubt),
        // A thread is still fetching the answer.
        None => Ok(Some(doubt)),
    }
}
