/*! The desk of one game: its table, its post book, its vault and its outbox, under one lock.

The entry first, the letters after it. A letter that comes in is kept and noted, played, answered, and noted again.
Whatever is interrupted goes on when the desk is next opened, and gives the same entries and the same letters, byte
for byte (I3, I6).

The desk knows no server, no other game and no rule of any game.

In reading order, for a letter that comes in: this file takes it; [`again`] is for one that has come before, and
[`resumed`] for one that a crash interrupted. [`authorship`] finds who wrote it, with [`tied`]. [`turn`] goes through
its lines, whether a player or a guest wrote it; [`sentence`] is an answer to the game, and [`trial`] one that is only
tried. [`answering`] decides on requests and standing orders, with [`proof`] and [`confirm`], and [`requests`] carries
them out. [`guest_turn`] and [`lobby`] are invitations and seats. [`kept`] are sentences that wait, and [`guarded`]
says what holds them back. [`unread`] tells what was passed over; [`objection`] says why the table refuses.

For letters that go out: [`reports`], [`guest_letters`], [`enclosure`] (what a letter asked to read), [`files`] (what
is attached), [`press`], [`address_change`].

[`receipts`] lets acts wait for their dice. Without a letter: [`clock`], [`reminder`], [`reach`], [`outage`],
[`pause`]. [`lost`] stops a game whose log was put back from an older backup, and [`restored`] one that was put back
with its office, until it is known what its players have seen. [`minutes`] is what all of them know of the log.
*/

pub mod address_change;
mod again;
mod answer;
mod answering;
pub mod authorship;
pub mod clock;
mod confirm;
pub mod enclosure;
mod files;
mod guarded;
mod guest_letters;
mod guest_turn;
mod kept;
pub mod lobby;
pub mod lost;
mod minutes;
pub mod objection;
pub mod outage;
pub mod pause;
pub mod press;
mod proof;
pub mod reach;
pub mod receipts;
pub mod reminder;
pub mod reports;
mod requests;
pub mod restored;
mod resumed;
mod sentence;
mod tied;
mod trial;
mod turn;
mod unread;

use self::address_change::ChangedBy;
use self::authorship::{Judges, Outside, Papers};
use self::files::Closed;
use self::minutes::{Minute, Minutes};
use self::receipts::{Beacon, Pass};
use self::turn::{Before, Progress, Turn, Writer};
use crate::book::fault::PostError;
use crate::book::outbox::Outbox;
use crate::book::outgoing::{self, Thread};
use crate::book::vault::Vault;
use crate::book::{Authorship, Book, Event, LetterIn, Reception};
use crate::names::address::{self, Place, Seen};
use crate::order::{sentences, vocabulary};
use crate::reply::quoting;
use engine::need::Need;
use engine::seat::Seat;
use engine::title::Titles;
use ground::hash::Hash;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use record::commit::words::in_subject;
use record::entry::body::Kind;
use record::file::log::{Log, SetAside};
use record::file::secrets::{SeatSecrets, Secrets};
use record::fold::Phase;
use record::table::Table;
use record::table::table_error::TableError;
use report::fate::{Answered, Fate};
use report::html::Look;
use std::collections::VecDeque;
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

/// A letter on the desk: what it says, whose it is, and what is known of it already.
pub(super) struct Case<'a> {
    pub(crate) letter: &'a Letter,
    pub(crate) place: &'a Place,
    seen: Option<Seen>,
    pub(crate) letter_in: LetterIn,
    /// The entries that it caused before a crash and that the book does not know.
    before: VecDeque<Before>,
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
        let mut table = Table::of(&drawer, log, secrets, titles, |step| minutes.note(step))?;
        table.keep_steps();
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

    /// Finishes what a crash left: entries that need no letter, letters half played, letters not written.
    pub fn recover(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        self.go_on_after_restore(at)?;
        self.mind_pause(at)?;
        if self.table.fold().phase() == Phase::Playing {
            self.table.settle(at)?;
        }
        self.note_kept_sentences_said()?;
        let mut letters = Vec::new();
        if self.table.fold().phase() == Phase::Joining && self.table.fold().receipts().may_start() {
            self.table.start(at)?;
        }
        // The run in play comes before everything else.
        letters.extend(self.play_run(at)?);
        let unfinished: Vec<LetterIn> = self.book.unfinished().cloned().collect();
        for letter_in in unfinished {
            if self.waits(&letter_in.raw) {
                continue;
            }
            let (hash, times) = (letter_in.raw, letter_in.resumed);
            self.book.append(Event::Resumed { raw: hash, times: times + 1 })?;
            let raw = self.vault.read(&letter_in.raw).inspect_err(|_| self.does_not_count(hash))?;
            let letter = Letter::open(&raw, &Limits::ORDINARY);
            let authored = self.authored(&raw, &letter, letter_in);
            let letter_in = authored.inspect_err(|_| self.does_not_count(hash))?;
            let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
            let seen = seen(&letter, &self.ours, &place, &self.table);
            let before = self.before(&letter_in);
            let case = Case { letter: &letter, place: &place, seen, letter_in, before };
            let played = if resumed::is_poison(times) { self.refuse_poison(case, at) } else { self.play(case, at) };
            if played.is_err() {
                self.does_not_count(hash);
            }
            letters.extend(played?.letters);
        }
        letters.extend(self.settle_guests(at)?);
        letters.extend(self.report(at)?);
        outgoing::note_strays(&self.outbox, &mut self.book, self.table.fold().at())?;
        Ok(letters)
    }

    /// The name of the game, by which letters call it.
    pub fn name(&self) -> String {
        self.table.fold().plan().name.clone()
    }

    /// Receives a letter that speaks for a seat of this game.
    ///
    /// # Errors
    /// Something cannot be written; the letter is taken up again by [`Desk::recover`].
    pub fn receive(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<Received, PostError> {
        self.look_for_lost(letter)?;
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

    fn authored(&mut self, raw: &[u8], letter: &Letter, letter_in: LetterIn) -> Result<LetterIn, PostError> {
        let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
        let bears_token = address::bears_token(&letter.envelope, &self.ours, &place, self.table.secrets());
        let seen = seen(letter, &self.ours, &place, &self.table);
        let outside = Outside { raw, letter, bears_token, place: &place, seen: seen.as_ref() };
        let Desk { judges, table, minutes, book, vault, .. } = self;
        authorship::find(judges, Papers { table, minutes, book, vault }, outside, letter_in)
    }

    fn take(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<LetterIn, PostError> {
        self.vault.keep(raw)?;
        let mail = letter.envelope.message_id.clone();
        let (hash, text) = (letter.raw, letter.text_hash());
        let seat = Some(place.seat.clone());
        self.book.append(Event::Taken { at: at.to_string(), raw: hash, text, mail, seat })?;
        Ok(self.book.letter_in(&hash).expect("the letter was just taken").clone())
    }

    fn play(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let read = match &case.letter.text {
            Ok(text) => sentences::read(text, vocabulary::of_all(self.titles), &Limits::ORDINARY)
                .map(|reading| (text, reading))
                .map_err(|too_much| too_much.to_string()),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        self.with_turn(case, at, |turn| match read {
            Ok((text, reading)) => turn.play(text, &reading),
            Err(why) => turn.refuse_whole(&why),
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
    fn with_turn(
        &mut self,
        case: Case<'_>,
        at: Stamp,
        play: impl FnOnce(&mut Turn<'_>) -> Result<(), PostError>,
    ) -> Result<Received, PostError> {
        let (writer, names) = self.writer(&case);
        let nobody = || Authorship { auth: None, why: String::new(), is_checked: true };
        let mut turn = Turn {
            table: &mut self.table,
            book: &mut self.book,
            minutes: &mut self.minutes,
            titles: self.titles,
            place: case.place,
            writer,
            names,
            raw: case.letter_in.raw,
            authorship: case.letter_in.authorship.clone().unwrap_or_else(nobody),
            seen: case.seen.clone(),
            at,
            before: case.before.clone(),
            progress: Progress::default(),
        };
        play(&mut turn)?;
        let Turn { writer, progress, before, .. } = turn;
        let is_played = progress.has_done || progress.answers.iter().any(is_done);
        let outcome = if is_played { Reception::Played } else { Reception::Refused };
        let (answer, letters) = match writer {
            Writer::Player(seat) => {
                self.note_kept_said(case.letter_in.raw, before)?;
                self.after_player(&case, seat, &progress, at)?
            }
            Writer::Guest(_) | Writer::Uninvited => self.after_guest(&case, &progress, at)?,
        };
        match progress.pass {
            Pass::Fixed => self.note_waits(&case.letter_in, at)?,
            Pass::Only | Pass::Left | Pass::Busy | Pass::Second | Pass::Void => {
                self.note_done(case.letter_in.raw, outcome, answer, at)?
            }
        }
        self.forget_what_was_told();
        let set_aside = self.table.set_aside()[self.set_aside_told..].to_vec();
        self.set_aside_told += set_aside.len();
        let Progress { answers, disputes, .. } = progress;
        Ok(Received { outcome, letters, answers, disputes, set_aside })
    }

    /// What follows from a player's letter: the answer to it, and all letters, the answer first.
    fn after_player(
        &mut self,
        case: &Case<'_>,
        seat: Seat,
        progress: &Progress,
        at: Stamp,
    ) -> Result<(Option<String>, Vec<String>), PostError> {
        let fold = self.table.fold();
        let is_last_code = fold.phase() == Phase::Joining && progress.has_done && fold.not_ready().is_empty();
        if is_last_code {
            self.start(at)?;
        }
        clock::go_on(&mut self.table, &mut self.book, at)?;
        self.close(at)?;
        let answer = match progress.pass {
            Pass::Fixed => None,
            Pass::Only | Pass::Left | Pass::Busy | Pass::Second | Pass::Void => self.answer(case, seat, progress)?,
        };
        let mut letters: Vec<String> = answer.clone().into_iter().collect();
        let references = case.letter.envelope.references.clone();
        let thread = Thread::Answers { mail: case.letter_in.mail.clone(), references };
        let answered = (progress.pass == Pass::Fixed).then_some((&*case.place.seat, &*progress.answers, thread));
        letters.extend(self.tell_receipts(answered, at)?);
        let date = Stamp::parse(&case.letter_in.at).unwrap_or(at);
        for relayed in &progress.relayed {
            self.note_relayed(relayed)?;
        }
        letters.extend(self.relay(date)?);
        if let Some(invitation) = &progress.invitation {
            // After a crash he may be invited already, and needs no second letter.
            let _ = self.invite(invitation)?;
        }
        if let Some((address, via)) = &progress.address {
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
        progress: &Progress,
        at: Stamp,
    ) -> Result<(Option<String>, Vec<String>), PostError> {
        let settled = self.seat_guests(at)?;
        let answer = self.answer_to_guest(case, &progress.answers, &progress.enclosures)?;
        let mut letters: Vec<String> = answer.iter().cloned().chain(settled).collect();
        // The answer has already told its reader what this would tell him.
        letters.extend(self.write_to_guests(at)?);
        letters.extend(self.report(at)?);
        Ok((answer, letters))
    }

    /// Entries of the log that a letter caused and the book does not know: a crash came between the two.
    fn before(&mut self, letter_in: &LetterIn) -> VecDeque<Before> {
        let known: Vec<u64> = letter_in.fates.values().filter_map(done_in).collect();
        let caused = self.minutes.of(&mut self.table).caused_by(&letter_in.raw);
        let is_of_a_line = |entry: &&Minute| is_of_a_letter(entry.kind) && !known.contains(&entry.seq);
        caused.filter(is_of_a_line).map(|entry| Before { seq: entry.seq, said: entry.said.clone() }).collect()
    }

    /// Kept sentences that were said just before a crash must not be said again.
    fn note_kept_sentences_said(&mut self) -> Result<(), PostError> {
        for place in self.places() {
            for kept in self.book.kept(&place.seat) {
                let Some(letter_in) = self.book.letter_in(&kept.raw).cloned() else { continue };
                if letter_in.done.is_some() {
                    let before = self.before(&letter_in);
                    self.note_kept_said(kept.raw, before)?;
                }
            }
        }
        Ok(())
    }

    /// Entries of a letter that its lines did not cause directly come from its kept sentences, the first one first.
    fn note_kept_said(&mut self, raw: Hash, said: VecDeque<Before>) -> Result<(), PostError> {
        for said in said {
            let Some(line) = self.book.kept_of(&raw).map(|kept| kept.line).min() else { return Ok(()) };
            let fate = Fate::Done { said: said.said.unwrap_or_default(), seq: Some(said.seq) };
            self.book.append(Event::Dropped { raw, line, fate })?;
        }
        Ok(())
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

fn done_in(fate: &Fate) -> Option<u64> {
    match fate {
        Fate::Done { seq, .. } => *seq,
        Fate::Kept { .. } | Fate::Refused { .. } | Fate::Ignored { .. } | Fate::Noted { .. } => None,
    }
}

fn is_done(answered: &Answered) -> bool {
    matches!(answered.fate, Fate::Done { .. } | Fate::Kept { .. })
}

/// Whether a line of a letter makes entries of this kind.
fn is_of_a_letter(kind: Kind) -> bool {
    let is_agreed = matches!(kind, Kind::Motion | Kind::Vote | Kind::Concede | Kind::Dispute | Kind::Consent);
    is_agreed || matches!(kind, Kind::Say | Kind::Clock | Kind::Keys)
}
