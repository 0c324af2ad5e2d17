//! Lines that a mail program may have cut in two: a host who knows the dice could join two sentences, or split one
//! (log 7.12).

use super::cheats::stopped_unasked;
use super::stops::{ended, says, twice};
use super::*;
use crate::second::{found_by, said};
use engine::chance::Practice;
use ringmail::titles;

const TWO_WAYS: &str = "could be read with the line below, which a mail program may have cut off, and without it";

fn cut(texts: &[&str]) -> Vec<LineInClear> {
    let last = texts.len();
    let line = |line: LineInClear| LineInClear { is_cut: line.number != Some(last), ..line };
    lines(texts).into_iter().map(line).collect()
}

/// Two lines are played as one sentence.
fn joins(play: &mut Play, lines: Vec<LineInClear>) -> Result<Vec<record::entry::Head>, TableError> {
    let (seat, seen, now) = (play.asked().unwrap(), play.table.fold().head().seq, at(play.seconds));
    let words = lines.iter().map(|line| line.text.clone()).collect::<Vec<String>>().join(" ");
    let receipt = play.table.fix_lines(seat, lines, Some(letter("two", seen)), now).unwrap().seq;
    play.round();
    let heard = play.table.read(seat, &words).unwrap();
    let opens = Some(Opens { receipt, first: 1, last: 2 });
    play.table.answer(heard.of_lines(opens), Some(letter("two", seen)), at(play.seconds))
}

#[test]
fn only_lines_that_may_have_been_cut_are_joined() {
    let mut play = Play::started();
    let refused = joins(&mut play, lines(&["roll", "3"])).unwrap_err();
    assert!(refused.to_string().contains("joined to the next one"), "{refused}");
    let mut play = Play::started();
    joins(&mut play, cut(&["roll", "3"])).unwrap();
    let log = play.log();
    says(&log, &[], &[TWO_WAYS, "set aside"]);
    let whole = forged(&log, |records| {
        let receipt = place(records, "cut: [1]");
        records[receipt] = records[receipt].replace("cut: [1]\n", "");
    });
    is_found(&whole, "line.cut", "does not say that a mail program may have cut it");
}

/// A game of Risk that has just started.
fn risk() -> Play {
    let seats = ["Gollum", "Bilbo"].map(charter::player);
    Play::joined_to(&Charter { dice: Some(own(beacon().chain.info())), ..charter::of("risk", seats) }).starts()
}

/// A game of Risk in which a seat may attack, and an attack that it may say with `until 1 left` behind it.
fn before_an_attack() -> (Play, String) {
    let mut play = risk();
    for number in 0..60_u64 {
        let Need::Question(question) = play.table.fold().need() else { panic!("the game goes on") };
        let game = play.table.fold().game();
        let any = |number| game.copy().say_anything(&mut Practice::new(number), play.table.fold().faces()).sentence;
        if question.id == "combat" {
            let attacks = (0..400).map(any).filter(|said| said.starts_with("attack ") && !said.contains(" until "));
            let reads = |words: &str| play.table.read(question.seat, words).is_ok();
            let attack = attacks.into_iter().find(|said| reads(&format!("{said} until 1 left")));
            if let Some(attack) = attack {
                return (play, attack);
            }
        }
        let usual =
            ["claim nearest", "place evenly"].into_iter().find(|said| play.table.read(question.seat, said).is_ok());
        let said = usual.map_or_else(|| any(number), str::to_owned);
        play.writes(&format!("letter {number}"), &[&said]);
        play.plays();
    }
    panic!("nobody attacks");
}

fn report(log: &str) -> String {
    let (file, errors) = ("log.yaml".to_owned(), Errors::All);
    let wanted = Wanted { file, titles: titles::ALL, errors, seen: Vec::new(), progress: &mut |_| () };
    let report = record::verify::verify(log.as_bytes(), wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    report.to_text()
}

/// `attack …` and `until 1 left` below it: with the dice known, the host treats them as one sentence or as two. An
/// honest host plays neither.
#[test]
fn a_sentence_that_can_be_read_with_its_rest_and_without_is_counted() {
    let (mut play, attack) = before_an_attack();
    joins(&mut play, cut(&[&attack, "until 1 left"])).unwrap();
    assert!(report(&play.log()).contains(TWO_WAYS));
    assert!(report(&ended(&mut play)).contains("Apart from what was set aside"));
    let (mut play, attack) = before_an_attack();
    let (seat, seen, now) = (play.asked().unwrap(), play.table.fold().head().seq, at(play.seconds));
    let lines = cut(&[&attack, "until 1 left", "end turn"]);
    let receipt = play.table.fix_lines(seat, lines, Some(letter("two", seen)), now).unwrap().seq;
    play.round();
    let heard = play.table.read(seat, &attack).unwrap();
    let opens = Some(Opens { receipt, first: 1, last: 1 });
    play.table.answer(heard.of_lines(opens), Some(letter("two", seen)), at(play.seconds)).unwrap();
    // The first line may already be complete; the line below is read alone and is no sentence, so the receipt stops.
    assert!(!report(&play.log()).contains("the host's word that the line could not be played"));
    if play.asked() == Some(seat) {
        play.table.stop_receipt("line 2: not understood", at(play.seconds)).unwrap();
        let text = report(&ended(&mut play));
        assert!(text.contains("For all of them it is the host's word that the line could not be played"), "{text}");
    }
}

/// Two whole sentences, the first line of them long: they are two, and nothing is counted.
#[test]
fn two_sentences_below_one_another_are_two() {
    let mut play = Play::started();
    let (seat, seen, now) = (play.asked().unwrap(), play.table.fold().head().seq, at(play.seconds));
    let other = Seat(3 - seat.0);
    let order = |name: &str| Some(letter(name, seen));
    play.table.leave_order(other, "when asked riddle say pass", order("order"), now).unwrap();
    let fixed = play.table.fix_lines(seat, cut(&["roll 2", "roll 1"]), Some(letter("two", seen)), now);
    let receipt = fixed.unwrap().seq;
    play.round();
    for (line, words) in [(1, "roll 2"), (2, "roll 1")] {
        let heard = play.table.read(seat, words).unwrap();
        let opens = Some(Opens { receipt, first: line, last: line });
        play.table.answer(heard.of_lines(opens), Some(letter("two", seen)), at(play.seconds)).unwrap();
    }
    says(&ended(&mut play), &[], &[TWO_WAYS, "set aside"]);
    assert_eq!(twice(&play.log()).to_json()["dice"]["beacon"]["sentences_read_in_two_ways"], 0);
}

/// What both verifiers say of a log of Risk.
#[track_caller]
fn both_find(log: &str, id: &str, says: &str) {
    let (file, errors) = ("log.yaml".to_owned(), Errors::First);
    let wanted = Wanted { file, titles: titles::ALL, errors, seen: Vec::new(), progress: &mut |_| () };
    let report = record::verify::verify(log.as_bytes(), wanted).unwrap();
    let rule = report.findings[0].problem.rule();
    assert!(rule.id() == id && report.to_text().contains(says), "{report}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.yaml");
    fs::write(&file, log).unwrap();
    let said = said(&[file]);
    assert_eq!(found_by(&said[0]), (rule.code(), Some(id)), "{said:?}");
}

/// What can be found without the rules, the checker finds as well.
#[test]
fn both_verifiers_find_what_is_set_aside() {
    let (mut play, attack) = before_an_attack();
    joins(&mut play, cut(&[&attack, "until 1 left"])).unwrap();
    let whole = play.log().replace("cut: [1]\n", "");
    both_find(&forged(&whole, |_| ()), "line.cut", "is joined to the next one");
    // A letter of two lines; after the first, the other seat is asked.
    let mut play = risk();
    let (seat, seen, before) = (play.asked().unwrap(), play.table.fold().head().seq, play.log());
    let now = at(play.seconds);
    let lines = lines(&["claim nearest", "claim nearest"]);
    play.table.fix_lines(seat, lines, Some(letter("two", seen)), now).unwrap();
    let waits = play.log();
    play.plays();
    assert_ne!(play.asked(), Some(seat));
    both_find(&stopped_unasked(&play.log()), "stop.asked", "while its seat was not asked");
    // While it waits, another player takes the seat, in league with the host.
    let word = play.table.word(seat);
    let taken = forged(&waits, |records| {
        let motion = records.len();
        let rest = format!("what: \"seat\"\nof: \"{word}\"\ntext: \"away\"\n");
        let books = sha256(b"books");
        let raw = sha256(b"away");
        records.push(format!(
            "---\nseq: 0\nprev: \"\"\nat: \"{now}\"\ntype: \"motion\"\nseat: \"{word}\"\nvia:\n  raw: \"{raw}\"\n  \
             auth: \"confirmed\"\nbooks: \"{books}\"\n{rest}...\n"
        ));
        let consents = format!("consents:\n  - seat: \"{word}\"\n    raw: \"{raw}\"\nmotion: {motion}\n");
        let freed = format!("what: \"seat\"\ntext: \"away\"\n{consents}of: \"{word}\"\n");
        records.push(super::cheats::of_host(now, "correction", &freed));
        let taken = format!("what: \"seat\"\ntext: \"back\"\nof: \"{word}\"\nplayer: \"Gollum\"\n");
        records.push(super::cheats::of_host(now, "correction", &taken));
    });
    both_find(&taken, "seat.waits", "is played before another takes");
    let handed = forged(&before, |records| {
        let key = record::commit::signature::SigningKey::of_seed(&Hex([9; 32])).public;
        let rest = format!("what: \"handover\"\nhost_key: \"{key}\"\nplays: [\"{word}\"]\ntext: \"a new machine\"\n");
        records.push(super::cheats::of_host(now, "host", &rest));
    });
    both_find(&handed, "host.plays", &format!("the host does not play {word}"));
}
