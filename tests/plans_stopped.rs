/*! Plans that stop by letter: the guards of lines ahead, a letter for each cause, and what a stopped plan is then. */

use crate::house::body;
use crate::plans::{Post, unfolded, war};

/// The Free Peoples have taken an action and written this ahead for their third; in between the Shadow has attacked
/// the Fords of Isen, and the battle is over.
fn attacked(ahead: &str) -> Post {
    let mut post = war();
    post.says("free", "character die: skip");
    post.says("shadow", "army/muster die: isengard to war");
    let told = post.says("free", &format!("muster die: skip\n{ahead}"));
    assert!(told[1..].iter().all(|told| told == "kept" || told.starts_with("noted")), "{told:?}");
    let told = post.says("shadow", "army die: attack fords-of-isen from orthanc with all");
    assert!(told[0].starts_with("done"), "{told:?}");
    post.until("action", |_, id| match id {
        "combat-card" => "no card",
        "losses" => "regulars first",
        "press-on" => "stop the attack",
        "retreat" => "stand",
        "advance" => "stay",
        other => panic!("{other}"),
    });
    post
}

const MOVE: &str = "army/muster die: move 1 regular edoras to westemnet";

#[test]
fn a_plan_stops_if_another_seat_attacks_next_to_a_place_that_it_names() {
    let mut post = attacked(&format!("{MOVE}\nwill die: skip"));
    assert_eq!(post.asked(), ("free", "action"), "{:?}", post.said());
    let letter = body(&post.newest("free"));
    let waits = unfolded(&letter);
    assert!(waits.contains("They wait, because shadow has attacked fords-of-isen (#"), "{letter}");
    assert!(letter.ends_with(&format!("{MOVE}\nwill die: skip\n")) || letter.contains(MOVE), "{letter}");
    assert!(letter.lines().all(|line| line.chars().count() <= 72), "{letter}");
    assert!(!body(&post.newest("shadow")).contains("They wait"), "told to the seat alone");
    // A letter that only answers keeps the plan; `go on` says its next line.
    let told = post.says("free", "go on");
    assert_eq!(told, ["done your plan goes on -"]);
    assert!(post.said().last().unwrap().contains("move 1 regular edoras to westemnet (standing)"), "{:?}", post.said());
    post.says("shadow", "army/muster die: skip");
    assert!(post.said().contains(&"free: will die: skip (standing)".to_owned()), "{:?}", post.said());
    post.holds();
}

#[test]
fn a_plan_goes_on_if_its_writer_wants_it_to() {
    let post = attacked(&format!("{MOVE}; go on if attacked, touched"));
    assert!(post.said().iter().any(|said| said.ends_with("westemnet (standing)")), "{:?}", post.said());
}

#[test]
fn a_plan_stops_for_what_is_far_away_if_its_writer_says_so() {
    for (guard, why) in [
        ("attacked anywhere", "shadow has attacked fords-of-isen (#"),
        ("touched anywhere", "has changed (#"),
        ("progress < 1", "you wished to be asked if progress fewer than 1"),
    ] {
        let post = attacked(&format!("will die: skip; stop if {guard}"));
        let letter = unfolded(&body(&post.newest("free")));
        assert_eq!(post.asked(), ("free", "action"), "{guard}: {:?}", post.said());
        assert!(letter.contains(&format!("They wait, because {why}")) || letter.contains(why), "{guard}: {letter}");
        post.holds();
    }
    let post = attacked("will die: skip");
    assert!(post.said().contains(&"free: will die: skip (standing)".to_owned()), "{:?}", post.said());
}

#[test]
fn a_line_is_said_if_something_is_so_and_another_otherwise() {
    let post = attacked("will die: skip if progress > 3; else army/muster die: skip");
    assert!(post.said().contains(&"free: army/muster die: skip (standing)".to_owned()), "{:?}", post.said());
    let post = attacked("will die: skip if progress > 3");
    let letter = unfolded(&body(&post.newest("free")));
    assert!(letter.contains("`progress more than 3`: that is not so now"), "{letter}");
    let mut post = war();
    let told = post.says("shadow", "army die: skip if progres > 3");
    assert!(told[0].contains("did you mean `progress`?"), "{told:?}");
    let told = post.says("shadow", "army die: skip; stop if progres > 3");
    assert!(told[0].contains("did you mean `progress`?"), "{told:?}");
}

#[test]
fn the_answer_that_a_stopped_plan_had_ends_its_first_line() {
    let mut post = attacked(&format!("{MOVE}\nwill die: skip"));
    let told = post.says("free", MOVE);
    assert!(told[0].starts_with("done"), "{told:?}");
    let letter = unfolded(&body(&post.newest("free")));
    assert!(letter.contains("you have said it yourself"), "{letter}");
    // The rest still waits, because the plan has stopped.
    post.says("shadow", "army/muster die: skip");
    assert_eq!(post.asked(), ("free", "action"));
    assert_eq!(post.says("free", "go on"), ["done your plan goes on -"]);
    assert!(post.said().contains(&"free: will die: skip (standing)".to_owned()), "{:?}", post.said());
    post.holds();
}

#[test]
fn a_plan_that_has_stopped_is_replaced_added_to_and_cleared() {
    let mut post = attacked(MOVE);
    assert_eq!(post.says("free", "then will die: skip"), ["kept"]);
    let letter = unfolded(&body(&post.newest("free")));
    assert!(letter.contains(&format!("{MOVE} will die: skip They wait, because")), "{letter}");
    assert!(post.says("free", "clear")[0].starts_with("done"));
    assert!(!body(&post.newest("free")).contains("They wait"));
    assert!(!post.says("free", "go on")[0].starts_with("done"));
    let mut post = attacked(MOVE);
    let told = post.says("free", "army/muster die: skip\nwill die: skip");
    assert_eq!(told[1], "kept", "{told:?}");
    post.says("shadow", "army/muster die: skip");
    assert!(post.said().contains(&"free: will die: skip (standing)".to_owned()), "{:?}", post.said());
}

#[test]
fn a_plan_of_the_free_peoples_stops_at_a_hunt_tile() {
    let found = (0..40).any(|number| {
        let mut post = Post::new("wotr", &["free", "shadow"], number);
        if post.asked() != ("free", "action")
            || !post.says("free", "character die: move fellowship\nmuster die: skip")[0].starts_with("done")
        {
            return false;
        }
        let mut has_tile = false;
        for _ in 0..4 {
            match post.asked() {
                ("free", "action") if has_tile => {
                    let letter = unfolded(&body(&post.newest("free")));
                    assert!(letter.contains("They wait, because a Hunt tile was drawn (#"), "{letter}");
                    return true;
                }
                ("free", "hunt-damage") => {
                    has_tile = true;
                    post.says("free", "take it");
                }
                ("shadow", "action") if has_tile => drop(post.says("shadow", "army die: skip")),
                _ => return false,
            }
        }
        false
    });
    assert!(found, "no game in forty draws a tile that only damages");
}

#[test]
fn a_clause_in_a_line_of_its_own_belongs_to_the_attack_above() {
    let mut post = war();
    // A mail program could have broken the first of these lines.
    let plan = "army/muster die: isengard to war\n\
                army/muster die: attack fords-of-isen from orthanc with 4 regular 1 elite\nuntil 3 left\n\
                cards none\nstop if corruption > 5\narmy die: skip";
    let rest = "noted read as the rest of the line above";
    let told = post.says("shadow", plan);
    assert_eq!(told, ["kept", "kept", rest, rest, rest, "kept"]);
    let letter = unfolded(&body(&post.newest("shadow")));
    assert!(letter.contains("1 elite ; until 3 left ; cards none ; stop if corruption > 5"), "{letter}");
}
