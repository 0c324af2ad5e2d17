/*! A sentence of the game in a player's letter: how far it goes, and whether it is tried out, said or kept. */

use super::act::{self, Act, Decided, OutOfDate, Stand};
use super::clerk::Clerk;
use super::docket::Stopped;
use super::ear::Ear;
use super::enclosure::Enclosure;
use super::hearing::{self, Line};
use super::minutes::Minute;
use super::position::Position;
use super::trial;
use crate::book::Event;
use crate::book::fault::PostError;
use crate::order::sentences::{self, Rest, Sentence, Wrapping};
use crate::order::suggestion;
use crate::order::vocabulary;
use crate::order::words;
use crate::order::wrapped::{self, Extent};
use engine::need::Need;
use engine::order::line::goes_on;
use engine::refusal::Refusal;
use engine::seat::Seat;
use ground::stamp::Stamp;
use record::entry::body::Via;
use record::table::opens::Opens;
use record::table::table_error::TableError;
use record::table::{Heard, Table};
use report::fate::Fate;

impl Position<'_> {
    /// A line that begins with a clause, and cannot be read as the rest of the sentence above, is a clause of that
    /// sentence: it is read as if a semicolon stood before it. A line that is also a sentence, such as `stand`, stays
    /// one.
    pub(super) fn mark_clauses(&self, sentence: &mut Sentence) {
        let (fold, seat) = (self.table.fold(), self.seat());
        let (title, game, faces) = (fold.plan().title, fold.game(), fold.faces());
        // A text that cannot be judged now, or that reads as one sentence, stays as it is.
        let is_wrong = |text: &str| match fold.need() {
            Need::Question(question) if question.seat == seat && self.begins_a_sentence(text) => {
                matches!(self.read(text), Err(Refusal::NotUnderstood { .. }))
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
        sentence.adds && !self.docket.fates.has_answered && self.is_stopped()
    }

    fn waits_below(&self) -> bool {
        !self.table.needs_receipts() && self.waits_above()
    }

    /// Whether a line answers another question than the open one, and stands below an answer or adds to what was
    /// written ahead: then another question has come in between. In the run of a receipt each line answers or stops
    /// it (log 7.12).
    fn is_for_later(&self, sentence: &Sentence) -> bool {
        let is_ahead = sentence.adds || self.docket.fates.has_answered;
        is_ahead
            && !self.table.needs_receipts()
            && !self.begins_a_sentence(&sentence.words)
            && self.begins_nothing(sentence).is_none()
    }

    /// A refusal, with a proposal for what the line may have been meant to be, if there is one, and the sentence that
    /// is proposed.
    fn with_suggestion(&self, words: &str, refusal: &Refusal) -> (Fate, Option<String>) {
        let mut fate = Fate::from(refusal);
        let Refusal::NotUnderstood { .. } = refusal else { return (fate, None) };
        let opens = |words: &str| vocabulary::of_all(self.cover.titles).opens_whole(words);
        // A read of no words expects every word with which a sentence may begin.
        let verbs = match self.read("") {
            Err(Refusal::NotUnderstood { expected, .. }) => expected,
            _ => Vec::new(),
        };
        let instead = suggestion::instead(words, &verbs, opens, |words| self.read(words).is_ok(), self.today());
        let (Some(instead), Fate::Refused { why, .. }) = (instead, &mut fate) else { return (fate, None) };
        why.push_str("; ");
        why.push_str(&instead.why);
        (fate, instead.sentence)
    }

    /// How the letter stands to the question that is open now.
    pub(super) fn stand(&self, sentence: &Sentence) -> Stand {
        let fold = self.table.fold();
        if let Some(adoption) = fold.adoption() {
            let seats: Vec<&str> = adoption.waits_for.iter().map(|seat| fold.plan().word(Seat(*seat))).collect();
            let why = "another host goes on with the game, and nothing is played until all have consented";
            let how = "a player whose consent is missing writes `consent <any words>`";
            return Stand::Barred(OutOfDate::now(format!("{why}, now: {}; {how}", seats.join(", "))));
        }
        if self.docket.dry.is_some() {
            return Stand::Tried;
        }
        match fold.need() {
            // A line below a waiting line is said after it.
            Need::Question(question)
                if question.seat == self.seat() && !self.waits_below() && !self.adds_to_stopped(sentence) =>
            {
                let barred = if self.docket.fates.has_answered { None } else { self.out_of_date() };
                barred.map_or(Stand::Asked, Stand::Barred)
            }
            Need::Over => Stand::Barred(OutOfDate::now("the game is over".to_owned())),
            _ => Stand::Waits,
        }
    }

    /// Reads words against the menu by which the letter is heard: that of the open question, or of the game on which
    /// it is tried out.
    fn read_or_try(&self, words: &str) -> Result<(), Refusal> {
        match &self.docket.dry {
            Some(dry) => {
                dry.ear.hear(words, |words| dry.game.read(self.seat(), words, self.table.fold().faces()).map(drop))
            }
            None => self.read(words),
        }
    }

    /// Hears a line.
    pub(super) fn hear(&self, sentence: &Sentence) -> Line {
        let waits = |sentence: &Sentence| self.docket.dry.is_none() && self.is_for_later(sentence);
        hearing::hear(sentence, |words| self.read_or_try(words), waits)
    }

    /// I2: why the letter must not answer the open question; `None` if it may.
    pub(super) fn out_of_date(&self) -> Option<OutOfDate> {
        let Some(seen) = self.cover.seen.clone() else {
            let why = "the letter does not say which letter of ours it answers, so what you had seen is not known; \
                       answer the letter you got";
            return Some(OutOfDate::now(why.to_owned()));
        };
        let head = self.table.fold().head();
        if seen.seq == head.seq && head.hash.to_string().starts_with(&seen.head) {
            return None;
        }
        let minutes = self.minutes;
        let is_ours = minutes.entry(seen.seq).is_some_and(|entry| entry.hash.to_string().starts_with(&seen.head));
        if !is_ours {
            let why = format!("the letter you answered (#{}) is not on the history of this game", seen.seq);
            return Some(OutOfDate::now(why));
        }
        let raw = self.cover.raw;
        let is_news = |entry: &&Minute| entry.goes_on && entry.raw != Some(raw);
        let since: Vec<String> = minutes.after(seen.seq).iter().filter(is_news).map(Minute::words).collect();
        if since.is_empty() {
            return None;
        }
        let (count, first) = (since.len(), since.iter().take(5).cloned().collect::<Vec<String>>().join("; "));
        let more = if count > 5 { format!("; and {} more", count - 5) } else { String::new() };
        let why = format!("you answered #{}, but since then: {first}{more}. Look, and answer again", seen.seq);
        Some(OutOfDate { why, since: Some(seen.seq) })
    }
}

impl Clerk<'_> {
    /// A sentence of the game: it is heard, what is to be done with it is decided, and then it is done.
    pub(super) fn sentence(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.position().too_low(sentence) {
            return Ok(refused);
        }
        // A line that begins with a semicolon or with `else` belongs to the line above, whatever is asked.
        let is_part = |rest: &Rest| rest.words.starts_with([';']) || rest.words.starts_with("else ");
        let parts = sentence.rest().iter().take_while(|rest| is_part(rest)).count();
        if parts > 0 {
            self.take_in(sentence, parts)?;
            let position = self.position();
            if let Some(flaw) = hearing::flaw(&sentence.words, |words| position.read_or_try(words)) {
                return Ok(Fate::refused(flaw.to_string()));
            }
        }
        let stand = self.position().stand(sentence);
        if let Stand::Barred(OutOfDate { since: Some(since), .. }) = &stand {
            self.docket.fates.stale_since = Some(*since);
        }
        let position = self.position();
        let Decided { takes, act } = act::of(sentence, stand, || position.hear(sentence));
        if let Some(takes) = takes {
            self.take_in(sentence, takes)?;
        }
        self.perform(act, sentence)
    }

    /// Does with a sentence what was decided.
    fn perform(&mut self, act: Act, sentence: &mut Sentence) -> Result<Fate, PostError> {
        match act {
            Act::Say => self.answer(sentence),
            Act::Keep => self.keep(sentence),
            Act::Try => Ok(self.try_out(sentence)),
            Act::End => {
                self.docket.fates.stopped = Some(Stopped::Ended(sentence.line));
                Ok(Fate::ignored("the end of what you say"))
            }
            Act::Propose(refusal) => {
                let (fate, proposed) = self.position().with_suggestion(&sentence.words, &refusal);
                self.docket.fates.proposed = proposed;
                Ok(fate)
            }
            Act::Refuse(fate) => Ok(fate),
        }
    }

    /// A sentence that answers the open question.
    fn answer(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        let via = self.position().via_of(sentence);
        let opens = self.table.opens(&self.cover.raw, sentence.line, sentence.last);
        let next = self.position().says_its_next_line(&sentence.words);
        let seat = self.seat();
        match say(self.table, &self.ear, (seat, &sentence.words), How { opens, via }, self.cover.at) {
            Ok(done) => {
                // Each record made holds the game before it, and a letter may have many sentences: clear them now.
                self.minutes.of(self.table);
                if let Some(next) = next {
                    self.drop_next_line(&next)?;
                }
                Ok(done)
            }
            // An order has answered first, and the position is another.
            Err(TableError::Refused(refusal)) => {
                let position = self.position();
                let heard = hearing::refused(sentence, refusal, |sentence| position.is_for_later(sentence));
                self.perform(act::on_its_own(heard), sentence)
            }
            Err(error) => not_said(error),
        }
    }

    /// A sentence of a letter that only asks what would happen.
    fn try_out(&mut self, sentence: &Sentence) -> Fate {
        let seat = self.seat();
        if let Err(refusal) = self.table.check_clauses(seat, &sentence.words) {
            return Fate::from(&refusal);
        }
        let dry = self.docket.dry.as_mut().expect("the letter is tried out");
        let fate = trial::line(dry, self.table, seat, &sentence.words);
        let steps = dry.steps.clone();
        self.docket.follows.enclosures.retain(|enclosure| !matches!(enclosure, Enclosure::Trial { .. }));
        if !steps.is_empty() {
            self.docket.follows.enclosures.push(Enclosure::Trial { steps });
        }
        fate
    }

    /// P4: decides how far a line about the order book goes, by the game's reader in the present position. Returns
    /// why it is not done, if that is in doubt or the line is flawed.
    pub(super) fn settle_extent_now(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        let position = self.position();
        let extent = wrapped::extent(&sentence.words, sentence.rest(), |words| position.read(words));
        let Extent::Lines(lines) = extent else {
            return Ok(Some(Fate::refused(wrapped::in_doubt(sentence.rest()))));
        };
        self.take_in(sentence, lines)?;
        let position = self.position();
        let flaw = hearing::flaw(&sentence.words, |words| position.read_or_try(words));
        Ok(flaw.map(|flaw| Fate::refused(flaw.to_string())))
    }

    /// Takes in the lines below that belong to a sentence, and no others.
    pub(super) fn take_in(&mut self, sentence: &mut Sentence, lines: usize) -> Result<(), PostError> {
        if let Some(last) = lines.checked_sub(1).map(|last| sentence.rest()[last].line) {
            self.book.append(Event::Joined { raw: self.cover.raw, line: sentence.line, through: last })?;
        }
        sentence.take_in(lines);
        Ok(())
    }
}

/// How a sentence is said.
pub(super) struct How {
    /// The lines of the receipt that fixed it.
    pub(super) opens: Option<Opens>,
    pub(super) via: Via,
}

/// Says a sentence in answer to its seat's question, as it was heard.
pub(super) fn say(
    table: &mut Table,
    ear: &Ear<Heard>,
    (seat, words): (Seat, &str),
    how: How,
    at: Stamp,
) -> Result<Fate, TableError> {
    let heard = ear.take(words, |words| table.read(seat, words))?.of_lines(how.opens);
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
