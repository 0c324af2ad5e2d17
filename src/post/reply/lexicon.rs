/*! Words by what they do in a line, in many languages: the tables by which [`super::verdict`] judges a line that begins
no sentence of a game.

The tables are data (`lexicon/words.txt`): closed classes, such as negators, and the everyday words of courtesy. No
language is asked for: a line is in the language that knows most of its words.
*/

use super::vocabulary::words_of;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What a word does in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It denies: `not`, `kein`.
    Negates,
    /// It makes a condition, a choice or a guess: `if`, `maybe`.
    Hedges,
    /// It corrects or takes back: `instead`, `storno`.
    Corrects,
    /// It tells of another time, or of what somebody else wants: in a heading, what stands below is not meant then.
    Others,
    /// It excuses: harmless with a word for what is late.
    Excuses,
    Late,
    /// A word of courtesy, or of everyday life.
    Kind,
    /// A word by which people head their moves.
    Heads,
    /// A word without a meaning of its own.
    Plain,
    /// A word about mail, as banners and notices have it.
    Mails,
}

const SECTIONS: [(&str, Class); 11] = [
    ("negates", Class::Negates),
    ("hedges", Class::Hedges),
    ("corrects", Class::Corrects),
    ("others", Class::Others),
    ("calm", Class::Kind),
    ("excuses", Class::Excuses),
    ("late", Class::Late),
    ("kind", Class::Kind),
    ("heads", Class::Heads),
    ("plain", Class::Plain),
    ("mails", Class::Mails),
];

/// What a word does: some classes at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u16);

impl Classes {
    fn of(class: Class) -> Classes {
        Classes(1 << class as u16)
    }

    pub fn has(self, class: Class) -> bool {
        self.0 & Classes::of(class).0 != 0
    }

    pub fn is_known(self) -> bool {
        self.0 != 0
    }

    /// Whether it is known to do nothing to other lines, whatever else it may do.
    pub fn is_benign(self) -> bool {
        [Class::Kind, Class::Heads, Class::Plain, Class::Late, Class::Excuses].iter().any(|class| self.has(*class))
    }

    /// Whether it denies, makes a condition, or corrects.
    pub fn denies(self) -> bool {
        [Class::Negates, Class::Hedges, Class::Corrects].iter().any(|class| self.has(*class))
    }

    fn and(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

/// What is known of a word: in which language, and what it does there.
type Known = (u8, Classes);

pub struct Lexicon {
    languages: Vec<&'static str>,
    /// By all their words, joined by blanks.
    words: BTreeMap<String, Vec<Known>>,
    /// Words of scripts without blanks, the longest first.
    joined: Vec<String>,
    longest: usize,
}

/// English is mixed into every language.
const ENGLISH: u8 = 0;

pub static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(include_str!("lexicon/words.txt")));

/// The words of a line in one language: for each what it does; nothing if it is not known.
pub type InLanguage = Vec<Classes>;

impl Lexicon {
    fn of(tables: &'static str) -> Lexicon {
        let mut lexicon = Lexicon { languages: vec!["en"], words: BTreeMap::new(), joined: Vec::new(), longest: 1 };
        let mut class = None;
        for line in tables.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                class = SECTIONS.iter().find(|(name, _)| *name == section).map(|(_, class)| *class);
                continue;
            }
            let (Some((language, words)), Some(class)) = (line.split_once(": "), class) else { continue };
            let language = lexicon.language(language);
            words.split(' ').for_each(|word| lexicon.enter(word, language, Classes::of(class)));
        }
        lexicon.joined.sort_by_key(|word| std::cmp::Reverse(word.len()));
        lexicon
    }

    fn language(&mut self, name: &'static str) -> u8 {
        let at = self.languages.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.languages.push(name);
            self.languages.len() - 1
        });
        u8::try_from(at).expect("there are not so many languages")
    }

    fn enter(&mut self, written: &str, language: u8, classes: Classes) {
        let words: Vec<String> = written.split('+').flat_map(spoken_words).collect();
        self.longest = self.longest.max(words.len());
        let word = words.join(" ");
        if word.chars().any(is_joined) {
            self.joined.push(word.clone());
        }
        let known = self.words.entry(word).or_default();
        match known.iter_mut().find(|(known, _)| *known == language) {
            Some((_, all)) => *all = all.and(classes),
            None => known.push((language, classes)),
        }
    }

    /// A line in the language that knows most of its words; in each of those that know equally many.
    pub fn readings(&self, words: &[String]) -> Vec<InLanguage> {
        self.readings_of(self.spoken(words, self.longest))
    }

    /// As [`Lexicon::readings`], but each word by itself.
    pub fn readings_alone(&self, words: &[String]) -> Vec<InLanguage> {
        self.readings_of(self.spoken(words, 1))
    }

    fn readings_of(&self, spoken: Vec<&[Known]>) -> Vec<InLanguage> {
        let mut languages: Vec<u8> =
            spoken.iter().flat_map(|known| known.iter().map(|(language, _)| *language)).collect();
        languages.push(ENGLISH);
        languages.sort_unstable();
        languages.dedup();
        let readings = languages.into_iter().map(|language| {
            let reading: InLanguage = spoken.iter().map(|known| in_language(known, language)).collect();
            let own = spoken.iter().filter(|known| known.iter().any(|(of, _)| *of == language)).count();
            ((reading.iter().filter(|classes| classes.is_known()).count(), own), reading)
        });
        let readings: Vec<((usize, usize), InLanguage)> = readings.collect();
        let best = readings.iter().map(|(rank, _)| *rank).max().unwrap_or_default();
        readings.into_iter().filter(|(rank, _)| *rank == best).map(|(_, reading)| reading).collect()
    }

    /// Whether a word alone is one of courtesy or everyday life in any language.
    pub fn is_benign(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.iter().any(|(_, classes)| classes.is_benign()))
    }

    /// The words of a line, each with what is known of it: of several words in a row together, if they are known so.
    fn spoken(&self, words: &[String], longest: usize) -> Vec<&[Known]> {
        let mut spoken: Vec<&[Known]> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let longest = (1..=longest.min(words.len() - at)).rev();
            let found = longest.into_iter().find_map(|count| {
                let joined = (count > 1).then(|| words[at..at + count].join(" "));
                let known = self.words.get(joined.as_ref().unwrap_or(&words[at]))?;
                Some((count, known.as_slice()))
            });
            let (count, known) = found.unwrap_or((1, &[]));
            spoken.extend((0..count).map(|_| known));
            at += count;
        }
        spoken
    }

    /// The words of a text; one in a script without blanks is cut into those that are known. What is left between
    /// them is a word of its own.
    pub fn words(&self, line: &str) -> Vec<String> {
        let cut = |word: String| if word.chars().any(is_joined) { self.cut(&word) } else { vec![word] };
        spoken_words(line).into_iter().flat_map(cut).collect()
    }

    fn cut(&self, word: &str) -> Vec<String> {
        let mut pieces: Vec<String> = Vec::new();
        let (mut rest, mut is_open) = (word, false);
        while let Some(first) = rest.chars().next() {
            match self.joined.iter().find(|known| rest.starts_with(known.as_str())) {
                Some(known) => {
                    pieces.push(known.clone());
                    (rest, is_open) = (&rest[known.len()..], false);
                }
                None => {
                    match pieces.last_mut().filter(|_| is_open) {
                        Some(piece) => piece.push(first),
                        None => pieces.push(first.to_string()),
                    }
                    (rest, is_open) = (&rest[first.len_utf8()..], true);
                }
            }
        }
        pieces
    }
}

/// What a word does in a language; in English, where the language does not know it.
fn in_language(known: &[Known], language: u8) -> Classes {
    let of = |wanted: u8| known.iter().find(|(known, _)| *known == wanted).map(|(_, classes)| *classes);
    of(language).or_else(|| of(ENGLISH)).unwrap_or_default()
}

/// The words of a line, folded as the games read them, without commas.
fn spoken_words(line: &str) -> Vec<String> {
    words_of(line).into_iter().map(|word| word.text.into_owned()).filter(|word| word != ",").collect()
}

/// Whether a character belongs to a script that puts no blanks between words.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, class: Class, expected: bool) {
        let words = LEXICON.words(line);
        let found = LEXICON.readings(&words).iter().flatten().any(|classes| classes.has(class));
        assert_eq!(found, expected, "{line}: {words:?}");
    }

    #[test]
    fn a_word_means_what_it_means_in_the_language_of_its_line() {
        case("das ist nicht mein Zug", Class::Negates, true);
        case("no hay prisa", Class::Negates, false);
        case("no, ahora no", Class::Negates, true);
        case("no worries, take your time", Class::Negates, false);
        case("我不想这样", Class::Negates, true);
        case("ありがとうございます", Class::Kind, true);
        case("отмена", Class::Corrects, true);
        case("nej, vänta", Class::Hedges, true);
    }

    #[test]
    fn every_line_of_the_tables_is_read() {
        assert!(LEXICON.languages.len() >= 30, "{:?}", LEXICON.languages);
        let tables = include_str!("lexicon/words.txt");
        for line in tables.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
            assert!(line.split_once(": ").is_some_and(|(language, words)| language.len() == 2 && !words.is_empty()));
        }
        for line in tables.lines().filter_map(|line| line.strip_prefix('[')) {
            let section = line.trim_end_matches(']');
            assert!(SECTIONS.iter().any(|(name, _)| *name == section), "{section}");
        }
    }
}
