/*! What was possible with the dice, in plain words. Every sentence is made from counts, and left out if it does not
hold.
*/

use super::beacon;
use super::report::{ChosenSummary, TableSummary};
use super::words::count;

/// Whether the host alone could have chosen some of the throws.
pub(super) fn is_hosts_word(table: &TableSummary) -> bool {
    table.chosen.iter().any(|chosen| chosen.players.is_empty())
}

/// Who could have chosen the throws, and who could have foreseen them.
pub(super) fn words(table: &TableSummary) -> String {
    if table.throws == 0 {
        return "dice: nothing has been thrown yet".to_string();
    }
    let mut sentences = vec![format!("dice: {}, all follow from the commitments.", count(table.throws, "throw"))];
    sentences.extend(table.beacon.iter().flat_map(|beacon| beacon::words(beacon, table.throws)));
    sentences.extend(foreseen(table));
    sentences.extend(chosen(table));
    sentences.extend(rests_on_joins(table));
    let (contributions, on_word) = table.contributions;
    if on_word > 0 {
        sentences.push(format!(
            "This rests on what each writer had seen when he joined or consented; for {on_word} of {} that is the \
             host's word.",
            count(contributions, "contribution")
        ));
    }
    sentences.join(" ")
}

/// Whether somebody could choose only together with the host, so that it matters who wrote what the players added.
fn needs_players(table: &TableSummary) -> bool {
    let by_host = table.chosen.iter().any(|chosen| chosen.players.is_empty());
    !by_host && !table.added.is_empty() && table.beacon.is_none()
}

/// What the players added: each knows whether he wrote his own.
fn rests_on_joins(table: &TableSummary) -> Option<String> {
    if !needs_players(table) {
        return None;
    }
    Some(format!(
        "That holds if the players wrote the letters by which they joined ({}); otherwise the host alone could have \
         chosen all of them.",
        joins(table)
    ))
}

/// The letters by which players joined: the seat of each, and the first digits of its hash.
fn joins(table: &TableSummary) -> String {
    let joins = table.added.iter().map(|added| format!("{} {}", added.seat, &added.message.to_string()[..DIGITS]));
    joins.collect::<Vec<String>>().join(", ")
}

/// Digits of a hash by which a player knows his own letter.
const DIGITS: usize = 8;

/// The dice, for somebody who wants to know whether they were fair.
pub(super) fn brief(table: &TableSummary) -> Vec<String> {
    if table.throws == 0 {
        return Vec::new();
    }
    let all = match table.throws {
        1 => "The only throw follows from what was committed before.".to_string(),
        throws => format!("All {throws} throws follow from what was committed before."),
    };
    let known = match table.foreseen {
        0 if !beacon::is_hosts_clock(table) => "Nobody could have known one in advance.".to_string(),
        0 => "Nobody could have known one in advance, if the host's clock was right.".to_string(),
        every if every == table.throws => "The host could have known them in advance".to_string(),
        some => format!("The host could have known {some} of them in advance"),
    };
    let alone = table.chosen.iter().filter(|chosen| chosen.players.is_empty());
    let by_host = share(alone.map(|chosen| chosen.throws).sum(), table.throws);
    let chosen = match (is_hosts_word(table), table.foreseen, needs_players(table)) {
        (true, 0, _) => format!(" The host could have chosen {by_host} of them."),
        (true, _, _) => format!(", and could have chosen {by_host} of them."),
        (false, 0, _) => String::new(),
        (false, _, true) => {
            format!("; he could not choose them, if the players wrote their own joins: {}.", joins(table))
        }
        (false, _, false) => "; he could not choose them.".to_string(),
    };
    let has_set_aside = table.beacon.as_ref().is_some_and(beacon::has_set_aside);
    let apart = if has_set_aside { " Some were set aside after they were known (`--long`)." } else { "" };
    vec![format!("{all} {known}{chosen}{apart}")]
}

/// Who could have chosen.
fn chosen(table: &TableSummary) -> Vec<String> {
    // What was set aside is no throw of the game, so the counts do not include it.
    let apart = match &table.beacon {
        Some(beacon) if beacon::has_set_aside(beacon) => "Apart from what was set aside: ",
        _ => "",
    };
    let alone = |chosen: &&ChosenSummary| chosen.players.is_empty();
    let by_host: u64 = table.chosen.iter().filter(alone).map(|chosen| chosen.throws).sum();
    let mut sentences = Vec::new();
    if by_host > 0 {
        sentences.push(format!("The host could have chosen {} of them.", share(by_host, table.throws)));
    }
    let mut with_others: Vec<String> =
        table.chosen.iter().filter(|chosen| !alone(chosen)).map(|chosen| with(chosen, table.throws)).collect();
    match (by_host, with_others.as_slice()) {
        (_, []) if by_host == table.throws => {}
        (0, []) => sentences.push("Nobody could have chosen any of them.".to_string()),
        (_, []) => sentences.push("Nobody could have chosen the others.".to_string()),
        (0, [_, ..]) => {
            sentences.push(format!("Nobody could have chosen any of them, except {}.", with_others.join("; and ")));
        }
        (_, [_, ..]) => {
            with_others[0].insert_str(0, "Nobody could have chosen any of the others, except ");
            sentences.push(format!("{}.", with_others.join("; and ")));
        }
    }
    sentences[0].insert_str(0, apart);
    sentences
}

/// The host with a player: `the host together with Bert, who joined last, before the start`.
fn with(chosen: &ChosenSummary, throws: u64) -> String {
    let (did, before) = if chosen.is_start {
        ("joined", "the start".to_string())
    } else {
        ("consented", format!("record {}", chosen.before))
    };
    let who = match chosen.players.as_slice() {
        [last] => format!("{last}, who {did} last"),
        any => any.join(" or "),
    };
    let of = if chosen.throws == throws { String::new() } else { format!(" ({} of them)", chosen.throws) };
    format!("the host together with {who}, before {before}{of}")
}

/// Who could have foreseen throws.
fn foreseen(table: &TableSummary) -> Option<String> {
    let sentence = match table.foreseen {
        0 => "Nobody could have foreseen any of them.".to_string(),
        all if all == table.throws => "The host could have known each of them in advance.".to_string(),
        some => format!("The host could have known {some} of them in advance, and nobody the others."),
    };
    Some(sentence)
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

    fn table(throws: u64, foreseen: u64, chosen: Vec<ChosenSummary>) -> TableSummary {
        TableSummary {
            name: "g7".to_string(),
            title: "Riddles in the Dark".to_string(),
            rules: "riddles/1".to_string(),
            phase: Phase::Playing,
            over: false,
            seats: Vec::new(),
            throws,
            chosen,
            foreseen,
            contributions: (2, 0),
            added: Vec::new(),
            start: None,
            asked: None,
            beacon: None,
            books: OrderBooksSummary { left: None, lost: 0, held: false, read_twice: false },
            tally: Tally::default(),
        }
    }

    fn by(players: &[&str], throws: u64, is_start: bool) -> ChosenSummary {
        let players: Vec<String> = players.iter().map(|name| (*name).to_string()).collect();
        ChosenSummary { seats: players.clone(), players, throws, is_start, before: 12 }
    }

    /// No title of ours starts without a throw, so none of their logs says this.
    #[test]
    fn where_nothing_was_thrown_nothing_more_is_said() {
        let table = table(0, 0, Vec::new());
        assert_eq!(words(&table), "dice: nothing has been thrown yet");
        assert!(!is_hosts_word(&table));
    }

    #[test]
    fn each_sentence_is_said_where_it_is_true() {
        let says = |table: &TableSummary, said: &str| {
            assert_eq!(words(table), format!("dice: {}, all follow from the commitments. {said}", count(5, "throw")));
        };
        says(
            &table(5, 5, vec![by(&["Bert"], 5, true)]),
            "The host could have known each of them in advance. Nobody could have chosen any of them, except the host \
             together with Bert, who joined last, before the start.",
        );
        says(&table(5, 0, Vec::new()), "Nobody could have foreseen any of them. Nobody could have chosen any of them.");
        let host = table(5, 5, vec![by(&[], 5, true)]);
        says(&host, "The host could have known each of them in advance. The host could have chosen all of them.");
        assert!(is_hosts_word(&host));
        says(
            &table(5, 2, vec![by(&["Anna", "Bert"], 3, true), by(&["Anna"], 2, false)]),
            "The host could have known 2 of them in advance, and nobody the others. Nobody could have chosen any of \
             them, except the host together with Anna or Bert, before the start (3 of them); and the host together \
             with Anna, who consented last, before record 12 (2 of them).",
        );
        says(
            &table(5, 5, vec![by(&[], 2, true), by(&["Anna", "Bert"], 3, false)]),
            "The host could have known each of them in advance. The host could have chosen 2 of them. Nobody could \
             have chosen any of the others, except the host together with Anna or Bert, before record 12 (3 of them).",
        );
    }
}
