//! Agreements outside the rules, at the table: motions and votes, undo, pauses, draws, concessions, seats handed
//! over, other rules. Every log made here verifies.

use crate::record_game;
use crate::record_game::Game;
use crate::tiny_title::SECOND_EDITION;
use crate::tiny_title::TITLES;
use engine::need::Need;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use ground::span::Span;
use ground::stamp::Stamp;
use record::charter::Charter;
use record::commit::signature::SigningKey;
use record::entry::body::{Auth, Ballot, Correcting, Press, Via, Votes};
use record::fold::council::Proposal;
use record::table::agreement::HandedOver;
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use tempfile::TempDir;

fn game(players: usize, votes: Votes) -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let charter = Charter { votes: Some(votes), press: Some(Press::None), ..record_game::charter(players, "60") };
    let game = Game::start_by(folder.path(), &charter, 31);
    (folder, game)
}

fn sound(game: &Game) -> Report {
    let wanted = Wanted {
        file: "log.yaml".to_string(),
        titles: TITLES,
        errors: Errors::All,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    let report = verify(game.log().as_slice(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    report
}

fn letter(seat: u8) -> Option<Via> {
    Some(Via::letter(raw(seat), 0, Auth::Confirmed))
}

fn raw(seat: u8) -> Hash {
    sha256(&[seat])
}

fn proposal(what: Correcting) -> Proposal {
    Proposal::new(what, "better so")
}

fn propose(game: &mut Game, seat: u8, proposal: &Proposal) -> Result<u64, String> {
    let now = game.now();
    let heads = game.table.propose(Seat(seat), proposal, letter(seat), now).map_err(|error| error.to_string())?;
    Ok(heads[0].seq)
}

fn vote(game: &mut Game, seat: u8, motion: u64, says: Ballot) -> Result<usize, String> {
    let now = game.now();
    let heads = game.table.vote(Seat(seat), motion, says, letter(seat), now);
    heads.map(|heads| heads.len()).map_err(|error| error.to_string())
}

#[test]
fn an_undo_that_all_agree_to_puts_the_table_back_and_draws_anew() {
    let (_folder, mut game) = game(2, Votes::All);
    let (to, before) = (game.table.fold().head().seq, game.table.fold().facts().text().to_string());
    game.say("roll 3");
    let (rolls, mix) = (rolls(&game), game.table.fold().ledger().unwrap().mix());
    let motion = propose(&mut game, 1, &Proposal { to: Some(to), ..proposal(Correcting::Undo) }).unwrap();
    assert_ne!(game.table.fold().facts().text(), before, "one seat alone undoes nothing");
    assert_eq!(vote(&mut game, 2, motion, Ballot::Yes), Ok(2), "the vote, and the correction that follows");
    assert_eq!(game.table.fold().facts().text(), before);
    // Used links stay used.
    assert_eq!(self::rolls(&game), rolls);
    assert_eq!(game.table.fold().ledger().unwrap().mix(), mix);
    let log = String::from_utf8(game.log()).unwrap();
    let consents = format!(
        "consents:\n  - seat: \"green\"\n    raw: \"{}\"\n  - seat: \"black\"\n    raw: \"{}\"\nmotion: {motion}\n",
        raw(1),
        raw(2)
    );
    assert!(log.contains(&consents), "{log}");
    game.say("roll 3");
    assert_eq!(self::rolls(&game), rolls + 1);
    game.play_on(3);
    game.finish();
    let tally = sound(&game).table.unwrap().tally;
    assert_eq!((tally.motions, tally.votes, tally.undone, tally.by_host_alone), (1, 1, 1, 0));
}

fn rolls(game: &Game) -> u32 {
    game.table.fold().ledger().unwrap().throws
}

#[test]
fn a_card_that_was_shown_stays_shown_when_it_is_played_again() {
    let (_folder, mut game) = game(2, Votes::All);
    let to = game.table.fold().head().seq;
    let asked = game.asked().unwrap();
    let card = game.table.hand(asked)[0].card;
    let line = format!("play {}", (game.table.fold().plan().title.cards.id)(card));
    game.say(&line);
    let motion = propose(&mut game, 1, &Proposal { to: Some(to), ..proposal(Correcting::Undo) }).unwrap();
    vote(&mut game, 2, motion, Ballot::Yes).unwrap();
    game.say(&line);
    game.play_on(4);
    game.finish();
    sound(&game);
}

#[test]
fn a_no_ends_a_motion_where_all_must_agree_and_the_mover_can_take_it_back() {
    let (_folder, mut game) = game(3, Votes::All);
    let first = propose(&mut game, 1, &proposal(Correcting::Ruling)).unwrap();
    vote(&mut game, 2, first, Ballot::Yes).unwrap();
    assert!(vote(&mut game, 2, first, Ballot::Yes).unwrap_err().contains("a vote that was not given before"));
    assert_eq!(vote(&mut game, 3, first, Ballot::No), Ok(1));
    assert!(vote(&mut game, 3, first, Ballot::Yes).unwrap_err().contains("a motion that is open"));
    let second = propose(&mut game, 1, &proposal(Correcting::Ruling)).unwrap();
    assert_eq!(vote(&mut game, 1, second, Ballot::No), Ok(1));
    assert!(vote(&mut game, 2, second, Ballot::Yes).is_err());
    let tally = sound(&game).table.unwrap().tally;
    assert_eq!((tally.motions, tally.motions_gone, tally.corrections), (2, 2, 0));
}

#[test]
fn a_majority_decides_where_the_charter_says_so_but_never_a_draw() {
    let (_folder, mut game) = game(3, Votes::Majority);
    let ruling = propose(&mut game, 1, &proposal(Correcting::Ruling)).unwrap();
    assert_eq!(vote(&mut game, 3, ruling, Ballot::No), Ok(1));
    assert_eq!(vote(&mut game, 2, ruling, Ballot::Yes), Ok(2));
    let draw = propose(&mut game, 1, &proposal(Correcting::Draw)).unwrap();
    assert_eq!(vote(&mut game, 2, draw, Ballot::Yes), Ok(1));
    assert_eq!(vote(&mut game, 3, draw, Ballot::No), Ok(1));
    assert!(!game.table.fold().is_closed());
    sound(&game);
}

#[test]
fn what_cannot_be_done_is_not_moved() {
    let (_folder, mut game) = game(2, Votes::All);
    let mut refused = |proposal: Proposal, why: &str| {
        let told = propose(&mut game, 1, &proposal).unwrap_err();
        assert!(told.contains(why), "{told}");
    };
    refused(Proposal { to: Some(1), ..proposal(Correcting::Undo) }, "not too long ago");
    refused(Proposal { to: Some(99), ..proposal(Correcting::Undo) }, "not too long ago");
    refused(proposal(Correcting::Undo), "the record to go back to");
    refused(proposal(Correcting::Resume), "a pause before");
    refused(Proposal { rules: Some("riddles/9".into()), ..proposal(Correcting::Rules) }, "another edition");
    refused(Proposal { text: String::new(), ..proposal(Correcting::Ruling) }, "1 to 1000 characters");
    for _ in 0..3 {
        propose(&mut game, 1, &proposal(Correcting::Ruling)).unwrap();
    }
    assert!(propose(&mut game, 1, &proposal(Correcting::Ruling)).unwrap_err().contains("at most 3 open motions"));
    sound(&game);
}

#[test]
fn a_motion_lapses() {
    let (_folder, mut game) = game(2, Votes::All);
    let motion = propose(&mut game, 1, &proposal(Correcting::Pause)).unwrap();
    let late = Stamp::parse("2026-12-08T00:00:05Z").unwrap();
    let error = game.table.vote(Seat(2), motion, Ballot::Yes, letter(2), late).unwrap_err().to_string();
    assert!(error.contains("a motion of the last 14 days"), "{error}");
    let in_time = Stamp::parse("2026-12-07T23:59:59Z").unwrap();
    game.table.vote(Seat(2), motion, Ballot::Yes, letter(2), in_time).unwrap();
    assert_eq!(game.table.fold().paused(), Some(motion + 2));
    sound(&game);
}

#[test]
fn a_pause_begins_and_ends() {
    let (_folder, mut game) = game(2, Votes::All);
    let pause = propose(&mut game, 1, &proposal(Correcting::Pause)).unwrap();
    vote(&mut game, 2, pause, Ballot::Yes).unwrap();
    assert!(game.table.fold().paused().is_some());
    assert!(propose(&mut game, 2, &proposal(Correcting::Pause)).is_err());
    let resume = propose(&mut game, 2, &proposal(Correcting::Resume)).unwrap();
    vote(&mut game, 1, resume, Ballot::Yes).unwrap();
    assert_eq!(game.table.fold().paused(), None);
    sound(&game);
}

#[test]
fn a_draw_that_all_agree_to_ends_the_game() {
    let (_folder, mut game) = game(2, Votes::All);
    let draw = propose(&mut game, 1, &proposal(Correcting::Draw)).unwrap();
    vote(&mut game, 2, draw, Ballot::Yes).unwrap();
    assert_eq!(game.table.fold().need(), Need::Over);
    let now = game.now();
    let seat = match game.table.fold().game().need() {
        Need::Question(question) => question.seat,
        need => panic!("{need:?}"),
    };
    assert!(game.table.say(seat, "roll 1", None, now).unwrap_err().to_string().contains("ended"));
    game.finish();
    assert_eq!(sound(&game).result.unwrap(), "nobody wins: a draw was agreed");
}

#[test]
fn who_gives_up_loses_and_the_last_side_wins() {
    let (_folder, mut two) = game(2, Votes::All);
    let now = two.now();
    two.table.concede(Seat(1), Some("well played"), letter(1), now).unwrap();
    assert_eq!(two.asked(), None);
    assert!(two.table.concede(Seat(2), None, letter(2), now).is_err());
    two.finish();
    assert_eq!(sound(&two).result.unwrap(), "black wins: green has conceded");
    let (_folder, mut three) = game(3, Votes::All);
    let now = three.now();
    three.table.concede(Seat(1), None, letter(1), now).unwrap();
    assert!(three.asked().is_some(), "two still play");
    assert!(propose(&mut three, 1, &proposal(Correcting::Ruling)).is_err(), "who gave up has no say");
    let now = three.now();
    three.table.concede(Seat(3), None, letter(3), now).unwrap();
    three.finish();
    assert_eq!(sound(&three).result.unwrap(), "black wins: green and red have conceded");
}

#[test]
fn an_undo_takes_a_concession_back() {
    let (_folder, mut game) = game(3, Votes::All);
    let to = game.table.fold().head().seq;
    let now = game.now();
    game.table.concede(Seat(3), None, letter(3), now).unwrap();
    let undo = propose(&mut game, 1, &Proposal { to: Some(to), ..proposal(Correcting::Undo) }).unwrap();
    vote(&mut game, 2, undo, Ballot::Yes).unwrap();
    assert!(!game.table.fold().council().has_conceded(Seat(3)));
    game.play_on(5);
    game.finish();
    sound(&game);
}

/// A seat has its say in what is about it, until it has been silent for fourteen days; and again when it has written.
#[test]
fn a_silent_seat_is_freed_by_the_others_and_handed_over() {
    let (_folder, mut game) = game(3, Votes::All);
    let moved = Proposal { of: Some(Seat(2)), ..proposal(Correcting::Seat) };
    let motion = propose(&mut game, 1, &moved).unwrap();
    assert_eq!(vote(&mut game, 3, motion, Ballot::Yes), Ok(1), "it is about a seat that has a say itself");
    assert_eq!(vote(&mut game, 2, motion, Ballot::No), Ok(1));
    assert_eq!(game.table.fold().council().motion(motion), None);
    let now = game.now();
    game.table.unreachable(Seat(2), "its letters come back", now).unwrap();
    let moved_at = |game: &mut Game, at: Stamp| {
        let motion = game.table.propose(Seat(1), &moved, letter(1), at).unwrap()[0].seq;
        let heads = game.table.vote(Seat(3), motion, Ballot::Yes, letter(3), at).unwrap().len();
        (motion, heads)
    };
    let after = now.later(Span::days(14));
    assert_eq!(moved_at(&mut game, after.earlier(Span::hours(1))).1, 1, "thirteen days are too few");
    // It writes while the motion is open, and has its say again.
    let motion = game.table.propose(Seat(1), &moved, letter(1), after).unwrap()[0].seq;
    game.table.hear(Seat(2), letter(2), after).unwrap();
    assert_eq!(game.table.vote(Seat(3), motion, Ballot::Yes, letter(3), after).unwrap().len(), 1);
    assert_eq!(game.table.vote(Seat(2), motion, Ballot::No, letter(2), after).unwrap().len(), 1);
    game.table.reachable(Seat(2), after).unwrap();
    game.table.unreachable(Seat(2), "its letters come back again", after).unwrap();
    let after = after.later(Span::days(14));
    assert_eq!(moved_at(&mut game, after).1, 2);
    assert_eq!(game.table.fold().council().free().collect::<Vec<Seat>>(), [Seat(2)]);
    let (player, text) = ("Déagol".to_string(), "he takes the seat".to_string());
    game.table.hand_over(&HandedOver { seat: Seat(2), player, text }, after).unwrap();
    assert_eq!(game.table.fold().plan().seats[1].player, "Déagol");
    assert_eq!(game.table.fold().council().free().count(), 0);
    assert_eq!(sound(&game).table.unwrap().tally.handed_over, 1);
}

#[test]
fn a_player_gives_his_seat_away_and_nobody_takes_one_that_is_not_free() {
    let (_folder, mut game) = game(3, Votes::Majority);
    let handed = HandedOver { seat: Seat(2), player: "Déagol".to_string(), text: "he wants it".to_string() };
    let now = game.now();
    let told = game.table.hand_over(&handed, now).unwrap_err().to_string();
    assert!(told.contains("would not verify"), "{told}");
    // One of the two others does not agree; the player's own word is enough.
    let of = Some(Seat(2));
    let motion = propose(&mut game, 1, &Proposal { of, ..proposal(Correcting::Seat) }).unwrap();
    assert_eq!(vote(&mut game, 3, motion, Ballot::No), Ok(1));
    let now = game.now();
    game.table.give_away(Seat(2), letter(2).unwrap(), now).unwrap();
    game.table.hand_over(&handed, now).unwrap();
    assert_eq!(sound(&game).table.unwrap().tally.handed_over, 1);
}

#[test]
fn all_decide_that_a_seat_has_another_key() {
    let (_folder, mut game) = game(3, Votes::Majority);
    let key = |seed| SigningKey::of_seed(&Hex([seed; 32])).public;
    let now = game.now();
    game.table.announce_keys(Seat(1), &[key(1)], letter(1), now).unwrap();
    let told = game.table.announce_keys(Seat(1), &[key(2)], letter(1), now).unwrap_err().to_string();
    assert!(told.contains("would not verify"), "{told}");
    let moved = Proposal { of: Some(Seat(1)), key: Some(key(2).to_string()), ..proposal(Correcting::Key) };
    // Its own motion is its own word; against it the two others decide nothing.
    let against = propose(&mut game, 2, &moved).unwrap();
    assert_eq!(vote(&mut game, 3, against, Ballot::Yes), Ok(1));
    assert_eq!(vote(&mut game, 1, against, Ballot::No), Ok(1));
    let motion = propose(&mut game, 1, &moved).unwrap();
    assert_eq!(vote(&mut game, 2, motion, Ballot::Yes), Ok(1), "all, and not more than half of them");
    assert_eq!(vote(&mut game, 3, motion, Ballot::Yes), Ok(2));
    assert_eq!(game.table.fold().keys(Seat(1)), [key(2)]);
    assert_eq!(sound(&game).table.unwrap().tally.keys_changed, 2);
}

#[test]
fn other_rules_hold_from_where_all_agreed() {
    let (_folder, mut game) = game(2, Votes::All);
    game.say("roll 1");
    let rules = Some(SECOND_EDITION.to_string());
    let motion = propose(&mut game, 1, &Proposal { rules, ..proposal(Correcting::Rules) }).unwrap();
    vote(&mut game, 2, motion, Ballot::Yes).unwrap();
    assert_eq!(game.table.fold().plan().setup.edition, SECOND_EDITION);
    assert!(game.table.fold().facts().text().contains("edition: 2"));
    game.say("roll 1");
    let log = String::from_utf8(game.log()).unwrap();
    assert!(log.contains(&format!("rules: \"{SECOND_EDITION}\"")), "{log}");
    game.play_on(7);
    game.finish();
    sound(&game);
}
