//! The dice of a Combat roll (9.22 to 9.26), also of those that a card rolls.

/// 9.22: the most dice of a Combat roll, and of a re-roll (9.24).
pub const DICE_MAX: u8 = 5;

/// The two rolls of a round (9.26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roll {
    Combat,
    /// 9.24.
    Reroll,
}

/// The faces of dice that were rolled in a battle or for a card, and what each needs to hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    pub faces: [u8; DICE_MAX as usize],
    pub count: u8,
    /// 9.23.
    pub needs: u8,
    /// 9.26.
    pub bonus: i8,
}

impl Dice {
    /// The dice with these faces.
    pub fn of(fallen: &[u32], needs: u8, bonus: i8) -> Dice {
        let count = u8::try_from(fallen.len()).expect("at most five dice");
        let mut dice = Dice { faces: [0; DICE_MAX as usize], count, needs, bonus };
        for (face, fallen) in dice.faces.iter_mut().zip(fallen) {
            *face = u8::try_from(*fallen).expect("a die has six sides");
        }
        dice
    }

    /// 9.23, 9.26: how many of them hit.
    pub fn hits(&self) -> u8 {
        let fallen = &self.faces[..usize::from(self.count)];
        let hits = fallen.iter().filter(|face| is_hit(**face, self.needs, self.bonus)).count();
        u8::try_from(hits).expect("at most five dice")
    }

    /// How many of the six faces would hit.
    pub fn faces_that_hit(&self) -> u8 {
        let faces = (1..=6).filter(|face| is_hit(*face, self.needs, self.bonus)).count();
        u8::try_from(faces).expect("a die has six sides")
    }

    /// How many of them show a 1.
    pub fn ones(&self) -> u8 {
        let fallen = &self.faces[..usize::from(self.count)];
        u8::try_from(fallen.iter().filter(|face| **face == 1).count()).expect("at most five dice")
    }
}

/// 9.26: a natural 1 never hits, a natural 6 always does.
pub fn is_hit(face: u8, needs: u8, bonus: i8) -> bool {
    face == 6 || (face != 1 && face.saturating_add_signed(bonus) >= needs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(face: u8, needs: u8, bonus: i8, expected: bool) {
        assert_eq!(is_hit(face, needs, bonus), expected, "{face} + {bonus} against {needs}");
    }

    #[test]
    fn a_natural_1_never_hits_and_a_natural_6_always_does() {
        case(5, 5, 0, true);
        case(4, 5, 0, false);
        case(5, 6, 0, false);
        case(5, 6, 1, true);
        case(4, 5, 1, true);
        case(1, 5, 5, false);
        case(6, 7, 0, true);
        case(5, 5, -1, false);
        case(6, 6, -1, true);
    }
}
