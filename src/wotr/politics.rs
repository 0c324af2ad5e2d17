//! Politics (12): activating and advancing the Nations.

use crate::board::Board;
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::shadow_strategy::ShadowStrategy;
use crate::cards::{Title, table};
use crate::character::{Activates, Character};
use crate::event::Event as Told;
use crate::event::politics::Event;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::region::Region;
use crate::region::named::{EDORAS, EREBOR, HELMS_DEEP};
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, words};
use engine::menu::{Ask, Menu};
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// 12.1: steps from the top of the track to At War.
pub const STEPS_MAX: u8 = 3;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One step by diplomacy.
    Advance(Nation),
    /// 12.12: one step by a Companion's ability.
    Rouse(Nation),
}

/// What makes a Nation of the Free Peoples active (12.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rouser {
    /// A Shadow Army that enters one of its regions.
    Army,
    /// An attack in this region.
    Attack(Region),
    /// The Fellowship, declared in one of its Cities or Strongholds.
    Fellowship,
    /// A Companion who can activate it.
    Companion,
    /// The Witch-king, who enters play.
    WitchKing,
    /// The text of an Event card.
    Card,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Advance(nation) => write!(f, "advance {}", nation.id()),
            Step::Rouse(nation) => write!(f, "rouse {}", nation.id()),
        }
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Advance(nation) => advance_own(play, nation),
        Step::Rouse(nation) => {
            advance(play, nation);
            defied(play);
        }
    }
}

/// 12.4: a passive Nation of the Free Peoples becomes active.
pub fn activate(play: &mut Table, nation: Nation, by: Rouser) {
    if !play.board().politics().is_active(nation) && may_be_roused(play.board(), nation, by) {
        play.tell(Told::Politics(Event::Activated { nation }));
    }
}

/// Wormtongue: Rohan becomes active only by a Companion able to activate it, by the Fellowship declared in one of its
/// two Cities and Strongholds, or by an attack on one of them.
fn may_be_roused(board: &Board, nation: Nation, by: Rouser) -> bool {
    if nation != Nation::Rohan || !table::lies(board, WORMTONGUE) {
        return true;
    }
    match by {
        Rouser::Companion | Rouser::Fellowship => true,
        Rouser::Attack(region) => [EDORAS, HELMS_DEEP].contains(&region),
        Rouser::Army | Rouser::WitchKing | Rouser::Card => false,
    }
}

const WORMTONGUE: Title = Title::ShadowCharacter(ShadowCharacter::Wormtongue);
const THREATS_AND_PROMISES: Title = Title::ShadowStrategy(ShadowStrategy::ThreatsAndPromises);

/// Threats and Promises leaves the table when a Nation of the Free Peoples advances because it was attacked, or by the
/// ability of a Companion.
fn defied(play: &mut Table) {
    table::discard(play, THREATS_AND_PROMISES.card());
}

/// 12.8: a Nation advances one step. 12.2: a step that a passive Nation may not make is lost.
pub fn advance(play: &mut Table, nation: Nation) {
    if play.board().politics().can_advance(nation) {
        let left = play.board().politics().steps_to_war(nation) - 1;
        play.tell(Told::Politics(Event::Advanced { nation, left }));
    }
}

/// 17.25: an action or a card advances a Nation of the player who acts. For another player's Nation (17.18), and for
/// one on which the single player of the Free Peoples acted last (17.40), nothing happens.
pub fn advance_own(play: &mut Table, nation: Nation) {
    if may_act_for(play.board(), nation) {
        advance(play, nation);
    }
}

/// 17.25, 17.40: whether the player who acts may do something for the Nation now.
pub fn may_act_for(board: &Board, nation: Nation) -> bool {
    board.acts_for(nation) && !board.row().bars(nation)
}

/// A card moves the Nation straight to At War, even if it is passive.
pub fn go_to_war(play: &mut Table, nation: Nation) {
    activate(play, nation, Rouser::Card);
    if !play.board().is_at_war(nation) {
        play.tell(Told::Politics(Event::WentToWar { nation }));
    }
}

/// A card moves the Nation back one step, unless its counter is at the top of the track.
pub fn set_back(play: &mut Table, nation: Nation) {
    let left = play.board().politics().steps_to_war(nation) + 1;
    if left <= STEPS_MAX {
        play.tell(Told::Politics(Event::SetBack { nation, left }));
    }
}

/// 12.4 (1): a Shadow Army enters a region of a passive Nation of the Free Peoples.
pub fn army_entered(play: &mut Table, side: Side, region: Region) {
    if let (Side::Shadow, Some(nation)) = (side, region.nation()) {
        activate(play, nation, Rouser::Army);
    }
}

/// 12.4 (4), 12.5: Companions have ended a move, or entered play, in a region. In a City or Stronghold that the enemy
/// does not control, each activates its Nation if he is able to; a siege does not prevent it.
pub fn companions_arrived(play: &mut Table, companions: &Figures, region: Region) {
    let Some(nation) = region.nation() else { return };
    if nation.side() != Side::Free || !region.is_city_or_stronghold() || !play.board().is_unconquered(region) {
        return;
    }
    let able = |companion: Character| match companion.activates() {
        Activates::Nobody => false,
        Activates::Any => true,
        Activates::Only(only) => only == nation,
    };
    if companions.characters().any(able) {
        activate(play, nation, Rouser::Companion);
    }
}

/// 9.11: the reaction of a defending Army's Nations, once per battle: every passive one with a unit in it becomes
/// active, then every one not At War advances one step.
pub fn attacked(play: &mut Table, defenders: &Figures, region: Region) {
    // 19.23: with `politics.attack_trigger = region` the Nation of the region reacts, no matter whose units are there.
    let by_region = !play.board().switches().is_default(Choice::AttackTrigger);
    let reacts =
        |nation: &Nation| if by_region { region.nation() == Some(*nation) } else { defenders.units_of(*nation) > 0 };
    for nation in Nation::ALL.into_iter().filter(reacts) {
        activate(play, nation, Rouser::Attack(region));
        if nation.side() == Side::Free && play.board().politics().can_advance(nation) {
            defied(play);
        }
        advance(play, nation);
    }
    // The text of Wormtongue names the place that is attacked, not the Nation that defends it.
    let named = defenders.units(Side::Free) > 0 && [EDORAS, HELMS_DEEP].contains(&region);
    if named && table::lies(play.board(), WORMTONGUE) {
        activate(play, Nation::Rohan, Rouser::Attack(region));
    }
}

/// Whether any Nation of the side can be advanced by diplomacy (12.9).
pub fn can_negotiate(board: &Board, side: Side) -> bool {
    board.acting(side).nations().iter().any(|nation| may_be_urged(board, *nation).is_ok())
}

/// 12.9: `gondor one step towards war`: one Nation of the side advances one step.
pub fn diplomacy(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let nation = menu.choose("nation", &Nation::ALL, |nation| {
        allowed_if(nation.side() == side, "12.9", || {
            format!("{} no Nation of {}", words::nation_is(nation), side.title())
        })?;
        may_be_urged(board, nation)
    })?;
    menu.word("one step towards war|to war|towards war|one step|advances|forward")?;
    Ok(vec![Next::Politics(Step::Advance(nation))])
}

/// 12.9, and Threats and Promises: no passive Nation of the Free Peoples advances by a Muster result.
fn may_be_urged(board: &Board, nation: Nation) -> Allowed {
    // 17.26: only the player of a Nation moves its counter by diplomacy.
    allowed_if(board.acts_for(nation), "17.26", || words::not_yours(nation))?;
    allowed_if(!board.row().bars(nation), "17.40", || words::twice_on(nation))?;
    let threatened = !board.politics().is_active(nation) && table::lies(board, THREATS_AND_PROMISES);
    allowed_if(!threatened, "12.9", || {
        format!("{} passive, and Threats and Promises lies on the table", words::nation_is(nation))
    })?;
    may_advance(board, nation)
}

/// 12.2: a Nation may advance if it is not At War yet, and a passive one not into At War.
fn may_advance(board: &Board, nation: Nation) -> Allowed {
    let politics = board.politics();
    if politics.is_at_war(nation) {
        return barred("12.9", format!("{} At War already", words::nation_is(nation)));
    }
    // 19.22: with `politics.passive_advance = false` a passive Nation does not advance by diplomacy at all.
    if !politics.is_active(nation) && !board.switches().is_default(Choice::PassiveAdvance) {
        return barred("19.22", format!("{} passive", words::nation_is(nation)));
    }
    allowed_if(politics.can_advance(nation), "12.2", || {
        format!("{} passive and on the last step before war", words::nation_is(nation))
    })
}

/// Companions who can advance their Nation with any unused die (12.12).
pub const ENVOYS: [(Character, Nation); 3] =
    [(Character::Boromir, Nation::Gondor), (Character::Legolas, Nation::Elves), (Character::Gimli, Nation::Dwarves)];

/// 12.12: whether the Companion is where his ability may be used.
fn can_use_ability(board: &Board, companion: Character) -> bool {
    board.region_of(companion).is_some_and(|region| {
        let at_home = match companion {
            Character::Boromir => region.nation() == Some(Nation::Gondor) && region.is_city_or_stronghold(),
            Character::Legolas => region.nation() == Some(Nation::Elves) && region.is_stronghold(),
            Character::Gimli => region == EREBOR,
            _ => false,
        };
        at_home && board.is_unconquered(region)
    })
}

/// 12.12: whether the Companion is where his ability may be used, and his Nation can advance.
pub fn may_rouse(board: &Board, companion: Character) -> Allowed {
    let Some((_, nation)) = ENVOYS.into_iter().find(|(envoy, _)| *envoy == companion) else {
        return barred("12.12", format!("{} has no such ability", words::character(companion)));
    };
    allowed_if(can_use_ability(board, companion), "12.12", || match companion {
        Character::Boromir => "Boromir is in no unconquered City or Stronghold of Gondor".to_string(),
        Character::Legolas => "Legolas is in no unconquered Stronghold of the Elves".to_string(),
        _ => "Gimli is not in unconquered Erebor".to_string(),
    })?;
    // 17.42: the ability is an item of the Nation; 17.26: any player of the Free Peoples may use it.
    allowed_if(!board.row().bars(nation), "17.40", || words::twice_on(nation))?;
    may_advance(board, nation)
}

/// Whether any Companion's ability can be used (12.12). If one stands where it can be used, and another rule keeps
/// his Nation from advancing, that rule is the reason.
pub fn may_rouse_some(board: &Board) -> Allowed {
    let mut reason = None;
    for (companion, _) in ENVOYS {
        match may_rouse(board, companion) {
            Ok(()) => return Ok(()),
            Err(why) if can_use_ability(board, companion) => reason = reason.or(Some(why)),
            Err(_) => {}
        }
    }
    reason.map_or_else(|| barred("12.12", "no Companion can advance his Nation"), Err)
}

/// 12.12: `boromir rouses gondor`, read after the word `rouse`: the Companion advances his Nation.
pub fn rouse(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let companion =
        menu.choose("companion", &ENVOYS.map(|(companion, _)| companion), |companion| may_rouse(board, companion))?;
    let (_, nation) = ENVOYS.into_iter().find(|(envoy, _)| *envoy == companion).expect("an envoy was chosen");
    Ok(vec![Next::Politics(Step::Rouse(nation))])
}
