//! A rulebook as one page for a browser: it loads nothing, every paragraph has an anchor, and numbers are links.

use crate::rulebook::Shelf;
use crate::rulebook::book::{Block, Book, Part};
use crate::rulebook::inline::{self, Piece, Span, Style};
use crate::rulebook::number::{Number, NumberKind};
use crate::templates;
use serde_json::{Value, json};

/// The page of a whole rulebook.
pub fn page(shelf: &Shelf) -> String {
    let books: Vec<Value> = shelf.books.iter().map(|book| self::book(shelf, book)).collect();
    let context = json!({ "name": shelf.title.name, "books": books });
    templates::page("rulebook.html", &templates::context(&context))
}

fn book(shelf: &Shelf, book: &Book) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    let mut chapters: Vec<Value> = Vec::new();
    for part in &book.parts {
        match part {
            Part::Heading { level: 2, text } => {
                let anchor = format!("chapter-{}", text.split('.').next().unwrap_or(text).to_lowercase());
                chapters.push(json!({ "anchor": anchor, "text": text }));
                parts.push(json!({ "is": "chapter", "anchor": anchor, "text": text }));
            }
            Part::Heading { text, .. } => parts.push(json!({ "is": "section", "text": text })),
            Part::Prose(block) => {
                parts.push(json!({ "is": "prose", "blocks": [self::block(shelf, book, block)] }));
            }
            Part::Paragraph(paragraph) => {
                let blocks: Vec<Value> = paragraph.blocks.iter().map(|block| self::block(shelf, book, block)).collect();
                let anchors: Vec<String> = paragraph.numbers().map(anchor).collect();
                let (first, others) = anchors.split_first().expect("a paragraph has a number");
                parts.push(json!({
                    "is": "paragraph", "label": paragraph.label(), "anchor": first, "others": others, "blocks": blocks,
                }));
            }
        }
    }
    json!({ "heading": book.heading, "chapters": chapters, "parts": parts })
}

fn block(shelf: &Shelf, book: &Book, block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({ "is": "text", "spans": spans(shelf, book, text) }),
        Block::Item(bullet, text) => json!({ "is": "item", "bullet": bullet, "spans": spans(shelf, book, text) }),
        Block::Table(rows) => {
            let cells = |row: &Vec<String>| row.iter().map(|cell| spans(shelf, book, cell)).collect::<Vec<_>>();
            let rows: Vec<Vec<Vec<Value>>> = rows.iter().map(cells).collect();
            json!({ "is": "table", "head": rows[0], "rows": rows[1..] })
        }
    }
}

/// The stretches of a line, each with what it leads to.
fn spans(shelf: &Shelf, book: &Book, line: &str) -> Vec<Value> {
    inline::spans(line, &book.marks()).into_iter().flat_map(|span| span_of(shelf, book, &span)).collect()
}

fn span_of(shelf: &Shelf, book: &Book, span: &Span) -> Vec<Value> {
    let is = match span.style {
        Style::Plain => "plain",
        Style::Strong => "strong",
        Style::Emphasis => "emphasis",
        Style::Code => return vec![set("code", &span.text, None, "")],
        Style::Switch => return vec![set("switch", &span.text, None, "")],
        Style::Mark => {
            let letter = span.text.split(' ').next().unwrap_or("");
            let meaning = book.legend.iter().find(|(known, _)| known == letter);
            let says = meaning.map_or("", |(_, meaning)| meaning.trim_end_matches(", page n"));
            let link = Number::read(&span.text).and_then(|number| link(shelf, number));
            return vec![set("mark", &span.text, link, says)];
        }
    };
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => set(is, text, None, ""),
        Piece::Number(number, text) => set(is, text, link(shelf, number), ""),
    };
    inline::pieces(&span.text).into_iter().map(piece).collect()
}

fn set(is: &str, text: &str, link: Option<String>, says: &str) -> Value {
    json!({
        "is": is,
        "text": text,
        "link": link,
        "says": says,
    })
}

/// Where a number leads to, if the rulebook has it.
fn link(shelf: &Shelf, number: Number) -> Option<String> {
    shelf.paragraph(number).map(|_| format!("#{}", anchor(number)))
}

/// The anchor of a paragraph: `9.24`, `ruling-35`, `S155`.
fn anchor(number: Number) -> String {
    match number.kind {
        NumberKind::Ruling => format!("ruling-{}", number.place),
        NumberKind::Rule | NumberKind::Scenario | NumberKind::Card => number.to_string(),
    }
}
