/*! Standing orders: answers that a seat leaves in advance. No record shows their texts before the end;
[`super::order_books`] keeps them.

An order is `when asked QUESTION say SENTENCE`. It may name several questions, the place (`in REGION`), the seat that
brought the question about (`by SEAT`), and a condition on public facts (`if CONDITION`). It may have further answers
(`, else SENTENCE`; `; else if CONDITION say SENTENCE`): the first one counts that its condition and the rules allow.
And it may end with how long it stands. [`engine::order`] reads the conditions.
*/

use engine::order::condition::in_words;
use ground::stamp::Stamp;
use std::fmt;

/// A standing order, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The questions that it answers, or groups of questions, as the game names them.
    pub questions: Vec<String>,
    /// The places that the question may be about; empty for any place.
    pub places: Vec<String>,
    /// The word of the seat that must have brought the question about.
    pub by: Option<String>,
    /// Its answers: it says the first one whose condition holds and that the rules allow.
    pub branches: Vec<Branch>,
    pub until: Until,
}

/// One answer of an order, and the alternatives if the rules do not allow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The words of its condition; `None` if it always holds.
    pub condition: Option<String>,
    pub answers: Vec<Answer>,
}

/// What an order says to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The seat is asked.
    AskMe,
    Say(String),
}

/// How long an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    Cancelled,
    Used,
    EndOfBattle,
    /// In the first battle that its seat begins this turn, at the order's place if it names one.
    NextBattle,
    EndOfTurn,
    /// In the turn after the one in which the order was left.
    NextTurn,
    /// Up to and including this second.
    Time(Stamp),
}

/// Why a text is not a standing order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no standing order: {missing}. It would be `when asked QUESTION say SENTENCE`, and may end in `once`, \
     `until end of turn` or `until 2026-11-24`"
)]
pub struct NotAnOrder {
    pub text: String,
    pub missing: &'static str,
}

/// The most branches of an order, and the most answers of a branch.
const BRANCHES_MAX: usize = 8;

const ASK_ME: &str = "ask me";

impl Order {
    /// An order that answers one question with one sentence.
    pub fn plain(question: &str, sentence: &str, until: Until) -> Order {
        let answers = vec![Answer::Say(sentence.to_string())];
        let branches = vec![Branch { condition: None, answers }];
        Order { questions: vec![question.to_string()], places: Vec::new(), by: None, branches, until }
    }

    /// Reads an order. Extra spaces and the case of its keywords do not matter.
    pub fn read(text: &str) -> Result<Order, NotAnOrder> {
        let single = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        read(&single).map_err(|missing| NotAnOrder { text: text.chars().take(80).collect(), missing })
    }

    /// The sentences that it may say.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        let answers = self.branches.iter().flat_map(|branch| &branch.answers);
        answers.filter_map(|answer| match answer {
            Answer::Say(sentence) => Some(sentence.as_str()),
            Answer::AskMe => None,
        })
    }

    /// Whether a condition decides what it says.
    pub fn is_conditional(&self) -> bool {
        self.branches.iter().any(|branch| branch.condition.is_some())
    }

    /// The words of its conditions.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.branches.iter_mut().filter_map(|branch| branch.condition.as_mut())
    }
}

/// Reads an order whose words are separated by single spaces.
fn read(text: &str) -> Result<Order, &'static str> {
    let behind = without(text, "when asked").ok_or("it does not start with `when asked`")?;
    let (head, tail) = parted(behind);
    let head = Head::read(head)?;
    let tail = tail.ok_or("`say` must follow the question")?;
    let (tail, until) = scope(tail)?;
    let mut branches: Vec<Branch> = Vec::new();
    for (index, part) in tail.split(';').map(str::trim).enumerate() {
        if index >= BRANCHES_MAX {
            return Err("it has too many answers");
        }
        let (condition, answer) = match (index, without(part, "else")) {
            (0, _) => (head.condition.clone(), part),
            (_, None) => return Err("what follows a semicolon begins with `else`"),
            (_, Some(other)) => match without(other, "if") {
                Some(condition) => {
                    let (condition, answer) = parted(condition);
                    (Some(in_words(condition)), answer.ok_or("`say` or a colon must follow the condition")?)
                }
                None => (None, without(other, "say").unwrap_or(other)),
            },
        };
        if condition.as_ref().is_some_and(String::is_empty) {
            return Err("the condition is missing behind `if`");
        }
        branches.push(Branch { condition, answers: answers(answer)? });
    }
    let Head { questions, places, by, .. } = head;
    Ok(Order { questions, places, by, branches, until })
}

/// The text before the first `say` or colon, and the text after it.
fn parted(text: &str) -> (&str, Option<&str>) {
    let colon = text.find(':').map(|at| (at, 1));
    let folded = text.to_ascii_lowercase();
    let say = match () {
        () if folded.starts_with("say ") || folded == "say" => Some((0, 3)),
        () if folded.ends_with(" say") && !folded.contains(" say ") => Some((folded.len() - 4, 4)),
        () => folded.find(" say ").map(|at| (at, 4)),
    };
    match colon.into_iter().chain(say).min() {
        Some((at, length)) => (text[..at].trim(), Some(text[at + length..].trim())),
        None => (text.trim(), None),
    }
}

/// What an order says before its answers.
struct Head {
    questions: Vec<String>,
    places: Vec<String>,
    by: Option<String>,
    condition: Option<String>,
}

impl Head {
    fn read(head: &str) -> Result<Head, &'static str> {
        let folded = head.to_ascii_lowercase();
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let at = |word: &str| words.iter().position(|found| *found == word);
        let end = words.len();
        let condition = at("if");
        let by = at("by").filter(|by| condition.is_none_or(|condition| *by < condition));
        let before = by.or(condition).unwrap_or(end);
        let place = at("in").filter(|place| *place < before);
        let list = |words: &[&str]| -> Vec<String> {
            let joined = words.join(" ");
            let parts = joined.split(',').map(|part| part.trim().replace(' ', "-"));
            parts.filter(|part| !part.is_empty()).collect()
        };
        let questions = list(&words[..place.unwrap_or(before)]);
        let places = place.map_or(Vec::new(), |place| list(&words[place + 1..before]));
        let by = by.map(|by| words[by + 1..condition.unwrap_or(end)].join(" "));
        match () {
            () if questions.is_empty() => Err("it names no question"),
            () if questions.iter().any(|question| question.starts_with("say")) => Err("it names no question"),
            () if place.is_some() && places.is_empty() => Err("the place is missing behind `in`"),
            () if by.as_ref().is_some_and(String::is_empty) => Err("the seat is missing behind `by`"),
            () => Ok(Head {
                questions,
                places,
                by,
                condition: condition.map(|condition| in_words(&words[condition + 1..].join(" "))),
            }),
        }
    }
}

fn answers(text: &str) -> Result<Vec<Answer>, &'static str> {
    let mut rest = text;
    let mut answers = Vec::new();
    loop {
        let comma = rest.to_ascii_lowercase().find(", else");
        let (this, behind) = comma.map_or((rest, None), |at| (&rest[..at], Some(rest[at + 6..].trim_start())));
        let this = this.trim();
        match this {
            "" => return Err("it says nothing"),
            _ if this.eq_ignore_ascii_case(ASK_ME) => answers.push(Answer::AskMe),
            _ => answers.push(Answer::Say(this.to_string())),
        }
        match behind {
            Some(_) if answers.len() >= BRANCHES_MAX => return Err("it has too many answers"),
            Some(behind) => rest = behind,
            None => return Ok(answers),
        }
    }
}

/// Splits off how long an order stands from the end of its text.
fn scope(text: &str) -> Result<(&str, Until), &'static str> {
    let folded = text.to_ascii_lowercase();
    let before = |words: &str| {
        let at = folded.strip_suffix(words)?;
        (at.is_empty() || at.ends_with(' ')).then(|| text[..at.len()].trim_end())
    };
    const SCOPES: [(&str, Until); 6] = [
        ("once", Until::Used),
        ("this battle", Until::EndOfBattle),
        ("next battle", Until::NextBattle),
        ("this turn", Until::EndOfTurn),
        ("next turn", Until::NextTurn),
        ("until end of turn", Until::EndOfTurn),
    ];
    if let Some((rest, until)) = SCOPES.into_iter().find_map(|(words, until)| Some((before(words)?, until))) {
        return Ok((rest, until));
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is = |back: usize, word: &str| words.len() >= back && words[words.len() - back].eq_ignore_ascii_case(word);
    if is(4, "until") && is(3, "end") && is(2, "of") {
        return Err("it can stand `until end of turn`, of nothing else");
    }
    if is(2, "until") {
        let last = words[words.len() - 1];
        let time = read_time(last).ok_or("a date is written `2026-11-24`")?;
        let before = text[..text.len() - last.len()].trim_end();
        return Ok((before[..before.len() - "until".len()].trim_end(), Until::Time(time)));
    }
    Ok((text, Until::Cancelled))
}

/// The rest of a text that begins with these words; `None` if it does not.
fn without<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let begins = text.get(..words.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(words));
    let rest = begins.then(|| &text[words.len()..])?;
    (rest.is_empty() || rest.starts_with([' ', ':'])).then(|| rest.trim_start_matches([' ', ':']))
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::AskMe => f.write_str(ASK_ME),
            Answer::Say(sentence) => f.write_str(sentence),
        }
    }
}

impl fmt::Display for Order {
    /// The order as the book has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "when asked {}", self.questions.join(", "))?;
        if !self.places.is_empty() {
            write!(f, " in {}", self.places.join(", "))?;
        }
        if let Some(by) = &self.by {
            write!(f, " by {by}")?;
        }
        for (index, Branch { condition, answers }) in self.branches.iter().enumerate() {
            match (index, condition) {
                (0, None) => f.write_str(" say ")?,
                (0, Some(condition)) => write!(f, " if {condition} say ")?,
                (_, None) => f.write_str("; else ")?,
                (_, Some(condition)) => write!(f, "; else if {condition} say ")?,
            }
            for (index, answer) in answers.iter().enumerate() {
                let comma = if index > 0 { ", else " } else { "" };
                write!(f, "{comma}{answer}")?;
            }
        }
        match self.until {
            Until::Cancelled => Ok(()),
            Until::Used => f.write_str(" once"),
            Until::EndOfBattle => f.write_str(" this battle"),
            Until::NextBattle => f.write_str(" next battle"),
            Until::EndOfTurn => f.write_str(" until end of turn"),
            Until::NextTurn => f.write_str(" next turn"),
            Until::Time(time) => write!(f, " until {time}"),
        }
    }
}

fn read_time(word: &str) -> Option<Stamp> {
    match word.len() {
        10 => Stamp::parse(&format!("{word}T23:59:59Z")),
        _ => Stamp::parse(&word.to_ascii_uppercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, canonical: &str, until: Until) {
        let order = Order::read(text).unwrap();
        assert_eq!((order.to_string().as_str(), order.until), (canonical, until));
        assert_eq!(Order::read(canonical), Ok(order));
    }

    #[test]
    fn orders_are_read_as_people_write_them() {
        reads("when asked storms say pass", "when asked storms say pass", Until::Cancelled);
        reads("  When asked STORMS say  roll 2  once", "when asked storms say roll 2 once", Until::Used);
        reads("when asked a say b until end of turn", "when asked a say b until end of turn", Until::EndOfTurn);
        let time = Stamp::parse("2026-11-24T23:59:59Z").unwrap();
        let canonical = "when asked a say b until 2026-11-24T23:59:59Z";
        reads("when asked a say b until 2026-11-24", canonical, Until::Time(time));
    }

    #[track_caller]
    fn also(text: &str, canonical: &str) {
        let order = Order::read(text).unwrap();
        assert_eq!(order.to_string(), canonical);
        assert_eq!(Order::read(canonical), Ok(order));
    }

    #[test]
    fn a_colon_is_read_like_say() {
        also("when asked losses: lose 1 regular", "when asked losses say lose 1 regular");
        also("when asked action: muster die: skip", "when asked action say muster die: skip");
        also("when asked action say muster die: skip", "when asked action say muster die: skip");
    }

    #[test]
    fn an_order_says_where_when_and_what_else() {
        also(
            "when asked hunt-allocation if progress >= 3: allot 2; else allot 1",
            "when asked hunt-allocation if progress at least 3 say allot 2; else allot 1",
        );
        also(
            "when asked retreat, press-on in Osgiliath, minas tirith by shadow if units < 3: \
             retreat to edoras, else stand once",
            "when asked retreat, press-on in osgiliath, minas-tirith by shadow if units fewer than 3 say \
             retreat to edoras, else stand once",
        );
        also(
            "when asked a if x > 1: b; else if y and z: c, else d; else ask me this battle",
            "when asked a if x more than 1 say b; else if y and z say c, else d; else ask me this battle",
        );
        also("when asked discard: discard a; else ask me", "when asked discard say discard a; else ask me");
        also("when asked a: muster die: b; else army die: c", "when asked a say muster die: b; else army die: c");
        also("when asked a: b this turn", "when asked a say b until end of turn");
        also("when asked a: b next battle", "when asked a say b next battle");
        also("when asked a: b next turn", "when asked a say b next turn");
        // Risk has sentences that begin with the same words.
        let order = Order::read("when asked reinforcements say ask me for dice").unwrap();
        assert_eq!(order.sentences().collect::<Vec<&str>>(), ["ask me for dice"]);
        assert_eq!(Order::read("when asked a: ask me").unwrap().branches[0].answers, [Answer::AskMe]);
    }

    #[track_caller]
    fn refused(text: &str, missing: &str) {
        assert_eq!(Order::read(text).unwrap_err().missing, missing);
    }

    #[test]
    fn what_is_no_order_is_told() {
        refused("", "it does not start with `when asked`");
        refused("say pass", "it does not start with `when asked`");
        refused("when asked", "it names no question");
        refused("when asked say pass", "it names no question");
        refused("when asked storms pass", "`say` must follow the question");
        refused("when asked storms say", "it says nothing");
        refused("when asked storms say once", "it says nothing");
        refused("when asked storms say pass until tomorrow", "a date is written `2026-11-24`");
        refused("when asked storms say pass until end of week", "it can stand `until end of turn`, of nothing else");
        refused("when asked storms if: pass", "the condition is missing behind `if`");
        refused("when asked storms in: pass", "the place is missing behind `in`");
        refused("when asked storms by: pass", "the seat is missing behind `by`");
        refused("when asked storms if a > 1: pass; roll 2", "what follows a semicolon begins with `else`");
        refused("when asked storms if a > 1: pass; else if b", "`say` or a colon must follow the condition");
        refused("when asked storms: pass, else", "it says nothing");
    }
}
