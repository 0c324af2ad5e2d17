//! What a sentence may lead to: the game a little later, on a copy.

use crate::bot::believe::Belief;
use crate::bot::judgement::Judgement;
use crate::chance::{Chance, Practice, drawn};
use crate::menu::Menu;
use crate::need::{Answer, Draw, Need};
use crate::play::{Play, Rules};
use crate::slot::{Faces, Slot};

/// The most needs that a look ahead answers before it stops.
pub const STEPS_MAX: u32 = 200;

/// A game after a sentence and everything that follows from it.
pub struct Future<R: Judgement> {
    pub play: Play<R>,
    /// Whether this future is the only one possible: no chance was involved.
    pub is_sure: bool,
    /// The number of steps taken: the sentence, and the needs answered after it.
    pub steps: u32,
}

/// The answer to a minor question during the look ahead, and whether it is the same for every seed; `None` to answer
/// at random.
pub type Choice<'a, R> = &'a dyn Fn(&Play<R>) -> Option<(Vec<<R as Rules>::Step>, bool)>;

/// Chance that remembers whether it was asked.
struct Asked {
    practice: Practice,
    is_asked: bool,
}

impl Chance for Asked {
    fn below(&mut self, bound: u32) -> u32 {
        self.is_asked |= bound > 1;
        self.practice.below(bound)
    }
}

/// Plays a sentence and everything that follows from it on a copy, up to the next major question. Minor questions are
/// answered by the reflex of the asked seat, then by `choice`, else at random.
pub fn future<R: Judgement>(
    play: &Play<R>,
    steps: Vec<R::Step>,
    seed: u64,
    faces: &Faces,
    choice: Choice<'_, R>,
) -> Future<R> {
    let mut chance = Asked { practice: Practice::new(seed), is_asked: false };
    let mut belief = Belief::new(faces, seed);
    let mut ahead = play.clone();
    ahead.forget();
    ahead.say(steps);
    let mut taken = 1;
    while taken <= STEPS_MAX {
        match ahead.need() {
            Need::Draw(draw) => {
                let was_asked = chance.is_asked;
                let answer = drawn(&draw, &mut chance);
                // If the seat knows none of the cards that can be drawn, they are all alike to it.
                chance.is_asked = was_asked || !is_blind(&draw, faces);
                ahead.answer(answer);
            }
            // A face-down card that the seat does not know may be any card that it can think of.
            Need::Show(show) => {
                chance.is_asked |= faces.get(show.slot).is_none();
                let Some(card) = belief.card::<R>(ahead.board(), show.slot) else { break };
                ahead.answer(Answer::Shown(Some(card).filter(|card| show.among.contains(card))));
            }
            Need::Question(next) if !R::is_major(next.id) => {
                let step = ahead.asked().expect("a question is asked");
                let menu = |menu: &mut Menu<'_>| R::menu(ahead.board(), step, faces, menu);
                let reflex = R::reflex(ahead.board(), step, faces);
                let said = reflex.and_then(|line| Menu::accepted(&line, menu)).map(|(_, steps)| (steps, true));
                match said.or_else(|| choice(&ahead)) {
                    Some((steps, is_sure)) => {
                        chance.is_asked |= !is_sure;
                        ahead.say(steps);
                    }
                    // Look no further if the answer depends on cards that the seat cannot think of.
                    None => {
                        let believed = belief.faces::<R>(ahead.board());
                        let menu = |menu: &mut Menu<'_>| R::menu(ahead.board(), step, believed, menu);
                        match Menu::roll(&mut chance, menu) {
                            Ok((_, steps)) => ahead.say(steps),
                            Err(_) => break,
                        }
                    }
                }
            }
            Need::Question(_) | Need::Mask(_) | Need::Over => break,
        }
        taken += 1;
        ahead.forget();
    }
    Future { play: ahead, is_sure: !chance.is_asked, steps: taken }
}

/// Whether the draw tells the seat nothing: it knows no card that can be drawn.
fn is_blind(draw: &Draw, faces: &Faces) -> bool {
    match draw {
        Draw::Slot { deck, epoch, left } => {
            left.iter().all(|position| faces.get(Slot { deck: *deck, epoch: *epoch, position: *position }).is_none())
        }
        Draw::Dice { count, .. } => *count == 0,
        Draw::Shuffle { .. } => false,
    }
}
