/*! Guests of a game: people who are invited and hold no seat yet, and people who only watch.

A guest has a place of his own, `guest-1`, with an address and a token like a seat's; they are kept beside those of the
seats. What became of his invitation is in the book of the desk, and nothing of it in the log.
*/

use super::Book;
use ground::hash::Hash;
use record::entry::body::Auth;
use report::guest::{Role, Stage};
use serde::{Deserialize, Serialize};

/// How the places of guests begin. No seat of a title has such a name.
const GUEST: &str = "guest-";

/// A guest, as the book knows him. A newer note of the same number takes the place of the older one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    pub number: u32,
    pub role: Role,
    pub state: Stage,
    /// What he is called at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The seat that is offered to him, or that was found for him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The seats he would like, the first one best; empty if any will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<String>,
    /// Words that he adds to the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
    /// The key with which he will sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The newest entry of the log when he was invited, or when he said that he takes a seat.
    pub since: u64,
    /// His place on the waiting list for a seat.
    #[serde(default)]
    pub row: u32,
    /// The player who agreed that he takes the seat, and the letter that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_by: Option<Given>,
    /// The letter in which he accepted it himself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Hash>,
    /// The state that a letter last told him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Stage>,
}

/// A seat that its player gave to a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    pub seat: String,
    pub raw: Option<Hash>,
    /// The last entry that this letter had seen, and what ties it to the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
}

impl Guest {
    /// The word of his place.
    pub fn word(&self) -> String {
        word(self.number)
    }

    /// Whether he has yet to take or to decline a seat.
    pub fn is_before(&self) -> bool {
        matches!(self.state, Stage::Invited | Stage::Waiting | Stage::Seated)
    }
}

/// The word of the place of a guest.
pub fn word(number: u32) -> String {
    format!("{GUEST}{number}")
}

/// The number of a guest, from the word of his place; `None` for the word of a seat.
pub fn number(word: &str) -> Option<u32> {
    word.strip_prefix(GUEST)?.parse().ok()
}

/// Seats for those who wait, in their order: the distribution in which all together get the best of their wishes. If
/// two are equally good, the guest who came first chooses. There are at least as many guests as seats.
pub fn seated(guests: &[Guest], seats: &[String]) -> Vec<String> {
    let cost = |guest: &Guest, seat: &String| match guest.wishes.iter().position(|wish| wish == seat) {
        Some(place) => place,
        None => guest.wishes.len(),
    };
    let mut best: Option<(usize, Vec<usize>, Vec<String>)> = None;
    for order in orders(seats) {
        let costs: Vec<usize> = guests.iter().zip(&order).map(|(guest, seat)| cost(guest, seat)).collect();
        let found = (costs.iter().sum(), costs, order);
        if best.as_ref().is_none_or(|best| (found.0, &found.1) < (best.0, &best.1)) {
            best = Some(found);
        }
    }
    best.map_or_else(Vec::new, |(_, _, order)| order)
}

/// Every order of a few seats, the given one first.
fn orders(seats: &[String]) -> Vec<Vec<String>> {
    let [_, ..] = seats else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for (index, seat) in seats.iter().enumerate() {
        let rest: Vec<String> = [&seats[..index], &seats[index + 1..]].concat();
        for order in orders(&rest) {
            all.push([vec![seat.clone()], order].concat());
        }
    }
    all
}

impl Book {
    /// The guests of the game, the first one first.
    pub fn guests(&self) -> impl Iterator<Item = &Guest> {
        self.guests.values()
    }

    /// The guest of a place.
    pub fn guest(&self, word: &str) -> Option<&Guest> {
        self.guests.get(&number(word)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(wishes: &[&[&str]], expected: &[&str]) {
        let guest = |(index, wishes): (usize, &&[&str])| Guest {
            number: index as u32 + 1,
            role: Role::Player,
            state: Stage::Waiting,
            name: None,
            seat: None,
            wishes: wishes.iter().map(|wish| (*wish).to_owned()).collect(),
            phrase: None,
            key: None,
            since: 0,
            row: index as u32,
            given_by: None,
            raw: None,
            told: None,
        };
        let guests: Vec<Guest> = wishes.iter().enumerate().map(guest).collect();
        let seats = ["green", "black", "red"].map(str::to_owned);
        assert_eq!(seated(&guests, &seats), expected);
    }

    #[test]
    fn everybody_gets_what_he_likes_as_far_as_it_goes() {
        case(&[&[], &[], &[]], &["green", "black", "red"]);
        case(&[&["red"], &["green"], &[]], &["red", "green", "black"]);
        case(&[&["red"], &["red"], &["black"]], &["red", "green", "black"]);
        case(&[&["red", "black"], &["red"], &["black"]], &["red", "green", "black"]);
        case(&[&["black", "red"], &["black"], &["green"]], &["black", "red", "green"]);
        case(&[&["black", "red"], &["black"], &[]], &["black", "green", "red"]);
    }
}
