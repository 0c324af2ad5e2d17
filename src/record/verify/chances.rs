/*! What was possible with the dice, in plain words. Every sentence is made from counts, and left out if it does not
hold.
*/

use super::beacon;
use super::report::{LeagueSummary, TableSummary};
use super::words::count;
use crate::fold::possible::Counted;

/// Whether the host alone could have chosen some of the throws.
pub(super) fn is_hosts_word(table: &TableSummary) -> bool {
    table.leagues.first().is_some_and(|host| host.counted.chosen + host.counted.chosen_between > 0)
}

/// Who could have chosen the throws, and who could have foreseen them.
pub(super) fn words(table: &TableSummary) -> String {
    if table.throws == 0 {
        return "dice: nothing has been thrown yet".to_string();
    }
    let mut sentences = vec![format!("dice: {}, all follow from the commitments.", count(table.throws, "throw"))];
    sentences.extend(table.beacon.iter().flat_map(|beacon| beacon::words(beacon, table.throws)));
    sentences.extend(chosen(table));
    sentences.extend(foreseen(table));
    let (contributions, on_word) = table.contributions;
    if on_word > 0 {
        sentences.push(format!(
            "These counts rest on what each writer had seen; for {on_word} of {} that is the host's word.",
            count(contributions, "contribution")
        ));
    }
    sentences.join(" ")
}

/// Who could have chosen: the smallest leagues that could.
fn chosen(table: &TableSummary) -> Vec<String> {
    let mut sentences = chosen_by_leagues(table);
    // What was set aside is no throw of the game, so the counts do not include it.
    if table.beacon.as_ref().is_some_and(beacon::has_set_aside) {
        sentences[0].insert_str(0, "Apart from what was set aside: ");
    }
    sentences
}

/// Like [`chosen`], for the throws in the log.
fn chosen_by_leagues(table: &TableSummary) -> Vec<String> {
    let freely = smallest(table, |counted| counted.chosen);
    let between = smallest(table, |counted| counted.chosen_between);
    if freely.is_empty() && between.is_empty() {
        // A league of the host with all players would have nobody to cheat, so it is not counted.
        let none = match table.leagues.len() {
            1 => "The host could have chosen none of them.",
            _ => "Neither the host nor the host in league with some of the players could have chosen any of them.",
        };
        return vec![none.to_string()];
    }
    let mut sentences: Vec<String> = grouped(&freely, |counted| (counted.chosen, 0))
        .into_iter()
        .map(|(who, (times, _))| format!("{who} could have chosen {} of them freely.", share(times, table.throws)))
        .collect();
    let few = |(who, (times, between)): (String, (u64, u32))| {
        let results = match between {
            1 => "two results".to_string(),
            _ => format!("a few results, up to {},", 1_u64.checked_shl(between).unwrap_or(u64::MAX)),
        };
        format!(
            "{who} could have chosen between {results} for {} of them, by sending an answer as a letter or letting it \
             be given otherwise.",
            share(times, table.throws)
        )
    };
    let between = grouped(&between, |counted| (counted.chosen_between, counted.between));
    sentences.extend(between.into_iter().map(few));
    sentences
}

/// Who could have foreseen throws: the host, the smallest leagues that could have foreseen more, and how many throws
/// nobody could have foreseen.
fn foreseen(table: &TableSummary) -> Vec<String> {
    let Some(host) = table.leagues.first().map(|host| host.counted.foreseen) else { return Vec::new() };
    let mut sentences = Vec::new();
    if host > 0 {
        sentences.push(format!("The host could have foreseen {} of them.", share(host, table.throws)));
    }
    let more = || table.leagues.iter().filter(|league| league.counted.foreseen > host);
    let least = more().map(|league| league.seats.len()).min();
    let more: Vec<&LeagueSummary> = more().filter(|league| Some(league.seats.len()) == least).collect();
    for (who, (throws, _)) in grouped(&more, |counted| (counted.foreseen, 0)) {
        sentences.push(format!("{who} could have foreseen {} of them.", share(throws, table.throws)));
    }
    match table.unforeseen {
        0 => {}
        all if all == table.throws => sentences.push("Nobody could have foreseen any of them.".to_string()),
        some => sentences.push(format!("Nobody could have foreseen {some} of them.")),
    }
    sentences
}

/// The smallest leagues whose count is not zero.
fn smallest(table: &TableSummary, of: fn(&Counted) -> u64) -> Vec<&LeagueSummary> {
    let able = || table.leagues.iter().filter(|league| of(&league.counted) > 0);
    let least = able().map(|league| league.seats.len()).min();
    able().filter(|league| Some(league.seats.len()) == least).collect()
}

/// Groups leagues with the same counts, and names each group in words.
fn grouped(leagues: &[&LeagueSummary], of: fn(&Counted) -> (u64, u32)) -> Vec<(String, (u64, u32))> {
    let mut groups: Vec<(Vec<String>, (u64, u32))> = Vec::new();
    for league in leagues {
        let (players, counts) = (league.players.join(" and "), of(&league.counted));
        match groups.iter_mut().find(|(_, of_group)| *of_group == counts) {
            Some((group, _)) => group.push(players),
            None => groups.push((vec![players], counts)),
        }
    }
    groups.into_iter().map(|(group, counts)| (who(&group), counts)).collect()
}

fn who(group: &[String]) -> String {
    match group {
        [alone] if alone.is_empty() => "The host".to_string(),
        [players] => format!("The host together with {players}"),
        group => format!("The host together with {},", group.join(", or with ")),
    }
}

fn share(number: u64, of: u64) -> String {
    if number == of { "all".to_string() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Phase;
    use crate::fold::tally::Tally;
    use crate::verify::report::OrderBooksSummary;

    /// No title of ours starts without a throw, so none of their logs says this.
    #[test]
    fn where_nothing_was_thrown_nothing_more_is_said() {
        let table = TableSummary {
            name: "g7".to_string(),
            title: "Riddles in the Dark".to_string(),
            rules: "riddles/1".to_string(),
            phase: Phase::Playing,
            over: false,
            seats: Vec::new(),
            throws: 0,
            leagues: Vec::new(),
            unforeseen: 0,
            contributions: (2, 2),
            beacon: None,
            books: OrderBooksSummary { left: None, lost: 0, held: false, read_twice: false },
            tally: Tally::default(),
        };
        assert_eq!(words(&table), "dice: nothing has been thrown yet");
        assert!(!is_hosts_word(&table));
    }
}
