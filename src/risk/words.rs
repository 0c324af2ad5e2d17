//! The words for things in sentences, shared by news, view and questions.

use crate::board::{Board, Holder};
use crate::territory::Territory;
use engine::name::Named;
use engine::plural;
use engine::seat::Seat;

/// A colour as the subject of a sentence: `Yellow`.
pub fn colour(board: &Board, seat: Seat) -> &'static str {
    board.colour(seat).name().title()
}

/// Who holds a territory, as part of a sentence.
pub fn holder(board: &Board, holder: Holder) -> &'static str {
    match holder {
        Holder::Nobody => "nobody",
        Holder::Neutral => "the neutral army",
        Holder::Seat(seat) => colour(board, seat),
    }
}

/// The printed name of a territory: `The Shire`.
pub fn title(territory: Territory) -> &'static str {
    territory.name().title()
}

/// `1 battalion`, `3 battalions`.
pub fn battalions(number: u32) -> String {
    plural::counted(number, "battalion")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(things: &[impl AsRef<str>]) -> String {
    match things {
        [] => String::new(),
        [only] => only.as_ref().to_string(),
        [before @ .., last] => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", before.join(", "), last.as_ref())
        }
    }
}

/// The faces of dice: `6 5 2`.
pub fn dice(faces: &[u32]) -> String {
    faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
