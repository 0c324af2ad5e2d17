/*! Letters to four players of War of the Ring (17): what the first one says, a turn with plans, press between team
mates, a swap, who won. No letter tells a hand.
*/

use crate::house::body;
use crate::plans::Post;
use engine::seat::Seat;
use engine::slot::Faces;
use record::entry::body::{Played, Press};
use serde_json::Value;
use std::fs;

const FOUR: [&str; 4] = ["gondor", "rohan", "witch-king", "saruman"];

/// Turn 1 of four players, whose charter forbids press with the enemy. Phase 1 asks about swaps first.
fn four(number: u32) -> Post {
    Post::with("wotr", &FOUR, number, |charter| charter.press = Some(Press::None))
}

/// The cards in hand, from a player's newest letter.
fn hand(post: &Post, seat: &str) -> Vec<String> {
    let letter = body(&post.newest(seat));
    let cards = letter.lines().skip_while(|line| *line != "YOUR HAND").take_while(|line| *line != "WHAT YOU MAY SAY");
    let titled = cards.filter_map(|line| line.split_once(" (").filter(|(_, rest)| rest.contains(" icon; ")));
    titled.map(|(title, _)| title.to_owned()).collect()
}

/// The sentences that skip each die that a side has left.
fn skips(post: &Post, side: &str) -> Vec<String> {
    let game = post.office().desk("g7").unwrap();
    let view = game.table.fold().game().view(None, &Faces::default());
    let sides = view["sides"].as_array().unwrap();
    let left = sides.iter().find(|one| one["name"] == side).unwrap()["dice"]["left"].as_array().unwrap();
    let skip = |die: &Value| {
        let face = die["face"].as_str().unwrap().to_lowercase();
        let face = face.split(' ').next().unwrap().to_owned();
        vec![format!("{face} die: skip"); usize::try_from(die["number"].as_u64().unwrap()).unwrap()]
    };
    left.iter().flat_map(skip).collect()
}

/// Checks that the newest letter to a seat says this, and is no wider than a letter may be.
#[track_caller]
fn tells(post: &Post, seat: &str, told: &str) {
    let letter = body(&post.newest(seat));
    let flat = letter.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(flat.contains(told), "{told}: {letter}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
}

#[test]
fn a_turn_of_four_by_letters() {
    let mut post = four(0);
    assert_eq!(post.asked(), ("gondor", "swap"));
    // 17.1 to 17.6: who plays with whom, what belongs to whom, who leads, and what team mates must not discuss.
    for told in [
        "* Gondor and Rohan play the Free Peoples together; Witch-king and Saruman play the Shadow together",
        "Saruman plays Isengard and Southrons, with Saruman.",
        "* Gondor and Witch-king lead in turn 1, and in every later turn the team mate does (17.6).",
        "but not about the cards in their hands (17.5).",
    ] {
        FOUR.iter().for_each(|seat| tells(&post, seat, told));
    }
    // 17.13: each gives a card face down; only the two players read which.
    let (gondor, rohan) = (hand(&post, "gondor"), hand(&post, "rohan"));
    let given = gondor[1].clone();
    assert!(post.says("gondor", &format!("swap {given}"))[0].starts_with("done swap strategy-"));
    let offered = body(&post.newest("rohan"));
    assert!(offered.contains("offers you a Strategy card, unseen") && !offered.contains(&given), "{offered}");
    let taken = rohan[0].clone();
    assert!(post.says("rohan", &format!("swap {taken}"))[0].starts_with("done swap character-"));
    tells(&post, "rohan", &format!("gave a Strategy card ({given}) for a Character card of the Rohan player"));
    // The lines of one letter for phases 1 to 3.
    assert_eq!(post.says("witch-king", "no swap\nallot 1"), ["done no swap #8", "kept"]);
    tells(&post, "gondor", &format!("gave a Strategy card for a Character card ({taken}) of the Rohan player"));
    assert_eq!(post.says("gondor", "done"), ["done done #10"]);
    // The dice have fallen, and everybody has a letter.
    tells(&post, "saruman", "gave a Strategy card for a Character card of the Rohan player");
    tells(&post, "saruman", "The Witch-king player put 1 die into the Hunt Box.");
    tells(&post, "rohan", "Your action: choose a die. Your team has 4 dice left, the Shadow has");
    tells(&post, "rohan", "Gondor leads the Free Peoples, and Rohan has the next go.");
    // A word of the lobby is a sentence of the game here.
    let refused = post.says("rohan", "join lorien");
    assert!(refused[0].contains("no separate Armies of your team stand in one region (rule 17.32)"), "{refused:?}");
    // Team mates may write to each other, whatever the charter says of press with the enemy.
    let [free, shadow] = ["Free Peoples", "Shadow"].map(|side| skips(&post, side));
    let ahead = format!("press saruman: hold Orthanc\n{}", shadow[1]);
    assert_eq!(post.says("witch-king", &ahead), ["done press saruman -", "kept"]);
    let ahead = format!("press rohan: I wait\n{}", free[1]);
    assert_eq!(post.says("gondor", &ahead), ["done press rohan -", "kept"]);
    let refused = post.says("gondor", "press saruman: a truce?");
    assert!(refused[0].ends_with("letters between players who are not of one team"), "{refused:?}");
    assert!(body(&post.newest("rohan")).contains("  | I wait\n"));
    // 17.20: the actions of the others come in between, and each plan continues.
    assert_eq!(post.says("rohan", &format!("{}\n{}", free[0], free[2]))[1], "kept");
    assert_eq!(post.says("saruman", &shadow[0]).len(), 1);
    let said = post.said();
    let expected = [
        format!("rohan: {}", free[0]),
        format!("saruman: {}", shadow[0]),
        format!("gondor: {} (standing)", free[1]),
        format!("witch-king: {} (standing)", shadow[1]),
        format!("rohan: {} (standing)", free[2]),
    ];
    assert_eq!(said[said.len() - 5..], expected);
    while let (seat, "action") = post.asked() {
        let side = if FOUR[..2].contains(&seat) { "Free Peoples" } else { "Shadow" };
        let skip = skips(&post, side).swap_remove(0);
        assert!(post.says(seat, &skip)[0].starts_with("done"), "{seat}: {skip}");
    }
    // 17.6, 17.10: in turn 2 the others lead, and draw first.
    assert_eq!(post.asked(), ("rohan", "draw"));
    assert_eq!(post.says("rohan", "draw strategy\nno swap").len(), 2);
    assert_eq!(post.asked(), ("gondor", "draw"));
    // Press between team mates is in no log and in no enemy's letter.
    let log = fs::read_to_string(post.log()).unwrap();
    assert!(!log.contains("I wait") && !body(&post.newest("saruman")).contains("I wait"), "{log}");
}

/// A seat concedes, and confirms it.
fn concedes(post: &mut Post, seat: &str) {
    post.says(seat, "concede");
    let letter = body(&post.newest(seat));
    let line = letter.lines().find(|line| line.starts_with("concede confirm ")).unwrap().to_owned();
    assert!(post.says(seat, &line)[0].starts_with("done concede"));
}

#[test]
fn a_team_is_beaten_when_all_its_players_have_conceded() {
    let mut post = four(0);
    concedes(&mut post, "gondor");
    assert_eq!(post.asked(), ("rohan", "swap"), "the program plays on for Gondor");
    concedes(&mut post, "rohan");
    let outcome = post.office().desk("g7").unwrap().table.fold().outcome().unwrap();
    assert_eq!(outcome.winners, [Seat::at(2), Seat::at(3)]);
    assert_eq!(outcome.reason, "gondor and rohan have conceded");
    tells(&post, "saruman", "The game is over. Witch-king and Saruman win: gondor and rohan have conceded.");
    tells(&post, "saruman", "The Shadow wins: gondor and rohan have conceded.");
    // A program beside the only player of a team has no say in that.
    let mut post = Post::with("wotr", &FOUR, 0, |charter| charter.seats[1].played = Some(Played::Program));
    concedes(&mut post, "gondor");
    assert_eq!(post.office().desk("g7").unwrap().table.fold().outcome().unwrap().reason, "gondor has conceded");
}
