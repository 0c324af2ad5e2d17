/*! Standing orders at the table of the host, who has them in clear: left, taken back, and said when they apply.

A change waits until its seat makes a record, which commits to the books after the change. The change is written into
`host.yaml` before that record is added. If the record is never made, the change is dropped when the game is next
opened.
*/

use super::Table;
use super::pending::Pending;
use super::table_error::TableError;
use crate::canon::emit::Emitter;
use crate::canon::values::Mapping;
use crate::canon::{ITEM_LIMIT, RECORD_LIMIT};
use crate::charter::plan::Plan;
use crate::commit::signed::SignedOrder;
use crate::entry::body::{Auth, BookChanged, By, Reveal, Say, Text, Via};
use crate::entry::{Entry, Head};
use crate::file::secrets::{OrderInClear, SignatureInClear};
use crate::fold::ahead::Line;
use crate::fold::order_books::{CannotChange, Change, Does, OrderBooks};
use crate::fold::orders::Tried;
use crate::fold::standing::{Order, Until};
use crate::fold::stops::SHOWN_ROOM;
use engine::menu::policy;
use engine::need::Question;
use engine::order::ahead::misread;
use engine::refusal::{Barred, Refusal};
use engine::seat::Seat;
use ground::hash::Hash;
use ground::stamp::Stamp;

impl OrderInClear {
    /// The change of a book; `None` if it does not fit this game.
    pub(crate) fn change(&self, plan: &Plan) -> Option<Change> {
        let does = match (&self.order, self.cancel) {
            (Some(order), _) => Does::read(order).ok()?,
            (None, number) => Does::Cancels(number?),
        };
        let signed = self.signed.as_ref().map(|signed| (signed.on.seq, signed.in_record()));
        let came = self.letter.zip(self.line);
        Some(Change { seq: self.record, seat: plan.seat(&self.seat)?, does, signed, came })
    }
}

/// The refusal of a name that the game does not know.
fn unknown(sentence: &str, found: String) -> Refusal {
    let at = sentence.find(&found).unwrap_or(sentence.len());
    let at = at..at + found.len();
    Refusal::NotUnderstood { at, found, expected: vec!["a name".to_string()], kind: None, nearest: None }
}

fn no_such(number: u32) -> TableError {
    CannotChange::NoSuchOrder { number }.into()
}

impl Table {
    /// Reads a standing order of a seat and changes nothing. Names in it are put into canonical words.
    pub fn read_order(&self, seat: Seat, text: &str) -> Result<Order, TableError> {
        let order = self.understand_order(seat, text)?;
        if order.until == Until::EndOfBattle && self.fold.game().battle().is_none() {
            return Err(TableError::NotNow { why: "no battle is fought now that `this battle` could mean" });
        }
        Ok(order)
    }

    /// Like [`Table::read_order`], also for an order about a battle that has not begun yet.
    pub(super) fn understand_order(&self, seat: Seat, text: &str) -> Result<Order, TableError> {
        let mut order = Order::read(text)?;
        let (title, game, plan) = (self.fold.plan().title, self.fold.game(), self.fold.plan());
        let mut asked: Vec<&str> = Vec::new();
        for named in &order.questions {
            let ids = title.questions.iter().filter(|asked| title.answers(named, asked.id)).map(|asked| asked.id);
            let before = asked.len();
            asked.extend(ids);
            if asked.len() == before {
                let asked = title.questions.iter().map(|asked| asked.id).collect();
                return Err(TableError::NoSuchQuestion { found: named.clone(), asked });
            }
        }
        if let Some(by) = order.by.as_ref().filter(|by| plan.seat(by).is_none()) {
            let seats = (0..plan.seats.len()).map(|seat| plan.word(Seat::at(seat)).to_string()).collect();
            return Err(TableError::NoSuchSeat { found: by.clone(), seats });
        }
        self.fold.name_in_order(seat, &mut order).map_err(|(part, why)| TableError::InOrder { part, why })?;
        let names = (title.texts.names)();
        for sentence in order.sentences() {
            if let Some((_, condition)) = sentence.split_once(" if ") {
                let why = format!("a condition stands before `say`: `if {condition} say …`");
                let barred = Barred { rule: "", why };
                let refusal =
                    Refusal::NotAllowed { at: 0..sentence.len(), said: sentence.to_string(), barred, instead: vec![] };
                return Err(TableError::InOrder { part: sentence.to_string(), why: Box::new(refusal) });
            }
            if let Some(found) = policy::unknown_name(sentence, &names) {
                return Err(TableError::InOrder {
                    part: sentence.to_string(),
                    why: Box::new(unknown(sentence, found)),
                });
            }
        }
        // Orders about a seat's own turn can be read in full now; the others only when their question comes.
        if asked.iter().all(|id| title.orders.own_turn.contains(id)) {
            for sentence in order.sentences() {
                if let Some(why) = misread((title, game), seat, &asked, sentence, self.fold.faces()) {
                    return Err(TableError::InOrder { part: sentence.to_string(), why: Box::new(why) });
                }
            }
        }
        Ok(order)
    }

    /// A seat leaves a standing order, and a record commits to it at once; then it may answer.
    pub fn leave_order(
        &mut self,
        seat: Seat,
        text: &str,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        self.note_order(seat, text, None, None)?;
        self.hear(seat, via, at)
    }

    /// A seat takes a standing order back, and a record commits to that at once.
    pub fn cancel_order(&mut self, seat: Seat, number: u32, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        self.note_cancel(seat, number, None)?;
        Ok(self.hear(seat, via, at)?[0])
    }

    /// A seat leaves a standing order, which stands with the next record that the seat makes. Orders of the seat that
    /// have lapsed are taken out of its book. Each line of a letter does this only once.
    pub fn note_order(
        &mut self,
        seat: Seat,
        text: &str,
        signed: Option<&SignedOrder>,
        line: Option<Line>,
    ) -> Result<Order, TableError> {
        self.must_take_orders()?;
        let order = self.read_order(seat, text)?;
        if self.has_done(line) {
            return Ok(order);
        }
        let signed = signed.map(SignatureInClear::of);
        if let Some(again) = signed.as_ref().filter(|signed| self.waits_with_signature(seat, signed)) {
            return Err(CannotChange::SignedBefore { number: again.number }.into());
        }
        let mut changes = self.without_lapsed(seat);
        changes.push(Pending { seat, does: Does::Leaves(order.clone()), signed, line });
        self.wait_with(changes)?;
        Ok(order)
    }

    /// The changes that wait, and further ones that take the lapsed orders of a seat out of its book.
    pub(super) fn without_lapsed(&self, seat: Seat) -> Vec<Pending> {
        let mut changes = self.pending.clone();
        let (at, turn) = (self.fold.at(), self.fold.game().turn());
        let books = self.fold.books().map_or(&[][..], |books| books.of(seat));
        let is_taken_back = |number| self.pending.iter().any(|pending| pending.cancels(seat, number));
        let lapsed =
            books.iter().filter(|standing| !standing.has_not_lapsed(at, &turn) && !is_taken_back(standing.number));
        changes.extend(lapsed.map(|lapsed| Pending::new(seat, Does::Cancels(lapsed.number), None)));
        let lines = self.fold.books().map_or(&[][..], |books| books.lines(seat)).iter();
        let over = lines.filter(|line| !line.stands(&turn) && !is_taken_back(line.number));
        changes.extend(over.map(|line| Pending::new(seat, Does::Cancels(line.number), None)));
        changes
    }

    /// A seat takes a standing order back: the order stands until the seat's next record.
    pub fn note_cancel(&mut self, seat: Seat, number: u32, line: Option<Line>) -> Result<(), TableError> {
        self.must_take_orders()?;
        if self.has_done(line) {
            return Ok(());
        }
        let mut changes = self.pending.clone();
        changes.push(Pending { seat, does: Does::Cancels(number), signed: None, line });
        self.wait_with(changes)
    }

    /// A seat replaces one order by another.
    pub fn note_replacement(
        &mut self,
        seat: Seat,
        number: u32,
        text: &str,
        line: Option<Line>,
    ) -> Result<Order, TableError> {
        let order = self.read_order(seat, text)?;
        self.note_instead(seat, number, order.clone(), line)?;
        Ok(order)
    }

    /// A seat leaves one of its orders again, so that it is tried before those left since.
    pub fn note_first(&mut self, seat: Seat, number: u32, line: Option<Line>) -> Result<Order, TableError> {
        let mut orders = self.orders(seat).into_iter();
        let found = orders.find(|(own, _)| *own == number).map(|(_, order)| order);
        if self.has_done(line) {
            return found.or_else(|| self.orders(seat).pop().map(|(_, order)| order)).ok_or_else(|| no_such(number));
        }
        let mut order = found.ok_or_else(|| no_such(number))?;
        let turn = self.fold.game().turn();
        let mut own = self.fold.books().map_or(&[][..], |books| books.of(seat)).iter();
        let has_begun = own.any(|own| own.number == number && own.stands(self.fold.at(), &turn));
        if order.until == Until::NextTurn && has_begun {
            order.until = Until::EndOfTurn;
        }
        self.note_instead(seat, number, order.clone(), line)?;
        Ok(order)
    }

    fn note_instead(&mut self, seat: Seat, number: u32, order: Order, line: Option<Line>) -> Result<(), TableError> {
        self.must_take_orders()?;
        if self.fold.plan().min_auth == Auth::Ssh && !self.fold.may_type(seat) {
            let why = "orders of this game are signed: cancel it, and sign the other one";
            return Err(TableError::NotNow { why });
        }
        if self.has_done(line) {
            return Ok(());
        }
        let mut changes = self.pending.clone();
        changes.push(Pending { seat, does: Does::Cancels(number), signed: None, line });
        changes.push(Pending { seat, does: Does::Leaves(order), signed: None, line });
        self.wait_with(changes)
    }

    /// What an order would answer now by its conditions alone: the words of the first branch that holds, or `ask me`;
    /// `None` if no branch holds.
    pub fn would_say(&self, seat: Seat, order: &Order) -> Option<String> {
        let question = order.questions.first()?;
        let holds = |condition: &String| self.fold.holds(self.fold.game(), (seat, question), condition);
        let branch = order.branches.iter().find(|branch| branch.condition.as_ref().is_none_or(holds))?;
        branch.answers.first().map(ToString::to_string)
    }

    /// Whether the book of a seat has changed since it last made a record.
    pub fn has_noted(&self, seat: Seat) -> bool {
        self.pending.iter().any(|pending| pending.seat == seat)
    }

    /// Whether a waiting order of the seat was signed with this number or a later one. For orders that stand, the
    /// fold checks this.
    pub(super) fn waits_with_signature(&self, seat: Seat, signed: &SignatureInClear) -> bool {
        let of_seat = self.pending.iter().filter(|pending| pending.seat == seat);
        let waiting = of_seat.filter_map(|pending| pending.signed.as_ref());
        waiting.filter(|waiting| waiting.on == signed.on).any(|waiting| waiting.number >= signed.number)
    }

    pub(super) fn must_take_orders(&self) -> Result<(), TableError> {
        self.must_be_played()?;
        match self.fold.adoption() {
            Some(_) => Err(TableError::NotNow { why: "another host waits for the consent of seats" }),
            None => Ok(()),
        }
    }

    pub(super) fn has_done(&self, line: Option<Line>) -> bool {
        let Some((letter, number)) = line else { return false };
        let is_kept = |order: &OrderInClear| order.letter == Some(letter) && order.line == Some(number);
        self.secrets.orders.iter().any(is_kept) || self.pending.iter().any(|pending| pending.line == line)
    }

    /// Makes these the waiting changes, if the books allow them and `reveal` has room for them.
    pub(super) fn wait_with(&mut self, pending: Vec<Pending>) -> Result<(), TableError> {
        let mut books = self.fold.books().expect("the host knows the books").clone();
        let when = self.fold.when();
        for change in pending.iter().map(|pending| pending.change(0)) {
            books.change(&change, &when)?;
        }
        // `reveal` is one record, and each seat has its share of the room in it: half for leaving orders, half for
        // taking them back.
        let seats = self.fold.plan().seats.len();
        let seat = pending.last().map(|pending| pending.seat);
        let waiting =
            pending.iter().map(|pending| pending.change(u64::from(u32::MAX)).in_record(&self.word(pending.seat)));
        let word = seat.map(|seat| self.word(seat));
        let of_seat = |changed: &BookChanged<'_>| Some(&*changed.seat) == word.as_deref();
        let orders: Vec<BookChanged<'_>> = self.changes_of_books().into_iter().chain(waiting).filter(of_seat).collect();
        let (count, mut emitter) = (orders.len(), Emitter::default());
        Reveal { root: Hash::ZERO, orders, lines: Vec::new() }.emit_fields(&mut emitter);
        let room = 4096 + if self.needs_receipts() { SHOWN_ROOM } else { 0 };
        let leaves = pending.last().is_some_and(|pending| !matches!(pending.does, Does::Cancels(_)));
        if leaves && (count > ITEM_LIMIT / 2 / seats || emitter.text().len() > (RECORD_LIMIT - room) / 2 / seats) {
            return Err(CannotChange::GameFull.into());
        }
        self.pending = pending;
        Ok(())
    }

    /// How the books changed, as `reveal` publishes it. It leaves out what an old host knew and did not hand over.
    pub(crate) fn changes_of_books(&self) -> Vec<BookChanged<'static>> {
        let plan = self.fold.plan();
        let changes = self.secrets.orders.iter().filter_map(|order| order.change(plan));
        let known = changes.filter(|change| change.seq > self.fold.books_since());
        known.map(|change| change.in_record(plan.word(change.seat))).collect()
    }

    /// The changes to which a record of a seat commits.
    pub(crate) fn pending_changes(&self, entry: &Entry) -> Vec<Change> {
        let seat = self.fold.plan().seat(&entry.seat);
        let of_seat = self.pending.iter().filter(|pending| Some(pending.seat) == seat);
        of_seat.map(|pending| pending.change(entry.seq)).collect()
    }

    /// Writes the changes to which a record commits into `host.yaml`, before the record is added.
    pub(crate) fn keep_orders_of(&mut self, entry: &Entry) -> Result<(), TableError> {
        let orders = self.orders_of(entry);
        if orders.is_empty() && !self.has_stale_orders {
            return Ok(());
        }
        let mut secrets = self.secrets.clone();
        secrets.orders.extend(orders);
        secrets.write(&self.drawer)?;
        self.has_stale_orders = true;
        Ok(())
    }

    /// Notes that the record whose changes are in `host.yaml` is in the log.
    pub(crate) fn orders_are_committed(&mut self, entry: &Entry) {
        let orders = self.orders_of(entry);
        self.secrets.orders.extend(orders);
        self.has_stale_orders = false;
        if entry.books.is_some() {
            let seat = self.fold.plan().seat(&entry.seat);
            self.pending.retain(|pending| Some(pending.seat) != seat);
        }
    }

    fn orders_of(&self, entry: &Entry) -> Vec<OrderInClear> {
        let seat = self.fold.plan().seat(&entry.seat).filter(|_| entry.books.is_some());
        let of_seat = self.pending.iter().filter(|pending| Some(pending.seat) == seat);
        of_seat.map(|pending| pending.in_clear(entry.seq, entry.seat.to_string())).collect()
    }

    /// Drops the changes of a record that was never made because of a crash.
    pub(super) fn forget_stale_orders(&mut self) {
        let (head, count) = (self.fold.head().seq, self.secrets.orders.len());
        self.secrets.orders.retain(|order| order.record <= head);
        self.has_stale_orders = self.secrets.orders.len() < count;
        self.fold.expect_no_changes();
    }

    /// The books as they are once every change that waits is committed to.
    pub(super) fn books_to_come(&self) -> Option<OrderBooks> {
        let mut books = self.fold.books()?.clone();
        for change in self.pending.iter().map(|pending| pending.change(0)) {
            books.change(&change, &self.fold.when()).expect("it was tried before");
        }
        Some(books)
    }

    /// The standing orders of a seat that have not lapsed, with their numbers.
    pub fn orders(&self, seat: Seat) -> Vec<(u32, Order)> {
        let (at, turn) = (self.fold.at(), self.fold.game().turn());
        let Some(books) = self.books_to_come() else { return Vec::new() };
        let stands = books.of(seat).iter().filter(|standing| standing.has_not_lapsed(at, &turn));
        stands.map(|standing| (standing.number, standing.order.clone())).collect()
    }

    /// What the first order of the asked seat that answers its question says.
    pub(crate) fn order_for(&self, question: Question, at: Stamp) -> Option<String> {
        self.fold.order_for(question, at).map(|(_, _, said)| said.sentence)
    }

    /// Whether an order of a seat is to answer the open question before anything else does.
    pub fn has_order_due(&self, seat: Seat, at: Stamp) -> bool {
        let asked = self.fold.asked().filter(|question| question.seat == seat);
        asked.is_some_and(|question| self.fold.order_due(question, self.not_before_the_last(at)).is_some())
    }

    /// Whether a new order of a seat, to which no record commits yet, will answer the open question as soon as one
    /// commits to it at this time.
    pub fn is_answered_by_noted(&self, seat: Seat, at: Stamp) -> bool {
        let fold = &self.fold;
        let is_due = |order: &Order, question: Question| {
            let has_lapsed = matches!(order.until, Until::Time(time) if time < at);
            !has_lapsed && matches!(fold.tried(order, question), Tried::Says(_))
        };
        let of_seat = self.pending.iter().filter(|pending| pending.seat == seat);
        let mut left = of_seat.filter_map(|pending| match &pending.does {
            Does::Leaves(order) => Some(order),
            Does::LeavesLine(_) | Does::Cancels(_) => None,
        });
        let asked = fold.asked().filter(|question| question.seat == seat && !fold.needs_receipts());
        asked.is_some_and(|question| left.any(|order| is_due(order, question)))
    }

    /// Lets an order answer that a crash kept from answering.
    pub(crate) fn let_orders_fire(&mut self, at: Stamp) -> Result<Vec<Head>, TableError> {
        match self.fold.asked().and_then(|question| self.order_for(question, at)) {
            Some(_) => self.settle(at),
            None => Ok(Vec::new()),
        }
    }

    /// Says for a seat what its order says. The record does not show which order it was.
    pub(crate) fn fire(&mut self, seat: Seat, sentence: &str, at: Stamp) -> Result<Head, TableError> {
        let heard = self.read(seat, sentence)?;
        let said = Text::from(heard.sentence().to_string());
        let say = Say { said, line: None };
        let via = Via::by(By::Standing);
        self.add_answer(heard, Some(via), say, at)
    }
}
