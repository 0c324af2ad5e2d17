//! What the rounds of a beacon prove, in plain words. Every sentence follows from counts, and is left out if it does
//! not hold.

use super::report::{BeaconSummary, TableSummary};
use super::words::count;

/// Whether, for some throws, only the host's clock says that the act was fixed before its round was published.
pub(super) fn is_hosts_clock(table: &TableSummary) -> bool {
    table.beacon.as_ref().is_some_and(|beacon| beacon.by_clock > 0)
}

/// What feeds the dice, and for how many throws a letter shows that the act was fixed before its round.
pub(super) fn words(beacon: &BeaconSummary, throws: u64) -> Vec<String> {
    let name = if beacon.is_public { "quicknet".to_string() } else { format!("the chain {}", beacon.chain) };
    let rounds = count(beacon.rounds, "round");
    let mut sentences = vec![format!("{rounds} of {name} entered them, each named by a receipt that fixed its act.")];
    if !beacon.is_public {
        sentences.push("Its key is not quicknet's: for these counts every round is the host's own.".to_string());
    }
    if beacon.shown > 0 {
        sentences.push(format!(
            "For {} of them a letter of the mailbox shows the receipt before the round was published: nobody could \
             have chosen or foreseen these.",
            share(beacon.shown, throws)
        ));
    }
    if beacon.by_clock > 0 {
        sentences.push(format!(
            "For {} of them that is by the host's clock: no letter given shows the receipt in time (`--mailbox`). If \
             his clock was wrong, he could have chosen these among published rounds; what follows holds if it was \
             right.",
            share(beacon.by_clock, throws)
        ));
    }
    sentences.extend(set_aside(beacon));
    if beacon.on_word > 0 {
        sentences.push(format!(
            "That no standing order was due when a run ended is the host's word {until}, for {}: if one was, he has \
             set the dice of its answer aside; what follows holds if none was.",
            count(beacon.on_word, "round"),
            until = beacon.until,
        ));
    }
    if let Some(first) = beacon.waiting.first() {
        let waits = if beacon.waiting.len() == 1 { "waits" } else { "wait" };
        sentences.push(format!(
            "{} {waits} to be played, the first one that of record {first}.",
            count(beacon.waiting.len() as u64, "receipt")
        ));
    }
    sentences
}

/// Whether something was fixed but not played once the dice were known.
pub(super) fn has_set_aside(beacon: &BeaconSummary) -> bool {
    beacon.stopped + beacon.voided + beacon.ambiguous > 0
}

/// What was fixed but not played once the dice were known.
fn set_aside(beacon: &BeaconSummary) -> Vec<String> {
    let were = |number: u64| if number == 1 { "was" } else { "were" };
    let mut sentences = Vec::new();
    if beacon.stopped > 0 {
        let of_word = beacon.stopped - beacon.refused;
        let mut text = format!(
            "{} {} stopped at a line when the round was known.",
            count(beacon.stopped, "receipt"),
            were(beacon.stopped)
        );
        if beacon.refused > 0 {
            text.push_str(&format!(
                " For {} of them the log has published the line, and the rules refuse it.",
                share(beacon.refused, beacon.stopped)
            ));
        }
        if of_word > 0 {
            text.push_str(&format!(
                " For {} of them it is the host's word that the line could not be played: if it could have been, he \
                 has set its dice aside for those of a later round.",
                share(of_word, beacon.stopped)
            ));
        }
        sentences.push(text);
    }
    if beacon.voided > 0 {
        sentences.push(format!(
            "{} {} void before being played: the table was put back, or another player or host went on.",
            count(beacon.voided, "receipt"),
            were(beacon.voided)
        ));
    }
    if beacon.ambiguous > 0 {
        sentences.push(format!(
            "{} could be read with the line below, which a mail program may have cut off, and without it: which of the \
             two was meant is the host's word.",
            count(beacon.ambiguous, "sentence")
        ));
    }
    sentences
}

fn share(number: u64, of: u64) -> String {
    if number == of { "all".to_string() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::Hex;

    const SHOWN: &str = "a letter of the mailbox shows";
    const CLOCK: &str = "by the host's clock";
    const OWN: &str = "every round is the host's own";
    const STOPPED: &str = "stopped at a line";
    const REFUSED: &str = "and the rules refuse it";
    const ON_WORD: &str = "it is the host's word that the line could not be played";
    const VOID: &str = "void before being played";
    const TWO_WAYS: &str = "which of the two was meant is the host's word";
    const DUE: &str = "until the order books are opened";
    const GONE: &str = "for good";
    const WAITS: &str = "to be played";

    /// Five throws, of which `shown` and `by_clock` were fixed in time; receipts in the order `[stopped, refused,
    /// voided]`.
    #[track_caller]
    fn case(is_public: bool, throws: [u64; 2], receipts: [u64; 3], waiting: &[u64], says: &[&str]) {
        let ([shown, by_clock], [stopped, refused, voided]) = (throws, receipts);
        let beacon =
            BeaconSummary { shown, by_clock, stopped, refused, voided, waiting: waiting.to_vec(), ..quiet(is_public) };
        exactly(&beacon, says);
        assert_eq!(has_set_aside(&beacon), receipts != [0; 3]);
    }

    /// Two rounds, and nothing else to say of them.
    fn quiet(is_public: bool) -> BeaconSummary {
        let [shown, by_clock, stopped, refused, voided, ambiguous, on_word] = [0; 7];
        let (chain, waiting) = (Hex([7; 32]), Vec::new());
        let (rounds, until) = (2, DUE);
        BeaconSummary {
            chain,
            is_public,
            rounds,
            shown,
            by_clock,
            stopped,
            refused,
            voided,
            ambiguous,
            on_word,
            until,
            waiting,
        }
    }

    #[track_caller]
    fn exactly(beacon: &BeaconSummary, says: &[&str]) {
        let words = words(beacon, 5).join(" ");
        let all = [SHOWN, CLOCK, OWN, STOPPED, REFUSED, ON_WORD, VOID, TWO_WAYS, DUE, GONE, WAITS];
        for sentence in all {
            assert_eq!(words.contains(sentence), says.contains(&sentence), "{sentence}: {words}");
        }
    }

    #[test]
    fn each_sentence_is_said_where_it_is_true() {
        case(true, [5, 0], [0; 3], &[], &[SHOWN]);
        case(true, [0, 5], [0; 3], &[], &[CLOCK]);
        case(true, [2, 3], [1, 0, 0], &[9], &[SHOWN, CLOCK, STOPPED, ON_WORD, WAITS]);
        case(true, [5, 0], [2, 2, 0], &[], &[SHOWN, STOPPED, REFUSED]);
        case(true, [5, 0], [3, 2, 0], &[], &[SHOWN, STOPPED, REFUSED, ON_WORD]);
        case(true, [5, 0], [0, 0, 1], &[], &[SHOWN, VOID]);
        case(false, [0, 0], [0; 3], &[], &[OWN]);
        let quiet = || quiet(true);
        let ambiguous = BeaconSummary { ambiguous: 1, ..quiet() };
        exactly(&ambiguous, &[TWO_WAYS]);
        assert!(has_set_aside(&ambiguous));
        exactly(&BeaconSummary { on_word: 2, ..quiet() }, &[DUE]);
        exactly(&BeaconSummary { on_word: 1, until: GONE, ..quiet() }, &[GONE]);
    }
}
