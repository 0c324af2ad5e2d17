//! What a host writes down before a game begins.

use super::{BLACK, GREEN};
use record::charter::{Charter, CharterOption, CharterSeat};

/// The game `g7` of a title.
pub fn of(title: &str, seats: impl IntoIterator<Item = CharterSeat>) -> Charter {
    Charter { name: "g7".to_owned(), title: title.to_owned(), seats: seats.into_iter().collect(), ..Charter::default() }
}

/// Six riddles of Gollum's and Bilbo's.
pub fn riddles() -> Charter {
    let seats = [writer("Gollum", GREEN), writer("Bilbo", BLACK)];
    Charter { options: options(&[("turns", "6")]), ..of("riddles", seats) }
}

/// As many riddles as the small title has without an option: sixty turns.
pub fn many_riddles() -> Charter {
    Charter { options: Vec::new(), ..riddles() }
}

pub fn options(options: &[(&str, &str)]) -> Vec<CharterOption> {
    let option = |(name, value): &(&str, &str)| CharterOption { name: (*name).to_owned(), value: (*value).to_owned() };
    options.iter().map(option).collect()
}

/// A seat whose player's address is not known yet.
pub fn player(name: &str) -> CharterSeat {
    CharterSeat { player: name.to_owned(), ..CharterSeat::default() }
}

pub fn writer(name: &str, address: &str) -> CharterSeat {
    CharterSeat { address: Some(address.to_owned()), ..player(name) }
}
