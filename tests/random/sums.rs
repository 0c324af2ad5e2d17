//! Nothing has been lost or doubled: the facts, added up, are those with which the game began.

use super::public::facts;
use super::risk_sheet::FactSheet;
use super::seen::Seen;
use super::war_sheet::Sheet;
use super::watcher::{Moment, Watcher};
use engine::facts::Facts;
use engine::game::Game;
use engine::title::Setup;

/// Adds up the facts of Risk.
pub struct RiskSums {
    /// It looks after one sentence in this many.
    every: usize,
    first: FactSheet,
}

impl RiskSums {
    pub fn new(every: usize, game: &dyn Game, setup: &Setup) -> RiskSums {
        RiskSums { every, first: sheet(game, setup) }
    }
}

impl Watcher for RiskSums {
    fn look(&mut self, now: &Moment<'_>, _: &mut Seen) {
        if now.number.is_multiple_of(self.every) {
            sheet(&*now.after.game, now.setup).check(&self.first);
        }
    }
}

fn sheet(game: &dyn Game, setup: &Setup) -> FactSheet {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    FactSheet::of(&facts, setup)
}

/// Adds up the facts of War of the Ring.
pub struct WarSums {
    /// It looks after one sentence in this many.
    every: usize,
    first: String,
}

impl WarSums {
    pub fn new(every: usize, game: &dyn Game) -> WarSums {
        WarSums { every, first: facts(game) }
    }
}

impl Watcher for WarSums {
    fn look(&mut self, now: &Moment<'_>, _: &mut Seen) {
        if !now.number.is_multiple_of(self.every) {
            return;
        }
        let said = &now.said.sentence;
        let text = facts(&*now.after.game);
        let (first, sheet) = (Sheet::of(&self.first), Sheet::of(&text));
        assert!(sheet.keys().eq(first.keys()), "the keys of the facts are the same at every moment");
        assert_eq!(sheet.figures(), first.figures(), "after `{said}` every figure is still somewhere (1.27)");
        assert_eq!(sheet.cards(), [24; 4], "after `{said}` every card is still somewhere");
        assert_eq!(sheet.tiles(), first.tiles(), "after `{said}` every tile is still somewhere");
        sheet.armies_keep_their_limits(said);
    }
}
