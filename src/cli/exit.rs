//! The exit codes of the program: stable, and the same for every verb.

use std::process::ExitCode;

/// Why the program ends. The numbers are an interface: scripts rely on them, and the README lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; for `verify`: all requested levels pass.
    Done = 0,
    /// It could not be done or checked, because of a file, a disk or a network.
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
    /// Another process is working on the game.
    Busy = 10,
    /// The letter has nothing to do with Ringmail and was not kept: it must be delivered elsewhere.
    NotOurs = 11,
    /// The reader's own letters do not show this log, or say otherwise without a signature.
    NotShown = 12,
}

impl Exit {
    /// The exit for an exit code of `verify` (V2); an unknown code means a failure.
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
            Exit::NotShown,
        ];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Exit::Failed)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a verb failed: the exit code and the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub exit: Exit,
    /// What went wrong, in whole sentences; empty if it has already been printed.
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

    /// An exit code without a message.
    pub fn silent(exit: Exit) -> Failure {
        Failure::new(exit, "")
    }
}

/// The result of a verb.
pub type Done = Result<(), Failure>;
