/*! Passwords and tokens, from where the host keeps them (requirement S6): a command, the keyring of the system, the
environment, or the folder of credentials that a service manager hands over. They are looked up when they are needed,
and never stored by us.
*/

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fmt, thread};

/// The longest password or token we expect; OAuth tokens have up to a few thousand letters.
const LENGTH_MAX: usize = 16 * 1024;
/// A command that takes longer is waiting for somebody to type.
const PATIENCE: Duration = Duration::from_secs(60);
/// The interval between two checks whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// The folder with the secrets of this process, each a file. systemd sets it for `LoadCredential=` (systemd.exec(5));
/// an image for containers can set it to where its secrets are mounted.
pub const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";

/// Where a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A command line whose first line of output is the secret, as for msmtp's `passwordeval`.
    Command(String),
    /// The name of the service under which the keyring of the system keeps it.
    Keyring(String),
    Environment(String),
    /// The name of a file in the folder of credentials.
    Credential(String),
}

/// Why there is no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSecret {
    NotRun { command: String, error: String },
    Failed { command: String, status: String, said: String },
    TooSlow { command: String, patience: Duration },
    NotInKeyring { command: String, status: String, said: String },
    Empty { command: String },
    NotSet { variable: String },
    NoCredentials { name: String },
    NoCredential { file: PathBuf, error: String },
    EmptyCredential { file: PathBuf },
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
            NoSecret::TooSlow { command, patience } => {
                write!(formatter, "`{command}` has given no secret for {} seconds", patience.as_secs())
            }
            NoSecret::NotInKeyring { command, status, said } => {
                let said = if said.is_empty() { String::new() } else { format!(": {said}") };
                write!(formatter, "the keyring gives no secret: `{command}`: {status}{said}")
            }
            NoSecret::Empty { command } => write!(formatter, "`{command}` printed nothing"),
            NoSecret::NotSet { variable } => {
                write!(formatter, "there is no password in the environment variable {variable}")
            }
            NoSecret::NoCredentials { name } => {
                write!(formatter, "no credentials were handed over, and so no `{name}`: {CREDENTIALS} is not set")
            }
            NoSecret::NoCredential { file, error } => {
                write!(formatter, "the credential {} cannot be read: {error}", file.display())
            }
            NoSecret::EmptyCredential { file } => write!(formatter, "the credential {} is empty", file.display()),
            NoSecret::NotText { from } => write!(formatter, "what {from} gives is not a line of text"),
        }
    }
}

impl std::error::Error for NoSecret {}

impl Source {
    /// The secret of an account.
    ///
    /// # Errors
    /// The message says where the secret was looked for, and never what was found.
    pub fn reveal(&self, account: &str) -> Result<String, NoSecret> {
        match self {
            Source::Command(line) => {
                let mut command = Command::new(if cfg!(windows) { "cmd" } else { "sh" });
                command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(line);
                first_line(&mut command, line, PATIENCE)
            }
            Source::Keyring(service) => {
                let (program, arguments) = keyring(service, account);
                let called = format!("{program} {}", arguments.join(" "));
                let secret = first_line(Command::new(program).args(&arguments), &called, PATIENCE);
                secret.map_err(|error| match error {
                    NoSecret::Failed { command, status, said } => NoSecret::NotInKeyring { command, status, said },
                    error => error,
                })
            }
            Source::Environment(variable) => match std::env::var(variable) {
                Ok(secret) if !secret.is_empty() => Ok(secret),
                Ok(_) | Err(std::env::VarError::NotPresent) => Err(NoSecret::NotSet { variable: variable.clone() }),
                Err(std::env::VarError::NotUnicode(_)) => Err(NoSecret::NotText { from: variable.clone() }),
            },
            Source::Credential(name) => match std::env::var_os(CREDENTIALS) {
                Some(folder) if !folder.is_empty() => credential(&Path::new(&folder).join(name)),
                _ => Err(NoSecret::NoCredentials { name: name.clone() }),
            },
        }
    }
}

/// The command that asks the keyring of the system: its own tool also works on systems too old for the libraries.
fn keyring(service: &str, account: &str) -> (&'static str, Vec<String>) {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["find-generic-password", "-s", service, "-a", account, "-w"]
    } else {
        &["lookup", "service", service, "account", account]
    };
    let program = if cfg!(target_os = "macos") { "security" } else { "secret-tool" };
    (program, words.iter().map(|word| (*word).to_owned()).collect())
}

/// The first line of a file of credentials.
fn credential(file: &Path) -> Result<String, NoSecret> {
    let unreadable = |error: io::Error| NoSecret::NoCredential { file: file.to_owned(), error: error.to_string() };
    let mut bytes = Vec::new();
    let most = u64::try_from(LENGTH_MAX).unwrap_or(u64::MAX).saturating_mul(2);
    File::open(file).and_then(|open| open.take(most).read_to_end(&mut bytes)).map_err(unreadable)?;
    match secret_line(bytes) {
        Some(line) if line.is_empty() => Err(NoSecret::EmptyCredential { file: file.to_owned() }),
        Some(line) => Ok(line),
        None => Err(NoSecret::NotText { from: file.display().to_string() }),
    }
}

/// The first line, if it can be a password or a token.
fn secret_line(printed: Vec<u8>) -> Option<String> {
    let printed = String::from_utf8(printed).ok()?;
    let line = printed.lines().next().unwrap_or("").trim_end();
    (line.len() <= LENGTH_MAX && !line.contains(char::is_control)).then(|| line.to_owned())
}

fn first_line(command: &mut Command, called: &str, patience: Duration) -> Result<String, NoSecret> {
    let called = called.to_owned();
    let (status, printed, said) = run(command, &called, patience)?;
    if !status.success() {
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().next().unwrap_or("").trim().to_owned();
        return Err(NoSecret::Failed { command: called, status: status.to_string(), said });
    }
    let line = secret_line(printed).ok_or_else(|| NoSecret::NotText { from: called.clone() })?;
    if line.is_empty() { Err(NoSecret::Empty { command: called }) } else { Ok(line) }
}

/// Runs a command to its end; returns how it ended, and what it wrote. A command that does not end is killed: a
/// keyring may ask for its password on a screen that nobody watches, and the letters would wait for it.
fn run(command: &mut Command, called: &str, patience: Duration) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), NoSecret> {
    let not_run = |error: io::Error| NoSecret::NotRun { command: called.to_owned(), error: error.to_string() };
    let too_slow = || NoSecret::TooSlow { command: called.to_owned(), patience };
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(not_run)?;
    let (printed, said) = (child.stdout.take().map(read), child.stderr.take().map(read));
    let mut status = None;
    for _ in 0..patience.as_millis() / LOOK.as_millis() {
        status = child.try_wait().map_err(not_run)?;
        if status.is_some() {
            break;
        }
        thread::sleep(LOOK);
    }
    let Some(status) = status else {
        drop(child.kill());
        drop(child.wait());
        return Err(too_slow());
    };
    // A process that it left running may hold its output open.
    let all = |output: Option<mpsc::Receiver<Vec<u8>>>| {
        output.map_or(Some(Vec::new()), |output| output.recv_timeout(patience).ok()).ok_or_else(too_slow)
    };
    Ok((status, all(printed)?, all(said)?))
}

/// Reads in a separate thread: otherwise a program that writes much would wait for us while we wait for its end.
fn read(mut from: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (whole, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let most = u64::try_from(LENGTH_MAX).unwrap_or(u64::MAX).saturating_mul(2);
        // An error ends the output; what is beyond the limit is read and dropped.
        let _ = from.by_ref().take(most).read_to_end(&mut bytes);
        let _ = io::copy(&mut from, &mut io::sink());
        let _ = whole.send(bytes);
    });
    output
}

/// What the host wrote, with a password masked that does not belong there: `box:***@example.org`.
pub fn without_password(written: &str) -> String {
    let begin = written.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = written.split_at(begin);
    let Some((user, behind)) = rest.split_once(':') else { return written.to_owned() };
    let port = behind.split('/').next().unwrap_or_default();
    match behind.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{user}:***@{host}"),
        // A port, or an IPv6 address.
        None if port.bytes().all(|byte| byte.is_ascii_digit()) || rest.starts_with('[') => written.to_owned(),
        None => format!("{scheme}{user}:***"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_password_stays() {
        assert_eq!(without_password("127.0.0.1:99999"), "127.0.0.1:99999");
        assert_eq!(without_password("http://[::1]:80/x"), "http://[::1]:80/x");
        assert_eq!(without_password("imaps://a@b.org"), "imaps://a@b.org");
    }

    fn command(line: &str) -> Result<String, String> {
        Source::Command(line.to_owned()).reveal("box").map_err(|error| error.to_string())
    }

    #[test]
    fn s6_a_secret_comes_from_a_command() {
        assert_eq!(command("printf 'mellon\\nuser: box\\n'").as_deref(), Ok("mellon"));
        assert_eq!(command("true").unwrap_err(), "`true` printed nothing");
        let failed = command("echo locked >&2; exit 3").unwrap_err();
        assert_eq!(failed, "`echo locked >&2; exit 3` gave no secret: exit status: 3: locked");
        assert_eq!(command("printf '\\033'").unwrap_err(), "what printf '\\033' gives is not a line of text");
    }

    #[test]
    fn s6_a_command_that_waits_for_somebody_is_stopped() {
        let slow = |line: &str| {
            let mut command = Command::new("sh");
            first_line(command.arg("-c").arg(line), "ask", Duration::from_millis(200)).unwrap_err()
        };
        let patience = Duration::from_millis(200);
        assert_eq!(slow("exec sleep 60"), NoSecret::TooSlow { command: "ask".to_owned(), patience });
        // It has ended, but left a process that holds its output open.
        assert_eq!(slow("sleep 1 & echo mellon"), NoSecret::TooSlow { command: "ask".to_owned(), patience });
        let long = command("head -c 200000 /dev/zero | tr '\\0' x; echo; echo said >&2");
        assert!(long.unwrap_err().contains("is not a line of text"));
    }

    #[test]
    fn s6_a_secret_comes_from_a_file_that_the_service_manager_hands_over() {
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.path().join(name), bytes).unwrap();
            credential(&folder.path().join(name)).map_err(|error| error.to_string())
        };
        assert_eq!(written("box", b"mellon\nfriend\n").as_deref(), Ok("mellon"));
        assert!(written("none", b"\n").unwrap_err().ends_with("none is empty"));
        // The message does not show what was found.
        let wrong = written("bell", b"mel\x07lon").unwrap_err();
        assert!(wrong.ends_with("bell gives is not a line of text") && !wrong.contains("lon\u{7}"), "{wrong}");
        assert!(written("bytes", b"\xff").unwrap_err().ends_with("bytes gives is not a line of text"));
        let missing = credential(&folder.path().join("other")).unwrap_err();
        assert!(matches!(missing, NoSecret::NoCredential { .. }), "{missing}");
    }

    #[test]
    fn s6_a_secret_that_is_not_there_is_told() {
        let told = Source::Environment("RINGMAIL_NO_SUCH_VARIABLE".to_owned()).reveal("box").unwrap_err();
        let words = "there is no password in the environment variable RINGMAIL_NO_SUCH_VARIABLE";
        assert_eq!(told.to_string(), words);
        let told = Source::Keyring("ringmail-no-such-service".to_owned()).reveal("box").unwrap_err().to_string();
        let words = "secret-tool lookup service ringmail-no-such-service account box";
        assert!(told.contains(words) || cfg!(target_os = "macos"), "{told}");
    }
}
