//! What still lies before the Ring-bearers, and the chance that they live through it, by the damage that they can take.

use crate::tile::{Tiles, Value};

/// Damage is told apart up to this number: nobody can take more.
const MOST: usize = 24;
/// The most that a tile heals, and the number of different results of a tile, from the most healing to the most damage.
const HEALS: usize = 2;
const DAMAGES: usize = 15;
/// The least chance to make a step, for a pool that has only Stop icons.
const LEAST: f64 = 0.05;

/// The chance of each result of a tile, from the most healing to the most damage.
type Chances = [f64; DAMAGES];

/// What the Ring-bearers must expect from a position to the end of the way.
#[derive(Clone, Copy, Debug)]
pub struct Ordeal {
    /// The damage on average.
    pub burden: f64,
    /// The chance to live, by the points of Corruption that they can still take; with 0 nobody lives.
    lives: [f64; MOST + 1],
}

/// What one step may bring: the chance of each damage, if the step is then made, and if it has to be tried again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peril {
    made: Chances,
    stopped: Chances,
}

impl Ordeal {
    /// The ordeal at the end of the way: nothing is left.
    pub fn over() -> Ordeal {
        Ordeal { burden: 0.0, lives: std::array::from_fn(|left| if left > 0 { 1.0 } else { 0.0 }) }
    }

    /// This ordeal, with one more peril before it.
    pub fn after(&self, peril: &Peril) -> Ordeal {
        let may_come = |damage: &usize| peril.made[*damage] > 0.0 || peril.stopped[*damage] > 0.0;
        let damages = (0..DAMAGES).find(may_come).unwrap_or(0)..(0..DAMAGES).rfind(may_come).map_or(0, |last| last + 1);
        let mut lives = [0.0; MOST + 1];
        for before in 1..=MOST {
            let (mut chance, mut as_before) = (0.0, 0.0);
            for damage in damages.clone() {
                let left = (before + HEALS).saturating_sub(damage).min(MOST);
                chance += peril.made[damage] * self.lives[left];
                // A step that is stopped is tried again with the points left; no tile that stops the Fellowship heals.
                if left < before {
                    chance += peril.stopped[damage] * lives[left];
                } else {
                    as_before += peril.stopped[damage];
                }
            }
            lives[before] = chance / (1.0 - as_before).max(LEAST);
        }
        Ordeal { burden: self.burden + peril.mean(), lives }
    }

    /// The chance to live with `left` points of Corruption to take, interpolated between whole numbers.
    pub fn chance(&self, left: f64) -> f64 {
        let (low, part) = between(left.clamp(0.0, MOST as f64), MOST);
        self.lives[low] + part * (self.lives[low + 1] - self.lives[low])
    }
}

impl Peril {
    /// A certain amount of damage; less than 0 heals.
    pub fn damage(damage: f64) -> Peril {
        let mut peril = Peril::default();
        add(&mut peril.made, damage, 1.0);
        peril
    }

    /// One of these tiles, drawn at random; an Eye does `eye` damage. 15.9: if `stops` is set, a tile with a Stop
    /// icon keeps the Fellowship from making its step.
    pub fn tile(tiles: Tiles, eye: f64, stops: bool) -> Peril {
        let mut peril = Peril::default();
        let share = 1.0 / f64::from(tiles.len());
        for tile in tiles.iter() {
            let chances = if stops && tile.stops() { &mut peril.stopped } else { &mut peril.made };
            match tile.value() {
                Value::Number(damage) => add(chances, f64::from(damage), share),
                Value::Eye => add(chances, eye, share),
                Value::Die => (1..=6).for_each(|damage| add(chances, f64::from(damage), share / 6.0)),
            }
        }
        peril
    }

    /// This peril with a chance, otherwise the other.
    pub fn or(&self, chance: f64, other: &Peril) -> Peril {
        let mixed = |one: &Chances, two: &Chances| {
            std::array::from_fn(|damage| chance * one[damage] + (1.0 - chance) * two[damage])
        };
        Peril { made: mixed(&self.made, &other.made), stopped: mixed(&self.stopped, &other.stopped) }
    }

    /// The damage on average, until the step is made.
    pub fn mean(&self) -> f64 {
        let chances = || self.made.iter().zip(&self.stopped).enumerate();
        let damage = |at: usize| at as f64 - HEALS as f64;
        let made: f64 = self.made.iter().sum();
        chances().map(|(at, (made, stopped))| damage(at) * (made + stopped)).sum::<f64>() / made.max(LEAST)
    }
}

/// Adds the chance of an amount of damage; an amount between two whole numbers is split between them.
fn add(chances: &mut Chances, damage: f64, chance: f64) {
    let last = DAMAGES - 1;
    let (low, part) = between((damage + HEALS as f64).clamp(0.0, last as f64), last);
    chances[low] += chance * (1.0 - part);
    chances[low + 1] += chance * part;
}

/// The whole part of a number, less than `most`, and the rest.
fn between(number: f64, most: usize) -> (usize, f64) {
    let low = (number as usize).min(most - 1);
    (low, number - low as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    fn tiles(ids: &[&str]) -> Tiles {
        let mut tiles = Tiles::NONE;
        ids.iter().for_each(|id| tiles.insert(Tile::of_id(id).unwrap()));
        tiles
    }

    fn chances<const N: usize>(perils: &[Peril], left: [f64; N]) -> [f64; N] {
        let ordeal = perils.iter().rev().fold(Ordeal::over(), |ordeal, peril| ordeal.after(peril));
        left.map(|left| (ordeal.chance(left) * 1e6).round() / 1e6)
    }

    #[test]
    fn the_last_point_of_corruption_ends_it() {
        assert_eq!(chances(&[], [0.0, 1.0, 12.0, 40.0]), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(chances(&[Peril::damage(2.0)], [1.0, 2.0, 2.5, 3.0]), [0.0, 0.0, 0.5, 1.0]);
        // Half a point is a point in one of two cases.
        assert_eq!(chances(&[Peril::damage(1.5)], [2.0, 3.0]), [0.5, 1.0]);
    }

    #[test]
    fn tiles_are_met_by_their_chances() {
        // Damage 0 and 3: after two of them 0, 3, 3 and 6.
        let draw = Peril::tile(tiles(&["std-01", "std-10"]), 9.0, true);
        assert_eq!(chances(&[draw, draw], [1.0, 3.0, 4.0, 6.0, 7.0]), [0.25, 0.25, 0.75, 0.75, 1.0]);
        // An Eye, and Sméagol, who heals before the next tile does damage.
        let eye = Peril::tile(tiles(&["std-13"]), 4.0, true);
        assert_eq!(chances(&[eye], [4.0, 5.0]), [0.0, 1.0]);
        let smeagol = Peril::tile(tiles(&["fp-smeagol"]), 4.0, true);
        assert_eq!(chances(&[smeagol, eye], [3.0, 4.0]), [0.0, 1.0]);
        assert_eq!(draw.or(0.5, &eye).mean(), 2.75);
    }

    #[test]
    fn a_stop_is_tried_again_with_what_is_left() {
        // Damage 1 and a stop, or no damage: each further point survives one more stop in a row.
        let give_it = Peril::tile(tiles(&["std-01", "sh-give-it-to-uss"]), 2.0, true);
        assert_eq!(chances(&[give_it], [1.0, 2.0, 3.0]), [0.5, 0.75, 0.875]);
        assert_eq!(give_it.mean(), 1.0);
        let before_mordor = Peril::tile(tiles(&["std-01", "sh-give-it-to-uss"]), 2.0, false);
        assert_eq!(chances(&[before_mordor], [1.0, 2.0]), [0.5, 1.0]);
        // Stops alone, and no die in the Hunt Box: nothing is gained, and nothing is lost.
        let stuck = Peril::tile(tiles(&["sh-the-ring-is-mine"]), 0.0, true);
        assert_eq!((chances(&[stuck], [1.0, 9.0]), stuck.mean()), ([0.0, 0.0], 0.0));
        // Shelob's Lair: one die, and the step is still to be made.
        let lair = Peril::tile(tiles(&["std-01", "sh-shelobs-lair"]), 2.0, true);
        assert_eq!(chances(&[lair], [1.0, 2.0]), [0.5, 0.5 + 0.5 * (0.5 / 6.0)].map(|c: f64| (c * 1e6).round() / 1e6));
    }
}
