//! The switches of a game (17): the choices that the rules leave open, as its charter made them.

use engine::title::{Setup, Switch, Unplayable};

/// Which game is played (14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Individual,
    Alliance,
    Team,
    Standard,
}

/// Who may play no further card in the turn in which a Mission or Power card was drawn (10.3, ▲27).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step5Lock {
    Drawer,
    Everyone,
}

/// How many dice a defender rolls if he has a choice (6.4, ▲17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefenderDice {
    Max,
    Ask,
}

/// What a card in front of a player scores (12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardPoints {
    AsPrinted,
    AllOne,
}

/// The values of all switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    pub variant: Variant,
    /// 22, or 21 without Mount Gundabad (▲2).
    pub sites: u8,
    /// Whether a Leader who was already on a site before this turn can complete its Mission (▲22).
    pub mission_if_already_there: bool,
    pub step5_lock: Step5Lock,
    /// Whether the final roll is made as soon as the Ring arrives (▲29).
    pub doom_roll_on_arrival: bool,
    /// Whether allies may be invaded (▲14).
    pub attack_allies: bool,
    pub defender_dice: DefenderDice,
    pub card_points: CardPoints,
}

pub const SWITCHES: &[Switch] = &[
    Switch {
        name: "variant",
        values: &["individual", "alliance", "team", "standard"],
        help: "The trilogy game for single players, Alliance Risk, Team Risk or Standard Risk (14).",
    },
    Switch {
        name: "sites",
        values: &["22", "21"],
        help: "How many Sites of Power there are; 21 leaves out Mount Gundabad and its Mission (▲2).",
    },
    Switch {
        name: "mission_if_already_there",
        values: &["true", "false"],
        help: "Whether a Leader who was on a site before this turn can complete its Mission (8.3, ▲22).",
    },
    Switch {
        name: "step5_lock",
        values: &["drawer", "everyone"],
        help: "Who plays no further card in a turn once a Mission or Power card was drawn in it (10.3, ▲27).",
    },
    Switch {
        name: "doom_roll_on_arrival",
        values: &["true", "false"],
        help: "Whether the final roll is made as soon as the Ring comes to Mount Doom (11.3, ▲29).",
    },
    Switch {
        name: "attack_allies",
        values: &["false", "true"],
        help: "Whether allies may be invaded in Alliance and Team Risk (6.1, ▲14).",
    },
    Switch {
        name: "defender_dice",
        values: &["max", "ask"],
        help: "Whether defenders roll as many dice as they can, or are asked before every battle (6.4, ▲17).",
    },
    Switch {
        name: "card_points",
        values: &["cards.yaml", "all_one"],
        help: "Whether a card scores what it says, or every card 1 (12.2).",
    },
];

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            variant: Variant::Individual,
            sites: 22,
            mission_if_already_there: true,
            step5_lock: Step5Lock::Drawer,
            doom_roll_on_arrival: true,
            attack_allies: false,
            defender_dice: DefenderDice::Max,
            card_points: CardPoints::AsPrinted,
        }
    }
}

impl Switches {
    /// The switches of a set-up. An unknown switch or value is refused; the refusal lists the known ones.
    pub fn of(setup: &Setup) -> Result<Switches, Unplayable> {
        let mut switches = Switches::default();
        for (name, value) in &setup.options {
            let Some(switch) = SWITCHES.iter().find(|switch| switch.name == name) else {
                let names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
                return Err(Unplayable(format!("there is no switch `{name}`; there are {}", names.join(", "))));
            };
            if !switch.values.contains(&value.as_str()) {
                let values = switch.values.join(", ");
                return Err(Unplayable(format!("`{name}` cannot be `{value}`; it can be {values}")));
            }
            switches.set(name, value);
        }
        Ok(switches)
    }

    fn set(&mut self, name: &str, value: &str) {
        match (name, value) {
            ("variant", "alliance") => self.variant = Variant::Alliance,
            ("variant", "team") => self.variant = Variant::Team,
            ("variant", "standard") => self.variant = Variant::Standard,
            ("variant", _) => self.variant = Variant::Individual,
            ("sites", "21") => self.sites = 21,
            ("sites", _) => self.sites = 22,
            ("mission_if_already_there", value) => self.mission_if_already_there = value == "true",
            ("step5_lock", "everyone") => self.step5_lock = Step5Lock::Everyone,
            ("step5_lock", _) => self.step5_lock = Step5Lock::Drawer,
            ("doom_roll_on_arrival", value) => self.doom_roll_on_arrival = value == "true",
            ("attack_allies", value) => self.attack_allies = value == "true",
            ("defender_dice", "ask") => self.defender_dice = DefenderDice::Ask,
            ("defender_dice", _) => self.defender_dice = DefenderDice::Max,
            ("card_points", "all_one") => self.card_points = CardPoints::AllOne,
            ("card_points", _) => self.card_points = CardPoints::AsPrinted,
            _ => unreachable!("only known switches are set"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(name: &str, value: &str) -> Setup {
        Setup { options: vec![(name.to_string(), value.to_string())], ..Setup::default() }
    }

    #[test]
    fn the_first_value_of_every_switch_is_its_default() {
        for switch in SWITCHES {
            assert_eq!(Switches::of(&setup(switch.name, switch.values[0])), Ok(Switches::default()), "{}", switch.name);
            for value in &switch.values[1..] {
                assert_ne!(Switches::of(&setup(switch.name, value)), Ok(Switches::default()), "{}", switch.name);
            }
        }
    }

    #[test]
    fn what_there_is_not_is_refused() {
        let refused = Switches::of(&setup("sites", "23")).unwrap_err();
        assert_eq!(refused.to_string(), "`sites` cannot be `23`; it can be 22, 21");
        assert!(Switches::of(&setup("site", "21")).is_err());
    }
}
