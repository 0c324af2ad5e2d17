//! The spelling of fixed words, numbers and names in a menu.

use crate::name::Named;
use crate::refusal::Allowed;
use std::ops::RangeInclusive;

/// The first of these things that is allowed; the list is read to its end.
pub const ONE_OF: &str = "one of|the first of|first of";
/// The place nearest to the one named.
pub const TOWARD: &str = "toward|towards";
/// A preference among things of a kind.
pub const AMONG: &str = "one of|the first of|first of|toward|towards";

/// Every spelling of fixed words.
pub fn spellings(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split('|')
}

pub fn append(text: &mut String, words: &str) {
    if words.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

/// The first spelling of fixed words.
pub fn canonical(words: &'static str) -> &'static str {
    // Searching for a byte is faster than searching for a `char`.
    let end = words.bytes().position(|byte| byte == b'|');
    end.map_or(words, |end| &words[..end])
}

/// A range of numbers in a listing: `<1-3>`, or the only number of the range.
pub fn range_noun(range: &RangeInclusive<u32>) -> String {
    match (range.start(), range.end()) {
        (only, same) if only == same => only.to_string(),
        (least, most) => format!("<{least}-{most}>"),
    }
}

/// The names of the things that are allowed, each once.
pub fn open_names<T: Named>(things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for thing in things.iter().filter(|thing| allowed(**thing).is_ok()) {
        let id = thing.name().id();
        if names.iter().all(|name| name != id) {
            names.push(id.to_string());
        }
    }
    names
}
