//! `card`: what a card does.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper::{self, COLUMNS};
use crate::titles;
use clap::Args;
use engine::glossary::{self, Gloss};
use engine::title::Title;
use report::rulebook::{self, Shelf};
use report::terminal;

/// Tell what a card does, in our words, with its rulings.
///
/// A card is found by its title, or the beginning of it, in any spelling; a Combat card of War of the Ring also by the
/// title of its lower half.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail card athelas\n  ringmail card gollum --title risk")]
pub struct Card {
    /// The title of the card.
    #[arg(required = true)]
    name: Vec<String>,
    /// The game it belongs to: `risk` or `wotr`; without it, both are looked through.
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Card {
    /// Asks for the card of this name in a title.
    pub fn called(name: &str, title: &str) -> Card {
        Card { name: vec![name.to_string()], title: Some(title.to_string()), json: false }
    }
}

pub fn run(card: &Card) -> Done {
    let titles: Vec<&'static Title> = match &card.title {
        None => titles::ALL.all().to_vec(),
        Some(id) => vec![titles::ALL.by_id(id).ok_or_else(|| {
            let known: Vec<&str> = titles::ALL.all().iter().map(|title| title.id).collect();
            Failure::usage(format!("There is no title {id}; there are: {}.", known.join(", ")))
        })?],
    };
    let name = card.name.join(" ");
    let mut found: Vec<&Gloss> = Vec::new();
    let mut nearest: Vec<String> = Vec::new();
    for title in &titles {
        match glossary::look_up((title.texts.glossary)(), &name) {
            Ok(glosses) => found.extend(glosses),
            Err(unknown) => nearest.extend(unknown.nearest),
        }
    }
    if found.is_empty() {
        let hint = if nearest.is_empty() { String::new() } else { format!(" Did you mean: {}?", nearest.join(", ")) };
        let shelves: Vec<&Shelf> = titles.iter().map(|title| rulebook::shelf(title)).collect();
        let is_in_rules = rulebook::ask(&shelves, &name).is_ok();
        let rules = if is_in_rules { format!(" The rules speak of it: ringmail rule {name}") } else { String::new() };
        return Err(Failure::usage(format!("No card is called `{name}`.{hint}{rules}")));
    }
    if card.json { paper::json(&terminal::glosses(&found)) } else { paper::print(&terminal::card(&found, COLUMNS)) }
}
