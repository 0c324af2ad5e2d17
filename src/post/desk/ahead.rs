/*! What a seat writes before it is asked: lines that its order book keeps until their questions come (log 9.1).

The lines of a letter are said in the order in which they stand, each in answer to one question, in the turn in which
they were written. The record says them; here is which lines may be left, and what becomes of them.
*/

use super::act::OutOfDate;
use super::clerk::Clerk;
use super::pass::Pass;
use super::position::Position;
use super::sentence::not_said;
use crate::book::fault::PostError;
use crate::book::{Book, Event};
use crate::order::sentences::{Form, Sentence};
use crate::order::vocabulary;
use crate::order::words::LET_GO_ON;
use crate::order::wrapped::{self, Extent};
use crate::reply::vocabulary::words_of;
use engine::need::{Need, Question};
use engine::order::ahead::misread;
use engine::refusal::Refusal;
use engine::seat::Seat;
use record::fold::Phase;
use record::fold::ahead::{Line, LineAhead, LineState, StandingLine};
use record::table::Table;
use report::fate::Fate;

/// The most lines of one seat that may wait at a time.
const AHEAD_MAX: usize = 50;

/// Notes what has become of the lines that were said or have lapsed since.
pub(super) fn note_lines(table: &mut Table, book: &mut Book) -> Result<(), PostError> {
    for seat in (0..table.fold().plan().seats.len()).map(Seat::at) {
        for line in table.lines_done(seat) {
            let Some(came) = line.came.filter(|(raw, number)| book.is_kept(raw, *number)) else { continue };
            let fate = match line.state {
                LineState::Said { seq, said } => Fate::Done { said, seq: Some(seq) },
                LineState::Refused(refusal) => Fate::from(&*refusal),
                LineState::Lost => Fate::ignored("not looked at, because the sentence before it was not played"),
                LineState::Undone => Fate::ignored("the table was put back since it was written"),
                LineState::Waits | LineState::Stopped(_) => {
                    Fate::ignored(format!("it was kept for {}, which is over", line.turn))
                }
            };
            if !matches!(fate, Fate::Done { .. }) {
                table.forget_line(seat, came)?;
            }
            book.append(dropped(table.word(seat), came, line.ahead.line, fate))?;
        }
    }
    Ok(())
}

fn dropped(seat: String, (raw, line): Line, words: String, fate: Fate) -> Event {
    Event::Dropped { raw, line, seat, words, fate }
}

/// Why the plan of a seat has stopped, if it has.
pub(super) fn stopped(table: &Table, seat: Seat) -> Option<String> {
    table.lines(seat).iter().find_map(StandingLine::stopped).map(ToString::to_string)
}

impl Position<'_> {
    /// Whether lines of the letter wait.
    pub(super) fn waits_above(&self) -> bool {
        let is_its = |line: &StandingLine| line.came.is_some_and(|(raw, _)| raw == self.cover.raw);
        self.table.lines(self.seat()).iter().any(is_its)
    }

    pub(super) fn is_stopped(&self) -> bool {
        stopped(self.table, self.seat()).is_some()
    }

    /// Whether a line lets the stopped plan of its seat go on, and is no sentence that the open question knows.
    pub(super) fn wants_to_go_on(&self, sentence: &Sentence) -> bool {
        let is_so = sentence.words == LET_GO_ON && sentence.form == Form::Answer && self.docket.dry.is_none();
        is_so && self.is_stopped() && !self.begins_a_sentence(LET_GO_ON)
    }

    /// The first line of a plan that has stopped, if these words say the same.
    pub(super) fn says_its_next_line(&self, words: &str) -> Option<StandingLine> {
        let next = self.table.lines(self.seat()).into_iter().find(|line| line.stopped().is_some())?;
        let Need::Question(question) = self.table.fold().need() else { return None };
        let read = |words: &str| {
            self.ear.hear(words, |words| self.table.read(question.seat, words)).ok()?;
            self.ear.of(words, |heard| heard.sentence().to_owned())
        };
        read(words).filter(|said| read(&next.ahead.line).as_ref() == Some(said)).map(|_| next)
    }

    /// Why a sentence cannot be left for later; `None` if it can.
    fn not_kept(&self, sentence: &Sentence) -> Option<String> {
        let refused = self.begins_nothing(sentence).or_else(|| self.overtaken());
        let is_full = self.table.lines(self.seat()).len() >= AHEAD_MAX;
        refused.or_else(|| is_full.then(|| format!("{AHEAD_MAX} sentences of yours are waiting already")))
    }

    /// Why a line is not kept if it begins no sentence of the game: no question could take it for an answer.
    pub(super) fn begins_nothing(&self, sentence: &Sentence) -> Option<String> {
        let words = sentence.words.as_str();
        if words.contains('?') {
            return Some("this reads as a question; without the ? it is kept until you are asked".to_owned());
        }
        self.opens_nothing(words)
    }

    /// Why words begin no sentence of the game; `None` if they begin one.
    pub(super) fn opens_nothing(&self, words: &str) -> Option<String> {
        let known = vocabulary::of_title(self.table.fold().plan().title)?;
        let read = words_of(words);
        let counts = read.first().is_some_and(|first| first.text.starts_with(|c: char| c.is_ascii_digit()));
        if counts || known.opens_sentence(&read) || known.begins_with_opener(&read) || known.names_first(&read) {
            return None;
        }
        let found = words.split(' ').next().unwrap_or(words);
        let meant = read.first().and_then(|first| known.nearest(&first.text));
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Some(format!("not understood: `{found}` begins no sentence of this game{meant}"))
    }

    /// P4: how far a line for later goes. The questions of the seat's own turn read it as they would now; where none
    /// of them can, a line below that begins no sentence belongs to it.
    fn extent_ahead(&self, sentence: &Sentence) -> Extent {
        let (fold, words) = (self.table.fold(), sentence.words.as_str());
        let foreseen = |text: &str| -> Vec<Result<(), Refusal>> {
            let own_turn = fold.plan().title.orders.own_turn.iter();
            own_turn.filter_map(|id| fold.game().foresee(self.seat(), id, text, fold.faces())).collect()
        };
        if foreseen(words).is_empty() {
            let is_rest = |words: &str| self.opens_nothing(words).is_some() && !wrapped::is_for_the_post(words);
            return Extent::Lines(sentence.rest().iter().take_while(|rest| is_rest(&rest.words)).count());
        }
        let far = |read: &Result<(), Refusal>| match read {
            Ok(()) => (2, 0),
            Err(Refusal::NotAllowed { at, .. }) => (1, at.end),
            Err(refusal) => (0, refusal.at().map_or(0, |at| at.start)),
        };
        let read = |text: &str| {
            foreseen(text).into_iter().max_by_key(far).unwrap_or(Err(Refusal::NotAsked { waits_for: None }))
        };
        wrapped::extent(words, sentence.rest(), read)
    }

    /// Why a line can never be played in the seat's own turn.
    pub(super) fn misread(&self, line: &str) -> Option<Refusal> {
        let fold = self.table.fold();
        if let Err(refusal) = self.table.check_clauses(self.seat(), line) {
            return Some(refusal);
        }
        let title = fold.plan().title;
        misread((title, fold.game()), self.seat(), title.orders.own_turn, line, fold.faces())
    }

    /// The question for which a sentence is left, if it could answer many. A single word (`pass`, `done`) is for the
    /// question that its seat answered last, or ends what its letter has written ahead. If there is neither, its
    /// question cannot be known.
    fn only_for(&self, sentence: &Sentence) -> Result<Option<String>, String> {
        if let Some(question) = (self.table.fold().plan().title.orders.meant_for)(&sentence.words) {
            return Ok(Some(question.to_owned()));
        }
        // A signed sentence itself says which letter it answers.
        if sentence.words.contains(' ') || sentence.signed.is_some() || self.waits_above() {
            return Ok(None);
        }
        let minutes = self.minutes;
        let answered = minutes.last_said(&self.cover.place.seat).and_then(|last| minutes.entry(last));
        match answered.and_then(|entry| entry.question) {
            Some(question) => Ok(Some(question.to_owned())),
            None => Err(format!(
                "you are not asked now, and `{word}` could answer many questions. To answer one in advance, name it: \
                 when asked <question> say {word}",
                word = sentence.words
            )),
        }
    }

    /// A sentence as the book has it.
    fn line_ahead(&self, sentence: &Sentence, question: Option<String>) -> LineAhead {
        let seen = self.seen_seq().filter(|seq| self.minutes.entry(*seq).is_some());
        let is_guarded = question.is_none() && !self.table.needs_receipts();
        LineAhead {
            follows: self.waits_above(),
            since: is_guarded.then(|| seen.unwrap_or(self.table.fold().head().seq)),
            question,
            line: match &sentence.signed {
                Some(signed) => LineAhead::line_of_signed(&signed.sentence.words),
                None => sentence.words.clone(),
            },
        }
    }

    pub(super) fn waits_for(&self) -> String {
        self.table.fold().waits_for()
    }

    /// When a line for later is said, and why it is not said now.
    fn said_when(&self, ahead: &LineAhead) -> String {
        let turn = self.table.fold().game().turn();
        let meant = (self.table.fold().plan().title.orders.meant_for)(&ahead.line).is_some();
        let when = match &ahead.question {
            Some(question) if meant => format!("asked `{question}`"),
            Some(question) => format!("asked `{question}` again"),
            None if ahead.follows && !ahead.line.contains(' ') => "asked behind the lines above".to_owned(),
            None => "asked".to_owned(),
        };
        match self.table.fold().asked() {
            Some(Question { seat, id, .. }) if seat == self.seat() => {
                format!("you are asked `{id}` before; said when you are {when} in {turn}")
            }
            _ => format!("the game waits for {}; said when you are {when} in {turn}", self.waits_for()),
        }
    }

    /// I2: the writer of a sentence for later must have seen the seat's own last answer: otherwise he may have meant
    /// the question that it answered.
    pub(super) fn overtaken(&self) -> Option<String> {
        if self.docket.fates.has_answered {
            return None;
        }
        let Some(seen) = self.cover.seen.clone() else {
            return Some("you are not asked now, and the letter does not say what you had seen".to_owned());
        };
        let last = self.minutes.last_said(&self.cover.place.seat);
        let answered = last.filter(|last| *last > seen.seq);
        answered
            .map(|last| format!("you answered #{}, but the question of that letter was answered in #{last}", seen.seq))
    }
}

impl Clerk<'_> {
    /// Leaves a sentence for later: the book of its seat keeps it until its question comes.
    pub(super) fn keep(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if self.table.fold().phase() != Phase::Playing {
            return Ok(Fate::refused("the game is not being played"));
        }
        // What is fixed is always left: the rest of a receipt waits until its seat is asked again.
        let is_fixed =
            self.docket.fixing.pass == Pass::Second && self.table.line_of(&self.cover.raw, sentence.line).is_some();
        match self.position().extent_ahead(sentence) {
            Extent::Lines(lines) => self.take_in(sentence, lines)?,
            Extent::Doubt => return Ok(Fate::refused(wrapped::in_doubt(sentence.rest()))),
        }
        if !is_fixed && let Some(why) = self.position().not_kept(sentence) {
            return Ok(Fate::refused(why));
        }
        if !is_fixed && let Some(refusal) = self.position().misread(&sentence.words) {
            return Ok(Fate::from(&refusal));
        }
        if !is_fixed && !sentence.adds && !self.position().waits_above() {
            self.drop_lines("you have written something else ahead since; `then` before a line adds it")?;
        }
        let question = match self.position().only_for(sentence) {
            Ok(question) => question,
            Err(_) if is_fixed => None,
            Err(why) => return Ok(Fate::refused(why)),
        };
        let ahead = self.position().line_ahead(sentence, question);
        let why = self.position().said_when(&ahead);
        let (seat, line) = (self.seat(), (self.cover.raw, sentence.line));
        match self.table.note_line(seat, ahead, sentence.signed.as_deref(), line) {
            Ok(()) => Ok(Fate::Kept { why }),
            Err(error) => not_said(error),
        }
    }

    /// Lets the plan go on: its next line is said whatever its guards say, and the guards of the other lines begin
    /// anew.
    pub(super) fn go_on(&mut self) -> Result<Fate, PostError> {
        if let Some(OutOfDate { why, since }) = self.position().out_of_date() {
            self.docket.fates.stale_since = since.or(self.docket.fates.stale_since);
            return Ok(Fate::refused(why));
        }
        let seat = self.seat();
        if let Err(error) = self.table.note_going_on(seat) {
            return not_said(error);
        }
        // A record must commit to the lines before they are said.
        self.hear(seat)?;
        let said = self.table.say_lines(self.cover.at)?;
        note_lines(self.table, self.book)?;
        self.docket.fates.has_done |= said > 0;
        self.docket.fates.has_answered |= said > 0;
        Ok(Fate::Done { said: "your plan goes on".to_owned(), seq: None })
    }

    /// Takes back everything that the seat has left: lines and standing orders.
    pub(super) fn clear(&mut self, done: Fate) -> Result<Fate, PostError> {
        let seat = self.seat();
        let lines = self.table.lines(seat);
        for line in &lines {
            self.drop_line(line, "you have taken it back")?;
        }
        let orders = self.table.orders(seat);
        for (number, _) in &orders {
            self.table.note_cancel(seat, *number, None)?;
        }
        if lines.is_empty() && orders.is_empty() { Ok(Fate::refused("nothing of yours waits")) } else { Ok(done) }
    }

    /// Drops what the seat has written ahead in earlier letters.
    fn drop_lines(&mut self, why: &str) -> Result<(), PostError> {
        for line in self.table.lines(self.seat()) {
            if line.came.is_some_and(|(raw, _)| raw != self.cover.raw) {
                self.drop_line(&line, why)?;
            }
        }
        Ok(())
    }

    /// Drops a line that its seat has said itself.
    pub(super) fn drop_next_line(&mut self, next: &StandingLine) -> Result<(), PostError> {
        self.drop_line(next, "you have said it yourself")
    }

    /// Takes a line back, and tells its seat why with its next letter.
    fn drop_line(&mut self, line: &StandingLine, why: &str) -> Result<(), PostError> {
        let Some(came) = line.came else { return Ok(()) };
        self.table.forget_line(self.seat(), came)?;
        let seat = self.cover.place.seat.clone();
        Ok(self.book.append(dropped(seat, came, line.ahead.line.clone(), Fate::ignored(why)))?)
    }
}
