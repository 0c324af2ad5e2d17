//! The mailbox and the clocks, in the plain words of the report.

use super::received::{Differing, SPAN};
use super::report::Report;
use super::witness::{Claim, ClaimKind, MailboxSummary};
use super::words::count;

/// The report names only this many items of a longer list.
const TOLD_MAX: usize = 12;

/// What the reader's own letters say, and what they do not prove.
pub(super) fn paragraphs(report: &Report) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(mailbox) = report.mailbox.as_ref().filter(|mailbox| mailbox.letters > 0) {
        if report.is_ok() {
            told.push(heads(mailbox));
            told.extend(times(report, mailbox));
        }
        told.extend(claims(mailbox));
    }
    told
}

/// A `WARNING` about the reader's own clock.
pub(super) fn warning(report: &Report) -> Option<String> {
    let (at, now) = (report.at?, report.clock?);
    Some(format!(
        "WARNING: the last record is dated {at}, and the clock of this machine shows {now}: one of the two clocks is \
         wrong."
    ))
}

fn heads(mailbox: &MailboxSummary) -> String {
    let (heads, records) = (count(mailbox.heads as u64, "head"), count(mailbox.records as u64, "record"));
    let all = if mailbox.claims.is_empty() { "all " } else { "" };
    format!(
        "mailbox: {} of this game; {all}{heads} and {records} in them are on this history, {} of the checkpoints \
         signed by the host.",
        count(mailbox.letters as u64, "letter"),
        mailbox.signed.len()
    )
}

fn claims(mailbox: &MailboxSummary) -> Option<String> {
    if mailbox.claims.is_empty() {
        return None;
    }
    let mut text = format!(
        "unsigned claims: {} in your letters. No host key of this log has signed them, and anybody can write such a \
         letter:",
        mailbox.claims.len()
    );
    for claim in mailbox.claims.iter().take(TOLD_MAX) {
        text.push_str(&format!("\n  {}", claim_in_words(claim)));
    }
    more(&mut text, mailbox.claims.len());
    Some(text)
}

fn claim_in_words(claim: &Claim) -> String {
    let Claim { seq, head, how, letter, kind } = claim;
    match kind {
        ClaimKind::OtherHead => format!("{letter} ({how}): record {seq} has the hash {head}"),
        ClaimKind::Beyond => format!("{letter} ({how}): there is a record {seq}, with the hash {head}"),
        ClaimKind::BadSignature => format!("{letter} ({how}): record {seq}, with a signature that is not the host's"),
    }
}

fn times(report: &Report, mailbox: &MailboxSummary) -> Option<String> {
    let times = &mailbox.times;
    if times.confirmed + times.no_later + times.differing.len() == 0 {
        return None;
    }
    let hours = count(SPAN.as_hours().unsigned_abs(), "hour");
    let mut text = format!(
        "received: by the clock of your own provider {} of the records in these letters came within {hours} of the \
         time that they give themselves; {} more are only known to be no later than their letters",
        times.confirmed, times.no_later
    );
    if times.unknown > 0 {
        text.push_str(&format!("; of {} nothing is known", times.unknown));
    }
    text.push('.');
    for differing in times.differing.iter().take(TOLD_MAX) {
        text.push_str(&format!("\n  {}", differing_in_words(report, differing)));
    }
    more(&mut text, times.differing.len());
    Some(text)
}

fn differing_in_words(report: &Report, differing: &Differing) -> String {
    let Differing { seq, at, received, letter } = differing;
    let letter = report.letter_names.get(*letter).map_or("a letter", String::as_str);
    let why = if differing.is_dated_ahead() {
        "the host's clock was fast, or the record is dated later than it was made"
    } else {
        "the letter waited, or the record is dated earlier than it was made"
    };
    format!("record {seq} is dated {at} and was received {received} ({letter}): {why}")
}

fn more(text: &mut String, all: usize) {
    if let Some(more) = all.checked_sub(TOLD_MAX).filter(|more| *more > 0) {
        text.push_str(&format!("\n  and {more} more"));
    }
}
