/*! What was possible with the dice, in plain words. Every sentence here is made from counts, and left out where it is
not true.
*/

use super::report::{LeagueSummary, TableSummary};
use super::words::count;
use crate::record::fold::possible::Counted;

/// Whether the host alone could have chosen what was thrown.
pub(super) fn is_hosts_word(table: &TableSummary) -> bool {
    table.leagues.first().is_some_and(|host| host.counted.chosen + host.counted.chosen_between > 0)
}

/// Who could have chosen the throws, and who could have foreseen them.
pub(super) fn words(table: &TableSummary) -> String {
    if table.throws == 0 {
        return "dice: nothing has been thrown yet".to_string();
    }
    let mut sentences = vec![format!("dice: {}, all follow from the commitments.", count(table.throws, "throw"))];
    sentences.extend(chosen(table));
    sentences.extend(foreseen(table));
    let (contributions, on_word) = table.contributions;
    if on_word > 0 {
        sentences.push(format!(
            "This counts from what the players had seen when they wrote; for {on_word} of {} that is the host's word.",
            count(contributions, "contribution")
        ));
    }
    sentences.join(" ")
}

/// Who could have chosen: the smallest leagues that could.
fn chosen(table: &TableSummary) -> Vec<String> {
    let freely = smallest(table, |counted| counted.chosen);
    let between = smallest(table, |counted| counted.chosen_between);
    if freely.is_empty() && between.is_empty() {
        return vec!["Nobody could have chosen any of them, whoever was in league with the host.".to_string()];
    }
    let mut sentences: Vec<String> = freely
        .iter()
        .map(|league| {
            format!("{} could have chosen {} of them freely.", who(league), share(league.counted.chosen, table.throws))
        })
        .collect();
    let few = |league: &&LeagueSummary| {
        let results = match league.counted.between {
            1 => "two results".to_string(),
            times => format!("a few results, up to {}", 1_u64.checked_shl(times).unwrap_or(u64::MAX)),
        };
        format!(
            "{} could have chosen between {results} for {} of them, by sending an answer as a letter or letting it be \
             given otherwise.",
            who(league),
            share(league.counted.chosen_between, table.throws)
        )
    };
    sentences.extend(between.iter().filter(|league| freely.iter().all(|free| free.seats != league.seats)).map(few));
    sentences
}

/// Who could have foreseen: the host, and what none could have, whoever was in league.
fn foreseen(table: &TableSummary) -> Vec<String> {
    let Some(host) = table.leagues.first() else { return Vec::new() };
    let most =
        table.leagues.iter().max_by_key(|league| (league.counted.foreseen, std::cmp::Reverse(league.seats.len())));
    let most = most.unwrap_or(host);
    let mut sentences = Vec::new();
    if host.counted.foreseen > 0 {
        sentences.push(format!("The host could have foreseen {} of them.", share(host.counted.foreseen, table.throws)));
    }
    if most.counted.foreseen > host.counted.foreseen {
        let more = share(most.counted.foreseen, table.throws);
        sentences.push(format!("{} could have foreseen {more}.", who(most)));
    }
    match table.throws - most.counted.foreseen {
        0 => {}
        all if all == table.throws => sentences.push("Nobody could have foreseen any of them.".to_string()),
        rest => sentences.push(format!("Nobody could have foreseen the other {rest}.")),
    }
    sentences
}

/// The smallest leagues for which a count is not zero.
fn smallest(table: &TableSummary, of: fn(&Counted) -> u64) -> Vec<&LeagueSummary> {
    let able = || table.leagues.iter().filter(|league| of(&league.counted) > 0);
    let least = able().map(|league| league.seats.len()).min();
    able().filter(|league| Some(league.seats.len()) == least).collect()
}

fn who(league: &LeagueSummary) -> String {
    match league.players.as_slice() {
        [] => "The host".to_string(),
        players => format!("The host together with {}", players.join(" and ")),
    }
}

fn share(number: u64, of: u64) -> String {
    if number == of { "all".to_string() } else { number.to_string() }
}
