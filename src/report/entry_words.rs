/*! An entry of the log in words: the one place where they are made.

An entry is told in two ways: as a line of the chronicle, after its seat; and, if it is no move of the game and
concerns everybody, also as news at the table, by the clock of the reader.
*/

use crate::deadline::moment;
use crate::dice_terms;
use engine::plural;
use engine::seat::Seat;
use ground::zone::Zone;
use record::charter::calendar::date;
use record::entry::body::{
    Ballot, Clock, ClockChange, Correcting, Correction, Genesis, Hosting, Motion, Silence, Vote,
};
use record::entry::receipts::Receipt;
use record::entry::{Body, HOST};
use record::file::reading::Followed;
use record::fold::Fold;
use record::fold::council::DAYS_OPEN;

/// An entry in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// In a line of the chronicle, after the word for its seat.
    pub line: String,
    /// As news, in a sentence or two; `None` if the game itself tells it, or if it concerns nobody else.
    pub news: Option<String>,
}

impl Words {
    fn line(line: impl Into<String>) -> Words {
        Words { line: line.into(), news: None }
    }

    fn news(line: impl Into<String>, news: impl Into<String>) -> Words {
        Words { line: line.into(), news: Some(news.into()) }
    }
}

fn of_receipt(receipt: &Receipt) -> String {
    let lines = plural::counted(receipt.lines.len(), "line");
    match receipt.round {
        round if receipt.lines.is_empty() => format!("a round is asked for: {round}"),
        round => format!("has fixed {lines}; played with round {round}"),
    }
}

/// A followed entry in words for a reader; `None` is the public.
pub fn words(followed: &Followed<'_>, reader: Option<Seat>) -> Words {
    let (entry, fold) = (followed.entry, followed.fold);
    let who = named(fold, &entry.seat);
    match &entry.body {
        Body::Say(say) => Words::line(&*say.said),
        Body::Genesis(genesis) => Words::line(of_genesis(genesis)),
        Body::Join(_) => Words::line("joins"),
        Body::Start(_) if fold.needs_receipts() => Words::news("the game starts", dice_terms::terms(fold)),
        Body::Start(_) => Words::line("the game starts"),
        Body::Heard => Words::line("a letter came, of which nothing was played".to_string()),
        Body::Deck(deck) => Words::line(format!(
            "the {} deck is laid face down: {}",
            deck.deck,
            plural::counted(deck.cards.len(), "card")
        )),
        Body::Receipt(receipt) => Words::line(of_receipt(receipt)),
        Body::Stopped(stopped) => Words::line(format!("line {} is not played: {}", stopped.line, stopped.reason)),
        Body::Round(round) => Words::line(format!("the round of #{} is there: its lines are played", round.receipt)),
        Body::Dns(_) => Words::line("the key of a mail domain is dated"),
        Body::Keys(keys) => Words::news(
            format!("announces {} to sign with", plural::counted(keys.keys.len(), "other key")),
            format!("{who} announces other keys to sign with."),
        ),
        Body::Address(_) => {
            Words::news("writes from another address", format!("{who} writes from another address from here on."))
        }
        Body::Host(host) => of_host(host.what, &host.text),
        Body::Consent(_) => {
            let goes_on = if fold.adoption().is_none() { " The game goes on." } else { "" };
            Words::news("consents to the new host", format!("{who} consents to the new host.{goes_on}"))
        }
        Body::Correction(correction) => of_correction(correction, fold, reader),
        Body::Motion(motion) => of_motion(&who, entry.seq, motion, fold),
        Body::Vote(vote) => of_vote(&who, vote, fold),
        Body::Concede(concede) => of_concession(&who, concede.text.as_deref(), fold),
        Body::Dispute(dispute) => Words::news(
            format!("disputes #{}: {}", dispute.about, dispute.text),
            format!("{who} disputes #{}: {}", dispute.about, dispute.text),
        ),
        Body::Clock(clock) => Words { line: clock_line(clock), news: clock_news(followed, clock, reader) },
        Body::Reveal(_) => Words::line("the secrets are published"),
        Body::End(end) => Words::line(format!("the end: {}", end.result)),
    }
}

fn of_genesis(genesis: &Genesis<'_>) -> String {
    let players: Vec<String> = genesis.seats.iter().map(|seat| format!("{} as {}", seat.player, seat.seat)).collect();
    let options: Vec<String> =
        genesis.options.iter().map(|option| format!("{} = {}", option.name, option.value)).collect();
    let with = if options.is_empty() { String::new() } else { format!(", with {}", options.join(", ")) };
    format!("a game of {} by {}{with}: {}", genesis.title, genesis.rules, players.join(", "))
}

fn of_host(what: Hosting, text: &str) -> Words {
    let (line, news) = match what {
        Hosting::Handover => ("the game is handed over to another host", "Another host goes on with the game"),
        Hosting::Adoption => (
            "another host goes on with the game, if the seats consent",
            "The host has vanished, and another goes on if you consent",
        ),
    };
    Words::news(format!("{line}: {text}"), format!("{news}: {text}"))
}

fn of_concession(who: &str, text: Option<&str>, fold: &Fold) -> Words {
    let line = text.map_or_else(|| "gives the game up".to_string(), |text| format!("gives the game up: {text}"));
    let why = text.map_or_else(|| ".".to_string(), |text| format!(": {text}"));
    // With one seat left the game is over.
    let goes_on = if fold.outcome().is_none() { "; a program plays on in that seat" } else { "" };
    Words::news(line, format!("{who} gives the game up{goes_on}{why}"))
}

/// What a correction is about, in a few words: `undo to #57`.
fn aim(what: Correcting, to: Option<u64>, of: Option<&str>, rules: Option<&str>) -> String {
    match what {
        Correcting::Ruling => "ruling".to_string(),
        Correcting::Undo => format!("undo{}", to.map_or_else(String::new, |to| format!(" to #{to}"))),
        Correcting::Deadline => "deadline".to_string(),
        Correcting::Seat => format!("seat{}", of.map_or_else(String::new, |of| format!(" of {of}"))),
        Correcting::Pause => "pause".to_string(),
        Correcting::Resume => "end of the pause".to_string(),
        Correcting::Draw => "draw".to_string(),
        Correcting::Key => format!("key{}", of.map_or_else(String::new, |of| format!(" of {of}"))),
        Correcting::Rules => format!("rules{}", rules.map_or_else(String::new, |rules| format!(" {rules}"))),
    }
}

/// What a correction would do, after `to`: `put the table back to what it was after #57`.
pub fn purpose(what: Correcting, to: Option<u64>, of: Option<&str>, rules: Option<&str>) -> String {
    match what {
        Correcting::Ruling => "put a ruling on record".to_string(),
        Correcting::Undo => format!("put the table back to what it was after #{}", to.unwrap_or(0)),
        Correcting::Deadline => "move the time to answer".to_string(),
        Correcting::Seat => format!("free the seat {} for another player", of.unwrap_or("of somebody")),
        Correcting::Pause => "pause the game".to_string(),
        Correcting::Resume => "go on after the pause".to_string(),
        Correcting::Draw => "end the game in a draw".to_string(),
        Correcting::Key => format!("let the seat {} sign with another key", of.unwrap_or("of somebody")),
        Correcting::Rules => format!("go on by the rules {}", rules.unwrap_or("of another edition")),
    }
}

fn of_motion(who: &str, seq: u64, motion: &Motion<'_>, fold: &Fold) -> Words {
    let aim = aim(motion.what, motion.to, motion.of.as_deref(), motion.rules.as_deref());
    let until = motion.until.map_or_else(String::new, |until| format!(" to {until}"));
    Words::news(format!("moves {aim}{until}: {}", motion.text), moved(who, seq, motion, fold))
}

fn moved(who: &str, seq: u64, motion: &Motion<'_>, fold: &Fold) -> String {
    let purpose = match motion.until {
        Some(until) => format!("give time to answer until {} UTC", Zone::utc().words(until, fold.at())),
        None => purpose(motion.what, motion.to, motion.of.as_deref(), motion.rules.as_deref()),
    };
    let head = format!("{who} moves to {purpose}: {}", full_stop(&motion.text));
    match fold.council().motion(seq).map(|moved| (moved.needed, moved.voters.len())) {
        Some((needed, voters)) => {
            let who = if needed == voters {
                "every seat with a vote agrees".to_string()
            } else {
                format!("{needed} of you agree")
            };
            format!(
                "{head} It is done when {who}, within {DAYS_OPEN} days. To vote, write on a line of its own: \
                 vote yes {seq} (or: vote no {seq})"
            )
        }
        None => head,
    }
}

fn of_vote(who: &str, vote: &Vote, fold: &Fold) -> Words {
    let Vote { motion, says, .. } = vote;
    let is_there = fold.council().motion(*motion).is_some();
    let end = if is_there { "" } else { " It is not done." };
    match says {
        Ballot::Yes => {
            Words::news(format!("agrees to #{motion}"), format!("{who} agrees to what was moved in #{motion}."))
        }
        Ballot::No => Words::news(
            format!("does not agree to #{motion}"),
            format!("{who} does not agree to what was moved in #{motion}.{end}"),
        ),
    }
}

fn of_correction(correction: &Correction<'_>, fold: &Fold, reader: Option<Seat>) -> Words {
    let aim = aim(correction.what, correction.to, correction.of.as_deref(), correction.rules.as_deref());
    let player = correction.player.as_ref().map_or_else(String::new, |player| format!(", now of {player}"));
    let motion = correction.motion.map_or_else(String::new, |motion| format!(", as moved in #{motion}"));
    let line = format!("{aim}{player}{motion}: {}", correction.text);
    let news = match correction.until {
        None => Some(corrected(correction, fold)),
        // A deadline that is moved is announced in the reader's own time.
        Some(until) if correction.what == Correcting::Deadline => {
            let why = if correction.text.is_empty() { String::new() } else { format!(": {}", correction.text) };
            Some(format!("The time to answer was moved to {}{why}.", moment(fold, reader, until)))
        }
        Some(_) => None,
    };
    Words { line, news }
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
        Correcting::Key => match correction.key {
            Some(_) => format!("{of} signs with another key from here on"),
            None => format!("{of} signs with no key any more"),
        },
        Correcting::Rules => format!("the rules are {} from here on", fold.plan().setup.edition),
    };
    let text = if correction.text.is_empty() { String::new() } else { format!(" ({})", correction.text) };
    format!("{who}: {what}{text}.")
}

fn full_stop(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_string() } else { format!("{text}.") }
}

fn clock_news(followed: &Followed<'_>, clock: &Clock<'_>, reader: Option<Seat>) -> Option<String> {
    let plan = followed.fold.plan();
    let word = clock.whom.as_deref().unwrap_or(&followed.entry.seat);
    let whom = capital(word);
    let player = plan.seat(word).map_or("", |seat| plan.seats[seat.index()].player.as_str());
    Some(match clock.what {
        ClockChange::Absent => format!("{whom} ({player}) is away, {}: no time passes then.", days(clock)),
        ClockChange::Back => format!("{whom} ({player}) is back."),
        ClockChange::Extended => {
            format!("{whom} takes more time, until {}.", moment(followed.fold, reader, clock.until?))
        }
        ClockChange::Lapsed => {
            let due = moment(followed.fold, reader, clock.due?);
            let times = match clock.misses.unwrap_or(1) {
                1 => String::new(),
                misses => format!(", {misses} times in a row now"),
            };
            let then = then(clock.then?, &whom, player);
            format!("{whom} ({player}) did not answer by {due}{times}. {then}")
        }
        ClockChange::Unreachable => {
            let why = clock.text.as_deref().map_or(String::new(), |why| format!(" ({why})"));
            format!("No letter reaches {whom} ({player}){why}. No time passes for this seat until one does.")
        }
        ClockChange::Reachable => format!("Letters reach {whom} ({player}) again; the time to answer goes on."),
        // The time zone of a seat concerns nobody else.
        ClockChange::Zone => return None,
    })
}

/// What happens when a seat did not answer.
fn then(silence: Silence, whom: &str, player: &str) -> String {
    match silence {
        Silence::Wait => format!("The game waits for {whom}."),
        Silence::Default => "The answer that does least is given for it.".to_string(),
        Silence::Bot => format!("A program plays {whom} until {player} is back."),
        Silence::Replacement => format!("{whom} is free for another player; no time passes until somebody takes it."),
        Silence::Forfeit => format!("{whom} gives the game up."),
    }
}

/// An entry about time in a line of the chronicle.
fn clock_line(clock: &Clock<'_>) -> String {
    let whom = clock.whom.as_deref().unwrap_or("nobody");
    let until = clock.until.map_or(String::new(), |until| until.to_string());
    match clock.what {
        ClockChange::Absent => format!("is away, {}", days(clock)),
        ClockChange::Back => "is back".to_string(),
        ClockChange::Extended => format!("takes more time, until {until}"),
        ClockChange::Lapsed => {
            let due = clock.due.map_or(String::new(), |due| due.to_string());
            let then = clock.then.map_or("wait", Silence::word);
            format!("{whom} did not answer by {due} (missed in a row: {}): {then}", clock.misses.unwrap_or(1))
        }
        ClockChange::Unreachable => match &clock.text {
            Some(why) => format!("no letter reaches {whom} ({why}); its clock is stopped"),
            None => format!("no letter reaches {whom}; its clock is stopped"),
        },
        ClockChange::Reachable => format!("letters reach {whom} again"),
        ClockChange::Zone => format!("keeps the time of {}", clock.zone.as_deref().unwrap_or("another place")),
    }
}

/// `Thu 24 Dec to Sat 2 Jan`, both included.
fn days(clock: &Clock<'_>) -> String {
    let day = |text: &Option<std::borrow::Cow<'_, str>>| {
        let found = text.as_deref().and_then(date);
        found.map_or_else(|| "some day".to_string(), |day| day.strftime("%a %-d %b").to_string())
    };
    if clock.from == clock.to { day(&clock.from) } else { format!("{} to {}", day(&clock.from), day(&clock.to)) }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A seat and its player, at the beginning of a sentence.
fn named(fold: &Fold, word: &str) -> String {
    if word == HOST {
        return "The host".to_owned();
    }
    match fold.plan().seat(word) {
        Some(seat) => format!("{} ({})", capital(word), fold.plan().seats[seat.index()].player),
        None => capital(word),
    }
}
