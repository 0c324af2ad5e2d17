/*! What a game is played by, as its first record says, checked and understood. */

use super::schedule::Schedule;
use crate::commit::beacon::{Chain, ChainInfo, NotAChain, SCHEME};
use crate::commit::signature::PublicKey;
use crate::entry::HOST;
use crate::entry::body::{Auth, DicePlan, Escrow, Genesis, Mode, Played, Press, Votes, Welcome};
use crate::entry::lines;
use crate::problem::rule::Rule;
use crate::problem::{Problem, line_problem, value};
use engine::seat::Seat;
use engine::title::{Setup, Title, Titles};
use ground::hash::{GameId, Hash};
use std::collections::BTreeSet;

/// The format of the logs that this program writes and reads.
pub const FORMAT: u32 = 2;

/// The format that the first record of a log names, if it is not ours. Nothing else of the record is read: another
/// format may have other keys.
pub fn other_format(first: &[u8]) -> Option<u32> {
    let mut lines = first.split(|byte| *byte == b'\n');
    let is_genesis = |line: &&[u8]| **line == *b"type: \"genesis\"";
    lines.find(is_genesis)?;
    let format = lines.find_map(|line| line.strip_prefix(b"format: "))?;
    let format: u32 = std::str::from_utf8(format).ok()?.parse().ok()?;
    (format != FORMAT).then_some(format)
}

/// What programs of this format must know to read a log; a log that says nothing needs no more than this.
const LEVEL: u32 = 1;

/// What is wrong with a record that says that from here on more is needed than this program knows: in the first record
/// directly below the format, later in a record `level` of its own. Nothing else of the record is read: it may have
/// other keys.
pub fn newer_level(record: &[u8]) -> Option<Problem> {
    let mut lines = record.split(|byte| *byte == b'\n').skip(4);
    let is_genesis = match lines.next()? {
        b"type: \"genesis\"" => true,
        b"type: \"level\"" => false,
        _ => return None,
    };
    let level = lines.nth(if is_genesis { 2 } else { 1 })?.strip_prefix(b"level: ")?;
    let needs: u32 = std::str::from_utf8(level).ok()?.parse().ok()?;
    (needs > LEVEL).then_some(Problem::Level { needs, knows: LEVEL })
}

/// What a game is played by: as it began, and as the table has agreed since.
#[derive(Clone)]
pub struct Plan {
    pub game: GameId,
    pub name: String,
    pub title: &'static Title,
    pub setup: Setup,
    pub seats: Vec<SeatPlan>,
    /// What the dice follow from besides the host's chain.
    pub mode: Mode,
    /// The chain of the beacon, in mode `beacon`.
    pub beacon: Option<Chain>,
    /// The anchor of the host's chain.
    pub anchor: Hash,
    /// The commitment to the dealer's root.
    pub root: Hash,
    /// How much time the seats have; `None`: the game waits without limit.
    pub schedule: Option<Schedule>,
    /// Who must agree to a motion.
    pub votes: Votes,
    /// Which letters the players may send one another.
    pub press: Press,
    /// Who may ask for a place without having been invited.
    pub welcome: Option<Welcome>,
    /// The lowest class of letters that the game accepts (A5).
    pub min_auth: Auth,
    /// Whether shares of the root are given out at the start.
    pub escrow: Option<Escrow>,
    /// The key of the host's checkpoints.
    pub host_key: Option<PublicKey>,
}

/// A seat of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatPlan {
    /// Its word: `green`.
    pub word: String,
    pub player: String,
    /// Whether the host plays it, or a program of his.
    pub hosted: bool,
    /// Whether it may be played at the host's keyboard: until another player takes it.
    pub at_keyboard: bool,
    /// The level of the host's program that plays it, if the charter names one, until a player takes it.
    pub program: Option<Played>,
    /// The name of its player's time zone.
    pub zone: Option<String>,
}

/// The name of a player who is not known yet.
pub const NOT_KNOWN: &str = "?";

/// Whether another seat is of a player with the same name. The seats that the host holds are all his.
pub fn is_named_twice(seats: &[SeatPlan], index: usize) -> bool {
    let SeatPlan { player, hosted, .. } = &seats[index];
    let is_other =
        |(other, seat): (usize, &SeatPlan)| other != index && seat.player == *player && !(*hosted && seat.hosted);
    player != NOT_KNOWN && seats.iter().enumerate().any(is_other)
}

/// The chain of the beacon: quicknet is known by its hash, another one must be described.
fn beacon(dice: &DicePlan) -> Result<Option<Chain>, Problem> {
    // The key of the chain is checked only where it is used: the check takes longer than the rest of a plan.
    let is_quicknet = |hash: &Hash| *hash == Chain::quicknet_hash();
    match (&dice.chain, &dice.own) {
        (None, None) if dice.mode == Mode::Chain => Ok(None),
        (Some(hash), _) if dice.mode == Mode::Chain => Err(value(
            Rule::GenesisChain,
            "chain",
            "left out: in mode `chain` no dice follow from a beacon",
            &hash.to_string(),
        )),
        (None, _) => Err(value(Rule::GenesisChain, "chain", "the hash of the chain of the beacon", "nothing")),
        (Some(hash), None) if is_quicknet(hash) => Ok(Some(Chain::quicknet())),
        (Some(hash), None) => {
            Err(value(Rule::GenesisOwn, "own", &format!("what describes the chain {hash}"), "nothing"))
        }
        (Some(hash), Some(_)) if is_quicknet(hash) => {
            Err(value(Rule::GenesisOwn, "own", "left out for quicknet", "there"))
        }
        (Some(hash), Some(own)) => {
            let info = ChainInfo {
                hash: *hash,
                scheme: SCHEME.to_owned(),
                public_key: own.public_key,
                period: own.period,
                genesis_time: own.genesis_time,
                group_hash: own.group_hash,
                beacon_id: own.beacon_id.to_string(),
            };
            let wrong = |why: NotAChain| {
                value(Rule::GenesisOwn, "own", "a chain whose rounds can be checked", &why.to_string())
            };
            Chain::new(info).map(Some).map_err(wrong)
        }
    }
}

/// Whether the seats can be played as the first record says.
fn check_seats(genesis: &Genesis) -> Result<(), Problem> {
    let words: BTreeSet<&str> = genesis.seats.iter().map(|seat| &*seat.seat).collect();
    if words.len() != genesis.seats.len() || words.contains(HOST) || words.contains("") {
        let found = genesis.seats.iter().map(|seat| &*seat.seat).collect::<Vec<_>>().join(", ");
        return Err(value(Rule::GenesisSeats, "seats", "words that differ, and none of them `host`", &found));
    }
    let shared = genesis.seats.iter().filter(|seat| !seat.host).count();
    if genesis.escrow.is_some() && shared < crate::commit::escrow::SEATS_MIN {
        return Err(value(Rule::GenesisEscrow, "escrow", "left out with fewer than two seats to share", "shares"));
    }
    // Ordinary answers are never confirmed, only acts of great consequence.
    if genesis.min_auth == Some(Auth::Confirmed) {
        return Err(value(Rule::GenesisMinAuth, "min_auth", "keyboard, token, dkim or ssh", Auth::Confirmed.word()));
    }
    if genesis.seats.is_empty() || genesis.seats.len() > 250 {
        return Err(value(Rule::GenesisSeats, "seats", "1 to 250 seats", &genesis.seats.len().to_string()));
    }
    // Log 5.21.
    if let Some(seat) = genesis.seats.iter().find(|seat| seat.played.is_some() && !seat.host) {
        return Err(value(
            Rule::GenesisPlayed,
            "played",
            "left out for a seat that the host does not hold",
            &seat.seat,
        ));
    }
    if genesis.seats.iter().all(|seat| seat.played.is_some()) {
        return Err(value(
            Rule::GenesisPlayed,
            "played",
            "left out for a seat at least, which a person plays",
            "every seat",
        ));
    }
    Ok(())
}

/// The schedule, which has one spelling.
fn schedule(genesis: &Genesis) -> Result<Option<Schedule>, Problem> {
    let schedule = genesis.schedule.as_ref().map(Schedule::understand).transpose();
    let schedule = schedule.map_err(|wrong| value(Rule::GenesisSchedule, wrong.key, wrong.expected, &wrong.found))?;
    if schedule.as_ref().map(Schedule::recorded) != genesis.schedule {
        let expected = "written as this program writes it, without what would be so anyhow";
        return Err(value(Rule::GenesisSchedule, "schedule", expected, "otherwise"));
    }
    Ok(schedule)
}

impl Plan {
    /// Understands the first record of a log.
    pub fn new(genesis: &Genesis, titles: Titles) -> Result<Plan, Problem> {
        if genesis.format != FORMAT {
            return Err(Problem::Format { found: genesis.format });
        }
        lines::of_genesis(genesis).iter().find_map(line_problem).map_or(Ok(()), Err)?;
        let unknown = || Problem::UnknownTitle { title: genesis.title.to_string(), rules: genesis.rules.to_string() };
        let title = titles.by_id(&genesis.title).ok_or_else(unknown)?;
        if !title.editions.contains(&&*genesis.rules) {
            return Err(unknown());
        }
        let beacon = beacon(&genesis.dice)?;
        check_seats(genesis)?;
        let seat = |seat: &crate::entry::body::Seating| SeatPlan {
            word: seat.seat.to_string(),
            player: seat.player.to_string(),
            hosted: seat.host,
            at_keyboard: seat.host,
            program: seat.played,
            zone: seat.zone.as_ref().map(ToString::to_string),
        };
        let seats: Vec<SeatPlan> = genesis.seats.iter().map(seat).collect();
        let twice = (0..seats.len()).find(|index| is_named_twice(&seats, *index));
        twice.map_or(Ok(()), |twice| {
            Err(value(Rule::PlayerTwice, "player", "a name that no other player has", &seats[twice].player))
        })?;
        let schedule = schedule(genesis)?;
        let host_key = genesis.host_key.as_deref().map(PublicKey::read).transpose();
        let host_key = host_key.map_err(|refused| {
            value(Rule::GenesisHostKey, "host_key", "an ed25519 key, or left out", &refused.to_string())
        })?;
        let option = |option: &crate::entry::body::Chosen| (option.name.to_string(), option.value.to_string());
        Ok(Plan {
            game: genesis.game,
            name: genesis.name.to_string(),
            title,
            setup: Setup {
                edition: genesis.rules.to_string(),
                seats: seats.iter().map(|seat| seat.word.clone()).collect(),
                options: genesis.options.iter().map(option).collect(),
            },
            seats,
            mode: genesis.dice.mode,
            beacon,
            anchor: genesis.dice.anchor,
            root: genesis.root,
            schedule,
            votes: genesis.votes.unwrap_or(Votes::All),
            press: genesis.press.unwrap_or(Press::Open),
            welcome: genesis.welcome,
            escrow: genesis.escrow,
            min_auth: genesis.min_auth.unwrap_or(Auth::Token),
            host_key,
        })
    }

    /// The seat of a word.
    pub fn seat(&self, word: &str) -> Option<Seat> {
        self.seats.iter().position(|seat| seat.word == word).map(Seat::at)
    }

    /// The seats that the host does not hold.
    pub fn players(&self) -> Vec<Seat> {
        let seats = self.seats.iter().enumerate().filter(|(_, seat)| !seat.hosted);
        seats.map(|(index, _)| Seat::at(index)).collect()
    }

    /// The word of a seat.
    pub fn word(&self, seat: Seat) -> &str {
        &self.seats[seat.index()].word
    }
}
