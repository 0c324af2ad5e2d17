/*! The report for somebody who knows no cryptography: the answer first, and then what it rests on, the most important
first. Every sentence is made from what was found, and left out where it does not hold. The room `report` sets them into
lines.
*/

use super::chances;
use super::report::{CheckResult, Report, TableSummary};
use super::words::count;
use crate::fold::Phase;
use crate::problem::{Check, exit};

impl Report {
    /// What the answer is.
    pub fn answer(&self) -> String {
        let name = self.table.as_ref().map_or(self.file.as_str(), |table| table.name.as_str());
        match self.findings.first() {
            None => format!("OK {name}: {}, and nothing in them is wrong.", count(self.records, "record")),
            Some(first) => {
                let at = first.seq.map_or(String::new(), |seq| format!("record {seq}, "));
                let is = what_is(self.exit_code());
                format!("FAIL {name}: {is} ({at}{}, exit code {}).", first.problem.rule(), self.exit_code())
            }
        }
    }

    /// What it rests on; or what is wrong, if anything is.
    pub fn sentences(&self) -> Vec<String> {
        if self.is_ok() { self.rests_on() } else { self.what_is_wrong() }
    }

    fn what_is_wrong(&self) -> Vec<String> {
        let mut told: Vec<String> = self.findings.iter().take(1).map(|finding| self.finding(finding)).collect();
        if self.findings.len() > 1 {
            told.push(format!("{} were found in all.", count(self.findings.len() as u64, "fault")));
        }
        told
    }

    /// What the answer rests on, the most important first.
    fn rests_on(&self) -> Vec<String> {
        let Some(table) = &self.table else { return Vec::new() };
        let mut told = vec![self.how_it_stands(table)];
        if table.phase == Phase::Joining {
            told.extend([self.its_end(), self.which_log()].into_iter().flatten());
            return told;
        }
        told.extend(chances::brief(table));
        told.extend(who_wrote(table));
        told.extend(corrections(table));
        let rest = [self.its_end(), self.which_log(), self.cards(table), self.not_checked()];
        told.extend(rest.into_iter().flatten());
        told
    }

    fn how_it_stands(&self, table: &TableSummary) -> String {
        match (&self.result, &table.asked, table.phase) {
            (Some(result), _, _) => format!("Result: {result}."),
            (None, _, Phase::Joining) => "The game has not started.".to_string(),
            (None, Some(asked), _) => {
                format!("The game is not over: {asked} is asked. Later records may exist.")
            }
            (None, None, _) if table.over => "The game is over; its last records are still to come.".to_string(),
            (None, None, _) => "The game is not over. Later records may exist.".to_string(),
        }
    }

    /// What is known of the cards.
    fn cards(&self, table: &TableSummary) -> Option<String> {
        let is_open = matches!(table.phase, Phase::Revealed | Phase::Ended);
        match (is_open, table.over) {
            (true, _) => Some("Every deck was the printed one, and lay as committed before.".to_string()),
            (false, true) => {
                Some("The host has not published his secrets: nothing proves yet what lay face down.".to_string())
            }
            (false, false) => None,
        }
    }

    /// Who has signed the end.
    fn its_end(&self) -> Option<String> {
        let last = self.head?.seq;
        Some(match self.signed_to {
            Some(signed) if signed.seq == last => {
                format!("Its end is signed by the host key of record {}.", signed.key)
            }
            Some(signed) => format!(
                "Signed up to record {} by the host key of record {}; anybody could have written what follows.",
                signed.seq, signed.key
            ),
            None => "Its end is signed by nobody: anybody could have written it.".to_string(),
        })
    }

    /// Whether it was compared with what the reader has himself.
    fn which_log(&self) -> Option<String> {
        let Some(mailbox) = &self.mailbox else {
            if let Some(mine) = &self.mine {
                return Some(mine.in_brief());
            }
            return (self.seen == 0).then(|| {
                "Nothing here shows that this is the log of the game that was played: hold it against a letter of \
                 yours (`--mailbox`, `--mine`)."
                    .to_string()
            });
        };
        let of = count(mailbox.letters as u64, "letter");
        let signed = match mailbox.signed.len() {
            0 => "none of them with a signature that counts".to_string(),
            some => format!("{some} of them signed by the host"),
        };
        let claims = match mailbox.claims.len() {
            0 => String::new(),
            1 => " 1 statement there says otherwise, unsigned (`--long`).".to_string(),
            some => format!(" {some} statements there say otherwise, unsigned (`--long`)."),
        };
        let heads = count((mailbox.heads + mailbox.records) as u64, "statement");
        Some(format!("Your mail: {heads} in {of} agree with this log, {signed}.{claims}"))
    }

    /// What was left out.
    fn not_checked(&self) -> Option<String> {
        match self.verdict(Check::Letters) {
            CheckResult::Skipped(_) if self.table.as_ref().is_some_and(|table| table.tally.said_dkim() > 0) => {
                Some("The letters that mail domains are said to have signed were not given (`--letters`).".to_string())
            }
            _ => None,
        }
    }
}

/// What an exit code of `verify` means (log 14.1).
fn what_is(code: u8) -> &'static str {
    match code {
        exit::MALFORMED => "the log is damaged, cut off, or not written as it should be",
        exit::RULES => "the rules of the game do not allow what it says",
        exit::DICE => "dice or cards are not those that were committed to",
        exit::CHAIN => "a hash, a class or a signature is wrong",
        exit::CONFLICT => "there are two histories of this game",
        exit::UNSUPPORTED => "this program is too old for it, or does not know the game",
        exit::NOT_SHOWN => "your own letters do not show this log",
        _ => "it could not be checked",
    }
}

/// Who wrote the answers, and what shows it.
fn who_wrote(table: &TableSummary) -> Option<String> {
    let tally = &table.tally;
    if tally.answers == 0 {
        return None;
    }
    let by = [
        (tally.signed_ssh, "signed with a key of the seat"),
        (tally.signed_dkim, "by letters that a mail domain is said to have signed"),
        (tally.confirmed, "confirmed from the seat's address"),
        (tally.by_token, "by a secret address"),
        (tally.by_keyboard, "typed at the host's machine"),
        (tally.orders_fired, "by standing orders"),
        (tally.by_bot, "by programs"),
        (tally.by_deadline, "by deadline"),
    ];
    let ways: Vec<String> =
        by.iter().filter(|(number, _)| *number > 0).map(|(number, way)| format!("{number} {way}")).collect();
    let on_word = tally.signed_dkim + tally.confirmed + tally.by_token;
    let word = match (on_word > 0, tally.signed_ssh) {
        (true, 0) => " How letters came is the host's word; none is signed.",
        (true, _) => " How the unsigned letters came is the host's word.",
        (false, _) => "",
    };
    Some(format!("Who wrote it: {}, {}.{word}", count(tally.answers, "answer"), ways.join(", ")))
}

fn corrections(table: &TableSummary) -> Option<String> {
    let tally = &table.tally;
    if tally.corrections == 0 {
        return None;
    }
    let all = count(tally.corrections, "correction");
    Some(match tally.corrections_on_word {
        0 => format!("{all}, agreed to with signatures."),
        on_word if on_word == tally.corrections => format!("{all}, by the host's word."),
        on_word => format!("{all}, {on_word} of them by the host's word."),
    })
}
