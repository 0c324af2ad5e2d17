/*! A log held against what its reader has sent himself: his letters, or the key with which he signs. Nothing in a log
excludes that the host wrote a player's letter in his place, or threw one away; the player knows, because a letter that
the log names is not among his own, or one of his own is not in the log (log 15.2).
*/

use crate::commit::signature::PublicKey;
use crate::entry::body::{Auth, Correcting, Via};
use crate::entry::{Body, Entry};
use crate::fold::Fold;
use crate::problem::Problem;
use ground::hash::Hash;
use ground::line::printable;
use std::collections::{BTreeMap, BTreeSet};

/// What a player has sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// His letters, by the SHA-256 of the Message-ID without `<` and `>`.
    pub letters: BTreeMap<Hash, OwnLetter>,
    /// Whether these are all letters of a mailbox, so that one which is missing was not sent by him.
    pub is_mailbox: bool,
    /// The keys with which he signs.
    pub keys: Vec<PublicKey>,
}

/// A letter that the player has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLetter {
    /// What it is called in messages.
    pub name: String,
    /// The letters of the host that it answers.
    pub answers: Vec<Answered>,
}

/// A letter of the host, as an answer to it names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    pub game: String,
    pub seat: String,
    /// The last record that it told.
    pub seq: u64,
}

/// What the report says of the reader's own letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MineSummary {
    /// The seats that joined by a letter of the reader's.
    pub joined: Vec<String>,
    /// The seats that he has played at some time.
    pub seats: Vec<String>,
    /// How many of his letters are in the log.
    pub found: usize,
    /// His letters to this game that no record names.
    pub dropped: Vec<String>,
    /// Records of his seats since they had his key: how many it has signed, and those that it has not, which could have
    /// been signed.
    pub signed: u64,
    pub unsigned: Vec<u64>,
}

/// The letters that one player of a seat wrote, as the log names them.
#[derive(Clone, Debug, Default)]
struct Tenant {
    seat: String,
    /// The first record of each letter, and the hash of its Message-ID; the first one may have joined.
    letters: Vec<Named>,
    /// The letters' bytes, so that each counts once.
    raw: BTreeSet<Hash>,
}

#[derive(Clone, Copy, Debug)]
struct Named {
    seq: u64,
    line: u64,
    message: Option<Hash>,
    joins: bool,
}

/// The letters that a log names, while it is read.
#[derive(Debug, Default)]
pub(super) struct Sent {
    own: Own,
    tenants: Vec<Tenant>,
    signed: u64,
    unsigned: Vec<u64>,
    has_key: BTreeSet<String>,
}

impl Sent {
    pub fn new(own: Own) -> Sent {
        Sent { own, ..Sent::default() }
    }

    /// Takes in a record that was folded.
    pub fn saw(&mut self, entry: &Entry, line: u64, fold: &Fold) {
        if let Body::Correction(correction) = &entry.body
            && let (Correcting::Seat, Some(of), Some(_)) = (correction.what, &correction.of, &correction.player)
        {
            self.tenants.push(Tenant { seat: of.to_string(), ..Tenant::default() });
        }
        let Some((seat, via)) = fold.plan().seat(&entry.seat).zip(entry.via.as_ref()) else { return };
        let Some(raw) = via.raw else { return };
        let joins = matches!(entry.body, Body::Join(_));
        let named = Named { seq: entry.seq, line, message: via.message, joins };
        self.tenant(&entry.seat).add(raw, named);
        if fold.keys(seat).iter().any(|key| self.own.keys.contains(key)) {
            self.has_key.insert(entry.seat.to_string());
            self.count_signature(entry, via);
        }
    }

    /// Who holds a seat now.
    fn tenant(&mut self, seat: &str) -> &mut Tenant {
        let place = self.tenants.iter().rposition(|tenant| tenant.seat == seat);
        let place = place.unwrap_or_else(|| {
            self.tenants.push(Tenant { seat: seat.to_owned(), ..Tenant::default() });
            self.tenants.len() - 1
        });
        &mut self.tenants[place]
    }

    fn count_signature(&mut self, entry: &Entry, via: &Via) {
        match &entry.body {
            // These never show a signature (log 4.3), and who joins has no key before.
            Body::Join(_) | Body::Heard | Body::Receipt(_) | Body::Stopped(_) => {}
            _ if via.auth == Some(Auth::Ssh) => self.signed += 1,
            _ => self.unsigned.push(entry.seq),
        }
    }

    /// What is wrong at the end of the log, each with the line and number of its record; and what the report says.
    pub fn end(self, name: &str, last: u64) -> (Vec<(u64, Option<u64>, Problem)>, MineSummary) {
        let answered: BTreeSet<&str> = self.own.seats_of(name).collect();
        let is_last =
            |place: usize| !self.tenants[place + 1..].iter().any(|other| other.seat == self.tenants[place].seat);
        let is_mine = |(place, tenant): &(usize, &Tenant)| {
            let is_named = tenant.letters.iter().any(|named| self.own.has(named.message));
            is_named || self.has_key.contains(&tenant.seat) || is_last(*place) && answered.contains(&*tenant.seat)
        };
        let mine: Vec<&Tenant> = self.tenants.iter().enumerate().filter(is_mine).map(|(_, tenant)| tenant).collect();
        let mut problems = Vec::new();
        let mut summary = MineSummary { signed: self.signed, unsigned: self.unsigned.clone(), ..Default::default() };
        for tenant in mine {
            let seat = printable(&tenant.seat).into_owned();
            for named in &tenant.letters {
                if self.own.has(named.message) {
                    summary.found += 1;
                    summary.joined.extend(named.joins.then(|| seat.clone()));
                } else if self.own.is_mailbox || named.joins && !self.own.letters.is_empty() {
                    let (seat, message, joins) = (seat.clone(), named.message, named.joins);
                    problems.push((named.line, Some(named.seq), Problem::NotMine { seat, message, joins }));
                }
            }
            summary.seats.push(seat);
        }
        summary.dropped = self.dropped(name, last);
        if summary.seats.is_empty() {
            problems.push((1, None, Problem::NothingMine));
        }
        (problems, summary)
    }

    /// The reader's letters to this game that no record names.
    fn dropped(&self, name: &str, last: u64) -> Vec<String> {
        let named: BTreeSet<Hash> =
            self.tenants.iter().flat_map(|tenant| tenant.letters.iter().filter_map(|named| named.message)).collect();
        let is_of_game = |letter: &&OwnLetter| letter.answers.iter().any(|to| to.game == name && to.seq <= last);
        let others = self.own.letters.iter().filter(|(message, _)| !named.contains(message)).map(|(_, letter)| letter);
        others.filter(is_of_game).map(|letter| letter.name.clone()).collect()
    }
}

impl Own {
    fn has(&self, message: Option<Hash>) -> bool {
        message.is_some_and(|message| self.letters.contains_key(&message))
    }

    /// The seats of a game whose letters he has answered.
    fn seats_of(&self, name: &str) -> impl Iterator<Item = &str> {
        let answers = self.letters.values().flat_map(|letter| &letter.answers);
        answers.filter(move |to| to.game == name).map(|to| &*to.seat)
    }
}

impl Tenant {
    fn add(&mut self, raw: Hash, named: Named) {
        if self.raw.insert(raw) {
            self.letters.push(named);
        }
    }
}

impl MineSummary {
    /// The same in a sentence or two.
    pub fn in_brief(&self) -> String {
        let mut told = match (self.joined.as_slice(), self.seats.as_slice()) {
            ([], seats) => format!("You have played {}.", seats.join(" and ")),
            (joined, _) => {
                format!("The letter by which {} joined is yours: the throws follow from it, too.", joined.join(" and "))
            }
        };
        if !self.dropped.is_empty() || !self.unsigned.is_empty() {
            told.push_str(" Not all that is yours is in it, or the other way round: `--long` lists it.");
        }
        told
    }

    /// What the reader's own letters and signatures show, in words.
    pub fn paragraphs(&self) -> Vec<String> {
        let mut told = Vec::new();
        if !self.joined.is_empty() {
            told.push(format!(
                "The letter by which {} joined is yours: the throws follow from it, too.",
                self.joined.join(" and ")
            ));
        }
        if self.found > self.joined.len() {
            told.push(format!("{} of your letters are in this log.", self.found));
        }
        if self.signed > 0 || !self.unsigned.is_empty() {
            told.push(format!("Your key has signed {} of the records of {}.", self.signed, self.seats.join(" and ")));
        }
        if !self.unsigned.is_empty() {
            told.push(format!("Not signed, though you had a key then: {}.", listed("record", &self.unsigned)));
        }
        if !self.dropped.is_empty() {
            told.push(format!(
                "No record names these letters of yours: {}. Letters to other players and rehearsals leave none; \
                 if one of these said something to the game, ask the host what became of it.",
                some(&self.dropped)
            ));
        }
        told
    }
}

/// A few items of a list that may be long.
fn some(items: &[String]) -> String {
    match items.len().checked_sub(TOLD_MAX).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", items[..TOLD_MAX].join(", ")),
        None => items.join(", "),
    }
}

fn listed(what: &str, numbers: &[u64]) -> String {
    let items: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{what}{} {}", if items.len() == 1 { "" } else { "s" }, some(&items))
}

/// The report names only this many items of a longer list.
const TOLD_MAX: usize = 12;
