/*! Standing orders at the table of the host, who has them in clear: left, taken back, and fired when they fit. */

use super::Table;
use super::table_error::TableError;
use crate::engine::need::Question;
use crate::engine::seat::Seat;
use crate::record::commit::seals::Sealing;
use crate::record::commit::signed::SignedOrder;
use crate::record::entry::body::{By, OrderOpened, Say, Standing as StandingRecord, Text, Via};
use crate::record::entry::{Body, Head};
use crate::record::file::secrets::{SignatureInClear, StandingInClear};
use crate::record::fold::standing::{Order, Standing};
use crate::record::value::stamp::Stamp;

impl Table {
    /// Reads a standing order, and changes nothing.
    ///
    /// # Errors
    /// It is no order, or names no question of the game.
    pub fn read_order(&self, text: &str) -> Result<Order, TableError> {
        let order = Order::read(text)?;
        let title = self.fold.plan().title;
        if !title.questions().iter().any(|asked| title.answers(&order.question, asked.id)) {
            let asked = title.questions().iter().map(|asked| asked.id).collect();
            return Err(TableError::NoSuchQuestion { found: order.question, asked });
        }
        Ok(order)
    }

    /// A seat leaves a standing order, which may fire at once.
    ///
    /// # Errors
    /// It is no order, or the log or the secrets cannot be written.
    pub fn leave_order(
        &mut self,
        seat: Seat,
        text: &str,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        self.leave_signed_order(seat, text, None, via, at)
    }

    /// As [`Table::leave_order`], with the signature of the seat if it gave one. It is published when the order is:
    /// before, it would confirm a guess of the text.
    ///
    /// # Errors
    /// As there.
    pub fn leave_signed_order(
        &mut self,
        seat: Seat,
        text: &str,
        order: Option<&SignedOrder>,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Vec<Head>, TableError> {
        let signed = order.map(SignatureInClear::of);
        let order = self.read_order(text)?;
        let text = order.to_string();
        let seq = self.fold.head().seq + 1;
        let salt = Sealing::Order.salt(&self.secrets.root, seat.0, seq);
        let x = Sealing::Order.seal(&self.fold.plan().game, seat.0, seq, &text, &salt);
        // Kept before it is sealed: an order in clear without a record is dropped when the game is next opened.
        self.secrets.orders.retain(|order| order.standing < seq);
        self.secrets.orders.push(StandingInClear { standing: seq, seat: self.word(seat), text, signed });
        self.secrets.write(&self.folder)?;
        let body = Body::Standing(StandingRecord { x: Some(x), cancel: None });
        let mut heads = vec![self.add(self.word(seat), via, body, at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// A seat takes a standing order back.
    ///
    /// # Errors
    /// It has no such order, or the log cannot be written.
    pub fn cancel_order(&mut self, seat: Seat, standing: u64, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        if !self.fold.orders().iter().any(|order| order.seq == standing && order.seat == seat) {
            return Err(TableError::NoSuchOrder { standing });
        }
        let body = Body::Standing(StandingRecord { x: None, cancel: Some(standing) });
        self.add(self.word(seat), via, body, at)
    }

    /// The standing orders of a seat, in clear.
    pub fn orders(&self, seat: Seat) -> Vec<(u64, Order)> {
        let stands = self.fold.orders().iter().filter(|order| order.seat == seat);
        stands.filter_map(|order| Some((order.seq, self.order_in_clear(order.seq)?))).collect()
    }

    fn order_in_clear(&self, standing: u64) -> Option<Order> {
        let clear = self.secrets.orders.iter().find(|order| order.standing == standing)?;
        Order::read(&clear.text).ok()
    }

    /// The first order of the asked seat that fits its question.
    pub(crate) fn order_for(&self, question: Question, at: Stamp) -> Option<(u64, Order)> {
        // Where acts need receipts, what fires was left before the act was fixed.
        let run = self.fold.receipts().run();
        let is_fixed = |seq: u64| !self.needs_receipts() || run.is_some_and(|run| run.knows(seq));
        self.order_fitting(question, at, is_fixed)
    }

    /// The first order of the asked seat that fits its question, among those whose records are asked for.
    pub(super) fn order_fitting(
        &self,
        question: Question,
        at: Stamp,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Option<(u64, Order)> {
        let game = self.fold.game();
        let stands = |order: &&Standing| order.seat == question.seat && is_wanted(order.seq);
        self.fold.orders().iter().filter(stands).find_map(|standing| {
            let order = self.order_in_clear(standing.seq)?;
            let fits = self.fold.plan().title.answers(&order.question, question.id)
                && standing.lapsed(&order, at, &game.turn()).is_none()
                && game.read(question.seat, &order.sentence, self.fold.faces()).is_ok();
            fits.then_some((standing.seq, order))
        })
    }

    pub(crate) fn fire(&mut self, seat: Seat, standing: u64, order: &Order, at: Stamp) -> Result<Head, TableError> {
        let heard = self.read(seat, &order.sentence)?;
        let open = self.fold.orders().iter().any(|order| order.seq == standing && order.opened.is_some());
        let opened = || OrderOpened {
            text: Text::from(order.to_string()),
            salt: Sealing::Order.salt(&self.secrets.root, seat.0, standing),
        };
        let clear = self.secrets.orders.iter().find(|order| order.standing == standing);
        let (signed, sig) =
            clear.filter(|_| !open).and_then(|clear| clear.signed.as_ref()).map(SignatureInClear::in_record).unzip();
        let said = Text::from(heard.sentence().to_string());
        let say = Say { said, code: None, line: None, order: (!open).then(opened), signed, sig };
        let by = Some(By::Standing);
        let via = Via { raw: None, seen: None, auth: None, by, standing: Some(standing) };
        self.add_answer(heard, Some(via), say, at)
    }
}
