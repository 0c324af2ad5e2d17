/*! A sentence with what its writer adds: another sentence in case the first is not allowed then (`; else SENTENCE`),
clauses for the battle that it begins (`; until 3 left; regulars first`), its condition (`if progress > 3`), and
changes to its guards (`; stop if card anywhere`).

The recorded sentence is one of the sentences of the line. A clause is an order for a question of the battle; it is
left when its sentence is said, and names no place, because it is for this battle alone.
*/

use super::guard::{self, Amendment, Guard};
use std::ops::Range;

/// An order for the battle that a sentence begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The question that it answers, or a group of them.
    pub question: String,
    /// What follows the question in the order: ` say until 3 left`, ` if units fewer than 3 say ask me`.
    pub tail: String,
    /// Where the clause is in the line.
    pub at: Range<usize>,
    /// Whether it only asks the seat. Then an `else` behind it belongs to the sentence.
    pub asks: bool,
    /// Whether it is also a guard of the line (`stop if`). Behind a sentence that begins no battle it is only a guard.
    pub guards: bool,
}

/// One of the sentences of a line, with its clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative<'l> {
    pub sentence: &'l str,
    /// Where it begins in the line.
    pub start: usize,
    /// Where its condition is in the line.
    pub condition: Option<Range<usize>>,
    pub clauses: Vec<Clause>,
    /// How it changes the guards of its line.
    pub amendments: Vec<Amendment>,
    /// Where a clause is that cannot be read.
    pub unread: Option<Range<usize>>,
}

/// A clause of a title that does not name its question: how it begins, and which question it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begins {
    /// Its first words; other spellings behind `|`.
    pub words: &'static str,
    pub question: &'static str,
    /// The answer, if it is not the clause itself.
    pub answer: Option<&'static str>,
}

/// The clauses that a title reads, and the questions and groups of a battle that a clause may name. The first
/// question is the one that `ask me if` is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clauses {
    pub begin: &'static [Begins],
    pub questions: &'static [&'static str],
    /// The question about cards, the answer that plays none, and the words before a card that is played.
    pub cards: (&'static str, &'static str, &'static str),
    /// The fact that counts the rounds; empty if there is none.
    pub round: &'static str,
}

/// For titles without battles.
pub static NO_CLAUSES: Clauses = Clauses { begin: &[], questions: &[], cards: ("", "", ""), round: "" };

/// The sentences of a line; the first that is allowed is said. A semicolon that neither a clause nor `else` follows
/// is a part of the sentence.
pub fn alternatives<'l>(line: &'l str, known: &Clauses) -> Vec<Alternative<'l>> {
    let mut found: Vec<Alternative<'l>> = Vec::new();
    let begin = |from: usize, text: &'l str| {
        let start = from + text.len() - text.trim_start().len();
        let (clauses, amendments) = (Vec::new(), Vec::new());
        Alternative { sentence: text.trim(), start, condition: None, clauses, amendments, unread: None }
    };
    for (from, piece) in pieces(line) {
        let other = without_word(piece, "else");
        match (found.last_mut(), other) {
            (Some(last), Some(other)) if last.clauses.last().is_some_and(Clause::takes_else) => {
                let other = other.trim();
                let tail = match without_word(other, "if") {
                    Some(condition) => format!("; else if {}", said(condition)),
                    None => format!("; else {other}"),
                };
                last.clauses.last_mut().expect("there is one").tail.push_str(&tail);
            }
            (Some(_), Some(other)) => {
                found.push(begin(from + piece.len() - other.len(), other));
            }
            (Some(last), None) if guard::amendments(piece, spot(from, piece)).is_some() => {
                let amendments = guard::amendments(piece, spot(from, piece)).unwrap_or_default();
                last.clauses.extend(amendments.iter().filter_map(|amendment| guarding(amendment, known)));
                last.amendments.extend(amendments);
            }
            (Some(last), None) => match clause(piece, spot(from, piece), known) {
                Some(clauses) => last.clauses.extend(clauses),
                // Before the first clause, a semicolon is part of the sentence and reads as a comma.
                None if last.clauses.is_empty() && last.amendments.is_empty() && last.unread.is_none() => {
                    last.sentence = line[last.start..from + piece.len()].trim_end();
                }
                None => last.unread = last.unread.take().or_else(|| Some(spot(from, piece))),
            },
            (None, _) => {
                found.push(begin(from, piece));
            }
        }
    }
    // No sentence of a game has the word `if`: what stands behind it is a condition.
    for found in found.iter_mut().filter(|_| !known.questions.is_empty()) {
        if let Some((sentence, condition)) = found.sentence.rsplit_once(" if ") {
            let at = found.start + sentence.len() + " if ".len();
            found.condition = Some(at..at + condition.len());
            found.sentence = sentence.trim_end();
        }
    }
    found
}

/// `stop if` also applies to the battle that the sentence begins: the seat is asked.
fn guarding(amendment: &Amendment, known: &Clauses) -> Option<Clause> {
    let Amendment { stops: true, guard: Guard::If(condition), at } = amendment else { return None };
    let question = (*known.questions.first()?).to_string();
    let tail = format!(" if {condition} say ask me");
    Some(Clause { question, tail, at: at.clone(), asks: true, guards: true })
}

impl Clause {
    /// Whether an `else` behind it is its own other answer.
    fn takes_else(&self) -> bool {
        self.tail.starts_with(" if ") && !self.asks
    }
}

/// Whether a line continues the line above it: it begins with a clause or with `else`.
pub fn goes_on(line: &str, known: &Clauses) -> bool {
    let bare = line.trim_start_matches(';').trim();
    let is_clause = clause(bare, 0..0, known).is_some() || guard::amendments(bare, 0..0).is_some();
    without_word(bare, "else").is_some() || is_clause
}

/// The bytes of a piece of the line, without the blanks around it.
fn spot(from: usize, piece: &str) -> Range<usize> {
    let start = from + piece.len() - piece.trim_start().len();
    start..start + piece.trim().len()
}

/// The pieces of a line between semicolons, and where they begin.
fn pieces(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    line.split(';').map(move |piece| {
        let start = from;
        from += piece.len() + 1;
        (start, piece)
    })
}

fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let text = text.trim_start();
    let begins = text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    begins.then(|| &text[word.len()..]).filter(|rest| rest.starts_with([' ', ':'])).map(str::trim_start)
}

/// A condition and its answer, with `say` in place of the colon between them.
fn said(text: &str) -> String {
    text.replacen(": ", " say ", 1).replacen(':', " say ", 1)
}

/// The orders that a clause stands for; `None` if it is no clause.
fn clause(piece: &str, at: Range<usize>, known: &Clauses) -> Option<Vec<Clause>> {
    let piece = piece.trim();
    let folded = piece.to_ascii_lowercase();
    let (asks, guards) = (false, false);
    let of =
        |question: &str, tail: String| Clause { question: question.to_string(), tail, at: at.clone(), asks, guards };
    if let Some(condition) = folded.strip_prefix("ask me if ") {
        let all = known.questions.first()?;
        let asking = of(all, format!(" if {} say ask me", condition.trim()));
        return Some(vec![Clause { asks: true, ..asking }]);
    }
    if let Some(cards) = folded.strip_prefix("cards ") {
        return self::cards(cards, known).map(|tail| vec![of(known.cards.0, tail)]);
    }
    for begins in known.begin {
        let is_it = |words: &str| {
            folded.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
        };
        if begins.words.split('|').any(is_it) {
            let answer = begins.answer.map_or_else(|| piece.to_string(), str::to_string);
            return Some(vec![of(begins.question, format!(" say {answer}"))]);
        }
    }
    let end = folded.find([' ', ':'])?;
    let question = known.questions.iter().find(|question| **question == &folded[..end])?;
    let rest = folded[end..].trim_start();
    match (rest.strip_prefix(':'), rest.starts_with("if ")) {
        (Some(answer), _) => Some(vec![of(question, format!(" say {}", answer.trim()))]),
        (None, true) if rest.contains(':') => Some(vec![of(question, format!(" {}", said(rest)))]),
        (None, _) => None,
    }
}

/// `none`, `gothmog`, `gothmog in round 2, then none`: the answers about cards, for several rounds if there are
/// several.
fn cards(cards: &str, known: &Clauses) -> Option<String> {
    let (_, none, play) = known.cards;
    let answer = |card: &str| match card {
        "none" | "no" | "no card" => none.to_string(),
        card if card.contains(',') => format!("{play} one of {card}, else {none}"),
        card => format!("{play} {card}, else {none}"),
    };
    let parts: Vec<&str> = cards.split(", then ").flat_map(|part| part.split("; then ")).map(str::trim).collect();
    if parts.iter().any(|part| part.is_empty()) || play.is_empty() && parts != ["none"] {
        return None;
    }
    let mut tail = String::new();
    for (index, part) in parts.iter().enumerate() {
        let (card, round) = match part.rsplit_once(" in round ") {
            Some((card, round)) => (card, Some(round.trim().parse::<usize>().ok()?)),
            None => (*part, None),
        };
        let is_last = index + 1 == parts.len();
        let round = round.or((!is_last).then_some(index + 1)).filter(|_| !known.round.is_empty());
        let (begin, answer) = (if index == 0 { " " } else { "; else " }, answer(card));
        match round {
            Some(round) => tail.push_str(&format!("{begin}if {} is {round} say {answer}", known.round)),
            None if index == 0 => tail.push_str(&format!(" say {answer}")),
            None => tail.push_str(&format!("; else {answer}")),
        }
    }
    // After the last named round, no card is played.
    if parts.last().is_some_and(|last| last.contains(" in round ")) {
        tail.push_str(&format!("; else {none}"));
    }
    Some(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: Clauses = Clauses {
        begin: &[
            Begins { words: "until", question: "press-on", answer: None },
            Begins { words: "regulars first|elites first", question: "losses", answer: None },
            Begins { words: "stay", question: "advance", answer: None },
        ],
        questions: &["battle", "press-on", "losses"],
        cards: ("combat-card", "no card", "lay"),
        round: "round",
    };

    #[track_caller]
    fn case(line: &str, expected: &[(&str, &[&str])]) {
        let found = alternatives(line, &KNOWN);
        assert!(found.iter().all(|found| found.unread.is_none()), "{found:?}");
        let clauses = |found: &Alternative<'_>| {
            found.clauses.iter().map(|clause| format!("{}{}", clause.question, clause.tail)).collect::<Vec<String>>()
        };
        let found: Vec<(&str, Vec<String>)> = found.iter().map(|found| (found.sentence, clauses(found))).collect();
        let expected: Vec<(&str, Vec<String>)> =
            expected.iter().map(|(said, all)| (*said, all.iter().map(ToString::to_string).collect())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_line_is_parted_into_its_sentences_and_their_clauses() {
        case("place 2 moria; 3 bree", &[("place 2 moria; 3 bree", &[])]);
        case("attack a; until 3 left", &[("attack a", &["press-on say until 3 left"])]);
        case(
            "attack a; Regulars first, gondor; stay; else skip",
            &[("attack a", &["losses say Regulars first, gondor", "advance say stay"]), ("skip", &[])],
        );
        case(
            "attack a ; else attack b; until 1 left",
            &[("attack a", &[]), ("attack b", &["press-on say until 1 left"])],
        );
        case(
            "attack a; losses if units > 3: regulars first; else elites first; stop if round > 2",
            &[(
                "attack a",
                &["losses if units > 3 say regulars first; else elites first", "battle if round > 2 say ask me"],
            )],
        );
        case("attack a; cards none", &[("attack a", &["combat-card say no card"])]);
        case(
            "attack a if x > 3; ask me if round > 2; else skip; stop if touched; go on if card",
            &[("attack a", &["battle if round > 2 say ask me"]), ("skip", &[])],
        );
        case(
            "attack a; cards b, then c, then none",
            &[(
                "attack a",
                &["combat-card if round is 1 say lay b, else no card; else if round is 2 say lay c, else no card; \
                     else no card"],
            )],
        );
        case(
            "attack a; cards b in round 2",
            &[("attack a", &["combat-card if round is 2 say lay b, else no card; else no card"])],
        );
    }

    #[test]
    fn a_sentence_may_have_a_condition_and_guards() {
        let line = "attack a if x > 3; stop if card anywhere, y > 1; else skip if z";
        let found = alternatives(line, &KNOWN);
        let condition = |index: usize| &line[found[index].condition.clone().unwrap()];
        assert_eq!((found[0].sentence, condition(0)), ("attack a", "x > 3"));
        assert_eq!((found[1].sentence, condition(1)), ("skip", "z"));
        assert_eq!((found[0].amendments.len(), found[1].amendments.len()), (2, 0));
    }

    #[test]
    fn what_no_clause_is_behind_a_clause_is_told() {
        let found = alternatives("attack a; until 3 left; regular first aid", &KNOWN);
        assert_eq!(found[0].unread, Some(24..41));
        assert!(goes_on("; until 3 left", &KNOWN) && goes_on("else skip", &KNOWN) && !goes_on("skip", &KNOWN));
    }
}
