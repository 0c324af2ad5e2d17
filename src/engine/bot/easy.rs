/*! The easy bot: it tries a few random sentences on copies of the game, looks once at the position that each leads
to, and says the best.

It reads the same menu as a player and sees what its seat may see. The title says how good a position is
([`Rules::worth`]); the kernel only compares. The same chance gives the same play.
*/

use crate::chance::{Chance, drawn};
use crate::menu::{Menu, Said};
use crate::need::{Need, Question};
use crate::play::{Play, Rules};
use crate::slot::Faces;

/// The most needs that a look ahead answers before it stops.
const LOOK_MAX: u32 = 32;

/// Says the best of `tries` random sentences for the asked seat.
///
/// # Panics
/// If nothing is asked, or if the menu has a dead end.
pub fn say<R: Rules>(play: &mut Play<R>, tries: u32, chance: &mut dyn Chance, faces: &Faces) -> Said {
    let Need::Question(question) = play.need() else { panic!("a question is asked") };
    let mut best: Option<(i64, Said, Vec<R::Step>)> = None;
    for _ in 0..tries.max(1) {
        let step = play.asked().expect("a question is asked");
        let rolled = Menu::roll(chance, |menu| R::menu(play.board(), step, faces, menu));
        let (said, steps) = rolled.unwrap_or_else(|stop| panic!("the menu of `{step}` stops: {stop:?}"));
        if best.as_ref().is_some_and(|(_, known, _)| known.sentence == said.sentence) {
            continue;
        }
        let worth = look(play, steps.clone(), question, chance, faces);
        if best.as_ref().is_none_or(|(most, _, _)| worth > *most) {
            best = Some((worth, said, steps));
        }
    }
    let (_, said, steps) = best.expect("something was tried");
    play.say(steps);
    said
}

/// The worth for the seat of the position after the sentence and the draws that follow from it, played on a copy.
/// Further questions to the same seat, e.g. the choices of a card, are answered at random.
fn look<R: Rules>(play: &Play<R>, steps: Vec<R::Step>, asked: Question, chance: &mut dyn Chance, faces: &Faces) -> i64 {
    let mut ahead = play.clone();
    ahead.forget();
    ahead.say(steps);
    for _ in 0..LOOK_MAX {
        match ahead.need() {
            Need::Draw(draw) => ahead.answer(drawn(&draw, chance)),
            Need::Question(next) if next.seat == asked.seat && next.id != asked.id => {
                let step = ahead.asked().expect("a question is asked");
                let rolled = Menu::roll(chance, |menu| R::menu(ahead.board(), step, faces, menu));
                // What the seat has just won, e.g. the cards of an eliminated player, may be all that it could say;
                // `faces` does not show them.
                let Ok((_, steps)) = rolled else { break };
                ahead.say(steps);
            }
            // The look ahead ends where it needs to know face-down cards.
            Need::Question(_) | Need::Mask(_) | Need::Show(_) | Need::Over => break,
        }
    }
    R::worth(ahead.board(), asked.seat)
}
