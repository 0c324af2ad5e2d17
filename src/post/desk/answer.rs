//! The answer to a letter of a player: what became of its lines, and where the game stands.

use super::case::Case;
use super::docket::Docket;
use super::enclosure::Enclosure;
use super::{AGAIN_AFTER, Desk, is_done};
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing, Thread};
use crate::book::{Held, LetterIn, REFUSALS_A_DAY, Reception};
use crate::names::address::Place;
use crate::order::suggestion;
use engine::example;
use engine::seat::Seat;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use record::fold::Phase;
use report::fate::{Answered, Fate};
use report::occasion;
use report::verdict::Verdict;

impl Desk {
    /// The letter that answers a letter: what became of its lines, and where the game stands.
    pub(super) fn answer(&mut self, case: &Case<'_>, seat: Seat, docket: &Docket) -> Result<Option<String>, PostError> {
        let Case { letter, place, letter_in, .. } = case;
        let Ok(author) = letter.envelope.author.clone() else { return Ok(None) };
        let is_played = docket.fates.has_done || docket.fates.answers.iter().any(is_done);
        if self.has_heard_enough(place, letter_in, is_played) {
            return Ok(None);
        }
        let told = self.book.told(&place.seat);
        let since = docket.fates.stale_since.map_or(told, |stale| stale.min(told));
        let mut occasion = self.occasion(seat, since, &docket.fates.answers)?;
        occasion.verdict = self.verdict(seat, docket);
        // If the writer asked for something, or something went wrong, the answer shows the whole table.
        let is_request = |answered: &Answered| matches!(answered.fate, Fate::Done { seq: None, .. });
        if occasion.verdict.is_some() || docket.fates.answers.iter().any(is_request) {
            occasion.brief = None;
        }
        let since = self.minutes.of(&mut self.table).last_played().unwrap_or_else(|| self.table.fold().at());
        for enclosure in &docket.follows.enclosures {
            if let Some(text) = enclosure.text(&self.table, self.titles, Some(seat), since)? {
                occasion.asked_for.push(text.lines().map(str::to_owned).collect());
            }
        }
        let part = docket.follows.enclosures.iter().rev().find_map(Enclosure::part_of_map);
        let page = self.looking(&occasion, seat, part);
        let date = Stamp::parse(&letter_in.at).unwrap_or_else(|| self.table.fold().at());
        let references = letter.envelope.references.clone();
        let outgoing = Outgoing {
            date,
            thread: Thread::Answers { mail: letter_in.mail.clone(), references },
            files: self.files(&place.seat)?,
            tells: self.tells(&place.seat),
            ..self.outgoing(self.key_of_answer(&place.seat, letter_in), author, page, date)
        };
        Ok(self.post(vec![outgoing])?.pop())
    }

    /// A letter that was held is answered twice: the question first, and what became of it when it was released, if
    /// that letter could not yet say so.
    fn key_of_answer(&self, seat: &str, letter_in: &LetterIn) -> Key {
        match self.book.letter_in(&letter_in.raw).and_then(|letter| letter.held) {
            Some(Held::Played(_) | Held::Dropped(_)) => Key::words(seat, &format!("released {}", letter_in.raw)),
            Some(Held::Waits) | None => Key::answer(seat, &letter_in.raw),
        }
    }

    /// What to say of a letter that was not played in full, with an example of what its writer may say.
    fn verdict(&self, seat: Seat, docket: &Docket) -> Option<Verdict> {
        if !docket.fates.held.is_empty() {
            return Some(Verdict::held(&docket.fates.held));
        }
        let has_gone_through = docket.fates.has_done && docket.fates.tally.refused().is_none();
        if docket.dry.is_some() || has_gone_through {
            return None;
        }
        let is_refused = docket.fates.answers.iter().any(|answered| matches!(answered.fate, Fate::Refused { .. }));
        let mut verdict = docket.fates.tally.verdict(is_refused)?;
        let fold = self.table.fold();
        let is_asked = fold.asked().is_some_and(|question| question.seat == seat);
        if is_asked && fold.phase() == Phase::Playing {
            let words = suggestion::in_our_words(&docket.fates.tally.refused().unwrap_or_default().to_lowercase());
            let faces = occasion::known_to(Some(seat), fold.game(), fold.faces());
            verdict.example = match &docket.fates.proposed {
                Some(sentence) => Some(sentence.clone()),
                None if docket.fates.is_away => None,
                None => example::like(fold.game(), &words, &faces),
            };
        }
        Some(verdict)
    }

    /// L3: a robot that does not mark its letters as automatic must not write with us for ever: after
    /// `REFUSALS_A_DAY` refusals within a day no further refusal is answered.
    pub(super) fn has_heard_enough(&mut self, place: &Place, letter_in: &LetterIn, is_played: bool) -> bool {
        let at = Stamp::parse(&letter_in.at);
        let played = self.minutes.of(&mut self.table).played_last();
        // L3: the answer to the same words within the last hour is enough, if nothing has happened since. A robot
        // answers our answer; a player who says the same again when the game has gone on means another question.
        let is_echo = |before: &LetterIn| {
            let since = at.and_then(|at| at.since_written(&before.at));
            let answer = before.answer.as_deref().and_then(|answer| self.book.letter_out(answer));
            let told = answer.and_then(|answer| answer.told.as_ref());
            before.text == letter_in.text
                && since.is_some_and(|since| since < AGAIN_AFTER)
                && told.is_none_or(|told| told.seq >= played)
        };
        let refusals: Vec<&LetterIn> = at.map_or(Vec::new(), |at| self.refusals(&place.seat, at).collect());
        // A5: a letter that nothing ties to its seat may be a stranger's, and one question back a day is enough.
        let is_untied = |letter: &LetterIn| letter.authorship.as_ref().is_some_and(|found| found.auth.is_none());
        if is_untied(letter_in) && refusals.iter().any(|before| is_untied(before)) {
            return true;
        }
        !is_played && (refusals.len() >= REFUSALS_A_DAY || refusals.into_iter().any(is_echo))
    }

    /// Whether so many letters of a seat were refused today that no further refusal is answered.
    pub fn is_silent_to(&self, seat: &str, at: Stamp) -> bool {
        self.refusals(seat, at).count() >= REFUSALS_A_DAY
    }

    /// The letters of a seat that were refused within the last 24 hours, with an answer.
    fn refusals<'a>(&'a self, seat: &'a str, at: Stamp) -> impl Iterator<Item = &'a LetterIn> {
        let is_today =
            move |since: &str| at.since_written(since).is_some_and(|passed| passed < SignedDuration::from_hours(24));
        self.book.letters_in().filter(move |before| {
            before.seat.as_deref() == Some(seat)
                && before.done == Some(Reception::Refused)
                && before.answer.is_some()
                && is_today(&before.at)
        })
    }
}
