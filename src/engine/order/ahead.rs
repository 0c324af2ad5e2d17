//! Lines for a question that has not come: finds what can never be right in them as soon as they are written.

use crate::game::Game;
use crate::name::{Name, words};
use crate::order::condition::in_words;
use crate::order::line::alternatives;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::slot::Faces;
use crate::title::Title;
use std::ops::Range;

/// Why a line can never be said to one of these questions. Each question that takes its beginning, and that can be
/// asked ahead now, stops at a word that fits no sentence there and begins no name. `None` if the line may be said
/// one day, as far as is known: a rule that forbids it now, or a place that is not open now, is no reason.
pub fn misread(
    (title, game): (&Title, &dyn Game),
    seat: Seat,
    questions: &[&str],
    line: &str,
    faces: &Faces,
) -> Option<Refusal> {
    alternatives(line, game.clauses()).into_iter().find_map(|alternative| {
        let misread = misread_sentence((title, game), seat, questions, alternative.sentence, faces);
        let condition = alternative.condition.iter().find_map(|at| unjudged(game, seat, questions, line, at));
        misread.map(|refusal| refusal.behind(alternative.start)).or(condition)
    })
}

/// Why none of these questions has the facts of the condition at `at` in the line.
fn unjudged(game: &dyn Game, seat: Seat, questions: &[&str], line: &str, at: &Range<usize>) -> Option<Refusal> {
    let condition = in_words(&line[at.clone()]);
    let judged: Vec<_> = questions.iter().map(|question| game.judge(seat, question, &condition)).collect();
    let refused = if judged.iter().any(Result::is_ok) { None } else { judged.into_iter().find_map(Result::err) };
    refused.map(|refusal| refusal.about(at.clone()))
}

fn misread_sentence(
    (title, game): (&Title, &dyn Game),
    seat: Seat,
    questions: &[&str],
    line: &str,
    faces: &Faces,
) -> Option<Refusal> {
    let mut misread = None;
    for question in questions {
        match game.foresee(seat, question, line, faces) {
            Some(Err(refusal @ Refusal::NotUnderstood { .. })) => {
                let at = refusal.at().map_or(0, |at| at.start);
                if at >= line.len() {
                    // Read to its end: the missing words may not be needed when the question comes.
                    return None;
                }
                let behind = words(&line[at..]);
                let begins = |name: &&Name| name.spelled_by(&behind) + name.begun_by(&behind) > 0;
                if at > 0 && (title.texts.names)().iter().any(begins) {
                    return None;
                }
                misread = Some(refusal).filter(|_| at > 0).or(misread);
            }
            Some(Ok(()) | Err(_)) => return None,
            None => {}
        }
    }
    misread
}
