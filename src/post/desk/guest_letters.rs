//! Letters to guests: they are told how far their invitation has come, and to those who watch, how the game goes.

use super::enclosure::Enclosure;
use super::minutes::Minute;
use super::{Case, Desk, is_done};
use crate::engine::seat::Seat;
use crate::mail::draft::{Draft, Purpose};
use crate::post::book::fault::PostError;
use crate::post::book::guest::Guest;
use crate::record::fold::Phase;
use crate::record::value::hash::sha256;
use crate::record::value::stamp::Stamp;
use crate::report::gazette;
use crate::report::guest as page;
use crate::report::guest::{Role, Stage};
use crate::report::occasion::Answered;
use crate::report::{from_table, letter};

impl Desk {
    /// The letter that answers a letter of a guest.
    pub(super) fn answer_to_guest(
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
            if let Some(text) = enclosure.text(&self.table, self.titles, None, since)? {
                lobby.asked_for.push(text.lines().map(str::to_owned).collect());
            }
        }
        let page = page::letter(self.table.fold(), &lobby);
        let hash = case.letter_in.raw.to_string();
        let id = self.message_id(case.place, Some(hash[..12].to_owned()));
        let mut references = case.letter.envelope.references.clone();
        references.extend(case.letter_in.mail.clone());
        let draft = Draft {
            purpose: Purpose::Answer,
            message_id: id.to_string(),
            date: Stamp::parse(&case.letter_in.at).unwrap_or_else(|| self.table.fold().at()),
            ours: self.ours.clone(),
            to: author,
            subject: page.subject,
            in_reply_to: case.letter_in.mail.clone(),
            references,
            heading: Some(self.heading(case.place)),
            text: page.text,
            log: None,
        };
        // What his state is stands in this letter.
        if let Some(guest) = guest.filter(|guest| guest.told != Some(guest.state)) {
            self.note_guest(Guest { told: Some(guest.state), ..guest })?;
        }
        self.queue_untold(&id.file_name(), &draft).map(Some)
    }

    /// Writes to guests whose invitation has come further, and to those who watch; the book is to be settled.
    pub(crate) fn write_to_guests(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        let guests: Vec<Guest> = self.book.guests().cloned().collect();
        for guest in guests {
            let place = self.place_of(&guest);
            let Some(to) = self.addresses(&place.seat).into_iter().next() else { continue };
            let is_news = guest.told != Some(guest.state);
            if is_news {
                let page = page::letter(self.table.fold(), &self.lobby(Some(&guest), &[]));
                let mark = sha256(page.text.as_bytes()).to_string()[..12].to_owned();
                let id = self.message_id(&place, Some(mark));
                let draft = self.report_to(&place, to.clone(), id.to_string(), page, at);
                letters.push(self.queue_untold(&id.file_name(), &draft)?);
                self.note_guest(Guest { told: Some(guest.state), ..guest.clone() })?;
            }
            if guest.state == Stage::Observing && self.is_due_to_watch(&place.seat) {
                // What was before he came is in the log that comes along, and in `history`.
                let since = self.book.told(&place.seat).max(guest.since);
                let news = gazette::public(&self.table, self.titles, since)?;
                let mut occasion = from_table::occasion(&self.table, None, news);
                self.check_closed(&mut occasion)?;
                let page = letter::letter(&occasion);
                let id = self.message_id(&place, None);
                let log = self.log_part(&place.seat)?;
                let draft = Draft { log, ..self.report_to(&place, to, id.to_string(), page, at) };
                letters.extend(self.queue(&[(id, draft, place)])?);
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

    fn report_to(
        &self,
        place: &crate::post::names::address::Place,
        to: crate::mail::letter::mailbox::Mailbox,
        message_id: String,
        page: letter::Letter,
        at: Stamp,
    ) -> Draft {
        Draft {
            purpose: Purpose::Report,
            message_id,
            date: at.max(self.table.fold().at()),
            ours: self.ours.clone(),
            to,
            subject: page.subject,
            in_reply_to: None,
            references: Vec::new(),
            heading: Some(self.heading(place)),
            text: page.text,
            log: None,
        }
    }

    /// A last letter to whoever held a seat until now. It goes out before his address is gone.
    pub(crate) fn take_leave(
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
        let place = crate::post::names::address::Place { game: self.name(), seat: seat.to_owned() };
        let page = page::leave(self.table.fold(), seat, player);
        let mark = sha256(page.text.as_bytes()).to_string()[..12].to_owned();
        let id = self.message_id(&place, Some(mark));
        let draft = Draft { heading: None, ..self.report_to(&place, to, id.to_string(), page, at) };
        Ok(vec![self.queue_untold(&id.file_name(), &draft)?])
    }

    fn lobby(&self, guest: Option<&Guest>, answers: &[Answered]) -> page::Lobby {
        let fold = self.table.fold();
        let chair = |(index, seat): (usize, &crate::record::charter::plan::SeatPlan)| page::Chair {
            seat: seat.word.clone(),
            player: seat.player.clone(),
            has_joined: fold.phase() != Phase::Joining || fold.has_joined(Seat::at(index)),
        };
        page::Lobby {
            state: guest.map_or(Stage::Gone, |guest| guest.state),
            role: guest.map_or(Role::Player, |guest| guest.role),
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
