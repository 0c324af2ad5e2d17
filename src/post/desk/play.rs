/*! One letter played, of a player or of a guest: its lines, one after the other, and what becomes of each.

Each line gets its fate: done, kept for later, refused with the reason, or not read. What was done stays done. After a
refused line of a player nothing more of his letter is done, because the rest may rely on that line. Every fate is in
the book before the next line is looked at, so that a letter interrupted by a crash goes on where it was.
*/

use super::ahead::note_lines;
use super::clerk::Clerk;
use super::docket::{Stopped, Writer, whole};
use super::doubt::without;
use super::ear::Ear;
use super::enclosure::Enclosure;
use super::hearing::Hearing;
use super::own::OwnLines;
use super::pass::FIXED_WITH;
use super::position::Position;
use super::proof::UNTIED;
use super::trial::DryRun;
use super::unread::range;
use crate::book::fault::PostError;
use crate::book::{Event, Held};
use crate::order::request::Request;
use crate::order::sentences::{Form, Reading, Rest, Said, Sentence, Wrapping};
use crate::order::suggestion;
use crate::order::unread::{LineRefusal, NotRead};
use crate::order::wrapped;
use crate::reply::verdict::Doubt;
use engine::seat::Seat;
use mail::letter::text::Text;
use record::entry::body::{Kind, Via};
use record::fold::Phase;
use report::fate::{Answered, Fate, RefusedAs};

impl Position<'_> {
    /// P7: whether a line stands under the letter. A line that the open question could read as a sentence never does.
    fn under_the_letter(&self, said: &Said) -> Option<Hearing> {
        let number = said.line();
        if let Some(sign_off) = self.docket.own.sign_off.as_ref().filter(|sign_off| sign_off.first == number)
            && !sign_off.words.iter().any(|words| self.begins_a_sentence(words))
        {
            return Some(Hearing::Chatter { last: sign_off.last });
        }
        let Said::Sentence(sentence) = said else { return None };
        let is_name = self.docket.own.signature == Some(number) && !self.begins_a_sentence(&sentence.words);
        is_name.then_some(Hearing::Chatter { last: sentence.last })
    }

    /// Whether a letter begins with a `Yes!` that the open question cannot read, above an answer to it.
    pub(super) fn exclaims(&self, said: &[Said]) -> bool {
        let [Said::Sentence(first), Said::Sentence(second), ..] = said else { return false };
        let is_yes = first.original.trim_end().ends_with('!') && suggestion::in_our_words(&first.words) == "yes";
        is_yes && self.is_player() && !self.begins_a_sentence(&first.words) && self.begins_a_sentence(&second.words)
    }

    /// Decides what a line is before its turn: takes in the lines below that were taken in before a crash, and finds
    /// out whether a line that begins like a request is a sentence of the game. Returns the lines below that may
    /// belong to it.
    pub(super) fn settle(&self, sentence: &mut Sentence) -> Vec<Rest> {
        if !self.is_player() {
            return Vec::new();
        }
        // A name under the letter is not the rest of a sentence.
        let sign_off = self.docket.own.sign_off.as_ref().map(|sign_off| sign_off.first);
        if let Wrapping::PerhapsCut(rest) = &mut sentence.wrapping {
            rest.retain(|rest| {
                Some(rest.line) != self.docket.own.signature && sign_off.is_none_or(|sign_off| rest.line < sign_off)
            });
        }
        self.mark_clauses(sentence);
        let rest = sentence.rest().to_vec();
        let joined = self.book.letter_in(&self.cover.raw).and_then(|letter| letter.joined.get(&sentence.line)).copied();
        if let Some(through) = joined {
            sentence.take_in(rest.iter().filter(|rest| rest.line <= through).count());
        }
        if !self.settle_form(sentence) && self.is_the_games(sentence) {
            sentence.form = Form::Answer;
        }
        rest
    }

    /// The line as the answer shows it. Underlines count in what was read, so the original is shown only if it has
    /// the same letters in the same places, or begins like a request, in which underlines do not count.
    fn shown(&self, sentence: &Sentence) -> String {
        let is_as_read = sentence.original.to_ascii_lowercase() == sentence.words;
        if is_as_read || sentence.begins_like_a_request() || !self.is_player() {
            sentence.original.clone()
        } else {
            sentence.words.clone()
        }
    }
}

impl Clerk<'_> {
    /// Plays the letter to its end.
    ///
    /// # Errors
    /// The log or the book cannot be written; the letter is then taken up again later.
    pub(super) fn play(&mut self, text: &Text, reading: &Reading) -> Result<(), PostError> {
        match self.cover.writer {
            Writer::Uninvited => return self.refuse_whole("there is no invitation for this address any more"),
            Writer::Guest(_) => return self.play_guest(reading),
            Writer::Player(_) => self.tell_text(text),
        }
        if self.cover.authorship.auth.is_none() && !reading.said.iter().any(is_signed) {
            return self.ask_back(reading);
        }
        self.look_ahead(reading);
        if let Some(other) = reading.blocks.iter().find(|block| *block != self.cover.place) {
            let why =
                format!("BEGIN names {other}, but the letter speaks for {}; nothing in it is played", self.cover.place);
            return self.refuse_whole(&why);
        }
        self.docket.own = OwnLines::of(reading, &self.cover.names);
        let letter = self.book.letter_in(&self.cover.raw);
        let (held, doubts) = letter.map_or((None, Vec::new()), |letter| (letter.held, letter.doubts.clone()));
        match held {
            Some(Held::Dropped(_)) => return Ok(()),
            Some(Held::Played(_)) => return self.play_lines(text, &without(reading, &doubts)),
            Some(Held::Waits) | None if self.hold(&reading.said)? => self.tell_unread(text, reading),
            Some(Held::Waits) | None => return self.play_lines(text, reading),
        }
        Ok(())
    }

    fn play_lines(&mut self, text: &Text, reading: &Reading) -> Result<(), PostError> {
        self.choose_pass(reading);
        let mut read_to = 0;
        for said in self.behind_exclamation(&reading.said) {
            read_to = self.line(said, read_to)?;
        }
        self.tell_unread(text, reading);
        self.fix_lines(reading)?;
        self.finish_receipt()?;
        self.record_heard()
    }

    /// P7: when a line under the letter has its turn, passes over it and returns the last line passed over.
    fn pass_over(&mut self, said: &Said) -> Option<usize> {
        let number = said.line();
        let heard = self.position().under_the_letter(said);
        let sign_off = self.docket.own.sign_off.take_if(|sign_off| sign_off.first == number);
        let Some(Hearing::Chatter { last }) = heard else { return None };
        if let Some(sign_off) = sign_off {
            let fate = Fate::ignored("what you write under your letters");
            self.docket.fates.answers.push(Answered { line: range(sign_off.first, sign_off.last), fate });
        }
        self.docket.own.passed_over = Some(number);
        Some(last)
    }

    /// The lines of a letter, without a `Yes!` at the top if the open question cannot read it and the line below
    /// answers that question. The answer names the line that was passed over.
    fn behind_exclamation<'s>(&mut self, said: &'s [Said]) -> &'s [Said] {
        let position = self.position();
        let Some(first) = said.first().filter(|_| position.exclaims(said)) else { return said };
        let fate = Fate::ignored(NotRead::Chatter.to_string());
        self.docket.fates.answers.push(Answered { line: first.original().to_owned(), fate });
        &said[1..]
    }

    /// A5: nothing ties the letter to its seat. Its lines go to the registered address, so that the player can send
    /// them back from there.
    fn ask_back(&mut self, reading: &Reading) -> Result<(), PostError> {
        self.docket.fates.answers.push(whole(Fate::refused(UNTIED)));
        let lines = reading.said.iter().filter_map(|said| match said {
            Said::Sentence(sentence) => Some(sentence.original.clone()),
            Said::Refused(_) => None,
        });
        self.docket.follows.enclosures.push(Enclosure::SendBack { lines: lines.collect() });
        Ok(())
    }

    /// Refuses the letter as a whole, for what it is and not for one of its lines.
    pub(super) fn refuse_whole(&mut self, why: &str) -> Result<(), PostError> {
        self.docket.fates.answers.push(whole(Fate::refused(why)));
        self.docket.fates.is_unrecorded = true;
        self.record_heard()
    }

    /// A `check` anywhere makes the letter a dry run.
    fn look_ahead(&mut self, reading: &Reading) {
        for said in &reading.said {
            match said {
                Said::Sentence(sentence) => {
                    if matches!(&sentence.form, Form::Request(asked) if asked.request == Request::Check) {
                        self.docket.dry = Some(DryRun {
                            supposed: None,
                            game: self.table.fold().game().copy(),
                            orders: Vec::new(),
                            steps: Vec::new(),
                            ear: Ear::default(),
                        });
                    }
                }
                Said::Refused(_) => {}
            }
        }
    }

    /// What a line's fate means for the letter as a whole.
    fn account(&mut self, number: usize, said: &Said, shown: &str, fate: &Fate) {
        self.docket.fates.tally.count(number, shown, fate);
        match fate {
            Fate::Refused { kind, .. } if self.cover.is_player() => {
                self.docket.fates.stopped.get_or_insert(Stopped::Refused(number));
                self.docket.fates.refused.get_or_insert_with(|| format!("line {number}: {kind}"));
                // A refused request is no move, and the log does not need it.
                self.docket.fates.is_unrecorded |= !self.docket.fates.has_done && !is_request(said);
            }
            Fate::Done { seq: Some(_), .. } => {
                self.docket.fates.has_done = true;
                self.docket.fates.has_answered = true;
                self.docket.fates.is_unrecorded = false;
            }
            Fate::Done { .. } => self.docket.fates.is_unrecorded |= !is_press(said),
            // A request that waits to be confirmed has done nothing yet; what a receipt has fixed is recorded.
            Fate::Kept { .. } => {
                let is_fixed = self.table.line_of(&self.cover.raw, number).is_some();
                self.docket.fates.is_unrecorded |= !is_request(said) && !is_fixed;
            }
            Fate::Refused { .. } | Fate::Ignored { .. } | Fate::Noted { .. } => {}
        }
        if let (Said::Sentence(sentence), Fate::Done { .. } | Fate::Kept { .. }) = (said, fate)
            && self.cover.is_player()
        {
            self.docket.fates.tied = self.docket.fates.tied.max(self.position().auth_of(sentence));
        }
    }

    /// Plays a line, unless it was read together with a line above it: `read_to` is the last line read so far.
    /// Returns the last line read now.
    pub(super) fn line(&mut self, said: &Said, read_to: usize) -> Result<usize, PostError> {
        let number = said.line();
        if number <= read_to {
            return Ok(read_to);
        }
        let known = self.book.letter_in(&self.cover.raw).and_then(|letter| letter.fates.get(&number)).cloned();
        if self.cover.is_player()
            && known.is_none()
            && self.before.is_empty()
            && let Some(last) = self.pass_over(said)
        {
            return Ok(last);
        }
        let mut said = said.clone();
        let rest = match &mut said {
            Said::Sentence(sentence) => self.position().settle(sentence),
            Said::Refused(_) => Vec::new(),
        };
        let fate = match &known {
            Some(fate) => fate.clone(),
            None => {
                self.book.settle()?;
                let fate = self.fate(&mut said)?;
                // What a line has done may change how the next one is read.
                if !matches!(fate, Fate::Refused { .. } | Fate::Ignored { .. }) {
                    self.ear.forget();
                }
                let event = Event::Line { raw: self.cover.raw, line: number, fate: fate.clone() };
                match fate {
                    // The line has its turn when the round is there.
                    _ if self.docket.fixing.waits_now(number) => {}
                    // After a crash the log tells the fate of this line, so the note needs no sync of its own.
                    Fate::Done { seq: Some(_), .. } => self.book.note(event),
                    _ => self.book.append(event)?,
                }
                fate
            }
        };
        let (shown, last) = match &said {
            Said::Sentence(sentence) => (self.position().shown(sentence), self.position().fixed_to(sentence)),
            Said::Refused(refused) => (refused.original.clone(), refused.line),
        };
        if let Said::Sentence(sentence) = &said {
            self.follow(sentence, &fate, known.is_some(), &shown)?;
        }
        self.account(number, &said, &shown, &fate);
        let fate = if self.docket.dry.is_some() { tried(&said, fate) } else { fate };
        self.docket.fates.answers.push(Answered { line: shown, fate });
        self.docket.fates.answers.append(&mut self.docket.fates.notes);
        for rest in rest.into_iter().filter(|rest| rest.line <= last) {
            let how = if self.docket.fixing.waits_now(number) { FIXED_WITH } else { wrapped::TAKEN_IN };
            let fate = Fate::Noted { how: how.to_owned() };
            self.docket.fates.answers.push(Answered { line: rest.original, fate });
        }
        Ok(last)
    }

    fn fate(&mut self, said: &mut Said) -> Result<Fate, PostError> {
        match self.docket.fates.stopped {
            Some(Stopped::Refused(line)) => {
                // A line that only asks for something to read changes nothing, whatever is above it.
                if let Some(fate) = self.asks_to_read(said)? {
                    return Ok(fate);
                }
                return Ok(Fate::ignored(format!("not looked at, because line {line} was refused")));
            }
            Some(Stopped::Ended(line)) => return Ok(Fate::ignored(format!("below the end in line {line}"))),
            None => {}
        }
        let sentence = match said {
            Said::Sentence(sentence) => sentence,
            Said::Refused(refused) => return Ok(Fate::refused(refused.reason.to_string())),
        };
        if let Some(doubt @ Doubt::Sign(_)) = &sentence.doubt
            && self.cover.is_player()
        {
            return Ok(Fate::refused(LineRefusal::Doubt(doubt.clone()).to_string()));
        }
        if self.cover.is_player() {
            note_lines(self.table, self.book)?;
            self.let_orders_answer(sentence)?;
        }
        if self.cover.is_player()
            && let Some(fate) = self.waits(sentence)
        {
            return Ok(fate);
        }
        // A crash came after this line was done and before the book noted it.
        if let Some(before) = self.before.pop_front() {
            let said = before.said.unwrap_or_else(|| match &sentence.form {
                Form::Request(asked) => asked.said.clone(),
                Form::Answer | Form::Misread(_) => sentence.words.clone(),
                Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_) => sentence.words.clone(),
            });
            return Ok(Fate::Done { said, seq: Some(before.seq) });
        }
        if self.cover.is_player()
            && let Err(refused) = self.check_signature(sentence)
        {
            return Ok(refused);
        }
        if let Some(fate) = self.request(sentence)? {
            return Ok(fate);
        }
        match self.cover.is_player() {
            true if self.position().wants_to_go_on(sentence) => self.go_on(),
            true => self.sentence(sentence),
            false => Ok(not_a_guests(sentence)),
        }
    }

    /// If something of a player's letter was read after its last record, the letter leaves a record that says so, and
    /// not what was read. So nobody sees whether a letter has changed the orders of its seat (log 9.3).
    fn record_heard(&mut self) -> Result<(), PostError> {
        let Writer::Player(seat) = self.cover.writer else { return Ok(()) };
        let has_noted = self.table.has_noted(seat);
        if self.docket.dry.is_some() || self.table.fold().phase() != Phase::Playing {
            return Ok(());
        }
        let is_recorded = self.minutes.of(self.table).caused_by(&self.cover.raw).any(|entry| entry.kind == Kind::Heard);
        if has_noted || (self.docket.fates.is_unrecorded && !is_recorded) {
            self.hear(seat)?;
        }
        Ok(())
    }

    /// Records that something of the letter was read.
    pub(super) fn hear(&mut self, seat: Seat) -> Result<(), PostError> {
        // What is due in a run comes before the record that ends it.
        if self.table.fold().receipts().run().is_some() {
            self.table.say_lines(self.cover.at)?;
        }
        // The writer of a letter that nothing ties to its seat must not be able to write into the log.
        if let Some(auth) = self.cover.authorship.auth.or(self.docket.fates.tied) {
            let via = Via { auth: Some(auth), ..self.position().via() };
            self.table.hear(seat, Some(via), self.cover.at)?;
        }
        Ok(())
    }
}

fn is_signed(said: &Said) -> bool {
    matches!(said, Said::Sentence(Sentence { signed: Some(_), .. }))
}

/// Whether a line is a request, right or wrong.
fn is_request(said: &Said) -> bool {
    matches!(said, Said::Sentence(Sentence { form: Form::Request(_) | Form::Misread(_), .. }))
}

/// Whether a line goes to other players: nobody may learn when the letter of a nameless sender came.
fn is_press(said: &Said) -> bool {
    let Said::Sentence(Sentence { form: Form::Request(asked), .. }) = said else { return false };
    matches!(asked.request, Request::Press(_))
}

/// The fate of a line in a dry run, in words that nobody takes for done.
fn tried(said: &Said, fate: Fate) -> Fate {
    let Fate::Done { said: words, seq } = fate else { return fate };
    match said {
        Said::Sentence(Sentence { form: Form::Request(asked), .. }) if asked.request == Request::Check => {
            Fate::Done { said: "nothing of this letter is played, only tried".to_owned(), seq }
        }
        Said::Sentence(Sentence { form: Form::Request(asked), .. }) if asked.definition.only_reads() => {
            Fate::Done { said: words, seq }
        }
        _ => Fate::Noted { how: format!("would be done: {words}") },
    }
}

/// The fate of a guest's line that is no request.
fn not_a_guests(sentence: &Sentence) -> Fate {
    let word = sentence.words.split(' ').next().unwrap_or("");
    let why = format!("not understood: `{word}`. You hold no seat in this game; `help` tells what you can say");
    Fate::Refused { at: None, kind: RefusedAs::NotUnderstood, rule: None, why }
}
