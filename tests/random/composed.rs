//! Sentences composed by touches on a page: everything that the page offers, word by word, is accepted, and what is
//! said at random is also offered, except what has more ways than a page can hold.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use crate::composed::{composed, is_in};
use engine::chance::Practice;
use engine::slot::Faces;
use report::page::menu::menu;
use std::collections::BTreeSet;

/// The sentences of a game in which it looks, and the number of sentences between two menus that are tried.
const SENTENCES: usize = 300;
const OFTEN: usize = 6;
/// The sentences composed for a question.
const MANY: u32 = 30;

pub struct Composed {
    questions: BTreeSet<&'static str>,
    chance: Practice,
}

impl Composed {
    pub fn new(seed: u64) -> Composed {
        Composed { questions: BTreeSet::new(), chance: Practice::new(seed) }
    }
}

impl Watcher for Composed {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        let is_new = self.questions.insert(now.question.id);
        if now.number < SENTENCES && (is_new || now.number.is_multiple_of(OFTEN)) {
            seen.note("composed for", now.question.id);
            let own = now.after.faces.of(&now.before.hand(now.question.seat));
            for faces in [&own, &Faces::default()] {
                let said = composed(now.route.title, now.before, faces, MANY, &mut self.chance).unwrap();
                for said in said {
                    seen.note("composed", &said.split(' ').take(3).collect::<Vec<_>>().join(" "));
                }
            }
            is_offered(now, seen);
        }
    }
}

fn is_offered(now: &Moment<'_>, seen: &mut Seen) {
    // Only some of these are grown, or in other words: the whole of an Army, a second Army.
    let some = ["die: move", "die: attack", "die: sortie", "die as army:", "character-", "strategy-"];
    let said = &now.said.sentence;
    if now.route.players == 2 && !some.iter().any(|part| said.contains(part)) && !now.question.id.starts_with("card-") {
        let tree = now.before.tree(&now.after.faces).unwrap();
        let data = menu(&tree, (now.route.title.texts.chart)().unwrap());
        assert!(is_in(&data, said), "`{said}` is not offered to `{}`", now.question.id);
        seen.note("said and offered", now.route.title.id);
    }
}

/// The beginnings of so many sentences are composed, and of these.
pub fn expect(beginnings: usize, verbs: &[&str], seen: &Seen) {
    let begun = seen.names("composed");
    assert!(seen.names("composed for").len() >= 8 && begun.len() > beginnings, "{begun:?}");
    seen.has_all("composed", verbs.iter().copied());
    assert!(seen.all("said and offered") > 30);
}
