/*! The minutes of a game: what its desk must know of every entry, noted as the entries are added, so that no letter
makes the desk read the log again.
*/

use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;
use record::entry::Body;
use record::entry::body::{Ballot, ClockChange, Kind};
use record::file::reading::Followed;
use record::table::Table;
use report::gazette::{Gazette, Sheet};
use report::pace::Pace;
use std::collections::BTreeMap;

/// What is noted of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minute {
    pub seq: u64,
    pub hash: Hash,
    /// The length of the log up to the end of this entry, in bytes.
    pub end: u64,
    pub kind: Kind,
    pub seat: String,
    /// What was said, if anything, and to which question.
    pub said: Option<String>,
    pub question: Option<&'static str>,
    /// The letter that caused it.
    pub raw: Option<Hash>,
    pub at: Stamp,
    /// Whether everybody is told of it at once.
    pub is_notice: bool,
    /// Whether the game goes on with it: a ruling or a pause leaves the game as it was.
    pub goes_on: bool,
    /// Whether a turn opens with it for all seats.
    pub opens_turn: bool,
}

impl Minute {
    fn of(followed: &Followed<'_>) -> Minute {
        let entry = followed.entry;
        let said = match &entry.body {
            Body::Say(say) => Some(say.said.to_string()),
            _ => None,
        };
        Minute {
            seq: entry.seq,
            hash: followed.hash,
            end: followed.end,
            kind: entry.kind(),
            seat: entry.seat.to_string(),
            question: said.as_ref().and(followed.asked_before).map(|question| question.id),
            said,
            raw: entry.via.as_ref().and_then(|via| via.raw),
            at: entry.at,
            is_notice: is_notice(followed),
            goes_on: match &entry.body {
                Body::Correction(_) => entry.outcome.as_ref().is_some_and(|outcome| !outcome.changed.is_empty()),
                body => body.kind().is_played(),
            },
            opens_turn: opens_turn(followed),
        }
    }

    /// Whether there is anything in it to tell.
    pub fn is_news(&self) -> bool {
        let is_public = matches!(self.kind, Kind::Reveal | Kind::End | Kind::Clock | Kind::Vote);
        self.goes_on || is_public || self.is_notice
    }

    /// The entry in a few words.
    pub fn words(&self) -> String {
        match &self.said {
            Some(said) => format!("#{} {}: {said}", self.seq, self.seat),
            None => format!("#{} {}", self.seq, self.kind.word()),
        }
    }
}

/// Everything noted so far. It can be looked up only through [`Minutes::of`], which first notes what is new.
#[derive(Debug, Default)]
pub struct Minutes {
    /// Up to which entry each seat had been told when the desk was opened; seats that are not in it get no letters.
    told: BTreeMap<String, u64>,
    pace: Pace,
    noted: Noted,
}

/// The notes, to be looked up.
#[derive(Debug, Default)]
pub struct Noted {
    /// By number.
    entries: Vec<Minute>,
    by_letter: BTreeMap<Hash, Vec<usize>>,
    last_said: BTreeMap<String, u64>,
    /// What each seat last said to each kind of question.
    last_answers: BTreeMap<(String, &'static str), String>,
    last_played: u64,
    gazette: Gazette,
}

impl Minutes {
    /// Empty minutes. `told` says up to which entry each seat has been told.
    pub fn new(told: BTreeMap<String, u64>) -> Minutes {
        Minutes { told, ..Minutes::default() }
    }

    /// Notes the next entry.
    pub fn note(&mut self, followed: &Followed<'_>) {
        let is_behind =
            |seat: Seat| self.told.get(followed.fold.plan().word(seat)).is_some_and(|told| *told < followed.entry.seq);
        let sheet = Sheet::of(followed, &mut self.pace, is_behind);
        self.noted.note(Minute::of(followed), sheet);
    }

    /// The minutes of a table, up to its last entry.
    pub fn of(&mut self, table: &mut Table) -> &mut Noted {
        table.take_made(|followed| self.note(followed));
        &mut self.noted
    }
}

impl Noted {
    fn note(&mut self, minute: Minute, sheet: Sheet) {
        if let Some(raw) = minute.raw {
            self.by_letter.entry(raw).or_default().push(self.entries.len());
        }
        if minute.kind == Kind::Say {
            self.last_said.insert(minute.seat.clone(), minute.seq);
            if let (Some(question), Some(said)) = (minute.question, &minute.said) {
                self.last_answers.insert((minute.seat.clone(), question), said.clone());
            }
        }
        if minute.goes_on || matches!(minute.kind, Kind::Reveal | Kind::End) {
            self.last_played = minute.seq;
        }
        self.entries.push(minute);
        self.gazette.take_in(sheet);
    }

    /// The entry of this number.
    pub fn entry(&self, seq: u64) -> Option<&Minute> {
        self.entries.get(usize::try_from(seq).ok()?)
    }

    /// The entries after this number.
    pub fn after(&self, seq: u64) -> &[Minute] {
        let first = usize::try_from(seq).map_or(usize::MAX, |seq| seq.saturating_add(1));
        self.entries.get(first..).unwrap_or(&[])
    }

    /// The entries that a letter caused, the first one first.
    pub fn caused_by(&self, raw: &Hash) -> impl Iterator<Item = &Minute> {
        self.by_letter.get(raw).into_iter().flatten().map(|index| &self.entries[*index])
    }

    /// The newest answer of a seat.
    pub fn last_said(&self, seat: &str) -> Option<u64> {
        self.last_said.get(seat).copied()
    }

    /// What a seat said when it was last asked this question.
    pub fn last_answer(&self, seat: &str, question: &'static str) -> Option<&str> {
        self.last_answers.get(&(seat.to_owned(), question)).map(String::as_str)
    }

    /// When the game last went on, or was made; `None` if nothing is noted.
    pub fn last_played(&self) -> Option<Stamp> {
        self.entry(self.last_played).map(|entry| entry.at)
    }

    /// The number of that entry.
    pub fn played_last(&self) -> u64 {
        self.last_played
    }

    /// What the seats have not been told.
    pub fn gazette(&mut self) -> &mut Gazette {
        &mut self.gazette
    }
}

/// Whether the entry changes the fact with which a turn of the title opens for everybody.
fn opens_turn(followed: &Followed<'_>) -> bool {
    let Some((key, word)) = followed.fold.plan().title.orders.turn_opens else { return false };
    let changed = followed.entry.outcome.iter().flat_map(|outcome| &outcome.changed);
    let mut facts = changed.filter_map(|changed| changed.split_once(": "));
    facts.any(|(changed, value)| changed == key && value.split(' ').next_back() == Some(word))
}

/// Whether everybody is told of an entry at once, no matter who is asked.
fn is_notice(followed: &Followed<'_>) -> bool {
    match &followed.entry.body {
        Body::Motion(_) | Body::Concede(_) | Body::Correction(_) | Body::Dispute(_) => true,
        // With the last consent the game goes on.
        Body::Consent(_) => followed.fold.adoption().is_none(),
        // Everybody should know who hosts, and by whose keys.
        Body::Host(_) | Body::Keys(_) | Body::Address(_) => true,
        // A vote is told with the next letter, unless it ends the motion.
        Body::Vote(vote) => vote.says == Ballot::No && followed.fold.council().motion(vote.motion).is_none(),
        Body::Clock(clock) => {
            matches!(clock.what, ClockChange::Lapsed | ClockChange::Unreachable | ClockChange::Reachable)
        }
        _ => false,
    }
}
