/*! The rulebooks of the titles: a rule looked up by its number, words looked for, a book as text or as a page.

A title embeds its documents ([`Title::rulebook`]); [`book`] reads them into numbered paragraphs, [`number`] and
[`inline`] read a line of them. [`ask`] finds what somebody asks for, with [`search`]; [`text`] sets it for a
terminal or a letter, [`page`] a whole book for a browser. It knows nothing of who asks: the verb `rule`, and whatever
answers by letter, call the same functions.
*/

pub mod ask;
pub mod book;
mod inline;
pub mod number;
mod page;
mod search;
mod text;

pub use ask::{Answer, Unanswered, ask};
pub use page::page;
pub use text::{Reader, how_to_read, is_number, json, reply, set, whole};

use crate::titles;
use book::{Book, Paragraph};
use engine::title::Title;
use number::Number;
use std::sync::LazyLock;

/// The rulebook of a title: its documents, in their order.
pub struct Shelf {
    pub title: &'static dyn Title,
    pub books: Vec<Book>,
}

static SHELVES: LazyLock<Vec<Shelf>> = LazyLock::new(|| {
    let shelf = |title: &'static dyn Title| {
        let books = title.rulebook().iter().map(|document| Book::read(document.markdown)).collect();
        Shelf { title, books }
    };
    titles::ALL.into_iter().map(shelf).collect()
});

/// The rulebooks of every title.
pub fn shelves() -> &'static [Shelf] {
    &SHELVES
}

/// The rulebook of a title; none if it is not one that everybody can play.
pub fn shelf(title: &str) -> Option<&'static Shelf> {
    SHELVES.iter().find(|shelf| shelf.title.id() == title)
}

impl Shelf {
    /// The paragraph with a number, and its document.
    pub fn paragraph(&self, number: Number) -> Option<(&Book, &Paragraph)> {
        self.books.iter().find_map(|book| Some((book, book.paragraph(number)?)))
    }

    /// Its documents as they are written, one after the other.
    pub fn markdown(&self) -> String {
        let documents: Vec<&str> = self.title.rulebook().iter().map(|document| document.markdown.trim_end()).collect();
        documents.join("\n\n") + "\n"
    }
}
