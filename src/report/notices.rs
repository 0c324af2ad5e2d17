//! What is put on record outside the rules, as everybody is told it: a sentence or two an entry.

use crate::record::entry::body::{Ballot, Correcting, Correction, Hosting, Motion, Vote};
use crate::record::entry::{Body, HOST};
use crate::record::file::reading::Step;
use crate::record::fold::Fold;
use crate::record::fold::council::DAYS_OPEN;
use crate::record::value::zone::Zone;

/// The entry of a step in a sentence; `None` for entries that the game itself tells, or that concern nobody else.
pub fn notice(step: &Step<'_>) -> Option<String> {
    let (entry, fold) = (step.entry, step.fold);
    let who = named(fold, &entry.seat);
    match &entry.body {
        Body::Motion(motion) => Some(moved(&who, entry.seq, motion, fold)),
        Body::Vote(vote) => Some(voted(&who, vote, fold)),
        Body::Concede(concede) => {
            let why = concede.text.as_ref().map_or_else(|| ".".to_string(), |text| format!(": {text}"));
            // With one seat left the game is over.
            let goes_on = if fold.outcome().is_none() { "; a program plays on in that seat" } else { "" };
            Some(format!("{who} gives the game up{goes_on}{why}"))
        }
        // A deadline that is moved is announced in the reader's own time.
        Body::Correction(correction) if correction.until.is_some() => None,
        Body::Correction(correction) => Some(corrected(correction, fold)),
        Body::Dispute(dispute) => Some(format!("{who} disputes #{}: {}", dispute.about, dispute.text)),
        Body::Keys(_) => Some(format!("{who} announces other keys to sign with.")),
        Body::Host(host) => Some(match host.what {
            Hosting::Handover => format!("Another host goes on with the game: {}", host.text),
            Hosting::Adoption => format!("The host has vanished, and another goes on if you consent: {}", host.text),
        }),
        Body::Consent(_) => {
            let goes_on = if fold.adoption().is_none() { " The game goes on." } else { "" };
            Some(format!("{who} consents to the new host.{goes_on}"))
        }
        Body::Genesis(_)
        | Body::Join(_)
        | Body::Start(_)
        | Body::Say(_)
        | Body::Standing(_)
        | Body::Sealed(_)
        | Body::Open(_)
        | Body::Refused(_)
        | Body::Deck(_)
        | Body::Chain(_)
        | Body::Dns(_)
        | Body::Clock(_)
        | Body::Reveal(_)
        | Body::End(_) => None,
    }
}

/// What a correction would do, behind `to`: `put the table back to what it was after #57`.
pub fn purpose(what: Correcting, to: Option<u64>, of: Option<&str>, rules: Option<&str>) -> String {
    match what {
        Correcting::Ruling => "put a ruling on record".to_string(),
        Correcting::Undo => format!("put the table back to what it was after #{}", to.unwrap_or(0)),
        Correcting::Deadline => "move the time to answer".to_string(),
        Correcting::Seat => format!("free the seat {} for another player", of.unwrap_or("of somebody")),
        Correcting::Pause => "pause the game".to_string(),
        Correcting::Resume => "go on after the pause".to_string(),
        Correcting::Draw => "end the game in a draw".to_string(),
        Correcting::Rules => format!("go on by the rules {}", rules.unwrap_or("of another edition")),
    }
}

fn moved(who: &str, seq: u64, motion: &Motion<'_>, fold: &Fold) -> String {
    let purpose = match motion.until {
        Some(until) => format!("give time to answer until {} UTC", Zone::utc().words(until, fold.at())),
        None => purpose(motion.what, motion.to, motion.of.as_deref(), motion.rules.as_deref()),
    };
    let head = format!("{who} moves to {purpose}: {}", full_stop(&motion.text));
    match fold.council().motion(seq).map(|moved| (moved.needed, moved.voters.len())) {
        Some((needed, voters)) => {
            let who = match needed == voters {
                true => "everybody who has a say agrees".to_string(),
                false => format!("{needed} of you agree"),
            };
            format!(
                "{head} It is done when {who}, within {DAYS_OPEN} days. To vote, write on a line of its own: \
                 vote yes {seq} (or: vote no {seq})"
            )
        }
        None => head,
    }
}

fn voted(who: &str, vote: &Vote, fold: &Fold) -> String {
    let Vote { motion, says } = vote;
    let is_there = fold.council().motion(*motion).is_some();
    match (says, is_there) {
        (Ballot::Yes, _) => format!("{who} agrees to what was moved in #{motion}."),
        (Ballot::No, true) => format!("{who} does not agree to what was moved in #{motion}."),
        (Ballot::No, false) => format!("{who} does not agree to what was moved in #{motion}. It is not done."),
    }
}

fn corrected(correction: &Correction<'_>, fold: &Fold) -> String {
    let who = match (correction.motion, correction.consents.is_empty()) {
        (Some(motion), _) => format!("As moved in #{motion}"),
        (None, true) => "The host decided".to_string(),
        (None, false) => {
            let agreed: Vec<&str> = correction.consents.iter().map(|consent| &*consent.seat).collect();
            format!("By the word of {}", agreed.join(" and "))
        }
    };
    let of = correction.of.as_deref().unwrap_or("");
    let what = match correction.what {
        Correcting::Ruling => "a ruling".to_string(),
        Correcting::Undo => format!(
            "the table is as it was after #{}; what was drawn since will be drawn anew",
            correction.to.unwrap_or(0)
        ),
        Correcting::Deadline => "the time to answer was moved".to_string(),
        Correcting::Seat => match &correction.player {
            Some(player) => format!("{player} takes the seat {of}"),
            None => format!("the seat {of} is free for another player; until somebody takes it, it stays as it is"),
        },
        Correcting::Pause => "the game is paused".to_string(),
        Correcting::Resume => "the game goes on".to_string(),
        Correcting::Draw => "the game ends in a draw".to_string(),
        Correcting::Rules => format!("the rules are {} from here on", fold.plan().setup.edition),
    };
    let text = if correction.text.is_empty() { String::new() } else { format!(" ({})", correction.text) };
    format!("{who}: {what}{text}.")
}

fn full_stop(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_string() } else { format!("{text}.") }
}

/// A seat and its player, at the beginning of a sentence.
fn named(fold: &Fold, word: &str) -> String {
    if word == HOST {
        return "The host".to_owned();
    }
    let mut letters = word.chars();
    let begun: String = letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
    match fold.plan().seat(word) {
        Some(seat) => format!("{begun} ({})", fold.plan().seats[seat.index()].player),
        None => begun,
    }
}
