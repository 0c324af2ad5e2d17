/*! What a seat is to be told: an occasion for the report, with the news since its last letter.

News are what the title tells of events as they happen, so the log is folded once more from the start, and the reader
listens from where he was last told.
*/

use super::fault::PostError;
use crate::engine::seat::Seat;
use crate::record::plan::Titles;
use crate::record::reading::read_through;
use crate::record::table::Table;
use crate::record::table_error::TableError;
use crate::report::from_table;
use crate::report::occasion::{self, Answered, Happening, Occasion};
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
    let news = news(table, titles, wanted.seat, wanted.since)?;
    let mut occasion = from_table::occasion(table, Some(wanted.seat), news);
    occasion.answers = wanted.answers;
    Ok(occasion)
}

fn news(table: &Table, titles: Titles, seat: Seat, since: Option<u64>) -> Result<Vec<Happening>, PostError> {
    let records = table.log().records().map_err(TableError::from)?;
    let mut news = Vec::new();
    read_through(records, titles, Some(table.secrets().root), |step| {
        if since.is_none_or(|since| step.entry.seq > since) {
            let happening = occasion::happening(step.fold.game(), step.entry.seq, Some(seat), step.fold.faces());
            if !happening.told.is_empty() {
                news.push(happening);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(news)
}
