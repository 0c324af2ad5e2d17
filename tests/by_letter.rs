/*! Whole games by letters alone, from the invitation to the closed log, where the least class of a letter is high: each
is signed with a key of its seat (`ssh`), by the real program; or by its mail domain (`dkim`), at the office with a DNS
of the test, as the program asks the name servers of its machine. A player holds the log against what he has sent.
*/

use crate::cli::Place;
use crate::house::{House, at, charter, fates, field, secrets};
use crate::mail_domain::{Dns, Domain, KEY, USUAL, domain_of};
use crate::needs;
use crate::promised;
use engine::chance::Practice;
use engine::need::Need;
use mail::letter::mailbox::Mailbox;
use post::desk::authorship::Judges;
use post::desk::lobby::Invitation;
use post::witness::archive::Archive;
use record::charter::Charter;
use record::entry::body::Auth;
use record::fold::Fold;
use record::table::Table;
use record::verify::{Errors, Proofs, Wanted, verify_with};
use report::guest::Role;
use ringmail::titles;
use std::fs;
use std::process::Command;
use std::sync::Arc;

const ANNA: &str = "anna@shire.example";
const BERT: &str = "bert@bree.example";
/// Answers of a game, before the asked player gives it up.
const ANSWERS: usize = 8;

/// The address of the asked player, and something that he may say.
fn asked(fold: &Fold, chance: &mut Practice) -> Option<(&'static str, String)> {
    let Need::Question(question) = fold.need() else { return None };
    let line = fold.game().copy().say_anything(chance, fold.faces()).sentence;
    Some((if question.seat.0 == 1 { ANNA } else { BERT }, line))
}

/// A game of the real program in a folder, and what its players have sent.
struct Signed {
    place: Place,
    letters: u32,
    sent: u32,
}

impl Signed {
    /// The newest letter to a player, which is his to answer.
    fn newest(&mut self, player: &str) -> String {
        self.sent += 1;
        let folder = format!("out/{:03}", self.sent);
        self.place.done(&["send", "shire", "--to-files", &folder]);
        let mut letters: Vec<String> = Vec::new();
        for number in 1..=self.sent {
            let Ok(files) = fs::read_dir(self.place.path(&format!("out/{number:03}"))) else { continue };
            let mut texts: Vec<String> = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
            texts.sort_by_key(|text| seq_of(text));
            letters.extend(texts);
        }
        let is_his = |text: &&String| field(text, "To").contains(player);
        letters.iter().filter(is_his).max_by_key(|text| seq_of(text)).expect("he has got a letter").clone()
    }

    /// Sends an answer to a letter, and returns what the program says of it.
    fn answers(&mut self, player: &str, letter: &str, text: &str) -> String {
        let raw = self.answer(player, letter, text);
        let name = player.split('@').next().unwrap();
        let file = format!("{name}/{:03}.eml", self.letters);
        fs::create_dir_all(self.place.path(name)).unwrap();
        fs::write(self.place.path(&file), raw).unwrap();
        let ran = self.place.run(&["receive", &file]);
        assert_eq!(ran.exit, 0, "{text}\n{ran:?}");
        ran.out
    }

    fn answer(&mut self, player: &str, letter: &str, text: &str) -> String {
        self.letters += 1;
        format!(
            "From: {player}\r\nTo: {}\r\nSubject: Re: {}\r\nIn-Reply-To: {}\r\nMessage-ID: <{}@mail.example>\r\n\r\n\
             {text}",
            field(letter, "Reply-To"),
            field(letter, "Subject"),
            field(letter, "Message-ID"),
            self.letters
        )
    }

    /// What `ringmail sign` prints for these words, as an answer to a letter.
    fn signed(&self, player: &str, letter: &str, words: &str) -> String {
        fs::write(self.place.path("letter.eml"), letter).unwrap();
        let key = format!("{}.key", player.split('@').next().unwrap());
        self.place.done(&["sign", "letter.eml", words, "--key", &key])
    }

    fn table(&self) -> Table {
        Table::open(&*self.place.path("games/shire"), titles::ALL).unwrap()
    }
}

/// The record of which a letter of ours tells.
fn seq_of(letter: &str) -> u64 {
    field(letter, "Message-ID").split('.').nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_whole_game_is_played_by_signed_letters() {
    if !needs::programs(&["ssh-keygen"]) {
        return;
    }
    let mut game = Signed { place: Place::new(), letters: 0, sent: 0 };
    let seats = ["--seat", "Anna <anna@shire.example>", "--seat", "Bert <bert@bree.example>"];
    game.place.done(&[&["new", "shire", "--min-auth", "ssh", "--dice", "chain"][..], &seats].concat());
    game.place.done(&["invite", "shire"]);
    let joined = [ANNA, BERT].map(|player| join(&mut game, player));
    assert!(joined[1].contains("join"), "{joined:?}");
    let mut chance = Practice::new(5);
    for _ in 0..ANSWERS {
        let (player, line) = asked(game.table().fold(), &mut chance).unwrap();
        let letter = game.newest(player);
        let text = game.signed(player, &letter, &line);
        let said = game.answers(player, &letter, &text);
        assert!(said.contains("done"), "{line}: {said}");
    }
    // A line that nobody has signed plays nothing.
    let (player, line) = asked(game.table().fold(), &mut chance).unwrap();
    let letter = game.newest(player);
    let raw = game.answer(player, &letter, &line);
    fs::write(game.place.path("unsigned.eml"), &raw).unwrap();
    let ran = game.place.run(&["receive", "unsigned.eml"]);
    assert_eq!(ran.exit, 9, "{ran:?}");
    assert!(ran.out.contains("this game requires `ssh`"), "{ran:?}");
    let letter = game.newest(player);
    let text = game.signed(player, &letter, "concede");
    game.answers(player, &letter, &text);
    if game.table().fold().outcome().is_some() {
        game.place.run(&["reveal", "shire"]);
    }
    let told = game.place.done(&["verify", "shire", "--long"]);
    assert!(told.contains("authority   PASS") && told.contains("OK shire"), "{told}");
    let log = fs::read_to_string(game.place.path("games/shire/log.yaml")).unwrap();
    assert_eq!(log.matches("type: \"say\"").count(), ANSWERS);
    assert!(log.matches("auth: \"ssh\"").count() > ANSWERS, "the concession is signed, too");
    assert!(log.contains("type: \"end\""), "{told}");
    promised::keep("ssh", &log);
    held_against_what_was_sent(&game);
}

/// Joins by letter: without a key it is refused, with the reason; with one it is done.
fn join(game: &mut Signed, player: &str) -> String {
    let name = player.split('@').next().unwrap();
    let keygen = Command::new("ssh-keygen")
        .current_dir(game.place.path("."))
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", &format!("{name}.key")])
        .status();
    assert!(keygen.unwrap().success());
    let letter = game.newest(player);
    let without = game.answer(player, &letter, "join\r\n");
    fs::write(game.place.path("without.eml"), without).unwrap();
    let ran = game.place.run(&["receive", "without.eml"]);
    assert_eq!(ran.exit, 9, "{ran:?}");
    assert!(ran.out.contains("every letter of this game must be signed"), "{ran:?}");
    let key = fs::read_to_string(game.place.path(&format!("{name}.key.pub"))).unwrap();
    game.answers(player, &letter, &format!("key {}\r\njoin\r\n", key.trim()))
}

/// With her own mail a player finds the letters that are not hers, and those that no record names.
fn held_against_what_was_sent(game: &Signed) {
    let (player, key) = ("anna", "anna.key.pub");
    let mail = ["verify", "shire", "--mine", player];
    let told = game.place.done(&[&mail[..], &["--long"]].concat());
    assert!(told.contains("joined is yours") && told.contains("of your letters are in this log"), "{told}");
    assert!(!told.contains("No record names"), "{told}");
    let told = game.place.done(&["verify", "shire", "--mine", key, "--long"]);
    assert!(told.contains("Your key has signed") && !told.contains("Not signed"), "{told}");
    assert_eq!(game.place.run(&["verify", "shire", "--mine", "carl.pub"]).exit, 1);
    // A letter that she never wrote: the newest of hers is taken out of her mail.
    let mut own: Vec<_> = fs::read_dir(game.place.path(player)).unwrap().map(|file| file.unwrap().path()).collect();
    own.sort();
    let last = own.last().unwrap();
    let kept = fs::read_to_string(last).unwrap();
    fs::remove_file(last).unwrap();
    let ran = game.place.run(&[&mail[..], &["--long"]].concat());
    assert_eq!(ran.exit, 12, "{ran:?}");
    assert!(ran.out.contains("made this record is not among yours") && ran.out.contains("[mine.letter]"), "{ran:?}");
    // A letter of hers that the host has thrown away.
    fs::write(last, &kept).unwrap();
    let dropped = kept.replace("@mail.example>", "-dropped@mail.example>");
    fs::write(game.place.path("anna/dropped.eml"), dropped).unwrap();
    let told = game.place.done(&[&mail[..], &["--long"]].concat());
    assert!(told.contains("No record names these letters of yours: anna/dropped.eml."), "{told}");
    promised::checked_by_the_page(
        &game.place.path("games/shire/log.yaml"),
        &game.place.path("anna"),
        &["as yellow", "no record names"],
    );
}

#[test]
fn a_whole_game_is_played_by_letters_that_mail_domains_have_signed() {
    let domain = Domain::new(KEY);
    let folder = tempfile::tempdir().unwrap();
    let seats = [charter::writer("Anna", ANNA), charter::writer("Bert", BERT)];
    let charter = Charter { min_auth: Some(Auth::Dkim), ..charter::of("risk", seats) };
    drop(Table::create(&folder.path().join("g7"), &charter, secrets::with_key(), at(0), titles::ALL).unwrap());
    let mut house = House::of(folder, titles::ALL);
    let judges = Judges { keys: Some(Arc::new(Dns(domain.record()))), server: None };
    house.office = house.office.clone().believing(judges);
    invite(&house);
    for player in [ANNA, BERT] {
        let received = signed_answer(&mut house, &domain, player, "join\r\n");
        assert!(received.iter().any(|fate| fate.starts_with("done join")), "{received:?}");
    }
    let mut chance = Practice::new(6);
    for _ in 0..ANSWERS {
        let (player, line) = asked(house.office.desk("g7").unwrap().table.fold(), &mut chance).unwrap();
        let received = signed_answer(&mut house, &domain, player, &format!("{line}\r\n"));
        assert!(received[0].starts_with("done"), "{line}: {received:?}");
    }
    let (player, _) = asked(house.office.desk("g7").unwrap().table.fold(), &mut chance).unwrap();
    // Nobody but the domain of the seat can speak for it.
    let letter = house.newest(player);
    let unsigned = house.answer_to(&letter, player, "concede\r\n");
    let received = fates(&house.receive(&unsigned));
    assert!(!received[0].starts_with("done"), "{received:?}");
    let received = signed_answer(&mut house, &domain, player, "concede\r\n");
    assert!(received[0].starts_with("done concede"), "{received:?}");
    let log = house.log();
    assert_eq!(log.matches("type: \"say\"").count(), ANSWERS);
    assert!(log.contains("type: \"end\"") && log.contains("type: \"dns\""), "{}", &log[log.len() - 2000..]);
    let archive = Archive::open(&house.path().join("vault"), titles::ALL).unwrap();
    let (file, errors) = ("log.yaml".to_owned(), Errors::First);
    let wanted = Wanted { file, titles: titles::ALL, errors, seen: Vec::new(), progress: &mut |_| {} };
    let proofs = Proofs { letters: Some(&archive), ..Proofs::default() };
    let report = verify_with(log.as_bytes(), wanted, proofs).unwrap();
    let shown = report.letters.as_ref().unwrap();
    assert!(report.is_ok() && shown.missing == 0 && shown.proven > ANSWERS, "{report}");
    promised::keep("dkim", &log);
}

/// Both players of the charter are invited, and the letters go out.
fn invite(house: &House) {
    let mut desk = house.office.desk("g7").unwrap();
    for (player, seat) in [(ANNA, "yellow"), (BERT, "red")] {
        let (address, seat) = (Mailbox::read(player).unwrap(), Some(seat.to_owned()));
        let invitation = Invitation { address, name: None, role: Role::Player, seat, given_by: None };
        desk.invite(&invitation).unwrap().unwrap();
    }
    desk.settle_guests(at(1)).unwrap();
    drop(desk);
    house.send();
}

/// An answer to the newest letter to a player, signed by his domain; the letters that follow go out.
fn signed_answer(house: &mut House, domain: &Domain, player: &str, text: &str) -> Vec<String> {
    let letter = house.newest(player);
    let raw = house.answer_to(&letter, player, text);
    let raw = domain.signs(domain_of(player), USUAL, "", &raw);
    let received = house.receive(&raw);
    house.send();
    fates(&received)
}
