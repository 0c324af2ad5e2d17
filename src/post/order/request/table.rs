/*! The table of requests, one row each.

A request begins at the left margin of the sender's own text. A word that the open question knows belongs to the game,
and is no request then.
*/

use super::Request;
use super::parsers::{self, Line, Parsed};
use record::entry::body::Auth;

/// One request, defined.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    pub word: &'static str,
    /// Other words for it.
    pub spellings: &'static [&'static str],
    /// What it can be about, each by a word of its own.
    pub subjects: &'static [Subject],
    /// What follows the word, as help prints it.
    pub arguments: &'static str,
    pub who: Who,
    /// How well its writer must be known; the writer of a letter of a lower class must confirm it by a code (A6).
    pub least: Auth,
    pub effect: Effect,
    /// Reads what follows the word; it notes the entry of the log that the request names.
    pub(super) read: fn(&mut Line<'_>) -> Parsed,
    /// What it does, in a sentence without a capital letter and a full stop; empty if it is always about a subject.
    pub help: &'static str,
}

/// What a request can be about: `show map`, `letters quiet`. The word alone is understood as well: `map`.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub word: &'static str,
    pub spellings: &'static [&'static str],
    pub arguments: &'static str,
    pub(super) read: fn(&mut Line<'_>) -> Parsed,
    pub help: &'static str,
}

/// Who may make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Players of a seat.
    Player,
    /// People who are invited, or who watch.
    Guest,
    /// Everybody who gets letters of the game: players, guests and observers.
    Reader,
}

/// What a request changes, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: its writer gets something to read.
    Reads,
    /// At once: by an entry of the log or a note in the book.
    AtOnce,
    /// The answer to the letter does it. Nothing is noted before; after a crash in between, the line is read again.
    WithTheLetter,
}

const PLAYER: Definition = Definition {
    word: "",
    spellings: &[],
    subjects: &[],
    arguments: "",
    who: Who::Player,
    least: Auth::Token,
    effect: Effect::AtOnce,
    read: |_| unreachable!("every row has its own parser"),
    help: "",
};
const SUBJECT: Subject = Subject {
    word: "",
    spellings: &[],
    arguments: "",
    read: |_| unreachable!("every subject has its parser"),
    help: "",
};
const GUEST: Definition = Definition { who: Who::Guest, ..PLAYER };
const READER: Definition = Definition { who: Who::Reader, effect: Effect::Reads, ..PLAYER };

/// Every request, in the order in which help lists them.
pub const REQUESTS: &[Definition] = &[
    Definition {
        word: "help",
        spellings: &["hilfe", "aide", "?"],
        arguments: "[topic]",
        read: parsers::help,
        help: "explains how to answer, or a request, a question or a card of the game",
        ..READER
    },
    Definition {
        word: "show",
        subjects: &[
            Subject {
                word: "status",
                read: |line| line.alone(Request::Status),
                help: "tells whom the game waits for and since when, and what is proposed",
                ..SUBJECT
            },
            Subject {
                word: "menu",
                read: |line| line.alone(Request::Menu),
                help: "shows again what you may say",
                ..SUBJECT
            },
            Subject {
                word: "map",
                spellings: &["table"],
                arguments: "[entry | place]",
                read: parsers::map,
                help: "shows the table, or the table as it was after an entry, or draws a part of the map, as \
                       `show map gondor`",
            },
            Subject {
                word: "history",
                arguments: "[from [to]]",
                read: parsers::history,
                help: "tells the game entry by entry; without numbers, its last entries",
                ..SUBJECT
            },
            Subject {
                word: "why",
                arguments: "entry",
                read: parsers::why,
                help: "explains an entry to the last die",
                ..SUBJECT
            },
        ],
        read: parsers::show,
        ..READER
    },
    Definition {
        word: "rule",
        spellings: &["rules"],
        arguments: "[number | words]",
        read: parsers::rule,
        help: "shows a rule of the game, as `rule 9.24`, or the rules with these words in them; alone (`rules`) the \
               variant, preset and switches of this game",
        ..READER
    },
    Definition {
        word: "press",
        arguments: "all | seat[, seat]: text",
        effect: Effect::WithTheLetter,
        read: parsers::press,
        help: "sends your words to players, with `anonymous` before `all` without your name; without a text, what \
               stands in the lines below, up to a line `end press`",
        ..PLAYER
    },
    Definition {
        word: "propose",
        arguments: "what [: text]",
        least: Auth::Confirmed,
        read: parsers::propose,
        help: "proposes what is done when all agree: draw, pause, resume, undo to <entry>, ruling, replacement of \
               <seat>, rules <edition>, deadline <3d or a day>, key <the key you sign with from then on>",
        ..PLAYER
    },
    Definition {
        word: "vote",
        arguments: "yes | no [entry]",
        least: Auth::Confirmed,
        read: parsers::vote,
        help: "votes on what was proposed in an entry; its proposer takes it back with a no",
        ..PLAYER
    },
    Definition {
        word: "concede",
        spellings: &["resign", "surrender"],
        arguments: "[: text]",
        least: Auth::Confirmed,
        read: parsers::concede,
        help: "gives the game up",
        ..PLAYER
    },
    Definition {
        word: "delegate",
        arguments: "to address [name]",
        least: Auth::Confirmed,
        effect: Effect::WithTheLetter,
        read: parsers::delegate,
        help: "offers your seat to somebody else; it stays yours until it is taken",
        ..PLAYER
    },
    Definition {
        word: "address",
        arguments: "new-address",
        least: Auth::Confirmed,
        effect: Effect::WithTheLetter,
        read: parsers::address,
        help: "sends your letters elsewhere; both addresses are told",
        ..PLAYER
    },
    Definition {
        word: "key",
        arguments: "ssh-ed25519 AAAA...",
        least: Auth::Confirmed,
        read: parsers::key,
        help: "announces the key you sign with from now on, in place of earlier ones; `help sign` tells how",
        ..PLAYER
    },
    Definition {
        word: "dispute",
        arguments: "entry: text",
        read: parsers::dispute,
        help: "puts your objection to an entry on record, and tells the host and all players",
        ..PLAYER
    },
    Definition {
        word: "consent",
        arguments: "any words",
        least: Auth::Confirmed,
        read: parsers::consent,
        help: "agrees that another host goes on with the game of one who has vanished; your words go into all \
               dice to come",
        ..PLAYER
    },
    Definition {
        word: "clear",
        read: |line| line.alone(Request::Clear),
        help: "takes back everything that you have left: sentences written in advance, and standing orders",
        ..PLAYER
    },
    Definition {
        word: "play it",
        effect: Effect::WithTheLetter,
        read: |_| Ok((Request::Release { plays: true }, String::new())),
        help: "plays the letter that you were asked about, without the lines in doubt",
        ..PLAYER
    },
    Definition {
        word: "drop it",
        effect: Effect::WithTheLetter,
        read: |_| Ok((Request::Release { plays: false }, String::new())),
        help: "takes that letter back",
        ..PLAYER
    },
    Definition {
        word: "standing",
        effect: Effect::Reads,
        read: |line| line.alone(Request::Standing),
        help: "lists all that you have left: sentences in advance, and standing orders with what they would say now",
        ..PLAYER
    },
    Definition {
        word: "absence",
        spellings: &["away", "vacation"],
        arguments: "2026-12-24 [to 2027-01-02]",
        read: parsers::absence,
        help: "days on which you are away: they do not count for you",
        ..PLAYER
    },
    Definition {
        word: "back",
        read: |line| line.alone(Request::Back),
        help: "you are back: absences end, and no program plays for you",
        ..PLAYER
    },
    Definition {
        word: "extend",
        arguments: "2d",
        read: parsers::extend,
        help: "takes more time for your question, as often as the charter allows",
        ..PLAYER
    },
    Definition {
        word: "zone",
        spellings: &["timezone"],
        arguments: "Europe/Berlin",
        read: parsers::zone,
        help: "your time zone: deadlines are counted and shown in it from your next question on",
        ..PLAYER
    },
    Definition {
        word: "letters",
        subjects: &[
            Subject {
                word: "digest",
                arguments: "daily 08:00 | off",
                read: parsers::letters,
                help: "all news once a day; when you are asked, the letter still comes at once",
                ..SUBJECT
            },
            Subject {
                word: "quiet",
                arguments: "[off]",
                read: parsers::letters,
                help: "letters only when you are asked, and at the end",
                ..SUBJECT
            },
            Subject {
                word: "night",
                arguments: "22:00-07:00 | off",
                read: parsers::letters,
                help: "no letters in these hours, except answers to yours",
                ..SUBJECT
            },
            Subject {
                word: "batch",
                arguments: "30min | off",
                read: parsers::letters,
                help: "news is collected for this long and comes in one letter",
                ..SUBJECT
            },
            Subject {
                word: "pictures",
                arguments: "on | off | print",
                read: parsers::letters,
                help: "the map in your letters; `print` brings a page to be printed as well: the map, the table, your \
                       hand and lines for your orders; `off` leaves out the page of the whole game at the end, too",
                ..SUBJECT
            },
        ],
        arguments: "html | text",
        read: parsers::letters,
        help: "your letters as a page as well, where every sentence can be touched, or as text alone",
        ..PLAYER
    },
    Definition {
        word: "check",
        effect: Effect::Reads,
        read: |line| line.alone(Request::Check),
        help: "alone in a line: the whole letter is tried and not played, up to the first die or other seat; it tells \
               what would be asked",
        ..PLAYER
    },
    Definition {
        word: "join",
        arguments: "[seat[, seat]]",
        read: parsers::join,
        help: "takes the seat offered to you, or names the seats you would like, the best one first",
        ..GUEST
    },
    Definition {
        word: "ready",
        read: |line| line.alone(Request::Ready),
        help: "takes the seat that was found for you",
        ..GUEST
    },
    Definition {
        word: "observe",
        read: |line| line.alone(Request::Observe),
        help: "sends you the public letters, without a seat",
        ..GUEST
    },
    Definition {
        word: "leave",
        spellings: &["decline"],
        read: |line| line.alone(Request::Leave),
        help: "declines an invitation, or ends the letters of a game that you watch",
        ..GUEST
    },
    Definition {
        word: "name",
        arguments: "your name",
        read: parsers::name,
        help: "the name by which the table knows you",
        ..GUEST
    },
    Definition {
        word: "phrase",
        spellings: &["salt"],
        arguments: "any words",
        read: |line| Ok((Request::Phrase { phrase: line.text(1)? }, String::new())),
        help: "words of yours that go into the dice",
        ..GUEST
    },
];

impl Definition {
    /// The request as it is written: `propose what [: text]`; of one that is always about a subject, all of them.
    pub fn usage(&self) -> String {
        let subjects = || self.subjects.iter().map(|subject| subject.word).collect::<Vec<&str>>().join(" | ");
        match (self.arguments, self.help.is_empty()) {
            ("", true) => format!("{} {}", self.word, subjects()),
            ("", false) => self.word.to_owned(),
            (arguments, _) => format!("{} {arguments}", self.word),
        }
    }

    /// The request about a subject, as it is written: `show history [from [to]]`.
    pub fn usage_about(&self, subject: &Subject) -> String {
        let Subject { word, arguments, .. } = subject;
        format!("{} {word} {arguments}", self.word).trim_end().to_owned()
    }

    /// Each way in which it is written, with what it does.
    pub fn ways(&self) -> Vec<(String, &'static str)> {
        let subjects = self.subjects.iter().map(|subject| (self.usage_about(subject), subject.help));
        let own = (!self.help.is_empty()).then(|| (self.usage(), self.help));
        subjects.chain(own).collect()
    }

    /// Every word by which it is found.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let subjects = self.subjects.iter().flat_map(|subject| subject.spellings.iter().chain([&subject.word]));
        self.spellings.iter().chain([&self.word]).chain(subjects).copied().collect::<Vec<&'static str>>().into_iter()
    }

    /// The subject that the words name, and the words from its own word on: `map gondor` of `show map gondor`.
    pub(super) fn subject<'w>(&self, words: &'w str) -> Option<(&'static Subject, &'w str)> {
        let named = |words: &'w str| {
            let first = super::first(words)?;
            let is_named = |subject: &&Subject| subject.word == first || subject.spellings.contains(&first);
            self.subjects.iter().find(is_named).map(|subject| (subject, words))
        };
        named(words).or_else(|| {
            let (_, behind) = words.split_once([' ', ':'])?;
            // `show me the map`
            let behind = behind.trim_start_matches([':', ' ']).trim_start_matches("me ").trim_start_matches("the ");
            named(behind)
        })
    }

    /// Whether it only tells something, and changes nothing.
    pub fn only_reads(&self) -> bool {
        self.effect == Effect::Reads
    }
}

/// Rows are the same if they define the same word.
impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        self.word == other.word
    }
}

impl Eq for Definition {}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_means_one_request() {
        let mut known = BTreeSet::new();
        for definition in REQUESTS {
            for word in definition.words() {
                assert!(known.insert(word), "`{word}` means two things");
                assert_eq!(find(word), Some(definition));
            }
            assert!(!definition.ways().is_empty());
            assert!(definition.ways().iter().all(|(_, help)| !help.ends_with('.') && !help.is_empty()));
        }
    }
}
