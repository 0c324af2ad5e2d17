//! `rule`: a rule of a title, by its number or by its words.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use crate::titles;
use clap::Args;
use report::rulebook::{self, Shelf};

/// Print a rule, a ruling or a scenario by its number, or look for words in the rules.
///
/// The numbers are those that refusals, questions and the code cite. With words, the rules that have all of them are
/// listed, the best first. `ringmail rules` prints a whole book.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail rule 9.24
  ringmail rule 6.18 to 6.24 --title wotr
  ringmail rule ▲35                         (also: ringmail rule ruling 35)
  ringmail rule S155
  ringmail rule C2.18                       a ruling on cards
  ringmail rule 9                           the paragraphs of chapter 9
  ringmail rule retreat siege               every rule with both words")]
pub struct Rule {
    /// The number of a rule, or words.
    #[arg(required = true, value_name = "NUMBER OR WORDS")]
    asked: Vec<String>,
    /// The game it belongs to: `risk` or `wotr`; without it, the rules of both are looked through.
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Rule {
    /// Asks for the rule of a title with this number, or with these words.
    pub fn of(asked: &str, title: &str) -> Rule {
        let asked = asked.split_whitespace().map(str::to_string).collect();
        Rule { asked, title: Some(title.to_string()), json: false }
    }
}

pub fn run(rule: &Rule) -> Done {
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
pub fn shelf(title: &str) -> Result<&'static Shelf, Failure> {
    titles::ALL.by_id(title).map(rulebook::shelf).ok_or_else(|| {
        let known: Vec<&str> = titles::ALL.all().iter().map(|title| title.id).collect();
        Failure::usage(format!("There is no title {title}; there are: {}.", known.join(", ")))
    })
}
