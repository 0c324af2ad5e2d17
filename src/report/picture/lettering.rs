/*! The letters of the pictures: outlines of our own, so that a picture looks alike wherever it is shown, whatever fonts
are there.

The outlines are in `fonts/letters.txt`. A picture defines each letter that it uses once, by the [`definitions`], and
every text is a row of references to them, which the pen writes.
*/

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;

const LETTERS: &str = include_str!("fonts/letters.txt");

/// A face of the lettering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    Medium,
    Bold,
    Italic,
}

/// The faces, each with the first letter of the ids of its letters.
const FACES: [(Face, char); 3] = [(Face::Medium, 'm'), (Face::Bold, 'b'), (Face::Italic, 'i')];

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub face: Face,
    pub size: f64,
}

impl Style {
    pub fn new(face: Face, size: f64) -> Style {
        Style { face, size }
    }

    /// How long the text is.
    pub fn width(self, text: &str) -> f64 {
        let (_, end) = set(self.face, text);
        f64::from(end) * self.size / 1000.0
    }
}

/// The letters of a face. All lengths are in thousandths of the size.
#[derive(Debug, Default)]
struct Alphabet {
    letters: BTreeMap<char, Letter>,
    /// By how much a letter is moved after another, by both.
    pairs: BTreeMap<[char; 2], i32>,
}

#[derive(Clone, Debug)]
struct Letter {
    /// The same letter without its accent.
    base: char,
    advance: i32,
    /// What it adds to its base, or all of it if it is its own base.
    lines: Vec<Line>,
}

/// A closed line of a letter: where it starts, and the data of its path from there.
type Line = (i32, i32, &'static str);

static ALPHABETS: LazyLock<[Alphabet; 3]> = LazyLock::new(|| {
    let mut faces = LETTERS.split("\nface ").skip(1);
    FACES.map(|_| Alphabet::read(faces.next().expect("a face")))
});

/// The letter that stands for all that the file does not have.
const BOX: char = '□';

impl Alphabet {
    fn of(face: Face) -> &'static Alphabet {
        &ALPHABETS[face as usize]
    }

    /// Reads the part of the file about one face: its name, its letters, and its pairs.
    fn read(text: &'static str) -> Alphabet {
        let mut alphabet = Alphabet::default();
        let (letters, pairs) = text.split_once("\npairs\n").expect("pairs");
        for line in letters.lines().skip(1) {
            let (letter, rest) = cut_letter(line);
            let drawn = alphabet.letter(letter, rest);
            alphabet.letters.insert(letter, drawn);
        }
        for line in pairs.lines() {
            let (first, rest) = cut_letter(line);
            for group in rest.split(' ') {
                let sign = group.rfind(['+', '-']).expect("a signed number");
                let by = group[sign..].parse().expect("a number");
                alphabet.pairs.extend(group[..sign].chars().map(|second| ([first, second], by)));
            }
        }
        alphabet
    }

    /// Reads what follows a letter in its line.
    fn letter(&self, letter: char, rest: &'static str) -> Letter {
        let end = rest.find(['M', '=']).unwrap_or(rest.len());
        let advance = rest[..end].parse().expect("an advance");
        let drawn = &rest[end..];
        let (base, drawn) = drawn.strip_prefix('=').map_or((letter, drawn), cut_letter);
        let lines = match drawn.strip_prefix('+').map(cut_letter) {
            Some((other, by)) => {
                let (right, down) = by.split_once(' ').expect("a way");
                let [right, down] = [right, down].map(|number| number.parse::<i32>().expect("a number"));
                self.letters[&other].lines.iter().map(|(x, y, line)| (x + right, y + down, *line)).collect()
            }
            None => drawn.split('M').skip(1).map(line).collect(),
        };
        Letter { base, advance, lines }
    }

    /// The letter, or a box. An accent of its own is left out: the letter before it is the nearest that there is.
    fn get(&self, letter: char) -> Option<(char, &Letter)> {
        if ('\u{300}'..='\u{36f}').contains(&letter) {
            return None;
        }
        let known = self.letters.get(&letter).map(|drawn| (letter, drawn));
        known.or_else(|| Some((BOX, &self.letters[&BOX])))
    }

    /// The data of the path of a letter.
    fn path(&self, letter: char) -> String {
        let drawn = &self.letters[&letter];
        let mut data = if drawn.base == letter { String::new() } else { self.path(drawn.base) };
        for (x, y, line) in &drawn.lines {
            let _ = write!(data, "M{x} {y}{line}");
        }
        data
    }
}

fn cut_letter(text: &'static str) -> (char, &'static str) {
    let letter = text.chars().next().expect("a letter");
    (letter, &text[letter.len_utf8()..])
}

fn line(text: &'static str) -> Line {
    let (x, rest) = text.split_once(' ').expect("a start");
    let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).expect("a line");
    (x.parse().expect("a number"), rest[..end].parse().expect("a number"), &rest[end..])
}

/// Whether the face has every letter of the text.
pub fn covers(face: Face, text: &str) -> bool {
    text.chars().all(|letter| Alphabet::of(face).letters.contains_key(&letter))
}

/// The letters that are to be drawn for a text, each with where it stands, in thousandths of the size; and the end.
fn set(face: Face, text: &str) -> (Vec<(char, i32)>, i32) {
    let alphabet = Alphabet::of(face);
    let (mut places, mut at, mut before) = (Vec::new(), 0, None);
    for (letter, drawn) in text.chars().filter_map(|letter| alphabet.get(letter)) {
        at += before.and_then(|before| alphabet.pairs.get(&[before, drawn.base])).copied().unwrap_or(0);
        if !drawn.lines.is_empty() {
            places.push((letter, at));
        }
        at += drawn.advance;
        before = Some(drawn.base);
    }
    (places, at)
}

/// The text as references to letters, in thousandths of the size, on a base line from the origin to the right.
pub fn references(face: Face, text: &str) -> String {
    let mut svg = String::new();
    for (letter, at) in set(face, text).0 {
        let _ = write!(svg, "{REFERENCE}{}\"", id(face, letter));
        let _ = match at {
            0 => write!(svg, "/>"),
            _ => write!(svg, " x=\"{at}\"/>"),
        };
    }
    svg
}

const REFERENCE: &str = "<use href=\"#";

/// The id of a letter: that of its face and itself, or its number if it is neither a letter nor a figure of ASCII.
fn id(face: Face, letter: char) -> String {
    let (_, face) = FACES[face as usize];
    if letter.is_ascii_alphanumeric() { format!("{face}{letter}") } else { format!("{face}{:x}", u32::from(letter)) }
}

fn of_id(id: &str) -> Option<(Face, char)> {
    let (face, _) = FACES.into_iter().find(|(_, first)| id.starts_with(*first))?;
    let mut rest = id[1..].chars();
    match (rest.next()?, rest.next()) {
        (letter, None) => Some((face, letter)),
        _ => Some((face, char::from_u32(u32::from_str_radix(&id[1..], 16).ok()?)?)),
    }
}

/// The definitions of all letters that these drawings refer to, each once and in a fixed order.
pub fn definitions<'a>(drawings: impl IntoIterator<Item = &'a str>) -> String {
    let references = drawings.into_iter().flat_map(|svg| svg.split(REFERENCE).skip(1));
    let ids: BTreeSet<&str> = references.filter_map(|rest| rest.split('"').next()).collect();
    let used: BTreeSet<(Face, char)> = ids.into_iter().filter_map(of_id).collect();
    let mut svg = String::from("<defs>");
    for (face, letter) in used {
        let _ = write!(svg, "<path id=\"{}\" d=\"{}\"/>", id(face, letter), Alphabet::of(face).path(letter));
    }
    svg + "</defs>\n"
}
