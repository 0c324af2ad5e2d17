//! What `verify` says of the dice, word for word, in honest games of all kinds: who could have chosen a throw, and who
//! could have foreseen it. Each sentence appears in a game where it is true, and is missing in a game where it is not.

use crate::house::{secrets, table};
use crate::record_game;
use crate::record_game::{Game, at, letter, players};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::{Hex, sha256};
use record::commit::chain::SeatChain;
use record::entry::body::{Auth, Ballot, By, Correcting, Via};
use record::fold::council::Proposal;
use record::table::{GivenCode, Joining, Table};
use record::verify::{Errors, Wanted, verify};
use std::path::Path;
use tempfile::TempDir;

const ANNA: Seat = Seat(1);
const BERT: Seat = Seat(2);

/// A game that has started, in which these seats keep codes.
fn started(names: &[&str], with_codes: &[Seat]) -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_with(folder.path(), &players(names), 51, |seat| with_codes.contains(&seat));
    (folder, game)
}

/// `answers` answers: each seat rolls in its turn.
fn roll(game: &mut Game, answers: u32) {
    for _ in 0..answers {
        game.say("roll 1");
    }
}

/// What `verify` says of the dice, and the beginning of its last line.
fn told(folder: &Path) -> (String, String) {
    let log = std::fs::read(folder.join("log.yaml")).unwrap();
    let progress = &mut |_| {};
    let wanted = Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::All, seen: Vec::new(), progress };
    let report = verify(log.as_slice(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.exit_code(), 0, "what was possible is no fault");
    let text = report.to_text();
    let dice = text.lines().find(|line| line.starts_with("dice: ")).unwrap().to_string();
    let last = text.lines().last().unwrap().split(", ").take(2).collect::<Vec<&str>>().join(", ");
    (dice, last)
}

/// Compares both with what is expected.
#[track_caller]
fn says(game: &Game, dice: &str, last: &str) {
    let (found, end) = told(&game.table.drawer().path());
    assert_eq!(format!("{found}\n{end}"), format!("{dice}\n{last}"));
}

#[test]
fn a_game_without_codes() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host together with Anna, or with Bert, \
         could have chosen all of them freely. The host could have foreseen 8 of them. Nobody could have \
         foreseen 3 of them. These counts rest on what each writer had seen; for 2 of 2 contributions \
         that is the host's word.",
        "OK g7 12 records, 11 throws",
    );
}

#[test]
fn codes_on_one_side() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host together with Anna could have chosen \
         all of them freely. The host could have foreseen 4 of them. The host together with Anna could \
         have foreseen 8 of them. Nobody could have foreseen 3 of them. These counts rest on what each \
         writer had seen; for 7 of 7 contributions that is the host's word.",
        "OK g7 13 records, 11 throws",
    );
}

#[test]
fn codes_on_both_sides() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host together with Anna, or with Bert, \
         could have chosen between two results for 4 of them, by sending an answer as a letter or letting \
         it be given otherwise. The host together with Anna, or with Bert, could have foreseen 4 of them. \
         Nobody could have foreseen 3 of them. These counts rest on what each writer had seen; for 12 of \
         12 contributions that is the host's word.",
        "OK g7 14 records, 11 throws",
    );
}

#[test]
fn codes_of_three() {
    let (_folder, mut game) = started(&["Anna", "Bert", "Chloé"], &[ANNA, BERT, Seat(3)]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 12 throws, all follow from the commitments. The host together with Anna, or with Bert, \
         could have chosen between two results for 3 of them, by sending an answer as a letter or letting \
         it be given otherwise. The host together with Chloé could have chosen between two results for 2 \
         of them, by sending an answer as a letter or letting it be given otherwise. The host together \
         with Anna, or with Bert, could have foreseen 3 of them. The host together with Chloé could have \
         foreseen 2 of them. Nobody could have foreseen 4 of them. These counts rest on what each writer \
         had seen; for 14 of 14 contributions that is the host's word.",
        "OK g7 16 records, 12 throws",
    );
}

#[test]
fn the_host_plays_one_seat_and_the_other_keeps_codes() {
    let (_folder, mut game) = started(&["Anna", "BERT"], &[ANNA]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host could have chosen none of them. The \
         host could have foreseen 4 of them. Nobody could have foreseen 7 of them. These counts rest on \
         what each writer had seen; for 6 of 6 contributions that is the host's word.",
        "OK g7 13 records, 11 throws",
    );
}

#[test]
fn the_host_plays_one_seat_and_nobody_keeps_codes() {
    let (_folder, mut game) = started(&["Anna", "BERT"], &[]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host could have chosen none of them. The \
         host could have foreseen 8 of them. Nobody could have foreseen 3 of them. These counts rest on \
         what each writer had seen; for 1 of 1 contribution that is the host's word.",
        "OK g7 12 records, 11 throws",
    );
}

#[test]
fn the_host_holds_all_seats() {
    let (_folder, mut game) = started(&["ANNA", "BERT"], &[]);
    roll(&mut game, 8);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host could have chosen all of them freely. \
         The host could have foreseen all of them.",
        "OK g7 12 records, 11 throws by the host's word",
    );
}

/// Anna's book is lost: she moves another anchor, and Bert agrees with his next code. Only the host says that it was
/// she: he could have made her codes, with Bert.
#[test]
fn a_seat_that_is_keyed_again_by_a_motion() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    roll(&mut game, 4);
    let chain = SeatChain::new(&game.table.fold().genesis(), 1, Hex([0x77; 20]), 64);
    rekey(&mut game, ANNA, BERT, Some(chain));
    roll(&mut game, 4);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host together with Bert could have \
         chosen 4 of them freely. The host together with Anna could have chosen between two results \
         for 4 of them, by sending an answer as a letter or letting it be given otherwise. The host \
         together with Bert could have chosen between two results for 2 of them, by sending an \
         answer as a letter or letting it be given otherwise. The host could have foreseen 2 of \
         them. The host together with Anna could have foreseen 4 of them. The host together with \
         Bert could have foreseen 6 of them. Nobody could have foreseen 3 of them. These counts \
         rest on what each writer had seen; for 13 of 13 contributions that is the host's word.",
        "OK g7 17 records, 11 throws",
    );
}

/// Bert gives up his codes, and then Anna moves another anchor: nobody else keeps codes, so the host could have
/// chosen hers.
#[test]
fn a_seat_that_is_keyed_again_where_nobody_else_keeps_codes() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    roll(&mut game, 4);
    rekey(&mut game, BERT, ANNA, None);
    let chain = SeatChain::new(&game.table.fold().genesis(), 1, Hex([0x77; 20]), 64);
    rekey(&mut game, ANNA, BERT, Some(chain));
    roll(&mut game, 4);
    says(
        &game,
        "dice: 11 throws, all follow from the commitments. The host could have chosen 4 of them \
         freely. The host together with Anna, or with Bert, could have chosen between two results \
         for 2 of them, by sending an answer as a letter or letting it be given otherwise. The host \
         could have foreseen 4 of them. The host together with Anna, or with Bert, could have \
         foreseen 6 of them. Nobody could have foreseen 3 of them. These counts rest on what each \
         writer had seen; for 11 of 11 contributions that is the host's word.",
        "OK g7 20 records, 11 throws by the host's word",
    );
}

/// Other codes for `seat`, or none, by its own motion and the vote of `other`.
fn rekey(game: &mut Game, seat: Seat, other: Seat, chain: Option<SeatChain>) {
    let codes = chain.as_ref().map(SeatChain::anchor);
    let proposal = Proposal { of: Some(seat), codes, ..Proposal::new(Correcting::Codes, "my book is lost") };
    let now = game.now();
    let via =
        |game: &Game, name: &str| Some(record_game::confirmed(&format!("{name} {}", game.head_seq()), game.head_seq()));
    let motion = game.table.propose(seat, &proposal, via(game, "motion"), now).unwrap()[0].seq;
    let code = game.code(other);
    game.table.vote(other, motion, Ballot::Yes, code, via(game, "vote"), now).unwrap();
    game.codes[seat.index()] = chain;
}

/// Chloé keeps codes, but her orders answer for her. So one spell of Anna's follows another, without anybody else's
/// code between them.
#[test]
fn spell_after_spell_with_no_code_of_others_between_them() {
    let (_folder, mut game) = started(&["Anna", "Bert", "Chloé"], &[ANNA, Seat(3)]);
    let now = game.now();
    game.table.leave_order(Seat(3), "when asked riddle say roll 1", Some(letter("order", 3)), now).unwrap();
    roll(&mut game, 6);
    says(
        &game,
        "dice: 13 throws, all follow from the commitments. The host together with Anna and Chloé could \
         have chosen all of them freely. The host together with Anna could have chosen between a few \
         results, up to 8, for 9 of them, by sending an answer as a letter or letting it be given \
         otherwise. The host together with Chloé could have chosen between two results for 3 of them, by \
         sending an answer as a letter or letting it be given otherwise. The host could have foreseen 6 \
         of them. The host together with Anna could have foreseen 9 of them. Nobody could have foreseen 4 \
         of them. These counts rest on what each writer had seen; for 8 of 8 contributions that is the \
         host's word.",
        "OK g7 17 records, 13 throws",
    );
}

#[test]
fn right_after_the_start() {
    let (_folder, game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    says(
        &game,
        "dice: 3 throws, all follow from the commitments. Neither the host nor the host in league with \
         some of the players could have chosen any of them. Nobody could have foreseen any of them. These \
         counts rest on what each writer had seen; for 4 of 4 contributions that is the host's word.",
        "OK g7 6 records, 3 throws",
    );
    let (_folder, game) = started(&["Anna", "BERT"], &[ANNA]);
    says(
        &game,
        "dice: 3 throws, all follow from the commitments. The host could have chosen none of them. Nobody \
         could have foreseen any of them. These counts rest on what each writer had seen; for 2 of 2 \
         contributions that is the host's word.",
        "OK g7 5 records, 3 throws",
    );
}

/// A mail domain's signature is only the host's word, too, as long as the letter is not shown.
#[test]
fn a_class_that_the_log_alone_claims_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut table =
        Table::create(folder.path(), &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
    let proven = |name: &str, seen| Some(Via { auth: Some(Auth::Dkim), ..letter(name, seen) });
    let genesis = table.fold().genesis();
    let chains = [ANNA, BERT].map(|seat| record_game::chain(&genesis, seat.0));
    for (seat, chain) in [ANNA, BERT].into_iter().zip(&chains) {
        let (anchor, message) = (Some(chain.anchor()), sha256(&[seat.0]));
        let via = if seat == ANNA { proven("join", 0) } else { Some(letter("join", 0)) };
        let address = Some(sha256(b"address"));
        table.join(seat, &Joining { anchor, message, address, ..Joining::default() }, via, at(1)).unwrap();
    }
    for (seat, chain) in [ANNA, BERT].into_iter().zip(&chains) {
        table.ready(seat, chain.code(1).unwrap(), proven("ready", 2), at(2)).unwrap();
    }
    table.start(at(3)).unwrap();
    let (dice, _) = told(folder.path());
    assert!(dice.ends_with("for 4 of 4 contributions that is the host's word."), "{dice}");
}

#[test]
fn where_nobody_else_contributes_no_word_of_the_host_is_spoken_of() {
    let folder = tempfile::tempdir().unwrap();
    let mut charter = players(&["Anna", "Bert"]);
    charter.seats.iter_mut().for_each(|seat| seat.host = true);
    drop(table::started(folder.path(), &charter, secrets::of_seed(51), at(0), table::nothing));
    let (dice, last) = told(folder.path());
    assert!(dice.contains("The host could have chosen all of them freely.") && !dice.contains("host's word"), "{dice}");
    assert!(last.starts_with("OK g7 4 records, 3 throws by the host's word"), "{last}");
}

/// The host claims that a letter of Bert's was written before Anna's spell, and holds it back until she has chosen.
/// Bert's question was asked after the spell, so the table makes no such record, and nobody else accepts one.
#[test]
fn a_code_that_is_said_to_have_been_held_back_is_refused() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    let start = game.head_seq();
    for count in 0..6 {
        let (seat, now, head) = (game.asked().unwrap(), game.now(), game.head_seq());
        let via = |seen: u64| Some(letter(&format!("answer {count}"), seen));
        if head > start {
            let code: Option<GivenCode> = game.code(seat);
            let refused = game.table.say(seat, "roll 1", code, via(start), now).unwrap_err().to_string();
            assert!(refused.contains("after which the question was asked"), "{refused}");
        }
        let code: Option<GivenCode> = game.code(seat);
        game.table.say(seat, "roll 1", code, via(head), now).unwrap();
    }
    let (found, end) = told(&game.table.drawer().path());
    assert!(found.starts_with("dice: 9 throws") && !found.contains("a few results"), "{found}");
    assert!(end.starts_with("OK g7 12 records, 9 throws"), "{end}");
}

/// Answers left ahead bring no codes: their throws could be foreseen, and the answer might have come by letter.
#[test]
fn answers_left_ahead_bring_no_codes() {
    let (_folder, mut game) = started(&["Anna", "Bert"], &[ANNA, BERT]);
    for _ in 0..4 {
        let (seat, now) = (game.asked().unwrap(), game.now());
        let via = Via { by: Some(By::Ahead), ..letter("ahead", game.head_seq()) };
        game.table.say(seat, "roll 1", None, Some(via), now).unwrap();
    }
    says(
        &game,
        "dice: 7 throws, all follow from the commitments. The host together with Anna could have chosen \
         between two results for 4 of them, by sending an answer as a letter or letting it be given \
         otherwise. The host together with Bert could have chosen between two results for 3 of them, by \
         sending an answer as a letter or letting it be given otherwise. The host could have foreseen 4 \
         of them. Nobody could have foreseen 3 of them. These counts rest on what each writer had seen; \
         for 4 of 4 contributions that is the host's word.",
        "OK g7 10 records, 7 throws",
    );
}
