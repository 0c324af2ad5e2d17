/*! The weights of the bot's judgement, as data: `weights.yaml` beside this file, printed by the program that looks
for better ones in games against itself (`cargo run --release --example weights -- --help`).

They are whole thousandths, so that the file has exactly the weights that were found. The file is read once; a program
that looks for better weights judges by a set of its own.
*/

use engine::printed;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static FOUND: LazyLock<Weights> = LazyLock::new(|| Weights::of(&named(FILE)).expect("each weight is named"));

/// The file, with its head, which says how it was found.
pub const FILE: &str = include_str!("weights.yaml");

macro_rules! weights {
    ($($(#[$what:meta])* $name:ident),* $(,)?) => {
        /// What is weighed, and how much.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Weights {
            $($(#[$what])* pub $name: f64,)*
        }

        impl Weights {
            /// The weights of a file; `None` if one is missing or unknown.
            pub fn of(named: &BTreeMap<String, i32>) -> Option<Weights> {
                let weight = |name: &str| Some(f64::from(*named.get(name)?) / 1_000.0);
                let found = Weights { $($name: weight(stringify!($name))?,)* };
                (named.len() == NAMES.len()).then_some(found)
            }
        }

        /// The names of all weights, in the order of the file.
        pub const NAMES: &[&str] = &[$(stringify!($name),)*];
    };
}

weights! {
    /// Hope: how uncertain the winner of a race is, and how much that grows with each turn.
    doubt,
    doubt_by_turn,
    /// The part that counts of the Free Peoples' chance to win the war.
    banishment,
    /// What being nearer is worth, even if the outcome is all but sure.
    nearer,
    /// The part of its Action dice that the Shadow puts into the war, and the actions of the Free Peoples in a turn.
    shadow_share,
    free_actions,
    /// The part of this turn's unused dice that counts for the war.
    shadow_ready,
    free_ready,
    /// What will be of use later: a Character that brings dice, a card in hand, on the table and laid.
    bringer,
    card,
    table,
    laid,
    /// An active Nation, and a step towards war.
    active,
    step_to_war,
    /// A unit; what an Elite, a Leader or a Nazgûl adds.
    unit,
    elite_or_leader,
    /// An Elven Ring of either side: one of the Free Peoples is a move of the Fellowship when it is needed.
    free_ring,
    shadow_ring,
    die,
    point,
    /// Ring: the moves of the Fellowship in a turn, with the dice at the start of the game.
    moves,
    /// The dice that usually lie in the Hunt Box.
    eyes,
    /// What a Companion in the Fellowship keeps from the Ring-bearers, by his Level.
    shield,
    /// The chance that a turn in Mordor passes without a die that moves or hides the Fellowship.
    idle,
    /// The chance of a point of damage more or less by what is not foreseen, such as cards.
    unforeseen,
    /// War: the actions for a march of one region, near the goal and far from it. Dice that move two Armies are
    /// counted in, and so are the other goals that a way serves as long as it is far.
    march,
    far_march,
    /// The same for an Army that joins another: it often moves with the same die.
    join,
    /// The actions for a recruited unit, and for each region of the way of units recruited together.
    recruit,
    escort,
    /// The actions for a point of strength that nobody can bring.
    missing,
    /// The part of the strength of Armies beside a Settlement that defends it.
    relief,
    /// The part of what an Army gathers that counts for one goal: it fights for others too.
    gathering,
    /// The actions for each step of a Nation towards war, if it is active or not.
    advance,
    rouse,
    /// The actions that replace what an Army loses for each point of the defence.
    losses,
    /// The actions for a point that no Army can win.
    out_of_reach,
    /// What an Elite and Leadership add to the strength of a unit.
    power_of_elites,
    power_of_leaders,
    /// How much stronger defenders are in a Stronghold, and elsewhere.
    stronghold,
    other_walls,
    /// How much of that a siege takes from them, if the besieger is strong.
    siege,
    /// How much stronger than the defence an Army should be.
    margin,
    /// The least actions of a battle, and how they grow with the defence compared with the strength of the Army.
    fight,
    fight_by_odds,
    /// The units that each side recruits with each region of the attacker's way.
    free_reaction,
    shadow_reaction,
}

impl Weights {
    /// The weights that the bot plays by.
    pub fn found() -> &'static Weights {
        &FOUND
    }
}

/// The weights of a file, in thousandths, by name.
pub fn named(file: &str) -> BTreeMap<String, i32> {
    printed::read(file)
}
