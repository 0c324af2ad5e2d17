/*! Courtesies around the sentences: greetings, farewells, names. */

use super::phrases::Phrases;
use mail::letter::spelling;
use std::borrow::Cow;
use std::sync::LazyLock;

static GREETINGS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/greeting.txt")));

/// A greeting: one of the words, followed by up to three words of a name, and nothing that could be a sentence.
/// `opens` says whether words begin one.
pub fn is_greeting(words: &str, opens: impl Fn(&str) -> bool) -> bool {
    let words = &*spaced(words);
    let bare = words.trim_end_matches([',', '!', '.', ':', ' ']);
    let behind = GREETINGS.iter().filter_map(|greeting| bare.strip_prefix(greeting));
    let mut names = behind.filter(|name| name.is_empty() || name.starts_with([' ', ',', '!']));
    names.any(|name| name.split_whitespace().count() <= 3) && greeted(words, opens) == 0
}

/// How many words of greeting come before something else on a line: `Moin Anna, claim angmar`. 0 if the line is no
/// greeting, or nothing else.
pub fn greeted(words: &str, opens: impl Fn(&str) -> bool) -> usize {
    let words = &*spaced(words);
    let is_greeting = GREETINGS.iter().any(|greeting| {
        words.strip_prefix(greeting).is_some_and(|behind| behind.starts_with([' ', ',', '!', ':', '.']))
    });
    // A greeting has at most two words, and a name three.
    let mut behind = words;
    for count in 1..=5 {
        let Some((_, rest)) = behind.split_once(' ') else { return 0 };
        behind = rest;
        if is_greeting && opens(behind.trim_end_matches(['.', '!', ';'])) {
            return count;
        }
    }
    0
}

/// A line with a space after its first comma, for lines like `hi,done`.
pub fn spaced(line: &str) -> Cow<'_, str> {
    match line.split_once([',', '!']) {
        Some((before, behind)) if behind.starts_with(char::is_alphanumeric) => {
            Cow::Owned(format!("{}{} {behind}", before, &line[before.len()..=before.len()]))
        }
        _ => Cow::Borrowed(line),
    }
}

static FAREWELLS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/farewell.txt")));

/// Words that continue a farewell: "thanks for", "Grüße aus", "best wishes to".
static GO_ON: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/farewell-goes-on.txt")));

/// At most this many words follow a farewell on its line.
const GO_ON_MAX: usize = 5;

/// Words that are whole sentences: a player who writes "thanks, pass" has passed.
const SHORTEST: [&str; 6] = ["pass", "done", "no", "yes", "end", "stop"];

/// P7: a farewell at the end; nothing after it is read. `words` is the line as it is read, `original` as it was
/// written.
pub fn is_farewell(words: &str, original: &str) -> bool {
    let words = swiss(words);
    let farewells = SWISS_FAREWELLS.iter().filter_map(|farewell| words.strip_prefix(farewell.as_str()));
    let mut behind = farewells.filter(|behind| !behind.starts_with(char::is_alphanumeric));
    behind.any(|behind| {
        let bare = behind.trim_matches(|c: char| !c.is_alphanumeric());
        let more: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_apart = behind.trim_start().starts_with(|c: char| !c.is_alphanumeric());
        let is_name = || original.split(' ').rev().take(more.len()).all(|word| word.starts_with(char::is_uppercase));
        match more.first() {
            None => true,
            Some(_) if bare.contains(|c: char| c.is_ascii_digit()) || more.len() > GO_ON_MAX => false,
            Some(first) if GO_ON.hold(first) => true,
            Some(first) if is_apart && !is_shortest(first) => more.len() <= 1 || is_name() || is_another(bare),
            Some(_) => false,
        }
    })
}

/// Whether words are another farewell, for example in another language.
fn is_another(words: &str) -> bool {
    SWISS_FAREWELLS.iter().any(|farewell| farewell == words)
}

/// Whether a line is one of the shortest whole sentences.
pub fn is_shortest(words: &str) -> bool {
    SHORTEST.contains(&words)
}

static SWISS_FAREWELLS: LazyLock<Vec<String>> = LazyLock::new(|| FAREWELLS.iter().map(swiss).collect());

/// The spelling without `ß` and with `ü` for `ue`.
fn swiss(words: &str) -> String {
    words.replace('ß', "ss").replace("ue", "ü")
}

/// Whether a line is a name under a letter: the name, its first word or letter, perhaps after a dash or a farewell.
/// `words` is the line as it is read; the names are as their owners write them.
pub fn is_signature(words: &str, names: &[String]) -> bool {
    let ornament = |c: char| !c.is_alphanumeric();
    let bare = words.trim_matches(ornament);
    let farewell = FAREWELLS.iter().filter_map(|farewell| bare.strip_prefix(farewell));
    let behind = farewell.filter(|name| name.starts_with(ornament)).map(|name| name.trim_start_matches(ornament));
    let mut written = behind.chain([bare]).filter(|name| !name.is_empty());
    written.any(|written| {
        names.iter().any(|name| {
            let name = spelling::plain(name);
            let first = name.split(' ').next().unwrap_or(&name).trim_matches(ornament);
            let is_initial = written.chars().count() == 1 && name.starts_with(written);
            written == name.trim_matches(ornament) || written == first || is_initial
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: bool) {
        let names = ["Anna Brandybuck".to_owned(), "René".to_owned(), String::new()];
        assert_eq!(is_signature(&spelling::plain(line), &names), expected);
    }

    #[test]
    fn p7_a_name_under_a_letter_is_a_signature() {
        case("Anna", true);
        case("anna brandybuck", true);
        case("– Anna", true);
        case("/Anna/", true);
        case("Cheers Anna!", true);
        case("Viele Grüße, Anna :-)", true);
        case("RENÉ", true);
        case("A.", true);
        case("B.", false);
        case("Brandybuck", false);
        case("Annabel", false);
        case("Anna attacks", false);
        case("attack anna", false);
        case("--", false);
        case("", false);
    }

    #[track_caller]
    fn farewell(line: &str, expected: bool) {
        assert_eq!(is_farewell(&spelling::plain(line), line), expected, "{line}");
    }

    #[test]
    fn p7_a_farewell_may_go_on_but_holds_no_sentence() {
        farewell("Thanks!", true);
        farewell("Thanks and regards,", true);
        farewell("Thanks everyone, great game!", true);
        farewell("Best, Anna", true);
        farewell("Kind regards / Mit freundlichen Gruessen", true);
        farewell("Viele Grüsse aus Hobbiton", true);
        farewell("Best regards, Anna Brandybuck of Buckland", false);
        farewell("Best regards, Dr. Anna Brandybuck", true);
        farewell("un saludo,", true);
        farewell("Bien cordialement", true);
        farewell("谢谢", true);
        farewell("Have a nice weekend!", true);
        farewell("thanks, anna", true);
        farewell("thanks, pass", false);
        farewell("thanks, attack moria", false);
        farewell("Thanks, attack moria with 3", false);
        farewell("thanks attack moria", false);
        farewell("thanks, attack moria from lorien", false);
        farewell("bestow the Ring", false);
    }
}
