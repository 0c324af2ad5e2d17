//! `report`: the letter that a seat would get.

use crate::cli::exit::Done;
use crate::cli::games::Games;
use crate::cli::paper;
use crate::cli::reader::{Reader, up_to};
use clap::Args;
use report::occasion::EntryNews;
use report::{from_log, gazette, letter, print};

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

pub fn run(report: &Report, games: &Games) -> Done {
    let mut news: Vec<EntryNews> = Vec::new();
    let mut unknown = None;
    let since = report.since;
    let fold = up_to(games, &report.reader.game, report.at, |followed, last| {
        match report.reader.seat(followed.fold) {
            Ok(reader) => {
                let told = gazette::told(followed, reader);
                let before = since.is_some_and(|since| followed.entry.seq <= since);
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
