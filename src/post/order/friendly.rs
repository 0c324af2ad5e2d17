/*! Small words that people add to a sentence without changing what it says: they are left out before it is read.

Only safe changes are made: no name is corrected, no missing word is added, and none is moved. What a sentence says in
its own words stays as it is: every sentence that a game prints is read unchanged.
*/

use std::borrow::Cow;

/// Words behind a number that only say what is counted.
const COUNTED: [&str; 12] = [
    "armies",
    "army",
    "battalions",
    "battalion",
    "troops",
    "troop",
    "units",
    "unit",
    "soldiers",
    "soldier",
    "men",
    "pieces",
];

/// Words after `I` by which a line tells of something other than a move made now: `I will`, `I would`, `I do not`.
const NOT_NOW: [&str; 18] = [
    "will", "would", "could", "should", "shall", "might", "may", "can", "can't", "cannot", "do", "don't", "did",
    "didn't", "have", "had", "won't", "never",
];

/// How many words at the beginning of a line are no part of its sentence: `please`, `I`.
pub fn lead(words: &str) -> usize {
    let mut words = words.split(' ').map(|word| word.trim_end_matches(',')).peekable();
    let mut count = 0;
    while words.next_if(|word| matches!(*word, "please" | "pls")).is_some() {
        count += 1;
    }
    if words.next_if(|word| *word == "i").is_some() {
        return match words.peek() {
            Some(next) if !NOT_NOW.contains(next) => count + 1,
            _ => 0,
        };
    }
    if words.peek().is_some() { count } else { 0 }
}

/// The words of a sentence without those that change nothing; figures such as the table prints become words.
pub fn plainly(words: &str) -> Cow<'_, str> {
    let bare = without_thanks(words);
    let found: Vec<&str> = bare.split(' ').skip(lead(bare)).collect();
    let mut plain: Vec<Cow<'_, str>> = Vec::with_capacity(found.len());
    for (at, word) in found.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| found[before]);
        let behind = found.get(at + 1).copied().unwrap_or("");
        plain.extend(one(before, word, behind));
    }
    let plain = plain.join(" ");
    if plain == words { Cow::Borrowed(words) } else { Cow::Owned(plain) }
}

/// A word between its neighbours, as it is read; `None` if it is left out.
fn one<'w>(before: &str, word: &'w str, behind: &str) -> Option<Cow<'w, str>> {
    let bare = word.trim_end_matches(',');
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let comma = || word.ends_with(',').then_some(Cow::Borrowed(","));
    match bare {
        "+" | "&" => Some(Cow::Borrowed("and")),
        // `3 battalions in lorien`, `with 2 armies`.
        _ if COUNTED.contains(&bare) && is_number(before) => comma(),
        // `until 2 are left`.
        "are" | "is" if is_number(before) && behind == "left" => None,
        // `with all 7`, `place all 7`.
        "all" if matches!(before, "with" | "place") && is_number(behind) => None,
        "everything" if before == "with" => Some(Cow::Owned(word.replace("everything", "all"))),
        // `draw a strategy card`, `end my turn`.
        "a" | "an" if matches!(behind, "strategy" | "character") => None,
        "my" | "the" if before == "end" && behind == "turn" => None,
        // `attack lorien, from moria`.
        _ if word.ends_with(',') && matches!(behind, "from" | "with" | "until") => Some(Cow::Borrowed(bare)),
        _ => match figures(bare) {
            Some(figures) => Some(Cow::Owned(format!("{figures}{}", &word[bare.len()..]))),
            None => Some(Cow::Borrowed(word)),
        },
    }
}

/// `5r`, `1e`, `2L`, as the table prints them.
fn figures(word: &str) -> Option<String> {
    let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let is_count = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let rank = match &word[number.len()..] {
        "r" => "regular",
        "e" => "elite",
        "l" => "leader",
        _ => return None,
    };
    is_count.then(|| format!("{number} {rank}"))
}

/// Without `please` and thanks behind the sentence.
fn without_thanks(words: &str) -> &str {
    let mut bare = words;
    loop {
        let ended = bare.trim_end_matches(['.', '!', ',', ';', ' ']);
        let thanks = ["please", "pls", "thanks", "thank you", "thx", "cheers"];
        let Some(before) = thanks.iter().find_map(|thanks| ended.strip_suffix(thanks)) else { return bare };
        let before = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '?');
        if before.is_empty() || before.len() == ended.len() || ended[before.len()..].starts_with(char::is_alphanumeric)
        {
            return bare;
        }
        bare = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(words: &str, expected: &str) {
        assert_eq!(plainly(words), expected);
        assert_eq!(plainly(expected), expected, "reading twice changes nothing");
    }

    #[test]
    fn words_that_change_nothing_are_left_out() {
        case("i attack fangorn from lorien", "attack fangorn from lorien");
        case("please end my turn, thanks", "end turn");
        case("pls, pass", "pass");
        case("place 3 battalions in lorien & 2 armies in moria", "place 3 in lorien and 2 in moria");
        case("place 3 armies, moria", "place 3 , moria");
        case("attack fangorn, from lorien, with everything", "attack fangorn from lorien with all");
        case("attack fangorn from lorien with all 7", "attack fangorn from lorien with 7");
        case("attack fangorn from lorien until 2 are left", "attack fangorn from lorien until 2 left");
        case("event die: draw a strategy card please!", "event die: draw strategy card");
        case("army die: move 5r 1e 2l, moria to lorien", "army die: move 5 regular 1 elite 2 leader, moria to lorien");
        case("pass, thank you.", "pass");
    }

    #[test]
    fn what_may_mean_something_else_stays() {
        for words in [
            "i will move fellowship",
            "i would pass",
            "i don't attack",
            "please",
            "army die: move army moria to lorien",
            "take it",
            "all but 1 regular",
            "appease",
            "please do not attack fangorn from lorien if it rains",
        ] {
            let expected = words.strip_prefix("please ").unwrap_or(words);
            case(words, expected);
        }
    }
}
