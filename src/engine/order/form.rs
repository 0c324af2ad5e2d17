//! The order form: lines to fill in for what usually comes next.

/// Lines that belong together, and what they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// What they save the player, in a sentence.
    pub why: &'static str,
    pub lines: Vec<String>,
}

impl Chain {
    pub fn of<L: Into<String>>(why: &'static str, lines: impl IntoIterator<Item = L>) -> Chain {
        Chain { why, lines: lines.into_iter().map(Into::into).collect() }
    }
}
