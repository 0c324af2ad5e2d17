/*! What a new game is to be played by, as its host writes it down: YAML, or the flags of a command.

A charter holds addresses, so it is the host's; what everybody may know goes into the first record.
*/

pub mod calendar;
pub mod plan;
pub mod schedule;

use self::plan::Titles;
use self::schedule::{CharterSchedule, NotASchedule, known_zone};
use crate::engine::slot::{Deck, Faces};
use crate::engine::title::{Setup, Title};
use crate::record::commit::chain::HOST_LINKS;
use crate::record::commit::deck::root_commitment;
use crate::record::commit::signature::SigningKey;
use crate::record::entry::HOST;
use crate::record::entry::body::{Auth, Chosen, DicePlan, Escrow, Genesis, Mode, Press, Seating, Text, Votes, Welcome};
use crate::record::file::secrets::{SeatSecrets, Secrets, Tip};
use crate::record::fold::masks::Masks;
use serde::Deserialize;
use std::fmt;

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
    /// Which letters the players may send one another; such as name their sender if left out.
    #[serde(default)]
    pub press: Option<Press>,
    /// Who may ask for a place without having been invited; nobody if left out.
    #[serde(default)]
    pub welcome: Option<Welcome>,
    /// Links of the host's chain, if another number than usual.
    #[serde(default)]
    pub links: Option<u32>,
    /// How much time the seats have to answer.
    #[serde(default)]
    pub schedule: Option<CharterSchedule>,
    /// The least class of letters that are played; every class if left out (A5).
    #[serde(default)]
    pub min_auth: Option<Auth>,
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

/// Who is to sit where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "player, address and the rest, each in a line of its own")]
pub struct CharterSeat {
    /// The word of the seat; the usual one for its place if left out.
    #[serde(default)]
    pub seat: Option<String>,
    pub player: String,
    #[serde(default)]
    pub address: Option<String>,
    /// Whether the host plays it, or a program of his.
    #[serde(default)]
    pub host: bool,
    /// The player's time zone: `Europe/Berlin`.
    #[serde(default)]
    pub zone: Option<String>,
}

/// Why no game can be made of a charter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CharterError {
    TooLong,
    NotUnderstood(String),
    Name { found: String },
    Title { found: String },
    Edition { found: String, known: Vec<&'static str> },
    Option { found: String, known: Vec<&'static str> },
    OptionValue { name: String, found: String, values: Vec<&'static str> },
    Seat { found: String },
    Address { found: String },
    Links { found: u32 },
    Schedule(NotASchedule),
    Unplayable(String),
}

impl fmt::Display for CharterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CharterError::TooLong => write!(f, "a charter has at most {CHARTER_LIMIT} bytes"),
            CharterError::NotUnderstood(error) => write!(f, "the charter is not understood: {error}"),
            CharterError::Name { found } => write!(
                f,
                "`{found}` cannot be the name of a game: it has 1 to 32 small letters, digits and hyphens, \
                 and does not start with a hyphen"
            ),
            CharterError::Title { found } => write!(f, "there is no game `{found}`"),
            CharterError::Edition { found, known } => {
                write!(f, "there are no rules `{found}`; there are: {}", known.join(", "))
            }
            CharterError::Option { found, known } => {
                write!(f, "there is no option `{found}`; there are: {}", known.join(", "))
            }
            CharterError::OptionValue { name, found, values } => {
                write!(f, "the option `{name}` cannot be `{found}`; it can be: {}", values.join(", "))
            }
            CharterError::Seat { found } => {
                write!(f, "`{found}` cannot be a seat twice, nor `{HOST}`, nor empty")
            }
            CharterError::Address { found } => write!(f, "`{found}` is no address"),
            CharterError::Links { found } => {
                write!(f, "the host's chain has 128 to 16777216 links, not {found}")
            }
            CharterError::Schedule(wrong) => wrong.fmt(f),
            CharterError::Unplayable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CharterError {}

impl Charter {
    /// Reads a charter.
    ///
    /// # Errors
    /// It is too long, or no charter.
    pub fn read(text: &str) -> Result<Charter, CharterError> {
        if text.len() > CHARTER_LIMIT {
            return Err(CharterError::TooLong);
        }
        serde_yaml::from_str(text).map_err(|error| CharterError::NotUnderstood(error.to_string()))
    }

    /// The first record of the game, and what its host keeps. `secrets` are new ones.
    ///
    /// # Errors
    /// Something in the charter cannot be played.
    pub fn genesis(&self, secrets: &mut Secrets, titles: Titles) -> Result<Genesis<'static>, CharterError> {
        self.check_name()?;
        let title = titles(&self.title).ok_or_else(|| CharterError::Title { found: self.title.clone() })?;
        let setup = self.setup(title)?;
        title.begin(&setup).map_err(|why| CharterError::Unplayable(why.to_string()))?;
        let links = self.links.unwrap_or(HOST_LINKS);
        if !(128..=1 << 24).contains(&links) {
            return Err(CharterError::Links { found: links });
        }
        let first = secrets.chains.first().expect("new secrets have a chain");
        secrets.chains = vec![Tip { links, tip: first.tip }];
        secrets.seats = setup.seats.iter().zip(&self.seats).map(|(seat, who)| seat_secrets(seat, who)).collect();
        let masks = Masks::new(secrets.game, title, title.decks(&setup));
        let decks = (0..masks.printed().len()).map(|index| {
            let deck = Deck(u8::try_from(index).expect("a title has few decks"));
            let (masked, _) = masks.mask(&secrets.root, deck, 0, &masks.whole(deck), &Faces::default());
            masks.record(deck, 0, &masked)
        });
        let seat = |(word, seat): (&String, &CharterSeat)| {
            let zone = seat.zone.as_deref().map(known_zone).transpose().map_err(CharterError::Schedule)?;
            Ok(Seating {
                seat: Text::from(word.clone()),
                player: Text::from(seat.player.clone()),
                key: None,
                host: seat.host,
                zone: zone.map(|zone| Text::from(zone.name().to_string())),
            })
        };
        let schedule = self.schedule.as_ref().map(CharterSchedule::timetable).transpose();
        let option = |(name, value): &(String, String)| Chosen {
            name: Text::from(name.clone()),
            value: Text::from(value.clone()),
        };
        Ok(Genesis {
            format: 1,
            game: secrets.game,
            name: Text::from(self.name.clone()),
            title: Text::from(title.id()),
            rules: Text::from(setup.edition.clone()),
            engine: Some(Text::from(concat!("ringmail ", env!("CARGO_PKG_VERSION")))),
            options: setup.options.iter().map(option).collect(),
            seats: setup.seats.iter().zip(&self.seats).map(seat).collect::<Result<_, CharterError>>()?,
            dice: DicePlan { mode: Mode::Chain, links, anchor: secrets.host_chains()[0].anchor() },
            decks: decks.collect(),
            root: root_commitment(&secrets.game, 0, &secrets.root),
            host_key: secrets.host_key.map(|seed| Text::from(SigningKey::of_seed(&seed).public.to_string())),
            escrow: self.escrow,
            min_auth: self.min_auth.filter(|least| *least > Auth::None),
            schedule: schedule.map_err(CharterError::Schedule)?,
            votes: self.votes,
            press: self.press,
            welcome: self.welcome,
        })
    }

    fn check_name(&self) -> Result<(), CharterError> {
        let fits =
            |(at, byte): (usize, u8)| byte.is_ascii_lowercase() || byte.is_ascii_digit() || (byte == b'-' && at > 0);
        match (1..=32).contains(&self.name.len()) && self.name.bytes().enumerate().all(fits) {
            true => Ok(()),
            false => Err(CharterError::Name { found: self.name.clone() }),
        }
    }

    fn setup(&self, title: &dyn Title) -> Result<Setup, CharterError> {
        let editions = title.editions();
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
            let switch = title.switches().iter().find(|switch| switch.name == option.name);
            let known = || title.switches().iter().map(|switch| switch.name).collect();
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

fn seat_secrets(seat: &str, who: &CharterSeat) -> SeatSecrets {
    SeatSecrets { seat: seat.to_string(), addresses: who.address.iter().cloned().collect(), token_epoch: 0 }
}

/// Enough of an address to notice a slip; the letters will tell.
fn is_address(text: &str) -> bool {
    let plain = text.chars().all(|character| !character.is_control() && !character.is_whitespace());
    let parts: Vec<&str> = text.rsplitn(2, '@').collect();
    plain && text.len() <= 254 && parts.len() == 2 && parts.iter().all(|part| !part.is_empty())
}
