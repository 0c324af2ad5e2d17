/*! What people write before and after their sentences out of courtesy: greetings, farewells, their names. */

use crate::mail::letter::spelling;
use std::sync::LazyLock;

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

const FAREWELLS: [&str; 169] = [
    "thanks",
    "thank you",
    "many thanks",
    "thx",
    "cheers",
    "regards",
    "best",
    "best regards",
    "kind regards",
    "kindest regards",
    "warm regards",
    "warmest regards",
    "best wishes",
    "all the best",
    "yours",
    "yours sincerely",
    "yours truly",
    "yours faithfully",
    "sincerely",
    "bye",
    "see you",
    "take care",
    "good luck",
    "have fun",
    "love",
    "lots of love",
    "hugs",
    "talk soon",
    "speak soon",
    "good night",
    "have a nice day",
    "have a good day",
    "have a great day",
    "have a nice evening",
    "have a good evening",
    "have a nice weekend",
    "have a good weekend",
    "have a great weekend",
    "danke",
    "danke schön",
    "vielen dank",
    "besten dank",
    "viele grüße",
    "liebe grüße",
    "beste grüße",
    "schöne grüße",
    "herzliche grüße",
    "freundliche grüße",
    "mit freundlichen grüßen",
    "mit freundlichem gruß",
    "mit besten grüßen",
    "mit herzlichen grüßen",
    "mit lieben grüßen",
    "grüße",
    "gruß",
    "lieben gruß",
    "lieber gruß",
    "mfg",
    "lg",
    "vg",
    "tschüss",
    "servus",
    "bis bald",
    "bis dann",
    "bis morgen",
    "gute nacht",
    "schönen tag",
    "schönen abend",
    "schönes wochenende",
    "merci",
    "merci beaucoup",
    "cordialement",
    "bien cordialement",
    "très cordialement",
    "bien à vous",
    "bien à toi",
    "amicalement",
    "amitiés",
    "salutations",
    "meilleures salutations",
    "sincères salutations",
    "bonne journée",
    "bonne soirée",
    "à bientôt",
    "salut",
    "bon week-end",
    "saludos",
    "un saludo",
    "saludos cordiales",
    "gracias",
    "muchas gracias",
    "un abrazo",
    "abrazos",
    "atentamente",
    "hasta luego",
    "hasta pronto",
    "obrigado",
    "obrigada",
    "muito obrigado",
    "muito obrigada",
    "cumprimentos",
    "com os melhores cumprimentos",
    "atenciosamente",
    "um abraço",
    "abraços",
    "até logo",
    "até breve",
    "saluti",
    "cordiali saluti",
    "distinti saluti",
    "un saluto",
    "un caro saluto",
    "grazie",
    "grazie mille",
    "cordialmente",
    "a presto",
    "ciao",
    "groeten",
    "groetjes",
    "groet",
    "met vriendelijke groet",
    "met vriendelijke groeten",
    "vriendelijke groet",
    "hartelijke groeten",
    "bedankt",
    "mvg",
    "hälsningar",
    "vänliga hälsningar",
    "med vänliga hälsningar",
    "bästa hälsningar",
    "tack",
    "mvh",
    "hilsen",
    "venlig hilsen",
    "med venlig hilsen",
    "vennlig hilsen",
    "med vennlig hilsen",
    "mange hilsner",
    "takk",
    "terveisin",
    "ystävällisin terveisin",
    "parhain terveisin",
    "kiitos",
    "pozdrawiam",
    "pozdrowienia",
    "z poważaniem",
    "dziękuję",
    "dzięki",
    "s pozdravem",
    "děkuji",
    "díky",
    "ďakujem",
    "üdvözlettel",
    "köszönöm",
    "с уважением",
    "спасибо",
    "всего доброго",
    "з повагою",
    "дякую",
    "με εκτίμηση",
    "ευχαριστώ",
    "saygılarımla",
    "teşekkürler",
    "cu stimă",
    "mulțumesc",
    "谢谢",
    "ありがとうございます",
    "よろしくお願いします",
    "감사합니다",
];

/// Words that go on with a farewell: "thanks for", "Grüße aus", "best wishes to".
const GO_ON: [&str; 36] = [
    "and",
    "from",
    "to",
    "for",
    "in",
    "of",
    "all",
    "everyone",
    "everybody",
    "again",
    "so",
    "very",
    "a",
    "both",
    "und",
    "aus",
    "an",
    "von",
    "vom",
    "euch",
    "alle",
    "allen",
    "im",
    "et",
    "de",
    "à",
    "y",
    "desde",
    "e",
    "da",
    "uit",
    "och",
    "från",
    "fra",
    "og",
    "z",
];

/// More words than these do not follow a farewell on its line.
const GO_ON_MAX: usize = 5;

/// Words that are whole sentences: a player who thanks and passes has passed.
const SHORTEST: [&str; 6] = ["pass", "done", "no", "yes", "end", "stop"];

/// P7: a greeting at the end; nothing behind it is read. `words` is the line as it is read, `original` as it was
/// written.
#[must_use]
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
            Some(first) if GO_ON.contains(first) => true,
            Some(first) if is_apart && !is_shortest(first) => more.len() <= 1 || is_name() || is_another(bare),
            Some(_) => false,
        }
    })
}

/// The same in another language.
fn is_another(words: &str) -> bool {
    SWISS_FAREWELLS.iter().any(|farewell| farewell == words)
}

/// Whether a line is a whole sentence, as short as one can be.
#[must_use]
pub fn is_shortest(words: &str) -> bool {
    SHORTEST.contains(&words)
}

static SWISS_FAREWELLS: LazyLock<Vec<String>> = LazyLock::new(|| FAREWELLS.iter().map(|words| swiss(words)).collect());

/// As it is spelled without `ß` and umlauts.
fn swiss(words: &str) -> String {
    words.replace('ß', "ss").replace("ue", "ü")
}

/// Whether a line is a name under a letter: the name, its first word or letter, perhaps behind a dash or a farewell.
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
