//! The spelling of fixed words, numbers and names in a menu.

use crate::name::Named;
use crate::refusal::Allowed;
use std::ops::RangeInclusive;

/// The mark of a spelling that was canonical in earlier releases.
pub const EARLIER: char = '=';

/// The first of these things that is allowed; the list is read to its end.
pub const ONE_OF: &str = "one of|the first of|first of";
/// The place nearest to the one named.
pub const TOWARD: &str = "toward|towards";
/// A preference among things of a kind.
pub const AMONG: &str = "one of|the first of|first of|toward|towards";

/// Every spelling of fixed words, without the mark.
pub fn spellings(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split('|').map(|spelling| spelling.strip_prefix(EARLIER).unwrap_or(spelling))
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

/// The spelling that was canonical in earlier releases; `None` for most words.
pub fn earlier(words: &'static str) -> Option<&'static str> {
    let is_marked = words.bytes().any(|byte| byte == EARLIER as u8);
    words.split('|').filter(|_| is_marked).find_map(|spelling| spelling.strip_prefix(EARLIER))
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
