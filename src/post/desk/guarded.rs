/*! Plans that stop: when a line written ahead has its turn, its guards or a rule may hold it back. It stays kept with
all below it, its seat is asked, and `go on` says it all the same.

Where acts wait for rounds of a beacon nothing is held back: what a receipt has fixed is said in its run (log 7.17).
*/

use super::clerk::Clerk;
use super::ear::Ear;
use super::position::Position;
use crate::book::Event;
use crate::book::fault::PostError;
use crate::book::kept::KeptSentence;
use crate::order::sentences::{Form, Sentence};
use crate::order::words::LET_GO_ON;
use engine::need::{Need, Question};
use engine::order::condition::in_words;
use engine::order::guard::Guard;
use engine::order::held::{Act, Fought, Guards};
use engine::order::line::{Alternative, alternatives};
use engine::refusal::Refusal;
use record::entry::Entry;
use record::entry::body::Auth;
use record::file::stream::Records;
use record::table::{Heard, Table};
use report::fate::Fate;
use std::io::Read;

/// Why a line is held back now that its turn has come: a guard stops it, or a rule forbids it.
pub(super) fn held_back(table: &Table, ear: &Ear<Heard>, question: Question, kept: &KeptSentence) -> Option<String> {
    let title = table.fold().plan().title;
    if table.needs_receipts() || !kept.is_of_plan() || !title.orders.own_turn.contains(&question.id) {
        return None;
    }
    let game = table.fold().game();
    let sentences = alternatives(&kept.words, game.clauses());
    let by_guard = kept.from.and_then(|from| {
        let judged = judged(table, question, &sentences);
        // If a `go on if` of the line holds, the line minds no other guard.
        if judged.contains(&false) {
            return None;
        }
        let said = || format!("you wished to be asked if {}", so(table, question, &sentences));
        if judged.contains(&true) { Some(said()) } else { touched(table, from, kept, &sentences) }
    });
    by_guard.or_else(|| match ear.hear(&kept.words, |words| table.read(question.seat, words)) {
        Err(refusal @ Refusal::NotAllowed { .. }) => Some(refusal.to_string()),
        _ => None,
    })
}

/// For each condition of its guards that holds, whether it stops the line.
fn judged(table: &Table, question: Question, sentences: &[Alternative<'_>]) -> Vec<bool> {
    holding(table, question, sentences).map(|(stops, _)| stops).collect()
}

/// The first condition that stops the line, in words.
fn so(table: &Table, question: Question, sentences: &[Alternative<'_>]) -> String {
    holding(table, question, sentences).find(|(stops, _)| *stops).map_or(String::new(), |(_, said)| said)
}

fn holding<'a>(
    table: &'a Table,
    question: Question,
    sentences: &'a [Alternative<'_>],
) -> impl Iterator<Item = (bool, String)> + 'a {
    let amendments = sentences.iter().flat_map(|sentence| &sentence.amendments);
    amendments.filter_map(move |amendment| {
        let Guard::If(condition) = &amendment.guard else { return None };
        let judged = table.fold().game().judge(question.seat, question.id, &in_words(condition));
        judged.ok().filter(|(_, holds)| *holds).map(|(said, _)| (amendment.stops, said.sentence))
    })
}

/// What has touched the line since it was written. If the log cannot be read now, the line is held back.
fn touched(table: &Table, from: u64, kept: &KeptSentence, sentences: &[Alternative<'_>]) -> Option<String> {
    let mut bytes = Vec::new();
    let read = table.log().bytes_after(from).and_then(|mut records| records.read_to_end(&mut bytes));
    if read.is_err() {
        return Some("what has happened since it was written could not be read".to_owned());
    }
    let mut records = Records::new(bytes.as_slice());
    let mut ranges = Vec::new();
    while let Ok(Some(raw)) = records.next() {
        let start = usize::try_from(raw.offset).unwrap_or(usize::MAX);
        ranges.push(start..start + raw.bytes.len());
    }
    let entries: Vec<Entry<'_>> = ranges.into_iter().filter_map(|range| Entry::read(bytes.get(range)?).ok()).collect();
    let plan = table.fold().plan();
    let sides = (plan.title.teams.sides)(&plan.setup);
    let own = plan.seat(&kept.seat);
    let side = sides.iter().find(|side| own.is_some_and(|seat| side.contains(&seat)));
    let is_ally = |word: &str| plan.seat(word).is_some_and(|seat| side.is_some_and(|side| side.contains(&seat)));
    let acts: Vec<Act<'_>> = entries.iter().filter_map(|entry| act(entry, &kept.seat, &is_ally)).collect();
    let guards = Guards::of(table.fold().plan().title, table.fold().game(), sentences);
    guards.held(kept.fought, &acts).map(|held| held.to_string())
}

fn act<'e>(entry: &'e Entry<'_>, seat: &str, is_ally: &dyn Fn(&str) -> bool) -> Option<Act<'e>> {
    let outcome = entry.outcome.as_ref()?;
    Some(Act {
        seq: entry.seq,
        seat: &entry.seat,
        is_own: *entry.seat == *seat,
        is_ally: is_ally(&entry.seat),
        has_dice: outcome.roll.as_ref().is_some_and(|roll| !roll.dice.is_empty()),
        shows_card: !outcome.open.is_empty(),
        changed: outcome.changed.iter().map(|changed| &**changed).collect(),
    })
}

impl Position<'_> {
    /// The point from which the guards of a line look at what has happened: the length of the log after the record
    /// that its writer had seen, and whose battle was fought then.
    pub(super) fn written(&self) -> (u64, Option<Fought>) {
        let (seat, minutes) = (self.seat(), self.minutes);
        let seen =
            self.cover.seen.as_ref().and_then(|seen| minutes.entry(seen.seq)).map(|entry| (entry.seq, entry.end));
        let fold = self.table.fold();
        let (from, battlefield) = match seen {
            Some((seq, end)) => (end, fold.game_after(seq).and_then(|game| game.battlefield())),
            None => (self.table.log().length(), fold.game().battlefield()),
        };
        let fought = battlefield.map(|(_, attacker)| if attacker == seat { Fought::Own } else { Fought::Others });
        (from, fought)
    }

    /// Whether a line lets the stopped plan of its seat go on, and is no sentence that the open question knows.
    pub(super) fn wants_to_go_on(&self, sentence: &Sentence) -> bool {
        let is_so = sentence.words == LET_GO_ON && sentence.form == Form::Answer && self.docket.dry.is_none();
        is_so && self.is_stopped() && !self.begins_a_sentence(LET_GO_ON)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.book.stopped(&self.cover.place.seat).is_some()
    }

    /// The first line of a plan that has stopped, if these words say the same.
    pub(super) fn says_its_next_line(&self, words: &str) -> Option<KeptSentence> {
        if !self.is_stopped() {
            return None;
        }
        let Need::Question(question) = self.table.fold().need() else { return None };
        let next = self.book.kept(&self.cover.place.seat).into_iter().find(KeptSentence::is_of_plan)?;
        let read = |words: &str| {
            self.ear.hear(words, |words| self.table.read(question.seat, words)).ok()?;
            self.ear.of(words, |heard| heard.sentence().to_owned())
        };
        read(words).filter(|said| read(&next.words).as_ref() == Some(said)).map(|_| next)
    }
}

impl Clerk<'_> {
    /// Drops a line that its seat has said itself. The lines of a letter that its domain signed play without gaps, so
    /// the lines below go with it.
    pub(super) fn drop_next_line(&mut self, next: &KeptSentence) -> Result<(), PostError> {
        let is_gap = next.auth == Some(Auth::Dkim);
        for kept in self.book.kept(&self.cover.place.seat) {
            if kept.raw == next.raw && (kept.line == next.line || is_gap) {
                self.table.forget_clauses(self.seat(), (kept.raw, kept.line)).map_err(PostError::from)?;
                let fate = Fate::ignored("you have said it yourself");
                self.book.append(Event::Dropped { raw: kept.raw, line: kept.line, fate })?;
            }
        }
        Ok(())
    }
}
