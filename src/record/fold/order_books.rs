/*! The order books: the standing orders and lines ahead of all seats, as they are after each record that a seat makes
itself.

The host knows them and keeps them beside the log; everybody else knows them once he has published how they changed. A
seat numbers its orders and lines from 1, in the order in which it left them; no number is used twice.
*/

use super::ahead::{HeldBack, Line, LineAhead, LineState, StandingLine};
use super::standing::{Order, Until};
use crate::commit::seals;
use crate::entry::body::{BookChanged, Signed, Text};
use engine::seat::Seat;
use ground::hash::{GameId, Hash};
use ground::stamp::Stamp;
use std::cmp::Reverse;
use std::sync::Arc;

/// The longest text of one order, in bytes.
pub const ORDER_LIMIT: usize = 2_000;
/// The most orders that may stand in the book of a seat.
pub const ORDERS_MAX: usize = 100;

/// A change of the book of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first record of the seat that commits to the book after this change.
    pub seq: u64,
    pub seat: Seat,
    pub does: Does,
    /// What the seat had seen when it signed the order, and what it signed.
    pub signed: Option<(u64, Signed)>,
    /// The line of a letter that brought it; only the host knows it.
    pub came: Option<Line>,
}

/// What a change does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Leaves(Order),
    LeavesLine(LineAhead),
    /// Takes back the order or line of this number.
    Cancels(u32),
}

/// An order that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub number: u32,
    pub order: Order,
    /// The line of a letter that brought it; only the host knows it.
    pub came: Option<Line>,
    /// The first record that commits to it; and, once it is taken back, the first that no longer does.
    since: u64,
    until: Option<u64>,
    /// The turn and the battle in which it was left.
    when: When,
    /// The next turn, once it has begun.
    next: Option<String>,
    /// The battle that it waited for, once that has begun.
    battle: Option<String>,
    has_fired: bool,
    /// Whether the battle for which it was left is over.
    is_over: bool,
}

/// The current turn of the game and the current battle, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    pub turn: String,
    pub battle: Option<String>,
    /// Where the battle is, and the seat that began it.
    pub field: Option<(&'static str, Seat)>,
}

/// The book of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OrderBook {
    orders: Vec<Standing>,
    lines: Vec<StandingLine>,
    /// Orders and lines that were taken back, perhaps after an act was fixed that is yet to be played.
    taken_back: Vec<Standing>,
    lines_taken_back: Vec<StandingLine>,
    /// How many orders the seat has ever left.
    left: u32,
    /// The text that records commit to: a line for each order.
    text: Arc<str>,
}

/// The books of all seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderBooks {
    books: Vec<OrderBook>,
}

/// Why the book does not allow this change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotChange {
    #[error("no standing order {number} of yours stands")]
    NoSuchOrder { number: u32 },
    #[error("an order has at most {ORDER_LIMIT} bytes, and this one has {bytes}")]
    TooLong { bytes: usize },
    #[error("at most {ORDERS_MAX} of your standing orders can stand at a time: cancel some")]
    TooMany,
    #[error("your standing orders would have more than {} bytes together: cancel some", seals::ORDER_BOOK_LIMIT)]
    BookFull,
    #[error("order {number} signed on this letter was left before: sign it anew")]
    SignedBefore { number: u32 },
    #[error("you have left or cancelled as many standing orders as one game has room for")]
    GameFull,
}

impl Standing {
    /// Whether the order may still answer at this time, in this turn.
    pub fn stands(&self, at: Stamp, turn: &str) -> bool {
        match self.order.until {
            Until::Cancelled => true,
            Until::Used => !self.has_fired,
            Until::EndOfBattle => self.when.battle.is_some() && !self.is_over,
            Until::NextBattle => self.battle.is_some() && !self.is_over,
            Until::EndOfTurn => turn == self.when.turn,
            Until::NextTurn => self.next.as_deref() == Some(turn),
            Until::Time(time) => at <= time,
        }
    }
}

impl Standing {
    /// Starts and ends an order for the next battle together with that battle.
    fn waits_for_battle(&mut self, seat: Seat, now: &When) {
        if self.battle.is_some() {
            self.is_over |= self.battle != now.battle;
            return;
        }
        let is_another = now.battle.is_some() && now.battle != self.when.battle;
        if now.battle != self.when.battle {
            self.when.battle = None;
        }
        let places = &self.order.places;
        let is_its =
            |(place, by): (&str, Seat)| by == seat && (places.is_empty() || places.iter().any(|own| own == place));
        if is_another && now.turn == self.when.turn && now.field.is_some_and(is_its) {
            self.battle = now.battle.clone();
        }
    }

    /// Whether it answers now or may later: it stands, or waits for the next turn or battle.
    pub fn has_not_lapsed(&self, at: Stamp, turn: &str) -> bool {
        self.stands(at, turn)
            || match self.order.until {
                Until::NextTurn => self.next.is_none(),
                Until::NextBattle => self.battle.is_none() && turn == self.when.turn,
                _ => false,
            }
    }

    /// Which orders are tried first: those for this battle, then those for this turn, then the others; among them,
    /// those that name a place before those that name none, and the newest first.
    pub fn rank(&self) -> impl Ord + use<> {
        let scope = match self.order.until {
            Until::EndOfBattle | Until::NextBattle => 0,
            Until::EndOfTurn | Until::NextTurn => 1,
            Until::Cancelled | Until::Used | Until::Time(_) => 2,
        };
        (scope, self.order.places.is_empty(), Reverse(self.number))
    }
}

impl OrderBooks {
    /// Empty books for this number of seats.
    pub fn new(seats: usize) -> OrderBooks {
        OrderBooks { books: vec![OrderBook::default(); seats] }
    }

    /// The orders of a seat in the order in which they were left, including those that have lapsed.
    pub fn of(&self, seat: Seat) -> &[Standing] {
        &self.books[seat.index()].orders
    }

    /// The orders of a seat that stood when record `seq` was made, in the order in which they were left.
    pub fn at(&self, seat: Seat, seq: u64) -> Vec<&Standing> {
        let book = &self.books[seat.index()];
        let stood = |order: &&Standing| order.since <= seq && order.until.is_none_or(|until| until > seq);
        let mut orders: Vec<&Standing> = book.orders.iter().chain(&book.taken_back).filter(stood).collect();
        orders.sort_by_key(|order| order.number);
        orders
    }

    /// The lines of a seat in the order in which they were left, including those that are done with.
    pub fn lines(&self, seat: Seat) -> &[StandingLine] {
        &self.books[seat.index()].lines
    }

    /// The lines of a seat that were in its book when record `seq` was made, in the order in which they were left.
    pub(super) fn lines_at(&self, seat: Seat, seq: u64) -> Vec<StandingLine> {
        let book = &self.books[seat.index()];
        let stood = |line: &&StandingLine| line.since <= seq && line.until.is_none_or(|until| until > seq);
        let mut lines: Vec<StandingLine> =
            book.lines.iter().chain(&book.lines_taken_back).filter(stood).cloned().collect();
        lines.sort_by_key(|line| line.number);
        lines
    }

    /// Whether a line ahead is in any book.
    pub(super) fn have_lines(&self) -> bool {
        self.books.iter().any(|book| !book.lines.is_empty())
    }

    /// Forgets what was taken back up to record `seq`: it can answer nothing any more.
    pub(crate) fn forget_taken_back(&mut self, seq: u64) {
        for book in &mut self.books {
            book.taken_back.retain(|order| order.until.is_some_and(|until| until > seq));
            book.lines_taken_back.retain(|line| line.until.is_some_and(|until| until > seq));
        }
    }

    /// Whether no seat has an order or a line.
    pub fn are_empty(&self) -> bool {
        self.books.iter().all(|book| book.orders.is_empty() && book.lines.is_empty())
    }

    /// The commitment of record `seq`, if the books after it are these.
    pub fn commitment(&self, game: &GameId, root: &Hash, seq: u64) -> Hash {
        seals::books(game, root, seq, self.books.iter().map(|book| &*book.text))
    }

    /// The texts of the books, which a record commits to.
    pub fn texts(&self) -> Vec<Arc<str>> {
        self.books.iter().map(|book| Arc::clone(&book.text)).collect()
    }

    /// Whether the end of a turn or battle matters to any order.
    pub(crate) fn mind_time(&self) -> bool {
        let all = self.books.iter().flat_map(|book| book.orders.iter().chain(&book.taken_back));
        let minds = |until: Until| matches!(until, Until::EndOfBattle | Until::NextBattle | Until::NextTurn);
        all.into_iter().any(|order| minds(order.order.until))
    }

    /// Takes in that the game has come to this turn and battle.
    pub(crate) fn reaches(&mut self, now: &When) {
        for (index, book) in self.books.iter_mut().enumerate() {
            let seat = Seat::at(index);
            for standing in book.orders.iter_mut().chain(&mut book.taken_back) {
                match standing.order.until {
                    Until::NextBattle => standing.waits_for_battle(seat, now),
                    _ => standing.is_over |= standing.when.battle != now.battle,
                }
                if standing.next.is_none() && standing.when.turn != now.turn {
                    standing.next = Some(now.turn.clone());
                }
            }
        }
    }

    /// Changes a book at the given turn and battle. A refused change leaves it as it was.
    pub fn change(&mut self, change: &Change, when: &When) -> Result<(), CannotChange> {
        let book = &mut self.books[change.seat.index()];
        if let Does::Cancels(number) = &change.does {
            return book.cancel(*number, change.seq);
        }
        let bytes = change.does.text().map_or(0, |text| text.len());
        if bytes > ORDER_LIMIT {
            return Err(CannotChange::TooLong { bytes });
        }
        if book.orders.len() + book.lines.len() >= ORDERS_MAX {
            return Err(CannotChange::TooMany);
        }
        let before = (book.orders.len(), book.lines.len());
        book.leave(change, when);
        let text = book.written();
        if text.len() > seals::ORDER_BOOK_LIMIT {
            book.orders.truncate(before.0);
            book.lines.truncate(before.1);
            return Err(CannotChange::BookFull);
        }
        (book.left, book.text) = (book.left + 1, text.into());
        Ok(())
    }

    /// Notes that an order of a seat has answered.
    pub(crate) fn has_fired(&mut self, seat: Seat, number: u32) {
        let OrderBook { orders, taken_back, .. } = &mut self.books[seat.index()];
        if let Some(standing) = orders.iter_mut().chain(taken_back).find(|standing| standing.number == number) {
            standing.has_fired = true;
        }
    }

    /// Notes that a line of a seat was said in record `seq`, in these words.
    pub(super) fn has_said(&mut self, seat: Seat, number: u32, seq: u64, said: &str) {
        let OrderBook { lines, lines_taken_back, .. } = &mut self.books[seat.index()];
        if let Some(line) = lines.iter_mut().chain(lines_taken_back).find(|line| line.number == number) {
            line.state = LineState::Said { seq, said: said.to_string() };
        }
    }

    /// A line of a seat is held back although its question has come, in this turn. The plan of the seat stops; but
    /// what names its question and is refused is over, with all other lines of the seat.
    pub(super) fn hold_back(&mut self, seat: Seat, number: u32, why: HeldBack, turn: &str) {
        let lines = &mut self.books[seat.index()].lines;
        let is_of_plan = lines.iter().any(|line| line.number == number && line.ahead.is_of_plan());
        for line in lines.iter_mut().filter(|line| line.stands(turn)) {
            match &why {
                why if is_of_plan && line.ahead.is_of_plan() => line.state = LineState::Stopped(why.clone()),
                _ if is_of_plan => {}
                HeldBack::Forbidden(refusal) if line.number == number => {
                    line.state = LineState::Refused(refusal.clone());
                }
                _ => line.state = LineState::Lost,
            }
        }
    }

    /// The game is put back: no line that was left before is said any more.
    pub(super) fn undo_lines(&mut self, turn: &str) {
        let lines = self.books.iter_mut().flat_map(|book| &mut book.lines);
        lines.filter(|line| line.stands(turn)).for_each(|line| line.state = LineState::Undone);
    }

    /// Empties the book of a seat that has another player: he has left no orders.
    pub(crate) fn empty(&mut self, seat: Seat) {
        self.books[seat.index()] = OrderBook::default();
    }
}

impl OrderBook {
    /// Adds what a change leaves, with the next number.
    fn leave(&mut self, change: &Change, when: &When) {
        let (number, when, since, until) = (self.left + 1, when.clone(), change.seq, None);
        match &change.does {
            Does::Leaves(order) => {
                let (order, came, next, battle) = (order.clone(), change.came, None, None);
                let (has_fired, is_over) = (false, false);
                let standing = Standing { number, order, came, since, until, when, next, battle, has_fired, is_over };
                self.orders.push(standing);
            }
            Does::LeavesLine(ahead) => {
                let (ahead, signed, came) = (ahead.clone(), change.signed.clone(), change.came);
                let (turn, state) = (when.turn, LineState::Waits);
                self.lines.push(StandingLine { number, ahead, signed, came, since, until, turn, state });
            }
            Does::Cancels(_) => unreachable!("it leaves nothing"),
        }
    }

    /// Takes back the order or line of this number.
    fn cancel(&mut self, number: u32, seq: u64) -> Result<(), CannotChange> {
        if let Some(found) = self.orders.iter().position(|standing| standing.number == number) {
            let order = self.orders.remove(found);
            self.taken_back.push(Standing { until: Some(seq), ..order });
        } else {
            let found = self.lines.iter().position(|line| line.number == number);
            let line = self.lines.remove(found.ok_or(CannotChange::NoSuchOrder { number })?);
            self.lines_taken_back.push(StandingLine { until: Some(seq), ..line });
        }
        self.text = self.written().into();
        Ok(())
    }

    /// The text that records commit to.
    fn written(&self) -> String {
        let orders = self.orders.iter().map(|standing| (standing.number, standing.order.to_string()));
        let lines = self.lines.iter().map(|line| (line.number, line.ahead.to_string()));
        let mut all: Vec<(u32, String)> = orders.chain(lines).collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(number, text)| format!("{number} {text}\n")).collect()
    }
}

impl Does {
    /// What it leaves, as the book has it.
    pub fn text(&self) -> Option<String> {
        match self {
            Does::Leaves(order) => Some(order.to_string()),
            Does::LeavesLine(ahead) => Some(ahead.to_string()),
            Does::Cancels(_) => None,
        }
    }

    /// Reads an order or a line.
    pub fn read(text: &str) -> Result<Does, String> {
        match LineAhead::read(text) {
            Some(ahead) => Ok(Does::LeavesLine(ahead)),
            None => Order::read(text).map(Does::Leaves).map_err(|error| error.to_string()),
        }
    }
}

impl Change {
    /// The change as `reveal` publishes it; `seat` is the word of its seat.
    pub fn in_record(&self, seat: &str) -> BookChanged<'static> {
        let order = self.does.text().map(Text::from);
        let cancel = if let Does::Cancels(number) = &self.does { Some(*number) } else { None };
        let (seen, signed) = self.signed.clone().unzip();
        BookChanged { seq: self.seq, seat: Text::from(seat.to_string()), order, cancel, seen, signed }
    }

    /// Reads what `reveal` publishes.
    pub fn of_record(changed: &BookChanged<'_>, seat: Seat) -> Result<Change, String> {
        let does = match (&changed.order, changed.cancel) {
            (Some(text), None) => {
                let does = Does::read(text)?;
                if let Some(written) = does.text().filter(|written| **written != **text) {
                    return Err(format!("the order is written `{written}`"));
                }
                does
            }
            (None, Some(number)) => Does::Cancels(number),
            _ => return Err("a change leaves an order or cancels one".to_string()),
        };
        let signed = match (changed.seen, &changed.signed) {
            (None, None) => None,
            (Some(seen), Some(signed)) if changed.order.is_some() => Some((seen, signed.clone())),
            _ => return Err("a signature stands with what its seat had seen, and with an order".to_string()),
        };
        Ok(Change { seq: changed.seq, seat, does, signed, came: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::Hex;

    const SEAT: Seat = Seat(2);

    fn leaves(text: &str) -> Change {
        Change { seq: 9, seat: SEAT, does: Does::Leaves(Order::read(text).unwrap()), signed: None, came: None }
    }

    fn cancels(number: u32) -> Change {
        Change { seq: 9, seat: SEAT, does: Does::Cancels(number), signed: None, came: None }
    }

    #[test]
    fn a_number_is_not_given_twice_until_the_seat_changes_hands() {
        let mut books = OrderBooks::new(2);
        books.change(&leaves("when asked storms say pass"), &When::default()).unwrap();
        books.change(&cancels(1), &When::default()).unwrap();
        assert_eq!(books.change(&cancels(1), &When::default()), Err(CannotChange::NoSuchOrder { number: 1 }));
        books.change(&leaves("when asked storms say pass once"), &When::default()).unwrap();
        assert_eq!(&*books.books[1].text, "2 when asked storms say pass once\n");
        books.empty(SEAT);
        books.change(&leaves("when asked storms say pass"), &When::default()).unwrap();
        assert_eq!(books.of(SEAT)[0].number, 1);
    }

    #[test]
    fn a_book_holds_no_more_than_its_commitment_can() {
        let mut books = OrderBooks::new(2);
        let long = format!("when asked storms say {}", "x".repeat(ORDER_LIMIT - 22));
        assert_eq!(
            books.change(&leaves(&format!("{long}x")), &When::default()),
            Err(CannotChange::TooLong { bytes: ORDER_LIMIT + 1 })
        );
        let full = (0..).map(|_| books.change(&leaves(&long), &When::default())).find_map(Result::err);
        assert_eq!(full, Some(CannotChange::BookFull));
        let game = Hex([1; 16]);
        books.commitment(&game, &Hex([2; 32]), 7);
        let mut books = OrderBooks::new(2);
        let many =
            (0..).map(|_| books.change(&leaves("when asked storms say pass"), &When::default())).find_map(Result::err);
        assert_eq!((many, books.of(SEAT).len()), (Some(CannotChange::TooMany), ORDERS_MAX));
    }
}
