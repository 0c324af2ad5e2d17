//! The numbers of a service in the text format of Prometheus.

use super::{Signs, trouble};
use ground::stamp::Stamp;
use std::fmt::Write;

/// The page; `free` is the free space on the disk of the games in bytes, if known.
pub fn page(signs: &Signs, free: Option<u64>, now: Stamp) -> String {
    let mut page = String::new();
    let seconds = |at: Stamp| at.timestamp().as_second();
    let age = |since: Option<Stamp>| since.map_or(0, |since| now.since(since).as_secs().max(0));
    let is_well = i64::from(trouble::of(signs, now).is_empty());
    let gauges = [
        ("healthy", "Whether nothing is wrong, as /healthz says.", is_well),
        ("start_time_seconds", "When the service began.", seconds(signs.started)),
        ("queue_letters", "Letters in all outboxes.", count(signs.minute.waiting)),
        ("queue_oldest_seconds", "The age of the oldest of them.", age(signs.minute.oldest)),
        ("queue_overdue_seconds", "How long a letter has waited whose turn it is.", age(signs.minute.ready_since)),
    ];
    for (name, help, value) in gauges {
        one(&mut page, name, help, "gauge", &[("", value)]);
    }
    if let Some((waiting, oldest)) = signs.minute.queued {
        one(&mut page, "queue_in_letters", "Letters that wait to be played.", "gauge", &[("", signed(waiting))]);
        one(&mut page, "queue_in_oldest_seconds", "The age of the oldest of them.", "gauge", &[("", age(oldest))]);
    }
    let times = [
        ("last_tick_timestamp_seconds", "When the clock of the games last ticked.", signs.ticked),
        ("last_sent_timestamp_seconds", "When a letter was last handed over.", signs.sent),
    ];
    for (name, help, at) in times {
        if let Some(at) = at {
            one(&mut page, name, help, "gauge", &[("", seconds(at))]);
        }
    }
    if let Some(free) = free {
        let free = i64::try_from(free).unwrap_or(i64::MAX);
        one(&mut page, "disk_free_bytes", "What is free on the disk of the games.", "gauge", &[("", free)]);
    }
    let looked: Vec<(String, i64)> = signs
        .looked
        .iter()
        .filter_map(|(source, at)| Some((format!("{{source=\"{source}\"}}"), seconds((*at)?))))
        .collect();
    some(&mut page, "last_look_timestamp_seconds", "When letters were last looked for.", "gauge", &looked);
    let games: Vec<(String, i64)> =
        signs.minute.games.iter().map(|(state, games)| (format!("{{state=\"{state}\"}}"), count(*games))).collect();
    some(&mut page, "games", "Games, by what they wait for.", "gauge", &games);
    let received: Vec<(String, i64)> = signs
        .received
        .iter()
        .map(|(outcome, letters)| (format!("{{outcome=\"{outcome}\"}}"), signed(*letters)))
        .collect();
    some(&mut page, "letters_received_total", "Letters in, by what became of them.", "counter", &received);
    let counters = [
        ("letters_sent_total", "Letters handed over.", signs.letters_sent),
        ("letters_deferred_total", "Tries that a server put off.", signs.letters_deferred),
        ("letters_dead_total", "Letters refused for good.", signs.letters_dead),
        ("no_service_total", "Times that no letter could be sent at all.", signs.no_service),
        ("refusals_total", "Lines and letters that were refused.", signs.refusals),
        ("errors_total", "Troubles that were told of.", signs.errors),
    ];
    for (name, help, value) in counters {
        one(&mut page, name, help, "counter", &[("", signed(value))]);
    }
    page
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn some(page: &mut String, name: &str, help: &str, kind: &str, values: &[(String, i64)]) {
    let values: Vec<(&str, i64)> = values.iter().map(|(label, value)| (label.as_str(), *value)).collect();
    if !values.is_empty() {
        one(page, name, help, kind, &values);
    }
}

fn one(page: &mut String, name: &str, help: &str, kind: &str, values: &[(&str, i64)]) {
    let written = writeln!(page, "# HELP ringmail_{name} {help}\n# TYPE ringmail_{name} {kind}");
    written.expect("a string can be written to");
    for (label, value) in values {
        writeln!(page, "ringmail_{name}{label} {value}").expect("a string can be written to");
    }
}
