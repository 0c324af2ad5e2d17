//! The program knows only what its seat knows: other cards in other hands and decks do not change what it says, and
//! what it believes of them in a look ahead is possible.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::bot::Level;
use engine::chance::Practice;
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// The sentences of a game in which it looks, and how often.
const SENTENCES: usize = 400;
const EVERY: usize = 12;

pub struct Sight {
    /// What each seat has held up to now.
    held: Vec<BTreeSet<Slot>>,
}

impl Sight {
    pub fn new(players: usize) -> Sight {
        Sight { held: vec![BTreeSet::new(); players] }
    }
}

impl Watcher for Sight {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if now.number >= SENTENCES {
            return;
        }
        for (seat, held) in self.held.iter_mut().enumerate() {
            held.extend(now.before.hand(Seat::at(seat)));
        }
        if !now.number.is_multiple_of(EVERY) {
            return;
        }
        let (game, title, seat) = (now.before, now.route.title.id, now.question.seat);
        let own = game.seen(seat);
        let (faces, others) = (&now.after.faces, otherwise(&now.after.faces, &own));
        let level = match now.number / EVERY {
            // It takes the most time.
            look if look.is_multiple_of(12) && now.route.players == 2 => Level::Strong,
            look if look.is_multiple_of(4) => Level::Fair,
            _ => Level::Easy,
        };
        let says = |faces: &Faces| now.route.title.bot.answer(game, seat, faces, level, now.number as u64);
        assert_eq!(says(faces), says(&others), "what others hold changes what a program says");
        let hands = (0..now.route.players).map(Seat::at).filter(|other| *other != seat);
        let is_other = |slot: &Slot| faces.get(*slot) != others.get(*slot);
        seen.add("other cards", title, hands.flat_map(|seat| game.hand(seat)).filter(is_other).count());
        let own = faces.of(&own);
        check_belief(now, &own, &others);
        let dealt = now.route.title.bot.believe(game, &own, &mut Practice::new(1)).iter().count();
        seen.add("cards dealt again", title, dealt - own.iter().count());
        if title == "wotr" {
            self.is_known(now, seen);
        }
    }
}

impl Sight {
    /// Each seat knows what it has held, wherever it lies now.
    fn is_known(&self, now: &Moment<'_>, seen: &mut Seen) {
        for (seat, held) in self.held.iter().enumerate() {
            let known: BTreeSet<Slot> = now.before.seen(Seat::at(seat)).into_iter().collect();
            assert_eq!(held, &known, "seat {seat} knows what it has held");
            if known.len() > now.before.hand(Seat::at(seat)).len() {
                seen.note("laid or discarded", &format!("{} of {}", seat, now.route));
            }
        }
    }
}

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
fn check_belief(now: &Moment<'_>, own: &Faces, others: &Faces) {
    let (game, seed) = (now.before, now.number as u64);
    let bot = now.route.title.bot;
    let believed = bot.believe(game, own, &mut Practice::new(seed));
    let other_own = others.of(&game.seen(now.question.seat));
    assert_eq!(believed, bot.believe(game, &other_own, &mut Practice::new(seed)));
    assert!(own.iter().all(|(slot, card)| believed.get(slot) == Some(card)), "what is known stays");
    let held: Vec<Slot> = (0..now.route.players).flat_map(|seat| game.hand(Seat::at(seat))).collect();
    assert!(held.iter().all(|slot| believed.get(*slot).is_some()), "every hand is thought of");
    let often = |faces: &Faces| {
        let mut often: BTreeMap<Card, usize> = BTreeMap::new();
        faces.iter().for_each(|(_, card)| *often.entry(card).or_default() += 1);
        often
    };
    let there_are = often(&now.after.faces);
    for (card, number) in often(&believed) {
        assert!(there_are.get(&card).is_some_and(|all| number <= *all), "{card:?} is dealt {number} times");
    }
}

/// In the games of one title that were looked at, cards of other hands were different, cards were dealt again, and
/// every seat of War of the Ring laid or discarded something.
pub fn expect(title: &str, games: usize, seats: usize, seen: &Seen) {
    let hidden = seen.times("other cards", title);
    assert!(hidden > 20 * games, "{title}: cards of other hands were different {hidden} times");
    let dealt = seen.times("cards dealt again", title);
    assert!(dealt > 300 * games, "{title}: {dealt} cards were dealt again");
    let laid = seen.names("laid or discarded");
    assert!(title != "wotr" || laid.len() == seats, "{laid:?}");
}
