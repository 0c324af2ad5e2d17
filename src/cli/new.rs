//! `new`: makes a game from flags or from a charter.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::schedule_flags::ScheduleFlags;
use crate::titles;
use clap::Args;
use ground::disk::place::open_for_reading;
use net::beacon::{Patience, Relay};
use post::doctor::relays;
use record::charter::dice::CharterDice;
use record::charter::plan::NOT_KNOWN;
use record::charter::{CHARTER_LIMIT, Charter, CharterOption, CharterSeat};
use record::commit::beacon::Chain;
use record::commit::escrow::SEATS_MIN;
use record::entry::body::{Auth, Escrow, Mode, Played, Press, Votes, Welcome};
use record::file::secrets::Secrets;
use record::table::Table;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Make a new game: its charter, its committed dice and decks.
///
/// The seats are listed in the order in which they sit. Nothing is played before every seat has joined and the game
/// is started.
#[derive(Args, Debug)]
#[command(after_help = new_help())]
pub struct New {
    /// What the players call the game: small letters, digits and hyphens.
    name: String,
    /// The kind of game.
    #[arg(long, default_value = "risk")]
    title: String,
    /// A seat and who sits there; repeat it for each. Where the seats' words are left out, the first is the first seat
    /// of the title, as `free` is of War of the Ring, and so on. `bot` is the program, `bot:easy` and `bot:strong` are
    /// the program for beginners and one that thinks longer.
    #[arg(long = "seat", value_name = "SEAT=NAME <ADDRESS>")]
    seats: Vec<String>,
    /// A seat that the host plays himself, so that everybody knows.
    #[arg(long = "host-plays", value_name = "SEAT")]
    hosted: Vec<String>,
    /// A switch of the rules that differs from its default.
    #[arg(long = "option", value_name = "SWITCH=VALUE")]
    options: Vec<String>,
    /// The edition of the rules; the newest if left out.
    #[arg(long)]
    rules: Option<String>,
    /// What must tie an act to its seat at least: token (if left out), dkim or ssh for letters; keyboard for a
    /// game round one table, typed at this machine.
    #[arg(long, value_name = "CLASS", value_parser = class)]
    min_auth: Option<Auth>,
    /// Who must agree to a motion of a player.
    #[arg(long, value_parser = ["all", "majority"])]
    votes: Option<String>,
    /// Which letters the players may send one another through the post.
    #[arg(long, value_parser = ["none", "open", "anonymous"])]
    press: Option<String>,
    /// Who may ask for a place by letter without having been invited; by default nobody.
    #[arg(long, value_parser = ["watchers", "players"])]
    welcome: Option<String>,
    /// Whether the seats keep shares of the dealer's root, with which all of them together can go on if the host
    /// vanishes. By default they do, unless the host plays: two seats together could then read his hand.
    #[arg(long, value_name = "WHO", value_parser = ["seats", "none"])]
    escrow: Option<String>,
    /// What the dice follow from: `beacon`, rounds of the public beacon quicknet, which nobody knows beforehand and
    /// each answer waits five minutes for; or `chain`, values that the host's program fixes before the start, which the
    /// host could know. By default the beacon, if a relay of the configuration can be reached.
    #[arg(long, value_parser = ["beacon", "chain"])]
    dice: Option<String>,
    /// Read all this from a charter in YAML instead; `-` is standard input.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all =
            ["seats", "hosted", "options", "rules", "votes", "press", "welcome", "min_auth", "dice"]
    )]
    charter: Option<PathBuf>,
    #[command(flatten)]
    schedule: ScheduleFlags,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn new_help() -> String {
    let mut help = "Examples:\n  ringmail new shire --seat \"yellow=Anna <anna@example.org>\" \
                    --seat \"red=Bert <bert@example.org>\"\n  ringmail new shire --charter shire.yaml\n  \
                    ringmail new shire --title wotr --seat \"free=Anna <anna@example.org>\" --seat shadow=bot\n  \
                    ringmail new shire --title wotr --seat \"free=Anna <anna@example.org>\" \
                    --seat \"witch-king=Bert <bert@example.org>\" --seat saruman=bot\n  \
                    ringmail new shire --title wotr --seat gondor=Anna --seat rohan=Bert --seat witch-king=Cleo \
                    --seat saruman=Dora --min-auth keyboard\n  \
                    ringmail new shire --seat \"yellow=Anna <anna@example.org>\" \
                    --seat \"red=Bert <bert@example.org>\" --answer 3d --days-off sat,sun --quiet 22:00-08:00 \
                    --grace 12h --remind 1d,6h --silence wait,2:default,4:bot --zone red=Europe/Berlin\n\n\
                    A charter, as in shire.yaml; only the first three keys are required:\n  \
                    name: shire\n  title: risk\n  seats:\n    - player: Anna\n      address: anna@example.org\n      \
                    zone: Europe/Berlin\n    - player: Bert\n      address: bert@example.org\n  \
                    options:\n    - name: defender_dice\n      value: ask\n  votes: majority\n  press: open\n  \
                    welcome: watchers\n  min_auth: dkim\n  dice: chain\n  schedule:\n    answer: 3d\n    \
                    days_off: [sat, sun]\n    \
                    silence:\n      - then: wait\n      - misses: 2\n        then: default\n"
        .to_string();
    for title in titles::ALL.all() {
        help.push_str(&format!("\nSwitches of {} (--option NAME=VALUE, the default first):\n", title.id));
        for switch in title.switches {
            help.push_str(&format!("  {}: {}\n      {}\n", switch.name, switch.values.join(" | "), switch.help));
        }
    }
    help
}

pub fn run(new: &New, games: &Games) -> Done {
    let charter = match &new.charter {
        Some(file) => written_charter(&new.name, file)?,
        None => charter(new)?,
    };
    let relays = games.config().map_or(&[][..], |config| &config.beacon);
    let (dice, why) = match &charter.dice {
        Some(dice) if dice.mode() == Mode::Beacon && relays.is_empty() => return Err(Failure::usage(NO_RELAY)),
        Some(dice) => (dice.clone(), None),
        None => usual_dice(relays),
    };
    let charter = Charter { escrow: escrow(new, &charter), dice: Some(dice), ..charter };
    let drawer = games.drawer(&new.name)?;
    let secrets =
        Secrets::random().map_err(|error| Failure::failed(format!("The system gives no random bytes: {error}.")))?;
    let table = Table::create(&drawer, &charter, secrets, now(), titles::ALL)?;
    let plan = table.fold().plan();
    if new.json {
        let seats: Vec<_> = plan.seats.iter().map(|seat| json!({ "seat": seat.word, "player": seat.player })).collect();
        return paper::json(&json!({
            "name": plan.name, "game": plan.game.to_string(), "folder": drawer.path().display().to_string(),
            "rules": plan.setup.edition, "seats": seats, "head": table.fold().head().hash.to_string(),
        }));
    }
    paper::line(&format!("{} in {}", paper::styled(paper::HEADING, &plan.name), drawer.path().display()))?;
    paper::line(&format!("game  {}", plan.game))?;
    paper::line(&format!("rules {}", plan.setup.edition))?;
    let wide = plan.seats.iter().map(|seat| seat.word.len()).max().unwrap_or_default().max(7);
    for (number, seat) in plan.seats.iter().enumerate() {
        paper::line(&format!("seat  {} {:<wide$} {}", number + 1, seat.word, seat.player))?;
    }
    let dice = report::dice_terms::terms(table.fold());
    paper::line(&why.map_or(dice.clone(), |why| format!("{dice} {why}")))?;
    for remark in (plan.title.teams.remarks)(&plan.setup) {
        paper::line(&remark)?;
    }
    let join = format!("`ringmail say {} --as {} join`, and so for every seat", new.name, plan.seats[0].word);
    let is_typed = plan.min_auth == Auth::Keyboard;
    let next = match plan.seats.iter().all(|seat| seat.player != NOT_KNOWN) {
        true if !is_typed => format!("`ringmail invite {}`, and the players join by letter.", new.name),
        true => format!("{join}; or `ringmail invite {}`, and the players join by letter.", new.name),
        false => format!("`ringmail invite {} \"NAME <ADDRESS>\" …`, and the players join by letter.", new.name),
    };
    paper::line(&format!("\nNext: {next}"))
}

fn written_charter(name: &str, file: &Path) -> Result<Charter, Failure> {
    let mut text = String::new();
    let limit = CHARTER_LIMIT as u64 + 1;
    let read = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(limit).read_to_string(&mut text)
    } else {
        open_for_reading(file).and_then(|file| file.take(limit).read_to_string(&mut text))
    };
    read.map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", file.display())))?;
    let charter = Charter::read(&text).map_err(|error| Failure::usage(sentence(&error.to_string())))?;
    if charter.name != name {
        return Err(Failure::usage(format!("The charter is for a game called `{}`, not `{name}`.", charter.name)));
    }
    Ok(charter)
}

fn charter(new: &New) -> Result<Charter, Failure> {
    if new.seats.is_empty() {
        return Err(Failure::usage("The game has no players: name them, with `--seat \"Anna <anna@example.org>\"`."));
    }
    if titles::ALL.by_id(&new.title).is_none() {
        let known: Vec<&str> = titles::ALL.all().iter().map(|title| title.id).collect();
        return Err(Failure::usage(format!("There is no title `{}`; there are: {}.", new.title, known.join(", "))));
    }
    let mut seats: Vec<CharterSeat> = new.seats.iter().map(|seat| charter_seat(seat)).collect();
    if seats.iter().all(|seat| seat.seat.is_none())
        && let Some(title) = titles::ALL.by_id(&new.title)
    {
        let usual = title.seats(seats.len()).map_err(|error| Failure::usage(sentence(&error.to_string())))?;
        seats.iter_mut().zip(usual).for_each(|(seat, word)| seat.seat = Some(word.to_string()));
    }
    for hosted in &new.hosted {
        let seat = seats.iter_mut().find(|seat| seat.seat.as_ref() == Some(hosted));
        seat.ok_or_else(|| Failure::usage(format!("There is no seat `{hosted}` that the host could play.")))?.host =
            true;
    }
    let option = |option: &String| CharterOption::read(option).map_err(Failure::usage);
    let schedule = new.schedule.schedule(&mut seats)?;
    Ok(Charter {
        name: new.name.clone(),
        title: new.title.clone(),
        rules: new.rules.clone(),
        options: new.options.iter().map(option).collect::<Result<_, Failure>>()?,
        seats,
        votes: new.votes.as_deref().and_then(word_of(Votes::ALL, Votes::word)),
        press: new.press.as_deref().and_then(word_of(Press::ALL, Press::word)),
        welcome: new.welcome.as_deref().and_then(word_of(Welcome::ALL, Welcome::word)),
        min_auth: new.min_auth,
        dice: new.dice.as_deref().and_then(word_of(Mode::ALL, Mode::word)).map(CharterDice::of),
        escrow: None,
        engine: None,
        schedule,
    })
}

/// The word that gives a seat to a program, and the program's name at the table.
pub const PROGRAMS: [(&str, Played, &str); 3] = [
    ("bot", Played::Program, "the program"),
    ("bot:easy", Played::Easy, "the easy program"),
    ("bot:strong", Played::Strong, "the strong program"),
];

/// The seat of a program in a charter.
pub fn programs_chair(seat: Option<String>, played: Played) -> CharterSeat {
    let known = PROGRAMS.iter().find(|(_, known, _)| *known == played);
    let (_, _, name) = known.expect("every way to play has a name");
    CharterSeat { seat, player: name.to_string(), played: Some(played), ..CharterSeat::default() }
}

/// Who keeps shares: what the flag or the charter says; by default the seats, unless the host plays.
fn escrow(new: &New, charter: &Charter) -> Option<Escrow> {
    let is_hosted = |seat: &CharterSeat| seat.host || seat.played.is_some();
    let is_shared = charter.seats.len() >= SEATS_MIN && !charter.seats.iter().any(is_hosted);
    match new.escrow.as_deref() {
        Some("seats") => Some(Escrow::Seats),
        Some(_) => None,
        None => charter.escrow.or(is_shared.then_some(Escrow::Seats)),
    }
}

const NO_RELAY: &str = "Dice of the beacon need a relay that gives its rounds, and the configuration names none: write \
                        `beacon: [https://api.drand.sh, https://drand.cloudflare.com]` into it, or make the game with \
                        `--dice chain`.";

/// Dice of the beacon, if a relay can be reached; otherwise why not.
fn usual_dice(asked: &[Relay]) -> (CharterDice, Option<String>) {
    let chain = |why: String| (CharterDice::of(Mode::Chain), Some(why));
    if asked.is_empty() {
        return chain("The configuration names no relay of a beacon, which nobody could foresee.".to_string());
    }
    match relays::reached(asked, &Chain::quicknet(), Patience::default()) {
        Ok(()) => (CharterDice::of(Mode::Beacon), None),
        Err(error) => chain(format!("No relay of the beacon was reached: {error}.")),
    }
}

fn class(word: &str) -> Result<Auth, String> {
    let all = || Auth::ALL.iter().filter(|auth| **auth != Auth::Confirmed);
    all().find(|auth| auth.word() == word).copied().ok_or_else(|| {
        let known: Vec<&str> = all().map(|auth| auth.word()).collect();
        format!("there is no class `{word}`; there are, the weakest first: {}", known.join(", "))
    })
}

/// Finds the value of a word of the log.
fn word_of<T: Copy>(all: &'static [T], word: fn(T) -> &'static str) -> impl Fn(&str) -> Option<T> {
    move |found| all.iter().copied().find(|value| word(*value) == found)
}

/// Reads `yellow=Anna <anna@example.org>`; the seat and the address may be left out.
fn charter_seat(text: &str) -> CharterSeat {
    let (seat, who) = match text.split_once('=') {
        Some((seat, who)) => (Some(seat.trim().to_string()), who),
        None => (None, text),
    };
    let (player, address) = match who.trim().strip_suffix('>').and_then(|who| who.rsplit_once('<')) {
        Some((player, address)) => (player.trim(), Some(address.trim().to_string())),
        None => (who.trim(), None),
    };
    let program = PROGRAMS.iter().find(|(word, _, _)| player.eq_ignore_ascii_case(word));
    if let (None, Some((_, played, _))) = (&address, program) {
        return programs_chair(seat, *played);
    }
    CharterSeat { seat, player: player.to_string(), address, ..CharterSeat::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, seat: Option<&str>, player: &str, address: Option<&str>) {
        let read = charter_seat(text);
        assert_eq!((read.seat.as_deref(), read.player.as_str(), read.address.as_deref()), (seat, player, address));
    }

    #[test]
    fn a_seat_is_written_with_as_much_as_is_known() {
        case("yellow=Anna <anna@example.org>", Some("yellow"), "Anna", Some("anna@example.org"));
        case("Anna B. <anna@example.org>", None, "Anna B.", Some("anna@example.org"));
        case("red = Bert", Some("red"), "Bert", None);
        case("red=bot", Some("red"), "the program", None);
        case("red=Bot:strong", Some("red"), "the strong program", None);
        assert_eq!(charter_seat("shadow=bot:easy").played, Some(Played::Easy));
        assert_eq!(charter_seat("shadow=bot <bot@example.org>").played, None);
    }
}
