/*! Whether a line that was written ahead is held back by one of its [`guard`](super::guard)s.

Guards judge only the public records since the line was written: who spoke, which dice were thrown, which facts changed.
The title says what a changed fact means.
*/

use super::guard::{Amendment, CAUSES, Cause, Guard, Touch};
use super::line::Alternative;
use crate::game::Game;
use crate::title::Title;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a record since the line was written did to the table.
#[derive(Clone, Debug)]
pub struct Act<'r> {
    pub seq: u64,
    /// The seat that spoke, in a word, and whether it is the seat that wrote the line.
    pub seat: &'r str,
    pub is_own: bool,
    /// Whether that seat is on the side of the line's seat, or is that seat.
    pub is_ally: bool,
    pub has_dice: bool,
    pub shows_card: bool,
    /// The facts that changed: `key: value`.
    pub changed: Vec<&'r str>,
}

/// Why a line is held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub cause: Cause,
    /// The record, and the seat that spoke.
    pub seq: u64,
    pub seat: String,
    /// The fact that changed, or the place that was attacked.
    pub what: String,
}

/// Whose battle is fought: one that the seat of the line began, or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fought {
    Own,
    Others,
}

/// Where a cause is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Nowhere,
    Named,
    Anywhere,
}

/// The guards of one line.
pub struct Guards<'t> {
    title: &'t Title,
    /// The places that the line names, and those next to them.
    named: Vec<String>,
    near: Vec<String>,
    reach: [Reach; CAUSES.len()],
    /// Other facts that the line depends on.
    depends: &'static [&'static str],
}

impl<'t> Guards<'t> {
    /// The guards of a line with these sentences.
    pub fn of(title: &'t Title, game: &dyn Game, alternatives: &[Alternative<'_>]) -> Guards<'t> {
        let mut reach = [Reach::Named; CAUSES.len()];
        for Amendment { stops, guard, .. } in alternatives.iter().flat_map(|found| &found.amendments) {
            if let Guard::Cause { cause, anywhere } = guard {
                reach[*cause as usize] = match (stops, anywhere) {
                    (false, _) => Reach::Nowhere,
                    (true, true) => Reach::Anywhere,
                    (true, false) => Reach::Named,
                };
            }
        }
        let mut named: Vec<String> = alternatives.iter().flat_map(|found| places_named(game, found.sentence)).collect();
        named.sort();
        named.dedup();
        let near = named.iter().flat_map(|place| neighbours(title, place)).collect();
        let depends = alternatives.iter().find_map(|found| (title.orders.depends)(found.sentence)).unwrap_or_default();
        Guards { title, named, near, reach, depends }
    }

    /// The first of these records that holds the line back. `fought` says whose battle was being fought when the line
    /// was written, if any.
    pub fn held(&self, mut fought: Option<Fought>, acts: &[Act<'_>]) -> Option<Held> {
        for act in acts {
            let (mut begins, mut ends) = (None, false);
            for change in &act.changed {
                match self.touch(change).1 {
                    Touch::Battle(Some(place)) if fought.is_none() => begins = Some(place),
                    Touch::Battle(None) => ends = true,
                    _ => {}
                }
            }
            let begun = begins.map(|_| if act.is_own { Fought::Own } else { Fought::Others });
            let battle = fought.or(begun);
            let held = CAUSES.iter().find_map(|(_, cause)| {
                let what = self.has_come(*cause, act, begins, battle)?;
                Some(Held { cause: *cause, seq: act.seq, seat: act.seat.to_string(), what })
            });
            if held.is_some() {
                return held;
            }
            fought = battle.filter(|_| !ends);
        }
        None
    }

    /// The key of a changed fact, and what the change means.
    fn touch<'c>(&self, change: &'c str) -> (&'c str, Touch<'c>) {
        let (key, value) = change.split_once(": ").unwrap_or((change, ""));
        (key, (self.title.orders.touch)(key, value))
    }

    /// Whether the record is this cause, and the fact or place that it concerns.
    fn has_come(&self, cause: Cause, act: &Act<'_>, begins: Option<&str>, battle: Option<Fought>) -> Option<String> {
        let reach = self.reach[cause as usize];
        if reach == Reach::Nowhere {
            return None;
        }
        let changed = || {
            let touches = act.changed.iter().map(|change| self.touch(change));
            touches.filter(|(key, touch)| *touch == Touch::Place || self.depends.contains(key))
        };
        let is_meant = |key: &str| {
            let is_named = self.named.iter().any(|place| place == key) || self.depends.contains(&key);
            reach == Reach::Anywhere || is_named
        };
        let first = || changed().map(|(key, _)| key).find(|key| is_meant(key)).map(str::to_string);
        let is = |wanted: Touch<'_>| act.changed.iter().any(|change| self.touch(change).1 == wanted);
        match cause {
            Cause::Attacked => begins
                .filter(|_| !act.is_ally)
                .filter(|place| is_meant(place) || self.near.iter().any(|near| near == place))
                .map(str::to_string),
            // A card that is shown in a battle is a Combat card.
            Cause::Card if act.is_own || !act.shows_card || (battle.is_some() && begins.is_none()) => None,
            Cause::Card if reach == Reach::Anywhere => Some(first().unwrap_or_default()),
            Cause::Card => first(),
            Cause::Tile => (act.is_own && is(Touch::Tile)).then(String::new),
            Cause::Revealed => is(Touch::Revealed).then(String::new),
            Cause::Touched if battle == Some(Fought::Own) && self.title.orders.fights_on => None,
            // Hits in a battle come from dice, although a seat says which figures take them.
            Cause::Touched if !act.is_own || act.has_dice || battle.is_some() => first(),
            Cause::Touched => None,
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Held { cause, seq, seat, what } = self;
        match cause {
            Cause::Attacked => write!(f, "{seat} has attacked {what} (#{seq})"),
            Cause::Card if what.is_empty() => write!(f, "{seat} has played a card (#{seq})"),
            Cause::Card => write!(f, "a card of {seat} has changed {what} (#{seq})"),
            Cause::Tile => write!(f, "a Hunt tile was drawn (#{seq})"),
            Cause::Revealed => write!(f, "the Fellowship was revealed (#{seq})"),
            Cause::Touched => write!(f, "{what} has changed (#{seq})"),
        }
    }
}

/// The most words in the name of a place.
const PLACE_WORDS_MAX: usize = 4;

/// The places that a sentence names, by their ids.
fn places_named(game: &dyn Game, sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = PLACE_WORDS_MAX.min(words.len() - at);
        let named = |count: &usize| game.place(&words[at..at + count].join(" ")).ok();
        match (1..=longest).rev().find_map(|count| Some((count, named(&count)?))) {
            Some((count, place)) => {
                found.push(place);
                at += count;
            }
            None => at += 1,
        }
    }
    found
}

/// The places next to one.
fn neighbours(title: &Title, place: &str) -> Vec<String> {
    let Some(chart) = (title.texts.chart)() else { return Vec::new() };
    let Some(number) = chart.place(place) else { return Vec::new() };
    let open = chart.contacts.iter().filter(|contact| contact.crossing.is_open());
    let across = open.filter_map(|contact| match contact.ends.map(usize::from) {
        [near, far] if near == number => Some(far),
        [far, near] if near == number => Some(far),
        _ => None,
    });
    across.map(|far| chart.places[far].name.id().to_string()).collect()
}
