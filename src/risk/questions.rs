//! Every kind of question, in the order of the rulebook, with the ids that standing orders use.

use engine::title::Asked;

/// The group of all questions in which a Power card may be played.
const CARDS: &str = "cards";

/// Answers by preference.
pub const POLICIES: &[(&str, &str)] = &[
    ("reinforcements", "place all toward moria"),
    ("defence", "at most 1"),
    ("go-on", "until 3 left"),
    ("advance", "all but 3"),
    ("hand-limit", "one of bree, ambush, gollum"),
    ("new-leader", "toward moria"),
];

/// Sentences with clauses.
pub const CLAUSES: &[&str] = &[
    "attack moria from lorien; until 3 left; advance all but 2",
    "attack moria from lorien with 3; ask me if enemies > battalions; stay; cards none",
];

/// Every kind of question.
pub const QUESTIONS: &[Asked] = &[
    plain("claim", "which unclaimed territory you take (3.5)"),
    plain("garrison", "where your starting battalions go (3.6)"),
    plain("leader", "where your Leaders begin (3.7)"),
    plain("reinforcements", "your turn begins: cards, sets, and where your reinforcements go (5)"),
    plain("trade-down", "which set you trade, holding too many Territory cards (5.5, 7.5)"),
    plain("combat", "which territory you invade, or that you are done (6.1)"),
    card("enemy-declared", "whether you play a card against an invasion of a territory of yours (6.3)"),
    card("violent-storms", "whether you play a card against battalions that come over the sea (6.4)"),
    plain("defence", "how many battalions defend (6.4)"),
    plain("go-on", "whether the invasion goes on (6.8)"),
    plain("advance", "how many more battalions move into a conquered territory (7.1)"),
    plain("mission", "whether you complete a Mission (8.3)"),
    plain("fortify", "your move behind the lines (9.1)"),
    plain("appoint-a-second-leader", "where the Leader that the Event gives you goes (8.6)"),
    plain("hand-limit", "which Adventure card you discard (8.2)"),
    plain("new-leader", "where your Leader returns (10.4)"),
    card("fellowship-no-die", "whether a card makes the Fellowship roll (11.2)"),
    card("fellowship-roll", "whether a card changes the Fellowship's roll (11.2)"),
    card("fellowship-leaving", "whether a card holds the Fellowship (11.2)"),
];

const fn plain(id: &'static str, help: &'static str) -> Asked {
    Asked { id, group: "", help }
}

const fn card(id: &'static str, help: &'static str) -> Asked {
    Asked { id, group: CARDS, help }
}
