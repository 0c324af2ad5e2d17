//! Says something at random. Every path of a menu is possible.

use crate::chance::Chance;
use crate::menu::stop::{Ask, Stop};
use crate::name::Named;
use crate::refusal::Allowed;
use std::ops::RangeInclusive;

/// The most parts of a split, or things of a list, that random play says.
const PARTS_MAX: u32 = 3;

/// The index of a random one of `count` things that is allowed.
pub fn one_of(chance: &mut dyn Chance, count: usize, allowed: impl Fn(usize) -> bool) -> Ask<usize> {
    if count == 0 {
        return Err(Stop::DeadEnd);
    }
    // Usually most things are allowed, so a few blind attempts are cheaper than checking all of them.
    let bound = u32::try_from(count).expect("a menu has fewer than 2^32 ways");
    for _ in 0..4 {
        let index = chance.below(bound) as usize;
        if allowed(index) {
            return Ok(index);
        }
    }
    let open: Vec<usize> = (0..count).filter(|index| allowed(*index)).collect();
    match u32::try_from(open.len()).expect("no more than before") {
        0 => Err(Stop::DeadEnd),
        bound => Ok(open[chance.below(bound) as usize]),
    }
}

pub fn number(chance: &mut dyn Chance, range: RangeInclusive<u32>) -> Ask<u32> {
    if range.is_empty() {
        return Err(Stop::DeadEnd);
    }
    Ok(range.start() + chance.below(range.end() - range.start() + 1))
}

pub fn split<T: Named + PartialEq>(
    chance: &mut dyn Chance,
    total: u32,
    things: &[T],
    allowed: &dyn Fn(T) -> Allowed,
) -> Ask<Vec<(u32, T)>> {
    let mut parts: Vec<(u32, T)> = Vec::new();
    let mut left = total;
    for _ in 0..1 + chance.below(PARTS_MAX) {
        if left == 0 {
            break;
        }
        let thing = things[one_of(chance, things.len(), |index| allowed(things[index]).is_ok())?];
        if parts.iter().all(|(_, chosen)| *chosen != thing) {
            let number = 1 + chance.below(left);
            parts.push((number, thing));
            left -= number;
        }
    }
    if parts.is_empty() { Err(Stop::DeadEnd) } else { Ok(parts) }
}

pub fn several<T: Named + PartialEq>(
    chance: &mut dyn Chance,
    most: usize,
    things: &[T],
    allowed: &dyn Fn(T) -> Allowed,
) -> Ask<Vec<T>> {
    let mut chosen: Vec<T> = Vec::new();
    for _ in 0..1 + chance.below(PARTS_MAX) {
        let thing = things[one_of(chance, things.len(), |index| allowed(things[index]).is_ok())?];
        if chosen.len() < most && !chosen.contains(&thing) {
            chosen.push(thing);
        }
    }
    Ok(chosen)
}
