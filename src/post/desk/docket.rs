/*! The docket of a letter: whose it is and what shows that, and what its lines have come to so far.

The docket is plain data. A line is heard and decided by what stands here, in the fold and in the book
([`super::position`]); only [`super::clerk`] writes it on.
*/

use super::enclosure::Enclosure;
use super::lobby::Invitation;
use super::own::OwnLines;
use super::pass::Fixing;
use super::trial::DryRun;
use crate::book::Authorship;
use crate::book::guest::Guest;
use crate::book::relayed::Relayed;
use crate::names::address::{Place, Seen};
use engine::seat::Seat;
use engine::title::Titles;
use ground::hash::Hash;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use record::entry::body::{Auth, Via};
use report::fate::{Answered, Fate};
use report::verdict::Tally;

/// What a letter shows on its outside.
pub(super) struct Cover<'a> {
    pub(super) titles: Titles,
    pub(super) place: &'a Place,
    pub(super) writer: Writer,
    /// The names that the writer may put under the letter.
    pub(super) names: Vec<String>,
    pub(super) raw: Hash,
    /// The hash of its Message-ID, as entries have it.
    pub(super) message: Option<Hash>,
    /// A5: how well the letter's outside shows who wrote it; a signature may show more for one sentence.
    pub(super) authorship: Authorship,
    /// What the writer had seen (I2).
    pub(super) seen: Option<Seen>,
    pub(super) at: Stamp,
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

/// What a letter has come to.
#[derive(Default)]
pub(super) struct Docket {
    pub(super) fates: Fates,
    pub(super) follows: Follows,
    pub(super) own: OwnLines,
    pub(super) fixing: Fixing,
    /// The line that came back with its code (A6).
    pub(super) confirmed: Option<usize>,
    /// The game on which the letter is tried out, if it only asks what would happen.
    pub(super) dry: Option<DryRun>,
}

/// What became of the lines so far.
#[derive(Debug, Default)]
pub(super) struct Fates {
    pub(super) answers: Vec<Answered>,
    /// Notes for below the line that is being looked at.
    pub(super) notes: Vec<Answered>,
    pub(super) tally: Tally,
    /// The probable meaning of the refused line, if the game would accept it.
    pub(super) proposed: Option<String>,
    /// Set if the letter answers an older letter than that of the question: its news begin there.
    pub(super) stale_since: Option<u64>,
    /// The lines in doubt for which the letter is held.
    pub(super) held: Vec<String>,
    /// Whether the letter only says that its writer is away.
    pub(super) is_away: bool,
    /// The line that was refused: nothing below it is done.
    pub(super) stopped: Option<Stopped>,
    pub(super) has_answered: bool,
    /// Whether the game went on by this letter.
    pub(super) has_done: bool,
    /// The reason that the log is to give for the line at which a receipt stops.
    pub(super) refused: Option<String>,
    /// Whether something was read since the letter last made a record.
    pub(super) is_unrecorded: bool,
    /// The class of the lines that were done or kept, in a letter that nothing else ties to its seat.
    pub(super) tied: Option<Auth>,
}

/// What goes out once the letter is done, besides the state of the game.
#[derive(Debug, Default)]
pub(super) struct Follows {
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
}

/// Why nothing below a line is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    Refused(usize),
    Ended(usize),
}

impl Cover<'_> {
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
}

/// An answer about the whole letter.
pub(super) fn whole(fate: Fate) -> Answered {
    Answered { line: "(the whole letter)".to_owned(), fate }
}
