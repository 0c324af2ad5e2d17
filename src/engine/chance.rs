//! Chance as the kernel sees it: a source of uniform numbers, which the caller provides.

use crate::need::{Answer, Draw};

/// A source of uniform numbers.
pub trait Chance {
    /// A number from 0 up to but not including `bound`, each as likely as any other. `bound` is at least 1.
    fn below(&mut self, bound: u32) -> u32;
}

/// Draws the values that are needed, in the order given in log 7.6.
pub fn drawn(draw: &Draw, chance: &mut dyn Chance) -> Answer {
    match draw {
        Draw::Dice { sides, count, .. } => Answer::Dice((0..*count).map(|_| 1 + chance.below(*sides)).collect()),
        Draw::Slot { left, .. } => {
            let count = u32::try_from(left.len()).expect("a deck has at most 65,536 positions");
            Answer::Position(left[chance.below(count) as usize])
        }
        Draw::Shuffle { count, .. } => Answer::Order(shuffled(*count, chance)),
    }
}

/// The numbers below `count`, shuffled by Fisher and Yates from the last place down.
pub fn shuffled(count: u16, chance: &mut dyn Chance) -> Vec<u16> {
    let mut order: Vec<u16> = (0..count).collect();
    for place in (1..usize::from(count)).rev() {
        let other = chance.below(u32::try_from(place + 1).expect("a place fits 16 bits")) as usize;
        order.swap(place, other);
    }
    order
}

/// A small, fast source for practice games, where nobody has to trust the dice (SplitMix64, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Practice {
    state: u64,
}

impl Practice {
    pub fn new(seed: u64) -> Practice {
        Practice { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Chance for Practice {
    fn below(&mut self, bound: u32) -> u32 {
        // The high half of a product with 32 random bits: the bias is below 2^-32 × bound, enough for practice.
        let wide = (self.next() >> 32) * u64::from(bound);
        u32::try_from(wide >> 32).expect("a product of two 32-bit numbers, shifted by 32")
    }
}
