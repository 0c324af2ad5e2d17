//! Where the Character cards of the Free Peoples may be played, and where they may not.

use super::Case;

const NOBODY: &str = "gandalf-the-grey strider boromir legolas gimli meriadoc peregrin";

/// The Ents: both predicates hold with Gandalf in Fangorn; each fails alone.
const fn ents(card: &'static str) -> Case {
    Case {
        card,
        holds: &[("lorien", "elves 1r gandalf-the-white"), ("fangorn", "boromir"), ("removed", "gandalf-the-grey")],
        fails: &[
            ("character_in_play", &[("lorien", "elves 1r"), ("aside", "aragorn saruman witch-king mouth-of-sauron")]),
            ("character_in_play", &[("lorien", "elves 1r"), ("removed", "gandalf-the-grey gandalf-the-white")]),
            ("companion_in_region", &[("fangorn", "-"), ("edoras", "rohan 1r 1e boromir")]),
            ("companion_in_region", &[("fangorn", "nazgul 1"), ("fellowship", "boromir meriadoc")]),
        ],
    }
}

pub const CASES: &[Case] = &[
    Case {
        card: "fp-char-06",
        holds: &[("fellowship", "legolas meriadoc")],
        fails: &[("companion_in_fellowship", &[("fellowship", "meriadoc"), ("edoras", "rohan 1r 1e legolas gimli")])],
    },
    Case {
        card: "fp-char-07",
        holds: &[],
        fails: &[("companion_in_fellowship", &[("minas-tirith", "gondor 3r 1e 1l boromir")])],
    },
    Case {
        card: "fp-char-08",
        holds: &[],
        fails: &[
            ("companion_in_fellowship", &[("edoras", "rohan 1r 1e gandalf-the-grey")]),
            // Gandalf the White is another figure.
            ("companion_in_fellowship", &[("removed", "gandalf-the-grey"), ("edoras", "rohan 1r gandalf-the-white")]),
        ],
    },
    Case {
        card: "fp-char-11",
        holds: &[("fellowship", "meriadoc"), ("removed", "gandalf-the-grey strider boromir legolas gimli peregrin")],
        fails: &[("companion_in_fellowship", &[("fellowship", "-"), ("removed", NOBODY)])],
    },
    Case {
        card: "fp-char-14",
        holds: &[("helms-deep", "besieged isengard 2r inside rohan 1r strider")],
        fails: &[
            // Neither Gondor nor Rohan.
            ("character_with_army", &[("helms-deep", "rohan 1r"), ("osgiliath", "gondor 2r strider")]),
            // Beside the Army, not with it.
            ("character_with_army", &[("helms-deep", "besieged isengard 2r strider inside rohan 1r")]),
            ("character_with_army", &[("helms-deep", "rohan 1r boromir")]),
            ("character_with_army", &[("helms-deep", "rohan 1r"), ("pelargir", "strider")]),
        ],
    },
    Case {
        card: "fp-char-18",
        holds: &[("minas-tirith", "gondor 2r gimli"), ("osgiliath", "sauron 2r nazgul 1")],
        fails: &[
            ("armies_near", &[("osgiliath", "sauron 2r witch-king")]),
            ("armies_near", &[("osgiliath", "nazgul 1"), ("north-ithilien", "sauron 2r")]),
            ("armies_near", &[("osgiliath", "-"), ("north-ithilien", "sauron 2r nazgul 1")]),
            ("armies_near", &[("minas-tirith", "gondor 2r"), ("druadan-forest", "gimli")]),
            ("armies_near", &[("minas-tirith", "gondor 2r 1l")]),
        ],
    },
    ents("fp-char-19"),
    ents("fp-char-20"),
    ents("fp-char-21"),
    Case {
        card: "fp-char-22",
        holds: &[("westemnet", "strider")],
        fails: &[
            ("character_in", &[("westemnet", "-"), ("fangorn", "strider")]),
            ("character_in", &[("westemnet", "boromir")]),
        ],
    },
    Case {
        card: "fp-char-23",
        holds: &[("druadan-forest", "boromir")],
        fails: &[
            ("character_in", &[("druadan-forest", "-"), ("osgiliath", "gondor 2r boromir")]),
            ("character_in", &[("druadan-forest", "strider")]),
        ],
    },
    Case {
        card: "fp-char-24",
        holds: &[("lorien", "elves 1r aragorn"), ("removed", "strider")],
        fails: &[
            ("character_with_army", &[("lorien", "elves 1r"), ("parth-celebrant", "aragorn")]),
            ("character_with_army", &[("lorien", "elves 1r boromir")]),
        ],
    },
];
