/*! The fewest waits possible in the sample games: with hindsight, each seat writes exactly what it said later, and is
asked again only if a guard stops its plan.
*/

use engine::order::held::{Act, Fought, Guards};
use engine::order::line::alternatives;
use engine::seat::Seat;
use record::entry::Body;
use record::file::reading::{Followed, read_through, revealed};
use record::file::stream::Records;
use ringmail::titles;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// The counts over the samples of a title.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor {
    pub turns: u32,
    pub answers: u32,
    /// The letters of the seat asked first in a turn; the letters for plans that guards stopped; and one letter of
    /// the defender for each battle.
    pub first: u32,
    pub stopped: u32,
    pub defences: u32,
}

/// A record, as far as guards and letters need it.
struct Noted {
    seat: String,
    by: Option<Seat>,
    /// The seats that win with this seat.
    side: Vec<Seat>,
    question: Option<&'static str>,
    said: String,
    turn: String,
    battle: Option<(String, Option<Seat>)>,
    has_dice: bool,
    shows_card: bool,
    changed: Vec<String>,
    opens: bool,
}

impl Noted {
    fn of(step: &Followed<'_>) -> Noted {
        let (entry, game) = (step.entry, step.fold.game());
        let title = step.fold.plan().title;
        let outcome = entry.outcome.as_ref();
        let changed: Vec<String> =
            outcome.into_iter().flat_map(|outcome| &outcome.changed).map(ToString::to_string).collect();
        let opens = title.orders.turn_opens.is_some_and(|(key, word)| {
            let is_it = |changed: &String| changed.starts_with(&format!("{key}: ")) && changed.ends_with(word);
            changed.iter().any(is_it)
        });
        let said = match &entry.body {
            Body::Say(say) => say.said.to_string(),
            _ => String::new(),
        };
        let question = step.asked_before.filter(|_| !said.is_empty());
        Noted {
            seat: entry.seat.to_string(),
            by: question.map(|question| question.seat),
            side: question.map_or_else(Vec::new, |question| {
                let sides = (title.teams.sides)(&step.fold.plan().setup);
                sides.into_iter().find(|side| side.contains(&question.seat)).unwrap_or_default()
            }),
            question: question.map(|question| question.id),
            said,
            turn: game.turn(),
            battle: game.battle().map(|battle| (battle, game.battlefield().map(|(_, by)| by))),
            has_dice: outcome.is_some_and(|outcome| outcome.roll.as_ref().is_some_and(|roll| !roll.dice.is_empty())),
            shows_card: outcome.is_some_and(|outcome| !outcome.open.is_empty()),
            changed,
            opens,
        }
    }

    fn act(&self, seq: usize, seat: Seat) -> Act<'_> {
        Act {
            seq: seq as u64,
            seat: &self.seat,
            is_own: self.by == Some(seat),
            is_ally: self.side.contains(&seat),
            has_dice: self.has_dice,
            shows_card: self.shows_card,
            changed: self.changed.iter().map(String::as_str).collect(),
        }
    }
}

/// The samples of a title, added up.
pub fn of(title: &str) -> Floor {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut games: Vec<_> = fs::read_dir(folder).expect("the games").flatten().map(|entry| entry.path()).collect();
    games.sort();
    let mut floor = Floor::default();
    for game in games.iter().filter(|game| game.is_dir()) {
        let log = fs::read(game.join("log.yaml")).expect("a log");
        let mut noted: Vec<Noted> = Vec::new();
        let mut is_of_title = true;
        let fold = read_through(Records::new(log.as_slice()), titles::ALL, revealed(&log), |step| {
            is_of_title = step.fold.plan().title.id == title;
            noted.push(Noted::of(step));
            if is_of_title { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .expect("a sample verifies");
        if is_of_title {
            let title = fold.plan().title;
            count(title, fold.game(), &noted, &mut floor);
        }
    }
    floor
}

fn count(title: &'static engine::title::Title, game: &dyn engine::game::Game, noted: &[Noted], floor: &mut Floor) {
    let turns: BTreeSet<&str> =
        noted.iter().map(|noted| &*noted.turn).filter(|turn| turn.starts_with("turn")).collect();
    floor.turns += u32::try_from(turns.len()).expect("a few turns");
    floor.answers += u32::try_from(noted.iter().filter(|noted| noted.by.is_some()).count()).expect("a few");
    let mut battles: BTreeSet<(Seat, String, String)> = BTreeSet::new();
    // For each seat: the record from which the guards of its plan apply.
    let mut written: Vec<(Seat, usize, String)> = Vec::new();
    for (at, this) in noted.iter().enumerate() {
        if this.opens {
            written.clear();
            // Both seats write then, and the game waits for one of them.
            floor.first += 1;
            written.extend((0..4).map(|seat| (Seat::at(seat), at + 1, this.turn.clone())));
        }
        let (Some(seat), Some(question)) = (this.by, this.question) else { continue };
        if at > 0
            && let Some((battle, Some(attacker))) = &noted[at - 1].battle
            && *attacker != seat
            && battles.insert((seat, this.turn.clone(), battle.clone()))
        {
            floor.defences += 1;
        }
        if !title.orders.own_turn.contains(&question) {
            continue;
        }
        let turn = noted[at.saturating_sub(1)].turn.clone();
        match written.iter_mut().find(|(writer, _, of)| *writer == seat && *of == turn) {
            // Before a turn opens, frames are written.
            None if title.orders.turn_opens.is_some() => {}
            None => {
                floor.first += 1;
                written.push((seat, at + 1, turn));
            }
            Some((_, from, _)) => {
                let acts: Vec<Act<'_>> = (*from..at).map(|index| noted[index].act(index, seat)).collect();
                let fought = noted[from.saturating_sub(1)].battle.as_ref();
                let fought = fought.map(|(_, by)| if *by == Some(seat) { Fought::Own } else { Fought::Others });
                let guards = Guards::of(title, game, &alternatives(&this.said, game.clauses()));
                if guards.held(fought, &acts).is_some() {
                    floor.stopped += 1;
                    *from = at + 1;
                }
            }
        }
    }
}
