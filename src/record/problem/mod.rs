/*! Everything that can be wrong with a record, as facts, with the level of the report and the exit code of each.

[`words`] makes the words of all of them, in one place. [`objection`] is what can be wrong with a motion or a vote, for
which the post office has words of its own. Nothing here finds a problem: that is for those who read, fold and verify.
*/

pub mod objection;
pub mod words;

use self::objection::Objection;
use crate::record::canon::fault::Fault;
use crate::record::commit::chain::CodeRefused;
use crate::record::entry::body::{Auth, Kind};
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use std::fmt;

/// What a check is about. Their order is that of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Records, their keys and values, their numbers and times, and who may write which.
    Structure,
    /// Every record has the only bytes it can have.
    Canonical,
    /// Every record holds the hash of the one before.
    Chain,
    /// Every sentence was allowed, and the facts after it are those the record says.
    Rules,
    /// Every roll follows from what was committed before the start.
    Dice,
    /// Every card and order that was shown is the one committed to.
    Openings,
    /// Who wrote the letters.
    Signatures,
    /// The heads that the players' own mail holds are on this history.
    Mailbox,
}

impl Level {
    pub const ALL: [Level; 8] = [
        Level::Structure,
        Level::Canonical,
        Level::Chain,
        Level::Rules,
        Level::Dice,
        Level::Openings,
        Level::Signatures,
        Level::Mailbox,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Level::Structure => "structure",
            Level::Canonical => "canonical",
            Level::Chain => "chain",
            Level::Rules => "rules",
            Level::Dice => "dice",
            Level::Openings => "openings",
            Level::Signatures => "signatures",
            Level::Mailbox => "mailbox",
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    Unreadable(Fault),
    NotCanonical(Fault),
    Format {
        found: u32,
    },
    FirstKind {
        found: Kind,
    },
    Seq {
        expected: u64,
        found: u64,
    },
    TimeRunsBack {
        before: Stamp,
        found: Stamp,
    },
    /// The record cannot stand here.
    OutOfPlace {
        kind: Kind,
        why: &'static str,
    },
    UnknownSeat {
        found: String,
    },
    NotForSeat {
        kind: Kind,
        expected: String,
        found: String,
    },
    /// A value that the schema allows and the meaning does not.
    Value {
        key: &'static str,
        expected: String,
        found: String,
    },
    /// Something that the table agrees on, or a text that a seat puts on record.
    Objection(Objection),
    Prev {
        expected: Hash,
        found: Hash,
    },
    UnknownTitle {
        title: String,
        rules: String,
    },
    NotSupported {
        what: &'static str,
    },
    Unplayable {
        why: String,
    },
    NotAsked {
        waits_for: String,
    },
    Refused {
        sentence: String,
        refusal: String,
    },
    NotItsOwnWords {
        canonical: String,
        said: String,
    },
    Facts {
        expected: Hash,
        found: Hash,
        fact: Option<DifferentFact>,
    },
    Changed(DifferentFact),
    Result {
        expected: String,
        found: String,
    },
    /// A standing order that fired and should not have, or the other way round.
    StandingOrder {
        standing: u64,
        why: String,
    },
    Setup {
        expected: Hash,
        found: Hash,
    },
    Link {
        n: u32,
    },
    RollNumber {
        expected: u32,
        found: u32,
    },
    RollMissing {
        needed: String,
    },
    RollNotNeeded,
    Roll {
        label: String,
        expected: String,
        found: String,
    },
    Code(CodeRefused),
    CodeNotExpected {
        why: &'static str,
    },
    DeckUnknown {
        found: String,
    },
    DeckNumber {
        key: &'static str,
        expected: u32,
        found: u32,
    },
    DeckCommitment {
        expected: Hash,
        found: Hash,
    },
    SlotUnknown {
        deck: String,
        epoch: u32,
        pos: u32,
    },
    CardUnknown {
        found: String,
    },
    Opening {
        deck: String,
        pos: u32,
        card: String,
    },
    OpenedTwice {
        deck: String,
        pos: u32,
    },
    OpeningMissing {
        deck: String,
        pos: u32,
        card: String,
    },
    OpeningNotNeeded {
        deck: String,
        pos: u32,
        card: String,
    },
    Seal {
        standing: u64,
    },
    SealUnknown {
        x: Hash,
    },
    SealSalt {
        standing: u64,
    },
    Root {
        expected: Hash,
        found: Hash,
    },
    MaskedOtherwise {
        deck: String,
        epoch: u8,
    },
    FalseClaim {
        deck: String,
        pos: u32,
        card: String,
    },
    OrderNotRevealed {
        standing: u64,
    },
    Checkpoint {
        seq: Option<u64>,
        head: Hash,
    },
    /// The share of a seat was not one of the root.
    FalseShare {
        seat: String,
    },
    /// A letter of a lower class than the game asks for was played.
    AuthTooLow {
        least: Auth,
        found: Auth,
    },
    /// A record says that its letter brought a one-time code and carries none.
    CodeNotShown,
    /// A record says that it is signed and carries no signature, or half of one.
    SignatureMissing,
    Signature {
        why: String,
    },
    /// The same signed sentence was played before.
    SignedBefore {
        number: u32,
    },
    /// The seat signed on a head that this history does not have.
    SignedElsewhere {
        head: Hash,
    },
    /// What was signed is not what was played.
    SignedOtherwise {
        words: String,
        said: String,
    },
    /// A letter shows another record in the place of this one.
    Forked {
        seq: u64,
        log: Hash,
        seen: String,
        how: &'static str,
        signed: bool,
        letter: String,
    },
    /// A letter tells of a record that the log does not reach.
    LogEndsBefore {
        seq: u64,
        last: u64,
        letter: String,
    },
    /// A checkpoint of this history that the host did not sign.
    CheckpointUnsigned {
        seq: u64,
        why: String,
    },
    /// The letter of an answer is not what the log says of it.
    LetterUnproven {
        raw: Hash,
        why: String,
    },
    LetterSaysOther {
        raw: Hash,
        said: String,
    },
    Torn {
        bytes: u64,
    },
    Empty,
    Stream {
        why: String,
    },
}

/// A fact that the record and the rules do not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentFact {
    pub rules: Option<String>,
    pub record: Option<String>,
}

/// The exit codes of `verify`.
pub mod exit {
    pub const OK: u8 = 0;
    pub const COULD_NOT_CHECK: u8 = 1;
    pub const USAGE: u8 = 2;
    pub const MALFORMED: u8 = 3;
    pub const RULES: u8 = 4;
    pub const DICE: u8 = 5;
    pub const CHAIN: u8 = 6;
    pub const CONFLICT: u8 = 7;
    pub const UNSUPPORTED: u8 = 8;
}

impl Problem {
    /// What the problem is about.
    pub fn level(&self) -> Level {
        match self {
            Problem::Unreadable(_)
            | Problem::Format { .. }
            | Problem::FirstKind { .. }
            | Problem::Seq { .. }
            | Problem::TimeRunsBack { .. }
            | Problem::OutOfPlace { .. }
            | Problem::UnknownSeat { .. }
            | Problem::NotForSeat { .. }
            | Problem::Value { .. }
            | Problem::Objection(_)
            | Problem::Torn { .. }
            | Problem::Empty
            | Problem::Stream { .. } => Level::Structure,
            Problem::NotCanonical(_) => Level::Canonical,
            Problem::Prev { .. } => Level::Chain,
            Problem::UnknownTitle { .. }
            | Problem::NotSupported { .. }
            | Problem::Unplayable { .. }
            | Problem::NotAsked { .. }
            | Problem::Refused { .. }
            | Problem::NotItsOwnWords { .. }
            | Problem::Facts { .. }
            | Problem::Changed(_)
            | Problem::Result { .. }
            | Problem::StandingOrder { .. } => Level::Rules,
            Problem::Setup { .. }
            | Problem::Link { .. }
            | Problem::RollNumber { .. }
            | Problem::RollMissing { .. }
            | Problem::RollNotNeeded
            | Problem::Roll { .. }
            | Problem::Code(_)
            | Problem::CodeNotExpected { .. } => Level::Dice,
            Problem::DeckUnknown { .. }
            | Problem::DeckNumber { .. }
            | Problem::DeckCommitment { .. }
            | Problem::SlotUnknown { .. }
            | Problem::CardUnknown { .. }
            | Problem::Opening { .. }
            | Problem::OpenedTwice { .. }
            | Problem::OpeningMissing { .. }
            | Problem::OpeningNotNeeded { .. }
            | Problem::Seal { .. }
            | Problem::SealUnknown { .. }
            | Problem::SealSalt { .. }
            | Problem::Root { .. }
            | Problem::MaskedOtherwise { .. }
            | Problem::FalseClaim { .. }
            | Problem::OrderNotRevealed { .. }
            | Problem::FalseShare { .. } => Level::Openings,
            Problem::AuthTooLow { .. }
            | Problem::CodeNotShown
            | Problem::SignatureMissing
            | Problem::Signature { .. }
            | Problem::SignedBefore { .. }
            | Problem::SignedElsewhere { .. }
            | Problem::SignedOtherwise { .. }
            | Problem::LetterUnproven { .. }
            | Problem::LetterSaysOther { .. } => Level::Signatures,
            Problem::Checkpoint { .. }
            | Problem::Forked { .. }
            | Problem::LogEndsBefore { .. }
            | Problem::CheckpointUnsigned { .. } => Level::Mailbox,
        }
    }

    /// The exit code of a log whose first problem this is (post.md V2).
    pub fn exit_code(&self) -> u8 {
        match self {
            Problem::UnknownTitle { .. } | Problem::NotSupported { .. } => exit::UNSUPPORTED,
            // Somebody showed the seat a head that nobody else knows.
            Problem::Checkpoint { .. } | Problem::SignedElsewhere { .. } => exit::CONFLICT,
            Problem::Stream { .. } => exit::MALFORMED,
            Problem::CheckpointUnsigned { .. } => exit::CHAIN,
            Problem::LogEndsBefore { .. } => exit::COULD_NOT_CHECK,
            _ => match self.level() {
                Level::Structure | Level::Canonical => exit::MALFORMED,
                Level::Chain | Level::Signatures => exit::CHAIN,
                Level::Rules => exit::RULES,
                Level::Dice | Level::Openings => exit::DICE,
                Level::Mailbox => exit::CONFLICT,
            },
        }
    }

    /// Whether the game cannot be followed any further.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Problem::Unreadable(_)
                | Problem::Format { .. }
                | Problem::FirstKind { .. }
                | Problem::UnknownTitle { .. }
                | Problem::NotSupported { .. }
                | Problem::Unplayable { .. }
                | Problem::UnknownSeat { .. }
                | Problem::NotAsked { .. }
                | Problem::Refused { .. }
                | Problem::RollMissing { .. }
                | Problem::OutOfPlace { .. }
                | Problem::DeckUnknown { .. }
                | Problem::DeckNumber { .. }
                | Problem::Link { .. }
                | Problem::SlotUnknown { .. }
                | Problem::CardUnknown { .. }
                | Problem::Opening { .. }
                | Problem::OpenedTwice { .. }
                | Problem::OpeningMissing { .. }
                | Problem::Torn { .. }
                | Problem::Stream { .. }
        )
    }

    /// What would have been right and what was found, where both can be said in a few words.
    pub fn expected_and_found(&self) -> Option<(String, String)> {
        let both =
            |expected: &dyn fmt::Display, found: &dyn fmt::Display| Some((expected.to_string(), found.to_string()));
        match self {
            Problem::Seq { expected, found } => both(expected, found),
            Problem::TimeRunsBack { before, found } => both(&format!("{before} or later"), found),
            Problem::NotForSeat { expected, found, .. } | Problem::Value { expected, found, .. } => {
                both(expected, found)
            }
            Problem::Objection(objection) => {
                let (_, expected, found) = objection.value();
                Some((expected, found))
            }
            Problem::Prev { expected, found }
            | Problem::Setup { expected, found }
            | Problem::DeckCommitment { expected, found }
            | Problem::Root { expected, found }
            | Problem::Facts { expected, found, .. } => both(expected, found),
            Problem::NotItsOwnWords { canonical, said } => both(canonical, said),
            Problem::Result { expected, found } | Problem::Roll { expected, found, .. } => both(expected, found),
            Problem::RollNumber { expected, found } | Problem::DeckNumber { expected, found, .. } => {
                both(expected, found)
            }
            _ => None,
        }
    }

    /// The first fact that the record and the rules do not agree on.
    pub fn fact(&self) -> Option<&DifferentFact> {
        match self {
            Problem::Facts { fact, .. } => fact.as_ref(),
            Problem::Changed(fact) => Some(fact),
            _ => None,
        }
    }
}

impl From<Objection> for Problem {
    fn from(objection: Objection) -> Problem {
        Problem::Objection(objection)
    }
}

/// The problem of a value that the schema allows and the meaning does not.
pub(crate) fn value(key: &'static str, expected: &str, found: &str) -> Problem {
    Problem::Value { key, expected: expected.to_string(), found: found.to_string() }
}
