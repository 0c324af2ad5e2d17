//! The parts of a turn (4.1): a game can be set up to continue with any of them.

/// A part of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Step 1, with the turn start before it.
    Reinforce,
    /// Step 2.
    Combat,
    /// Step 3.
    Fortify,
    /// Steps 4 to 6.
    Collect,
    /// Step 7, and the search for the Ring before it.
    Fellowship,
}

impl Phase {
    const ALL: [Phase; 5] = [Phase::Reinforce, Phase::Combat, Phase::Fortify, Phase::Collect, Phase::Fellowship];

    pub fn word(self) -> &'static str {
        match self {
            Phase::Reinforce => "reinforce",
            Phase::Combat => "combat",
            Phase::Fortify => "fortify",
            Phase::Collect => "collect",
            Phase::Fellowship => "fellowship",
        }
    }

    /// The phase with this word.
    pub fn of(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }

    /// All words, for messages.
    pub fn words() -> String {
        Phase::ALL.map(Phase::word).join(", ")
    }
}
