//! `codes`: a player's one-time codes, on his own machine.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use crate::record::commit::chain::write_code;
use crate::record::file::codebook::{Codebook, CodebookError};
use crate::record::value::hash::GameId;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

/// Make and read your one-time codes, so that the host cannot foresee the dice.
///
/// Each answer you send carries the next code. The dice that follow are mixed from it, from the codes of the others
/// and from the host's own chain, so nobody knows them beforehand. Make the book before you join, on your own
/// machine, and send only its anchor.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail codes new --game 000102030405060708090a0b0c0d0e0f --seat 1 --book shire-codes.yaml
  ringmail codes show --book shire-codes.yaml --from 12 --count 3")]
pub struct Codes {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Make a new book and print the anchor that your joining letter carries.
    New {
        /// The number of the game: 32 hexadecimal digits, in your invitation and in the first record of the log.
        #[arg(long, value_parser = game_id)]
        game: GameId,
        /// The number of your seat, from 1 in the order of the charter.
        #[arg(long, value_parser = clap::value_parser!(u8).range(1..))]
        seat: u8,
        /// The file to keep the book in. Nobody else may read it.
        #[arg(long)]
        book: PathBuf,
    },
    /// Print codes; the letter that asks says which number it wants.
    Show {
        /// The file the book is kept in.
        #[arg(long)]
        book: PathBuf,
        /// The number of the first code to print.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        from: u32,
        /// How many to print.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1024))]
        count: u32,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

impl From<CodebookError> for Failure {
    fn from(error: CodebookError) -> Failure {
        Failure::failed(error.to_string())
    }
}

pub fn run(codes: &Codes) -> Done {
    match &codes.what {
        What::New { game, seat, book } => {
            let new = Codebook::random(*game, *seat)?;
            new.create(book)?;
            paper::line(&format!("anchor {}", new.chain().anchor()))
        }
        What::Show { book, from, count, json } => show(&Codebook::read(book)?, *from, *count, *json),
    }
}

fn show(book: &Codebook, from: u32, count: u32, as_json: bool) -> Done {
    let chain = book.chain();
    let numbers = from..from.saturating_add(count);
    let codes: Vec<(u32, String)> = numbers.filter_map(|k| chain.code(k).map(|code| (k, write_code(&code)))).collect();
    if codes.is_empty() {
        return Err(Failure::usage(format!("The book has {} codes; there is no code {from}.", book.codes)));
    }
    if as_json {
        let list: Vec<_> = codes.iter().map(|(k, code)| json!({ "k": k, "code": code })).collect();
        return paper::json(&json!({ "game": book.game.to_string(), "seat": book.seat, "codes": list }));
    }
    let lines: Vec<String> = codes.iter().map(|(k, code)| format!("code {k} {code}\n")).collect();
    paper::print(&lines.concat())
}

fn game_id(text: &str) -> Result<GameId, String> {
    GameId::parse(text).ok_or_else(|| "a game has 32 hexadecimal digits, in lower case".to_string())
}
