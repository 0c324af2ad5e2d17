/*! Letters handed to a program that sends them, as `sendmail` does: Postfix, Exim, msmtp and many others have
one of this kind (requirement S6).
*/

use super::carrier::{Carrier, Cover, NotCarried};
use ground::disk::mishap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// What msmtp says when it does not reach the server that takes its letters.
const NO_SERVER: [&str; 2] = ["cannot locate host", "cannot connect to"];

/// A program called as `sendmail -i -f FROM -- TO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sendmail {
    program: PathBuf,
    /// Arguments before the usual ones: an account, a file.
    arguments: Vec<String>,
    patience: Duration,
}

/// The longest time for one letter. A program that hands a letter to a server needs seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often we look whether the program has ended.
const LOOK: Duration = Duration::from_millis(10);
/// How long we wait for the last words of a program that has ended, and how many bytes of its words we keep.
const LAST_WORDS: Duration = Duration::from_secs(2);
const SAID_MAX: u64 = 64 * 1024;

impl Sendmail {
    /// A carrier that gives letters to this program.
    pub fn new(program: &Path, arguments: &[String]) -> Sendmail {
        Sendmail { program: program.to_owned(), arguments: arguments.to_vec(), patience: PATIENCE }
    }

    /// The same, with `patience` for each letter.
    pub fn with_patience(self, patience: Duration) -> Sendmail {
        Sendmail { patience, ..self }
    }
}

impl Carrier for Sendmail {
    fn carry(&mut self, _name: &str, cover: &Cover, letter: &[u8]) -> Result<String, NotCarried> {
        let no_service = |what: String| NotCarried::NoService { reason: format!("{}: {what}", self.program.display()) };
        mishap::strike().map_err(|error| no_service(error.to_string()))?;
        let from = cover.from.as_ref().map_or("<>".to_owned(), ToString::to_string);
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(["-i", "-f", &from, "--", &cover.to.to_string()]);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| no_service(format!("it cannot be run: {error}")))?;
        let mut into = child.stdin.take().expect("its input is a pipe");
        let local = with_local_line_ends(letter);
        // The program may stop reading or writing and never end: other threads wait for that, this one only for
        // `patience`.
        let writing = thread::spawn(move || into.write_all(&local));
        let said = heard(child.stderr.take());
        let _ = heard(child.stdout.take());
        let status = ended(&mut child, self.patience).map_err(|error| no_service(error.to_string()))?;
        let Some(status) = status else {
            return Err(no_service(format!(
                "it did not end within {} seconds, and was stopped",
                self.patience.as_secs()
            )));
        };
        let written = writing.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
        // A child of the program may still hold its output open.
        let said = said.recv_timeout(self.patience.min(LAST_WORDS)).unwrap_or_default();
        match (status.success(), written) {
            (true, Ok(())) => Ok(format!("taken by {}", self.program.display())),
            (true, Err(error)) => Err(no_service(format!("it stopped reading: {error}"))),
            (false, _) => Err(self.refusal(status.code(), &said)),
        }
    }
}

/// The program expects lines that end with LF, and makes CR LF of them. A CR that ends no line stays: without it a full
/// stop could come to stand alone in its line.
fn with_local_line_ends(letter: &[u8]) -> Vec<u8> {
    let followers = letter.iter().skip(1).map(Some).chain([None]);
    let kept = letter.iter().zip(followers).filter(|pair| *pair != (&b'\r', Some(&b'\n')));
    kept.map(|(byte, _)| *byte).collect()
}

/// Collects what a program writes, to its end.
fn heard(output: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (into, from) = mpsc::channel();
    if let Some(mut output) = output {
        thread::spawn(move || {
            let mut said = Vec::new();
            let _ = output.by_ref().take(SAID_MAX).read_to_end(&mut said);
            let words = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<&str>>().join(" ");
            let _ = into.send(words);
            let _ = io::copy(&mut output, &mut io::sink());
        });
    }
    from
}

/// How a program ended; `None` if we had to stop it.
fn ended(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let looks = patience.as_millis() / LOOK.as_millis();
    for _ in 0..=looks {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

impl Sendmail {
    /// What the codes of `sysexits.h` mean for a letter.
    fn refusal(&self, code: Option<i32>, said: &str) -> NotCarried {
        let program = self.program.display();
        let words = code.map_or("it was stopped".to_owned(), |code| format!("it ended with {code}"));
        let reply = format!("{program}: {words}{}{said}", if said.is_empty() { "" } else { ": " });
        // msmtp uses for its own server the codes that others use for the recipient's.
        let has_no_server = NO_SERVER.iter().any(|words| said.contains(words));
        match code {
            _ if has_no_server => NotCarried::NoService { reason: reply },
            // EX_DATAERR, EX_NOUSER.
            Some(65 | 67) => NotCarried::Never { reply },
            // EX_NOHOST, EX_TEMPFAIL. A host may be unknown because the network is gone for a while.
            Some(68 | 75) => NotCarried::Later { reply },
            _ => NotCarried::NoService { reason: reply },
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::letter::mailbox::Mailbox;

    fn carry(script: &str) -> Result<String, NotCarried> {
        let cover = Cover { from: None, to: Mailbox::read("frodo@shire.example").unwrap() };
        let mut sendmail = Sendmail::new(Path::new("sh"), &["-c".to_owned(), script.to_owned()]);
        sendmail.carry("letter", &cover, b"To: <frodo@shire.example>\r\n\r\n.\r\n")
    }

    #[test]
    fn s6_a_letter_is_given_to_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("cat > {0}/letter; echo \"$0 $@\" > {0}/words", folder.path().display());
        assert_eq!(carry(&script).unwrap(), "taken by sh");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("letter"), "To: <frodo@shire.example>\n\n.\n");
        assert_eq!(read("words"), "-i -f <> -- frodo@shire.example\n");
    }

    #[test]
    fn rfc_5321_only_cr_lf_becomes_the_line_end_of_this_machine() {
        let case = |letter: &str, expected: &str| {
            assert_eq!(with_local_line_ends(letter.as_bytes()), expected.as_bytes(), "{letter:?}");
        };
        case("a\r\n\r\n.\r\nb", "a\n\n.\nb");
        case("a\r\n\r.\r\r\nb\r", "a\n\r.\r\nb\r");
        case("", "");
    }

    #[test]
    fn s6_a_program_that_never_ends_is_stopped() {
        let cover = Cover { from: None, to: Mailbox::read("frodo@shire.example").unwrap() };
        for script in ["exec sleep 600", "cat > /dev/null; exec sleep 600"] {
            let hung = Sendmail::new(Path::new("sh"), &["-c".to_owned(), script.to_owned()]);
            let carried = hung.with_patience(Duration::from_millis(200)).carry("letter", &cover, &[b'x'; 200_000]);
            let Err(NotCarried::NoService { reason }) = carried else { panic!("{carried:?}") };
            assert!(reason.contains("it did not end within"), "{reason}");
        }
    }

    #[test]
    fn s6_what_a_program_says_decides_whether_to_try_again() {
        let refused = |code: i32| carry(&format!("cat > /dev/null; echo no such hobbit >&2; exit {code}")).unwrap_err();
        let reply = "sh: it ended with 67: no such hobbit".to_owned();
        assert_eq!(refused(67), NotCarried::Never { reply });
        assert!(matches!(refused(68), NotCarried::Later { .. }));
        assert!(matches!(refused(75), NotCarried::Later { .. }));
        assert!(matches!(refused(78), NotCarried::NoService { .. }));
        // Seen with msmtp 1.8.23: letters were dead because the network was gone for a moment.
        let msmtp = |code: u32, said: &str| carry(&format!("cat > /dev/null; echo 'msmtp: {said}' >&2; exit {code}"));
        let unknown = "cannot locate host smtp.play.example: Name or service not known";
        assert!(matches!(msmtp(68, unknown), Err(NotCarried::NoService { .. })));
        let closed = "cannot connect to smtp.play.example, port 587: Connection refused";
        assert!(matches!(msmtp(75, closed), Err(NotCarried::NoService { .. })));
    }
}
