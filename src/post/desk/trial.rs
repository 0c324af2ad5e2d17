/*! A line that is tried out (`check`): what it would do, and what would be asked next, up to the first die or card,
or the turn of another seat. If another seat is asked something else, the answers that everybody knows are tried side
by side, and the trial goes on with the least of them. Orders that this seat has left are not looked at.
*/

use super::ear::Ear;
use crate::order::wrapped::begins_a_sentence;
use engine::game::Game;
use engine::need::{Need, Question};
use engine::order::ahead::misread;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::slot::Faces;
use record::fold::standing::Order;
use record::table::Table;
use report::fate::Fate;
use report::requests::Tried;

/// The most questions that orders answer behind one line.
const ANSWERS_MAX: usize = 20;

/// The most questions of other seats behind one line, answers shown for one of them, and answers tried for it.
const OTHERS_MAX: usize = 4;
const BRANCHES_MAX: usize = 3;
const OFFERS_MAX: usize = 20;

/// A game on which a letter is tried out.
pub(super) struct DryRun {
    pub(super) game: Box<dyn Game>,
    /// The other seat for which an answer was assumed.
    pub(super) supposed: Option<Seat>,
    /// The orders that the letter would leave.
    pub(super) orders: Vec<Order>,
    pub(super) steps: Vec<Tried>,
    /// What was read at the position to which the trial has come.
    pub(super) ear: Ear<()>,
}

/// Tries a line, and tells what would follow.
pub(super) fn line(dry: &mut DryRun, table: &Table, seat: Seat, words: &str) -> Fate {
    let faces = table.fold().faces();
    let waits = match dry.game.need() {
        Need::Question(question) if question.seat == seat => {
            let read = |words: &str| dry.ear.hear(words, |words| dry.game.read(seat, words, faces).map(drop));
            let is_in_place = begins_a_sentence(words, read) || !is_for_later(dry, table, seat, words);
            match dry.supposed.filter(|_| read(words).is_err()) {
                Some(other) => format!("{} may answer otherwise before", table.word(other)),
                None if is_in_place => return said(dry, table, seat, words),
                None => format!("you are asked `{}` before", question.id),
            }
        }
        Need::Question(question) => format!("{} is asked `{}` before", table.word(question.seat), question.id),
        need => format!("it waits for {}", need.kind()),
    };
    let title = table.fold().plan().title;
    match misread((title, &*dry.game), seat, title.orders.own_turn, words, faces) {
        Some(refusal) => Fate::from(&refusal),
        None => Fate::Kept { why: format!("reads well; {waits}, and from there on it is open") },
    }
}

/// Whether a line does not answer the open question, but could answer one of the seat's own turn.
fn is_for_later(dry: &DryRun, table: &Table, seat: Seat, words: &str) -> bool {
    let (title, faces) = (table.fold().plan().title, table.fold().faces());
    let read = |question: &&str| dry.game.foresee(seat, question, words, faces);
    title.orders.own_turn.iter().filter_map(read).any(|read| !matches!(read, Err(Refusal::NotUnderstood { .. })))
}

fn said(dry: &mut DryRun, table: &Table, seat: Seat, words: &str) -> Fate {
    let clauses = table.clauses_on(&*dry.game, seat, words);
    let has_clauses = !clauses.is_empty();
    let sentence = match dry.game.say(seat, words, table.fold().faces()) {
        Ok(said) => said.sentence,
        Err(refusal) => return Fate::from(&refusal),
    };
    dry.ear.forget();
    if has_clauses && dry.game.battle().is_none() {
        return Fate::refused("clauses go with a sentence of a battle, and none is fought after this one");
    }
    let tried: Vec<_> = dry.orders.iter().cloned().chain(clauses).collect();
    let mut then = Vec::new();
    let trial = Trial { table, seat, tried: &tried };
    for _ in 0..OTHERS_MAX {
        trial.own(&mut *dry.game, &mut then);
        let Need::Question(question) = dry.game.need() else { break };
        let Some((said, after)) = trial.others(&*dry.game, &mut then) else { break };
        then.push(format!("tried on as if it said: {said}"));
        (dry.game, dry.supposed) = (after, Some(question.seat));
    }
    dry.steps.push(Tried { said: sentence.clone(), then });
    Fate::Done { said: sentence, seq: None }
}

/// What follows a line that is tried out.
struct Trial<'a> {
    table: &'a Table,
    seat: Seat,
    /// The orders that its letter would leave, and its clauses.
    tried: &'a [Order],
}

impl Trial<'_> {
    /// Lets the orders of the seat answer, and tells what comes next.
    fn own(&self, game: &mut dyn Game, then: &mut Vec<String>) {
        let faces = self.table.fold().faces();
        for _ in 0..ANSWERS_MAX {
            let Need::Question(question @ Question { id, .. }) = game.need() else { break };
            let answer = (question.seat == self.seat).then(|| self.table.would_answer(game, question, self.tried));
            let Some(answer) = answer.flatten() else { break };
            if game.say(self.seat, &answer, faces).is_err() {
                break;
            }
            then.push(format!("`{id}` is answered for you: {answer}"));
        }
        then.push(match game.need() {
            Need::Question(question) if question.seat == self.seat => format!("you are asked `{}`", question.id),
            Need::Question(question) => format!("{} is asked `{}`", self.table.word(question.seat), question.id),
            Need::Over => "the game is over".to_owned(),
            need => format!("{} are open", need.kind().replace("a card drawn", "cards")),
        });
    }

    /// If another seat is asked something outside its own turn, tells what would follow its answers, as far as
    /// everybody may know them. Returns the least of them with the game after it.
    fn others(&self, game: &dyn Game, then: &mut Vec<String>) -> Option<(String, Box<dyn Game>)> {
        let title = self.table.fold().plan().title;
        let Need::Question(question) = game.need() else { return None };
        if question.seat == self.seat || title.orders.own_turn.contains(&question.id) {
            return None;
        }
        let public = Faces::default();
        let offers = game.offers(&public, OFFERS_MAX).into_iter().filter(|offer| offer.nouns.is_empty());
        let plain = offers.map(|offer| offer.sentence).filter(|sentence| !sentence.contains(['<', '[']));
        let mut answers: Vec<(String, Box<dyn Game>)> = Vec::new();
        for sentence in title.orders.least.iter().map(|least| (*least).to_owned()).chain(plain) {
            let mut after = game.copy();
            let Ok(said) = after.say(question.seat, &sentence, &public) else { continue };
            if answers.iter().all(|(known, _)| *known != said.sentence) && answers.len() < BRANCHES_MAX {
                answers.push((said.sentence, after));
            }
        }
        for (said, after) in &answers {
            let mut follows = Vec::new();
            self.own(&mut *after.copy(), &mut follows);
            then.push(format!("if it says `{said}`: {}", follows.join("; ")));
        }
        answers.into_iter().next()
    }
}
