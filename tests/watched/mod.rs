//! A watch over a game; every look is compared with all facts written out before and after.

use engine::facts::{Change, Facts};
use engine::game::Game;
use engine::game::Watch;

/// After this many looks, an undo goes back to an earlier moment, and from there to the present again.
const UNDO: usize = 24;

pub struct Watched {
    watch: Box<dyn Watch>,
    change: Change,
    before: Facts,
    earlier: Box<dyn Game>,
    looks: usize,
}

impl Watched {
    /// Begins to watch a game: at the first look all facts are new.
    pub fn new(game: &dyn Game) -> Watched {
        let mut watch = game.watch();
        let mut change = Change::default();
        watch.look(game.copy(), &mut change);
        let before = facts(game);
        assert_eq!((change.before.text(), &change.after), ("", &before));
        Watched { watch, change, before, earlier: game.copy(), looks: 0 }
    }

    /// Looks at what has changed in the game.
    pub fn look(&mut self, game: &dyn Game) {
        self.see(game);
        self.looks += 1;
        if self.looks.is_multiple_of(UNDO) {
            let earlier = std::mem::replace(&mut self.earlier, game.copy());
            let mut other = Watched { watch: self.watch.copy(), before: self.before.clone(), ..Watched::new(game) };
            other.see(&*earlier);
            other.see(game);
        }
    }

    fn see(&mut self, game: &dyn Game) {
        self.watch.look(game.copy(), &mut self.change);
        let after = facts(game);
        let pairs = || self.before.text().lines().zip(after.text().lines()).filter(|(before, after)| before != after);
        assert_eq!(self.before.text().lines().count(), after.text().lines().count(), "the keys are the same");
        let (before, now): (Vec<&str>, Vec<&str>) = pairs().unzip();
        assert_eq!(self.change.before.text().lines().collect::<Vec<_>>(), before);
        assert_eq!(self.change.lines().collect::<Vec<_>>(), now);
        self.before = after;
    }
}

fn facts(game: &dyn Game) -> Facts {
    let mut facts = Facts::default();
    game.facts(&mut facts);
    facts
}
