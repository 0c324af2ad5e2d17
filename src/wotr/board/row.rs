/*! The single player of the Free Peoples (17.40 to 17.42): two actions in a row may not be on the same Nation, nor on
the same Army.

The board notes the items of his action as it changes. Figures of a kind cannot be told apart, so an Army counts as
the same only if it must include a figure that was in it before.
*/

use crate::board::place::Place;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::side::Side;

/// The most places for which the figures of one action are noted.
const PLACES: usize = 6;

/// The items of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items {
    /// 17.40: the Nations of the single items, as bits by their index.
    pub(super) nations: u8,
    /// The figures that moved or attacked, where they are.
    pub(super) armies: [Option<(Place, Figures)>; PLACES],
}

/// The items of the last action, and of the one that is being carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub(super) last: Items,
    pub(super) now: Items,
}

impl Items {
    pub(super) const NONE: Items = Items { nations: 0, armies: [None; PLACES] };

    /// 17.40: the Nations of the single items.
    pub fn nations(&self) -> impl Iterator<Item = Nation> + use<> {
        let nations = self.nations;
        Nation::ALL.into_iter().filter(move |nation| nations & (1 << nation.index()) != 0)
    }

    /// The figures that moved or attacked, where they are.
    pub fn armies(&self) -> impl Iterator<Item = (Place, Figures)> + use<'_> {
        self.armies.iter().flatten().copied()
    }

    /// The noted figures at a place.
    fn at(&self, place: Place) -> Figures {
        self.armies().find(|(there, _)| *there == place).map_or(Figures::NONE, |(_, figures)| figures)
    }

    pub(super) fn add_nation(&mut self, nation: Nation) {
        self.nations |= 1 << nation.index();
    }

    /// Notes an Army that moves or attacks: its figures, and its Nation if all its units and Leaders are of one.
    pub(super) fn add_army(&mut self, place: Place, figures: &Figures) {
        if let Some(nation) = single(figures) {
            self.add_nation(nation);
        }
        self.put(place, figures);
    }

    fn put(&mut self, place: Place, figures: &Figures) {
        if figures.is_empty() {
            return;
        }
        let there = self.armies.iter().position(|army| army.is_some_and(|(other, _)| other == place));
        let slot = there.or_else(|| self.armies.iter().position(Option::is_none));
        // No action moves figures to more places than there is room for.
        if let Some(slot) = slot {
            let (_, mut all) = self.armies[slot].unwrap_or((place, Figures::NONE));
            for (figure, number) in figures.iter() {
                all.put(figure, number.saturating_sub(all.count(figure)));
            }
            self.armies[slot] = Some((place, all));
        }
    }

    /// Follows figures from one place to another. Of each kind, the noted figures go first.
    pub(super) fn carry(&mut self, figures: &Figures, from: Place, to: Place) {
        let Some(slot) = self.armies.iter().position(|army| army.is_some_and(|(place, _)| place == from)) else {
            return;
        };
        let (_, mut left) = self.armies[slot].expect("found");
        let mut gone = Figures::NONE;
        for (figure, number) in figures.iter() {
            let number = number.min(left.count(figure));
            if number > 0 {
                left.take(figure, number);
                gone.put(figure, number);
            }
        }
        self.armies[slot] = (!left.is_empty()).then_some((from, left));
        if to.region().is_some() {
            self.put(to, &gone);
        }
    }

    pub(super) fn set_army(&mut self, place: Place, figures: &Figures) {
        self.put(place, figures);
    }

    pub fn is_empty(&self) -> bool {
        *self == Items::NONE
    }
}

impl Row {
    pub(super) const NONE: Row = Row { last: Items::NONE, now: Items::NONE };

    /// The items of the last action.
    pub fn last(&self) -> &Items {
        &self.last
    }

    /// The items of the action that is being carried out.
    pub fn now(&self) -> &Items {
        &self.now
    }

    /// 17.40: whether a single item of this Nation is barred because the last action had one too.
    pub fn bars(&self, nation: Nation) -> bool {
        self.last.nations & (1 << nation.index()) != 0
    }

    /// 17.40: whether this part of the figures at a place may not move or attack, because it would be the same Army
    /// as in the last action, or the same Nation.
    pub fn bars_army(&self, place: Place, there: &Figures, part: &Figures) -> bool {
        if self.last.is_empty() {
            return false;
        }
        let before = self.last.at(place);
        let again = before
            .iter()
            .any(|(figure, number)| part.count(figure) + number.min(there.count(figure)) > there.count(figure));
        again || single(part).is_some_and(|nation| self.bars(nation))
    }
}

/// The Nation of an Army, if all its units and FP Leaders are of one.
fn single(figures: &Figures) -> Option<Nation> {
    let mut nations = Nation::of(Side::Free).iter().filter(|nation| figures.bound_by(**nation) > 0);
    let first = nations.next().copied();
    first.filter(|_| nations.next().is_none())
}

/// The Nations of the units and Leaders of the Free Peoples among the figures.
pub(super) fn recruited(figures: &Figures) -> impl Iterator<Item = Nation> + use<'_> {
    let bound = figures.iter().filter_map(|(figure, _): (Figure, u8)| figure.bound_by());
    bound.filter(|nation| nation.side() == Side::Free)
}
