/*! A letter that is being played: whose it is, what its writer had seen, and what its lines have led to so far. */

use super::enclosure::Enclosure;
use super::lobby::Invitation;
use super::minutes::Minutes;
use super::pass::Pass;
use crate::book::guest::Guest;
use crate::book::relayed::Relayed;
use crate::book::{Authorship, Book};
use crate::names::address::{Place, Seen};
use crate::order::sign_off::SignOff;
use crate::order::wrapped;
use engine::game::Game;
use engine::seat::Seat;
use engine::title::Titles;
use ground::hash::Hash;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use record::entry::body::{Auth, Via};
use record::fold::standing::Order;
use record::table::Table;
use report::fate::{Answered, Fate};
use report::requests::Tried;
use report::verdict::Tally;
use std::collections::{BTreeMap, VecDeque};

/// A letter being played.
pub(super) struct Turn<'a> {
    pub(super) table: &'a mut Table,
    pub(super) book: &'a mut Book,
    pub(super) minutes: &'a mut Minutes,
    pub(super) titles: Titles,
    pub(super) place: &'a Place,
    pub(super) writer: Writer,
    /// The names that the writer may put under the letter.
    pub(super) names: Vec<String>,
    pub(super) raw: Hash,
    /// A5: how well the letter's outside shows who wrote it; a signature may show more for one sentence.
    pub(super) authorship: Authorship,
    /// What the writer had seen (I2).
    pub(super) seen: Option<Seen>,
    pub(super) at: Stamp,
    /// The entries that this letter had caused before a crash, and that the book does not know.
    pub(super) before: VecDeque<Before>,
    pub(super) progress: Progress,
}

/// Whose letter it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Player(Seat),
    /// The guest, as he is after the lines so far.
    Guest(Box<Guest>),
    /// Somebody whose invitation no longer exists.
    Uninvited,
}

/// An entry of the log that this letter caused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Before {
    pub(super) seq: u64,
    /// The words in the log, if it has any; orders are sealed there.
    pub(super) said: Option<String>,
}

/// What the lines have led to so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) answers: Vec<Answered>,
    /// Notes for below the line that is being looked at.
    pub(super) notes: Vec<Answered>,
    /// What goes with the answer.
    pub(super) enclosures: Vec<Enclosure>,
    /// What goes to other players.
    pub(super) relayed: Vec<Relayed>,
    /// To whom the seat is offered.
    pub(super) invitation: Option<Invitation>,
    /// The new address for the writer's letters, and how the request came.
    pub(super) address: Option<(Mailbox, Option<Via>)>,
    /// Objections that were put on record: their entries, and their lines.
    pub(super) disputes: Vec<(u64, String)>,
    /// Set if the letter answers an older letter than that of the question: its news begin there.
    pub(super) stale_since: Option<u64>,
    /// The line that came back with its code (A6).
    pub(super) confirmed: Option<usize>,
    pub(super) dry: Option<DryRun>,
    /// Which turn of the letter this is, where acts wait for rounds of a beacon; and the lines that wait.
    pub(super) pass: Pass,
    pub(super) waiting: Vec<usize>,
    /// The lines that the receipt of the letter is to fix.
    pub(super) fixed: BTreeMap<usize, String>,
    pub(super) tally: Tally,
    /// The probable meaning of the refused line, if the game would accept it.
    pub(super) proposed: Option<String>,
    /// Whether the letter only says that its writer is away.
    pub(super) is_away: bool,
    /// The line that was refused: nothing below it is done.
    pub(super) stopped: Option<Stopped>,
    pub(super) has_answered: bool,
    /// The line that may be the writer's name under the letter.
    pub(super) signature: Option<usize>,
    /// The last lines, if they are probably what the writer puts under all his letters.
    pub(super) sign_off: Option<SignOff>,
    /// The first line that was passed over as sign-off.
    pub(super) passed_over: Option<usize>,
    /// Whether the game went on by this letter.
    pub(super) has_done: bool,
    /// The reason that the log is to give for the line at which a receipt stops.
    pub(super) refused: Option<String>,
    /// Whether something was read since the letter last made a record.
    pub(super) is_unrecorded: bool,
    /// The class of the lines that were done or kept, in a letter that nothing else ties to its seat.
    pub(super) tied: Option<Auth>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Stopped {
    Refused(usize),
    Ended(usize),
}

/// A game on which a letter is tried out.
pub(super) struct DryRun {
    pub(super) game: Box<dyn Game>,
    /// The other seat for which an answer was assumed.
    pub(super) supposed: Option<Seat>,
    /// The orders that the letter would leave.
    pub(super) orders: Vec<Order>,
    pub(super) steps: Vec<Tried>,
}

impl std::fmt::Debug for DryRun {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DryRun")
    }
}

impl Turn<'_> {
    /// The seat that the letter speaks for.
    pub(super) fn seat(&self) -> Seat {
        match self.writer {
            Writer::Player(seat) => seat,
            Writer::Guest(_) | Writer::Uninvited => {
                unreachable!("guests answer no question and make no player's request")
            }
        }
    }

    pub(super) fn is_player(&self) -> bool {
        matches!(self.writer, Writer::Player(_))
    }

    /// Whether the question that is asked could take some words for the beginning of a sentence.
    pub(super) fn begins_a_sentence(&self, words: &str) -> bool {
        wrapped::begins_a_sentence(words, |words| self.table.read(self.seat(), words).map(drop))
    }
}

/// An answer about the whole letter.
pub(super) fn whole(fate: Fate) -> Answered {
    Answered { line: "(the whole letter)".to_owned(), fate }
}
