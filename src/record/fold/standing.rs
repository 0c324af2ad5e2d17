/*! Standing orders: answers a seat leaves in advance. Their texts are in no record before the end; [`super::books`] is
where they stand.

An order is `when asked QUESTION say SENTENCE`, and may end in `once`, `until end of turn` or `until DATE`. The first
order of a seat that fits what is asked is said for it, as an entry of its own.
*/

use crate::record::value::stamp::Stamp;
use std::fmt;

/// A standing order, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The question it answers, as the game names it.
    pub question: String,
    pub sentence: String,
    pub until: Until,
}

/// How long an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    Cancelled,
    Used,
    EndOfTurn,
    /// Up to and including this second.
    Time(Stamp),
}

/// Why a text is no standing order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no standing order: {missing}. It would be `when asked QUESTION say SENTENCE`, and may end in `once`, \
     `until end of turn` or `until 2026-11-24`"
)]
pub struct NotAnOrder {
    pub text: String,
    pub missing: &'static str,
}

impl Order {
    /// Reads an order. Blanks and capitals of its own words do not matter.
    ///
    /// # Errors
    /// What is missing, and what would have been right.
    pub fn read(text: &str) -> Result<Order, NotAnOrder> {
        let wrong = |missing| NotAnOrder { text: text.chars().take(80).collect(), missing };
        let words: Vec<&str> = text.split_whitespace().collect();
        let folded: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let is = |at: usize, word: &str| folded.get(at).is_some_and(|found| found == word);
        if !(is(0, "when") && is(1, "asked")) {
            return Err(wrong("it does not start with `when asked`"));
        }
        let question = folded.get(2).filter(|word| *word != "say").ok_or_else(|| wrong("it names no question"))?;
        if !is(3, "say") {
            return Err(wrong("`say` must follow the question"));
        }
        let count = folded.len();
        let (until, end) = if is(count - 1, "once") {
            (Until::Used, count - 1)
        } else if count >= 4 && is(count - 4, "until") && is(count - 3, "end") && is(count - 2, "of") {
            match is(count - 1, "turn") {
                true => (Until::EndOfTurn, count - 4),
                false => return Err(wrong("it can stand `until end of turn`, of nothing else")),
            }
        } else if count >= 2 && is(count - 2, "until") {
            let time = read_time(words[count - 1]).ok_or_else(|| wrong("a date is written `2026-11-24`"))?;
            (Until::Time(time), count - 2)
        } else {
            (Until::Cancelled, count)
        };
        match words.get(4..end) {
            None | Some([]) => Err(wrong("it says nothing")),
            Some(sentence) => Ok(Order { question: question.clone(), sentence: sentence.join(" "), until }),
        }
    }
}

impl fmt::Display for Order {
    /// The order as it stands in the book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "when asked {} say {}", self.question, self.sentence)?;
        match self.until {
            Until::Cancelled => Ok(()),
            Until::Used => f.write_str(" once"),
            Until::EndOfTurn => f.write_str(" until end of turn"),
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
    }
}
