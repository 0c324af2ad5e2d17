//! The words with which sentences of the games and requests begin, collected once.

use super::request::table::{Definition, REQUESTS};
use crate::reply::vocabulary::Vocabulary;
use engine::title::{Kept, Title, Titles};

static VOCABULARIES: Kept<Vocabulary> = Kept::new();

/// The words of all games: a letter is read without asking which game it is about.
pub fn of_all(titles: Titles) -> &'static Vocabulary {
    of(titles.all())
}

/// The words of one game; `None` if there is no such title.
pub fn of_title(title: &'static Title) -> Option<&'static Vocabulary> {
    (!title.texts.openers.is_empty()).then(|| of(&[title]))
}

fn of(titles: &[&'static Title]) -> &'static Vocabulary {
    let requests = || REQUESTS.iter().flat_map(Definition::words);
    VOCABULARIES.of(titles, || Vocabulary::of(titles, requests()))
}
