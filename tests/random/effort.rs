//! A program's thinking is bounded in every position: its steps are counted, whatever they are spent on, and its
//! sentence is always allowed.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use engine::bot::judgement::Judgement;
use engine::bot::{self, Level};
use engine::chance::Practice;
use engine::play::Play;
use risk::Risk;
use std::any::Any;
use wotr::WarOfTheRing;

/// The sentences of a game in which it looks, and how often.
const SENTENCES: usize = 600;
const EVERY: usize = 39;

pub struct Effort;

impl Watcher for Effort {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if now.number < SENTENCES && now.number.is_multiple_of(EVERY) {
            if now.route.is_risk() {
                thinks::<Risk>(now, seen);
            } else {
                thinks::<WarOfTheRing>(now, seen);
            }
        }
    }
}

/// Thinks with the whole effort, and with an effort so small that it is used up.
fn thinks<R: Judgement>(now: &Moment<'_>, seen: &mut Seen) {
    let own = now.after.faces.of(&now.before.hand(now.question.seat));
    let play = (now.before as &dyn Any).downcast_ref::<Play<R>>().unwrap();
    for (level, few) in [(Level::Fair, None), (Level::Strong, Some(60)), (Level::Strong, Some(700))] {
        let mut chance = Practice::new(now.number as u64);
        let spent = bot::spent(play, level, few, &mut chance, &own);
        let (taken, most) = (spent.taken, spent.most);
        assert!(taken <= most, "{taken} steps instead of {most}");
        seen.add("effort used up", now.route.title.id, usize::from(spent.is_used_up()));
        let read = now.before.read(now.question.seat, &spent.sentence, &own);
        assert!(read.is_ok(), "a program says `{}`: {read:?}", spent.sentence);
    }
}

/// A small effort is sometimes used up.
pub fn expect(title: &str, seen: &Seen) {
    assert!(seen.times("effort used up", title) > 0, "{title}: a small effort is never used up");
}
