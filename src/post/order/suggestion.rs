/*! What a line that was not understood may have been meant to be: the answer proposes it, and it is never played.

The game reads each proposal first; the answer names the first that the game would accept.
*/

use crate::reply::phrases::Phrases;
use jiff::ToSpan;
use jiff::civil::Date;
use std::sync::LazyLock;

/// Words of other languages with ours: `angreife = attack`.
static TRANSLATED: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = Phrases::of(include_str!("phrases/translated.txt"));
    lines.iter().filter_map(|line| line.split_once(" = ")).collect()
});
static AWAY: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("phrases/away.txt")));

/// The meanings of foreign verbs that give an order; the other translated words occur in small talk as well.
const ORDERED: [&str; 5] = ["attack", "place", "move", "fortify", "claim"];

/// Whether an order may stand in a line in another language.
pub fn has_foreign_verb(words: &str) -> bool {
    let is_verb = |word: &str| TRANSLATED.iter().any(|(theirs, ours)| *theirs == word && ORDERED.contains(ours));
    words.split(|c: char| !c.is_alphanumeric() && c != '\'').any(is_verb)
}

/// The number of days of absence that are proposed to a player who is away.
const AWAY_DAYS: i64 = 7;

/// How a player asks people and not the game.
pub const ASK: &str = "to ask the other players: `press all: …`; `help` tells what you can say";

/// The most words of a line that are translated or rearranged.
const WORDS_MAX: usize = 30;

/// The most pieces of a line that are rearranged.
const PIECES_MAX: usize = 4;

/// Whether a line tells that its writer is away.
pub fn is_away(words: &str) -> bool {
    words.split(|c: char| !c.is_alphanumeric()).any(|word| AWAY.hold(word))
}

/// How a player says that he is away from this day on.
pub fn absence(today: Date) -> String {
    let last = today.saturating_add(AWAY_DAYS.days());
    format!("if you are away, say from when to when: `absence {today} to {last}`")
}

/// What to write instead of a line that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    /// The advice, in the words of the answer.
    pub why: String,
    /// The sentence that the game would take, if one was found.
    pub sentence: Option<String>,
}

/// What to write instead of a line that was not understood, for the answer. `verbs` are the words with which a sentence
/// may begin now, `opens` says whether words begin one that may come later, `reads` is the game's reader, and `today`
/// the day of the player.
pub fn instead(
    words: &str,
    verbs: &[String],
    opens: impl Fn(&str) -> bool,
    reads: impl Fn(&str) -> bool,
    today: Date,
) -> Option<Instead> {
    let advice = |why: String| Instead { why, sentence: None };
    if is_away(words) {
        return Some(advice(absence(today)));
    }
    if let Some(first) = first_of_several(words, opens, &reads) {
        let why = format!("write each sentence on its own line, the first as `{first}`");
        return Some(Instead { why, sentence: Some(first) });
    }
    let bare = words.trim_end_matches(['.', '!', '?', ' ']);
    let known = |candidate: &String| reads(candidate);
    let proposal = missing_verb(bare, verbs).into_iter().find(known);
    let proposal = proposal.or_else(|| translated(bare).into_iter().chain(swapped(bare, verbs)).find(known));
    match proposal {
        Some(sentence) => {
            Some(Instead { why: format!("if you mean it, write `{sentence}`"), sentence: Some(sentence) })
        }
        None => words.contains('?').then(|| advice(ASK.to_owned())),
    }
}

/// For a line without a verb: `4 lorien, 3 rhudaur`.
fn missing_verb(words: &str, verbs: &[String]) -> Vec<String> {
    verbs.iter().take(12).map(|verb| format!("{verb} {words}")).collect()
}

/// The line in our words, as far as they are known. Words without a meaning for the game are left out.
fn translated(words: &str) -> Vec<String> {
    let ours = |word: &str| TRANSLATED.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
    let mut is_translated = false;
    let mut pieces: Vec<&str> = Vec::new();
    for word in words.split(' ').take(WORDS_MAX) {
        match ours(word.trim_matches(',')) {
            Some(ours) => {
                is_translated = true;
                pieces.extend(Some(ours).filter(|ours| *ours != "-"));
            }
            None => pieces.push(word),
        }
    }
    if !is_translated {
        return Vec::new();
    }
    let verb = pieces.iter().position(|word| TRANSLATED.iter().any(|(_, ours)| ours == word) && !is_joint(word));
    let plain = pieces.join(" ");
    let Some(verb) = verb.filter(|at| *at > 0) else { return vec![plain] };
    let mut moved = pieces.clone();
    let verb = moved.remove(verb);
    moved.insert(0, verb);
    vec![plain, moved.join(" ")]
}

/// The line with its known foreign words put into ours, and all other words as they are.
pub fn in_our_words(words: &str) -> String {
    let ours = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        TRANSLATED.iter().find(|(theirs, ours)| *theirs == bare && *ours != "-").map(|(_, ours)| *ours)
    };
    words.split(' ').map(|word| ours(word).unwrap_or(word)).collect::<Vec<&str>>().join(" ")
}

/// Words with which a piece of a sentence begins.
fn is_joint(word: &str) -> bool {
    matches!(word, "from" | "to" | "with" | "until" | "and" | "all")
}

/// `from lorien attack fangorn`: the pieces in other orders, the verb first.
fn swapped(words: &str, verbs: &[String]) -> Vec<String> {
    let is_verb = |word: &str| verbs.iter().any(|verb| verb.split(' ').next() == Some(word));
    let mut pieces: Vec<Vec<&str>> = Vec::new();
    for word in words.split(' ').take(WORDS_MAX) {
        let word = word.trim_end_matches(',');
        match pieces.last_mut() {
            Some(piece) if !is_joint(word) && !is_verb(word) => piece.push(word),
            _ => pieces.push(vec![word]),
        }
    }
    let Some(verb) = pieces.iter().position(|piece| is_verb(piece[0])).filter(|_| pieces.len() <= PIECES_MAX) else {
        return Vec::new();
    };
    let verb = pieces.remove(verb).join(" ");
    let others: Vec<String> = pieces.iter().map(|piece| piece.join(" ")).collect();
    orders(&others).into_iter().map(|rest| format!("{verb} {}", rest.join(" "))).collect()
}

/// All orders of at most three things.
fn orders(things: &[String]) -> Vec<Vec<String>> {
    if things.len() <= 1 {
        return vec![things.to_vec()];
    }
    let mut found = Vec::new();
    for (index, first) in things.iter().enumerate() {
        let mut rest = things.to_vec();
        rest.remove(index);
        found.extend(orders(&rest).into_iter().map(|rest| std::iter::once(first.clone()).chain(rest).collect()));
    }
    found
}

/// The first of several sentences on one line, if the game takes it and another begins behind it.
fn first_of_several(words: &str, opens: impl Fn(&str) -> bool, reads: impl Fn(&str) -> bool) -> Option<String> {
    let ends = words.match_indices(['.', ';', ',', '!']).map(|(at, _)| (at, at + 1));
    let ends = ends.chain(words.match_indices(" then ").map(|(at, then)| (at, at + then.len())));
    let mut ends: Vec<(usize, usize)> =
        ends.chain(words.match_indices(" and ").map(|(at, and)| (at, at + and.len()))).collect();
    ends.sort_unstable();
    ends.truncate(WORDS_MAX);
    let first = ends.into_iter().find(|(end, behind)| {
        let behind = words[*behind..].trim_start().trim_start_matches("then ").trim_start_matches("and ");
        opens(behind) && reads(words[..*end].trim())
    });
    first.map(|(end, _)| words[..end].trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(words: &str, expected: Option<(&str, Option<&str>)>) {
        let known = ["place 4 lorien, 3 rhudaur", "attack fangorn from lorien", "end turn"];
        let verbs = ["place", "attack", "end turn"].map(str::to_owned);
        let opens = |words: &str| words.starts_with("attack ") || words == "end turn";
        let today = "2026-12-28".parse().unwrap();
        let found = instead(words, &verbs, opens, |words| known.contains(&words), today);
        let found = found.as_ref().map(|instead| (instead.why.as_str(), instead.sentence.as_deref()));
        assert_eq!(found, expected, "{words}");
    }

    #[test]
    fn a_line_that_was_not_understood_gets_one_that_is() {
        let placed = "place 4 lorien, 3 rhudaur";
        case("4 lorien, 3 rhudaur", Some(("if you mean it, write `place 4 lorien, 3 rhudaur`", Some(placed))));
        let attacked = Some("attack fangorn from lorien");
        let meant = Some(("if you mean it, write `attack fangorn from lorien`", attacked));
        for words in ["from lorien attack fangorn", "ich greife fangorn von lorien an", "angreifen fangorn von lorien"]
        {
            case(words, meant);
        }
        let first = "write each sentence on its own line, the first as `attack fangorn from lorien`";
        case("attack fangorn from lorien; end turn", Some((first, attacked)));
        let away = "if you are away, say from when to when: `absence 2026-12-28 to 2027-01-04`";
        case("on holiday until sunday", Some((away, None)));
        case("may i attack fangorn now?", Some((ASK, None)));
        case("hobbits", None);
        assert!(has_foreign_verb("ich greife moira an") && !has_foreign_verb("hier mein zug"));
    }
}
