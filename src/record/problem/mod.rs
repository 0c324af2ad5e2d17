/*! Everything that can be wrong with a record, as facts; [`rule`] is the table of the rules that they break, with the
id and the exit code of each.

The words stand beside the facts, and nowhere else. [`objection`] is what can be wrong with a motion or a vote; the
post office has its own words for that. Nothing here finds a problem: reading, folding and verifying do.
*/

pub mod objection;
pub mod rule;

use self::objection::Objection;
use self::rule::Rule;
use crate::canon::fault::{Fault, FaultKind};
use crate::commit::beacon::NotSigned;
use crate::commit::signature;
use crate::commit::signed::OrderRefused;
use crate::entry::body::{Auth, Correcting, Kind};
use crate::entry::lines::Line;
use ground::hash::Hash;
use ground::line::is_forbidden;
use ground::stamp::Stamp;
use std::fmt;
use thiserror::Error;

/// A check, by what it is about, in the order of the report; there it is called a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Records, their keys and values, their numbers and times, and who may write which.
    Structure,
    /// Every record is written in its one canonical form.
    Canonical,
    /// Every record holds the hash of the one before.
    Chain,
    /// Every sentence was allowed, and the facts after it are those the record says.
    Rules,
    /// Every roll follows from what was committed before the start.
    Dice,
    /// Every card and order that was shown is the one committed to.
    Openings,
    /// What a seat said is tied to it as strongly as the game requires, and the seats agreed on what needs them.
    Authority,
    /// The letters that were shown are those of the log, and say what it says.
    Letters,
    /// The heads in the players' own mail belong to this history.
    Mailbox,
}

impl Check {
    pub const ALL: [Check; 9] = [
        Check::Structure,
        Check::Canonical,
        Check::Chain,
        Check::Rules,
        Check::Dice,
        Check::Openings,
        Check::Authority,
        Check::Letters,
        Check::Mailbox,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Check::Structure => "structure",
            Check::Canonical => "canonical",
            Check::Chain => "chain",
            Check::Rules => "rules",
            Check::Dice => "dice",
            Check::Openings => "openings",
            Check::Authority => "authority",
            Check::Letters => "letters",
            Check::Mailbox => "mailbox",
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("{0}")]
    Unreadable(Fault),
    #[error("{0}")]
    NotCanonical(Fault),
    #[error("this is a log of format {found}, and this program reads format 2")]
    Format { found: u32 },
    #[error("made by a newer program: from here on the log needs level {needs}, and this program knows {knows}")]
    Level { needs: u32, knows: u32 },
    #[error("a log starts with `genesis`, not with `{}`", .found.word())]
    FirstKind { found: Kind },
    #[error("the record should have number {expected}, not {found}")]
    Seq { expected: u64, found: u64 },
    #[error("time runs back: {found} after {before}")]
    TimeRunsBack { before: Stamp, found: Stamp },
    /// The record cannot stand here.
    #[error("`{}` cannot stand here: {why}", .kind.word())]
    OutOfPlace { rule: Rule, kind: Kind, why: &'static str },
    #[error("there is no seat `{found}`")]
    UnknownSeat { found: String },
    #[error("`{}` is for `{expected}` to write, not for `{found}`", .kind.word())]
    NotForSeat { kind: Kind, expected: String, found: String },
    /// A value that the schema allows, but that makes no sense here.
    #[error("`{key}` should be {expected}, not {found}")]
    Value { rule: Rule, key: &'static str, expected: String, found: String },
    /// A record on what the table agrees on, or a text that a seat puts on record, is wrong.
    #[error(transparent)]
    Objection(#[from] Objection),
    #[error("the record before has the hash {expected}, and `prev` is {found}: one of the two was changed")]
    Prev { expected: Hash, found: Hash },
    #[error("the record up to its line `closing` has the hash {expected}, not {found}")]
    Closing { expected: Hash, found: Hash },
    #[error("this program does not know the game `{title}` with the rules `{rules}`")]
    UnknownTitle { title: String, rules: String },
    #[error("no game can be set up like this: {why}")]
    Unplayable { why: String },
    #[error("nobody asked for this: the game waits for {waits_for}")]
    NotAsked { kind: Kind, waits_for: String },
    #[error("`{sentence}` is refused: {refusal}")]
    Refused { sentence: String, refusal: String },
    #[error("the log keeps the sentence `{canonical}`, not `{said}`")]
    NotItsOwnWords { canonical: String, said: String },
    #[error("the facts after the record have the digest {expected}, and it says {found}")]
    Facts { expected: Hash, found: Hash },
    #[error("the record lists other facts as changed")]
    Changed(DifferentFact),
    #[error("the result is `{expected}`, not `{found}`")]
    Result { expected: String, found: String },
    /// A standing order answered where it should not have, or did not answer where it should have.
    #[error("standing orders: {0}")]
    StandingOrder(OrderFault),
    #[error("by a deadline a seat says what does least, `{least}`, and not `{said}`")]
    NotLeast { least: &'static str, said: String },
    #[error("what was fixed before the start has the hash {expected}, not {found}")]
    Setup { expected: Hash, found: Hash },
    #[error("the link of throw {n} is not on the host's chain")]
    Link { n: u32 },
    #[error("the game needs {needed}, and the record does not throw for it")]
    RollMissing { needed: String },
    #[error("the record throws, and the game needs nothing thrown")]
    RollNotNeeded,
    #[error("the record opens a link, and throws nothing")]
    RollEmpty,
    #[error("{label}: {expected} follows from what was committed, and the record says {found}")]
    Roll { rule: Rule, label: String, expected: String, found: String },
    #[error("the receipt names round {found}, and at its time the round to name was {expected}")]
    Round { expected: String, found: u64 },
    #[error("{}, and the record plays that of record {found}", first_receipt(*.first))]
    ReceiptOrder { first: Option<u64>, found: u64 },
    #[error("round {round} is of {time}, and the record is older")]
    RoundTooEarly { round: u64, time: String },
    #[error("the signature of round {round} does not hold: {why}")]
    RoundSignature { round: u64, why: NotSigned },
    #[error("no round was entered for it: the act needs a receipt, and then the round that the receipt names")]
    NoRound,
    #[error("the record throws, and no receipt is being played from whose round the throw could follow")]
    ThrowWithoutRound,
    #[error("line {line} of the receipt of record {receipt} could be played, and is neither played nor refused")]
    LineSkipped { receipt: u64, line: u32 },
    /// The host knew the dice by then.
    #[error("the receipt of record {receipt} was stopped at its line {line}, and the rules allow that line")]
    StoppedFalsely { receipt: u64, line: u32 },
    #[error("the receipt of record {receipt} was stopped at its line {line} while its seat was not asked")]
    StoppedUnasked { receipt: u64, line: u32 },
    #[error("the run of the receipt of record {receipt} ended before the deck was laid that the game needs")]
    DeckNotLaid { receipt: u64 },
    #[error(
        "line {line} of the receipt of record {receipt} is joined to the next one, and the receipt does not say that a \
         mail program may have cut it"
    )]
    LinesJoined { receipt: u64, line: u32 },
    #[error("the receipt of record {receipt} was stopped at its line {line}, which is not published with the secrets")]
    StopHidden { receipt: u64, line: u32 },
    #[error(
        "the text published of line {line} of the receipt of record {receipt}, at which it was stopped, is not the one \
         that the receipt is committed to"
    )]
    StopOtherwise { receipt: u64, line: u32 },
    #[error("line {line} of the receipt of record {receipt} cannot come now")]
    LineNotNext { receipt: u64, line: u32 },
    #[error("the text and the salt are not those that line {line} of the receipt of record {receipt} is committed to")]
    Line { receipt: u64, line: u32 },
    #[error("the receipt has `{words}`, from which `{said}` does not follow")]
    LineSaysOther { words: String, said: String },
    #[error("the game has no deck `{found}`")]
    DeckUnknown { found: String },
    #[error("`{key}` of the deck is {expected}, not {found}")]
    DeckNumber { key: &'static str, expected: u32, found: u32 },
    #[error("the masks have the commitment {expected}, not {found}")]
    DeckCommitment { expected: Hash, found: Hash },
    #[error("`{deck}` has no position {pos} in epoch {epoch}")]
    SlotUnknown { deck: String, epoch: u32, pos: u32 },
    #[error("the game has no card `{found}`")]
    CardUnknown { found: String },
    #[error("`{deck}` position {pos} was not committed to be `{card}` with this salt")]
    Opening { deck: String, pos: u32, card: String },
    #[error("`{deck}` position {pos} is open already")]
    OpenedTwice { deck: String, pos: u32 },
    #[error("`{deck}` position {pos} must be opened as `{card}`, and the record does not")]
    OpeningMissing { deck: String, pos: u32, card: String },
    #[error("`{deck}` position {pos} is opened as `{card}`, and nothing asks for it")]
    OpeningNotNeeded { deck: String, pos: u32, card: String },
    #[error("the root published has the commitment {found}, and the game was started with {expected}")]
    Root { expected: Hash, found: Hash },
    #[error("epoch {epoch} of `{deck}` was not masked from the published root and the cards that went in")]
    MaskedOtherwise { deck: String, epoch: u8 },
    #[error("`{deck}` position {pos} was claimed to be none of the cards asked for, and it is `{card}`")]
    FalseClaim { deck: String, pos: u32, card: String },
    /// The order books that are published are not those that the log commits to.
    #[error("order books: {why}")]
    Books { why: String },
    #[error("{} the hash {head}: this is another history than the one seen before", numbered(*.seq))]
    Checkpoint { seq: Option<u64>, head: Hash },
    /// The share that a seat was given is not one of the root.
    #[error("the share that {seat} was given at the start is not one of the root")]
    FalseShare { seat: String },
    /// The record is not tied to its seat as strongly as the game requires.
    #[error(
        "what ties the record to its seat is of class {}, and `{}` or stronger is required", quoted(*.found),
        .least.word()
    )]
    AuthTooLow { least: Auth, found: Option<Auth> },
    #[error("nobody may type at the host's machine for this seat: {} or stronger is required", .least.word())]
    TypedFor { least: Auth },
    /// The host corrects by himself what the seats must agree on.
    #[error(
        "the host made the correction `{}` by himself, and it needs a motion that the seats have carried",
        .what.word()
    )]
    NotAlone { what: Correcting },
    /// Another player takes a seat that is not free.
    #[error(
        "{seat} is not free: its player gives it away, all others agree that it is free, or a deadline says so; only \
         then can another player take it"
    )]
    NotFree { seat: String },
    /// Another player or host takes a seat whose receipt still waits to be played.
    #[error("the receipt of record {receipt} waits for its round, and is played before another takes {seat}")]
    ActWaits { seat: String, receipt: u64 },
    /// A host who hands the game over gives a seat away that is not his.
    #[error("the host does not play {seat}, so it is not his to hand over")]
    NotHosted { seat: String },
    /// A seat that has a key announces another one without signing that.
    #[error("the seat has a key, and another one must be signed with it; or all others agree, by a motion")]
    KeyNotSigned,
    /// A class that rests on an address, but the log commits to no address of this seat.
    #[error("`dkim` ties a letter to the address of its seat, and the log commits to none of this seat")]
    NoAddress,
    /// A record claims to be signed, but lacks the signature or what was signed.
    #[error("the record is said to be signed, and does not carry both the signature and what was signed")]
    SignatureMissing,
    #[error("the signature does not hold: {why}")]
    Signature { why: OrderRefused },
    /// The host before has not signed that another goes on.
    #[error("the host before has not signed that another goes on: {why}")]
    HandoverUnsigned { why: signature::NotSigned },
    #[error("a record without a key of the host before it has no signature of his")]
    HandoverWithoutKey,
    #[error("the seat could not sign on record {seen}: it is none of this log after which a seat had a key")]
    SignedElsewhere { seen: String },
    #[error("the number of the signed sentence is 1 to {of}, not {number}")]
    SignedNumber { number: u32, of: u32 },
    /// The same signed sentence was played before.
    #[error("sentence {number} signed on this head was played before: a signature serves once")]
    SignedBefore { number: u32 },
    /// A signed sentence was played without those before it.
    #[error("sentence {number} signed on this head was played, and the next one is {next}")]
    SignedLater { number: u32, next: u32 },
    /// What was signed is not what was played.
    #[error("the seat signed `{words}`, from which `{said}` does not follow")]
    SignedOtherwise { words: String, said: String },
    /// A letter shows another record in the place of this one.
    #[error("two histories: record {seq} of the log has the hash {log}, and {letter} shows {seen} ({how})")]
    Forked { seq: u64, log: Hash, seen: String, how: String, letter: String },
    /// The reader's own mail shows another first record of a game with this id.
    #[error(
        "another game with the same id: the first record of the log has the hash {log}, and the oldest one in your \
             mail, in {letter}, has {seen}"
    )]
    OtherBeginning { log: Hash, seen: Hash, letter: String },
    #[error(
        "the letter by which {seat} {} is not among yours; {}",
        if *.joins { "joined" } else { "made this record" },
        match .message {
            Some(message) => format!("the SHA-256 of its Message-ID is {message}"),
            None => "it is said to have had no Message-ID".to_string(),
        }
    )]
    NotMine { seat: String, message: Option<Hash>, joins: bool },
    #[error("no seat of this game has joined or answered with a letter or key of yours")]
    NothingMine,
    #[error("nothing in your mailbox is about this log: no letter there shows a head or a record of it")]
    NotInMailbox,
    /// The log does not reach a record of which there is proof.
    #[error(
        "the log is shorter than it was: {shown} tells of record {seq}, and it ends with record {last}; ask for \
             the whole log"
    )]
    LogEndsBefore { seq: u64, last: u64, shown: String },
    /// The letter of an answer is not what the log says of it.
    #[error("the letter {raw} is said to be signed by its mail domain, and is not: {why}")]
    LetterUnproven { raw: Hash, why: String },
    #[error("no line of the letter {raw} says `{said}`")]
    LetterSaysOther { raw: Hash, said: String },
    /// Lines of a letter are played one after the other, and a letter counts once.
    #[error("the letter {raw} does not count here: {why}")]
    LetterOutOfTurn { raw: Hash, why: String },
    #[error(
        "the log ends inside a record ({bytes} bytes); the last append was interrupted, and `repair` sets it aside"
    )]
    Torn { bytes: u64 },
    #[error("the log has no record")]
    Empty,
    #[error("a record starts with the line '---', not with '{found}'")]
    NotARecord { found: String },
    #[error("the record is longer than {limit} bytes")]
    RecordTooLong { limit: usize },
    #[error("the log is longer than {limit} bytes")]
    LogTooLong { limit: u64 },
}

/// What is wrong with an answer by a standing order, or with the lack of one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderFault {
    #[error("no order in the seat's book answers this question now")]
    NotInBook,
    #[error("order {number} of the seat should have answered this question")]
    PassedOver { number: u32 },
    #[error("order {number} of the seat should have answered this question before the run ended")]
    PassedOverInRun { number: u32 },
    #[error("order {number} of the seat answers `{words}`, not `{said}`")]
    OtherWords { number: u32, words: String, said: String },
    #[error("after {most} answers by orders in a row the seat must be asked")]
    TooManyInARow { most: usize },
    #[error("an order has answered this very question before, in the same words")]
    AnsweredBefore,
    #[error("orders have answered, and no seat has left one")]
    NoneLeft,
}

impl From<OrderFault> for Problem {
    fn from(fault: OrderFault) -> Problem {
        Problem::StandingOrder(fault)
    }
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
    /// The reader's own letters do not show this log. 9 to 11 are exits of other verbs of the program.
    pub const NOT_SHOWN: u8 = 12;
}

impl Problem {
    /// The rule that is broken.
    #[expect(clippy::too_many_lines, reason = "an arm for each problem")]
    pub fn rule(&self) -> Rule {
        match self {
            Problem::Unreadable(fault) | Problem::NotCanonical(fault) => of_form(&fault.kind),
            Problem::Format { .. } => Rule::FormatNumber,
            Problem::Level { .. } => Rule::FormatLevel,
            Problem::FirstKind { .. } => Rule::PlacePhase,
            Problem::Seq { .. } => Rule::ChainSeq,
            Problem::TimeRunsBack { .. } => Rule::ChainTime,
            Problem::OutOfPlace { rule, .. } | Problem::Value { rule, .. } | Problem::Roll { rule, .. } => *rule,
            Problem::UnknownSeat { .. } => Rule::SeatUnknown,
            Problem::NotForSeat { .. } => Rule::SeatHost,
            Problem::Objection(objection) => objection.rule(),
            Problem::Prev { .. } => Rule::ChainPrev,
            Problem::Closing { .. } => Rule::EndClosing,
            Problem::UnknownTitle { .. } => Rule::GenesisTitle,
            Problem::Unplayable { .. } => Rule::GenesisPlayable,
            Problem::NotAsked { kind: Kind::Deck, .. } => Rule::DeckAsked,
            Problem::NotAsked { .. } => Rule::SayAsked,
            Problem::Refused { .. } => Rule::SayAllowed,
            Problem::NotItsOwnWords { .. } => Rule::SayWords,
            Problem::Facts { .. } => Rule::FactDigest,
            Problem::Changed(_) => Rule::FactChanged,
            Problem::Result { .. } => Rule::EndResult,
            Problem::StandingOrder(fault) => fault.rule(),
            Problem::NotLeast { .. } => Rule::SayLeast,
            Problem::Setup { .. } => Rule::StartSetup,
            Problem::Link { .. } => Rule::DiceLink,
            Problem::RollEmpty => Rule::DiceNone,
            Problem::RollMissing { .. } | Problem::RollNotNeeded => Rule::DiceAsked,
            Problem::Round { .. } => Rule::ReceiptRound,
            Problem::ReceiptOrder { .. } => Rule::RoundOrder,
            Problem::RoundTooEarly { .. } => Rule::RoundTime,
            Problem::RoundSignature { .. } => Rule::RoundSignature,
            Problem::NoRound | Problem::ThrowWithoutRound => Rule::SayRound,
            Problem::LineSkipped { .. } => Rule::RunLine,
            Problem::StoppedFalsely { .. } => Rule::StopFalse,
            Problem::StoppedUnasked { .. } => Rule::StopAsked,
            Problem::DeckNotLaid { .. } => Rule::RunDeck,
            Problem::LinesJoined { .. } => Rule::LineCut,
            Problem::StopHidden { .. } => Rule::RevealStop,
            Problem::StopOtherwise { .. } => Rule::RevealLine,
            Problem::LineNotNext { .. } => Rule::LineNext,
            Problem::Line { .. } => Rule::LineCommitted,
            Problem::LineSaysOther { .. } => Rule::LineSays,
            Problem::DeckUnknown { .. } => Rule::DeckName,
            Problem::DeckNumber { .. } => Rule::DeckNumber,
            Problem::DeckCommitment { .. } => Rule::DeckCommitment,
            Problem::SlotUnknown { .. } => Rule::CardPosition,
            Problem::CardUnknown { .. } => Rule::CardWord,
            Problem::Opening { .. } => Rule::CardCommitted,
            Problem::OpenedTwice { .. } => Rule::CardTwice,
            Problem::OpeningMissing { .. } => Rule::CardMissing,
            Problem::OpeningNotNeeded { .. } => Rule::CardNeedless,
            Problem::Root { .. } => Rule::RevealRoot,
            Problem::MaskedOtherwise { .. } => Rule::RevealDeck,
            Problem::FalseClaim { .. } => Rule::RevealClaim,
            Problem::Books { .. } => Rule::RevealBooks,
            Problem::Checkpoint { .. } => Rule::MailHead,
            Problem::FalseShare { .. } => Rule::RevealShare,
            Problem::TypedFor { .. } => Rule::AuthKeyboard,
            Problem::AuthTooLow { .. } => Rule::AuthClass,
            Problem::NotAlone { .. } => Rule::CorrectionAlone,
            Problem::NotFree { .. } => Rule::SeatFree,
            Problem::ActWaits { .. } => Rule::SeatWaits,
            Problem::NotHosted { .. } => Rule::HostPlays,
            Problem::KeyNotSigned => Rule::KeySigned,
            Problem::NoAddress => Rule::AuthAddress,
            Problem::SignatureMissing => Rule::SignMissing,
            Problem::Signature { .. } => Rule::SignHolds,
            Problem::HandoverUnsigned { .. } | Problem::HandoverWithoutKey => Rule::HostSigned,
            Problem::SignedElsewhere { .. } => Rule::SignHead,
            Problem::SignedNumber { .. } => Rule::SignNumber,
            Problem::SignedBefore { .. } => Rule::SignOnce,
            Problem::SignedLater { .. } => Rule::SignOrder,
            Problem::SignedOtherwise { .. } => Rule::SignWords,
            Problem::Forked { .. } => Rule::MailFork,
            Problem::OtherBeginning { .. } => Rule::MailBeginning,
            Problem::NotMine { joins: true, .. } => Rule::MineJoin,
            Problem::NotMine { .. } => Rule::MineLetter,
            Problem::NothingMine => Rule::MineNone,
            Problem::NotInMailbox => Rule::MailNone,
            Problem::LogEndsBefore { .. } => Rule::MailShorter,
            Problem::LetterUnproven { .. } => Rule::LetterProof,
            Problem::LetterSaysOther { .. } => Rule::LetterWords,
            Problem::LetterOutOfTurn { .. } => Rule::LetterTurn,
            Problem::Torn { .. } => Rule::FileTorn,
            Problem::Empty => Rule::FileEmpty,
            Problem::NotARecord { .. } => Rule::FileRecord,
            Problem::RecordTooLong { .. } => Rule::FormLimit,
            Problem::LogTooLong { .. } => Rule::FileLength,
        }
    }

    /// What the problem is about.
    pub fn check(&self) -> Check {
        self.rule().check()
    }

    /// The exit code of a log whose first problem this is (V2).
    pub fn exit_code(&self) -> u8 {
        self.rule().code()
    }

    /// Whether the game cannot be followed any further.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Problem::Unreadable(_)
                | Problem::Format { .. }
                | Problem::Level { .. }
                | Problem::FirstKind { .. }
                | Problem::UnknownTitle { .. }
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
                | Problem::RollEmpty
                | Problem::Torn { .. }
                | Problem::NotARecord { .. }
                | Problem::RecordTooLong { .. }
                | Problem::LogTooLong { .. }
        )
    }

    /// What would have been right and what was found, if both are short.
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
            | Problem::Closing { expected, found }
            | Problem::Setup { expected, found }
            | Problem::DeckCommitment { expected, found }
            | Problem::Root { expected, found }
            | Problem::Facts { expected, found } => both(expected, found),
            Problem::NotItsOwnWords { canonical, said } => both(canonical, said),
            Problem::Result { expected, found } | Problem::Roll { expected, found, .. } => both(expected, found),
            Problem::DeckNumber { expected, found, .. } => both(expected, found),
            _ => None,
        }
    }

    /// The first fact that the record and the rules do not agree on.
    pub fn fact(&self) -> Option<&DifferentFact> {
        match self {
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

fn numbered(seq: Option<u64>) -> String {
    seq.map_or("no record has".to_string(), |seq| format!("record {seq} should have"))
}

fn first_receipt(first: Option<u64>) -> String {
    first.map_or("no receipt waits".to_string(), |first| format!("the receipt of record {first} is played first"))
}

fn quoted(auth: Option<Auth>) -> String {
    auth.map_or("unknown".to_string(), |auth| format!("`{}`", auth.word()))
}

impl OrderFault {
    fn rule(&self) -> Rule {
        match self {
            OrderFault::NotInBook => Rule::OrderBook,
            OrderFault::PassedOver { .. } => Rule::OrderDue,
            OrderFault::PassedOverInRun { .. } => Rule::RunOrder,
            OrderFault::OtherWords { .. } => Rule::OrderWords,
            OrderFault::TooManyInARow { .. } => Rule::OrderRun,
            OrderFault::AnsweredBefore => Rule::OrderOnce,
            OrderFault::NoneLeft => Rule::OrderNone,
        }
    }
}

/// The rule of the written form that a record breaks: about its keys, about what stands behind one, or another.
fn of_form(kind: &FaultKind) -> Rule {
    match kind {
        FaultKind::NotUtf8 => Rule::FormUtf8,
        FaultKind::RecordTooLong { .. }
        | FaultKind::LineTooLong { .. }
        | FaultKind::TooDeep { .. }
        | FaultKind::TooManyItems { .. } => Rule::FormLimit,
        FaultKind::Opening
        | FaultKind::Ended
        | FaultKind::Trailing
        | FaultKind::Indentation { .. }
        | FaultKind::NotAKey { .. }
        | FaultKind::WrongKey { .. }
        | FaultKind::KeyAgain { .. }
        | FaultKind::MissingKey { .. } => Rule::FormKeys,
        FaultKind::Quote
        | FaultKind::Escape { .. }
        | FaultKind::RawControl { .. }
        | FaultKind::LineEnd
        | FaultKind::List
        | FaultKind::Value { .. } => Rule::FormValue,
        FaultKind::NotCanonical { .. } => Rule::FormCanonical,
    }
}

/// What is wrong with a text that people read in a line (log 2.8).
pub(crate) fn line_problem(line: &Line<'_>) -> Option<Problem> {
    let Line { key, text, most } = *line;
    if let Some(found) = text.chars().find(|c| is_forbidden(*c)) {
        return Some(Objection::Character { key, found }.into());
    }
    match text.chars().count() {
        characters if characters == 0 || characters > most || text.trim().is_empty() => {
            Some(Objection::Length { key, characters, most }.into())
        }
        _ => None,
    }
}

/// The problem of a value that the schema allows, but that makes no sense here.
pub(crate) fn value(rule: Rule, key: &'static str, expected: &str, found: &str) -> Problem {
    Problem::Value { rule, key, expected: expected.to_string(), found: found.to_string() }
}
