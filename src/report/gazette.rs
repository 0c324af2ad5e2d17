/*! What the seats of a table have not been told yet, kept while the host's program runs.

News is told entry by entry, to each seat as it could know it then. Whoever is behind, because the program stopped
before his letter was written, is told from the log.
*/

use crate::engine::seat::Seat;
use crate::record::fold::Fold;
use crate::record::plan::Titles;
use crate::record::reading::read_through;
use crate::record::table::Table;
use crate::record::table_error::TableError;
use crate::report::occasion::{Happening, happening};
use std::ops::ControlFlow;

/// The news for each seat.
#[derive(Clone, Debug)]
pub struct Gazette {
    /// In the order of the seats.
    seats: Vec<Vec<Happening>>,
    /// The newest entry that is in it.
    seq: u64,
}

impl Gazette {
    /// The gazette of a table, from now on. `told` says up to which entry a seat has been told.
    ///
    /// # Errors
    /// Somebody is behind, and the log cannot be read again.
    pub fn open(table: &mut Table, titles: Titles, told: impl Fn(Seat) -> u64) -> Result<Gazette, TableError> {
        let count = table.fold().plan().seats.len();
        let seq = table.fold().head().seq;
        table.fold_mut().game_mut().forget_news();
        let mut gazette = Gazette { seats: vec![Vec::new(); count], seq };
        if (0..count).all(|index| told(Seat::at(index)) >= seq) {
            return Ok(gazette);
        }
        let records = table.log().records()?;
        read_through(records, titles, Some(table.secrets().root), |step| {
            for index in (0..count).filter(|index| told(Seat::at(*index)) < step.entry.seq) {
                gazette.add(step.fold, Seat::at(index), step.entry.seq);
            }
            ControlFlow::Continue(())
        })?;
        Ok(gazette)
    }

    /// Takes in what has happened at the table since the last time, and makes its game forget it.
    pub fn note(&mut self, table: &mut Table) {
        let fold = table.fold_mut();
        for index in 0..self.seats.len() {
            self.add(fold, Seat::at(index), self.seq + 1);
        }
        self.seq = fold.head().seq;
        fold.game_mut().forget_news();
    }

    /// What a seat has not been told yet.
    pub fn news(&self, seat: Seat) -> Vec<Happening> {
        self.seats[seat.index()].clone()
    }

    /// A seat has been told everything.
    pub fn told(&mut self, seat: Seat) {
        self.seats[seat.index()].clear();
    }

    fn add(&mut self, fold: &Fold, seat: Seat, seq: u64) {
        let news = happening(fold.game(), seq, Some(seat), fold.faces());
        if !news.told.is_empty() {
            self.seats[seat.index()].push(news);
        }
    }
}
