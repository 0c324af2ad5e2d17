/*! Checking a whole log, offline and in constant memory, as everybody who has it can.

It trusts nothing but the rules in this program: it says every sentence again, makes every roll and draw again from
what was committed, and checks every shown card against its mask. It never repairs and never writes.

A log that can be opened again is first searched for what it publishes at its end. Then it is followed once with all
of that, while a second thread makes the checks that can wait. If this finds anything at all, the log is followed
again with only what it has told so far, and the findings of that reading are reported. So no finding depends on
anything unchecked.

In reading order: here, record after record; [`ahead`] (two threads that take turns), `foreseen` (what is published),
[`letters`], [`witness`], [`received`], [`mine`] and [`ending`] (the log compared with mail and what lies beside it),
[`report`], [`chances`], [`witnessed`], [`words`] and [`brief`] (what was found).
*/

pub mod ahead;
pub(crate) mod beacon;
pub mod brief;
pub(crate) mod chances;
pub mod ending;
mod foreseen;
pub mod letters;
pub mod mine;
pub mod received;
pub mod report;
pub mod witness;
mod witnessed;
pub mod words;

use self::ahead::{Looked, read_ahead};
use self::ending::{CheckFile, SignedTo};
use crate::canon::fault::Fault;
use crate::canon::{FILE_LIMIT, RECORD_LIMIT};
use crate::charter::plan::{newer_level, other_format};
use crate::commit::words::fingerprint;
use crate::entry::{Body, Entry, Head};
use crate::file::stream::{RawRecord, StreamError};
use crate::fold::beside::{Beside, Rest};
use crate::fold::bookkeeping::Published;
use crate::fold::foresight::Foreseen;
use crate::fold::{Fold, Phase};
use crate::problem::{Check, Problem};
use engine::title::Titles;
use ground::hash::Hash;
use ground::line::printable;
use letters::{Held, Letters};
use mine::{MineSummary, Own, Sent};
use report::{CheckResult, Finding, Report};
use std::io::{self, Read};
use std::ops::ControlFlow;
use witness::{Fork, Hearing, Witnesses};

/// Records between two calls of `progress`.
const PROGRESS_EVERY: u64 = 4096;

/// Opens the log once more, from its beginning.
pub type Again<'a> = dyn FnMut() -> io::Result<Box<dyn Read + Send + 'a>> + 'a;

/// What is to be checked, and how.
pub struct Wanted<'w> {
    /// The name of the log in messages: `log.yaml`, `-`.
    pub file: String,
    pub titles: Titles,
    pub errors: Errors,
    /// Heads that somebody saw in letters: they must be on this history.
    pub seen: Vec<Checkpoint>,
    /// Called now and then with the bytes and records read so far.
    pub progress: &'w mut (dyn FnMut(Progress) + Send),
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

/// How far the verification has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub bytes: u64,
    pub records: u64,
}

/// What a log is compared with, besides itself.
#[derive(Clone, Default)]
pub struct Proofs<'w> {
    /// What the reader's own mail says.
    pub mailbox: Option<Witnesses>,
    /// The letters that brought the answers.
    pub letters: Option<&'w dyn Letters>,
    /// What lies beside the log to vouch for its end.
    pub check: Option<CheckFile>,
    /// What the reader has sent himself.
    pub mine: Option<Own>,
}

/// How a log is followed.
#[derive(Debug)]
enum Way {
    /// With only what it has told so far, as everybody could follow it at that time.
    AsItCame,
    /// With what it publishes at its end, if anything. Checks that can wait are put off.
    Foreseeing(Option<Foreseen>),
}

/// The verification of one log.
struct Verifier<'w> {
    wanted: Wanted<'w>,
    proofs: Proofs<'w>,
    /// What the mailbox says of this game; `None` until the first record names the game.
    hearing: Option<Hearing>,
    held: Held,
    /// The letters of the log, if they are to be held against those of the reader.
    sent: Option<Sent>,
    mine: Option<MineSummary>,
    forks: Vec<Fork>,
    way: Way,
    fold: Option<Fold>,
    beside: Option<Beside>,
    findings: Vec<Finding>,
    records: u64,
    /// The last record without a finding.
    good: Option<u64>,
    /// Heads from `Wanted::seen` that no record has had yet.
    unseen: Vec<Checkpoint>,
    met: usize,
    result: Option<String>,
    stopped: bool,
    /// How far the file beside the log shows that a host has signed it.
    signed_to: Option<SignedTo>,
    /// Whether the answers were checked against the order books that the log has published.
    held_against_books: bool,
}

/// Checks a log in memory.
pub fn verify<'s, R: Read + Send + Clone + 's>(source: R, wanted: Wanted<'_>) -> Result<Report, io::Error> {
    let mut again = || Ok(Box::new(source.clone()) as Box<dyn Read + Send + 's>);
    verify_twice(source.clone(), &mut again, wanted, Proofs::default())
}

/// Checks a log that can be read only once, and compares it with letters. Skips what needs a second reading.
pub fn verify_with<'w, R: Read + Send>(source: R, wanted: Wanted<'w>, proofs: Proofs<'w>) -> Result<Report, io::Error> {
    check(source, None, wanted, proofs)
}

/// Checks a log that can be opened again, and compares it with letters.
pub fn verify_twice<'w, R: Read + Send>(
    source: R,
    again: &mut Again<'_>,
    wanted: Wanted<'w>,
    proofs: Proofs<'w>,
) -> Result<Report, io::Error> {
    check(source, Some(again), wanted, proofs)
}

fn check<'w, R: Read + Send>(
    source: R,
    again: Option<&mut Again<'_>>,
    mut wanted: Wanted<'w>,
    proofs: Proofs<'w>,
) -> Result<Report, io::Error> {
    let Some(again) = again else {
        let mut verifier = Verifier::new(wanted, proofs, Way::AsItCame);
        let (_, bytes) = verifier.read(source)?;
        return Ok(verifier.report(bytes));
    };
    let foreseen = foreseen::seek(source, wanted.titles)?;
    let mut verifier = Verifier::new(wanted.once_more(), proofs.clone(), Way::Foreseeing(foreseen.clone()));
    let (agrees, bytes) = verifier.read(again()?)?;
    if agrees && verifier.findings.is_empty() && verifier.published() == foreseen {
        return Ok(verifier.report(bytes));
    }
    let mut verifier = Verifier::new(wanted.once_more(), proofs, Way::AsItCame);
    let (_, bytes) = verifier.read(again()?)?;
    if verifier.findings.is_empty() && verifier.fold.as_ref().is_some_and(publishes) {
        let (way, head) = (Way::Foreseeing(verifier.published()), verifier.head());
        let mut second = Verifier::new(verifier.wanted.once_more(), Proofs::default(), way);
        second.read(again()?)?;
        if second.findings.is_empty() && second.head() != head {
            return Err(io::Error::other("the log was changed while it was read"));
        }
        verifier.findings = second.findings;
        verifier.held_against_books = true;
    }
    Ok(verifier.report(bytes))
}

impl Wanted<'_> {
    /// The same request, for another reading.
    fn once_more(&mut self) -> Wanted<'_> {
        let Wanted { file, titles, errors, seen, progress } = self;
        Wanted { file: file.clone(), titles: *titles, errors: *errors, seen: seen.clone(), progress: &mut **progress }
    }
}

impl<'w> Verifier<'w> {
    fn new(wanted: Wanted<'w>, proofs: Proofs<'w>, way: Way) -> Verifier<'w> {
        Verifier {
            unseen: wanted.seen.clone(),
            wanted,
            sent: proofs.mine.clone().map(Sent::new),
            mine: None,
            proofs,
            hearing: None,
            held: Held::default(),
            forks: Vec::new(),
            way,
            fold: None,
            beside: None,
            findings: Vec::new(),
            records: 0,
            good: None,
            met: 0,
            result: None,
            stopped: false,
            signed_to: None,
            held_against_books: false,
        }
    }

    /// Reads the log to its end, or to the finding at which it stops. Returns whether the checks that were put off
    /// agree with the rules, and how many bytes were read.
    fn read(&mut self, source: impl Read + Send) -> Result<(bool, u64), io::Error> {
        let mut agrees = true;
        let mut beside = None;
        let each = |looked: &Looked<'_>| {
            let rest = self.record(looked);
            if self.records.is_multiple_of(PROGRESS_EVERY) {
                (self.wanted.progress)(Progress { bytes: looked.raw.end(), records: self.records });
            }
            if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue((rest, self.beside.take())) }
        };
        let then = |looked: &Looked<'_>, (rest, begins): (Option<Rest>, Option<Beside>)| {
            beside = begins.or(beside.take());
            if let (Some(beside), Some(rest), Ok(entry)) = (&mut beside, rest, &looked.entry) {
                agrees &= beside.agrees(entry, rest);
            }
        };
        let reached = read_ahead(source, each, then);
        match reached.error {
            Some(StreamError::Io(error)) => return Err(error),
            Some(error) => self.stream(reached.line, &error),
            None => {}
        }
        self.ended(reached.line);
        self.held_against_books = matches!(self.way, Way::Foreseeing(_)) && self.fold.as_ref().is_some_and(publishes);
        Ok((agrees, reached.bytes))
    }

    /// What the log has published.
    fn published(&self) -> Option<Foreseen> {
        self.fold.as_ref().and_then(Fold::has_published)
    }

    fn head(&self) -> Option<Head> {
        self.fold.as_ref().map(Fold::head)
    }
}

impl Verifier<'_> {
    /// Follows a record, and returns the checks that were put off for it.
    fn record(&mut self, looked: &Looked<'_>) -> Option<Rest> {
        let before = self.findings.len();
        let (record, hash) = (&looked.raw, looked.hash);
        let is_first = self.records == 0;
        let format = is_first.then(|| other_format(record.bytes)).flatten();
        let newer = format.map(|found| Problem::Format { found });
        let newer = newer.or_else(|| newer_level(record.bytes));
        match (&looked.entry, newer) {
            (_, Some(newer)) => {
                self.find(newer, record.line, None);
                self.stopped = true;
            }
            (Ok(entry), None) => self.entry(entry, looked),
            (Err(fault), None) => self.unreadable(fault.clone(), record, hash),
        }
        let rest = match (&looked.entry, &mut self.fold, &self.way) {
            (Ok(entry), Some(fold), Way::Foreseeing(_)) => Some(fold.rest(entry)),
            _ => None,
        };
        if !self.unseen.is_empty() {
            let seq = self.records;
            let known = self.unseen.len();
            self.unseen.retain(|seen| seen.hash != hash || seen.seq.is_some_and(|seen| seen != seq));
            self.met += known - self.unseen.len();
        }
        self.hear(record, hash);
        self.hold_check(record, hash);
        if self.findings.len() == before {
            self.good = Some(self.records);
        } else if self.wanted.errors == Errors::First {
            self.stopped = true;
        }
        self.records += 1;
        rest
    }

    fn entry(&mut self, entry: &Entry, looked: &Looked<'_>) {
        let mut problems = Vec::new();
        if let Err(fault) = &looked.form {
            problems.push(Problem::NotCanonical(fault.clone()));
        }
        if let (Some(letters), Some(fold)) = (self.proofs.letters, &self.fold) {
            problems.extend(self.held.hold(entry, fold, letters));
        }
        match &mut self.fold {
            Some(fold) => {
                if let (Body::Round(round), Some(hearing)) = (&entry.body, &self.hearing) {
                    fold.was_shown(hearing.shown_between(round.receipt, self.records));
                }
                fold.fold(entry, looked.hash, &mut problems);
                fold.game_mut().forget_news();
            }
            None => match Fold::begin(entry, looked.hash, self.wanted.titles, None, &mut problems) {
                Ok(mut fold) => {
                    if let Way::Foreseeing(foreseen) = &self.way {
                        foreseen.clone().into_iter().for_each(|foreseen| fold.foresee(foreseen));
                        fold.put_off();
                        self.beside = Some(fold.beside());
                    }
                    self.fold = Some(fold);
                }
                Err(problem) => {
                    problems.push(problem);
                    self.stopped = true;
                }
            },
        }
        if let (Some(sent), Some(fold)) = (&mut self.sent, &self.fold) {
            sent.saw(entry, looked.raw.line, fold);
        }
        if self.proofs.letters.is_some() {
            self.held.saw(entry.at, looked.hash);
        }
        if let Body::End(end) = &entry.body {
            self.result = Some(printable(&end.result).into_owned());
        }
        // Of several rules that a record breaks, the first gives the exit code (log 14.4).
        problems.sort_by_key(Problem::rule);
        for problem in problems {
            self.find(problem, looked.raw.line, Some(entry));
        }
    }

    /// Compares a record with what the mailbox says of it.
    fn hear(&mut self, record: &RawRecord<'_>, hash: Hash) {
        let (Some(fold), seq) = (&self.fold, self.records) else { return };
        if let Some(witnesses) = &mut self.proofs.mailbox
            && self.hearing.is_none()
        {
            let (seen, received) = (std::mem::take(&mut witnesses.seen), std::mem::take(&mut witnesses.received));
            self.hearing = Some(Hearing::new(seen, received, fold.plan(), &fold.genesis()));
        }
        let Some(hearing) = &mut self.hearing else { return };
        hearing.trust(fold.tenures());
        let at = (!fold.is_broken()).then(|| fold.at());
        let forks = hearing.hold(seq, record.line, hash, at, record.bytes);
        if seq == 0 {
            self.hold_beginning(record.line);
        }
        self.has_forked(forks);
    }

    /// Compares a record with what lies beside the log.
    fn hold_check(&mut self, record: &RawRecord<'_>, hash: Hash) {
        let (Some(fold), Some(check), seq) = (&self.fold, &self.proofs.check, self.records) else { return };
        if check.noted.seq() != Some(seq) {
            return;
        }
        let Some(signer) = check.signer(fold) else { return };
        let head = check.noted.checkpoint.head;
        if head == hash {
            self.signed_to = Some(SignedTo { seq, key: signer.announced });
            return;
        }
        let how = format!("signed with the host key of record {}", signer.announced);
        let (seen, letter) = (head.to_string(), check.name.clone());
        self.find(Problem::Forked { seq, log: hash, seen, how, letter }, record.line, None);
    }

    /// The last record of the log, if the file beside it is about a later one that the host has signed.
    fn is_cut_off(&self) -> Option<Problem> {
        let (fold, check) = (self.fold.as_ref()?, self.proofs.check.as_ref()?);
        let (last, seq) = (self.records.checked_sub(1)?, check.noted.seq()?);
        check.signer(fold).filter(|_| seq > last)?;
        Some(Problem::LogEndsBefore { seq, last, shown: check.name.clone() })
    }

    /// How far a host has signed the log, by the file beside it or a letter of the reader's.
    fn signed_to(&self) -> Option<SignedTo> {
        let hearing = self.hearing.as_ref();
        let by_mail = hearing.into_iter().flat_map(|hearing| {
            hearing.summary.signed.iter().filter_map(|noted| {
                let seq = noted.seq()?;
                Some(SignedTo { seq, key: hearing.tenures().of(seq)?.announced })
            })
        });
        by_mail.chain(self.signed_to).max_by_key(|signed| signed.seq)
    }

    /// The oldest first record of this game in the reader's own mail says which game he has played: somebody else can
    /// make another with the same id, and sign that with a key of his own.
    fn hold_beginning(&mut self, line: u64) {
        let (Some(fold), Some(mailbox)) = (&self.fold, &self.proofs.mailbox) else { return };
        let (game, log) = (fold.plan().game, fold.genesis());
        if let Some(begun) = mailbox.beginning(&game).filter(|begun| begun.genesis != log) {
            let letter = mailbox.letters.get(begun.letter).cloned().unwrap_or_default();
            let seen = begun.genesis;
            self.find(Problem::OtherBeginning { log, seen, letter }, line, None);
        }
    }

    fn has_forked(&mut self, forks: Vec<Fork>) {
        for fork in &forks {
            let letter = self.proofs.mailbox.as_ref().and_then(|mailbox| mailbox.letters.get(fork.seen.letter));
            let problem = Problem::Forked {
                seq: fork.seq,
                log: fork.hash,
                seen: fork.seen.head.clone(),
                how: fork.words(),
                letter: letter.cloned().unwrap_or_default(),
            };
            self.find(problem, fork.line, None);
        }
        self.forks.extend(forks);
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
            StreamError::NotARecord { found, .. } => Problem::NotARecord { found: found.clone() },
            StreamError::RecordTooLong { .. } => Problem::RecordTooLong { limit: RECORD_LIMIT },
            StreamError::LogTooLong => Problem::LogTooLong { limit: FILE_LIMIT },
            StreamError::Io(_) => unreachable!("an error of reading ends the verification"),
        };
        self.find(problem, line, None);
        self.stopped = true;
    }

    /// Finds what can only be found at the end.
    fn ended(&mut self, line: u64) {
        if self.records == 0 && self.findings.is_empty() {
            self.find(Problem::Empty, line, None);
        }
        if self.findings.is_empty() {
            if let Some(cut_off) = self.is_cut_off() {
                self.find(cut_off, line, None);
            }
            let last = self.records.saturating_sub(1);
            for seen in std::mem::take(&mut self.unseen) {
                let problem = match seen.seq.filter(|seq| *seq > last) {
                    Some(seq) => Problem::LogEndsBefore { seq, last, shown: "a head that was given".to_string() },
                    None => Problem::Checkpoint { seq: seen.seq, head: seen.hash },
                };
                self.find(problem, line, None);
            }
            let forks = self.hearing.as_mut().map_or_else(Vec::new, Hearing::count_the_rest);
            self.has_forked(forks);
            if let Some((seq, letter)) = self.hearing.as_ref().and_then(Hearing::beyond) {
                let letter = self.proofs.mailbox.as_ref().and_then(|mailbox| mailbox.letters.get(letter)).cloned();
                let shown = format!("what the host has signed in {}", letter.unwrap_or_default());
                self.find(Problem::LogEndsBefore { seq, last, shown }, line, None);
            }
        }
        let shows = self.hearing.as_ref().is_some_and(Hearing::agrees) || self.met > 0;
        if self.findings.is_empty() && self.proofs.mailbox.is_some() && !shows {
            self.find(Problem::NotInMailbox, line, None);
        }
        self.hold_mine();
        if let (Some(hearing), Some(mailbox)) = (&mut self.hearing, &self.proofs.mailbox) {
            hearing.end(&mailbox.letters);
        }
    }

    /// Compares the letters of the log with those that the reader has sent.
    fn hold_mine(&mut self) {
        let (Some(sent), Some(fold)) = (self.sent.take(), &self.fold) else { return };
        if !self.findings.is_empty() {
            return;
        }
        let (problems, summary) = sent.end(&fold.plan().name, self.records.saturating_sub(1));
        self.mine = Some(summary);
        let finding = |(line, seq, problem): (u64, Option<u64>, Problem)| Finding {
            check: problem.check(),
            line,
            seq,
            moment: None,
            said: None,
            good: self.good,
            problem,
        };
        self.findings.extend(problems.into_iter().map(finding));
    }

    fn find(&mut self, problem: Problem, line: u64, entry: Option<&Entry>) {
        let moment = self.fold.as_ref().filter(|fold| fold.phase() >= Phase::Playing).map(|fold| fold.game().moment());
        let said = entry.map(|entry| printable(&said(entry)).into_owned());
        let is_of_log = matches!(
            problem,
            Problem::Checkpoint { .. } | Problem::LogEndsBefore { .. } | Problem::NotInMailbox | Problem::Empty
        );
        self.findings.push(Finding {
            check: problem.check(),
            line,
            seq: match problem {
                Problem::Forked { seq, .. } => Some(seq),
                Problem::OtherBeginning { .. } => Some(0),
                _ => (!is_of_log).then_some(self.records),
            },
            moment,
            said,
            good: self.good,
            problem,
        });
    }

    fn report(self, bytes: u64) -> Report {
        let checks = Check::ALL.map(|check| (check, self.verdict(check)));
        let signed_to = self.signed_to();
        let fold = self.fold;
        Report {
            file: self.wanted.file,
            bytes,
            records: self.records,
            head: fold.as_ref().map(Fold::head),
            checks: checks.to_vec(),
            findings: self.findings,
            seen: self.met,
            host_keys: self.hearing.as_ref().map_or_else(Vec::new, |hearing| hearing.tenures().all().to_vec()),
            mailbox: self.hearing.map(|hearing| hearing.summary),
            letter_names: self.proofs.mailbox.map(|mailbox| mailbox.letters).unwrap_or_default(),
            letters: self.proofs.letters.map(|_| self.held.summary),
            forks: self.forks,
            signed_to,
            mine: self.mine,
            fingerprint: fold.as_ref().map(|fold| fingerprint(&fold.genesis())),
            at: fold.as_ref().map(Fold::at),
            clock: None,
            result: self.result,
            table: fold.as_ref().map(|fold| report::TableSummary::of(fold, self.held_against_books)),
        }
    }

    /// Whether letters speak for this history and for another, and a host has signed neither.
    fn is_contradicted(&self) -> bool {
        let summary = self.hearing.as_ref().map(|hearing| &hearing.summary);
        summary.is_some_and(|summary| summary.signed.is_empty() && !summary.claims.is_empty())
    }

    /// Whether the letters that mail domains are said to have signed were given, and agree with the log. Signatures
    /// with keys are checked with their records; those of domains need the letters.
    fn letters(&self) -> CheckResult {
        let summary = &self.held.summary;
        let said = match self.proofs.letters {
            Some(_) => summary.said as u64,
            None => self.fold.as_ref().map_or(0, |fold| fold.tally().said_dkim()),
        };
        match said.saturating_sub(summary.proven as u64) {
            _ if said == 0 => {
                CheckResult::Skipped("no record of this log is said to be signed by a domain".to_string())
            }
            0 => CheckResult::Pass,
            missing => CheckResult::Skipped(format!(
                "of {said} records that a mail domain is said to have signed, the letters or addresses of {missing} \
                 were not given"
            )),
        }
    }

    /// Whether the log has order books against which no answer was checked.
    fn waits_for_books(&self) -> bool {
        self.findings.is_empty() && !self.held_against_books && self.fold.as_ref().is_some_and(publishes)
    }

    fn verdict(&self, check: Check) -> CheckResult {
        if self.findings.iter().any(|finding| finding.check == check) {
            return CheckResult::Fail;
        }
        let last = self.records.saturating_sub(1);
        let followed = self.fold.as_ref().is_some_and(|fold| !fold.is_broken());
        match check {
            Check::Letters if !self.stopped && followed => self.letters(),
            Check::Mailbox if self.wanted.seen.is_empty() && self.is_contradicted() => CheckResult::Skipped(
                "some letters say otherwise, and no host key of this log has signed what they say, nor this history"
                    .to_string(),
            ),
            Check::Mailbox if self.wanted.seen.is_empty() && self.proofs.mailbox.is_none() => {
                CheckResult::Skipped("no head from a letter was given to compare with".to_string())
            }
            Check::Rules if self.waits_for_books() => CheckResult::Skipped(
                "answers and passed-over standing orders can be held against the order books, and lines that were \
                 stopped and answers by deadline against the rules, only if the log is read twice: give the file, not \
                 a stream"
                    .to_string(),
            ),
            _ if self.stopped => CheckResult::Skipped(format!("not checked beyond record {last}")),
            Check::Rules | Check::Dice | Check::Openings | Check::Authority | Check::Letters if !followed => {
                CheckResult::Skipped("the game could not be followed to the last record".to_string())
            }
            Check::Mailbox if !self.unseen.is_empty() => CheckResult::Skipped("the log has other faults".to_string()),
            _ => CheckResult::Pass,
        }
    }
}

/// Whether a log has published something that makes a second reading worthwhile: order books, lines at which receipts
/// stopped, the cards behind an answer by deadline, or that no line was left between those that seats have signed.
fn publishes(fold: &Fold) -> bool {
    let tally = fold.tally();
    let has_orders =
        |published: &Published| !published.changes.is_empty() || tally.by_deadline > 0 || tally.signed_ssh > 0;
    fold.published().is_some_and(has_orders) || fold.receipts().stops.can_be_held()
}

/// What a record says, in a few words.
fn said(entry: &Entry) -> String {
    match &entry.body {
        Body::Say(say) => format!("{} `{}`", entry.seat, say.said),
        _ => format!("{} {}", entry.seat, entry.kind().word()),
    }
}
