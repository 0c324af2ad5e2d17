/*! Lines that are no sentence, whatever the question is: small talk, words around a move, lines that servers and
lists add.

A line is chatter only if nothing in it could be meant for the game: no name of the game, no sentence in any part of
the line, and no word that could change the meaning of the other lines (`if`, `wait`, `instead`). The answer names
once what was passed over.
*/

use super::phrases::Phrases;
use super::vocabulary::{Vocabulary, words_of};
use engine::name::Word;
use std::borrow::Cow;
use std::sync::LazyLock;

static SMALL_TALK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/small-talk.txt")));
static BANNERS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/banner.txt")));
static PROSE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/prose.txt")));
static EVERYDAY: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/everyday.txt")));
static HARMLESS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/harmless.txt")));
static TAKES_BACK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/takes-back.txt")));
static HANGING: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/hanging.txt")));
static LABELS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/label.txt")));
static OPTIONS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/options.txt")));
static ASKS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/asks.txt")));
static CORRECTS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/corrects.txt")));
static HOLDS_BACK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/holds-back.txt")));

/// Whether a line, as it is read, has neither letters nor digits: `***`, a smiley.
pub fn is_wordless(words: &str) -> bool {
    !words.contains(char::is_alphanumeric)
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

/// Whether a line, as it is read, is no sentence and no part of one.
pub fn is_chatter(words: &str, vocabulary: &Vocabulary) -> bool {
    if is_label(words, vocabulary) {
        return true;
    }
    let line = words.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[').trim();
    let talk = behind_small_talk(line);
    let rest = &*without_labels(talk.unwrap_or(line));
    let is_idle = vocabulary.is_idle(rest);
    if !is_idle && vocabulary.is_about_the_game(rest) {
        return false;
    }
    let is_boxed = line.starts_with('[') && line.ends_with(']');
    let is_link = line.starts_with("http://") || line.starts_with("https://") || line.starts_with("www.");
    if is_boxed || is_link || BANNERS.begin_with_words(line) {
        return true;
    }
    if !is_idle && talk.is_none() && (vocabulary.opens(rest) || vocabulary.is_misspelt(line)) {
        return false;
    }
    holds_back(rest).is_none() && (is_idle || talk.is_some() || has_prose(line))
}

/// A line without the number of the turn that it is about: `my orders for turn 3`.
fn without_labels(line: &str) -> Cow<'_, str> {
    const BEFORE: [&str; 13] =
        ["for", "of", "in", "on", "my", "this", "für", "zu", "zur", "mein", "meine", "pour", "du"];
    let bare = |word: &str| word.trim_end_matches([',', '.', ':', '!', ';', ')']).to_owned();
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| word.len() <= 3 && !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_label = |at: usize| {
        at > 0
            && LABELS.hold(words[at])
            && BEFORE.contains(&words[at - 1])
            && words.get(at + 1).is_some_and(|next| is_number(bare(next).trim_start_matches('#')))
    };
    let labels: Vec<usize> = (0..words.len()).filter(|at| is_label(*at)).collect();
    if labels.is_empty() {
        return Cow::Borrowed(line);
    }
    let kept = (0..words.len()).filter(|at| !labels.contains(at) && !labels.iter().any(|label| label + 1 == *at));
    Cow::Owned(kept.map(|at| words[at]).collect::<Vec<&str>>().join(" "))
}

/// Whether a line is small talk that does not continue on the next line, or was added by a program.
pub fn is_whole_talk(line: &str, vocabulary: &Vocabulary) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[');
    let is_ended = |rest: &str| {
        let last = rest.rsplit(|c: char| !c.is_alphanumeric() && c != '\'').find(|word| !word.is_empty());
        last.is_none_or(|last| !HANGING.hold(last) && !last.ends_with("n't")) && offers(rest).is_none()
    };
    behind_small_talk(line).is_some_and(is_ended) || BANNERS.begin_with_words(line) || is_label(line, vocabulary)
}

/// The rest of a line after the small talk at its beginning; `None` if it begins otherwise.
fn behind_small_talk(line: &str) -> Option<&str> {
    let mut rest = None;
    // A line has at most a few such phrases in a row.
    for _ in 0..4 {
        let from = rest.unwrap_or(line);
        let Some(behind) = SMALL_TALK.behind(from).filter(|behind| !behind.starts_with(char::is_alphanumeric)) else {
            break;
        };
        rest = Some(behind.trim_start_matches(|c: char| !c.is_alphanumeric()));
    }
    rest
}

/// Whether a line continues with small talk, and not with the sentence above: `and good luck!`, `but no hurry`.
pub fn goes_on_talking(words: &str, vocabulary: &Vocabulary) -> bool {
    if behind_small_talk(words).is_some_and(|rest| !vocabulary.is_about_the_game(rest) && holds_back(rest).is_none()) {
        return true;
    }
    let Some((first, behind)) = words.split_once(' ') else { return false };
    let joins =
        matches!(first, "and" | "but" | "with" | "then" | "und" | "aber" | "dann" | "et" | "mais" | "y" | "pero");
    let rest = behind_small_talk(behind).filter(|_| joins);
    rest.is_some_and(|rest| !vocabulary.is_about_the_game(rest) && holds_back(rest).is_none())
}

/// The word in a line that may change the meaning of the other lines.
pub fn holds_back(words: &str) -> Option<&'static str> {
    found(&HOLDS_BACK, words)
}

/// The word by which a heading, such as `my options:`, says that the lines below are not decided. If a heading has
/// several clauses, the last one counts.
pub fn offers(words: &str) -> Option<&'static str> {
    let heading = words.trim_end_matches(|c: char| !c.is_alphanumeric());
    let clause = heading.rsplit([',', ';', '!', '?', '(']).next().unwrap_or(heading);
    found(&OPTIONS, clause.trim_start())
}

/// The words by which a line takes back the lines above.
pub fn takes_back(words: &str) -> Option<&'static str> {
    found(&TAKES_BACK, words)
}

/// Whether a line asks about the lines above: `any objections?`, or a single word such as `right?`.
pub fn asks_about_it(words: &str) -> bool {
    let bare = words.trim_matches(|c: char| !c.is_alphanumeric());
    let is_begun = || ASKS.iter().any(|phrase| phrase.ends_with('…') && bare.starts_with(phrase.trim_end_matches('…')));
    words.ends_with('?') && !bare.is_empty() && (!bare.contains(' ') || ASKS.hold(bare) || is_begun())
}

/// Whether a line corrects the lines above: a word of second thought together with something of the game, or an
/// exclamation followed by words that can continue a sentence: `sorry, from moria`, `*moria`.
pub fn corrects(words: &str, vocabulary: &Vocabulary) -> bool {
    let goes_on = |behind: &str| {
        let first = behind.split(' ').next().unwrap_or(behind);
        matches!(first, "from" | "with" | "to" | "until" | "in")
            || first.starts_with(|c: char| c.is_ascii_digit())
            || vocabulary.names_first(&words_of(behind))
    };
    let exclaims =
        |first: &str| matches!(first, "sorry" | "oops" | "ups" | "no" | "nein" | "non" | "oh" | "ach" | "hm");
    let behind =
        words.split_once([',', ':', ' ']).filter(|(first, _)| exclaims(first)).map(|(_, behind)| behind.trim());
    let starred = words.strip_prefix('*').filter(|starred| !starred.contains(' '));
    if behind.or(starred).is_some_and(goes_on) {
        return true;
    }
    let is_about = || vocabulary.is_about_the_game(words) || words.contains(|c: char| c.is_ascii_digit());
    (found(&CORRECTS, words).is_some() || puts_for(words) && !vocabulary.opens(words)) && is_about()
}

/// Whether a line replaces one text by another, in one of the usual notations: `s/lorien/moria/`, `lorien -> moria`.
fn puts_for(words: &str) -> bool {
    let mut parts = words.strip_prefix("s/").unwrap_or_default().split('/');
    if let (Some(old), Some(new)) = (parts.next(), parts.next()) {
        return !old.is_empty() && !new.is_empty();
    }
    let sides = ["->", "=>", "→"].iter().find_map(|arrow| words.split_once(arrow));
    sides.is_some_and(|(old, new)| !old.trim().is_empty() && !new.trim().is_empty())
}

/// The first phrase of a list that a line has: anywhere or, if it ends in `…`, at the beginning. Harmless turns of
/// speech do not count.
fn found(phrases: &'static Phrases, words: &str) -> Option<&'static str> {
    let without =
        |words: String, phrase: &str| if is_in(&words, phrase) { words.replacen(phrase, "…", 1) } else { words };
    let words = &HARMLESS.iter().fold(words.to_owned(), without);
    let at_start = phrases.iter().filter(|word| word.ends_with('…'));
    let at_start = at_start.map(|word| word.trim_end_matches(['…', ' ']));
    let begins = |word: &&str| {
        let behind = words.strip_prefix(*word);
        behind.is_some_and(|behind| word.ends_with('\'') || !behind.starts_with(|c: char| c.is_alphanumeric()))
    };
    at_start.into_iter().find(begins).or_else(|| {
        let anywhere = phrases.iter().filter(|word| !word.ends_with('…'));
        anywhere.into_iter().find(|word| is_in(words, word))
    })
}

/// Whether words occur in a line as whole words.
fn is_in(line: &str, words: &str) -> bool {
    line.match_indices(words).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + words.len()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric()) && behind.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Whether a line has a word that people write to other people.
pub fn has_prose(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| PROSE.hold(word))
}

/// Words with which people begin to say what they do.
const LEADS: [&str; 31] = [
    "i", "ill", "id", "im", "we", "well", "will", "would", "like", "to", "want", "wanna", "let", "lets", "me", "us",
    "going", "gonna", "shall", "should", "can", "could", "may", "might", "then", "now", "so", "just", "also", "first",
    "next",
];

/// Small words that some sentences contain, and that any line may contain.
const SMALL: [&str; 12] = ["from", "with", "again", "then", "the", "of", "a", "to", "in", "on", "at", "and"];

impl Vocabulary {
    /// Whether a sentence begins in a later part of a line.
    pub fn opens_behind(&self, line: &str) -> bool {
        line.split(is_between).skip(1).any(|part| self.opens_sentence(&words_of(part)))
    }

    /// Whether a line begins with a misspelt word that was probably meant to begin a sentence: a typo must not turn
    /// an order into small talk.
    pub fn is_misspelt(&self, line: &str) -> bool {
        let words = words_of(line);
        let first = words.iter().find(|word| !LEADS.contains(&&*word.text));
        first.is_some_and(|first| {
            let is_word = PROSE.hold(&first.text) || self.begins_with_opener(std::slice::from_ref(first));
            !is_word && self.nearest(&first.text).is_some()
        })
    }

    /// Whether a part of a line could be meant for the game: a name, a sentence, a verb followed by a number.
    pub fn is_about_the_game(&self, line: &str) -> bool {
        line.split(is_between).any(|part| self.may_be_meant(&words_of(part)))
    }

    fn may_be_meant(&self, words: &[Word<'_>]) -> bool {
        let lead = words.iter().take_while(|word| LEADS.contains(&&*word.text)).count();
        let leads_to = |words: &[Word<'_>]| self.opens_sentence(words) || self.begins_with_whole(words);
        (lead > 0 && leads_to(&words[lead..])) || self.opens_sentence(words) || self.says(words)
    }

    /// Whether the first word is a whole sentence: `pass`.
    fn begins_with_whole(&self, words: &[Word<'_>]) -> bool {
        words.first().is_some_and(|first| self.is_sentence(std::slice::from_ref(first)))
    }

    /// Whether words contain a name, a sentence of several words, a verb with a number, or end in a whole short
    /// sentence.
    fn says(&self, words: &[Word<'_>]) -> bool {
        (0..words.len()).any(|at| self.names_first(&words[at..]) || self.says_much(&words[at..]))
            || (words.len() <= 4 && words.last().is_some_and(|last| self.is_sentence(std::slice::from_ref(last))))
    }

    /// Whether a line has the first word of a sentence and still cannot be one: `we claim victory soon`. After that
    /// word come an everyday word and nothing that a sentence knows, not even misspelt.
    pub fn is_idle(&self, line: &str) -> bool {
        let parts: Vec<Vec<Word<'_>>> = line.split(is_between).map(words_of).collect();
        let meant = || parts.iter().filter(|words| self.may_be_meant(words));
        meant().next().is_some()
            && meant().all(|words| {
                let lead = words.iter().take_while(|word| LEADS.contains(&&*word.text)).count();
                let Some(behind) = words.get(lead + 1..) else { return false };
                let opener = &words[lead..];
                let goes_on = self.begins_with_opener(opener) && !self.begins_with_whole(opener);
                goes_on && !self.says(words) && self.is_everyday(behind)
            })
    }

    /// As [`Vocabulary::is_everyday`], but three words that no sentence knows are enough, too.
    pub fn is_talk(&self, words: &[Word<'_>]) -> bool {
        let is_foreign = |word: &&Word<'_>| word.text.chars().count() > 3 && !self.is_like_a_word(&word.text);
        let is_many = words.iter().filter(is_foreign).count() >= 3;
        let is_clear = |word: &Word<'_>| {
            PROSE.hold(&word.text)
                || SMALL.contains(&&*word.text)
                || !self.is_like_a_word(&word.text) && !word.text.contains(|c: char| c.is_numeric())
        };
        self.is_everyday(words) || (is_many && words.iter().all(is_clear) && !self.says(words))
    }

    /// Whether words are about something other than the game: one of them is an everyday word, and none is known to a
    /// sentence, resembles such a word, or contains a number.
    pub fn is_everyday(&self, words: &[Word<'_>]) -> bool {
        let is_talk = |word: &Word<'_>| PROSE.hold(&word.text) || EVERYDAY.hold(&word.text);
        let is_small = |word: &Word<'_>| SMALL.contains(&&*word.text);
        let is_known = |word: &Word<'_>| {
            word.text.contains(|c: char| c.is_numeric())
                || (!is_talk(word) && !is_small(word) && self.is_like_a_word(&word.text))
        };
        // `good` may be a name as well, but not here.
        let is_meant = |at: usize| !is_talk(&words[at]) && self.says(&words[at..]);
        words.iter().any(is_talk) && !words.iter().any(is_known) && !(0..words.len()).any(is_meant)
    }
}

/// The characters that end a part of a line.
fn is_between(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\u{2026}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::title::Title;

    const TITLES: [&Title; 2] = [&risk::title::TITLE, &wotr::title::TITLE];

    #[track_caller]
    fn case(line: &str, expected: bool) {
        let vocabulary = Vocabulary::of(&TITLES, ["status", "help", "press"].into_iter());
        assert_eq!(is_chatter(line, &vocabulary), expected, "{line}");
    }

    #[test]
    fn small_talk_is_chatter() {
        case("how is your mother doing?", true);
        case("here is my move:", true);
        case("sorry for the delay!", true);
        case("hier mein zug:", true);
        case("looking forward to your answer", true);
        case("your turn, anna!", true);
        case("no worries, take your time", true);
        case("[image: logo]", true);
        case("caution: this email originated from outside the organisation. do not click links unless you know", true);
        case("you don't often get email from box@play.example. learn why this is important", true);
        case("on holiday, please be patient", true);
        case("will you be at the party?", true);
        case("zug 3", true);
        case("here are my orders for turn 3:", true);
        case("this is for turn 12.", true);
        case("i turn 3 misses", false);
        case("turn 4:", true);
        case("1)", true);
        case("(b)", true);
        case("ich nehme:", true);
        case("😀 haha", true);
        case("not much to say", true);
    }

    #[test]
    fn a_heading_of_options_is_known() {
        for heading in ["my options:", "options", "well, i could:", "what boris would do:", "what i did last turn:"] {
            assert!(offers(heading).is_some(), "{heading}");
        }
        for heading in ["my moves:", "here is my move:", "what i would like to do:", "if i may, here is my move:"] {
            assert!(offers(heading).is_none(), "{heading}");
        }
    }

    #[test]
    fn what_corrects_a_sentence_is_known() {
        let vocabulary = Vocabulary::of(&TITLES, ["status", "help", "press"].into_iter());
        for words in ["sorry, from moria", "*moria", "s/lorien/moria/", "lorien -> moria", "lorien → moria"] {
            assert!(corrects(words, &vocabulary), "{words}");
        }
        for words in ["attack lorien -> moria", "s/he is ill", "-> see you on 24.12.", "sorry for the delay"] {
            assert!(!corrects(words, &vocabulary), "{words}");
        }
    }

    #[test]
    fn what_may_be_meant_for_the_game_is_none() {
        case("attack moria from lorien", false);
        case("i would attack moria", false);
        case("ich greife moria an", false);
        case("i think i pass", false);
        case("please do not play this", false);
        case("if anna agrees, this is my move", false);
        case("4 lorien, 3 rhudaur", false);
        case("wait, i have thought again", false);
        case("we claim victory soon :)", true);
        case("i wait for your move, anna", true);
        case("let me know if you have time", true);
        case("we claim moria soon", false);
        case("i attack mria soon", false);
        case("we attack the bridge", false);
        case("i pass soon", false);
        case("if you have time, end turn", false);
        case("xyzzy", false);
        case("move 3", false);
        case("place 3", false);
        case("3", false);
        case("no card", false);
        case("i atack mria frm lorin", false);
        case("plcae my men there", false);
        case("status", false);
        case("i have seen it, end turn", false);
    }
}
