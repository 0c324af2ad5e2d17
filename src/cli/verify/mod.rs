//! `verify`: checks a log from its first record to its last.

mod fingerprint;

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::hash::Hash;
use post::witness::archive::Archive;
use post::witness::evidence;
use post::witness::{self, Location};
use record::commit::checkpoint::Noted;
use record::verify::ending::CheckFile;
use record::verify::letters::Letters;
use record::verify::mine::Own;
use record::verify::report::Report;
use record::verify::witness::Witnesses;
use record::verify::words::Tone;
use record::verify::{Checkpoint, Errors, Progress, Proofs, Wanted, verify_twice, verify_with};
use report::{brief, checker, columns};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Check a log from its first record: rules, dice, cards, and the chain of hashes.
///
/// It needs nothing but the log: no secrets, no host, no network, and it writes nothing but `--evidence`. The first
/// line says what the answer is, OK or FAIL; the others what it rests on, in fifteen lines. `--long` tells all: each
/// level passes, fails, or is skipped, with the reason.
///
/// Several logs are checked at once, on all processors. They end in a table, a line each, and the exit code is that of
/// the worst of them: two histories before a broken chain, dice, rules, a malformed or shortened log, an unknown
/// edition, and a log that cannot be read.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail verify games/shire/log.yaml
  ringmail verify shire --json
  ringmail verify shire --since 57:9c1e…64 hexadecimal digits
  ringmail verify shire.yaml --mailbox ~/Mail --evidence two-histories
  ringmail verify games/*/log.yaml
  xz -dc shire.yaml.xz | ringmail verify -
  ringmail verify --page > check.html
  ringmail verify shire --fingerprint")]
pub struct Verify {
    /// The game, its log, or `-` for standard input; several games or logs are checked at once.
    #[arg(required_unless_present = "page", value_name = "LOG")]
    logs: Vec<String>,
    /// Go on after the first bad record as far as the log can be followed.
    #[arg(long)]
    all_errors: bool,
    /// A head that somebody saw before, from a letter: the hash, or SEQ:HASH. It must be on this history.
    #[arg(long, value_name = "HEAD", value_parser = checkpoint)]
    since: Vec<Checkpoint>,
    /// Your own mail: an mbox, a Maildir, a folder of letters, or one letter. What its letters
    /// say of this game must agree with this log; it may be repeated.
    #[arg(long, value_name = "PATH")]
    mailbox: Vec<PathBuf>,
    /// What you have sent yourself: a mailbox with your Sent mail, one letter, or the public key with which you sign
    /// (`.pub`). Nothing in a log excludes that the host wrote your letters for you: with a mailbox each letter of your
    /// seat must be among them, and those that no record names are listed; with a letter, the one by which your seat
    /// joined. With a key you see what it has not signed. It may be repeated.
    #[arg(long, value_name = "PATH")]
    mine: Vec<PathBuf>,
    /// The letters of the players as the host keeps and shows them: a folder such as games/shire/vault,
    /// with mail/, keys/ and addresses/. Each record of class dkim must be the next line of its letter.
    #[arg(long, value_name = "FOLDER")]
    letters: Option<PathBuf>,
    /// Where two histories are written out, if there are two: the records, and the checkpoints that the
    /// host has signed. Nothing of your letters goes there, so it can be shown to anybody.
    #[arg(long, value_name = "FOLDER", requires = "mailbox")]
    evidence: Option<PathBuf>,
    /// Show progress even if the output is not a terminal.
    #[arg(long)]
    progress: bool,
    /// Print the whole report: each level, every count, and what each rests on.
    #[arg(long, conflicts_with = "json")]
    long: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print a checker of logs for any browser, one page, to be given to somebody without Ringmail; its hash
    /// goes to standard error.
    #[arg(long, exclusive = true)]
    page: bool,
    /// Check nothing, and print the fingerprint: twelve words that stand for the first record of the game. Compare them
    /// with the other players by another way than the mail: with the same words all play the same game. The first two
    /// stand in the subject of each letter.
    #[arg(long, conflicts_with_all = ["all_errors", "since", "mailbox", "letters", "evidence", "json"])]
    fingerprint: bool,
}

pub fn run(wanted: &Verify, games: &Games) -> Done {
    if wanted.page {
        paper::tell(&format!("The checker in this page has the hash {}.", checker::hash()));
        return paper::bytes(checker::page().as_bytes());
    }
    if wanted.fingerprint {
        return wanted.logs.iter().try_for_each(|log| fingerprint::run(log, games));
    }
    let (witnesses, locations) = witnesses(&wanted.mailbox)?;
    let archive = wanted.letters.as_deref().map(|folder| Archive::open(folder, titles::ALL)).transpose();
    let archive = archive.map_err(|error| Failure::failed(format!("{error}.")))?;
    let mine = if wanted.mine.is_empty() { None } else { Some(sent(&wanted.mine)?) };
    let check = |log: &str, progress: &mut (dyn FnMut(Progress) + Send)| {
        let proofs = Proofs {
            mailbox: (!wanted.mailbox.is_empty()).then(|| witnesses.clone()),
            letters: archive.as_ref().map(|archive| archive as &dyn Letters),
            check: beside(log)?,
            mine: mine.clone(),
        };
        one(wanted, games, log, proofs, progress)
    };
    let [log] = wanted.logs.as_slice() else { return several(wanted, &check) };
    let shows = wanted.progress || std::io::stderr().is_terminal();
    let mut told = 0;
    let mut report = check(log, &mut |progress| {
        // A log with an error is read again from its beginning.
        if shows && progress.bytes.abs_diff(told) > PROGRESS_BYTES {
            told = progress.bytes;
            paper::tell(&format!("{} records, {} MiB", progress.records, progress.bytes >> 20));
        }
    })?;
    report.warn_of_clock(now());
    if wanted.json {
        paper::json(&report.to_json())?;
        report.warning().into_iter().for_each(|warning| paper::tell(&warning));
    } else {
        let styled = |tone, part: &str| match tone {
            Tone::Good => paper::styled(paper::GOOD, part),
            Tone::Bad => paper::styled(paper::BAD, part),
        };
        paper::print(&if wanted.long { coloured(&report) } else { brief::brief(&report, styled) })?;
        report.warning().into_iter().filter(|_| !wanted.long).for_each(|warning| paper::tell(&warning));
    }
    if let Some(folder) = wanted.evidence.as_deref().filter(|_| !report.forks.is_empty()) {
        let written = evidence::write(folder, &report, &witnesses, &locations);
        let written = written.map_err(|error| Failure::failed(format!("The evidence cannot be written: {error}.")))?;
        paper::tell(&format!("The evidence is in {}: {} files.", folder.display(), written.len()));
    }
    match report.exit_code() {
        0 => Ok(()),
        code => Err(Failure::silent(Exit::of_code(code))),
    }
}

/// What the reader has sent himself.
fn sent(mailboxes: &[PathBuf]) -> Result<Own, Failure> {
    let mut own = Own::default();
    let read = mailboxes.iter().try_for_each(|mailbox| witness::sent(mailbox, &mut own));
    read.map_err(|error| Failure::failed(format!("The mailbox cannot be read: {error}."))).map(|()| own)
}

/// What lies beside a log to vouch for its end: `shire.check` beside `shire.yaml` or `log.yaml` of the game `shire`.
fn beside(log: &str) -> Result<Option<CheckFile>, Failure> {
    let file = Path::new(log).with_extension("check");
    let mut bytes = Vec::new();
    let read = File::open(&file).and_then(|file| file.take(CHECK_MAX).read_to_end(&mut bytes));
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?,
    };
    let text = String::from_utf8_lossy(&bytes);
    let noted = Noted::find(&text.lines().collect::<Vec<&str>>()).into_iter().next();
    Ok(noted.map(|noted| CheckFile { name: file.display().to_string(), noted }))
}

/// The most bytes of such a file that are read.
const CHECK_MAX: u64 = 65_536;

/// Checks one log.
fn one(
    wanted: &Verify,
    games: &Games,
    log: &str,
    proofs: Proofs<'_>,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Report, Failure> {
    let log = games.log(log)?;
    let wanted = Wanted {
        file: log.name.clone(),
        titles: titles::ALL,
        // Evidence is a record and both its histories, as far as they go.
        errors: if wanted.all_errors || wanted.evidence.is_some() { Errors::All } else { Errors::First },
        seen: wanted.since.clone(),
        progress,
    };
    let report = match log.again {
        Some(mut again) => verify_twice(log.source, &mut again, wanted, proofs),
        None => verify_with(log.source, wanted, proofs),
    };
    report.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", log.name)))
}

/// How one log is checked.
type Check<'c> = dyn Fn(&str, &mut (dyn FnMut(Progress) + Send)) -> Result<Report, Failure> + Sync + 'c;

/// Checks several logs at once, and prints a line for each.
fn several(wanted: &Verify, check: &Check<'_>) -> Done {
    let logs = &wanted.logs;
    if logs.iter().any(|log| log == "-") {
        return Err(Failure::usage("Standard input holds one log; check it by itself."));
    }
    if !wanted.since.is_empty() || wanted.evidence.is_some() || !wanted.mine.is_empty() {
        return Err(Failure::usage("`--since`, `--mine` and `--evidence` are about one log; check it by itself."));
    }
    let shows = wanted.progress || std::io::stderr().is_terminal();
    let checked: Vec<OnceLock<Result<Report, Failure>>> = logs.iter().map(|_| OnceLock::new()).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..processors.min(logs.len()) {
            scope.spawn(|| {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < logs.len()) {
                    let report = check(&logs[index], &mut |_| ());
                    assert!(checked[index].set(report).is_ok(), "each log is checked once");
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if shows {
                        paper::tell(&format!("{done} of {} logs checked", logs.len()));
                    }
                }
            });
        }
    });
    let checked: Vec<Result<Report, Failure>> =
        checked.into_iter().map(|report| report.into_inner().expect("every log was checked")).collect();
    let code = |report: &Result<Report, Failure>| match report {
        Ok(report) => Exit::of_code(report.exit_code()),
        Err(failure) => failure.exit,
    };
    let worst = checked.iter().map(code).min_by_key(|exit| severity(*exit)).unwrap_or(Exit::Done);
    if wanted.json {
        paper::json(&json!({
            "ok": worst == Exit::Done,
            "exit_code": worst as u8,
            "logs": logs.iter().zip(&checked).map(log_json).collect::<Vec<_>>(),
        }))?
    } else {
        paper::print(&table(logs, &checked, worst))?
    }
    match worst {
        Exit::Done => Ok(()),
        worst => Err(Failure::silent(worst)),
    }
}

/// The rank of an exit; the worst is 0.
fn severity(exit: Exit) -> usize {
    let order = [
        Exit::Forked,
        Exit::Chain,
        Exit::Dice,
        Exit::Illegal,
        Exit::Malformed,
        Exit::NotShown,
        Exit::UnknownRules,
        Exit::Failed,
    ];
    match exit {
        Exit::Done => order.len() + 1,
        exit => order.iter().position(|worse| *worse == exit).unwrap_or(order.len()),
    }
}

fn log_json((log, checked): (&String, &Result<Report, Failure>)) -> Value {
    match checked {
        Ok(report) => report.to_json(),
        Err(failure) => {
            json!({ "file": log, "ok": false, "exit_code": failure.exit as u8, "problem": failure.message })
        }
    }
}

/// A line for each log, and one for all.
fn table(logs: &[String], checked: &[Result<Report, Failure>], worst: Exit) -> String {
    let widest = logs.iter().map(|log| columns::width(log)).max().unwrap_or(0);
    let mut text = String::new();
    let (mut records, mut bad) = (0, 0);
    for (log, checked) in logs.iter().zip(checked) {
        let (is_ok, what) = match checked {
            Ok(report) => (report.is_ok(), report.in_a_line()),
            Err(failure) => (false, failure.message.clone()),
        };
        records += checked.as_ref().map_or(0, |report| report.records);
        bad += usize::from(!is_ok);
        let verdict = if is_ok { paper::styled(paper::GOOD, "OK  ") } else { paper::styled(paper::BAD, "FAIL") };
        text.push_str(&format!("{verdict}  {}  {what}\n", columns::left(log, widest)));
    }
    let all = match worst {
        Exit::Done => format!("OK {} logs, {records} records\n", logs.len()),
        worst => format!("FAIL {bad} of {} logs, exit code {}\n", logs.len(), worst as u8),
    };
    text + &all
}

/// The testimony of the mailboxes, and where their letters are.
fn witnesses(mailboxes: &[PathBuf]) -> Result<(Witnesses, Vec<Location>), Failure> {
    let (mut all, mut places) = (Witnesses::default(), Vec::new());
    for mailbox in mailboxes {
        let found = witness::witnesses(mailbox);
        let (mut found, locations) =
            found.map_err(|error| Failure::failed(format!("The mailbox cannot be read: {error}.")))?;
        found.seen.iter_mut().for_each(|seen| seen.letter += all.letters.len());
        found.begun.iter_mut().for_each(|begun| begun.letter += all.letters.len());
        all.received.append(&mut found.received);
        all.letters.append(&mut found.letters);
        all.seen.append(&mut found.seen);
        all.begun.append(&mut found.begun);
        places.extend(locations);
    }
    Ok((all, places))
}

/// The bytes between two lines of progress: about one line a second.
const PROGRESS_BYTES: u64 = 64 << 20;

/// The report in colour.
pub fn coloured(report: &Report) -> String {
    report.to_text_in(|tone, part| match tone {
        Tone::Good => paper::styled(paper::GOOD, part),
        Tone::Bad => paper::styled(paper::BAD, part),
    })
}

fn checkpoint(text: &str) -> Result<Checkpoint, String> {
    let (seq, hash) = match text.split_once(':') {
        Some((seq, hash)) => (Some(seq.parse().map_err(|_| format!("`{seq}` is not the number of a record"))?), hash),
        None => (None, text),
    };
    let hash = Hash::parse(hash).ok_or_else(|| "a head has 64 hexadecimal digits, in lower case".to_string())?;
    Ok(Checkpoint { seq, hash })
}
