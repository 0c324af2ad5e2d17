//! Letters to guests: they tell how far the invitation has come, and to observers, how the game goes.

use super::case::Case;
use super::enclosure::Enclosure;
use super::minutes::Minute;
use super::{Desk, is_done};
use crate::book::fault::PostError;
use crate::book::guest::Guest;
use crate::book::outgoing::{Key, Outgoing, Tells, Thread};
use engine::seat::Seat;
use ground::stamp::Stamp;
use record::fold::Phase;
use report::fate::Answered;
use report::guest as page;
use report::guest::{Role, Stage};
use report::{from_table, gazette, letter};

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
        let date = Stamp::parse(&case.letter_in.at).unwrap_or_else(|| self.table.fold().at());
        let references = case.letter.envelope.references.clone();
        let letter = Outgoing {
            date,
            thread: Thread::Answers { mail: case.letter_in.mail.clone(), references },
            // This letter tells how far his invitation has come.
            tells: guest.map_or(Tells::Nothing, |guest| Tells::Invitation(guest.state)),
            ..self.outgoing(Key::answer(&case.place.seat, &case.letter_in.raw), author, page, date)
        };
        Ok(self.post(vec![letter])?.pop())
    }

    /// Writes to guests whose invitation has come further, and to observers. The book is to be settled afterwards.
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
            if guest.state == Stage::Observing && self.is_due_to_watch(&place.seat) {
                // What happened before he came is in the log that comes along, and in `history`.
                let since = self.book.told(&place.seat).max(guest.since);
                let news = gazette::public(&self.table, self.titles, since)?;
                let mut occasion = from_table::occasion(&self.table, None, news);
                self.check_closed(&mut occasion, &place.seat)?;
                let (page, key) = (letter::letter(&occasion), self.report_key(&place.seat));
                let (files, tells) = (self.files(&place.seat)?, self.tells(&place.seat));
                letters.extend(self.post(vec![Outgoing { files, tells, ..self.outgoing(key, to, page, at) }])?);
            }
        }
        Ok(letters)
    }

    /// Whether an observer gets a letter: at the start, when a new turn begins, when something is agreed, and at the
    /// end.
    fn is_due_to_watch(&mut self, word: &str) -> bool {
        if self.table.fold().phase() == Phase::Joining {
            return false;
        }
        let Some(told) = self.book.letters_to(word).next_back().map(|(_, told)| told.clone()) else { return true };
        let untold = self.minutes.of(&mut self.table).after(told.seq);
        let has_notice = untold.iter().any(|minute| minute.is_notice);
        let goes_on = untold.iter().any(Minute::is_news);
        let turn = self.table.fold().game().turn();
        has_notice || (goes_on && (told.turn != turn || self.table.fold().outcome().is_some()))
    }

    /// Writes a last letter to the player who held a seat until now, before his address is removed.
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

    fn salt_of(&self, word: &str) -> Option<String> {
        let place = self.table.secrets().seats.iter().find(|seat| seat.seat == word)?;
        Some(place.salted()?.salt.to_string())
    }

    fn lobby(&self, guest: Option<&Guest>, answers: &[Answered]) -> page::Lobby {
        let fold = self.table.fold();
        let chair = |(index, seat): (usize, &record::charter::plan::SeatPlan)| page::Chair {
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
            salt: guest.and_then(|guest| self.salt_of(&guest.word())),
            seats: fold.plan().seats.iter().enumerate().map(chair).collect(),
            answers: answers.to_vec(),
            asked_for: Vec::new(),
        }
    }
}
