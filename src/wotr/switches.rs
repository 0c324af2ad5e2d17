/*! The switches of a game (19): for each point where the sources differ, the reading that its charter chose.

A preset sets all of them at once; single switches may be set differently from it.
*/

use engine::title::{Setup, Switch, Unplayable};

/// The values of all switches. Each number is a place in the list of values of its switch; 0 is the second edition's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    values: [u8; SWITCHES.len()],
}

/// A switch by its name. What each changes is in [`SWITCHES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Choice {
    Preset,
    IsengardStepsToWar,
    GorgorothRegulars,
    DiceBonusSource,
    GuideWindow,
    ForcedDie,
    GandalfGreyDraw,
    GandalfWhiteEntry,
    AragornNeedsUnconquered,
    StriderCaptain,
    WitchKingEntry,
    WitchKingActivates,
    Sorcerer,
    MouthEntry,
    VoiceOfSaruman,
    SouthronElitesLead,
    GollumIgnoresReveal,
    CardOrder,
    RoundLimit,
    FreeEliteReplacement,
    PassiveAdvance,
    AttackTrigger,
    NonBelligerentMoves,
    HuntRollBonus,
    HuntRerolls,
    MordorEntry,
    MordorPool,
    MovesToDoom,
    MordorIdle,
    MoveOverTen,
    NullPlay,
    WardDiscard,
    OverFullGarrison,
    ActivationOnSeparation,
    StaffStep,
    CaptainsOfTheWest,
    LeadershipLimit,
    DevilryOfOrthanc,
    VoiceElites,
    FellowshipOwner,
    FreeDraw,
    ShadowDraw,
    Order,
    Pass,
    RingsPerTurn,
}

const fn switch(name: &'static str, values: &'static [&'static str], help: &'static str) -> Switch {
    Switch { name, values, help }
}

pub const SWITCHES: &[Switch] = &[
    switch(
        "preset",
        &["second-edition", "rules-guide-2.5", "reference-manual", "first-edition"],
        "The switches that hold unless they are set one by one (19.1); first-edition is partial (19.40).",
    ),
    switch("setup.isengard_steps_to_war", &["1", "2", "3"], "How far Isengard is from war at the start (2.7)."),
    switch("setup.gorgoroth_regulars", &["3", "0", "1", "2"], "Regulars that start in Gorgoroth (2.8)."),
    switch("dice.bonus_source", &["characters", "mordor"], "What gives a side more Action dice (3.3, 19.5)."),
    switch(
        "fellowship.guide_window",
        &["end_of_phase", "turn_end", "during_phase"],
        "When another Guide may be named (3.7, 19.6).",
    ),
    switch(
        "hunt.forced_die",
        &["allocation", "recovery_extra", "none"],
        "What forces a die into the Hunt (3.14, 19.7).",
    ),
    switch(
        "cards.gandalf_grey_draw",
        &["event_die", "any_die", "event_die_character_card"],
        "When Gandalf the Grey draws a card (5.15, 19.8).",
    ),
    switch(
        "characters.gandalf_white_entry",
        &["card", "dead_and_minion_now"],
        "When Gandalf the White may enter (6.19, 19.9).",
    ),
    switch(
        "characters.aragorn_needs_unconquered",
        &["true", "false"],
        "Whether Aragorn enters only in an unconquered Settlement (6.18).",
    ),
    switch("characters.strider_captain", &["true", "false"], "Whether Strider is a Captain of the West (6.27)."),
    switch(
        "characters.witch_king_entry",
        &["card", "shadow_4_vp", "sauron_at_war"],
        "When the Witch-king may enter (6.23, 19.12).",
    ),
    switch(
        "characters.witch_king_activates",
        &["true", "false"],
        "Whether the Witch-king's entry activates every Nation (6.23).",
    ),
    switch(
        "characters.sorcerer",
        &["first_round", "any_round", "first_round_any_deck"],
        "When the Witch-king draws a card (6.23, 19.14).",
    ),
    switch("characters.mouth_entry", &["card", "any_time"], "When the Mouth of Sauron may enter (6.24, 19.15)."),
    switch("characters.voice_of_saruman", &["true", "false"], "Whether Saruman has his Voice (6.22)."),
    switch(
        "characters.southron_elites_lead",
        &["multiplayer", "always"],
        "Whether Southron Elites lead with Saruman in play (1.20, 6.21).",
    ),
    switch(
        "characters.gollum_ignores_reveal",
        &["true", "false"],
        "Whether Gollum stops Reveal icons on numbered tiles (14.26).",
    ),
    switch("combat.card_order", &["initiative", "defender_first"], "Which Combat card acts first (9.18, 19.19)."),
    switch("combat.round_limit", &["none", "5"], "After how many rounds a field battle ends (9.36)."),
    switch(
        "combat.fp_elite_replacement",
        &["casualties_then_reinforcements", "casualties_only"],
        "Where the Regular comes from that replaces an FP Elite (9.31).",
    ),
    switch("politics.passive_advance", &["true", "false"], "Whether diplomacy advances passive Nations (12.2, 12.9)."),
    switch("politics.attack_trigger", &["units", "region"], "Which Nations react to an attack (9.11, 19.23)."),
    switch(
        "politics.non_belligerent_moves",
        &["no_foreign_entry", "stay_home"],
        "Where Nations not At War may move (7.20, 19.24).",
    ),
    switch("hunt.roll_bonus", &["dice_in_box", "moves_this_turn"], "What helps the Hunt roll (14.8, 19.25)."),
    switch("hunt.rerolls", &["per_condition", "per_figure"], "How many Hunt dice are re-rolled (14.9, 19.26)."),
    switch("mordor.entry", &["standing", "declared"], "When the Fellowship may enter Mordor (15.2, 19.27)."),
    switch("mordor.pool", &["eyes_back", "all_standard_back"], "Which tiles return in Mordor (15.3, 19.28)."),
    switch("mordor.moves_to_doom", &["5", "6"], "Steps to the Crack of Doom (15.10)."),
    switch("mordor.idle", &["no_attempt", "revealed_only"], "Who pays for an idle turn in Mordor (15.16, 19.30)."),
    switch("stacking.move_over_ten", &["trim", "forbid"], "Whether a move may lead to more than ten units (7.4, ▲8)."),
    switch("cards.null_play", &["allow", "refuse"], "Whether a card without effect may be played (5.13, ▲14)."),
    switch("cards.ward_discard", &["icon", "deck"], "What pays for the two FP wards (5.22, ▲62)."),
    switch(
        "cards.over_full_garrison",
        &["recruit_then_remove", "stop_at_five"],
        "How a card recruits into a full garrison (8.15, ▲29).",
    ),
    switch(
        "fellowship.activation_on_separation",
        &["last_region", "start_too"],
        "Where a separated Companion activates (12.5, ▲43).",
    ),
    switch("mordor.staff_step", &["made", "not_made"], "What Wizard's Staff does in Mordor (15.13, ▲53)."),
    switch("combat.captains_of_the_west", &["each", "one"], "What several Captains of the West add (6.27, 23.6)."),
    switch(
        "combat.leadership_limit",
        &["after_forfeits", "before_forfeits"],
        "When Leadership is cut to 5 (9.24, 23.8).",
    ),
    switch(
        "combat.devilry_of_orthanc",
        &["siege_battle", "stronghold"],
        "Where Devilry of Orthanc may be laid (C6.17, 23.9).",
    ),
    switch(
        "characters.voice_elites",
        &["up_to_two", "exactly_two"],
        "Whether the Voice makes an Elite of a single Regular (6.22, 23.7).",
    ),
    switch(
        "mp4.fellowship_owner",
        &["either", "rohan_player"],
        "With four players, who moves and hides the Fellowship and separates Companions (17.30).",
    ),
    switch(
        "mp3.fp_draw",
        &["two_every_turn", "two_then_one"],
        "With three players, what the Free Peoples draw in phase 1 (17.11).",
    ),
    switch(
        "mp3.shadow_draw",
        &["two_then_one", "one_every_turn"],
        "With three players, what each player of the Shadow draws in phase 1 (17.11).",
    ),
    switch("mp3.order", &["free_peoples_first", "shadow_first"], "With three players, who has the first go (17.20)."),
    switch("mp.pass", &["keeps_place", "loses_place"], "Whose go it is in a team after a pass (17.22)."),
    switch("mp.rings_per_turn", &["team", "player"], "How many Elven Rings a team may use in a turn (17.24)."),
];

/// The switches that each preset sets to other values than the defaults (19).
const PRESETS: [&[(Choice, u8)]; 4] = [
    &[],
    &[
        (Choice::IsengardStepsToWar, 1),
        (Choice::GorgorothRegulars, 1),
        (Choice::GuideWindow, 1),
        (Choice::ForcedDie, 1),
        (Choice::GandalfGreyDraw, 1),
        (Choice::GandalfWhiteEntry, 1),
        (Choice::AragornNeedsUnconquered, 1),
        (Choice::StriderCaptain, 1),
        (Choice::WitchKingEntry, 1),
        (Choice::WitchKingActivates, 1),
        (Choice::Sorcerer, 1),
        (Choice::MouthEntry, 1),
        (Choice::VoiceOfSaruman, 1),
        (Choice::SouthronElitesLead, 1),
        (Choice::GollumIgnoresReveal, 1),
        (Choice::CardOrder, 1),
        (Choice::RoundLimit, 1),
        (Choice::FreeEliteReplacement, 1),
        (Choice::PassiveAdvance, 1),
        (Choice::HuntRollBonus, 1),
        (Choice::MordorEntry, 1),
        (Choice::MordorPool, 1),
        (Choice::MovesToDoom, 1),
        (Choice::MordorIdle, 1),
        (Choice::FellowshipOwner, 1),
        (Choice::FreeDraw, 1),
        (Choice::ShadowDraw, 1),
        (Choice::Order, 1),
    ],
    &[
        (Choice::DiceBonusSource, 1),
        (Choice::GuideWindow, 2),
        (Choice::AttackTrigger, 1),
        (Choice::NonBelligerentMoves, 1),
        (Choice::HuntRerolls, 1),
        (Choice::MordorEntry, 1),
    ],
    &[
        (Choice::ForcedDie, 2),
        (Choice::GandalfGreyDraw, 2),
        (Choice::WitchKingEntry, 2),
        (Choice::Sorcerer, 2),
        (Choice::MordorEntry, 1),
    ],
];

/// Whether a switch has a meaning for this number of players: the name of a switch of chapter 17 begins with its
/// number of players (`mp3`, `mp4`, or `mp` for both).
pub fn concerns(name: &str, players: usize) -> bool {
    match name.split_once('.') {
        Some(("mp", _)) => players != 2,
        Some(("mp3", _)) => players != 2 && players != 4,
        Some(("mp4", _)) => players != 2 && players != 3,
        _ => true,
    }
}

impl Default for Switches {
    fn default() -> Switches {
        Switches { values: [0; SWITCHES.len()] }
    }
}

impl Switches {
    /// The switches of a set-up. An unknown switch or value is refused; the refusal lists the known ones.
    pub fn of(setup: &Setup) -> Result<Switches, Unplayable> {
        let mut switches = Switches::default();
        let mut chosen: Vec<(usize, u8)> = Vec::new();
        let players = setup.seats.len();
        for (name, value) in &setup.options {
            let Some(index) = SWITCHES.iter().position(|switch| switch.name == name) else {
                let names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
                return Err(Unplayable(format!("there is no switch `{name}`; there are {}", names.join(", "))));
            };
            let Some(value) = SWITCHES[index].values.iter().position(|known| known == value) else {
                let values = SWITCHES[index].values.join(", ");
                return Err(Unplayable(format!("`{name}` cannot be `{value}`; it can be {values}")));
            };
            if !concerns(name, players) {
                let number = if name.starts_with("mp.") { "3 or 4" } else { &name[2..3] };
                return Err(Unplayable(format!("`{name}` is for {number} players, and these are {players}")));
            }
            chosen.push((index, u8::try_from(value).expect("a switch has few values")));
        }
        if let Some((_, preset)) = chosen.iter().find(|(index, _)| *index == Choice::Preset as usize) {
            for (choice, value) in PRESETS[usize::from(*preset)] {
                if concerns(SWITCHES[*choice as usize].name, players) {
                    switches.values[*choice as usize] = *value;
                }
            }
        }
        for (index, value) in chosen {
            switches.values[index] = value;
        }
        Ok(switches)
    }

    /// Whether the switch has its first value, that of the second edition.
    pub fn is_default(&self, choice: Choice) -> bool {
        self.value(choice) == 0
    }

    /// The place of its value in the list of values.
    pub fn value(&self, choice: Choice) -> u8 {
        self.values[choice as usize]
    }

    /// The value, as charters write it.
    pub fn word(&self, choice: Choice) -> &'static str {
        SWITCHES[choice as usize].values[usize::from(self.value(choice))]
    }

    /// The value of a switch that is a number.
    pub fn number(&self, choice: Choice) -> u8 {
        self.word(choice).parse().expect("the switch is a number")
    }

    /// Every switch that differs from the second edition, for the facts.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let changed = SWITCHES.iter().zip(self.values).filter(|(_, value)| *value != 0);
        changed.map(|(switch, value)| (switch.name, switch.values[usize::from(value)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(options: &[(&str, &str)]) -> Result<Switches, Unplayable> {
        let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Switches::of(&Setup { options, ..Setup::default() })
    }

    #[test]
    fn options_stand_in_the_order_of_the_table() {
        assert_eq!(SWITCHES[Choice::StaffStep as usize].name, "mordor.staff_step");
        assert_eq!(SWITCHES[Choice::RoundLimit as usize].name, "combat.round_limit");
        assert_eq!(SWITCHES[Choice::MordorEntry as usize].name, "mordor.entry");
    }

    #[test]
    fn a_switch_is_set_over_its_preset() {
        let switches = of(&[("combat.round_limit", "none"), ("preset", "rules-guide-2.5")]).unwrap();
        assert_eq!(switches.word(Choice::RoundLimit), "none");
        assert_eq!(switches.number(Choice::MovesToDoom), 6);
        assert!(of(&[("preset", "third-edition")]).is_err());
    }

    /// The rows of the tables of chapter 19 in the rulebook: the cells of each switch that is built.
    fn rows() -> Vec<Vec<String>> {
        let book = include_str!("rules.md");
        let from = book.find("19.42 ").expect("the tables stand there");
        let to = from + book[from..].find("\n19.44 ").expect("the tables end there");
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().replace('`', "")).collect::<Vec<String>>();
        let rows = book[from..to].lines().filter(|line| line.starts_with("| `"));
        rows.map(|line| cells(line)[1..].to_vec()).collect()
    }

    /// 19.42, 19.43: the tables of the rulebook name every switch once, with its values, and what each preset sets.
    #[test]
    fn presets_are_those_of_the_rulebook() {
        let (mut seen, mut values_seen) = (Vec::new(), 0);
        for row in rows() {
            let index = SWITCHES.iter().position(|switch| switch.name == row[0]);
            let index = index.unwrap_or_else(|| panic!("`{}` is a switch", row[0]));
            let switch = &SWITCHES[index];
            assert!(!seen.contains(&index), "{} has one row", switch.name);
            seen.push(index);
            assert_eq!(row[2], switch.values[0], "the default of {}", switch.name);
            // 19.42 has a column for each preset, 19.43 the default and the other values.
            let by_preset = row.len() == PRESETS.len() + 4;
            if !by_preset {
                let others: Vec<&str> = row[3].split(", ").collect();
                assert_eq!(others, switch.values[1..], "the values of {}", switch.name);
            }
            for (place, preset) in SWITCHES[0].values.iter().enumerate() {
                let word = if by_preset { row[2 + place].as_str() } else { "=" };
                let default = word == "=" || word == "unknown (=)";
                let expected = if default { switch.values[0] } else { word };
                let set = of(&[("preset", preset)]).unwrap();
                assert_eq!(switch.values[usize::from(set.values[index])], expected, "{} of {preset}", switch.name);
                values_seen += 1;
            }
        }
        assert_eq!(seen.len(), SWITCHES.len() - 1, "every switch but the preset has a row");
        assert_eq!(values_seen, 4 * seen.len());
    }
}
