//! `show`: the table, the menu or a letter, as a reader may see it, now or at any entry.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::paper::{self, COLUMNS};
use crate::cli::reader::{Reader, up_to};
use clap::Args;
use engine::need::Need;
use record::fold::Fold;
use report::occasion::{EntryNews, Occasion};
use report::{from_log, gazette, letter, print, terminal};

/// Show the table, as everybody or as one seat sees it; or what the asked seat may say, or the letter it would get.
///
/// A seat's hand is shown if the secrets of the game are beside its log, that is, to its host; a public log shows only
/// what has been opened.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail show shire
  ringmail show shire --as yellow --at 57 --json
  ringmail show shire --menu
  ringmail show shire --letter --as red --at 57 --since 40
  ringmail show shire --print --as red > turn.html")]
pub struct Show {
    #[command(flatten)]
    reader: Reader,
    /// Show what the asked seat may say.
    #[arg(long)]
    menu: bool,
    /// Show the letter that the seat would get.
    #[arg(long, conflicts_with = "menu")]
    letter: bool,
    /// Make a page to be printed on A4 from a browser: the whole map, the table, the hand, lines for orders.
    #[arg(long, conflicts_with_all = ["menu", "letter", "json"])]
    print: bool,
    /// The entry after which it is shown; the last if left out.
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
    /// The entry up to which the seat knows what happened; the news of a letter begin after it.
    #[arg(long, value_name = "SEQ", conflicts_with = "menu")]
    since: Option<u64>,
}

pub fn run(show: &Show, games: &Games) -> Done {
    if show.letter || show.print {
        return with_news(show, games);
    }
    let fold = up_to(games, &show.reader.game, show.at, |_, _| {})?;
    if !show.menu {
        let occasion = from_log::look(&fold, show.reader.seat(&fold)?);
        return show.reader.print(&occasion, |occasion| terminal::show(occasion, COLUMNS));
    }
    let asked = match fold.need() {
        Need::Question(question) => Some(question.seat),
        _ => None,
    };
    let occasion = from_log::look(&fold, show.reader.seat(&fold)?.or(asked));
    show.reader.print(&occasion, |occasion| terminal::menu(occasion, COLUMNS))
}

/// Shows what a letter tells: the news as well.
fn with_news(show: &Show, games: &Games) -> Done {
    let (fold, news) = news(show, games)?;
    let mut occasion: Occasion = from_log::look(&fold, show.reader.seat(&fold)?);
    occasion.news = news;
    if show.print {
        return paper::bytes(print::sheet(&occasion, None).html.as_bytes());
    }
    show.reader.print(&occasion, |occasion| {
        let letter = letter::letter(occasion);
        format!("Subject: {}\n\n{}", letter.subject, letter.text)
    })
}

/// The game, and what has happened since the entry up to which the seat knows it; without one, only in the last entry.
fn news(show: &Show, games: &Games) -> Result<(Fold, Vec<EntryNews>), Failure> {
    let mut news: Vec<EntryNews> = Vec::new();
    let mut unknown = None;
    let fold = up_to(games, &show.reader.game, show.at, |followed, last| match show.reader.seat(followed.fold) {
        Ok(reader) => {
            let told = gazette::told(followed, reader);
            let before = show.since.is_some_and(|since| followed.entry.seq <= since);
            if show.since.is_none() && !last {
                news.clear();
            }
            if !before && !told.told.is_empty() {
                news.push(told);
            }
        }
        Err(failure) => unknown = Some(failure),
    })?;
    unknown.map_or(Ok((fold, news)), Err)
}
