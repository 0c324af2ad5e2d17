//! 17.5, 17.9: whatever a player says or writes ahead, the answer does not depend on the cards of his team mate, nor on
//! any other that he has not seen.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::chance::{Chance, Practice};
use engine::facts::Facts;
use engine::game::Game;
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use wotr::card::{Card, EventDeck};

/// The sentences of a game in which it looks, and how often; whenever two may swap cards it looks as well.
const SENTENCES: usize = 300;
const EVERY: usize = 6;

pub struct Mates {
    chance: Practice,
}

impl Mates {
    pub fn new(seed: u64) -> Mates {
        Mates { chance: Practice::new(seed) }
    }
}

impl Watcher for Mates {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        let asked = now.question.id;
        if now.number >= SENTENCES || !now.number.is_multiple_of(EVERY) && asked != "swap" {
            return;
        }
        let (game, faces) = (now.before, &now.after.faces);
        for seat in (0..now.route.players).map(Seat::at) {
            let other = turned(game, seat, faces);
            for _ in 0..2 {
                let card = Card(u16::try_from(self.chance.below(96)).unwrap()).name().id();
                for verb in ["play", "lay", "discard", "swap", "event die: play", "remove the-palantir with"] {
                    let line = format!("{verb} {card}");
                    let [read, again] = [faces, &other].map(|faces| game.read(seat, &line, faces));
                    assert_eq!(read, again, "{seat:?} at {asked}: {line}");
                    let ahead = |faces| game.foresee(seat, "action", &line, faces);
                    assert_eq!(ahead(faces), ahead(&other), "{seat:?} ahead of {asked}: {line}");
                    seen.note("compared with other hands of mates", asked);
                }
            }
        }
    }
}

/// Faces in which the cards of the slots that a seat has not seen are rotated within each deck.
fn turned(game: &dyn Game, seat: Seat, faces: &Faces) -> Faces {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    let own = game.hand(seat);
    let mut other = faces.clone();
    for deck in EventDeck::ALL {
        let line = facts.text().lines().find_map(|line| line.strip_prefix(&format!("{}: ", deck.id())));
        let (_, shown) = line.expect("every deck has a fact").split_once("shown").unwrap_or_default();
        let shown: Vec<u8> = shown.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
        let unseen: Vec<Slot> = (0..24)
            .filter(|position| !shown.contains(position))
            .map(|position| deck.slot(position))
            .filter(|slot| !own.contains(slot))
            .collect();
        let cards: Vec<_> = unseen.iter().map(|slot| faces.get(*slot).expect("the host knows it")).collect();
        for (index, slot) in unseen.iter().enumerate() {
            other.learn(*slot, cards[(index + 1) % cards.len()]);
        }
    }
    other
}

pub fn expect(seen: &Seen) {
    let compared = "compared with other hands of mates";
    assert!(seen.all(compared) > 1_000);
    seen.has_all(compared, ["swap", "action"]);
}
