/*! The desk of one game: its table, its post book, its vault and its outbox, under one lock.

The entry first, the letters after it. A letter that comes in is kept and noted, played, answered, and noted again.
Whatever is interrupted goes on when the desk is next opened, and gives the same entries and the same letters, byte
for byte (I3, I6).

The desk knows no server, no other game and no rule of any game.

In reading order, for a letter that comes in: [`receive`] takes it, as a [`case`]; [`again`] is for one that has
come before, and [`resumed`] for one that a crash interrupted. [`authorship`] finds who wrote it, with [`tied`]. Its
way from there: its lines are the writer's [`own`]; each is heard at its [`position`] ([`hearing`], and [`ear`] reads
nothing twice); that decides the [`act`]; the [`clerk`] does it, and notes on the [`docket`] what came of it; what
follows goes out with one letter a reader.

[`play`] goes through the lines; [`sentence`] is an answer to the game, and [`trial`] one that is only tried.
[`answering`] decides on requests and standing orders, with [`proof`] and [`confirm`], and [`requests`] carries them
out. [`guest_turn`] and [`lobby`] are invitations and seats.
[`ahead`] are lines that are left for later, and [`doubt`] holds letters with a line in doubt.
[`unread`] tells what was passed over; [`objection`] says why the table refuses.

For letters that go out: [`reports`], [`guest_letters`], [`enclosure`] (what a letter asked to read), [`files`] (what
is attached, some of it from a log that is [`closed`]), [`press`], [`address_change`].

[`receipts`] lets acts wait for their dice, with [`pass`] and [`beacon`]. Without a letter: [`go_on`], [`tick`],
[`reminder`], [`reach`], [`outage`], [`pause`]. [`lost`] stops a game whose log was put back from an older backup, and
[`restored`] one that was put back with its office, until it is known what its players have seen. [`minutes`] is what
all of them know of the log.
*/

mod act;
pub mod address_change;
mod again;
mod ahead;
mod answer;
mod answering;
pub mod authorship;
pub mod beacon;
mod case;
mod clerk;
mod closed;
mod confirm;
mod docket;
mod doubt;
mod ear;
pub mod enclosure;
mod files;
mod go_on;
mod guest_letters;
mod guest_turn;
mod hearing;
pub mod lobby;
pub mod lost;
mod minutes;
pub mod objection;
pub mod outage;
mod own;
mod pass;
pub mod pause;
mod play;
mod position;
pub mod press;
mod proof;
pub mod reach;
pub mod receipts;
mod receive;
pub mod reminder;
pub mod reports;
mod requests;
pub mod restored;
mod resumed;
mod sentence;
pub mod tick;
mod tied;
mod trial;
mod unread;

use self::authorship::Judges;
use self::beacon::Beacon;
use self::closed::Closed;
use self::minutes::Minutes;
use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::book::vault::Vault;
use crate::book::{Book, Reception};
use crate::names::address::{self, Place, Seen};
use crate::reply::quoting;
use engine::need::Need;
use engine::title::Titles;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use mail::letter::Letter;
use mail::letter::mailbox::Mailbox;
use record::commit::words::in_subject;
use record::file::log::{Log, SetAside};
use record::file::secrets::{SeatSecrets, Secrets};
use record::fold::Phase;
use record::table::Table;
use record::table::table_error::TableError;
use report::fate::{Answered, Fate};
use report::html::Look;
use std::time::Duration;
use store::drawer::Drawer;

/// I1: an answer that got lost is sent again at most once in this time.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// What became of a letter at the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub outcome: Reception,
    /// The file names of the letters that were put into the outbox.
    pub letters: Vec<String>,
    /// What became of every line.
    pub answers: Vec<Answered>,
    /// The objections that the letter has put on record, their entries and lines: the host is to be told.
    pub disputes: Vec<(u64, String)>,
    /// What an append cut off by a crash had left at the end of the log; the host is to be told.
    pub set_aside: Vec<SetAside>,
}

impl Received {
    /// What becomes of a letter that was dealt with before.
    pub fn again() -> Received {
        let (letters, answers, disputes) = (Vec::new(), Vec::new(), Vec::new());
        Received { outcome: Reception::Again, letters, answers, disputes, set_aside: Vec::new() }
    }
}

/// One game at the post office.
pub struct Desk {
    pub table: Table,
    pub book: Book,
    pub outbox: Outbox,
    vault: Vault,
    pub(crate) minutes: Minutes,
    /// How many of the pieces set aside by the table have been told.
    set_aside_told: usize,
    pub(crate) titles: Titles,
    pub(crate) ours: Mailbox,
    /// How letters look for a player who has not chosen.
    look: Look,
    closed: Closed,
    judges: Judges,
    /// Where rounds of the beacon are fetched; and why the next round cannot be fetched, if that has lasted.
    beacon: Beacon,
    trouble: Option<String>,
    /// What was taken up when the desk was opened, until something else is done at it.
    pub(crate) recovered: Option<Recovered>,
}

/// What was taken up when a desk was opened.
#[derive(Clone, Debug)]
pub(crate) struct Recovered {
    /// The newest entry before.
    pub head: u64,
    pub letters: Vec<String>,
}

impl Desk {
    /// Opens the desk of the game in a drawer. `ours` is the mailbox of the post office.
    pub fn open(drawer: impl Into<Drawer>, ours: &Mailbox, titles: Titles) -> Result<Desk, PostError> {
        Desk::open_within(drawer, ours, titles, Duration::ZERO)
    }

    /// As [`Desk::open`], but waits up to `patience` while another process is at work on the game.
    pub fn open_within(
        drawer: impl Into<Drawer>,
        ours: &Mailbox,
        titles: Titles,
        patience: Duration,
    ) -> Result<Desk, PostError> {
        let drawer = drawer.into();
        // While we hold the lock of the log, nobody else writes into the book.
        let log = Log::open_within(&drawer, patience).map_err(TableError::from)?;
        let mut book = Book::open(&drawer)?;
        let secrets = Secrets::read(&drawer).map_err(TableError::from)?;
        // A seat without an address gets no letters, so it need not be told anything.
        let is_written_to = |seat: &&SeatSecrets| !seat.addresses.is_empty();
        let told = |seat: &SeatSecrets| (seat.seat.clone(), book.told(&seat.seat));
        let mut minutes = Minutes::new(secrets.seats.iter().filter(is_written_to).map(told).collect());
        let mut table = Table::of(&drawer, log, secrets, titles, |followed| minutes.note(followed))?;
        table.keep_made();
        let (outbox, vault) = (Outbox::open(&drawer)?, Vault::open(&drawer)?);
        book.look_for_strays(&outbox)?;
        let mut desk = Desk {
            table,
            book,
            outbox,
            vault,
            minutes,
            set_aside_told: 0,
            titles,
            ours: ours.clone(),
            look: Look::default(),
            closed: Closed::default(),
            judges: Judges::default(),
            beacon: Beacon::default(),
            trouble: None,
            recovered: None,
        };
        desk.must_be_whole()?;
        desk.must_be_known()?;
        Ok(desk)
    }

    /// Releases the lock of the game, and keeps what was folded and read. `false` if that cannot be kept.
    pub fn rest(&mut self) -> bool {
        self.recovered = None;
        self.book.rest() & self.table.rest()
    }

    /// Takes the lock again. `false` if anything has been written meanwhile: then the desk is to be opened anew.
    ///
    /// # Errors
    /// Another process is at work on the game for longer than `patience`, or the log cannot be opened.
    pub fn wake(&mut self, patience: Duration) -> Result<bool, PostError> {
        let is_as_it_was = self.table.wake(patience)? && self.book.is_as_it_was();
        if is_as_it_was {
            self.book.look_for_strays(&self.outbox)?;
            self.must_be_whole()?;
        }
        Ok(is_as_it_was)
    }

    /// Sets how letters look for players who have not chosen.
    pub fn let_look(&mut self, look: Look) {
        self.look = look;
    }

    /// Sets who judges the authorship of the letters that come in (A5).
    pub fn believe(&mut self, judges: Judges) {
        self.judges = judges;
    }

    /// The name of the game, by which letters call it.
    pub fn name(&self) -> String {
        self.table.fold().plan().name.clone()
    }

    /// Publishes the secrets of a game that is over, and closes its log. The host need not be present.
    pub(crate) fn close(&mut self, at: Stamp) -> Result<(), PostError> {
        let fold = self.table.fold();
        // A letter that came before the end is answered first.
        if fold.need() != Need::Over || fold.receipts().waiting().next().is_some() {
            return Ok(());
        }
        if fold.phase() == Phase::Playing {
            // A new host gets the secrets only when all seats have consented to him.
            if fold.adoption().is_some() || fold.may_be_undone_until(at).is_some() {
                return Ok(());
            }
            self.table.reveal(at)?;
        }
        // A crash may have come between the two.
        if self.table.fold().phase() == Phase::Revealed {
            self.table.end("", at)?;
        }
        Ok(())
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        let game = self.name();
        let seats = &self.table.fold().plan().seats;
        seats.iter().map(|seat| Place { game: game.clone(), seat: seat.word.clone() }).collect()
    }
}

/// I2: what the writer had seen: found by the letter he answers, by the subject, or by the first line of the letter
/// he quotes.
fn seen(letter: &Letter, ours: &Mailbox, place: &Place, table: &Table) -> Option<Seen> {
    let quoted = || {
        let text = letter.text.as_ref().ok()?;
        let tag = quoting::tag_of_quoted(&text.lines).filter(|tag| tag.game == place.game)?;
        Some(Seen { seq: tag.seq, head: tag.head })
    };
    let words = in_subject(&table.fold().genesis());
    address::seen(&letter.envelope, ours, place, words).or_else(quoted)
}

fn is_done(answered: &Answered) -> bool {
    matches!(answered.fate, Fate::Done { .. } | Fate::Kept { .. })
}
