/*! A letter comes to the desk of its game: it is kept and noted, played, answered, and noted again. */

use super::address_change::ChangedBy;
use super::authorship::{self, Outside, Papers};
use super::case::Case;
use super::clerk::Clerk;
use super::docket::{Before, Cover, Docket, Writer};
use super::ear::Ear;
use super::go_on::go_on;
use super::minutes::Minute;
use super::pass::Pass;
use super::{Desk, Received, is_done, seen};
use crate::book::fault::PostError;
use crate::book::outgoing::Thread;
use crate::book::{Authorship, Event, LetterIn, Reception};
use crate::names::address::{self, Place};
use crate::order::{sentences, vocabulary};
use engine::seat::Seat;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use record::entry::body::Kind;
use report::fate::Fate;
use std::collections::VecDeque;

impl Desk {
    /// Receives a letter that speaks for a seat of this game.
    ///
    /// # Errors
    /// Something cannot be written; the letter is taken up again by [`Desk::recover`].
    pub fn receive(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<Received, PostError> {
        self.look_for_lost(letter)?;
        self.must_have_answered(letter, place, at)?;
        // What was fixed before this letter came is played before it.
        let played = self.play_rounds(at)?;
        let mut received = self.take_letter(raw, letter, place, at)?;
        received.letters.extend(played);
        Ok(received)
    }

    fn take_letter(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<Received, PostError> {
        let seen = seen(letter, &self.ours, place, &self.table);
        let text = letter.text_hash();
        let twin = self.book.letter_in(&letter.raw).cloned().or_else(|| self.called_alike(letter));
        if let Some(twin) = &twin {
            if twin.done.is_some() && (twin.raw == letter.raw || twin.text == text) {
                return self.again(twin, at);
            }
            if self.waits(&twin.raw) && (twin.raw == letter.raw || twin.text == text) {
                return Ok(Received::again());
            }
            if twin.raw != letter.raw && twin.text != text {
                return self.other_of_that_name(raw, letter, place, at);
            }
        }
        let (letter_in, before) = match twin.filter(|twin| twin.raw == letter.raw) {
            Some(twin) => (twin.clone(), self.before(&twin)),
            None => (self.take(raw, letter, place, at)?, VecDeque::new()),
        };
        let letter_in = self.authored(raw, letter, letter_in)?;
        self.play(Case { letter, place, seen, letter_in, before }, at)
    }

    pub(super) fn authored(&mut self, raw: &[u8], letter: &Letter, letter_in: LetterIn) -> Result<LetterIn, PostError> {
        let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
        let bears_token = address::bears_token(&letter.envelope, &self.ours, &place, self.table.secrets());
        let seen = seen(letter, &self.ours, &place, &self.table);
        let outside = Outside { raw, letter, bears_token, place: &place, seen: seen.as_ref() };
        let Desk { judges, table, minutes, book, vault, .. } = self;
        authorship::find(judges, Papers { table, minutes, book, vault }, outside, letter_in)
    }

    pub(super) fn take(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        place: &Place,
        at: Stamp,
    ) -> Result<LetterIn, PostError> {
        self.vault.keep(raw)?;
        let mail = letter.envelope.message_id.clone();
        let (hash, text) = (letter.raw, letter.text_hash());
        let seat = Some(place.seat.clone());
        self.book.append(Event::Taken { at: at.to_string(), raw: hash, text, mail, seat })?;
        Ok(self.book.letter_in(&hash).expect("the letter was just taken").clone())
    }

    pub(super) fn play(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let read = match &case.letter.text {
            Ok(text) => sentences::read(text, vocabulary::of_all(self.titles), &Limits::ORDINARY)
                .map(|reading| (text, reading))
                .map_err(|too_much| too_much.to_string()),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        let held = match &read {
            Ok((_, reading)) => self.held(&case, reading)?,
            Err(_) => None,
        };
        self.with_clerk(case, at, |clerk| match read {
            Ok((text, reading)) => {
                clerk.held = held;
                clerk.play(text, &reading)
            }
            Err(why) => clerk.refuse_whole(&why),
        })
    }

    /// Whose letter it is, and the names that may stand under it.
    fn writer(&self, case: &Case<'_>) -> (Writer, Vec<String>) {
        let name = &case.letter.envelope.author_name;
        let plan = self.table.fold().plan();
        if let Some(seat) = plan.seat(&case.place.seat) {
            let player = plan.seats[seat.index()].player.clone();
            return (Writer::Player(seat), [Some(player), name.clone()].into_iter().flatten().collect());
        }
        let Some(mut guest) = self.book.guest(&case.place.seat).cloned() else {
            return (Writer::Uninvited, Vec::new());
        };
        if guest.name.is_none() {
            guest.name.clone_from(name);
        }
        (Writer::Guest(Box::new(guest)), Vec::new())
    }

    /// Plays a letter, answers it, and reports to everybody concerned.
    pub(super) fn with_clerk(
        &mut self,
        case: Case<'_>,
        at: Stamp,
        play: impl FnOnce(&mut Clerk<'_>) -> Result<(), PostError>,
    ) -> Result<Received, PostError> {
        let (writer, names) = self.writer(&case);
        let nobody = || Authorship { auth: None, why: String::new(), is_checked: true };
        let cover = Cover {
            titles: self.titles,
            place: case.place,
            writer,
            names,
            raw: case.letter_in.raw,
            message: case.letter_in.message(),
            authorship: case.letter_in.authorship.clone().unwrap_or_else(nobody),
            seen: case.seen.clone(),
            at,
        };
        let mut clerk = Clerk {
            table: &mut self.table,
            book: &mut self.book,
            minutes: &mut self.minutes,
            cover,
            before: case.before.clone(),
            docket: Docket::default(),
            ear: Ear::default(),
            held: None,
            released: None,
        };
        play(&mut clerk)?;
        let Clerk { cover: Cover { writer, .. }, docket, released, .. } = clerk;
        let is_played = docket.fates.has_done || docket.fates.answers.iter().any(is_done);
        let outcome = if is_played { Reception::Played } else { Reception::Refused };
        let (answer, letters) = match writer {
            Writer::Player(seat) => self.after_player(&case, seat, &docket, at)?,
            Writer::Guest(_) | Writer::Uninvited => self.after_guest(&case, &docket, at)?,
        };
        self.note_released(released, answer.as_ref(), at)?;
        match docket.fixing.pass {
            Pass::Fixed => self.note_waits(&case.letter_in, at)?,
            Pass::Only | Pass::Busy | Pass::Second | Pass::Void => {
                self.note_done(case.letter_in.raw, outcome, answer, at)?
            }
        }
        self.forget_what_was_told();
        let set_aside = self.table.set_aside()[self.set_aside_told..].to_vec();
        self.set_aside_told += set_aside.len();
        let (answers, disputes) = (docket.fates.answers, docket.follows.disputes);
        Ok(Received { outcome, letters, answers, disputes, set_aside })
    }

    /// What follows from a player's letter: the answer to it, and all letters, the answer first.
    fn after_player(
        &mut self,
        case: &Case<'_>,
        seat: Seat,
        docket: &Docket,
        at: Stamp,
    ) -> Result<(Option<String>, Vec<String>), PostError> {
        go_on(&mut self.table, &mut self.book, at)?;
        self.close(at)?;
        let answer = match docket.fixing.pass {
            Pass::Fixed => None,
            Pass::Only | Pass::Busy | Pass::Second | Pass::Void => self.answer(case, seat, docket)?,
        };
        let mut letters: Vec<String> = answer.clone().into_iter().collect();
        let references = case.letter.envelope.references.clone();
        let thread = Thread::Answers { mail: case.letter_in.mail.clone(), references };
        let answered =
            (docket.fixing.pass == Pass::Fixed).then_some((&*case.place.seat, &*docket.fates.answers, thread));
        letters.extend(self.tell_receipts(answered, at)?);
        let date = Stamp::parse(&case.letter_in.at).unwrap_or(at);
        for relayed in &docket.follows.relayed {
            self.note_relayed(relayed)?;
        }
        letters.extend(self.relay(date)?);
        if let Some(invitation) = &docket.follows.invitation {
            // After a crash he may be invited already, and needs no second letter.
            let _ = self.invite(invitation)?;
        }
        if let Some((address, via)) = &docket.follows.address {
            letters.extend(self.change_address(case.place, address, ChangedBy::Player, date)?);
            self.record_address(seat, via.clone(), at)?;
        }
        letters.extend(self.seat_guests(at)?);
        letters.extend(self.write_to_guests(at)?);
        let due = self.due(at);
        letters.extend(self.write(due)?);
        Ok((answer, letters))
    }

    /// What follows from a guest's letter. Seats are taken first: the answer tells how far the invitation has come.
    fn after_guest(
        &mut self,
        case: &Case<'_>,
        docket: &Docket,
        at: Stamp,
    ) -> Result<(Option<String>, Vec<String>), PostError> {
        let settled = self.seat_guests(at)?;
        let answer = self.answer_to_guest(case, &docket.fates.answers, &docket.follows.enclosures)?;
        let mut letters: Vec<String> = answer.iter().cloned().chain(settled).collect();
        // The answer has already told its reader what this would tell him.
        letters.extend(self.write_to_guests(at)?);
        letters.extend(self.report(at)?);
        Ok((answer, letters))
    }

    /// Entries of the log that a letter caused and the book does not know: a crash came between the two.
    pub(super) fn before(&mut self, letter_in: &LetterIn) -> VecDeque<Before> {
        let known: Vec<u64> = letter_in.fates.values().filter_map(done_in).collect();
        let caused = self.minutes.of(&mut self.table).caused_by(&letter_in.raw);
        let is_of_a_line = |entry: &&Minute| is_of_a_letter(entry.kind) && !known.contains(&entry.seq);
        caused.filter(is_of_a_line).map(|entry| Before { seq: entry.seq, said: entry.said.clone() }).collect()
    }
}

fn done_in(fate: &Fate) -> Option<u64> {
    match fate {
        Fate::Done { seq, .. } => *seq,
        Fate::Kept { .. } | Fate::Refused { .. } | Fate::Ignored { .. } | Fate::Noted { .. } => None,
    }
}

/// Whether a line of a letter makes entries of this kind.
fn is_of_a_letter(kind: Kind) -> bool {
    let is_agreed = matches!(kind, Kind::Motion | Kind::Vote | Kind::Concede | Kind::Dispute | Kind::Consent);
    is_agreed || matches!(kind, Kind::Say | Kind::Clock | Kind::Keys)
}
