/*! What the verification of a log found: a verdict for each check, the findings, and counts. */

use super::beacon;
use super::ending::SignedTo;
use super::letters::LettersSummary;
use super::mine::MineSummary;
use super::witness::{Claim, ClaimKind, Fork, MailboxSummary};
use crate::commit::words::{WORDS, fingerprint};
use crate::entry::Head;
use crate::fold::order_books::Does;
use crate::fold::possible::{Chooser, Chosen};
use crate::fold::tally::Tally;
use crate::fold::tenure::Tenure;
use crate::fold::{Fold, Phase};
use crate::problem::{Check, Problem, exit};
use engine::seat::Seat;
use ground::hash::Hash;
use ground::line::printable;
use ground::stamp::Stamp;
use serde_json::{Value, json};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    Pass,
    Fail,
    /// Not checked, or not to the end; and why.
    Skipped(String),
}

/// A problem, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub check: Check,
    /// The line of the log.
    pub line: u64,
    /// The number of the record; `None` if it is about the whole log.
    pub seq: Option<u64>,
    /// The moment of the game.
    pub moment: Option<String>,
    /// Who wrote the record, and what it says.
    pub said: Option<String>,
    /// The last record without a finding.
    pub good: Option<u64>,
    pub problem: Problem,
}

/// What the report says of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    pub name: String,
    pub title: String,
    pub rules: String,
    pub phase: Phase,
    /// Whether the game was played to its end.
    pub over: bool,
    pub seats: Vec<SeatSummary>,
    /// Throws of dice, draws and shuffles; those that somebody could have chosen, and how many the host could have
    /// foreseen.
    pub throws: u64,
    pub chosen: Vec<ChosenSummary>,
    pub foreseen: u64,
    /// Contributions of players to the dice, and how many of these have only the host's word for what their writer
    /// had seen.
    pub contributions: (u64, u64),
    /// What each player added by a letter when he joined, so that he can find his own.
    pub added: Vec<AddedSummary>,
    /// Whether the record of the start is there, and its words.
    pub start: Option<[&'static str; WORDS]>,
    /// The seat that is asked.
    pub asked: Option<String>,
    /// The beacon, if the game has one.
    pub beacon: Option<BeaconSummary>,
    pub books: OrderBooksSummary,
    pub tally: Tally,
}

/// What the report says of the order books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderBooksSummary {
    /// How many orders were left; `None` until the books are published.
    pub left: Option<u64>,
    /// Answers by orders of books that an old host took with him.
    pub lost: u64,
    /// Whether all other answers were checked against the books.
    pub held: bool,
    /// Whether the log was followed with all cards known.
    pub read_twice: bool,
}

/// What a player added to the dice when he joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedSummary {
    pub seat: String,
    /// SHA-256 of the Message-ID of his letter.
    pub message: Hash,
    /// Whether another player has taken the seat since.
    pub is_of_former: bool,
}

/// Throws that the host could have chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenSummary {
    /// The players of whom he would have needed one, their seats and names; nobody if he could have done it alone.
    pub seats: Vec<String>,
    pub players: Vec<String>,
    pub throws: u64,
    /// Whether it would have had to be done before the start; otherwise before the record with this number.
    pub is_start: bool,
    pub before: u64,
}

/// What the report says of the rounds of a beacon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeaconSummary {
    pub chain: Hash,
    /// Whether it is quicknet; any other chain counts as the host's own.
    pub is_public: bool,
    pub rounds: u64,
    /// Throws of rounds whose receipts the reader's mailbox shows in time, and those for which only the host's clock
    /// shows it.
    pub shown: u64,
    pub by_clock: u64,
    /// Receipts that stopped at a line once the round was known, and those of them whose line the log has published
    /// and the rules refuse.
    pub stopped: u64,
    pub refused: u64,
    /// Receipts that became void before they were played, by an undo, another player or another host.
    pub voided: u64,
    /// Sentences that can be read both with and without the line below, which a mail program may have cut off.
    pub ambiguous: u64,
    /// Rounds for which only the host says that no standing order was due when their run ended; and until when that
    /// stays so.
    pub on_word: u64,
    pub until: &'static str,
    /// The records of the receipts that wait for their rounds, the oldest first.
    pub waiting: Vec<u64>,
}

impl BeaconSummary {
    fn of(fold: &Fold, held: bool) -> Option<BeaconSummary> {
        let (plan, (shown, by_clock)) = (fold.plan(), fold.possible().of_rounds());
        let chain = plan.beacon.as_ref()?;
        let receipts = fold.receipts();
        let is_open = held || fold.published().is_some_and(|books| books.changes.is_empty());
        Some(BeaconSummary {
            chain: chain.hash(),
            is_public: chain.is_quicknet(),
            rounds: receipts.rounds,
            shown,
            by_clock,
            stopped: receipts.stops.count(),
            refused: if held { receipts.stops.provable() } else { 0 },
            voided: receipts.voided,
            ambiguous: receipts.ambiguous(),
            on_word: receipts.ended_lost + if is_open { 0 } else { receipts.ended },
            until: match fold.published() {
                _ if is_open => "for good",
                Some(_) => "until the order books are held against the log",
                None => "until the order books are opened",
            },
            waiting: receipts.waiting().map(|receipt| receipt.seq).collect(),
        })
    }
}

/// What the report says of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSummary {
    pub seat: String,
    pub player: String,
    pub hosted: bool,
    /// Whether a program of the host plays it.
    pub by_program: bool,
}

impl TableSummary {
    pub(crate) fn of(fold: &Fold, held: bool) -> TableSummary {
        let plan = fold.plan();
        let seat = |seat: &crate::charter::plan::SeatPlan| SeatSummary {
            seat: printable(&seat.word).into_owned(),
            player: printable(&seat.player).into_owned(),
            hosted: seat.hosted,
            by_program: seat.program.is_some(),
        };
        let chosen = |chosen: &Chosen| {
            let seats: &[Seat] = match &chosen.who {
                Chooser::Host => &[],
                Chooser::With(seats) => seats,
            };
            ChosenSummary {
                seats: seats.iter().map(|seat| printable(plan.word(*seat)).into_owned()).collect(),
                players: seats.iter().map(|seat| printable(&plan.seats[seat.index()].player).into_owned()).collect(),
                throws: chosen.throws,
                is_start: chosen.is_start,
                before: chosen.before,
            }
        };
        TableSummary {
            name: printable(&plan.name).into_owned(),
            title: plan.title.name.to_string(),
            rules: plan.setup.edition.clone(),
            phase: fold.phase(),
            over: fold.outcome().is_some(),
            seats: plan.seats.iter().map(seat).collect(),
            throws: fold.possible().thrown(),
            chosen: fold.possible().chosen().iter().map(chosen).collect(),
            foreseen: fold.possible().foreseen(),
            contributions: fold.possible().contributions(),
            added: fold
                .messages()
                .map(|(seat, message)| AddedSummary {
                    seat: printable(plan.word(seat)).into_owned(),
                    message,
                    is_of_former: fold.council().held_since(seat).is_some(),
                })
                .collect(),
            start: fold.start_hash().map(|hash| fingerprint(&hash)),
            asked: fold.asked().map(|question| printable(plan.word(question.seat)).into_owned()),
            beacon: BeaconSummary::of(fold, held),
            books: OrderBooksSummary {
                left: fold.published().map(|books| {
                    books.changes.iter().filter(|change| !matches!(change.does, Does::Cancels(_))).count() as u64
                }),
                lost: fold.answers_of_lost_books(),
                held: held || fold.published().is_some_and(|books| books.changes.is_empty()),
                read_twice: held,
            },
            tally: fold.tally().clone(),
        }
    }
}

/// Everything that the verification of a log found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub file: String,
    pub bytes: u64,
    pub records: u64,
    /// The last record followed.
    pub head: Option<Head>,
    pub checks: Vec<(Check, CheckResult)>,
    pub findings: Vec<Finding>,
    /// How many heads from letters are on this history.
    pub seen: usize,
    /// What the reader's mailbox says, if it was given.
    pub mailbox: Option<MailboxSummary>,
    /// What the letters of the answers say, if they were given.
    pub letters: Option<LettersSummary>,
    /// Letters that show another history.
    pub forks: Vec<Fork>,
    /// The keys with which the hosts of this log signed checkpoints, if a mailbox was given; and the names of its
    /// letters.
    pub host_keys: Vec<Tenure>,
    pub letter_names: Vec<String>,
    /// How far a host has signed the log, as the file beside it or the reader's mail shows; `None` if nobody has.
    pub signed_to: Option<SignedTo>,
    /// What the reader's own letters show, if they were given.
    pub mine: Option<MineSummary>,
    /// The words of the game's fingerprint.
    pub fingerprint: Option<[&'static str; WORDS]>,
    /// The time of the last record followed.
    pub at: Option<Stamp>,
    /// The reader's clock, if the last record is dated later.
    pub clock: Option<Stamp>,
    pub result: Option<String>,
    pub table: Option<TableSummary>,
}

impl Report {
    /// Notes the reader's clock if the last record is dated later. The report warns of that, but it is no fault of
    /// the log by itself.
    pub fn warn_of_clock(&mut self, now: Stamp) {
        self.clock = self.at.is_some_and(|at| at > now).then_some(now);
    }

    /// Whether the verification found no problem.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// The exit code of `verify` (V2).
    pub fn exit_code(&self) -> u8 {
        self.findings.first().map_or(exit::OK, |finding| finding.problem.exit_code())
    }

    /// The verdict of a check.
    pub fn verdict(&self, check: Check) -> &CheckResult {
        let found = self.checks.iter().find(|(other, _)| *other == check);
        &found.expect("every check has a verdict").1
    }

    /// The report for programs: one object with its keys in a stable order, without the current time.
    pub fn to_json(&self) -> Value {
        let checks: Vec<Value> = self.checks.iter().map(check_json).collect();
        let findings: Vec<Value> = self.findings.iter().map(|finding| self.finding_json(finding)).collect();
        let table = self.table.as_ref();
        json!({
            "tool": concat!("ringmail ", env!("CARGO_PKG_VERSION")),
            "file": self.file,
            "ok": self.is_ok(),
            "exit_code": self.exit_code(),
            "bytes": self.bytes,
            "records": self.records,
            "head": self.head.map(|head| json!({ "seq": head.seq, "hash": head.hash })),
            "game": table.map(|table| &table.name),
            "rules": table.map(|table| &table.rules),
            "phase": table.map(|table| phase_word(table.phase)),
            "result": self.result,
            "levels": checks,
            "first_error": findings.first(),
            "findings": findings,
            "checkpoints_met": self.seen,
            "answer": self.answer(),
            "fingerprint": self.fingerprint.map(|words| words.join(" ")),
            "fingerprint_of_start": table.and_then(|table| table.start).map(|words| words.join(" ")),
            "asked": table.and_then(|table| table.asked.as_ref()),
            "mine": self.mine.as_ref().map(mine_json),
            "signed_to": self.signed_to.map(|signed| json!({ "seq": signed.seq, "key_of": signed.key })),
            "mailbox": self.mailbox.as_ref().map(mailbox_json),
            "letters": self.letters.as_ref().map(|letters| json!({
                "proven": letters.proven, "missing": letters.missing, "domains": letters.domains,
            })),
            "counts": table.map(|table| &table.tally),
            "dice": table.map(dice_json),
            "order_books": table.map(|table| json!({
                "left": table.books.left, "lost_answers": table.books.lost, "held": table.books.held,
            })),
            "seats": table.map(|table| table.seats.iter().map(seat_json).collect::<Vec<_>>()),
        })
    }

    fn finding_json(&self, finding: &Finding) -> Value {
        let (expected, found) = finding.problem.expected_and_found().unzip();
        let fact = finding.problem.fact();
        let rule = finding.problem.rule();
        json!({
            "id": rule.id(),
            "code": rule.code(),
            "record": finding.seq,
            "paragraph": rule.paragraph(),
            "level": finding.check.word(),
            "file": self.file,
            "line": finding.line,
            "moment": finding.moment,
            "said": finding.said,
            "problem": finding.problem.to_string(),
            "expected": expected,
            "found": found,
            "fact": fact.map(|fact| json!({ "rules": fact.rules, "record": fact.record })),
            "last_good_seq": finding.good,
        })
    }
}

fn check_json((check, verdict): &(Check, CheckResult)) -> Value {
    let (word, why) = match verdict {
        CheckResult::Pass => ("pass", None),
        CheckResult::Fail => ("fail", None),
        CheckResult::Skipped(why) => ("skipped", Some(why)),
    };
    json!({ "level": check.word(), "verdict": word, "why": why })
}

fn mine_json(mine: &MineSummary) -> Value {
    json!({
        "joined": mine.joined, "seats": mine.seats, "found": mine.found, "dropped": mine.dropped,
        "signed": mine.signed, "unsigned": mine.unsigned,
    })
}

fn mailbox_json(mailbox: &MailboxSummary) -> Value {
    let claims: Vec<Value> = mailbox.claims.iter().map(claim_json).collect();
    let times = &mailbox.times;
    let differing = times.differing.iter();
    let differing = differing.map(|it| json!({ "seq": it.seq, "at": it.at, "received": it.received }));
    json!({
        "letters": mailbox.letters, "heads": mailbox.heads, "records": mailbox.records,
        "signed": mailbox.signed.len(), "claims": claims,
        "times": {
            "confirmed": times.confirmed, "no_later": times.no_later, "unknown": times.unknown,
            "differing": differing.collect::<Vec<Value>>(),
        },
    })
}

fn claim_json(claim: &Claim) -> Value {
    let kind = match claim.kind {
        ClaimKind::OtherHead => "other head",
        ClaimKind::Beyond => "beyond the log",
        ClaimKind::BadSignature => "bad signature",
    };
    json!({ "seq": claim.seq, "head": claim.head, "in": claim.how, "letter": claim.letter, "claim": kind })
}

fn seat_json(seat: &SeatSummary) -> Value {
    json!({
        "seat": seat.seat, "player": seat.player, "host": seat.hosted, "program": seat.by_program,
    })
}

fn dice_json(table: &TableSummary) -> Value {
    let chosen = |chosen: &ChosenSummary| {
        let before = if chosen.is_start { json!("start") } else { json!(chosen.before) };
        json!({ "host_with_one_of": chosen.seats, "throws": chosen.throws, "before": before })
    };
    let chosen: Vec<Value> = table.chosen.iter().map(chosen).collect();
    let (contributions, on_word) = table.contributions;
    json!({
        "throws": table.throws, "could_have_been_chosen": chosen, "host_could_have_foreseen": table.foreseen,
        "contributions": contributions, "contributions_timed_by_host": on_word,
        "joined_by": table.added.iter().map(|added| json!({ "seat": added.seat, "message": added.message }))
            .collect::<Vec<Value>>(),
        "apart_from_what_was_set_aside": table.beacon.as_ref().is_some_and(beacon::has_set_aside),
        "beacon": table.beacon.as_ref().map(|beacon| json!({
            "chain": beacon.chain, "public": beacon.is_public, "rounds": beacon.rounds,
            "throws_shown_in_time": beacon.shown, "throws_by_hosts_clock": beacon.by_clock,
            "receipts_stopped": beacon.stopped, "receipts_stopped_by_rules": beacon.refused,
            "receipts_voided": beacon.voided, "sentences_read_in_two_ways": beacon.ambiguous,
            "rounds_on_hosts_word": beacon.on_word, "receipts_waiting": beacon.waiting,
        })),
    })
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Joining => "joining",
        Phase::Playing => "playing",
        Phase::Revealed => "revealed",
        Phase::Ended => "ended",
    }
}
