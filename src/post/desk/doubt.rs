/*! A letter with a line in doubt is held: nothing of it is played until its writer has said what that line means for
the others (requirement P7).

He is asked once, with the line quoted. `play it` plays the letter as it stood, without the lines in doubt, and as of
what he had seen when he wrote it; `drop it` takes it back. The book notes that a letter is held, for which lines, and
which letter released it, so what is held is played once at most.
*/

use super::act::Stand;
use super::case::Case;
use super::clerk::Clerk;
use super::docket::{Before, Cover, Docket, Stopped};
use super::ear::Ear;
use super::pass::Pass;
use super::position::Position;
use super::{Desk, is_done};
use crate::book::fault::PostError;
use crate::book::{Event, Held, LetterIn, Reception};
use crate::names::address::Seen;
use crate::order::request::Request;
use crate::order::sentences::{self, Form, Link, Reading, Said, Sentence, Wrapping};
use crate::order::unread::LineRefusal;
use crate::order::vocabulary;
use crate::reply::verdict::Doubt;
use engine::order::line::alternatives;
use engine::refusal::Refusal;
use ground::hash::Hash;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::text::Text;
use report::fate::{Answered, Fate};
use std::collections::VecDeque;

/// A held letter that another one speaks of.
pub(super) struct HeldLetter {
    pub(super) letter_in: LetterIn,
    text: Text,
    reading: Reading,
    seen: Option<Seen>,
    before: VecDeque<Before>,
}

/// A held letter that was played, or taken back, by the letter at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Released {
    raw: Hash,
    outcome: Reception,
    pass: Pass,
}

/// Lines in doubt that the answer quotes at most.
const QUOTED_MAX: usize = 3;

impl Desk {
    /// The held letter of the writer, if this letter says what becomes of it.
    pub(super) fn held(&mut self, case: &Case<'_>, reading: &Reading) -> Result<Option<HeldLetter>, PostError> {
        let releases = |said: &Said| match said {
            Said::Sentence(Sentence { form: Form::Request(asked), .. }) => {
                matches!(asked.request, Request::Release { .. })
            }
            Said::Sentence(_) | Said::Refused(_) => false,
        };
        if !reading.said.iter().any(releases) {
            return Ok(None);
        }
        let raw = case.letter_in.raw;
        let Some(letter_in) = self.book.held_of(&case.place.seat, &raw).cloned() else { return Ok(None) };
        let letter = Letter::open(&self.vault.read(&letter_in.raw)?, &Limits::ORDINARY);
        let Ok(text) = letter.text.clone() else { return Ok(None) };
        let Ok(reading) = sentences::read(&text, vocabulary::of_all(self.titles), &Limits::ORDINARY) else {
            return Ok(None);
        };
        let seen = super::seen(&letter, &self.ours, case.place, &self.table);
        let before = self.before(&letter_in);
        Ok(Some(HeldLetter { letter_in, text, reading, seen, before }))
    }

    /// Notes that a held letter is done with, or waits for its round.
    pub(super) fn note_released(
        &mut self,
        released: Option<Released>,
        answer: Option<&String>,
        at: ground::stamp::Stamp,
    ) -> Result<(), PostError> {
        let Some(Released { raw, outcome, pass }) = released else { return Ok(()) };
        let Some(letter_in) = self.book.letter_in(&raw).cloned() else { return Ok(()) };
        match pass {
            Pass::Fixed => self.note_waits(&letter_in, at),
            Pass::Only | Pass::Busy | Pass::Second | Pass::Void => {
                let answer = answer.cloned().or(letter_in.answer);
                self.note_done(raw, outcome, answer, at)
            }
        }
    }
}

impl Position<'_> {
    /// The lines of a letter that are in doubt, each with the reason.
    fn doubts(&self, said: &[Said]) -> Vec<(usize, String, Doubt)> {
        let mut doubts = Vec::new();
        let exclamation = usize::from(self.exclaims(said));
        for (at, line) in said.iter().enumerate().skip(exclamation) {
            if self.docket.own.is_under(line.line()) {
                continue;
            }
            let (original, doubt) = match line {
                Said::Refused(refused) => match &refused.reason {
                    LineRefusal::Doubt(doubt) => (&refused.original, doubt.clone()),
                    LineRefusal::SetApart => (&refused.original, Doubt::SetApart),
                    _ => continue,
                },
                Said::Sentence(sentence) => match self.doubt(sentence, &said[..at]) {
                    Some(doubt) => (&sentence.original, doubt),
                    None => continue,
                },
            };
            doubts.push((line.line(), original.clone(), doubt));
        }
        doubts
    }

    /// Why a line is in doubt, if no question can read it, alone or as the rest of the sentence above.
    fn doubt(&self, sentence: &Sentence, above: &[Said]) -> Option<Doubt> {
        let doubt = sentence.doubt.clone()?;
        if sentence.signed.is_some() {
            return None;
        }
        match (&sentence.form, &doubt) {
            (Form::Answer, Doubt::Sign(_) | Doubt::Asks) => return Some(doubt),
            // Without its words nothing can be known of what a game does not have.
            (Form::Answer, _) if !doubt.is_said() && vocabulary::of_title(self.title()).is_none() => return None,
            (Form::Answer, _) => {}
            (Form::Request(asked), Doubt::Sign(_)) if !asked.definition.only_reads() => return Some(doubt),
            _ => return None,
        }
        let belongs = |said: &Said| {
            let Said::Sentence(above) = said else { return false };
            let rest = above.rest();
            let Some(at) = rest.iter().position(|rest| rest.line == sentence.line) else { return false };
            // A mail program may have broken the line there.
            if rest[at].link == Link::Wrapped && !doubt.is_said() {
                return true;
            }
            let mut whole = above.clone();
            whole.take_in(at + 1);
            self.is_read(&whole.words)
        };
        // A part of the line above, and a sentence with a condition of the game.
        let words = sentence.words.as_str();
        let is_part = words.starts_with(';') || words.starts_with("else ");
        let has_condition =
            alternatives(words, self.table.fold().game().clauses()).iter().any(|one| one.condition.is_some());
        if is_part || has_condition && self.misread(words).is_none() {
            return None;
        }
        // `NO!` is no answer to a question that may come.
        let is_cry = !sentence.words.contains(' ')
            && (sentence.original.starts_with(char::is_uppercase) || sentence.original.contains('!'));
        let is_read = if is_cry { self.read(&sentence.words).is_ok() } else { self.is_read(&sentence.words) };
        (!is_read && !above.iter().any(belongs)).then_some(doubt)
    }

    fn title(&self) -> &'static engine::title::Title {
        self.table.fold().plan().title
    }

    /// Whether the open question, or one of the seat's own turn, reads words whole.
    pub(super) fn is_read(&self, words: &str) -> bool {
        let is_whole = |read: Result<(), Refusal>| matches!(read, Ok(()) | Err(Refusal::NotAllowed { .. }));
        if sentences::flaw(words).is_some() {
            return false;
        }
        let fold = self.table.fold();
        let mut own_turn = fold.plan().title.orders.own_turn.iter();
        is_whole(self.read(words))
            || own_turn.any(|id| fold.game().foresee(self.seat(), id, words, fold.faces()).is_some_and(is_whole))
    }

    /// Whether a letter that is held would do anything: then its writer is asked.
    fn would_do(&self, said: &[Said], doubts: &[(usize, String, Doubt)]) -> bool {
        let is_clear = |said: &&Said| {
            !self.docket.own.is_under(said.line()) && !doubts.iter().any(|(line, ..)| *line == said.line())
        };
        let is_something = |said: &Said| match said {
            Said::Sentence(Sentence { form: Form::Request(asked), .. }) => {
                !asked.definition.only_reads() && !matches!(asked.request, Request::Release { .. })
            }
            Said::Sentence(Sentence { form: Form::Misread(_), .. }) | Said::Refused(_) => false,
            Said::Sentence(_) => true,
        };
        said.iter().filter(is_clear).any(is_something)
    }
}

impl Clerk<'_> {
    /// Holds a letter with a line in doubt, if there is something in it to be held. Returns whether it is held.
    pub(super) fn hold(&mut self, said: &[Said]) -> Result<bool, PostError> {
        // What is begun, by a crash or because it waits for its round, goes on as it began.
        let raw = self.cover.raw;
        let is_begun = |letter: &LetterIn| letter.waits || !letter.fates.is_empty();
        let is_fixed = self.table.fold().receipts().of_letter(&raw).is_some();
        let letter = self.book.letter_in(&raw);
        if self.docket.dry.is_some() || is_fixed || !self.before.is_empty() || letter.is_some_and(is_begun) {
            return Ok(false);
        }
        let is_noted = letter.is_some_and(|letter| letter.held.is_some());
        let position = self.position();
        let doubts = position.doubts(said);
        if doubts.is_empty() || !position.would_do(said, &doubts) || position.is_refused_first(said, &doubts) {
            return Ok(false);
        }
        if !is_noted {
            let lines = doubts.iter().map(|(line, ..)| *line).collect();
            self.book.append(Event::HeldIn { raw, lines })?;
        }
        for line in said {
            if let Some(fate) = self.asks_to_read(line)? {
                self.docket.fates.answers.push(Answered { line: line.original().to_owned(), fate });
                continue;
            }
            let doubt = doubts.iter().find(|(number, ..)| *number == line.line());
            let how = match doubt {
                Some((_, _, doubt)) => format!("in doubt: {doubt}"),
                None => "waits for your word".to_owned(),
            };
            self.docket.fates.answers.push(Answered { line: line.original().to_owned(), fate: Fate::Noted { how } });
        }
        self.docket.fates.held = doubts.into_iter().take(QUOTED_MAX).map(|(_, original, _)| original).collect();
        Ok(true)
    }

    /// Plays the held letter of the writer, or takes it back.
    pub(super) fn release(&mut self, plays: bool) -> Result<Fate, PostError> {
        let Some(held) = self.held.take() else {
            return Ok(Fate::refused("no letter of yours waits for your word; what was held is played once at most"));
        };
        let raw = held.letter_in.raw;
        // Before anything is noted: what is noted as released is not held any more.
        if plays && self.docket.fixing.pass != Pass::Only {
            self.held = Some(held);
            return Ok(Fate::refused("write `play it` in a letter of its own"));
        }
        if held.letter_in.held == Some(Held::Waits) {
            self.book.append(Event::Released { raw, by: self.cover.raw, plays })?;
        }
        if !plays {
            self.released = Some(Released { raw, outcome: Reception::Refused, pass: Pass::Only });
            return Ok(Fate::Done { said: "the letter is taken back; nothing of it is played".to_owned(), seq: None });
        }
        let docket = self.play_held(held)?;
        let is_played = docket.fates.has_done || docket.fates.answers.iter().any(is_done);
        let outcome = if is_played { Reception::Played } else { Reception::Refused };
        self.released = Some(Released { raw, outcome, pass: docket.fixing.pass });
        self.docket.take_over(docket);
        Ok(Fate::Done { said: "the letter that was held is played as it stood".to_owned(), seq: None })
    }

    /// Plays a held letter with its own cover: what its writer had seen, and who wrote it, is what it was.
    fn play_held(&mut self, held: HeldLetter) -> Result<Docket, PostError> {
        let HeldLetter { letter_in, text, reading, seen, before } = held;
        let cover = Cover {
            titles: self.cover.titles,
            place: self.cover.place,
            writer: self.cover.writer.clone(),
            names: self.cover.names.clone(),
            raw: letter_in.raw,
            message: letter_in.message(),
            authorship: letter_in.authorship.unwrap_or_else(|| self.cover.authorship.clone()),
            seen,
            at: self.cover.at,
        };
        let cover = std::mem::replace(&mut self.cover, cover);
        let docket = std::mem::take(&mut self.docket);
        let before = std::mem::replace(&mut self.before, before);
        self.ear = Ear::default();
        let played = self.play(&text, &reading);
        let docket = std::mem::replace(&mut self.docket, docket);
        self.cover = cover;
        self.before = before;
        self.ear = Ear::default();
        played.map(|()| docket)
    }
}

impl Position<'_> {
    /// Whether the first sentence that is clear would be refused at once: then that is told, and nothing is held.
    fn is_refused_first(&self, said: &[Said], doubts: &[(usize, String, Doubt)]) -> bool {
        let is_clear = |said: &&Said| {
            !self.docket.own.is_under(said.line()) && !doubts.iter().any(|(line, ..)| *line == said.line())
        };
        match said.iter().find(is_clear) {
            Some(Said::Sentence(sentence)) if sentence.form == Form::Answer => {
                let mut sentence = sentence.clone();
                if let Wrapping::PerhapsCut(rest) = &mut sentence.wrapping {
                    rest.retain(|rest| !doubts.iter().any(|(line, ..)| *line == rest.line));
                }
                match self.stand(&sentence) {
                    Stand::Barred(_) => true,
                    Stand::Asked => self.is_refused_at_once(&sentence),
                    Stand::Waits | Stand::Tried => false,
                }
            }
            _ => false,
        }
    }
}

impl Docket {
    /// Takes over what has become of a letter that was released.
    fn take_over(&mut self, other: Docket) {
        let mut fates = other.fates;
        let answers = std::mem::take(&mut fates.answers);
        self.fates.notes.extend(answers);
        self.fates.has_done |= fates.has_done;
        self.fates.has_answered |= fates.has_answered;
        self.fates.stale_since = fates.stale_since.or(self.fates.stale_since);
        self.fates.proposed = fates.proposed;
        self.fates.tally = fates.tally;
        if let Some(stopped @ Stopped::Refused(_)) = fates.stopped {
            self.fates.stopped.get_or_insert(stopped);
        }
        self.follows.enclosures.extend(other.follows.enclosures);
        self.follows.relayed.extend(other.follows.relayed);
        self.follows.disputes.extend(other.follows.disputes);
        self.follows.invitation = other.follows.invitation.or(self.follows.invitation.take());
        self.follows.address = other.follows.address.or(self.follows.address.take());
    }
}

/// A letter without the lines that were in doubt.
pub(super) fn without(reading: &Reading, doubts: &[usize]) -> Reading {
    let mut clear = reading.clone();
    clear.said.retain(|said| !doubts.contains(&said.line()));
    for said in &mut clear.said {
        let Said::Sentence(sentence) = said else { continue };
        if let Wrapping::PerhapsCut(rest) = &mut sentence.wrapping {
            rest.retain(|rest| !doubts.contains(&rest.line));
        }
    }
    clear
}
