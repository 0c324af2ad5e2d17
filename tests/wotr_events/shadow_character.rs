//! Where the Character cards of the Shadow may be played, and where they may not.

use super::{Case, DISCARD_FACT, Lines};

/// Cards that find the Ring-bearers only away from home.
const fn patrol(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("ring-bearers", "hollin")],
        fails: &[
            ("fellowship_not_in_fp_settlement", &[("ring-bearers", "rivendell")]),
            ("fellowship_not_in_fp_settlement", &[("ring-bearers", "edoras")]),
            ("fellowship_not_in_fp_settlement", &[("ring-bearers", "bree"), ("bree", "captured sauron 1r")]),
        ],
    }
}

/// Cards that need the Fellowship on its way: neither at rest nor in Mordor.
const fn on_its_way(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("progress", "1")],
        fails: &[
            ("fellowship_step_min", &[("progress", "0")]),
            ("fellowship_step_min", &[("progress", "0 revealed")]),
            ("fellowship_step_min", &[("mordor", "3")]),
        ],
    }
}

/// Cards that need the Fellowship Revealed.
const fn revealed(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("progress", "0 revealed")],
        fails: &[
            ("fellowship_revealed", &[("progress", "3")]),
            ("fellowship_revealed", &[("mordor", "3"), ("progress", "0")]),
        ],
    }
}

const SARUMAN: Lines = &[("orthanc", "isengard 4r 1e saruman")];

pub const CASES: &[Case] = &[
    patrol("sh-char-05"),
    patrol("sh-char-06"),
    patrol("sh-char-07"),
    patrol("sh-char-08"),
    on_its_way("sh-char-09"),
    on_its_way("sh-char-10"),
    on_its_way("sh-char-11"),
    revealed("sh-char-12"),
    revealed("sh-char-13"),
    revealed("sh-char-14"),
    Case {
        card: "sh-char-19",
        holds: &[("north-ithilien", "sauron 1r witch-king")],
        fails: &[
            // Next to the Army in Osgiliath, but without an Army, or without a Nazgûl.
            ("armies_near", &[("north-ithilien", "witch-king")]),
            ("armies_near", &[("north-ithilien", "sauron 1r mouth-of-sauron")]),
            // The Army is gone.
            ("armies_near", &[("osgiliath", "boromir")]),
        ],
    },
    Case {
        card: "sh-char-20",
        holds: &[("lorien", "besieged sauron 3r witch-king inside elves 2r")],
        fails: &[
            (
                "besieging",
                &[("lorien", "besieged sauron 3r nazgul 1 inside elves 2r"), ("orthanc", "isengard 4r witch-king")],
            ),
            ("besieging", &[("lorien", "elves 2r"), ("dimrill-dale", "sauron 3r witch-king")]),
            ("besieging", &[("lorien", "elves 2r"), ("moria", "besieged elves 2e inside sauron 2r witch-king")]),
        ],
    },
    Case {
        card: "sh-char-21",
        holds: SARUMAN,
        fails: &[
            ("character_in_play", &[("orthanc", "isengard 4r 1e"), ("removed", "saruman")]),
            ("character_in_play", &[("orthanc", "isengard 4r 1e"), ("aside", "saruman")]),
        ],
    },
    Case {
        card: "sh-char-22",
        holds: SARUMAN,
        fails: &[
            ("character_in_play", &[("orthanc", "isengard 4r 1e"), ("removed", "saruman")]),
            (DISCARD_FACT, &[("politics", "rohan 3")]),
        ],
    },
    Case {
        card: "sh-char-24",
        holds: &[("angmar", "witch-king")],
        fails: &[
            ("character_in_play", &[("angmar", "nazgul 1"), ("removed", "witch-king")]),
            ("character_in_play", &[("angmar", "-"), ("aside", "witch-king")]),
        ],
    },
];
