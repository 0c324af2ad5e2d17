/*! The letter of a guest, who holds no seat: how far his invitation comes by it. [`super::lobby`] does what follows.
*/

use super::clerk::Clerk;
use super::docket::{Writer, whole};
use super::is_done;
use super::position::Position;
use crate::book::Event;
use crate::book::fault::PostError;
use crate::book::guest::Guest;
use crate::order::sentences::{Form, Reading, Said};
use record::entry::body::Auth;
use record::fold::Phase;
use report::fate::Fate;
use report::guest::{Role, Stage};

/// P7: after this number of lines that are no requests, the rest is not read.
const PROSE_MAX: usize = 5;

impl Position<'_> {
    /// The guest in another state, which this letter causes.
    fn in_state(&self, state: Stage, guest: &Guest) -> Guest {
        Guest { state, raw: Some(self.cover.raw), ..guest.clone() }
    }

    /// Why a guest cannot take a seat yet: where every letter must be signed, the table has to know his key first.
    fn lacks_key(&self, guest: &Guest) -> Option<String> {
        let fold = self.table.fold();
        let is_due = fold.plan().min_auth == Auth::Ssh && fold.phase() == Phase::Joining;
        (is_due && guest.key.is_none()).then(|| {
            "every letter of this game must be signed: write `key ssh-ed25519 AAAA...`, the public half of your key, \
             in a line above it (`ssh-keygen -t ed25519` makes a key)"
                .to_owned()
        })
    }

    pub(super) fn is_ready(&self, guest: &Guest) -> Result<Guest, String> {
        match guest.state {
            Stage::Ready | Stage::Playing => Ok(guest.clone()),
            Stage::Seated => self.lacks_key(guest).map_or_else(|| Ok(self.in_state(Stage::Ready, guest)), Err),
            Stage::Invited | Stage::Waiting | Stage::Observing | Stage::Gone => {
                Err("no seat was found for you yet; you will be asked when there is one".to_owned())
            }
        }
    }

    pub(super) fn observes(&self, guest: &Guest) -> Result<Guest, String> {
        if !guest.is_before() && !matches!(guest.state, Stage::Observing | Stage::Gone) {
            return Err("you hold a seat and get its letters".to_owned());
        }
        if self.table.fold().phase() == Phase::Ended {
            return Err("the game is over".to_owned());
        }
        Ok(Guest { role: Role::Observer, seat: None, ..self.in_state(Stage::Observing, guest) })
    }

    pub(super) fn leaves(&self, guest: &Guest) -> Result<Guest, String> {
        if guest.is_before() || matches!(guest.state, Stage::Observing | Stage::Gone) {
            Ok(self.in_state(Stage::Gone, guest))
        } else {
            Err("you hold a seat; `concede` or `delegate` from there".to_owned())
        }
    }

    /// `seats` are the seats that the guest would like, the best one first.
    pub(super) fn joins(&self, guest: &Guest, seats: &[String]) -> Result<Guest, String> {
        let fold = self.table.fold();
        match guest.state {
            Stage::Invited | Stage::Waiting => {}
            Stage::Seated => {
                let seat = guest.seat.as_deref().unwrap_or("");
                return Err(format!("the seat {seat} is yours: say `ready`"));
            }
            Stage::Ready | Stage::Playing => return Ok(guest.clone()),
            Stage::Observing | Stage::Gone => {
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
        if let Some(why) = self.lacks_key(guest) {
            return Err(why);
        }
        if let Some(seat) = &guest.seat {
            return if seats.is_empty() || seats.contains(seat) {
                Ok(Guest { since: fold.head().seq, ..self.in_state(Stage::Ready, guest) })
            } else {
                Err(format!("the seat offered to you is {seat}; say `join`, or `leave`"))
            };
        }
        if fold.phase() != Phase::Joining {
            return Err("the game has started without you; every seat is taken".to_owned());
        }
        let row = self.book.guests().map(|other| other.row).max().unwrap_or(0) + 1;
        let row = if guest.state == Stage::Waiting { guest.row } else { row };
        Ok(Guest { wishes: seats.to_vec(), row, ..self.in_state(Stage::Waiting, guest) })
    }
}

impl Clerk<'_> {
    /// Plays the letter of a guest, line by line, up to the first that is refused. A request that is made again
    /// counts as done, and changes nothing.
    pub(super) fn play_guest(&mut self, reading: &Reading) -> Result<(), PostError> {
        self.tell_chatter(None, reading);
        let told = self.docket.fates.answers.len();
        let mut read_to = 0;
        let mut prose = Vec::new();
        for (index, said) in reading.said.iter().enumerate() {
            let before = self.docket.fates.answers.len();
            read_to = self.line(said, read_to)?;
            let is_refused = |fate: &Fate| matches!(fate, Fate::Refused { .. });
            if !self.docket.fates.answers[before..].iter().any(|answer| is_refused(&answer.fate)) {
                continue;
            }
            if !is_request(said) {
                prose.push(before);
            }
            // P7: a guest often begins with a word of greeting; it changes nothing, and does not stop the letter.
            if index >= PROSE_MAX || !is_prose(said, reading.said.get(index + 1)) {
                break;
            }
        }
        if self.docket.fates.answers.iter().any(is_done) {
            // A line of prose beside a request is no mistake.
            for index in prose {
                self.docket.fates.answers[index].fate = Fate::ignored("no request; nothing follows from it");
            }
        }
        if self.docket.fates.answers.len() == told {
            let why = "no line of your own was found in it; write above what you quote";
            self.docket.fates.answers.push(whole(Fate::refused(why)));
        }
        Ok(())
    }

    /// Notes how far the guest comes by a request, if he may make it now.
    pub(super) fn becomes(
        &mut self,
        done: Fate,
        next: impl FnOnce(Position<'_>, &Guest) -> Result<Guest, String>,
    ) -> Result<Fate, PostError> {
        let Writer::Guest(guest) = self.cover.writer.clone() else {
            unreachable!("requests of guests are made by guests")
        };
        let next = match next(self.position(), &guest) {
            Ok(next) => Box::new(next),
            Err(why) => return Ok(Fate::refused(why)),
        };
        if next != guest {
            self.book.append(Event::Guest(next.clone()))?;
            self.cover.writer = Writer::Guest(next);
        }
        Ok(done)
    }

    /// As [`Clerk::becomes`], for what a guest may choose until his seat is fixed. A guest who joins takes the seat
    /// only when the whole letter is done: the lines below count as well.
    pub(super) fn chooses(&mut self, done: Fate, next: impl FnOnce(Guest) -> Guest) -> Result<Fate, PostError> {
        self.becomes(done, |_, guest| {
            if guest.is_before() || guest.state == Stage::Ready {
                Ok(next(guest.clone()))
            } else {
                Err("it is too late for that: nothing about your seat can be chosen any more".to_owned())
            }
        })
    }
}

/// Whether a line begins with the word of a request.
fn is_request(said: &Said) -> bool {
    match said {
        Said::Sentence(sentence) => matches!(sentence.form, Form::Request(_) | Form::Misread(_)),
        Said::Refused(_) => true,
    }
}

/// Whether a line is prose with an end of its own: not the first half of the line below it.
fn is_prose(said: &Said, below: Option<&Said>) -> bool {
    let Said::Sentence(sentence) = said else { return false };
    let is_next = matches!(below, Some(Said::Sentence(below)) if below.line == sentence.last + 1);
    let has_end = sentence.original.trim_end().ends_with(['.', '!', '?', ':', ',']);
    !is_request(said) && (has_end || !is_next)
}
