/*! Everything that can be wrong with a record that can be read: facts here, words in one place. */

use super::body::{Auth, Kind};
use super::canon::fault::Fault;
use super::chain::CodeRefused;
use super::hash::Hash;
use super::stamp::Stamp;
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
    /// A letter of a lower class than the game asks for was played.
    AuthTooLow {
        least: Auth,
        found: Auth,
    },
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
            | Problem::OrderNotRevealed { .. } => Level::Openings,
            Problem::AuthTooLow { .. }
            | Problem::SignatureMissing
            | Problem::Signature { .. }
            | Problem::SignedBefore { .. }
            | Problem::SignedElsewhere { .. }
            | Problem::SignedOtherwise { .. } => Level::Signatures,
            Problem::Checkpoint { .. } => Level::Mailbox,
        }
    }

    /// The exit code of a log whose first problem this is (post.md V2).
    pub fn exit_code(&self) -> u8 {
        match self {
            Problem::UnknownTitle { .. } | Problem::NotSupported { .. } => exit::UNSUPPORTED,
            // Somebody showed the seat a head that nobody else knows.
            Problem::Checkpoint { .. } | Problem::SignedElsewhere { .. } => exit::CONFLICT,
            Problem::Stream { .. } => exit::MALFORMED,
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

impl fmt::Display for DifferentFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.rules, &self.record) {
            (Some(rules), Some(record)) => write!(f, "by the rules `{rules}`, in the record `{record}`"),
            (Some(rules), None) => write!(f, "by the rules `{rules}`, in the record nothing"),
            (None, Some(record)) => write!(f, "by the rules nothing more, in the record `{record}`"),
            (None, None) => write!(f, "unknown: the changed facts agree"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(fault) | Problem::NotCanonical(fault) => write!(f, "{fault}"),
            Problem::Format { found } => write!(f, "the format of a log is 1, not {found}"),
            Problem::FirstKind { found } => write!(f, "a log starts with `genesis`, not with `{}`", found.word()),
            Problem::Seq { expected, found } => write!(f, "the record should have number {expected}, not {found}"),
            Problem::TimeRunsBack { before, found } => {
                write!(f, "time runs back: {found} after {before}")
            }
            Problem::OutOfPlace { kind, why } => write!(f, "`{}` cannot stand here: {why}", kind.word()),
            Problem::UnknownSeat { found } => write!(f, "there is no seat `{found}`"),
            Problem::NotForSeat { kind, expected, found } => {
                write!(f, "`{}` is for `{expected}` to write, not for `{found}`", kind.word())
            }
            Problem::Value { key, expected, found } => write!(f, "`{key}` should be {expected}, not {found}"),
            Problem::Prev { expected, found } => write!(
                f,
                "the record before has the hash {expected}, and `prev` is {found}: one of the two was changed"
            ),
            Problem::UnknownTitle { title, rules } => {
                write!(f, "this program does not know the game `{title}` with the rules `{rules}`")
            }
            Problem::NotSupported { what } => write!(f, "this program does not support {what}"),
            Problem::Unplayable { why } => write!(f, "no game can be set up like this: {why}"),
            Problem::NotAsked { waits_for } => write!(f, "nobody asked for this: the game waits for {waits_for}"),
            Problem::Refused { sentence, refusal } => write!(f, "`{sentence}` is refused: {refusal}"),
            Problem::NotItsOwnWords { canonical, said } => {
                write!(f, "the log keeps the sentence `{canonical}`, not `{said}`")
            }
            Problem::Facts { expected, found, .. } => {
                write!(f, "the facts after the record have the digest {expected}, and it says {found}")
            }
            Problem::Changed(_) => write!(f, "the record lists other facts as changed"),
            Problem::Result { expected, found } => write!(f, "the result is `{expected}`, not `{found}`"),
            Problem::StandingOrder { standing, why } => write!(f, "standing order {standing}: {why}"),
            Problem::Setup { expected, found } => {
                write!(f, "what was fixed before the start has the hash {expected}, not {found}")
            }
            Problem::Link { n } => write!(f, "the link of roll {n} is not on the host's chain"),
            Problem::RollNumber { expected, found } => write!(f, "this is roll {expected}, not {found}"),
            Problem::RollMissing { needed } => write!(f, "the game needs {needed}, and the record has no roll"),
            Problem::RollNotNeeded => write!(f, "the record has a roll, and the game needs none"),
            Problem::Roll { label, expected, found } => {
                write!(f, "{label}: {expected} follows from what was committed, and the record says {found}")
            }
            Problem::Code(refused) => write!(f, "{refused}"),
            Problem::CodeNotExpected { why } => write!(f, "the record has a one-time code, but {why}"),
            Problem::DeckUnknown { found } => write!(f, "the game has no deck `{found}`"),
            Problem::DeckNumber { key, expected, found } => write!(f, "`{key}` of the deck is {expected}, not {found}"),
            Problem::DeckCommitment { expected, found } => {
                write!(f, "the masks have the commitment {expected}, not {found}")
            }
            Problem::SlotUnknown { deck, epoch, pos } => {
                write!(f, "`{deck}` has no position {pos} in epoch {epoch}")
            }
            Problem::CardUnknown { found } => write!(f, "the game has no card `{found}`"),
            Problem::Opening { deck, pos, card } => {
                write!(f, "`{deck}` position {pos} was not committed to be `{card}` with this salt")
            }
            Problem::OpenedTwice { deck, pos } => write!(f, "`{deck}` position {pos} is open already"),
            Problem::OpeningMissing { deck, pos, card } => {
                write!(f, "`{deck}` position {pos} must be opened as `{card}`, and the record does not")
            }
            Problem::OpeningNotNeeded { deck, pos, card } => {
                write!(f, "`{deck}` position {pos} is opened as `{card}`, and nothing asks for it")
            }
            Problem::Seal { standing } => {
                write!(f, "the text and the salt are not those that were sealed under number {standing}")
            }
            Problem::SealUnknown { x } => write!(f, "no earlier record that is still sealed has the seal {x}"),
            Problem::SealSalt { standing } => {
                write!(f, "the salt of the standing order of record {standing} does not follow from the root")
            }
            Problem::Root { expected, found } => {
                write!(f, "the root published has the commitment {found}, and the game was started with {expected}")
            }
            Problem::MaskedOtherwise { deck, epoch } => {
                write!(f, "epoch {epoch} of `{deck}` was not masked from the published root and the cards that went in")
            }
            Problem::FalseClaim { deck, pos, card } => {
                write!(f, "`{deck}` position {pos} was claimed to be none of the cards asked for, and it is `{card}`")
            }
            Problem::OrderNotRevealed { standing } => {
                write!(f, "the standing order of record {standing} never fired and is not published")
            }
            Problem::Checkpoint { seq: Some(seq), head } => {
                write!(f, "record {seq} should have the hash {head}: this is another history than the one seen before")
            }
            Problem::Checkpoint { seq: None, head } => {
                write!(f, "no record has the hash {head}: this is another history than the one seen before")
            }
            Problem::AuthTooLow { least, found } => write!(
                f,
                "the letter is of class `{}`, and this game plays none below `{}`",
                found.word(),
                least.word()
            ),
            Problem::SignatureMissing => {
                write!(f, "the record is said to be signed, and does not carry both the signature and what was signed")
            }
            Problem::Signature { why } => write!(f, "the signature does not hold: {why}"),
            Problem::SignedBefore { number } => {
                write!(f, "order {number} signed on this head was played before: a signature serves once")
            }
            Problem::SignedElsewhere { head } => write!(
                f,
                "the seat signed after it had seen the head {head}, which no record before has: it was shown another \
                 history"
            ),
            Problem::SignedOtherwise { words, said } => {
                write!(f, "the seat signed `{words}`, from which `{said}` does not follow")
            }
            Problem::Torn { bytes } => write!(
                f,
                "the log ends inside a record ({bytes} bytes); the last append was interrupted, and `repair` sets it \
                 aside"
            ),
            Problem::Empty => write!(f, "the log has no record"),
            Problem::Stream { why } => f.write_str(why),
        }
    }
}
