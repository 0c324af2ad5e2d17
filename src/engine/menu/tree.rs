/*! A menu as a graph of words, for a reader who has no menu to ask: a page in a browser.

The menu function is run once for every path, as for a listing, but every choice is written out: each number, each
optional word, each thing. A listing leaves some of them open (`<1-3>`, `[and leader]`). Only splits, lists (their
parts may come in any order) and large ranges of numbers are one way each. Sentences with the same continuation share
its nodes, so that a few hundred nodes hold thousands of sentences.
*/

use crate::menu::list::Lister;
use crate::menu::spelling::open_names;
use crate::menu::stop::Ask;
use crate::name::Named;
use crate::refusal::Allowed;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Marks a part that is no fixed row of words in a sentence being grown; the number of the part follows.
const PART: char = '\u{e000}';
/// A range with more numbers than this is one way, not one run for each number.
const NUMBERS_MAX: u32 = 40;

/// What may come next in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A word or a comma, by its number in the words of the tree.
    Word(usize),
    /// Any number of this range; the sentence goes on in the same way behind each.
    Number { least: u32, most: u32 },
    /// Numbers of at least 1 with a sum of at most `total`, each with another of these names: `3 the-shire, 2
    /// buckland`.
    Split { total: u32, names: Vec<usize> },
    /// One to `most` of these names, each once: `bree, the-shire`.
    Several { most: usize, names: Vec<usize> },
}

/// A place in a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Whether the sentence may end here.
    pub ends: bool,
    /// How it may go on, and the node that follows.
    pub ways: Vec<(Way, usize)>,
}

/// Everything that may be said, as far as the tree was grown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub words: Vec<String>,
    /// Each node comes after the nodes that follow it in a sentence; the last node is the beginning of every sentence.
    pub nodes: Vec<Node>,
    /// Whether it has every path of the menu.
    pub is_whole: bool,
}

/// One run of a menu function that grows a tree.
pub struct Grower {
    pub walk: Lister,
    parts: Vec<Part>,
}

/// A part of a sentence that is no fixed row of words.
enum Part {
    Number {
        least: u32,
        most: u32,
    },
    Split {
        total: u32,
        names: Vec<String>,
    },
    Several {
        most: usize,
        names: Vec<String>,
    },
    /// One of these rows of words.
    OneOf(Vec<String>),
}

impl Grower {
    pub fn new(script: Vec<usize>) -> Grower {
        Grower { walk: Lister::new(script), parts: Vec::new() }
    }

    /// Whether an optional part is said; the run without it comes first.
    pub fn either(&mut self) -> Ask<bool> {
        Ok(self.walk.one_of(2, |_| true)? == 1)
    }

    /// A number, with one run for each. For a large range, its greatest number and a mark; then the rest of the menu
    /// must not depend on the number.
    pub fn number(&mut self, range: RangeInclusive<u32>) -> Ask<(u32, Option<String>)> {
        let (least, most) = (*range.start(), *range.end());
        if most.saturating_sub(least) >= NUMBERS_MAX {
            return Ok((most, Some(self.part(Part::Number { least, most }))));
        }
        let count = most.checked_sub(least).map_or(0, |more| more as usize + 1);
        let index = self.walk.one_of(count, |_| true)?;
        Ok((least + u32::try_from(index).expect("a number of the range"), None))
    }

    /// Notes a split, and returns its mark and a thing that it may name.
    pub fn split<T: Named>(&mut self, total: u32, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<(String, T)> {
        let first = self.walk.noun("", things, allowed)?;
        Ok((self.part(Part::Split { total, names: open_names(things, allowed) }), first))
    }

    /// Notes a list, and returns its mark and a thing that it may name.
    pub fn several<T: Named>(&mut self, most: usize, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<(String, T)> {
        let first = self.walk.noun("", things, allowed)?;
        Ok((self.part(Part::Several { most, names: open_names(things, allowed) }), first))
    }

    /// Notes rows of words, one of which is said, and returns their mark.
    pub fn one_of(&mut self, rows: Vec<String>) -> String {
        self.part(Part::OneOf(rows))
    }

    fn part(&mut self, part: Part) -> String {
        self.parts.push(part);
        format!("{PART}{}", self.parts.len() - 1)
    }
}

/// A tree whose nodes are not shared yet. Node 0 is its root.
#[derive(Debug)]
pub struct Growing {
    words: Vec<String>,
    known: BTreeMap<String, usize>,
    nodes: Vec<Node>,
}

impl Default for Growing {
    fn default() -> Growing {
        Growing { words: Vec::new(), known: BTreeMap::new(), nodes: vec![Node::default()] }
    }
}

impl Growing {
    /// Adds the sentence of a run.
    pub fn add(&mut self, said: &str, run: &Grower) {
        let mut ends = vec![0];
        for word in said.split_whitespace() {
            ends = match word.strip_prefix(PART).and_then(|number| run.parts.get(number.parse::<usize>().ok()?)) {
                None => ends.iter().map(|end| self.grow(*end, word)).collect(),
                Some(Part::OneOf(rows)) => {
                    ends.iter().flat_map(|end| rows.iter().map(|row| self.row(*end, row)).collect::<Vec<_>>()).collect()
                }
                Some(Part::Number { least, most }) => {
                    let way = Way::Number { least: *least, most: *most };
                    ends.iter().map(|end| self.way(*end, way.clone())).collect()
                }
                Some(Part::Split { total, names }) => {
                    let way = Way::Split { total: *total, names: self.numbers(names) };
                    ends.iter().map(|end| self.way(*end, way.clone())).collect()
                }
                Some(Part::Several { most, names }) => {
                    let way = Way::Several { most: *most, names: self.numbers(names) };
                    ends.iter().map(|end| self.way(*end, way.clone())).collect()
                }
            };
        }
        ends.into_iter().for_each(|end| self.nodes[end].ends = true);
    }

    fn row(&mut self, from: usize, row: &str) -> usize {
        row.split_whitespace().fold(from, |node, word| self.grow(node, word))
    }

    /// The node behind a word; a comma at its end is a word of its own.
    fn grow(&mut self, from: usize, word: &str) -> usize {
        match word.strip_suffix(',') {
            Some("") | None => {
                let number = self.number(word);
                self.way(from, Way::Word(number))
            }
            Some(bare) => {
                let node = self.grow(from, bare);
                self.grow(node, ",")
            }
        }
    }

    fn way(&mut self, from: usize, way: Way) -> usize {
        // Consecutive runs usually differ in the last branch: search from the end.
        if let Some((_, node)) = self.nodes[from].ways.iter().rev().find(|(known, _)| *known == way) {
            return *node;
        }
        self.nodes.push(Node::default());
        let node = self.nodes.len() - 1;
        self.nodes[from].ways.push((way, node));
        node
    }

    fn number(&mut self, word: &str) -> usize {
        if let Some(number) = self.known.get(word) {
            return *number;
        }
        self.words.push(word.to_string());
        self.known.insert(word.to_string(), self.words.len() - 1);
        self.words.len() - 1
    }

    fn numbers(&mut self, names: &[String]) -> Vec<usize> {
        names.iter().map(|name| self.number(name)).collect()
    }

    /// The tree, with equal nodes merged.
    pub fn tree(self, is_whole: bool) -> Tree {
        let mut shared: BTreeMap<Node, usize> = BTreeMap::new();
        let mut places = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        // A node was made before those that follow it.
        for (index, mut node) in self.nodes.into_iter().enumerate().rev() {
            for (_, next) in &mut node.ways {
                *next = places[*next];
            }
            places[index] = *shared.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            });
        }
        Tree { words: self.words, nodes, is_whole }
    }
}
