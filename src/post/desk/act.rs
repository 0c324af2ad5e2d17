//! What is to be done with a line, by what it is and how its letter stands to the open question. It is known before
//! anything is done; [`super::sentence`] then does it.

use super::hearing::{Hearing, Line};
use crate::order::sentences::Sentence;
use crate::order::wrapped;
use engine::refusal::Refusal;
use report::fate::Fate;

/// How a letter stands to the question that is open when a line of it has its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    /// The line may answer the question.
    Asked,
    /// The letter must not answer it, and this is why.
    Barred(OutOfDate),
    /// Its seat is not asked, or what stands above the line is to be said first.
    Waits,
    /// The letter is only tried out.
    Tried,
}

/// Why a letter must not answer the open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutOfDate {
    pub(super) why: String,
    /// The entry that its writer had seen, if the game has gone on since.
    pub(super) since: Option<u64>,
}

impl OutOfDate {
    /// For what is so now, whatever the writer had seen.
    pub(super) fn now(why: String) -> OutOfDate {
        OutOfDate { why, since: None }
    }
}

/// What is to be done with a sentence of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    /// How many of the lines below it are taken in first; `None` if it is not known yet how far it goes.
    pub(super) takes: Option<usize>,
    pub(super) act: Act,
}

/// What is to be done with a sentence of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// It is said in answer to the open question.
    Say,
    /// It is kept until its question comes.
    Keep,
    /// It is tried out.
    Try,
    /// The letter ends here.
    End,
    /// It is refused for what the game says of it, perhaps with a proposal.
    Propose(Refusal),
    Refuse(Fate),
}

impl Act {
    fn alone(self) -> Decided {
        Decided { takes: None, act: self }
    }
}

/// Decides what is done with a sentence. `hear` tells what it is at this position; it is asked only if that matters.
pub(super) fn of(sentence: &Sentence, stand: Stand, hear: impl FnOnce() -> Line) -> Decided {
    let is_tried = stand == Stand::Tried;
    match stand {
        Stand::Barred(OutOfDate { why, .. }) => return Act::Refuse(Fate::refused(why)).alone(),
        Stand::Waits => return Act::Keep.alone(),
        Stand::Asked | Stand::Tried => {}
    }
    let Line { takes, hearing } = hear();
    let act = match hearing {
        Hearing::InDoubt => return Act::Refuse(Fate::refused(wrapped::in_doubt(sentence.rest()))).alone(),
        Hearing::CutOff(flaw) => Act::Refuse(Fate::refused(flaw.to_string())),
        _ if is_tried => Act::Try,
        heard => on_its_own(heard),
    };
    Decided { takes: Some(takes), act }
}

/// What is done with a whole sentence of a seat that is asked.
pub(super) fn on_its_own(hearing: Hearing) -> Act {
    match hearing {
        Hearing::Plays => Act::Say,
        Hearing::Ahead => Act::Keep,
        Hearing::Ends => Act::End,
        Hearing::Forbidden(refusal) | Hearing::NotUnderstood(refusal) => Act::Propose(refusal),
        Hearing::CutOff(flaw) => Act::Refuse(Fate::refused(flaw.to_string())),
        Hearing::InDoubt | Hearing::Request | Hearing::Chatter { .. } => {
            unreachable!("only a whole sentence of the game is decided here")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::sentences::{Closing, Form, Start, Wrapping};
    use crate::order::unread::LineRefusal;

    fn decided_of(stand: Stand, hearing: Hearing) -> Decided {
        let (words, form) = ("pass".to_owned(), Form::Answer);
        let sentence = Sentence {
            line: 1,
            last: 1,
            original: words.clone(),
            words,
            form,
            start: Start::Margin,
            adds: false,
            wrapping: Wrapping::Whole,
            closing: Closing::Ordinary,
            below: None,
            signed: None,
            doubt: None,
        };
        of(&sentence, stand, || Line { takes: 2, hearing })
    }

    fn decided(stand: Stand, hearing: Hearing) -> Act {
        decided_of(stand, hearing).act
    }

    #[test]
    fn what_a_line_is_decides_what_is_done() {
        let refusal = Refusal::NotAsked { waits_for: None };
        let flaw = || Hearing::CutOff(LineRefusal::Question);
        assert_eq!(decided(Stand::Asked, Hearing::Plays), Act::Say);
        assert_eq!(decided(Stand::Asked, Hearing::Ahead), Act::Keep);
        assert_eq!(decided(Stand::Asked, Hearing::Ends), Act::End);
        assert_eq!(decided(Stand::Asked, Hearing::Forbidden(refusal.clone())), Act::Propose(refusal.clone()));
        assert_eq!(decided(Stand::Asked, Hearing::NotUnderstood(refusal.clone())), Act::Propose(refusal.clone()));
        assert!(matches!(decided(Stand::Asked, Hearing::InDoubt), Act::Refuse(_)));
        assert!(matches!(decided(Stand::Asked, flaw()), Act::Refuse(_)));
        // What is tried out is read by the trial itself; what is not whole is not even tried.
        assert_eq!(decided(Stand::Tried, Hearing::Forbidden(refusal)), Act::Try);
        assert!(matches!(decided(Stand::Tried, flaw()), Act::Refuse(_)));
        // A line that waits is heard when its question comes: until then the lines below may belong to it.
        assert_eq!(decided_of(Stand::Waits, flaw()), Decided { takes: None, act: Act::Keep });
        assert_eq!(decided_of(Stand::Asked, Hearing::InDoubt).takes, None);
        assert_eq!(decided_of(Stand::Asked, Hearing::Plays).takes, Some(2));
        let why = OutOfDate { why: "the game has gone on".to_owned(), since: Some(3) };
        assert_eq!(decided(Stand::Barred(why), Hearing::Plays), Act::Refuse(Fate::refused("the game has gone on")));
    }
}
