/*! Reads the printed parts of a title from its data files: its map, its cards, its set-up.

The files use a simple part of YAML: blocks of keys, lists with `- `, rows in brackets or braces, texts on one line,
and comments on lines of their own; no backslash escapes, no anchors, no text over several lines. Reading this part is
many times faster than reading full YAML, and a program that checks a short log reads the data files first.
`tests/printed.rs` compares this reader with a full one.
*/

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads a data file.
///
/// # Panics
/// If the file is not in this part of YAML, or its content is not a `T`.
pub fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_value(value(text)).expect("the data file is well formed")
}

/// Reads a data file as a value.
///
/// # Panics
/// If the file is not in this part of YAML.
pub fn value(text: &str) -> Value {
    let lines = text.lines().map(Line::of).filter(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    let mut lines: Vec<Line<'_>> = lines.collect();
    lines.reverse();
    let value = block(&mut lines);
    assert!(lines.is_empty(), "`{}` is indented as what stands above it", lines[lines.len() - 1].text);
    value
}

#[derive(Clone, Copy)]
struct Line<'t> {
    indent: usize,
    text: &'t str,
}

impl Line<'_> {
    fn of(line: &str) -> Line<'_> {
        let text = line.trim_start_matches(' ');
        Line { indent: line.len() - text.len(), text: text.trim_end() }
    }
}

/// Takes the block that begins with the next line. `lines` is reversed: the next line is its last.
fn block(lines: &mut Vec<Line<'_>>) -> Value {
    let first = *lines.last().expect("a block has a line");
    if first.text.starts_with("- ") {
        Value::Array(items(lines, first.indent))
    } else {
        Value::Object(keys(lines, first.indent))
    }
}

fn items(lines: &mut Vec<Line<'_>>, indent: usize) -> Vec<Value> {
    let mut items = Vec::new();
    while let Some(line) = lines.last_mut()
        && line.indent == indent
        && let Some(item) = line.text.strip_prefix("- ")
    {
        let is_block = !item.starts_with(['[', '{', '"', '\'']) && (item.contains(": ") || item.ends_with(':'));
        if is_block {
            // The first key is on the line of the item, the others below it.
            *line = Line { indent: indent + 2, text: item };
            items.push(block(lines));
        } else {
            lines.pop();
            items.push(whole(item));
        }
    }
    items
}

fn keys(lines: &mut Vec<Line<'_>>, indent: usize) -> Map<String, Value> {
    let mut keys = Map::new();
    while let Some(line) = lines.pop_if(|line| line.indent == indent && !line.text.starts_with("- ")) {
        let (key, rest) = line.text.split_once(':').expect("a key has a colon");
        let value = if rest.is_empty() { block(lines) } else { whole(rest.trim_start()) };
        let again = keys.insert(key.to_string(), value);
        assert!(again.is_none(), "`{key}` stands twice");
    }
    keys
}

/// The value on the rest of a line.
fn whole(text: &str) -> Value {
    if !text.starts_with(['[', '{', '"', '\'']) {
        return plain(text);
    }
    let mut row = Row { rest: text };
    let value = row.value();
    assert!(row.rest.is_empty(), "`{text}` goes on after its end");
    value
}

/// A text without quotes: a flag, a number or a string.
fn plain(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => text.parse::<i64>().map_or_else(|_| Value::String(text.to_string()), Value::from),
    }
}

/// The unread rest of a row in brackets or braces.
struct Row<'t> {
    rest: &'t str,
}

impl<'t> Row<'t> {
    fn value(&mut self) -> Value {
        match self.rest.chars().next() {
            Some('[') => {
                let mut items = Vec::new();
                self.each(']', |row| items.push(row.value()));
                Value::Array(items)
            }
            Some('{') => {
                let mut keys = Map::new();
                self.each('}', |row| {
                    let key = row.up_to(&[':']).to_string();
                    row.passes(':');
                    keys.insert(key, row.value());
                });
                Value::Object(keys)
            }
            Some(quote @ ('"' | '\'')) => Value::String(self.quoted(quote)),
            _ => plain(self.up_to(&[',', ']', '}']).trim_end()),
        }
    }

    /// Reads the items between brackets.
    fn each(&mut self, end: char, mut item: impl FnMut(&mut Row<'t>)) {
        self.rest = self.rest[1..].trim_start();
        while !self.rest.starts_with(end) {
            item(self);
            if !self.rest.starts_with(end) {
                self.passes(',');
            }
        }
        self.passes(end);
    }

    /// Reads a text in quotes. Inside single quotes, a single quote is written twice.
    fn quoted(&mut self, quote: char) -> String {
        let mut text = String::new();
        loop {
            self.rest = &self.rest[1..];
            text.push_str(self.up_to(&[quote]));
            if quote == '"' || !self.rest.starts_with("''") {
                self.passes(quote);
                return text;
            }
            text.push(quote);
            self.rest = &self.rest[1..];
        }
    }

    fn up_to(&mut self, ends: &[char]) -> &'t str {
        let at = self.rest.find(ends).unwrap_or(self.rest.len());
        let (before, rest) = self.rest.split_at(at);
        self.rest = rest;
        before
    }

    fn passes(&mut self, mark: char) {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or_else(|| panic!("`{mark}` stands before `{}`", self.rest)).trim_start();
    }
}
