//! The players' letters, in the order in which they arrive.

/// A letter as its author wrote it; his mail program adds whom it answers.
pub struct Shipped {
    /// When it arrives.
    pub at: &'static str,
    /// What there is to see.
    pub what: &'static str,
    pub raw: &'static str,
}

/// Every letter of the demo.
pub const LETTERS: &[Shipped] = &[
    Shipped {
        at: "2026-11-20T08:41:30Z",
        what: "Bert claims, places and leads in one letter",
        raw: include_str!("01-bert.eml"),
    },
    Shipped {
        at: "2026-11-20T11:20:55Z",
        what: "Anna does the same; one code covers all her answers",
        raw: include_str!("02-anna.eml"),
    },
];
