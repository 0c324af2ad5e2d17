//! Where the Strategy cards of the Free Peoples may be played, and where they may not.

use super::{Case, DISCARD_FACT};

pub const CASES: &[Case] = &[
    Case {
        card: "fp-strat-01",
        holds: &[("osgiliath", "gondor 2r aragorn"), ("removed", "strider")],
        fails: &[
            ("character_with_army", &[("osgiliath", "gondor 2r"), ("minas-tirith", "gondor 3r aragorn")]),
            ("character_with_army", &[("osgiliath", "gondor 2r strider"), ("removed", "-")]),
            // Beside no Army.
            ("character_with_army", &[("osgiliath", "gondor 2r"), ("south-ithilien", "aragorn")]),
            (DISCARD_FACT, &[("progress", "0 revealed")]),
        ],
    },
    Case {
        card: "fp-strat-09",
        holds: &[("politics", "gondor 2")],
        fails: &[("nation_active", &[("politics", "gondor 2 passive")])],
    },
    Case {
        card: "fp-strat-11",
        holds: &[("politics", "rohan 0")],
        fails: &[("nation_at_war", &[("politics", "rohan 1")])],
    },
    Case {
        card: "fp-strat-12",
        holds: &[("edoras", "rohan 1r 1e gimli")],
        fails: &[
            ("army_exists", &[("edoras", "rohan 1r 1e"), ("folde", "gimli")]),
            // In the same region, but outside its besieged Stronghold.
            ("army_exists", &[("edoras", "-"), ("helms-deep", "besieged isengard 2r gimli inside rohan 1r")]),
        ],
    },
    Case {
        card: "fp-strat-13",
        holds: &[("politics", "elves 0")],
        fails: &[("nation_at_war", &[("politics", "elves 1")])],
    },
];
