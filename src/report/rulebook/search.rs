/*! Words looked for in a rulebook: the paragraphs that have the most of them, the best first.

Words are compared by their stems, and with words that mean about the same. A paragraph is the better, the rarer the
words are that it has, and best if it explains them.
*/

use crate::columns::{first_columns, width};
use crate::rulebook::Shelf;
use crate::rulebook::book::{Block, Paragraph};
use crate::rulebook::inline::{self, Style};
use crate::rulebook::number::NumberKind;
use engine::name;
use std::collections::BTreeSet;

/// How many hits of a book are shown at most.
const HITS_MAX: usize = 12;
/// How similar a word must be to the one asked for, to be suggested instead.
const LIKE: f64 = 0.7;

/// Words that tell nothing, by their stems.
const SMALL: [&str; 63] = [
    "a", "about", "an", "and", "any", "ar", "at", "be", "but", "by", "can", "could", "did", "do", "doe", "for", "from",
    "get", "go", "goe", "had", "has", "hav", "how", "i", "if", "in", "into", "is", "it", "its", "many", "may", "me",
    "much", "must", "my", "not", "of", "on", "or", "shall", "should", "so", "than", "that", "the", "their", "them",
    "then", "ther", "they", "thi", "to", "was", "we", "what", "when", "wher", "which", "who", "will", "with",
];
/// Words that mean about the same at a table: who looks for one may read the other.
const ALIKE: [&[&str]; 29] = [
    &["one", "1"],
    &["two", "2", "twice"],
    &["three", "3"],
    &["four", "4"],
    &["five", "5"],
    &["six", "6"],
    &["ten", "10"],
    &["dice", "die"],
    &["tie", "tied", "equal"],
    &["muster", "recruit"],
    &["siege", "besiege", "besieger"],
    &["kill", "eliminate", "destroy"],
    &["dead", "eliminate", "lost"],
    &["casualty", "loss", "lose", "lost"],
    &["attack", "invade", "invasion"],
    &["battle", "combat", "fight"],
    &["heal", "rest"],
    &["fly", "flight", "flies"],
    &["politics", "political"],
    &["relief", "relieve"],
    &["retake", "recapture", "retaken"],
    &["mate", "team", "ally"],
    &["win", "victory", "winner"],
    &["maximum", "max", "limit", "most"],
    &["minimum", "min", "least"],
    &["score", "points"],
    &["hide", "hidden"],
    &["reveal", "revealed", "revealing"],
    &["split", "divide"],
];
/// Chapters that tell of the rules: what a switch changes, what others have written. They come last.
const ABOUT_RULES: [&str; 4] = ["presets", "switches", "slips", "depart"];

/// What a word counts that is only like the one looked for.
const LIKE_FITS: f64 = 0.6;
/// What a word in a table counts.
const TABLE: f64 = 0.4;
/// What a paragraph has more if its heading has the word: the first below the heading, and the others.
const HEADED_FIRST: f64 = 1.2;
const HEADED: f64 = 0.4;
/// How much of a word a paragraph has that stands only in a heading above it.
const HEADED_HAS: f64 = 0.5;
/// What it has more if it explains the word, begins with it, has it beside the word before it.
const DEFINED: f64 = 1.0;
const SET_OFF: f64 = 0.5;
const EARLY: f64 = 0.3;
const TOGETHER: f64 = 0.5;
/// How much better a paragraph is that explains what was asked for, and nothing else.
const NAMED: f64 = 0.5;
/// The words of a usual paragraph.
const WORDS_USUAL: f64 = 30.0;

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

/// The paragraphs of a rulebook that have the words, or the most of them, at most `HITS_MAX`; and how many more there
/// are.
pub fn hits<'b>(shelf: &'b Shelf, asked: &str) -> (Vec<Hit<'b>>, usize) {
    let entries = entries(shelf);
    let terms = terms(asked, &entries);
    let all: f64 = terms.iter().map(|term| term.rarity).sum();
    let scored = entries.into_iter().map(|entry| (entry.score(&terms), entry));
    let mut found: Vec<(Score, Entry<'b>)> = scored.filter(|(score, _)| score.has > 0.0).collect();
    found.sort_by(|(one, _), (other, _)| other.points.total_cmp(&one.points));
    // What has half of the words' weight less than the best is not about them.
    let most = found.iter().map(|(score, _)| score.has).fold(0.0, f64::max);
    found.retain(|(score, _)| score.has + all / 2.0 > most);
    let more = found.len().saturating_sub(HITS_MAX);
    let hit = |(score, entry): (Score, Entry<'b>)| Hit { paragraph: entry.paragraph, text: entry.text, at: score.at };
    (found.into_iter().take(HITS_MAX).map(hit).collect(), more)
}

/// A word that is looked for, by its stem.
struct Term {
    stem: String,
    /// Stems that mean about the same.
    like: Vec<String>,
    /// How much it tells: the fewer paragraphs have it, the more.
    rarity: f64,
}

impl Term {
    /// How well a word fits: whole, by its meaning, or not at all.
    fn fit(&self, stem: &str) -> f64 {
        match () {
            () if self.stem == stem => 1.0,
            () if self.like.iter().any(|like| like == stem) => LIKE_FITS,
            () => 0.0,
        }
    }

    fn best(&self, stems: &[String]) -> f64 {
        stems.iter().map(|stem| self.fit(stem)).fold(0.0, f64::max)
    }
}

/// A paragraph as it is searched.
struct Entry<'b> {
    paragraph: &'b Paragraph,
    text: String,
    words: Vec<Stemmed>,
    /// The words that it explains: those set off at its beginning, or at the beginning of one of its points.
    defined: Vec<String>,
    /// The words set off elsewhere.
    set_off: Vec<String>,
    /// The words of the headings above it: of the chapter, and of the section.
    chapter: Vec<String>,
    section: Vec<String>,
    /// Whether it is the first paragraph below its heading: it is what the heading is about.
    is_first: bool,
}

/// A word of a text, by its stem.
struct Stemmed {
    stem: String,
    /// Where it begins, in bytes.
    start: usize,
    /// What stands in a table or after a long list counts less than a sentence.
    weight: f64,
}

/// How good a paragraph is as an answer.
struct Score {
    points: f64,
    /// The rarity of the words that it has, added up.
    has: f64,
    /// Where the first of them stands.
    at: usize,
}

impl Entry<'_> {
    fn score(&self, terms: &[Term]) -> Score {
        let mut score = Score { points: 0.0, has: 0.0, at: self.text.len() };
        let mut last: Option<usize> = None;
        for term in terms {
            let mut counted = 0.0;
            let mut here = None;
            for (place, word) in self.words.iter().enumerate() {
                let fit = term.fit(&word.stem) * word.weight;
                if fit > 0.0 {
                    counted += fit;
                    score.at = score.at.min(word.start);
                    let follows = last.is_some_and(|last| place == last + 1 || place == last + 2);
                    here = if follows { Some((place, true)) } else { here.or(Some((place, false))) };
                }
            }
            // More than once is a little better, and a short paragraph is more about its words than a long one.
            let length = self.words.len() as f64 / WORDS_USUAL;
            let frequency = counted * 2.2 / (counted + 1.2 * (0.7 + 0.3 * length));
            let section = term.best(&self.section);
            let chapter = term.best(&self.chapter);
            let headed = if self.is_first { section.max(chapter) * HEADED_FIRST } else { section * HEADED };
            let headed = headed.max(chapter * HEADED);
            let defined = (term.best(&self.defined) * DEFINED).max(term.best(&self.set_off) * SET_OFF);
            let early = if here.is_some_and(|(place, _)| place < 6) { EARLY } else { 0.0 };
            let together = if here.is_some_and(|(_, follows)| follows) { TOGETHER } else { 0.0 };
            last = here.map(|(place, _)| place);
            score.points += (frequency + headed + defined + early + together) * term.rarity;
            score.has += term.rarity
                * match () {
                    () if counted > 0.0 => 1.0,
                    () if headed > HEADED => 1.0,
                    () if headed > 0.0 => HEADED_HAS,
                    () => 0.0,
                };
        }
        let all: f64 = terms.iter().map(|term| term.rarity).sum();
        let named = self.defined.iter().filter(|stem| terms.iter().any(|term| term.fit(stem) > 0.0)).count();
        if named > 0 {
            score.points *= 1.0 + NAMED * named as f64 / self.defined.len() as f64;
        }
        score.points *= (score.has / all).powi(2) * self.standing();
        score.at = if score.at == self.text.len() { 0 } else { score.at };
        score
    }

    /// The rules come before what is said of cards, of rulings and of the rules themselves.
    fn standing(&self) -> f64 {
        let chapter = stemmed_words(&self.paragraph.chapter);
        match self.paragraph.number.kind {
            NumberKind::Rule if ABOUT_RULES.iter().any(|word| chapter.contains(&stem(word))) => 0.3,
            NumberKind::Rule => 1.0,
            NumberKind::Card => 0.6,
            NumberKind::Ruling => 0.55,
            NumberKind::Scenario => 0.35,
        }
    }
}

/// Every paragraph of a rulebook, as it is searched.
fn entries(shelf: &Shelf) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for book in &shelf.books {
        let marks = book.marks();
        let mut section = None;
        for paragraph in book.paragraphs() {
            let own = Some((&paragraph.chapter, &paragraph.section));
            entries.push(entry(paragraph, own != section, &marks));
            section = own;
        }
    }
    entries
}

fn entry<'b>(paragraph: &'b Paragraph, is_first: bool, marks: &[String]) -> Entry<'b> {
    let mut text = String::new();
    let mut words = Vec::new();
    for block in &paragraph.blocks {
        let weight = if matches!(block, Block::Table(_)) { TABLE } else { 1.0 };
        for line in block.lines() {
            if !text.is_empty() {
                text.push(' ');
            }
            let before = text.len();
            text.push_str(&inline::plain(line, marks));
            let stems = stemmed(&text[before..]).into_iter();
            words.extend(stems.map(|(start, stem)| Stemmed { stem, start: before + start, weight }));
        }
    }
    let mut entry = Entry {
        paragraph,
        text,
        words,
        defined: Vec::new(),
        set_off: Vec::new(),
        chapter: stemmed_words(&paragraph.chapter),
        section: stemmed_words(paragraph.section.as_deref().unwrap_or("")),
        is_first,
    };
    for line in paragraph.lines() {
        let spans = inline::spans(line, marks).into_iter().enumerate();
        for (place, span) in spans.filter(|(_, span)| matches!(span.style, Style::Strong | Style::Emphasis)) {
            let words = if place == 0 { &mut entry.defined } else { &mut entry.set_off };
            words.extend(stemmed_words(&span.text));
        }
    }
    entry
}

/// The words to look for. Small words are passed over unless there is nothing else; what is typed in two words and
/// written in one is one (`set up`).
fn terms(asked: &str, entries: &[Entry<'_>]) -> Vec<Term> {
    let stems: Vec<String> = stemmed(asked).into_iter().map(|(_, stem)| stem).collect();
    let is_known = |stem: &str| entries.iter().any(|entry| entry.words.iter().any(|word| word.stem == stem));
    let mut joined: Vec<String> = Vec::new();
    let mut rest = stems.as_slice();
    while let [one, after @ ..] = rest {
        let pair = after.first().map(|other| format!("{one}{other}")).filter(|pair| is_known(pair));
        rest = if pair.is_some() { &after[1..] } else { after };
        joined.push(pair.unwrap_or_else(|| one.clone()));
    }
    let large: Vec<String> = joined.iter().filter(|word| !SMALL.contains(&word.as_str())).cloned().collect();
    let mut terms: Vec<Term> = Vec::new();
    for word in if large.is_empty() { joined } else { large } {
        if terms.iter().any(|term| term.stem == word) {
            continue;
        }
        let mut term = Term { like: like(&word), stem: word, rarity: 0.0 };
        let has = |entry: &&Entry<'_>| entry.words.iter().any(|word| term.fit(&word.stem) > 0.0);
        if !entries.iter().any(|entry| has(&entry)) {
            // A word that is cut short: everything that begins with it.
            let words = entries.iter().flat_map(|entry| &entry.words).map(|word| &word.stem);
            let longer = words.filter(|stem| term.stem.chars().count() >= 3 && stem.starts_with(&term.stem));
            term.like = longer.cloned().collect();
        }
        let count = entries.iter().filter(|entry| entry.words.iter().any(|w| term.fit(&w.stem) > 0.0)).count();
        term.rarity = (1.0 + entries.len() as f64 / (1.0 + count as f64)).ln();
        terms.push(term);
    }
    terms
}

/// The stems of words that mean about the same.
fn like(word: &str) -> Vec<String> {
    let stems = |words: &[&str]| words.iter().map(|word| stem(word)).collect::<Vec<_>>();
    let groups = ALIKE.iter().map(|words| stems(words)).filter(|stems| stems.iter().any(|stem| stem == word));
    groups.flatten().filter(|stem| stem != word).collect()
}

/// The words of a text by their stems, and where each begins. `re-roll` is one word.
fn stemmed(text: &str) -> Vec<(usize, String)> {
    let mut stems: Vec<(usize, String)> = Vec::new();
    let mut before = None;
    for word in name::words(text).into_iter().filter(|word| word.text != ",") {
        if word.text == "re" {
            before = Some(word.start);
            continue;
        }
        match before.take() {
            Some(start) => stems.push((start, stem(&format!("re{}", word.text)))),
            None => stems.push((word.start, stem(&word.text))),
        }
    }
    stems
}

fn stemmed_words(text: &str) -> Vec<String> {
    stemmed(text).into_iter().map(|(_, stem)| stem).filter(|stem| !SMALL.contains(&stem.as_str())).collect()
}

/// A word without its endings: `declares`, `declaring` and `declared` are one. At least three letters stay.
fn stem(word: &str) -> String {
    if !word.chars().all(|c| c.is_ascii_lowercase()) {
        return word.to_string();
    }
    let without = |word: &str, ending: &str, least: usize| {
        word.strip_suffix(ending).filter(|rest| rest.len() >= least).map(str::to_string)
    };
    let mut stem = match without(word, "ies", 2) {
        Some(rest) => format!("{rest}y"),
        None if word.ends_with("ss") => word.to_string(),
        None => without(word, "s", 3).unwrap_or_else(|| word.to_string()),
    };
    for (ending, least) in [("ment", 4), ("ing", 3), ("ed", 3), ("ion", 5)] {
        if let Some(rest) = without(&stem, ending, least) {
            stem = rest;
            break;
        }
    }
    stem = without(&stem, "e", 3).unwrap_or(stem);
    // `controlled` is `control`, but `roll` and `pass` keep both letters.
    let twice = stem.as_bytes().last_chunk::<2>().is_some_and(|[one, two]| one == two && !b"sz".contains(one));
    if twice && stem.len() > if stem.ends_with("ll") { 5 } else { 3 } {
        stem.pop();
    }
    stem
}

/// Words of the rulebooks that may have been meant, the likeliest first; at most three.
pub fn nearest(shelves: &[&Shelf], asked: &str) -> Vec<String> {
    let vocabulary: BTreeSet<String> = shelves.iter().flat_map(|shelf| vocabulary(shelf)).collect();
    let mut like: Vec<(f64, &String)> = Vec::new();
    for (_, asked) in stemmed(asked).iter().filter(|(_, asked)| !vocabulary.iter().any(|word| stem(word) == *asked)) {
        for word in &vocabulary {
            let likeness = strsim::normalized_damerau_levenshtein(&stem(word), asked);
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

    #[track_caller]
    fn case(words: &str, expected: &[&str]) {
        let stems: Vec<String> = stemmed(words).into_iter().map(|(_, stem)| stem).collect();
        assert_eq!(stems, expected, "{words}");
    }

    #[test]
    fn endings_do_not_keep_a_word_from_being_found() {
        case("retreating, Retreats the", &["retreat", "retreat", "the"]);
        case("declare declares declared declaring", &["declar"; 4]);
        case("army armies; pass passes", &["army", "army", "pass", "pass"]);
        case("split splitting; re-roll rerolls", &["split", "split", "rerol", "rerol"]);
        case("capture ring dice", &["captur", "ring", "dic"]);
        case("../../", &[]);
    }

    #[test]
    fn small_words_and_words_alike_are_stems() {
        assert!(SMALL.iter().all(|word| *word == stem(word)));
        assert!(ALIKE.iter().flat_map(|words| words.iter()).all(|word| !like(&stem(word)).contains(&stem(word))));
    }
}
