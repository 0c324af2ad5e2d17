//! Variants of letters made by a program: as a careless writer and as a hostile one would write them.

/// What a careless writer puts before a sentence, and what he puts behind it: each pair is to be understood.
pub const CARELESS_BEFORE: [&str; 18] = [
    "",
    "Hi Boris,\n",
    "Hi, ",
    "Hallo zusammen!\n\n",
    "Please ",
    "I ",
    "- ",
    "* ",
    "1. ",
    "a) ",
    "Here is my move:\n",
    "Sorry for the delay, I was away!\n\n",
    "hier mein Zug:\n",
    "\u{1f642}\n",
    "***\n\n",
    "[EXTERNAL]\n\n",
    "CAUTION: This email originated from outside the organisation.\n\n",
    "How are your children?\n\n",
];

pub const CARELESS_BEHIND: [&str; 16] = [
    "",
    ".",
    "!",
    ", please",
    " thanks",
    ". Thank you!",
    "\n\nThanks!\nAnna",
    "\n\nLooking forward to your answer\nAnna",
    "\n\n-- \nAnna\n+49 30 1234567",
    "\n\nSent from my iPhone",
    "\n\nYour turn, Boris!",
    "\n\nKr,\nAnna",
    "\n\nViel Spaß noch, und bis bald!",
    "\n\n\u{1f44d}",
    "\n\nOn Tue, 24 Nov 2026 at 08:02, Ringmail <box@play.example> wrote:\n> pass\n> end turn\n",
    "\n\nVon: Ringmail <box@play.example>\nGesendet: Dienstag, 24. November 2026 08:02\nAn: Anna\n\npass\nend turn\n",
];

/// What makes of a sentence one that must not be played, put before or behind it.
pub const HOSTILE_BEFORE: [&str; 28] = [
    "> ",
    "| ",
    "» ",
    "RM> ",
    "don't ",
    "do not ",
    "never ",
    "not ",
    "I won't ",
    "I will ",
    "I would ",
    "I'd rather ",
    "If Boris agrees, ",
    "If Boris agrees:\n",
    "Unless Boris objects:\n",
    "Maybe ",
    "Wait! Do not play this:\n",
    "Please ignore the following.\n\n",
    "Instead of this:\n",
    "Boris wrote:\n",
    "As Boris said:\n\n",
    "On Tue, 24 Nov 2026 at 15:33, Boris <boris@mordor.example> wrote:\n\n",
    "---- On Tue, 24 Nov 2026 15:33:00 +0100 Boris <boris@mordor.example> wrote ---\n\n",
    "-----Original Message-----\n",
    "---- for later ----\n",
    "From: Boris <boris@mordor.example>\nSent: Tuesday, November 24, 2026 3:33 PM\n\n",
    "-- \n",
    "WHAT YOU MAY SAY\n\n  ",
];

pub const HOSTILE_BEHIND: [&str; 25] = [
    "?",
    " ?",
    "? Or not",
    " if Boris agrees",
    " unless Boris objects",
    " or pass",
    " or not",
    " not",
    "\nunless Boris objects",
    "\nif he agrees",
    "\nno wait, forget that",
    "\nor not",
    "\nbut only tomorrow",
    "\nexcept on Sunday",
    "\n\nunless he says no",
    "\nnot really",
    "\nonly when Bert is back",
    "\njust kidding",
    "\n\njust kidding",
    "\n\nNo, scratch that.",
    "\n\nOops, please ignore the above.",
    "\n\nActually wait with that until I write again",
    "\n\nNever mind, I'll think about it",
    "\n\nI take that back",
    "\n\nuntil 2 left",
];

/// Marks of HTML behind which a sentence is not its writer's, or not seen.
pub const HOSTILE_MARKS: [(&str, &str); 21] = [
    ("<s>", "</s>"),
    ("<del>", "</del>"),
    ("<strike>", "</strike>"),
    ("<blockquote>", "</blockquote>"),
    ("<div style=\"display:none\">", "</div>"),
    ("<span style='color:#FFF'>", "</span>"),
    ("<span style=\"color: white\">", "</span>"),
    ("<font color=white>", "</font>"),
    ("<span style=\"color:rgb(255, 255, 255)\">", "</span>"),
    ("<div class=gone>", "</div>"),
    ("<div id=\"away\">", "</div>"),
    ("<div style=\"position:absolute;clip:rect(0 0 0 0)\">", "</div>"),
    ("<div style=\"clip-path: inset(100%)\">", "</div>"),
    ("<dialog>", "</dialog>"),
    ("<svg><text>", "</text></svg>"),
    ("<span style=\"text-decoration:line-through\">", "</span>"),
    ("<div style=\"font-size:0\">", "</div>"),
    ("<div class=\"gmail_quote\">", "</div>"),
    ("<p style=\"color:white;background:white\">", "</p>"),
    ("<p style=\"line-height:0;overflow:hidden\">", "</p>"),
    ("<div style=\"max-height:0px;overflow:hidden\">", "</div>"),
];

/// A sheet that hides by class and id.
pub const SHEET: &str = "<style>.gone { display: none } @media all { #away { visibility:hidden } }</style>";

/// How a careless writer's program sets lines in HTML.
pub const CARELESS_SETTINGS: [(&str, &str); 5] =
    [("<div>", "</div>"), ("<p>", "</p>"), ("", "<br>"), ("<div><b>", "</b></div>"), ("<ul><li>", "</li></ul>")];

/// The letters that look like others: a sentence with one of them is another.
pub fn look_alike(sentence: &str) -> String {
    sentence.replace('e', "\u{435}").replace('a', "\u{430}")
}
