/*! Dice of a public beacon, at the desk of a game: what a letter says is fixed when it comes, and played when its round
is there (log 7.10).

A letter with sentences for the open question has two turns. In the first, its requests are done and its sentences are
fixed by a receipt, of which every seat is told. In the second, when the round has been fetched, the sentences are
played as in a game without a beacon. What a letter leaves for later stands in the book of its seat. Whatever is
interrupted goes on when the desk is next opened: the log and the book say how far it came.
*/

use super::Desk;
use super::beacon::Beacon;
use super::case::Case;
use super::clerk::Clerk;
use super::go_on::go_on;
use super::hearing::{self, Hearing};
use super::pass::Pass;
use super::position::Position;
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing, Thread};
use crate::book::{Authorship, Event, LetterIn, Reception};
use crate::names::address::Place;
use crate::order::sentences::{self, Form, Reading, Rest, Said, Sentence};
use crate::order::unread::LineRefusal;
use crate::order::wrapped;
use engine::need::Need;
use ground::hash::Hash;
use ground::span::Span;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use record::entry::body::Via;
use record::file::secrets::LineInClear;
use record::fold::Phase;
use record::fold::receipts::Receipt;
use record::fold::stops::LINE_LIMIT;
use record::table::receipts::LINES_MAX;
use report::fate::{Answered, Fate};
use report::receipt as page;

/// Host and players are told if a round could not be fetched for this long.
const LATE: Span = Span::hours(1);

impl Position<'_> {
    /// Which turn a letter has, by what the log says of its receipt.
    pub(super) fn pass(&self) -> Pass {
        let receipts = self.table.fold().receipts();
        let is_this = |receipt: &Receipt| receipt.via.as_ref().and_then(|via| via.raw) == Some(self.cover.raw);
        match (receipts.run(), receipts.waiting().any(is_this)) {
            (_, true) => Pass::Fixed,
            (Some(run), false) if is_this(&run.receipt) => Pass::Second,
            _ => Pass::Only,
        }
    }

    /// A line that is a sentence of the game, as far as that is known before its turn.
    fn of_the_game(&self, said: &Said) -> Option<Sentence> {
        let Said::Sentence(sentence) = said else { return None };
        let mut sentence = sentence.clone();
        self.settle(&mut sentence);
        (sentence.form == Form::Answer).then_some(sentence)
    }

    /// Whether the first sentence of a letter is refused whatever its dice would be: the answer need not wait.
    pub(super) fn is_refused_at_once(&self, sentence: &Sentence) -> bool {
        if self.too_low(sentence).is_some() {
            return true;
        }
        if sentence.signed.is_none() && self.out_of_date().is_some() {
            return true;
        }
        match self.hear(sentence).hearing {
            Hearing::Plays | Hearing::Ends | Hearing::Ahead => false,
            Hearing::Forbidden(_) | Hearing::NotUnderstood(_) | Hearing::CutOff(_) | Hearing::InDoubt => true,
            Hearing::Request | Hearing::Chatter { .. } => false,
        }
    }

    fn cannot_be_fixed(&self, sentence: &Sentence) -> Option<Fate> {
        if self.docket.fixing.fixed.len() + sentence.rest().len() >= LINES_MAX {
            return Some(Fate::refused(format!("a letter can fix {LINES_MAX} lines at most")));
        }
        if sentence.words.len() > LINE_LIMIT || sentence.rest().iter().any(|rest| rest.words.len() > LINE_LIMIT) {
            return Some(Fate::refused(format!("a line can have {LINE_LIMIT} bytes at most")));
        }
        let has_rest = possible_rest(sentence).next().is_some();
        let may_go_on = has_rest && matches!(sentences::flaw(&sentence.words), Some(LineRefusal::Unfinished { .. }));
        let flaw = hearing::flaw(&sentence.words, |_| Ok(())).filter(|_| !may_go_on);
        flaw.map(|flaw| Fate::refused(flaw.to_string()))
    }

    /// The round with which the letter is played, and its time.
    fn round_to_come(&self) -> Option<(u64, Stamp)> {
        let fold = self.table.fold();
        fold.next_round().or_else(|| {
            let round = fold.round_for(self.cover.at)?;
            Some((round, self.table.beacon()?.time_of(round)?))
        })
    }

    /// The last line that is fixed together with a waiting line: lines that may belong to it have no turn of their
    /// own.
    pub(super) fn fixed_to(&self, sentence: &Sentence) -> usize {
        if self.docket.fixing.waits_now(sentence.line) {
            possible_rest(sentence).last().map_or(sentence.last, |rest| rest.line)
        } else {
            sentence.last
        }
    }

    /// Gives a line the form that it had when the receipt was made: fixed lines are sentences of the game, and no
    /// others are. Returns whether the receipt decides that.
    pub(super) fn settle_form(&self, sentence: &mut Sentence) -> bool {
        let is_decided = self.docket.fixing.pass == Pass::Second;
        if is_decided && self.table.line_of(&self.cover.raw, sentence.line).is_some() {
            sentence.form = Form::Answer;
        }
        is_decided
    }
}

impl Clerk<'_> {
    /// Decides which turn a letter has, before its first line is looked at. Its sentences are to be
    /// fixed if its seat is asked. A letter that is refused at once needs no receipt.
    pub(super) fn choose_pass(&mut self, reading: &Reading) {
        self.docket.fixing.pass = self.position().pass();
        let fold = self.table.fold();
        let is_open = fold.phase() == Phase::Playing && fold.adoption().is_none() && self.docket.dry.is_none();
        let is_fixed = fold.receipts().of_letter(&self.cover.raw).is_some();
        let has_waited = self.book.letter_in(&self.cover.raw).is_some_and(|letter| letter.waits);
        if has_waited && !is_fixed && self.docket.fixing.pass == Pass::Only {
            self.docket.fixing.pass = Pass::Void;
        }
        if !self.table.needs_receipts() || !is_open || is_fixed || self.docket.fixing.pass != Pass::Only {
            return;
        }
        let Need::Question(question) = fold.need() else { return };
        if question.seat != self.seat() {
            return;
        }
        let position = self.position();
        let Some(first) = reading.said.iter().find_map(|said| position.of_the_game(said)) else { return };
        if position.is_refused_at_once(&first) {
            return;
        }
        let is_busy = self.table.fold().receipts().waiting().next().is_some();
        self.docket.fixing.pass = if is_busy { Pass::Busy } else { Pass::Fixed };
    }

    /// Fixes, by a receipt, the lines that have had their first turn.
    pub(super) fn fix_lines(&mut self, reading: &Reading) -> Result<(), PostError> {
        if self.docket.fixing.pass != Pass::Fixed {
            return Ok(());
        }
        let position = self.position();
        let sentences: Vec<Sentence> = reading.said.iter().filter_map(|said| position.of_the_game(said)).collect();
        let fixed = &self.docket.fixing.fixed;
        let Some(first) = sentences.iter().find(|sentence| fixed.contains_key(&sentence.line)) else {
            // No line of the letter came as far as being fixed.
            self.docket.fixing.pass = Pass::Only;
            return Ok(());
        };
        // The receipt is the last record of the letter's first turn.
        self.docket.fates.is_unrecorded = false;
        if self.table.fold().receipts().of_letter(&self.cover.raw).is_some() {
            return Ok(());
        }
        let fixed = std::mem::take(&mut self.docket.fixing.fixed);
        let is_cut = |number: usize| {
            let sentence = sentences.iter().find(|sentence| sentence.line == number);
            sentence.is_some_and(|sentence| sentence.rest().iter().any(|rest| fixed.contains_key(&rest.line)))
        };
        let line = |(number, text): (&usize, &String)| LineInClear {
            number: Some(*number),
            text: text.clone(),
            is_cut: is_cut(*number),
        };
        let lines = fixed.iter().map(line).collect();
        // A signature is shown when its line is played.
        let via = Via { signed: None, ..self.position().via_of(first) };
        self.table.fix_lines(self.seat(), lines, Some(via), self.cover.at)?;
        Ok(())
    }

    /// The fate of a sentence of the game that waits for its round, or cannot be fixed now. Every objection that does
    /// not come from the rules is made now: once the round is known, only the rules can refuse the sentence.
    pub(super) fn waits(&mut self, sentence: &Sentence) -> Option<Fate> {
        let is_answer = sentence.form == Form::Answer;
        match self.docket.fixing.pass {
            Pass::Fixed if is_answer => {
                if let Err(refused) = self.check_signature(sentence) {
                    return Some(refused);
                }
                let position = self.position();
                if let Some(refused) = position.too_low(sentence).or_else(|| position.cannot_be_fixed(sentence)) {
                    return Some(refused);
                }
                self.docket.fixing.waiting.push(sentence.line);
                self.fixes(sentence);
                for rest in possible_rest(sentence) {
                    self.docket.fixing.fixed.insert(rest.line, rest.words.clone());
                }
                let (round, at) = self.position().round_to_come()?;
                Some(Fate::Kept {
                    why: format!("fixed; played with round {round} of the beacon, at {at} or soon after"),
                })
            }
            Pass::Busy if is_answer => {
                let why = "an answer to this question is fixed already and waits for its round; write again when you \
                           are told what came of it";
                Some(Fate::refused(why))
            }
            Pass::Void if is_answer => Some(Fate::refused("what was fixed is void: the table was put back since then")),
            Pass::Only | Pass::Fixed | Pass::Busy | Pass::Second | Pass::Void => None,
        }
    }

    /// Adds a line to those that the receipt of the letter is to fix.
    pub(super) fn fixes(&mut self, sentence: &Sentence) {
        self.docket.fixing.fixed.insert(sentence.line, sentence.words.clone());
    }

    /// Puts on record that the rest of a receipt is not played, if its seat is still asked. Lines that are left for
    /// a later question are in the book of their seat.
    pub(super) fn finish_receipt(&mut self) -> Result<(), PostError> {
        if self.docket.fixing.pass != Pass::Second {
            return Ok(());
        }
        if !self.position().waits_above() {
            let reason = self.docket.fates.refused.clone().unwrap_or_else(|| "not a sentence of the game".to_owned());
            self.table.stop_receipt(&reason, self.cover.at)?;
            self.docket.fates.is_unrecorded = false;
        }
        Ok(())
    }
}

/// The lines below that may belong to a sentence.
fn possible_rest(sentence: &Sentence) -> impl Iterator<Item = &Rest> {
    sentence.rest().iter().take_while(|rest| !wrapped::is_for_the_post(&rest.words))
}

impl Desk {
    /// Lets rounds be fetched from these relays.
    pub fn fetch_from(&mut self, beacon: Beacon) {
        self.beacon = beacon;
    }

    /// Plays everything whose round can be fetched. Everything else is played later, with the same round.
    pub fn play_rounds(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let (mut letters, mut has_played) = (Vec::new(), false);
        while let Some((round, time)) = self.table.fold().next_round().filter(|(_, time)| *time <= at) {
            let chain = self.table.beacon().expect("a receipt waits");
            let Some(fetched) = self.beacon.signature(chain, round) else { break };
            match fetched {
                Ok(signature) => {
                    self.trouble = None;
                    self.table.enter_round(&signature, at)?;
                    letters.extend(self.play_run(at)?);
                    has_played = true;
                }
                Err(error) => {
                    if time.later(LATE) <= at {
                        letters.extend(self.tell_late(at)?);
                        self.trouble = Some(error.to_string());
                    }
                    break;
                }
            }
        }
        if has_played {
            // A guest who takes the seat of a player waits until what that player has fixed is played.
            letters.extend(self.seat_guests(at)?);
        }
        Ok(letters)
    }

    /// Plays the receipt whose round is there, unless its letter is done.
    pub(super) fn play_run(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let Some(run) = self.table.fold().receipts().run() else { return Ok(Vec::new()) };
        let raw = run.receipt.via.as_ref().and_then(|via| via.raw);
        let letter_in = raw.and_then(|raw| self.book.letter_in(&raw)).cloned();
        let mut letters = match letter_in {
            Some(letter_in) if letter_in.done.is_some() => return Ok(Vec::new()),
            None => {
                self.table.play_own_lines(at)?;
                // What is due in the run is said before another record ends it.
                go_on(&mut self.table, &mut self.book, at)?;
                Vec::new()
            }
            Some(letter_in) => {
                let raw = self.vault.read(&letter_in.raw)?;
                let letter = Letter::open(&raw, &Limits::ORDINARY);
                let letter_in = self.authored(&raw, &letter, letter_in)?;
                let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
                let seen = super::seen(&letter, &self.ours, &place, &self.table);
                let before = self.before(&letter_in);
                self.play(Case { letter: &letter, place: &place, seen, letter_in, before }, at)?.letters
            }
        };
        letters.extend(self.report(at)?);
        Ok(letters)
    }

    /// Whether a letter has had its first turn, and waits for its round.
    pub(super) fn waits(&self, raw: &Hash) -> bool {
        let is_this = |receipt: &Receipt| receipt.via.as_ref().and_then(|via| via.raw).as_ref() == Some(raw);
        let is_fixed = self.table.fold().receipts().waiting().any(is_this);
        is_fixed && self.book.letter_in(raw).is_some_and(|letter| letter.waits)
    }

    /// Writes the letters that tell every seat of the waiting receipts; the seat in `answered` also gets the fates of
    /// the other lines of its letter.
    pub(super) fn tell_receipts(
        &mut self,
        answered: Option<(&str, &[Answered], Thread)>,
        at: Stamp,
    ) -> Result<Vec<String>, PostError> {
        let waiting: Vec<Receipt> = self.table.fold().receipts().waiting().cloned().collect();
        let mut letters = Vec::new();
        for receipt in waiting {
            let Some((_, time)) = self.table.fold().next_round() else { continue };
            for place in self.places() {
                let key = Key::words(&place.seat, &format!("receipt {}", receipt.seq));
                let to = self.addresses(&place.seat).into_iter().next();
                let (Some(to), None) = (to, self.book.letter_of(&key)) else { continue };
                let own = answered.as_ref().filter(|(seat, ..)| *seat == place.seat);
                let answers = own.map_or(&[][..], |(_, answers, _)| answers);
                let thread = own.map(|(_, _, thread)| thread.clone());
                let thread = thread.unwrap_or_else(|| Thread::Follows(self.thread(&place.seat)));
                let page = page::recorded(self.table.fold(), &place.seat, &receipt, time, answers);
                let files = match self.table.fold().phase() {
                    Phase::Joining => Vec::new(),
                    _ => self.files(&place.seat)?,
                };
                letters.push(Outgoing { thread, files, ..self.outgoing(key, to, page, at) });
            }
        }
        self.post(letters)
    }

    /// Tells the players, once, that a round cannot be fetched.
    fn tell_late(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let Some(receipt) = self.table.fold().receipts().waiting().next().cloned() else { return Ok(Vec::new()) };
        let Some((_, time)) = self.table.fold().next_round() else { return Ok(Vec::new()) };
        let mut letters = Vec::new();
        for place in self.places() {
            let key = Key::words(&place.seat, &format!("beacon late {}", receipt.seq));
            let to = self.addresses(&place.seat).into_iter().next();
            let (Some(to), None) = (to, self.book.letter_of(&key)) else { continue };
            let page = page::late(self.table.fold(), &place.seat, &receipt, time);
            let thread = Thread::Follows(self.thread(&place.seat));
            letters.push(Outgoing { thread, ..self.outgoing(key, to, page, at) });
        }
        let letters = self.post(letters)?;
        self.book.settle()?;
        Ok(letters)
    }

    /// The round that the game waits for and why it cannot be fetched, if that has lasted: the host is told.
    pub fn beacon_trouble(&self) -> Option<(u64, &str)> {
        let (round, _) = self.table.fold().next_round()?;
        Some((round, self.trouble.as_deref()?))
    }

    /// Starts the game with the round of its start, or asks for that round.
    pub fn start(&mut self, at: Stamp) -> Result<(), PostError> {
        let receipts = self.table.fold().receipts();
        if self.table.beacon().is_none() || receipts.may_start() {
            self.table.start(at)?;
        } else if receipts.waiting().next().is_none() {
            self.table.ask_for_round(at)?;
        }
        Ok(())
    }

    /// Notes that a letter is done: played in full, or as far as it will be.
    pub(super) fn note_done(
        &mut self,
        raw: Hash,
        outcome: Reception,
        answer: Option<String>,
        at: Stamp,
    ) -> Result<(), PostError> {
        Ok(self.book.append(Event::Done { at: at.to_string(), raw, outcome, letter: answer })?)
    }

    /// Notes that a letter has had its first turn.
    pub(super) fn note_waits(&mut self, letter_in: &LetterIn, at: Stamp) -> Result<(), PostError> {
        let raw = letter_in.raw;
        // What ties it to its seat must not be found anew when the round is there: a record of a key would end the
        // run.
        if let Some(Authorship { auth, why, .. }) = &letter_in.authorship {
            self.book.append(Event::Authored { raw, auth: *auth, why: why.clone() })?;
        }
        Ok(self.book.append(Event::Waits { at: at.to_string(), raw })?)
    }
}
