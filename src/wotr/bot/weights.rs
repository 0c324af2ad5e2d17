/*! The weights of the program's judgement, as data: `weights.yaml` beside this file, as it is printed by the program
that looks for better ones by games against itself (`cargo run --release --example weights -- --help`).

They are whole numbers of thousandths, so that what is found is exactly what is read. They are read once; a program that
looks for better ones judges by a set of its own.
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
            /// The weights of a file; nothing if it lacks one, or has another.
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
    /// Hope: the doubt which of two is the first, and what it grows by with each turn.
    doubt,
    doubt_by_turn,
    /// What a chance of the Free Peoples to win the war is worth, of a whole one.
    banishment,
    /// What being nearer is worth where the chance is all but sure.
    nearer,
    /// The part of its Action dice that the Shadow puts into the war, and the actions of the Free Peoples in a turn.
    shadow_share,
    free_actions,
    /// The part of the dice of this turn that still does something for the war.
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
    /// An Elven Ring of either side: one of the Free Peoples is a move of the Fellowship in need.
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
    /// The chance that a point of damage more or less comes of what is not foreseen, such as cards.
    unforeseen,
    /// War: the actions for a march of one region, near the goal and far from it; dice that move two Armies are
    /// counted, and the way is shared with other goals as long as it is far.
    march,
    far_march,
    /// The same for an Army that joins another: it often moves with the same die.
    join,
    /// The actions for a recruited unit, and for the way of those recruited together, by region.
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
    /// The actions that make good what a point of the defence costs an Army.
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
    /// The actions of a battle at least, and by what it is against the strength of the Army.
    fight,
    fight_by_odds,
    /// The units that each side recruits with each region of the attacker's way.
    free_reaction,
    shadow_reaction,
}

impl Weights {
    /// Those that the program plays by.
    pub fn found() -> &'static Weights {
        &FOUND
    }
}

/// The weights of a file, in thousandths, by name.
pub fn named(file: &str) -> BTreeMap<String, i32> {
    printed::read(file)
}
