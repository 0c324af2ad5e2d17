/*! The bot that plays here, and how it judges an answer.

It is the bot of the kernel with two additions. It gives the same answer when the same position is asked twice, and it
can compare an order's answer with its own. It looks ahead several times, because with dice one look is luck.
*/

use engine::chance::{Chance, Practice, drawn};
use engine::menu::Menu;
use engine::need::Need;
use engine::play::{Play, Rules};
use engine::seat::Seat;
use engine::slot::Faces;

/// The sentences that the bot tries before it says the best, and before it writes a line of a plan (it thinks longer
/// there); and the looks ahead from each.
pub const TRIES: u32 = if cfg!(debug_assertions) { 4 } else { 40 };
pub const TRIES_AHEAD: u32 = if cfg!(debug_assertions) { 6 } else { 120 };
const LOOKS: u64 = 4;
/// The most needs that a look ahead answers.
const NEEDS_MAX: u32 = 32;

/// How good a position is for a seat.
pub type Worth<R> = fn(&<R as Rules>::Board, Seat) -> i64;

/// What the asked seat knows, and how it judges.
pub struct Mind<'a, R: Rules> {
    pub play: &'a Play<R>,
    pub worth: Worth<R>,
    pub faces: &'a Faces,
    /// The seed of its tries and looks: the same for the same question of a turn.
    pub seed: u64,
}

/// A sentence and its worth.
#[derive(Clone, Debug)]
pub struct Weighed {
    pub sentence: String,
    pub worth: i64,
}

impl<R: Rules> Mind<'_, R> {
    /// The best of `tries` random sentences that are wanted; `None` if none is wanted.
    pub fn best(&self, tries: u32, is_wanted: impl Fn(&str) -> bool) -> Option<Weighed> {
        let step = self.play.asked().expect("a question is asked");
        let mut chance = Practice::new(self.seed);
        let mut tried: Vec<String> = Vec::new();
        let mut best: Option<Weighed> = None;
        for _ in 0..tries {
            let rolled = Menu::roll(&mut chance, |menu| R::menu(self.play.board(), step, self.faces, menu));
            let (said, steps) = rolled.unwrap_or_else(|stop| panic!("the menu of `{step}` stops: {stop:?}"));
            if tried.contains(&said.sentence) || !is_wanted(&said.sentence) {
                continue;
            }
            let worth = self.look(&steps);
            tried.push(said.sentence.clone());
            if best.as_ref().is_none_or(|best| worth > best.worth) {
                best = Some(Weighed { sentence: said.sentence, worth });
            }
        }
        best
    }

    /// The worth of a sentence; `None` if it cannot be said.
    pub fn weigh(&self, sentence: &str) -> Option<i64> {
        let step = self.play.asked()?;
        let read = Menu::read(sentence, |menu| R::menu(self.play.board(), step, self.faces, menu));
        read.ok().map(|(_, steps)| self.look(&steps))
    }

    /// The average worth of the positions after a sentence, as far ahead as its seat can know. The dice are the same
    /// for every sentence that is tried.
    fn look(&self, steps: &[R::Step]) -> i64 {
        let Need::Question(asked) = self.play.need() else { panic!("a question is asked") };
        let worth = |look: u64| {
            let mut chance = Practice::new(self.seed ^ (0x00d1_ce00 + look));
            let mut ahead = self.play.clone();
            ahead.forget();
            ahead.say(steps.to_vec());
            let mut has_drawn = false;
            for _ in 0..NEEDS_MAX {
                match ahead.need() {
                    Need::Draw(draw) => {
                        has_drawn = true;
                        ahead.answer(drawn(&draw, &mut chance));
                    }
                    Need::Question(next) if next.seat == asked.seat && next.id != asked.id => {
                        has_drawn = true;
                        let steps = any(&ahead, self.faces, &mut chance);
                        ahead.say(steps);
                    }
                    Need::Question(_) | Need::Mask(_) | Need::Show(_) | Need::Over => break,
                }
            }
            ((self.worth)(ahead.board(), asked.seat), has_drawn)
        };
        let (first, has_drawn) = worth(0);
        if !has_drawn {
            return first;
        }
        let sum: i64 = (1..LOOKS).map(|look| worth(look).0).sum::<i64>() + first;
        sum / i64::try_from(LOOKS).expect("a few")
    }
}

/// The steps of a random sentence.
pub fn any<R: Rules>(play: &Play<R>, faces: &Faces, chance: &mut dyn Chance) -> Vec<R::Step> {
    let step = play.asked().expect("a question is asked");
    let rolled = Menu::roll(chance, |menu| R::menu(play.board(), step, faces, menu));
    rolled.unwrap_or_else(|stop| panic!("the menu of `{step}` stops: {stop:?}")).1
}
