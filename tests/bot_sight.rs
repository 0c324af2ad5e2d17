//! The program knows what its seat knows: other cards in other hands and decks change nothing of what it says.

use ringmail::engine::bot::{self, Level};
use ringmail::engine::chance::Practice;
use ringmail::engine::need::Need;
use ringmail::engine::practice::Table;
use ringmail::engine::seat::Seat;
use ringmail::engine::slot::{Card, Faces, Slot};
use ringmail::engine::title::{Setup, Title};
use ringmail::titles;
use std::collections::BTreeMap;

const STEPS: u32 = 400;
const TRIES: u32 = 6;

/// The same cards, with those that the seat does not hold turned round within each deck.
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

fn check(title: &dyn Title, players: usize) {
    let seats = title.seats(players).unwrap().into_iter().map(str::to_owned).collect();
    let setup = Setup { edition: title.editions()[0].to_owned(), seats, options: Vec::new() };
    let mut chance = Practice::new(23);
    let mut table = Table::new(title, &setup, &mut chance).unwrap();
    let mut hidden = 0;
    for step in 0..STEPS {
        let Need::Question(question) = table.game.need() else { break };
        if step % 4 == 0 {
            let own = table.game.hand(question.seat);
            let others = otherwise(&table.faces, &own);
            let level = match step {
                // It costs the most.
                _ if step % 48 == 0 && players == 2 => Level::Strong,
                _ if step % 16 == 0 => Level::Fair,
                _ => Level::Easy { tries: TRIES },
            };
            let says = |faces: &Faces| bot::answer(&*table.game, question.seat, faces, level, u64::from(step));
            assert_eq!(says(&table.faces), says(&others), "{} at step {step}", title.id());
            let hands = (0..players).map(Seat::at).filter(|seat| *seat != question.seat);
            let is_other = |slot: &Slot| table.faces.get(*slot) != others.get(*slot);
            hidden += hands.flat_map(|seat| table.game.hand(seat)).filter(is_other).count();
        }
        table.play_anything(&mut chance);
        table.game.forget_news();
    }
    assert!(hidden > 20, "cards of other hands were different {hidden} times");
}

#[test]
fn what_others_hold_changes_nothing_of_what_the_program_says() {
    for players in 2..=4 {
        check(titles::by_id("wotr").unwrap(), players);
    }
    check(titles::by_id("risk").unwrap(), 3);
}
