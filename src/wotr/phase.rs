//! The phases of the game turn (3).

/// The six phases of a turn (3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Recovery,
    Fellowship,
    Allocation,
    ActionRoll,
    Actions,
    VictoryCheck,
}

impl Phase {
    pub const ALL: [Phase; 6] =
        [Phase::Recovery, Phase::Fellowship, Phase::Allocation, Phase::ActionRoll, Phase::Actions, Phase::VictoryCheck];

    /// Its id.
    pub const fn id(self) -> &'static str {
        match self {
            Phase::Recovery => "recovery",
            Phase::Fellowship => "fellowship",
            Phase::Allocation => "allocation",
            Phase::ActionRoll => "action-roll",
            Phase::Actions => "actions",
            Phase::VictoryCheck => "victory-check",
        }
    }
}
