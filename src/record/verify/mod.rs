/*! Checking a whole log, offline, in one pass and constant memory, as anybody can who holds it.

Nothing is trusted but the rules in this program: every sentence is said again, every roll and draw made again from what
was committed, every card shown held against its mask. It never repairs and never writes.

In reading order: here, record after record; [`ahead`] (found and hashed on a thread of its own), [`letters`] and
[`witness`] (the log held against mail), [`report`], [`chances`] and [`words`] (what was found).
*/

pub mod ahead;
pub(crate) mod beacon;
pub(crate) mod chances;
pub mod letters;
pub mod report;
pub mod witness;
pub mod words;

use self::ahead::{Looked, read_ahead};
use crate::record::canon::fault::Fault;
use crate::record::charter::plan::{Titles, other_format};
use crate::record::entry::body::Auth;
use crate::record::entry::{Body, Entry};
use crate::record::file::stream::{RawRecord, StreamError};
use crate::record::fold::{Fold, Phase};
use crate::record::problem::{Level, Problem};
use crate::record::value::hash::Hash;
use letters::{Letters, LettersSummary, Shown};
use report::{Finding, LevelResult, Report};
use std::io::{self, Read};
use std::ops::ControlFlow;
use witness::{Fork, Hearing, How, Seen, Witnesses};

/// Records between two reports of progress.
const PROGRESS_EVERY: u64 = 4096;

/// What is to be checked, and how.
pub struct Wanted<'w> {
    /// What the log is called in messages: `log.yaml`, `-`.
    pub file: String,
    pub titles: Titles,
    pub errors: Errors,
    /// Heads seen before, in letters: they must be on this history.
    pub seen: Vec<Checkpoint>,
    /// Called now and then with the bytes and records read.
    pub progress: &'w mut dyn FnMut(Progress),
}

/// How many findings are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Stop at the first bad record.
    First,
    /// Go on as far as the records can be followed.
    All,
}

/// A head of the log that somebody saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub seq: Option<u64>,
    pub hash: Hash,
}

/// How far the checking has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub bytes: u64,
    pub records: u64,
}

/// What there is to hold a log against, besides the log itself.
#[derive(Default)]
pub struct Proofs<'w> {
    /// What the reader's own mail says.
    pub mailbox: Option<Witnesses>,
    /// The letters that the answers came in.
    pub letters: Option<&'w dyn Letters>,
}

/// The checking of one log.
struct Verifier<'w> {
    wanted: Wanted<'w>,
    proofs: Proofs<'w>,
    /// What the mailbox says of this game, once it is known which that is.
    hearing: Option<Hearing>,
    letters: LettersSummary,
    forks: Vec<Fork>,
    fold: Option<Fold>,
    findings: Vec<Finding>,
    records: u64,
    /// The last record without a finding.
    good: Option<u64>,
    /// Heads that have not been met yet.
    unseen: Vec<Checkpoint>,
    met: usize,
    result: Option<String>,
    stopped: bool,
}

/// Checks a log.
///
/// # Errors
/// The source cannot be read: nothing is said about the log then.
pub fn verify<R: Read + Send>(source: R, wanted: Wanted<'_>) -> Result<Report, io::Error> {
    verify_with(source, wanted, Proofs::default())
}

/// Checks a log, and holds it against letters.
///
/// # Errors
/// The source cannot be read: nothing is said about the log then.
pub fn verify_with<'w, R: Read + Send>(source: R, wanted: Wanted<'w>, proofs: Proofs<'w>) -> Result<Report, io::Error> {
    let mut verifier = Verifier {
        unseen: wanted.seen.clone(),
        wanted,
        proofs,
        hearing: None,
        letters: LettersSummary::default(),
        forks: Vec::new(),
        fold: None,
        findings: Vec::new(),
        records: 0,
        good: None,
        met: 0,
        result: None,
        stopped: false,
    };
    let reached = read_ahead(source, |looked| {
        verifier.record(looked);
        if verifier.records.is_multiple_of(PROGRESS_EVERY) {
            (verifier.wanted.progress)(Progress { bytes: looked.raw.end(), records: verifier.records });
        }
        if verifier.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match reached.error {
        Some(StreamError::Io(error)) => return Err(error),
        Some(error) => verifier.stream(reached.line, &error),
        None => {}
    }
    verifier.ended(reached.line);
    Ok(verifier.report(reached.bytes))
}

impl Verifier<'_> {
    fn record(&mut self, looked: &Looked<'_>) {
        let before = self.findings.len();
        let (record, hash) = (&looked.raw, looked.hash);
        match (Entry::read(record.bytes), other_format(record.bytes).filter(|_| self.records == 0)) {
            (_, Some(found)) => {
                self.find(Problem::Format { found }, record.line, None);
                self.stopped = true;
            }
            (Ok(entry), None) => self.entry(&entry, looked),
            (Err(fault), None) => self.unreadable(fault, record, hash),
        }
        if !self.unseen.is_empty() {
            let seq = self.records;
            let known = self.unseen.len();
            self.unseen.retain(|seen| seen.hash != hash || seen.seq.is_some_and(|seen| seen != seq));
            self.met += known - self.unseen.len();
        }
        self.hear(record, hash);
        if self.findings.len() == before {
            self.good = Some(self.records);
        } else if self.wanted.errors == Errors::First {
            self.stopped = true;
        }
        self.records += 1;
    }

    fn entry(&mut self, entry: &Entry, looked: &Looked<'_>) {
        let mut problems = Vec::new();
        if let Err(fault) = looked.form {
            problems.push(Problem::NotCanonical(fault.clone()));
        }
        problems.extend(self.held_against_letter(entry));
        match &mut self.fold {
            Some(fold) => {
                if let (Body::Round(round), Some(hearing)) = (&entry.body, &self.hearing) {
                    fold.was_shown(hearing.shown_between(round.receipt, self.records));
                }
                fold.fold(entry, looked.hash, &mut problems);
                fold.game_mut().forget_news();
            }
            None => match Fold::begin(entry, looked.hash, self.wanted.titles, None, &mut problems) {
                Ok(fold) => self.fold = Some(fold),
                Err(problem) => {
                    problems.push(problem);
                    self.stopped = true;
                }
            },
        }
        if let Body::End(end) = &entry.body {
            self.result = Some(end.result.to_string());
        }
        for problem in problems {
            self.find(problem, looked.raw.line, Some(entry));
        }
    }

    /// Holds a record against what the mailbox says of it.
    fn hear(&mut self, record: &RawRecord<'_>, hash: Hash) {
        let (Some(fold), seq) = (&self.fold, self.records) else { return };
        if let Some(witnesses) = &mut self.proofs.mailbox
            && self.hearing.is_none()
        {
            let (seen, received) = (std::mem::take(&mut witnesses.seen), std::mem::take(&mut witnesses.received));
            self.hearing = Some(Hearing::new(seen, received, fold.plan()));
        }
        let (Some(hearing), key) = (&mut self.hearing, fold.host_key()) else { return };
        let (differ, agree) = hearing.of(seq, &hash);
        let mut problems = Vec::new();
        for seen in &agree {
            let (How::Checkpoint(noted), Some(key)) = (&seen.how, key) else { continue };
            match noted.check(key) {
                Ok(()) => hearing.summary.signed += 1,
                Err(why) => problems.push(Problem::CheckpointUnsigned { seq, why: why.to_string() }),
            }
        }
        let agreeing = hearing.agreeing();
        // The strongest word first: what the host has signed, then records, then heads.
        let signed =
            |seen: &Seen| matches!((&seen.how, key), (How::Checkpoint(noted), Some(key)) if noted.check(key).is_ok());
        let strength = |seen: &&Seen| (signed(seen), seen.how == How::Record, seen.head.len());
        if let Some(seen) = differ.iter().max_by_key(strength) {
            let letter = self.proofs.mailbox.as_ref().and_then(|mailbox| mailbox.letters.get(seen.letter));
            problems.push(Problem::Forked {
                seq,
                log: hash,
                seen: seen.head.clone(),
                how: seen.how.words(),
                signed: signed(seen),
                letter: letter.cloned().unwrap_or_default(),
            });
        }
        let fork = |seen: &Seen| Fork { seq, record: record.bytes.to_vec(), seen: seen.clone(), agreeing };
        self.forks.extend(differ.iter().map(fork));
        for problem in problems {
            self.find(problem, record.line, None);
        }
    }

    /// Holds an answer of a letter that a mail domain is said to have signed against the letter.
    fn held_against_letter(&mut self, entry: &Entry) -> Option<Problem> {
        let (Some(letters), Some(fold), Body::Say(say)) = (self.proofs.letters, &self.fold, &entry.body) else {
            return None;
        };
        let via = entry.via.as_ref().filter(|via| via.auth == Some(Auth::Dkim))?;
        let raw = via.raw?;
        match letters.show(&raw, fold.domain_keys()) {
            Shown::Missing => {
                self.letters.missing += 1;
                None
            }
            Shown::Unproven { why } => Some(Problem::LetterUnproven { raw, why }),
            Shown::Proven { domain, sentences } => {
                let seat = fold.plan().seat(&entry.seat)?;
                let faces = fold.faces_with(entry);
                let read = |words: &String| fold.game().read(seat, words, &faces);
                let says = |words: &String| read(words).is_ok_and(|read| read.is_recorded_as(&say.said));
                if !sentences.iter().any(says) {
                    return Some(Problem::LetterSaysOther { raw, said: say.said.to_string() });
                }
                self.letters.proven += 1;
                self.letters.domains.insert(domain);
                None
            }
        }
    }

    fn unreadable(&mut self, fault: Fault, record: &RawRecord<'_>, hash: Hash) {
        let line = record.line + fault.line - 1;
        self.find(Problem::Unreadable(fault), line, None);
        match &mut self.fold {
            Some(fold) => fold.skip_unreadable(hash),
            None => self.stopped = true,
        }
    }

    fn stream(&mut self, line: u64, error: &StreamError) {
        let problem = match error {
            StreamError::Torn { bytes, .. } => Problem::Torn { bytes: *bytes },
            other => Problem::Stream { why: other.to_string() },
        };
        self.find(problem, line, None);
        self.stopped = true;
    }

    /// What can only be said at the end.
    fn ended(&mut self, line: u64) {
        if self.records == 0 && self.findings.is_empty() {
            self.find(Problem::Empty, line, None);
        }
        if self.findings.is_empty() {
            for seen in std::mem::take(&mut self.unseen) {
                self.find(Problem::Checkpoint { seq: seen.seq, head: seen.hash }, line, None);
            }
            if let Some(seen) = self.hearing.as_mut().and_then(Hearing::beyond) {
                let letter = self.proofs.mailbox.as_ref().and_then(|mailbox| mailbox.letters.get(seen.letter)).cloned();
                let last = self.records.saturating_sub(1);
                self.find(
                    Problem::LogEndsBefore { seq: seen.seq, last, letter: letter.unwrap_or_default() },
                    line,
                    None,
                );
            }
        }
    }

    fn find(&mut self, problem: Problem, line: u64, entry: Option<&Entry>) {
        let moment = self.fold.as_ref().filter(|fold| fold.phase() >= Phase::Playing).map(|fold| fold.game().moment());
        let said = entry.map(|entry| match &entry.body {
            Body::Say(say) => format!("{} `{}`", entry.seat, say.said),
            _ => format!("{} {}", entry.seat, entry.kind().word()),
        });
        let is_of_log = matches!(problem, Problem::Checkpoint { .. } | Problem::LogEndsBefore { .. } | Problem::Empty);
        self.findings.push(Finding {
            level: problem.level(),
            line,
            seq: (!is_of_log).then_some(self.records),
            moment,
            said,
            good: self.good,
            problem,
        });
    }

    fn report(self, bytes: u64) -> Report {
        let levels = Level::ALL.map(|level| (level, self.verdict(level)));
        let fold = self.fold;
        Report {
            file: self.wanted.file,
            bytes,
            records: self.records,
            head: fold.as_ref().map(Fold::head),
            levels: levels.to_vec(),
            findings: self.findings,
            seen: self.met,
            mailbox: self.hearing.map(|hearing| hearing.summary),
            letters: self.proofs.letters.map(|_| self.letters),
            forks: self.forks,
            host_key: fold.as_ref().and_then(Fold::host_key),
            result: self.result,
            table: fold.as_ref().map(report::TableSummary::of),
        }
    }

    /// Signatures of keys are checked with their records; those of domains need the letters.
    fn signatures(&self) -> LevelResult {
        let tally = self.fold.as_ref().map(Fold::tally).cloned().unwrap_or_default();
        match (tally.signed_ssh, tally.signed_dkim) {
            (_, 1..) if self.letters.proven as u64 == tally.signed_dkim => LevelResult::Pass,
            (_, 1..) => LevelResult::Skipped(format!(
                "of {} answers that a mail domain is said to have signed, {} letters were not given",
                tally.signed_dkim,
                tally.signed_dkim - self.letters.proven as u64
            )),
            (0, 0) => LevelResult::Skipped("no answer in this log is signed".to_string()),
            (_, 0) => LevelResult::Pass,
        }
    }

    fn verdict(&self, level: Level) -> LevelResult {
        if self.findings.iter().any(|finding| finding.level == level) {
            return LevelResult::Fail;
        }
        let last = self.records.saturating_sub(1);
        let followed = self.fold.as_ref().is_some_and(|fold| !fold.is_broken());
        match level {
            Level::Signatures if !self.stopped && followed => self.signatures(),
            Level::Mailbox if self.proofs.mailbox.is_some() && self.hearing.as_ref().is_none_or(Hearing::is_empty) => {
                LevelResult::Skipped("the mailbox has no letter of this game".to_string())
            }
            Level::Mailbox if self.wanted.seen.is_empty() && self.proofs.mailbox.is_none() => {
                LevelResult::Skipped("no head from a letter was given to compare with".to_string())
            }
            _ if self.stopped => LevelResult::Skipped(format!("not checked beyond record {last}")),
            Level::Rules | Level::Dice | Level::Openings | Level::Signatures if !followed => {
                LevelResult::Skipped("the game could not be followed to the last record".to_string())
            }
            Level::Mailbox if !self.unseen.is_empty() => LevelResult::Skipped("the log has other faults".to_string()),
            _ => LevelResult::Pass,
        }
    }
}
