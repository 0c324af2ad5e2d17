/*! A line that is tried out (`check`): what it would do, and what would be asked then, up to the first die, card or
answer of another seat. What that seat has left ahead is not looked at.
*/

use super::turn::DryRun;
use crate::engine::need::{Need, Question};
use crate::engine::order::ahead::misread;
use crate::engine::refusal::Refusal;
use crate::engine::seat::Seat;
use crate::post::order::wrapped::begins_a_sentence;
use crate::record::table::Table;
use crate::report::occasion::Fate;
use crate::report::requests::Tried;

/// Questions that orders answer behind one line.
const ANSWERS_MAX: usize = 20;

/// Tries a line, and tells what follows.
pub(super) fn line(dry: &mut DryRun, table: &Table, seat: Seat, words: &str) -> Fate {
    let faces = table.fold().faces();
    let waits = match dry.game.need() {
        Need::Question(question) if question.seat == seat => {
            let read = |words: &str| dry.game.read(seat, words, faces).map(drop);
            match begins_a_sentence(words, read) || !is_for_later(dry, table, seat, words) {
                true => return said(dry, table, seat, words),
                false => format!("you are asked `{}` before", question.id),
            }
        }
        Need::Question(question) => format!("{} is asked `{}` before", table.word(question.seat), question.id),
        need => format!("it waits for {}", need.kind()),
    };
    let title = table.fold().plan().title;
    match misread((title, &*dry.game), seat, title.own_turn(), words, faces) {
        Some(refusal) => Fate::from(&refusal),
        None => Fate::Kept { why: format!("reads well; {waits}, and from there on it is open") },
    }
}

/// Whether a line is none of the question that is open, and could be one of the seat's own turn.
fn is_for_later(dry: &DryRun, table: &Table, seat: Seat, words: &str) -> bool {
    let (title, faces) = (table.fold().plan().title, table.fold().faces());
    let read = |question: &&str| dry.game.foresee(seat, question, words, faces);
    title.own_turn().iter().filter_map(read).any(|read| !matches!(read, Err(Refusal::NotUnderstood { .. })))
}

fn said(dry: &mut DryRun, table: &Table, seat: Seat, words: &str) -> Fate {
    let clauses = table.clauses_on(&*dry.game, seat, words);
    let has_clauses = !clauses.is_empty();
    let sentence = match dry.game.say(seat, words, table.fold().faces()) {
        Ok(said) => said.sentence,
        Err(refusal) => return Fate::from(&refusal),
    };
    if has_clauses && dry.game.battle().is_none() {
        return Fate::refused("clauses go with a sentence of a battle, and none is fought after this one");
    }
    let tried: Vec<_> = dry.orders.iter().cloned().chain(clauses).collect();
    let mut then = Vec::new();
    for _ in 0..ANSWERS_MAX {
        let Need::Question(question @ Question { id, .. }) = dry.game.need() else { break };
        if question.seat != seat {
            break;
        }
        let Some(answer) = table.would_answer(&*dry.game, question, &tried) else { break };
        if dry.game.say(seat, &answer, table.fold().faces()).is_err() {
            break;
        }
        then.push(format!("`{id}` is answered for you: {answer}"));
    }
    then.push(match dry.game.need() {
        Need::Question(question) if question.seat == seat => format!("you are asked `{}`", question.id),
        Need::Question(question) => format!("{} is asked `{}`", table.word(question.seat), question.id),
        Need::Over => "the game is over".to_owned(),
        need => format!("{} are open", need.kind().replace("a card drawn", "cards")),
    });
    dry.steps.push(Tried { said: sentence.clone(), then });
    Fate::Done { said: sentence, seq: None }
}
