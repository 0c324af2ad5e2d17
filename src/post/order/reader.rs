/*! Goes through the lines of a letter, one after the other: each is a sentence, a line that cannot be a
sentence, or a line that is passed over with a reason.
*/

use super::friendly;
use super::request;
use super::sentences::{Closing, Form, Link, Reading, RefusedLine, Rest, Said, Sentence, Start, Wrapping};
use super::sign_off;
use super::suggestion;
use super::unread::{LineRefusal, NotRead, Unread};
use super::words;
use crate::reply::chatter;
use crate::reply::courtesies;
use crate::reply::quoting::{self, Ownership};
use crate::reply::signed_block::{self, Block};
use crate::reply::vocabulary::{Vocabulary, words_of};
use mail::letter::flowed::{Breaks, Line, Standing};
use mail::letter::limits::{Limits, Measure, TooMuch};
use mail::letter::spelling;
use record::commit::signed::TITLE;
use std::borrow::Cow;

/// The most lines that a sentence may take up after its first one.
const REST_MAX: usize = 6;

pub(super) struct Reader<'a> {
    lines: &'a [Line],
    owners: Vec<Ownership>,
    /// The lines that are the writer's own, as they are read.
    words: Vec<String>,
    limits: &'a Limits,
    vocabulary: &'a Vocabulary,
    reading: Reading,
    at: usize,
    within: Within,
    /// No line before this index ends the text below a request.
    endless: usize,
}

/// Whether the reader is inside a block of `BEGIN` and `END` (P6).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// The letter has no such block: all of it is read.
    Letter,
    Block,
    Outside,
}

/// A line that is taken as a sentence.
struct Own<'l> {
    number: usize,
    last: usize,
    original: &'l str,
    words: &'l str,
    start: Start,
}

impl<'a> Reader<'a> {
    /// # Errors
    /// [`TooMuch`] if there are more lines of the writer's own than anybody writes (P1).
    pub(super) fn of_lines(
        lines: &'a [Line],
        vocabulary: &'a Vocabulary,
        limits: &'a Limits,
    ) -> Result<Reader<'a>, TooMuch> {
        let owners = quoting::judge(lines, vocabulary);
        let is_own = |(line, owner): &(&Line, &Ownership)| **owner == Ownership::Own && !line.text.trim().is_empty();
        let found = lines.iter().zip(&owners).filter(is_own).count();
        if found > limits.own_lines {
            return Err(TooMuch { measure: Measure::OwnLines, found, allowed: limits.own_lines });
        }
        let read = |one: (&Line, &Ownership)| if is_own(&one) { words::of_line(&one.0.text) } else { String::new() };
        let words: Vec<String> = lines.iter().zip(&owners).map(read).collect();
        let has_block = words.iter().any(|words| words::block(words).is_some());
        let within = if has_block { Within::Outside } else { Within::Letter };
        Ok(Reader { lines, owners, words, limits, vocabulary, reading: Reading::default(), at: 0, within, endless: 0 })
    }

    /// Reads all lines.
    pub(super) fn read(mut self) -> Reading {
        while self.at < self.lines.len() {
            self.next();
        }
        self.hold_what_is_taken_back();
        sign_off::name_sentences(&mut self.reading, self.lines, self.vocabulary);
        self.reading
    }
}

impl Reader<'_> {
    fn next(&mut self) {
        let line = &self.lines[self.at];
        let owner = self.owners[self.at];
        let blank = line.text.trim().is_empty();
        match owner {
            Ownership::Own if blank => self.at += 1,
            Ownership::Own => self.own(),
            Ownership::PerhapsQuoted => {
                self.refuse(line.number, &line.text, LineRefusal::PerhapsQuoted);
                self.at += 1;
            }
            _ => {
                self.unread(line.number, line.last, NotRead::NotOwn(owner));
                self.at += 1;
            }
        }
    }

    fn own(&mut self) {
        let line = &self.lines[self.at];
        let number = line.number;
        if signed_block::begins(&line.text) {
            return self.signed(number);
        }
        let is_at_margin = !line.text.starts_with(char::is_whitespace);
        let (original, words, last) = self.with_continuation();
        if words.is_empty() {
            return self.unread(number, last, NotRead::Comment);
        }
        if let Some(place) = words::block(&words) {
            self.reading.blocks.push(place);
            self.within = Within::Block;
            return;
        }
        if self.within == Within::Outside {
            return self.unread(number, last, NotRead::OutsideBlock);
        }
        if self.within == Within::Block && words == "end" {
            self.within = Within::Outside;
            return;
        }
        if let Some(reason) = self.unreadable(&original, &words) {
            let shown: String = original.chars().take(if reason.is_long() { 60 } else { usize::MAX }).collect();
            return self.refuse(number, &shown, reason);
        }
        if let Some((reason, end)) = self.passed_over(&original, &words, last) {
            let is_talk = matches!(reason, NotRead::Chatter | NotRead::Greeting);
            if let Some(word) = chatter::offers(&words).filter(|_| is_talk && self.is_heading(&words)) {
                return self.refuse(number, &original, LineRefusal::Offers { word });
            }
            return self.unread(number, end, reason);
        }
        let (original, words) = match self.behind_greeting(&words) {
            0 => (original, words),
            greeted => {
                let spaced = courtesies::spaced(&original);
                let behind: Vec<&str> = spaced.split_whitespace().skip(greeted).collect();
                let behind = behind.join(" ");
                let words = words::of_line(&behind);
                (behind, words)
            }
        };
        let start = if is_at_margin && words::without_item(&words) == words { Start::Margin } else { Start::Indented };
        let words = words::without_decoration(&words);
        self.sentence(Own { number, last, original: &original, words, start });
    }

    /// Why a line cannot be a sentence, by its characters.
    fn unreadable(&self, original: &str, words: &str) -> Option<LineRefusal> {
        if let Some(fault) = spelling::fault(original) {
            return Some(LineRefusal::Fault(fault));
        }
        // A person sees that a text is struck out, and so must we.
        if let Some(column) = spelling::struck(original).filter(|_| request::find(words).is_none()) {
            return Some(LineRefusal::Struck { column });
        }
        if let Some(mark) = quoting::mark(original) {
            return Some(LineRefusal::Marked(mark));
        }
        let (characters, allowed) = (original.chars().count(), self.limits.sentence_characters);
        (characters > allowed).then_some(LineRefusal::TooLong { characters, allowed })
    }

    /// Why a line is passed over as no sentence, and the last line that is passed over with it: a greeting, small
    /// talk, a line of the form.
    fn passed_over(&mut self, original: &str, words: &str, last: usize) -> Option<(NotRead, usize)> {
        let is_first = self.reading.said.is_empty();
        if chatter::is_wordless(words) && request::find(words).is_none() {
            return Some((NotRead::Wordless, last));
        }
        if is_first && courtesies::is_greeting(words, |line| self.opens(line)) {
            return Some((NotRead::Greeting, last));
        }
        // A farewell comes after something that was said.
        let is_farewell = courtesies::is_farewell(words, original);
        if is_farewell && is_first {
            return Some((NotRead::Greeting, last));
        }
        if is_farewell {
            self.at = self.lines.len();
            return Some((NotRead::Farewell, self.lines.last().map_or(last, |line| line.last)));
        }
        let bare = words::without_decoration(words);
        let is_head = bare.starts_with("---") && bare.contains(quoting::ORDER_FORM);
        if is_head || (bare.starts_with('<') && bare.ends_with('>')) {
            return Some((NotRead::Blank, last));
        }
        let is_asked = request::find(bare).is_some() && !request::is_everyday(bare, self.vocabulary)
            || ["when asked ", "cancel "].iter().any(|word| bare.starts_with(word));
        let said = friendly::plainly(words::without_decoration(words));
        if chatter::is_label(&format!("{words}:"), self.vocabulary)
            && words.contains(' ')
            && self.stands_above_sentence()
        {
            return Some((NotRead::Chatter, last));
        }
        let is_talk = |said: &str| {
            let is_no_request = request::find(bare).is_some() && chatter::holds_back(bare).is_none();
            is_no_request || chatter::is_chatter(said, self.vocabulary)
        };
        let is_chatter = !is_asked && (said.ends_with(':') || !suggestion::has_foreign_verb(&said)) && is_talk(&said);
        let is_chatter = is_chatter && !self.is_half(original, &said);
        self.reading.says_away |= is_chatter && suggestion::is_away(words);
        is_chatter.then_some((NotRead::Chatter, last))
    }

    /// The next own line of the writer below the line just read, as it is read.
    fn next_below(&self) -> Option<&str> {
        let own = |index: &usize| self.owners[*index] == Ownership::Own && !self.words[*index].is_empty();
        (self.at..self.lines.len()).find(own).map(|index| self.words[index].as_str())
    }

    fn stands_above_sentence(&self) -> bool {
        self.next_below().is_some_and(|below| self.vocabulary.opens_whole(words::without_decoration(below)))
    }

    /// Whether a line of small talk is the heading of the lines below: it ends in a colon, or a list follows.
    fn is_heading(&self, words: &str) -> bool {
        let is_item = |below: &str| words::without_item(below) != below;
        self.next_below().is_some_and(|below| words.ends_with(':') || is_item(below))
    }

    /// P4: whether small talk that does not end in a sign is right above a sentence, and may be its first half:
    /// `I will not`, and below it `end turn`.
    fn is_half(&self, original: &str, words: &str) -> bool {
        let is_ended = original.ends_with(['.', '!', '?', ':', ',', ';', ')', ']', '\u{2026}']);
        let below = self.words.get(self.at).filter(|below| !below.is_empty());
        let opens = below.is_some_and(|below| self.opens(words::without_decoration(below)));
        opens && !is_ended && !chatter::is_whole_talk(words, self.vocabulary)
    }

    /// How many words of greeting come before what the first line says.
    fn behind_greeting(&self, words: &str) -> usize {
        if !self.reading.said.is_empty() {
            return 0;
        }
        courtesies::greeted(words, |line| self.opens(line))
    }

    /// Whether words begin a sentence or a request, small words aside.
    fn opens(&self, words: &str) -> bool {
        self.vocabulary.opens(&friendly::plainly(words)) || courtesies::is_shortest(words)
    }

    /// Takes a line as a sentence, whatever it means.
    fn sentence(&mut self, line: Own<'_>) {
        let Own { number, last, original, words, start } = line;
        let within = self.lines[..self.at].iter().rev().take_while(|line| line.number >= number);
        if let Some(line) = within.filter(|line| line.standing != Standing::Text).last() {
            return self.refuse(number, original, LineRefusal::Standing(line.standing));
        }
        let lead = if request::find(words).is_none() { friendly::lead(words) } else { 0 };
        let asked = original.split_whitespace().skip(lead).collect::<Vec<&str>>().join(" ");
        let (asked, behind) = match lead {
            0 => (original, words),
            lead => (asked.as_str(), words.splitn(lead + 1, ' ').last().unwrap_or(words)),
        };
        let form = Form::of(behind, asked);
        let words = match form {
            Form::Answer => friendly::plainly(words).into_owned(),
            _ => behind.to_owned(),
        };
        let added = words.strip_prefix("then ").filter(|behind| form == Form::Answer && self.opens(behind));
        let (words, adds) = added.map_or((words.clone(), false), |behind| (behind.to_owned(), true));
        let rest = self.rest(original.chars().count(), &form);
        if let Some(end) = words::unfinished(&words).filter(|_| rest.is_empty()) {
            return self.refuse(number, original, LineRefusal::Unfinished { end: end.to_owned() });
        }
        if matches!(form, Form::Answer | Form::Order) && (words::is_set_apart(behind) || words::is_set_apart(original))
        {
            return self.refuse(number, original, LineRefusal::SetApart);
        }
        if let Some(word) = self.holds_back(&form, &words) {
            return self.refuse(number, original, LineRefusal::HoldsBack { word });
        }
        let closing = match words.as_str() {
            "end" | "quit" | "stop" => Closing::EndsLetter,
            _ => Closing::Ordinary,
        };
        let wrapping = if rest.is_empty() { Wrapping::Whole } else { Wrapping::PerhapsCut(rest) };
        let (below, signed, original) = (None, None, original.to_owned());
        let mut sentence =
            Sentence { line: number, last, original, words, form, start, adds, wrapping, closing, below, signed };
        if matches!(&sentence.form, Form::Request(asked) if asked.takes_lines_below()) {
            self.take_lines_below(&mut sentence);
        }
        self.reading.said.push(Said::Sentence(sentence));
    }

    /// The word by which a line that begins no sentence may change what the lines below mean.
    fn holds_back(&self, form: &Form, words: &str) -> Option<&'static str> {
        let is_answer = *form == Form::Answer && !self.vocabulary.opens(words);
        let held = chatter::holds_back(words).filter(|_| is_answer)?;
        (words.starts_with(held) || chatter::has_prose(words)).then_some(held)
    }

    /// Takes the lines below a request as its text, unchanged, up to the line that ends it. Without such a line the
    /// text counts as missing, because it cannot be known where it would have ended.
    fn take_lines_below(&mut self, sentence: &mut Sentence) {
        if self.at < self.endless {
            return;
        }
        let is_own = |index: &usize| self.owners[*index] == Ownership::Own;
        let ends = |index: &usize| request::ends_lines_below(&spelling::plain(&self.lines[*index].text));
        let mut below = (self.at..self.lines.len()).take_while(is_own);
        let Some(end) = below.find(ends) else {
            // No other request above the next line that is not the writer's own has an end either: search only once.
            self.endless = (self.at..self.lines.len()).find(|index| !is_own(index)).unwrap_or(self.lines.len());
            return;
        };
        let text: Vec<&str> = self.lines[self.at..end].iter().map(|line| line.text.as_str()).collect();
        sentence.below = Some(text.join("\n"));
        sentence.last = self.lines[end].last;
        sentence.wrapping = Wrapping::Whole;
        self.at = end + 1;
    }

    /// A5: reads a signed sentence, from its title to the end of the signature. It counts even outside a block of the
    /// letter, because nobody signs by mistake.
    fn signed(&mut self, number: usize) {
        let rest = self.lines[self.at..].iter().zip(&self.owners[self.at..]);
        let own = rest.take_while(|(_, owner)| **owner == Ownership::Own).map(|(line, _)| line);
        let Block { lines, last, order } = signed_block::read(own, self.limits.sentence_characters);
        self.at += lines;
        match order {
            Ok(signed) => {
                let original = signed.sentence.words.clone();
                let (start, wrapping, closing) = (Start::Margin, Wrapping::Whole, Closing::Ordinary);
                let words = words::of_line(&original);
                let form = Form::of(&words, &original);
                let (adds, below, signed) = (false, None, Some(Box::new(signed)));
                let line = number;
                let sentence =
                    Sentence { line, last, original, words, form, start, adds, wrapping, closing, below, signed };
                self.reading.said.push(Said::Sentence(sentence));
            }
            Err(broken) => self.refuse(number, TITLE, LineRefusal::NotSigned(broken)),
        }
    }

    /// The line here, joined with those in which its explicit `\` continues it (P4): as written, as read, and the
    /// last line number. Moves the reader behind them.
    fn with_continuation(&mut self) -> (String, String, usize) {
        let first = self.at;
        let (whole, end) = self.continued(first);
        self.at = end;
        let words = if end == first + 1 { std::mem::take(&mut self.words[first]) } else { words::of_line(&whole) };
        (whole, words, self.lines[end - 1].last)
    }

    /// The line at this index, joined with those in which its `\` continues it, and the index behind them. A program
    /// that breaks the line right before its `\` leaves the `\` on a line of its own.
    fn continued(&self, first: usize) -> (String, usize) {
        let mut whole = self.lines[first].text.trim().to_owned();
        let own = |index: usize| {
            let line = self.lines.get(index).filter(|_| self.owners[index] == Ownership::Own)?;
            Some(line.text.trim()).filter(|text| !text.is_empty())
        };
        let mut end = first + 1;
        loop {
            if own(end) == Some("\\") {
                whole.push_str(" \\");
                end += 1;
            }
            let Some((start, next)) = whole.strip_suffix('\\').zip(own(end)) else { return (whole, end) };
            whole.truncate(start.trim_end().len());
            whole.push(' ');
            whole.push_str(next);
            end += 1;
        }
    }

    /// P4: the lines below that may be the rest of the line just read, which has `characters` characters.
    fn rest(&self, characters: usize, form: &Form) -> Vec<Rest> {
        let mut room = self.limits.sentence_characters.saturating_sub(characters);
        let mut rest: Vec<Rest> = Vec::new();
        let mut at = self.at;
        while rest.len() < REST_MAX {
            let Some((at_rest, link)) = self.link(at, form, rest.last()) else { break };
            let (whole, end) = self.continued(at_rest);
            let read =
                if end == at_rest + 1 { Cow::from(&self.words[at_rest]) } else { Cow::from(words::of_line(&whole)) };
            // A line that takes a sentence back may have a bullet, or stand between dashes.
            let bare = words::without_decoration(&read);
            let continuation = words::continuation(&read).or_else(|| self.takes_back(bare).then_some(bare));
            let continuation = continuation.filter(|words| self.within != Within::Block || *words != "end");
            let Some(words) = continuation else { break };
            let original = words::without_comment(&whole).trim().to_owned();
            let Some(left) = room.checked_sub(original.chars().count() + 1) else { break };
            room = left;
            let words = if *form == Form::Answer { friendly::plainly(words).into_owned() } else { words.to_owned() };
            rest.push(Rest { line: self.lines[at_rest].number, original, words, link });
            at = end;
        }
        rest
    }

    /// The line that may be the rest of the one above this index, and why it may.
    fn link(&self, index: usize, form: &Form, above: Option<&Rest>) -> Option<(usize, Link)> {
        let is_own = |index: usize| self.owners.get(index) == Some(&Ownership::Own);
        let read = self.words.get(index).filter(|_| is_own(index))?;
        let words = &*friendly::plainly(words::without_decoration(read));
        if read.is_empty() {
            // A blank line does not cut off a condition, a line that takes the sentence back, or one that continues
            // it and is no small talk.
            let is_blank = |index: &usize| is_own(*index) && self.lines[*index].text.trim().is_empty();
            let next = index + (index..self.lines.len()).take_while(is_blank).count();
            let words = self.words.get(next).filter(|_| is_own(next) && next > index)?;
            let plainly = &*friendly::plainly(words::without_decoration(words));
            let goes_on = self.goes_on(plainly, false) && !self.is_only_talk(plainly);
            let binds = words::is_far_condition(words) || self.takes_back(plainly) || goes_on;
            let is_bound = above.is_none() && binds && !matches!(form, Form::Request(_));
            return is_bound.then_some((next, Link::GoesOn));
        }
        // A question mark on a line of its own.
        let is_query = read.bytes().all(|byte| byte == b'?');
        if is_query && above.is_none() && !matches!(form, Form::Request(_)) {
            return Some((index, Link::GoesOn));
        }
        // A clause on a line of its own.
        if read.starts_with(';') && matches!(form, Form::Answer | Form::Order | Form::Replace(_)) {
            return Some((index, Link::GoesOn));
        }
        // `until 3 left` may be an answer of its own, to a later question.
        if words::begins_clause(words) && !words.starts_with("until ") && *form == Form::Answer {
            return Some((index, Link::GoesOn));
        }
        // After the beginning of another sentence no line continues this one.
        let is_another = above.is_some_and(|above| self.begins_anew(&above.words));
        let opens = self.begins_anew(words);
        let text = self.lines[index - 1].text.trim_end();
        let is_ended = text.ends_with(['.', '!', ';']) || text.contains(" #");
        if !is_another && (self.goes_on(words, is_ended) || self.takes_back(words)) {
            return Some((index, Link::GoesOn));
        }
        if self.may_be_broken_before(index) {
            return Some((index, Link::Wrapped));
        }
        let is_below = !opens
            && !is_another
            && !is_ended
            && !text.ends_with(['?', ':'])
            && matches!(form, Form::Answer | Form::Order | Form::Replace(_))
            && !chatter::is_wordless(words)
            && request::find(words).is_none()
            && !chatter::is_chatter(words, self.vocabulary)
            && !self.vocabulary.opens_behind(words)
            && !self.vocabulary.is_misspelt(words)
            && chatter::holds_back(words).is_none();
        is_below.then_some((index, Link::Below))
    }

    /// Whether a line continues the sentence above, and not small talk; `is_ended` if a full stop ends that sentence.
    fn goes_on(&self, words: &str, is_ended: bool) -> bool {
        words::goes_on(words, is_ended) && !self.begins_anew(words) && !chatter::goes_on_talking(words, self.vocabulary)
    }

    /// A line that takes back what is above it counts wherever it is, even below a farewell: the sentences above it
    /// are refused.
    fn hold_what_is_taken_back(&mut self) {
        if !self.reading.said.iter().any(|said| matches!(said, Said::Sentence(_))) {
            return;
        }
        let text_of_requests: Vec<(usize, usize)> = self.reading.said.iter().filter_map(request_lines).collect();
        let characters = self.limits.sentence_characters;
        let takes_back = |index: &usize| {
            if self.lines[*index].text.chars().nth(characters).is_some() {
                return false;
            }
            let (line, read) = (&self.lines[*index], words::of_line(&self.lines[*index].text));
            let words = words::without_decoration(&read);
            let is_text = || text_of_requests.iter().any(|(first, last)| (*first..=*last).contains(&line.number));
            let is_within =
                self.within != Within::Block || self.reading.said.iter().any(|said| said.line() == line.number);
            let binds = || words::is_far_condition(words) && (!words.contains(',') || !words.starts_with("if "));
            let is_clause = words::begins_clause(words);
            let is_bound = !is_clause && !self.begins_anew(words) && (self.takes_back(words) || binds());
            !words.is_empty() && is_within && is_bound && !is_text()
        };
        let last = (0..self.lines.len()).rev().filter(|index| self.owners[*index] == Ownership::Own).find(takes_back);
        let Some(line) = last.map(|index| self.lines[index].number) else { return };
        for said in &mut self.reading.said {
            let Said::Sentence(sentence) = said else { continue };
            let is_act = matches!(&sentence.form, Form::Request(asked) if asked.request.is_act());
            let is_meant = sentence.line < line && (is_act || !matches!(sentence.form, Form::Request(_)));
            // A sentence that may continue in that line is in doubt already.
            if is_meant && !sentence.rest().iter().any(|rest| rest.line == line) {
                let (line_above, original) = (sentence.line, sentence.original.clone());
                let reason = LineRefusal::TakenBack { line };
                *said = Said::Refused(RefusedLine { line: line_above, original, reason });
            }
        }
    }

    /// Whether a line that begins like the rest of a sentence is about something else than the game.
    fn is_only_talk(&self, words: &str) -> bool {
        let is_about = self.vocabulary.is_about_the_game(words) || words.contains(|c: char| c.is_ascii_digit());
        !is_about && (chatter::is_chatter(words, self.vocabulary) || self.vocabulary.is_talk(&words_of(words)))
    }

    /// Whether a line takes back what stands above it.
    fn takes_back(&self, words: &str) -> bool {
        request::find(words).is_none()
            && (chatter::takes_back(words).is_some()
                || chatter::asks_about_it(words)
                || chatter::corrects(words, self.vocabulary))
    }

    /// Whether a line begins like a sentence. `from` does not count: it begins one in one game, but continues one in
    /// every game.
    fn begins_anew(&self, words: &str) -> bool {
        self.vocabulary.opens(words) && !words.starts_with("from ")
    }

    /// Whether a mail program could have broken a line into the one above this index and the one at it.
    fn may_be_broken_before(&self, index: usize) -> bool {
        let above = &self.lines[index - 1];
        let Some(below) = self.lines.get(index).filter(|_| self.owners[index] == Ownership::Own) else { return false };
        let Some(first_word) = below.text.split_whitespace().next() else { return false };
        let text = above.text.trim_end();
        // A full stop ends a sentence, and so does a comment.
        if above.breaks != Breaks::Uncertain || text.ends_with(['.', '!', ';']) || text.contains(" #") {
            return false;
        }
        // Programs break lines between columns 62 and 80; a longer line was not broken by any.
        above.width <= 80 && above.width + 1 + first_word.chars().count() > 62
    }

    fn refuse(&mut self, line: usize, original: &str, reason: LineRefusal) {
        let original = original.to_owned();
        self.reading.said.push(Said::Refused(RefusedLine { line, original, reason }));
    }

    fn unread(&mut self, first: usize, last: usize, reason: NotRead) {
        match self.reading.unread.last_mut() {
            Some(run) if run.reason == reason && run.last + 1 == first => run.last = last,
            _ => self.reading.unread.push(Unread { first, last, reason }),
        }
    }
}

/// The lines of a request.
fn request_lines(said: &Said) -> Option<(usize, usize)> {
    match said {
        Said::Sentence(sentence) if matches!(sentence.form, Form::Request(_)) => Some((sentence.line, sentence.last)),
        Said::Sentence(_) | Said::Refused(_) => None,
    }
}
