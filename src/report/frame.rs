/*! What the frames of letters print: the text of a letter, its page, and its sheet of paper are made of one frame, so
that none of them says what the others do not.
*/

use crate::echo::Echo;
use crate::fate::Fate;
use crate::occasion::{Occasion, Waits};
use crate::rulebook::{self, Reader};
use crate::telling::{Telling, tellings};
use engine::name;
use serde::Serialize;
use serde_json::Value;

/// Digits of the head that are shown where a reader only needs to recognise it.
pub const HEAD_SHOWN: usize = 12;

/// What the question asks, in a few words for a heading and in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Ask {
    pub seat: Option<String>,
    pub short: String,
    pub text: String,
}

/// What the frames print besides the occasion itself.
#[derive(Serialize)]
pub(super) struct Frame<'a> {
    #[serde(flatten)]
    pub occasion: &'a Occasion,
    /// The first digits of the head.
    pub mark: &'a str,
    pub ask: Ask,
    pub echoes: Vec<Echo>,
    /// How to read the rule that the first refusal cites.
    pub how_to_read: Option<String>,
    pub tellings: Vec<Telling>,
    /// The cards of the reader's hand that are shown, and the titles of the others. A brief letter shows those that
    /// the question is about, any other letter shows all.
    pub hand: Vec<&'a Value>,
    pub other_cards: Vec<&'a str>,
    pub columns: usize,
}

impl<'a> Frame<'a> {
    pub fn of(occasion: &'a Occasion, columns: usize) -> Frame<'a> {
        let hand = occasion.view["hand"].as_array().into_iter().flatten();
        let (hand, others): (Vec<&Value>, Vec<&Value>) =
            hand.partition(|card| occasion.brief.is_none() || is_offered(occasion, card));
        Frame {
            hand,
            other_cards: others.iter().filter_map(|card| card["title"].as_str()).collect(),
            occasion,
            mark: occasion.head.get(..HEAD_SHOWN).unwrap_or(&occasion.head),
            ask: Ask::of(occasion),
            echoes: occasion.answers.iter().map(Echo::of).collect(),
            how_to_read: how_to_read(occasion),
            tellings: tellings(&occasion.news),
            columns,
        }
    }
}

/// Whether the reader may name a card of his hand now.
fn is_offered(occasion: &Occasion, card: &Value) -> bool {
    let (Waits::Reader { choices, .. }, Some(title)) = (&occasion.waits, card["title"].as_str()) else { return false };
    let words = name::words(title);
    let words: Vec<&str> = words.iter().map(|word| &*word.text).filter(|word| *word != ",").collect();
    let spelled = words.join("-");
    let names = choices.nouns.iter().flat_map(|noun| &noun.names);
    choices.lines.iter().chain(names).any(|words| words.contains(&spelled))
}

/// How to read a rule, for the first that a refusal cites; printed once below everything that was refused.
fn how_to_read(occasion: &Occasion) -> Option<String> {
    let cited = occasion.answers.iter().find_map(|answered| match &answered.fate {
        Fate::Refused { rule, .. } => rule.as_deref(),
        Fate::Done { .. } | Fate::Kept { .. } | Fate::Ignored { .. } | Fate::Noted { .. } => None,
    });
    rulebook::how_to_read(occasion.title, cited?, Reader::Letter)
}

impl Ask {
    /// As the title puts it, or by the question's id if the title says nothing.
    fn of(occasion: &Occasion) -> Ask {
        let (seat, id) = match &occasion.waits {
            Waits::Reader { id, .. } => (occasion.reader.clone(), id.as_str()),
            Waits::Other { seat, id } => (Some(seat.clone()), id.as_str()),
            Waits::Host { what } => (None, what.as_str()),
            Waits::Nobody { .. } => (None, ""),
        };
        let words = |key: &str| occasion.view.get("asked").and_then(|asked| asked.get(key)).and_then(|w| w.as_str());
        let named = id.replace('-', " ");
        Ask {
            seat,
            short: words("short").map_or_else(|| named.clone(), str::to_string),
            text: words("text").map_or_else(|| format!("The question is: {named}."), str::to_string),
        }
    }
}
