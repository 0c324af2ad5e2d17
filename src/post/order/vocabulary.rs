//! The words with which sentences of the games and requests begin, collected once.

use super::request::table::REQUESTS;
use crate::reply::vocabulary::Vocabulary;
use engine::title::{Kept, Title, Titles};

static VOCABULARIES: Kept<Vocabulary> = Kept::new();

/// The words of all games: which one a letter is about is not asked before it is read.
pub fn of_all(titles: Titles) -> &'static Vocabulary {
    of(titles.0)
}

/// The words of one game; `None` of a title that lists none.
pub fn of_title(title: &'static dyn Title) -> Option<&'static Vocabulary> {
    (!title.openers().is_empty()).then(|| of(&[title]))
}

fn of(titles: &[&'static dyn Title]) -> &'static Vocabulary {
    let requests = || REQUESTS.iter().flat_map(|row| row.spellings.iter().copied().chain([row.word]));
    VOCABULARIES.of(titles, || Vocabulary::of(titles, requests()))
}
