/*! A bot that thinks. The title proposes candidates and some more are rolled at random; each is tried on copies of
the game with the same chance, and the worse half is dropped again and again until the best is left.

The effort is counted in steps, never in time, so that the bot says the same on every machine. One step is one
sentence read or rolled, one need answered during a look ahead, or one position judged. When the steps are used up,
the bot says the best sentence found so far.
*/

use crate::bot::future::{self, Future, future};
use crate::bot::judgement::Judgement;
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

/// How good a position is for a seat: more is better.
pub type Judge<'a, R> = &'a dyn Fn(&<R as Rules>::Board, Seat, &Faces) -> i64;

/// How much a bot thinks about one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Sentences rolled at random in addition to those that the title proposes.
    pub rolls: u32,
    /// Of a hundred sentences that the title proposes, how many are overlooked at random.
    pub overlooked: u32,
    /// The steps for the whole search.
    pub steps: u32,
    /// The looks at each candidate that depends on chance, before the first half is dropped.
    pub first: u32,
    /// The most looks at one candidate.
    pub throws: u32,
    /// The candidates whose futures are played on, if there is more than one, and the futures of each.
    pub finalists: u32,
    pub futures: u32,
    /// How many sentences are played in such a future before it is judged.
    pub depth: Depth,
}

/// How many sentences are played in a future after the one that is tried: by other seats, and by the own seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth {
    pub others: u32,
    pub own: u32,
}

impl Depth {
    const NONE: Depth = Depth { others: 0, own: 0 };

    /// The depth that is left after a sentence; `None` if that sentence would be one too many.
    fn after(self, is_own: bool) -> Option<Depth> {
        if is_own {
            Some(Depth { own: self.own.checked_sub(1)?, ..self })
        } else {
            Some(Depth { others: self.others.checked_sub(1)?, ..self })
        }
    }
}

/// One look at each of a few sentences.
pub const EASY: Effort =
    Effort { rolls: 3, overlooked: 95, steps: 200, first: 1, throws: 1, finalists: 1, futures: 0, depth: Depth::NONE };
/// Within 10 ms a decision.
pub const FAIR: Effort = Effort {
    rolls: 24,
    overlooked: 0,
    steps: 2_000,
    first: 1,
    throws: 16,
    finalists: 1,
    futures: 0,
    depth: Depth::NONE,
};
/// Within a second.
pub const STRONG: Effort = Effort {
    rolls: 64,
    overlooked: 0,
    steps: 60_000,
    first: 4,
    throws: 64,
    finalists: 4,
    futures: 8,
    depth: Depth { others: 1, own: 2 },
};

/// The most steps by which a search exceeds its effort: its last look is always finished.
pub const STEPS_OVER: u32 = 3 * future::STEPS_MAX;

/// The looks by which the answer of another seat is chosen, and the number of its answers that are compared.
const REPLY_LOOKS: usize = 4;
const LIKELY: usize = 12;

/// The likely answers to a question, by its id and by the depth that is left.
type Likely = BTreeMap<(&'static str, Depth), Vec<String>>;

/// A sentence that may be said, and what it has been worth so far.
struct Candidate<R: Judgement> {
    said: Said,
    steps: Vec<R::Step>,
    sum: i64,
    looks: i64,
    /// Its outcome does not depend on chance: one look is enough.
    is_sure: bool,
}

/// One search: the seat, what it knows, how it judges positions, and the steps that are left.
struct Search<'a, R: Judgement> {
    seat: Seat,
    faces: &'a Faces,
    judge: Judge<'a, R>,
    left: Cell<u32>,
}

/// The best sentence, and the steps that the search took.
pub struct Found<R: Judgement> {
    pub said: Said,
    pub steps: Vec<R::Step>,
    pub taken: u32,
}

/// Finds the best sentence for the asked seat, whose own cards `faces` shows.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn find<R: Judgement>(
    play: &Play<R>,
    effort: Effort,
    judge: Judge<'_, R>,
    chance: &mut dyn Chance,
    faces: &Faces,
) -> Found<R> {
    let Need::Question(question) = play.need() else { panic!("a question is asked") };
    // The steps beyond the effort are counted too.
    let all = effort.steps + STEPS_OVER;
    let search = Search { seat: question.seat, faces, judge, left: Cell::new(all) };
    let mut candidates = search.candidates(play, effort, chance);
    let seeds: Vec<u64> = (0..effort.throws).map(|_| u64::from(chance.below(u32::MAX))).collect();
    search.halve(play, effort, &seeds, &mut candidates);
    search.look_further(play, effort, &seeds, &mut candidates);
    let best = candidates.into_iter().next().expect("something may be said");
    Found { said: best.said, steps: best.steps, taken: all - search.left.get() }
}

impl<R: Judgement> Candidate<R> {
    fn of((said, steps): (Said, Vec<R::Step>)) -> Candidate<R> {
        Candidate { said, steps, sum: 0, looks: 0, is_sure: false }
    }

    /// The average worth, in thousandths; the lowest of all if it was never looked at.
    fn mean(&self) -> i64 {
        if self.looks == 0 { i64::MIN } else { (self.sum * 1_000).div_euclid(self.looks) }
    }
}

impl<R: Judgement> Search<'_, R> {
    /// Whether steps of the effort are left.
    fn goes_on(&self) -> bool {
        self.left.get() > STEPS_OVER
    }

    fn spend(&self, steps: u32) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// The proposals of the title that the menu accepts, and the rolled sentences; each sentence once.
    fn candidates(&self, play: &Play<R>, effort: Effort, chance: &mut dyn Chance) -> Vec<Candidate<R>> {
        let step = play.asked().expect("a question is asked");
        let mut found = self.proposed(play);
        found.retain(|_| effort.overlooked == 0 || chance.below(100) >= effort.overlooked);
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

    /// The proposals of the title that the menu accepts and, for a minor question, the sentences that the menu lists;
    /// each sentence once.
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

    /// The lines that the menu accepts, each sentence once.
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

    /// Looks at all candidates, then more closely at the better half, and so on until the steps are used up. The best
    /// comes first.
    fn halve(&self, play: &Play<R>, effort: Effort, seeds: &[u64], candidates: &mut Vec<Candidate<R>>) {
        let mut throws = usize::try_from(effort.first).expect("a few throws").min(seeds.len());
        while candidates.len() > 1 && self.goes_on() {
            for candidate in candidates.iter_mut() {
                self.look(play, candidate, &seeds[..throws], self.seat);
            }
            // If the steps are used up in the middle of a pass, the later candidates are judged by fewer throws.
            candidates.sort_by_key(|candidate| Reverse(candidate.mean()));
            candidates.truncate(candidates.len().div_ceil(2).max(2));
            if throws == seeds.len() || candidates.iter().all(|candidate| candidate.is_sure) {
                break;
            }
            throws = (throws * 2).min(seeds.len());
        }
    }

    /// Looks at a candidate with each of these seeds, and at a sure one only once. `seat` is the seat that the
    /// outcome is judged for.
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

    /// Plays on from the best candidates: tries what the next seat says, and what follows. This result and the
    /// average of the looks so far count alike. The best comes first.
    fn look_further(&self, play: &Play<R>, effort: Effort, seeds: &[u64], candidates: &mut Vec<Candidate<R>>) {
        candidates.truncate(usize::try_from(effort.finalists).expect("a few candidates"));
        if candidates.len() < 2 || effort.depth == Depth::NONE {
            return;
        }
        let seeds = &seeds[..seeds.len().min(usize::try_from(effort.futures).expect("a few futures"))];
        let further = |candidate: &Candidate<R>| {
            // Without steps for a further look, the average counts twice; a candidate that was never looked at stays
            // last.
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
                // If the candidate leads to one position only, the next sentence is tried with all seeds.
                let own = [seed.wrapping_add(2)];
                let seeds = if candidate.is_sure { seeds } else { &own };
                self.prospect(&future.play, seeds, effort.depth, &mut likely)
            };
            let sum: i64 = futures.iter().map(&mut prospect).sum();
            candidate.mean().saturating_add(sum / i64::try_from(futures.len().max(1)).expect("a few futures"))
        };
        candidates.sort_by_cached_key(|candidate| Reverse(further(candidate)));
    }

    /// The worth of a position, in thousandths, after up to `depth` more sentences.
    fn prospect(&self, play: &Play<R>, seeds: &[u64], depth: Depth, likely: &mut Likely) -> i64 {
        let here = || 1_000 * self.judged(play, self.seat);
        let Need::Question(next) = play.need() else { return here() };
        let is_own = next.seat == self.seat;
        // If a seat says several sentences in its turn, the first one of another seat's turn tells nothing.
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
            // A new seed, not the one by which the reply was chosen: a reply must not count on the same lucky dice.
            let seed = seed.wrapping_add(1);
            let future = self.ahead(play, reply.steps.clone(), seed);
            sum += self.prospect(&future.play, &[seed.wrapping_add(2)], left, likely);
        }
        sum / i64::try_from(falls.len()).expect("a few seeds")
    }

    /// The answer that the asked seat would choose among the proposals; `None` if it can say none of them. If
    /// `likely` holds answers from another future of the same sentence, only those are tried.
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
        // Of equal replies, the first wins: `max_by_key` returns the last.
        replies.reverse();
        replies.into_iter().max_by_key(Candidate::mean)
    }

    fn ahead(&self, play: &Play<R>, steps: Vec<R::Step>, seed: u64) -> Future<R> {
        let future = future(play, steps, seed, self.faces, &|asking| self.choice(asking, seed));
        self.spend(future.steps);
        future
    }

    /// The answer that the asked seat would choose after one look at each of its likely answers, and whether it is
    /// the same for every seed.
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
