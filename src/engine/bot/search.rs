/*! A bot that thinks: candidates that the title proposes and some rolled at random, each tried on copies of the game
with the same chance, and half of them dropped again and again until the best is left.

Its effort is counted in steps, never in time, so that it says the same on every machine: a step is a sentence that is
read or rolled, a need that is answered on the way of a look ahead, or a position that is judged. When the steps are
used up it says what is the best so far, whatever the position is.
*/

use crate::bot::Judge;
use crate::bot::future::{self, Future, future};
use crate::bot::listed;
use crate::chance::Chance;
use crate::menu::{Menu, Said};
use crate::need::{Need, Question};
use crate::play::{Play, Rules};
use crate::seat::Seat;
use crate::slot::Faces;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How much a bot thinks about one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Sentences rolled at random beside those that the title proposes.
    pub rolls: u32,
    /// The steps of everything that is tried for one sentence.
    pub steps: u32,
    /// The looks at each candidate that depends on chance before the first are dropped.
    pub first: u32,
    /// The most looks at one candidate.
    pub throws: u32,
    /// The candidates that are looked at further, if there is more than one, and the futures of each.
    pub finalists: u32,
    pub futures: u32,
    /// What is said in such a future before it is judged.
    pub depth: Depth,
}

/// How many sentences are said in a future after the one that is tried: by other seats, and by its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth {
    pub others: u32,
    pub own: u32,
}

impl Depth {
    const NONE: Depth = Depth { others: 0, own: 0 };

    /// What is left after a sentence; nothing if it is one too many.
    fn after(self, is_own: bool) -> Option<Depth> {
        if is_own {
            Some(Depth { own: self.own.checked_sub(1)?, ..self })
        } else {
            Some(Depth { others: self.others.checked_sub(1)?, ..self })
        }
    }
}

/// Within 10 ms a decision.
pub const FAIR: Effort =
    Effort { rolls: 24, steps: 2_000, first: 1, throws: 16, finalists: 1, futures: 0, depth: Depth::NONE };
/// Within a second.
pub const STRONG: Effort = Effort {
    rolls: 64,
    steps: 60_000,
    first: 4,
    throws: 64,
    finalists: 4,
    futures: 8,
    depth: Depth { others: 1, own: 2 },
};

/// The most steps by which the last look exceeds the effort: it is brought to its end.
pub const STEPS_OVER: u32 = 3 * future::STEPS_MAX;

/// The looks at an answer of another seat, by which it is chosen, and the answers that are looked at closely.
const REPLY_LOOKS: usize = 4;
const LIKELY: usize = 12;

/// What is likely to be said to a question, with so much left to be said after it.
type Likely = BTreeMap<(&'static str, Depth), Vec<String>>;

/// A sentence that may be said, and what it has been worth so far.
struct Candidate<R: Rules> {
    said: Said,
    steps: Vec<R::Step>,
    sum: i64,
    looks: i64,
    /// What comes of it is not a matter of chance: one look is enough.
    is_sure: bool,
}

/// One search: for whom, by which knowledge and judgement, and the steps that are left to it.
struct Search<'a, R: Rules> {
    seat: Seat,
    faces: &'a Faces,
    judge: Judge<'a, R>,
    left: Cell<u32>,
}

/// What has been found, and the steps that it took.
pub struct Found<R: Rules> {
    pub said: Said,
    pub steps: Vec<R::Step>,
    pub taken: u32,
}

/// The best sentence that the effort finds for the asked seat, by what `faces` shows of its own cards.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn find<R: Rules>(
    play: &Play<R>,
    effort: Effort,
    judge: Judge<'_, R>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Found<R> {
    let Need::Question(question) = play.need() else { panic!("a question is asked") };
    // What goes beyond the effort is counted too.
    let all = effort.steps + STEPS_OVER;
    let search = Search { seat: question.seat, faces, judge, left: Cell::new(all) };
    let mut candidates = search.candidates(play, effort, chance);
    let seeds: Vec<u64> = (0..effort.throws).map(|_| u64::from(chance.below(u32::MAX))).collect();
    search.halve(play, effort, &seeds, &mut candidates);
    search.look_further(play, effort, &seeds, &mut candidates);
    let best = candidates.into_iter().next().expect("something may be said");
    Found { said: best.said, steps: best.steps, taken: all - search.left.get() }
}

impl<R: Rules> Candidate<R> {
    fn of((said, steps): (Said, Vec<R::Step>)) -> Candidate<R> {
        Candidate { said, steps, sum: 0, looks: 0, is_sure: false }
    }

    /// What it is worth on average, in thousandths; the last of all if it was never looked at.
    fn mean(&self) -> i64 {
        if self.looks == 0 { i64::MIN } else { (self.sum * 1_000).div_euclid(self.looks) }
    }
}

impl<R: Rules> Search<'_, R> {
    /// Whether steps are left to go on.
    fn goes_on(&self) -> bool {
        self.left.get() > STEPS_OVER
    }

    fn spend(&self, steps: u32) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// What the title proposes and the menu accepts, and what is rolled; each sentence once.
    fn candidates(&self, play: &Play<R>, effort: Effort, chance: &mut dyn Chance) -> Vec<Candidate<R>> {
        let step = play.asked().expect("a question is asked");
        let mut found = self.proposed(play);
        for _ in 0..effort.rolls.max(1) {
            let rolled = Menu::roll(chance, |menu| R::menu(play.board(), step, self.faces, menu));
            self.spend(1);
            let rolled = rolled.unwrap_or_else(|stop| panic!("the menu of `{step}` stops: {stop:?}"));
            if !found.iter().any(|known| known.said.sentence == rolled.0.sentence) {
                found.push(Candidate::of(rolled));
            }
        }
        found
    }

    /// What the title proposes to the asked seat and the menu accepts, and to a question of little weight what the menu
    /// lists; each sentence once.
    fn proposed(&self, play: &Play<R>) -> Vec<Candidate<R>> {
        let (Need::Question(question), Some(step)) = (play.need(), play.asked()) else { return Vec::new() };
        let mut lines = R::propose(play.board(), step, question.seat, self.faces);
        if !R::is_major(question.id) {
            let offers = Menu::list(listed::LINES, |menu| R::menu(play.board(), step, self.faces, menu));
            self.spend(u32::try_from(offers.len()).expect("a few lines"));
            lines.extend(offers.iter().flat_map(listed::sentences));
        }
        self.accepted(play, &lines)
    }

    /// Those of the lines that the menu accepts, each sentence once.
    fn accepted(&self, play: &Play<R>, lines: &[String]) -> Vec<Candidate<R>> {
        let Some(step) = play.asked() else { return Vec::new() };
        let mut found: Vec<Candidate<R>> = Vec::new();
        for line in lines {
            if !self.goes_on() {
                break;
            }
            self.spend(1);
            let read = Menu::accepted(line, |menu| R::menu(play.board(), step, self.faces, menu));
            if let Some(read) = read
                && !found.iter().any(|known| known.said.sentence == read.0.sentence)
            {
                found.push(Candidate::of(read));
            }
        }
        found
    }

    /// Looks at all candidates, then at the better half of them more closely, until the steps are used up. The best
    /// comes first.
    fn halve(&self, play: &Play<R>, effort: Effort, seeds: &[u64], candidates: &mut Vec<Candidate<R>>) {
        let mut throws = usize::try_from(effort.first).expect("a few throws").min(seeds.len());
        while candidates.len() > 1 && self.goes_on() {
            for candidate in candidates.iter_mut() {
                self.look(play, candidate, &seeds[..throws], self.seat);
            }
            // If the steps run out in the middle of a pass, the later candidates are judged by fewer throws.
            candidates.sort_by_key(|candidate| Reverse(candidate.mean()));
            candidates.truncate(candidates.len().div_ceil(2).max(2));
            if throws == seeds.len() || candidates.iter().all(|candidate| candidate.is_sure) {
                break;
            }
            throws = (throws * 2).min(seeds.len());
        }
    }

    /// Looks at a candidate until it has been looked at with all of these seeds; a sure one once. The seat is that for
    /// which its outcome is judged.
    fn look(&self, play: &Play<R>, candidate: &mut Candidate<R>, seeds: &[u64], seat: Seat) {
        let looks = usize::try_from(candidate.looks).expect("a few looks");
        for seed in seeds.iter().skip(looks) {
            if candidate.is_sure || !self.goes_on() {
                return;
            }
            let future = self.ahead(play, candidate.steps.clone(), *seed);
            candidate.sum += self.judged(&future.play, seat);
            candidate.looks += 1;
            candidate.is_sure = future.is_sure;
        }
    }

    /// Looks at the best candidates further: at what is said next, by the seat that is then asked, and what comes of
    /// it. That and the looks so far count alike. The best comes first.
    fn look_further(&self, play: &Play<R>, effort: Effort, seeds: &[u64], candidates: &mut Vec<Candidate<R>>) {
        candidates.truncate(usize::try_from(effort.finalists).expect("a few candidates"));
        if candidates.len() < 2 || effort.depth == Depth::NONE {
            return;
        }
        let seeds = &seeds[..seeds.len().min(usize::try_from(effort.futures).expect("a few futures"))];
        let further = |candidate: &Candidate<R>| {
            // What the steps did not suffice for stays behind what was looked at.
            if candidate.looks == 0 || !self.goes_on() {
                return candidate.mean().saturating_mul(2);
            }
            let futures = &seeds[..if candidate.is_sure { 1 } else { seeds.len() }];
            let mut likely = Likely::new();
            let mut prospect = |seed: &u64| {
                if !self.goes_on() {
                    return candidate.mean();
                }
                let future = self.ahead(play, candidate.steps.clone(), *seed);
                // If all depends on what is said next, that is tried with all seeds.
                let own = [seed.wrapping_add(2)];
                let seeds = if candidate.is_sure { seeds } else { &own };
                self.prospect(&future.play, seeds, effort.depth, &mut likely)
            };
            let sum: i64 = futures.iter().map(&mut prospect).sum();
            candidate.mean().saturating_add(sum / i64::try_from(futures.len().max(1)).expect("a few futures"))
        };
        candidates.sort_by_cached_key(|candidate| Reverse(further(candidate)));
    }

    /// What a position is worth, in thousandths, after what is said so far ahead.
    fn prospect(&self, play: &Play<R>, seeds: &[u64], depth: Depth, likely: &mut Likely) -> i64 {
        let here = || 1_000 * self.judged(play, self.seat);
        let Need::Question(next) = play.need() else { return here() };
        let is_own = next.seat == self.seat;
        // Where a turn has many sentences, the first of somebody else's tells nothing.
        let is_told = is_own || R::alternates();
        let Some(left) = depth.after(is_own).filter(|_| is_told && self.goes_on()) else { return here() };
        let Some(reply) = self.reply(play, next, seeds, likely.entry((next.id, left)).or_default()) else {
            return here();
        };
        let falls = &seeds[..if reply.is_sure { 1 } else { seeds.len() }];
        let mut sum = 0;
        for seed in falls {
            if !self.goes_on() {
                return here();
            }
            // Other dice than those by which it was chosen: what was only lucky is not counted on.
            let seed = seed.wrapping_add(1);
            let future = self.ahead(play, reply.steps.clone(), seed);
            sum += self.prospect(&future.play, &[seed.wrapping_add(2)], left, likely);
        }
        sum / i64::try_from(falls.len()).expect("a few seeds")
    }

    /// What the asked seat would say of what the title proposes; nothing if nothing that is proposed can be said. What
    /// was found likely in another future of the same sentence is all that is looked at in this one.
    fn reply(&self, play: &Play<R>, asked: Question, seeds: &[u64], likely: &mut Vec<String>) -> Option<Candidate<R>> {
        let mut replies = self.accepted(play, likely);
        if replies.is_empty() {
            replies = self.proposed(play);
            for reply in &mut replies {
                self.look(play, reply, &seeds[..1], asked.seat);
            }
            replies.sort_by_key(|reply| Reverse(reply.mean()));
            replies.truncate(LIKELY);
            *likely = replies.iter().map(|reply| reply.said.sentence.clone()).collect();
        }
        for reply in &mut replies {
            self.look(play, reply, &seeds[..seeds.len().min(REPLY_LOOKS)], asked.seat);
        }
        // Of equals the first.
        replies.reverse();
        replies.into_iter().max_by_key(Candidate::mean)
    }

    fn ahead(&self, play: &Play<R>, steps: Vec<R::Step>, seed: u64) -> Future<R> {
        let future = future(play, steps, seed, self.faces, &|asking| self.choice(asking, seed));
        self.spend(future.steps);
        future
    }

    /// What the seat that is asked on the way would say, by one look at each thing that it is likely to say; and
    /// whether that does not depend on the seed.
    fn choice(&self, play: &Play<R>, seed: u64) -> Option<(Vec<R::Step>, bool)> {
        let Need::Question(asked) = play.need() else { return None };
        let mut best: Option<(i64, Candidate<R>)> = None;
        let mut is_sure = true;
        for candidate in self.proposed(play) {
            if !self.goes_on() {
                break;
            }
            let future = future(play, candidate.steps.clone(), seed, self.faces, &|_| None);
            self.spend(future.steps);
            is_sure &= future.is_sure;
            let worth = self.judged(&future.play, asked.seat);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, candidate));
            }
        }
        best.map(|(_, candidate)| (candidate.steps, is_sure))
    }

    fn judged(&self, play: &Play<R>, seat: Seat) -> i64 {
        self.spend(1);
        (self.judge)(play.board(), seat, self.faces)
    }
}
