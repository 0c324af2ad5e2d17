/*! A line of a letter that is no move: whether it is a request or a standing order, and whether its writer may make
it. [`super::requests`] then carries it out.
*/

use super::clerk::Clerk;
use super::confirm::{self, CodeWorth, Confirmations};
use super::docket::Writer;
use super::enclosure::Enclosure;
use super::pass::Pass;
use super::position::Position;
use super::sentence::is_trouble;
use super::{objection, press};
use crate::book::fault::PostError;
use crate::order::request::table::{Effect, Who};
use crate::order::request::{Asked, Press, Request};
use crate::order::sentences::{Form, Link, Rest, Said, Sentence, Start, replacement};
use crate::order::unread::LineRefusal;
use crate::order::{vocabulary, wrapped};
use crate::reply::vocabulary::words_of;
use engine::menu::policy::is_policy;
use ground::stamp::Stamp;
use record::entry::Head;
use record::entry::body::Auth;
use record::fold::Phase;
use record::fold::standing::Order;
use record::table::table_error::TableError;
use report::fate::{Fate, RefusedAs};
use report::{from_log, map};

/// Why an indented request is not carried out: our letters print requests indented, so a letter of ours that comes
/// back without any mark of a quotation does nothing.
const INDENTED: &str = "a request begins at the left margin; write it again, without blanks or a bullet before it";

/// Why a text is sent to nobody if its end is unclear.
const CUT_OFF: &str = "the line below may belong to it, cut off by your mail program. End the line with \\ if it goes \
                       on, leave a blank line below it if it does not";

/// A6: the fate of a request whose writer is not known well enough.
const TO_CONFIRM: &str = "done when you confirm it, within seven days; the line to answer with stands below";

impl Position<'_> {
    /// Whether a line that begins like a request is a sentence of the game. A whole request belongs to the game only
    /// if the open question reads it as a sentence; an incomplete one already if the question knows its first word. A
    /// request for guests belongs to the game if any sentence of the title begins like it: `join osgiliath`.
    pub(super) fn is_the_games(&self, sentence: &Sentence) -> bool {
        let definition = match &sentence.form {
            Form::Request(asked) => Some(asked.definition),
            Form::Misread(misread) => Some(misread.definition),
            _ => None,
        };
        if definition.is_some_and(|definition| definition.who == Who::Guest)
            && vocabulary::of_title(self.table.fold().plan().title)
                .is_some_and(|known| known.opens_sentence(&words_of(&sentence.words)))
        {
            return true;
        }
        let asked = match &sentence.form {
            Form::Request(asked) => Some(asked),
            Form::Misread(_) => None,
            Form::Answer | Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_) => return false,
        };
        let is_whole = asked.is_some_and(|asked| match &asked.request {
            Request::Press(press) => press.text.is_some() || sentence.below.is_some(),
            _ => true,
        });
        if is_whole {
            self.read(&sentence.words).is_ok()
        } else {
            self.begins_a_sentence(&sentence.words) || asked.is_some_and(|asked| self.names_nobody(asked))
        }
    }

    /// Whether a letter to players without a text names somebody whom the table does not know: `press on` is for a
    /// later question.
    fn names_nobody(&self, asked: &Asked) -> bool {
        let Request::Press(Press { to, .. }) = &asked.request else { return false };
        to.iter().any(|word| press::called(self.table.fold().plan(), word).is_none())
    }

    /// When the letter came: its answer must not depend on when it is read again.
    pub(super) fn came(&self) -> Stamp {
        let came = self.book.letter_in(&self.cover.raw).and_then(|letter| Stamp::parse(&letter.at));
        came.unwrap_or(self.cover.at)
    }

    /// Why a request cannot be answered, found before its writer is asked to confirm it.
    fn unanswerable(&self, asked: &Asked, sentence: &Sentence) -> Option<String> {
        match (asked.definition.who, &self.cover.writer) {
            (Who::Guest, Writer::Player(_)) => {
                return Some("you hold a seat in this game; this is for guests".to_owned());
            }
            (Who::Player, Writer::Guest(_)) if matches!(asked.request, Request::Key { .. }) => {}
            (Who::Player, Writer::Guest(_) | Writer::Uninvited) => {
                return Some("you hold no seat in this game; this is for players, from their seat".to_owned());
            }
            (Who::Reader, _) | (Who::Player, Writer::Player(_)) | (Who::Guest, _) => {}
        }
        let last = self.table.fold().head().seq;
        if let Some(entry) = asked.entry.filter(|entry| *entry > last) {
            return Some(format!("there is no entry {entry}; the last is {last}"));
        }
        if let Request::Map { around: Some(around), .. } = &asked.request
            && let Some(why) = self.no_part(around)
        {
            return Some(why);
        }
        if let Some(why) = self.not_taken(&asked.request) {
            return Some(why);
        }
        // P4: half a text must not go to others, nor a text that swallowed a move.
        let below = sentence.rest().first();
        let below = below.filter(|below| !wrapped::is_for_the_post(&below.words) && !self.begins_anew(sentence, below));
        below.filter(|_| asked.request.text().is_some()).map(|_| CUT_OFF.to_owned())
    }

    /// Whether the line below a text is a sentence of its own: the open question reads it whole, and either the text
    /// above ends in a figure or a sign, or the line has a colon behind one of its first words, as no text goes on.
    fn begins_anew(&self, sentence: &Sentence, below: &Rest) -> bool {
        let ended =
            sentence.original.trim_end().ends_with(|c: char| !c.is_alphabetic() && !matches!(c, ',' | '-' | '\\'));
        let has_label = below.words.split(' ').take(4).any(|word| word.ends_with(':'));
        below.link == Link::Wrapped && (ended || has_label) && self.is_player() && self.read(&below.words).is_ok()
    }

    /// Why a part of the map cannot be drawn: the map has no such place.
    fn no_part(&self, around: &str) -> Option<String> {
        let (fold, reader) = (self.table.fold(), self.is_player().then(|| self.seat()));
        let title = fold.plan().title;
        let Some(atlas) = map::atlas(title) else { return Some(format!("there is no map of {}", title.name)) };
        let meant = map::part(atlas, &from_log::look(fold, reader).view, around).err()?;
        Some(match meant.as_slice() {
            [] => format!("`{around}` is no place on the map"),
            some => format!("`{around}` is no place on the map; did you mean {}?", some.join(" or ")),
        })
    }

    /// Why the table would not take a request.
    fn not_taken(&self, request: &Request) -> Option<String> {
        let is_over = self.table.fold().phase() > Phase::Playing;
        if is_over && matches!(request, Request::Propose(_) | Request::Vote { .. } | Request::Concede { .. }) {
            return Some("the game is over".to_owned());
        }
        let taken = match request {
            Request::Consent { .. } => self.table.may_consent(self.seat()).map(drop),
            Request::Propose(proposed) => match self.proposal(proposed) {
                Ok(proposal) => self.table.may_propose(self.seat(), &proposal, self.cover.at),
                Err(why) => return Some(why),
            },
            Request::Vote { motion, says } => match self.motion(*motion) {
                Ok(motion) => self.table.may_vote(self.seat(), motion, *says, self.cover.at),
                Err(why) => return Some(why),
            },
            _ => Ok(()),
        };
        taken.err().filter(|error| !is_trouble(error)).map(|error| objection::words(&error))
    }
}

impl Clerk<'_> {
    /// What becomes of a line that is no move; `None` if it is one.
    pub(super) fn request(&mut self, sentence: &mut Sentence) -> Result<Option<Fate>, PostError> {
        let is_indented = sentence.start == Start::Indented;
        match &sentence.form {
            Form::Request(_) | Form::Misread(_) if is_indented => Ok(Some(Fate::refused(INDENTED))),
            Form::Request(asked) if is_in_question(asked, sentence) => {
                Ok(Some(Fate::refused(LineRefusal::Question.to_string())))
            }
            Form::Request(asked) if is_bound(asked, sentence) => {
                Ok(Some(Fate::refused(wrapped::in_doubt(sentence.rest()))))
            }
            Form::Misread(misread) => {
                let (kind, why) = (RefusedAs::NotUnderstood, misread.to_string());
                Ok(Some(Fate::Refused { at: None, kind, rule: None, why }))
            }
            Form::Request(asked) => self.answer_request(asked, sentence).map(Some),
            Form::Order | Form::Replace(_) if self.cover.is_player() => self.standing_order(sentence).map(Some),
            Form::Cancel(_) | Form::First(_) if self.cover.is_player() => self.cancel_order(sentence).map(Some),
            Form::Answer => Ok(None),
            Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_) => Ok(None),
        }
    }

    /// The fate of a line that only asks for something to read; `None` if it is any other line.
    pub(super) fn asks_to_read(&mut self, said: &Said) -> Result<Option<Fate>, PostError> {
        let Said::Sentence(sentence) = said else { return Ok(None) };
        let Form::Request(asked) = &sentence.form else { return Ok(None) };
        let is_heard = sentence.start == Start::Margin && asked.definition.only_reads();
        is_heard.then(|| self.answer_request(asked, sentence)).transpose()
    }

    /// Notes what follows from a line besides its fate. What goes with the answer, or happens with it, is not written
    /// down: if the fate is known from before a crash, the request is carried out again.
    pub(super) fn follow(
        &mut self,
        sentence: &Sentence,
        fate: &Fate,
        is_known: bool,
        shown: &str,
    ) -> Result<(), PostError> {
        let asked = match &sentence.form {
            Form::Request(asked) => asked,
            // An order counts only once a record commits to it, and a crash may have come before that.
            Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_)
                if is_known && self.docket.dry.is_none() && is_done(fate) =>
            {
                return self.note_again(sentence);
            }
            // So does a line for later.
            Form::Answer if is_known && self.docket.dry.is_none() && matches!(fate, Fate::Kept { .. }) => {
                return self.keep(&mut sentence.clone()).map(drop);
            }
            Form::Answer | Form::Misread(_) => return Ok(()),
            Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_) => return Ok(()),
        };
        let is_again = is_known
            && match asked.definition.effect {
                Effect::Reads => true,
                Effect::WithTheLetter => self.docket.dry.is_none(),
                Effect::AtOnce => false,
            };
        match fate {
            Fate::Done { seq: None, .. } if is_again => drop(self.carry_out(asked, sentence)?),
            Fate::Done { seq: Some(seq), .. } if matches!(asked.request, Request::Dispute { .. }) => {
                self.docket.follows.disputes.push((*seq, shown.to_owned()));
            }
            Fate::Kept { .. } => {
                let came = self.position().came();
                let confirmations = Confirmations { secrets: self.table.secrets(), book: self.book };
                let code = confirmations.code(self.cover.place, &asked.words, came);
                let line = format!("{} confirm {code}", sentence.original.trim_end_matches(['.', '!']));
                self.docket.follows.enclosures.push(Enclosure::Confirm { line });
            }
            Fate::Done { .. } | Fate::Refused { .. } | Fate::Ignored { .. } | Fate::Noted { .. } => {}
        }
        Ok(())
    }

    fn note_again(&mut self, sentence: &Sentence) -> Result<(), PostError> {
        noted(&sentence.words, self.note_in_book(sentence).map(drop)).map(drop)
    }

    /// Changes the writer's order book as a line says. Returns the order that the line leaves, if any.
    fn note_in_book(&mut self, sentence: &Sentence) -> Result<Option<Order>, TableError> {
        let (seat, line) = (self.seat(), Some((self.cover.raw, sentence.line)));
        // A number that does not fit names no order of any book.
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        match sentence.form {
            Form::Cancel(old) => self.table.note_cancel(seat, number(old), line).map(|()| None),
            Form::First(order) => self.table.note_first(seat, number(order), line).map(Some),
            Form::Replace(old) => {
                let order = replacement(&sentence.words).map_or("", |(_, order)| order);
                self.table.note_replacement(seat, number(old), order, line).map(Some)
            }
            _ => self.table.note_order(seat, &sentence.words, sentence.signed.as_deref(), line).map(Some),
        }
    }

    fn standing_order(&mut self, sentence: &mut Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.settle_extent_now(sentence)? {
            return Ok(refused);
        }
        let words = sentence.words.as_str();
        let order = replacement(words).map_or(words, |(_, order)| order);
        if let Ok(order) = Order::read(order)
            && let Some(why) =
                order.sentences().filter(|said| !is_policy(said)).find_map(|said| self.position().opens_nothing(said))
        {
            return Ok(Fate::refused(why));
        }
        if self.docket.dry.is_some() {
            return Ok(match self.table.read_order(self.seat(), order) {
                Ok(order) => {
                    let said = order.to_string();
                    if let Some(dry) = &mut self.docket.dry {
                        dry.orders.push(order);
                    }
                    Fate::Done { said, seq: None }
                }
                Err(error) => Fate::refused(error.to_string()),
            });
        }
        self.change_book(sentence)
    }

    fn cancel_order(&mut self, sentence: &Sentence) -> Result<Fate, PostError> {
        if self.docket.dry.is_some() {
            return Ok(Fate::Done { said: sentence.words.clone(), seq: None });
        }
        self.change_book(sentence)
    }

    fn change_book(&mut self, sentence: &Sentence) -> Result<Fate, PostError> {
        if let Some(refused) = self.position().too_low(sentence) {
            return Ok(refused);
        }
        let left = self.note_in_book(sentence);
        noted(&sentence.words, left.map(drop))
    }

    /// Consecutive lines with orders are noted together. They answer the open question before the next line that is
    /// no order is read: otherwise the first order could end a battle before the others are read.
    pub(super) fn let_orders_answer(&mut self, sentence: &Sentence) -> Result<(), PostError> {
        let is_order = matches!(sentence.form, Form::Order | Form::Cancel(_) | Form::Replace(_) | Form::First(_));
        if !is_order && self.docket.dry.is_none() && self.table.is_answered_by_noted(self.seat(), self.cover.at) {
            // A record must commit to the orders before they answer.
            self.hear(self.seat())?;
        }
        // In a run the lines of other seats that are due come before the next line of the receipt.
        if self.docket.fixing.pass == Pass::Second {
            self.table.say_lines(self.cover.at)?;
        }
        Ok(())
    }

    fn answer_request(&mut self, asked: &Asked, sentence: &Sentence) -> Result<Fate, PostError> {
        if let Some(why) = self.position().unanswerable(asked, sentence) {
            return Ok(Fate::refused(why));
        }
        if self.docket.dry.is_some() && !asked.definition.only_reads() {
            return Ok(Fate::Done { said: asked.said.clone(), seq: None });
        }
        if let Some(fate) = self.unconfirmed(asked, sentence)? {
            return Ok(fate);
        }
        if let Some(why) = self.position().cannot_follow(&asked.request, sentence) {
            return Ok(Fate::refused(why));
        }
        self.carry_out(asked, sentence)
    }

    /// A6: asks for a code if it is not known well enough who wrote the letter; accepts the code when it comes.
    fn unconfirmed(&mut self, asked: &Asked, sentence: &Sentence) -> Result<Option<Fate>, PostError> {
        if self.position().auth_of(sentence).is_some_and(|auth| auth >= self.position().least_of(asked)) {
            return Ok(None);
        }
        let Some(code) = &asked.code else {
            return Ok(Some(Fate::Kept { why: TO_CONFIRM.to_owned() }));
        };
        let confirmations = Confirmations { secrets: self.table.secrets(), book: self.book };
        match confirmations.judge(self.cover.place, &asked.words, code, &self.cover.raw, self.cover.at) {
            CodeWorth::Right => {
                self.book.append(confirm::spent(self.cover.place, code, self.cover.raw, self.cover.at))?;
                self.docket.confirmed = Some(sentence.line);
                Ok(None)
            }
            worth => Ok(Some(Fate::refused(worth.to_string()))),
        }
    }
}

impl Position<'_> {
    /// A6: how well the writer of a request must be known. For players round one table `token` is enough.
    fn least_of(&self, asked: &Asked) -> Auth {
        let is_consent = matches!(asked.request, Request::Consent { .. });
        if !self.is_player() {
            // What a guest brings along is written with the letter by which he joins, and is of its class.
            Auth::Token
        } else if !is_consent && self.table.fold().may_type(self.seat()) {
            Auth::Token
        } else {
            asked.definition.least
        }
    }
}

/// Whether a request that does something is only asked about: `concede?`.
fn is_in_question(asked: &Asked, sentence: &Sentence) -> bool {
    let head = sentence.words.split(':').next().unwrap_or(&sentence.words);
    !asked.definition.only_reads()
        && asked.request.text().is_none_or(|_| sentence.words.contains(':'))
        && head.contains('?')
}

/// Whether the line below makes a request that does something conditional: `concede`, and below it
/// `unless Anna agrees`.
fn is_bound(asked: &Asked, sentence: &Sentence) -> bool {
    let below = sentence.rest().first();
    !asked.definition.only_reads() && below.is_some_and(|below| below.link == Link::GoesOn)
}

/// The fate of a line that changes the writer's order book. No record shows the change.
fn noted(said: &str, done: Result<(), TableError>) -> Result<Fate, PostError> {
    match done {
        Ok(()) => Ok(Fate::Done { said: said.to_owned(), seq: None }),
        Err(error) if is_trouble(&error) => Err(error.into()),
        Err(error) => Ok(Fate::refused(objection::words(&error))),
    }
}

fn is_done(fate: &Fate) -> bool {
    matches!(fate, Fate::Done { .. })
}

/// The fate of a line that makes an entry.
pub(super) fn recorded(said: &str, done: Result<Head, TableError>) -> Result<Fate, PostError> {
    match done {
        Ok(head) => Ok(Fate::Done { said: said.to_owned(), seq: Some(head.seq) }),
        Err(error) if is_trouble(&error) => Err(error.into()),
        Err(error) => Ok(Fate::refused(objection::words(&error))),
    }
}
