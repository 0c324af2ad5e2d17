//! Every kind of question that the game asks, for standing orders and help.

use engine::title::Asked;

const fn asked(id: &'static str, group: &'static str, help: &'static str) -> Asked {
    Asked { id, group, help }
}

/// Answers by preference.
pub const POLICIES: &[(&str, &str)] = &[
    ("disband", "regulars first, rohan"),
    ("hunt-allocation", "at most 2"),
    ("discard", "one of elven-cloaks, athelas, the-ents-awake-huorns"),
    ("combat-card", "lay one of shield-wall, daylight, else no card"),
    ("losses", "elites first, gondor, sauron"),
    ("press-on", "until 3 left"),
    ("siege-round", "reduce elites until 1 left"),
    ("retreat", "toward minas-tirith, else stand"),
    ("advance", "with all but 1 regular"),
    ("guide", "one of gandalf-the-grey, strider, boromir"),
    ("reveal", "toward lorien"),
    ("companion-returns", "toward minas-tirith"),
];

/// Sentences with clauses.
pub const CLAUSES: &[&str] = &[
    "army die: attack edoras from westemnet with all; until 3 left; regulars first; cards none; advance with all",
    "army die: attack minas-tirith; reduce elites until 1 left; ask me if round > 2; else army die: skip",
    "fight in the open; losses if units > 5: regulars first; else elites first; retreat toward helms-deep",
    "no card; cards daylight in round 2, then none; stand",
];

/// The questions, in the order of the rulebook.
pub const QUESTIONS: &[Asked] = &[
    asked("disband", "", "which unit goes when more than ten stand in a region, or five in a siege (1.34)"),
    asked("hunt-allocation", "", "how many dice are put into the Hunt Box (3.8)"),
    asked("action", "", "one action with a die, a skip, a pass, or an Elven Ring before it (4.3)"),
    asked("gandalf-draws", "", "whether Gandalf the Grey, as Guide, draws a card after an Event (5.15)"),
    asked("card-companions", "cards", "which Companions leave the Fellowship or move because of a card (5.9)"),
    asked("discard", "", "which card goes face down when the hand exceeds six (5.4), or four in a team (17.14)"),
    asked("draw", "", "which deck a card is drawn from, in a team (17.10)"),
    asked("swap", "", "whether you swap a card with your team mate, and which (17.13)"),
    asked("join", "", "whether your Army and your team mate's in a region become one (17.32)"),
    asked("card-nazgul", "cards", "which Nazgûl fly by a card, and where to (6.14)"),
    asked("card-army", "cards", "which Army the text of a card strikes (5.23)"),
    asked("card-choice", "cards", "what else the text of a card leaves open (5.9)"),
    asked("card-nation", "cards", "which Nation the text of a card means (5.9)"),
    asked("card-recruit", "cards", "what a card recruits, and where (8.12)"),
    asked("card-move", "cards", "which Army a card moves, and where to (7.26)"),
    asked("card-attack", "cards", "which Army attacks by a card, and its target (9.5)"),
    asked("field-or-siege", "battle", "whether the defender fights in the open or retreats into the Stronghold (10.2)"),
    asked("white-rider", "battle", "whether Gandalf the White gives up his Leadership (9.19)"),
    asked("combat-card", "battle", "which Combat card is laid face down, or no card (9.16)"),
    asked("combat-choice", "battle", "what a Combat card leaves to its player (9.18)"),
    asked("losses", "battle", "how hits are taken (9.29)"),
    asked("press-on", "battle", "whether the attacker fights another round (9.35)"),
    asked("siege-round", "battle", "whether the attacker reduces an Elite for another round of the siege (10.10)"),
    asked("retreat", "battle", "whether the defender retreats, and where to (9.39)"),
    asked("sorcerer", "battle", "whether the Witch-king's sorcery draws a card after the round (6.23)"),
    asked("advance", "battle", "which part of the attackers advances (9.47)"),
    asked("fellowship", "", "whether the Fellowship is declared, enters Mordor, or follows another Guide (3.7)"),
    asked("guide", "hunt", "which Companion is now the Guide (13.22)"),
    asked("hunt-damage", "hunt", "how the damage of a Hunt tile is met (14.15)"),
    asked("hunt-card", "hunt", "whether a card on the table is used in the Hunt (14.7, 14.11, 14.16, 13.12)"),
    asked("reveal", "hunt", "where the figure goes when the Fellowship is revealed (13.14)"),
    asked("companion-returns", "hunt", "where a Hobbit who was taken appears (14.30)"),
];
