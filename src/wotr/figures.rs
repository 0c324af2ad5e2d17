/*! Figures (1.8): bags of them, as in a region, in the reinforcements, or in a move.

Every figure of the game is always in exactly one bag (1.27), so figures are never made or lost, only moved.
*/

use crate::character::Character;
use crate::nation::Nation;
use crate::side::Side;

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    Regular(Nation),
    Elite(Nation),
    /// 1.9: an FP Leader.
    Leader(Nation),
    Nazgul,
    Character(Character),
}

const ELITE: usize = 8;
const LEADER: usize = 16;
const NAZGUL: usize = 21;

/// Every kind of figure of which there are several, in the order in which facts and sentences name them.
pub const COUNTED: [Figure; 22] = {
    let mut kinds = [Figure::Nazgul; 22];
    let mut index = 0;
    while index < 8 {
        kinds[index] = Figure::Regular(Nation::ALL[index]);
        kinds[ELITE + index] = Figure::Elite(Nation::ALL[index]);
        if index < 5 {
            kinds[LEADER + index] = Figure::Leader(Nation::ALL[index]);
        }
        index += 1;
    }
    kinds
};

impl Figure {
    pub fn side(self) -> Side {
        match self {
            Figure::Regular(nation) | Figure::Elite(nation) | Figure::Leader(nation) => nation.side(),
            Figure::Nazgul => Side::Shadow,
            Figure::Character(character) => character.side(),
        }
    }

    /// 1.8: a Regular or an Elite.
    pub fn is_unit(self) -> bool {
        matches!(self, Figure::Regular(_) | Figure::Elite(_))
    }

    /// The Nation of a unit or FP Leader, whose politics limit it. Nazgûl and Characters act as if At War (1.25).
    pub fn bound_by(self) -> Option<Nation> {
        match self {
            Figure::Regular(nation) | Figure::Elite(nation) | Figure::Leader(nation) => Some(nation),
            Figure::Nazgul | Figure::Character(_) => None,
        }
    }

    /// The index of its kind in [`COUNTED`]; `None` for a Character.
    pub fn place(self) -> Option<usize> {
        match self {
            Figure::Regular(nation) => Some(nation.index()),
            Figure::Elite(nation) => Some(ELITE + nation.index()),
            Figure::Leader(nation) => Some(LEADER + nation.index()),
            Figure::Nazgul => Some(NAZGUL),
            Figure::Character(_) => None,
        }
    }
}

/// A bag of figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    counts: [u8; 22],
    characters: u16,
}

impl Figures {
    pub const NONE: Figures = Figures { counts: [0; 22], characters: 0 };

    /// A number of figures of one kind.
    pub fn of(figure: Figure, number: u8) -> Figures {
        let mut figures = Figures::NONE;
        figures.put(figure, number);
        figures
    }

    /// One figure.
    pub fn one(figure: Figure) -> Figures {
        Figures::of(figure, 1)
    }

    /// How many figures of this kind there are; for a Character 0 or 1.
    pub fn count(&self, figure: Figure) -> u8 {
        match figure {
            Figure::Character(character) => u8::from(self.has(character)),
            _ => self.counts[figure.place().expect("everything else is counted")],
        }
    }

    pub fn has(&self, character: Character) -> bool {
        self.characters & (1 << character.index()) != 0
    }

    pub fn is_empty(&self) -> bool {
        *self == Figures::NONE
    }

    /// The number of units of a side, which counts for Combat Strength and stacking.
    pub fn units(&self, side: Side) -> u8 {
        self.regulars(side) + self.elites(side)
    }

    pub fn regulars(&self, side: Side) -> u8 {
        self.counts[nations(side, 0)].iter().sum()
    }

    pub fn elites(&self, side: Side) -> u8 {
        self.counts[nations(side, ELITE)].iter().sum()
    }

    /// The number of units of a Nation.
    pub fn units_of(&self, nation: Nation) -> u8 {
        self.counts[nation.index()] + self.counts[ELITE + nation.index()]
    }

    /// The number of units and FP Leaders of a Nation.
    pub fn bound_by(&self, nation: Nation) -> u8 {
        let leaders = if nation.side() == Side::Free { self.counts[LEADER + nation.index()] } else { 0 };
        self.units_of(nation) + leaders
    }

    /// The number of FP Leaders.
    pub fn leaders(&self) -> u8 {
        self.counts[LEADER..NAZGUL].iter().sum()
    }

    pub fn nazgul(&self) -> u8 {
        self.counts[NAZGUL]
    }

    /// 1.12: the number of Nazgûl, including the Witch-king.
    pub fn nazgul_and_witch_king(&self) -> u8 {
        self.nazgul() + u8::from(self.has(Character::WitchKing))
    }

    /// The Characters, in the order of their table.
    pub fn characters(&self) -> impl Iterator<Item = Character> + use<> {
        let mask = self.characters;
        Character::ALL.into_iter().filter(move |character| mask & (1 << character.index()) != 0)
    }

    pub fn has_characters(&self, side: Side) -> bool {
        self.characters & characters(side) != 0
    }

    /// Every kind in the bag, with its number: units, Leaders, Nazgûl, Characters.
    pub fn iter(&self) -> impl Iterator<Item = (Figure, u8)> + use<'_> {
        let counted = COUNTED.into_iter().zip(self.counts).filter(|(_, number)| *number > 0);
        counted.chain(self.characters().map(|character| (Figure::Character(character), 1)))
    }

    /// Only the figures of a side.
    pub fn side(&self, side: Side) -> Figures {
        let mut figures = Figures::NONE;
        for base in [0, ELITE] {
            figures.counts[nations(side, base)].copy_from_slice(&self.counts[nations(side, base)]);
        }
        match side {
            Side::Free => figures.counts[LEADER..NAZGUL].copy_from_slice(&self.counts[LEADER..NAZGUL]),
            Side::Shadow => figures.counts[NAZGUL] = self.counts[NAZGUL],
        }
        figures.characters = self.characters & characters(side);
        figures
    }

    /// Without the units and FP Leaders of Nations for which `free_to_go` is false.
    pub fn bound_only_by(&self, free_to_go: impl Fn(Nation) -> bool) -> Figures {
        let mut figures = *self;
        for nation in Nation::ALL {
            if !free_to_go(nation) {
                figures.counts[nation.index()] = 0;
                figures.counts[ELITE + nation.index()] = 0;
                if nation.side() == Side::Free {
                    figures.counts[LEADER + nation.index()] = 0;
                }
            }
        }
        figures
    }

    /// Only the Regulars and Elites.
    pub fn only_units(&self) -> Figures {
        let mut figures = Figures::NONE;
        figures.counts[..LEADER].copy_from_slice(&self.counts[..LEADER]);
        figures
    }

    /// Only the FP Leaders.
    pub fn only_leaders(&self) -> Figures {
        let mut figures = Figures::NONE;
        figures.counts[LEADER..NAZGUL].copy_from_slice(&self.counts[LEADER..NAZGUL]);
        figures
    }

    /// Only the Characters.
    pub fn only_characters(&self) -> Figures {
        Figures { characters: self.characters, ..Figures::NONE }
    }

    pub fn put(&mut self, figure: Figure, number: u8) {
        match figure {
            Figure::Character(character) => self.put_character(character, number),
            _ => self.counts[figure.place().expect("everything else is counted")] += number,
        }
    }

    /// Takes out a number of figures of one kind.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn take(&mut self, figure: Figure, number: u8) {
        *self -= Figures::of(figure, number);
    }

    /// Only the Character, if he is here.
    pub fn of_character(&self, character: Character) -> Figures {
        Figures { characters: self.characters & (1 << character.index()), ..Figures::NONE }
    }

    /// Whether all these figures are here.
    pub fn contains(&self, part: &Figures) -> bool {
        // Compares all kinds without stopping early: the processor can do that in one go.
        let kinds = self.counts.iter().zip(part.counts);
        let counted = kinds.fold(true, |all, (here, part)| all & (part <= *here));
        counted && part.characters & !self.characters == 0
    }

    /// The figures that are in both bags.
    pub fn among(&self, others: &Figures) -> Figures {
        let mut common = Figures { characters: self.characters & others.characters, ..*self };
        common.counts.iter_mut().zip(others.counts).for_each(|(own, other)| *own = (*own).min(other));
        common
    }

    fn put_character(&mut self, character: Character, number: u8) {
        match number {
            0 => {}
            1 => self.characters |= 1 << character.index(),
            _ => panic!("there is one {character:?}, not {number}"),
        }
    }
}

impl std::ops::AddAssign for Figures {
    fn add_assign(&mut self, other: Figures) {
        for (own, more) in self.counts.iter_mut().zip(other.counts) {
            *own += more;
        }
        assert!(self.characters & other.characters == 0, "a Character stands in one place");
        self.characters |= other.characters;
    }
}

impl std::ops::SubAssign for Figures {
    fn sub_assign(&mut self, other: Figures) {
        assert!(self.contains(&other), "what is taken away is there: {other:?} of {self:?}");
        for (own, fewer) in self.counts.iter_mut().zip(other.counts) {
            // No underflow: the assertion has compared them.
            *own = own.wrapping_sub(fewer);
        }
        self.characters &= !other.characters;
    }
}

impl std::ops::Add for Figures {
    type Output = Figures;

    fn add(mut self, other: Figures) -> Figures {
        self += other;
        self
    }
}

impl std::ops::Sub for Figures {
    type Output = Figures;

    fn sub(mut self, other: Figures) -> Figures {
        self -= other;
        self
    }
}

fn nations(side: Side, base: usize) -> std::ops::Range<usize> {
    match side {
        Side::Free => base..base + 5,
        Side::Shadow => base + 5..base + 8,
    }
}

const fn characters(side: Side) -> u16 {
    match side {
        Side::Free => 0x1ff,
        Side::Shadow => 0xe00,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bag_knows_its_sides() {
        let mut bag = Figures::of(Figure::Regular(Nation::Gondor), 3);
        bag.put(Figure::Elite(Nation::Sauron), 2);
        bag.put(Figure::Leader(Nation::North), 1);
        bag.put(Figure::Nazgul, 4);
        bag.put(Figure::Character(Character::WitchKing), 1);
        assert_eq!((bag.units(Side::Free), bag.units(Side::Shadow)), (3, 2));
        assert_eq!(bag.nazgul_and_witch_king(), 5);
        assert_eq!(bag.side(Side::Free) + bag.side(Side::Shadow), bag);
        assert_eq!(bag.bound_by(Nation::North), 1);
        assert!(bag.contains(&bag.side(Side::Free)));
        assert_eq!((bag - bag.side(Side::Shadow)).leaders(), 1);
        assert_eq!(bag.iter().count(), 5);
    }

    #[test]
    fn every_kind_is_of_one_side() {
        for figure in COUNTED {
            let one = Figures::one(figure);
            assert_eq!((one.side(figure.side()), one.side(!figure.side())), (one, Figures::NONE), "{figure:?}");
        }
    }
}
