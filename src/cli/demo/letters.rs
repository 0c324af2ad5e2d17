//! The players' letters, in the order in which they arrive.

/// A letter as its author wrote it. When it is sent, the fields that make it a reply are added.
pub struct Shipped {
    /// When it arrives.
    pub at: &'static str,
    /// What it shows.
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
    Shipped { at: "2026-11-20T11:20:55Z", what: "Anna does the same", raw: include_str!("02-anna.eml") },
    Shipped {
        at: "2026-11-20T18:03:10Z",
        what: "Anna begins her turn, and misspells a word",
        raw: include_str!("03-anna.eml"),
    },
    Shipped {
        at: "2026-11-20T18:10:40Z",
        what: "Anna corrects it; what was done before remains",
        raw: include_str!("04-anna.eml"),
    },
    Shipped {
        at: "2026-11-20T18:16:03Z",
        what: "Bert answers the invasion, and leaves a standing order for the next ones",
        raw: include_str!("05-bert.eml"),
    },
    Shipped {
        at: "2026-11-20T19:40:20Z",
        what: "Anna goes on above the quoted text",
        raw: include_str!("06-anna.eml"),
    },
    Shipped {
        at: "2026-11-20T19:40:21Z",
        what: "the same letter once more: it plays once",
        raw: include_str!("06-anna.eml"),
    },
    Shipped {
        at: "2026-11-20T19:41:00Z",
        what: "Bert's vacation robot: it is neither played nor answered",
        raw: include_str!("08-bert.eml"),
    },
    Shipped {
        at: "2026-11-20T19:52:59Z",
        what: "Anna goes on from Lórien, in another character set, and ends her turn",
        raw: include_str!("09-anna.eml"),
    },
    Shipped { at: "2026-11-21T09:05:41Z", what: "Anna holds a card too many", raw: include_str!("10-anna.eml") },
    Shipped {
        at: "2026-11-23T07:30:31Z",
        what: "Bert is back, and takes Minas Tirith",
        raw: include_str!("11-bert.eml"),
    },
];
