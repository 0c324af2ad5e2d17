/*! A sentence of the game in a player's letter: how far it goes, and whether it is tried out, said or kept. */

use super::enclosure::Enclosure;
use super::minutes::Minute;
use super::trial;
use super::turn::{DryRun, Stopped, Turn};
use crate::book::Event;
use crate::book::fault::PostError;
use crate::order::sentences::{self, Closing, Rest, Sentence, Wrapping};
use crate::order::suggestion;
use crate::order::unread::LineRefusal;
use crate::order::vocabulary;
use crate::order::words;
use crate::order::wrapped::{self, Extent};
use engine::need::Need;
use engine::order::line::goes_on;
use engine::refusal::Refusal;
use engine::seat::Seat;
use ground::stamp::Stamp;
use record::entry::body::Via;
use record::table::Table;
use record::table::opens::Opens;
use record::table::table_error::TableError;
use report::fate::Fate;

impl Turn<'_> {
    /// A sentence of the game: it is tried out, answers the question, or is kept for one.
    pub(super) fn sentence(&mut self, seat: Seat, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.too_low(sentence) {
            return Ok(refused);
        }
        // A line that begins with a semicolon or with `else` belongs to the line above, whatever is asked.
        let is_part = |rest: &Rest| rest.words.starts_with([';']) || rest.words.starts_with("else ");
        let parts = sentence.rest().iter().take_while(|rest| is_part(rest)).count();
        if parts > 0
            && let Some(refused) = self.settle_extent(sentence, Extent::Lines(parts))?
        {
            return Ok(refused);
        }
        if let Some(adoption) = self.table.fold().adoption() {
            let seats: Vec<&str> =
                adoption.waits_for.iter().map(|seat| self.table.fold().plan().word(Seat(*seat))).collect();
            let why = "another host goes on with the game, and nothing is played until all have consented";
            let how = "a player whose consent is missing writes `consent <any words>`";
            return Ok(Fate::refused(format!("{why}, now: {}; {how}", seats.join(", "))));
        }
        if let Some(DryRun { game, .. }) = &self.progress.dry {
            let faces = self.table.fold().faces();
            let extent =
                wrapped::extent(&sentence.words, sentence.rest(), |words| game.read(seat, words, faces).map(drop));
            if let Some(refused) = self.settle_extent(sentence, extent)? {
                return Ok(refused);
            }
            if let Err(refusal) = self.table.check_clauses(seat, &sentence.words) {
                return Ok(Fate::from(&refusal));
            }
            let dry = self.progress.dry.as_mut().expect("the letter is tried out");
            let fate = trial::line(dry, self.table, seat, &sentence.words);
            let steps = dry.steps.clone();
            self.progress.enclosures.retain(|enclosure| !matches!(enclosure, Enclosure::Trial { .. }));
            if !steps.is_empty() {
                self.progress.enclosures.push(Enclosure::Trial { steps });
            }
            return Ok(fate);
        }
        match self.table.fold().need() {
            // A line below a waiting line is said after it.
            Need::Question(question)
                if question.seat == seat && !self.waits_below() && !self.adds_to_stopped(sentence) =>
            {
                self.answer(seat, sentence)
            }
            Need::Over => Ok(Fate::refused("the game is over")),
            _ => self.keep(sentence),
        }
    }

    /// A line that begins with a clause, and cannot be read as the rest of the sentence above, is a clause of that
    /// sentence: it is read as if a semicolon stood before it. A line that is also a sentence, such as `stand`, stays
    /// one.
    pub(super) fn mark_clauses(&self, sentence: &mut Sentence) {
        let (fold, seat) = (self.table.fold(), self.seat());
        let (title, game, faces) = (fold.plan().title, fold.game(), fold.faces());
        // A text that cannot be judged now, or that reads as one sentence, stays as it is.
        let is_wrong = |text: &str| match fold.need() {
            Need::Question(question) if question.seat == seat && self.begins_a_sentence(text) => {
                matches!(self.table.read(seat, text), Err(Refusal::NotUnderstood { .. }))
            }
            _ => {
                let mut read =
                    title.orders.own_turn.iter().filter_map(|id| game.foresee(seat, id, text, faces)).peekable();
                read.peek().is_some() && read.all(|read| read.is_err())
            }
        };
        let Wrapping::PerhapsCut(rest) = &mut sentence.wrapping else { return };
        for rest in rest {
            if !words::begins_clause(&rest.words) || !goes_on(&rest.words, game.clauses()) {
                break;
            }
            if is_wrong(&sentences::joined(&sentence.words, &rest.words)) {
                rest.words = format!("; {}", rest.words);
            }
        }
    }

    /// Whether a line adds to a stopped plan, and answers nothing.
    fn adds_to_stopped(&self, sentence: &Sentence) -> bool {
        sentence.adds && !self.progress.has_answered && self.is_stopped()
    }

    fn waits_below(&self) -> bool {
        !self.table.needs_receipts() && self.book.kept_of(&self.raw).next().is_some()
    }

    /// A sentence that answers the open question.
    fn answer(&mut self, seat: Seat, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if !self.progress.has_answered
            && let Some(why) = self.out_of_date()
        {
            return Ok(Fate::refused(why));
        }
        if let Some(refused) = self.settle_extent_now(sentence)? {
            return Ok(refused);
        }
        let via = self.via_of(sentence);
        let opens = self.table.opens(&self.raw, sentence.line, sentence.last);
        let next = self.says_its_next_line(&sentence.words);
        match say(self.table, seat, &sentence.words, How { opens, via }, self.at) {
            Ok(done) => {
                // Each record made holds the game before it, and a letter may have many sentences: clear them now.
                self.minutes.of(self.table);
                self.drop_held()?;
                if let Some(next) = next {
                    self.drop_next_line(&next)?;
                }
                Ok(done)
            }
            Err(TableError::Refused(Refusal::NotUnderstood { .. })) if sentence.closing == Closing::EndsLetter => {
                self.progress.stopped = Some(Stopped::Ended(sentence.line));
                Ok(Fate::ignored("the end of what you say"))
            }
            Err(TableError::Refused(_)) if self.is_for_later(sentence) => self.keep(sentence),
            Err(TableError::Refused(refusal)) => Ok(self.with_suggestion(seat, &sentence.words, &refusal)),
            Err(error) => not_said(error),
        }
    }

    /// Whether a line answers another question than the open one, and stands below an answer or adds to what was
    /// written ahead: then another question has come in between. In the run of a receipt each line answers or stops
    /// it (log 7.17).
    fn is_for_later(&self, sentence: &Sentence) -> bool {
        let is_ahead = sentence.adds || self.progress.has_answered;
        is_ahead
            && !self.table.needs_receipts()
            && !self.begins_a_sentence(&sentence.words)
            && self.begins_nothing(sentence).is_none()
    }

    /// A refusal, with a proposal for what the line may have been meant to be, if there is one.
    fn with_suggestion(&mut self, seat: Seat, words: &str, refusal: &Refusal) -> Fate {
        let mut fate = Fate::from(refusal);
        let Refusal::NotUnderstood { .. } = refusal else { return fate };
        let reads = |words: &str| self.table.read(seat, words).is_ok();
        let opens = |words: &str| vocabulary::of_all(self.titles).opens_whole(words);
        // A read of no words expects every word with which a sentence may begin.
        let verbs = match self.table.read(seat, "") {
            Err(Refusal::NotUnderstood { expected, .. }) => expected,
            _ => Vec::new(),
        };
        let instead = suggestion::instead(words, &verbs, opens, reads, self.today());
        if let (Some(instead), Fate::Refused { why, .. }) = (instead, &mut fate) {
            why.push_str("; ");
            why.push_str(&instead.why);
            self.progress.proposed = instead.sentence;
        }
        fate
    }

    /// I2: why the letter must not answer the open question; `None` if it may.
    pub(super) fn out_of_date(&mut self) -> Option<String> {
        let Some(seen) = self.seen.clone() else {
            let why = "the letter does not say which letter of ours it answers, so what you had seen is not known; \
                       answer the letter you got";
            return Some(why.to_owned());
        };
        let head = self.table.fold().head();
        if seen.seq == head.seq && head.hash.to_string().starts_with(&seen.head) {
            return None;
        }
        let minutes = self.minutes.of(self.table);
        let is_ours = minutes.entry(seen.seq).is_some_and(|entry| entry.hash.to_string().starts_with(&seen.head));
        if !is_ours {
            let why = format!("the letter you answered (#{}) is not on the history of this game", seen.seq);
            return Some(why);
        }
        let raw = self.raw;
        let is_news = |entry: &&Minute| entry.goes_on && entry.raw != Some(raw);
        let since: Vec<String> = minutes.after(seen.seq).iter().filter(is_news).map(Minute::words).collect();
        if since.is_empty() {
            return None;
        }
        self.progress.stale_since = Some(seen.seq);
        let (count, first) = (since.len(), since.iter().take(5).cloned().collect::<Vec<String>>().join("; "));
        let more = if count > 5 { format!("; and {} more", count - 5) } else { String::new() };
        Some(format!("you answered #{}, but since then: {first}{more}. Look, and answer again", seen.seq))
    }

    /// P4: decides how far a sentence goes, by the game's reader in the present position.
    pub(super) fn settle_extent_now(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        let read = |words: &str| self.table.read(self.seat(), words).map(drop);
        let extent = wrapped::extent(&sentence.words, sentence.rest(), read);
        self.settle_extent(sentence, extent)
    }

    /// Takes in the lines that belong to a sentence. Returns why the sentence is not played, if its extent is in
    /// doubt or it is flawed.
    fn settle_extent(&mut self, sentence: &mut Sentence, extent: Extent) -> Result<Option<Fate>, PostError> {
        let Extent::Lines(lines) = extent else {
            return Ok(Some(Fate::refused(wrapped::in_doubt(sentence.rest()))));
        };
        if let Some(last) = lines.checked_sub(1).map(|last| sentence.rest()[last].line) {
            self.book.append(Event::Joined { raw: self.raw, line: sentence.line, through: last })?;
        }
        sentence.take_in(lines);
        let seat = self.seat();
        Ok(flawed(&sentence.words, |words| match &self.progress.dry {
            Some(DryRun { game, .. }) => game.read(seat, words, self.table.fold().faces()).is_ok(),
            None => self.table.read(seat, words).is_ok(),
        }))
    }
}

/// How a sentence is said.
pub(super) struct How {
    /// The lines of the receipt that fixed it.
    pub(super) opens: Option<Opens>,
    pub(super) via: Via,
}

/// Says a sentence in answer to its seat's question. Once its extent is known, it is read against the menu here and
/// nowhere else.
pub(super) fn say(table: &mut Table, seat: Seat, words: &str, how: How, at: Stamp) -> Result<Fate, TableError> {
    let heard = table.read(seat, words)?.of_lines(how.opens);
    let said = heard.sentence().to_owned();
    let heads = table.answer(heard, Some(how.via), at)?;
    Ok(Fate::Done { said, seq: Some(heads[0].seq) })
}

/// The fate of a sentence that could not be said.
pub(super) fn not_said(error: TableError) -> Result<Fate, PostError> {
    match error {
        TableError::Refused(refusal) => Ok(Fate::from(&refusal)),
        error if is_trouble(&error) => Err(error.into()),
        error => Ok(Fate::refused(error.to_string())),
    }
}

/// Whether the disk, the clock or the log is to blame, and not the letter: then the letter is taken up again once the
/// trouble is over. For any other error the letter is refused, so that no letter can stop the desk.
pub(super) fn is_trouble(error: &TableError) -> bool {
    match error {
        TableError::Log(_)
        | TableError::Reading(_)
        | TableError::Secrets(_)
        | TableError::Random(_)
        | TableError::OtherSecrets => true,
        TableError::Charter(_)
        | TableError::Refused(_)
        | TableError::Order(_)
        | TableError::Clock(_)
        | TableError::Book(_)
        | TableError::NoSuchQuestion { .. }
        | TableError::InOrder { .. }
        | TableError::NoSuchSeat { .. }
        | TableError::NotJoined { .. }
        | TableError::NotNow { .. }
        | TableError::TooFarBack { .. }
        | TableError::NoLinks
        | TableError::Unsound(_) => false,
    }
}

/// P4: why a sentence that is incomplete, or a question, is not played, however its question would read it.
pub(super) fn flawed(words: &str, read: impl Fn(&str) -> bool) -> Option<Fate> {
    let flaw = sentences::flaw(words)?;
    // A text that means nothing even without its question mark is refused for its words.
    let is_sentence = flaw != LineRefusal::Question || read(words);
    is_sentence.then(|| Fate::refused(flaw.to_string()))
}
