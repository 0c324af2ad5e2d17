/*! Following a played record: its sentence is said, and every need up to the next question, mask or end is answered
from what was committed, and compared with what the record says.
*/

use super::journal::Done;
use super::standing::Order;
use super::{Fold, value};
use crate::engine::need::{Answer, Draw, Need, Question};
use crate::engine::slot::{Card, Slot};
use crate::record::commit::dice::Seed;
use crate::record::entry::Entry;
use crate::record::entry::body::{By, Dice, Draw as DrawRecord, Opening, Outcome, Roll, Say, Shuffle};
use crate::record::problem::{DifferentFact, Problem};
use crate::record::value::hash::Hex;

/// How far the outcome of a record has been compared.
struct Cursor<'e, 'a> {
    outcome: &'e Outcome<'a>,
    seed: Option<Seed>,
    sub: u32,
    dice: std::slice::Iter<'e, Dice<'a>>,
    draws: std::slice::Iter<'e, DrawRecord<'a>>,
    shuffles: std::slice::Iter<'e, Shuffle<'a>>,
    /// The openings of the record that nothing has asked for yet.
    openings: Vec<(Slot, Card)>,
}

impl Fold {
    /// Follows an answer.
    pub(crate) fn say(&mut self, entry: &Entry, say: &Say, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        let question = match self.game.need() {
            Need::Question(question) if question.seat == seat => question,
            _ => return Err(Problem::NotAsked { waits_for: self.waits_for() }),
        };
        self.check_answered_for(entry, seat)?;
        self.tally.answer(entry.via.as_ref(), say);
        let by = entry.via.as_ref().and_then(|via| via.by);
        self.take_code(question, say, by, problems);
        self.check_signed(entry, seat, say, problems);
        self.mind_orders(entry, question, say, problems);
        let openings = self.learn_openings(entry, problems)?;
        self.journal.note(entry.seq, Done::Said { seat, sentence: say.said.to_string() });
        let faces = std::mem::take(&mut self.faces);
        let said = self.game.say(seat, &say.said, &faces);
        self.faces = faces;
        let said =
            said.map_err(|refusal| Problem::Refused { sentence: say.said.to_string(), refusal: refusal.to_string() })?;
        if !said.is_recorded_as(&say.said) {
            let problem = Problem::NotItsOwnWords { canonical: said.sentence, said: say.said.to_string() };
            problems.push(problem);
        }
        // A card shown before needs no opening again.
        let mut openings = openings;
        for (slot, card) in &said.shows {
            match openings.iter().position(|opening| opening == &(*slot, *card)) {
                Some(at) => {
                    openings.remove(at);
                }
                None if self.masks.open.get(*slot) == Some(*card) => {}
                None => return Err(self.masks.missing(*slot, *card)),
            }
        }
        self.follow_with(entry, openings, problems)
    }

    /// Follows what comes after a record without an answer.
    pub(crate) fn follow(&mut self, entry: &Entry, problems: &mut Vec<Problem>) -> Result<(), Problem> {
        let openings = self.learn_openings(entry, problems)?;
        self.follow_with(entry, openings, problems)
    }

    /// Answers of a seat's own bring its next code; answers made for it bring none.
    fn take_code(&mut self, question: Question, say: &Say, by: Option<By>, problems: &mut Vec<Problem>) {
        let own = self.is_own_answer(question.seat, by);
        let ledger = self.ledger.as_mut().expect("the game has started");
        let needed = ledger.next_code(question.seat.0);
        self.fresh = false;
        match (&say.code, needed) {
            (None, None) => {}
            (None, Some(_)) if !own => {}
            (None, Some(expected)) => {
                problems.push(Problem::Code(crate::record::commit::chain::CodeRefused::Missing { expected }));
            }
            (Some(_), None) => problems.push(Problem::CodeNotExpected { why: "the seat has no chain of codes" }),
            (Some(_), Some(_)) if !own => {
                problems.push(Problem::CodeNotExpected { why: "the seat did not answer itself" });
            }
            (Some(code), Some(_)) => match ledger.accept(question.seat.0, code) {
                Ok(()) => self.fresh = true,
                Err(refused) => problems.push(Problem::Code(refused)),
            },
        }
    }

    /// Checks the order that answers, or notes the orders that did not.
    fn mind_orders(&mut self, entry: &Entry, question: Question, say: &Say, problems: &mut Vec<Problem>) {
        let fired = entry.via.as_ref().and_then(|via| via.standing);
        if let Some(standing) = fired {
            if let Err(problem) = self.fire(entry, question, say, standing) {
                problems.push(problem);
            }
            return;
        }
        if let Some(order) = &say.order {
            problems.push(value("order", "there when a standing order answers", &order.text));
        }
        for index in 0..self.orders.len() {
            let order = &self.orders[index];
            if order.seat != question.seat {
                continue;
            }
            if let Some(opened) = &order.opened {
                let stands = self.plan.title.answers(&opened.question, question.id)
                    && order.lapsed(opened, entry.at, &self.game.moment()).is_none()
                    && self.game.read(question.seat, &opened.sentence, &self.masks.open).is_ok();
                if stands {
                    let why = "it should have answered this question".to_string();
                    problems.push(Problem::StandingOrder { standing: order.seq, why });
                }
            } else {
                self.orders[index].pass_over(question.id, entry.seq, entry.at, &*self.game);
            }
        }
    }

    fn fire(&mut self, entry: &Entry, question: Question, say: &Say, standing: u64) -> Result<(), Problem> {
        let wrong = |why: String| Problem::StandingOrder { standing, why };
        let moment = self.game.moment();
        let found = self.orders.iter_mut().find(|order| order.seq == standing && order.seat == question.seat);
        let order = found.ok_or_else(|| wrong("the seat has no such order standing".to_string()))?;
        match (&order.opened, &say.order) {
            (None, Some(opened)) => {
                if !order.is(&self.plan.game, &opened.text, &opened.salt) {
                    return Err(Problem::Seal { standing });
                }
                order.opened = Some(Order::read(&opened.text).map_err(|error| wrong(error.to_string()))?);
            }
            (None, None) => return Err(wrong("it fires for the first time and is not opened".to_string())),
            (Some(_), Some(_)) => return Err(wrong("it was opened before".to_string())),
            (Some(_), None) => {}
        }
        let opened = order.opened.clone().expect("the order is open");
        if !self.plan.title.answers(&opened.question, question.id) {
            return Err(wrong(format!("it answers `{}`, and `{}` was asked", opened.question, question.id)));
        }
        if let Some(lapsed) = order.lapsed(&opened, entry.at, &moment) {
            return Err(wrong(lapsed));
        }
        order.fired += 1;
        // The faces are learnt first, as the sentence may show a card; the sentence is compared with what was said.
        let faces = self.faces_with(entry);
        match self.game.read(question.seat, &opened.sentence, &faces) {
            Ok(read) if read.is_recorded_as(&say.said) => Ok(()),
            Ok(read) => Err(wrong(format!("it says `{}`", read.sentence))),
            Err(refusal) => Err(wrong(format!("what it says is refused: {refusal}"))),
        }
    }

    fn learn_openings(&mut self, entry: &Entry, problems: &mut Vec<Problem>) -> Result<Vec<(Slot, Card)>, Problem> {
        let outcome = entry.outcome.as_ref().expect("a played record has an outcome");
        let mut openings = Vec::with_capacity(outcome.open.len());
        for opening in &outcome.open {
            openings.push(self.learn_opening(opening, problems)?);
        }
        Ok(openings)
    }

    pub(crate) fn learn_opening(
        &mut self,
        opening: &Opening,
        problems: &mut Vec<Problem>,
    ) -> Result<(Slot, Card), Problem> {
        let (slot, card) = self.masks.check(opening)?;
        if self.masks.open.get(slot).is_some() {
            problems.push(Problem::OpenedTwice { deck: opening.deck.to_string(), pos: opening.pos });
        }
        self.tally.openings += 1;
        self.masks.open.learn(slot, card);
        self.faces.learn(slot, card);
        Ok((slot, card))
    }

    fn follow_with(
        &mut self,
        entry: &Entry,
        openings: Vec<(Slot, Card)>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let outcome = entry.outcome.as_ref().expect("a played record has an outcome");
        let (dice, draws, shuffles) = match &outcome.roll {
            Some(roll) => (roll.dice.iter(), roll.draws.iter(), roll.shuffles.iter()),
            None => Default::default(),
        };
        let mut cursor = Cursor { outcome, seed: None, sub: 0, dice, draws, shuffles, openings };
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over | Need::Mask(_) => break,
                Need::Draw(draw) => self.drawn(&mut cursor, &draw, problems)?,
                Need::Show(show) => match self.masks.open.get(show.slot) {
                    Some(card) => {
                        let shown = show.among.contains(&card).then_some(card);
                        if shown.is_some() {
                            cursor.openings.retain(|(slot, _)| *slot != show.slot);
                        }
                        Answer::Shown(shown)
                    }
                    None => {
                        self.masks.claim(show);
                        Answer::Shown(None)
                    }
                },
            };
            self.journal.note(entry.seq, Done::Answered(answer.clone()));
            self.game.answer(answer).expect("the answer was made for this need");
        }
        self.journal.record(entry.seq, &*self.game);
        self.all_used(&cursor, problems);
        self.compare_facts(outcome, problems);
        Ok(())
    }

    /// The answer to a draw, as it follows from what was committed, compared with the record.
    fn drawn(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        draw: &Draw,
        problems: &mut Vec<Problem>,
    ) -> Result<Answer, Problem> {
        let seed = match cursor.seed {
            Some(seed) => seed,
            None => {
                let roll = cursor.outcome.roll.as_ref();
                let roll = roll.ok_or_else(|| Problem::RollMissing { needed: needed(draw) })?;
                let seed = self.open_link(roll, problems)?;
                cursor.seed = Some(seed);
                seed
            }
        };
        let sub = cursor.sub;
        cursor.sub += 1;
        let answer = drawn_from(&seed, sub, draw);
        if let Some(problem) = self.compare(cursor, sub, draw, &answer) {
            problems.push(problem);
        }
        Ok(answer)
    }

    fn open_link(&mut self, roll: &Roll, problems: &mut Vec<Problem>) -> Result<Seed, Problem> {
        let ledger = self.ledger.as_mut().expect("the game has started");
        let expected = ledger.rolls + 1;
        if roll.n != expected {
            problems.push(Problem::RollNumber { expected, found: roll.n });
        }
        self.tally.rolls += 1;
        self.tally.rolls_mixed += u64::from(self.fresh);
        ledger.open_link(&roll.link)
    }

    fn compare(&mut self, cursor: &mut Cursor<'_, '_>, sub: u32, draw: &Draw, answer: &Answer) -> Option<Problem> {
        match (draw, answer) {
            (Draw::Dice { label, sides, .. }, Answer::Dice(faces)) => {
                let found = cursor.dice.next();
                let same = found.is_some_and(|dice| {
                    dice.sub == sub && dice.label == *label && dice.sides == *sides && dice.faces == *faces
                });
                let shown = |dice: &Dice| format!("sub {} {} d{} {:?}", dice.sub, dice.label, dice.sides, dice.faces);
                let expected = || format!("sub {sub} {label} d{sides} {faces:?}");
                (!same).then(|| roll_problem(label, expected(), found.map(shown)))
            }
            (Draw::Slot { deck, left, .. }, Answer::Position(position)) => {
                self.tally.draws += 1;
                let name = self.masks.deck_name(*deck);
                let found = cursor.draws.next();
                let same = found.is_some_and(|draw| {
                    draw.sub == sub
                        && draw.deck == name
                        && draw.pos == u32::from(*position)
                        && draw.left.iter().copied().eq(left.iter().map(|left| u32::from(*left)))
                });
                let shown = |draw: &DrawRecord| {
                    format!("sub {} {} position {} of {:?}", draw.sub, draw.deck, draw.pos, draw.left)
                };
                let expected = || format!("sub {sub} {name} position {position} of {left:?}");
                (!same).then(|| roll_problem(name, expected(), found.map(shown)))
            }
            (Draw::Shuffle { label, count }, Answer::Order(order)) => {
                let found = cursor.shuffles.next();
                let same = found.is_some_and(|shuffle| {
                    shuffle.sub == sub
                        && shuffle.label == *label
                        && shuffle.n == u32::from(*count)
                        && shuffle.order.iter().copied().eq(order.iter().map(|place| u32::from(*place)))
                });
                let shown = |shuffle: &Shuffle| {
                    format!("sub {} {} of {} {:?}", shuffle.sub, shuffle.label, shuffle.n, shuffle.order)
                };
                let expected = || format!("sub {sub} {label} of {count} {order:?}");
                (!same).then(|| roll_problem(label, expected(), found.map(shown)))
            }
            _ => unreachable!("a draw is answered by its own kind"),
        }
    }

    /// Everything the record rolls and opens must have been asked for.
    fn all_used(&self, cursor: &Cursor<'_, '_>, problems: &mut Vec<Problem>) {
        if cursor.outcome.roll.is_some() && cursor.seed.is_none() {
            problems.push(Problem::RollNotNeeded);
        } else if let Some(left) = (cursor.dice.as_slice().first().map(|dice| dice.label.to_string()))
            .or_else(|| cursor.draws.as_slice().first().map(|draw| draw.deck.to_string()))
            .or_else(|| cursor.shuffles.as_slice().first().map(|shuffle| shuffle.label.to_string()))
        {
            problems.push(roll_problem(&left, "nothing more".to_string(), Some("one more".to_string())));
        }
        if let Some((slot, card)) = cursor.openings.first() {
            let Problem::OpeningMissing { deck, pos, card } = self.masks.missing(*slot, *card) else {
                unreachable!("a missing opening is one");
            };
            problems.push(Problem::OpeningNotNeeded { deck, pos, card });
        }
    }

    fn compare_facts(&mut self, outcome: &Outcome, problems: &mut Vec<Problem>) {
        std::mem::swap(&mut self.facts, &mut self.facts_before);
        self.game.facts(&mut self.facts);
        let mut recorded = outcome.changed.iter();
        let mut different = None;
        for fact in self.facts.changed_since(&self.facts_before) {
            let record = recorded.next();
            if record.is_none_or(|record| record != fact) {
                let record = record.map(ToString::to_string);
                different = Some(DifferentFact { rules: Some(fact.to_string()), record });
                break;
            }
        }
        if different.is_none()
            && let Some(record) = recorded.next()
        {
            different = Some(DifferentFact { rules: None, record: Some(record.to_string()) });
        }
        let digest = Hex(self.digester.digest(&self.facts));
        if digest != outcome.digest {
            problems.push(Problem::Facts { expected: digest, found: outcome.digest, fact: different });
        } else if let Some(fact) = different {
            problems.push(Problem::Changed(fact));
        }
    }
}

/// The answer to a draw from stream `sub` of a seed.
pub fn drawn_from(seed: &Seed, sub: u32, draw: &Draw) -> Answer {
    let mut stream = seed.stream(sub);
    let short = |value: u32| u16::try_from(value).expect("it was chosen among 16-bit numbers");
    match draw {
        Draw::Dice { sides, count, .. } => Answer::Dice((0..*count).map(|_| stream.die(*sides)).collect()),
        Draw::Slot { left, .. } => {
            let count = u32::try_from(left.len()).expect("positions have 16 bits");
            Answer::Position(left[usize::try_from(stream.uniform(count)).expect("an index fits")])
        }
        Draw::Shuffle { count, .. } => {
            Answer::Order(stream.shuffle(u32::from(*count)).into_iter().map(short).collect())
        }
    }
}

fn needed(draw: &Draw) -> String {
    match draw {
        Draw::Dice { label, sides, count } => format!("{count} dice of {sides} sides ({label})"),
        Draw::Slot { .. } => "a card drawn".to_string(),
        Draw::Shuffle { label, count } => format!("an order of {count} ({label})"),
    }
}

fn roll_problem(label: &str, expected: String, found: Option<String>) -> Problem {
    Problem::Roll { label: label.to_string(), expected, found: found.unwrap_or_else(|| "nothing".to_string()) }
}
