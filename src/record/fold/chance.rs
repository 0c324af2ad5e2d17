/*! What chance brings into a played record: the host's next link, what is drawn from it, and the cards that are shown.

A record's draws and their order are defined once: by [`Drawn`] and by the loop in [`super::follow`] that asks for
them. For the host who makes a record, they are written into it ([`Dealt`]); for everybody who reads one, they are
compared with what it says ([`Recorded`]).
*/

use super::ledger::Ledger;
use super::masks::Masks;
use crate::commit::chain::HostChain;
use crate::commit::seed::Seed;
use crate::entry::Entry;
use crate::entry::body::{Consequence, Dice, Draw as CardDrawn, Opening, Roll, Shuffle, Text};
use crate::problem::Problem;
use crate::problem::rule::Rule;
use engine::game::Understood;
use engine::need::{Answer, Draw};
use ground::hash::Hash;
use std::collections::VecDeque;
use std::slice::Iter;

/// Where the chance of a record comes from.
pub(crate) enum Chance<'e> {
    /// The record says it, and we compare.
    Recorded(Recorded<'e>),
    /// The host deals it, and we write it into the record.
    Dealt(Box<Dealt<'e>>),
}

/// How far the outcome of a record has been compared.
pub(crate) struct Recorded<'e> {
    outcome: Option<&'e Consequence<'e>>,
    /// Once the link is opened: the seeds of the record's throws that nothing has asked for yet.
    seeds: Option<VecDeque<Seed>>,
    dice: Iter<'e, Dice<'e>>,
    draws: Iter<'e, CardDrawn<'e>>,
    shuffles: Iter<'e, Shuffle<'e>>,
}

/// What the host deals from, and the outcome written so far.
pub(crate) struct Dealt<'e> {
    pub(crate) root: &'e Hash,
    pub(crate) chain: &'e HostChain,
    /// The record's answer, if it was read already.
    pub(crate) understood: Option<Understood>,
    pub(crate) outcome: Consequence<'static>,
}

impl<'e> Dealt<'e> {
    pub(crate) fn new(root: &'e Hash, chain: &'e HostChain, understood: Option<Understood>) -> Dealt<'e> {
        let (open, roll, changed) = Default::default();
        Dealt { root, chain, understood, outcome: Consequence { open, roll, changed } }
    }
}

impl<'e> Recorded<'e> {
    /// The outcome of a record that was read, of which nothing is compared yet.
    pub(super) fn of(entry: &'e Entry<'e>) -> Recorded<'e> {
        let outcome = entry.outcome.as_ref();
        let (dice, draws, shuffles) = match outcome.and_then(|outcome| outcome.roll.as_ref()) {
            Some(roll) => (roll.dice.iter(), roll.draws.iter(), roll.shuffles.iter()),
            None => Default::default(),
        };
        Recorded { outcome, seeds: None, dice, draws, shuffles }
    }

    pub(super) fn outcome(&self) -> &'e Consequence<'e> {
        self.outcome.expect("a played record has an outcome")
    }

    /// Compares the next draw with the record.
    fn compare(&mut self, drawn: &Drawn) -> Option<Problem> {
        match drawn {
            Drawn::Dice(dice) => {
                let rule = |found: &Dice| match found {
                    _ if found.throw != dice.throw => Rule::DiceNumber,
                    _ if (&found.label, found.sides, found.faces.len())
                        != (&dice.label, dice.sides, dice.faces.len()) =>
                    {
                        Rule::DiceAsked
                    }
                    _ => Rule::DiceFace,
                };
                differs(dice, self.dice.next(), (&dice.label, dice_words), rule)
            }
            Drawn::Card(card) => {
                let rule = |found: &CardDrawn| match found {
                    _ if found.throw != card.throw => Rule::DiceNumber,
                    _ if found.deck != card.deck => Rule::DiceAsked,
                    _ if found.left != card.left => Rule::DiceLeft,
                    _ => Rule::DiceDraw,
                };
                differs(card, self.draws.next(), (&card.deck, card_words), rule)
            }
            Drawn::Order(order) => {
                let rule = |found: &Shuffle| match found {
                    _ if found.throw != order.throw => Rule::DiceNumber,
                    _ if (&found.label, found.count) != (&order.label, order.count) => Rule::DiceAsked,
                    _ => Rule::DiceOrder,
                };
                differs(order, self.shuffles.next(), (&order.label, order_words), rule)
            }
        }
    }

    /// The first thing that the record rolls although nothing has asked for it.
    pub(super) fn unused(&self) -> Option<Problem> {
        if self.outcome().roll.as_ref().is_some_and(|roll| throws_of(roll) == 0) {
            return Some(Problem::RollEmpty);
        }
        if self.outcome().roll.is_some() && self.seeds.is_none() {
            return Some(Problem::RollNotNeeded);
        }
        let dice = self.dice.as_slice().first().map(|dice| &dice.label);
        let card = || self.draws.as_slice().first().map(|card| &card.deck);
        let order = || self.shuffles.as_slice().first().map(|order| &order.label);
        let left = dice.or_else(card).or_else(order)?;
        Some(roll_problem(Rule::DiceAsked, left, "nothing more".to_string(), Some("one more".to_string())))
    }
}

impl<'e> Chance<'e> {
    /// The openings of a record that is read. A record that is being made has none yet.
    pub(super) fn openings(&self) -> &'e [Opening<'e>] {
        match self {
            Chance::Recorded(recorded) => &recorded.outcome().open,
            Chance::Dealt(_) => &[],
        }
    }

    /// The outcome of a played record, as far as it is compared or written.
    pub(super) fn outcome(&self) -> &Consequence<'e> {
        match self {
            Chance::Recorded(recorded) => recorded.outcome(),
            Chance::Dealt(dealt) => &dealt.outcome,
        }
    }

    /// The answer of the record, if it was read already.
    pub(super) fn understood(&mut self) -> Option<Understood> {
        match self {
            Chance::Recorded(_) => None,
            Chance::Dealt(dealt) => dealt.understood.take(),
        }
    }

    /// The seed of the next throw. `None` if the record has no such throw, or the host has no link left.
    ///
    /// # Errors
    /// The link of the record is not on the host's chain.
    pub(super) fn seed(&mut self, ledger: &mut Ledger) -> Result<Option<Seed>, Problem> {
        match self {
            Chance::Recorded(recorded) => {
                let Some(roll) = &recorded.outcome().roll else { return Ok(None) };
                let seeds = match &mut recorded.seeds {
                    Some(seeds) => seeds,
                    None => {
                        let throws = throws_of(roll);
                        if throws == 0 {
                            return Err(Problem::RollEmpty);
                        }
                        let throws = u32::try_from(throws).expect("the lists of a record are short");
                        recorded.seeds.insert(ledger.open_links(throws, &roll.link)?.into())
                    }
                };
                Ok(seeds.pop_front())
            }
            Chance::Dealt(dealt) => {
                let Some(link) = dealt.chain.link(ledger.next_link()) else { return Ok(None) };
                let (dice, draws, shuffles) = Default::default();
                dealt.outcome.roll.get_or_insert(Roll { link, dice, draws, shuffles }).link = link;
                Ok(ledger.open_links(1, &link)?.pop())
            }
        }
    }

    /// Takes the next draw: compares it with the record, or writes it into the one being made.
    pub(super) fn take(&mut self, drawn: Drawn) -> Option<Problem> {
        let dealt = match self {
            Chance::Recorded(recorded) => return recorded.compare(&drawn),
            Chance::Dealt(dealt) => dealt,
        };
        let roll = dealt.outcome.roll.as_mut().expect("the link has been opened");
        match drawn {
            Drawn::Dice(dice) => roll.dice.push(dice),
            Drawn::Card(card) => roll.draws.push(card),
            Drawn::Order(order) => roll.shuffles.push(order),
        }
        None
    }
}

/// One draw as a record has it.
pub(super) enum Drawn {
    Dice(Dice<'static>),
    Card(CardDrawn<'static>),
    Order(Shuffle<'static>),
}

impl Drawn {
    /// Throw `n` of the game: the answer that the game gets, and how the record states it.
    pub(super) fn new(seed: &Seed, n: u32, draw: &Draw, masks: &Masks) -> (Answer, Drawn) {
        let mut stream = seed.stream();
        let short = |value: u32| u16::try_from(value).expect("it was chosen among 16-bit numbers");
        match draw {
            Draw::Dice { label, sides, count } => {
                let faces: Vec<u32> = (0..*count).map(|_| stream.die(*sides)).collect();
                let dice = Dice { throw: n, label: Text::from(*label), sides: *sides, faces: faces.clone() };
                (Answer::Dice(faces), Drawn::Dice(dice))
            }
            Draw::Slot { deck, left, .. } => {
                let count = u32::try_from(left.len()).expect("positions have 16 bits");
                let position = left[usize::try_from(stream.uniform(count)).expect("an index fits")];
                let deck = Text::from(masks.deck_name(*deck));
                let left = left.iter().map(|left| u32::from(*left)).collect();
                (Answer::Position(position), Drawn::Card(CardDrawn { throw: n, deck, left, pos: u32::from(position) }))
            }
            Draw::Shuffle { label, count } => {
                let count = u32::from(*count);
                let order = stream.shuffle(count);
                let answer = Answer::Order(order.iter().map(|place| short(*place)).collect());
                (answer, Drawn::Order(Shuffle { throw: n, label: Text::from(*label), count, order }))
            }
        }
    }
}

fn dice_words(dice: &Dice) -> String {
    format!("throw {} {} d{} {:?}", dice.throw, dice.label, dice.sides, dice.faces)
}

fn card_words(card: &CardDrawn) -> String {
    format!("throw {} {} position {} of {:?}", card.throw, card.deck, card.pos, card.left)
}

fn order_words(order: &Shuffle) -> String {
    format!("throw {} {} of {} {:?}", order.throw, order.label, order.count, order.order)
}

fn throws_of(roll: &Roll<'_>) -> usize {
    roll.dice.len() + roll.draws.len() + roll.shuffles.len()
}

/// The problem of a draw that the record has otherwise, or not; `rule` is the one that it breaks there.
fn differs<T: PartialEq>(
    drawn: &T,
    found: Option<&T>,
    (name, words): (&str, fn(&T) -> String),
    rule: impl Fn(&T) -> Rule,
) -> Option<Problem> {
    let rule = found.map_or(Rule::DiceAsked, rule);
    (found != Some(drawn)).then(|| roll_problem(rule, name, words(drawn), found.map(words)))
}

fn roll_problem(rule: Rule, label: &str, expected: String, found: Option<String>) -> Problem {
    Problem::Roll { rule, label: label.to_string(), expected, found: found.unwrap_or_else(|| "nothing".to_string()) }
}
