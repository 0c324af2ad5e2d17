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
use crate::reply::courtesies;
use crate::reply::quoting::{self, Ownership};
use crate::reply::signed_block::{self, Block};
use crate::reply::verdict::{self, Doubt, Verdict};
use crate::reply::vocabulary::Vocabulary;
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
    /// What these lines are by their form.
    verdicts: Vec<Verdict>,
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
    doubt: Option<Doubt>,
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
        let verdicts = verdicts(lines, &words, vocabulary);
        let has_block = words.iter().any(|words| words::block(words).is_some());
        let within = if has_block { Within::Outside } else { Within::Letter };
        let reading = Reading::default();
        Ok(Reader { lines, owners, words, verdicts, limits, vocabulary, reading, at: 0, within, endless: 0 })
    }

    /// Reads all lines.
    pub(super) fn read(mut self) -> Reading {
        while self.at < self.lines.len() {
            self.next();
        }
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
        let verdict = self.verdict(number, &original, &words);
        if let Some((reason, end)) = self.passed_over(&words, &original, &verdict, last) {
            self.reading.says_away |= reason == NotRead::Chatter && suggestion::is_away(&words);
            return self.unread(number, end, reason);
        }
        let doubt = match verdict {
            Verdict::Meant(doubt) => doubt,
            Verdict::Doubt(doubt) => Some(doubt),
            Verdict::Harmless => None,
        };
        let greeted = self.behind_greeting(&words);
        let (original, words) = match greeted {
            0 => (original, words),
            _ => {
                let spaced = courtesies::spaced(&original);
                let behind: Vec<&str> = spaced.split_whitespace().skip(greeted).collect();
                let behind = behind.join(" ");
                let words = words::of_line(&behind);
                (behind, words)
            }
        };
        let doubt = if greeted == 0 { doubt } else { self.verdict(0, &original, &words).doubt() };
        let start = if is_at_margin && words::without_item(&words) == words { Start::Margin } else { Start::Indented };
        let words = words::without_decoration(&words);
        self.sentence(Own { number, last, original: &original, words, start, doubt });
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

    /// What a line is by its form; `original` and `words` are those of a line that goes on in others.
    fn verdict(&self, number: usize, original: &str, words: &str) -> Verdict {
        let at = self.lines[..self.at].iter().rposition(|line| line.number == number);
        match at {
            Some(at) if self.at == at + 1 => self.verdicts[at].clone(),
            _ => verdict::judge(original, &friendly::plainly(words::without_decoration(words)), self.vocabulary),
        }
    }

    /// Why a line is passed over as no sentence, and the last line that is passed over with it: a greeting, small
    /// talk, a line of the form.
    fn passed_over(&mut self, words: &str, original: &str, verdict: &Verdict, last: usize) -> Option<(NotRead, usize)> {
        let is_first = self.reading.said.is_empty();
        let is_clear = verdict.doubt().is_none_or(|doubt| matches!(doubt, Doubt::Unknown | Doubt::Heading));
        if verdict::is_wordless(words) && is_clear && request::find(words).is_none() {
            return Some((NotRead::Wordless, last));
        }
        if is_first && is_clear && courtesies::is_greeting(words, |line| self.opens(line)) {
            return Some((NotRead::Greeting, last));
        }
        // A farewell comes after something that was said.
        let is_farewell = is_clear && courtesies::is_farewell(words, original);
        if is_farewell && is_first {
            return Some((NotRead::Greeting, last));
        }
        if is_farewell {
            self.below_farewell();
            self.at = self.lines.len();
            return Some((NotRead::Farewell, self.lines.last().map_or(last, |line| line.last)));
        }
        let bare = words::without_decoration(words);
        let is_head = bare.starts_with("---") && bare.contains(quoting::ORDER_FORM);
        if is_head || (bare.starts_with('<') && bare.ends_with('>')) {
            return Some((NotRead::Blank, last));
        }
        let is_harmless = *verdict == Verdict::Harmless;
        let is_asked = request::find(bare).is_some() && !(is_harmless && request::is_small(bare))
            || ["when asked ", "cancel "].iter().any(|word| bare.starts_with(word));
        let is_label = || {
            verdict::is_label(&format!("{words}:"), self.vocabulary)
                && words.contains(' ')
                && self.stands_above_sentence()
        };
        let is_chatter =
            is_harmless && !is_asked && (words.ends_with(':') || !suggestion::has_foreign_verb(bare)) || is_label();
        is_chatter.then_some((NotRead::Chatter, last))
    }

    /// Lines below a farewell are under the letter, and not read; but what may change the meaning of the lines above it
    /// counts wherever it stands.
    fn below_farewell(&mut self) {
        let is_own = |index: &usize| self.owners[*index] == Ownership::Own;
        let below: Vec<usize> = (self.at..self.lines.len()).filter(is_own).collect();
        let is_blank = |index: &usize| self.lines[*index].text.trim().is_empty();
        // The name, and perhaps more, right below it.
        let signature = below.iter().skip_while(|index| is_blank(index)).take_while(|index| !is_blank(index)).count();
        let written: Vec<usize> = below.into_iter().filter(|index| !is_blank(index)).collect();
        for (count, index) in written.into_iter().enumerate() {
            let Verdict::Doubt(doubt) = &self.verdicts[index] else { continue };
            let line = &self.lines[index];
            let is_under = count < signature || sign_off::is_under(&self.words[index], &line.text);
            if is_under && matches!(doubt, Doubt::Unknown | Doubt::Names | Doubt::Heading) {
                continue;
            }
            let (number, text, reason) = (line.number, line.text.clone(), LineRefusal::Doubt(doubt.clone()));
            self.refuse(number, text.trim(), reason);
        }
    }

    /// The next own line of the writer below the line just read, as it is read.
    fn next_below(&self) -> Option<&str> {
        let own = |index: &usize| self.owners[*index] == Ownership::Own && !self.words[*index].is_empty();
        (self.at..self.lines.len()).find(own).map(|index| self.words[index].as_str())
    }

    fn stands_above_sentence(&self) -> bool {
        self.next_below().is_some_and(|below| self.vocabulary.opens_whole(words::without_decoration(below)))
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
        let Own { number, last, original, words, start, doubt } = line;
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
        if let Some(doubt) = doubt.as_ref().filter(|_| words::unfinished(&words).is_some() && form == Form::Answer) {
            return self.refuse(number, original, LineRefusal::Doubt(doubt.clone()));
        }
        if let Some(end) = words::unfinished(&words).filter(|_| rest.is_empty()) {
            return self.refuse(number, original, LineRefusal::Unfinished { end: end.to_owned() });
        }
        if matches!(form, Form::Answer | Form::Order) && (words::is_set_apart(behind) || words::is_set_apart(original))
        {
            return self.refuse(number, original, LineRefusal::SetApart);
        }
        let closing = match words.as_str() {
            "end" | "quit" | "stop" => Closing::EndsLetter,
            _ => Closing::Ordinary,
        };
        let wrapping = if rest.is_empty() { Wrapping::Whole } else { Wrapping::PerhapsCut(rest) };
        let (below, signed, original) = (None, None, original.to_owned());
        let mut sentence = Sentence {
            line: number,
            last,
            original,
            words,
            form,
            start,
            adds,
            wrapping,
            closing,
            below,
            signed,
            doubt,
        };
        if matches!(&sentence.form, Form::Request(asked) if asked.takes_lines_below()) {
            self.take_lines_below(&mut sentence);
        }
        self.reading.said.push(Said::Sentence(sentence));
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
                let (adds, below, signed, doubt) = (false, None, Some(Box::new(signed)), None);
                let line = number;
                let sentence = Sentence {
                    line,
                    last,
                    original,
                    words,
                    form,
                    start,
                    adds,
                    wrapping,
                    closing,
                    below,
                    signed,
                    doubt,
                };
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
            let continuation =
                words::continuation(&read).filter(|words| self.within != Within::Block || *words != "end");
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
            // A blank line does not cut off a condition, or a line that continues the sentence and is no small talk.
            let is_blank = |index: &usize| is_own(*index) && self.lines[*index].text.trim().is_empty();
            let next = index + (index..self.lines.len()).take_while(is_blank).count();
            let words = self.words.get(next).filter(|_| is_own(next) && next > index)?;
            let plainly = &*friendly::plainly(words::without_decoration(words));
            let binds = words::is_far_condition(words) || self.goes_on(next, plainly, false);
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
        if !is_another && self.goes_on(index, words, is_ended) {
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
            && !verdict::is_wordless(words)
            && request::find(words).is_none()
            && matches!(self.verdicts[index], Verdict::Meant(None))
            && self.vocabulary.is_rest(words);
        is_below.then_some((index, Link::Below))
    }

    /// Whether a line continues the sentence above, and not small talk; `is_ended` if a full stop ends that sentence.
    fn goes_on(&self, index: usize, words: &str, is_ended: bool) -> bool {
        words::goes_on(words, is_ended) && !self.begins_anew(words) && self.verdicts[index] != Verdict::Harmless
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

/// What each line of the writer's own is by its form. A banner or prose that a mail program has wrapped is judged as a
/// whole.
fn verdicts(lines: &[Line], words: &[String], vocabulary: &Vocabulary) -> Vec<Verdict> {
    let plain: Vec<Cow<'_, str>> =
        words.iter().map(|words| friendly::plainly(words::without_decoration(words))).collect();
    let judge = |index: usize| {
        if plain[index].is_empty() || verdict::is_label(&words[index], vocabulary) {
            Verdict::Harmless
        } else {
            verdict::judge(&lines[index].text, &plain[index], vocabulary)
        }
    };
    let mut verdicts: Vec<Verdict> = (0..lines.len()).map(judge).collect();
    let mut start = 0;
    while start < lines.len() {
        let end = start + words[start..].iter().take_while(|words| !words.is_empty()).count();
        verdict::join(&lines[start..end], &plain[start..end], &mut verdicts[start..end], vocabulary);
        start = end.max(start) + 1;
    }
    let mut written = (0..lines.len()).rev().filter(|index| !plain[*index].is_empty());
    if let (Some(last), Some(above)) = (written.next(), written.next())
        && verdicts[last] == Verdict::Doubt(Doubt::Unknown)
        && verdict::is_name(&lines[last].text, verdicts[above] == Verdict::Harmless)
    {
        verdicts[last] = Verdict::Harmless;
    }
    verdicts
}
