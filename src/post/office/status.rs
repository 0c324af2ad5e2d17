/*! The state of each game, for its host. It takes no lock and writes nothing, so it works at any time, while `serve`
runs, and for a game that cannot be opened.

It folds only what is public: a host who plays himself learns nothing here about another seat.
*/

use super::Office;
use super::out_queue::{self, Queued};
use crate::book::fault::PostError;
use crate::book::{Book, LetterIn, State};
use crate::desk::lost::Lost;
use engine::seat::Seat;
use engine::title::Titles;
use ground::files::LOG;
use ground::span::Span;
use ground::stamp::Stamp;
use record::file::log::{self, LogError};
use record::file::reading::read_through;
use record::fold::clock::{Countdown, Stands};
use record::fold::{Fold, Phase};
use record::table::table_error::TableError;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use store::drawer::Drawer;

/// A letter that is not done with after this time is reported: usually that takes a second.
const UNDONE: Span = Span::minutes(10);
/// A round of the beacon that has not come after this time is reported.
const ROUND: Span = Span::hours(1);

/// The state of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub game: String,
    pub title: &'static str,
    pub phase: &'static str,
    /// The seat that is asked, and its player.
    pub seat: Option<String>,
    pub player: Option<String>,
    /// The question, as standing orders name it (`combat-card`), or what else the game waits for.
    pub waits_for: String,
    /// Since when it waits.
    pub since: String,
    /// When the answer is due, and until when a late one is still taken.
    pub due: Option<String>,
    pub closing: Option<String>,
    /// Why no time passes: `paused`, `unreachable`, `vacant`, `over`.
    pub stands: Option<&'static str>,
    pub last_in: Option<LastLetter>,
    pub last_out: Option<LastLetter>,
    pub letters: Counts,
    /// What stops the game, in sentences without a full stop.
    pub stuck: Vec<String>,
    pub entries: u64,
    pub bytes: u64,
    pub seats: Vec<SeatStatus>,
}

/// The newest letter in or out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastLetter {
    pub at: String,
    pub seat: Option<String>,
}

/// Letters that have not been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub waiting: usize,
    pub tried: usize,
    pub held: usize,
    pub dead: usize,
    /// When the oldest letter was written that waits or was tried.
    pub oldest: Option<String>,
}

/// A seat and its player, as the post knows them.
#[derive(Clone, Debug, Serialize)]
pub struct SeatStatus {
    pub seat: String,
    pub player: String,
    pub last_in: Option<String>,
    pub last_out: Option<String>,
    /// Deadlines missed in a row.
    pub misses: u32,
    pub is_program: bool,
    pub is_free: bool,
    /// The entry since which no letter reaches the player.
    pub unreached_since: Option<u64>,
}

/// The letters of the counter.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CounterStatus {
    pub last_in: Option<LastLetter>,
    pub last_out: Option<LastLetter>,
    pub letters: Counts,
}

/// The states of these games, in the same order, computed on all processors.
pub fn of_games(office: &Office, games: &[String], now: Stamp) -> Vec<Result<Status, PostError>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((index, game)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, games.get(at)?)))
        {
            done.push((index, of_game(&office.drawer(Some(game)), game, office.titles, now)));
        }
        done
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(games.len().max(1));
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("reading a game does not panic")).collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, status)| status).collect()
}

/// The state of the game in a drawer.
pub fn of_game(drawer: &Drawer, game: &str, titles: Titles, now: Stamp) -> Result<Status, PostError> {
    let letters = out_queue::of_drawer(drawer, Some(game))?;
    let book = Book::look(drawer)?;
    let fold = folded(drawer, titles)?;
    let bytes = drawer.look(LOG)?.length;
    let asked = fold.asked();
    let open = fold.clock().open().filter(|_| asked.is_some());
    let (due, closing, stands) = match fold.countdown() {
        Some(Countdown::Until { due, closing }) => (Some(due), Some(closing), None),
        Some(Countdown::Stands(stands)) => (None, None, Some(word(stands))),
        Some(Countdown::Over { at, .. }) => (Some(at), None, Some("over")),
        None => (None, None, fold.is_paused().then_some("paused")),
    };
    let word = |seat: Seat| fold.plan().word(seat).to_owned();
    Ok(Status {
        game: game.to_owned(),
        title: fold.plan().title.id,
        phase: match fold.phase() {
            Phase::Joining => "joining",
            Phase::Playing => "playing",
            Phase::Revealed => "revealed",
            Phase::Ended => "ended",
        },
        seat: asked.map(|question| word(question.seat)),
        player: asked.map(|question| fold.plan().seats[question.seat.index()].player.clone()),
        waits_for: match asked {
            Some(question) => question.id.to_owned(),
            None => fold.waits_for(),
        },
        since: open.map_or(fold.at(), |open| open.at).to_string(),
        due: due.map(|due| due.to_string()),
        closing: closing.map(|closing| closing.to_string()),
        stands,
        last_in: book.as_ref().and_then(|book| last_in(book, None)),
        last_out: book.as_ref().and_then(|book| last_out(book, None)),
        letters: counts(&letters),
        stuck: stuck(drawer, &fold, book.as_ref(), now)?,
        entries: fold.head().seq + 1,
        bytes,
        seats: seats(&fold, book.as_ref()),
    })
}

/// The state of the counter.
pub fn of_counter(office: &Office) -> Result<CounterStatus, PostError> {
    let drawer = office.drawer(None);
    let letters = counts(&out_queue::of_drawer(&drawer, None)?);
    let Some(book) = Book::look(&drawer)? else { return Ok(CounterStatus { letters, ..CounterStatus::default() }) };
    Ok(CounterStatus { last_in: last_in(&book, None), last_out: last_out(&book, None), letters })
}

/// The public fold of a game.
fn folded(drawer: &Drawer, titles: Titles) -> Result<Fold, PostError> {
    let records = log::read_log(drawer).map_err(TableError::from)?;
    let folded = read_through(records, titles, None, |_| ControlFlow::Continue(()));
    Ok(folded.map_err(TableError::from)?)
}

fn word(stands: Stands) -> &'static str {
    match stands {
        Stands::Paused => "paused",
        Stands::Unreachable => "unreachable",
        Stands::Vacant => "vacant",
    }
}

fn last_in(book: &Book, seat: Option<&str>) -> Option<LastLetter> {
    let meant = book.letters_in().filter(|letter| seat.is_none() || letter.seat.as_deref() == seat);
    let newest: &LetterIn = meant.max_by(|one, other| one.at.cmp(&other.at))?;
    Some(LastLetter { at: newest.at.clone(), seat: newest.seat.clone() })
}

/// The letter that was sent last.
fn last_out(book: &Book, seat: Option<&str>) -> Option<LastLetter> {
    let sent = book.letters_out().filter_map(|out| match &out.state {
        State::Sent { at } => Some((at, crate::book::outgoing::Key::of_file(&out.letter))),
        _ => None,
    });
    let meant = sent.filter(|(_, key)| seat.is_none() || key.seat() == seat);
    let (at, key) = meant.max_by(|one, other| one.0.cmp(other.0))?;
    Some(LastLetter { at: at.clone(), seat: key.seat().map(str::to_owned) })
}

/// The letters, counted by their state.
pub fn counts(letters: &[Queued]) -> Counts {
    let mut counts = Counts::default();
    for letter in letters {
        match letter.state {
            State::Waiting => counts.waiting += 1,
            State::Tried { .. } => counts.tried += 1,
            State::Held { .. } => counts.held += 1,
            State::Dead { .. } => counts.dead += 1,
            State::Sent { .. } | State::GivenUp { .. } => {}
        }
    }
    let due = letters.iter().filter(|letter| matches!(letter.state, State::Waiting | State::Tried { .. }));
    counts.oldest = due.map(|letter| &letter.since).filter(|since| !since.is_empty()).min().cloned();
    counts
}

fn seats(fold: &Fold, book: Option<&Book>) -> Vec<SeatStatus> {
    let seat = |(index, plan): (usize, &record::charter::plan::SeatPlan)| {
        let seat = Seat::at(index);
        SeatStatus {
            seat: plan.word.clone(),
            player: plan.player.clone(),
            last_in: book.and_then(|book| Some(last_in(book, Some(&plan.word))?.at)),
            last_out: book.and_then(|book| Some(last_out(book, Some(&plan.word))?.at)),
            misses: fold.clock().misses(seat),
            is_program: fold.is_played_by_program(seat),
            is_free: fold.council().free().any(|free| free == seat),
            unreached_since: fold.clock().unreachable(seat),
        }
    };
    fold.plan().seats.iter().enumerate().map(seat).collect()
}

/// What stops a game and its host can do something about.
fn stuck(drawer: &Drawer, fold: &Fold, book: Option<&Book>, now: Stamp) -> Result<Vec<String>, PostError> {
    let mut stuck = Vec::new();
    if let Some(lost) = Lost::read(drawer)?.filter(|lost| !lost.is_given_up && lost.seq > fold.head().seq) {
        let seq = lost.seq;
        stuck.push(format!(
            "the log was put back from an older backup and has lost records up to #{seq}; see `ringmail help repair`"
        ));
    }
    if let Some((round, _)) = fold.next_round().filter(|(_, time)| time.later(ROUND) < now) {
        stuck.push(format!("round {round} of the beacon cannot be fetched"));
    }
    for (index, plan) in fold.plan().seats.iter().enumerate().filter(|_| fold.phase() == Phase::Playing) {
        let seat = Seat::at(index);
        if fold.council().free().any(|free| free == seat) {
            stuck.push(format!("{} is free for another player; see `ringmail help invite`", plan.word));
        } else if fold.clock().unreachable(seat).is_some() {
            stuck.push(format!("no letter reaches {}; see `ringmail help address`", plan.word));
        }
    }
    let is_undone = |letter: &&LetterIn| {
        let is_old = Stamp::parse(&letter.at).is_some_and(|at| at.later(UNDONE) < now);
        letter.done.is_none() && !letter.waits && is_old
    };
    if let Some(letter) = book.and_then(|book| book.letters_in().find(is_undone)) {
        stuck.push(format!("a letter that came at {} is not done with; `ringmail time --tick` takes it up", letter.at));
    }
    Ok(stuck)
}

/// Whether a game has no log: its folder may be gone since the games were listed.
pub fn is_no_game(error: &PostError) -> bool {
    matches!(error, PostError::Table(TableError::Log(LogError::NoLog { .. })))
}
