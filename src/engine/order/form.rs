//! The order form: what usually comes next, as lines to be filled in.

/// Lines that belong together, with what they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// What they spare their writer, in a sentence.
    pub why: &'static str,
    pub lines: Vec<String>,
}

impl Chain {
    pub fn of<L: Into<String>>(why: &'static str, lines: impl IntoIterator<Item = L>) -> Chain {
        Chain { why, lines: lines.into_iter().map(Into::into).collect() }
    }
}
