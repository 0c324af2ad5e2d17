//! The asked seat would be offered and told exactly the same if two face-down cards of others were swapped.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::chance::{Chance, Practice};
use engine::need::{Answer, Need};
use engine::slot::{Faces, Slot};

pub struct Secrets {
    /// It looks at one question in this many.
    every: usize,
    chance: Practice,
    /// What everybody has been shown.
    shown: Faces,
}

impl Secrets {
    pub fn new(every: usize, seed: u64) -> Secrets {
        Secrets { every, chance: Practice::new(seed), shown: Faces::default() }
    }

    /// Two slots of one deck whose cards the asked seat has not seen; `None` if there are none.
    fn unseen(&mut self, now: &Moment<'_>) -> Option<(Slot, Slot)> {
        let own = now.before.seen(now.question.seat);
        let is_hidden = |slot: &Slot| !own.contains(slot) && self.shown.get(*slot).is_none();
        let hidden: Vec<Slot> = now.after.faces.iter().map(|(slot, _)| slot).filter(is_hidden).collect();
        let mut one_of = |slots: &[Slot]| Some(slots[self.chance.below(u32::try_from(slots.len()).ok()?) as usize]);
        let one = if hidden.is_empty() { None } else { one_of(&hidden) }?;
        let same_deck: Vec<Slot> = hidden.into_iter().filter(|slot| slot.deck == one.deck).collect();
        Some((one, one_of(&same_deck)?))
    }
}

impl Watcher for Secrets {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if now.number.is_multiple_of(self.every)
            && let Some((one, other)) = self.unseen(now)
        {
            let (game, seat, faces) = (now.before, now.question.seat, &now.after.faces);
            let mut swapped: Faces = faces.clone();
            swapped.learn(one, faces.get(other).unwrap());
            swapped.learn(other, faces.get(one).unwrap());
            assert_eq!(game.offers(faces, 40), game.offers(&swapped, 40), "an offer tells a secret");
            assert_eq!(game.view(Some(seat), faces), game.view(Some(seat), &swapped), "a view tells a secret");
            assert_eq!(game.news(Some(seat), faces), game.news(Some(seat), &swapped), "news tell a secret");
            seen.note("secrets", now.route.title.id);
        }
        now.said.shows.iter().for_each(|(slot, card)| self.shown.learn(*slot, *card));
        for (need, answer) in now.dealt {
            if let (Need::Show(show), Answer::Shown(Some(card))) = (need, answer) {
                self.shown.learn(show.slot, *card);
            }
        }
    }
}
