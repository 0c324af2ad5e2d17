/*! One letter played: its sentences said, one after the other, to the questions its seat is asked.

Each line gets its fate: done, kept for later, refused with the reason, or not read. What was done stands; after a line
that is refused nothing more of the letter is done, for the rest may have been written in its hope. Every fate is in the
book before the next line is looked at, so that a letter cut in two by a crash goes on where it was.
*/

use super::enclosure::Enclosure;
use super::kept;
use super::lobby::Invitation;
use super::minutes::{Minute, Minutes};
use crate::engine::need::Need;
use crate::engine::refusal::Refusal;
use crate::engine::seat::Seat;
use crate::engine::title::Game;
use crate::mail::letter::mailbox::Mailbox;
use crate::mail::letter::text::{Source, Text};
use crate::post::book::fault::PostError;
use crate::post::book::relayed::Relayed;
use crate::post::book::{Book, Event, Fate};
use crate::post::names::address::{Place, Seen};
use crate::post::order::sentences::{self, Closing, LineRefusal, NotRead, Reading, Rest, Said, Sentence, Wrapping};
use crate::post::order::sign_off::{self, SignOff};
use crate::post::order::verb::{self, Verb};
use crate::post::order::wrapped::{self, Extent};
use crate::post::reply::courtesies;
use crate::post::reply::quoting::Ownership;
use crate::record::entry::body::Auth;
use crate::record::fold::Phase;
use crate::record::table::table_error::TableError;
use crate::record::table::{GivenCode, Table};
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use crate::report::occasion::{Answered, Fate as Told};
use std::collections::VecDeque;

/// A letter being played.
pub struct Turn<'a> {
    pub table: &'a mut Table,
    pub book: &'a mut Book,
    pub minutes: &'a mut Minutes,
    pub place: &'a Place,
    pub seat: Seat,
    /// What the writer may put under his letter.
    pub names: Vec<String>,
    pub raw: Hash,
    pub mail: Option<String>,
    /// A5: how well the letter's outside shows who wrote it; a code or a signature may show more for one sentence.
    pub auth: Auth,
    /// What speaks for that, or what is missing for more.
    pub auth_why: String,
    /// What the writer had seen (I2).
    pub seen: Option<Seen>,
    pub at: Stamp,
    /// What a crash had let this letter do before, and is not in the book.
    pub before: VecDeque<Before>,
    pub progress: Progress,
}

/// An entry of the log that this letter caused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    pub seq: u64,
    /// What the log says was said; orders are sealed there.
    pub said: Option<String>,
}

/// What the lines so far came to.
#[derive(Debug, Default)]
pub struct Progress {
    pub answers: Vec<Answered>,
    /// What is to go with the answer.
    pub enclosures: Vec<Enclosure>,
    /// What goes to other players.
    pub relayed: Vec<Relayed>,
    /// To whom the seat is offered.
    pub invitation: Option<Invitation>,
    /// Where the writer's letters are to go from now on.
    pub address: Option<Mailbox>,
    /// The letter answers an older letter than the question: its news begin there.
    pub stale_since: Option<u64>,
    pub(crate) code: Option<GivenCode>,
    pub(crate) dry: Option<DryRun>,
    /// The line that was refused: nothing below it is done.
    stopped: Option<Stopped>,
    pub(crate) has_answered: bool,
    /// The line that is perhaps the writer's name under his letter.
    signature: Option<usize>,
    /// The last lines, if they are probably what the writer puts under his letters.
    sign_off: Option<SignOff>,
    /// From which line on that was passed over.
    passed_over: Option<usize>,
    /// Whether the game went on by this letter.
    pub has_done: bool,
    refused: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Stopped {
    Refused(usize),
    Ended(usize),
}

/// A game on which a letter is tried out.
pub(crate) struct DryRun(Box<dyn Game>);

impl std::fmt::Debug for DryRun {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DryRun")
    }
}

impl Turn<'_> {
    /// Plays the letter to its end.
    ///
    /// # Errors
    /// The log or the book cannot be written; the letter is then taken up again later.
    pub fn play(&mut self, reading: &Reading) -> Result<(), PostError> {
        self.look_ahead(reading);
        if let Some(other) = reading.blocks.iter().find(|block| *block != self.place) {
            let why = format!("BEGIN names {other}, but the letter speaks for {}; nothing in it is played", self.place);
            return self.refuse_whole(&why);
        }
        let is_sentence = |said: &Said| !matches!(said, Said::Code(_));
        if self.progress.code.is_some() && !reading.said.iter().any(is_sentence) {
            let said = kept::say_kept(self.table, self.book, self.progress.code, self.at)?;
            self.progress.has_done |= said > 0;
        }
        self.progress.signature = self.signature(reading);
        self.progress.sign_off =
            sign_off::find(reading, &self.names).filter(|sign_off| Some(sign_off.first) != self.progress.signature);
        let mut read_to = 0;
        for said in &reading.said {
            read_to = self.line(said, read_to)?;
        }
        self.tell_unread(reading);
        self.record_refusal()
    }

    /// P7: the last line, if it is no more than a name and stands below something that was said.
    fn signature(&self, reading: &Reading) -> Option<usize> {
        let (last, above) = reading.said.split_last()?;
        let Said::Sentence(last) = last else { return None };
        let is_courteous = reading.unread.iter().any(|unread| unread.reason == NotRead::Greeting);
        let has_sentence = is_courteous || above.iter().any(|said| !matches!(said, Said::Code(_)));
        (has_sentence && courtesies::is_signature(&last.words, &self.names)).then_some(last.line)
    }

    /// A name is a sentence where the question that is asked can be answered by it.
    fn is_signature(&self, sentence: &Sentence) -> bool {
        let read = |words: &str| self.table.read(self.seat, words).map(drop);
        self.progress.signature == Some(sentence.line) && !wrapped::begins_a_sentence(&sentence.words, read)
    }

    /// P7: passes over what stands under the letter, and says so, when its first line has its turn; up to which line it
    /// goes. What the question that is asked could take for a sentence is one.
    fn pass_over_sign_off(&mut self, number: usize) -> Option<usize> {
        let sign_off = self.progress.sign_off.take_if(|sign_off| sign_off.first == number)?;
        let read = |words: &str| self.table.read(self.seat, words).map(drop);
        if sign_off.words.iter().any(|words| wrapped::begins_a_sentence(words, read)) {
            return None;
        }
        let fate = Told::Ignored { why: "what you write under your letters".to_owned() };
        self.progress.answers.push(Answered { line: range(sign_off.first, sign_off.last), fate });
        self.progress.passed_over = Some(number);
        Some(sign_off.last)
    }

    /// Says how the text was come by, where that is not plain.
    pub fn tell_text(&mut self, text: &Text) {
        let mut note = |how: String| {
            self.progress.answers.push(Answered { line: "(the whole letter)".to_owned(), fate: Told::Noted { how } });
        };
        if text.source == Source::Html {
            note("read from HTML, for it has no plain text; what you saw and what was read may differ".to_owned());
        }
        match text.parts_unread {
            0 => {}
            1 => note("its other part was not read".to_owned()),
            parts => note(format!("its {parts} other parts were not read")),
        }
    }

    /// Refuses the letter as a whole, for what it is and not for a line of it.
    ///
    /// # Errors
    /// The log or the book cannot be written.
    pub fn refuse_whole(&mut self, why: &str) -> Result<(), PostError> {
        let fate = Told::Refused { at: None, why: why.to_owned() };
        self.progress.answers.push(Answered { line: "(the whole letter)".to_owned(), fate });
        self.progress.refused = Some("the letter could not be read".to_owned());
        self.record_refusal()
    }

    /// The code is the last one of the letter, which stands for all before it; `check` anywhere makes a dry run.
    fn look_ahead(&mut self, reading: &Reading) {
        for said in &reading.said {
            match said {
                Said::Code(code) => {
                    let code = GivenCode { k: code.number, code: crate::record::value::hash::Hex(code.code) };
                    self.progress.code = Some(code);
                }
                Said::Sentence(sentence) if sentence.words == "check" => {
                    self.progress.dry = Some(DryRun(self.table.fold().game().copy()));
                }
                Said::Sentence(_) | Said::Refused(_) => {}
            }
        }
    }

    /// Lets a line have its turn, unless it was read with one above it, up to `read_to`; up to which line is read then.
    fn line(&mut self, said: &Said, read_to: usize) -> Result<usize, PostError> {
        let number = said.line();
        // A8: a code is not echoed.
        if matches!(said, Said::Code(_)) || number <= read_to {
            return Ok(read_to);
        }
        let mut said = said.clone();
        let letter = self.book.letter_in(&self.raw);
        let known = letter.and_then(|letter| letter.fates.get(&number)).cloned();
        let through = letter.and_then(|letter| letter.joined.get(&number)).copied();
        let mut rest: Vec<Rest> = Vec::new();
        let is_new = known.is_none() && self.before.is_empty();
        if let Some(last) = is_new.then(|| self.pass_over_sign_off(number)).flatten() {
            return Ok(last);
        }
        if let Said::Sentence(sentence) = &mut said {
            if is_new && self.is_signature(sentence) {
                self.progress.passed_over = Some(number);
                return Ok(sentence.last);
            }
            // A name under the letter is not the rest of a sentence.
            let sign_off = self.progress.sign_off.as_ref().map(|sign_off| sign_off.first);
            if let Wrapping::PerhapsCut(rest) = &mut sentence.wrapping {
                rest.retain(|rest| {
                    Some(rest.line) != self.progress.signature && sign_off.is_none_or(|sign_off| rest.line < sign_off)
                });
            }
            rest.extend_from_slice(sentence.rest());
            if let Some(through) = through {
                sentence.take_in(rest.iter().filter(|rest| rest.line <= through).count());
            }
        }
        let fate = match known {
            Some(fate) => fate,
            None => {
                let fate = self.fate(&mut said)?;
                self.book.append(Event::Line { raw: self.raw, line: number, fate: fate.clone() })?;
                fate
            }
        };
        let (shown, last) = match &said {
            Said::Sentence(sentence) => (shown(sentence), sentence.last),
            Said::Refused(refused) => (refused.original.clone(), refused.line),
            Said::Code(_) => unreachable!("codes have no fate"),
        };
        match &fate {
            Fate::Refused { why, .. } => {
                self.progress.stopped.get_or_insert(Stopped::Refused(number));
                // A request that is refused is no move, and the log has no need of it.
                if !self.is_request(&said) {
                    self.progress.refused.get_or_insert_with(|| public_reason(number, why));
                }
            }
            Fate::Done { seq: Some(_), .. } => {
                self.progress.has_done = true;
                self.progress.has_answered = true;
            }
            Fate::Done { .. } | Fate::Kept { .. } | Fate::Ignored { .. } => {}
        }
        let noted = fate.clone();
        let fate = match (&self.progress.dry, &fate) {
            (Some(_), Fate::Done { said, seq }) => tried(said, *seq),
            _ => told(&fate),
        };
        self.progress.answers.push(Answered { line: shown, fate });
        self.note_request(&said, &noted);
        for rest in rest.into_iter().filter(|rest| rest.line <= last) {
            let fate = Told::Noted { how: wrapped::TAKEN_IN.to_owned() };
            self.progress.answers.push(Answered { line: rest.original, fate });
        }
        Ok(last)
    }

    fn fate(&mut self, said: &mut Said) -> Result<Fate, PostError> {
        match self.progress.stopped {
            Some(Stopped::Refused(line)) => {
                // What only asks for something to read changes nothing, whatever stands above it.
                if let Some(fate) = self.asks_to_read(said)? {
                    return Ok(fate);
                }
                return Ok(Fate::Ignored { why: format!("not looked at, because line {line} was refused") });
            }
            Some(Stopped::Ended(line)) => return Ok(Fate::Ignored { why: format!("below the end in line {line}") }),
            None => {}
        }
        let sentence = match said {
            Said::Sentence(sentence) => sentence,
            Said::Refused(refused) => return Ok(refused_because(&refused.reason.to_string())),
            Said::Code(_) => unreachable!("codes have no fate"),
        };
        // A crash came after this line was done and before the book said so.
        if let Some(before) = self.before.pop_front() {
            let said = before.said.unwrap_or_else(|| self.words_of_the_post(sentence));
            return Ok(Fate::Done { said, seq: Some(before.seq) });
        }
        if let Some(refused) = self.not_signed(sentence) {
            return Ok(refused);
        }
        if let Some(fate) = self.request(sentence)? {
            return Ok(fate);
        }
        if let Some(refused) = self.too_low(sentence) {
            return Ok(refused);
        }
        if let Some(adoption) = self.table.fold().adoption() {
            let seats: Vec<&str> =
                adoption.waits_for.iter().map(|seat| self.table.fold().plan().word(Seat(*seat))).collect();
            let why = "another goes on with the game, and nothing is played before all have consented to it";
            let how = "whose consent is awaited writes `consent <any words>`";
            return Ok(refused_because(&format!("{why}, now: {}; {how}", seats.join(", "))));
        }
        if let Some(DryRun(game)) = &mut self.progress.dry {
            let faces = self.table.fold().faces();
            let extent =
                wrapped::extent(&sentence.words, sentence.rest(), |words| game.read(self.seat, words, faces).map(drop));
            if let Some(refused) = self.settle_extent(sentence, extent)? {
                return Ok(refused);
            }
            let DryRun(game) = self.progress.dry.as_mut().expect("the letter is tried out");
            return Ok(try_out(&mut **game, self.table, self.seat, &sentence.words));
        }
        match self.table.fold().need() {
            Need::Question(question) if question.seat == self.seat => self.answer(sentence),
            Need::Over => Ok(refused_because("the game is over")),
            _ => self.keep(sentence, None),
        }
    }

    /// A sentence to the question that the seat is asked now.
    fn answer(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if !self.progress.has_answered
            && let Some(why) = self.out_of_date()
        {
            return Ok(refused_because(&why));
        }
        if let Some(refused) = self.settle_extent_now(sentence)? {
            return Ok(refused);
        }
        let heard = match self.table.read(self.seat, &sentence.words) {
            Ok(heard) => heard,
            Err(Refusal::NotUnderstood { .. }) if sentence.closing == Closing::EndsLetter => {
                self.progress.stopped = Some(Stopped::Ended(sentence.line));
                return Ok(Fate::Ignored { why: "the end of what you say".to_owned() });
            }
            Err(refusal) => return Ok(refused(&refusal)),
        };
        let (code, via) = (self.progress.code, self.via_of(sentence));
        let order = sentence.signed.as_deref();
        let said = heard.sentence().to_owned();
        match self.table.answer(heard, code, order, Some(via), self.at) {
            Ok(heads) => {
                self.minutes.catch_up(self.table);
                // What waited for a code that did not come is answered in other words now.
                self.drop_kept("you have answered in other words")?;
                Ok(Fate::Done { said, seq: Some(heads[0].seq) })
            }
            Err(TableError::Refused(refusal)) => Ok(refused(&refusal)),
            Err(TableError::Held(held)) => {
                self.progress.stopped = Some(Stopped::Refused(sentence.line));
                // The code that comes at last speaks for the newest answer.
                self.drop_kept("you have answered anew")?;
                self.keep(sentence, Some(held.to_string()))
            }
            Err(error) if is_trouble(&error) => Err(error.into()),
            Err(error) => Ok(refused_because(&error.to_string())),
        }
    }

    /// I2: why the letter must not answer the question that is asked, if it must not.
    fn out_of_date(&mut self) -> Option<String> {
        let Some(seen) = self.seen.clone() else {
            let why = "the letter does not say which letter of ours it answers, so what you had seen is not known; \
                       answer the letter you got";
            return Some(why.to_owned());
        };
        let head = self.table.fold().head();
        if seen.seq == head.seq && head.hash.to_string().starts_with(&seen.head) {
            return None;
        }
        self.minutes.catch_up(self.table);
        let is_ours = self.minutes.entry(seen.seq).is_some_and(|entry| entry.hash.to_string().starts_with(&seen.head));
        if !is_ours {
            let why = format!("the letter you answered (#{}) is not on the history of this game", seen.seq);
            return Some(why);
        }
        let raw = self.raw;
        let is_news = |entry: &&Minute| entry.goes_on && entry.raw != Some(raw);
        let since: Vec<String> = self.minutes.after(seen.seq).iter().filter(is_news).map(Minute::words).collect();
        if since.is_empty() {
            return None;
        }
        self.progress.stale_since = Some(seen.seq);
        let (count, first) = (since.len(), since.iter().take(5).cloned().collect::<Vec<String>>().join("; "));
        let more = if count > 5 { format!("; and {} more", count - 5) } else { String::new() };
        Some(format!("you answered #{}, but since then: {first}{more}. Look, and answer again", seen.seq))
    }

    /// P4: decides by the game's reader as it stands now how far a sentence goes.
    pub(crate) fn settle_extent_now(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        let read = |words: &str| self.table.read(self.seat, words).map(drop);
        let extent = wrapped::extent(&sentence.words, sentence.rest(), read);
        self.settle_extent(sentence, extent)
    }

    /// Takes in what belongs to a sentence; why it is not played, if that cannot be said.
    fn settle_extent(&mut self, sentence: &mut Sentence, extent: Extent) -> Result<Option<Fate>, PostError> {
        let Extent::Lines(lines) = extent else { return Ok(Some(refused_because(wrapped::IN_DOUBT))) };
        if let Some(last) = lines.checked_sub(1).map(|last| sentence.rest()[last].line) {
            self.book.append(Event::Joined { raw: self.raw, line: sentence.line, through: last })?;
        }
        sentence.take_in(lines);
        Ok(cut_off(&sentence.words))
    }

    /// What was not read is named if it may have been meant: always if nothing else was found.
    fn tell_unread(&mut self, reading: &Reading) {
        let is_quoted = reading.unread.iter().any(|unread| matches!(unread.reason, NotRead::NotOwn(_)));
        let is_passed_over = |said: &Said| self.progress.passed_over.is_some_and(|first| said.line() >= first);
        let says_nothing = reading.said.iter().all(is_passed_over);
        if says_nothing && is_quoted {
            // P6: the reader thinks that he has answered.
            let why = "no sentence of your own was found in it; write them above the letter that you quote, one a \
                       line. Below it they are read only where every quoted line begins with >";
            let fate = Told::Refused { at: None, why: why.to_owned() };
            self.progress.answers.push(Answered { line: "(the whole letter)".to_owned(), fate });
        }
        for unread in &reading.unread {
            let is_plain = match unread.reason {
                NotRead::NotOwn(owner) => !matches!(owner, Ownership::BelowRule | Ownership::BelowFooter),
                NotRead::Comment | NotRead::Greeting | NotRead::Blank => true,
                NotRead::OutsideBlock | NotRead::Farewell => false,
            };
            if is_plain && !says_nothing {
                continue;
            }
            let line = range(unread.first, unread.last);
            self.progress.answers.push(Answered { line, fate: Told::Ignored { why: unread.reason.to_string() } });
        }
    }

    /// A letter of which nothing was done, and something refused, leaves its hash in the log.
    fn record_refusal(&mut self) -> Result<(), PostError> {
        let Some(reason) = self.progress.refused.clone() else { return Ok(()) };
        if self.progress.has_done || self.progress.dry.is_some() || self.table.fold().phase() != Phase::Playing {
            return Ok(());
        }
        self.minutes.catch_up(self.table);
        let is_recorded = self.minutes.caused_by(&self.raw).next().is_some();
        if !is_recorded {
            let via = self.via(None);
            self.table.refuse(Some(self.seat), &reason, self.progress.code, Some(via), self.at)?;
        }
        Ok(())
    }
}

/// Lines of a letter, as they are named where they are not shown.
fn range(first: usize, last: usize) -> String {
    match first == last {
        true => format!("(line {first})"),
        false => format!("(lines {first} to {last})"),
    }
}

/// Whether the letter is not to blame: the disk, the clock, the log. It is taken up again when that is mended; what a
/// letter is to blame for is refused, so that none can stop the desk.
pub(crate) fn is_trouble(error: &TableError) -> bool {
    match error {
        TableError::Log(_)
        | TableError::Reading(_)
        | TableError::Secrets(_)
        | TableError::Random(_)
        | TableError::TimeRunsBack { .. }
        | TableError::OtherSecrets
        | TableError::Restless => true,
        TableError::Charter(_)
        | TableError::Refused(_)
        | TableError::Held(_)
        | TableError::Order(_)
        | TableError::Clock(_)
        | TableError::NoSuchOrder { .. }
        | TableError::NoSuchQuestion { .. }
        | TableError::NotJoined { .. }
        | TableError::NotNow { .. }
        | TableError::TooFarBack { .. }
        | TableError::NoLinks
        | TableError::Unsound(_) => false,
    }
}

fn try_out(game: &mut dyn Game, table: &Table, seat: Seat, words: &str) -> Fate {
    match game.need() {
        Need::Question(question) if question.seat == seat => match game.say(seat, words, table.fold().faces()) {
            Ok(said) => Fate::Done { said: said.sentence, seq: None },
            Err(refusal) => refused(&refusal),
        },
        need => Fate::Kept { why: format!("cannot be tried out: it waits for {}", need.kind()) },
    }
}

/// The line as it is shown in the answer. Underlines count in what was read: the line as written is shown only if it
/// has the same letters in the same places, or is a request, in which nothing is underlined.
fn shown(sentence: &Sentence) -> String {
    match sentence.original.to_ascii_lowercase() == sentence.words || verb::find(&sentence.words).is_some() {
        true => sentence.original.clone(),
        false => sentence.words.clone(),
    }
}

pub(crate) fn refused(refusal: &Refusal) -> Fate {
    let at = refusal.at();
    Fate::Refused { from: at.as_ref().map(|at| at.start), to: at.map(|at| at.end), why: refusal.to_string() }
}

/// P4: why a sentence that ends like none is not played, whatever its question makes of it.
pub(crate) fn cut_off(words: &str) -> Option<Fate> {
    let end = sentences::unfinished(words)?.to_owned();
    Some(refused_because(&LineRefusal::Unfinished { end }.to_string()))
}

pub(crate) fn refused_because(why: &str) -> Fate {
    Fate::Refused { from: None, to: None, why: why.to_owned() }
}

/// What the log says of a refusal: which line, and of which kind. It must not quote the letter.
fn public_reason(line: usize, why: &str) -> String {
    let kind = match why.split(':').next() {
        Some("not understood") => "not understood",
        Some("not allowed") => "not allowed",
        _ => "not played",
    };
    format!("line {line}: {kind}")
}

/// What is told of a line of a rehearsal, so that nobody takes it for done.
fn tried(said: &str, seq: Option<u64>) -> Told {
    match verb::find(said).map(|definition| definition.verb) {
        Some(Verb::Check) => Told::Done { said: "nothing of this letter is played, only tried".to_owned(), seq },
        Some(verb) if verb.only_reads() => Told::Done { said: said.to_owned(), seq },
        _ => Told::Noted { how: format!("would be done: {said}") },
    }
}

/// A fate as the report tells it.
pub fn told(fate: &Fate) -> Told {
    match fate {
        Fate::Done { said, seq } => Told::Done { said: said.clone(), seq: *seq },
        Fate::Kept { why } => Told::Kept { why: why.clone() },
        Fate::Refused { from, to, why } => {
            Told::Refused { at: from.zip(*to).map(|(from, to)| from..to), why: why.clone() }
        }
        Fate::Ignored { why } => Told::Ignored { why: why.clone() },
    }
}
