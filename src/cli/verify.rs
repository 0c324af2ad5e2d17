//! `verify`: a log is checked from its first record to its last.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::paper;
use crate::post::witness::evidence::{self, Archive};
use crate::post::witness::{self, Location};
use crate::record::value::hash::Hash;
use crate::record::verify::letters::Letters;
use crate::record::verify::report::Report;
use crate::record::verify::witness::Witnesses;
use crate::record::verify::words::Tone;
use crate::record::verify::{Checkpoint, Errors, Progress, Proofs, Wanted, verify_with};
use crate::titles;
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Check a log from its first record: rules, dice, cards, and the chain of hashes.
///
/// It needs nothing but the log: no secrets, no host, no network, and it writes nothing but `--evidence`. Each level
/// passes, fails, or is skipped, with the reason. The last line begins with OK or FAIL.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail verify games/shire/log.yaml
  ringmail verify shire --json
  ringmail verify shire --since 57:9c1e…64 hexadecimal digits
  ringmail verify shire.yaml --mailbox ~/Mail --evidence two-histories
  xz -dc shire.yaml.xz | ringmail verify -")]
pub struct Verify {
    /// The game, its log, or `-` for standard input.
    log: String,
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
    /// The letters of the players as the host keeps and shows them: a folder such as games/shire/vault.
    #[arg(long, value_name = "FOLDER")]
    letters: Option<PathBuf>,
    /// Where two histories are written out, if there are two: the records and the letters that show them.
    #[arg(long, value_name = "FOLDER", requires = "mailbox")]
    evidence: Option<PathBuf>,
    /// Show progress even if the output is not a terminal.
    #[arg(long)]
    progress: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(wanted: &Verify, games: &Games) -> Done {
    let log = games.log(&wanted.log)?;
    let shows = wanted.progress || std::io::stderr().is_terminal();
    let mut told = 0;
    let mut progress = |progress: Progress| {
        if shows && progress.bytes - told > PROGRESS_BYTES {
            told = progress.bytes;
            paper::tell(&format!("{} records, {} MiB", progress.records, progress.bytes >> 20));
        }
    };
    let (witnesses, locations) = witnesses(&wanted.mailbox)?;
    let archive = wanted.letters.as_deref().map(Archive::open).transpose();
    let archive = archive.map_err(|error| Failure::failed(format!("{error}.")))?;
    let proofs = Proofs {
        mailbox: (!wanted.mailbox.is_empty()).then(|| witnesses.clone()),
        letters: archive.as_ref().map(|archive| archive as &dyn Letters),
    };
    let report = verify_with(
        log.source,
        Wanted {
            file: log.name.clone(),
            titles: titles::by_id,
            errors: if wanted.all_errors { Errors::All } else { Errors::First },
            seen: wanted.since.clone(),
            progress: &mut progress,
        },
        proofs,
    )
    .map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", log.name)))?;
    match wanted.json {
        true => paper::json(&report.to_json())?,
        false => paper::print(&coloured(&report))?,
    }
    if let Some(folder) = wanted.evidence.as_deref().filter(|_| !report.forks.is_empty()) {
        let written = evidence::write(folder, &report.forks, &witnesses, &locations, report.host_key);
        let written = written.map_err(|error| Failure::failed(format!("The evidence cannot be written: {error}.")))?;
        paper::tell(&format!("The evidence is in {}: {} files.", folder.display(), written.len()));
    }
    match report.exit_code() {
        0 => Ok(()),
        code => Err(Failure::silent(Exit::of_code(code))),
    }
}

/// What the mailboxes say, and where their letters lie.
fn witnesses(mailboxes: &[PathBuf]) -> Result<(Witnesses, Vec<Location>), Failure> {
    let (mut all, mut places) = (Witnesses::default(), Vec::new());
    for mailbox in mailboxes {
        let found = witness::witnesses(mailbox);
        let (mut found, locations) =
            found.map_err(|error| Failure::failed(format!("The mailbox cannot be read: {error}.")))?;
        found.seen.iter_mut().for_each(|seen| seen.letter += all.letters.len());
        all.letters.append(&mut found.letters);
        all.seen.append(&mut found.seen);
        places.extend(locations);
    }
    Ok((all, places))
}

/// Bytes between two lines of progress: a line about every second.
const PROGRESS_BYTES: u64 = 64 << 20;

/// The report as it is printed.
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
