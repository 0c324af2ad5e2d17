/*! Passwords and tokens, from where the host keeps them (requirement S6): a command, the keyring of the system, or the
environment. They are asked for when they are needed, kept nowhere, and never stand in a file of ours.
*/

use std::fmt;
use std::process::{Command, Stdio};

/// The longest password or token we expect; OAuth tokens have up to a few thousand letters.
const LENGTH_MAX: usize = 16 * 1024;

/// Where a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A command line whose first line of output is the secret, as for msmtp's `passwordeval`.
    Command(String),
    /// The service under which the keyring of the system has it.
    Keyring(String),
    /// An environment variable.
    Environment(String),
}

/// Why a secret was not to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSecret {
    NotRun { command: String, error: String },
    Failed { command: String, status: String, said: String },
    Empty { command: String },
    NotSet { variable: String },
    NotText { from: String },
}

impl fmt::Display for NoSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSecret::NotRun { command, error } => write!(formatter, "`{command}` cannot be run: {error}"),
            NoSecret::Failed { command, status, said } if said.is_empty() => {
                write!(formatter, "`{command}` gave no secret: {status}")
            }
            NoSecret::Failed { command, status, said } => {
                write!(formatter, "`{command}` gave no secret: {status}: {said}")
            }
            NoSecret::Empty { command } => write!(formatter, "`{command}` printed nothing"),
            NoSecret::NotSet { variable } => {
                write!(formatter, "there is no password in the environment variable {variable}")
            }
            NoSecret::NotText { from } => write!(formatter, "what {from} gives is no line of text"),
        }
    }
}

impl std::error::Error for NoSecret {}

impl Source {
    /// The secret of an account.
    ///
    /// # Errors
    /// It is not there; the words tell where it was looked for, and never what was found.
    pub fn reveal(&self, account: &str) -> Result<String, NoSecret> {
        match self {
            Source::Command(line) => {
                let mut command = Command::new(if cfg!(windows) { "cmd" } else { "sh" });
                command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(line);
                first_line(&mut command, line)
            }
            Source::Keyring(service) => {
                let (program, arguments) = keyring(service, account);
                first_line(Command::new(program).args(&arguments), &format!("{program} {}", arguments.join(" ")))
            }
            Source::Environment(variable) => match std::env::var(variable) {
                Ok(secret) if !secret.is_empty() => Ok(secret),
                Ok(_) | Err(std::env::VarError::NotPresent) => Err(NoSecret::NotSet { variable: variable.clone() }),
                Err(std::env::VarError::NotUnicode(_)) => Err(NoSecret::NotText { from: variable.clone() }),
            },
        }
    }
}

/// The keyring of the system by its own tool: no library of it is as old as the systems people have.
fn keyring(service: &str, account: &str) -> (&'static str, Vec<String>) {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["find-generic-password", "-s", service, "-a", account, "-w"]
    } else {
        &["lookup", "service", service, "account", account]
    };
    let program = if cfg!(target_os = "macos") { "security" } else { "secret-tool" };
    (program, words.iter().map(|word| (*word).to_owned()).collect())
}

fn first_line(command: &mut Command, called: &str) -> Result<String, NoSecret> {
    let called = called.to_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| NoSecret::NotRun { command: called.clone(), error: error.to_string() })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("").trim().to_owned();
        return Err(NoSecret::Failed { command: called, status: output.status.to_string(), said });
    }
    let printed = String::from_utf8(output.stdout).map_err(|_| NoSecret::NotText { from: called.clone() })?;
    let line = printed.lines().next().unwrap_or("").trim_end().to_owned();
    if line.len() > LENGTH_MAX || line.contains(char::is_control) {
        return Err(NoSecret::NotText { from: called });
    }
    if line.is_empty() { Err(NoSecret::Empty { command: called }) } else { Ok(line) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<String, String> {
        Source::Command(line.to_owned()).reveal("box").map_err(|error| error.to_string())
    }

    #[test]
    fn s6_a_secret_comes_from_a_command() {
        assert_eq!(command("printf 'mellon\\nuser: box\\n'").as_deref(), Ok("mellon"));
        assert_eq!(command("true").unwrap_err(), "`true` printed nothing");
        let failed = command("echo locked >&2; exit 3").unwrap_err();
        assert_eq!(failed, "`echo locked >&2; exit 3` gave no secret: exit status: 3: locked");
        assert_eq!(command("printf '\\033'").unwrap_err(), "what printf '\\033' gives is no line of text");
    }

    #[test]
    fn s6_a_secret_that_is_not_there_is_told() {
        let told = Source::Environment("RINGMAIL_NO_SUCH_VARIABLE".to_owned()).reveal("box").unwrap_err();
        let words = "there is no password in the environment variable RINGMAIL_NO_SUCH_VARIABLE";
        assert_eq!(told.to_string(), words);
        assert!(Source::Keyring("ringmail-no-such-service".to_owned()).reveal("box").is_err());
    }
}
