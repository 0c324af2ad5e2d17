//! Steps: what is still to be done, by the chapter that does it. Their printed form is part of the facts of every log.

use crate::{
    armies, battle, cards, characters, dice, event_cards, fellowship, hunt, mordor, recruiting, standing, teams, turn,
    victory,
};
use std::fmt;

/// Something still to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Turn(turn::Step),
    Dice(dice::Step),
    Cards(event_cards::Step),
    Effect(cards::Step),
    Characters(characters::Step),
    Armies(armies::Step),
    Recruiting(recruiting::Step),
    Battle(battle::Step),
    Politics(crate::politics::Step),
    Fellowship(fellowship::Step),
    Hunt(hunt::Step),
    Mordor(mordor::Step),
    Standing(standing::Step),
    Teams(teams::Step),
    Victory(victory::Step),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Turn(step) => step.fmt(f),
            Step::Dice(step) => step.fmt(f),
            Step::Cards(step) => step.fmt(f),
            Step::Effect(step) => step.fmt(f),
            Step::Characters(step) => step.fmt(f),
            Step::Armies(step) => step.fmt(f),
            Step::Recruiting(step) => step.fmt(f),
            Step::Battle(step) => step.fmt(f),
            Step::Politics(step) => step.fmt(f),
            Step::Fellowship(step) => step.fmt(f),
            Step::Hunt(step) => step.fmt(f),
            Step::Mordor(step) => step.fmt(f),
            Step::Standing(step) => step.fmt(f),
            Step::Teams(step) => step.fmt(f),
            Step::Victory(step) => step.fmt(f),
        }
    }
}
