/*! Battles (9): who may attack, the rounds, casualties, retreat and advance.

A battle is on the board ([`Battle`]) from its declaration to its end, and its steps are on the agenda behind the fence
[`FENCE`]. [`attack`](mod@attack) declares it, [`round`] fights it in the order of its steps, [`casualties`] takes the
hits, [`ending`] closes it; sieges add their part in [`siege`]. Combat cards are laid in [`laying`]; what their
[`title`]s do is in [`effects`], and the choices of their players are in [`choices`].
*/

pub mod attack;
pub mod casualties;
pub mod choices;
pub mod effects;
pub mod ending;
pub mod laying;
pub mod round;
pub mod title;

use crate::battle::attack::{Attack, Fronts};
use crate::battle::casualties::{Loss, Toll};
use crate::battle::choices::Pick;
use crate::board::Board;
use crate::board::battle::{Battle, Decision};
use crate::board::place::Place;
use crate::card::{EventDeck, Type};
use crate::combat_roll::Roll;
use crate::die::Face;
use crate::event::battle::Event;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, part, siege};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Need};
use engine::refusal::{Allowed, barred};
use engine::slot::{Faces, Slot};
use std::fmt;

/// The fence that closes a battle on the agenda.
pub const FENCE: &str = "battle";

/// The steps of this chapter, in the order of a battle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// 9.11, 9.12: a battle that has been declared begins.
    Begin(Battle),
    /// 9.13: a Combat round, all of its steps.
    Round,
    /// 10.2: whether the defender fights in the open or retreats into the Stronghold.
    FieldOrSiege,
    /// 10.2, answered: in the open.
    FightInTheOpen,
    /// 10.4: the defender retreats into the Stronghold.
    Withdraw,
    /// 9.19: whether Gandalf the White gives up his Leadership.
    WhiteRider,
    /// 9.19, answered: he does.
    ForfeitWhiteRider,
    /// 9.16: whether the side lays a Combat card.
    CombatCard(Side),
    /// 9.16: face down from the hand, or Balrog of Moria from the table.
    Lay(Slot),
    /// 9.16: the side lays none.
    Decline(Side),
    /// 9.16: the card laid by the side is shown.
    Reveal(Side),
    /// 9.18: the effects of Combat cards at this moment.
    Effects(Moment),
    /// 9.18: what the side's Combat card does at this initiative.
    Effect { side: Side, initiative: u8 },
    /// The choice that the side's Combat card gives its player.
    Choose(Side),
    /// The choice, answered.
    Chosen { side: Side, pick: Pick },
    /// 9.21: an extra attack of a Combat card, with dice that need this number.
    Strike { side: Side, dice: u8, needs: u8 },
    /// 9.22 to 9.26.
    Roll(Side, Roll),
    /// 9.27, 9.28: the hits of both sides are taken, the attacker's losses first.
    TakeLosses,
    /// 9.29: a force takes hits, in a battle or outside (5.23).
    Losses { side: Side, place: Place, hits: u8 },
    /// 9.30: the owner chooses.
    ChooseLosses { side: Side, place: Place, hits: u8 },
    /// 9.29: one unit is removed or reduced.
    Lose { side: Side, place: Place, loss: Loss },
    /// 9.14, 9.34: a side without units is eliminated, and the battle is over.
    Survivors,
    /// 9.35.
    EndRound,
    /// 9.35 (1): whether the attacker ceases.
    PressOn,
    /// 9.35: he fights on.
    FightOn,
    /// 9.37.
    Cease,
    /// 9.35 (2): whether the defender retreats.
    Retreat,
    /// 9.39.
    RetreatTo(Region),
    /// 9.35 (3).
    Stand,
    /// 10.10: whether the attacker reduces an Elite for another round.
    SiegeRound,
    /// 10.10: he does.
    ReduceForRound(Nation),
    /// 9.18: both Combat cards are discarded when the round is over; then the Sorcerer draws (6.23).
    ClearCards,
    /// 6.23: whether the Shadow draws; 17.15: the player who laid the Combat card.
    Sorcerer { kind: Type, by: Player },
    /// 9.47: the attacker may advance after this.
    Advance(Decision),
    /// 10.5: the defenders go inside, and are under siege.
    Encircle,
    /// 9.47, 9.49.
    AdvanceWith(Figures),
    /// 9.47: nobody advances.
    Stay,
    /// An Army that has landed by a card holds the region.
    Occupy(Decision),
    /// The battle is removed from the board.
    End,
}

/// 9.18, ▲32: when the effects of Combat cards are applied, by their initiative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Initiative 0 to 3.
    BeforeRoll,
    /// Initiative 4.
    BeforeReroll,
    /// Initiative 5 and 6.
    Hits,
    /// Initiative 7.
    AfterLosses,
}

/// Whether the side can attack with this result (Army, or Character with a leading figure), and if not, why
/// (9.1 to 9.6). `what` says what it cannot do then, for the refusal.
pub fn may_attack(board: &Board, side: Side, result: Face, fronts: Fronts, rule: &'static str, what: &str) -> Allowed {
    match attack::hindered(board, side, result, fronts) {
        None => Ok(()),
        Some((decided, why)) => barred(decided.unwrap_or(rule), format!("{why}, so {what}")),
    }
}

/// `osgiliath from south-ithilien with 5 regular 1 elite`, read after the word `attack`. Returns `Step::Begin`.
pub fn attack(board: &Board, side: Side, result: Face, fronts: Fronts, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let battle = menu.phrase(&Attack { board, side, result, by: None, fronts })?;
    Ok(vec![Next::Battle(Step::Begin(battle))])
}

/// The battle on the board.
///
/// # Panics
/// If none is being fought. Steps of a battle are performed only while there is one.
pub fn fought(board: &Board) -> &Battle {
    board.battle().expect("a battle is being fought")
}

/// 17.37: in a battle the controlling player of the Army decides.
fn asked(board: &Board, side: Side, id: &'static str, is_asked: bool) -> Option<Need> {
    is_asked.then(|| board.asks(board.fighter(side), id))
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match step {
        Step::FieldOrSiege => asked(board, fought(board).defender(), "field-or-siege", siege::may_withdraw(board)),
        Step::WhiteRider => asked(board, Side::Free, "white-rider", round::white_rider_may_forfeit(board)),
        Step::CombatCard(side) => asked(board, *side, "combat-card", laying::may_lay(board, *side)),
        Step::Reveal(side) => laying::show(board, *side),
        Step::Choose(side) => asked(board, *side, "combat-choice", true),
        Step::Strike { side, dice, .. } => effects::strike_dice(*side, *dice),
        Step::Roll(side, roll) => round::dice(board, *side, *roll),
        Step::ChooseLosses { side, place, .. } => Some(board.asks(board.commander_at(*side, *place), "losses")),
        Step::PressOn => asked(board, fought(board).attacker, "press-on", ending::may_cease(board)),
        Step::Retreat => asked(board, fought(board).defender(), "retreat", !ending::retreats(board).is_empty()),
        Step::SiegeRound => {
            asked(board, fought(board).attacker, "siege-round", siege::reducible(board).next().is_some())
        }
        Step::Sorcerer { kind, by } => laying::may_conjure(board, *kind).then(|| board.asks(*by, "sorcerer")),
        Step::Advance(_) => asked(board, fought(board).attacker, "advance", ending::can_advance(board)),
        Step::Begin(_)
        | Step::Round
        | Step::FightInTheOpen
        | Step::Withdraw
        | Step::ForfeitWhiteRider
        | Step::Lay(_)
        | Step::Decline(_)
        | Step::Effects(_)
        | Step::Effect { .. }
        | Step::Chosen { .. }
        | Step::TakeLosses
        | Step::Losses { .. }
        | Step::Lose { .. }
        | Step::Survivors
        | Step::EndRound
        | Step::FightOn
        | Step::Cease
        | Step::RetreatTo(_)
        | Step::Stand
        | Step::ReduceForRound(_)
        | Step::ClearCards
        | Step::Encircle
        | Step::AdvanceWith(_)
        | Step::Stay
        | Step::Occupy(_)
        | Step::End => None,
    }
}

pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let steps = match step {
        Step::FieldOrSiege => siege::field_or_siege(menu)?,
        Step::WhiteRider => round::white_rider(menu)?,
        Step::CombatCard(side) => laying::combat_card(board, *side, faces, menu)?,
        Step::Choose(side) => choices::choose(board, *side, menu)?,
        Step::ChooseLosses { side, place, hits } => {
            casualties::choose(&Toll::of(board, *side, *place, *hits), *place, menu)?
        }
        Step::PressOn => ending::press_on(board, menu)?,
        Step::Retreat => ending::retreat(board, menu)?,
        Step::SiegeRound => siege::siege_round(board, menu)?,
        Step::Sorcerer { kind, by } => return laying::conjure(board, *kind, *by, menu),
        Step::Advance(outcome) => return ending::advance(board, *outcome, menu),
        _ => unreachable!("`{step}` asks nothing"),
    };
    Ok(steps.into_iter().map(Next::Battle).collect())
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Begin(battle) => round::begin(play, battle),
        Step::Round => round::round(play),
        Step::FieldOrSiege | Step::WhiteRider | Step::Roll(..) => {}
        Step::CombatCard(side) => laying::pass_over(play, side),
        Step::Reveal(side) => laying::reveal_known(play, side),
        // No die is rolled.
        Step::Strike { .. } => {}
        Step::Sorcerer { .. } | Step::Advance(_) => {}
        Step::FightInTheOpen => tell(play, Event::FoughtInTheOpen),
        Step::Withdraw => ending::finish(play, Decision::Withdrew),
        Step::ForfeitWhiteRider => tell(play, Event::WhiteRider),
        Step::Lay(slot) => laying::lay(play, slot),
        Step::Decline(side) => tell(play, Event::Declined { side }),
        Step::Effects(moment) => effects::effects(play, moment),
        Step::Effect { side, initiative } => effects::effect(play, side, initiative),
        Step::Choose(_) => unreachable!("`{step}` is always asked"),
        Step::Chosen { side, pick } => choices::chosen(play, side, pick),
        Step::TakeLosses => casualties::take_all(play),
        Step::Losses { side, place, hits } => casualties::take(play, side, place, hits),
        Step::ChooseLosses { .. } => unreachable!("`{step}` is always asked"),
        Step::Lose { side, place, loss } => casualties::lose(play, side, place, loss),
        Step::Survivors => casualties::survivors(play),
        Step::EndRound => ending::end_round(play),
        // 9.38: he may not cease.
        Step::PressOn | Step::FightOn => ending::fight_on(play),
        Step::Cease => ending::finish(play, Decision::Ceased),
        // 9.39: there is nowhere to go.
        Step::Retreat => ending::stand(play),
        Step::RetreatTo(region) => ending::retreat_to(play, region),
        Step::Stand => ending::stand(play),
        // 10.10: no Elite can be reduced.
        Step::SiegeRound => ending::finish(play, Decision::Ceased),
        Step::ReduceForRound(nation) => siege::reduce_for_round(play, nation),
        Step::ClearCards => laying::clear_cards(play),
        Step::Encircle => siege::encircle(play),
        Step::AdvanceWith(figures) => ending::advance_with(play, figures),
        Step::Stay => tell(play, Event::Stayed),
        Step::Occupy(outcome) => ending::occupy(play, outcome),
        Step::End => tell(play, Event::Ended),
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    match (step, answer) {
        (Step::Reveal(side), Answer::Shown(card)) => laying::shown(play, side, card),
        (Step::Strike { side, needs, .. }, Answer::Dice(fallen)) => effects::struck(play, side, needs, &fallen),
        (Step::Roll(side, roll), Answer::Dice(fallen)) => round::rolled(play, side, roll, &fallen),
        (step, answer) => unreachable!("`{step}` waits for no {answer:?}"),
    }
}

/// Tells an event of this chapter.
pub fn tell(play: &mut Table, event: Event) {
    play.tell(crate::event::Event::Battle(event));
}

/// Puts steps of this chapter on the agenda so that they come in the order given.
pub fn then<const N: usize>(play: &mut Table, steps: [Step; N]) {
    play.then(steps.map(Next::Battle));
}

impl Moment {
    /// The initiatives of its effects.
    fn initiatives(self) -> std::ops::RangeInclusive<u8> {
        match self {
            Moment::BeforeRoll => 0..=3,
            Moment::BeforeReroll => 4..=4,
            Moment::Hits => 5..=6,
            Moment::AfterLosses => 7..=7,
        }
    }

    fn id(self) -> &'static str {
        match self {
            Moment::BeforeRoll => "before-roll",
            Moment::BeforeReroll => "before-reroll",
            Moment::Hits => "hits",
            Moment::AfterLosses => "after-losses",
        }
    }
}

impl Decision {
    /// Its id in facts.
    pub fn id(self) -> &'static str {
        match self {
            Decision::Ceased => "ceased",
            Decision::Retreated => "retreated",
            Decision::Withdrew => "withdrew",
            Decision::DefenderGone => "defender-gone",
            Decision::AttackerGone => "attacker-gone",
            Decision::BothGone => "both-gone",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Begin(battle) => {
                let Battle { attacker, kind, from, region, part, rounds, by, .. } = battle;
                let part = part::say(part, part);
                let (kind, from, region) = (kind.id(), from.id(), region.id());
                write!(f, "battle {attacker} {kind} {from} {region} rounds {rounds}")?;
                if let Some(card) = by {
                    write!(f, " by {}", card.id())?;
                }
                write!(f, " with {part}")
            }
            Step::Round => f.write_str("combat round"),
            Step::FieldOrSiege => f.write_str("field or siege"),
            Step::FightInTheOpen => f.write_str("fight in the open"),
            Step::Withdraw => f.write_str("withdraw"),
            Step::WhiteRider => f.write_str("white rider"),
            Step::ForfeitWhiteRider => f.write_str("forfeit white rider"),
            Step::CombatCard(side) => write!(f, "combat card {side}"),
            Step::Lay(slot) => write!(f, "lay {} {}", EventDeck::of_slot(*slot).id(), slot.position),
            Step::Decline(side) => write!(f, "no combat card {side}"),
            Step::Reveal(side) => write!(f, "reveal {side}"),
            Step::Effects(moment) => write!(f, "effects {}", moment.id()),
            Step::Effect { side, initiative } => write!(f, "effect {side} {initiative}"),
            Step::Choose(side) => write!(f, "combat choice {side}"),
            Step::Chosen { side, pick } => write!(f, "chosen {side} {pick}"),
            Step::Strike { side, dice, needs } => write!(f, "strike {side} {dice} at {needs}"),
            Step::Roll(side, Roll::Combat) => write!(f, "combat roll {side}"),
            Step::Roll(side, Roll::Reroll) => write!(f, "re-roll {side}"),
            Step::TakeLosses => f.write_str("take losses"),
            Step::Losses { side, place, hits } => write!(f, "losses {side} {place} {hits}"),
            Step::ChooseLosses { side, place, hits } => write!(f, "choose losses {side} {place} {hits}"),
            Step::Lose { side, place, loss } => write!(f, "lose {side} {place} {loss}"),
            Step::Survivors => f.write_str("survivors"),
            Step::EndRound => f.write_str("end round"),
            Step::PressOn => f.write_str("press on"),
            Step::FightOn => f.write_str("fight on"),
            Step::Cease => f.write_str("cease"),
            Step::Retreat => f.write_str("retreat"),
            Step::RetreatTo(region) => write!(f, "retreat to {}", region.id()),
            Step::Stand => f.write_str("stand"),
            Step::SiegeRound => f.write_str("siege round"),
            Step::ReduceForRound(nation) => write!(f, "reduce {}", nation.id()),
            Step::ClearCards => f.write_str("clear combat cards"),
            Step::Sorcerer { kind, .. } => write!(f, "sorcerer {}", kind.id()),
            Step::Advance(outcome) => write!(f, "advance {}", outcome.id()),
            Step::Encircle => f.write_str("encircle"),
            Step::AdvanceWith(figures) => write!(f, "advance with {}", part::say(figures, figures)),
            Step::Stay => f.write_str("stay"),
            Step::Occupy(outcome) => write!(f, "occupy {}", outcome.id()),
            Step::End => f.write_str("end battle"),
        }
    }
}
