/*! Whether a line of the writer's own is harmless or in doubt (requirement P7): one table of features, one verdict.

A line that begins like a sentence is *meant*, and the game reads it. Of all others, only what is known by its form is
harmless: courtesy in known words, prose that goes on for a while, a banner, a date, a label. Whatever is short and not
known, denies, asks, corrects, or has a sign of no is in doubt: it may change what the other lines mean, and the letter
is held until its writer has said so.
*/

use super::lexicon::{Class, Classes, InLanguage, LEXICON};
use super::phrases::Phrases;
use super::vocabulary::{Vocabulary, words_of};
use mail::letter::flowed::Line;
use std::fmt;
use std::sync::LazyLock;

/// What a line is by its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be a sentence; the doubt counts if the game cannot read it.
    Meant(Option<Doubt>),
    Harmless,
    Doubt(Doubt),
}

/// Why a line may change what the others mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A word denies, makes a condition, or corrects.
    Word(String),
    Asks,
    /// It has a sign of no, or of a box that is not ticked.
    Sign(char),
    /// It heads the lines below, and does not say that they are meant.
    Heading,
    /// It names something of the game and begins no sentence.
    Names,
    /// It is in quotation marks or brackets.
    SetApart,
    /// It is short, and its words are not known.
    Unknown,
}

impl Doubt {
    /// Whether it comes from what a line says, and not from what is not known of it.
    pub fn is_said(&self) -> bool {
        matches!(self, Doubt::Word(_) | Doubt::Asks | Doubt::Sign(_))
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Word(word) => write!(formatter, "`{word}` may change what the other lines mean"),
            Doubt::Asks => formatter.write_str("it reads as a question"),
            Doubt::Sign(sign) => write!(formatter, "`{sign}` may mean that it is not to be played"),
            Doubt::Heading => formatter.write_str("it may mean that what stands below is not to be played"),
            Doubt::Names => formatter.write_str("it is about the game and is no sentence of it"),
            Doubt::SetApart => formatter.write_str("what stands in quotation marks or brackets may not be meant"),
            Doubt::Unknown => formatter.write_str("it is not known what it means for the other lines"),
        }
    }
}

/// What counts in a line that begins no sentence.
struct Features<'l> {
    original: &'l str,
    /// The line as it is read.
    line: &'l str,
    words: Vec<String>,
    /// In the language of the line; in several, if it could be in any of them.
    readings: Vec<InLanguage>,
    /// It ends in a colon.
    is_heading: bool,
    names_the_game: bool,
}

/// A word that is known in this many words of a line makes it a banner or a notice of a mail program.
const MAIL_WORDS_MIN: usize = 3;

/// Prose has at least this many words, and this share of them is known in its language.
const PROSE_MIN: usize = 8;
const PROSE_KNOWN: (usize, usize) = (1, 2);

static LABELS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/label.txt")));

/// Judges a line of the writer's own. `original` is the line as it was written, `line` as it is read.
pub fn judge(original: &str, line: &str, vocabulary: &Vocabulary) -> Verdict {
    let sign = sign_of_no(original);
    // No sentence of a game is a date or a time alone, though it may begin with a number.
    if sign.is_none() && is_date(line) {
        return Verdict::Harmless;
    }
    if let Some(part) = vocabulary.meant(line) {
        let doubt = match sign {
            Some(sign) => Some(Doubt::Sign(sign)),
            None if line.ends_with('?') => Some(Doubt::Asks),
            None => corrects(original, line, vocabulary).or_else(|| word_of_doubt(line, vocabulary).map(Doubt::Word)),
        };
        return Verdict::Meant(doubt.or((!part.is_first).then_some(Doubt::Unknown)));
    }
    if let Some(sign) = sign {
        return Verdict::Doubt(Doubt::Sign(sign));
    }
    let features = Features::of(original, line, vocabulary);
    features.verdict()
}

impl Verdict {
    pub fn doubt(&self) -> Option<Doubt> {
        match self {
            Verdict::Meant(doubt) => doubt.clone(),
            Verdict::Doubt(doubt) => Some(doubt.clone()),
            Verdict::Harmless => None,
        }
    }
}

/// A line that a mail program has wrapped has at least this many columns.
const WRAPPED_MIN: usize = 50;

/// Judges the lines of a paragraph together where one that is wrapped was judged line by line: a banner or notice, and
/// prose.
pub fn join<W: AsRef<str>>(lines: &[Line], words: &[W], verdicts: &mut [Verdict], vocabulary: &Vocabulary) {
    let mut start = 0;
    while start < lines.len() {
        let is_wrapped = |line: &&Line| line.text.trim_end().chars().count() >= WRAPPED_MIN;
        let end = (start + 1 + lines[start..].iter().take_while(is_wrapped).count()).min(lines.len());
        // A sentence is no part of it, unless the line is about mail.
        let is_sentence =
            |at: &usize| matches!(verdicts[*at], Verdict::Meant(_)) && !is_about_mail(words[*at].as_ref());
        let end = (start..end).find(is_sentence).unwrap_or(end);
        if end <= start {
            start += 1;
            continue;
        }
        if end - start > 1 && verdicts[start..end].iter().any(|verdict| *verdict != Verdict::Harmless) {
            let text = |part: &dyn Fn(usize) -> String| (start..end).map(part).collect::<Vec<String>>().join(" ");
            let original = text(&|at| lines[at].text.trim().to_owned());
            let line = text(&|at| words[at].as_ref().to_owned());
            let features = Features::of(&original, &line, vocabulary);
            let is_meant = verdicts[start..end].iter().any(|verdict| matches!(verdict, Verdict::Meant(_)));
            if features.is_of_mail() || !is_meant && features.verdict() == Verdict::Harmless {
                verdicts[start..end].fill(Verdict::Harmless);
            }
        }
        start = end;
    }
}

fn is_about_mail(line: &str) -> bool {
    LEXICON.readings(&LEXICON.words(line)).iter().flatten().any(|classes| classes.has(Class::Mails))
}

/// A line of a phone has at most this many words, and one of these: in every language.
const DEVICE_MAX: usize = 8;
const DEVICES: [&str; 12] = [
    "iphone",
    "ipad",
    "ipod",
    "android",
    "samsung",
    "galaxy",
    "blackberry",
    "outlook",
    "thunderbird",
    "huawei",
    "xiaomi",
    "smartphone",
];

/// A mark that one program leaves for another has at least this many letters.
const MARK_MIN: usize = 16;

/// Whether a line is one word that no person writes: `ZjQcmQRYFpfptBannerStart`, long and with capitals within.
fn is_of_machine(original: &str) -> bool {
    let word = original.trim();
    let letters: Vec<char> = word.chars().collect();
    let rises = letters.windows(2).filter(|pair| pair[0].is_lowercase() && pair[1].is_uppercase()).count();
    letters.len() >= MARK_MIN && letters.iter().all(char::is_ascii_alphanumeric) && rises >= 2
}

/// The most words of a name under a letter.
const NAME_MAX: usize = 3;

/// Whether the last line of a letter may be a name: a few words, each with a capital where its script has them; one is
/// enough below a line of courtesy.
pub fn is_name(original: &str, is_below_courtesy: bool) -> bool {
    let words: Vec<&str> = original.split_whitespace().collect();
    let is_great = |word: &&str| {
        let first = word.chars().find(|c| c.is_alphabetic());
        first.is_some_and(|first| first.is_uppercase() || is_below_courtesy && !first.is_lowercase())
    };
    (if is_below_courtesy { 1 } else { 2 }..=NAME_MAX).contains(&words.len())
        && words.iter().all(is_great)
        && original.trim_end().ends_with(|c: char| c.is_alphabetic() || c == '.')
}

impl<'l> Features<'l> {
    fn of(original: &'l str, line: &'l str, vocabulary: &Vocabulary) -> Features<'l> {
        let words = LEXICON.words(line);
        let readings = LEXICON.readings(&words);
        let is_benign = |word: &str| {
            let at = words.iter().position(|known| known == word);
            at.is_some_and(|at| readings.iter().any(|reading| reading[at].is_benign()))
        };
        let names_the_game = vocabulary.names_in(line, is_benign);
        Features { original, line, is_heading: line.ends_with([':', '\u{ff1a}']), words, readings, names_the_game }
    }

    fn verdict(&self) -> Verdict {
        if self.is_set_in() || is_date(self.line) || self.is_of_mail() {
            return Verdict::Harmless;
        }
        if self.line.contains('?') || self.line.contains(['\u{61f}', '\u{37e}']) {
            return Verdict::Doubt(Doubt::Asks);
        }
        if let Some(word) = self.readings.iter().find_map(|reading| self.denies(reading)) {
            return Verdict::Doubt(Doubt::Word(word));
        }
        if self.names_the_game {
            return Verdict::Doubt(Doubt::Names);
        }
        if self.is_heading && self.is_of_others() {
            return Verdict::Doubt(Doubt::Heading);
        }
        if self.words.len() <= DEVICE_MAX && self.words.iter().any(|word| DEVICES.contains(&word.as_str())) {
            return Verdict::Harmless;
        }
        match self.readings.iter().all(|reading| self.is_talk(reading) || self.is_prose(reading)) {
            true => Verdict::Harmless,
            false if self.is_heading => Verdict::Doubt(Doubt::Heading),
            false => Verdict::Doubt(Doubt::Unknown),
        }
    }

    /// A picture that a mail program has left out, or nothing but a link.
    fn is_set_in(&self) -> bool {
        let is_link = |word: &str| ["http://", "https://"].iter().any(|start| word.starts_with(start));
        let boxed = self.line.strip_prefix('[').and_then(|inside| inside.strip_suffix(']'));
        let is_picture = |inside: &str| {
            let kind = inside.split(':').next().unwrap_or(inside);
            inside.contains(':') && ["image", "cid", "bild", "img", "photo", "logo"].contains(&kind)
        };
        boxed.is_some_and(|inside| is_picture(inside) || is_banner_mark(inside))
            || is_of_machine(self.original)
            || self.line.split(' ').all(|word| is_link(word.trim_matches(['<', '>', '(', ')'])))
    }

    /// A banner or notice: several of its words are about mail.
    fn is_of_mail(&self) -> bool {
        self.readings.iter().all(|reading| {
            let mut found: Vec<&String> = self
                .words
                .iter()
                .zip(reading)
                .filter(|(_, classes)| classes.has(Class::Mails))
                .map(|(word, _)| word)
                .collect();
            found.sort_unstable();
            found.dedup();
            found.len() >= MAIL_WORDS_MIN
        })
    }

    /// The word by which the line denies, makes a condition, or corrects.
    fn denies(&self, reading: &InLanguage) -> Option<String> {
        let has = |class: Class| reading.iter().any(|classes| classes.has(class));
        let (is_late, is_excused) = (has(Class::Late), has(Class::Excuses));
        let denies = |classes: &Classes| {
            let is_harmless = classes.has(Class::Kind) || is_excused && classes.has(Class::Late);
            classes.denies() && !is_harmless || classes.has(Class::Excuses) && !is_late
        };
        self.words.iter().zip(reading).find(|(_, classes)| denies(classes)).map(|(word, _)| word.clone())
    }

    /// Whether a word tells of another time, or of what somebody else does.
    fn is_of_others(&self) -> bool {
        LEXICON.readings_alone(&self.words).iter().flatten().any(|classes| classes.has(Class::Others))
    }

    /// Whether every word is known, and one of them is of courtesy; a name may follow.
    fn is_talk(&self, reading: &InLanguage) -> bool {
        let is_kind =
            |classes: &Classes| classes.has(Class::Kind) || classes.has(Class::Heads) || classes.has(Class::Late);
        let strange: Vec<usize> =
            (0..self.words.len()).filter(|at| !reading[*at].is_benign() && !is_number(&self.words[*at])).collect();
        let is_name = |at: &usize| *at > 0 && self.is_capital(&self.words[*at]);
        let known = self.words.len() - strange.len();
        reading.iter().any(is_kind)
            && strange.iter().all(is_name)
            && strange.len() <= known.min(2)
            && (!self.is_heading || strange.is_empty())
    }

    /// Whether a word was written with a capital and is no cry.
    fn is_capital(&self, word: &str) -> bool {
        let mut written = self.original.split(|c: char| !c.is_alphanumeric()).filter(|written| !written.is_empty());
        written.any(|written| {
            written.starts_with(char::is_uppercase)
                && !written.chars().nth(1).is_some_and(char::is_uppercase)
                && words_of(written).first().is_some_and(|read| read.text == word)
        })
    }

    /// Whether it goes on for a while in a language that is known.
    fn is_prose(&self, reading: &InLanguage) -> bool {
        let known = reading.iter().filter(|classes| classes.is_known()).count();
        self.words.len() >= PROSE_MIN && known * PROSE_KNOWN.1 >= self.words.len() * PROSE_KNOWN.0 && !self.is_heading
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `[EXTERNAL]`: how gateways mark letters that came from outside.
fn is_banner_mark(inside: &str) -> bool {
    let words = LEXICON.words(inside);
    let mails = |reading: &InLanguage| reading.iter().all(|classes| classes.has(Class::Mails));
    words.len() <= 2 && LEXICON.readings(&words).iter().any(mails)
}

/// Whether a line without a verb puts one name for another, in one of the usual notations: `lorien -> moria`, `*moria`.
fn corrects(original: &str, line: &str, vocabulary: &Vocabulary) -> Option<Doubt> {
    if vocabulary.opens_sentence(&words_of(line)) {
        return None;
    }
    let arrow = ["->", "=>", "\u{2192}"].into_iter().find(|arrow| original.contains(arrow));
    let starred =
        original.trim().strip_prefix('*').filter(|starred| !starred.starts_with(' ') && !starred.contains('*'));
    arrow.or(starred.map(|_| "*")).map(|sign| Doubt::Word(sign.to_owned()))
}

/// The word of a line that is meant for the game by which it denies, makes a condition, or corrects: words of the
/// game's own do not count.
fn word_of_doubt(line: &str, vocabulary: &Vocabulary) -> Option<String> {
    let words = LEXICON.words(line);
    let readings = LEXICON.readings(&words);
    // One word may be a sentence of the game, and say no to another.
    if let [word] = &words[..] {
        return readings.iter().flatten().any(|classes| classes.denies()).then(|| word.clone());
    }
    readings.iter().find_map(|reading| {
        let mut behind = words.iter().zip(reading).skip(vocabulary.opening(line).max(1));
        let doubtful = behind.find(|(word, classes)| classes.denies() && !vocabulary.joins(word));
        doubtful.map(|(word, _)| word.clone())
    })
}

/// A sign by which people say no, ask, or show that a box is not ticked.
fn sign_of_no(original: &str) -> Option<char> {
    original.chars().find(|c| !c.is_ascii() && SIGNS_OF_NO.contains(*c))
}

const SIGNS_OF_NO: &str =
    "❌❎✖✗✘✕×☒☐□◻▢⬜🔳🔲🚫👎🤔❓❔⛔🛑✋🖐🙅🤷🤨😕😟😧😒😬🙇🤦🙃🧐🚷🚳🚭⏸⏹⏳⌛↩🔁🔄🔙⚠‽⁉🗑🤐💔🚧🧪📝✏\u{20e0}";

/// Whether a line, as it is read, has neither letters nor digits: `***`, a smiley.
pub fn is_wordless(words: &str) -> bool {
    !words.contains(char::is_alphanumeric)
}

/// Whether a line is a date or a time: `27.11.2026`, `18:52`.
fn is_date(line: &str) -> bool {
    let is_part = |part: &str| {
        let digits = part.chars().filter(char::is_ascii_digit).count();
        digits > 0
            && digits < part.len()
            && part.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | '/' | '-'))
    };
    line.split(' ').all(is_part)
}

/// Whether a line, as it is read, only numbers the lines below: `1)`, `Turn 3:`, `Zug 12`. A word that can begin a
/// sentence is a label only with a colon, or above a sentence.
pub fn is_label(words: &str, vocabulary: &Vocabulary) -> bool {
    let bare = words.trim_end_matches([':', '.', ')', '!', ']']).trim_start_matches(['(', '[']);
    let is_number = |number: &str| (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = |letter: &str| letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_marked = bare.len() < words.len();
    let (label, number) = match bare.rsplit_once(' ') {
        Some((label, number)) => (label, number),
        None => return is_marked && (is_number(bare) || is_letter(bare)),
    };
    let opens = || vocabulary.begins_with_opener(&words_of(label)) && !words.ends_with(':');
    LABELS.hold(label) && is_number(number.trim_start_matches('#')) && !opens()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::title::Title;

    const TITLES: [&Title; 2] = [&risk::title::TITLE, &wotr::title::TITLE];

    static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(&TITLES, ["status"].into_iter()));

    #[track_caller]
    fn case(line: &str, expected: &Verdict) {
        assert_eq!(judge(line, &mail::letter::spelling::plain(line), &VOCABULARY), *expected, "{line}");
    }

    #[track_caller]
    fn word(line: &str, word: &str) {
        case(line, &Verdict::Doubt(Doubt::Word(word.to_owned())));
    }

    #[test]
    fn what_is_known_by_its_form_is_harmless() {
        for line in [
            "Looking forward to your answer",
            "sorry for the delay!",
            "Here is my move:",
            "hier mein Zug:",
            "no worries, take your time",
            "Your turn, Anna!",
            "[image: logo]",
            "[EXTERNAL]",
            "18:52",
            "10 more to go!",
            "This email is from an external sender. Be careful with links and attachments.",
            "We had a great weekend with friends in the mountains and it was sunny all day long.",
            "よろしくお願いします",
        ] {
            case(line, &Verdict::Harmless);
        }
    }

    #[test]
    fn what_may_change_the_other_lines_is_in_doubt() {
        word("Nej, vänta.", "nej");
        word("Bitte ignorieren.", "ignorieren");
        word("on second thoughts I'd rather have another one", "second");
        word("Thanks, but no thanks", "but");
        word("Отмена", "отмена");
        case("How is your mother doing?", &Verdict::Doubt(Doubt::Asks));
        case("👎", &Verdict::Doubt(Doubt::Sign('👎')));
        case("Bert wants me to play:", &Verdict::Doubt(Doubt::Heading));
        case("Moria was a slip", &Verdict::Doubt(Doubt::Word("slip".to_owned())));
        case("Moria looks great on the map", &Verdict::Doubt(Doubt::Names));
        case("xyzzy", &Verdict::Doubt(Doubt::Unknown));
    }

    #[test]
    fn what_begins_like_a_sentence_is_meant() {
        let meant = || Verdict::Meant(None);
        for line in ["attack moria from lorien", "atack mria frm lorin", "4 lorien, 3 rhudaur", "until 1 left", "pass"]
        {
            case(line, &meant());
        }
        case("attack moria?", &Verdict::Meant(Some(Doubt::Asks)));
        case("❌ attack moria from lorien", &Verdict::Meant(Some(Doubt::Sign('❌'))));
        case("attack moria unless anna agrees", &Verdict::Meant(Some(Doubt::Word("unless".to_owned()))));
        case("lorien -> moria", &Verdict::Meant(Some(Doubt::Word("->".to_owned()))));
        case("I take that back", &Verdict::Meant(Some(Doubt::Word("back".to_owned()))));
    }
}
