//! A set of territories: one number, so that it is cheap to copy and to compare.

use crate::territory::{REGIONS, Region, TERRITORIES, Territory};
use std::sync::LazyLock;

/// A set of territories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lands(u64);

impl Lands {
    pub const NONE: Lands = Lands(0);
    pub const ALL: Lands = Lands(u64::MAX);

    /// The territories of a region.
    pub fn of(region: Region) -> Lands {
        static REGIONS_LANDS: LazyLock<[Lands; REGIONS]> =
            LazyLock::new(|| Region::ALL.map(|region| region.territories().iter().copied().collect()));
        REGIONS_LANDS[region.index()]
    }

    /// The territories with a stronghold (1.5).
    pub fn strongholds() -> Lands {
        static STRONGHOLDS: LazyLock<Lands> =
            LazyLock::new(|| Territory::ALL.into_iter().filter(|territory| territory.stronghold().is_some()).collect());
        *STRONGHOLDS
    }

    /// The territories next to this one (2.2).
    pub fn next_to(territory: Territory) -> Lands {
        static NEIGHBOURS: LazyLock<[Lands; TERRITORIES]> =
            LazyLock::new(|| Territory::ALL.map(|territory| territory.neighbours().iter().copied().collect()));
        NEIGHBOURS[territory.index()]
    }

    pub fn contains(self, territory: Territory) -> bool {
        self.0 >> territory.0 & 1 == 1
    }

    pub fn insert(&mut self, territory: Territory) {
        self.0 |= 1 << territory.0;
    }

    pub fn remove(&mut self, territory: Territory) {
        self.0 &= !(1 << territory.0);
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn and(self, other: Lands) -> Lands {
        Lands(self.0 & other.0)
    }

    pub fn or(self, other: Lands) -> Lands {
        Lands(self.0 | other.0)
    }

    pub fn without(self, other: Lands) -> Lands {
        Lands(self.0 & !other.0)
    }

    /// Whether all of these are among the others.
    pub fn within(self, others: Lands) -> bool {
        self.without(others).is_empty()
    }

    /// The first in the order of the board.
    pub fn first(self) -> Option<Territory> {
        self.iter().next()
    }

    /// The territories in the order of the board.
    pub fn iter(self) -> impl Iterator<Item = Territory> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let place = left.trailing_zeros();
            left &= left - 1;
            Some(Territory(u8::try_from(place).expect("a place below 64")))
        })
    }

    /// The territories next to any of these.
    pub fn surroundings(self) -> Lands {
        self.iter().fold(Lands::NONE, |around, territory| around.or(Lands::next_to(territory)))
    }
}

impl FromIterator<Territory> for Lands {
    fn from_iter<I: IntoIterator<Item = Territory>>(territories: I) -> Lands {
        let mut lands = Lands::NONE;
        territories.into_iter().for_each(|territory| lands.insert(territory));
        lands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_its_members_in_order() {
        let lands: Lands = [Territory(63), Territory(0), Territory(5)].into_iter().collect();
        assert_eq!(lands.iter().collect::<Vec<_>>(), [Territory(0), Territory(5), Territory(63)]);
        assert_eq!(lands.len(), 3);
        assert!(lands.contains(Territory(63)) && !lands.contains(Territory(62)));
    }

    #[test]
    fn the_regions_make_up_the_board() {
        let all = Region::ALL.into_iter().fold(Lands::NONE, |all, region| all.or(Lands::of(region)));
        assert_eq!(all, Lands::ALL);
        assert_eq!(Lands::strongholds().len(), 11);
    }
}
