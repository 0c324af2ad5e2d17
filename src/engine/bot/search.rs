/*! A bot that thinks: candidates that the title proposes and some rolled at random, each tried on copies of the game
with the same chance, and half of them dropped again and again until the best is left.

Its effort is counted in looks, never in time, so that it says the same on every machine.
*/

use crate::engine::bot::believe::Belief;
use crate::engine::chance::{Chance, Practice, drawn};
use crate::engine::menu::{Menu, Said};
use crate::engine::need::{Answer, Need, Question};
use crate::engine::play::{Play, Rules};
use crate::engine::slot::Faces;

/// How much a bot thinks about one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Sentences rolled at random beside those that the title proposes.
    pub rolls: u32,
    /// Looks ahead, for all candidates together.
    pub looks: u32,
    /// The looks at each candidate before the first are dropped.
    pub first: u32,
    /// The most looks at one candidate.
    pub throws: u32,
    /// The candidates that are looked at further, if there is more than one, and the futures of each.
    pub finalists: u32,
    pub futures: u32,
    /// The sentences of other seats that are said in such a future before it is judged.
    pub plies: u32,
}

/// Within 10 ms a decision.
pub const FAIR: Effort = Effort { rolls: 24, looks: 200, first: 1, throws: 16, finalists: 1, futures: 0, plies: 0 };
/// Within a second.
pub const STRONG: Effort = Effort { rolls: 96, looks: 3_000, first: 8, throws: 64, finalists: 3, futures: 6, plies: 1 };

/// The most needs that a look ahead answers before it stops.
const LOOK_MAX: u32 = 200;

/// A sentence that may be said, and what it has been worth so far.
struct Candidate<R: Rules> {
    said: Said,
    steps: Vec<R::Step>,
    sum: i64,
    looks: i64,
}

/// Says the best sentence that the effort finds for the asked seat, by what `faces` shows of its own cards.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Rules>(play: &mut Play<R>, effort: Effort, chance: &mut dyn Chance, faces: &Faces) -> Said {
    let Need::Question(question) = play.need() else { panic!("a question is asked") };
    let mut candidates = candidates(play, question, effort, chance, faces);
    let seeds: Vec<u64> = (0..effort.throws).map(|_| u64::from(chance.below(u32::MAX))).collect();
    halve(play, question, effort, &seeds, &mut candidates, faces);
    look_further(play, question, effort, &seeds, &mut candidates, faces);
    let best = candidates.into_iter().next().expect("something may be said");
    play.say(best.steps);
    best.said
}

/// What the title proposes and the menu accepts, and what is rolled; each sentence once.
fn candidates<R: Rules>(
    play: &Play<R>,
    question: Question,
    effort: Effort,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Vec<Candidate<R>> {
    let step = play.asked().expect("a question is asked");
    let mut found: Vec<Candidate<R>> = Vec::new();
    let mut add = |said: Said, steps: Vec<R::Step>| {
        if !found.iter().any(|known| known.said.sentence == said.sentence) {
            found.push(Candidate { said, steps, sum: 0, looks: 0 });
        }
    };
    for line in R::propose(play.board(), step, question.seat, faces) {
        if let Ok((said, steps)) = Menu::read(&line, |menu| R::menu(play.board(), step, faces, menu)) {
            add(said, steps);
        }
    }
    for _ in 0..effort.rolls.max(1) {
        let rolled = Menu::roll(chance, |menu| R::menu(play.board(), step, faces, menu));
        let (said, steps) = rolled.unwrap_or_else(|stop| panic!("the menu of `{step}` stops: {stop:?}"));
        add(said, steps);
    }
    found
}

/// Looks at all candidates, then at the better half of them more closely, until the looks are used up. The best comes
/// first.
fn halve<R: Rules>(
    play: &Play<R>,
    question: Question,
    effort: Effort,
    seeds: &[u64],
    candidates: &mut Vec<Candidate<R>>,
    faces: &Faces,
) {
    let mut left = effort.looks;
    let mut throws = i64::from(effort.first);
    while candidates.len() > 1 && left > 0 {
        for candidate in candidates.iter_mut() {
            while candidate.looks < throws && left > 0 {
                let seed = seeds[usize::try_from(candidate.looks).expect("a few looks")];
                candidate.sum += look(play, candidate.steps.clone(), question, seed, faces);
                candidate.looks += 1;
                left -= 1;
            }
        }
        // If the looks run out in the middle of a pass, the later candidates are judged by fewer throws.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(mean(candidate)));
        if throws >= i64::try_from(seeds.len()).expect("a few throws") {
            break;
        }
        candidates.truncate(candidates.len().div_ceil(2).max(2));
        throws = (throws * 2).min(i64::try_from(seeds.len()).expect("a few throws"));
    }
}

/// Looks at the best candidates further: at what is said next, by the seat that is then asked, and what comes of it.
/// That and the looks so far count alike. The best comes first.
fn look_further<R: Rules>(
    play: &Play<R>,
    question: Question,
    effort: Effort,
    seeds: &[u64],
    candidates: &mut Vec<Candidate<R>>,
    faces: &Faces,
) {
    candidates.truncate(usize::try_from(effort.finalists).expect("a few candidates"));
    if candidates.len() < 2 || effort.plies == 0 {
        return;
    }
    let futures = &seeds[..seeds.len().min(usize::try_from(effort.futures).expect("a few futures"))];
    let further = |candidate: &Candidate<R>| {
        let judged = |seed: &u64| {
            let mut future = ahead(play, candidate.steps.clone(), *seed, faces);
            let mut left = effort.plies;
            // A seat that is asked again has not done yet: it goes on once before the others are counted.
            for ply in 1..=u64::from(effort.plies) + 1 {
                if left == 0 {
                    break;
                }
                left -= u32::from(matches!(future.need(), Need::Question(next) if next.seat != question.seat));
                let Some(steps) = reply(&future, seed.wrapping_add(2 * ply), faces) else { break };
                // Other dice than those by which it was chosen: what was only lucky is not counted on.
                future = ahead(&future, steps, seed.wrapping_add(2 * ply + 1), faces);
            }
            R::hope(future.board(), question.seat, faces)
        };
        let sum: i64 = futures.iter().map(judged).sum();
        mean(candidate).saturating_add(sum * 1_000 / i64::try_from(futures.len().max(1)).expect("a few futures"))
    };
    candidates.sort_by_cached_key(|candidate| std::cmp::Reverse(further(candidate)));
}

/// What the asked seat would say of what the title proposes, looking at each once; nothing if the game waits for
/// something else, or if nothing that is proposed can be said.
fn reply<R: Rules>(play: &Play<R>, seed: u64, faces: &Faces) -> Option<Vec<R::Step>> {
    let Need::Question(question) = play.need() else { return None };
    let step = play.asked()?;
    let mut best: Option<(i64, Vec<R::Step>)> = None;
    for line in R::propose(play.board(), step, question.seat, faces) {
        let Ok((_, steps)) = Menu::read(&line, |menu| R::menu(play.board(), step, faces, menu)) else { continue };
        let hope = look(play, steps.clone(), question, seed, faces);
        if best.as_ref().is_none_or(|(most, _)| hope > *most) {
            best = Some((hope, steps));
        }
    }
    best.map(|(_, steps)| steps)
}

/// What a candidate is worth on average; the last of all if it was never looked at.
fn mean<R: Rules>(candidate: &Candidate<R>) -> i64 {
    if candidate.looks == 0 { i64::MIN } else { candidate.sum * 1_000 / candidate.looks }
}

/// The hope of the seat after the sentence and everything that follows from it.
fn look<R: Rules>(play: &Play<R>, steps: Vec<R::Step>, asked: Question, seed: u64, faces: &Faces) -> i64 {
    R::hope(ahead(play, steps, seed, faces).board(), asked.seat, faces)
}

/// The game after a sentence and everything that follows from it, up to the next question of weight. What is asked on
/// the way is answered by reflex, for the seat that is asked.
pub(super) fn ahead<R: Rules>(play: &Play<R>, steps: Vec<R::Step>, seed: u64, faces: &Faces) -> Play<R> {
    let mut chance = Practice::new(seed);
    let mut belief = Belief::new(faces, seed);
    let mut ahead = play.clone();
    ahead.forget();
    ahead.say(steps);
    for _ in 0..LOOK_MAX {
        match ahead.need() {
            Need::Draw(draw) => ahead.answer(drawn(&draw, &mut chance)),
            Need::Show(show) => {
                let Some(card) = belief.card::<R>(ahead.board(), show.slot) else { break };
                ahead.answer(Answer::Shown(Some(card).filter(|card| show.among.contains(card))));
            }
            Need::Question(next) if !R::is_major(next.id) => {
                let step = ahead.asked().expect("a question is asked");
                let reflex = R::reflex(ahead.board(), step, faces);
                let said =
                    reflex.and_then(|line| Menu::read(&line, |menu| R::menu(ahead.board(), step, faces, menu)).ok());
                let rolled = || {
                    let faces = belief.faces::<R>(ahead.board());
                    Menu::roll(&mut chance, |menu| R::menu(ahead.board(), step, faces, menu))
                };
                // What hangs on cards that nobody can think of is not looked at.
                let Ok((_, steps)) = said.map_or_else(rolled, Ok) else { break };
                ahead.say(steps);
            }
            Need::Question(_) | Need::Mask(_) | Need::Over => break,
        }
        ahead.forget();
    }
    ahead
}
