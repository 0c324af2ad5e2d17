/*! What people write about their sentences out of courtesy: greetings, farewells, their names. */

use super::spelling;

const GREETINGS: [&str; 22] = [
    "hi",
    "hello",
    "hey",
    "dear",
    "good morning",
    "good evening",
    "greetings",
    "hallo",
    "moin",
    "servus",
    "guten tag",
    "salut",
    "bonjour",
    "hola",
    "ciao",
    "olá",
    "hoi",
    "hej",
    "hei",
    "cześć",
    "ahoj",
    "привет",
];

/// A greeting: one of the words, a name or two behind it, nothing that could be a sentence.
#[must_use]
pub fn is_greeting(words: &str) -> bool {
    let bare = words.trim_end_matches([',', '!', '.', ':']);
    GREETINGS.iter().any(|greeting| {
        bare.strip_prefix(greeting).is_some_and(|name| {
            name.is_empty() || (name.starts_with([' ', ',']) && name.split_whitespace().count() <= 3)
        })
    })
}

const FAREWELLS: [&str; 34] = [
    "thanks",
    "thank you",
    "many thanks",
    "thx",
    "cheers",
    "regards",
    "best",
    "best regards",
    "kind regards",
    "best wishes",
    "yours",
    "sincerely",
    "bye",
    "see you",
    "good luck",
    "have fun",
    "danke",
    "viele grüße",
    "liebe grüße",
    "grüße",
    "gruß",
    "mfg",
    "lg",
    "vg",
    "merci",
    "cordialement",
    "bien à vous",
    "saludos",
    "gracias",
    "saluti",
    "grazie",
    "groeten",
    "hälsningar",
    "pozdrawiam",
];

/// P7: a greeting at the end; nothing behind it is read.
#[must_use]
pub fn is_farewell(words: &str) -> bool {
    let bare = words.split([',', '!', '.']).next().unwrap_or(words).trim();
    FAREWELLS.contains(&bare)
}

/// Whether a line is a name under a letter: the name or its first word, perhaps behind a dash or a farewell.
/// `words` is the line as it is read; the names are as their owners write them.
#[must_use]
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
            written == name.trim_matches(ornament) || written == first
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
        case("Brandybuck", false);
        case("Annabel", false);
        case("Anna attacks", false);
        case("attack anna", false);
        case("--", false);
        case("", false);
    }
}
