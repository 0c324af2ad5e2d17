//! Cities, Fortifications, Strongholds and sieges (10): what they add to a battle. What an attacker needs to hit there
//! is in [`round`](crate::battle::round::needed), and a siege ends by the standing checks (10.27).

use crate::battle::casualties::{self, replacement};
use crate::battle::{Step, ending, fought, tell, then};
use crate::board::Board;
use crate::board::battle::Kind;
use crate::board::place::Place;
use crate::event::battle::Event;
use crate::event::capture::Event as Captured;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::Figure;
use crate::nation::Nation;
use crate::{Table, words};
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::refusal::allowed_if;
use std::sync::LazyLock;

/// 10.2, 10.3: in a field battle the defender may withdraw if the region has a Stronghold that he controls, whichever
/// side it is printed for. A besieger outside an enemy Stronghold may not.
pub fn may_withdraw(board: &Board) -> bool {
    let battle = fought(board);
    let region = battle.region;
    battle.kind == Kind::Field && region.is_stronghold() && board.controller(region) == Some(battle.defender())
}

/// 10.2: `fight in the open` or `withdraw`.
pub fn field_or_siege(menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [
        ("fight in the open|fight|open|field|in the open", Step::FightInTheOpen),
        ("withdraw|retreat into the stronghold|retreat inside|retreat|siege|inside", Step::Withdraw),
    ];
    Ok(vec![menu.branch(&ways, |_| Ok(()))?])
}

/// 10.4, 10.5: all figures of the defender go inside, Saruman too, and the Stronghold is under siege. If the attacker
/// does not advance, none of this happens (10.6).
pub fn encircle(play: &mut Table) {
    let battle = *fought(play.board());
    let region = battle.region;
    let figures = play.board().fighters(battle.defender());
    let (from, to) = (Place::Field(region), Place::Inside(region));
    play.tell(Told::Moved(Move { figures, from, to, cause: Cause::Withdrew }));
    play.tell(Told::Capture(Captured::SiegeBegan { region }));
}

/// 10.10: the Nations with an Elite in the attacking part that a Regular could replace.
pub fn reducible(board: &Board) -> impl Iterator<Item = Nation> {
    let battle = fought(board);
    let part = battle.part;
    let able = move |nation: &Nation| part.count(Figure::Elite(*nation)) > 0 && replacement(board, *nation).is_some();
    Nation::of(battle.attacker).iter().copied().filter(able)
}

/// An Elite to be reduced: `gondor elite`, or `elite` if only one Nation has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Elite {
    nation: Nation,
    is_only: bool,
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let named = Nation::ALL.map(|nation| {
        let singular = format!("{} elite", nation.id().trim_end_matches('s'));
        let (id, title) = (format!("{} elite", nation.id()), format!("{} Elite", nation.id()));
        [Name::new(&id, &title, &[&singular]), Name::new(&id, &title, &[&singular, "elite", "1 elite", "an elite"])]
    });
    named.into_iter().flatten().collect()
});

impl Named for Elite {
    fn name(&self) -> &'static Name {
        &NAMES[2 * self.nation.index() + usize::from(self.is_only)]
    }
}

/// 10.10: `reduce gondor elite` or `end`.
pub fn siege_round(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    if menu.comes_next("reduce elites until") {
        return reduce_until(board, menu);
    }
    if !menu.branch(&[("reduce", true), ("end|cease|stop", false)], |_| Ok(()))? {
        return Ok(vec![Step::Cease]);
    }
    let reducible: Vec<Nation> = reducible(board).collect();
    let elites: Vec<Elite> = Nation::of(fought(board).attacker)
        .iter()
        .map(|nation| Elite { nation: *nation, is_only: reducible == [*nation] })
        .collect();
    let elite = menu.choose("elite", &elites, |elite| {
        let name = words::of_nation(elite.nation);
        let has = fought(board).part.count(Figure::Elite(elite.nation)) > 0;
        allowed_if(has, "10.10", || format!("no {name} Elite attacks"))?;
        let replaced = replacement(board, elite.nation).is_some();
        allowed_if(replaced, "10.10", || format!("no {name} Regular is left to replace an Elite"))
    })?;
    Ok(vec![Step::ReduceForRound(elite.nation)])
}

/// `reduce elites until 1 left`: while more Elites attack than that, reduces one of the Nation that has the most of
/// them; then the assault ends.
fn reduce_until(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let left = menu.silently(|menu| {
        menu.word("reduce elites")?;
        ending::until(menu)
    })?;
    let part = fought(board).part;
    let elites = |nation: &Nation| u32::from(part.count(Figure::Elite(*nation)));
    let all: u32 = Nation::of(fought(board).attacker).iter().map(elites).sum();
    let most = reducible(board).max_by_key(elites).filter(|_| all > left);
    let Some(nation) = most else {
        menu.comes_to("end");
        return Ok(vec![Step::Cease]);
    };
    menu.comes_to("reduce");
    menu.comes_to_name(Elite { nation, is_only: reducible(board).count() == 1 });
    Ok(vec![Step::ReduceForRound(nation)])
}

/// 10.10: one Elite of the attacking part is replaced by a Regular, and one more round is fought.
pub fn reduce_for_round(play: &mut Table, nation: Nation) {
    let place = fought(play.board()).attackers_at();
    casualties::reduce(play, place, nation);
    let battle = fought(play.board());
    tell(play, Event::Pressed { side: battle.attacker, round: battle.round, reduced: Some(nation) });
    then(play, [Step::ClearCards, Step::Round]);
}
