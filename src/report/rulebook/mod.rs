/*! The rulebooks of the titles: a rule looked up by its number, words looked for, a book as text or as a page.

A title embeds its documents ([`Title::rulebook`]); [`book`] reads them into numbered paragraphs, [`number`] and
[`inline`] read their lines. [`ask`] finds what somebody asks for, with [`search`]; [`text`] sets it for a terminal or
a letter, [`page`] a whole book for a browser. It does not know who asks: the verb `rule` and the answers by letter
call the same functions.
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

use book::{Book, Paragraph};
use engine::title::{Kept, Title, Titles};
use number::Number;

/// The rulebook of a title: its documents, in their order.
pub struct Shelf {
    pub title: &'static Title,
    pub books: Vec<Book>,
}

static SHELVES: Kept<Shelf> = Kept::new();

/// The rulebook of a title.
pub fn shelf(title: &'static Title) -> &'static Shelf {
    SHELVES.of(&[title], || {
        let books = title.texts.rulebook.iter().map(|document| Book::read(document.markdown)).collect();
        Shelf { title, books }
    })
}

/// The rulebook of a title; `None` if not everybody can play the title.
pub fn shelves(titles: Titles) -> Vec<&'static Shelf> {
    titles.all().iter().map(|title| shelf(title)).collect()
}

impl Shelf {
    /// The paragraph with a number, and its document.
    pub fn paragraph(&self, number: Number) -> Option<(&Book, &Paragraph)> {
        self.books.iter().find_map(|book| Some((book, book.paragraph(number)?)))
    }

    /// Its documents as they are written, one after the other.
    pub fn markdown(&self) -> String {
        let documents: Vec<&str> =
            self.title.texts.rulebook.iter().map(|document| document.markdown.trim_end()).collect();
        documents.join("\n\n") + "\n"
    }
}
