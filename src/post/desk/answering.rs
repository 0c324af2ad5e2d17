/*! A line of a letter that is no move: a request of the table, a standing order, or one taken back. */

use super::confirm::{self, Confirmations, Verdict};
use super::enclosure::Enclosure;
use super::lobby::{self, Invitation};
use super::objection;
use super::press;
use super::turn::{Turn, is_trouble, refused_because};
use crate::mail::letter::mailbox::Mailbox;
use crate::post::book::Event;
use crate::post::book::Fate;
use crate::post::book::fault::PostError;
use crate::post::book::guest::{Given, Role};
use crate::post::book::relayed::Relayed;
use crate::post::order::asked::{self, Asked, Misread};
use crate::post::order::request::{Press, Proposed, Request, Sender};
use crate::post::order::sentences::{Said, Sentence, Start};
use crate::post::order::time_request::TimeRequest;
use crate::post::order::wrapped;
use crate::record::entry::Head;
use crate::record::entry::body::Ballot;
use crate::record::entry::body::Via;
use crate::record::fold::Phase;
use crate::record::fold::council::Proposal;
use crate::record::table::table_error::TableError;
use crate::record::value::stamp::Stamp;
use crate::report::occasion::{Answered, Fate as Told};

/// Why a request that is not at the left margin is not heard: letters of ours print them further in, and so a letter
/// that comes back without any sign of quotation does nothing.
const INDENTED: &str = "a request begins at the left margin; write it again, without blanks or a bullet before it";

/// Why a text of which nobody can tell where it ends goes to nobody.
const CUT_OFF: &str = "the line below may belong to it, cut off by your mail program. End the line with \\ if it goes \
                       on, leave a blank line below it if it does not";

/// Why a letter to players does not go.
const NO_END: &str = "the text is missing: write it behind a colon, or in the lines below, and `end press` below it";

/// A6: what becomes of a request whose writer is not known well enough.
const TO_CONFIRM: &str = "done when you confirm it, within seven days; the line to answer with stands below";

/// X4: what anonymity is worth.
const ANONYMOUS: &str = "the host can see who wrote it, and how you write may tell the others; it goes out within six \
                         hours, at a time drawn by lot";

impl Turn<'_> {
    /// What becomes of a line that is no move; `None` if it is one.
    pub(crate) fn request(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        if let Some(read) = self.read_request(sentence) {
            if sentence.start == Start::Indented {
                return Ok(Some(refused_because(INDENTED)));
            }
            return match read {
                Ok(asked) => self.answer_request(&asked, sentence).map(Some),
                Err(misread) => Ok(Some(refused_because(&misread.to_string()))),
            };
        }
        if sentence.words.starts_with("when ") {
            return self.standing_order(sentence).map(Some);
        }
        let number = sentence.words.strip_prefix("cancel ");
        let number = number.map(|rest| rest.trim_start_matches("standing ").trim_start_matches('#').parse());
        let Some(Ok(number)) = number else { return Ok(None) };
        if let Some(refused) = self.too_low(sentence) {
            return Ok(Some(refused));
        }
        let via = self.via_of(sentence);
        let done = self.table.cancel_order(self.seat, number, Some(via), self.at);
        fate(&sentence.words, done).map(Some)
    }

    /// What becomes of a line that only asks for something to read; `None` if it is another.
    pub(crate) fn asks_to_read(&mut self, said: &Said) -> Result<Option<Fate>, PostError> {
        let Said::Sentence(sentence) = said else { return Ok(None) };
        let asked = self.read_request(sentence).and_then(Result::ok);
        let asked = asked.filter(|asked| sentence.start == Start::Margin && asked.definition.verb.only_reads());
        asked.map(|asked| self.answer_request(&asked, sentence)).transpose()
    }

    /// The request that a line is; `None` if it is none. Where the question that is asked knows its first word, only a
    /// request that is whole, and no sentence of the game, is one.
    fn read_request(&self, sentence: &Sentence) -> Option<Result<Asked, Misread>> {
        let read = asked::read(&sentence.words, &sentence.original)?;
        let reader = |words: &str| self.table.read(self.seat, words).map(drop);
        let has_text = match &read {
            Ok(Asked { request: Request::Press(press), .. }) => press.text.is_some() || sentence.below.is_some(),
            Ok(_) => true,
            Err(_) => false,
        };
        let is_the_games = match has_text {
            true => reader(&sentence.words).is_ok(),
            false => wrapped::begins_a_sentence(&sentence.words, reader) || self.names_nobody(&read),
        };
        (!is_the_games).then_some(read)
    }

    /// Whether a letter to players without a text names somebody whom the table does not know: `press on` is for a
    /// question that is not asked yet.
    fn names_nobody(&self, read: &Result<Asked, Misread>) -> bool {
        let Ok(Asked { request: Request::Press(press), .. }) = read else { return false };
        press.to.iter().any(|word| press::called(self.table.fold().plan(), word).is_none())
    }

    /// How the answer calls a line that is no move and was done.
    pub(crate) fn words_of_the_post(&self, sentence: &Sentence) -> String {
        match self.read_request(sentence) {
            Some(Ok(asked)) => asked.request.to_string(),
            _ => sentence.words.clone(),
        }
    }

    /// Whether a line is a request, right or wrong.
    pub(crate) fn is_request(&self, said: &Said) -> bool {
        matches!(said, Said::Sentence(sentence) if self.read_request(sentence).is_some())
    }

    /// Notes what follows from a line besides its fate: what its writer wants to have with the answer, the line that
    /// confirms it, and what goes to others.
    pub(crate) fn note_request(&mut self, said: &Said, fate: &Fate) {
        let Said::Sentence(sentence) = said else { return };
        let Some(Ok(asked)) = self.read_request(sentence) else { return };
        match (fate, &asked.request) {
            (Fate::Done { seq: None, .. }, Request::Press(press)) if self.progress.dry.is_none() => {
                self.progress.relayed.extend(self.relayed(press, sentence));
                if press.sender == Sender::Anonymous {
                    // X4: what anonymity is worth is said where it is asked for.
                    let fate = Told::Noted { how: ANONYMOUS.to_owned() };
                    self.progress.answers.push(Answered { line: "(anonymous)".to_owned(), fate });
                }
            }
            // After a crash it is known to be done, and has perhaps not been.
            (Fate::Done { seq: None, .. }, Request::Delegate { to, name }) if self.progress.dry.is_none() => {
                self.delegate("", to, name.as_deref());
                let how = format!("{to} is offered the seat {}; you play on until it is taken", self.place.seat);
                self.progress.answers.push(Answered { line: "(delegate)".to_owned(), fate: Told::Noted { how } });
            }
            (Fate::Done { seq: None, .. }, Request::Address { to }) if self.progress.dry.is_none() => {
                self.address("", to);
            }
            (Fate::Done { seq: None, .. }, request) => self.progress.enclosures.extend(Enclosure::of(request)),
            (Fate::Kept { .. }, _) => {
                let confirmations = Confirmations { secrets: self.table.secrets(), book: self.book };
                let code = confirmations.code(self.place, &asked.words, self.came());
                let line = format!("{} confirm {code}", sentence.original.trim_end_matches(['.', '!']));
                self.progress.enclosures.push(Enclosure::Confirm { line });
            }
            _ => {}
        }
    }

    /// When the letter came: what it is answered does not depend on when it is read again.
    fn came(&self) -> Stamp {
        let came = self.book.letter_in(&self.raw).and_then(|letter| Stamp::parse(&letter.at));
        came.unwrap_or(self.at)
    }

    fn standing_order(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.settle_extent_now(sentence)? {
            return Ok(refused);
        }
        let words = sentence.words.as_str();
        if self.progress.dry.is_some() {
            return Ok(match self.table.read_order(words) {
                Ok(order) => Fate::Done { said: order.to_string(), seq: None },
                Err(error) => refused_because(&error.to_string()),
            });
        }
        if let Some(refused) = self.too_low(sentence) {
            return Ok(refused);
        }
        let (via, order) = (self.via_of(sentence), sentence.signed.as_deref());
        let done = self.table.leave_signed_order(self.seat, words, order, Some(via), self.at);
        fate(words, done.map(|heads| heads[0]))
    }

    fn answer_request(&mut self, asked: &Asked, sentence: &Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.unanswerable(&asked.request, sentence) {
            return Ok(refused);
        }
        let said = asked.request.to_string();
        if asked.definition.verb.only_reads() || self.progress.dry.is_some() {
            return Ok(Fate::Done { said, seq: None });
        }
        if let Some(fate) = self.unconfirmed(asked, sentence)? {
            return Ok(fate);
        }
        let (via, at) = (Some(self.via_of(sentence)), self.at);
        match &asked.request {
            Request::Press(press) => Ok(self.press(press, sentence)),
            Request::Propose(proposed) => self.propose(&said, proposed, sentence),
            Request::Vote { motion, says } => self.vote(*motion, *says, sentence),
            Request::Concede { text } => {
                let done = self.table.concede(self.seat, text.as_deref(), via, at);
                fate(&said, done.map(|heads| heads[0]))
            }
            Request::Dispute { about, text } => fate(&said, self.table.dispute(self.seat, *about, text, via, at)),
            Request::Consent { words } => {
                let done = self.table.consent(self.seat, words, self.progress.code, via, at);
                fate(&said, done.map(|heads| heads[0]))
            }
            Request::Clear => self.clear(&said),
            Request::Delegate { to, name } => Ok(self.delegate(&said, to, name.as_deref())),
            Request::Address { to } => Ok(self.address(&said, to)),
            Request::Key { key } => fate(&said, self.table.announce_keys(self.seat, &[*key], via, at)),
            Request::Time(request) => self.answer_time_request(request, via),
            Request::Help { .. }
            | Request::Status
            | Request::Menu
            | Request::Standing
            | Request::Check
            | Request::Map { .. }
            | Request::History { .. }
            | Request::Why { .. }
            | Request::Guest(_) => unreachable!("requests that only read, and those of guests, are answered before"),
        }
    }

    /// Why a request cannot be answered, whoever makes it.
    fn unanswerable(&self, request: &Request, sentence: &Sentence) -> Option<Fate> {
        if let Request::Guest(_) = request {
            return Some(refused_because("you hold a seat in this game; this is for guests"));
        }
        let last = self.table.fold().head().seq;
        let entry = match request {
            Request::Why { seq: entry } | Request::Dispute { about: entry, .. } => Some(*entry),
            Request::Vote { motion: entry, .. } => *entry,
            Request::Propose(Proposed { to, .. }) => *to,
            Request::Map { at } => *at,
            Request::History { from, .. } => *from,
            Request::Help { .. } | Request::Status | Request::Menu | Request::Standing | Request::Check => None,
            Request::Press(_) | Request::Concede { .. } | Request::Time(_) => None,
            Request::Consent { .. } | Request::Clear => None,
            Request::Delegate { .. } | Request::Address { .. } | Request::Key { .. } | Request::Guest(_) => None,
        };
        if let Some(entry) = entry.filter(|entry| *entry > last) {
            return Some(refused_because(&format!("there is no entry {entry}; the last is {last}")));
        }
        if let Some(why) = self.not_taken(request) {
            return Some(refused_because(&why));
        }
        // P4: what goes to others must not be half a text, nor a text and a move for nobody's eyes.
        let below = sentence.rest().first().filter(|below| request.text().is_some() && !wrapped::is_verb(&below.words));
        below.map(|_| refused_because(CUT_OFF))
    }

    /// A6: asks for a code where it is not known well enough who wrote the letter; takes it where it comes.
    fn unconfirmed(&mut self, asked: &Asked, sentence: &Sentence) -> Result<Option<Fate>, PostError> {
        if self.auth_of(sentence) >= asked.definition.least
            || matches!(asked.request, Request::Vote { says: Ballot::No, .. })
        {
            return Ok(None);
        }
        let Some(code) = &asked.code else {
            return Ok(Some(Fate::Kept { why: TO_CONFIRM.to_owned() }));
        };
        let confirmations = Confirmations { secrets: self.table.secrets(), book: self.book };
        match confirmations.judge(self.place, &asked.words, code, &self.raw, self.at) {
            Verdict::Right => {
                self.book.append(confirm::spent(self.place, code, self.raw, self.at))?;
                Ok(None)
            }
            verdict => Ok(Some(refused_because(&verdict.to_string()))),
        }
    }

    /// Does what a request about time asks for.
    ///
    /// # Errors
    /// The log or the book cannot be written.
    fn answer_time_request(&mut self, request: &TimeRequest, via: Option<Via>) -> Result<Fate, PostError> {
        let (said, at) = (request.to_string(), self.at);
        let done = match request {
            TimeRequest::Absence { from, to } => self.table.absent(self.seat, from, to, via, at),
            TimeRequest::Back => self.table.back(self.seat, via, at),
            TimeRequest::Extend { by } => self.table.extend(self.seat, *by, via, at),
            TimeRequest::Zone { name } => self.table.set_zone(self.seat, name, via, at),
            TimeRequest::Letters(change) => {
                let (at, seat) = (at.to_string(), self.place.seat.clone());
                self.book.append(Event::Set { at, seat, change: *change })?;
                return Ok(Fate::Done { said, seq: None });
            }
        };
        fate(&said, done)
    }

    fn press(&mut self, press: &Press, sentence: &Sentence) -> Fate {
        let plan = self.table.fold().plan();
        let Some(text) = press.text.as_deref().or(sentence.below.as_deref()) else {
            return refused_because(NO_END);
        };
        if press::is_too_much(self.book, &self.place.seat, self.at) {
            return refused_because("you have sent as many letters to players today as one may");
        }
        let allowed = press::recipients(plan, self.seat, press).and_then(|_| press::fit(text));
        match allowed {
            Ok(_) => Fate::Done { said: Request::Press(press.clone()).to_string(), seq: None },
            Err(why) => refused_because(&why),
        }
    }

    /// The letters that a line which was done sends to others.
    fn relayed(&self, press: &Press, sentence: &Sentence) -> Option<Relayed> {
        let text = press.text.as_deref().or(sentence.below.as_deref())?;
        let (text, sender, raw, line) = (press::fit(text).ok()?, press.sender, self.raw, sentence.line);
        let to = press::recipients(self.table.fold().plan(), self.seat, press).ok()?;
        let to = to.into_iter().map(|seat| self.table.word(seat)).collect();
        let due = press::due(self.table.secrets(), sender, &raw, line, self.came()).to_string();
        Some(Relayed { from: self.place.seat.clone(), to, sender, text, raw, line, due })
    }

    fn propose(&mut self, said: &str, proposed: &Proposed, sentence: &Sentence) -> Result<Fate, PostError> {
        let proposal = match self.proposal(proposed) {
            Ok(proposal) => proposal,
            Err(why) => return Ok(refused_because(&why)),
        };
        let via = Some(self.via_of(sentence));
        let done = self.table.propose(self.seat, &proposal, via, self.at);
        fate(said, done.map(|heads| heads[0]))
    }

    /// What is proposed, as the table has it.
    fn proposal(&self, proposed: &Proposed) -> Result<Proposal, String> {
        let seat =
            |word: &String| self.table.fold().plan().seat(word).ok_or_else(|| format!("there is no seat `{word}`"));
        let until = proposed.until.as_ref().map(|words| self.table.later_deadline(self.seat, words, self.at));
        Ok(Proposal {
            what: proposed.what,
            to: proposed.to,
            of: proposed.of.as_ref().map(seat).transpose()?,
            rules: proposed.rules.clone(),
            until: until.transpose().map_err(|refused| refused.to_string())?,
            text: proposed.text.clone().unwrap_or_else(|| "no reason given".to_owned()),
        })
    }

    /// Why the table would not take a request, before anybody is asked to confirm it.
    fn not_taken(&self, request: &Request) -> Option<String> {
        let is_over = self.table.fold().phase() > Phase::Playing;
        if is_over && matches!(request, Request::Propose(_) | Request::Vote { .. } | Request::Concede { .. }) {
            return Some("the game is over".to_owned());
        }
        let taken = match request {
            Request::Consent { .. } => self.table.may_consent(self.seat, self.progress.code).map(drop),
            Request::Propose(proposed) => match self.proposal(proposed) {
                Ok(proposal) => self.table.may_propose(self.seat, &proposal, self.at),
                Err(why) => return Some(why),
            },
            Request::Vote { motion, says } => match motion.map_or_else(|| self.only_motion(), Ok) {
                Ok(motion) => self.table.may_vote(self.seat, motion, *says, self.at),
                Err(why) => return Some(why),
            },
            _ => Ok(()),
        };
        taken.err().filter(|error| !is_trouble(error)).map(|error| objection::words(&error))
    }

    /// The seat is offered when the letter is done; here it is only looked at whether it can be.
    fn delegate(&mut self, said: &str, to: &str, name: Option<&str>) -> Fate {
        let Some(address) = Mailbox::read(to) else { return refused_because(&format!("`{to}` is no address")) };
        let seat = self.place.seat.clone();
        let given_by = Some(Given { seat: seat.clone(), raw: Some(self.raw) });
        let name = name.map(str::to_owned);
        let invitation = Invitation { address, name, role: Role::Player, seat: Some(seat), given_by };
        if let Err(why) = lobby::check(self.table, self.book, &invitation) {
            return refused_because(&why.to_string());
        }
        self.progress.invitation = Some(invitation);
        Fate::Done { said: said.to_owned(), seq: None }
    }

    /// The letters go elsewhere when this one is answered (A7).
    fn address(&mut self, said: &str, to: &str) -> Fate {
        let Some(address) = Mailbox::read(to) else { return refused_because(&format!("`{to}` is no address")) };
        self.progress.address = Some(address);
        Fate::Done { said: said.to_owned(), seq: None }
    }

    fn vote(&mut self, motion: Option<u64>, says: Ballot, sentence: &Sentence) -> Result<Fate, PostError> {
        let motion = match motion.map_or_else(|| self.only_motion(), Ok) {
            Ok(motion) => motion,
            Err(why) => return Ok(refused_because(&why)),
        };
        let said = Request::Vote { motion: Some(motion), says }.to_string();
        let via = Some(self.via_of(sentence));
        let done = self.table.vote(self.seat, motion, says, via, self.at);
        fate(&said, done.map(|heads| heads[0]))
    }

    /// The motion that a vote without a number means.
    fn only_motion(&self) -> Result<u64, String> {
        let open = self.table.fold().council().motions().iter().filter(|moved| !moved.has_lapsed(self.at));
        let open: Vec<u64> = open.map(|moved| moved.seq).collect();
        match open.as_slice() {
            [] => Err("nothing is proposed that could be voted on".to_owned()),
            [only] => Ok(*only),
            several => {
                let named: Vec<String> = several.iter().map(|seq| format!("#{seq}")).collect();
                Err(format!(
                    "several things are proposed ({}): say on which you vote, `vote yes {}`",
                    named.join(", "),
                    several[0]
                ))
            }
        }
    }
}

/// What became of a line that makes an entry.
pub(crate) fn fate(said: &str, done: Result<Head, TableError>) -> Result<Fate, PostError> {
    match done {
        Ok(head) => Ok(Fate::Done { said: said.to_owned(), seq: Some(head.seq) }),
        Err(error) if is_trouble(&error) => Err(error.into()),
        Err(error) => Ok(refused_because(&objection::words(&error))),
    }
}
