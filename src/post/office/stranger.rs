/*! Strangers at the door: a stranger can ask for a place at a table by `observe NAME` or `join NAME`, if its charter
welcomes guests (`welcome: watchers` or `players`).

He is not admitted at once: he gets an invitation, at most one a week (L3), and accepts it by answering. So nobody can
subscribe somebody else, and a request under a false name costs one letter.
*/

use crate::book::Reception;
use crate::book::fault::PostError;
use crate::desk::lobby::{Invitation, NotInvited};
use crate::desk::{Desk, Received};
use crate::names::address::{Astray, Place};
use crate::names::message_id;
use crate::order::request::{self, Request};
use crate::order::sentences::{self, Said, Start};
use crate::order::vocabulary;
use engine::title::Titles;
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use record::entry::body::Welcome;
use record::fold::Phase;
use report::fate::{Answered, Fate};
use report::guest::Role;

/// The most guests a game may have before strangers are turned away.
const STRANGERS_MAX: usize = 40;

/// What a stranger asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    pub game: String,
    role: Role,
    /// The line with the request.
    line: String,
}

/// What a letter that names no seat asks for, if its first request is for a place at a table.
pub(crate) fn wish(letter: &Letter, titles: Titles) -> Option<Wish> {
    let vocabulary = vocabulary::of_all(titles);
    let reading = sentences::read(letter.text.as_ref().ok()?, vocabulary, &Limits::ORDINARY).ok()?;
    reading.said.iter().find_map(|said| {
        let Said::Sentence(sentence) = said else { return None };
        let (word, game) = sentence.words.split_once(' ')?;
        let role = match request::read(word, word)?.ok()?.request {
            Request::Observe => Role::Observer,
            Request::Join { .. } => Role::Player,
            _ => return None,
        };
        let game = game.trim_end_matches(['.', '!']);
        let is_asked = sentence.start == Start::Margin && message_id::is_game(game);
        is_asked.then(|| Wish { game: game.to_owned(), role, line: sentence.original.clone() })
    })
}

impl Desk {
    /// Writes an invitation to a stranger who asks for one; otherwise says why he gets none.
    pub(crate) fn welcome(
        &mut self,
        letter: &Letter,
        wish: &Wish,
        at: Stamp,
    ) -> Result<Result<(Place, Received), Astray>, PostError> {
        let closed = || Astray::NotWelcome { game: wish.game.clone() };
        let Ok(address) = letter.envelope.author.clone() else { return Ok(Err(closed())) };
        let is_open = match self.table.fold().plan().welcome {
            Some(Welcome::Players) => true,
            Some(Welcome::Watchers) => wish.role == Role::Observer,
            None => false,
        };
        if !is_open || self.book.guests().count() >= STRANGERS_MAX {
            return Ok(Err(closed()));
        }
        let name = letter.envelope.author_name.clone();
        let seat = if wish.role == Role::Player { self.free_seat() } else { None };
        let invitation = Invitation { address, name, role: wish.role, seat, given_by: None };
        match self.invite(&invitation)? {
            Ok(seat) => {
                let letters = self.settle_guests(at)?;
                let said = Fate::Noted { how: "an invitation is written".to_owned() };
                let answers = vec![Answered { line: wish.line.clone(), fate: said }];
                let received = Received { outcome: Reception::Played, letters, answers, ..Received::again() };
                Ok(Ok((Place { game: self.name(), seat }, received)))
            }
            Err(NotInvited::Already { .. }) => Ok(Err(Astray::Invited { game: wish.game.clone() })),
            Err(NotInvited::NoSeat | NotInvited::AllSeatsSpokenFor | NotInvited::Taken { .. }) => {
                Ok(Err(Astray::Full { game: wish.game.clone() }))
            }
            Err(_) => Ok(Err(closed())),
        }
    }

    /// A free seat of a game under way.
    fn free_seat(&self) -> Option<String> {
        let fold = self.table.fold();
        let mut free = fold.council().free().filter(|_| fold.phase() == Phase::Playing);
        free.next().map(|seat| fold.plan().word(seat).to_owned())
    }
}
