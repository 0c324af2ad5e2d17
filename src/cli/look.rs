//! `show`, `menu`, `report` and `replay`: the table, as a reader may see it.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat};
use crate::cli::paper;
use clap::Args;
use engine::seat::Seat;
use record::file::reading::Step;
use record::fold::Fold;
use report::occasion::{EntryNews, Occasion};
use report::{from_log, gazette, letter, print, terminal};
use std::ops::ControlFlow;

/// Show the table, as everybody or as one seat sees it.
///
/// A seat's hand is shown if the secrets of the game are beside its log, that is, to its host; a public log shows only
/// what has been opened.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail show shire\n  ringmail show shire --as yellow --json")]
pub struct Show {
    #[command(flatten)]
    reader: Reader,
}

/// Show what the asked seat may say now.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail menu shire --as yellow")]
pub struct Menu {
    #[command(flatten)]
    reader: Reader,
}

/// Print the letter that a seat would get, at any entry of the log.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ringmail report shire --as yellow\n  ringmail report shire --as red --at 57 --since \
                        40\n  ringmail report shire --as red --print > turn.html"
)]
pub struct Report {
    #[command(flatten)]
    reader: Reader,
    /// The entry after which the letter is written; the last if left out.
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
    /// The entry up to which the seat knows what happened; the news begin after it.
    #[arg(long, value_name = "SEQ")]
    since: Option<u64>,
    /// Make a page to be printed on A4 from a browser instead: the whole map, the table, the hand, lines for orders.
    #[arg(long, conflicts_with = "json")]
    print: bool,
}

/// Show the table as it stood after an entry.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail replay shire --to 57")]
pub struct Replay {
    #[command(flatten)]
    reader: Reader,
    /// The entry.
    #[arg(long, value_name = "SEQ")]
    to: u64,
}

/// Which log is shown, and as which seat sees it.
#[derive(Args, Debug)]
struct Reader {
    /// The game, its log, or `-` for standard input.
    game: String,
    /// The seat whose view is shown; without it, that of the public.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reader {
    fn seat(&self, fold: &Fold) -> Result<Option<Seat>, Failure> {
        self.seat.as_deref().map(|word| seat(fold.plan(), word)).transpose()
    }

    fn print(&self, occasion: &Occasion, text: impl FnOnce(&Occasion) -> String) -> Done {
        match self.json {
            true => paper::json(&serde_json::to_value(occasion).expect("an occasion is plain data")),
            false => paper::print(&text(occasion)),
        }
    }
}

/// The width of a page on a terminal, in columns.
const COLUMNS: usize = 72;

pub fn show(show: &Show, games: &Games) -> Done {
    let fold = games.read(&show.reader.game, |_| ControlFlow::Continue(()))?;
    let occasion = from_log::look(&fold, show.reader.seat(&fold)?);
    show.reader.print(&occasion, |occasion| terminal::show(occasion, COLUMNS))
}

pub fn menu(menu: &Menu, games: &Games) -> Done {
    let fold = games.read(&menu.reader.game, |_| ControlFlow::Continue(()))?;
    let asked = match fold.need() {
        engine::need::Need::Question(question) => Some(question.seat),
        _ => None,
    };
    let reader = match menu.reader.seat(&fold)? {
        Some(seat) => Some(seat),
        None => asked,
    };
    let occasion = from_log::look(&fold, reader);
    menu.reader.print(&occasion, |occasion| terminal::menu(occasion, COLUMNS))
}

pub fn replay(replay: &Replay, games: &Games) -> Done {
    let fold = up_to(games, &replay.reader.game, Some(replay.to), |_, _| {})?;
    let occasion = from_log::look(&fold, replay.reader.seat(&fold)?);
    replay.reader.print(&occasion, |occasion| terminal::show(occasion, COLUMNS))
}

pub fn report(report: &Report, games: &Games) -> Done {
    let mut news: Vec<EntryNews> = Vec::new();
    let mut unknown = None;
    let since = report.since;
    let fold = up_to(games, &report.reader.game, report.at, |step, last| {
        match report.reader.seat(step.fold) {
            Ok(reader) => {
                let told = gazette::told(step, reader);
                let before = since.is_some_and(|since| step.entry.seq <= since);
                // Without `--since`, only the news of the last entry are shown.
                if since.is_none() && !last {
                    news.clear();
                }
                if !before && !told.told.is_empty() {
                    news.push(told);
                }
            }
            Err(failure) => unknown = Some(failure),
        }
    })?;
    if let Some(failure) = unknown {
        return Err(failure);
    }
    let mut occasion = from_log::look(&fold, report.reader.seat(&fold)?);
    occasion.news = news;
    if report.print {
        return paper::bytes(print::sheet(&occasion, None).html.as_bytes());
    }
    report.reader.print(&occasion, |occasion| {
        let letter = letter::letter(occasion);
        format!("Subject: {}\n\n{}", letter.subject, letter.text)
    })
}

/// Folds the log up to an entry. `each` sees every step, and whether it is the last.
pub fn up_to(
    games: &Games,
    game: &str,
    to: Option<u64>,
    mut each: impl FnMut(&Step<'_>, bool),
) -> Result<Fold, Failure> {
    let fold = games.read(game, |step| {
        let last = to.is_some_and(|to| step.entry.seq >= to);
        each(step, last);
        if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match to {
        Some(to) if fold.head().seq < to => {
            Err(Failure::usage(format!("There is no entry {to}; the last is {}.", fold.head().seq)))
        }
        _ => Ok(fold),
    }
}
