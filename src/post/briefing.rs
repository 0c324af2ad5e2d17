/*! What a seat is to be told: an occasion for the report, with the news since its last letter.

News are what the title tells of events as they happen, so the log is folded once more from the start, and the reader
listens from where he was last told.
*/

use super::fault::PostError;
use crate::engine::need::Need;
use crate::engine::seat::Seat;
use crate::record::masks::Masks;
use crate::record::plan::Titles;
use crate::record::reading::read_through;
use crate::record::table::Table;
use crate::record::table_error::TableError;
use crate::report::occasion::{self, Answered, Happening, Known, Occasion, Setting, StandingOrder, Waits};
use std::ops::ControlFlow;

/// What is asked of an occasion.
pub struct Wanted {
    pub seat: Seat,
    /// The newest entry the seat was told of; `None` if it never was.
    pub since: Option<u64>,
    pub answers: Vec<Answered>,
}

/// The occasion for a seat, at the head of the log.
///
/// # Errors
/// The log cannot be read.
pub fn occasion(table: &Table, titles: Titles, wanted: Wanted) -> Result<Occasion, PostError> {
    let (fold, seat) = (table.fold(), wanted.seat);
    let plan = fold.plan();
    let head = fold.head();
    let players: Vec<String> = plan.seats.iter().map(|seat| seat.player.clone()).collect();
    let hash = head.hash.to_string();
    let setting = Setting {
        id: &plan.name,
        title: plan.title,
        setup: &plan.setup,
        players: &players,
        seq: head.seq,
        head: &hash,
    };
    let known = Known { public: &fold.masks().open, host: fold.faces() };
    let mut occasion = setting.look(fold.game(), Some(seat), known);
    let salt = |slot| Some(Masks::salt(&table.secrets().root, slot).to_string());
    occasion.openings = setting.openings(fold.game(), seat, known, salt);
    occasion.news = news(table, titles, seat, wanted.since)?;
    let order =
        |(number, order): (u64, crate::record::standing::Order)| StandingOrder { number, order: order.to_string() };
    occasion.standing = table.orders(seat).into_iter().map(order).collect();
    occasion.answers = wanted.answers;
    let next_code = fold.ledger().and_then(|ledger| ledger.next_code(seat.0));
    if let (Waits::Reader { code, .. }, Need::Question(_)) = (&mut occasion.waits, fold.game().need()) {
        *code = next_code;
    }
    Ok(occasion)
}

fn news(table: &Table, titles: Titles, seat: Seat, since: Option<u64>) -> Result<Vec<Happening>, PostError> {
    let records = table.log().records().map_err(TableError::from)?;
    let mut news = Vec::new();
    read_through(records, titles, Some(table.secrets().root), |entry, fold| {
        if since.is_none_or(|since| entry.seq > since) {
            let known = Known { public: &fold.masks().open, host: fold.faces() };
            let faces = known.of(fold.game(), Some(seat));
            let happening = occasion::happening(fold.game(), entry.seq, Some(seat), &faces);
            if !happening.told.is_empty() {
                news.push(happening);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(news)
}
