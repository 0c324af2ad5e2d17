//! A small menu read, rolled and listed.

use super::*;
use crate::chance::Practice;
use crate::menu::tree::{Node, Way};
use crate::name::Name;
use crate::refusal::{allowed_if, barred};
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(usize);

static PLACES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    vec![
        Name::new("the-shire", "The Shire", &[]),
        Name::new("minas-tirith", "Minas Tirith", &["MT"]),
        Name::new("minas-morgul", "Minas Morgul", &[]),
        Name::new("lorien", "Lórien", &[]),
    ]
});

impl Named for Place {
    fn name(&self) -> &'static Name {
        &PLACES[self.0]
    }
}

const ALL: [Place; 4] = [Place(0), Place(1), Place(2), Place(3)];

#[derive(Clone, Debug, PartialEq)]
enum Order {
    Attack { target: Place, number: u32, leader: bool },
    Place(Vec<(u32, Place)>),
    Claim(Vec<Place>),
    Done,
}

fn menu(menu: &mut Menu<'_>) -> Ask<Order> {
    let ways = [("attack|invade", 0), ("place", 1), ("claim", 2), ("done", 3), ("retreat", 4)];
    match menu.branch(&ways, |way| if way == 4 { barred("9.9", "nobody retreats") } else { Ok(()) })? {
        0 => {
            let near = |place: Place| allowed_if(place != Place(0), "6.1", || "the-shire is too far".to_string());
            let target = menu.choose("target", &ALL, near)?;
            menu.word("with")?;
            let number = menu.number("battalions", 1..=3, "6.4")?;
            let leader = menu.maybe("and leader")?;
            Ok(Order::Attack { target, number, leader })
        }
        1 => Ok(Order::Place(menu.split("territory", 7, &ALL, "5.7", |_| Ok(()))?)),
        2 => Ok(Order::Claim(menu.several("territory", 4, &ALL, |_| Ok(()))?)),
        _ => Ok(Order::Done),
    }
}

#[track_caller]
fn reads(line: &str, canonical: &str) {
    let (said, _) = Menu::read(line, menu).unwrap();
    assert_eq!(said.sentence, canonical);
}

#[track_caller]
fn refuses(line: &str, message: &str) {
    let refusal = Menu::read(line, menu).unwrap_err();
    assert_eq!(refusal.to_string(), message);
}

#[test]
fn sentences_are_read_as_people_write_them() {
    reads("Attack MT with 2", "attack minas-tirith with 2");
    reads("invade Minas Morgul with three and leader", "attack minas-morgul with 3 and leader");
    reads("attack lor with 1", "attack lorien with 1");
    reads("place 3 shire, 2 in Lórien and rest MT", "place 3 the-shire, 2 lorien, 2 minas-tirith");
    reads("claim shire, mt", "claim the-shire, minas-tirith");
    reads("attack lorien with all", "attack lorien with 3");
    reads("attack lorien with least", "attack lorien with 1");
    reads("DONE!", "done");
}

#[test]
fn refusals_say_what_would_have_been_right() {
    refuses("atack lorien", "not understood: `atack`; did you mean `attack`? Expected: attack, place, claim, done");
    refuses("attack minas with 2", "not understood: `minas` could be minas-tirith, minas-morgul");
    refuses(
        "attack shire with 2",
        "not allowed: `shire`: the-shire is too far (rule 6.1). Allowed: minas-tirith, minas-morgul, lorien",
    );
    refuses("attack lorien with 4", "not allowed: `4`: battalions: from 1 to 3, not 4 (rule 6.4)");
    refuses("attack lorien with 2 now", "not understood: `now`. Expected: and leader");
    refuses("attack lorien", "not understood: the sentence ends too early. Expected: with");
    refuses("retreat", "not allowed: `retreat`: nobody retreats (rule 9.9). Allowed: attack, place, claim, done");
    refuses("place 3 shire, 9 lorien", "not allowed: `9`: how many: from 1 to 4, not 9 (rule 5.7)");
    refuses(
        "claim shire, shire",
        "not allowed: `shire`: The Shire is named twice. Allowed: minas-tirith, minas-morgul, lorien",
    );
}

#[test]
fn what_is_rolled_reads_as_it_prints() {
    let mut chance = Practice::new(1);
    for _ in 0..2_000 {
        let (said, order) = Menu::roll(&mut chance, menu).unwrap();
        let (again, read) = Menu::read(&said.sentence, menu).unwrap();
        assert_eq!((&again, &read), (&said, &order));
    }
}

#[test]
fn words_left_out_come_first_in_the_sentence() {
    let menu = |menu: &mut Menu<'_>| {
        let said = menu.maybe("army die:")?;
        menu.word("sortie from|attack from inside")?;
        menu.word("helms-deep")?;
        if !said {
            menu.understood("army die:");
        }
        Ok(())
    };
    let (short, ()) = Menu::read("attack from inside helms-deep", menu).unwrap();
    let (full, ()) = Menu::read("army die: sortie from helms-deep", menu).unwrap();
    assert_eq!(short, full);
    assert_eq!(short.sentence, "army die: sortie from helms-deep");
}

#[test]
fn a_listing_goes_through_every_choice() {
    let offers = Menu::list(100, menu);
    let sentences: Vec<&str> = offers.iter().map(|offer| offer.sentence.as_str()).collect();
    assert_eq!(
        sentences,
        [
            "attack minas-tirith with <1-3> [and leader]",
            "attack minas-morgul with <1-3> [and leader]",
            "attack lorien with <1-3> [and leader]",
            "place <1-7> <territory>, …",
            "claim <territory>, …",
            "done",
        ]
    );
    assert_eq!(offers[3].nouns[0].1.len(), 4);
}

#[test]
fn a_tree_has_every_sentence_and_shares_what_goes_on_alike() {
    let tree = Menu::tree(1_000, menu);
    assert!(tree.is_whole);
    let root = tree.nodes.last().unwrap();
    let first = |(way, _): &(Way, usize)| match way {
        Way::Word(word) => tree.words[*word].clone(),
        other => panic!("{other:?} begins a sentence"),
    };
    assert_eq!(root.ways.iter().map(first).collect::<Vec<_>>(), ["attack", "place", "claim", "done"]);
    let behind = |node: &Node, way: usize| &tree.nodes[node.ways[way].1];
    // Three targets, each with the same continuation.
    let targets = behind(root, 0);
    assert_eq!(targets.ways.len(), 3);
    assert!(targets.ways.iter().all(|(_, next)| *next == targets.ways[0].1));
    let numbers = behind(behind(targets, 0), 0);
    assert_eq!(numbers.ways.len(), 3);
    let leader = behind(numbers, 0);
    assert!(leader.ends && leader.ways.len() == 1);
    let split = &behind(root, 1).ways[0].0;
    assert!(matches!(split, Way::Split { total: 7, names } if names.len() == 4), "{split:?}");
    let list = &behind(root, 2).ways[0].0;
    assert!(matches!(list, Way::Several { most: 4, names } if names.len() == 4), "{list:?}");
    assert!(behind(root, 3).ends && behind(root, 3).ways.is_empty());
    assert!(!Menu::tree(4, menu).is_whole);
}
