//! `rule`: a rule of a title, by its number or by its words, or the whole rulebook.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use crate::titles;
use clap::{Args, ValueEnum};
use report::rulebook::{self, Shelf};

/// Print a rule, a ruling or a scenario by its number, or look for words in the rules.
///
/// The numbers are those that refusals, questions and the code cite. With words, the rules that have all of them are
/// listed, the best first. `--book` prints the whole book of a game.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail rule 9.24
  ringmail rule 6.18 to 6.24 --title wotr
  ringmail rule ▲35                         (also: ringmail rule ruling 35)
  ringmail rule S155
  ringmail rule C2.18                       a ruling on cards
  ringmail rule 9                           the paragraphs of chapter 9
  ringmail rule retreat siege               every rule with both words
  ringmail rule --book wotr | less
  ringmail rule --book wotr --format page > rules.html
  ringmail rule --book risk --format markdown > rules.md")]
pub struct Rule {
    /// The number of a rule, or words.
    #[arg(required_unless_present = "book", value_name = "NUMBER OR WORDS")]
    asked: Vec<String>,
    /// The game it belongs to: `risk` or `wotr`; without it, the rules of both are looked through.
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// Print the rulebook of this game, `risk` or `wotr`: the rules, the rulings, and where it departs from print.
    #[arg(long, value_name = "TITLE", conflicts_with_all = ["asked", "title", "json"])]
    book: Option<String>,
    /// The format of the book.
    #[arg(long, value_enum, default_value = "text", requires = "book")]
    format: Format,
    /// Print JSON.
    #[arg(long)]
    json: bool,
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

impl Rule {
    /// Asks for the rule of a title with this number, or with these words.
    pub fn of(asked: &str, title: &str) -> Rule {
        let asked = asked.split_whitespace().map(str::to_string).collect();
        Rule { asked, title: Some(title.to_string()), book: None, format: Format::Text, json: false }
    }
}

pub fn run(rule: &Rule) -> Done {
    if let Some(title) = &rule.book {
        let shelf = shelf(title)?;
        return paper::print(&match rule.format {
            Format::Text => rulebook::whole(shelf, paper::columns()),
            Format::Page => rulebook::page(shelf),
            Format::Markdown => shelf.markdown(),
        });
    }
    let shelves: Vec<&Shelf> = match &rule.title {
        None => rulebook::shelves(titles::ALL),
        Some(title) => vec![shelf(title)?],
    };
    let answer = rulebook::ask(&shelves, &rule.asked.join(" ")).map_err(|why| Failure::usage(why.to_string()))?;
    if rule.json {
        paper::json(&rulebook::json(&answer))
    } else {
        paper::print(&rulebook::set(&answer, paper::columns()))
    }
}

/// The rulebook of the title with this name.
fn shelf(title: &str) -> Result<&'static Shelf, Failure> {
    titles::ALL.by_id(title).map(rulebook::shelf).ok_or_else(|| {
        let known: Vec<&str> = titles::ALL.all().iter().map(|title| title.id).collect();
        Failure::usage(format!("There is no title {title}; there are: {}.", known.join(", ")))
    })
}
