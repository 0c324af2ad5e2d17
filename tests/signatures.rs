/*! Who wrote a letter (A5): sentences signed with `ssh-keygen`, letters signed by their domain, and games that play
only letters of a class or above.
*/

use crate::house;
use crate::house::{House, at, charter, fates, field, rehashed, secrets};
use crate::mail_domain;
use crate::mail_domain::{Dns, Domain, KEY, USUAL, domain_of, seat_of};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use mail::letter::dkim::{KeyRecords, Later};
use post::book::Reception as Outcome;
use post::desk::authorship::Judges;
use post::office::Handled as Came;
use record::charter::Charter;
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedSentence, TITLE};
use record::entry::body::{Auth, Via};
use record::problem::{Check, Problem, exit};
use record::table::{Joining, Table};
use record::verify::report::{CheckResult, Report};
use record::verify::{Errors, Wanted, verify};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;

fn key(seat: u8) -> SigningKey {
    SigningKey::of_seed(&Hex([seat; 32]))
}

/// A game whose seats have keys, and which plays no letter below this class.
fn house(least: Auth) -> House {
    let charter = Charter { min_auth: Some(least), ..charter::many_riddles() };
    mail_domain::addressed(&charter, |seat| Joining { keys: vec![key(seat).public.to_string()], ..Joining::default() })
}

/// What `ringmail sign` prints for the newest letter to a player.
fn signed(house: &House, player: &str, number: u32, words: &str) -> String {
    signed_as(house, player, Part::Line, number, words)
}

fn signed_as(house: &House, player: &str, part: Part, number: u32, words: &str) -> String {
    let id = field(&house.newest(player), "Message-ID");
    let mut parts = id.split('.').skip(1);
    let seq = parts.next().unwrap().parse().unwrap();
    let on = SignedOn { seq, head: Hash::parse(parts.next().unwrap()).unwrap() };
    let (number_of_seat, seat) = seat_of(player);
    let (seat, words, of) = (seat.to_owned(), words.to_owned(), number);
    let sentence = SignedSentence { game: Hex([7; 16]), seat, on, part, number, of, words };
    let signature = key(number_of_seat).sign(ORDER, sentence.to_string().as_bytes());
    format!("{sentence}{}", signature.in_armour()).replace('\n', "\r\n")
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

#[test]
fn a5_a_signed_sentence_is_played_and_proves_itself_to_everybody() {
    let mut house = house(Auth::Token);
    let first = house.asked().0;
    let letter = signed(&house, first, 1, "roll 2");
    let received = house.says(first, &format!("Hello,\r\n\r\n{letter}"));
    assert_eq!(fates(&received), ["done roll 2 #4"]);
    let log = house.log();
    assert!(log.contains("auth: \"ssh\"") && log.contains("words: \"roll 2\""), "{log}");
    let report = report(&log);
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.table.as_ref().unwrap().tally.signed_ssh, 1);
    assert_eq!(report.verdict(Check::Authority), &CheckResult::Pass);
}

/// A player without our program signs what the letter tells him to.
#[test]
fn a5_help_tells_how_to_sign_an_answer_by_hand() {
    let mut house = house(Auth::Token);
    let first = house.asked().0;
    assert_eq!(fates(&house.says(first, "help sign\r\n")), ["done help sign -"]);
    let letter = house::body(&house.newest(first));
    let text = letter.split(TITLE).nth(1).unwrap().split("\n\n").next().unwrap();
    let text = format!("{TITLE}{}\n", text.replace("<your sentence>", "roll 2"));
    assert!(letter.contains(&format!("ssh-keygen -Y sign -n {ORDER} -f KEY order.txt")), "{letter}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    let signature = key(seat_of(first).0).sign(ORDER, text.as_bytes()).in_armour();
    let received = house.says(first, &format!("{text}{signature}").replace('\n', "\r\n"));
    assert_eq!(fates(&received), ["done roll 2 #5"]);
    assert!(house.log().contains("auth: \"ssh\""), "{}", house.log());
    // A key that cannot sign here is refused, with one that can.
    let refused = fates(&house.says(first, "key ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAA\r\n"));
    assert!(refused[0].contains("`ssh-keygen -t ed25519` makes one"), "{refused:?}");
}

/// X6: a signed sentence is valid for its letter, seat and game, and once.
#[test]
fn x6_a_signed_sentence_serves_once_and_for_its_seat() {
    let mut house = house(Auth::Token);
    let (first, second) = (house.asked().0, house.other());
    let letter = signed(&house, first, 1, "roll 2");
    house.says(first, &letter);
    let stolen = house.says(second, &letter);
    assert!(fates(&stolen)[0].contains("it was signed for"), "{:?}", fates(&stolen));
    // The same text in another letter, when the seat is asked again.
    let other = signed(&house, second, 1, "roll 1");
    assert_eq!(house.says(second, &other).outcome, Outcome::Played);
    assert_eq!(house.asked().0, first);
    let again = house.says(first, &letter);
    assert!(fates(&again)[0].contains("was played before"), "{:?}", fates(&again));
    let altered = signed(&house, first, 1, "roll 2").replace("roll 2", "roll 1");
    let received = house.says(first, &altered);
    assert!(fates(&received)[0].contains("not of this text"), "{:?}", fates(&received));
    let elsewhere = signed(&house, first, 1, "roll 2").replace("on ", "on 0").replace("on 0", "on ");
    assert_eq!(house.says(first, &elsewhere).outcome, Outcome::Played);
}

#[test]
fn a5_below_the_class_of_the_game_nothing_is_played_and_the_answer_says_what_would_be_right() {
    let mut house = house(Auth::Ssh);
    let first = house.asked().0;
    let received = house.says(first, "roll 2\r\n");
    assert_eq!(received.outcome, Outcome::Refused);
    let told = fates(&received)[0].clone();
    assert!(told.contains("requires `ssh` or stronger; yours is `token`") && told.contains("ringmail sign"), "{told}");
    assert!(house.said().is_empty(), "{:?}", house.said());
    let order = house.says(first, "when asked answer say yes\r\n");
    assert!(fates(&order)[0].contains("or stronger; yours is"), "{:?}", fates(&order));
    // Anybody's questions are answered.
    assert_eq!(house.says(first, "status\r\n").outcome, Outcome::Played);
    let letter = signed(&house, first, 1, "roll 2");
    assert_eq!(house.says(first, &letter).outcome, Outcome::Played);
    assert!(report(&house.log()).is_ok());
    // The host may not type for a seat that is not his, either.
    let seat = Seat(seat_of(house.asked().0).0);
    let mut desk = house.office.desk("g7").unwrap();
    let refused = desk.table.say(seat, "roll 1", Some(Via::keyboard()), at(50)).unwrap_err();
    assert!(refused.to_string().contains("would not verify"), "{refused}");
    drop(desk);
    assert!(report(&house.log()).is_ok());
}

#[test]
fn a5_a_letter_to_the_bare_mailbox_bears_no_token() {
    let mut house = house(Auth::Token);
    let first = house.asked().0;
    let letter = house.newest(first);
    let answer = String::from_utf8(house.answer_to(&letter, first, "roll 2\r\n")).unwrap();
    let to = field(&letter, "Reply-To");
    let token = &to[to.find('+').unwrap()..to.find('@').unwrap()];
    let refused = house.receive(answer.replacen(token, "", 1).as_bytes());
    assert!(fates(&refused)[0].contains("it could be anybody's"), "{:?}", fates(&refused));
    // One question goes to the registered address, with the lines to send back; nothing goes into the log.
    assert!(house.said().is_empty() && !house.log().contains("refused"), "{}", house.log());
    let question = house::body(&house.newest(first));
    assert!(question.contains("WAS THIS YOU?") && question.contains("\nroll 2\n"), "{question}");
    let another = String::from_utf8(house.answer_to(&letter, first, "roll 3\r\n")).unwrap();
    let again = house.receive(another.replacen(token, "", 1).as_bytes());
    assert_eq!(again.letters, [""; 0], "one question a day is enough");
    let received = house.says(first, "roll 2\r\n");
    assert_eq!(received.outcome, Outcome::Played, "{:?}", fates(&received));
    assert!(report(&house.log()).is_ok());
    assert_eq!(report(&house.log()).table.unwrap().tally.by_token, 1);
}

#[test]
fn a_seat_without_a_key_cannot_join_where_every_letter_must_be_signed() {
    let folder = tempfile::tempdir().unwrap();
    let charter =
        Charter { min_auth: Some(Auth::Ssh), ..charter::of("riddles", ["Gollum", "Bilbo"].map(charter::player)) };
    let mut table = Table::create(folder.path(), &charter, secrets::usual(), at(0), TITLES).unwrap();
    let error =
        table.join(Seat(1), &Joining::default(), Some(Via::letter(Hash::ZERO, 0, Auth::Token)), at(0)).unwrap_err();
    assert!(error.to_string().contains("must be signed"), "{error}");
}

#[test]
fn a_signed_standing_order_shows_its_signature_at_the_end_and_not_before() {
    let mut house = house(Auth::Ssh);
    let (first, second) = (house.asked().0, house.other());
    let order = signed_as(&house, second, Part::Order, 1, "when asked answer say yes");
    let received = house.says(second, &order);
    assert_eq!(received.outcome, Outcome::Played, "{:?}", fates(&received));
    // A reader could test guesses of the text on the signature.
    assert!(!house.log().contains("sig: "), "{}", house.log());
    let dare = signed(&house, first, 1, "dare");
    house.says(first, &dare);
    let log = house.log();
    assert!(log.contains("by: \"standing\"") && !log.contains("when asked"), "{log}");
    assert_eq!(log.matches("\n    sig: ").count(), 1, "{log}");
    let mut desk = house.office.desk("g7").unwrap();
    desk.table.reveal(at(50)).unwrap();
    drop(desk);
    let log = house.log();
    assert!(log.contains("words: \"when asked answer say yes\""), "{log}");
    let checked = report(&log);
    assert!(checked.is_ok(), "{checked}");
    // In a game of signed letters, an order without a signature, or with another one, belongs to nobody.
    let start = log.rfind("\n    seen: ").unwrap() + 1;
    let end = start + log[start..].find("      sig: ").unwrap();
    let end = end + log[end..].find('\n').unwrap() + 1;
    let unsigned = report(&rehashed(&format!("{}{}", &log[..start], &log[end..])));
    assert_eq!(unsigned.findings[0].problem, Problem::SignatureMissing, "{unsigned}");
    for (from, to) in [("      number: 1\n", "      number: 2\n"), ("\n    seen: ", "\n    seen: 1")] {
        let at = log.rfind(from).unwrap();
        let other = format!("{}{to}{}", &log[..at], &log[at + from.len()..]);
        let other = report(&rehashed(&other));
        assert!(matches!(other.findings[0].check, Check::Authority | Check::Structure), "{other}");
    }
}

#[test]
fn a_signed_sentence_kept_for_later_keeps_its_signature() {
    let mut house = house(Auth::Ssh);
    let (first, second) = (house.asked().0, house.other());
    let letter = signed(&house, second, 1, "yes");
    let received = house.says(second, &letter);
    assert!(fates(&received)[0].starts_with("kept"), "{:?}", fates(&received));
    assert!(!house.log().contains("yes"), "{}", house.log());
    let letter = signed(&house, first, 1, "dare");
    house.says(first, &letter);
    assert_eq!(house.said(), ["dare", "yes"]);
    let mut desk = house.office.desk("g7").unwrap();
    desk.table.reveal(at(50)).unwrap();
    drop(desk);
    let log = house.log();
    assert!(log.contains("words: \"yes\""), "{log}");
    let report = report(&log);
    assert!(report.is_ok(), "{report}");
    // The other answer is one of the order book, in which its signature stands.
    assert_eq!(report.table.as_ref().unwrap().tally.signed_ssh, 1);
}

/// The same letter could come again; and a key that is changed below an order signs none above it.
#[test]
fn a_signed_standing_order_is_left_once_and_signed_with_the_key_of_its_time() {
    let mut house = house(Auth::Ssh);
    let second = house.other();
    let order = signed_as(&house, second, Part::Order, 1, "when asked answer say yes");
    assert_eq!(fates(&house.says(second, &order)), ["done when asked answer say yes -"]);
    let again = fates(&house.says(second, &order));
    assert!(again[0].contains("order 1 signed on this letter was played before"), "{again:?}");
    let order = signed_as(&house, second, Part::Order, 1, "when asked riddle say pass once");
    let twice = fates(&house.says(second, &format!("{order}{order}")));
    assert_eq!(twice[0], "done when asked riddle say pass once -");
    assert!(twice[1].contains("order 1 signed on this letter was left before"), "{twice:?}");
    let order = signed_as(&house, second, Part::Order, 1, "when asked answer say no");
    let other = signed_as(&house, second, Part::Request, 1, &format!("key {}", key(9).public));
    let changed = fates(&house.says(second, &format!("{order}{other}")));
    assert_eq!(changed[0], "done when asked answer say no -");
    assert!(changed[1].starts_with("done key "), "{changed:?}");
    let mut desk = house.office.desk("g7").unwrap();
    desk.table.reveal(at(50)).unwrap();
    drop(desk);
    let checked = report(&house.log());
    assert!(checked.is_ok(), "{checked}");
}

/// The signature ties the order to its seat, whatever way the letter came; the record that commits to it shows no
/// signature.
#[test]
fn a_signed_standing_order_stands_though_its_letter_bears_no_token() {
    let mut house = house(Auth::Token);
    let second = house.other();
    let order = signed_as(&house, second, Part::Order, 1, "when asked answer say yes");
    let letter = house.newest(second);
    let to = field(&letter, "Reply-To");
    let token = &to[to.find('+').unwrap()..to.find('@').unwrap()];
    let answer = String::from_utf8(house.answer_to(&letter, second, &order)).unwrap();
    let received = house.receive(answer.replacen(token, "", 1).as_bytes());
    assert_eq!(fates(&received), ["done when asked answer say yes -"]);
    let log = house.log();
    assert!(log.contains("type: \"heard\"") && log.contains("auth: \"ssh\"") && !log.contains("signed:"), "{log}");
    let first = house.asked().0;
    house.says(first, "dare\r\n");
    assert_eq!(house.said(), ["dare", "yes"]);
}

/// Changes every field of a signed record, with the chain hashed anew behind it.
#[test]
fn v7_no_field_of_a_signed_record_can_be_changed() {
    let mut house = house(Auth::Ssh);
    let first = house.asked().0;
    let letter = signed(&house, first, 1, "roll 2");
    house.says(first, &letter);
    let log = house.log();
    let altered = |from: &str, to: &str| {
        assert!(log.contains(from), "{log}");
        let (start, end) = log.rsplit_once(from).unwrap();
        let report = report(&rehashed(&format!("{start}{to}{end}")));
        (report.exit_code(), report.findings.first().map_or(report.to_string(), |found| found.problem.to_string()))
    };
    let sig = log.lines().find(|line| line.starts_with("    sig: ")).unwrap();
    let words = "    words: \"roll 2\"";
    for (from, to) in [
        (words, "    words: \"roll 1\""),
        ("    number: 1", "    number: 2"),
        ("    of: 1", "    of: 2"),
        ("  seen: 3", "  seen: 2"),
        (sig, &sig.replace("U1NIU0lHAAAAAQ", "U1NIU0lHAAAAAg")),
        (&format!("  signed:\n    number: 1\n    of: 1\n{words}\n{sig}\n"), ""),
        ("auth: \"ssh\"", "auth: \"dkim\""),
        ("auth: \"ssh\"", "auth: \"token\""),
    ] {
        let (code, problem) = altered(from, to);
        assert_eq!(code, exit::CHAIN, "{from} -> {to}: {problem}");
    }
    // Another key, or none, in the record of the join.
    let joins = format!("keys: [\"{}\"]", key(seat_of(first).0).public);
    let (code, problem) = altered(&joins, &format!("keys: [\"{}\"]", key(9).public));
    assert_eq!(code, exit::CHAIN, "{problem}");
}

#[test]
fn a5_a_letter_that_its_domain_signed_is_of_class_dkim_and_its_evidence_is_kept() {
    let mut house = house(Auth::Dkim);
    let domain = Domain::new(KEY);
    let judges = Judges { keys: Some(Arc::new(Dns(domain.record()))), server: None };
    house.office = house.office.clone().believing(judges);
    let first = house.asked().0;
    let unsigned = house.says(first, "roll 2\r\n");
    assert!(fates(&unsigned)[0].contains("no DKIM signature on it"), "{:?}", fates(&unsigned));
    let raw = house.answer_to(&house.newest(first), first, "roll 2\r\n");
    let foreign = house.receive(&domain.signs("evil.example", USUAL, "", &raw));
    assert!(fates(&foreign)[0].contains("is by evil.example, not by"), "{:?}", fates(&foreign));
    let raw = house.answer_to(&house.newest(first), first, "roll 2\r\n");
    let raw = domain.signs(domain_of(first), USUAL, "", &raw);
    let altered = String::from_utf8(raw.clone()).unwrap().replace("roll 2", "roll 3").into_bytes();
    assert!(fates(&house.receive(&altered))[0].contains("text was altered"));
    // A new letter, because that Message-ID has been seen.
    let raw = house.answer_to(&house.newest(first), first, "roll 2\r\n");
    let raw = domain.signs(domain_of(first), USUAL, "", &raw);
    let received = house.receive(&raw);
    assert_eq!(received.outcome, Outcome::Played, "{:?}", fates(&received));
    let log = house.log();
    assert_eq!(log.matches("type: \"dns\"").count(), 1, "{log}");
    assert!(log.contains("auth: \"dkim\""), "{log}");
    assert!(!log.contains(domain_of(first)), "the log names no domain");
    let keys: Vec<_> = fs::read_dir(house.path().join("vault/keys")).unwrap().collect();
    assert_eq!(keys.len(), 2, "those of the two domains, by which the seats joined");
    assert!(house.path().join(format!("vault/mail/{}.eml", sha256(&raw))).exists());
    let report = report(&log);
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.table.as_ref().unwrap().tally.signed_dkim, 1);
    shown_letters_are_held_against_the_log(&house, &log, sha256(&raw));
    // The next letter is checked with the same key, which needs no second record.
    let second = house.asked().0;
    let raw = house.answer_to(&house.newest(second), second, "roll 1\r\n");
    house.receive(&domain.signs(domain_of(second), USUAL, "", &raw));
    assert_eq!(house.said().len(), 2);
}

/// X7: the letters that a host shows: the letter, the key, and the sentence in it; each altered, and each missing.
fn shown_letters_are_held_against_the_log(house: &House, log: &str, raw: Hash) {
    let vault = house.path().join("vault");
    use crate::mail_domain::held;
    let report = held(log, &vault);
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.verdict(Check::Authority), &CheckResult::Pass);
    assert!(report.to_text().contains("3 records are the next lines of their letters"), "{report}");
    let copied = || {
        let folder = tempfile::tempdir().unwrap();
        house::copy_all(&vault, folder.path());
        folder
    };
    let letter = |folder: &TempDir| folder.path().join("mail").join(format!("{raw}.eml"));
    let missing = copied();
    fs::remove_file(letter(&missing)).unwrap();
    let report = held(log, missing.path());
    assert!(report.is_ok() && matches!(report.verdict(Check::Letters), CheckResult::Skipped(_)), "{report}");
    let altered = copied();
    let text = fs::read_to_string(letter(&altered)).unwrap();
    fs::write(letter(&altered), text.replace("roll 2", "roll 1")).unwrap();
    let report = held(log, altered.path());
    assert!(report.exit_code() == exit::CHAIN && report.to_text().contains("not that letter"), "{report}");
    // A key that the log has not dated proves nothing: the host could have made it this morning.
    let undated = copied();
    for key in fs::read_dir(undated.path().join("keys")).unwrap() {
        let key = key.unwrap().path();
        fs::write(&key, fs::read_to_string(&key).unwrap() + "\n").unwrap();
    }
    let report = held(log, undated.path());
    assert!(report.exit_code() == exit::CHAIN && report.to_text().contains("no DKIM key"), "{report}");
    // The log says that the seat passed; the letter says otherwise.
    let dice = |log: &str| log.replace("\nsaid: \"roll 2\"", "\nsaid: \"pass\"");
    let report = held(&rehashed(&dice(log)), &vault);
    assert!(report.exit_code() == exit::CHAIN && report.to_text().contains("no line of the letter"), "{report}");
}

#[test]
fn a5_a_name_server_that_is_silent_delays_a_letter_and_loses_none() {
    struct Silent;
    impl KeyRecords for Silent {
        fn texts(&self, _: &str) -> Result<Vec<String>, Later> {
            Err(Later("no answer".to_owned()))
        }
    }
    let mut house = house(Auth::Dkim);
    let domain = Domain::new(KEY);
    let first = house.asked().0;
    let raw = house.answer_to(&house.newest(first), first, "roll 2\r\n");
    let raw = domain.signs(domain_of(first), USUAL, "", &raw);
    let silent = house.office.clone().believing(Judges { keys: Some(Arc::new(Silent)), server: None });
    let error = silent.receive(&raw, at(20)).unwrap_err();
    assert!(error.to_string().contains("no answer"), "{error}");
    let judges = Judges { keys: Some(Arc::new(Dns(domain.record()))), server: None };
    house.office = house.office.clone().believing(judges);
    match house.office.receive(&raw, at(30)).unwrap() {
        Came::Desk { received, .. } => assert!(received.answers.is_empty() || house.said() == ["roll 2"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(house.said(), ["roll 2"]);
}
