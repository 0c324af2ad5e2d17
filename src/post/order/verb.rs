/*! The table of requests: what may be asked of the post itself, besides the sentences of a game (P7).

Each request is defined once, in [`VERBS`]: its word and other spellings, what follows it, who may make it, how well its
writer must be known, and a line of help. Reading ([`super::asked`]), refusing, HELP and the lists in letters follow
from there. A request stands at the left margin of the sender's own text; a word that the question being asked knows is
the game's, and no request.
*/

use crate::record::entry::body::Auth;

/// A request that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Help,
    Status,
    Menu,
    Standing,
    Check,
    Map,
    History,
    Why,
    Press,
    Propose,
    Vote,
    Concede,
    Delegate,
    Address,
    Key,
    Dispute,
    Consent,
    Clear,
    Absence,
    Back,
    Extend,
    Zone,
    Digest,
    Quiet,
    Night,
    Batch,
    Join,
    Ready,
    Decline,
    Observe,
    Leave,
    Name,
    Salt,
    Anchor,
}

impl Verb {
    /// Whether it only tells something, and changes nothing.
    #[must_use]
    pub fn only_reads(self) -> bool {
        match self {
            Verb::Help | Verb::Status | Verb::Menu | Verb::Standing | Verb::Check => true,
            Verb::Map | Verb::History | Verb::Why => true,
            Verb::Join | Verb::Ready | Verb::Decline | Verb::Observe | Verb::Leave => false,
            Verb::Name | Verb::Salt | Verb::Anchor | Verb::Delegate | Verb::Address | Verb::Key => false,
            Verb::Press | Verb::Propose | Verb::Vote | Verb::Concede | Verb::Dispute | Verb::Consent => false,
            Verb::Clear => false,
            Verb::Absence | Verb::Back | Verb::Extend | Verb::Zone => false,
            Verb::Digest | Verb::Quiet | Verb::Night | Verb::Batch => false,
        }
    }
}

/// Who may make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Whoever holds a seat.
    Player,
    /// Whoever is invited, or watches.
    Guest,
    /// Whoever gets letters of the game: players, guests and observers.
    Reader,
}

/// One request, defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    pub verb: Verb,
    pub word: &'static str,
    /// Other words for it.
    pub spellings: &'static [&'static str],
    /// What follows the word, as help prints it.
    pub arguments: &'static str,
    pub who: Who,
    /// How well its writer must be known; a letter of a lesser class is asked to confirm it by a code (A6).
    pub least: Auth,
    /// What it does, in a sentence without a capital letter and a full stop.
    pub help: &'static str,
}

/// Every request, in the order in which help lists them.
pub const VERBS: &[Definition] = &[
    Definition {
        verb: Verb::Help,
        word: "help",
        spellings: &["hilfe", "aide", "?"],
        arguments: "[topic]",
        who: Who::Reader,
        least: Auth::None,
        help: "explains how to answer, or a request, a question or a card of the game",
    },
    Definition {
        verb: Verb::Status,
        word: "status",
        spellings: &[],
        arguments: "",
        who: Who::Reader,
        least: Auth::None,
        help: "tells who is waited for and since when, and what is proposed",
    },
    Definition {
        verb: Verb::Menu,
        word: "menu",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        least: Auth::None,
        help: "shows again what you may say",
    },
    Definition {
        verb: Verb::Map,
        word: "map",
        spellings: &[],
        arguments: "[entry]",
        who: Who::Reader,
        least: Auth::None,
        help: "shows the table, or the table as it was after an entry",
    },
    Definition {
        verb: Verb::History,
        word: "history",
        spellings: &[],
        arguments: "[from [to]]",
        who: Who::Reader,
        least: Auth::None,
        help: "tells the game entry by entry; without numbers, its last entries",
    },
    Definition {
        verb: Verb::Why,
        word: "why",
        spellings: &[],
        arguments: "entry",
        who: Who::Reader,
        least: Auth::None,
        help: "explains an entry to the last die",
    },
    Definition {
        verb: Verb::Press,
        word: "press",
        spellings: &[],
        arguments: "all | seat[, seat]: text",
        who: Who::Player,
        least: Auth::None,
        help: "sends your words to players, with `anonymous` before `all` without your name; without a text, what \
               stands in the lines below, up to a line `end press`",
    },
    Definition {
        verb: Verb::Propose,
        word: "propose",
        spellings: &[],
        arguments: "what [: text]",
        who: Who::Player,
        least: Auth::Dkim,
        help: "proposes what is done when all agree: draw, pause, resume, undo to <entry>, ruling, replacement of \
               <seat>, rules <edition>, deadline <3d or a day>",
    },
    Definition {
        verb: Verb::Vote,
        word: "vote",
        spellings: &[],
        arguments: "yes | no [entry]",
        who: Who::Player,
        least: Auth::Dkim,
        help: "votes on what was proposed in an entry; whoever proposed it takes it back by a no",
    },
    Definition {
        verb: Verb::Concede,
        word: "concede",
        spellings: &["resign", "surrender"],
        arguments: "[: text]",
        who: Who::Player,
        least: Auth::Dkim,
        help: "gives the game up",
    },
    Definition {
        verb: Verb::Delegate,
        word: "delegate",
        spellings: &[],
        arguments: "to address [name]",
        who: Who::Player,
        least: Auth::Dkim,
        help: "offers your seat to somebody else; it is yours until he has taken it",
    },
    Definition {
        verb: Verb::Address,
        word: "address",
        spellings: &[],
        arguments: "new-address",
        who: Who::Player,
        least: Auth::Dkim,
        help: "sends your letters elsewhere; both addresses are told",
    },
    Definition {
        verb: Verb::Key,
        word: "key",
        spellings: &[],
        arguments: "ssh-ed25519 AAAA...",
        who: Who::Player,
        least: Auth::Dkim,
        help: "names the key you sign with from now on, in place of those before; `help sign` tells how",
    },
    Definition {
        verb: Verb::Dispute,
        word: "dispute",
        spellings: &[],
        arguments: "entry: text",
        who: Who::Player,
        least: Auth::None,
        help: "puts your objection to an entry on record, and tells the host and all players",
    },
    Definition {
        verb: Verb::Consent,
        word: "consent",
        spellings: &[],
        arguments: "any words",
        who: Who::Player,
        least: Auth::Code,
        help: "agrees that another goes on with the game of a host who has vanished; your words go into all dice to \
               come, and with codes it brings the next one",
    },
    Definition {
        verb: Verb::Clear,
        word: "clear",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        least: Auth::None,
        help: "takes back every sentence that you have written in advance and that still waits",
    },
    Definition {
        verb: Verb::Standing,
        word: "standing",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        least: Auth::None,
        help: "lists your standing orders",
    },
    Definition {
        verb: Verb::Absence,
        word: "absence",
        spellings: &["away", "vacation"],
        arguments: "2026-12-24 [to 2027-01-02]",
        who: Who::Player,
        least: Auth::None,
        help: "days on which you are away: they do not count for you",
    },
    Definition {
        verb: Verb::Back,
        word: "back",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        least: Auth::None,
        help: "you are back: absences end, and no program plays for you",
    },
    Definition {
        verb: Verb::Extend,
        word: "extend",
        spellings: &[],
        arguments: "2d",
        who: Who::Player,
        least: Auth::None,
        help: "takes more time for your question, as often as the charter lets you by yourself",
    },
    Definition {
        verb: Verb::Zone,
        word: "zone",
        spellings: &["timezone"],
        arguments: "Europe/Berlin",
        who: Who::Player,
        least: Auth::None,
        help: "your clock: deadlines are counted and shown by it from your next question on",
    },
    Definition {
        verb: Verb::Digest,
        word: "digest",
        spellings: &[],
        arguments: "daily 08:00 | off",
        who: Who::Player,
        least: Auth::None,
        help: "all news once a day; when you are asked, the letter comes at once all the same",
    },
    Definition {
        verb: Verb::Quiet,
        word: "quiet",
        spellings: &[],
        arguments: "[off]",
        who: Who::Player,
        least: Auth::None,
        help: "letters only when you are asked, and at the end",
    },
    Definition {
        verb: Verb::Night,
        word: "night",
        spellings: &[],
        arguments: "22:00-07:00 | off",
        who: Who::Player,
        least: Auth::None,
        help: "no letters at these hours but answers to yours",
    },
    Definition {
        verb: Verb::Batch,
        word: "batch",
        spellings: &[],
        arguments: "30min | off",
        who: Who::Player,
        least: Auth::None,
        help: "news wait so long for more, and come in one letter",
    },
    Definition {
        verb: Verb::Check,
        word: "check",
        spellings: &[],
        arguments: "",
        who: Who::Player,
        least: Auth::None,
        help: "alone in a line: the whole letter is tried, and not played",
    },
    Definition {
        verb: Verb::Join,
        word: "join",
        spellings: &[],
        arguments: "[seat[, seat]]",
        who: Who::Guest,
        least: Auth::None,
        help: "takes the seat offered to you, or names the seats you would like, the best one first",
    },
    Definition {
        verb: Verb::Ready,
        word: "ready",
        spellings: &[],
        arguments: "",
        who: Who::Guest,
        least: Auth::None,
        help: "takes the seat that was found for you",
    },
    Definition {
        verb: Verb::Decline,
        word: "decline",
        spellings: &[],
        arguments: "",
        who: Who::Guest,
        least: Auth::None,
        help: "lets an invitation be",
    },
    Definition {
        verb: Verb::Observe,
        word: "observe",
        spellings: &[],
        arguments: "",
        who: Who::Guest,
        least: Auth::None,
        help: "gets you the letters for everybody, without a seat",
    },
    Definition {
        verb: Verb::Leave,
        word: "leave",
        spellings: &[],
        arguments: "",
        who: Who::Guest,
        least: Auth::None,
        help: "ends the letters of a game that you watch",
    },
    Definition {
        verb: Verb::Name,
        word: "name",
        spellings: &[],
        arguments: "your name",
        who: Who::Guest,
        least: Auth::None,
        help: "the name by which the table knows you",
    },
    Definition {
        verb: Verb::Salt,
        word: "salt",
        spellings: &[],
        arguments: "any words",
        who: Who::Guest,
        least: Auth::None,
        help: "words of yours that go into the dice",
    },
    Definition {
        verb: Verb::Anchor,
        word: "anchor",
        spellings: &[],
        arguments: "40 digits",
        who: Who::Guest,
        least: Auth::None,
        help: "the anchor of your one-time codes (`ringmail codes new`)",
    },
];

impl Definition {
    /// The request as it is written: `history [from [to]]`.
    #[must_use]
    pub fn usage(&self) -> String {
        match self.arguments {
            "" => self.word.to_owned(),
            arguments => format!("{} {arguments}", self.word),
        }
    }
}

/// The request that a line begins with. `words` is the line as it is read.
#[must_use]
pub fn find(words: &str) -> Option<&'static Definition> {
    let first = words.split([' ', ':']).next().filter(|first| !first.is_empty())?;
    let bare = first.strip_suffix('?').filter(|bare| !bare.is_empty()).unwrap_or(first);
    VERBS.iter().find(|definition| definition.word == bare || definition.spellings.contains(&bare))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_means_one_request() {
        let mut known = BTreeSet::new();
        for definition in VERBS {
            for word in definition.spellings.iter().chain([&definition.word]) {
                assert!(known.insert(*word), "`{word}` means two things");
                assert_eq!(find(word).map(|found| found.verb), Some(definition.verb));
            }
            assert!(!definition.help.ends_with('.') && !definition.help.is_empty());
        }
    }
}
