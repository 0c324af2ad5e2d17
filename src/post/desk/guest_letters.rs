//! Letters of guests, and to them: what they say is noted, and they are told how far their invitation has come.

use super::enclosure::Enclosure;
use super::minutes::Minute;
use super::{Case, Desk, Received, is_done};
use crate::engine::seat::Seat;
use crate::mail::letter::limits::Limits;
use crate::post::book::fault::PostError;
use crate::post::book::guest::{Guest, Role, State};
use crate::post::book::outgoing::{Key, Outgoing, Tells, Thread};
use crate::post::book::{Event, Outcome};
use crate::post::order::asked;
use crate::post::order::guest_request::GuestRequest;
use crate::post::order::request::Request;
use crate::post::order::sentences::{self, Said, Sentence, Start};
use crate::post::order::verb::Who;
use crate::record::fold::Phase;
use crate::record::value::hash::Hash;
use crate::record::value::stamp::Stamp;
use crate::report::gazette;
use crate::report::guest as page;
use crate::report::occasion::{Answered, Fate};
use crate::report::{from_table, letter};

/// P7: after so many lines that are no requests nothing more is read.
const PROSE_MAX: usize = 5;

impl Desk {
    /// Plays a letter of a guest: every line is answered, and what follows is done.
    pub(super) fn play_guest(&mut self, case: &Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let mut answers = Vec::new();
        let mut enclosures = Vec::new();
        let whole = |why: String| Answered { line: "(the whole letter)".to_owned(), fate: refused(why) };
        let reading = match &case.letter.text {
            Ok(text) => sentences::read(text, &Limits::ORDINARY).map_err(|refusal| refusal.to_string()),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        match (reading, self.book.guest(&case.place.seat).cloned()) {
            (Err(why), _) => answers.push(whole(why)),
            (Ok(_), None) => answers.push(whole("there is no invitation for this address any more".to_owned())),
            (Ok(reading), Some(mut guest)) => {
                if guest.name.is_none() {
                    guest.name.clone_from(&case.letter.envelope.author_name);
                }
                for (index, said) in reading.said.iter().enumerate() {
                    let (line, fate) = self.answer_guest(&mut guest, said, case.letter_in.raw, &mut enclosures)?;
                    let is_refused = matches!(fate, Fate::Refused { .. });
                    // P7: who has no seat writes a word of greeting first; it changes nothing, nor does what it hides.
                    let goes_on = index < PROSE_MAX && is_prose(said, reading.said.get(index + 1));
                    answers.push(Answered { line, fate });
                    if is_refused && !goes_on {
                        break;
                    }
                }
                let has_done = answers.iter().any(is_done);
                if has_done {
                    answers.iter_mut().zip(&reading.said).for_each(|(answer, said)| leave_alone(answer, said));
                }
                if answers.is_empty() {
                    answers.push(whole("no line of your own was found in it; write above what you quote".to_owned()));
                }
            }
        }
        let settled = self.seat_guests(at)?;
        let answer = self.answer_to_guest(case, &answers, &enclosures)?;
        let outcome = if answers.iter().any(is_done) { Outcome::Played } else { Outcome::Refused };
        let done = Event::Done { at: at.to_string(), raw: case.letter_in.raw, outcome, letter: answer.clone() };
        let mut letters: Vec<String> = answer.into_iter().chain(settled).collect();
        // The answer has told its reader what he would be told now.
        letters.extend(self.write_to_guests(at)?);
        letters.extend(self.report(at)?);
        self.book.append(done)?;
        self.forget_what_was_told();
        Ok(Received { outcome, letters, answers, set_aside: Vec::new() })
    }

    /// What becomes of a line of a guest. Said again, it is done already.
    fn answer_guest(
        &mut self,
        guest: &mut Guest,
        said: &Said,
        raw: Hash,
        enclosures: &mut Vec<Enclosure>,
    ) -> Result<(String, Fate), PostError> {
        let sentence = match said {
            Said::Sentence(sentence) => sentence,
            Said::Refused(line) => return Ok((line.original.clone(), refused(line.reason.to_string()))),
            Said::Code(_) => return Ok(("(a code)".to_owned(), refused("a code is for players".to_owned()))),
        };
        let fate = match understood(sentence) {
            Err(why) => refused(why),
            Ok(request) => match self.enclosed(&request) {
                Some(enclosure) => {
                    let last = self.table.fold().head().seq;
                    match enclosure.entry().filter(|entry| *entry > last) {
                        Some(entry) => refused(format!("there is no entry {entry}; the last is {last}")),
                        None => {
                            enclosures.push(enclosure);
                            Fate::Done { said: request.to_string(), seq: None }
                        }
                    }
                }
                None => match self.listen(guest, &request, raw) {
                    Ok(next) => {
                        if next != *guest {
                            self.note_guest(next.clone())?;
                            *guest = next;
                        }
                        Fate::Done { said: request.to_string(), seq: None }
                    }
                    Err(why) => refused(why),
                },
            },
        };
        Ok((sentence.original.clone(), fate))
    }

    /// What is to go with the answer. The letters of guests do not show the table as those of seats do.
    fn enclosed(&self, request: &Request) -> Option<Enclosure> {
        match request {
            Request::Map { at: None } => Some(Enclosure::Map { at: self.table.fold().head().seq }),
            _ => Enclosure::of(request),
        }
    }

    fn listen(&self, guest: &Guest, request: &Request, raw: Hash) -> Result<Guest, String> {
        match request {
            Request::Guest(request) => self.listen_to_guest(guest, request, raw),
            _ => Ok(guest.clone()),
        }
    }

    /// The guest as he is after what he said.
    fn listen_to_guest(&self, guest: &Guest, request: &GuestRequest, raw: Hash) -> Result<Guest, String> {
        let next = |state| Guest { state, raw: Some(raw), told: guest.told, ..guest.clone() };
        let fold = self.table.fold();
        let is_before = matches!(guest.state, State::Invited | State::Waiting | State::Seated);
        // Whoever says that he joins has his seat when his letter is done: what stands below counts as well.
        let may_choose = is_before || guest.state == State::Ready;
        match request {
            GuestRequest::Join { seats } => self.joins(guest, seats, raw),
            GuestRequest::Ready if matches!(guest.state, State::Ready | State::Playing) => Ok(guest.clone()),
            GuestRequest::Ready if guest.state == State::Seated => Ok(next(State::Ready)),
            GuestRequest::Ready => Err("no seat was found for you yet; you will be asked when there is one".to_owned()),
            GuestRequest::Decline if is_before || guest.state == State::Gone => Ok(next(State::Gone)),
            GuestRequest::Decline => Err("you hold a seat; `concede` or `delegate` from there".to_owned()),
            GuestRequest::Observe if guest.state == State::Observing || is_before || guest.state == State::Gone => {
                if fold.phase() == Phase::Ended {
                    return Err("the game is over".to_owned());
                }
                Ok(Guest { role: Role::Observer, seat: None, ..next(State::Observing) })
            }
            GuestRequest::Observe => Err("you hold a seat and get its letters".to_owned()),
            GuestRequest::Leave if matches!(guest.state, State::Observing | State::Gone) => Ok(next(State::Gone)),
            GuestRequest::Leave => Err("you watch no game here".to_owned()),
            GuestRequest::Name { name } if may_choose => Ok(Guest { name: Some(name.clone()), ..guest.clone() }),
            GuestRequest::Salt { salt } if may_choose => Ok(Guest { salt: Some(salt.clone()), ..guest.clone() }),
            GuestRequest::Anchor { anchor } if may_choose => Ok(Guest { anchor: Some(*anchor), ..guest.clone() }),
            GuestRequest::Name { .. } | GuestRequest::Salt { .. } | GuestRequest::Anchor { .. } => {
                Err("it is too late for that: nothing about your seat can be chosen any more".to_owned())
            }
        }
    }

    fn joins(&self, guest: &Guest, seats: &[String], raw: Hash) -> Result<Guest, String> {
        let fold = self.table.fold();
        match guest.state {
            State::Invited | State::Waiting => {}
            State::Seated => return Err(format!("the seat {} is yours: say `ready`", seat_of(guest))),
            State::Ready | State::Playing => return Ok(guest.clone()),
            State::Observing | State::Gone => {
                return Err("this invitation is over; ask the host for a new one".to_owned());
            }
        }
        if guest.role == Role::Observer {
            return Err("you are invited to watch: say `observe`".to_owned());
        }
        if fold.phase() > Phase::Playing || fold.outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        if let Some(unknown) = seats.iter().find(|seat| fold.plan().seat(seat).is_none()) {
            let known: Vec<&str> = fold.plan().seats.iter().map(|seat| seat.word.as_str()).collect();
            return Err(format!("there is no seat `{unknown}`; there are: {}", known.join(", ")));
        }
        if let Some(seat) = &guest.seat {
            return match seats.is_empty() || seats.contains(seat) {
                true => Ok(Guest { state: State::Ready, raw: Some(raw), since: fold.head().seq, ..guest.clone() }),
                false => Err(format!("the seat offered to you is {seat}; say `join`, or `decline`")),
            };
        }
        if fold.phase() != Phase::Joining {
            return Err("the game has started without you; every seat is taken".to_owned());
        }
        let row = self.book.guests().map(|other| other.row).max().unwrap_or(0) + 1;
        let row = if guest.state == State::Waiting { guest.row } else { row };
        Ok(Guest { state: State::Waiting, wishes: seats.to_vec(), row, raw: Some(raw), ..guest.clone() })
    }

    fn answer_to_guest(
        &mut self,
        case: &Case<'_>,
        answers: &[Answered],
        enclosures: &[Enclosure],
    ) -> Result<Option<String>, PostError> {
        let Ok(author) = case.letter.envelope.author.clone() else { return Ok(None) };
        let is_played = answers.iter().any(is_done);
        if self.has_heard_enough(case.place, &case.letter_in, is_played) {
            return Ok(None);
        }
        let guest = self.book.guest(&case.place.seat).cloned();
        let mut lobby = self.lobby(guest.as_ref(), answers);
        for enclosure in enclosures {
            let since = self.table.fold().at();
            let text = enclosure.text(&self.table, self.titles, None, since)?;
            lobby.asked_for.push(text.lines().map(str::to_owned).collect());
        }
        let page = page::letter(self.table.fold(), &lobby);
        let date = Stamp::parse(&case.letter_in.at).unwrap_or_else(|| self.table.fold().at());
        let references = case.letter.envelope.references.clone();
        let letter = Outgoing {
            date,
            thread: Thread::Answers { mail: case.letter_in.mail.clone(), references },
            // How far his invitation has come stands in this letter.
            tells: guest.map_or(Tells::Nothing, |guest| Tells::Invitation(guest.state)),
            ..self.outgoing(Key::answer(&case.place.seat, &case.letter_in.raw), author, page, date)
        };
        Ok(self.post(vec![letter])?.pop())
    }

    /// Writes to guests whose invitation has come further, and to those who watch; the book is to be settled.
    pub(super) fn write_to_guests(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        let guests: Vec<Guest> = self.book.guests().cloned().collect();
        for guest in guests {
            let place = self.place_of(&guest);
            let Some(to) = self.addresses(&place.seat).into_iter().next() else { continue };
            if guest.told != Some(guest.state) {
                let page = page::letter(self.table.fold(), &self.lobby(Some(&guest), &[]));
                let key = Key::words(&place.seat, &page.text);
                let tells = Tells::Invitation(guest.state);
                let letter = Outgoing { tells, ..self.outgoing(key, to.clone(), page, at) };
                letters.extend(self.post(vec![letter])?);
            }
            if guest.state == State::Observing && self.is_due_to_watch(&place.seat) {
                // What was before he came is in the log that comes along, and in `history`.
                let since = self.book.told(&place.seat).max(guest.since);
                let news = gazette::public(&self.table, self.titles, since)?;
                let mut occasion = from_table::occasion(&self.table, None, news);
                self.check_closed(&mut occasion)?;
                let (page, key) = (letter::letter(&occasion), self.report_key(&place.seat));
                let (log, tells) = (self.log_part(&place.seat)?, self.tells(&place.seat));
                letters.extend(self.post(vec![Outgoing { log, tells, ..self.outgoing(key, to, page, at) }])?);
            }
        }
        Ok(letters)
    }

    /// Who watches is told at the start, when the turn is another, when something is agreed, and at the end.
    fn is_due_to_watch(&mut self, word: &str) -> bool {
        if self.table.fold().phase() == Phase::Joining {
            return false;
        }
        let Some(told) = self.book.letters_to(word).next_back().map(|(_, told)| told.clone()) else { return true };
        let has_notice = self.minutes.after(told.seq).iter().any(|minute| minute.is_notice);
        let goes_on = self.minutes.after(told.seq).iter().any(Minute::is_news);
        let turn = crate::record::fold::standing::turn(&self.table.fold().game().moment()).to_owned();
        has_notice || (goes_on && (told.turn != turn || self.table.fold().outcome().is_some()))
    }

    /// A last letter to the player who held a seat until now. It goes out before his address is gone.
    pub(super) fn take_leave(
        &mut self,
        seat: &str,
        guest: &str,
        player: &str,
        at: Stamp,
    ) -> Result<Vec<String>, PostError> {
        let Some(to) = self.addresses(seat).into_iter().next() else { return Ok(Vec::new()) };
        if self.addresses(guest).contains(&to) {
            return Ok(Vec::new());
        }
        let page = page::leave(self.table.fold(), seat, player);
        let key = Key::words(seat, &page.text);
        self.post(vec![Outgoing { heading: None, ..self.outgoing(key, to, page, at) }])
    }

    fn lobby(&self, guest: Option<&Guest>, answers: &[Answered]) -> page::Lobby {
        let fold = self.table.fold();
        let chair = |(index, seat): (usize, &crate::record::charter::plan::SeatPlan)| page::Chair {
            seat: seat.word.clone(),
            player: seat.player.clone(),
            has_joined: fold.phase() != Phase::Joining || fold.has_joined(Seat::at(index)),
        };
        page::Lobby {
            state: guest.map_or(State::Gone, |guest| guest.state).word().to_owned(),
            role: if guest.is_some_and(|guest| guest.role == Role::Observer) { "observer" } else { "player" }
                .to_owned(),
            has_started: fold.phase() != Phase::Joining,
            seat: guest.and_then(|guest| guest.seat.clone()),
            wishes: guest.map_or_else(Vec::new, |guest| guest.wishes.clone()),
            name: guest.map_or_else(String::new, |guest| self.name_of(guest)),
            seats: fold.plan().seats.iter().enumerate().map(chair).collect(),
            answers: answers.to_vec(),
            asked_for: Vec::new(),
        }
    }
}

/// Whether a line is a sentence to people, with an end of its own: not the first half of what stands below it.
fn is_prose(said: &Said, below: Option<&Said>) -> bool {
    let Said::Sentence(sentence) = said else { return false };
    let is_next = matches!(below, Some(Said::Sentence(below)) if below.line == sentence.last + 1);
    let has_end = sentence.original.trim_end().ends_with(['.', '!', '?', ':', ',']);
    asked::read(&sentence.words, &sentence.original).is_none() && (has_end || !is_next)
}

/// A line to people in a letter that says something else besides is no mistake.
fn leave_alone(answer: &mut Answered, said: &Said) {
    if matches!(answer.fate, Fate::Refused { .. }) && is_prose(said, None) {
        answer.fate = Fate::Ignored { why: "no request; nothing follows from it".to_owned() };
    }
}

/// The request that a line of a guest is.
fn understood(sentence: &Sentence) -> Result<Request, String> {
    let Some(read) = asked::read(&sentence.words, &sentence.original) else {
        let word = sentence.words.split(' ').next().unwrap_or("");
        return Err(format!("not understood: `{word}`. You hold no seat in this game; `help` tells what you can say"));
    };
    if sentence.start == Start::Indented {
        return Err(
            "a request begins at the left margin; write it again, without blanks or a bullet before it".to_owned()
        );
    }
    let asked = read.map_err(|misread| misread.to_string())?;
    match asked.definition.who {
        Who::Player => Err("you hold no seat in this game; this is for players, from their seat".to_owned()),
        Who::Reader | Who::Guest => Ok(asked.request),
    }
}

fn seat_of(guest: &Guest) -> &str {
    guest.seat.as_deref().unwrap_or("")
}

fn refused(why: String) -> Fate {
    Fate::Refused { at: None, why }
}

impl State {
    /// The state as templates know it.
    fn word(self) -> &'static str {
        match self {
            State::Invited => "invited",
            State::Waiting => "waiting",
            State::Seated => "seated",
            State::Ready => "ready",
            State::Playing => "playing",
            State::Observing => "observing",
            State::Gone => "gone",
        }
    }
}
