/*! A rulebook read from its Markdown: headings, and paragraphs with numbers.

A paragraph begins with its number (`9.24 `, `▲35 `, `S155 `, `C2.18 `; `C2.1 to C2.4 ` for several at once). What
follows it without a number, lists and tables too, belongs to it, until the next number or heading.
*/

use crate::rulebook::inline;
use crate::rulebook::number::Number;
use std::collections::BTreeMap;

/// A document of a title.
#[derive(Clone, Debug)]
pub struct Book {
    pub heading: String,
    /// The meaning of each mark, by its letter: `R` is `the rulebook, page n`.
    pub legend: Vec<(String, String)>,
    pub parts: Vec<Part>,
    places: BTreeMap<Number, usize>,
}

/// A part of a document, in its order.
#[derive(Clone, Debug)]
pub enum Part {
    /// `## 9. Battles` is of level 2.
    Heading {
        level: usize,
        text: String,
    },
    /// Text outside the numbered paragraphs.
    Prose(Block),
    Paragraph(Paragraph),
}

/// A numbered paragraph.
#[derive(Clone, Debug)]
pub struct Paragraph {
    pub number: Number,
    /// The last of its numbers, if it has several.
    pub last: Number,
    pub chapter: String,
    /// The heading below that of the chapter.
    pub section: Option<String>,
    pub blocks: Vec<Block>,
}

/// A block of text, in Markdown.
#[derive(Clone, Debug)]
pub enum Block {
    Text(String),
    /// The bullet of a point of a list, `1.` or `-`, and its text.
    Item(String, String),
    /// The rows of a table, the first its head.
    Table(Vec<Vec<String>>),
}

impl Book {
    pub fn read(markdown: &str) -> Book {
        let mut reader = Reader::default();
        for line in markdown.lines() {
            reader.line(line.trim_end());
        }
        reader.close();
        let mut places = BTreeMap::new();
        for (place, part) in reader.parts.iter().enumerate() {
            if let Part::Paragraph(paragraph) = part {
                for number in paragraph.numbers() {
                    places.entry(number).or_insert(place);
                }
            }
        }
        let legend = reader.parts.iter().filter_map(meaning).collect();
        Book { heading: reader.heading, legend, parts: reader.parts, places }
    }

    pub fn paragraph(&self, number: Number) -> Option<&Paragraph> {
        self.at(*self.places.get(&number)?)
    }

    /// The paragraphs before and after it.
    pub fn neighbours(&self, number: Number) -> (Option<&Paragraph>, Option<&Paragraph>) {
        let Some(place) = self.places.get(&number) else { return (None, None) };
        let before = (0..*place).rev().find_map(|place| self.at(place));
        let after = (place + 1..self.parts.len()).find_map(|place| self.at(place));
        (before, after)
    }

    /// Every paragraph, in the order of the document.
    pub fn paragraphs(&self) -> impl Iterator<Item = &Paragraph> {
        self.parts.iter().filter_map(|part| match part {
            Part::Paragraph(paragraph) => Some(paragraph),
            Part::Heading { .. } | Part::Prose(_) => None,
        })
    }

    /// The letters that the legend explains.
    pub fn marks(&self) -> Vec<String> {
        self.legend.iter().map(|(letter, _)| letter.clone()).collect()
    }

    fn at(&self, place: usize) -> Option<&Paragraph> {
        match &self.parts[place] {
            Part::Paragraph(paragraph) => Some(paragraph),
            Part::Heading { .. } | Part::Prose(_) => None,
        }
    }
}

impl Paragraph {
    /// Its number, or its numbers: `C2.1 to C2.4`.
    pub fn label(&self) -> String {
        if self.number == self.last { self.number.to_string() } else { format!("{} to {}", self.number, self.last) }
    }

    /// Every number that leads to it.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        let Number { kind, chapter, place } = self.number;
        (place..=self.last.place).map(move |place| Number { kind, chapter, place })
    }

    /// Its lines of Markdown, one after the other.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().flat_map(Block::lines)
    }

    /// The other paragraphs that it names, in the order in which it names them.
    pub fn names(&self) -> Vec<Number> {
        let mut named: Vec<Number> = Vec::new();
        for number in self.lines().flat_map(inline::numbers) {
            if !named.contains(&number) && !self.numbers().any(|own| own == number) {
                named.push(number);
            }
        }
        named
    }
}

impl Block {
    /// Its lines of Markdown: of a table, its cells.
    pub fn lines(&self) -> Vec<&str> {
        match self {
            Block::Text(text) | Block::Item(_, text) => vec![text],
            Block::Table(rows) => rows.iter().flatten().map(String::as_str).collect(),
        }
    }
}

/// A line of the legend: `**[R n]** *the rulebook, page n*: …`.
fn meaning(part: &Part) -> Option<(String, String)> {
    let Part::Prose(Block::Item(_, text)) = part else { return None };
    let (letter, rest) = text.strip_prefix("**[")?.split_once("]** *")?;
    let (short, _) = rest.split_once('*')?;
    let letter = letter.split(' ').next().unwrap_or(letter).trim_end_matches('n');
    Some((letter.to_string(), short.to_string()))
}

#[derive(Default)]
struct Reader {
    heading: String,
    chapter: String,
    section: Option<String>,
    parts: Vec<Part>,
    /// Whether text without a number belongs to the paragraph before it.
    is_numbered: bool,
    /// The block that the next line may continue.
    open: Option<Block>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let level = line.len() - line.trim_start_matches('#').len();
        if level > 0 {
            self.close();
            self.head(level, line.trim_start_matches('#').trim());
        } else if line.is_empty() {
            self.close();
        } else if let Some(row) = line.strip_prefix('|') {
            self.row(row.strip_suffix('|').unwrap_or(row));
        } else if let Some((bullet, text)) = point(line) {
            self.close();
            self.open = Some(Block::Item(bullet.to_string(), text.to_string()));
        } else {
            match &mut self.open {
                Some(Block::Text(text) | Block::Item(_, text)) => {
                    text.push(' ');
                    text.push_str(line.trim_start());
                }
                _ => {
                    self.close();
                    self.open = Some(Block::Text(line.to_string()));
                }
            }
        }
    }

    fn head(&mut self, level: usize, text: &str) {
        match level {
            1 => self.heading = text.to_string(),
            2 => (self.chapter, self.section) = (text.to_string(), None),
            _ => self.section = Some(text.to_string()),
        }
        self.is_numbered = false;
        if level > 1 {
            self.parts.push(Part::Heading { level, text: text.to_string() });
        }
    }

    fn row(&mut self, row: &str) {
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_string()).collect();
        if cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| c == '-')) {
            return;
        }
        match &mut self.open {
            Some(Block::Table(rows)) => rows.push(cells),
            _ => {
                self.close();
                self.open = Some(Block::Table(vec![cells]));
            }
        }
    }

    /// Closes the open block: it becomes a paragraph, a part of one, or prose.
    fn close(&mut self) {
        let Some(block) = self.open.take() else { return };
        if let Block::Text(text) = &block
            && let Some((number, last, rest)) = numbered(text)
        {
            self.is_numbered = true;
            let blocks = vec![Block::Text(rest.to_string())];
            let (chapter, section) = (self.chapter.clone(), self.section.clone());
            self.parts.push(Part::Paragraph(Paragraph { number, last, chapter, section, blocks }));
            return;
        }
        match self.parts.last_mut() {
            Some(Part::Paragraph(paragraph)) if self.is_numbered => paragraph.blocks.push(block),
            _ => self.parts.push(Part::Prose(block)),
        }
    }
}

/// The bullet of a point of a list, and its text.
fn point(line: &str) -> Option<(&str, &str)> {
    let (bullet, text) = line.split_once(' ')?;
    let is_count = bullet.strip_suffix('.').is_some_and(|count| count.parse::<u8>().is_ok());
    (bullet == "-" || is_count).then_some((bullet, text))
}

/// The number, or the first and the last number, with which a paragraph begins.
fn numbered(text: &str) -> Option<(Number, Number, &str)> {
    let (number, rest) = Number::begins(text)?;
    let rest = rest.strip_prefix(' ')?;
    let range = rest.strip_prefix("to ").and_then(Number::begins);
    match range {
        Some((last, rest)) if last.kind == number.kind && last > number => Some((number, last, rest.trim_start())),
        _ => Some((number, number, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKDOWN: &str = "\
# A book

- **[R n]** *the print, page n*: x

## 1. Terms

### Board

1.1 *Region*: a
space. [R 4]

- one
- two

| a | b |
|---|---|
| 1 | 2 |

## 2. More

Words.

C2.1 to C2.3 All, 1.1.
";

    #[test]
    fn paragraphs_hold_what_follows_them() {
        let book = Book::read(MARKDOWN);
        assert_eq!(book.legend, [("R".to_string(), "the print, page n".to_string())]);
        let first = book.paragraph(Number::read("1.1").unwrap()).unwrap();
        assert_eq!((first.chapter.as_str(), first.section.as_deref()), ("1. Terms", Some("Board")));
        assert_eq!(first.blocks.len(), 4);
        assert_eq!(first.lines().next(), Some("*Region*: a space. [R 4]"));
        let all = book.paragraph(Number::read("C2.2").unwrap()).unwrap();
        assert_eq!((all.label().as_str(), all.section.as_deref()), ("C2.1 to C2.3", None));
        assert_eq!(all.names(), [Number::read("1.1").unwrap()]);
        assert_eq!(book.neighbours(all.number).0.unwrap().number, first.number);
    }
}
