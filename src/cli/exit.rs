//! How the program ends: stable codes, the same for every verb.

use std::process::ExitCode;

/// Why the program stops. The numbers are an interface: scripts rely on them, and the README lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; for `verify`: every level that was asked for passes.
    Done = 0,
    /// It could not be done or could not be checked: a file, a disk, a network.
    Failed = 1,
    /// The command line was wrong, or names a game or seat that does not exist.
    Usage = 2,
    /// The log is malformed (structure or canonical form), or shorter than a head that the host has signed.
    Malformed = 3,
    /// A command in the log is illegal, or the facts differ from its digest.
    Illegal = 4,
    /// Dice or openings do not follow from their commitments.
    Dice = 5,
    /// The chain of hashes, or a signature, is broken.
    Chain = 6,
    /// Two histories of one game exist.
    Forked = 7,
    /// The edition of the rules is not known to this program.
    UnknownRules = 8,
    /// A sentence or letter was refused; nothing changed.
    Refused = 9,
    /// Another process is at work on the game.
    Busy = 10,
    /// A letter has nothing to do with Ringmail, and was not kept: it is to be delivered elsewhere.
    NotOurs = 11,
}

impl Exit {
    /// The exit of a code of `verify` (V2); an unknown code is a failure.
    pub fn of_code(code: u8) -> Exit {
        let all = [
            Exit::Done,
            Exit::Failed,
            Exit::Usage,
            Exit::Malformed,
            Exit::Illegal,
            Exit::Dice,
            Exit::Chain,
            Exit::Forked,
            Exit::UnknownRules,
        ];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Exit::Failed)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A verb that did not get through: how to end, and what to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub exit: Exit,
    /// What was wrong, in whole sentences; empty if it has been printed already.
    pub message: String,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into() }
    }

    pub fn failed(message: impl Into<String>) -> Failure {
        Failure::new(Exit::Failed, message)
    }

    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, message)
    }

    /// The code alone says it.
    pub fn silent(exit: Exit) -> Failure {
        Failure::new(exit, "")
    }
}

/// What a verb gives.
pub type Done = Result<(), Failure>;
