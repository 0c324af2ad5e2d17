//! A game opened by its host: sentences become records that everybody can check.

use crate::house::secrets;
use crate::record_game::{self, Game, at, charter, letter};
use crate::tiny_title::TITLES;
use engine::seat::Seat;
use ground::hash::sha256;
use record::commit::chain::HOST_LINKS;
use record::commit::seed::Contribution;
use record::entry::body::{By, Correcting, Join, Kind, Via};
use record::entry::{Body, Entry};
use record::file::log::LogError;
use record::file::stream::Records;
use record::fold::Fold;
use record::fold::council::Proposal;
use record::problem::{Check, Problem, exit};
use record::table::table_error::TableError;
use record::table::{Joining, Table};
use record::verify::report::{CheckResult, Report};
use record::verify::{Errors, Wanted, verify};
use std::collections::BTreeSet;

fn check(log: &[u8]) -> Report {
    let progress = &mut |_| {};
    let wanted =
        Wanted { file: "log.yaml".to_string(), titles: TITLES, errors: Errors::All, seen: Vec::new(), progress };
    verify(log, wanted).unwrap()
}

#[track_caller]
fn sound(log: &[u8]) -> Report {
    let report = check(log);
    assert!(report.is_ok(), "{report}");
    record_game::changes_are_what_differs(log);
    for check in [Check::Structure, Check::Canonical, Check::Chain, Check::Rules, Check::Dice, Check::Openings] {
        assert_eq!(report.verdict(check), &CheckResult::Pass);
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
        assert!(tally.throws > 10 && tally.masks > 1 && tally.openings > 3, "{tally:?}");
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
                let mut begin = |root| Fold::begin(&entry, hash, TITLES, root, &mut problems).unwrap();
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
    let Game { table, time } = game;
    let busy = Table::open(folder.path(), TITLES);
    assert!(matches!(busy, Err(TableError::Log(LogError::Busy { .. }))));
    drop(table);
    let table = Table::open(folder.path(), TITLES).unwrap();
    let mut game = Game { table, time };
    assert_eq!(game.head(), head);
    game.play_on(5);
    game.finish();
    sound(&game.log());
}

/// How a turn is divided makes no difference to the dice: into sentences of one letter, into several letters, or both.
#[test]
fn a_turn_cut_into_sentences_and_letters_in_several_ways_gives_the_same_throws() {
    // The letters that contain three dares and a roll, and how often the other seat answers by an order.
    let cuts: [[u32; 4]; 4] = [[1, 1, 1, 1], [1, 2, 3, 4], [1, 1, 2, 2], [1, 2, 2, 2]];
    let mut all = BTreeSet::new();
    for cut in cuts {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Game::start(folder.path(), 2, "60", 24);
        let seat = game.asked().unwrap();
        let other = Seat(3 - seat.0);
        let now = game.now();
        game.table.leave_order(other, "when asked answer say no", Some(letter("order", 3)), now).unwrap();
        game.table.leave_order(other, "when asked riddle say pass", Some(letter("order", 3)), now).unwrap();
        for (sentence, number) in ["roll 2", "dare", "roll 3", "roll 1"].into_iter().zip(cut) {
            assert_eq!(game.asked(), Some(seat));
            let (via, now) = (letter(&format!("cut {number}"), game.head_seq()), game.now());
            game.table.say(seat, sentence, Some(via), now).unwrap();
        }
        sound(&game.log());
        all.insert(thrown(&game.log()));
    }
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all.first().unwrap().len() >= 3, "{all:#?}");
}

/// The throws of a log, as it lists them.
fn thrown(log: &[u8]) -> Vec<String> {
    let mut records = Records::new(log);
    let mut thrown = Vec::new();
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        if let Some(roll) = entry.outcome.and_then(|outcome| outcome.roll) {
            thrown.extend(roll.dice.iter().map(|dice| (dice.throw, format!("{} {:?}", dice.label, dice.faces))));
            thrown.extend(roll.draws.iter().map(|draw| (draw.throw, format!("{} {}", draw.deck, draw.pos))));
            thrown
                .extend(roll.shuffles.iter().map(|order| (order.throw, format!("{} {:?}", order.label, order.order))));
        }
    }
    thrown.sort_unstable();
    thrown.into_iter().map(|(n, what)| format!("{n} {what}")).collect()
}

#[test]
fn a_refusal_changes_nothing_and_can_be_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 7);
    let seat = game.asked().unwrap();
    let other = Seat(3 - seat.0);
    let before = game.log();
    for (seat, line) in [(seat, "rol 2"), (seat, "roll 9"), (other, "roll 2")] {
        let refused = game.table.say(seat, line, Some(letter("a", 3)), at(9)).unwrap_err();
        assert!(matches!(refused, TableError::Refused(_)), "{refused}");
    }
    assert_eq!(game.log(), before);
    game.table.hear(seat, Some(letter("a", 3)), at(9)).unwrap();
    let via = letter("b", game.head_seq());
    game.table.say(seat, "roll 2", Some(via), at(10)).unwrap();
    let report = sound(&game.log());
    assert_eq!(report.table.unwrap().tally.heard, 1);
}

fn fired(game: &Game) -> Vec<(String, String)> {
    let log = game.log();
    let mut records = Records::new(log.as_slice());
    let mut fired = Vec::new();
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        if let Body::Say(say) = &entry.body
            && let Some(Via { by: Some(By::Standing), .. }) = entry.via
        {
            fired.push((entry.seat.to_string(), say.said.to_string()));
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
    let word = game.table.word(other);
    let answered = |said: &str| (word.clone(), said.to_string());
    for order in ["when asked answer say no", "When asked  riddle say roll 3 once"] {
        game.table.leave_order(other, order, Some(letter("order", 3)), at(9)).unwrap();
    }
    game.time = 10;
    game.say("dare");
    // The answer, and then the other seat's turn.
    assert_eq!(fired(&game), [answered("no"), answered("roll 3")]);
    game.say("dare");
    assert_eq!(fired(&game)[2], answered("no"));
    assert_eq!(game.asked(), Some(other));
    game.table.cancel_order(other, 1, Some(letter("cancel", 3)), at(20)).unwrap();
    assert!(game.table.cancel_order(other, 1, Some(letter("cancel", 3)), at(20)).is_err());
    game.time = 30;
    game.say("pass");
    game.say("dare");
    assert_eq!(fired(&game).len(), 3);
    game.say("yes");
    game.time = 51;
    game.table
        .leave_order(seat, "when asked answer say yes until 2026-11-23", Some(letter("order", 3)), at(50))
        .unwrap();
    game.play_on(8);
    game.finish();
    let report = sound(&game.log());
    let table = report.table.unwrap();
    assert_eq!((table.books.left, table.tally.orders_fired, table.books.held), (Some(3), 3, true));
}

#[test]
fn what_is_agreed_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 11);
    let before = (game.table.fold().head().seq, game.table.fold().facts().text().to_string());
    game.say("roll 2");
    game.say("roll 3");
    assert_ne!(game.table.fold().facts().text(), before.1);
    let undo = |to| Proposal { to: Some(to), ..Proposal::new(Correcting::Undo, "it was meant for another game") };
    game.agree(&undo(before.0));
    assert_eq!(game.table.fold().facts().text(), before.1);
    let via = Some(record_game::confirmed("too far", 3));
    let far = game.table.propose(Seat(1), &undo(1), via, at(30)).unwrap_err();
    assert!(far.to_string().contains("would not verify"), "{far}");
    game.table.note("the host's remark", at(30)).unwrap();
    game.time = 31;
    game.play_on(11);
    game.finish();
    let tally = sound(&game.log()).table.unwrap().tally;
    assert_eq!((tally.corrections, tally.undone, tally.by_host_alone), (2, 1, 1));
}

#[test]
fn the_host_never_runs_out_of_links_and_no_record_replaces_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "2000", 12);
    while game.asked().is_some() && game.table.fold().ledger().unwrap().throws < 300 {
        game.say("roll 1");
    }
    let ledger = game.table.fold().ledger().unwrap();
    assert!(ledger.throws >= 300);
    assert_eq!(ledger.next_link(), ledger.throws + 1);
    assert_eq!(HOST_LINKS, 65_536);
    let log = String::from_utf8(game.log()).unwrap();
    let anchor = game.table.secrets().host_chain().anchor().to_string();
    assert_eq!(log.matches("\nanchor: \"").count(), 0, "the host's stands in the first record, and a seat has none");
    assert_eq!(log.matches(&anchor).count(), 1);
    sound(&game.log());
}

#[test]
fn a_digest_of_all_facts_stands_in_every_64th_record_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "2000", 26);
    while game.head_seq() < 150 {
        game.say("pass");
    }
    game.finish();
    let log = game.log();
    let mut records = Records::new(log.as_slice());
    let mut borne = Vec::new();
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        if entry.digest.is_some() {
            borne.push((entry.seq, entry.kind()));
        }
    }
    assert_eq!(borne, [(3, Kind::Start), (64, Kind::Say), (128, Kind::Say)]);
    sound(&log);
    let text = String::from_utf8(log).unwrap();
    let of = |seq: u64| {
        let start = text.find(&format!("---\nseq: {seq}\n")).unwrap();
        let end = start + text[start..].find("\n...\n").unwrap() + "\n...\n".len();
        (start, &text[start..end])
    };
    let spoilt = |seq: u64, record: &str| {
        let (start, before) = of(seq);
        let log = format!("{}{record}{}", &text[..start], &text[start + before.len()..]);
        let progress = &mut |_| {};
        let wanted =
            Wanted { file: "-".to_string(), titles: TITLES, errors: Errors::First, seen: Vec::new(), progress };
        let report = verify(log.as_bytes(), wanted).unwrap();
        (report.findings[0].seq, report.findings[0].problem.to_string(), report.exit_code())
    };
    let line = |record: &str| record.lines().find(|line| line.starts_with("digest: ")).unwrap().to_string();
    let (_, record) = of(64);
    let digest = line(record);
    let (seq, told, code) = spoilt(64, &record.replace(&format!("{digest}\n"), ""));
    assert!(told.starts_with("`digest` should be ") && told.ends_with(", not nothing"), "{told}");
    assert_eq!((seq, code), (Some(64), exit::MALFORMED));
    let (_, record) = of(63);
    let (seq, told, code) = spoilt(63, &record.replace("...\n", &format!("{digest}\n...\n")));
    assert!(told.starts_with("`digest` should be left out here, not "), "{told}");
    assert_eq!((seq, code), (Some(63), exit::MALFORMED));
    let (_, record) = of(64);
    let other = format!("digest: \"{}\"", sha256(b"other facts"));
    let (seq, _, code) = spoilt(64, &record.replace(&digest, &other));
    assert_eq!((seq, code), (Some(64), exit::RULES));
}

#[test]
fn a_log_of_format_1_is_named_as_one() {
    let of_old = concat!(
        "---\nseq: 0\nprev: \"0000000000000000000000000000000000000000000000000000000000000000\"\n",
        "at: \"2026-01-05T18:00:00Z\"\ntype: \"genesis\"\nseat: \"host\"\nformat: 1\n",
        "game: \"000102030405060708090a0b0c0d0e0f\"\nname: \"shire\"\ntitle: \"risk\"\n",
        "rules: \"risk-lotr-trilogy/1\"\ndice:\n  mode: \"chain\"\n  links: 4096\n  anchor: \"00\"\n...\n",
    );
    for format in [1, 3, 4_000_000_000_u32] {
        let report = check(of_old.replace("format: 1\n", &format!("format: {format}\n")).as_bytes());
        assert_eq!(report.findings[0].problem, Problem::Format { found: format }, "{report}");
        assert_eq!((report.findings.len(), report.exit_code()), (1, exit::UNSUPPORTED), "{report}");
        assert!(report.to_text().contains(&format!("format {format}")), "{report}");
    }
    // A log that says format 2 is judged by format 2.
    let report = check(of_old.replace("format: 1\n", "format: 2\n").as_bytes());
    assert_eq!(report.exit_code(), exit::MALFORMED, "{report}");
    let folder = tempfile::tempdir().unwrap();
    drop(Game::start(folder.path(), 2, "6", 27));
    std::fs::write(folder.path().join("log.yaml"), of_old).unwrap();
    let told = Table::open(folder.path(), TITLES).err().unwrap().to_string();
    assert!(told.contains("format 1, and this program reads format 2"), "{told}");
    // If its last record cannot be read, the message is the same.
    let more = "---\nseq: 1\nprev: \"00\"\nat: \"2026-01-05T18:00:00Z\"\ntype: \"chain\"\nseat: \"host\"\n...\n";
    std::fs::write(folder.path().join("log.yaml"), format!("{of_old}{more}")).unwrap();
    let told = Table::open(folder.path(), TITLES).err().unwrap().to_string();
    assert!(told.contains("format 1, and this program reads format 2"), "{told}");
}

#[test]
fn no_clock_answers_without_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 14);
    let (seat, seen) = (game.asked().unwrap(), game.table.fold().head().seq);
    for by in [By::Deadline, By::Bot] {
        let told = game.table.say(seat, "pass", Some(Via::by(by)), at(9)).unwrap_err().to_string();
        assert!(told.contains("would not verify"), "{told}");
    }
    game.table.say(seat, "pass", Some(letter("late", seen)), at(9)).unwrap();
    assert_eq!(sound(&game.log()).table.unwrap().tally.by_token, 1);
}

#[test]
fn a_game_is_made_and_started_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::create(folder.path(), &charter(2, "6"), secrets::of_seed(15), at(0), TITLES).unwrap();
    let missing = table.start(at(1)).unwrap_err();
    assert_eq!(missing.to_string(), "not yet joined: green, black");
    assert!(table.say(Seat(1), "roll 1", None, at(1)).is_err());
    let joining = Default::default();
    // Letters without a Message-ID and without a word.
    let unnamed = |name| Some(Via { message: None, ..letter(name, 0) });
    table.join(Seat(1), &joining, unnamed("1"), at(1)).unwrap();
    assert!(matches!(table.join(Seat(1), &joining, unnamed("1"), at(1)), Err(TableError::Unsound(_))));
    assert!(matches!(table.end("", at(1)), Err(TableError::NotNow { .. })));
    table.join(Seat(2), &joining, unnamed("2"), at(1)).unwrap();
    // The clock is behind the last record: the time in the log never goes back.
    table.start(at(0)).unwrap();
    assert_eq!(table.fold().at(), at(1));
    assert!(table.start(at(1)).is_err());
    table.reveal(at(2)).unwrap();
    assert!(table.say(Seat(1), "roll 1", None, at(3)).is_err());
    table.end("the host moved away", at(3)).unwrap();
    let log = std::fs::read(folder.path().join("log.yaml")).unwrap();
    let report = sound(&log);
    assert_eq!(report.result.as_deref(), Some("abandoned: the host moved away"));
    // Nobody contributed anything: both seats joined without a word.
    let told = "dice: 3 throws, all follow from the commitments. The host could have known each of them in advance. \
                The host could have chosen all of them.\n";
    assert!(report.to_text().contains(told), "{report}");
    assert!(report.to_text().contains("OK g7 6 records, 3 throws by the host's word, "), "{report}");
    let again = Table::create(folder.path(), &charter(2, "6"), secrets::of_seed(15), at(0), TITLES);
    assert!(matches!(again, Err(TableError::Log(LogError::AlreadyThere { .. }))));
}

/// A game for three, made but not started: players have seats 1 and 2, the host has seat 3.
fn made(folder: &std::path::Path) -> Table {
    Table::create(folder, &charter(3, "6"), secrets::of_seed(17), at(0), TITLES).unwrap()
}

fn joining() -> Joining {
    Joining { phrase: "second breakfast".to_string(), message: sha256(b"1@mail.example"), ..Joining::default() }
}

/// What the fold says of a record that no verb of the table writes.
fn append(table: &Table, seat: &str, body: Body<'static>, via: Option<Via>) -> String {
    let head = table.fold().head();
    let (seq, prev, seat) = (head.seq + 1, head.hash, seat.to_string().into());
    let entry = Entry { seq, prev, at: table.fold().at(), seat, via, books: None, body, outcome: None, digest: None };
    let mut problems = Vec::new();
    table.fold().clone().fold(&entry, sha256(entry.to_text().as_bytes()), &mut problems);
    problems.iter().map(ToString::to_string).collect::<Vec<String>>().join("; ")
}

#[test]
fn a_seat_of_the_host_joins_first_and_brings_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = made(folder.path());
    let join = |phrase: Option<&'static str>| {
        Body::Join(Join { phrase: phrase.map(Into::into), keys: Vec::new(), player: None, address: None })
    };
    let told = append(&table, "green", join(None), None);
    assert!(told.contains("the seats of the host join before all others"), "{told}");
    let told = append(&table, "red", join(Some("mellon")), None);
    assert!(told.contains("`phrase` should be left out for a seat that the host holds"), "{told}");
    let named = Via { message: Some(sha256(b"1@mail.example")), ..letter("1", 0) };
    let told = append(&table, "red", join(None), Some(named));
    assert!(told.contains("`message` should be left out for a seat that the host holds"), "{told}");
    assert_eq!(append(&table, "red", join(None), Some(Via::keyboard())), "");
    // The first player's join makes the host's seat join before him, whatever he says of it.
    table.join(Seat(1), &joining(), Some(letter("1", 0)), at(1)).unwrap();
    assert!(table.fold().has_joined(Seat(3)));
    let told = append(&table, "red", join(None), None);
    assert!(told.contains("the seat has joined already"), "{told}");
    let unread = Via { message: Some(sha256(b"2@mail.example")), ..Via::default() };
    let told = append(&table, "black", join(None), Some(unread));
    assert!(told.contains("`message` should be left out where there is no letter"), "{told}");
    let contributions =
        table.join(Seat(2), &joining(), Some(letter("2", 0)), at(2)).map(|_| table.fold().contributions());
    assert_eq!(contributions.unwrap().unwrap()[2], Contribution::default());
}

#[test]
fn the_log_of_a_game_holds_no_secret_before_the_reveal() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::start(folder.path(), 2, "60", 16);
    game.table.leave_order(Seat(1), "when asked riddle say second breakfast", Some(letter("order", 3)), at(3)).unwrap();
    game.play_on(16);
    let text = String::from_utf8(game.log()).unwrap();
    let secrets = game.table.secrets();
    let tip = secrets.host_chain().link(HOST_LINKS).unwrap();
    for secret in [secrets.root, secrets.token_key, tip] {
        assert!(!text.contains(&secret.to_string()));
    }
    assert!(!text.contains("shire.example") && !text.contains("breakfast"));
    for card in game.table.hand(Seat(1)) {
        assert!(!text.contains(&card.salt.to_string()) || game.table.fold().masks().open.get(card.slot).is_some());
    }
}
