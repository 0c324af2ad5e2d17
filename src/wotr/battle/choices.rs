//! The choices that a Combat card gives its player: which figure it affects, how many points are forfeited, how many
//! hits are taken. If only one choice is possible, nothing is asked.

use crate::battle::title::heir;
use crate::battle::{Step, effects, ending, fought, tell, then};
use crate::board::Board;
use crate::board::battle::Modifiers;
use crate::board::place::Place;
use crate::card::Card;
use crate::character::Character;
use crate::combat_title::CombatTitle;
use crate::event::battle::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::part::Count;
use crate::region::Region;
use crate::side::Side;
use crate::{Table, siege, words};
use engine::menu::policy::AMONG;
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::refusal::{Allowed, allowed_if};
use std::fmt;
use std::sync::LazyLock;

/// The most hits that Relentless Assault and Onslaught let the Shadow take.
const ASSAULT_MAX: u8 = 2;
const ONSLAUGHT_MAX: u8 = 4;

/// What was chosen for a Combat card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The player declines what the card offers.
    Nobody,
    Number(u8),
    Figure(Figure),
    /// Heroic Death: the figure that is eliminated, and the hits that this cancels.
    Sacrifice {
        figure: Figure,
        hits: u8,
    },
    RetreatTo(Region),
    Withdraw,
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pick::Nobody => f.write_str("nobody"),
            Pick::Number(number) => number.fmt(f),
            Pick::Figure(figure) => Count(*figure).fmt(f),
            Pick::Sacrifice { figure, hits } => write!(f, "{} for {hits}", Count(*figure)),
            Pick::RetreatTo(region) => f.write_str(region.id()),
            Pick::Withdraw => f.write_str("withdraw"),
        }
    }
}

/// The card's player chooses. If the card can do only one thing, it does that without a question.
pub fn offer(play: &mut Table, side: Side, card: Card) {
    match picks(play.board(), card.combat()).as_slice() {
        [] => tell(play, Event::NoEffect { card }),
        [only] => chosen(play, side, *only),
        _ => then(play, [Step::Choose(side)]),
    }
}

/// Everything that may be chosen for the card now.
pub fn picks(board: &Board, title: CombatTitle) -> Vec<Pick> {
    let battle = fought(board);
    let (free, shadow) = (board.fighters(Side::Free), board.fighters(Side::Shadow));
    let (free_rerolled, shadow_rerolled) =
        (battle.reroll_hits[Side::Free.index()], battle.reroll_hits[Side::Shadow.index()]);
    // C6.6: a choice that affects the re-roll is useless if the re-roll is cancelled.
    let no_reroll = battle.modifiers[Side::Free.index()].no_reroll;
    let misses = if no_reroll { 0 } else { battle.misses[Side::Free.index()] };
    let companions = || free.characters().map(Figure::Character);
    match title {
        CombatTitle::Scouts => {
            let withdraw = siege::may_withdraw(board).then_some(Pick::Withdraw);
            ending::retreats(board).iter().map(Pick::RetreatTo).chain(withdraw).collect()
        }
        CombatTitle::WordsOfPower => companions().map(Pick::Figure).collect(),
        CombatTitle::MightyAttack if misses > 0 => {
            let able = free.characters().filter(|companion| board.companion_leadership(*companion) > 0);
            able.map(|companion| Pick::Figure(Figure::Character(companion))).collect()
        }
        CombatTitle::Anduril if misses > 0 => match able_heir(board) {
            None => Vec::new(),
            Some(Character::Aragorn) => numbers(0, misses.min(2)),
            Some(_) => numbers(1, 1),
        },
        CombatTitle::DreadAndDespair => numbers(1, board.nazgul_leadership()),
        CombatTitle::RelentlessAssault => numbers(0, ASSAULT_MAX.min(endurance(&shadow))),
        CombatTitle::Onslaught => numbers(0, ONSLAUGHT_MAX.min(endurance(&shadow))),
        CombatTitle::HeroicDeath => sacrifices(board, &free),
        CombatTitle::BladeOfWesternesse if free_rerolled > 0 => {
            shadow.characters().map(|minion| Pick::Figure(Figure::Character(minion))).collect()
        }
        CombatTitle::FatefulStrike if free_rerolled > 0 => struck_by_fate(&shadow, free_rerolled),
        CombatTitle::BlackBreath if shadow_rerolled > 0 => {
            let in_reach = |companion: &Character| companion.level() <= shadow_rerolled;
            let companions = free.characters().filter(in_reach).map(Figure::Character);
            optional(leaders(&free).chain(companions).collect())
        }
        // C6.11: without a miss, or a hit of the re-roll, there is no effect.
        _ => Vec::new(),
    }
}

fn numbers(least: u8, most: u8) -> Vec<Pick> {
    (least..=most).map(Pick::Number).collect()
}

/// Strider or Aragorn, if his Leadership can be forfeited.
fn able_heir(board: &Board) -> Option<Character> {
    heir(&board.fighters(Side::Free)).filter(|heir| board.companion_leadership(*heir) > 0)
}

/// The most hits that the units of the Shadow can take: hits beyond the last unit cannot be inflicted.
fn endurance(figures: &Figures) -> u8 {
    figures.regulars(Side::Shadow) + 2 * figures.elites(Side::Shadow)
}

fn leaders(figures: &Figures) -> impl Iterator<Item = Figure> + use<'_> {
    let kinds = Nation::of(Side::Free).iter().map(|nation| Figure::Leader(*nation));
    kinds.filter(|leader| figures.count(*leader) > 0)
}

/// Any of the figures, or nobody.
fn optional(figures: Vec<Figure>) -> Vec<Pick> {
    let nobody = (!figures.is_empty()).then_some(Pick::Nobody);
    figures.into_iter().map(Pick::Figure).chain(nobody).collect()
}

/// Heroic Death: a Leader cancels one hit, a Companion up to his Level; the player may decline.
fn sacrifices(board: &Board, free: &Figures) -> Vec<Pick> {
    let hits = fought(board).hits[Side::Shadow.index()];
    let of_leaders = leaders(free).map(|figure| Pick::Sacrifice { figure, hits: hits.min(1) });
    let of_companions = free.characters().flat_map(|companion| {
        let figure = Figure::Character(companion);
        (0..=companion.level().min(hits)).map(move |hits| Pick::Sacrifice { figure, hits })
    });
    let picks: Vec<Pick> = of_leaders.chain(of_companions).collect();
    let nobody = (!picks.is_empty()).then_some(Pick::Nobody);
    picks.into_iter().chain(nobody).collect()
}

/// Fateful Strike: one hit eliminates a Nazgûl other than the Witch-king; two hits may eliminate a Minion instead.
/// Without a Nazgûl the only choice is whether to eliminate a Minion.
fn struck_by_fate(shadow: &Figures, hits: u8) -> Vec<Pick> {
    let nazgul = (shadow.nazgul() > 0).then_some(Pick::Figure(Figure::Nazgul));
    let minions = shadow.characters().filter(|_| hits >= 2).map(|minion| Pick::Figure(Figure::Character(minion)));
    let mut picks: Vec<Pick> = nazgul.into_iter().chain(minions).collect();
    if nazgul.is_none() && !picks.is_empty() {
        picks.push(Pick::Nobody);
    }
    picks
}

/// The choice takes effect.
pub fn chosen(play: &mut Table, side: Side, pick: Pick) {
    let battle = *fought(play.board());
    let card = battle.played[side.index()].expect("a Combat card asks");
    let title = card.combat();
    match pick {
        Pick::Nobody | Pick::Number(0) if title != CombatTitle::Anduril => tell(play, Event::Forgone { card }),
        Pick::Nobody => unreachable!("{title:?} offers somebody"),
        Pick::RetreatTo(region) => then(play, [Step::RetreatTo(region)]),
        Pick::Withdraw => then(play, [Step::Withdraw]),
        Pick::Number(number) => numbered(play, card, number),
        Pick::Sacrifice { figure, hits } => {
            slay(play, figure, battle.stand(side));
            if hits > 0 {
                let by = -i8::try_from(hits).expect("a Level is small");
                tell(play, Event::Rescored { card, side: Side::Shadow, by });
            }
        }
        Pick::Figure(Figure::Character(companion)) if title == CombatTitle::WordsOfPower => {
            tell(play, Event::Silenced { card, companion });
        }
        Pick::Figure(Figure::Character(companion)) if title == CombatTitle::MightyAttack => {
            tell(play, Event::Turned { card, companion, misses: 1 });
        }
        Pick::Figure(figure) => {
            // Blade of Westernesse: the hit causes no casualty.
            if title == CombatTitle::BladeOfWesternesse {
                tell(play, Event::Rescored { card, side: Side::Free, by: -1 });
            }
            slay(play, figure, battle.stand(!side));
        }
    }
}

/// The number chosen takes effect: points forfeited, hits taken, or misses turned into hits.
fn numbered(play: &mut Table, card: Card, number: u8) {
    let none = Modifiers::default();
    let place = fought(play.board()).stand(Side::Shadow);
    let losses = Step::Losses { side: Side::Shadow, place, hits: number };
    match card.combat() {
        CombatTitle::Anduril => {
            let companion = able_heir(play.board()).expect("Strider or Aragorn is in the battle");
            tell(play, Event::Turned { card, companion, misses: number });
        }
        CombatTitle::DreadAndDespair => {
            effects::modify(play, card, Side::Shadow, Modifiers { leadership_fewer: number, ..none });
            effects::modify(play, card, Side::Free, Modifiers { dice_fewer: number, ..none });
        }
        // C6.24: the hits count, not the figures removed. 9.14: an Army that loses its own last unit has lost.
        CombatTitle::RelentlessAssault => {
            tell(play, Event::Inflicted { card, on: Side::Shadow, hits: number });
            let combat_roll = i8::try_from(number).expect("two hits at most");
            effects::modify(play, card, Side::Shadow, Modifiers { combat_roll, ..none });
            then(play, [losses, Step::Survivors]);
        }
        // C6.24: the dice are rolled even if the Army has lost its own last unit.
        CombatTitle::Onslaught => {
            tell(play, Event::Inflicted { card, on: Side::Shadow, hits: number });
            then(play, [losses, Step::Strike { side: Side::Shadow, dice: number, needs: 4 }]);
        }
        title => unreachable!("{title:?} asks for no number"),
    }
}

/// 9.34: in a battle Leaders and Characters are lost by cards only. Nazgûl may return.
fn slay(play: &mut Table, figure: Figure, from: Place) {
    let to = match figure {
        Figure::Nazgul => Place::Reinforcements,
        Figure::Character(_) => Place::Removed,
        Figure::Leader(_) | Figure::Regular(_) | Figure::Elite(_) => Place::Casualties,
    };
    play.tell(Told::Moved(Move { figures: Figures::one(figure), from, to, cause: Cause::Eliminated }));
}

/// A figure that a Combat card can affect; a Leader is named without his Nation if only one Nation has Leaders there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Victim {
    figure: Figure,
    is_only: bool,
}

static LEADERS: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let named = Nation::of(Side::Free).iter().map(|nation| {
        let (id, title) = (format!("{} leader", nation.id()), format!("{} Leader", nation.id()));
        Name::new(&id, &title, &[&format!("{} leader", nation.id().trim_end_matches('s')), "leader", "a leader"])
    });
    named.collect()
});

impl Named for Victim {
    fn name(&self) -> &'static Name {
        match self.figure {
            Figure::Leader(nation) if self.is_only => {
                let place = Nation::of(Side::Free).iter().position(|other| *other == nation);
                &LEADERS[place.expect("a Nation of the Free Peoples")]
            }
            figure => Count::name(&Count(figure)),
        }
    }
}

/// All figures that a card can name, of both sides.
fn victims(board: &Board) -> Vec<Victim> {
    let is_only = leaders(&board.fighters(Side::Free)).count() == 1;
    let leaders = Nation::of(Side::Free).iter().map(|nation| Figure::Leader(*nation));
    let is_here = |figure: &Figure| board.fighters(Side::Free).count(*figure) > 0;
    let figures = leaders.chain([Figure::Nazgul]).chain(Character::ALL.into_iter().map(Figure::Character));
    figures.map(|figure| Victim { figure, is_only: is_only && is_here(&figure) }).collect()
}

/// The words of a choice, by the card that asks.
pub fn choose(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let card = fought(board).played[side.index()].expect("a Combat card asks");
    let picks = picks(board, card.combat());
    let pick = match card.combat() {
        CombatTitle::Scouts => flee(&picks, menu)?,
        CombatTitle::Anduril => number("turn|convert", "misses|miss", &picks, menu)?,
        CombatTitle::DreadAndDespair => number("forfeit", "points|point", &picks, menu)?,
        CombatTitle::RelentlessAssault | CombatTitle::Onslaught => number("take|bear", "hits|hit", &picks, menu)?,
        CombatTitle::HeroicDeath => sacrifice(board, card, &picks, menu)?,
        CombatTitle::WordsOfPower => {
            menu.word("silence")?;
            Pick::Figure(figure(board, card, &picks, menu)?)
        }
        CombatTitle::MightyAttack => {
            menu.word("forfeit|forfeit the leadership of")?;
            Pick::Figure(figure(board, card, &picks, menu)?)
        }
        _ => {
            let ways = [("slay|eliminate|kill", true), ("spare|spare all|nobody|none|no", false)];
            let may_spare = picks.contains(&Pick::Nobody);
            let slays = menu.branch(&ways, |slays| {
                allowed_if(slays || may_spare, "9.18", || format!("{} spares nobody now", card.combat_title()))
            })?;
            if slays { Pick::Figure(figure(board, card, &picks, menu)?) } else { Pick::Nobody }
        }
    };
    Ok(vec![Step::Chosen { side, pick }])
}

/// One of the figures that may be picked.
fn figure(board: &Board, card: Card, picks: &[Pick], menu: &mut Menu<'_>) -> Ask<Figure> {
    let may = |victim: Victim| -> Allowed {
        let open = picks.iter().any(|pick| match pick {
            Pick::Figure(figure) | Pick::Sacrifice { figure, .. } => *figure == victim.figure,
            _ => false,
        });
        allowed_if(open, "9.18", || {
            format!("{} cannot be used on {} now", card.combat_title(), words::figure(victim.figure))
        })
    };
    Ok(menu.choose("figure", &victims(board), may)?.figure)
}

/// `take 2 hits`: the noun may be left out.
fn number(verb: &'static str, noun: &'static str, picks: &[Pick], menu: &mut Menu<'_>) -> Ask<Pick> {
    let of = |pick: &Pick| match pick {
        Pick::Number(number) => Some(u32::from(*number)),
        _ => None,
    };
    let least = picks.iter().filter_map(of).min().unwrap_or(0);
    let most = picks.iter().filter_map(of).max().unwrap_or(0);
    menu.word(verb)?;
    let number = menu.number("how many", least..=most, "9.18")?;
    let reading = menu.is_reading();
    let may_leave_out = |said: bool| allowed_if(said || reading, "9.18", || "say of what".to_string());
    menu.branch(&[(noun, true), ("", false)], may_leave_out)?;
    Ok(Pick::Number(u8::try_from(number).expect("a few at most")))
}

/// `sacrifice boromir for 2`, `sacrifice gondor leader`, `no sacrifice`. Without a number, the most hits possible.
fn sacrifice(board: &Board, card: Card, picks: &[Pick], menu: &mut Menu<'_>) -> Ask<Pick> {
    let ways = [("sacrifice|give up", true), ("no sacrifice|nobody|none|no", false)];
    if !menu.branch(&ways, |_| Ok(()))? {
        return Ok(Pick::Nobody);
    }
    let figure = figure(board, card, picks, menu)?;
    let hits_of = |pick: &Pick| match pick {
        Pick::Sacrifice { figure: other, hits } if *other == figure => Some(u32::from(*hits)),
        _ => None,
    };
    let least = picks.iter().filter_map(hits_of).min().expect("somebody who may be sacrificed");
    let most = picks.iter().filter_map(hits_of).max().expect("somebody who may be sacrificed");
    let hits = if least == most {
        most
    } else {
        menu.maybe_number("for", "hits", least..=most, "9.18", "hits|hit")?.unwrap_or(most)
    };
    Ok(Pick::Sacrifice { figure, hits: u8::try_from(hits).expect("no more than a Level") })
}

/// `retreat to edoras` or `withdraw`.
fn flee(picks: &[Pick], menu: &mut Menu<'_>) -> Ask<Pick> {
    let ways = [("retreat to|retreat", true), ("withdraw|retreat into the stronghold|inside", false)];
    let can = |retreats: bool| picks.iter().any(|pick| matches!(pick, Pick::RetreatTo(_)) == retreats);
    let may =
        |retreats: bool| allowed_if(can(retreats), "10.2", || "there is no Stronghold of yours to go into".to_string());
    let retreats = menu.is_policy(AMONG, "retreat to") || menu.branch(&ways, may)?;
    if !retreats {
        return Ok(Pick::Withdraw);
    }
    let to = menu.choose("region", Region::all(), |to| {
        allowed_if(picks.contains(&Pick::RetreatTo(to)), "9.39", || {
            format!("{} is no free region next to it", to.title())
        })
    })?;
    Ok(Pick::RetreatTo(to))
}
