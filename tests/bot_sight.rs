//! The program knows only what its seat knows: other cards in other hands and decks do not change what it says, and
//! what it believes of them in a look ahead is possible.

use engine::bot::Level;
use engine::chance::Practice;
use engine::need::Need;
use engine::practice::Table;
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};
use engine::title::{Bot, Setup, Title};
use ringmail::titles;
use std::collections::{BTreeMap, BTreeSet};

const STEPS: u32 = 400;
const TRIES: u32 = 6;

/// The same faces, with the cards that the seat does not hold rotated within each deck.
fn otherwise(faces: &Faces, own: &[Slot]) -> Faces {
    let mut decks: BTreeMap<u8, (Vec<Slot>, Vec<Card>)> = BTreeMap::new();
    let mut turned = faces.of(own);
    for (slot, card) in faces.iter().filter(|(slot, _)| !own.contains(slot)) {
        let (slots, cards) = decks.entry(slot.deck.0).or_default();
        slots.push(slot);
        cards.push(card);
    }
    for (slots, mut cards) in decks.into_values() {
        cards.reverse();
        slots.into_iter().zip(cards).for_each(|(slot, card)| turned.learn(slot, card));
    }
    turned
}

/// What the seat believes: the same whatever others hold, everything that it knows, and no card more often than it
/// exists.
fn check_belief(bot: &dyn Bot, table: &Table, players: usize, own: &Faces, others: &Faces, seed: u64) {
    let believed = bot.believe(table.game.as_ref(), own, &mut Practice::new(seed));
    let Need::Question(question) = table.game.need() else { panic!("a question is asked") };
    let other_own = others.of(&table.game.seen(question.seat));
    assert_eq!(believed, bot.believe(table.game.as_ref(), &other_own, &mut Practice::new(seed)));
    assert!(own.iter().all(|(slot, card)| believed.get(slot) == Some(card)), "what is known stays");
    let held: Vec<Slot> = (0..players).flat_map(|seat| table.game.hand(Seat::at(seat))).collect();
    assert!(held.iter().all(|slot| believed.get(*slot).is_some()), "every hand is thought of");
    let often = |faces: &Faces| {
        let mut often: BTreeMap<Card, usize> = BTreeMap::new();
        faces.iter().for_each(|(_, card)| *often.entry(card).or_default() += 1);
        often
    };
    let there_are = often(&table.faces);
    for (card, number) in often(&believed) {
        assert!(there_are.get(&card).is_some_and(|all| number <= *all), "{card:?} is dealt {number} times");
    }
}

fn check(title: &dyn Title, players: usize, options: &[(&str, &str)]) {
    let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let setup = Setup { edition: title.editions()[0].to_owned(), seats, options };
    let mut chance = Practice::new(23);
    let mut table = Table::new(title, &setup, &mut chance).unwrap();
    let bot = title.bot();
    let (mut hidden, mut redealt) = (0, 0);
    let mut held: Vec<BTreeSet<Slot>> = vec![BTreeSet::new(); players];
    for step in 0..STEPS {
        let Need::Question(question) = table.game.need() else { break };
        if step % 4 == 0 {
            let own = table.game.seen(question.seat);
            let others = otherwise(&table.faces, &own);
            let level = match step {
                // It takes the most time.
                _ if step % 48 == 0 && players == 2 => Level::Strong,
                _ if step % 16 == 0 => Level::Fair,
                _ => Level::Easy { tries: TRIES },
            };
            let says = |faces: &Faces| bot.answer(&*table.game, question.seat, faces, level, u64::from(step));
            assert_eq!(says(&table.faces), says(&others), "{} at step {step}", title.id());
            let hands = (0..players).map(Seat::at).filter(|seat| *seat != question.seat);
            let is_other = |slot: &Slot| table.faces.get(*slot) != others.get(*slot);
            hidden += hands.flat_map(|seat| table.game.hand(seat)).filter(is_other).count();
            let own = table.faces.of(&own);
            check_belief(bot, &table, players, &own, &others, u64::from(step));
            let believed = bot.believe(table.game.as_ref(), &own, &mut Practice::new(1));
            redealt += believed.iter().count() - own.iter().count();
        }
        for (seat, held) in held.iter_mut().enumerate() {
            held.extend(table.game.hand(Seat::at(seat)));
        }
        table.play_anything(&mut chance);
        table.game.forget_news();
    }
    assert!(hidden > 20, "cards of other hands were different {hidden} times");
    assert!(redealt > 1_000, "{redealt} cards were dealt again");
    for (seat, held) in held.iter().enumerate().filter(|_| title.id() == "wotr") {
        let seen: BTreeSet<Slot> = table.game.seen(Seat::at(seat)).into_iter().collect();
        assert_eq!(held, &seen, "seat {seat} knows what it has held, wherever it lies now");
        assert!(seen.len() > table.game.hand(Seat::at(seat)).len(), "something was laid or discarded");
    }
}

#[test]
fn what_others_hold_changes_nothing_of_what_the_program_says() {
    for players in 2..=4 {
        check(titles::ALL.by_id("wotr").unwrap(), players, &[]);
    }
    check(titles::ALL.by_id("risk").unwrap(), 3, &[]);
    check(titles::ALL.by_id("risk").unwrap(), 4, &[("variant", "team")]);
}
