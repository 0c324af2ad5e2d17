/*! Following a played record: says its sentence, and answers every need up to the next question, mask or end from
what was committed. The outcome is compared with what the record says, or written into the record being made.
*/

use super::Fold;
use super::chance::{Chance, Dealt, Drawn};
use super::journal::Done;
use super::masks::Masks;
use crate::entry::Entry;
use crate::entry::body::{Kind, Opening, Say, Text};
use crate::problem::{DifferentFact, Problem};
use engine::facts::Change;
use engine::need::{Answer, Draw, Need, Show};
use engine::slot::{Card, Slot};

impl Fold {
    /// Follows an answer.
    pub(crate) fn say(
        &mut self,
        entry: &Entry,
        say: &Say,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        let question = match self.game.need() {
            Need::Question(question) if question.seat == seat => question,
            _ => return Err(Problem::NotAsked { kind: Kind::Say, waits_for: self.waits_for() }),
        };
        // Where acts need receipts, this was checked when the act was fixed.
        if !self.needs_receipts() {
            self.check_answered_for(entry, seat)?;
        }
        self.tally.answer(entry.via.as_ref());
        self.cause = self.seen(entry).seq;
        if let Err(problem) = self.check_lines(entry, seat, say) {
            problems.push(problem);
        }
        problems.extend(self.check_least(entry, seat, say).err());
        self.mind_orders(entry, question, say, problems);
        // A card shown before needs no opening again.
        let mut openings = self.learn_openings(chance, problems)?;
        self.journal.note(entry.seq, Done::Said { seat, sentence: say.said.to_string() });
        let said = match chance.understood() {
            Some(understood) => self.game.hear(understood),
            None => self
                .game
                .say(seat, &say.said, &self.faces)
                .map_err(|refusal| Problem::Refused { sentence: say.said.to_string(), refusal: refusal.to_string() })?,
        };
        if said.sentence != say.said {
            let problem = Problem::NotItsOwnWords { canonical: said.sentence, said: say.said.to_string() };
            problems.push(problem);
        }
        for (slot, card) in said.shows {
            match openings.iter().position(|opening| *opening == (slot, card)) {
                Some(at) => drop(openings.remove(at)),
                None if self.masks.open.get(slot) == Some(card) => {}
                None => match chance {
                    Chance::Recorded(_) => return Err(self.masks.missing(slot, card)),
                    Chance::Dealt(dealt) => self.show(slot, card, dealt, problems)?,
                },
            }
        }
        self.follow_with(entry, openings, chance, problems)
    }

    /// Follows what comes after a record that is no answer.
    pub(crate) fn follow(
        &mut self,
        entry: &Entry,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let openings = self.learn_openings(chance, problems)?;
        self.follow_with(entry, openings, chance, problems)
    }

    fn learn_openings(
        &mut self,
        chance: &Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<(Slot, Card)>, Problem> {
        chance.openings().iter().map(|opening| self.learn_opening(opening, problems)).collect()
    }

    /// Opens a card in the record that is being made.
    fn show(
        &mut self,
        slot: Slot,
        card: Card,
        dealt: &mut Dealt<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let opening = self.masks.opening(slot, card, Masks::salt(dealt.root, slot));
        self.learn_opening(&opening, problems)?;
        dealt.outcome.open.push(opening);
        Ok(())
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

    /// Answers every need up to the next question, mask or end. `openings` are the record's openings that nothing has
    /// asked for yet.
    fn follow_with(
        &mut self,
        entry: &Entry,
        mut openings: Vec<(Slot, Card)>,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let (mut throws, mut n) = (0, None);
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over | Need::Mask(_) => break,
                Need::Draw(draw) => {
                    let ledger = self.ledger.as_mut().expect("the game has started");
                    let first = ledger.throws + 1;
                    let seed = chance.seed(ledger)?;
                    let seed = seed.ok_or_else(|| Problem::RollMissing { needed: needed(&draw) })?;
                    let number = *n.get_or_insert(first);
                    n = Some(number + 1);
                    let (answer, drawn) = Drawn::new(&seed, number, &draw, &self.masks);
                    throws += 1;
                    self.tally.draws += u64::from(matches!(drawn, Drawn::Card(_)));
                    problems.extend(chance.take(drawn));
                    answer
                }
                Need::Show(show) => Answer::Shown(self.shown(show, &mut openings, chance, problems)?),
            };
            self.journal.note(entry.seq, Done::Answered(answer.clone()));
            self.game.answer(answer).expect("the answer was made for this need");
        }
        self.journal.record(entry.seq, &*self.game);
        self.tally.throws += throws;
        self.possible.throws(throws, self.cause);
        problems.extend(self.throws_of_run(throws).err());
        if let Chance::Recorded(recorded) = chance {
            problems.extend(recorded.unused());
        }
        if let Some((slot, card)) = openings.first() {
            let Problem::OpeningMissing { deck, pos, card } = self.masks.missing(*slot, *card) else {
                unreachable!("a missing opening is one");
            };
            problems.push(Problem::OpeningNotNeeded { deck, pos, card });
        }
        self.settle_facts(chance, problems);
        Ok(())
    }

    /// The card of a slot, if it is one of those asked for; it is shown then. Otherwise the record claims that it is
    /// none of them.
    fn shown(
        &mut self,
        show: Show,
        openings: &mut Vec<(Slot, Card)>,
        chance: &mut Chance<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Card>, Problem> {
        let slot = show.slot;
        if let (Chance::Dealt(dealt), None) = (chance, self.masks.open.get(slot)) {
            let card = self.faces.get(slot).expect("the dealer knows every slot");
            if show.among.contains(&card) {
                self.show(slot, card, dealt, problems)?;
            }
        }
        let Some(card) = self.masks.open.get(slot) else {
            self.masks.claim(show);
            return Ok(None);
        };
        let shown = show.among.contains(&card).then_some(card);
        if shown.is_some() {
            openings.retain(|(opened, _)| *opened != slot);
        }
        Ok(shown)
    }

    /// Compares the facts that changed with the record, or writes them into the one being made.
    fn settle_facts(&mut self, chance: &mut Chance<'_>, problems: &mut Vec<Problem>) {
        if let Some(put_off) = &mut self.put_off {
            put_off.facts = true;
            return;
        }
        self.watch.look(self.game.copy(), &mut self.change);
        match chance {
            Chance::Recorded(recorded) => {
                problems.extend(different_facts(&self.change, &recorded.outcome().changed).map(Problem::Changed));
            }
            Chance::Dealt(dealt) => {
                dealt.outcome.changed = self.change.lines().map(|fact| Text::from(fact.to_string())).collect();
            }
        }
    }
}

/// The first changed fact in which the rules and the record differ.
pub(super) fn different_facts(change: &Change, recorded: &[Text<'_>]) -> Option<DifferentFact> {
    let mut recorded = recorded.iter();
    for fact in change.lines() {
        let record = recorded.next();
        if record.is_none_or(|record| record != fact) {
            let record = record.map(ToString::to_string);
            return Some(DifferentFact { rules: Some(fact.to_string()), record });
        }
    }
    recorded.next().map(|record| DifferentFact { rules: None, record: Some(record.to_string()) })
}

fn needed(draw: &Draw) -> String {
    match draw {
        Draw::Dice { label, sides, count } => format!("{count} dice of {sides} sides ({label})"),
        Draw::Slot { .. } => "a card drawn".to_string(),
        Draw::Shuffle { label, count } => format!("an order of {count} ({label})"),
    }
}
