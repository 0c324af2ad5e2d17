//! The players' colours and their sides (1.6, 3.1).

use crate::side::Side;
use engine::listed::listed;
use engine::name::{Name, Named};
use std::sync::LazyLock;

listed! {
    /// The colour of a player's battalions. Yellow and green are good, red and black are evil.
    Colour { Yellow, Green, Red, Black }
}

impl Colour {
    pub fn side(self) -> Side {
        match self {
            Colour::Yellow | Colour::Green => Side::Good,
            Colour::Red | Colour::Black => Side::Evil,
        }
    }

    /// Its id, as in seats and facts.
    pub fn word(self) -> &'static str {
        match self {
            Colour::Yellow => "yellow",
            Colour::Green => "green",
            Colour::Red => "red",
            Colour::Black => "black",
        }
    }
}

impl Named for Colour {
    fn name(&self) -> &'static Name {
        static NAMES: LazyLock<[Name; 4]> = LazyLock::new(|| {
            [
                Name::new("yellow", "Yellow", &[]),
                Name::new("green", "Green", &[]),
                Name::new("red", "Red", &[]),
                Name::new("black", "Black", &[]),
            ]
        });
        &NAMES[*self as usize]
    }
}
