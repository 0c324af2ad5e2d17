//! `codes`: a player's one-time codes, on his own machine.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use clap::{Args, Subcommand};
use ground::hash::Hash;
use record::commit::chain::write_code;
use record::file::codebook::{Codebook, CodebookError};
use serde_json::json;
use std::path::PathBuf;

/// Make and read your one-time codes, so that the host cannot foresee the dice.
///
/// The dice follow from the host's own chain and from the codes of all players who keep some, so nobody knows them
/// beforehand. Make the book before you join, on your own machine, and send only its anchor. When all have joined you
/// send code 1; after that, each letter tells whether your answer needs a code, and which.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail codes new --genesis 9c1e5dd0… --seat 1 --book shire-codes.yaml
  ringmail codes show --book shire-codes.yaml --from 12 --count 3")]
pub struct Codes {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Make a new book and print the anchor that your joining letter carries.
    New {
        /// The hash of the first record of the game: 64 hexadecimal digits, in your invitation. The codes serve in no
        /// other game, and in none that is made anew in its place.
        #[arg(long, value_parser = hash)]
        genesis: Hash,
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
        What::New { genesis, seat, book } => {
            let new = Codebook::random(*genesis, *seat)?;
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
        return paper::json(&json!({ "genesis": book.genesis.to_string(), "seat": book.seat, "codes": list }));
    }
    let lines: Vec<String> = codes.iter().map(|(k, code)| format!("code {k} {code}\n")).collect();
    paper::print(&lines.concat())
}

fn hash(text: &str) -> Result<Hash, String> {
    Hash::parse(text).ok_or_else(|| "the hash has 64 hexadecimal digits, in lower case".to_string())
}
