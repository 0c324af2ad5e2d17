/*! What follows from a record that the host is making: rolls from the next link, cards shown, facts changed. */

use super::Table;
use super::table_error::TableError;
use crate::engine::facts::Facts;
use crate::engine::need::{Answer, Draw, Need};
use crate::engine::slot::{Card, Faces, Slot};
use crate::engine::title::Game;
use crate::record::commit::dice::Seed;
use crate::record::entry::body::{Dice, Draw as DrawRecord, Kind, Opening, Outcome, Roll, Shuffle, Text};
use crate::record::entry::{Body, Entry};
use crate::record::fold::follow::drawn_from;
use crate::record::fold::ledger::Ledger;
use crate::record::fold::masks::Masks;
use crate::record::value::hash::Hex;

/// The record being made.
struct Dealing<'t> {
    table: &'t Table,
    game: Box<dyn Game>,
    ledger: Ledger,
    /// What is open to everybody, this record included.
    open: Faces,
    seed: Option<Seed>,
    sub: u32,
    roll: Option<Roll<'static>>,
    openings: Vec<Opening<'static>>,
}

impl Table {
    /// What follows from a played record, on copies: nothing changes.
    pub(crate) fn outcome(&self, entry: &Entry) -> Result<Outcome<'static>, TableError> {
        let mut dealing = Dealing {
            table: self,
            game: self.fold.game.copy(),
            ledger: self.ledger_before(entry)?,
            open: self.fold.masks.open.clone(),
            seed: None,
            sub: 0,
            roll: None,
            openings: Vec::new(),
        };
        match &entry.body {
            Body::Say(say) => {
                let seat = self.fold.writer(entry).expect("the table writes the words of its own seats");
                if let Some(code) = &say.code {
                    dealing.ledger.accept(seat.0, code).map_err(TableError::Held)?;
                }
                let said = dealing.game.say(seat, &say.said, self.fold.faces())?;
                for (slot, card) in said.shows {
                    dealing.show(slot, card);
                }
            }
            Body::Deck(_) => {
                dealing.game.answer(Answer::Masked).map_err(|_| TableError::NotNow { why: "no deck is to be laid" })?;
            }
            Body::Correction(correction) => {
                if let Some(to) = correction.to {
                    let back = self.fold.journal.back(to, self.fold.faces());
                    dealing.game = back.ok_or(TableError::TooFarBack { to })?;
                }
                if let Some(revised) = correction.rules.as_deref().and_then(|rules| dealing.game.revised(rules)) {
                    dealing.game = revised;
                }
            }
            _ => assert_eq!(entry.kind(), Kind::Start, "only played records have an outcome"),
        }
        dealing.deal()?;
        let mut facts = Facts::default();
        dealing.game.facts(&mut facts);
        let changed = facts.changed_since(&self.fold.facts).map(|fact| Text::from(fact.to_string())).collect();
        Ok(Outcome { open: dealing.openings, roll: dealing.roll, changed, digest: Hex(facts.digest()) })
    }

    fn ledger_before(&self, entry: &Entry) -> Result<Ledger, TableError> {
        if let Some(ledger) = &self.fold.ledger {
            return Ok(ledger.clone());
        }
        let contributors = self.fold.contributors().filter(|_| entry.kind() == Kind::Start);
        let contributors = contributors.ok_or(TableError::NotNow { why: "the game has not started" })?;
        let plan = self.fold.plan();
        Ok(Ledger::new(plan.game, plan.links, plan.anchor, &contributors))
    }
}

impl Dealing<'_> {
    /// Answers every need up to the next question, mask or end.
    fn deal(&mut self) -> Result<(), TableError> {
        loop {
            let answer = match self.game.need() {
                Need::Question(_) | Need::Over | Need::Mask(_) => return Ok(()),
                Need::Draw(draw) => self.draw(&draw)?,
                Need::Show(show) => {
                    let card = self.table.fold.faces.get(show.slot).expect("the dealer knows every slot");
                    let shown = show.among.contains(&card);
                    if shown {
                        self.show(show.slot, card);
                    }
                    Answer::Shown(shown.then_some(card))
                }
            };
            self.game.answer(answer).expect("the dealer answers what is needed");
        }
    }

    fn show(&mut self, slot: Slot, card: Card) {
        if self.open.get(slot).is_none() {
            self.open.learn(slot, card);
            let salt = Masks::salt(&self.table.secrets.root, slot);
            self.openings.push(self.table.fold.masks.opening(slot, card, salt));
        }
    }

    fn draw(&mut self, draw: &Draw) -> Result<Answer, TableError> {
        let seed = match self.seed {
            Some(seed) => seed,
            None => {
                let seed = self.open_link()?;
                self.seed = Some(seed);
                seed
            }
        };
        let sub = self.sub;
        self.sub += 1;
        let answer = drawn_from(&seed, sub, draw);
        let roll = self.roll.as_mut().expect("the link has been opened");
        match (draw, &answer) {
            (Draw::Dice { label, sides, .. }, Answer::Dice(faces)) => {
                roll.dice.push(Dice { sub, label: Text::from(*label), sides: *sides, faces: faces.clone() });
            }
            (Draw::Slot { deck, left, .. }, Answer::Position(position)) => roll.draws.push(DrawRecord {
                sub,
                deck: Text::from(self.table.fold.masks.deck_name(*deck)),
                left: left.iter().map(|left| u32::from(*left)).collect(),
                pos: u32::from(*position),
            }),
            (Draw::Shuffle { label, count }, Answer::Order(order)) => roll.shuffles.push(Shuffle {
                sub,
                label: Text::from(*label),
                n: u32::from(*count),
                order: order.iter().map(|place| u32::from(*place)).collect(),
            }),
            _ => unreachable!("a draw is answered by its own kind"),
        }
        Ok(answer)
    }

    fn open_link(&mut self) -> Result<Seed, TableError> {
        let wanted = self.ledger.next_link();
        let chain = self.table.chains.get(wanted.chain).ok_or(TableError::NoLinks)?;
        let link = chain.link(wanted.index).ok_or(TableError::NoLinks)?;
        let seed = self.ledger.open_link(&link).map_err(|_| TableError::OtherSecrets)?;
        let (dice, draws, shuffles) = Default::default();
        self.roll = Some(Roll { n: self.ledger.rolls, link, dice, draws, shuffles });
        Ok(seed)
    }
}
