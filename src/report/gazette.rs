/*! What the seats of a table have not been told yet, kept while the host's program runs.

News is written entry by entry, for each seat by what it could know then: it is the same whether the entry is just
being added or is read from the log. If the program stopped before a player's letter was written, the player is told
from the log.
*/

use crate::entry_words::words;
use crate::occasion::{EntryNews, Saved, entry_news};
use crate::pace::{Pace, Turn};
use engine::seat::Seat;
use engine::title::Titles;
use record::entry::{Body, Entry};
use record::file::reading::{Followed, read_through};
use record::table::Table;
use record::table::table_error::TableError;
use serde_json::json;
use std::ops::ControlFlow;

/// What one entry tells the seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    seq: u64,
    /// In the order of the seats; `None` for those that are not told.
    news: Vec<Option<EntryNews>>,
    /// The seat that a standing order could have answered for.
    saved: Option<(Seat, Saved)>,
    /// The pace of the turn that ends with this entry.
    pace: Option<Turn>,
}

impl Sheet {
    /// The sheet of an entry, for the seats that `is_told` names. `pace` has counted all entries before.
    pub fn of(followed: &Followed<'_>, pace: &mut Pace, is_told: impl Fn(Seat) -> bool) -> Sheet {
        let seats = (0..followed.fold.plan().seats.len()).map(Seat::at);
        let news = seats.map(|seat| is_told(seat).then(|| told(followed, Some(seat))));
        Sheet { seq: followed.entry.seq, news: news.collect(), saved: saved(followed), pace: pace.note(followed) }
    }
}

/// What an entry tells a reader: the news of the game, and what else is announced.
pub fn told(followed: &Followed<'_>, reader: Option<Seat>) -> EntryNews {
    let mut told = entry_news(followed.fold.game(), followed.entry.seq, reader, followed.fold.faces());
    let news = words(followed, reader).news;
    told.told.extend(news.iter().map(|text| json!({ "kind": "event", "text": text })));
    told
}

/// Everything that a log tells the public after the entry `since`.
pub fn public(table: &Table, titles: Titles, since: u64) -> Result<Vec<EntryNews>, TableError> {
    let mut news = Vec::new();
    read_through(table.log().records()?, titles, Some(table.secrets().root), |followed| {
        if followed.entry.seq > since {
            news.push(told(followed, None));
        }
        ControlFlow::Continue(())
    })?;
    news.retain(|news| !news.told.is_empty());
    Ok(news)
}

/// The seat that answered by hand what a standing order would have answered for it, and that order.
fn saved(followed: &Followed<'_>) -> Option<(Seat, Saved)> {
    let question = followed.asked_before?;
    let Body::Say(say) = &followed.entry.body else { return None };
    if !is_by_hand(followed.entry) {
        return None;
    }
    let title = followed.fold.plan().title;
    Some((question.seat, Saved::of(title, followed.entry.seq, question.id, &say.said)?))
}

fn is_by_hand(entry: &Entry<'_>) -> bool {
    entry.via.as_ref().is_none_or(|via| via.by.is_none())
}

/// The sheets, sorted by seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gazette {
    /// In the order of the seats.
    seats: Vec<Pages>,
}

/// What is kept for one seat: everything after the entry `from`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pages {
    from: u64,
    news: Vec<EntryNews>,
    saved: Vec<Saved>,
    pace: Vec<(u64, Turn)>,
}

/// What a seat has not been told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Untold {
    pub news: Vec<EntryNews>,
    /// Each order once, with the first question that it would have answered.
    pub saved: Vec<Saved>,
    /// The pace of the turns that have ended since.
    pub pace: Vec<Turn>,
}

impl Gazette {
    /// Everything that a log tells a seat after the entry `since`.
    pub fn read(table: &Table, titles: Titles, seat: Seat, since: u64) -> Result<Untold, TableError> {
        let (mut gazette, mut pace) = (Gazette::default(), Pace::default());
        read_through(table.log().records()?, titles, Some(table.secrets().root), |followed| {
            gazette.take_in(Sheet::of(followed, &mut pace, |reader| reader == seat && followed.entry.seq > since));
            ControlFlow::Continue(())
        })?;
        Ok(gazette.untold(seat, since).expect("it was read from there on"))
    }

    /// Takes in the sheet of the next entry.
    pub fn take_in(&mut self, sheet: Sheet) {
        self.seats.resize_with(sheet.news.len(), Pages::default);
        for (pages, news) in self.seats.iter_mut().zip(sheet.news) {
            let Some(news) = news else {
                pages.from = sheet.seq;
                continue;
            };
            pages.pace.extend(sheet.pace.iter().map(|turn| (sheet.seq, turn.clone())));
            if !news.told.is_empty() {
                pages.news.push(news);
            }
        }
        if let Some((seat, saved)) = sheet.saved {
            self.seats[seat.index()].saved.push(saved);
        }
    }

    /// What happened after an entry; `None` if that is no longer kept.
    pub fn untold(&self, seat: Seat, since: u64) -> Option<Untold> {
        let pages = self.seats.get(seat.index()).filter(|pages| pages.from <= since)?;
        let mut untold = Untold::default();
        untold.news.extend(pages.news.iter().filter(|news| news.seq > since).cloned());
        untold.pace.extend(pages.pace.iter().filter(|(seq, _)| *seq > since).map(|(_, turn)| turn.clone()));
        for saved in pages.saved.iter().filter(|saved| saved.seq > since) {
            if untold.saved.iter().all(|known| known.order != saved.order) {
                untold.saved.push(saved.clone());
            }
        }
        Some(untold)
    }

    /// Notes that a seat has been told everything up to an entry, and forgets what it was told.
    pub fn told(&mut self, seat: Seat, seq: u64) {
        let Some(pages) = self.seats.get_mut(seat.index()) else { return };
        pages.from = pages.from.max(seq);
        pages.news.retain(|news| news.seq > seq);
        pages.saved.retain(|saved| saved.seq > seq);
        pages.pace.retain(|(ended, _)| *ended > seq);
    }
}
