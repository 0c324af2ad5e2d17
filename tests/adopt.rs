/*! A game whose host has vanished goes on: it is rebuilt from a player's mail, with the shares of all seats, a new
chain of dice and the consent of everybody. Also what is refused, with the reason.
*/

use crate::house;
use crate::house::{BLACK, GREEN, House, at, charter, copy_all, field, rehashed, secrets, table};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use post::witness::rebuild::{Found, NotRebuilt, Share};
use record::charter::{Charter, CharterSeat};
use record::commit::escrow;
use record::commit::signature::SigningKey;
use record::entry::body::Escrow;
use record::file::reading::read_through;
use record::file::secrets::SeatSecrets;
use record::file::stream::Records;
use record::fold::Fold;
use record::problem::exit;
use record::table::Table;
use record::table::adopt::{NotAdopted, root_of, secrets};
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::TempDir;

/// A game for 60 turns whose host has a key.
fn house(escrow: Option<Escrow>) -> House {
    let charter = Charter { escrow, ..charter::many_riddles() };
    House::founded(&charter, secrets::with_key(), table::nothing)
}

fn seat_of(player: &str) -> Seat {
    if player == GREEN { Seat(1) } else { Seat(2) }
}

/// Plays `answers` answers.
fn play(house: &mut House, answers: u32) {
    for _ in 0..answers {
        let (player, waits) = house.asked();
        let answer = if waits.ends_with("(answer)") { "yes" } else { "roll 2" };
        house.says(player, &format!("{answer}\r\n"));
        house.send();
    }
}

/// A player's mail.
fn mailbox(house: &House, player: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let desk = house.office.desk("g7").unwrap();
    for (number, out) in desk.book.letters_out().filter(|out| out.to == player).enumerate() {
        let raw = desk.outbox.read(desk.outbox.shelf(&out.letter).unwrap().unwrap(), &out.letter).unwrap();
        fs::write(folder.path().join(format!("{number:03}.eml")), raw).unwrap();
    }
    folder
}

fn found(mailbox: &Path) -> Found {
    let mut found = Found::default();
    found.look(mailbox, "g7").unwrap();
    found
}

fn folded(log: &[u8]) -> Fold {
    read_through(Records::new(log), TITLES, None, |_| ControlFlow::Continue(())).unwrap()
}

fn report(log: &str) -> Report {
    let wanted = Wanted {
        file: "log.yaml".to_owned(),
        titles: TITLES,
        errors: Errors::First,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    verify(log.as_bytes(), wanted).unwrap()
}

fn shares(fold: &Fold, found: &[Share]) -> Vec<(Seat, Hash)> {
    found.iter().map(|share| (fold.plan().seat(&share.seat).unwrap(), share.share)).collect()
}

/// Green continues the game: the host is gone, and only his letters are left.
fn adopted(house: &House) -> (TempDir, Table) {
    let (green, black) = (found(mailbox(house, GREEN).path()), found(mailbox(house, BLACK).path()));
    // Each player holds one share, his own.
    assert_eq!((green.shares.len(), black.shares.len()), (1, 1));
    let rebuilt = [green.rebuild("g7", None).unwrap(), black.rebuild("g7", None).unwrap()];
    let rebuilt = rebuilt.into_iter().max_by_key(|rebuilt| rebuilt.records).unwrap();
    let fold = folded(&rebuilt.log);
    let shares = shares(&fold, &[green.shares, black.shares].concat());
    let root = root_of(&fold, &shares).unwrap();
    assert_eq!(root, secrets::usual().root);
    let address = |seat: &str, address: &str| SeatSecrets {
        seat: seat.to_owned(),
        addresses: vec![address.to_owned()],
        ..SeatSecrets::default()
    };
    let secrets = secrets(&fold, root, vec![address("green", GREEN), address("black", BLACK)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("g7");
    fs::create_dir_all(&game).unwrap();
    fs::write(game.join("log.yaml"), &rebuilt.log).unwrap();
    secrets.create(&game).unwrap();
    let mut table = Table::open(&game, TITLES).unwrap();
    table.adopt(&[Seat(1)], "the host has not answered since May", at(100)).unwrap();
    (folder, table)
}

#[test]
fn a_game_whose_host_has_vanished_goes_on_from_the_mail_of_its_players() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 5);
    let before = house.log();
    let (folder, mut table) = adopted(&house);
    table.consent(Seat(2), "second breakfast", by_letter(), at(101)).unwrap();
    drop(table);
    let mut adopted = House { minutes: 110, ..House::of(folder, TITLES).opens(at(105)) };
    play(&mut adopted, 6);
    let log = adopted.log();
    assert!(log.starts_with(&before) || before.starts_with(log.split("type: \"host\"").next().unwrap()), "{log}");
    let checked = report(&log);
    assert!(checked.is_ok(), "{checked}");
    assert_eq!(checked.table.as_ref().unwrap().tally.hosts, 1);
    assert!(checked.to_text().contains("another went on with the game"), "{checked}");
    // At the end everything that was hidden is shown and proves right, from the first deck to the last.
    let mut desk = adopted.office.desk("g7").unwrap();
    desk.table.reveal(at(400)).unwrap();
    desk.table.end("enough", at(400)).unwrap();
    drop(desk);
    let checked = report(&adopted.log());
    assert!(checked.is_ok(), "{checked}");
}

#[test]
fn nothing_is_played_before_the_seats_consent() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 3);
    let (_folder, mut table) = adopted(&house);
    let asked = seat_of(if table.fold().waits_for().starts_with("green") { GREEN } else { BLACK });
    let head = table.fold().head();
    assert!(table.say(asked, "roll 1", by_letter(), at(101)).is_err());
    assert!(table.consent(Seat(1), "", by_letter(), at(101)).is_err(), "the new host's own seat is not asked");
    assert_eq!(table.fold().head(), head, "what is refused changes nothing");
    table.consent(Seat(2), "words", by_letter(), at(102)).unwrap();
    assert!(table.consent(Seat(2), "again", by_letter(), at(103)).is_err());
}

/// The words of the other seats change the dice, and the new host can choose nothing else.
#[test]
fn the_words_of_the_seats_turn_the_dice() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 3);
    let (folder, table) = adopted(&house);
    drop(table);
    let rolled = |words: &str| {
        let copy = tempfile::tempdir().unwrap();
        copy_all(&folder.path().join("g7"), copy.path());
        let mut table = Table::open(copy.path(), TITLES).unwrap();
        table.consent(Seat(2), words, by_letter(), at(101)).unwrap();
        table.fold().ledger().unwrap().mix().0
    };
    assert_eq!(rolled("second breakfast"), rolled("second breakfast"));
    assert_ne!(rolled("second breakfast"), rolled("elevenses"));
}

#[test]
fn without_all_shares_nobody_goes_on_and_the_reason_is_told() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 2);
    let green = found(mailbox(&house, GREEN).path());
    let fold = folded(house.log().as_bytes());
    let own = shares(&fold, &green.shares);
    let missing = root_of(&fold, &own).unwrap_err();
    assert_eq!(missing, NotAdopted::Missing(vec!["black".to_owned()]));
    let forged = [own.clone(), vec![(Seat(2), sha256(b"forged"))]].concat();
    assert_eq!(root_of(&fold, &forged), Err(NotAdopted::False("black".to_owned())));
    let without = self::house(None);
    let fold = folded(without.log().as_bytes());
    let why = root_of(&fold, &own).unwrap_err();
    assert!(why.to_string().contains("started without shares"), "{why}");
    assert!(found(mailbox(&without, GREEN).path()).shares.is_empty());
}

/// S4: a share is in the letters of its seat, and in no others.
#[test]
fn s4_no_letter_holds_another_seats_share() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 4);
    let shares = escrow::shares(&secrets::usual().root, &[1, 2]);
    for (player, own) in [(GREEN, 0), (BLACK, 1)] {
        for entry in fs::read_dir(mailbox(&house, player).path()).unwrap() {
            let letter = fs::read_to_string(entry.unwrap().path()).unwrap();
            assert!(field(&letter, "X-Ringmail-Share").ends_with(&escrow::write(&shares[own].1)), "{letter}");
            assert!(!letter.contains(&escrow::write(&shares[1 - own].1)));
        }
    }
    assert!(!house.log().contains(&shares[0].1.to_string()));
}

#[test]
fn a_host_alone_with_one_other_seat_gives_no_shares() {
    let seats = [CharterSeat { host: true, ..charter::player("Gollum") }, charter::player("Bilbo")];
    let charter = Charter { escrow: Some(Escrow::Seats), ..charter::of("riddles", seats) };
    let folder = tempfile::tempdir().unwrap();
    let error = Table::create(folder.path(), &charter, secrets::usual(), at(0), TITLES).err().unwrap();
    assert!(error.to_string().contains("fewer than two seats"), "{error}");
}

#[test]
fn a_log_is_rebuilt_only_as_far_as_its_hashes_join() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 4);
    let log = house.log();
    let mail = mailbox(&house, GREEN);
    let whole = found(mail.path()).rebuild("g7", None).unwrap();
    assert!(log.as_bytes().starts_with(&whole.log) && whole.beyond.is_none());
    // A letter in the middle was lost.
    let mut letters: Vec<_> = fs::read_dir(mail.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    letters.sort();
    fs::remove_file(&letters[1]).unwrap();
    let part = found(mail.path()).rebuild("g7", None).unwrap();
    assert!(
        part.records < whole.records && part.beyond == Some(whole.records - 1),
        "{} {:?}",
        part.records,
        part.beyond
    );
    // The other player's mail has what is missing.
    let mut both = found(mail.path());
    both.look(mailbox(&house, BLACK).path(), "g7").unwrap();
    assert!(both.rebuild("g7", None).unwrap().records >= whole.records);
    fs::remove_file(&letters[0]).unwrap();
    let why = found(mail.path()).rebuild("g7", None).unwrap_err();
    assert_eq!(why, NotRebuilt::NoBeginning { name: "g7".to_owned() });
    // Two stories.
    let mut other = self::house(Some(Escrow::Seats));
    play(&mut other, 1);
    let mut third = other.copy();
    play(&mut other, 2);
    third.minutes += 1;
    play(&mut third, 2);
    let mut two = found(mailbox(&other, GREEN).path());
    two.look(mailbox(&third, GREEN).path(), "g7").unwrap();
    assert!(matches!(two.rebuild("g7", None), Err(NotRebuilt::Forked { .. })));
}

#[test]
fn v7_no_field_of_an_adoption_can_be_changed() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 3);
    let (folder, mut table) = adopted(&house);
    table.consent(Seat(2), "second breakfast", by_letter(), at(101)).unwrap();
    drop(table);
    let mut adopted = House { minutes: 110, ..House::of(folder, TITLES).opens(at(105)) };
    play(&mut adopted, 3);
    let mut desk = adopted.office.desk("g7").unwrap();
    desk.table.reveal(at(400)).unwrap();
    drop(desk);
    let log = adopted.log();
    assert!(report(&log).is_ok());
    let line = |start: &str| log.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    let digest = log.lines().find(|line| line.starts_with("    digest: ")).unwrap();
    let altered = |from: &str, to: &str| {
        assert!(log.contains(from), "{from}");
        report(&rehashed(&log.replacen(from, to, 1))).exit_code()
    };
    let other = sha256(b"other");
    let host_at = log.find("type: \"host\"").unwrap();
    let anchor = log[host_at..].lines().find(|line| line.starts_with("anchor: ")).unwrap();
    assert_eq!(altered(digest, &format!("    digest: \"{other}\"")), exit::DICE, "a false share is known at the end");
    assert_eq!(altered(anchor, &format!("anchor: \"{other}\"")), exit::DICE);
    assert_eq!(altered(&line("phrase: "), "phrase: \"elevenses\""), exit::DICE);
    assert_eq!(altered(&line("to: "), "to: 1"), exit::MALFORMED);
    assert_eq!(altered("what: \"adoption\"", "what: \"handover\""), exit::MALFORMED);
    assert_eq!(altered("plays: [\"green\"]", "plays: [\"black\"]"), exit::MALFORMED);
    assert_eq!(altered("\nescrow: \"seats\"", ""), exit::DICE, "everything is bound to the first record");
}

#[test]
fn the_old_host_signs_a_handover_and_no_other_key_will_do() {
    let house = house(None);
    let new = SigningKey::of_seed(&Hex([5; 32])).public;
    let mut desk = house.office.desk("g7").unwrap();
    let consents = [(Seat(1), Some(sha256(b"letter"))), (Seat(2), None)];
    let foreign = desk.table.hand_host_over(new, &[Seat(1)], "I move to the Havens", &consents, at(60));
    assert!(foreign.unwrap_err().to_string().contains("the seats that he plays, and no other"));
    desk.table.hand_host_over(new, &[], "I move to the Havens", &consents, at(60)).unwrap();
    assert_eq!(desk.table.fold().host_key(), Some(new));
    drop(desk);
    let log = house.log();
    assert!(report(&log).is_ok(), "{}", report(&log));
    let other = SigningKey::of_seed(&Hex([6; 32])).public;
    let altered = log.replace(&new.to_string(), &other.to_string());
    assert_eq!(report(&rehashed(&altered)).exit_code(), exit::CHAIN, "the old host did not sign for that key");
    let sig = log.lines().rfind(|line| line.starts_with("sig: ")).unwrap();
    assert_eq!(report(&rehashed(&log.replace(&format!("{sig}\n"), ""))).exit_code(), exit::CHAIN);
    // The host cannot give away the seat of a player.
    let plays = rehashed(&log.replace("\ntext: \"I move", "\nplays: [\"green\"]\ntext: \"I move"));
    let report = report(&plays);
    assert!(report.to_text().contains("the host does not play green"), "{report}");
    assert_eq!(report.exit_code(), exit::CHAIN);
}

/// The new host need not sit at the vanished host's keyboard: he writes to the seats, and they consent by letter.
#[test]
fn the_seats_consent_by_letter() {
    let mut house = house(Some(Escrow::Seats));
    play(&mut house, 3);
    let (folder, table) = adopted(&house);
    drop(table);
    let mut adopted = House { minutes: 110, ..House::of(folder, TITLES).opens(at(105)) };
    let wanted = adopted.newest(BLACK);
    assert!(field(&wanted, "Subject").ends_with("your consent is wanted"), "{wanted}");
    let text = house::body(&wanted);
    let told = text.replace('\n', " ");
    assert!(told.contains("another goes on if you consent:"), "{text}");
    assert!(!text.contains("#4 "), "what was before has been told: {text}");
    assert!(text.contains("\nconsent <any words>\n") && !text.contains("WHAT YOU MAY SAY"), "{text}");
    let waiting = house::body(&adopted.newest(GREEN)).replace('\n', " ");
    assert!(waiting.contains("Nothing is asked of you. Waiting for the consent of black"), "{waiting}");
    let early = house::fates(&adopted.says(BLACK, "roll 1\r\n"));
    assert!(early[0].starts_with("refused") && early[0].contains("consent"), "{early:?}");
    let not_asked = house::fates(&adopted.says(GREEN, "consent as well\r\n"));
    assert!(not_asked[0].contains("no new host waits for the consent of this seat"), "{not_asked:?}");
    // The letter must be confirmed.
    assert_eq!(house::fates(&adopted.says(BLACK, "consent Second Breakfast\r\n")), ["kept"]);
    let text = house::body(&adopted.newest(BLACK));
    let confirm = text.lines().find(|line| line.starts_with("consent ") && line.contains(" confirm ")).unwrap();
    let received = adopted.says(BLACK, &format!("{confirm}\r\n"));
    assert!(house::fates(&received)[0].starts_with("done consent #"), "{received:?}");
    assert!(adopted.log().contains("phrase: \"Second Breakfast\""), "{}", adopted.log());
    for player in [GREEN, BLACK] {
        let told = house::body(&adopted.newest(player)).replace('\n', " ");
        assert!(told.contains("Black (Bilbo) consents to the new host. The game goes on."), "{told}");
    }
    adopted.send();
    play(&mut adopted, 3);
    assert!(report(&adopted.log()).is_ok());
}

/// A letter with a confirmed line.
fn by_letter() -> Option<record::entry::body::Via> {
    use record::entry::body::{Auth, Via};
    Some(Via::letter(sha256(b"letter"), 1, Auth::Confirmed))
}
