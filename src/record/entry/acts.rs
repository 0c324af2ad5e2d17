/*! The words of an act: what a seat signs when it votes, proposes, concedes, disputes, consents or takes another key.

An answer to the game is read by its menu. These acts have one spelling each, so that everybody who holds the log can
tell whether the words that were signed are what the record says (log 10.4).
*/

use super::Body;
use super::body::{ConsentGiven, Correcting, Motion};

/// The reason written for a motion that gives none.
pub const NO_REASON: &str = "no reason given";

impl Body<'_> {
    /// The words in which a seat signs this act, in small letters; `None` if no such words are signed for it.
    pub fn act(&self) -> Option<String> {
        let words = match self {
            Body::Vote(vote) => format!("vote {} {}", vote.says.word(), vote.motion),
            Body::Concede(concede) => with_text("concede".to_string(), concede.text.as_deref()),
            Body::Dispute(dispute) => with_text(format!("dispute {}", dispute.about), Some(&dispute.text)),
            Body::Consent(ConsentGiven { phrase, .. }) => format!("consent {}", phrase.as_deref().unwrap_or_default()),
            Body::Keys(keys) => format!("key {}", keys.keys.join(" ")),
            Body::Motion(motion) => {
                let text = Some(&*motion.text).filter(|text| *text != NO_REASON);
                with_text(format!("propose {}", proposed(motion)), text)
            }
            Body::Genesis(_)
            | Body::Join(_)
            | Body::Start(_)
            | Body::Say(_)
            | Body::Heard
            | Body::Deck(_)
            | Body::Receipt(_)
            | Body::Stopped(_)
            | Body::Round(_)
            | Body::Dns(_)
            | Body::Address(_)
            | Body::Host(_)
            | Body::Correction(_)
            | Body::Clock(_)
            | Body::Reveal(_)
            | Body::End(_) => return None,
        };
        Some(folded(&words))
    }

    /// Whether words that a seat signed are this act, blanks and capitals aside.
    pub fn is_act(&self, words: &str) -> bool {
        self.act().is_some_and(|act| act == folded(words))
    }
}

fn proposed(motion: &Motion) -> String {
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_string());
    let text = |value: &Option<super::Text>| value.as_ref().map(ToString::to_string);
    match motion.what {
        Correcting::Draw | Correcting::Pause | Correcting::Resume | Correcting::Ruling => {
            motion.what.word().to_string()
        }
        Correcting::Undo => format!("undo to {}", or_none(motion.to.map(|to| to.to_string()))),
        Correcting::Deadline => format!("deadline {}", or_none(motion.until.as_ref().map(|until| until.to_string()))),
        Correcting::Seat => format!("replacement of {}", or_none(text(&motion.of))),
        Correcting::Rules => format!("rules {}", or_none(text(&motion.rules))),
        Correcting::Key => format!("key {}", or_none(text(&motion.key))),
    }
}

fn with_text(words: String, text: Option<&str>) -> String {
    text.map_or_else(|| words.clone(), |text| format!("{words}: {text}"))
}

/// Blanks and capitals do not count: a mail program may have changed them.
fn folded(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::body::{Ballot, Concede, Vote};
    use std::borrow::Cow;

    #[test]
    fn only_the_words_of_an_act_are_it() {
        let vote = |says| Body::Vote(Vote { motion: 12, says });
        assert!(vote(Ballot::Yes).is_act("Vote  yes 12"));
        assert!(!vote(Ballot::No).is_act("vote yes 12"));
        assert!(!vote(Ballot::Yes).is_act("vote yes"));
        let concede = |text: Option<&'static str>| Body::Concede(Concede { text: text.map(Cow::from) });
        assert!(concede(None).is_act("concede"));
        assert!(concede(Some("Well played")).is_act("concede: well played"));
        assert!(!concede(None).is_act("concede: well played"));
    }

    #[test]
    fn a_motion_is_signed_with_what_it_is_about() {
        let motion = Motion {
            what: Correcting::Undo,
            to: Some(40),
            of: None,
            key: None,
            rules: None,
            text: Cow::from(NO_REASON),
            until: None,
        };
        assert_eq!(Body::Motion(motion.clone()).act().as_deref(), Some("propose undo to 40"));
        let other = Motion { to: Some(41), text: Cow::from("A slip"), ..motion };
        assert_eq!(Body::Motion(other).act().as_deref(), Some("propose undo to 41: a slip"));
    }
}
