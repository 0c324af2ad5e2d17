/*! The charter of a new game, as its host writes it: YAML, or the flags of a command.

A charter holds addresses, so only the host keeps it; what everybody may know goes into the first record. This module
reads a charter and checks it against its title; the table makes the first record from it.

In reading order: [`schedule`] is the time to answer as the charter sets it, [`calendar`] counts it, [`plan`] is the
first record, checked and understood; [`dice`] is what feeds the dice. This module knows no state of a game.
*/

pub mod calendar;
pub mod dice;
pub mod plan;
pub mod schedule;

use self::dice::CharterDice;
use self::schedule::{CharterSchedule, NotASchedule};
use crate::entry::HOST;
use crate::entry::body::{Auth, Escrow, Played, Press, Votes, Welcome};
use engine::title::{Setup, Title};
use ground::yaml;
use serde::Deserialize;
use thiserror::Error;

/// A charter longer than this was not written by a person.
pub const CHARTER_LIMIT: usize = 1024 * 1024;

/// A new game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "name, title, seats and the rest, each in a line of its own")]
pub struct Charter {
    /// What the players call the game; it stands in addresses and names of files.
    pub name: String,
    /// The kind of game.
    pub title: String,
    /// The edition of the rules; the newest if left out.
    #[serde(default)]
    pub rules: Option<String>,
    #[serde(default)]
    pub options: Vec<CharterOption>,
    pub seats: Vec<CharterSeat>,
    /// Who must agree to a motion; every seat if left out.
    #[serde(default)]
    pub votes: Option<Votes>,
    /// Which letters the players may send one another; default: only letters that name their sender.
    #[serde(default)]
    pub press: Option<Press>,
    /// Who may ask for a place without having been invited; nobody if left out.
    #[serde(default)]
    pub welcome: Option<Welcome>,
    /// The program that the first record names as the maker of the game; this program and its version if left out. It
    /// cannot be set in a written charter: it is for games whose dice must be the same in every version, such as the
    /// demo.
    #[serde(skip)]
    pub engine: Option<String>,
    /// How much time the seats have to answer.
    #[serde(default)]
    pub schedule: Option<CharterSchedule>,
    /// The lowest class of acts that the game accepts (A5); `token` if left out.
    #[serde(default)]
    pub min_auth: Option<Auth>,
    /// What the dice follow from; if left out, the host's chain and what the players add when they join.
    #[serde(default)]
    pub dice: Option<CharterDice>,
    /// Whether the seats keep shares of the dealer's root, with which all together can go on without the host.
    #[serde(default)]
    pub escrow: Option<Escrow>,
}

/// A switch of the title that differs from its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "name and value")]
pub struct CharterOption {
    pub name: String,
    pub value: String,
}

impl CharterOption {
    /// Reads `defender_dice=ask`. The error is a sentence for the host.
    pub fn read(text: &str) -> Result<CharterOption, String> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| format!("`{text}` is not an option: write SWITCH=VALUE."))?;
        Ok(CharterOption { name: name.trim().to_string(), value: value.trim().to_string() })
    }
}

/// One seat, and who plays it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "player, address and the rest, each in a line of its own")]
pub struct CharterSeat {
    /// The word of the seat; the usual one for its place if left out.
    #[serde(default)]
    pub seat: Option<String>,
    pub player: String,
    #[serde(default)]
    pub address: Option<String>,
    /// Whether the host plays it.
    #[serde(default)]
    pub host: bool,
    /// The program of the host that plays it, if one does: `program`, `easy` or `strong`.
    #[serde(default)]
    pub played: Option<Played>,
    /// The player's time zone: `Europe/Berlin`.
    #[serde(default)]
    pub zone: Option<String>,
}

/// Why no game can be made of a charter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CharterError {
    #[error("a charter has at most {CHARTER_LIMIT} bytes")]
    TooLong,
    #[error("the charter is not understood: {0}")]
    NotUnderstood(String),
    #[error(
        "`{found}` cannot be the name of a game: it has 1 to 32 small letters, digits and hyphens, and does not start \
         with a hyphen"
    )]
    Name { found: String },
    #[error("there is no game `{found}`")]
    Title { found: String },
    #[error("there are no rules `{found}`; there are: {}", .known.join(", "))]
    Edition { found: String, known: Vec<&'static str> },
    #[error("there is no option `{found}`; there are: {}", .known.join(", "))]
    Option { found: String, known: Vec<&'static str> },
    #[error("the option `{name}` cannot be `{found}`; it can be: {}", .values.join(", "))]
    OptionValue { name: String, found: String, values: Vec<&'static str> },
    #[error("`{found}` cannot be a seat twice, nor `{HOST}`, nor empty")]
    Seat { found: String },
    #[error("`{found}` is no address")]
    Address { found: String },
    #[error("dice: own: {0}")]
    Chain(String),
    #[error("{0}")]
    Schedule(NotASchedule),
    #[error("{0}")]
    Unplayable(String),
}

impl Charter {
    /// Reads a charter.
    pub fn read(text: &str) -> Result<Charter, CharterError> {
        if text.len() > CHARTER_LIMIT {
            return Err(CharterError::TooLong);
        }
        yaml::read(text).map_err(|error| CharterError::NotUnderstood(error.to_string()))
    }

    pub(crate) fn check_name(&self) -> Result<(), CharterError> {
        let fits =
            |(at, byte): (usize, u8)| byte.is_ascii_lowercase() || byte.is_ascii_digit() || (byte == b'-' && at > 0);
        if (1..=32).contains(&self.name.len()) && self.name.bytes().enumerate().all(fits) {
            Ok(())
        } else {
            Err(CharterError::Name { found: self.name.clone() })
        }
    }

    /// What the title is set up with.
    pub(crate) fn setup(&self, title: &Title) -> Result<Setup, CharterError> {
        let editions = title.editions;
        let edition = self.rules.clone().unwrap_or_else(|| editions[0].to_string());
        if !editions.contains(&edition.as_str()) {
            return Err(CharterError::Edition { found: edition, known: editions.to_vec() });
        }
        let usual = title.seats(self.seats.len()).map_err(|why| CharterError::Unplayable(why.to_string()))?;
        let mut seats: Vec<String> = Vec::new();
        for (index, seat) in self.seats.iter().enumerate() {
            let word = match &seat.seat {
                Some(word) => word.clone(),
                None => usual.get(index).map(|word| (*word).to_string()).unwrap_or_default(),
            };
            if word.is_empty() || word == HOST || seats.contains(&word) {
                return Err(CharterError::Seat { found: word });
            }
            if let Some(address) = seat.address.as_ref().filter(|address| !is_address(address)) {
                return Err(CharterError::Address { found: address.clone() });
            }
            seats.push(word);
        }
        for option in &self.options {
            let switch = title.switches.iter().find(|switch| switch.name == option.name);
            let known = || title.switches.iter().map(|switch| switch.name).collect();
            let switch = switch.ok_or_else(|| CharterError::Option { found: option.name.clone(), known: known() })?;
            if !switch.values.contains(&option.value.as_str()) {
                return Err(CharterError::OptionValue {
                    name: option.name.clone(),
                    found: option.value.clone(),
                    values: switch.values.to_vec(),
                });
            }
        }
        let options = self.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect();
        Ok(Setup { edition, seats, options })
    }
}

/// Catches only slips; whether an address works shows when a letter goes out.
fn is_address(text: &str) -> bool {
    let plain = text.chars().all(|character| !character.is_control() && !character.is_whitespace());
    let parts: Vec<&str> = text.rsplitn(2, '@').collect();
    plain && text.len() <= 254 && parts.len() == 2 && parts.iter().all(|part| !part.is_empty())
}
