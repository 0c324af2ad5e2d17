/*! The texts of a record that people read in a line (log 2.8): how long each may be. No character in them may end the
line, control a terminal or turn the direction of writing, so that no text of a log looks like a word of ours.
*/

use super::Body;
use super::body::{Correction, Genesis};

/// The longest name of a game, a player, a seat or a time zone, in characters.
pub const NAME_MAX: usize = 60;
/// The longest text, in characters.
pub const TEXT_MAX: usize = 1_000;

/// A text of a record: its key, and the most characters that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'e> {
    pub key: &'static str,
    pub text: &'e str,
    pub most: usize,
}

/// The texts of a record that are read in a line.
pub fn lines<'e>(body: &'e Body<'_>) -> Vec<Line<'e>> {
    let mut found = Vec::new();
    let mut add = |key: &'static str, text: Option<&'e str>, most: usize| {
        found.extend(text.map(|text| Line { key, text, most }));
    };
    match body {
        Body::Genesis(genesis) => return of_genesis(genesis),
        Body::Join(join) => add("player", join.player.as_deref(), NAME_MAX),
        Body::Stopped(stopped) => add("reason", Some(&*stopped.reason), TEXT_MAX),
        Body::Host(host) => add("text", Some(&*host.text), TEXT_MAX),
        Body::Correction(Correction { text, player, .. }) => {
            add("player", player.as_deref(), NAME_MAX);
            add("text", Some(&**text).filter(|text| !text.is_empty()), TEXT_MAX);
        }
        Body::Motion(motion) => add("text", Some(&*motion.text), TEXT_MAX),
        Body::Concede(concede) => add("text", concede.text.as_deref(), TEXT_MAX),
        Body::Dispute(dispute) => add("text", Some(&*dispute.text), TEXT_MAX),
        Body::Clock(clock) => {
            add("zone", clock.zone.as_deref(), NAME_MAX);
            add("text", clock.text.as_deref(), TEXT_MAX);
        }
        Body::End(end) => add("result", Some(&*end.result), TEXT_MAX),
        _ => {}
    }
    found
}

/// Those of the first record.
pub fn of_genesis<'e>(genesis: &'e Genesis<'_>) -> Vec<Line<'e>> {
    let name = |key: &'static str, text: &'e str| Line { key, text, most: NAME_MAX };
    let mut found = vec![name("name", &genesis.name)];
    for seat in &genesis.seats {
        found.extend([name("seat", &seat.seat), name("player", &seat.player)]);
        found.extend(seat.zone.as_deref().map(|zone| name("zone", zone)));
    }
    let zone = genesis.schedule.as_ref().and_then(|schedule| schedule.zone.as_deref());
    found.extend(zone.map(|zone| name("zone", zone)));
    found
}
