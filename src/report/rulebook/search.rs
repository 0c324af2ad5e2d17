//! Words looked for in a rulebook: the paragraphs that have them all, the best first.

use crate::columns::{first_columns, width};
use crate::rulebook::Shelf;
use crate::rulebook::book::Paragraph;
use crate::rulebook::inline::{self, Style};
use crate::rulebook::number::NumberKind;
use engine::name;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many hits of a book are shown at most.
const HITS_MAX: usize = 12;
/// How similar a word must be to the one asked for, to be suggested instead.
const LIKE: f64 = 0.7;

/// A paragraph that has the words.
pub struct Hit<'b> {
    pub paragraph: &'b Paragraph,
    /// Its text, without Markdown.
    pub text: String,
    /// Where the first of the words is in it, in bytes.
    pub at: usize,
}

impl Hit<'_> {
    /// The words around the hit, in at most `columns` columns.
    pub fn around(&self, columns: usize) -> String {
        if width(&self.text) <= columns {
            return self.text.clone();
        }
        // A third of the line comes before the word, and is cut at a blank.
        let wanted = self.at.saturating_sub(columns / 3);
        let begins = match wanted {
            0 => 0,
            _ => {
                self.text[..self.at].char_indices().rev().take_while(|(at, _)| *at >= wanted).last().map_or(0, |x| x.0)
            }
        };
        let begins = match self.text[begins..self.at].find(' ') {
            Some(blank) if begins > 0 => begins + blank + 1,
            _ => begins,
        };
        let before = if begins > 0 { "… " } else { "" };
        let rest = &self.text[begins..];
        let room = columns.saturating_sub(width(before));
        if width(rest) <= room {
            return format!("{before}{rest}");
        }
        let cut = first_columns(rest, room.saturating_sub(2));
        let whole = cut.rfind(' ').map_or(cut, |blank| &cut[..blank]);
        format!("{before}{} …", whole.trim_end_matches([',', ';', ':', '.']))
    }
}

/// The paragraphs of a rulebook that have all the words, at most `HITS_MAX`, and how many more there are.
pub fn hits<'b>(shelf: &'b Shelf, asked: &str) -> (Vec<Hit<'b>>, usize) {
    let wanted = stems(asked);
    if wanted.is_empty() {
        return (Vec::new(), 0);
    }
    let mut scored: Vec<(i32, Hit<'b>)> = Vec::new();
    for book in &shelf.books {
        let marks = book.marks();
        let mut section = None;
        for paragraph in book.paragraphs() {
            let own = Some((&paragraph.chapter, &paragraph.section));
            scored.extend(scored_hit(paragraph, own != section, &marks, &wanted));
            section = own;
        }
    }
    scored.sort_by_key(|(score, _)| Reverse(*score));
    let more = scored.len().saturating_sub(HITS_MAX);
    (scored.into_iter().take(HITS_MAX).map(|(_, hit)| hit).collect(), more)
}

/// The first paragraph below a heading is what the heading is about: it counts as having the words of the heading,
/// too.
fn scored_hit<'b>(
    paragraph: &'b Paragraph,
    is_first: bool,
    marks: &[String],
    wanted: &[String],
) -> Option<(i32, Hit<'b>)> {
    let text = paragraph.lines().map(|line| inline::plain(line, marks)).collect::<Vec<_>>().join(" ");
    let words = name::words(&text);
    let mut score = match paragraph.number.kind {
        NumberKind::Rule => 12,
        NumberKind::Card => 8,
        NumberKind::Ruling => 6,
        NumberKind::Scenario => 0,
    };
    let headings = format!("{} {}", paragraph.chapter, paragraph.section.as_deref().unwrap_or(""));
    let defined = defined(paragraph, marks);
    let mut at = text.len();
    for stem in wanted {
        let fits = |text: &str| is_of_stem(text, stem);
        let found: Vec<usize> = words.iter().filter(|word| fits(&word.text)).map(|word| word.start).collect();
        let is_headed = name::words(&headings).iter().any(|word| fits(&word.text));
        let first = match found.first() {
            Some(first) => *first,
            None if is_first && is_headed => text.len(),
            None => return None,
        };
        at = at.min(first);
        score += i32::try_from(found.len().min(4)).expect("at most 4");
        score += if first < 40 { 3 } else { 0 };
        score += if name::words(&defined).iter().any(|word| fits(&word.text)) { 20 } else { 0 };
        score += match (is_headed, is_first) {
            (true, true) => 25,
            (true, false) => 10,
            (false, _) => 0,
        };
    }
    let at = if at == text.len() { 0 } else { at };
    Some((score, Hit { paragraph, text, at }))
}

/// The term that the paragraph defines: the words set off at its beginning.
fn defined(paragraph: &Paragraph, marks: &[String]) -> String {
    let line = paragraph.lines().next().unwrap_or("");
    let spans = inline::spans(line, marks);
    let mut words = String::new();
    for span in spans.iter().filter(|span| matches!(span.style, Style::Strong | Style::Emphasis)).take(2) {
        words.push_str(&span.text);
        words.push(' ');
    }
    words
}

/// The words to look for, without endings that would keep them from being found.
fn stems(asked: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for word in name::words(asked).into_iter().filter(|word| word.text != ",") {
        let word = word.text.into_owned();
        let stem = ["ing", "ed", "es", "s"].iter().find_map(|ending| word.strip_suffix(ending));
        let stem = stem.filter(|stem| stem.chars().count() >= 4).map_or(word.clone(), str::to_string);
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

/// Whether the word begins with the stem; one of less than three letters is a whole word.
fn is_of_stem(word: &str, stem: &str) -> bool {
    if stem.chars().count() < 3 { word == stem } else { word.starts_with(stem) }
}

/// Words of the rulebooks that may have been meant, the likeliest first; at most three.
pub fn nearest(shelves: &[&Shelf], asked: &str) -> Vec<String> {
    let vocabulary: BTreeSet<String> = shelves.iter().flat_map(|shelf| vocabulary(shelf)).collect();
    let mut like: Vec<(f64, &String)> = Vec::new();
    for stem in stems(asked).iter().filter(|stem| !vocabulary.iter().any(|word| is_of_stem(word, stem))) {
        for word in &vocabulary {
            let likeness = strsim::normalized_damerau_levenshtein(word, stem);
            if likeness >= LIKE {
                like.push((likeness, word));
            }
        }
    }
    like.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    like.into_iter().take(3).map(|(_, word)| word.clone()).collect()
}

/// Every word of four letters and more.
fn vocabulary(shelf: &Shelf) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for book in &shelf.books {
        let marks = book.marks();
        for line in book.paragraphs().flat_map(Paragraph::lines) {
            let line = inline::plain(line, &marks);
            let long = name::words(&line).into_iter().map(|word| word.text.into_owned());
            words.extend(long.filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_alphabetic)));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_do_not_keep_a_word_from_being_found() {
        assert_eq!(stems("retreating, Retreats the"), ["retreat", "the"]);
        assert!(is_of_stem("retreated", "retreat") && !is_of_stem("die", "di"));
        assert!(stems("../../").is_empty());
    }
}
