/*! What the checking of a log found: a verdict for each level, the findings, and counts. */

use super::letters::LettersSummary;
use super::witness::{Fork, MailboxSummary};
use crate::engine::seat::Seat;
use crate::record::commit::signature::PublicKey;
use crate::record::entry::Head;
use crate::record::entry::body::Mode;
use crate::record::fold::possible::Counted;
use crate::record::fold::tally::Tally;
use crate::record::fold::{Fold, Phase};
use crate::record::problem::{Level, Problem, exit};
use crate::record::value::hash::Hash;
use serde_json::{Value, json};

/// The result of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelResult {
    Pass,
    Fail,
    /// Not checked, or not to the end, and why.
    Skipped(String),
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub level: Level,
    /// The line of the log.
    pub line: u64,
    /// The record, unless it is about the whole log.
    pub seq: Option<u64>,
    /// Where the game stood.
    pub moment: Option<String>,
    /// Who wrote the record, and what it says.
    pub said: Option<String>,
    /// The last record without a finding.
    pub good: Option<u64>,
    pub problem: Problem,
}

/// What is told of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    pub name: String,
    pub title: String,
    pub rules: String,
    pub phase: Phase,
    /// Whether the game was played to its end.
    pub over: bool,
    pub seats: Vec<SeatSummary>,
    /// Throws of dice, draws and shuffles, and what each league could have done with them, the smallest league first.
    pub throws: u64,
    pub leagues: Vec<LeagueSummary>,
    /// Throws that nobody could have foreseen, whichever players but all were in league with the host.
    pub unforeseen: u64,
    /// Contributions of players to the dice, and those of them for which the host alone says what their writer had
    /// seen.
    pub contributions: (u64, u64),
    /// The beacon, if the game has one.
    pub beacon: Option<BeaconSummary>,
    pub tally: Tally,
}

/// What the host together with the players of some seats could have done with the dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueSummary {
    /// The players beside the host: their seats and names.
    pub seats: Vec<String>,
    pub players: Vec<String>,
    pub counted: Counted,
}

/// What is told of the rounds of a beacon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeaconSummary {
    pub mode: Mode,
    pub chain: Hash,
    /// Whether it is quicknet; another chain counts as the host's.
    pub is_public: bool,
    pub rounds: u64,
    /// Throws of rounds whose receipts the reader's mailbox shows in time, and those for which only the host's clock
    /// does.
    pub shown: u64,
    pub by_clock: u64,
    /// Runs that were stopped at a line when the round was known.
    pub stopped: u64,
    /// The receipts that wait for their rounds, the first one first.
    pub waiting: Vec<u64>,
}

impl BeaconSummary {
    fn of(fold: &Fold) -> Option<BeaconSummary> {
        let (plan, (shown, by_clock)) = (fold.plan(), fold.possible().of_rounds());
        let chain = plan.beacon.as_ref()?;
        Some(BeaconSummary {
            mode: plan.mode,
            chain: chain.hash(),
            is_public: chain.is_quicknet(),
            rounds: fold.receipts().rounds,
            shown,
            by_clock,
            stopped: fold.receipts().stopped,
            waiting: fold.receipts().waiting().map(|receipt| receipt.seq).collect(),
        })
    }
}

/// What is told of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSummary {
    pub seat: String,
    pub player: String,
    pub hosted: bool,
    /// Whether it brings one-time codes; `None` before all have joined.
    pub codes: Option<bool>,
}

impl TableSummary {
    pub(crate) fn of(fold: &Fold) -> TableSummary {
        let plan = fold.plan();
        let contributions = fold.contributions();
        let seat = |(index, seat): (usize, &crate::record::charter::plan::SeatPlan)| SeatSummary {
            seat: seat.word.clone(),
            player: seat.player.clone(),
            hosted: seat.hosted,
            codes: contributions.as_ref().map(|all| all[index].has_codes()),
        };
        let league = |(seats, counted): (Vec<Seat>, Counted)| LeagueSummary {
            seats: seats.iter().map(|seat| plan.word(*seat).to_string()).collect(),
            players: seats.iter().map(|seat| plan.seats[seat.index()].player.clone()).collect(),
            counted,
        };
        TableSummary {
            name: plan.name.clone(),
            title: plan.title.name().to_string(),
            rules: plan.setup.edition.clone(),
            phase: fold.phase(),
            over: fold.outcome().is_some(),
            seats: plan.seats.iter().enumerate().map(seat).collect(),
            throws: fold.possible().thrown(),
            leagues: fold.possible().leagues().into_iter().map(league).collect(),
            unforeseen: fold.possible().unforeseen(),
            contributions: fold.possible().contributions(),
            beacon: BeaconSummary::of(fold),
            tally: fold.tally().clone(),
        }
    }
}

/// Everything the checking of a log found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub file: String,
    pub bytes: u64,
    pub records: u64,
    /// The last record followed.
    pub head: Option<Head>,
    pub levels: Vec<(Level, LevelResult)>,
    pub findings: Vec<Finding>,
    /// Heads from letters that were met on this history.
    pub seen: usize,
    /// What the reader's mailbox said, if one was given.
    pub mailbox: Option<MailboxSummary>,
    /// What the letters of the answers said, if they were given.
    pub letters: Option<LettersSummary>,
    /// Letters that show another history.
    pub forks: Vec<Fork>,
    /// The key with which the host signs checkpoints.
    pub host_key: Option<PublicKey>,
    pub result: Option<String>,
    pub table: Option<TableSummary>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// The exit code of `verify` (V2).
    pub fn exit_code(&self) -> u8 {
        self.findings.first().map_or(exit::OK, |finding| finding.problem.exit_code())
    }

    /// The verdict of a level.
    pub fn verdict(&self, level: Level) -> &LevelResult {
        let found = self.levels.iter().find(|(other, _)| *other == level);
        &found.expect("every level has a verdict").1
    }

    /// The report for programs: one object, its keys in a stable order, without the time of day.
    pub fn to_json(&self) -> Value {
        let levels: Vec<Value> = self.levels.iter().map(level_json).collect();
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
            "levels": levels,
            "first_error": findings.first(),
            "findings": findings,
            "checkpoints_met": self.seen,
            "mailbox": self.mailbox.as_ref().map(|mailbox| json!({
                "letters": mailbox.letters, "heads": mailbox.heads, "records": mailbox.records,
                "signed": mailbox.signed,
            })),
            "letters": self.letters.as_ref().map(|letters| json!({
                "proven": letters.proven, "missing": letters.missing, "domains": letters.domains,
            })),
            "counts": table.map(|table| &table.tally),
            "dice": table.map(dice_json),
            "seats": table.map(|table| table.seats.iter().map(seat_json).collect::<Vec<_>>()),
        })
    }

    fn finding_json(&self, finding: &Finding) -> Value {
        let (expected, found) = finding.problem.expected_and_found().unzip();
        let fact = finding.problem.fact();
        json!({
            "level": finding.level.word(),
            "exit_code": finding.problem.exit_code(),
            "file": self.file,
            "line": finding.line,
            "seq": finding.seq,
            "moment": finding.moment,
            "record": finding.said,
            "problem": finding.problem.to_string(),
            "expected": expected,
            "found": found,
            "fact": fact.map(|fact| json!({ "rules": fact.rules, "record": fact.record })),
            "last_good_seq": finding.good,
        })
    }
}

fn level_json((level, verdict): &(Level, LevelResult)) -> Value {
    let (word, why) = match verdict {
        LevelResult::Pass => ("pass", None),
        LevelResult::Fail => ("fail", None),
        LevelResult::Skipped(why) => ("skipped", Some(why)),
    };
    json!({ "level": level.word(), "verdict": word, "why": why })
}

fn seat_json(seat: &SeatSummary) -> Value {
    json!({ "seat": seat.seat, "player": seat.player, "host": seat.hosted, "codes": seat.codes })
}

fn dice_json(table: &TableSummary) -> Value {
    let leagues: Vec<Value> =
        table.leagues.iter().map(|league| json!({ "host_with": league.seats, "could_have": league.counted })).collect();
    let (contributions, on_word) = table.contributions;
    json!({
        "throws": table.throws, "leagues": leagues, "unforeseen": table.unforeseen,
        "contributions": contributions, "contributions_timed_by_host": on_word,
        "beacon": table.beacon.as_ref().map(|beacon| json!({
            "mode": beacon.mode, "chain": beacon.chain, "public": beacon.is_public, "rounds": beacon.rounds,
            "throws_shown_in_time": beacon.shown, "throws_by_hosts_clock": beacon.by_clock,
            "receipts_stopped": beacon.stopped,
            "receipts_waiting": beacon.waiting,
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
