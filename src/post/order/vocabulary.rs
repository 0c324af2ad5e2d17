//! The words with which sentences of the games and requests begin, collected once.

use super::request::table::REQUESTS;
use crate::reply::vocabulary::Vocabulary;
use crate::titles;
use engine::title::Title;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static OF_ALL: LazyLock<Vocabulary> = LazyLock::new(|| of(&titles::ALL));
static BY_TITLE: LazyLock<BTreeMap<&str, Vocabulary>> =
    LazyLock::new(|| titles::ALL.into_iter().map(|title| (title.id(), of(&[title]))).collect());

/// The words of all games: which one a letter is about is not asked before it is read.
pub fn of_all() -> &'static Vocabulary {
    &OF_ALL
}

/// The words of one game; nothing of a title that lists none.
pub fn of_title(id: &str) -> Option<&'static Vocabulary> {
    BY_TITLE.get(id)
}

fn of(titles: &[&'static dyn Title]) -> Vocabulary {
    Vocabulary::of(titles, REQUESTS.iter().flat_map(|row| row.spellings.iter().copied().chain([row.word])))
}
