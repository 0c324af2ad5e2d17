//! A game opened by its host: what is said becomes records that everybody can check.

#[allow(dead_code, reason = "each test uses its part")]
mod record_game;
mod tiny_title;

use record_game::{Game, at, charter, secrets, titles};
use ringmail::engine::seat::Seat;
use ringmail::record::commit::chain::{CodeRefused, read_code, write_code};
use ringmail::record::entry::body::{By, Correcting, Kind, Via};
use ringmail::record::entry::{Body, Entry};
use ringmail::record::file::log::LogError;
use ringmail::record::file::stream::Records;
use ringmail::record::fold::Fold;
use ringmail::record::problem::Level;
use ringmail::record::table::agreement::Agreement;
use ringmail::record::table::table_error::TableError;
use ringmail::record::table::{GivenCode, Table};
use ringmail::record::value::hash::{Hash, sha256};
use ringmail::record::verify::report::{LevelResult, Report};
use ringmail::record::verify::{Errors, Wanted, verify};

fn check(log: &[u8]) -> Report {
    let progress = &mut |_| {};
    let wanted = Wanted { file: "log.yaml".to_string(), titles, errors: Errors::All, seen: Vec::new(), progress };
    verify(log, wanted).unwrap()
}

#[track_caller]
fn sound(log: &[u8]) -> Report {
    let report = check(log);
    assert!(report.is_ok(), "{report}");
    for level in [Level::Structure, Level::Canonical, Level::Chain, Level::Rules, Level::Dice, Level::Openings] {
        assert_eq!(report.verdict(level), &LevelResult::Pass);
    }
    report
}

fn kinds(log: &[u8]) -> Vec<Kind> {
    let mut records = Records::new(log);
    let mut kinds = Vec::new();
    while let Some(record) = records.next().unwrap() {
        kinds.push(Entry::read(record.bytes).unwrap().kind());
    }
    kinds
}

#[test]
fn games_played_to_the_end_verify_at_every_stage() {
    for (players, seed) in [(2, 1), (3, 2), (2, 3), (3, 4)] {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Game::start(folder.path(), players, "60", seed);
        sound(&game.log());
        game.play_on(u64::from(seed));
        let report = sound(&game.log());
        let tally = &report.table.as_ref().unwrap().tally;
        assert!(tally.rolls > 10 && tally.masks > 1 && tally.openings > 3, "{tally:?}");
        assert!(tally.rolls_mixed > 0 && tally.rolls_mixed <= tally.rolls, "{tally:?}");
        assert!(report.to_text().contains("has NOT published its secrets"), "{report}");
        game.finish();
        let report = sound(&game.log());
        assert_eq!(report.exit_code(), 0);
        assert!(report.to_text().contains("Everything is revealed"), "{report}");
        assert!(report.to_text().lines().last().unwrap().starts_with("OK g7 "), "{report}");
        assert!(kinds(&game.log()).contains(&Kind::Deck));
    }
}

#[test]
fn the_public_and_the_host_fold_to_the_same_facts() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 3, "60", 9);
    game.play_on(9);
    let log = game.log();
    let root = game.table.secrets().root;
    let mut records = Records::new(log.as_slice());
    let mut folds: Option<[Fold; 2]> = None;
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        let hash = sha256(record.bytes);
        let mut problems = Vec::new();
        match &mut folds {
            None => {
                let mut begin = |root| Fold::begin(&entry, hash, titles, root, &mut problems).unwrap();
                folds = Some([begin(None), begin(Some(root))]);
            }
            Some(folds) => folds.iter_mut().for_each(|fold| fold.fold(&entry, hash, &mut problems)),
        }
        assert_eq!(problems, []);
        let [public, host] = folds.as_ref().unwrap();
        assert_eq!(public.facts(), host.facts());
        for (slot, card) in public.faces().iter() {
            assert_eq!(host.faces().get(slot), Some(card));
        }
    }
    let [public, host] = folds.unwrap();
    assert!(host.faces().iter().count() > public.faces().iter().count());
}

#[test]
fn a_table_opened_again_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 5);
    game.say("roll 2");
    let head = game.head();
    let Game { table, codes, time } = game;
    let busy = Table::open(folder.path(), titles);
    assert!(matches!(busy, Err(TableError::Log(LogError::Busy { .. }))));
    drop(table);
    let table = Table::open(folder.path(), titles).unwrap();
    let mut game = Game { table, codes, time };
    assert_eq!(game.head(), head);
    game.play_on(5);
    game.finish();
    sound(&game.log());
}

#[test]
fn an_answer_without_its_code_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 6);
    let seat = game.asked().unwrap();
    let before = game.log();
    let given = |k| GivenCode { k: Some(k), code: record_game::chain(&secrets(6).game, seat.0).code(k).unwrap() };
    let mut say = |code| game.table.say(seat, "roll 1", code, None, at(9)).unwrap_err().to_string();
    let end = ". The answer is kept until then; nothing has changed";
    assert_eq!(say(None), format!("the answer needs one-time code 1, and there was none{end}"));
    let wrong = GivenCode { k: Some(1), ..given(2) };
    assert_eq!(say(Some(wrong)), format!("what was given as one-time code 1 is not on the seat's chain{end}"));
    assert!(say(Some(given(70))).starts_with("one-time code 70 is too far ahead; the next one is code 1"));
    assert_eq!(game.log(), before);
    // A later code covers the answers before it, one record each.
    let later = Some(given(2));
    game.table.say(seat, "pass", later, None, at(9)).unwrap();
    game.time = 9;
    game.say("pass");
    assert_eq!(game.asked(), Some(seat));
    game.table.say(seat, "pass", later, None, at(11)).unwrap();
    game.time = 11;
    game.say("pass");
    let used = game.table.say(seat, "pass", later, None, at(13)).unwrap_err();
    assert!(matches!(used, TableError::Held(CodeRefused::Used { expected: 3, given: 2 })), "{used}");
    // Written as people write it, without its number.
    let code = read_code(&write_code(&given(3).code).to_lowercase()).unwrap();
    game.table.say(seat, "pass", Some(GivenCode { k: None, code }), None, at(13)).unwrap();
    sound(&game.log());
}

#[test]
fn a_refusal_changes_nothing_and_can_be_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 7);
    let seat = game.asked().unwrap();
    let other = Seat(3 - seat.0);
    let code = game.code(seat);
    let before = game.log();
    for (seat, line) in [(seat, "rol 2"), (seat, "roll 9"), (other, "roll 2")] {
        let refused = game.table.say(seat, line, code, None, at(9)).unwrap_err();
        assert!(matches!(refused, TableError::Refused(_)), "{refused}");
    }
    assert_eq!(game.log(), before);
    let letter = Via { raw: Some(sha256(b"a")), seen: None, auth: None, by: None, standing: None };
    game.table.refuse(Some(seat), "not understood", code, Some(letter), at(9)).unwrap();
    // The code is public now and still that answer's.
    game.table.say(seat, "roll 2", code, None, at(10)).unwrap();
    let report = sound(&game.log());
    assert_eq!(report.table.unwrap().tally.refused, 1);
}

fn fired(game: &Game) -> Vec<(u64, String, bool)> {
    let log = game.log();
    let mut records = Records::new(log.as_slice());
    let mut fired = Vec::new();
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        if let Body::Say(say) = &entry.body
            && let Some(Via { by: Some(By::Standing), standing: Some(standing), .. }) = entry.via
        {
            fired.push((standing, say.said.to_string(), say.order.is_some()));
        }
    }
    fired
}

#[test]
fn standing_orders_fire_as_records_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 8);
    let seat = game.asked().unwrap();
    let other = Seat(3 - seat.0);
    let order = |game: &mut Game, seat, text: &str| game.table.leave_order(seat, text, None, at(9)).unwrap()[0].seq;
    let first = order(&mut game, other, "when asked answer say no");
    let second = order(&mut game, other, "When asked  riddle say roll 3 once");
    game.time = 10;
    game.say("dare");
    // The answer, and then the turn of the other seat.
    assert_eq!(fired(&game), [(first, "no".to_string(), true), (second, "roll 3".to_string(), true)]);
    game.say("dare");
    assert_eq!(fired(&game)[2], (first, "no".to_string(), false));
    assert_eq!(game.asked(), Some(other));
    game.table.cancel_order(other, first, None, at(20)).unwrap();
    assert!(game.table.cancel_order(other, first, None, at(20)).is_err());
    game.time = 30;
    game.say("pass");
    game.say("dare");
    assert_eq!(fired(&game).len(), 3);
    game.say("yes");
    let last = order_at(&mut game, seat, "when asked answer say yes until 2026-11-23", 50);
    game.play_on(8);
    game.finish();
    let report = sound(&game.log());
    let tally = report.table.unwrap().tally;
    assert_eq!((tally.orders_left, tally.orders_fired), (3, 3));
    assert!(String::from_utf8(game.log()).unwrap().contains(&format!("standing: {last}")));
}

fn order_at(game: &mut Game, seat: Seat, text: &str, seconds: u32) -> u64 {
    game.time = seconds + 1;
    game.table.leave_order(seat, text, None, at(seconds)).unwrap()[0].seq
}

#[test]
fn what_is_agreed_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 11);
    let before = (game.table.fold().head().seq, game.table.fold().facts().text().to_string());
    game.say("roll 2");
    game.say("roll 3");
    assert_ne!(game.table.fold().facts().text(), before.1);
    let agreement = |what, to| Agreement {
        what,
        to,
        text: "the letter was meant for another game".to_string(),
        consents: vec![(Seat(1), Some(sha256(b"yes"))), (Seat(2), None)],
    };
    game.table.correct(&agreement(Correcting::Undo, Some(before.0)), None, at(30)).unwrap();
    assert_eq!(game.table.fold().facts().text(), before.1);
    let far = game.table.correct(&agreement(Correcting::Undo, Some(1)), None, at(30)).unwrap_err();
    assert!(matches!(far, TableError::TooFarBack { to: 1 }), "{far}");
    game.table.correct(&agreement(Correcting::Ruling, None), None, at(30)).unwrap();
    game.time = 31;
    game.play_on(11);
    game.finish();
    let tally = sound(&game.log()).table.unwrap().tally;
    assert_eq!((tally.corrections, tally.undone, tally.corrections_without_all), (2, 1, 0));
}

#[test]
fn the_chain_of_the_host_is_renewed_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "2000", 12);
    while game.asked().is_some() && game.table.fold().ledger().unwrap().rolls < 300 {
        game.say("roll 1");
    }
    assert!(game.table.fold().ledger().unwrap().rolls >= 300);
    assert!(kinds(&game.log()).contains(&Kind::Chain));
    sound(&game.log());
}

#[test]
fn a_seat_that_lost_its_codes_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 13);
    game.say("pass");
    game.say("pass");
    let seat = game.asked().unwrap();
    let other = Seat(3 - seat.0);
    let chain = ringmail::record::commit::chain::SeatChain::new(
        &secrets(13).game,
        seat.0,
        ringmail::record::value::hash::Hex([0x77; 20]),
        64,
    );
    game.table.renew_codes(seat, chain.anchor(), None, at(40)).unwrap();
    game.time = 41;
    // Not before the other seat has answered once more.
    let code = Some(GivenCode { k: Some(1), code: chain.code(1).unwrap() });
    assert!(game.table.say(seat, "dare", code, None, at(42)).is_err());
    game.say("dare");
    assert_eq!(game.asked(), Some(other));
    game.say("no");
    game.codes[seat.index()] = Some(chain);
    game.play_on(13);
    game.finish();
    sound(&game.log());
}

#[test]
fn a_deadline_or_the_host_brings_no_code() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 14);
    for by in [By::Deadline, By::Host] {
        let seat = game.asked().unwrap();
        let via = Via { raw: None, seen: None, auth: None, by: Some(by), standing: None };
        let code = game.code(seat);
        game.table.say(seat, "pass", code, Some(via), at(9)).unwrap();
    }
    let tally = sound(&game.log()).table.unwrap().tally;
    assert_eq!((tally.by_deadline, tally.by_host, tally.with_code), (1, 1, 0));
}

#[test]
fn a_game_is_made_and_started_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::create(folder.path(), &charter(2, "6"), secrets(15), at(0), titles).unwrap();
    let missing = table.start(at(1)).unwrap_err();
    assert_eq!(missing.to_string(), "not yet joined: green, black");
    assert!(table.say(Seat(1), "roll 1", None, None, at(1)).is_err());
    let joining = Default::default();
    table.join(Seat(1), &joining, None, at(1)).unwrap();
    assert!(matches!(table.join(Seat(1), &joining, None, at(1)), Err(TableError::Unsound(_))));
    assert!(matches!(table.end("", at(1)), Err(TableError::NotNow { .. })));
    table.join(Seat(2), &joining, None, at(1)).unwrap();
    assert!(matches!(table.start(at(0)), Err(TableError::TimeRunsBack { .. })));
    table.start(at(1)).unwrap();
    assert!(table.start(at(1)).is_err());
    table.reveal(at(2)).unwrap();
    assert!(table.say(Seat(1), "roll 1", None, None, at(3)).is_err());
    table.end("the host moved away", at(3)).unwrap();
    let log = std::fs::read(folder.path().join("log.yaml")).unwrap();
    let report = sound(&log);
    assert_eq!(report.result.as_deref(), Some("abandoned: the host moved away"));
    assert!(report.to_text().contains("Seats without codes: green, black"), "{report}");
    let again = Table::create(folder.path(), &charter(2, "6"), secrets(15), at(0), titles);
    assert!(matches!(again, Err(TableError::Log(LogError::AlreadyThere { .. }))));
}

#[test]
fn the_log_of_a_game_holds_no_secret_before_the_reveal() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 16);
    game.table.leave_order(Seat(1), "when asked riddle say second breakfast", None, at(3)).unwrap();
    game.play_on(16);
    let text = String::from_utf8(game.log()).unwrap();
    let secrets = game.table.secrets();
    let tips: Vec<Hash> = secrets.chains.iter().map(|chain| chain.tip).collect();
    for secret in [secrets.root, secrets.token_key].iter().chain(&tips) {
        assert!(!text.contains(&secret.to_string()));
    }
    assert!(!text.contains("shire.example") && !text.contains("breakfast"));
    for card in game.table.hand(Seat(1)) {
        assert!(!text.contains(&card.salt.to_string()) || game.table.fold().masks().open.get(card.slot).is_some());
    }
}
