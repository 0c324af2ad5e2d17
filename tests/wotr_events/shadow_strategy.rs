//! Where the Strategy cards of the Shadow may be played, and where they may not.

use super::Case;

/// All three Nations must be At War: each of them is missing in turn.
const fn all_at_war(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("politics", "isengard 0 sauron 0 southrons 0")],
        fails: &[
            ("nation_at_war", &[("politics", "isengard 1 sauron 0 southrons 0")]),
            ("nation_at_war", &[("politics", "isengard 0 sauron 1 southrons 0")]),
            ("nation_at_war", &[("politics", "isengard 0 sauron 0 southrons 1")]),
        ],
    }
}

const fn isengard_at_war(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("politics", "isengard 0")],
        fails: &[("nation_at_war", &[("politics", "isengard 1 sauron 0 southrons 0")])],
    }
}

const fn sauron_at_war(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("politics", "sauron 0")],
        fails: &[("nation_at_war", &[("politics", "isengard 0 sauron 1 southrons 0")])],
    }
}

const fn southrons_at_war(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("politics", "southrons 0")],
        fails: &[("nation_at_war", &[("politics", "isengard 0 sauron 0 southrons 1")])],
    }
}

pub const CASES: &[Case] = &[
    Case {
        card: "sh-strat-01",
        holds: &[("lorien", "captured sauron 1r")],
        fails: &[
            ("controls_elven_stronghold", &[("lorien", "elves 1r 2e 1l")]),
            // A siege alone changes nothing.
            ("controls_elven_stronghold", &[("lorien", "besieged sauron 3r inside elves 1r")]),
            ("controls_elven_stronghold", &[("lorien", "elves 1r"), ("helms-deep", "captured isengard 1r")]),
        ],
    },
    Case {
        card: "sh-strat-02",
        holds: &[("orthanc", "isengard 4r saruman"), ("helms-deep", "besieged isengard 2r inside rohan 1r")],
        fails: &[
            ("character_in_play", &[("orthanc", "isengard 4r")]),
            ("character_in_play", &[("orthanc", "isengard 4r"), ("removed", "saruman")]),
            ("besieging", &[("helms-deep", "besieged sauron 2r inside rohan 1r")]),
            ("besieging", &[("helms-deep", "rohan 1r")]),
        ],
    },
    Case {
        card: "sh-strat-03",
        holds: &[("minas-tirith", "besieged sauron 2r inside gondor 1r")],
        fails: &[
            ("besieging", &[("minas-tirith", "gondor 1r")]),
            ("besieging", &[("minas-tirith", "captured besieged gondor 2r inside sauron 1r")]),
            ("besieging", &[("minas-tirith", "gondor 1r"), ("dol-amroth", "besieged sauron 2r inside gondor 1r")]),
        ],
    },
    all_at_war("sh-strat-04"),
    Case {
        card: "sh-strat-06",
        holds: &[("dale", "north 1r gimli"), ("ring-bearers", "hollin")],
        fails: &[
            ("fellowship_or_companion_in_peaceful_fp_nation", &[("dale", "north 1r")]),
            ("fellowship_or_companion_in_peaceful_fp_nation", &[("politics", "north 0")]),
            // Osgiliath belongs to nobody.
            ("fellowship_or_companion_in_peaceful_fp_nation", &[("dale", "-"), ("osgiliath", "gondor 2r gimli")]),
        ],
    },
    all_at_war("sh-strat-09"),
    southrons_at_war("sh-strat-10"),
    isengard_at_war("sh-strat-11"),
    Case {
        card: "sh-strat-12",
        holds: &[("minas-morgul", "sauron 5r nazgul 1 witch-king")],
        fails: &[
            ("character_in_play", &[("minas-morgul", "sauron 5r nazgul 1")]),
            ("character_in_play", &[("minas-morgul", "sauron 5r nazgul 1"), ("removed", "witch-king")]),
        ],
    },
    isengard_at_war("sh-strat-13"),
    sauron_at_war("sh-strat-14"),
    sauron_at_war("sh-strat-15"),
    Case {
        card: "sh-strat-16",
        holds: &[("orthanc", "isengard 4r saruman")],
        fails: &[
            ("character_in_play", &[("orthanc", "isengard 4r")]),
            ("character_in_play", &[("orthanc", "isengard 4r"), ("removed", "saruman")]),
        ],
    },
    Case {
        card: "sh-strat-18",
        holds: &[("minas-tirith", "gondor 3r aragorn"), ("removed", "strider")],
        fails: &[
            ("character_in_play", &[("minas-tirith", "gondor 3r strider"), ("removed", "-")]),
            ("character_in_play", &[("minas-tirith", "gondor 3r"), ("removed", "strider aragorn")]),
        ],
    },
    southrons_at_war("sh-strat-21"),
    all_at_war("sh-strat-23"),
    sauron_at_war("sh-strat-24"),
];
