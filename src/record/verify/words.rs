/*! The report of a verification in plain words: what was checked, what it proves, and what it does not. */

use super::mine::MineSummary;
use super::report::{CheckResult, Finding, Report, TableSummary};
use super::{beacon, chances, witnessed};
use crate::entry::body::{Auth, Kind};
use crate::fold::Phase;
use crate::fold::tally::Tally;
use ground::line::printable;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// The tone of a part of the report, for a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
}

impl Report {
    /// The report for people. Its last line starts with `OK` or `FAIL`, for programs that search for it.
    pub fn to_text(&self) -> String {
        self.to_text_in(|_, part| part.to_owned())
    }

    /// The same report, with its verdicts styled.
    pub fn to_text_in(&self, styled: impl Fn(Tone, &str) -> String) -> String {
        let mut text = String::new();
        if let Some(table) = &self.table {
            line(&mut text, &format!("{}: {}, rules {}", table.name, table.title, table.rules));
            if let Some(words) = self.fingerprint {
                line(&mut text, &format!("fingerprint: {}", words.join(" ")));
            }
            if let Some(words) = table.start {
                line(&mut text, &format!("fingerprint of the start: {}", words.join(" ")));
            }
        }
        for (check, verdict) in &self.checks {
            let verdict = match verdict {
                CheckResult::Pass => "PASS".to_string(),
                CheckResult::Fail => styled(Tone::Bad, "FAIL"),
                CheckResult::Skipped(why) => format!("SKIPPED ({why})"),
            };
            line(&mut text, &format!("{:<11} {verdict}", check.word()));
        }
        text.push('\n');
        for finding in &self.findings {
            line(&mut text, &self.finding(finding));
        }
        if let Some(table) = self.table.as_ref().filter(|_| self.is_ok()) {
            for paragraph in paragraphs(table).into_iter().chain(self.letters_shown()) {
                line(&mut text, &paragraph);
            }
        }
        for paragraph in self.mine.iter().flat_map(MineSummary::paragraphs) {
            line(&mut text, &format!("mine: {paragraph}"));
        }
        let told = witnessed::paragraphs(self).into_iter().chain(witnessed::warning(self));
        told.for_each(|paragraph| line(&mut text, &paragraph));
        let tone = if self.findings.is_empty() { Tone::Good } else { Tone::Bad };
        line(&mut text, &styled(tone, &self.summary()));
        text
    }

    /// What the letters with which the log was compared say.
    fn letters_shown(&self) -> Option<String> {
        let letters = self.letters.as_ref()?;
        let domains: Vec<&str> = letters.domains.iter().map(String::as_str).collect();
        let by = if domains.is_empty() { String::new() } else { format!(" ({})", domains.join(", ")) };
        let is = match letters.proven {
            1 => "is the next line of its letter",
            _ => "are the next lines of their letters",
        };
        Some(format!(
            "letters: {} {is}, signed with keys that the host says were of the mail domain of the seat's \
             address{by}; the letters or addresses of {} were not given. Whether the domains had these keys is not \
             confirmed here. A domain that lends itself to the host can sign what it likes for its users.",
            count(letters.proven as u64, "record"),
            letters.missing
        ))
    }

    /// A warning for the reader that is no fault of the log by itself.
    pub fn warning(&self) -> Option<String> {
        witnessed::warning(self)
    }

    /// One finding: where it is, what is wrong, and what would have been right.
    pub fn finding(&self, finding: &Finding) -> String {
        let mut text = format!("{}:{}", self.file, finding.line);
        let mut add = |part: String| write!(text, "{part}").expect("a string takes everything");
        if let Some(seq) = finding.seq {
            add(format!(" seq {seq}"));
        }
        if let Some(moment) = &finding.moment {
            add(format!(" {moment}"));
        }
        if let Some(said) = &finding.said {
            add(format!(" {said}"));
        }
        add(format!(": {}", printable(&finding.problem.to_string())));
        if let Some(fact) = finding.problem.fact() {
            add(format!("; first differing fact: {}", printable(&fact.to_string())));
        }
        if let Some(good) = finding.good {
            add(format!("; last good record {good}"));
        }
        add(format!(" [{}]", finding.problem.rule()));
        text
    }

    /// What was found in a few words, for a row of a table.
    pub fn in_a_line(&self) -> String {
        if let Some(first) = self.findings.first() {
            return format!("{}, exit code {}", found(first), self.exit_code());
        }
        let mut parts = vec![count(self.records, "record")];
        if let Some(table) = &self.table {
            let word = trusted(table);
            parts.push(format!("{}{word}", count(table.throws, "throw")));
        }
        parts.extend(self.result.clone());
        parts.join(", ")
    }

    fn summary(&self) -> String {
        let name = self.table.as_ref().map_or(self.file.as_str(), |table| table.name.as_str());
        if let Some(first) = self.findings.first() {
            let more = match self.findings.len() {
                1 => String::new(),
                count => format!(", {} more findings", count - 1),
            };
            return format!("FAIL {name} {}{more}, exit code {}", found(first), self.exit_code());
        }
        let mut text = format!("OK {name} {}", count(self.records, "record"));
        if let Some(table) = &self.table {
            let tally = &table.tally;
            let word = trusted(table);
            write!(
                text,
                ", {throws} throws{word}, {} signed, {} ({} by the host's word)",
                count(tally.signed_ssh, "answer"),
                count(tally.corrections, "correction"),
                tally.corrections_on_word,
                throws = tally.throws,
            )
            .expect("a string takes everything");
        }
        if let Some(result) = &self.result {
            write!(text, ", {result}").expect("a string takes everything");
        }
        if let Some(head) = self.head {
            write!(text, ", head {} {}", head.seq, head.hash).expect("a string takes everything");
        }
        text
    }
}

/// What the dice rely on besides the log, in a few words.
fn trusted(table: &TableSummary) -> &'static str {
    match (chances::is_hosts_word(table), beacon::is_hosts_clock(table)) {
        (true, _) => " by the host's word",
        (false, true) => " by the host's clock",
        (false, false) => "",
    }
}

/// `dice at record 57`.
fn found(finding: &Finding) -> String {
    let at = finding.seq.map_or(String::new(), |seq| format!(" at record {seq}"));
    format!("{}{at}", finding.check.word())
}

/// A number of things: `1 throw`, `2 throws`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn paragraphs(table: &TableSummary) -> Vec<String> {
    if table.phase == Phase::Joining {
        return vec!["the game has not started: there is nothing to follow yet".to_string()];
    }
    let mut paragraphs = vec![chances::words(table), hands(table), answers(&table.tally)];
    paragraphs.extend(made(&table.tally));
    let tally = &table.tally;
    paragraphs.extend(standing_orders(table));
    paragraphs.extend(clock(table));
    if tally.hosts > 0 {
        paragraphs.push(format!(
            "host: another went on with the game {}; who was host before knows what lay face down then.",
            count(tally.hosts, "time")
        ));
    }
    if tally.keys_changed > 0 {
        let changed = count(tally.keys_changed, "time");
        paragraphs.push(format!("keys: seats announced other keys {changed}."));
    }
    if tally.addresses_changed > 0 {
        let changed = count(tally.addresses_changed, "time");
        paragraphs.push(format!("addresses: seats wrote from another address from then on {changed}."));
    }
    if tally.corrections > 0 {
        paragraphs.push(format!(
            "corrections: {}, of which {} undid something; {} by the host alone (notes, deadlines that he moved later, \
             players who took a free seat), {} that only seats of his agreed to.",
            tally.corrections, tally.undone, tally.by_host_alone, tally.by_hosts_seats
        ));
    }
    if tally.motions + tally.concessions + tally.disputes + tally.handed_over > 0 {
        paragraphs.push(format!(
            "the table: {} and {}, {} of the motions taken back or voted down; seats handed over: {}; concessions: {}; \
             entries disputed: {}",
            count(tally.motions, "motion"),
            count(tally.votes, "vote"),
            tally.motions_gone,
            tally.handed_over,
            tally.concessions,
            tally.disputes
        ));
    }
    paragraphs
}

/// What relies on the host's clock, which nothing in the log proves.
fn clock(table: &TableSummary) -> Option<String> {
    let tally = &table.tally;
    if tally.lapses + tally.extensions + tally.absences + tally.by_deadline == 0 {
        return None;
    }
    let mut text = format!(
        "time: {} passed, none before the charter let it by the times of the records; {} taken by seats themselves; \
         {}.",
        count(tally.lapses, "deadline"),
        count(tally.extensions, "extension"),
        count(tally.absences, "absence")
    );
    if tally.lapses + tally.by_deadline > 0 {
        let answers = count(tally.by_deadline, "answer");
        write!(text, " That they passed, and {answers} by deadline, rests on the host's clock alone.")
            .expect("a string takes everything");
    }
    let (on_word, least) = (tally.by_deadline_on_word, tally.by_deadline - tally.by_deadline_on_word);
    if on_word > 0 {
        let are = if on_word == 1 { "answer is" } else { "answers are" };
        write!(text, " {on_word} {are} none that does least: the words are the host's.")
            .expect("a string takes everything");
    }
    if least > 0 && !table.books.read_twice {
        text.push_str(" That no answer would have done less is checked when the cards are known.");
    }
    Some(text)
}

fn standing_orders(table: &TableSummary) -> Option<String> {
    let (fired, books) = (table.tally.orders_fired, &table.books);
    let of_books = fired - books.lost;
    let left = books.left.unwrap_or(0);
    if fired + left == 0 {
        return None;
    }
    let mut text = format!("standing orders: {} by them", count(fired, "answer"));
    text.push_str(&match (books.left, books.held) {
        (None, _) => ": the host's word until the order books are opened at the end.".to_string(),
        (Some(left), true) => format!(
            "; the order books are open, with {} left: {of_books} of the answers are what the book of the seat said \
             then, and no order was passed over.",
            count(left, "order")
        ),
        (Some(left), false) => {
            format!(
                "; the order books are open, with {} left, and were not held against the answers.",
                count(left, "order")
            )
        }
    });
    if books.lost > 0 {
        write!(text, " {} the host's word for good: the host who had the books then is gone.", stay(books.lost))
            .expect("a string takes everything");
    }
    Some(text)
}

fn stay(answers: u64) -> String {
    if answers == 1 { "1 of them stays".to_string() } else { format!("{answers} of them stay") }
}

fn hands(table: &TableSummary) -> String {
    let mut text = "hands: dealt by the host's program".to_string();
    let seats = |by_program: bool| {
        let seats = table.seats.iter().filter(|seat| seat.hosted && seat.by_program == by_program);
        seats.map(|seat| seat.seat.as_str()).collect::<Vec<&str>>().join(", ")
    };
    let (hosted, programs) = (seats(false), seats(true));
    let typed = &table.tally.typed;
    let plays = if hosted.is_empty() && !typed.is_empty() {
        let typed: Vec<_> = typed.iter().map(|seat| printable(seat)).collect();
        format!("; the host has no seat of his own, and {} was typed for at his machine", typed.join(", "))
    } else if hosted.is_empty() {
        "; the host does not play".to_owned()
    } else {
        format!(", who plays {hosted}: that he looks at no other hand is trust, not proof")
    };
    text.push_str(&plays);
    if !programs.is_empty() {
        let trust = "that it looks at no other hand is trust in this program";
        write!(text, "; the program plays {programs}: {trust}").expect("a string takes everything");
    }
    text.push('.');
    let after = match table.phase {
        Phase::Joining | Phase::Playing if table.over => {
            " Every card shown was the one committed to. The game is over, and the host has NOT published its secrets: \
             until he does, nothing proves what stayed hidden."
        }
        Phase::Joining | Phase::Playing => {
            " Every card shown was the one committed to; what is still hidden can be checked after the reveal."
        }
        Phase::Revealed | Phase::Ended => {
            " Everything is revealed: every deck was the printed deck, masked as committed before the start, \
             and no claim about a hidden card was false."
        }
    };
    text.push_str(after);
    text
}

/// What all records of seats but answers are tied by, type by type.
fn made(tally: &Tally) -> Option<String> {
    let others = tally.made.iter().filter(|(kind, _)| **kind != Kind::Say.word());
    let of_kind = |(kind, classes): (&&str, &BTreeMap<&str, u64>)| {
        let classes: Vec<String> = classes.iter().map(|(class, number)| format!("{number} {class}")).collect();
        format!("{kind} {}", classes.join(" and "))
    };
    let kinds: Vec<String> = others.map(of_kind).collect();
    (!kinds.is_empty()).then(|| format!("other records of seats, by class: {}.", kinds.join(", ")))
}

fn answers(tally: &Tally) -> String {
    let classes = tally.classes().map(|(class, number)| {
        (number > 0).then(|| match class {
            Auth::Ssh => format!("{number} signed with a key of the seat (ssh)"),
            Auth::Dkim => format!("{number} of a letter that its mail domain is said to have signed (dkim)"),
            Auth::Confirmed => format!("{number} sent back from the registered address of its seat (confirmed)"),
            Auth::Token => format!("{number} that came to the secret address of its seat (token)"),
            Auth::Keyboard => format!("{number} typed at the host's machine (keyboard)"),
        })
    });
    let some = classes.into_iter().flatten().collect::<Vec<String>>().join(", ");
    let mut text = format!("answers: {}{}{some}.", tally.answers, if some.is_empty() { "" } else { "; " });
    let on_word = tally.confirmed + tally.by_token + tally.by_keyboard;
    if on_word > 0 {
        write!(text, " How they came is the host's word for {on_word} of them.").expect("a string takes everything");
    }
    let made =
        [(tally.orders_fired, "by standing orders"), (tally.by_deadline, "by deadline"), (tally.by_bot, "by a bot")];
    let made: Vec<String> =
        made.iter().filter(|(count, _)| *count > 0).map(|(count, by)| format!("{count} {by}")).collect();
    if !made.is_empty() {
        write!(text, " Of these {}.", made.join(", ")).expect("a string takes everything");
    }
    if tally.heard > 0 {
        let heard = count(tally.heard, "letter");
        write!(text, " Nothing was played of {heard}, or below their last answer.").expect("a string takes everything");
    }
    text
}
