/*! The letters of a game, shown in a dispute or at its end: checks what their mail domains have signed against the
log (log 10.9).

Letters are private, so the log has only their hashes. A verifier who is given them checks that they are those
letters, that the domain of the seat's address signed them, which question they answer, and that each record is the
next line of its letter. A letter counts once, and its lines count in order.
*/

use crate::entry::body::{Auth, By, Kind, Say};
use crate::entry::{Body, Entry};
use crate::fold::{Fold, Phase};
use crate::problem::Problem;
use ground::hash::{GameId, Hash};
use ground::stamp::Stamp;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Letters as their host keeps them.
pub trait Letters: Sync {
    /// Shows a letter, as far as it was given and is proven.
    fn show(&self, asked: &Asked<'_>) -> Shown;
}

/// The letter of a record, and what must be true of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub raw: Hash,
    pub game: GameId,
    pub seat: u8,
    /// The commitment to the address from which it must have come.
    pub address: Hash,
    /// When the log took it in.
    pub at: Option<Stamp>,
    /// When the game was made, and by when the letter must have been written.
    pub between: (Stamp, Stamp),
    /// The domain keys that the log has dated; `None` before the game starts, when it cannot date any.
    pub keys: Option<&'a BTreeSet<Hash>>,
}

/// A letter, compared with what the log says of it.
pub enum Shown {
    /// The letter or its address was not given.
    Missing,
    /// It is not what the log says, or proves nothing.
    Unproven { why: String },
    /// The domain signed it.
    Proven(Box<ProvenLetter>),
}

/// What the domain signed of a letter.
pub struct ProvenLetter {
    pub domain: String,
    /// The same for every copy of the letter, whatever unsigned parts were added to it.
    pub identity: Hash,
    /// The game, the seat if it says so, and the record and head that it answers.
    pub game: String,
    pub seat: Option<String>,
    pub seq: u64,
    pub head: String,
    pub lines: Vec<LetterLine>,
}

/// An own line of the letter.
pub struct LetterLine {
    pub number: usize,
    /// The words that may be a sentence, alone or joined with the lines below, each with its last line; empty if the
    /// line cannot be a sentence.
    pub words: Vec<(String, usize)>,
    /// Whether it may be passed over, as its first words begin no sentence of the game.
    pub is_aside: bool,
    /// Whether it asks for what a record other than an answer says.
    pub asks: Box<dyn Fn(&Body<'_>) -> bool + Send>,
}

impl fmt::Debug for LetterLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LetterLine").field("number", &self.number).finish_non_exhaustive()
    }
}

/// How many records were compared with letters that a domain signed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LettersSummary {
    /// Records that the log says a domain signed, and those of them whose letters prove it.
    pub said: usize,
    pub proven: usize,
    pub missing: usize,
    pub domains: BTreeSet<String>,
}

/// The letters of the log read so far.
#[derive(Default)]
pub(super) struct Held {
    pub(super) summary: LettersSummary,
    began: Option<Stamp>,
    /// The hashes of all records, by number.
    heads: Vec<Hash>,
    opened: BTreeMap<Hash, Opened>,
    /// For each signed text, the letter that has used it up.
    counted: BTreeMap<Hash, Hash>,
    /// The letters that were read to their end, with the commitments to the addresses from which they had to come
    /// then.
    heard: BTreeMap<Hash, Option<Hash>>,
    /// The letter of the last `heard`, as long as only orders have answered since, and whether one has. That order
    /// may have been left in the letter itself, and then the letter goes on.
    just_heard: Option<(Hash, bool)>,
}

/// A letter whose lines are being played.
struct Opened {
    letter: ProvenLetter,
    /// The index of the next line, and the line up to which the last sentence reached.
    next: usize,
    read_to: usize,
    used: BTreeSet<usize>,
}

impl Held {
    /// Notes a record after it was compared with its letter.
    pub(super) fn saw(&mut self, at: Stamp, hash: Hash) {
        self.began.get_or_insert(at);
        self.heads.push(hash);
    }

    /// Compares a record that the log says a domain signed with its letter. `fold` has not followed the record yet.
    pub(super) fn hold(&mut self, entry: &Entry, fold: &Fold, letters: &dyn Letters) -> Option<Problem> {
        let via = entry.via.as_ref();
        let just_heard = self.just_heard.take();
        if via.is_some_and(|via| via.by == Some(By::Standing)) {
            self.just_heard = just_heard.map(|(raw, _)| (raw, true));
        }
        let via = via?;
        let raw = via.raw?;
        if entry.kind() == Kind::Heard {
            let address = fold.plan().seat(&entry.seat).and_then(|seat| fold.committed_address(entry, seat));
            self.heard.insert(raw, address);
            self.just_heard = Some((raw, false));
            return None;
        }
        if just_heard == Some((raw, true)) {
            self.heard.remove(&raw);
        }
        let (Some(Auth::Dkim), Some(seat)) = (via.auth, fold.plan().seat(&entry.seat)) else { return None };
        self.summary.said += 1;
        let out_of_turn = |why: String| Some(Problem::LetterOutOfTurn { raw, why });
        if !self.opened.contains_key(&raw) {
            let asked = Asked {
                raw,
                game: fold.plan().game,
                seat: seat.0,
                // What a receipt has fixed came from the address that the seat had then.
                address: match self.heard.get(&raw) {
                    Some(address) => (*address)?,
                    None => fold.committed_address(entry, seat)?,
                },
                at: Some(entry.at),
                between: (self.began.unwrap_or(entry.at), entry.at),
                keys: Some(fold.domain_keys()).filter(|_| fold.phase() > Phase::Joining),
            };
            let letter = match letters.show(&asked) {
                Shown::Missing => {
                    self.summary.missing += 1;
                    return None;
                }
                Shown::Unproven { why } => return Some(Problem::LetterUnproven { raw, why }),
                Shown::Proven(letter) => *letter,
            };
            let first = *self.counted.entry(letter.identity).or_insert(raw);
            if first != raw {
                return out_of_turn(format!("the same signed text counted before, as the letter {first}"));
            }
            self.opened.insert(raw, Opened { letter, next: 0, read_to: 0, used: BTreeSet::new() });
        }
        // What a receipt has fixed may be said when the letter was read to its end.
        let is_new = |say: &Say| say.line.is_none() && via.by.is_none();
        let says = matches!(&entry.body, Body::Say(say) if is_new(say));
        let is_over = says && self.heard.contains_key(&raw);
        let opened = self.opened.get_mut(&raw).expect("it was just opened");
        if let Err(why) = answers(&opened.letter, entry, fold, &self.heads) {
            return out_of_turn(why);
        }
        match opened.says(entry, fold) {
            Ok(_) if is_over => out_of_turn("it was read to its end before, and this was not played".to_owned()),
            Ok(_) => {
                self.summary.proven += 1;
                self.summary.domains.insert(opened.letter.domain.clone());
                None
            }
            Err(Some(gap)) => out_of_turn(format!("its line {gap} stands before this sentence and was not played")),
            Err(None) => Some(Problem::LetterSaysOther { raw, said: said(&entry.body) }),
        }
    }
}

/// Whether a letter answers the record that its writer had seen according to the log, in this game and for this seat.
fn answers(letter: &ProvenLetter, entry: &Entry, fold: &Fold, heads: &[Hash]) -> Result<(), String> {
    // A guest who joins answers a letter to a guest, not to a seat.
    let is_its = entry.kind() == Kind::Join || letter.seat.as_deref().is_none_or(|seat| seat == entry.seat);
    let head = usize::try_from(letter.seq).ok().and_then(|seq| heads.get(seq)).map(ToString::to_string);
    if letter.game != fold.plan().name || !is_its {
        Err("it answers a letter to another seat or game".to_owned())
    } else if !head.is_some_and(|head| head.starts_with(&letter.head)) {
        Err(format!("it answers a letter on another history, whose record {} was {}", letter.seq, letter.head))
    } else if entry.via.as_ref().and_then(|via| via.seen) != Some(letter.seq) {
        Err(format!("it answers record {}, and the log says that its writer had seen another", letter.seq))
    } else {
        Ok(())
    }
}

impl Opened {
    /// The line of the letter that a record plays. On failure, the sentence before it that was not played, if that is
    /// the reason.
    fn says(&mut self, entry: &Entry, fold: &Fold) -> Result<usize, Option<usize>> {
        let lines = &self.letter.lines;
        let Body::Say(say) = &entry.body else {
            // A guest's words to join are not recorded word for word, and a receipt does not show its lines.
            if matches!(entry.body, Body::Join(_) | Body::Receipt(_) | Body::Stopped(_)) {
                return Ok(0);
            }
            let asks = |line: &&LetterLine| !self.used.contains(&line.number) && (line.asks)(&entry.body);
            let number = lines.iter().find(asks).ok_or(None)?.number;
            self.used.insert(number);
            return Ok(number);
        };
        let seat = fold.plan().seat(&entry.seat).ok_or(None)?;
        let faces = fold.faces_with(entry);
        let says = |words: &str| fold.game().read(seat, words, &faces).is_ok_and(|read| read.sentence == say.said);
        let mut gap = None;
        for (index, line) in lines.iter().enumerate().skip(self.next) {
            if line.number <= self.read_to || self.used.contains(&line.number) {
                continue;
            }
            if let Some((_, last)) = line.words.iter().find(|(words, _)| says(words)) {
                if gap.is_some() {
                    return Err(gap);
                }
                (self.next, self.read_to) = (index + 1, *last);
                return Ok(line.number);
            }
            if !line.is_aside {
                gap.get_or_insert(line.number);
            }
        }
        Err(None)
    }
}

/// What a record says, for people.
fn said(body: &Body<'_>) -> String {
    match body {
        Body::Say(say) => say.said.to_string(),
        body => body.act().unwrap_or_else(|| body.kind().word().to_owned()),
    }
}
