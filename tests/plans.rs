/*! Plans by letter: lines written ahead wait for their questions, and orders answer in between. Whole turns of both
titles, from the bytes of the letters.
*/

use crate::house::{House, at, body, charter, fates, secrets, table};
use engine::need::Need;
use ground::hash::{Hash, sha256};
use post::office::Office;
use record::charter::Charter;
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::verify::{Errors, Wanted, verify};
use std::path::PathBuf;

/// A game of a title, and its post office.
pub struct Post {
    house: House,
    seats: Vec<&'static str>,
}

impl Post {
    /// A game whose dice follow from this number.
    pub fn new(title: &str, seats: &[&'static str], number: u32) -> Post {
        Post::with(title, seats, number, |_| {})
    }

    /// The same with a changed charter.
    pub fn with(title: &str, seats: &[&'static str], number: u32, change: impl FnOnce(&mut Charter)) -> Post {
        let mut charter = charter::of(title, seats.iter().map(|seat| charter::writer(seat, &address(seat))));
        change(&mut charter);
        let secrets = Secrets { root: sha256(format!("plan {number}").as_bytes()), ..secrets::usual() };
        Post::opened(&charter, secrets, seats, opening)
    }

    /// A game in which `opening` answers the first questions.
    pub fn opened(
        charter: &Charter,
        secrets: Secrets,
        seats: &[&'static str],
        opening: impl Fn(&str) -> Option<&'static str>,
    ) -> Post {
        let folder = tempfile::tempdir().unwrap();
        let mut table = table::started(&folder.path().join("g7"), charter, secrets, at(0), table::nothing);
        // At the table, so that the first dice are the same each time: a letter contains the name of the letter that
        // it answers.
        while let Need::Question(question) = table.fold().game().need()
            && let Some(said) = opening(question.id)
        {
            let via = Via::letter(Hash::ZERO, table.fold().head().seq, Auth::Token);
            table.say(question.seat, said, Some(via), at(0)).unwrap();
        }
        drop(table);
        let house = House::of(folder, ringmail::titles::ALL);
        house.office.desk("g7").unwrap().report(at(1)).unwrap();
        Post { house, seats: seats.to_vec() }
    }

    pub fn office(&self) -> &Office {
        &self.house.office
    }

    /// The asked seat, and the question.
    pub fn asked(&self) -> (&'static str, &'static str) {
        match self.office().desk("g7").unwrap().table.fold().game().need() {
            Need::Question(question) => (self.seats[question.seat.index()], question.id),
            need => panic!("{need:?}"),
        }
    }

    /// Says sentences at the table, not by letter, until this question is asked.
    pub fn until(&mut self, question: &str, said: impl Fn(&str, &str) -> &'static str) {
        while self.asked().1 != question {
            let (seat, id) = self.asked();
            let told = self.says(seat, said(seat, id));
            assert!(told[0].starts_with("done"), "{id}: {told:?}");
        }
    }

    pub fn newest(&self, seat: &str) -> String {
        self.house.newest(&address(seat))
    }

    /// The fates of the lines of a player's answer to the newest letter that he got.
    pub fn says(&mut self, seat: &str, text: &str) -> Vec<String> {
        fates(&self.house.says(&address(seat), &(text.lines().collect::<Vec<_>>().join("\r\n") + "\r\n")))
    }

    /// Opens the order books, and holds every answer against them.
    pub fn holds(&self) {
        self.office().desk("g7").unwrap().table.reveal(at(900)).unwrap();
        let (file, titles, errors) = ("log.yaml".to_owned(), ringmail::titles::ALL, Errors::First);
        let wanted = Wanted { file, titles, errors, seen: Vec::new(), progress: &mut |_| () };
        let log = std::fs::read(self.log()).unwrap();
        let report = verify(log.as_slice(), wanted).unwrap();
        assert!(report.is_ok() && report.to_text().contains("no order was passed over"), "{report}");
    }

    pub fn log(&self) -> PathBuf {
        self.house.path().join("log.yaml")
    }

    /// The sentences in the log, with the seat and the way in which each was said.
    pub fn said(&self) -> Vec<String> {
        let log = self.house.log();
        let said = |record: &str| {
            let value = |key: &str| {
                let line = record.lines().find_map(|line| line.trim_start().strip_prefix(key))?;
                Some(line.trim().trim_matches('"').to_owned())
            };
            let by = value("by: ").map_or(String::new(), |by| format!(" ({by})"));
            Some(format!("{}: {}{by}", value("seat: ")?, value("said: ")?))
        };
        log.split("---\n").filter_map(said).collect()
    }
}

/// The address of a seat's player.
fn address(seat: &str) -> String {
    format!("{seat}@shire.example")
}

/// What is said before the first action, or before the first invasion.
fn opening(id: &str) -> Option<&'static str> {
    match id {
        "hunt-allocation" => Some("allot 1"),
        "fellowship" => Some("done"),
        "claim" => Some("claim nearest"),
        "garrison" => Some("place evenly"),
        _ => None,
    }
}

/// Turn 1 of the war: the Shadow has a Character, an Army and two Army/Musters; the Free Peoples a Character, a Muster,
/// an Army/Muster and a Will of the West, and are asked first.
pub fn war() -> Post {
    let post = Post::new("wotr", &["free", "shadow"], 0);
    assert_eq!(post.asked(), ("free", "action"));
    post
}

#[test]
fn a_plan_goes_on_after_questions_that_come_in_between() {
    let mut post = war();
    let plan =
        "army/muster die: isengard to war\narmy die: attack fords-of-isen from orthanc with all\narmy/muster die: skip";
    assert_eq!(post.says("shadow", plan), ["kept", "kept", "kept"]);
    assert!(post.says("free", "character die: skip")[0].starts_with("done"));
    assert!(post.says("free", "muster die: skip")[0].starts_with("done"));
    // The attack has begun, and the next line cannot answer its questions.
    assert_eq!(post.asked(), ("shadow", "combat-card"), "{:?}", post.said());
    let letter = body(&post.newest("shadow"));
    assert!(letter.contains("WRITTEN IN ADVANCE\n\n  army/muster die: skip\n"), "{letter}");
    // A letter that only answers keeps the plan.
    assert_eq!(post.says("shadow", "no card"), ["done no card #11"]);
    post.until("action", |_, id| match id {
        "combat-card" => "no card",
        "losses" => "lose 1 regular",
        "press-on" => "stop the attack",
        "retreat" => "stand",
        "advance" => "stay",
        other => panic!("{other}"),
    });
    assert_eq!(post.asked(), ("free", "action"));
    post.says("free", "will die: skip");
    assert!(post.said().contains(&"shadow: army/muster die: skip (standing)".to_owned()), "{:?}", post.said());
    post.holds();
}

#[test]
fn what_a_seat_has_left_is_one_book() {
    let mut post = war();
    post.says("shadow", "when asked hunt-allocation say allot 1\narmy die: skip");
    let letter = body(&post.newest("shadow"));
    assert!(letter.contains("WRITTEN IN ADVANCE\n\n  army die: skip\n") && letter.contains("say allot 1"), "{letter}");
    assert!(post.says("shadow", "clear")[0].starts_with("done"));
    let letter = body(&post.newest("shadow"));
    assert!(!letter.contains("WRITTEN IN ADVANCE") && !letter.contains("say allot 1"), "{letter}");
    assert!(post.says("shadow", "clear")[0].contains("nothing of yours waits"));
    post.holds();
}

#[test]
fn what_is_written_ahead_is_read_at_once() {
    let mut post = war();
    let wrong = post.says("shadow", "army/muster die: isengard to war\narmy/muster die: isengart to war");
    assert_eq!(wrong[0], "kept");
    assert!(wrong[1].starts_with("refused not understood: `isengart`"), "{wrong:?}");
}

#[test]
fn another_plan_replaces_the_first_and_then_adds() {
    let mut post = war();
    assert_eq!(post.says("shadow", "army/muster die: isengard to war"), ["kept"]);
    assert_eq!(post.says("shadow", "then army/muster die: skip"), ["kept"]);
    let waits = |post: &Post| body(&post.newest("shadow"));
    assert!(waits(&post).contains("  army/muster die: isengard to war\n  army/muster die: skip\n"), "{}", waits(&post));
    assert_eq!(post.says("shadow", "army die: skip"), ["kept"]);
    let letter = waits(&post);
    assert!(letter.contains("WRITTEN IN ADVANCE\n\n  army die: skip\nThey"), "{letter}");
    assert!(letter.contains("you have written something else ahead since"), "{letter}");
}

#[test]
fn no_card_is_left_for_the_next_battle() {
    let mut post = war();
    post.says("free", "character die: skip");
    assert_eq!(post.says("free", "no card"), ["kept"]);
    assert!(
        body(&post.newest("free")).replace("\n    ", " ").contains("said when you are asked `combat-card` in turn 1")
    );
    post.says("shadow", "army/muster die: isengard to war");
    post.says("free", "muster die: skip");
    post.says("shadow", "army die: attack fords-of-isen from orthanc with all\nno card");
    assert!(
        post.said().ends_with(&["shadow: no card".to_owned(), "free: no card (standing)".to_owned()]),
        "{:?}",
        post.said()
    );
    post.holds();
}

#[test]
fn done_at_the_end_follows_the_plan() {
    let mut post = Post::new("risk", &["yellow", "red"], 1);
    post.until("reinforcements", |seat, _| match seat {
        "red" => "leader moria then eregion",
        _ => "leader lorien then fornost",
    });
    let (seat, _) = post.asked();
    assert_eq!(seat, "red");
    let plan = "place 7 fangorn\nattack the-wold from fangorn until 3 left\ndone\ndone";
    let told = post.says("red", plan);
    assert_eq!(told[2..], ["kept", "kept"], "{told:?}");
    // The other seat's answers, and the number of battalions that advance, come in between; then the plan goes on.
    post.until("reinforcements", |_, id| match id {
        "defence" => "1",
        "advance" => "advance most",
        "go-on" => "call off",
        "mission" | "enemy-declared" | "fellowship-no-die" | "fellowship-roll" | "fellowship-leaving" => "pass",
        other => panic!("{other}"),
    });
    let said = post.said();
    let dones = said.iter().filter(|said| *said == "red: done (standing)").count();
    assert!(dones == 2 || said.last().unwrap() == "red: done (standing)", "{said:?}");
    post.holds();
}

#[test]
fn orders_with_conditions_are_left_listed_and_refused_by_letter() {
    let mut post = war();
    let order = "when asked hunt-allocation if progress >= 3: allot 2; else allot 1";
    let told = post.says("shadow", &format!("{order}\nput 1 first\nstanding"));
    assert!(told.iter().all(|fate| fate.starts_with("done")), "{told:?}");
    let letter = body(&post.newest("shadow"));
    let listed = [
        "   2  when asked hunt-allocation if progress at least 3 say allot 2;",
        "      else allot 1",
        "        as the table is now: allot 1",
    ]
    .join("\n");
    assert!(letter.contains(&listed), "{letter}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    let mut refused = |order: &str, why: &str| {
        let told = post.says("shadow", order);
        assert!(told[0].starts_with("refused") && told[0].contains(why), "{order}: {told:?}");
    };
    refused("when asked retreat if unitz < 3: stand", "did you mean `units`?");
    refused("when asked fellowship if round > 1: done", "`fellowship` is not asked in a battle");
    refused("when asked retreat: runaway", "`runaway` begins no sentence of this game");
    refused("replace 7 with when asked retreat: stand", "no standing order 7 of yours stands");
    let told = post.says("shadow", "replace 2 with when asked hunt-allocation if progress < 2: allot 1\n; else ask me");
    assert!(told[0].starts_with("done replace 2 with"), "{told:?}");
    assert!(body(&post.newest("shadow")).contains("progress fewer than 2 say"));
}

/// A letter without what differs from game to game whatever is played: hashes and message names.
fn without_hashes(letter: &str) -> String {
    let is_hash = |word: &str| word.len() >= 6 && word.chars().all(|c| c.is_ascii_hexdigit());
    let masked = |word: &str| if is_hash(word) { "-".to_owned() } else { word.to_owned() };
    letter
        .split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| {
            let (bare, end) = match word.char_indices().last() {
                Some((at, last)) if !last.is_ascii_alphanumeric() => word.split_at(at),
                _ => (word, ""),
            };
            masked(bare) + end
        })
        .collect()
}

#[test]
fn what_an_order_says_changes_nothing_for_the_other_seat() {
    let told =
        ["if progress >= 3: allot 2; else allot 1", "in osgiliath if corruption > 4: ask me next turn"].map(|tail| {
            let mut post = war();
            let told = post.says("shadow", &format!("when asked hunt-allocation {tail}"));
            assert!(told[0].starts_with("done"), "{told:?}");
            post.says("free", "character die: skip");
            (post.said(), without_hashes(&body(&post.newest("free"))))
        });
    assert_eq!(told[0], told[1]);
}

/// A letter without the ends of its lines.
pub fn unfolded(letter: &str) -> String {
    letter.replace('\\', " ").split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn help_about_orders_tells_all_that_may_be_written() {
    let mut post = war();
    assert!(post.says("free", "help orders")[0].starts_with("done"));
    let letter = body(&post.newest("free"));
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    let letter = unfolded(&letter);
    for part in ["when asked losses: elites first", "until 3 left", "they laid a strategy card", "<card> on the table"]
    {
        assert!(letter.contains(part), "{part}: {letter}");
    }
    post.says("free", "help losses");
    let letter = unfolded(&body(&post.newest("free")));
    assert!(letter.contains("For example: `when asked losses:"), "{letter}");
}

#[test]
fn a_battle_is_fought_by_one_line() {
    let mut post = war();
    let plan = "army/muster die: isengard to war\n\
                army die: attack Fords of Isen from orthanc with all; until 2 left; cards none; regulars first\n\
                ; advance with all\nelse army die: skip\narmy/muster die: skip";
    let rest = "noted read as the rest of the line above";
    assert_eq!(post.says("shadow", plan), ["kept", "kept", rest, rest, "kept"]);
    let letter = unfolded(&body(&post.newest("shadow")));
    assert!(letter.contains("; until 2 left; cards none; regulars first"), "{letter}");
    assert!(post.says("free", "character die: skip")[0].starts_with("done"));
    assert!(post.says("free", "muster die: skip")[0].starts_with("done"));
    let said = post.said();
    assert!(said.contains(&"shadow: no card (standing)".to_owned()), "{said:?}");
    assert!(said.iter().any(|said| said.starts_with("shadow: army die: attack") && !said.contains(';')), "{said:?}");
    // Only the other seat is asked until the battle is over.
    post.until("action", |seat, id| match (seat, id) {
        ("free", "combat-card") => "no card; elites first; stand",
        other => panic!("{other:?}"),
    });
    let said = post.said();
    assert!(said.iter().filter(|said| said.ends_with("(standing)")).count() > 3, "{said:?}");
    let open = body(&post.newest("free"));
    assert!(!open.contains("until 2 left"), "{open}");
}

#[test]
fn what_is_wrong_in_a_clause_is_told_at_once() {
    let mut post = war();
    let mut refused = |line: &str, why: &str| {
        let told = post.says("shadow", line);
        let letter = body(&post.newest("shadow")).replace("\n    ", " ");
        assert!(told[0].starts_with("refused") && told[0].contains(why), "{line}: {told:?}\n{letter}");
    };
    let attack = "army die: attack fords-of-isen from orthanc with all";
    refused(&format!("{attack}; until 3 left; regular frist"), "not understood: `regular frist`");
    refused(&format!("{attack}; ask me if unitz < 3"), "did you mean `units`?");
    refused(&format!("{attack}; cards none; combat-card: lay one of onslaught, shiield"), "not understood: `shiield`");
    refused(&format!("{attack}; else army die: skipp"), "not understood: `skipp`");
}

/// What a line says behind its semicolons is hidden from the other seat.
#[test]
fn what_a_clause_says_changes_nothing_for_the_other_seat() {
    let told = ["until 2 left; cards none", "ask me if round > 7; elites first; cards none"].map(|clauses| {
        let mut post = war();
        let attack = "army die: attack fords-of-isen from orthanc with all";
        let line = format!("army/muster die: isengard to war\n{attack}; {clauses}");
        assert_eq!(post.says("shadow", &line), ["kept", "kept"]);
        post.says("free", "character die: skip");
        post.says("free", "muster die: skip");
        assert_eq!(post.asked(), ("free", "combat-card"));
        (post.said(), without_hashes(&body(&post.newest("free"))))
    });
    assert_eq!(told[0], told[1]);
}

#[test]
fn clauses_of_a_line_that_is_taken_back_are_taken_back_with_it() {
    let mut post = war();
    let attack = "army/muster die: isengard to war\narmy die: attack fords-of-isen from orthanc with all";
    assert_eq!(post.says("shadow", &format!("{attack}\n; until 1 left; cards none"))[..2], ["kept", "kept"]);
    let standing = |post: &mut Post| {
        post.says("shadow", "standing");
        body(&post.newest("shadow"))
    };
    let listed = standing(&mut post);
    assert!(listed.contains("when asked combat-card in fords-of-isen say no card"), "{listed}");
    assert!(post.says("shadow", "clear")[0].starts_with("done"));
    let listed = standing(&mut post);
    assert!(!listed.contains("combat-card"), "{listed}");
    post.says("shadow", attack);
    post.says("free", "character die: skip");
    post.says("free", "muster die: skip");
    assert_eq!(post.asked(), ("shadow", "combat-card"));
}

#[test]
fn a_plan_that_is_checked_is_tried_as_far_as_the_table_tells() {
    let mut post = war();
    post.says("free", "character die: skip");
    let mut tried = |seat: &str, letter: &str| {
        let before = post.said();
        let told = post.says(seat, &format!("check\n{letter}"));
        assert_eq!(post.said(), before, "nothing is played");
        (told, unfolded(&body(&post.newest(seat))))
    };
    let plan = "army/muster die: isengard to war\narmy die: attack fords-of-isen from orthanc with all; cards none";
    let (told, letter) = tried("shadow", plan);
    assert!(letter.contains("isengard one step towards war free is asked `action`"), "{letter}");
    assert_eq!(told[2], "kept");
    assert!(letter.contains("reads well; free is asked `action` before, and from there on it is open"), "{letter}");
    let (told, _) = tried("shadow", &plan.replace("with all", "wiht all"));
    assert!(told[2].starts_with("refused not understood: `wiht`"), "{told:?}");
    post.says("shadow", "army/muster die: isengard to war");
    post.says("free", "muster die: skip");
    let mut tried = |letter: &str| {
        let before = post.said();
        let told = post.says("shadow", &format!("check\n{letter}"));
        assert_eq!(post.said(), before, "nothing is played");
        (told, unfolded(&body(&post.newest("shadow"))))
    };
    let attack = "army die: attack fords-of-isen from orthanc with all";
    let (_, letter) = tried(&format!("{attack}; cards none; regulars first"));
    assert!(letter.contains("`combat-card` is answered for you: no card free is asked `combat-card`"), "{letter}");
    let (told, letter) =
        tried(&format!("when asked combat-card in fords of isen: no card\n{attack}\narmy/muster die: skip"));
    assert!(letter.contains("`combat-card` is answered for you: no card"), "{letter}");
    assert_eq!(told[3], "kept");
    let (told, letter) = tried(&format!("{attack}\nno card"));
    assert!(letter.contains("you are asked `combat-card` no card free is asked `combat-card`"), "{letter}");
    assert_eq!(told[2], "noted would be done: no card");
    assert!(letter.contains("if it says `no card`: dice are open"), "{letter}");
    let (told, _) = tried("army/muster die: skip; cards none");
    assert!(told[1].starts_with("refused") && told[1].contains("none is fought after this one"), "{told:?}");
}

#[test]
fn lines_with_the_same_clauses_are_taken_back_each_with_its_own() {
    let mut post = war();
    let attack = "attack fords-of-isen from orthanc with all; until 1 left; cards none";
    let plan = format!("army/muster die: isengard to war\narmy die: {attack}\narmy/muster die: {attack}");
    assert_eq!(post.says("shadow", &plan), ["kept", "kept", "kept"]);
    let left = |post: &mut Post| {
        post.says("shadow", "standing");
        let letter = body(&post.newest("shadow"));
        letter.matches("when asked combat-card in fords-of-isen say no card").count()
    };
    assert_eq!(left(&mut post), 2);
    // Another plan takes both back, each once.
    let told = post.says("shadow", &format!("army die: {attack}"));
    assert_eq!(told, ["kept"]);
    assert_eq!(left(&mut post), 1);
    assert!(post.says("shadow", "clear")[0].starts_with("done"));
    assert_eq!(left(&mut post), 0);
}

/// As the order form proposes them: otherwise the first would answer at once, and the battle would be over before the
/// others are read.
#[test]
fn orders_of_one_letter_are_left_together_before_one_of_them_answers() {
    let mut post = war();
    post.says("shadow", "army/muster die: isengard to war\narmy die: attack fords-of-isen from orthanc with all");
    post.says("free", "character die: skip");
    post.says("free", "muster die: skip");
    assert_eq!(post.asked(), ("shadow", "combat-card"));
    let orders = "when asked combat-card: no card this battle\nwhen asked losses: regulars first this battle\n\
                  when asked press-on: stop the attack this battle\nwhen asked advance: stay this battle";
    let told = post.says("shadow", orders);
    assert!(told.len() == 4 && told.iter().all(|told| told.starts_with("done when asked")), "{told:?}");
    assert_eq!(post.asked(), ("free", "combat-card"), "{:?}", post.said());
    let orders = "when asked combat-card: no card this battle\nwhen asked losses: regulars first this battle\n\
                  when asked retreat: stand this battle";
    let told = post.says("free", orders);
    assert!(told.len() == 3 && told.iter().all(|told| told.starts_with("done when asked")), "{told:?}");
    assert_eq!(post.asked(), ("free", "action"), "{:?}", post.said());
}

#[test]
fn when_the_dice_fall_both_seats_are_written_to_and_may_write_their_turn() {
    let mut post = war();
    let opened = |post: &Post, seat: &str| {
        let letter = body(&post.newest(seat));
        assert!(letter.contains("# Your next actions, one a line"), "{seat}: {letter}");
        assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    };
    opened(&post, "free");
    opened(&post, "shadow");
    while post.asked().1 == "action" {
        let (seat, _) = post.asked();
        let die = ["character", "muster", "army", "army/muster", "event", "will"]
            .into_iter()
            .find(|die| post.says(seat, &format!("{die} die: skip"))[0].starts_with("done"));
        assert!(die.is_some(), "{:?}", post.said());
    }
    // The next turn opens when its dice have fallen, not earlier.
    assert_eq!(post.asked(), ("free", "fellowship"));
    post.says("free", "done");
    assert_eq!(post.asked(), ("shadow", "hunt-allocation"));
    post.says("shadow", "allot 1\narmy die: skip if my army dice > 9; else character die: skip; else muster die: skip");
    assert_eq!(post.asked().1, "action");
    opened(&post, "free");
    opened(&post, "shadow");
    let waiting = if post.asked().0 == "free" { "shadow" } else { "free" };
    let letter = body(&post.newest(waiting));
    assert!(letter.contains("turn 2") && letter.contains("orders for later"), "{letter}");
    // What it writes now is said when its turn comes.
    let told = post.says(waiting, "then event die: skip if turn > 9; else character die: skip");
    assert_eq!(told, ["kept"], "{letter}");
}

/// The invasion is over when its conqueror is asked how many follow, but that is still a question of the invasion.
#[test]
fn a_clause_answers_how_many_advance_in_risk() {
    let conquered = (1..8).any(|left| {
        let mut post = Post::new("risk", &["yellow", "red"], 1);
        post.until("reinforcements", |seat, _| match seat {
            "red" => "leader moria then eregion",
            _ => "leader lorien then fornost",
        });
        let attack = format!("attack the-wold from fangorn; until {left} left; advance all but 2");
        let told = post.says("red", &format!("place 7 fangorn\n{attack}\ndone\ndone"));
        assert!(told[0].starts_with("done") && told[1].starts_with("done"), "{told:?}");
        // Only the other seat is asked.
        post.until("reinforcements", |seat, id| match (seat, id) {
            ("yellow", "defence") => "1",
            ("yellow", "enemy-declared" | "violent-storms") => "pass",
            (_, "mission" | "fellowship-no-die" | "fellowship-roll" | "fellowship-leaving") => "pass",
            other => panic!("{other:?}"),
        });
        post.said().iter().any(|said| said.starts_with("red: advance ") && said.ends_with("(standing)"))
    });
    assert!(conquered, "in no game of seven the Wold is conquered with battalions left");
}
