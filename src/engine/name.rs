/*! Names as people write them: a canonical word for the log, and every spelling that is understood.

Names are compared as lists of folded words: lower case, without accents, apostrophes and hyphens. So
`Minas Tirith`, `minas-tirith` and `MINAS TIRITH` are the same name, and `Lórien` is `lorien`.
*/

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The name of a thing that a sentence can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    id: String,
    title: String,
    spellings: Vec<Vec<String>>,
    /// A set of the beginnings of all spellings, one bit each: a word that begins otherwise need not be compared.
    beginnings: u128,
}

/// Something with a name.
pub trait Named: Copy {
    fn name(&self) -> &'static Name;

    /// The word for it in a canonical sentence, if it differs from the name in the player's line: a player names a
    /// face-down card by its title, and the log records its slot.
    fn said(&self) -> &'static str {
        self.name().id()
    }

    /// How a player would name it, for refusals that give an example.
    fn example(&self) -> String {
        self.name().id().to_string()
    }

    /// The distance from another place, by which `toward` finds the nearest; `None` if it is no place.
    fn distance(self, _goal: Self) -> Option<u32> {
        None
    }

    /// The number of words, from the first, that name any thing of this type, even one that cannot be said now. For
    /// lists by preference.
    fn known_by(_words: &[Word<'_>]) -> usize {
        0
    }
}

impl Name {
    /// A name from its canonical word (lower case, hyphens), its printed title, and further spellings. A player may
    /// leave out a leading article.
    pub fn new(id: &str, title: &str, aliases: &[&str]) -> Name {
        let mut spellings: Vec<Vec<String>> = Vec::new();
        for spelling in [id, title].into_iter().chain(aliases.iter().copied()) {
            let words: Vec<String> = words(spelling).into_iter().map(|word| word.text.into_owned()).collect();
            let bare = words.strip_prefix(&["the".to_string()]).map(<[String]>::to_vec);
            for words in std::iter::once(words).chain(bare) {
                if !words.is_empty() && !spellings.contains(&words) {
                    spellings.push(words);
                }
            }
        }
        let beginnings = beginnings(&spellings);
        Name { id: id.to_string(), title: title.to_string(), spellings, beginnings }
    }

    /// The same name with one more spelling.
    pub fn with_alias(&self, alias: &str) -> Name {
        let mut name = self.clone();
        name.spellings.extend(Name::new(alias, alias, &[]).spellings);
        name.beginnings = beginnings(&name.spellings);
        name
    }

    /// The canonical word, as the log records it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The printed name.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The first word of every spelling, each once.
    pub fn firsts(&self) -> impl Iterator<Item = &str> {
        let before = |index: usize| self.spellings[..index].iter().map(|words| &words[0]);
        let all = self.spellings.iter().enumerate();
        all.filter(move |(index, words)| !before(*index).any(|first| *first == words[0])).map(|(_, words)| &*words[0])
    }

    /// How many words, counted from the first, spell this name in full; 0 if none do.
    #[inline]
    pub fn spelled_by(&self, words: &[Word<'_>]) -> usize {
        // Every name of a list is tried, and few begin like the words: only this first test is inlined into the
        // caller's loop.
        if self.begins_like(words) { self.longest_spelling(words) } else { 0 }
    }

    fn longest_spelling(&self, words: &[Word<'_>]) -> usize {
        let spelled = |spelling: &Vec<String>| {
            let fits = spelling.len() <= words.len() && spelling.iter().zip(words).all(|(own, said)| *own == said.text);
            if fits { spelling.len() } else { 0 }
        };
        self.spellings.iter().map(spelled).max().unwrap_or(0)
    }

    /// How many words, counted from the first, spell the beginning of this name; 0 if none do. The last word may be
    /// cut to three letters or more.
    #[inline]
    pub fn begun_by(&self, words: &[Word<'_>]) -> usize {
        if self.begins_like(words) { self.longest_beginning(words) } else { 0 }
    }

    fn longest_beginning(&self, words: &[Word<'_>]) -> usize {
        let begun = |spelling: &Vec<String>| {
            let whole = spelling.iter().zip(words).take_while(|(own, said)| **own == said.text).count();
            match (spelling.get(whole), words.get(whole)) {
                (Some(own), Some(said)) if said.text.len() >= 3 && own.starts_with(&*said.text) => whole + 1,
                _ if spelling[..whole].iter().any(|word| word.len() >= 3 && word != "the") => whole,
                _ => 0,
            }
        };
        self.spellings.iter().map(begun).max().unwrap_or(0)
    }

    #[inline]
    fn begins_like(&self, words: &[Word<'_>]) -> bool {
        words.first().is_some_and(|word| self.beginnings & (1 << word.beginning) != 0)
    }

    /// How similar the name is to the text, from 0 to 1000.
    pub fn likeness(&self, text: &str) -> u32 {
        self.likeness_from(text, 0)
    }

    /// The same, or 0 if it is less than `least`; the letters alone usually show that.
    pub fn likeness_from(&self, text: &str, least: u32) -> u32 {
        let like = |spelling: &Vec<String>| {
            if !may_be_like(spelling, text, least) {
                return 0;
            }
            let own = spelling.join(" ");
            let length = own.chars().count().max(text.chars().count()).max(1);
            let distance = strsim::damerau_levenshtein(&own, text).min(length);
            u32::try_from((length - distance) * 1000 / length).expect("at most 1000")
        };
        self.spellings.iter().map(like).filter(|likeness| *likeness >= least).max().unwrap_or(0)
    }
}

/// Whether two texts can be this similar at all, judged by their lengths and letters. A slip of the pen changes at
/// most one letter of each text; swapped letters change none.
fn may_be_like(spelling: &[String], text: &str, least: u32) -> bool {
    const KINDS: usize = 32;
    let own: usize = spelling.iter().map(|word| word.chars().count() + 1).sum::<usize>().saturating_sub(1);
    let said = text.chars().count();
    let length = own.max(said).max(1);
    let is_enough = |apart: usize| (length - apart.min(length)) * 1000 / length >= least as usize;
    if !is_enough(own.abs_diff(said)) {
        return false;
    }
    let mut counts = [0_i16; KINDS];
    for letter in spelling.iter().flat_map(|word| word.chars()) {
        counts[letter as usize % KINDS] += 1;
    }
    for letter in text.chars().filter(|letter| *letter != ' ') {
        counts[letter as usize % KINDS] -= 1;
    }
    let sum = |sign: i16| counts.iter().map(|count| (sign * count).max(0)).sum::<i16>();
    is_enough(usize::try_from(sum(1).max(sum(-1))).unwrap_or(0))
}

/// The beginnings of the first words of all spellings, one bit each.
fn beginnings(spellings: &[Vec<String>]) -> u128 {
    spellings.iter().fold(0, |all, words| all | (1 << beginning(&words[0])))
}

/// A number below 128 for the first three bytes of a word, because a word may be cut to three letters.
fn beginning(word: &str) -> u8 {
    word.bytes().take(3).fold(0, |all: u8, byte| all.wrapping_mul(31).wrapping_add(byte)) % 128
}

/// One folded word of a sentence, never empty, and where it is in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'l> {
    pub text: Cow<'l, str>,
    pub start: usize,
    pub end: usize,
    /// See [`beginning`].
    beginning: u8,
}

impl<'l> Word<'l> {
    fn new(text: &'l str, start: usize, end: usize) -> Word<'l> {
        Word { text: Cow::Borrowed(text), start, end, beginning: 0 }
    }
}

/// The words of a line. Letters and digits make words, a comma or semicolon is a word `,`, and everything else
/// separates words; an apostrophe inside a word is dropped.
pub fn words(line: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = Vec::with_capacity(line.len() / 4 + 1);
    let mut open = false;
    let mut at = 0;
    while let Some(letter) = line[at..].chars().next() {
        let start = at;
        // Most words are already folded, as in the log; they borrow their text from the line.
        let plain = line.as_bytes()[at..].iter().take_while(|byte| is_folded(**byte)).count();
        at += plain.max(letter.len_utf8());
        if letter == ',' || letter == ';' {
            words.push(Word::new(",", start, at));
            open = false;
        } else if plain > 0 || letter.is_alphanumeric() || (!letter.is_ascii() && is_combining_mark(letter)) {
            if !open {
                words.push(Word::new("", start, start));
                open = true;
            }
            let word = words.last_mut().expect("a word is open");
            word.end = at;
            match (plain, word.text.is_empty()) {
                (0, _) => fold(letter, word.text.to_mut()),
                (_, true) => word.text = Cow::Borrowed(&line[start..at]),
                (_, false) => word.text.to_mut().push_str(&line[start..at]),
            }
        } else if !(open && matches!(letter, '\'' | '\u{2019}' | '\u{200b}' | '\u{ad}')) {
            open = false;
        }
    }
    words.retain(|word| !word.text.is_empty());
    // `a, b, then c` means `a, b then c`: the comma before `then` separates nothing.
    let is_noise = |pair: &[Word]| pair[0].text == "," && pair[1].text == "then";
    while let Some(noise) = words.windows(2).position(is_noise) {
        words.remove(noise);
    }
    words.iter_mut().for_each(|word| word.beginning = beginning(&word.text));
    words
}

fn is_folded(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn fold(letter: char, text: &mut String) {
    if letter.is_ascii() {
        text.push(letter.to_ascii_lowercase());
        return;
    }
    let plain = letter.nfkd().filter(|part| !is_combining_mark(*part));
    text.extend(plain.flat_map(char::to_lowercase));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: &[&str]) {
        let found: Vec<Cow<'_, str>> = words(line).into_iter().map(|word| word.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_are_folded() {
        case("Attack Minas-Tirith, from  Ithilien!", &["attack", "minas", "tirith", ",", "from", "ithilien"]);
        case("Barad-dûr Helm’s Deep Lo\u{301}rien", &["barad", "dur", "helms", "deep", "lorien"]);
        case("bree, then nearest", &["bree", "then", "nearest"]);
        case("don't DoN't x2 2X éé eé e\u{301}e", &["dont", "dont", "x2", "2x", "ee", "ee", "ee"]);
        case("", &[]);
        case("\u{301}", &[]);
    }

    #[test]
    fn likeness_is_told_by_the_letters_where_it_is_too_little() {
        let ids = [
            "minas-tirith",
            "helms-deep",
            "the-shire",
            "lorien",
            "moria",
            "fords-of-isen",
            "barad-dur",
            "rhudaur",
            "gandalf-the-grey",
            "angmar",
            "old-forest",
            "umbar",
            "fangorn",
            "north-downs",
            "dol-guldur",
            "dale",
        ];
        let names = ids.map(|id| Name::new(id, id, &[]));
        let mut found = [0, 0];
        for (index, name) in names.iter().enumerate() {
            let other = names[(index * 7 + 3) % names.len()].id();
            let own = name.id().replace('-', " ");
            let turned: String = own.chars().rev().collect();
            for text in [own.replacen('a', "", 1), own.replacen('r', "xy", 1), turned, other.replace('-', " ")] {
                let (whole, cut) = (name.likeness(&text), name.likeness_from(&text, 600));
                assert_eq!(cut, if whole < 600 { 0 } else { whole }, "{} {text}", name.id());
                found[usize::from(whole < 600)] += 1;
            }
        }
        assert!(found.iter().all(|count| *count > 10), "{found:?}");
    }

    #[test]
    fn a_name_is_spelled_in_many_ways() {
        let name = Name::new("the-shire", "The Shire", &["Hobbit land"]);
        assert_eq!(name.spelled_by(&words("the shire now")), 2);
        assert_eq!(name.spelled_by(&words("SHIRE")), 1);
        assert_eq!(name.spelled_by(&words("hobbit-land")), 2);
        assert_eq!(name.spelled_by(&words("mordor")), 0);
        assert_eq!(name.begun_by(&words("the shi")), 2);
        assert_eq!(name.begun_by(&words("th")), 0);
    }
}
