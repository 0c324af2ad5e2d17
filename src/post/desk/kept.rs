/*! What a seat has written ahead: sentences that are kept until the seat is asked what they answer, and said then.

The lines of a letter are said in the order in which they stand, each in answer to one question, in the turn in which
they were written. If the next line cannot answer a question, the question is put to the seat and the line waits. A
line that begins as an answer to the question but is wrong, or has become forbidden, ends the plan.
*/

use super::act::OutOfDate;
use super::clerk::Clerk;
use super::ear::Ear;
use super::guarded;
use super::hearing;
use super::pass::Pass;
use super::position::Position;
use super::sentence::{How, not_said, say};
use crate::book::fault::PostError;
use crate::book::kept::KeptSentence;
use crate::book::{Book, Event};
use crate::order::sentences::Sentence;
use crate::order::vocabulary;
use crate::order::wrapped::{self, Extent};
use crate::reply::vocabulary::words_of;
use engine::need::{Need, Question};
use engine::order::ahead::misread;
use engine::refusal::Refusal;
use engine::seat::Seat;
use ground::stamp::Stamp;
use record::commit::signed::SignedOrder;
use record::entry::body::{Auth, By, Via};
use record::file::secrets::SignatureInClear;
use record::fold::Phase;
use record::table::opens::Opens;
use record::table::{Heard, Table};
use report::fate::Fate;

/// The most sentences of one seat that may wait at a time.
const KEPT_MAX: usize = 50;

/// Says the kept sentences of the asked seat, one after the other. Returns how many were said.
pub(super) fn say_kept(table: &mut Table, book: &mut Book, at: Stamp) -> Result<usize, PostError> {
    let (mut count, ear) = (0, Ear::default());
    loop {
        let Need::Question(question) = table.fold().need() else { return Ok(count) };
        ear.forget();
        let word = table.word(question.seat);
        let turn = table.fold().game().turn();
        // What a receipt has fixed is said in its run, before all else, whatever has changed during the run.
        let run = table.fold().receipts().run().filter(|_| table.goes_on());
        let of_run = run.map(|run| run.receipt.via.as_ref().and_then(|via| via.raw));
        let kept = match of_run {
            Some(raw) => book.kept(&word).into_iter().find(|kept| raw == Some(kept.raw)),
            None => next(table, book, &ear, question, &turn),
        };
        let Some(kept) = kept else { return Ok(count) };
        let is_of_run = of_run.is_some();
        let read = |words: &str| ear.hear(words, |words| table.read(question.seat, words));
        let extent = wrapped::extent(&kept.words, &kept.rest, read);
        let fate = if is_of_another_table(table, book, &kept) {
            Fate::ignored("the table was put back since it was written")
        } else if !is_of_run && kept.turn != turn {
            Fate::ignored(format!("it was kept for {}, which is over", kept.turn))
        } else if let Some(other) = kept.question.as_ref().filter(|other| !is_of_run && **other != question.id) {
            Fate::ignored(format!(
                "it was kept for `{other}`, and you are asked `{}`; answer that one anew",
                question.id
            ))
        } else if let Extent::Lines(lines @ 1..) = extent {
            let through = kept.rest[lines - 1].line;
            book.append(Event::Joined { raw: kept.raw, line: kept.line, through })?;
            continue;
        } else if extent == Extent::Doubt {
            Fate::refused(wrapped::in_doubt(&kept.rest))
        } else if let Some(flaw) = hearing::flaw(&kept.words, |_| Ok(())) {
            Fate::refused(flaw.to_string())
        } else if let Some(why) = guarded::held_back(table, &ear, question, &kept).filter(|_| !is_of_run) {
            book.append(Event::Stopped { seat: word, why })?;
            continue;
        } else {
            let order = kept.signed.as_ref().and_then(|signed| signed.order(table.fold().plan().game, &word).ok());
            let signed = order.as_ref().map(SignedOrder::in_record);
            let via = Via { raw: Some(kept.raw), seen: kept.seen, auth: kept.auth, by: Some(By::Ahead), signed };
            let opens = opens(table, book, &kept);
            if read(&kept.words).is_ok() && !may_say(table, opens, at)? {
                return Ok(count);
            }
            match say(table, &ear, (question.seat, &kept.words), How { opens, via }, at) {
                Ok(done) => done,
                Err(error) => not_said(error)?,
            }
        };
        count += usize::from(matches!(fate, Fate::Done { .. }));
        settle_kept(table, book, question.seat, &kept, fate)?;
    }
}

/// Notes the fate of a kept sentence that had its turn, and of those below it.
fn settle_kept(
    table: &mut Table,
    book: &mut Book,
    seat: Seat,
    kept: &KeptSentence,
    fate: Fate,
) -> Result<(), PostError> {
    let is_refused = matches!(fate, Fate::Refused { .. });
    let is_lost = matches!(fate, Fate::Ignored { .. });
    if is_refused || is_lost {
        table.forget_clauses(seat, (kept.raw, kept.line)).map_err(PostError::from)?;
    }
    book.append(Event::Dropped { raw: kept.raw, line: kept.line, fate })?;
    // The rest may rely on this one; and the lines of a letter that its domain signed play without gaps.
    let is_gap = is_lost && kept.auth == Some(Auth::Dkim);
    if is_refused || is_gap {
        let rest = book.kept(&kept.seat).into_iter().filter(|rest| is_refused || rest.raw == kept.raw);
        for rest in rest.collect::<Vec<KeptSentence>>() {
            table.forget_clauses(seat, (rest.raw, rest.line)).map_err(PostError::from)?;
            let fate = Fate::ignored("not looked at, because the sentence before it was not played");
            book.append(Event::Dropped { raw: rest.raw, line: rest.line, fate })?;
        }
    }
    Ok(())
}

/// The sentence that has its turn: of each letter, the first that waits, if it can answer the question or has lapsed.
fn next(table: &Table, book: &Book, ear: &Ear<Heard>, question: Question, turn: &str) -> Option<KeptSentence> {
    let kept = book.kept(&table.word(question.seat));
    let own_turn = table.fold().plan().title.orders.own_turn;
    let read = |words: &str| ear.hear(words, |words| table.read(question.seat, words));
    let is_stopped = kept.iter().any(|kept| kept.stopped.is_some()) && own_turn.contains(&question.id);
    let has_turn = |index: usize| {
        let this: &KeptSentence = &kept[index];
        if kept[..index].iter().any(|above| above.raw == this.raw) {
            return false;
        }
        let is_for = match &this.question {
            Some(other) => *other == question.id,
            None => !this.follows || own_turn.is_empty() || own_turn.contains(&question.id),
        };
        let has_lapsed = this.turn != turn || is_of_another_table(table, book, this);
        let is_held = is_stopped && this.is_of_plan();
        has_lapsed || (is_for && !is_held && wrapped::begins_a_sentence(&this.words, read))
    };
    (0..kept.len()).find(|index| has_turn(*index)).map(|index| kept[index].clone())
}

/// The lines of the receipt that fixed a kept sentence.
fn opens(table: &Table, book: &Book, kept: &KeptSentence) -> Option<Opens> {
    let joined = book.letter_in(&kept.raw).and_then(|letter| letter.joined.get(&kept.line)).copied();
    table.opens(&kept.raw, kept.line, joined.unwrap_or(kept.line))
}

/// Whether a kept sentence can be said now. Where acts wait for rounds of a beacon, it is said in the run of a later
/// receipt than its own; if there is none, a round is asked for.
fn may_say(table: &mut Table, opens: Option<Opens>, at: Stamp) -> Result<bool, PostError> {
    let Some(Opens { receipt, .. }) = opens.filter(|_| table.needs_receipts()) else { return Ok(true) };
    let receipts = table.fold().receipts();
    if receipts.run().is_some_and(|run| run.knows(receipt)) {
        return Ok(true);
    }
    // The lines of the receipt in play come first.
    if receipts.waiting().next().is_none() && !table.goes_on() {
        table.ask_for_round(at)?;
    }
    Ok(false)
}

impl Position<'_> {
    /// A sentence as it is kept, with the seat that wrote it and the log that its writer had seen.
    fn keeping(&self, sentence: &Sentence) -> KeptSentence {
        let (from, fought) = self.written();
        KeptSentence {
            raw: self.cover.raw,
            line: sentence.line,
            seat: self.cover.place.seat.clone(),
            words: sentence.words.clone(),
            rest: sentence.rest().to_vec(),
            turn: String::new(),
            seen: self.seen_seq(),
            auth: self.auth_of(sentence),
            signed: sentence.signed.as_deref().map(SignatureInClear::of),
            question: None,
            follows: false,
            from: Some(from),
            fought,
            stopped: None,
        }
    }

    /// Why a sentence cannot be kept; `None` if it can.
    fn not_kept(&self, sentence: &Sentence) -> Option<String> {
        let refused = self.begins_nothing(sentence).or_else(|| self.overtaken());
        let is_full = self.book.kept(&self.cover.place.seat).len() >= KEPT_MAX;
        refused.or_else(|| is_full.then(|| format!("{KEPT_MAX} sentences of yours are waiting already")))
    }

    /// Why a line is not kept if it begins no sentence of the game: no question could take it for an answer.
    pub(super) fn begins_nothing(&self, sentence: &Sentence) -> Option<String> {
        let words = sentence.words.as_str();
        if words.contains('?') {
            return Some("this reads as a question; without the ? it is kept until you are asked".to_owned());
        }
        let is_rest = || {
            let is_its = |kept: &KeptSentence| {
                kept.raw == self.cover.raw && kept.rest.iter().any(|rest| rest.line == sentence.line)
            };
            self.book.kept(&self.cover.place.seat).iter().any(is_its)
        };
        if is_rest() { None } else { self.opens_nothing(words) }
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

    /// Why a line can never be played in the seat's own turn. A sentence that may go on in the lines below is not
    /// judged.
    fn misread(&self, sentence: &Sentence) -> Option<Refusal> {
        let is_rest =
            |kept: &KeptSentence| kept.raw == self.cover.raw && kept.rest.iter().any(|rest| rest.line == sentence.line);
        if !sentence.rest().is_empty() || self.book.kept(&self.cover.place.seat).iter().any(is_rest) {
            return None;
        }
        let (fold, line) = (self.table.fold(), sentence.words.as_str());
        if let Err(refusal) = self.table.check_clauses(self.seat(), line) {
            return Some(refusal);
        }
        let title = fold.plan().title;
        misread((title, fold.game()), self.seat(), title.orders.own_turn, line, fold.faces())
    }

    /// The question for which a sentence is kept, if it could answer many, and whether it instead follows the line
    /// above it. A single word (`pass`, `done`) is for the question that its seat answered last, or ends what its
    /// letter has written ahead. If there is neither, its question cannot be known.
    fn only_for(&self, sentence: &Sentence) -> Result<(Option<String>, bool), String> {
        if let Some(question) = (self.table.fold().plan().title.orders.meant_for)(&sentence.words) {
            return Ok((Some(question.to_owned()), false));
        }
        let is_rest =
            |kept: &KeptSentence| kept.raw == self.cover.raw && kept.rest.iter().any(|rest| rest.line == sentence.line);
        let is_whole = sentence.rest().is_empty() && !self.book.kept(&self.cover.place.seat).iter().any(is_rest);
        // A signed sentence itself says which letter it answers.
        if sentence.words.contains(' ') || !is_whole || sentence.signed.is_some() {
            return Ok((None, false));
        }
        if self.book.kept_of(&self.cover.raw).next().is_some() {
            return Ok((None, true));
        }
        let minutes = self.minutes;
        let answered = minutes.last_said(&self.cover.place.seat).and_then(|last| minutes.entry(last));
        match answered.and_then(|entry| entry.question) {
            Some(question) => Ok((Some(question.to_owned()), false)),
            None => Err(format!(
                "you are not asked now, and `{word}` could answer many questions. To answer one in advance, name it: \
                 when asked <question> say {word}",
                word = sentence.words
            )),
        }
    }

    pub(super) fn waits_for(&self) -> String {
        self.table.fold().waits_for()
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
    /// Keeps a sentence until its seat is asked.
    pub(super) fn keep(&mut self, sentence: &Sentence) -> Result<Fate, PostError> {
        if self.table.fold().phase() != Phase::Playing {
            return Ok(Fate::refused("the game is not being played"));
        }
        // What is fixed is always kept: if its seat is asked again in the run, it is said.
        let is_fixed =
            self.docket.fixing.pass == Pass::Second && self.table.line_of(&self.cover.raw, sentence.line).is_some();
        if !is_fixed && let Some(why) = self.position().not_kept(sentence) {
            return Ok(Fate::refused(why));
        }
        if !is_fixed && let Some(refusal) = self.position().misread(sentence) {
            return Ok(Fate::from(&refusal));
        }
        if !is_fixed && !sentence.adds && self.book.kept_of(&self.cover.raw).next().is_none() {
            self.drop_kept("you have written something else ahead since; `then` before a line adds it")?;
        }
        let turn = self.table.fold().game().turn();
        let (question, follows) = match self.position().only_for(sentence) {
            Ok(answers) => answers,
            Err(_) if is_fixed => (None, false),
            Err(why) => return Ok(Fate::refused(why)),
        };
        let meant = (self.table.fold().plan().title.orders.meant_for)(&sentence.words).is_some();
        let when = match &question {
            Some(question) if meant => format!("asked `{question}`"),
            Some(question) => format!("asked `{question}` again"),
            None if follows => "asked behind the lines above".to_owned(),
            None => "asked".to_owned(),
        };
        let why = match self.table.fold().asked() {
            Some(asked) if asked.seat == self.seat() => {
                format!("you are asked `{}` before; said when you are {when} in {turn}", asked.id)
            }
            _ => format!("the game waits for {}; said when you are {when} in {turn}", self.position().waits_for()),
        };
        let (raw, line) = (self.cover.raw, sentence.line);
        let kept = KeptSentence { turn, question, follows, ..self.position().keeping(sentence) };
        let kept = KeptSentence { from: kept.from.filter(|_| kept.is_of_plan()), ..kept };
        if let Err(error) = self.table.note_clauses(self.seat(), &kept.words, (raw, line)) {
            return not_said(error);
        }
        // After a crash the sentence may be in the book already.
        if !self.book.kept_of(&raw).any(|before| before.line == line) {
            self.book.append(Event::Kept(kept))?;
        }
        Ok(Fate::Kept { why })
    }

    /// Lets the plan go on: its next line is said whatever its guards say, and the guards of the other lines begin
    /// anew.
    pub(super) fn go_on(&mut self) -> Result<Fate, PostError> {
        if let Some(OutOfDate { why, since }) = self.position().out_of_date() {
            self.docket.fates.stale_since = since.or(self.docket.fates.stale_since);
            return Ok(Fate::refused(why));
        }
        let (seat, from) = (self.cover.place.seat.clone(), self.table.log().length());
        self.book.append(Event::WentOn { seat, from })?;
        let said = say_kept(self.table, self.book, self.cover.at)?;
        self.docket.fates.has_done |= said > 0;
        self.docket.fates.has_answered |= said > 0;
        Ok(Fate::Done { said: "your plan goes on".to_owned(), seq: None })
    }

    /// Takes back what the seat has written in advance.
    pub(super) fn clear(&mut self, done: Fate) -> Result<Fate, PostError> {
        if self.book.kept(&self.cover.place.seat).is_empty() {
            return Ok(Fate::refused("nothing of yours waits"));
        }
        for kept in self.book.kept(&self.cover.place.seat) {
            self.table.forget_clauses(self.seat(), (kept.raw, kept.line)).map_err(PostError::from)?;
            let fate = Fate::ignored("you have taken it back");
            self.book.append(Event::Dropped { raw: kept.raw, line: kept.line, fate })?;
        }
        Ok(done)
    }

    /// Drops what the seat has written ahead in earlier letters.
    pub(super) fn drop_kept(&mut self, why: &str) -> Result<(), PostError> {
        for kept in self.book.kept(&self.cover.place.seat) {
            if kept.raw != self.cover.raw {
                self.table.forget_clauses(self.seat(), (kept.raw, kept.line)).map_err(PostError::from)?;
                let fate = Fate::ignored(why);
                self.book.append(Event::Dropped { raw: kept.raw, line: kept.line, fate })?;
            }
        }
        Ok(())
    }

    /// The seat has answered, and a plan goes on. Where acts wait for rounds, what an earlier receipt has left is
    /// dropped (log 7.17).
    pub(super) fn drop_held(&mut self) -> Result<(), PostError> {
        if !self.table.needs_receipts() {
            return Ok(());
        }
        self.drop_kept("you have answered in other words")
    }
}

/// Whether the table was put back after a sentence was written: the sentence was meant for what is undone.
fn is_of_another_table(table: &Table, book: &Book, kept: &KeptSentence) -> bool {
    let written = book.letter_in(&kept.raw).and_then(|letter| Stamp::parse(&letter.at));
    table.fold().council().undone().zip(written).is_some_and(|(undone, written)| written < undone)
}
