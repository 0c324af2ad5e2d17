//! `rules`: the whole rulebook of a title.

use crate::cli::exit::Done;
use crate::cli::paper;
use crate::cli::rule::shelf;
use clap::{Args, ValueEnum};
use report::rulebook;

/// Print the rulebook of a game: the rules, the rulings, and where Ringmail departs from print.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail rules wotr | less
  ringmail rules wotr --format page > rules.html
  ringmail rules risk --format markdown > rules.md")]
pub struct Rules {
    /// The game: `risk` or `wotr`.
    title: String,
    /// The format.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Text for a terminal.
    Text,
    /// One page for a browser, with a link for every number.
    Page,
    /// The documents as they are written.
    Markdown,
}

pub fn run(rules: &Rules) -> Done {
    let shelf = shelf(&rules.title)?;
    paper::print(&match rules.format {
        Format::Text => rulebook::whole(shelf, paper::columns()),
        Format::Page => rulebook::page(shelf),
        Format::Markdown => shelf.markdown(),
    })
}
