//! `menu`: what the asked seat may say now.

use crate::cli::exit::Done;
use crate::cli::games::Games;
use crate::cli::paper::COLUMNS;
use crate::cli::reader::Reader;
use clap::Args;
use report::{from_log, terminal};
use std::ops::ControlFlow;

/// Show what the asked seat may say now.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail menu shire --as yellow")]
pub struct Menu {
    #[command(flatten)]
    reader: Reader,
}

pub fn run(menu: &Menu, games: &Games) -> Done {
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
