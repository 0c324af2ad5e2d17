//! What `verify` says of the dice, word for word, in honest games of all kinds: who could have chosen a throw, and who
//! could have foreseen it. Each sentence appears in a game where it is true, and is missing in a game where it is not.

use crate::house::secrets;
use crate::record_game::{Game, at, letter, players};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::sha256;
use record::charter::Charter;
use record::entry::body::{Auth, Via};
use record::table::{Joining, Table};
use record::verify::{Errors, Wanted, verify};
use std::path::Path;
use tempfile::TempDir;

const ANNA: Seat = Seat(1);
const BERT: Seat = Seat(2);

/// A game that has started.
fn started(names: &[&str]) -> (TempDir, Game) {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::start_by(folder.path(), &players(names), 51);
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

/// What follows only if these players wrote the letters by which they joined.
fn own_letters(joined: &[(u8, &str)]) -> String {
    let digits = |number: &u8| sha256(format!("{number}@mail.example").as_bytes()).to_string()[..8].to_owned();
    let joined: Vec<String> = joined.iter().map(|(number, seat)| format!("{seat} {}", digits(number))).collect();
    format!(
        "That holds if the players wrote the letters by which they joined ({}); otherwise the host alone could have \
         chosen all of them.",
        joined.join(", ")
    )
}

const KNOWN: &str = "The host could have known each of them in advance.";

#[test]
fn a_game_of_two() {
    let (_folder, mut game) = started(&["Anna", "Bert"]);
    roll(&mut game, 8);
    // Bert's letter had not seen that Anna has joined: the host could have held it back, and told her.
    says(
        &game,
        &format!(
            "dice: 11 throws, all follow from the commitments. {KNOWN} Nobody could have chosen any of them, except \
             the host together with Anna or Bert, before the start. {} This rests on what each writer had seen when \
             he joined or consented; for 2 of 2 contributions that is the host's word.",
            own_letters(&[(1, "green"), (2, "black")]),
        ),
        "OK g7 12 records, 11 throws",
    );
}

#[test]
fn the_last_letter_shows_that_its_writer_had_seen_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut table =
        Table::create(folder.path(), &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
    for (seat, seen) in [(ANNA, 0), (BERT, 1)] {
        let joining = Joining { message: sha256(&[seat.0]), ..Joining::default() };
        table.join(seat, &joining, Some(letter("join", seen)), at(1)).unwrap();
    }
    table.start(at(3)).unwrap();
    let (dice, _) = told(folder.path());
    let by_bert = "Nobody could have chosen any of them, except the host together with Bert, who joined last, before \
                   the start.";
    assert!(dice.contains(KNOWN) && dice.contains(by_bert), "{dice}");
}

#[test]
fn the_host_plays_one_of_two_seats() {
    let (_folder, mut game) = started(&["Anna", "BERT"]);
    roll(&mut game, 8);
    says(
        &game,
        &format!(
            "dice: 11 throws, all follow from the commitments. {KNOWN} Nobody could have chosen any of them. {} This \
             rests on what each writer had seen when he joined or consented; for 1 of 1 contribution that is the \
             host's word.",
            own_letters(&[(1, "green")]),
        ),
        "OK g7 12 records, 11 throws",
    );
}

#[test]
fn the_host_holds_all_seats() {
    let (_folder, mut game) = started(&["ANNA", "BERT"]);
    roll(&mut game, 8);
    says(
        &game,
        &format!("dice: 11 throws, all follow from the commitments. {KNOWN} The host could have chosen all of them."),
        "OK g7 12 records, 11 throws by the host's word",
    );
}

/// Somebody typed for both players at the host's machine: nothing shows that it was not the host.
#[test]
fn players_who_join_at_the_hosts_keyboard_bind_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let charter = Charter { min_auth: Some(Auth::Keyboard), ..players(&["Anna", "Bert"]) };
    let mut table = Table::create(folder.path(), &charter, secrets::of_seed(51), at(0), TITLES).unwrap();
    for seat in [ANNA, BERT] {
        let joining = Joining { phrase: "words".to_string(), ..Joining::default() };
        table.join(seat, &joining, Some(Via::keyboard()), at(1)).unwrap();
    }
    table.start(at(3)).unwrap();
    let (dice, last) = told(folder.path());
    assert!(dice.contains("The host could have chosen all of them."), "{dice}");
    assert!(last.ends_with("3 throws by the host's word"), "{last}");
}

/// A mail domain's signature is only the host's word, too, as long as the letter is not shown.
#[test]
fn a_class_that_the_log_alone_claims_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut table =
        Table::create(folder.path(), &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
    for seat in [ANNA, BERT] {
        let via = Via { auth: Some(Auth::Dkim), ..letter("join", 0) };
        let (message, address) = (sha256(&[seat.0]), Some(sha256(b"address")));
        table.join(seat, &Joining { message, address, ..Joining::default() }, Some(via), at(1)).unwrap();
    }
    table.start(at(3)).unwrap();
    let (dice, _) = told(folder.path());
    assert!(dice.ends_with("for 2 of 2 contributions that is the host's word."), "{dice}");
}
