/*! Policies: sentences that state a preference, for whatever is possible when the question comes.

`one of a, b` means the first of them that is allowed, `toward a` the nearest place to it, `at most 2` a number. They
may be used wherever a menu reads a thing, a place or a number, and the verb before them may be left out. So only the
menu of the question knows what a policy means, and the log has the resulting sentence.
*/

use crate::menu::{Ask, Menu, Mode, Phrase};
use crate::name::{Name, Named, words};

pub use crate::menu::spelling::{AMONG, ONE_OF, TOWARD};

/// Which losses come first.
pub const FIRST: &str = "regulars first|regular first|elites first|elite first";
/// How long something is done.
pub const UNTIL: &str = "until";
/// Bounds of a number, and its extremes.
pub const BOUNDS: &str = "at most|up to|at least|most|least";
/// A part of a force.
pub const PART: &str = "with|all|everybody";

/// The most words before a preference whose names are checked.
const BEFORE_MAX: usize = 2;

/// Whether a line begins with a policy, for which the menu of the question adds the verb.
pub fn is_policy(line: &str) -> bool {
    let said: Vec<String> = words(line).into_iter().map(|word| word.text.into_owned()).collect();
    let begins = |spelling: &str| {
        let spelled: Vec<&str> = spelling.split(' ').collect();
        said.len() > spelled.len().saturating_sub(1) && spelled.iter().zip(&said).all(|(own, said)| own == said)
    };
    [AMONG, FIRST, UNTIL, BOUNDS, PART].iter().any(|spellings| spellings.split('|').any(begins))
}

/// The first name in the preference of a sentence that is none of `names`.
pub fn unknown_name(line: &str, names: &[&'static Name]) -> Option<String> {
    let said = words(line);
    let begins = |at: usize, spellings: &str| {
        let fits = |spelling: &str| {
            let spelled: Vec<&str> = spelling.split(' ').collect();
            let is_next = |index: usize| said.get(at + index).is_some_and(|word| word.text == spelled[index]);
            let fits = (0..spelled.len()).all(is_next);
            fits.then_some(spelled.len())
        };
        spellings.split('|').filter_map(fits).max()
    };
    // A preference begins a sentence, or comes after a verb and a number at most: `one step towards war` has none.
    let mut at = (0..=BEFORE_MAX.min(said.len())).find_map(|at| begins(at, AMONG).map(|count| at + count))?;
    loop {
        let rest = &said[at..];
        let count = names.iter().map(|name| name.spelled_by(rest).max(name.begun_by(rest))).max().unwrap_or(0);
        if count == 0 {
            // A name with a number after it means a slot: `character-7`.
            let is_slot = rest.len() > 1 && rest[1].text.parse::<u32>().is_ok();
            return (!is_slot).then(|| rest.first().map_or("", |word| &line[word.start..word.end]).to_string());
        }
        at += count;
        if said.get(at).is_none_or(|word| word.text != ",") || at + 1 >= said.len() {
            return None;
        }
        at += 1;
    }
}

impl<'a> Menu<'a> {
    /// Whether a line is being read and a policy that begins with these words comes next. If so, `before` is printed:
    /// the player may leave these words out.
    pub fn is_policy(&mut self, policy: &'static str, before: &'static str) -> bool {
        let is_next = self.comes_next(policy);
        if is_next {
            self.say_spelled(before);
        }
        is_next
    }

    /// A word that must come next, unless the policy does.
    pub fn word_or_policy(&mut self, word: &'static str, policy: &'static str) -> Ask<()> {
        if self.is_policy(policy, word) { Ok(()) } else { self.word(word) }
    }

    /// Whether a line is being read and names one of these things next.
    pub fn names_next<T: Named>(&self, things: &[T]) -> bool {
        matches!(&self.mode, Mode::Read(reader) if reader.names_next(things))
    }

    /// Reads a part of a line and prints nothing of it; [`Menu::comes_to`] then prints what it means.
    pub fn silently<T>(&mut self, read: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Ask<T> {
        let before = self.said.len();
        let read = read(self)?;
        self.said.truncate(before);
        Ok(read)
    }

    /// Prints what a policy means now.
    pub fn comes_to(&mut self, words: &'static str) {
        self.say_spelled(words);
    }

    /// Prints the name of what a policy means now.
    pub fn comes_to_name<T: Named>(&mut self, thing: T) {
        self.say(thing.said());
    }

    /// Prints the number that a policy means now.
    pub fn comes_to_number(&mut self, number: u32) {
        self.say_number(number);
    }

    /// Prints the phrase that a policy means now.
    pub fn comes_to_phrase<P: Phrase>(&mut self, phrase: &P, said: &P::Said) {
        self.say(&phrase.say(said));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_known_by_their_first_words() {
        for policy in ["one of a, b", "toward Lórien", "regulars first", "until 3 left", "at most 2", "with all but 1"]
        {
            assert!(is_policy(policy), "{policy}");
        }
        for sentence in ["lose 1 regular", "onetime", "one", "press on", ""] {
            assert!(!is_policy(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_name_that_nothing_has_is_found() {
        let names = [Name::new("a-b", "A B", &[]), Name::new("lorien", "Lórien", &[])];
        let names: Vec<&'static Name> = names.into_iter().map(|name| &*Box::leak(Box::new(name))).collect();
        let case = |line: &str, expected: Option<&str>| assert_eq!(unknown_name(line, &names).as_deref(), expected);
        case("discard one of a b, lorien", None);
        case("discard one of a b, xyz", Some("xyz"));
        case("one of character-7, lorien", None);
        case("retreat toward lorient", Some("lorient"));
        case("take it", None);
        case("isengard one step towards war", None);
    }
}
