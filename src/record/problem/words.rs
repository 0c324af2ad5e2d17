/*! What is wrong with a record, in words: the only place that makes them. */

use super::{DifferentFact, Problem};
use std::fmt;

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
            Problem::Objection(objection) => {
                let (key, expected, found) = objection.value();
                write!(f, "`{key}` should be {expected}, not {found}")
            }
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
            Problem::CodeNotShown => {
                write!(f, "the record says that its letter brought a one-time code, and carries none")
            }
            Problem::AuthTooLow { least, found } => write!(
                f,
                "the letter is of class `{}`, and this game requires `{}` or stronger",
                found.word(),
                least.word()
            ),
            Problem::Forked { seq, log, seen, how, signed, letter } => {
                let by = if *signed { "the host has signed it" } else { "the host has not signed it" };
                write!(
                    f,
                    "two histories: record {seq} of the log has the hash {log}, and {letter} shows {seen} ({how}; {by})"
                )
            }
            Problem::LogEndsBefore { seq, last, letter } => {
                write!(f, "{letter} tells of record {seq}, and the log ends with record {last}: ask for the whole log")
            }
            Problem::CheckpointUnsigned { seq, why } => {
                write!(f, "the checkpoint of record {seq} in a letter is not the host's: {why}")
            }
            Problem::LetterUnproven { raw, why } => {
                write!(f, "the letter {raw} is said to be signed by its mail domain, and is not: {why}")
            }
            Problem::LetterSaysOther { raw, said } => {
                write!(f, "no line of the letter {raw} says `{said}`")
            }
            Problem::FalseShare { seat } => {
                write!(f, "the share that {seat} was given at the start is not one of the root")
            }
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
