//! Rules as text: what was found, folded into the columns of a terminal or a letter, and a whole book.

use crate::columns::{LETTER, cut, left, width};
use crate::rulebook::ask::{Answer, Found, Unanswered, ask};
use crate::rulebook::book::{Block, Book, Paragraph, Part};
use crate::rulebook::inline::{self, Style};
use crate::rulebook::number::{Number, NumberKind};
use crate::rulebook::search::Hit;
use crate::rulebook::{Shelf, shelf, shelves};
use crate::templates;
use engine::title::{Title, Titles};
use serde::Serialize;
use serde_json::{Value, json};

/// Columns before the text of a paragraph, for its number.
const INDENT: usize = 7;

/// A line to be folded, with its prefixes; a row of a table is not folded.
#[derive(Clone, Debug, Serialize)]
struct Line {
    first: String,
    rest: String,
    text: String,
    is_row: bool,
}

/// Where a refusal that cites a rule is read.
#[derive(Clone, Copy)]
pub enum Reader {
    /// With the titles whose rules a terminal can be asked for: one number may stand in the books of several.
    Terminal(Titles),
    Letter,
}

/// How to read a rule that is cited, in a sentence that is printed once, below everything that was refused. `title`
/// is the game's, `None` if the reader is at no table. Returns `None` for a rule that no rulebook has.
pub fn how_to_read(title: &'static Title, cited: &str, reader: Reader) -> Option<String> {
    ask(&[shelf(title)], cited).ok()?;
    Some(match reader {
        Reader::Letter => format!("To read a rule: answer \"rule {cited}\"."),
        Reader::Terminal(titles) => {
            let is_elsewhere = ask(&shelves(titles), cited).is_ok_and(|all| all.both.len() > 1);
            let title = if is_elsewhere { format!(" --title {}", title.id) } else { String::new() };
            format!("To read the rule: ringmail rule {}{title}", cited.replace(',', ""))
        }
    })
}

/// The answer to a letter of a player at a table: the rule, or why there is none.
pub fn reply(title: &'static Title, asked: &str) -> Result<String, Unanswered> {
    Ok(set(&ask(&[shelf(title)], asked)?, LETTER))
}

/// Whether something is written like the number of a rule: `9.24`, `▲35`, `S155`.
pub fn is_number(asked: &str) -> bool {
    Number::read(asked).is_some()
}

/// What was found, as text.
pub fn set(answer: &Answer<'_>, columns: usize) -> String {
    let only = answer.found.len() == 1 || answer.found.len() == answer.both.len();
    let mut found: Vec<Value> = Vec::new();
    let mut heading = String::new();
    for (place, one) in answer.found.iter().enumerate() {
        let of_next = answer.found.get(place + 1).map(game);
        let is_last = of_next != Some(game(one));
        let mut told = match one {
            Found::Rule { shelf, book, paragraph } => {
                let rulings = if is_last { rulings(answer, shelf) } else { Vec::new() };
                rule(shelf, book, paragraph, &rulings, only, columns)
            }
            Found::Chapter { book, heading, .. } => chapter(book, heading, columns),
            Found::Hits { hits, more, .. } => words(hits, *more, columns),
        };
        let head = head(one);
        told["heading"] = json!(if head == heading { "" } else { &head });
        heading = head;
        found.push(told);
    }
    let context = json!({ "found": found, "both": answer.both, "more": answer.more, "columns": columns });
    templates::page("rule.txt", &templates::context(&context))
}

fn game(found: &Found<'_>) -> &'static str {
    match found {
        Found::Rule { shelf, .. } | Found::Chapter { shelf, .. } | Found::Hits { shelf, .. } => shelf.title.name,
    }
}

fn head(found: &Found<'_>) -> String {
    let parts = match found {
        Found::Rule { paragraph, .. } => {
            [Some(paragraph.chapter.as_str()), paragraph.section.as_deref()].into_iter().flatten().collect()
        }
        Found::Chapter { heading, .. } => vec![*heading],
        Found::Hits { .. } => Vec::new(),
    };
    [vec![game(found)], parts].concat().join(" · ")
}

fn rule(
    shelf: &Shelf,
    book: &Book,
    paragraph: &Paragraph,
    rulings: &[(&Book, &Paragraph)],
    only: bool,
    columns: usize,
) -> Value {
    let (before, after) = if only { book.neighbours(paragraph.number) } else { (None, None) };
    let neighbour = |paragraph: Option<&Paragraph>| {
        paragraph.map(|paragraph| beginning(book, paragraph, columns.saturating_sub(INDENT)))
    };
    let rulings: Vec<Vec<Line>> = rulings.iter().map(|(book, ruling)| numbered(book, ruling, columns)).collect();
    json!({
        "is": "rule",
        "note": note(book, &paragraph.chapter),
        "lines": numbered(book, paragraph, columns),
        "rests_on": rests_on(book, paragraph),
        "switches": switches(shelf, book, paragraph),
        "named_by": named_by(shelf, paragraph),
        "rulings": rulings,
        "before": neighbour(before),
        "after": neighbour(after),
    })
}

fn chapter(book: &Book, heading: &str, columns: usize) -> Value {
    let room = columns.saturating_sub(1);
    let line = |text: String| json!({ "is": "line", "text": text });
    let mut lines: Vec<Value> = Vec::new();
    let inside = book.parts.iter().skip_while(|part| !is_head(part, heading)).skip(1);
    for part in inside.take_while(|part| !matches!(part, Part::Heading { level: 2, .. })) {
        match part {
            Part::Heading { text, .. } => lines.push(json!({ "is": "section", "text": text })),
            Part::Paragraph(paragraph) => lines.push(line(beginning(book, paragraph, room))),
            Part::Prose(_) => {}
        }
    }
    json!({ "is": "chapter", "note": note(book, heading), "lines": lines })
}

fn words(hits: &[Hit<'_>], more: usize, columns: usize) -> Value {
    let line = |hit: &Hit<'_>| {
        let label = labelled(&hit.paragraph.number.to_string());
        format!("{label}{}", hit.around(columns.saturating_sub(width(&label))))
    };
    json!({ "is": "hits", "hits": hits.iter().map(line).collect::<Vec<_>>(), "more": more })
}

fn is_head(part: &Part, heading: &str) -> bool {
    matches!(part, Part::Heading { level: 2, text } if text == heading)
}

/// The note in bold at the head of a chapter.
fn note(book: &Book, chapter: &str) -> Option<String> {
    let mut parts = book.parts.iter().skip_while(|part| !is_head(part, chapter)).skip(1);
    match parts.next() {
        Some(Part::Prose(Block::Text(text))) if text.starts_with("**") => Some(inline::plain(text, &book.marks())),
        _ => None,
    }
}

fn labelled(label: &str) -> String {
    left(label, INDENT.max(width(label) + 2))
}

/// A paragraph with its number before it.
fn numbered(book: &Book, paragraph: &Paragraph, columns: usize) -> Vec<Line> {
    let marks = book.marks();
    let mut lines = set_blocks(&paragraph.blocks, columns, |line| inline::plain(line, &marks));
    let label = paragraph.label();
    match lines.first_mut() {
        Some(line) if !line.is_row => line.first = labelled(&label),
        _ => {}
    }
    lines
}

/// The blocks as lines to be folded, indented for the number.
fn set_blocks(blocks: &[Block], columns: usize, plain: impl Fn(&str) -> String) -> Vec<Line> {
    let indent = " ".repeat(INDENT);
    let line = |first: String, text: String| Line { rest: " ".repeat(width(&first)), first, text, is_row: false };
    let mut lines = Vec::new();
    for block in blocks {
        match block {
            Block::Text(text) => lines.push(line(indent.clone(), plain(text))),
            Block::Item(bullet, text) => lines.push(line(format!("{indent}{bullet} "), plain(text))),
            Block::Table(rows) => {
                let rows: Vec<Vec<String>> =
                    rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
                lines.extend(table(&rows, columns, &indent));
            }
        }
    }
    lines
}

/// A table, with aligned columns if it fits the page; otherwise an item for every row.
fn table(rows: &[Vec<String>], columns: usize, indent: &str) -> Vec<Line> {
    let Some((head, body)) = rows.split_first() else { return Vec::new() };
    let widest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(widest).collect();
    let whole = width(indent) + widths.iter().map(|width| width + 2).sum::<usize>();
    if whole <= columns + 2 {
        let row = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| left(cell, width + 2)).collect::<String>();
            Line {
                first: String::new(),
                rest: String::new(),
                text: format!("{indent}{}", cells.trim_end()),
                is_row: true,
            }
        };
        return rows.iter().map(row).collect();
    }
    let point = |row: &Vec<String>| {
        let named = head.iter().zip(row).skip(1).filter(|(_, cell)| !matches!(cell.as_str(), "" | "=" | "–"));
        let cells: Vec<String> = named.map(|(head, cell)| format!("{head} {cell}")).collect();
        let text = format!("{}: {}", row.first().map_or("", String::as_str), cells.join("; "));
        Line { first: format!("{indent}- "), rest: format!("{indent}  "), text, is_row: false }
    };
    body.iter().map(point).collect()
}

/// The beginning of a paragraph on one line, after its number.
fn beginning(book: &Book, paragraph: &Paragraph, columns: usize) -> String {
    let text = paragraph.lines().next().map_or(String::new(), |line| inline::plain(line, &book.marks()));
    cut(&format!("{}{text}", labelled(&paragraph.label())), columns)
}

/// What the paragraph rests on, in words: the marks of its sources.
fn rests_on(book: &Book, paragraph: &Paragraph) -> Vec<String> {
    let marks = book.marks();
    let mut words: Vec<String> = Vec::new();
    for mark in paragraph.lines().flat_map(|line| inline::spans(line, &marks)) {
        let (letter, pages) = mark.text.split_once(' ').unwrap_or((&mark.text, ""));
        let meaning = book.legend.iter().find(|(known, _)| known == letter).map(|(_, meaning)| meaning);
        let Some(meaning) = meaning.filter(|_| mark.style == Style::Mark) else { continue };
        let is_several = pages.contains([',', '-', '–']);
        let word = meaning.replace("page n", &format!("{} {pages}", if is_several { "pages" } else { "page" }));
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The switches that the paragraph names, with the values they can have.
fn switches(shelf: &Shelf, book: &Book, paragraph: &Paragraph) -> Vec<String> {
    let marks = book.marks();
    let spans = paragraph.lines().flat_map(|line| inline::spans(line, &marks));
    let values = |name: String| match shelf.title.switches.iter().find(|switch| switch.name == name) {
        Some(switch) => format!("{name}: {}", switch.values.join(", ")),
        None => name,
    };
    spans.filter(|span| span.style == Style::Switch).map(|span| values(span.text)).collect()
}

/// The rules that name a ruling, for a reader who meets the ruling first.
fn named_by(shelf: &Shelf, paragraph: &Paragraph) -> Vec<String> {
    if paragraph.number.kind != NumberKind::Ruling {
        return Vec::new();
    }
    let all = shelf.books.iter().flat_map(Book::paragraphs);
    let naming = all.filter(|other| matches!(other.number.kind, NumberKind::Rule | NumberKind::Card));
    naming.filter(|other| other.names().contains(&paragraph.number)).map(Paragraph::label).collect()
}

/// The rulings that the paragraphs found in a rulebook refer to, each once, without those that were asked for.
fn rulings<'b>(answer: &Answer<'b>, shelf: &'b Shelf) -> Vec<(&'b Book, &'b Paragraph)> {
    let mut numbers: Vec<Number> = Vec::new();
    let mut asked: Vec<Number> = Vec::new();
    for one in &answer.found {
        match one {
            Found::Rule { shelf: of, paragraph, .. } if of.title.id == shelf.title.id => {
                asked.push(paragraph.number);
                numbers.extend(paragraph.names().into_iter().filter(|number| number.kind == NumberKind::Ruling));
            }
            _ => {}
        }
    }
    numbers.sort();
    numbers.dedup();
    numbers.retain(|number| !asked.contains(number));
    numbers.into_iter().filter_map(|number| shelf.paragraph(number)).collect()
}

/// What was found, as plain data.
pub fn json(answer: &Answer<'_>) -> Value {
    let plain = |book: &Book, paragraph: &Paragraph| {
        let marks = book.marks();
        let lines: Vec<String> = paragraph.lines().map(|line| inline::plain(line, &marks)).collect();
        lines.join("\n")
    };
    let one = |found: &Found<'_>| match found {
        Found::Rule { shelf, book, paragraph } => {
            let (before, after) = book.neighbours(paragraph.number);
            let named = paragraph.names().into_iter().filter(|number| number.kind == NumberKind::Ruling);
            let rulings = named.filter_map(|number| shelf.paragraph(number));
            let rulings = rulings
                .map(|(book, ruling)| json!({ "number": ruling.label(), "text": plain(book, ruling) }))
                .collect::<Vec<_>>();
            json!({
                "title": shelf.title.id, "number": paragraph.label(), "chapter": paragraph.chapter,
                "section": paragraph.section, "note": note(book, &paragraph.chapter), "text": plain(book, paragraph),
                "rests_on": rests_on(book, paragraph), "switches": switches(shelf, book, paragraph),
                "rulings": rulings, "before": before.map(Paragraph::label), "after": after.map(Paragraph::label),
            })
        }
        Found::Chapter { shelf, book, heading } => {
            let paragraphs = book.paragraphs().filter(|paragraph| paragraph.chapter == *heading).map(Paragraph::label);
            json!({
                "title": shelf.title.id, "chapter": heading, "note": note(book, heading),
                "paragraphs": paragraphs.collect::<Vec<_>>(),
            })
        }
        Found::Hits { shelf, hits, more } => {
            let hit = |hit: &Hit<'_>| json!({ "number": hit.paragraph.label(), "text": hit.text });
            json!({ "title": shelf.title.id, "hits": hits.iter().map(hit).collect::<Vec<_>>(), "more": more })
        }
    };
    json!({ "found": answer.found.iter().map(one).collect::<Vec<_>>(), "more": answer.more })
}

/// A whole rulebook as text.
pub fn whole(shelf: &Shelf, columns: usize) -> String {
    let mut parts: Vec<Value> = Vec::new();
    for book in &shelf.books {
        let marks = book.marks();
        let bare = |line: &str| inline::bare(line, &marks);
        parts.push(json!({ "is": "title", "text": book.heading }));
        for part in &book.parts {
            parts.push(match part {
                Part::Heading { level, text } => {
                    json!({ "is": if *level == 2 { "chapter" } else { "section" }, "text": text })
                }
                Part::Prose(block) => {
                    let mut lines = set_blocks(std::slice::from_ref(block), columns, bare);
                    for line in &mut lines {
                        line.first = line.first.trim_start().to_string();
                        line.rest = " ".repeat(width(&line.first));
                        line.text = line.text.trim_start().to_string();
                    }
                    json!({ "is": "lines", "lines": lines, "close": matches!(block, Block::Item(..)) })
                }
                Part::Paragraph(paragraph) => {
                    let mut lines = set_blocks(&paragraph.blocks, columns, bare);
                    if let Some(first) = lines.first_mut() {
                        first.first = labelled(&paragraph.label());
                    }
                    json!({ "is": "lines", "lines": lines, "close": false })
                }
            });
        }
    }
    templates::page("rulebook.txt", &templates::context(&json!({ "parts": parts, "columns": columns })))
}
