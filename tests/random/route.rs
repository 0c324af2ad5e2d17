//! The games that a walk plays.

use super::manner::Manner;
use engine::chance::Practice;
use engine::practice::Table;
use engine::title::{Setup, Title};
use std::fmt;
use wotr::position;

/// Games of one set-up.
pub struct Route {
    pub title: &'static Title,
    pub players: usize,
    pub options: &'static [(&'static str, &'static str)],
    /// A position of War of the Ring in which the games begin, the first player to act; `None` for a new game.
    pub position: Option<&'static [(&'static str, &'static str)]>,
    pub games: u64,
    /// The sentences after which a game is stopped: random players may never finish.
    pub sentences_max: usize,
}

impl Route {
    pub fn setup(&self) -> Setup {
        let seats = self.title.seats(self.players).unwrap().into_iter().map(str::to_string).collect();
        let options = self.options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Setup { edition: self.title.editions[0].to_string(), seats, options }
    }

    /// The table of a game that begins.
    pub fn table(&self, setup: &Setup, chance: &mut Practice) -> Table {
        let Some(lines) = self.position else { return Table::new(self.title, setup, chance).unwrap() };
        let step = format!("{} go", setup.seats[0]);
        let lines: Vec<(&str, &str)> = lines.iter().copied().chain([("step", step.as_str())]).collect();
        let (game, faces) = position::begin(setup, &lines).unwrap();
        let mut table = Table { game, faces };
        table.deal(chance);
        table
    }

    /// In some games the players are bold or eager, which takes longer.
    pub fn manner(&self, seed: u64) -> Manner {
        match self.title.id {
            "risk" if seed % 2 == 1 => Manner::Bold,
            "wotr" if seed % 3 == 1 || self.position.is_some() => Manner::Eager,
            _ => Manner::Any,
        }
    }

    pub fn is_risk(&self) -> bool {
        self.title.id == "risk"
    }

    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|(_, value)| *value == option)
    }

    /// Whether everything is as it is without a choice.
    pub fn is_default(&self) -> bool {
        self.options.is_empty() && self.position.is_none()
    }
}

impl fmt::Display for Route {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} for {}", self.title.id, self.players)?;
        self.options.iter().try_for_each(|(name, value)| write!(formatter, ", {name} {value}"))?;
        if self.position.is_some() { write!(formatter, ", from a position") } else { Ok(()) }
    }
}
