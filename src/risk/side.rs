//! The two sides of the War of the Ring (1.6).

use engine::name::{Name, Named};
use serde::Deserialize;
use std::sync::LazyLock;

/// A side: yellow and green are good, red and black are evil.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Good,
    Evil,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Good => Side::Evil,
            Side::Evil => Side::Good,
        }
    }
}

static NAMES: LazyLock<[Name; 2]> = LazyLock::new(|| [Name::new("good", "Good", &[]), Name::new("evil", "Evil", &[])]);

impl Named for Side {
    fn name(&self) -> &'static Name {
        &NAMES[*self as usize]
    }
}
