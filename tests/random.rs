/*! Random play of Risk for every number of players and every variant, and what must hold after every sentence.

The invariants are read from the facts, as any reader of the log could: nothing here looks into the board.
*/

#[path = "random/fact_sheet.rs"]
mod fact_sheet;
#[path = "random/host.rs"]
mod host;

use crate::watched::Watched;
use engine::chance::{Chance, Practice};
use engine::facts::Facts;
use engine::need::Need;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use engine::title::{Setup, Title};
use fact_sheet::FactSheet;
use host::Host;
use risk::{EDITION, Risk};

/// Games for each number of players and variant.
const GAMES: u64 = if cfg!(debug_assertions) { 8 } else { 250 };
/// The games for each number of players and variant in which everything is checked after every sentence, even what
/// takes long.
const CHECKED_THROUGHOUT: u64 = if cfg!(debug_assertions) { 2 } else { 20 };
/// The same for the games of a switch, of which there are fewer.
const SOME_CHECKED_THROUGHOUT: u64 = if cfg!(debug_assertions) { 1 } else { 4 };
/// In the other games the table is added up after this many sentences.
const OFTEN: usize = 8;
/// The sentences after which a game is stopped. All but Standard Risk end long before.
const SENTENCES_MAX: usize = 6_000;
/// The sentences after which a game of Standard Risk is stopped: in random play its armies and battles only grow.
const SENTENCES_MAX_STANDARD: usize = 400;

fn setup(players: usize, options: &[(&str, &str)]) -> Setup {
    let seats = Risk.seats(players).unwrap().into_iter().map(str::to_string).collect();
    let options = options.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
    Setup { edition: EDITION.to_string(), seats, options }
}

#[test]
fn individual_games_for_two() {
    play_games(&setup(2, &[]));
}

#[test]
fn individual_games_for_three() {
    play_games(&setup(3, &[]));
}

#[test]
fn individual_games_for_four() {
    play_games(&setup(4, &[]));
}

#[test]
fn alliance_risk() {
    play_games(&setup(4, &[("variant", "alliance")]));
    play_some_games(&setup(4, &[("variant", "alliance"), ("attack_allies", "true")]));
}

#[test]
fn team_risk() {
    play_games(&setup(4, &[("variant", "team")]));
}

#[test]
fn standard_risk() {
    play_games(&setup(3, &[("variant", "standard")]));
    play_some_games(&setup(2, &[("variant", "standard")]));
    play_some_games(&setup(4, &[("variant", "standard")]));
}

#[test]
fn every_other_switch() {
    for option in [
        ("sites", "21"),
        ("mission_if_already_there", "false"),
        ("step5_lock", "everyone"),
        ("doom_roll_on_arrival", "false"),
        ("defender_dice", "ask"),
        ("card_points", "all_one"),
    ] {
        play_some_games(&setup(3, &[option]));
    }
}

fn play_some_games(setup: &Setup) {
    (0..GAMES / 8).for_each(|seed| play_game(setup, seed, seed < SOME_CHECKED_THROUGHOUT));
}

fn play_games(setup: &Setup) {
    (0..GAMES).for_each(|seed| play_game(setup, seed, seed < CHECKED_THROUGHOUT));
}

/// Plays one game to its end.
fn play_game(setup: &Setup, seed: u64, throughout: bool) {
    let mut host = Host::new(setup, seed);
    let mut chance = Practice::new(seed ^ 0x5eed);
    let mut facts = Facts::default();
    host.game.facts(&mut facts);
    let first = FactSheet::of(&facts, setup);
    let mut watched = throughout.then(|| Watched::new(&*host.game));
    let standard = setup.options.iter().any(|(_, value)| value == "standard");
    for number in 0..if standard { SENTENCES_MAX_STANDARD } else { SENTENCES_MAX } {
        let Need::Question(question) = host.game.need() else {
            assert!(host.game.outcome().is_some(), "a game ends with an outcome");
            return;
        };
        let sentence = sentence(&host, &mut chance, seed);
        if throughout {
            offers_are_accepted(&host, question.seat);
            no_secret_reaches_others(&host, question.seat, &mut chance);
        }
        host.say(question.seat, &sentence, &mut chance);
        if let Some(watched) = &mut watched {
            watched.look(&*host.game);
        }
        if throughout || number % OFTEN == 0 {
            host.game.facts(&mut facts);
            FactSheet::of(&facts, setup).check(&first);
        }
        if throughout {
            host.public_knows_the_same(&facts);
        }
    }
    assert!(standard, "the game does not end");
}

/// The asked seat's sentence. In every second game it is bold: it goes on rather than stops.
fn sentence(host: &Host, chance: &mut Practice, seed: u64) -> String {
    let tame = ["done", "end turn", "call off", "fortify", "ask", "do not", "pass"];
    let mut said = host.anything(chance);
    if seed % 2 == 1 {
        for _ in 0..4 {
            if tame.iter().all(|begin| !said.sentence.starts_with(begin)) {
                break;
            }
            said = host.anything(chance);
        }
    }
    said.sentence
}

/// Checks that every offered sentence is accepted, with the first name that fits in each blank.
fn offers_are_accepted(host: &Host, seat: Seat) {
    for offer in host.game.offers(&host.faces, 60) {
        let sentence = filled(&offer.sentence, &offer.nouns);
        let read = host.game.read(seat, &sentence, &host.faces);
        assert!(read.is_ok(), "`{}` is offered, but `{sentence}` is refused: {}", offer.sentence, read.unwrap_err());
    }
}

/// An offer without its brackets, with the least for every number and the first name for every noun.
fn filled(offer: &str, nouns: &[(String, Vec<String>)]) -> String {
    let mut sentence = String::new();
    let mut rest = offer;
    let mut next = nouns.iter();
    while let Some(open) = rest.find(['[', '<']) {
        sentence.push_str(&rest[..open]);
        let close = rest[open..].find([']', '>']).map(|close| open + close).unwrap();
        let close = if rest.as_bytes()[open] == b'[' { rest.find(']').unwrap() } else { close };
        let blank = &rest[open + 1..close];
        if rest.as_bytes()[open] == b'<' {
            match blank.split_once('-') {
                Some((least, _)) if least.parse::<u32>().is_ok() => sentence.push_str(least),
                _ => sentence.push_str(&next.next().unwrap().1[0]),
            }
        }
        rest = &rest[close + 1..];
    }
    sentence.push_str(rest);
    sentence.replace(", …", "")
}

/// Checks that the seat would be asked and told exactly the same if two face-down cards of other hands were swapped.
fn no_secret_reaches_others(host: &Host, seat: Seat, chance: &mut Practice) {
    let own = host.game.hand(seat);
    let hidden: Vec<Slot> = host
        .faces
        .iter()
        .map(|(slot, _)| slot)
        .filter(|slot| !own.contains(slot) && host.public.get(*slot).is_none())
        .collect();
    if hidden.is_empty() {
        return;
    }
    let one = hidden[chance.below(hidden.len() as u32) as usize];
    let same_deck: Vec<Slot> = hidden.into_iter().filter(|slot| slot.deck == one.deck).collect();
    let other = same_deck[chance.below(same_deck.len() as u32) as usize];
    let mut swapped: Faces = host.faces.clone();
    swapped.learn(one, host.faces.get(other).unwrap());
    swapped.learn(other, host.faces.get(one).unwrap());
    assert_eq!(host.game.offers(&host.faces, 40), host.game.offers(&swapped, 40), "an offer tells a secret");
    assert_eq!(host.game.view(Some(seat), &host.faces), host.game.view(Some(seat), &swapped), "a view tells a secret");
    assert_eq!(host.game.news(Some(seat), &host.faces), host.game.news(Some(seat), &swapped), "news tell a secret");
}
